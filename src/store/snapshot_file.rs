//! Recorded observations: the exact bytes received, as strings, never changed after.

use super::time::utc;
use crate::canon::{Pointer, indented, read_plain};
use crate::digest::{DigestScope, Item};
use crate::pin::format::observed_as;
use crate::pin::{Closed, Misshapen};
use crate::surface::{Completeness, Kind, Launch, Observation, ObservedAs, RawItem, Reason, Transport};
use crate::text::{is_hidden, utf8};
use base64::Engine as _;
use bytes::Bytes;
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

const FORMAT: &str = "pinwatch.snapshot.v1";

/// A recorded observation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The server's id.
    pub server: String,
    /// What the person called it; may be empty.
    pub label: String,
    /// When it was recorded; whole seconds.
    pub at: Timestamp,
    /// The masked launch.
    pub launch: Launch,
    /// The handshake.
    pub observed_as: Option<ObservedAs>,
    /// How much of each kind was read.
    pub completeness: BTreeMap<Kind, ListState>,
    /// The items in the order received.
    pub items: Vec<SnapshotItem>,
}

/// One item of a snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotItem {
    /// What it is.
    pub kind: Kind,
    /// Its key; empty where its definition could not be read.
    pub key: String,
    /// The JSON value's exact bytes.
    pub bytes: Bytes,
}

/// How much of a kind was read when the snapshot was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the same words as `Completeness`")]
pub enum ListState {
    Complete,
    Partial { code: String, reason: String },
    Failed { code: String, reason: String },
    Ignored,
}

impl From<&Completeness> for ListState {
    fn from(completeness: &Completeness) -> Self {
        let parts = |reason: &Reason| (reason.code.to_owned(), reason.text.clone());
        match completeness {
            Completeness::Complete => Self::Complete,
            Completeness::Ignored => Self::Ignored,
            Completeness::Partial(why) => {
                let (code, reason) = parts(why);
                Self::Partial { code, reason }
            }
            Completeness::Failed(why) => {
                let (code, reason) = parts(why);
                Self::Failed { code, reason }
            }
        }
    }
}

impl From<&ListState> for Completeness {
    fn from(state: &ListState) -> Self {
        // A reason's code is a word of the program that looked; of a file's it keeps the text.
        let why = |code: &str, reason: &str| Reason::new("as-recorded", format!("{reason} ({code})"));
        match state {
            ListState::Complete => Self::Complete,
            ListState::Ignored => Self::Ignored,
            ListState::Partial { code, reason } => Self::Partial(why(code, reason)),
            ListState::Failed { code, reason } => Self::Failed(why(code, reason)),
        }
    }
}

impl Snapshot {
    /// A snapshot of an observation. Its notices are not kept.
    pub fn of(server: &str, label: &str, at: Timestamp, launch: &Launch, observation: &Observation) -> Self {
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
        }
    }

    /// The observation that was recorded, byte for byte, without its notices.
    pub fn observation(&self) -> Observation {
        let items = self.items.iter().map(|item| RawItem { kind: item.kind, bytes: item.bytes.clone() });
        Observation {
            observed_as: self.observed_as.clone(),
            items: items.collect(),
            completeness: self.completeness.iter().map(|(kind, state)| (*kind, state.into())).collect(),
            notices: Vec::new(),
        }
    }

    /// The file's text.
    pub(super) fn write(&self) -> String {
        let item = |item: &SnapshotItem| {
            let (member, characters) = match std::str::from_utf8(&item.bytes) {
                Ok(text) => ("text", text.to_owned()),
                Err(_) => ("bytes", base64::engine::general_purpose::STANDARD.encode(&item.bytes)),
            };
            json!({"kind": item.kind.word(), "key": item.key, member: characters})
        };
        let completeness: Map<_, _> =
            self.completeness.iter().map(|(kind, state)| (kind.word().to_owned(), state.to_json())).collect();
        let file = json!({
            "format": FORMAT,
            "server": self.server,
            "label": self.label,
            "at": utc(self.at),
            "launch": self.launch,
            "observed_as": self.observed_as,
            "completeness": completeness,
            "items": self.items.iter().map(item).collect::<Vec<_>>(),
        });
        indented(&file, &is_hidden)
    }

    /// The snapshot of a file's text.
    pub(super) fn read(text: &[u8]) -> Result<Self, Misshapen> {
        let text = utf8(text).map_err(|problem| Misshapen::new(Pointer::root(), problem.to_string()))?;
        let value = read_plain(text).map_err(|problem| Misshapen::new(Pointer::root(), problem))?;
        let members = ["format", "server", "label", "at", "launch", "observed_as", "completeness", "items"];
        match value.get("format").and_then(Value::as_str) {
            Some(FORMAT) => {}
            other => {
                let problem = format!("format `{}`; this pinwatch reads {FORMAT}", other.unwrap_or("none"));
                return Err(Misshapen::new(Pointer::root().child("format"), problem));
            }
        }
        let mut file = Closed::open(value, Pointer::root(), &members)?;
        let at = file.word("at", "a time like `2026-11-27T20:31:00Z`")?;
        let place = file.place("launch");
        let launch = launch(file.take("launch")?, place)?;
        let place = file.place("observed_as");
        let observed_as = observed_as(file.take("observed_as")?, place)?;
        let place = file.place("completeness");
        let completeness = completeness(file.take("completeness")?, &place)?;
        let mut items = Vec::new();
        for (index, value) in file.list("items")?.into_iter().enumerate() {
            items.push(SnapshotItem::read(value, file.place("items").child(index))?);
        }
        let (server, label) = (file.string("server")?, file.string("label")?);
        Ok(Self { server, label, at, launch, observed_as, completeness, items })
    }
}

