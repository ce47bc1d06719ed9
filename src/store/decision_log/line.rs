//! One event of the decision log, `pinwatch.log.v1`: the evidence of one record of the audit chain, or a line of the log that
//! was written before there was one.

use crate::audit::CONTINUED;
use crate::canon::{Pointer, read_plain};
use crate::digest::SurfaceDigest;
use crate::drift::Severity;
use crate::pin::{Closed, DecisionState, Misshapen};
use crate::surface::ItemId;
use jiff::Timestamp;
use serde_json::{Value, json};
use std::sync::Arc;
use strum::{EnumString, IntoStaticStr};

const FORMAT: &str = "pinwatch.log.v1";

/// What a line tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum Event {
    /// A definition became the pin, or a pin that is gone was dropped.
    Approve,
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
    /// An item was seen to differ from its pin, to be new or gone.
    DriftSeen,
    /// What had drifted stands as it is pinned again.
    DriftResolved,
    /// A server was admitted.
    Admit,
    /// A server was not admitted.
    Deny,
}

word!(Event);

impl Event {
    /// What stands in the baseline after it.
    pub fn state(self) -> Option<DecisionState> {
        match self {
            Self::Approve | Self::Record | Self::Undo => Some(DecisionState::Approved),
            Self::Reject => Some(DecisionState::Rejected),
            Self::Forget
            | Self::Rename
            | Self::Snapshot
            | Self::Consent
            | Self::Unwatch
            | Self::DriftSeen
            | Self::DriftResolved
            | Self::Admit
            | Self::Deny => None,
        }
    }
}

/// One event as it is handed to the log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each name is its own sentence")]
pub struct LogEntry {
    /// When; written as RFC 3339 in UTC, whole seconds.
    pub at: Timestamp,
    pub event: Event,
    /// On which item; none for a server as a whole.
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
    /// How bad, of a drift.
    pub severity: Option<Severity>,
}

/// How far a change came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, EnumString)]
#[strum(serialize_all = "snake_case")]
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The event.
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::store) struct Mark {
    /// The time of its intent.
    pub(in crate::store) at: Timestamp,
    pub(in crate::store) change: String,
    /// Applied or void.
    pub(in crate::store) phase: Phase,
}

/// A line that was read.
pub(super) enum Line {
    /// An event.
    Record(Box<Record>),
    /// What became of one.
    Mark(Mark),
    /// The chain begins.
    Continued,
}

impl Record {
    pub(super) fn to_json(&self) -> Value {
        let Self { entry, server, root, change, phase, result } = self;
        json!({
            "format": FORMAT,
            "at": super::super::utc(entry.at),
            "event": entry.event.word(),
            "server": &**server,
            "kind": entry.item.as_ref().map(|item| item.kind.word()),
            "key": entry.item.as_ref().map(|item| item.key.as_ref()),
            "from": entry.from.map(|digest| digest.to_string()),
            "to": entry.to.map(|digest| digest.to_string()),
            "by": entry.by,
            "note": entry.note,
            "root": &**root,
            "policy": entry.policy.as_deref(),
            "change": &**change,
            "phase": phase.word(),
            "result": result.as_deref(),
            "severity": entry.severity.map(Severity::word),
        })
    }
}

impl Mark {
    pub(super) fn to_json(&self) -> Value {
        json!({
            "format": FORMAT, "at": super::super::utc(self.at), "change": self.change, "phase": self.phase.word(),
        })
    }
}

/// A line read strictly; `None` for a torn, damaged or newer one.
pub(super) fn parse(line: &[u8]) -> Option<Line> {
    let mut value = read_plain(line).ok()?;
    if value.get("event_type").and_then(Value::as_str) == Some(CONTINUED) {
        return Some(Line::Continued);
    }
    // Whether the record holds is asked by `audit verify`: what stands here is what was decided.
    if let Some(evidence) = value.get_mut("evidence") {
        value = evidence.take();
    }
    if value.get("format").and_then(Value::as_str) != Some(FORMAT) {
        return None;
    }
    read(value).ok()
}

fn read(value: Value) -> Result<Line, Misshapen> {
    let is_mark = value.get("event").is_none();
    let members: &[&str] = if is_mark {
        &["format", "at", "change", "phase"]
    } else {
        &[
            "format", "at", "event", "server", "kind", "key", "from", "to", "by", "note", "root", "policy", "change",
            "phase", "result", "severity",
        ]
    };
    let mut line = Closed::open(value, Pointer::root(), members)?;
    let at: Timestamp = line.word("at", "a time")?;
    let change = line.string("change")?;
    let phase = line.word("phase", "a phase")?;
    if is_mark {
        return Ok(Line::Mark(Mark { at, change, phase }));
    }
    let event = line.word("event", "an event")?;
    let item = match (line.string_or_null("kind")?, line.string_or_null("key")?) {
        (Some(kind), Some(key)) => {
            Some(ItemId::new(kind.parse().map_err(|problem: String| Misshapen::new(line.place("kind"), problem))?, key))
        }
        _ => None,
    };
    let mut digest = |name: &str| -> Result<Option<SurfaceDigest>, Misshapen> {
        let text = line.string_or_null(name)?;
        text.map(|text| text.parse().map_err(|problem: String| Misshapen::new(line.place(name), problem))).transpose()
    };
    let (from, to) = (digest("from")?, digest("to")?);
    let entry = LogEntry {
        at,
        event,
        item,
        from,
        to,
        by: line.string("by")?.into(),
        note: line.string("note")?.into(),
        policy: line.string_or_null("policy")?.map(Into::into),
        severity: match line.has("severity").then(|| line.string_or_null("severity")).transpose()?.flatten() {
            Some(word) => Some(
                word.parse().map_err(|_| Misshapen::new(line.place("severity"), format!("`{word}` is no severity")))?,
            ),
            None => None,
        },
    };
    let (server, root) = (line.string("server")?.into(), line.string("root")?.into());
    let result = line.string_or_null("result")?.map(Into::into);
    Ok(Line::Record(Box::new(Record { entry, server, root, change: change.into(), phase, result })))
}
