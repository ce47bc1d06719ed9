//! Recorded observations: the exact bytes received, as strings, never changed after.

use crate::digest::{DigestScope, Item};
use crate::pin::{Misshapen, from_text, to_text};
use crate::surface::{
    Completeness, Exhibit, Kind, Launch, Observation, ObservedAs, PlaceOfIdentity, Presented, RawItem, Reason,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

const FORMAT: &str = "pinwatch.snapshot.v1";

/// A recorded observation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The server's id.
    pub server: String,
    /// What the person called it; may be empty.
    pub label: String,
    /// When it was recorded; whole seconds.
    #[serde(with = "super::time")]
    pub at: Timestamp,
    /// The masked launch.
    pub launch: Launch,
    /// The handshake.
    pub observed_as: Option<ObservedAs>,
    /// How much of each kind was read.
    pub completeness: BTreeMap<Kind, ListState>,
    /// The items in the order received.
    pub items: Vec<SnapshotItem>,
    /// What stood where the server may say who it is, as far as that was looked at.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub presented: BTreeMap<PlaceOfIdentity, Shown>,
}

/// What stood in one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shown {
    /// Nothing did.
    Absent,
    /// Its characters.
    Text(String),
    /// Its bytes in base64, where they are no characters.
    Bytes(String),
    /// Why it was not read.
    Unread { code: String, reason: String },
}

impl Shown {
    /// As a file keeps it; none of a place that nobody looked at.
    fn of(exhibit: &Exhibit) -> Option<Self> {
        match exhibit {
            Exhibit::Unasked => None,
            Exhibit::Absent => Some(Self::Absent),
            Exhibit::Bytes(bytes) => Some(match std::str::from_utf8(bytes) {
                Ok(text) => Self::Text(text.to_owned()),
                Err(_) => Self::Bytes(STANDARD.encode(bytes)),
            }),
            Exhibit::Unread(why) => Some(Self::Unread { code: why.code.to_owned(), reason: why.text.clone() }),
        }
    }

    fn exhibit(&self) -> Exhibit {
        let unread = |text| Exhibit::Unread(Reason::new("as-recorded", text));
        match self {
            Self::Absent => Exhibit::Absent,
            Self::Text(text) => Exhibit::Bytes(text.clone().into()),
            Self::Bytes(bytes) => STANDARD
                .decode(bytes)
                .map_or_else(|_| unread("no base64".to_owned()), |bytes| Exhibit::Bytes(bytes.into())),
            // A reason's code is a word of the program that looked; of a file's it keeps the text.
            Self::Unread { code, reason } => unread(format!("{reason} ({code})")),
        }
    }
}

/// One item of a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct SnapshotItem {
    /// What it is.
    pub kind: Kind,
    /// Its key; empty where its definition could not be read.
    pub key: String,
    /// The JSON value's exact bytes.
    pub bytes: Bytes,
}

/// An item as the file has it: its characters, or bytes that are none in base64.
#[derive(Serialize, Deserialize)]
struct Written {
    kind: Kind,
    key: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<String>,
}

impl From<SnapshotItem> for Written {
    fn from(SnapshotItem { kind, key, bytes }: SnapshotItem) -> Self {
        let text = std::str::from_utf8(&bytes).ok().map(str::to_owned);
        let bytes = if text.is_none() { Some(STANDARD.encode(&bytes)) } else { None };
        Self { kind, key, text, bytes }
    }
}

impl TryFrom<Written> for SnapshotItem {
    type Error = &'static str;

    fn try_from(Written { kind, text, bytes, .. }: Written) -> Result<Self, Self::Error> {
        let bytes: Bytes = match (text, bytes) {
            (Some(text), None) => text.into(),
            (None, Some(bytes)) => STANDARD.decode(bytes).map_err(|_| "its `bytes` are no base64")?.into(),
            _ => return Err("expected one of `text` and `bytes`"),
        };
        // The key that its definition has: another one is no key of it.
        let key = key(&RawItem { kind, bytes: bytes.clone() }).to_string();
        Ok(Self { kind, key, bytes })
    }
}

/// How much of a kind was read when the snapshot was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListState {
    /// As [`Completeness`] has it.
    pub state: ListWord,
    /// The code of the reason why it is not whole.
    pub code: Option<String>,
    /// The reason.
    pub reason: Option<String>,
}

/// [`Completeness`] without its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the same words as `Completeness`")]
pub enum ListWord {
    Complete,
    Partial,
    Failed,
    Ignored,
}

