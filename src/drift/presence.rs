//! Items that are new or gone, and names that meet.

use super::judge::{Evidence, is_blank, reaches_wider};
use super::policy::of_presence;
use super::types::Said;
use super::{Change, ChangeKind, Drift, DriftType, Effect, Match, Severity, Side};
use crate::canon::Pointer;
use crate::digest::Item;
use crate::pin::Baseline;
use crate::surface::{ItemId, Kind};
use serde_json::Value;
use std::collections::HashMap;

const EMPTY_INSTRUCTIONS: &str = "Instructions are empty or absent, which is the same to the model";

/// What is wrong with a name that several definitions have.
pub(crate) const NAMESAKES: &str = "Several definitions have this name; a client shows only one of them";

/// A drift without changes.
pub(super) fn bare(drift_type: DriftType, id: ItemId, severity: Severity, effect: Effect, side: Side) -> Drift {
    Drift {
        drift_type,
        id,
        severity,
        effect,
        group: None,
        capability_identity: of_presence(drift_type),
        changes: Vec::new(),
        input_schema: None,
        output_schema: None,
        findings: Vec::new(),
        side,
        reasons: Vec::new(),
    }
}

/// A drift of one change, of the whole item.
pub(super) fn whole(
    mut drift: Drift,
    change: ChangeKind,
    before: Option<Value>,
    after: Option<Value>,
    said: Said,
) -> Drift {
    let severity = drift.severity;
    let Said { headline, reason } = said;
    drift.reasons = vec![reason.clone()];
    drift.changes = vec![Change { path: Pointer::root(), change, before, after, severity, headline, reason }];
    drift
}

/// How many items share an id, and whether one of them is pinned.
pub(super) struct Namesakes<'a>(HashMap<&'a ItemId, (usize, bool)>);

impl<'a> Namesakes<'a> {
    pub(super) fn of(matches: &'a [Match]) -> Self {
        let mut counts: HashMap<_, (usize, bool)> = HashMap::with_capacity(matches.len());
        for entry in matches {
            let count = counts.entry(&entry.id).or_default();
            count.0 += 1;
            count.1 |= entry.pin.is_some();
        }
        Self(counts)
    }

    /// For an id that several items share: whether one of them is pinned.
    fn shared(&self, id: &ItemId) -> Option<bool> {
        self.0.get(id).filter(|(count, _)| *count > 1).map(|(_, pinned)| *pinned)
    }
}

/// An item that is served and not pinned.
pub(super) fn added(now: &Item, side: Side, names: &Namesakes, context: &Evidence, baseline: &Baseline) -> Drift {
    let id = now.id.clone();
    let value = Some(now.definition.as_read());
    if let Some(pinned) = names.shared(&id) {
        return collision(now, side, pinned, value);
    }
    let (drift_type, severity, said) = match id.kind {
        Kind::Tool => match context.new_tool_word(&id.key) {
            Some(word) => {
                let said = Said::new(format!("New tool; {}", suggests_commands("its name")));
                (DriftType::ToolAdded, Severity::Critical, said.and(&no_other(word)))
            }
            None => (DriftType::ToolAdded, Severity::Moderate, Said::new("New tool").and("Nobody approved it yet")),
        },
        Kind::Prompt => (DriftType::PromptAdded, Severity::Info, "New prompt".into()),
        Kind::Resource => (DriftType::ResourceAdded, Severity::Info, "New resource".into()),
        Kind::ResourceTemplate => match reaches_wider(&id.key, baseline) {
            Some(why) => {
                let said = format!("New resource template with a wider reach: {why}");
                (DriftType::TemplateAdded, Severity::Moderate, said.into())
            }
            None => (DriftType::TemplateAdded, Severity::Info, "New resource template".into()),
        },
        Kind::Instructions if is_blank(value.as_ref()) => {
            (DriftType::InstructionsChanged, Severity::Info, EMPTY_INSTRUCTIONS.into())
        }
        Kind::Instructions => {
            let said = Said::new("The server now sends instructions").and("The model reads them");
            (DriftType::InstructionsChanged, Severity::Moderate, said)
        }
        Kind::Capabilities => {
            (DriftType::CapabilitiesChanged, Severity::Moderate, "The server now declares capabilities".into())
        }
        Kind::ServerInfo => {
            let said = "The server now states its name; none was approved";
            (DriftType::ServerChanged, Severity::Moderate, said.into())
        }
        Kind::Launch => (DriftType::LaunchChanged, Severity::Critical, "No launch was approved before".into()),
    };
    let effect = if id.kind.key_member().is_some() { Effect::Compatible } else { Effect::None };
    let drift = bare(drift_type, id, severity, effect, side);
    unreadable(whole(drift, ChangeKind::ItemAdded, None, value, said), now)
}

