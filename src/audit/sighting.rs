//! What looks at a server saw, against what the chain says of it already: each drift is told when it is first seen and when it
//! is over, whoever looks and how often. What came and went in between is counted, not repeated.

use super::clearance::Clearance;
use super::record::{
    ADMISSION_RECHECK, DRIFT_DETECTED, DRIFT_RESOLVED, Draft, DriftStatus, Outcome, Quarantine, RecordSeverity,
    SERVER_DISCOVERY, evidence_hash, spelled, to_the_millisecond,
};
use crate::canon::jcs;
use crate::drift::{DriftType, Severity, SplitView};
use crate::review::{DriftId, Drifting};
use crate::surface::{ItemId, Kind};
use crate::text::count;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The format of the evidence beside these records.
const FORMAT: &str = "pinwatch.sighting.v1";

/// Drifts that one record names; the digest is over all.
const NAMED: usize = 40;
/// The same of a record about several looks: of a server that does not stand still there are many.
const NAMED_OF_MANY: usize = 8;
/// Drifts that are kept between two records.
const KEPT: usize = 256;

/// What the chain says of a server. Where it is lost, what drifts is told once more.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// The drifts that were seen and are not over.
    pub drifts: BTreeSet<DriftId>,
    /// The digest of what was told of its admission.
    pub admission: Option<String>,
}

/// What was seen of a server since the chain was told last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sighting {
    /// What drifts at the last look; none where nothing is compared.
    pub drifting: Option<Drifting>,
    /// What came of holding it to a trust root; none where nothing is demanded.
    pub admission: Option<Clearance>,
    /// What differs between clients, where they were looked at as since.
    faces: Option<(Timestamp, Drifting)>,
    /// The drifts that came or went.
    passed: BTreeMap<DriftId, Passed>,
    /// Drifts that came and are not among them.
    more: usize,
    /// Looks at which something came or went.
    looks: usize,
}

/// A drift that came or went between two records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passed {
    /// When it was first seen.
    at: Timestamp,
    severity: Severity,
    drift_type: DriftType,
    came: usize,
    went: usize,
}

/// What a record says of where it comes from.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub struct About<'a> {
    pub server: &'a str,
    pub root: &'a str,
    /// Who looked.
    pub by: &'a str,
    /// The digest of the policy in force.
    pub policy: &'a str,
    pub at: Timestamp,
}

impl Sighting {
    /// Takes in one more look, and says whether it showed something else than the one before.
    pub fn look(&mut self, drifting: Option<Drifting>, admission: Option<Clearance>, at: Timestamp) -> bool {
        let before = std::mem::replace(&mut self.drifting, drifting);
        let of = |clearance: &Option<Clearance>| clearance.as_ref().map(Clearance::evidence);
        // What the chain said before the first look may be over.
        let mut is_news = of(&self.admission) != of(&admission) || before.is_none() && self.drifting.is_some();
        self.admission = admission;
        let Some(now) = &self.drifting else {
            self.looks += usize::from(is_news);
            return is_news;
        };
        let was = |id: &DriftId| before.as_ref().is_some_and(|before| before.drifts.contains_key(id));
        let new = now.drifts.iter().filter(|(id, _)| !was(id)).map(|(id, what)| (id, *what, true));
        let over = before.iter().flat_map(|before| &before.drifts).filter(|(id, _)| now.is_over(id));
        for (id, (severity, drift_type), came) in new.chain(over.map(|(id, what)| (id, *what, false))) {
            is_news = true;
            // What one look shows is in memory anyway.
            let is_kept = self.looks == 0 || self.passed.len() < KEPT || self.passed.contains_key(id);
            if !is_kept {
                self.more += usize::from(came);
                continue;
            }
            let first = Passed { at, severity, drift_type, came: 0, went: 0 };
            let passed = self.passed.entry(id.clone()).or_insert(first);
            if came && passed.came == 0 {
                passed.at = at;
            }
            passed.severity = passed.severity.max(severity);
            passed.came += usize::from(came);
            passed.went += usize::from(!came);
        }
        // What was not read stays as it was known.
        if let (Some(before), Some(now)) = (before, &mut self.drifting) {
            let unread = before.drifts.into_iter().filter(|(id, _)| !now.is_over(id) && !now.drifts.contains_key(id));
            let unread: Vec<_> = unread.collect();
            now.drifts.extend(unread);
        }
        self.looks += usize::from(is_news);
        is_news
    }

