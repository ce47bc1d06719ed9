//! Items that are new or gone, and names that meet.

use super::judge::{Context, is_blank, reaches_wider, shortened};
use super::policy::of_presence;
use super::{Change, ChangeKind, Drift, DriftType, Effect, Match, Severity, Side};
use crate::canon::Pointer;
use crate::digest::Item;
use crate::pin::Baseline;
use crate::surface::{ItemId, Kind};
use serde_json::Value;
use std::collections::HashMap;

const EMPTY_INSTRUCTIONS: &str = "the server's instructions are empty or absent, which is the same to a model";

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
    reason: String,
) -> Drift {
    let severity = drift.severity;
    drift.reasons = vec![reason.clone()];
    drift.changes = vec![Change { path: Pointer::root(), change, before, after, severity, reason }];
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
pub(super) fn added(now: &Item, side: Side, names: &Namesakes, context: &Context, baseline: &Baseline) -> Drift {
    let id = now.id.clone();
    let value = Some(now.definition.as_read());
    if let Some(pinned) = names.shared(&id) {
        return collision(now, side, pinned, value);
    }
    let (drift_type, severity, reason) = match id.kind {
        Kind::Tool => match context.new_tool_word(&id.key) {
            Some(word) => {
                let no_other = "no pinned name or parameter of this server did";
                let reason = format!("a new tool whose name says that it runs commands (`{word}`); {no_other}");
                (DriftType::ToolAdded, Severity::Critical, reason)
            }
            None => (DriftType::ToolAdded, Severity::Moderate, "a new tool that nobody approved".to_owned()),
        },
        Kind::Prompt => (DriftType::PromptAdded, Severity::Info, "a new prompt".to_owned()),
        Kind::Resource => (DriftType::ResourceAdded, Severity::Info, "a new resource".to_owned()),
        Kind::ResourceTemplate => match reaches_wider(&id.key, baseline) {
            Some(why) => {
                (DriftType::TemplateAdded, Severity::Moderate, format!("a new template that reaches wider: {why}"))
            }
            None => (DriftType::TemplateAdded, Severity::Info, "a new resource template".to_owned()),
        },
        Kind::Instructions if is_blank(value.as_ref()) => {
            (DriftType::InstructionsChanged, Severity::Info, EMPTY_INSTRUCTIONS.to_owned())
        }
        Kind::Instructions => {
            let reason = "the server gives instructions now: a model reads them".to_owned();
            (DriftType::InstructionsChanged, Severity::Moderate, reason)
        }
        Kind::Capabilities => {
            (DriftType::CapabilitiesChanged, Severity::Moderate, "the server declares capabilities now".to_owned())
        }
        Kind::ServerInfo => {
            (DriftType::ServerChanged, Severity::Moderate, "the server says its name now; none was pinned".to_owned())
        }
        Kind::Launch => (DriftType::LaunchChanged, Severity::Critical, "no launch was pinned before".to_owned()),
    };
    let effect = if id.kind.key_member().is_some() { Effect::Compatible } else { Effect::None };
    let drift = bare(drift_type, id, severity, effect, side);
    unreadable(whole(drift, ChangeKind::ItemAdded, None, value, reason), now)
}

/// A definition on which readers disagree is critical whatever else it is.
fn unreadable(mut drift: Drift, now: &Item) -> Drift {
    if now.definition.exact().is_none() {
        let codes: Vec<_> = now.definition.codes.iter().map(|code| code.sentence()).collect();
        let reason = format!("readers disagree on this definition: {}", codes.join("; "));
        drift.severity = Severity::Critical;
        for change in &mut drift.changes {
            change.severity = Severity::Critical;
            change.reason = format!("{}; {reason}", change.reason);
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
    let reason = format!("more than one definition is called `{}`: a client shows one of them", shortened(&id.key));
    let a_new_tool = id.kind == Kind::Tool && !pinned;
    let mut drift = bare(DriftType::NameCollision, id, severity, Effect::Unknown, side);
    if a_new_tool {
        drift.capability_identity = of_presence(DriftType::ToolAdded);
    }
    unreadable(whole(drift, ChangeKind::Duplicated, None, value, reason), now)
}

/// A pin that a complete list lacks.
pub(super) fn removed(id: &ItemId, side: Side) -> Drift {
    let before = side.pinned.as_ref().map(|item| item.definition.as_read());
    let gone = |what: &str| format!("the {what} is gone: a list that was read to its end lacks it");
    let (drift_type, severity, effect, reason) = match id.kind {
        Kind::Tool => (DriftType::ToolRemoved, Severity::Info, Effect::Breaking, gone("tool")),
        Kind::Prompt => (DriftType::PromptRemoved, Severity::Info, Effect::Breaking, gone("prompt")),
        Kind::Resource => (DriftType::ResourceRemoved, Severity::Info, Effect::Breaking, gone("resource")),
        Kind::ResourceTemplate => (DriftType::TemplateRemoved, Severity::Info, Effect::Breaking, gone("template")),
        Kind::Instructions if is_blank(before.as_ref()) => {
            (DriftType::InstructionsChanged, Severity::Info, Effect::None, EMPTY_INSTRUCTIONS.to_owned())
        }
        Kind::Instructions => {
            let reason = "the server gives no instructions any more".to_owned();
            (DriftType::InstructionsChanged, Severity::Moderate, Effect::None, reason)
        }
        Kind::Capabilities => {
            let reason = "the server declares no capabilities any more".to_owned();
            (DriftType::CapabilitiesChanged, Severity::Info, Effect::Unknown, reason)
        }
        Kind::ServerInfo => {
            let reason = "the server no longer says its name".to_owned();
            (DriftType::ServerChanged, Severity::Moderate, Effect::None, reason)
        }
        Kind::Launch => {
            let reason = "the server has no launch any more".to_owned();
            (DriftType::LaunchChanged, Severity::Critical, Effect::Unknown, reason)
        }
    };
    whole(bare(drift_type, id.clone(), severity, effect, side), ChangeKind::ItemRemoved, before, None, reason)
}
