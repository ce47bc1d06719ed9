//! The decision log read back: what was decided here, and how far each change came.

use super::line::{Event, Line, Phase, Record, parse};
use crate::digest::SurfaceDigest;
use crate::pin::{Baseline, DecisionState};
use crate::surface::ItemId;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// The log read back.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// In the order written; phases are those of the marks that followed.
    pub records: Vec<Record>,
    /// Lines that could not be read: torn, damaged, or of a newer format.
    pub unreadable: usize,
    /// The oldest lines were left out.
    pub cut: bool,
    /// Records by root and server.
    places: HashMap<(Arc<str>, Arc<str>), Vec<usize>>,
    /// Records of changes that no mark followed yet.
    open: BTreeMap<Arc<str>, Vec<usize>>,
}

impl History {
    pub(super) fn add(&mut self, line: &[u8]) {
        match parse(line) {
            _ if line.is_empty() => {}
            Some(Line::Record(mut record)) => {
                if let Some(last) = self.records.last() {
                    record.share_with(last);
                }
                let place = (record.root.clone(), record.server.clone());
                self.places.entry(place).or_default().push(self.records.len());
                if record.phase == Phase::Intent {
                    self.open.entry(record.change.clone()).or_default().push(self.records.len());
                }
                self.records.push(*record);
            }
            Some(Line::Mark(mark)) => {
                for at in self.open.remove(mark.change.as_str()).unwrap_or_default() {
                    self.records[at].phase = mark.phase;
                }
            }
            Some(Line::Continued) => {}
            None => self.unreadable += 1,
        }
    }

    /// The records of one server under one root, in the order written; with those of the ids that it had before.
    pub fn of(&self, root: &str, server: &str) -> impl DoubleEndedIterator<Item = &Record> + use<'_> {
        let mut found = BTreeSet::new();
        self.collect(root, server, self.records.len(), &mut found);
        found.into_iter().map(|at| &self.records[at])
    }

    /// The records before `end`; what an id stands for after it was renamed is another server's.
    fn collect(&self, root: &str, server: &str, end: usize, found: &mut BTreeSet<usize>) {
        let place = (root.into(), server.into());
        let own = self.places.get(&place).map(Vec::as_slice).unwrap_or_default();
        for at in own.iter().copied().take_while(|at| *at < end) {
            let Record { entry, phase, .. } = &self.records[at];
            // Each step goes back, so that it ends; what is known already needs no second look.
            if found.insert(at) && entry.event == Event::Rename && *phase != Phase::Void {
                self.collect(root, &entry.note, at, found);
            }
        }
    }

    /// The changes under one root that no mark followed, each with its records, the oldest first.
    pub fn unsettled(&self, root: &str) -> Vec<Vec<Record>> {
        let mut changes: Vec<&Vec<usize>> = self.open.values().collect();
        changes.sort();
        let records = |change: &Vec<usize>| change.iter().map(|at| self.records[*at].clone()).collect::<Vec<_>>();
        changes.into_iter().map(records).filter(|change| change.iter().all(|record| *record.root == *root)).collect()
    }

    /// Pins of a baseline whose decision is in this log: kind, key and the digest that the approval binds to. Any other pin
    /// reads `approved by WHO (in the file)`. An interrupted approval counts where the baseline shows that it came through; one
    /// that was undone counts no more.
    pub fn decided_here(&self, root: &str, baseline: &Baseline) -> BTreeSet<(ItemId, SurfaceDigest)> {
        // Of each definition, who approved it and when.
        let mut approved: HashMap<_, BTreeSet<_>> = HashMap::new();
        // The same of those in whose place another was approved: a file that goes back to one was not decided on here.
        let mut replaced: HashMap<_, BTreeSet<_>> = HashMap::new();
        // Definitions of pins whose decision was made elsewhere, until something else is decided on them.
        let mut confirmed = BTreeSet::new();
        for Record { entry, phase, .. } in self.of(root, &baseline.server) {
            let (Some(item), false) = (&entry.item, *phase == Phase::Void) else { continue };
            for digest in [entry.from, entry.to].into_iter().flatten() {
                match entry.event {
                    Event::Confirm => confirmed.insert((item, digest)),
                    _ => confirmed.remove(&(item, digest)),
                };
            }
            let was = entry.from.filter(|from| entry.to != Some(*from)).map(|from| (item, from));
            // One that was to be made and is not known to have been replaces nothing yet.
            if let Some(was) = was.filter(|_| entry.event == Event::Approve && *phase == Phase::Applied) {
                replaced.extend(approved.remove(&was).map(|known| (was, known)));
            }
            match (entry.event, entry.to) {
                (Event::Approve | Event::Record, Some(to)) => {
                    approved.entry((item, to)).or_default().insert((entry.by.as_ref(), crate::store::utc(entry.at)));
                }
                (Event::Undo, to) => {
                    approved.extend(to.and_then(|to| replaced.remove_entry(&(item, to))));
                    was.map(|was| approved.remove(&was));
                }
                _ => {}
            }
        }
        let decided = |pin: &&crate::pin::Pin| {
            let decision = &pin.decision;
            let known = approved.get(&(&pin.item.id, pin.binds_to()));
            known.is_some_and(|known| known.contains(&(decision.by.as_str(), decision.at.clone())))
                || confirmed.contains(&(&pin.item.id, pin.binds_to()))
        };
        baseline
            .pins
            .iter()
            .map(std::sync::Arc::as_ref)
            .filter(decided)
            .map(|pin| (pin.item.id.clone(), pin.binds_to()))
            .collect()
    }
}

impl Record {
    /// Takes the texts of another record where they are equal: lines of one change are, and there are many.
    fn share_with(&mut self, other: &Self) {
        let share = |own: &mut Arc<str>, others: &Arc<str>| {
            if own == others {
                own.clone_from(others);
            }
        };
        share(&mut self.server, &other.server);
        share(&mut self.root, &other.root);
        share(&mut self.change, &other.change);
        share(&mut self.entry.by, &other.entry.by);
        share(&mut self.entry.note, &other.entry.note);
        for (own, others) in [(&mut self.result, &other.result), (&mut self.entry.policy, &other.entry.policy)] {
            if let (Some(own), Some(others)) = (own, others) {
                share(own, others);
            }
        }
    }

    /// Whether a baseline shows this decision: what it decided on stands there with its time, or what it dropped does not.
    pub(in crate::store) fn shows_in(&self, baseline: &Baseline) -> bool {
        let entry = &self.entry;
        if entry.event == Event::Rename {
            return !baseline.pins.is_empty() || !baseline.rejections.is_empty();
        }
        let at = crate::store::utc(entry.at);
        if entry.event == Event::Unwatch {
            return baseline.unwatched.as_ref().is_some_and(|accepted| accepted.decision.at == at);
        }
        let Some(item) = &entry.item else { return false };
        let pinned = |digest| baseline.pins_of(item).find(|pin| pin.binds_to() == digest);
        let rejected = |digest| baseline.rejection_of(item, &digest);
        match (entry.event.state(), entry.to) {
            (Some(DecisionState::Rejected), Some(to)) => rejected(to).is_some_and(|entry| entry.decision.at == at),
            (_, Some(to)) => pinned(to)
                .is_some_and(|pin| matches!(entry.event, Event::Undo | Event::Confirm) || pin.decision.at == at),
            (_, None) => entry.from.is_none_or(|from| pinned(from).is_none() && rejected(from).is_none()),
        }
    }
}