    /// Takes in what other clients were shown.
    pub fn shown_to_others(&mut self, split: &SplitView, at: Timestamp) {
        self.faces = Some((at, Drifting::of_faces(split)));
    }

    /// The worst of what came up.
    pub fn worst(&self) -> Option<Severity> {
        let faces = self.faces.iter().flat_map(|(_, faces)| faces.drifts.values());
        faces.map(|(severity, _)| *severity).max().max(self.worst_of_looks())
    }

    fn worst_of_looks(&self) -> Option<Severity> {
        self.passed.values().filter(|passed| passed.came > 0).map(|passed| passed.severity).max()
    }

    /// What is to be told, and the same as it goes on from there.
    #[must_use]
    pub fn take(&mut self) -> Self {
        let rest = Self { drifting: self.drifting.clone(), admission: self.admission.clone(), ..Self::default() };
        std::mem::replace(self, rest)
    }

    /// Takes back what could not be told, as the older part.
    pub fn take_back(&mut self, untold: Self) {
        for (id, old) in untold.passed {
            let known = self.passed.entry(id).or_insert(Passed { came: 0, went: 0, ..old });
            *known = Passed { at: old.at, came: known.came + old.came, went: known.went + old.went, ..*known };
        }
        self.faces = self.faces.take().or(untold.faces);
        self.more += untold.more;
        self.looks += untold.looks;
    }

    /// What the chain does not say yet, as records, and what it says with them.
    pub fn news(&self, told: &Told, about: &About<'_>) -> (Vec<Draft>, Told) {
        let mut after = told.clone();
        let mut drafts = Vec::new();
        if let Some(now) = &self.drifting {
            let is_new =
                |id: &DriftId, passed: &Passed| passed.came > 0 && (!told.drifts.contains(id) || passed.went > 0);
            let came = self.passed.iter().filter(|(id, passed)| is_new(id, passed));
            drafts.extend(self.compared(came.collect(), now, &mut after, about));
        }
        if let Some((at, faces)) = &self.faces {
            let first = |(id, (severity, drift_type)): (&DriftId, &(Severity, DriftType))| {
                let passed = Passed { at: *at, severity: *severity, drift_type: *drift_type, came: 1, went: 0 };
                (id.clone(), passed)
            };
            let came: Vec<_> = faces.drifts.iter().filter(|(id, _)| !told.drifts.contains(id)).map(first).collect();
            let came = came.iter().map(|(id, passed)| (id, passed)).collect();
            let alone = Self { looks: 1, ..Self::default() };
            drafts.extend(alone.compared(came, faces, &mut after, about));
        }
        if let Some(clearance) = &self.admission {
            let evidence = clearance.evidence();
            let digest = evidence_hash(&evidence).to_string();
            if told.admission.as_ref() != Some(&digest) {
                drafts.push(admission(clearance, evidence, told.admission.is_none(), about));
            }
            after.admission = Some(digest);
        }
        (drafts, after)
    }

    /// What came up, and what the chain knows of and is over.
    fn compared(
        &self,
        mut came: Vec<(&DriftId, &Passed)>,
        now: &Drifting,
        after: &mut Told,
        about: &About<'_>,
    ) -> Vec<Draft> {
        came.sort_by_key(|(_, passed)| Reverse(passed.severity));
        let known = after.drifts.clone();
        let known = known.iter().chain(came.iter().map(|(id, _)| *id));
        let over: BTreeSet<&DriftId> = known.filter(|id| now.is_over(id)).collect();
        let mut drafts = Vec::new();
        if !came.is_empty() {
            drafts.push(self.detected(&came, now, about));
        }
        if !over.is_empty() {
            drafts.push(self.resolved(&over, about));
        }
        after.drifts.retain(|id| !over.contains(id));
        after.drifts.extend(now.drifts.keys().cloned());
        drafts
    }

