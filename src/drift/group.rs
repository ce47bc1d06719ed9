//! One cause as one row: what an SDK did to most tools of a server alike, what a consolidation took away or brought, a
//! renaming by one rule. The members stay full drifts.
//!
//! A drift joins only if nothing of it is its own: one more change, or a finding that it brings, and it stands alone. So
//! a poisoned tool never hides among fifty that the SDK touched.

mod shape;

use super::form::is_form;
use super::protocol::{self, handshake_id};
use super::{ChangeKind, Drift, DriftType, Effect, Match, Relation, Severity};
use crate::canon::jcs;
use crate::digest::{Sha256, SurfaceDigest};
use crate::surface::Kind;
use serde_json::json;
pub(super) use shape::edit;
use shape::{Shape, shapes};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Drifts of one cause.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// What it is recognised by from look to look: a drift type, and for most 8 hex digits of what the cause is.
    pub id: String,
    /// What a decision on it binds to: the id, and of every member its item, its pinned digest and its digest now.
    pub digest: SurfaceDigest,
    /// The members' type.
    pub drift_type: DriftType,
    /// The worst of the members.
    pub severity: Severity,
    /// What the members do to callers, together.
    pub effect: Effect,
    /// What they have in common, one sentence each. May quote the server.
    pub causes: Vec<String>,
    /// The members, as indices into the drifts that were grouped, rising; at least two.
    pub members: Vec<usize>,
}

/// Items that must have a change before it is one that most have.
const LEAST_ALIKE: usize = 3;
/// Items that come or go before they are one row.
const LEAST_PRESENT: usize = 5;
/// Renames before they are one row.
const LEAST_RENAMED: usize = 3;

/// Finds the groups among `drifts`, which came of `matches`, and marks their members. What `stands_alone` says yes to,
/// by its index, joins none.
pub fn group(drifts: &mut [Drift], matches: &[Match], stands_alone: impl Fn(usize) -> bool) -> Vec<Group> {
    let mut joined: BTreeMap<Key, (Vec<usize>, BTreeSet<Shape>)> = BTreeMap::new();
    let may_join = |index: usize, drift: &Drift| {
        let readable = drift.side.now.as_ref().is_none_or(|item| item.definition.exact().is_some());
        readable && !brings_a_finding(drift) && !stands_alone(index) && !drift.drift_type.is_of_identity()
    };
    let own: Vec<Option<Vec<Shape>>> = drifts.iter().map(shapes).collect();
    let common = common(drifts, &own, matches);
    let all_common = |index: usize, kind| {
        let known = |shape: &Shape| common.contains_key(&(kind, shape.clone()));
        own[index].as_ref().is_some_and(|shapes| shapes.iter().all(known))
    };
    for (index, drift) in drifts.iter().enumerate().filter(|(index, drift)| may_join(*index, drift)) {
        let kind = drift.id.kind;
        let cause = match drift.drift_type {
            DriftType::ProtocolUpgraded => Some(Cause::Protocol),
            _ if comes_or_goes(drift) && pins_any(matches) => Some(Cause::ComesAndGoes),
            _ if is_alone(drift, ChangeKind::ItemRemoved) => Some(Cause::Removed),
            _ if is_alone(drift, ChangeKind::ItemAdded) && pins_any(matches) => Some(Cause::Added),
            DriftType::ToolRenamed => all_common(index, kind).then_some(Cause::Renamed),
            _ if own[index].as_ref().is_some_and(Vec::is_empty) => None,
            _ => all_common(index, kind).then_some(Cause::Alike),
        };
        let Some(cause) = cause else { continue };
        // The protocol is one cause whatever it does to a tool; elsewhere a calm change is not painted by a bad one.
        let severity = if cause == Cause::Protocol { Severity::Info } else { drift.severity };
        let kind = if cause == Cause::Protocol { Kind::Tool } else { kind };
        let word = match cause {
            Cause::ComesAndGoes => DriftType::ResourceAdded.word(),
            _ => drift.drift_type.word(),
        };
        let entry = joined.entry((cause, kind, word, severity)).or_default();
        entry.0.push(index);
        if drift.id != handshake_id() {
            entry.1.extend(own[index].iter().flatten().filter(|_| cause.has_changes()).cloned());
        }
    }
    for drift in drifts.iter_mut() {
        drift.group = None;
    }
    let mut found = Vec::new();
    for (key, (members, shapes)) in joined {
        if members.len() >= key.0.least() {
            found.push(made(&key, members, &shapes, &common, drifts));
        }
    }
    found.sort_by(|a, b| b.severity.cmp(&a.severity).then_with(|| a.id.cmp(&b.id)));
    found
}

