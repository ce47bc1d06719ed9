//! The drifts of a report one after another, worst first, and the few words that every format says of one.

use super::text::approval;
use super::{Report, ServerReport, state_of};
use crate::digest::Sha256;
use crate::drift::{Drift, DriftType, Finding, Group, Severity};
use crate::review::{ApprovalState, Review};
use crate::surface::ItemId;
use crate::text::visible;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashSet};

#[derive(Clone, Copy, Debug)]
pub(super) struct Told<'a> {
    /// The server's part of the report.
    pub(super) server: &'a ServerReport,
    pub(super) review: &'a Review,
    /// The drift's place in it.
    pub(super) index: usize,
    pub(super) drift: &'a Drift,
}

/// What comes as one: a drift, or a group by its worst member.
pub(super) enum Entry<'a> {
    Drift(Told<'a>),
    Group(Told<'a>, &'a Group),
}

/// What a drift does to the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Added,
    Changed,
    Removed,
}

impl Report {
    /// Every drift of every server, worst first.
    pub(super) fn told(&self) -> Vec<Told<'_>> {
        let mut found: Vec<_> = self.servers.iter().flat_map(ServerReport::told).collect();
        found.sort_by_key(|told| Reverse(told.drift.severity));
        found
    }

    /// The same, each group once, in the place of its worst member.
    pub(super) fn entries(&self) -> Vec<Entry<'_>> {
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        for told in self.told() {
            match told.group() {
                None => found.push(Entry::Drift(told)),
                Some(group) if seen.insert((&told.server.id, &group.id)) => found.push(Entry::Group(told, group)),
                Some(_) => {}
            }
        }
        found
    }

    /// `+2 ~3 -1`: items that came, that are other ones, that went.
    pub(super) fn tally(&self) -> String {
        let told = self.told();
        let count = |sign: Sign| {
            let of_sign = told.iter().filter(|told| told.sign() == sign);
            of_sign.map(|told| (&told.server.id, &told.drift.id)).collect::<BTreeSet<_>>().len()
        };
        format!("+{} ~{} -{}", count(Sign::Added), count(Sign::Changed), count(Sign::Removed))
    }

    /// `1 critical, 3 moderate`, worst first; empty without a drift.
    pub(super) fn severities(&self) -> String {
        severity_words(&self.told().iter().map(|told| told.drift.severity).collect::<Vec<_>>())
    }
}

/// `1 critical, 3 moderate`, worst first; empty without any.
pub(super) fn severity_words(severities: &[Severity]) -> String {
    let count = |severity: Severity| severities.iter().filter(|other| **other == severity).count();
    let counted = Severity::ALL.into_iter().rev().map(|severity| (severity, count(severity)));
    let counted = counted.filter(|(_, count)| *count > 0);
    counted.map(|(severity, count)| format!("{count} {severity}")).collect::<Vec<_>>().join(", ")
}

impl ServerReport {
    /// Its drifts, worst first.
    pub(super) fn told(&self) -> Vec<Told<'_>> {
        let Some(review) = self.review.as_deref() else { return Vec::new() };
        let drifts = self.drifts().iter().enumerate();
        drifts.map(|(index, drift)| Told { server: self, review, index, drift }).collect()
    }

    /// The line of the baseline's file that names an item; 1 where it does not.
    pub(super) fn line_of(&self, item: &ItemId) -> usize {
        self.places.get(item).copied().unwrap_or(1)
    }
}

impl<'a> Told<'a> {
    fn group(&self) -> Option<&'a Group> {
        self.review.group(self.drift.group.as_deref()?)
    }

    /// What it does to the list.
    pub(super) fn sign(&self) -> Sign {
        match (&self.drift.side.pinned, &self.drift.side.now) {
            (None, Some(_)) => Sign::Added,
            (Some(_), None) => Sign::Removed,
            (Some(_), Some(_)) | (None, None) => Sign::Changed,
        }
    }

    /// The approval state that it is shown at.
    pub(super) fn state(&self) -> ApprovalState {
        state_of(self.review, self.index)
    }

    /// `tool/read_file`, not escaped.
    pub(super) fn item(&self) -> String {
        self.drift.id.text()
    }

    /// Where it is pinned: another item where it was renamed.
    pub(super) fn pinned_as(&self) -> &ItemId {
        self.drift.side.pinned.as_ref().map_or(&self.drift.id, |item| &item.id)
    }

    /// The line of the baseline's file at which it is shown.
    pub(super) fn line(&self) -> usize {
        self.server.line_of(self.pinned_as())
    }

    /// The first thing to know of it. Printable.
    pub(super) fn headline(&self) -> String {
        visible(self.drift.headline()).to_string()
    }

    /// What approves it as it is now, where a decision is asked for. Printable.
    pub(super) fn approval(&self) -> Option<String> {
        approval(self.server, self.drift, self.state())
    }

    /// What this very drift is known by from run to run: another definition, or another pin, is another drift. What is
    /// another one at each look is known by what it is pinned as.
    pub(super) fn fingerprint(&self) -> String {
        let now = self.drift.side.now.as_ref().filter(|_| self.drift.drift_type != DriftType::SurfaceUnstable);
        let digest = |item: Option<&std::sync::Arc<crate::digest::Item>>| {
            item.map(|item| item.digests.surface.to_string()).unwrap_or_default()
        };
        let (pinned, now) = (digest(self.drift.side.pinned.as_ref()), digest(now));
        self.hash(&[self.drift.drift_type.word(), &pinned, &now])
    }

    pub(super) fn fingerprint_of(&self, finding: &Finding) -> String {
        self.hash(&[&finding.rule, finding.path.as_str(), finding.bare_text()])
    }

    fn hash(&self, parts: &[&str]) -> String {
        let id = &self.drift.id;
        let all = [&["pinwatch.fingerprint.v1", &self.server.id, id.kind.word(), &id.key], parts].concat();
        // JSON tells the parts apart whatever stands in them.
        Sha256::of(serde_json::json!(all).to_string()).to_string()
    }
}