    fn detected(&self, came: &[(&DriftId, &Passed)], now: &Drifting, about: &About<'_>) -> Draft {
        let items = came.iter().take(self.most()).map(|(id, passed)| {
            let mut item = named(id);
            item["type"] = passed.drift_type.word().into();
            item["severity"] = passed.severity.word().into();
            let first = to_the_millisecond(passed.at);
            if first != to_the_millisecond(about.at) {
                item["at"] = first.into();
            }
            if passed.came > 1 {
                item["times"] = passed.came.into();
            }
            if now.is_over(id) {
                item["over"] = true.into();
            }
            item
        });
        let ids: Vec<_> = came.iter().map(|(id, _)| *id).collect();
        let worst = came.iter().map(|(_, passed)| passed.severity).max();
        let worst = worst.max(self.worst_of_looks()).unwrap_or(Severity::Info);
        let mut evidence = self.evidence("drift_seen", items.collect(), &ids, self.more, about);
        evidence["severity"] = worst.word().into();
        Draft {
            outcome: Outcome::Deferred,
            drift_status: DriftStatus::Observed,
            severity: worst.into(),
            quarantine: Quarantine::Hold,
            ..draft(DRIFT_DETECTED, "saw drift in", &ids, self.more, evidence, about)
        }
    }

    fn resolved(&self, over: &BTreeSet<&DriftId>, about: &About<'_>) -> Draft {
        let ids: Vec<_> = over.iter().copied().collect();
        let items = ids.iter().take(self.most()).map(|id| named(id)).collect();
        let evidence = self.evidence("drift_over", items, &ids, 0, about);
        draft(DRIFT_RESOLVED, "saw the end of drift in", &ids, 0, evidence, about)
    }

    fn most(&self) -> usize {
        if self.looks > 1 { NAMED_OF_MANY } else { NAMED }
    }

    fn evidence(&self, event: &str, items: Vec<Value>, all: &[&DriftId], more: usize, about: &About<'_>) -> Value {
        let mut sorted: Vec<_> = all.iter().map(|id| named(id)).collect();
        sorted.sort_by_cached_key(jcs);
        let mut evidence = origin(event, about);
        evidence["count"] = (all.len() + more).into();
        evidence["items"] = items.into();
        evidence["digest"] = format!("sha256:{}", evidence_hash(&sorted.into())).into();
        evidence["looks"] = self.looks.into();
        evidence
    }
}

/// What each record of these says of where it comes from.
fn origin(event: &str, about: &About<'_>) -> Value {
    json!({
        "format": FORMAT, "event": event, "at": to_the_millisecond(about.at), "server": spelled(about.server),
        "root": about.root, "by": about.by, "policy": about.policy,
    })
}

/// A drift as it is told, and as the digest over all of a record is made.
fn named(id: &DriftId) -> Value {
    // What there is one of has no key.
    let key = if id.key.is_empty() { String::new() } else { spelled(&id.key) };
    json!({"kind": id.kind, "key": key, "pinned": id.pinned, "served": id.served})
}

fn draft(
    event_type: &'static str,
    verb: &str,
    ids: &[&DriftId],
    more: usize,
    evidence: Value,
    about: &About<'_>,
) -> Draft {
    let first = ids.first();
    let many = ids.len() + more;
    let others = if many > 1 { format!(" and {}", count(many - 1, "more item")) } else { String::new() };
    let name = first.map(|id| spelled(&ItemId::new(id.kind, Arc::clone(&id.key)).text())).unwrap_or_default();
    Draft {
        at: about.at,
        principal_id: about.by.to_owned(),
        event_type,
        tool_name: first.filter(|id| many == 1 && id.kind == Kind::Tool).map(|id| id.key.to_string()),
        outcome: Outcome::Allowed,
        purpose: format!("{verb} {name}{others} of {}", spelled(about.server)),
        drift_status: DriftStatus::None,
        severity: RecordSeverity::Info,
        quarantine: Quarantine::Release,
        policy: Some(about.policy.to_owned()),
        admission: None,
        evidence: Ok(evidence),
    }
}

fn admission(clearance: &Clearance, told: Value, is_first: bool, about: &About<'_>) -> Draft {
    let mut evidence = origin("admission", about);
    evidence["admission"] = told;
    let event_type = if is_first { SERVER_DISCOVERY } else { ADMISSION_RECHECK };
    let (severity, quarantine) = match clearance.outcome() {
        Outcome::Allowed => (RecordSeverity::Info, Quarantine::Release),
        Outcome::Denied => (RecordSeverity::High, Quarantine::Quarantine),
        Outcome::Deferred | Outcome::Error => (RecordSeverity::Medium, Quarantine::Hold),
    };
    Draft {
        outcome: clearance.outcome(),
        purpose: clearance.sentence(),
        severity,
        quarantine,
        admission: Some(clearance.extension()),
        ..draft(event_type, "", &[], 0, evidence, about)
    }
}