/// That a name says that something runs commands. `subject` is whose name.
pub(super) fn suggests_commands(subject: &str) -> String {
    format!("{subject} suggests that it runs commands")
}

/// That it is the first such name.
pub(super) fn no_other(word: &str) -> String {
    format!("Nothing approved before it had such a name (`{word}`)")
}

/// A definition on which readers disagree is critical whatever else it is.
fn unreadable(mut drift: Drift, now: &Item) -> Drift {
    if now.definition.exact().is_none() {
        let codes: Vec<_> = now.definition.codes.iter().map(|code| code.sentence()).collect();
        let reason = format!("Parsers disagree on this definition: {}", codes.join("; "));
        drift.severity = Severity::Critical;
        for change in &mut drift.changes {
            change.severity = Severity::Critical;
            change.reason = format!("{}. {reason}", change.reason);
            change.headline.clone_from(&reason);
        }
        drift.reasons.insert(0, reason);
    }
    drift
}

/// Another definition under a name that is taken. Of tools and prompts, which are called by name, one is hidden.
fn collision(now: &Item, side: Side, pinned: bool, value: Option<Value>) -> Drift {
    let id = now.id.clone();
    let by_name = matches!(id.kind, Kind::Tool | Kind::Prompt);
    let severity = if by_name { Severity::Critical } else { Severity::Info };
    let a_new_tool = id.kind == Kind::Tool && !pinned;
    let mut drift = bare(DriftType::NameCollision, id, severity, Effect::Unknown, side);
    if a_new_tool {
        drift.capability_identity = of_presence(DriftType::ToolAdded);
    }
    unreadable(whole(drift, ChangeKind::Duplicated, None, value, NAMESAKES.into()), now)
}

/// A pin that a complete list lacks.
pub(super) fn removed(id: &ItemId, side: Side) -> Drift {
    let before = side.pinned.as_ref().map(|item| item.definition.as_read());
    let gone = || Said::new("No longer served").and("A complete list lacks it");
    let (drift_type, severity, effect, said) = match id.kind {
        Kind::Tool => (DriftType::ToolRemoved, Severity::Info, Effect::Breaking, gone()),
        Kind::Prompt => (DriftType::PromptRemoved, Severity::Info, Effect::Breaking, gone()),
        Kind::Resource => (DriftType::ResourceRemoved, Severity::Info, Effect::Breaking, gone()),
        Kind::ResourceTemplate => (DriftType::TemplateRemoved, Severity::Info, Effect::Breaking, gone()),
        Kind::Instructions if is_blank(before.as_ref()) => {
            (DriftType::InstructionsChanged, Severity::Info, Effect::None, EMPTY_INSTRUCTIONS.into())
        }
        Kind::Instructions => {
            let said = "The server no longer sends instructions".into();
            (DriftType::InstructionsChanged, Severity::Moderate, Effect::None, said)
        }
        Kind::Capabilities => {
            let said = "The server no longer declares capabilities".into();
            (DriftType::CapabilitiesChanged, Severity::Info, Effect::Unknown, said)
        }
        Kind::ServerInfo => {
            let said = "The server no longer states its name".into();
            (DriftType::ServerChanged, Severity::Moderate, Effect::None, said)
        }
        Kind::Launch => {
            let said = "The server no longer has a launch".into();
            (DriftType::LaunchChanged, Severity::Critical, Effect::Unknown, said)
        }
    };
    whole(bare(drift_type, id.clone(), severity, effect, side), ChangeKind::ItemRemoved, before, None, said)
}
