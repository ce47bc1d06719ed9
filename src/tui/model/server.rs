//! One server as the UI keeps it: its last state, and what the person selected there.

use super::entry::EntryId;
use crate::digest::{Item, SurfaceDigest};
use crate::drift::Severity;
use crate::monitor::{Phase, ServerLook, ServerState};
use crate::pin::{DecisionState, Pin};
use crate::review::{ApprovalState, Review, Row};
use crate::store::{GuardedItem, RunningGuard};
use crate::surface::{ItemId, Kind};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A server, its selected entry, and how often its state moved.
#[derive(Clone, Debug)]
pub struct Server {
    pub look: ServerLook,
    /// Counts the states, so that what is made of one is known to be old.
    pub revision: u64,
    pub selected: Option<EntryId>,
    /// Ids of the groups whose members are listed.
    pub opened: BTreeSet<String>,
    /// Pins that this machine's own log does not know.
    pub decided_elsewhere: BTreeSet<(ItemId, SurfaceDigest)>,
    /// The guards that run before it.
    pub guards: Vec<RunningGuard>,
    /// The worst of what waits for a decision.
    pub worst: Option<Severity>,
}

/// Groups that are remembered as opened; past it those that are no more are forgotten.
const MAX_OPENED: usize = 100;

impl Server {
    /// Whether the file says that a row is approved, and this machine's own log does not.
    pub fn decided_by_file(&self, row: &Row) -> bool {
        let is_elsewhere = |pin: &Arc<Pin>| self.decided_elsewhere.contains(&(pin.item.id.clone(), pin.binds_to()));
        row.pin.as_ref().is_some_and(is_elsewhere)
    }

    /// Whether approving a row confirms what the file approves, for this machine.
    pub fn confirms(&self, row: &Row) -> bool {
        self.look.shown_state(row) == ApprovalState::Approved && self.decided_by_file(row)
    }

    /// Whether a guard waits for that: it kept the item from its client, or is closed by it.
    pub fn wants_confirming(&self, row: &Row) -> bool {
        let id = &row.id.item;
        let kept = |guard: &RunningGuard| {
            let stops = |item: &GuardedItem| item.id() == *id && item.blocked + item.hidden > 0;
            guard.items.iter().any(stops) || id.kind == Kind::Launch && guard.closed.is_some()
        };
        !self.guards.is_empty() && self.confirms(row) && self.guards.iter().any(kept)
    }

    /// How often guards refused an item that is still not approved on this machine.
    pub fn blocked(&self, id: &ItemId) -> u64 {
        if self.guards.is_empty() {
            return 0;
        }
        let rows = self.look.review.iter().flat_map(|review| &review.rows).filter(|row| row.id.item == *id);
        if rows.clone().all(|row| row.state == ApprovalState::Approved && !self.decided_by_file(row)) {
            return 0;
        }
        let items = self.guards.iter().flat_map(|guard| &guard.items).filter(|item| item.id() == *id);
        items.map(|item| item.blocked).sum()
    }

    pub fn new(look: ServerLook) -> Self {
        let (opened, decided_elsewhere, guards) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
        let mut server = Self { look, revision: 0, selected: None, opened, decided_elsewhere, guards, worst: None };
        server.weigh();
        server
    }

    pub fn take(&mut self, look: ServerLook) {
        self.look = look;
        if self.opened.len() > MAX_OPENED {
            // A server may show another group at each look, and a selected row opens its own.
            let review = self.look.review.as_deref();
            self.opened.retain(|id| review.is_some_and(|review| review.group(id).is_some()));
        }
        self.revision += 1;
        self.weigh();
    }

    /// How bad it is: told once a state, not once a frame.
    fn weigh(&mut self) {
        self.worst = self.look.review.as_deref().and_then(Review::worst);
    }

    /// Why a row cannot be decided so; none where it can.
    pub fn refusal(&self, row: &Row, verdict: DecisionState) -> Option<&'static str> {
        self.look.refusal(row, verdict, self.decided_by_file(row))
    }

    /// The row that an entry is.
    pub fn row_of(&self, entry: &EntryId) -> Option<&Row> {
        let EntryId::Row(id) = entry else { return None };
        self.look.row(id)
    }

    /// The rows that a decision on an entry is on.
    pub fn rows_of(&self, entry: &EntryId) -> Vec<&Row> {
        let Some(review) = &self.look.review else { return Vec::new() };
        match entry {
            EntryId::Row(id) => review.row(id).into_iter().collect(),
            EntryId::Group(id) => review.group(id).map(|group| review.rows_of(group).collect()).unwrap_or_default(),
        }
    }

    /// The definitions that an entry is about: what is pinned and what is served.
    pub fn sides_of(&self, entry: &EntryId) -> impl Iterator<Item = &Arc<Item>> {
        let rows = self.rows_of(entry).into_iter();
        rows.flat_map(|row| row.pin.as_ref().map(|pin| &pin.item).into_iter().chain(&row.now))
    }

    /// Lists the members of the group that the selected row is in: what a person chose is not taken from the list.
    pub fn open_selected(&mut self) {
        let row = self.selected.as_ref().and_then(|entry| self.row_of(entry));
        let group = row.and_then(|row| self.look.drift_of(row)?.group.clone());
        if group.is_some_and(|group| self.opened.insert(group)) {
            self.revision += 1;
        }
    }

    /// One word of a filter against a server: a state word, or part of its id.
    pub fn matches(&self, word: &str) -> bool {
        let counts = self.look.review.as_ref().map(|review| review.counts).unwrap_or_default();
        match word {
            "drift" => matches!(self.look.state(), ServerState::Drift(_)),
            "new" => counts.new > 0,
            "gone" => counts.gone > 0,
            "rejected" => counts.rejected > 0,
            "unwatched" => matches!(self.look.phase, Phase::Unwatched(_)),
            "unknown" | "stale" => self.look.is_stale() || counts.unknown > 0 || self.look.unchecked().is_some(),
            "ok" => self.look.state() == ServerState::Approved,
            _ => self.look.id.to_lowercase().contains(word),
        }
    }
}