/// The items that are other ones from look to look as one row, and its members marked: replicas that answer in turn are one
/// cause, whatever they differ in. One that brings a finding stands alone.
pub fn unstable_group(drifts: &mut [Drift]) -> Option<Group> {
    let joins = |drift: &Drift| drift.drift_type == DriftType::SurfaceUnstable && !brings_a_finding(drift);
    // What is worse than an unstable surface is by itself is not hidden behind a count.
    let calm = |drift: &Drift| joins(drift) && drift.severity <= Severity::Moderate;
    let members: Vec<usize> = (0..drifts.len()).filter(|index| calm(&drifts[*index])).collect();
    if members.len() < 2 {
        return None;
    }
    let id = DriftType::SurfaceUnstable.word().to_owned();
    let cause = format!("{} items differ from look to look", members.len());
    Some(joined(id, members, vec![cause], drifts))
}

/// Whether a drift brought a finding of its own. What is wrong with the form of a whole list is as much an SDK's doing as
/// the change that brought it; only a protocol's group, which is calm whatever it does, is no place for it.
fn brings_a_finding(drift: &Drift) -> bool {
    let shared = |rule: &str| is_form(rule) && drift.drift_type != DriftType::ProtocolUpgraded;
    drift.findings.iter().any(|finding| finding.added && !shared(&finding.rule))
}

/// What members share: their cause, kind, type and, for the most part, severity.
type Key = (Cause, Kind, &'static str, Severity);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cause {
    /// The protocol went to another revision.
    Protocol,
    /// The same changes on most items of a kind.
    Alike,
    /// Tools of other names, else the same.
    Renamed,
    /// Resources that are new or no longer served: they are a user's tabs, notes or files more often than not.
    ComesAndGoes,
    /// Items that are no longer served.
    Removed,
    /// Items that nobody pinned.
    Added,
}

impl Cause {
    /// Whether the changes inside its members are part of what they share.
    fn has_changes(self) -> bool {
        matches!(self, Self::Alike | Self::Protocol | Self::Renamed)
    }

    fn least(self) -> usize {
        match self {
            Self::Protocol | Self::Alike | Self::ComesAndGoes => 2,
            Self::Renamed => LEAST_RENAMED,
            Self::Removed | Self::Added => LEAST_PRESENT,
        }
    }
}

/// A resource that came or went, and did nothing else.
fn comes_or_goes(drift: &Drift) -> bool {
    let presence = [ChangeKind::ItemAdded, ChangeKind::ItemRemoved].into_iter().any(|kind| is_alone(drift, kind));
    drift.id.kind == Kind::Resource && presence
}

/// A change that is the whole drift, of an item that has a name.
fn is_alone(drift: &Drift, kind: ChangeKind) -> bool {
    let named = drift.id.kind.key_member().is_some();
    named && matches!(drift.changes.as_slice(), [change] if change.change == kind)
}

fn pins_any(matches: &[Match]) -> bool {
    matches.iter().any(|entry| entry.pin.is_some())
}

/// The changes that most of the items that have a place for them share: how many have it, of how many.
type Common = HashMap<(Kind, Shape), (usize, usize)>;

fn common(drifts: &[Drift], own: &[Option<Vec<Shape>>], matches: &[Match]) -> Common {
    let mut counts: HashMap<(Kind, Shape), usize> = HashMap::new();
    for (drift, shapes) in drifts.iter().zip(own) {
        for shape in shapes.iter().flatten() {
            *counts.entry((drift.id.kind, shape.clone())).or_default() += 1;
        }
    }
    counts.retain(|_, count| *count >= LEAST_ALIKE);
    let mut places: HashMap<(Kind, String), usize> = HashMap::new();
    counts
        .into_iter()
        .filter_map(|((kind, shape), count)| {
            let place = (kind, shape.place().to_owned());
            let all = *places.entry(place).or_insert_with_key(|(kind, place)| with_place(matches, *kind, place));
            // More than half; and a place can be counted short where a definition writes its name in another way.
            (2 * count > all).then_some(((kind, shape), (count, all.max(count))))
        })
        .collect()
}

/// Items of a kind that were and are served, and have this member: all of them for an empty one.
fn with_place(matches: &[Match], kind: Kind, place: &str) -> usize {
    let member = json!(place).to_string();
    let survivors = matches.iter().filter(|entry| {
        entry.id.kind == kind && matches!(entry.relation, Relation::Equal | Relation::Changed | Relation::Renamed)
    });
    let has = |entry: &&Match| {
        place.is_empty() || entry.now.as_ref().is_some_and(|item| item.definition.characters().contains(&member))
    };
    survivors.filter(has).count()
}

