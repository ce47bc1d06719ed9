//! From a baseline and a surface to rows with their states.

use super::{ApprovalState, Counts, Doubt, Review, Row, RowId};
use crate::digest::{Item, Surface, SurfaceDigest};
use crate::drift::{self, Match, Others, Policy, Relation};
use crate::finding::{self, Around, Asking, Finding};
use crate::identity::ServerIdentity;
use crate::pin::{Baseline, Rejection};
use crate::surface::{ItemId, Kind, Notice, Observation, Reason, ServerId};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// Reviews a surface against a baseline. Without a baseline everything is new and nothing has drifted; one that holds
/// rejections alone is still first contact, but what it does not pin is a drift: an empty file must not read as clean.
pub fn review(server: ServerId, baseline: Option<&Baseline>, surface: &Surface, policy: &Policy) -> Review {
    review_knowing(server, baseline, surface, policy, &|_| Vec::new())
}

/// The same, with what others know to be suspicious.
pub fn review_knowing(
    server: ServerId,
    baseline: Option<&Baseline>,
    surface: &Surface,
    policy: &Policy,
    others: Others<'_>,
) -> Review {
    let empty = Baseline::empty(&server, crate::digest::DigestScope::None, None);
    let absent = baseline.is_none();
    let baseline = baseline.unwrap_or(&empty);
    let first_contact = baseline.pins.is_empty();
    let comparison = drift::compare_knowing(baseline, surface, policy, others);
    let mut drifts = comparison.drifts;
    let mut notices = comparison.notices;
    if absent {
        // Where nothing is pinned nothing drifted; who the server is counts all the same.
        let refused = drifts.iter().filter(|drift| drift.drift_type == drift::DriftType::AdmissionRefused);
        notices.extend(refused.flat_map(|drift| &drift.reasons).map(|text| Notice {
            code: "admission-refused",
            count: 1,
            text: text.clone(),
        }));
        drifts.clear();
    }
    let mut rejections: HashMap<&ItemId, Vec<&Rejection>> = HashMap::new();
    for rejection in &baseline.rejections {
        rejections.entry(&rejection.item.id).or_default().push(rejection);
    }
    let rejection = |entry: &Match| {
        let digest = entry.now.as_ref().map(|item| item.digests.surface)?;
        let mut refused = rejections.get(&entry.id)?.iter().copied();
        refused.find(|rejection| rejection.item.digests.surface == digest)
    };
    let matches = comparison.matches;
    let refused = matches.iter().filter(|entry| entry.drift.is_some() && rejection(entry).is_some());
    let decided: HashSet<usize> = refused.filter_map(|entry| entry.drift).collect();
    let groups = drift::group(&mut drifts, &matches, |index| decided.contains(&index));
    let around = Around::of(surface.items.iter().map(AsRef::as_ref));
    let asking = Asking { around: &around, settings: &policy.findings };
    let row = |entry: Match| {
        let rejected = rejection(&entry);
        let pin = entry.pin.map(|at| Arc::clone(&baseline.pins[at]));
        let state = match (entry.relation, rejected) {
            (_, Some(_)) => ApprovalState::Rejected,
            (Relation::Equal, None) => ApprovalState::Approved,
            (Relation::Changed | Relation::Renamed, None) => ApprovalState::Drifted,
            (Relation::Added, None) => ApprovalState::New,
            (Relation::Gone, None) => ApprovalState::Gone,
            (Relation::Unread, None) => ApprovalState::Unknown,
        };
        let is_new = absent && state == ApprovalState::New;
        let now = entry.now.as_deref().filter(|_| is_new);
        Row {
            findings: now.map(|item| found(item, &server, asking, (policy, others))).unwrap_or_default(),
            id: RowId { item: entry.id, copy: entry.copy },
            state,
            now: entry.now,
            pin,
            rejected: rejected.map(|rejection| Box::new(rejection.decision.clone())),
            drift: entry.drift.filter(|_| !absent),
            doubt: None,
        }
    };
    let mut rows: Vec<Row> = matches.into_iter().map(row).collect();
    rows.extend(rows_of_the_server(&drifts));
    rows.sort_by(|a, b| (a.state, &a.id).cmp(&(b.state, &b.id)));
    if first_contact {
        let doubts = doubts(&rows, &drifts, surface, policy);
        rows.iter_mut().zip(doubts).for_each(|(row, doubt)| row.doubt = doubt);
    }
    let counts = Counts::of(&rows);
    if absent {
        notices.extend(form_of(&rows, surface, policy));
    }
    let complete = Kind::ALL.into_iter().filter(|kind| surface.is_complete(*kind)).collect();
    let unchecked = comparison.unchecked;
    let identity = surface.identity.clone();
    Review { server, first_contact, rows, drifts, groups, counts, notices, complete, unchecked, identity }
}

