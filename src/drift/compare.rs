//! From a baseline and a surface to drifts: matching, judging what changed, and what is new or gone.
//!
//! An item whose digest equals its pin's is never read again.

use super::judge::{Context, Judgement, judge, reaches_wider};
use super::matching::{Match, Relation, matches};
use super::policy::{of_change, of_presence};
use super::{Change, ChangeKind, Drift, DriftType, Effect, Policy, RiskLevel, Severity, Side, protocol};
use crate::canon::Pointer;
use crate::digest::{Item, Surface};
use crate::pin::{Anchor, Baseline};
use crate::surface::{ItemId, Kind, Notice};
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::Arc;

/// What [`compare`] found.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Every pin and every served item of the kinds looked at, in the order of (kind, key, copy).
    pub matches: Vec<Match>,
    /// Every drift, worst first, then by id and type.
    pub drifts: Vec<Drift>,
    /// What is odd and no drift.
    pub notices: Vec<Notice>,
}

/// Compares what is served with what is pinned.
pub fn compare(baseline: &Baseline, surface: &Surface, policy: &Policy) -> Comparison {
    let (matches, copies) = matches(baseline, surface);
    let upgraded = upgraded(&matches, baseline);
    let context = Context::new(baseline, &upgraded);
    let mut drifts = Vec::new();
    for entry in &matches {
        let pinned = entry.pin.map(|at| &baseline.pins[at]);
        let side = Side { pinned: pinned.map(|pin| Arc::clone(&pin.item)), now: entry.now.clone() };
        match (entry.relation, &side.pinned, &side.now) {
            (Relation::Added, _, Some(now)) => {
                drifts.push(added(entry, now, side.clone(), &matches, &context, baseline));
            }
            (Relation::Gone, Some(_), _) => drifts.push(removed(&entry.id, side)),
            (Relation::Changed | Relation::Renamed, Some(old), Some(new)) => {
                drifts.extend(risk_level(old, new));
                let varies = pinned.map_or(&[][..], |pin| &pin.varies);
                let judgement = judge(old, new, varies, &context);
                drifts.push(changed(entry, judgement, side.clone(), &context));
            }
            _ => {}
        }
    }
    if let (Some(pinned), Some(now)) = (&baseline.observed_as, &surface.observed_as)
        && pinned != now
    {
        drifts.push(protocol::handshake(pinned, now));
    }
    for drift in &mut drifts {
        policy.apply(drift);
    }
    drifts.sort_by(|a, b| (Reverse(a.severity), &a.id, a.drift_type).cmp(&(Reverse(b.severity), &b.id, b.drift_type)));
    let text = "the server lists the very same definition more than once".to_owned();
    let notices = if copies == 0 { Vec::new() } else { vec![Notice { code: "duplicate-item", count: copies, text }] };
    Comparison { matches, drifts, notices }
}

/// The drift between what a baseline is tied to and what it would be tied to now. Nothing in MCP shows an anchor: this
/// is for those who bring one.
pub fn compare_anchor(pinned: &Anchor, now: &Anchor, policy: &Policy) -> Option<Drift> {
    let fields = [
        ("clearance_id", &pinned.clearance_id, &now.clearance_id),
        ("signer_key_id", &pinned.signer_key_id, &now.signer_key_id),
        ("auth_scope", &pinned.auth_scope, &now.auth_scope),
    ];
    let changes: Vec<_> = fields
        .into_iter()
        .filter(|(_, before, after)| before != after)
        .map(|(member, before, after)| Change {
            path: Pointer::root().child(member),
            change: ChangeKind::FieldChanged,
            before: before.as_ref().map(|text| json!(text)),
            after: after.as_ref().map(|text| json!(text)),
            severity: Severity::Critical,
            reason: format!("the pins are tied to another `{member}`: what was approved was approved for that one"),
        })
        .collect();
    if changes.is_empty() {
        return None;
    }
    let id = ItemId::new(Kind::ServerInfo, "anchor");
    let mut drift = bare(DriftType::AnchorChanged, id, Severity::Critical, Effect::Unknown, Side::default());
    drift.reasons = changes.iter().map(|change| change.reason.clone()).collect();
    drift.changes = changes;
    policy.apply(&mut drift);
    Some(drift)
}