/// The key that an item will have; empty where it cannot be read.
fn key(raw: &RawItem) -> Arc<str> {
    Item::read(raw, &DigestScope::None, usize::MAX).map(|item| item.id.key).unwrap_or_default()
}

impl SnapshotItem {
    fn read(value: Value, at: Pointer) -> Result<Self, Misshapen> {
        let mut entry = Closed::open(value, at, &["kind", "key", "text", "bytes"])?;
        let kind: Kind = entry.parsed("kind")?;
        let bytes = match (entry.has("text"), entry.has("bytes")) {
            (true, false) => entry.string("text")?.into_bytes(),
            (false, true) => {
                let text = entry.string("bytes")?;
                base64::engine::general_purpose::STANDARD.decode(text).map_err(|_| entry.wrong("bytes", "base64"))?
            }
            _ => return Err(Misshapen::new(entry.at().clone(), "expected one of `text` and `bytes`")),
        };
        let raw = RawItem { kind, bytes: bytes.into() };
        let written = entry.string("key")?;
        if *written != *key(&raw) {
            return Err(entry.wrong("key", "the key that its definition has"));
        }
        Ok(Self { kind, key: written, bytes: raw.bytes })
    }
}

impl ListState {
    fn to_json(&self) -> Value {
        match self {
            Self::Complete => json!({"state": "complete", "code": null, "reason": null}),
            Self::Ignored => json!({"state": "ignored", "code": null, "reason": null}),
            Self::Partial { code, reason } => json!({"state": "partial", "code": code, "reason": reason}),
            Self::Failed { code, reason } => json!({"state": "failed", "code": code, "reason": reason}),
        }
    }

    fn read(value: Value, at: Pointer) -> Result<Self, Misshapen> {
        let mut state = Closed::open(value, at, &["state", "code", "reason"])?;
        let code = state.string_or_null("code")?.unwrap_or_default();
        let reason = state.string_or_null("reason")?.unwrap_or_default();
        match state.string("state")?.as_str() {
            "complete" => Ok(Self::Complete),
            "ignored" => Ok(Self::Ignored),
            "partial" => Ok(Self::Partial { code, reason }),
            "failed" => Ok(Self::Failed { code, reason }),
            _ => Err(state.wrong("state", "complete, partial, failed or ignored")),
        }
    }
}

fn completeness(value: Value, at: &Pointer) -> Result<BTreeMap<Kind, ListState>, Misshapen> {
    let Value::Object(states) = value else { return Err(Misshapen::new(at.clone(), "expected an object")) };
    let read = |(kind, value): (String, Value)| {
        let place = at.child(&kind);
        let kind = kind.parse().map_err(|problem: String| Misshapen::new(place.clone(), problem))?;
        Ok((kind, ListState::read(value, place)?))
    };
    states.into_iter().map(read).collect()
}

fn launch(value: Value, at: Pointer) -> Result<Launch, Misshapen> {
    let is_url = value.get("url").is_some();
    let members: &[&str] = if is_url { &["url", "headers"] } else { &["command", "args", "cwd", "env"] };
    let mut launch = Closed::open(value, at, members)?;
    let transport = if is_url {
        Transport::Http { url: launch.string("url")?, headers: launch.strings("headers")? }
    } else {
        Transport::Stdio {
            command: launch.string("command")?,
            args: launch.strings("args")?,
            cwd: launch.string("cwd")?,
            env: launch.strings("env")?,
        }
    };
    Ok(Launch { transport })
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