/// What is suspicious in an item that nothing is compared with.
fn found(item: &Item, server: &str, asking: Asking<'_>, (policy, others): (&Policy, Others<'_>)) -> Vec<Finding> {
    let mut found = finding::findings(item, asking);
    found.extend(policy.admissions.finding(server, item));
    found.extend(others(item).into_iter().filter(|finding| !asking.settings.disable.contains(finding.rule.as_ref())));
    found.sort_by_key(|finding| Reverse(finding.severity));
    found
}

/// What speaks against a definition that was rejected before.
pub(super) const REJECTED: &str = "exactly this definition was rejected";

/// What speaks against pinning each row with all others, at first contact.
fn doubts(rows: &[Row], drifts: &[drift::Drift], surface: &Surface, policy: &Policy) -> Vec<Option<Box<Doubt>>> {
    let mut namesakes: HashMap<&ItemId, HashSet<SurfaceDigest>> = HashMap::new();
    for item in rows.iter().filter_map(|row| row.now.as_ref()) {
        namesakes.entry(&item.id).or_default().insert(item.digests.surface);
    }
    let why = |row: &Row| {
        let item = row.now.as_deref()?;
        let of_drift = row.drift.and_then(|at| drifts.get(at)).map(|drift| &drift.findings);
        let findings = of_drift.unwrap_or(&row.findings);
        if drift::is_of_the_server(&row.id.item) {
            Some("no item of it".to_owned())
        } else if row.state == ApprovalState::Rejected {
            Some(REJECTED.to_owned())
        } else if let Some(critical) = drift::critical(item, findings, &policy.signatures) {
            return Some(Box::new(Doubt { why: critical, is_critical: true }));
        } else if item.definition.exact().is_none() {
            let codes: Vec<_> = item.definition.codes.iter().map(|code| code.sentence()).collect();
            Some(format!("parsers disagree on it: {}", codes.join("; ")))
        } else if namesakes.get(&item.id).is_some_and(|digests| digests.len() > 1) {
            Some(drift::NAMESAKES.to_owned())
        } else if surface.is_complete(item.id.kind) {
            None
        } else {
            Some("its list is incomplete".to_owned())
        }
        .map(|why| Box::new(Doubt { why, is_critical: false }))
    };
    rows.iter().map(why).collect()
}

/// What is wrong with the form of what is served, where nothing is pinned yet and so nothing has drifted: a notice a rule.
fn form_of(rows: &[Row], surface: &Surface, policy: &Policy) -> Vec<Notice> {
    let mut told: BTreeMap<&'static str, (u64, String)> = BTreeMap::new();
    for item in rows.iter().filter_map(|row| row.now.as_ref()) {
        let found = drift::form_findings(item, surface.observed_as.as_ref(), (&policy.signatures, &policy.findings));
        let mut rules = HashSet::new();
        for finding in found {
            // The rules of form have names of their own.
            let Cow::Borrowed(rule) = finding.rule else { continue };
            if rules.insert(rule) {
                let first = || (0, format!("{}/{}: {}", item.id.kind, item.id.key, finding.text));
                told.entry(rule).or_insert_with(first).0 += 1;
            }
        }
    }
    let notice = |(code, (count, first)): (&'static str, (u64, String))| {
        let more = if count > 1 { format!(" (and {} more items)", count - 1) } else { String::new() };
        Notice { code, count, text: format!("{first}{more}") }
    };
    told.into_iter().map(notice).collect()
}

/// The review of a look that saw nothing: every pinned item is unknown, none is gone.
pub fn unread(server: ServerId, baseline: Option<&Baseline>, reason: &Reason, policy: &Policy) -> Review {
    let nothing = Observation::failed(reason, Vec::new());
    let surface = Surface {
        observed_as: None,
        items: Vec::new(),
        completeness: nothing.completeness,
        notices: nothing.notices,
        left: Vec::new(),
        presented: nothing.presented,
        identity: ServerIdentity::default(),
    };
    review(server, baseline, &surface, policy)
}

/// A row for the handshake, the anchor, the admission and two faces, each only while it has a drift.
pub(super) fn rows_of_the_server(drifts: &[drift::Drift]) -> impl Iterator<Item = Row> {
    let of_the_server = drifts.iter().enumerate().filter(|(_, drift)| drift::is_of_the_server(&drift.id));
    of_the_server.map(|(index, drift)| Row {
        id: RowId { item: drift.id.clone(), copy: 0 },
        state: ApprovalState::Drifted,
        now: drift.side.now.clone(),
        pin: None,
        rejected: None,
        drift: Some(index),
        findings: Vec::new(),
        doubt: None,
    })
}