fn upgraded(matches: &[Match], baseline: &Baseline) -> super::judge::Upgraded {
    let tools = || matches.iter().filter(|entry| entry.id.kind == Kind::Tool);
    let pairs: Vec<(&Item, &Item)> = tools()
        .filter(|entry| entry.relation == Relation::Changed)
        .filter_map(|entry| Some((baseline.pins[entry.pin?].item.as_ref(), entry.now.as_deref()?)))
        .collect();
    let unchanged = tools()
        .filter(|entry| matches!(entry.relation, Relation::Equal | Relation::Renamed))
        .filter_map(|entry| entry.now.as_deref());
    protocol::upgraded(&pairs, &unchanged)
}

fn bare(drift_type: DriftType, id: ItemId, severity: Severity, effect: Effect, side: Side) -> Drift {
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

/// A drift of one change of the whole item.
fn whole(mut drift: Drift, change: ChangeKind, before: Option<Value>, after: Option<Value>, reason: String) -> Drift {
    let severity = drift.severity;
    drift.reasons = vec![reason.clone()];
    drift.changes = vec![Change { path: Pointer::root(), change, before, after, severity, reason }];
    drift
}

fn added(entry: &Match, now: &Item, side: Side, matches: &[Match], context: &Context, baseline: &Baseline) -> Drift {
    let id = entry.id.clone();
    let value = Some(now.definition.as_read());
    let mut namesakes = matches.iter().filter(|other| other.id == id);
    if namesakes.clone().count() > 1 {
        let unpinned = id.kind == Kind::Tool && namesakes.all(|other| other.pin.is_none());
        let mut drift = bare(DriftType::NameCollision, id, Severity::Critical, Effect::Unknown, side);
        if unpinned {
            drift.capability_identity = of_presence(DriftType::ToolAdded);
        }
        let reason =
            "another definition under a name that is taken: a client shows one of them, and not always the same";
        return whole(drift, ChangeKind::Duplicated, None, value, reason.to_owned());
    }
    let (drift_type, severity, reason) = match id.kind {
        Kind::Tool => match context.new_tool_word(&id.key) {
            Some(word) => {
                let reason = format!(
                    "a new tool whose name says that it runs commands (`{word}`); no pinned name or parameter of this server did"
                );
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
    let mut drift =
        whole(bare(drift_type, id, severity, Effect::Compatible, side), ChangeKind::ItemAdded, None, value, reason);
    if now.definition.exact().is_none() {
        drift.severity = Severity::Critical;
        let codes: Vec<_> = now.definition.codes.iter().map(|code| code.sentence()).collect();
        drift.reasons.insert(0, format!("readers disagree on this definition: {}", codes.join("; ")));
        drift.changes.iter_mut().for_each(|change| change.severity = Severity::Critical);
    }
    drift
}

fn removed(id: &ItemId, side: Side) -> Drift {
    let before = side.pinned.as_ref().map(|item| item.definition.as_read());
    let text = "is gone: a complete list lacks it";
    let (drift_type, severity, effect, reason) = match id.kind {
        Kind::Tool => (DriftType::ToolRemoved, Severity::Info, Effect::Breaking, format!("the tool {text}")),
        Kind::Prompt => (DriftType::PromptRemoved, Severity::Info, Effect::Breaking, format!("the prompt {text}")),
        Kind::Resource => {
            (DriftType::ResourceRemoved, Severity::Info, Effect::Breaking, format!("the resource {text}"))
        }
        Kind::ResourceTemplate => {
            (DriftType::TemplateRemoved, Severity::Info, Effect::Breaking, format!("the template {text}"))
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
            (DriftType::LaunchChanged, Severity::Critical, Effect::Unknown, "the launch is gone".to_owned())
        }
    };
    whole(bare(drift_type, id.clone(), severity, effect, side), ChangeKind::ItemRemoved, before, None, reason)
}

fn changed(entry: &Match, judgement: Judgement, side: Side, context: &Context) -> Drift {
    let id = entry.id.clone();
    let renamed = entry.relation == Relation::Renamed;
    let of_the_protocol = !judgement.changes.is_empty()
        && judgement.changes.iter().all(|change| context.is_upgraded(&change.path))
        && id.kind == Kind::Tool;
    let drift_type = match id.kind {
        Kind::Tool if renamed => DriftType::ToolRenamed,
        Kind::Tool if of_the_protocol => DriftType::ProtocolUpgraded,
        Kind::Tool => DriftType::ToolChanged,
        Kind::Prompt => DriftType::PromptChanged,
        Kind::Resource => DriftType::ResourceChanged,
        Kind::ResourceTemplate => DriftType::TemplateChanged,
        Kind::Instructions => DriftType::InstructionsChanged,
        Kind::Capabilities => DriftType::CapabilitiesChanged,
        Kind::ServerInfo => DriftType::ServerChanged,
        Kind::Launch => DriftType::LaunchChanged,
    };
    let severity = judgement.worst().max(Severity::Info);
    let mut drift = bare(drift_type, id, severity, judgement.effect.unwrap_or(Effect::Unknown), side);
    drift.group = of_the_protocol.then(|| protocol::GROUP.to_owned());
    if !renamed && let (Some(old), Some(new)) = (&drift.side.pinned, &drift.side.now) {
        drift.capability_identity = of_change(old, new);
    }
    drift.input_schema = judgement.input_schema;
    drift.output_schema = judgement.output_schema;
    drift.changes = judgement.changes;
    if renamed {
        rename(&mut drift, context);
    }
    // The sentences of what made it as bad as it is; the others stand beside their changes.
    let mut said = HashSet::new();
    let worst = drift.changes.iter().filter(|change| change.severity.max(Severity::Info) == drift.severity);
    drift.reasons = worst.map(|change| change.reason.clone()).filter(|reason| said.insert(reason.clone())).collect();
    drift
}

/// A rename breaks every caller, and is as bad as a new tool of that name where the name says that it runs commands.
fn rename(drift: &mut Drift, context: &Context) {
    let (old, new) = match (&drift.side.pinned, &drift.side.now) {
        (Some(old), Some(new)) => (old.id.key.clone(), new.id.key.clone()),
        _ => return,
    };
    let (severity, more) = match context.new_tool_word(&new) {
        Some(word) => (Severity::Critical, format!("; the new name says that it runs commands (`{word}`)")),
        None => (Severity::Moderate, String::new()),
    };
    let reason = format!("`{old}` is called `{new}` now, all else equal; callers of the old name are refused{more}");
    let path = Pointer::root().child("name");
    drift.changes = vec![Change {
        path,
        change: ChangeKind::Renamed,
        before: Some(json!(old)),
        after: Some(json!(new)),
        severity,
        reason,
    }];
    drift.severity = severity;
    drift.effect = Effect::Breaking;
}

/// The drift of MCPTrust's keyword level, where it moved.
fn risk_level(old: &Arc<Item>, new: &Arc<Item>) -> Option<Drift> {
    if new.id.kind != Kind::Tool {
        return None;
    }
    let (before, after) = (RiskLevel::of(&old.definition.as_read()), RiskLevel::of(&new.definition.as_read()));
    let side = Side { pinned: Some(Arc::clone(old)), now: Some(Arc::clone(new)) };
    let drift = bare(DriftType::RiskLevelChanged, new.id.clone(), Severity::Info, Effect::None, side);
    let (before, after) = (before.word(), after.word());
    let reason = format!("MCPTrust's keyword rule says {after}, it said {before}; it counts parts of words");
    (before != after)
        .then(|| whole(drift, ChangeKind::RiskLevelChanged, Some(json!(before)), Some(json!(after)), reason))
}
