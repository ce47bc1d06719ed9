//! One event of the decision log, `pinwatch.log.v1`: the evidence of one record of the audit chain, or a line of the log that
//! was written before there was one.

use crate::audit::{CONTINUED, SEEN};
use crate::canon::{Pointer, read_plain};
use crate::digest::SurfaceDigest;
use crate::pin::{DecisionState, strict};
use crate::surface::ItemId;
use jiff::Timestamp;
use memchr::memmem;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use strum::IntoStaticStr;

const FORMAT: &str = "pinwatch.log.v1";

/// What a line tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A definition became the pin, or a pin that is gone was dropped.
    Approve,
    /// A pin that was approved elsewhere was approved on this machine, too: its baseline stays as it is.
    Confirm,
    /// A definition was refused.
    Reject,
    /// The last decision was taken back.
    Undo,
    /// A definition became a pin at the first record.
    Record,
    /// The server's baseline was removed.
    Forget,
    /// What stood under another id, the note, stands under this one.
    Rename,
    /// A snapshot was written.
    Snapshot,
    /// A launch was agreed to.
    Consent,
    /// It was accepted that the server is not watched.
    Unwatch,
    /// A person signed in to the server.
    SignIn,
    /// The sign-in at the server was forgotten.
    SignOut,
}

word!(Event);

impl Event {
    /// What stands in the baseline after it.
    pub fn state(self) -> Option<DecisionState> {
        match self {
            Self::Approve | Self::Confirm | Self::Record | Self::Undo => Some(DecisionState::Approved),
            Self::Reject => Some(DecisionState::Rejected),
            Self::Forget
            | Self::Rename
            | Self::Snapshot
            | Self::Consent
            | Self::Unwatch
            | Self::SignIn
            | Self::SignOut => None,
        }
    }
}

/// One event as it is handed to the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct LogEntry {
    /// When; written as RFC 3339 in UTC, whole seconds.
    #[serde(with = "crate::store::time")]
    pub at: Timestamp,
    pub event: Event,
    /// On which item; none for a server as a whole.
    #[serde(flatten, with = "kind_and_key")]
    pub item: Option<ItemId>,
    /// The digest pinned before; for an undo, what was pinned until it.
    pub from: Option<SurfaceDigest>,
    /// The digest decided on: for a pin what it binds to ([`crate::pin::Pin::binds_to`]); none where a pin was dropped. For
    /// an undo, what is pinned after it.
    pub to: Option<SurfaceDigest>,
    pub by: Arc<str>,
    /// Why, in the person's words; masked like everything written.
    pub note: Arc<str>,
    /// Digest of the policy in force.
    pub policy: Option<Arc<str>>,
}

/// How far a change came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// It was about to be made.
    Intent,
    /// The baseline has it.
    Applied,
    /// The baseline does not have it.
    Void,
}

word!(Phase);

/// One event as the log holds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The event.
    #[serde(flatten)]
    pub entry: LogEntry,
    /// The server's id.
    pub server: Arc<str>,
    /// The root's name, see [`super::super::Root::name`].
    pub root: Arc<str>,
    /// What the lines of one change share.
    pub change: Arc<str>,
    /// How far it came.
    pub phase: Phase,
    /// SHA-256 of the baseline's text after the change; none where no file is left, or none is concerned.
    pub result: Option<Arc<str>>,
}

/// What became of a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::store) struct Mark {
    /// The time of its intent.
    #[serde(with = "crate::store::time")]
    pub(in crate::store) at: Timestamp,
    pub(in crate::store) change: String,
    /// Applied or void.
    pub(in crate::store) phase: Phase,
}

pub(super) enum Line {
    Record(Box<Record>),
    Mark(Mark),
    /// The chain begins.
    Continued,
}

/// An item as two members, both null for none.
mod kind_and_key {
    use crate::surface::{ItemId, Kind};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::sync::Arc;

    #[derive(Serialize, Deserialize)]
    struct Members {
        kind: Option<Kind>,
        key: Option<Arc<str>>,
    }

    #[expect(clippy::ref_option, reason = "serde hands a reference")]
    pub(super) fn serialize<S: Serializer>(item: &Option<ItemId>, serializer: S) -> Result<S::Ok, S::Error> {
        let (kind, key) = item.clone().map(|ItemId { kind, key }| (kind, key)).unzip();
        Members { kind, key }.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<ItemId>, D::Error> {
        let Members { kind, key } = Members::deserialize(deserializer)?;
        Ok(kind.zip(key).map(|(kind, key)| ItemId { kind, key }))
    }
}

/// Whether a line tells of something seen, which is never read back: there may be many, and they are long. A text inside a line
/// cannot look like it, since its quotation marks are escaped.
pub(super) fn is_of_what_was_seen(line: &[u8]) -> bool {
    const MEMBER: &[u8] = br#""event_type":""#;
    // Members stand in their order, and no long one before it.
    let head = &line[..line.len().min(512)];
    let Some(at) = memmem::find(head, MEMBER) else { return false };
    let rest = &head[at + MEMBER.len()..];
    SEEN.iter().any(|(name, _)| rest.strip_prefix(name.as_bytes()).is_some_and(|rest| rest.starts_with(b"\"")))
}

pub(super) fn to_json(line: &impl Serialize) -> Value {
    let mut line = json!(line);
    line["format"] = FORMAT.into();
    line
}

/// A line read strictly; `None` for a torn, damaged or newer one.
pub(super) fn parse(line: &[u8]) -> Option<Line> {
    let mut line = read_plain(line).ok()?;
    if line.get("event_type").and_then(Value::as_str) == Some(CONTINUED) {
        return Some(Line::Continued);
    }
    // Whether the record holds is asked by `audit verify`: what stands here is what was decided.
    if let Some(evidence) = line.get_mut("evidence") {
        line = evidence.take();
    }
    let members = line.as_object_mut()?;
    members.remove("format").filter(|format| format == FORMAT)?;
    let root = Pointer::root();
    if !members.contains_key("event") {
        return strict(&line, &root).map(Line::Mark).ok();
    }
    // The first lines of a chain have one, which said nothing of a decision.
    members.remove("severity");
    strict(&line, &root).map(Box::new).map(Line::Record).ok()
}
