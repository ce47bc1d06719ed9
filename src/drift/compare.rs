//! From a baseline and a surface to drifts: matching, judging what changed, and what is new or gone.
//!
//! An item whose digest equals its pin's is never read again.

use super::admission::{check_admission, check_tool};
use super::anchor::check_anchor;
use super::collision::on_one_server;
use super::form::{Form, Wire, form};
use super::judge::{Evidence, Judgement, Versions, judge, shortened};
use super::matching::{Match, Relation, matches};
use super::policy::of_change;
use super::presence::{Namesakes, added, bare, no_other, removed, suggests_commands, whole};
use super::signed::signed;
use super::types::Said;
use super::{
    Change, ChangeKind, Drift, DriftType, Effect, Finding, Policy, RiskLevel, Severity, Side, moved, protocol,
};
use crate::canon::Pointer;
use crate::digest::{Item, Surface};
use crate::finding::{self, Around, Asking};
use crate::pin::Baseline;
use crate::surface::{Kind, Notice, Reason};
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::Arc;

/// Findings that are reasons, each a sentence; all of them stand beside the drift.
const MOST_SAID: usize = 10;

/// What [`compare`] found.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Every pin and every served item of the kinds looked at, in the order of (kind, key, copy).
    pub matches: Vec<Match>,
    /// Every drift, worst first, then by id and type.
    pub drifts: Vec<Drift>,
    /// What is odd and no drift.
    pub notices: Vec<Notice>,
    /// Why the pins are not known to hold though nothing drifted.
    pub unchecked: Option<Reason>,
}

/// What others know to be suspicious in an item: who knows the secrets that were passed to a server, say.
pub type Others<'a> = &'a dyn Fn(&Item) -> Vec<Finding>;

/// Compares what is served with what is pinned.
pub fn compare(baseline: &Baseline, surface: &Surface, policy: &Policy) -> Comparison {
    compare_knowing(baseline, surface, policy, &|_| Vec::new())
}