impl From<&Completeness> for ListState {
    fn from(completeness: &Completeness) -> Self {
        let (state, why) = match completeness {
            Completeness::Complete => (ListWord::Complete, None),
            Completeness::Ignored => (ListWord::Ignored, None),
            Completeness::Partial(why) => (ListWord::Partial, Some(why)),
            Completeness::Failed(why) => (ListWord::Failed, Some(why)),
        };
        Self { state, code: why.map(|why| why.code.to_owned()), reason: why.map(|why| why.text.clone()) }
    }
}

impl From<&ListState> for Completeness {
    fn from(ListState { state, code, reason }: &ListState) -> Self {
        let [code, reason] = [code, reason].map(|text| text.as_deref().unwrap_or_default());
        // A reason's code is a word of the program that looked; of a file's it keeps the text.
        let why = || Reason::new("as-recorded", format!("{reason} ({code})"));
        match state {
            ListWord::Complete => Self::Complete,
            ListWord::Ignored => Self::Ignored,
            ListWord::Partial => Self::Partial(why()),
            ListWord::Failed => Self::Failed(why()),
        }
    }
}

impl Snapshot {
    /// A snapshot of an observation. Its notices are not kept.
    pub fn of(server: &str, label: &str, at: Timestamp, launch: &Launch, observation: &Observation) -> Self {
        let mut presented = observation.presented.clone();
        let items = observation.items.iter().map(|raw| SnapshotItem {
            kind: raw.kind,
            key: key(raw).to_string(),
            bytes: raw.bytes.clone(),
        });
        Self {
            server: server.to_owned(),
            label: label.to_owned(),
            at: Timestamp::from_second(at.as_second()).unwrap_or(at),
            launch: launch.clone(),
            observed_as: observation.observed_as.clone(),
            completeness: observation.completeness.iter().map(|(kind, state)| (*kind, state.into())).collect(),
            items: items.collect(),
            presented: PlaceOfIdentity::ALL
                .into_iter()
                .filter_map(|place| Some((place, Shown::of(presented.at(place))?)))
                .collect(),
        }
    }

    /// The observation that was recorded, byte for byte, without its notices.
    pub fn observation(&self) -> Observation {
        let items = self.items.iter().map(|item| RawItem { kind: item.kind, bytes: item.bytes.clone() });
        let mut presented = Presented::default();
        for (place, shown) in &self.presented {
            *presented.at(*place) = shown.exhibit();
        }
        Observation {
            observed_as: self.observed_as.clone(),
            items: items.collect(),
            completeness: self.completeness.iter().map(|(kind, state)| (*kind, state.into())).collect(),
            notices: Vec::new(),
            presented,
        }
    }

    /// The file's text.
    pub(super) fn write(&self) -> String {
        to_text(FORMAT, self)
    }

    /// The snapshot of a file's text.
    pub(super) fn read(text: &[u8]) -> Result<Self, Misshapen> {
        from_text(FORMAT, text)
    }
}

/// The key that an item will have; empty where it cannot be read.
fn key(raw: &RawItem) -> Arc<str> {
    Item::read(raw, &DigestScope::None, usize::MAX).map(|item| item.id.key).unwrap_or_default()
}

/// A snapshot's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotEntry {
    /// Where it is.
    pub path: PathBuf,
    /// When it was recorded, by its name.
    pub at: Timestamp,
    /// 1, or 2, 3, … within one second.
    pub number: u32,
}

/// `20261127T203100Z.json`, and with `-2`, `-3` within a second.
pub(super) fn file_name(at: Timestamp, number: u32) -> String {
    let second = at.strftime("%Y%m%dT%H%M%SZ");
    if number == 1 { format!("{second}.json") } else { format!("{second}-{number}.json") }
}

/// The time and number in a snapshot's file name; `None` for other files.
pub(super) fn parse_name(name: &str) -> Option<(Timestamp, u32)> {
    let stem = name.strip_suffix(".json")?;
    let (second, number) = match stem.split_once('-') {
        Some((second, number)) => (second, number.parse().ok().filter(|number| *number > 1)?),
        None => (stem, 1),
    };
    let time = jiff::civil::DateTime::strptime("%Y%m%dT%H%M%SZ", second).ok()?;
    let at = jiff::tz::Offset::UTC.to_timestamp(time).ok()?;
    (file_name(at, number) == name).then_some((at, number))
}