fn made(key: &Key, members: Vec<usize>, shapes: &BTreeSet<Shape>, common: &Common, drifts: &mut [Drift]) -> Group {
    let (cause, kind, word, severity) = *key;
    let many = members.len();
    let causes = match cause {
        Cause::Protocol | Cause::Alike | Cause::Renamed => {
            let handshake = members.iter().map(|member| &drifts[*member]).filter(|drift| drift.id == handshake_id());
            let mut own = handshake.flat_map(|drift| drift.reasons.iter().cloned()).collect::<Vec<_>>();
            if cause == Cause::Renamed {
                own.push(format!("{many} tools renamed"));
            }
            let said = sentences(shapes, &members, drifts).into_iter();
            let said = said.map(|(shape, sentence)| match common.get(&(kind, shape.clone())) {
                Some((count, all)) if count < all => format!("{sentence} ({count} of {all} {kind}s)"),
                _ => sentence,
            });
            own.into_iter().chain(said).collect()
        }
        Cause::ComesAndGoes => {
            let came = members.iter().filter(|member| drifts[**member].side.pinned.is_none()).count();
            let counts = [(came, "new"), (many - came, "no longer served")];
            let said = counts.into_iter().filter(|(count, _)| *count > 0);
            let said: Vec<_> = said.map(|(count, word)| format!("{count} {word}")).collect();
            vec![format!("Resources that come and go: {}", said.join(", "))]
        }
        Cause::Removed => vec![format!("{many} {}s no longer served", kind.word().replace('_', " "))],
        Cause::Added => vec![format!("{many} new {}s", kind.word().replace('_', " "))],
    };
    let preimage = json!({
        "projection": "pinwatch.cause.v1",
        "kind": kind.word(),
        "severity": severity.word(),
        "changes": shapes.iter().map(Shape::to_json).collect::<Vec<_>>(),
    });
    let id = match cause {
        Cause::Protocol => protocol::GROUP.to_owned(),
        _ => format!("{word}:{}", &Sha256::of(jcs(&preimage)).to_string()[..8]),
    };
    joined(id, members, causes, drifts)
}

/// What happened to the members, worst first: in the words of their changes where those all say the same.
fn sentences<'a>(shapes: &'a BTreeSet<Shape>, members: &[usize], drifts: &[Drift]) -> Vec<(&'a Shape, String)> {
    let mut told: BTreeMap<&Shape, (Severity, u8, Option<&str>)> = BTreeMap::new();
    for change in members.iter().flat_map(|member| &drifts[*member].changes) {
        let Some(shape) = Shape::of(change).and_then(|shape| shapes.get(&shape)) else { continue };
        let own = (change.severity, change.change.rank(), Some(change.headline.as_str()));
        let (severity, rank, said) = told.entry(shape).or_insert(own);
        (*severity, *rank) = (own.0.max(*severity), own.1.max(*rank));
        *said = said.filter(|said| own.2 == Some(*said));
    }
    let mut told: Vec<_> = told.into_iter().collect();
    told.sort_by_key(|(_, (severity, rank, _))| Reverse((*severity, *rank)));
    told.into_iter().map(|(shape, (_, _, said))| (shape, shape.sentence(said))).collect()
}

/// The group of these members, which are marked.
fn joined(id: String, members: Vec<usize>, causes: Vec<String>, drifts: &mut [Drift]) -> Group {
    for member in &members {
        drifts[*member].group = Some(id.clone());
    }
    let of = |member: &usize| &drifts[*member];
    let effect = members.iter().map(|member| of(member).effect).reduce(Effect::and).unwrap_or(Effect::Unknown);
    Group {
        digest: binding(&id, members.iter().map(of)),
        drift_type: members.first().map_or(DriftType::ToolChanged, |member| of(member).drift_type),
        severity: members.iter().map(|member| of(member).severity).max().unwrap_or(Severity::Info),
        effect,
        causes,
        id,
        members,
    }
}

/// The digest of what a decision on all members decides.
fn binding<'a>(id: &str, members: impl Iterator<Item = &'a Drift>) -> SurfaceDigest {
    let mut bound: Vec<_> = members
        .map(|drift| {
            let digest = |side: &Option<std::sync::Arc<crate::digest::Item>>| {
                side.as_ref().map(|item| item.digests.surface.to_string())
            };
            (drift.id.kind.word(), drift.id.key.as_ref(), digest(&drift.side.pinned), digest(&drift.side.now))
        })
        .collect();
    bound.sort();
    SurfaceDigest::of(jcs(&json!({"projection": "pinwatch.group.v1", "id": id, "members": bound})))
}