/// The same, with the findings of `others` beside those of the rules here.
pub fn compare_knowing(baseline: &Baseline, surface: &Surface, policy: &Policy, others: Others<'_>) -> Comparison {
    let (mut matches, copies) = matches(baseline, surface);
    let upgraded = upgraded(&matches, baseline);
    let context = Evidence::new(baseline, &upgraded, &policy.signatures);
    let spoken = (Wire::of(baseline.observed_as.as_ref()), Wire::of(surface.observed_as.as_ref()));
    // What was pinned is no other server's: a tool that is gone is not one of elsewhere.
    let around = Around::of(surface.items.iter().chain(baseline.pins.iter().map(|pin| &pin.item)).map(AsRef::as_ref));
    let asking = Asking { around: &around, settings: &policy.findings };
    let rated = |mut drift: Drift, versions: Option<&Versions>| {
        let beside = |item: &Item| {
            let mut found = signed(item, &policy.signatures);
            found.extend(others(item));
            found
        };
        look_for_findings(&mut drift, versions, spoken, (asking, &beside));
        suspect(&mut drift, &baseline.server, policy);
        policy.apply(&baseline.server, &mut drift);
        drift
    };
    let mut found = Vec::new();
    let names = Namesakes::of(&matches);
    for (index, entry) in matches.iter().enumerate() {
        let pinned = entry.pin.map(|at| &baseline.pins[at]);
        let side = Side { pinned: pinned.map(|pin| Arc::clone(&pin.item)), now: entry.now.clone() };
        let mut versions = None;
        let drift = match (entry.relation, pinned, &entry.now) {
            (Relation::Added, _, Some(now)) => added(now, side, &names, &context, baseline),
            (Relation::Gone, Some(_), _) => removed(&entry.id, side),
            (Relation::Changed | Relation::Renamed, Some(pin), Some(now)) => {
                let both = versions.insert(Versions::of(&pin.item, now));
                let judgement = judge((&pin.item, now), both, &pin.varies, &context);
                // To that rule a tool is its name: under another one, with another body, it is another tool.
                let another = entry.relation == Relation::Renamed && judgement.changes.len() > 1;
                let level = if another { None } else { risk_level((&pin.item, now), both) };
                found.extend(level.map(|drift| (rated(drift, None), None)));
                changed(entry, judgement, side, both, &context)
            }
            _ => {
                // Nothing about it changed: what is wrong with it is its own drift.
                found.extend(check_tool(&baseline.server, entry, policy).map(|drift| (drift, Some(index))));
                continue;
            }
        };
        found.extend(check_tool(&baseline.server, entry, policy).map(|drift| (drift, None)));
        found.push((rated(drift, versions.as_ref()), Some(index)));
    }
    if let (Some(pinned), Some(now)) = (&baseline.observed_as, &surface.observed_as)
        && pinned != now
    {
        found.push((rated(protocol::handshake(pinned, now), None), None));
    }
    let (anchor, unchecked) = check_anchor(&baseline.server, &baseline.anchor, &surface.identity, policy);
    let (refused, untold) = check_admission(&baseline.server, &surface.identity, policy);
    found.extend(anchor.into_iter().chain(refused).map(|drift| (drift, None)));
    let met = on_one_server(&baseline.server, &matches).into_iter();
    found.extend(met.map(|drift| (rated(drift, None), None)));
    found.sort_by(|(a, _), (b, _)| {
        (Reverse(a.severity), &a.id, a.drift_type).cmp(&(Reverse(b.severity), &b.id, b.drift_type))
    });
    let mut drifts = Vec::with_capacity(found.len());
    for (drift, entry) in found {
        if let Some(entry) = entry {
            matches[entry].drift = Some(drifts.len());
        }
        drifts.push(drift);
    }
    moved::tell(&mut drifts);
    let text = "the server lists the same definition more than once".to_owned();
    let notices = if copies == 0 { Vec::new() } else { vec![Notice { code: "duplicate-item", count: copies, text }] };
    Comparison { matches, drifts, notices, unchecked: unchecked.or(untold) }
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

fn changed(entry: &Match, judgement: Judgement, side: Side, versions: &Versions, context: &Evidence) -> Drift {
    let id = entry.id.clone();
    let renamed = entry.relation == Relation::Renamed && id.kind == Kind::Tool;
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
    if !renamed {
        drift.capability_identity = of_change(drift.id.kind, versions);
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

/// Whether what is suspicious in the definition belongs to this drift: beside the item's own, others may be of one aspect.
fn speaks_of_the_definition(drift: &Drift) -> bool {
    let met = drift
        .changes
        .iter()
        .any(|change| change.change == ChangeKind::Duplicated && change.after.as_ref().is_some_and(Value::is_string));
    drift.drift_type != DriftType::RiskLevelChanged && !met
}

/// Adds what is suspicious in the definition served now, and what its form does to callers. `spoken` is the generation of
/// the protocol that the pin was seen under, and the one of now.
fn look_for_findings(
    drift: &mut Drift,
    versions: Option<&Versions>,
    spoken: (Wire, Wire),
    (asking, others): (Asking<'_>, Others<'_>),
) {
    let Some(now) = drift.side.now.clone().filter(|_| speaks_of_the_definition(drift)) else { return };
    let pinned = drift.side.pinned.clone();
    let read;
    let versions = match (&pinned, versions) {
        (Some(pinned), None) => {
            read = Versions::of(pinned, &now);
            Some(&read)
        }
        (_, known) => known,
    };
    drift.findings = match (pinned.as_deref(), versions) {
        (Some(pinned), Some(versions)) => {
            finding::compared((pinned, &versions.before), (&now, &versions.after), asking)
        }
        _ => finding::findings(&now, asking),
    };
    let (before, after) = match (pinned.as_deref(), versions) {
        (Some(pinned), Some(versions)) => {
            (form(pinned, &versions.before, spoken.0), form(&now, &versions.after, spoken.1))
        }
        _ => (Form::default(), form(&now, &now.definition.as_read(), spoken.1)),
    };
    drift.effect = effect_of_form(drift.effect, (&before, spoken.0), &after);
    let by_others = others(&now);
    let mut known = before.findings;
    known.extend(pinned.as_deref().filter(|_| !by_others.is_empty()).map(others).unwrap_or_default());
    let is_known = |finding: &Finding| known.iter().any(|old| (&old.rule, &old.text) == (&finding.rule, &finding.text));
    let disabled = |finding: &Finding| asking.settings.disable.contains(finding.rule.as_ref());
    let told = after.findings.into_iter().chain(by_others).filter(|finding| !disabled(finding));
    let told: Vec<_> = told.map(|finding| Finding { added: !is_known(&finding), ..finding }).collect();
    drift.findings.splice(0..0, told);
    drift.findings.sort_by_key(|finding| Reverse(finding.severity));
}

/// What a change does to callers, where clients refused the definition before or refuse it now: with it they lose every
/// item of its list, and what they never had they do not lose.
fn effect_of_form(effect: Effect, (before, spoken): (&Form, Wire), after: &Form) -> Effect {
    if !after.refused.are_among(before.refused) {
        Effect::Breaking
    } else if effect == Effect::Breaking
        && spoken.speakers().are_among(before.refused)
        && !before.refused.are_among(after.refused)
    {
        Effect::Compatible
    } else {
        effect
    }
}

/// Raises a drift by the findings that it brought.
fn suspect(drift: &mut Drift, server: &str, policy: &Policy) {
    if drift.side.now.is_none() || !speaks_of_the_definition(drift) {
        return;
    }
    let otherwise = policy.exceptions.rate_findings(server, drift);
    let mut said = Vec::new();
    for finding in drift.findings.iter().filter(|finding| finding.added && finding.severity > Severity::Safe) {
        drift.severity = drift.severity.max(finding.severity);
        let about = |change: &&mut Change| finding.path.is_within(&change.path) || change.path.is_within(&finding.path);
        // The change next to the finding: an item that is new as a whole has only the one.
        let next = drift.changes.iter_mut().filter(about).max_by_key(|change| change.path.as_str().len());
        if let Some(change) = next.filter(|change| change.severity < finding.severity) {
            change.severity = finding.severity;
            change.reason = format!("{}. Raised by the finding {}", change.reason, finding.rule);
        }
        let reason = format!("! {}", finding.text);
        if !said.contains(&reason) && said.len() < MOST_SAID {
            said.push(reason);
        }
    }
    drift.reasons.splice(0..0, said.into_iter().chain(otherwise));
    drift.changes.sort_by_key(|change| Reverse(change.severity));
}

/// A rename breaks every caller, and is as bad as a new tool of that name where the name says that it runs commands. What
/// else changed stays as it was judged.
fn rename(drift: &mut Drift, context: &Evidence) {
    let (old, new) = match (&drift.side.pinned, &drift.side.now) {
        (Some(old), Some(new)) => (old.id.key.clone(), new.id.key.clone()),
        _ => return,
    };
    let mut said = Said::new(format!("Renamed from {}", shortened(&old)));
    let mut severity = Severity::Moderate;
    if let Some(word) = context.new_tool_word(&new) {
        severity = Severity::Critical;
        said = Said::new(format!("{}; {}", said.headline, suggests_commands("its new name"))).and(&no_other(word));
    }
    let path = Pointer::root().child("name");
    drift.changes.retain(|change| change.path != path);
    let how = if drift.changes.is_empty() { "Nothing else changed" } else { "No other tool is as similar to it" };
    let Said { headline, reason } = said.and(how).and("Calls to the old name fail");
    let (before, after) = (Some(json!(old)), Some(json!(new)));
    drift.changes.push(Change { path, change: ChangeKind::Renamed, before, after, severity, headline, reason });
    drift.severity = drift.severity.max(severity);
    drift.effect = Effect::Breaking;
}

/// The drift of MCPTrust's keyword level, where it moved.
fn risk_level((old, new): (&Arc<Item>, &Arc<Item>), versions: &Versions) -> Option<Drift> {
    if new.id.kind != Kind::Tool {
        return None;
    }
    let (before, after) = (RiskLevel::of(&versions.before), RiskLevel::of(&versions.after));
    let side = Side { pinned: Some(Arc::clone(old)), now: Some(Arc::clone(new)) };
    let drift = bare(DriftType::RiskLevelChanged, new.id.clone(), Severity::Info, Effect::None, side);
    let (before, after) = (before.word(), after.word());
    let said = Said::new(format!("MCPTrust's keyword rule now says {after} (was {before})"));
    let said = said.and("That rule matches parts of words");
    (before != after).then(|| whole(drift, ChangeKind::RiskLevelChanged, Some(json!(before)), Some(json!(after)), said))
}
