//! What happened to each item from look to look at one server: the lines of the event log that the server caused. What a
//! person decided is no transition, and what was not read in between is no reason to tell a thing twice.

use super::variants::Variants;
use super::{ApprovalState, Review, Row, RowId};
use crate::digest::{Short, SurfaceDigest};
use crate::drift::{Drift, Severity, is_of_the_server};
use std::collections::{BTreeMap, HashSet};
use strum::IntoStaticStr;

/// What a server did to an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum TransitionKind {
    /// A pinned item differs from its pin.
    Drifted,
    /// An item without a pin appeared.
    New,
    /// An item is no longer served: pinned or not.
    Gone,
    /// An item is what its pin says again.
    Returned,
    /// An item that was not approved is now another one that is not.
    Changed,
}

word!(TransitionKind);

/// One item's way from one state to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The row.
    pub id: RowId,
    /// What happened.
    pub kind: TransitionKind,
    /// Its digest before, as it is shown; none where nothing was served.
    pub from: Option<Short>,
    /// Its digest now; none where nothing is served.
    pub to: Option<Short>,
    /// How bad its drift is; none without a drift.
    pub severity: Option<Severity>,
}

/// What each item of one server was when it was last read.
#[derive(Clone, Debug, Default)]
pub struct Sightings {
    /// None before the first review.
    rows: Option<BTreeMap<RowId, Sighting>>,
    /// Of rows that changed since: what they were.
    variants: BTreeMap<RowId, Variants>,
}

/// Rows whose variants are kept; a server that changes more of them is not told apart from one that is rewritten.
const MOST_VARIANTS: usize = 1_000;
/// Bytes of the definitions that are kept of all those rows.
const MOST_BYTES: usize = 4 << 20;
/// Bytes of the keys of rows without a pin that are remembered while their list cannot be read whole.
const MOST_UNREAD: usize = 1 << 20;

#[derive(Clone, Copy, Debug)]
struct Sighting {
    state: ApprovalState,
    served: Option<SurfaceDigest>,
    /// What is served, as it is shown.
    shown: Option<Short>,
    pinned: Option<SurfaceDigest>,
}

impl Sighting {
    fn of(row: &Row) -> Self {
        Self {
            state: row.state,
            served: row.now.as_ref().map(|item| item.digests.surface),
            shown: row.now.as_ref().map(|item| item.digests.short()),
            pinned: row.pin.as_ref().map(|pin| pin.item.digests.surface),
        }
    }
}

impl Sightings {
    /// Takes in the review of a look, and says what the server did since the last one: in the order of rows, then what
    /// ended. Of the first look, what is not as approved is told, but for what was rejected before.
    ///
    /// `started` says that the server was started since. What is another one from look to look is told once: afterwards
    /// [`Sightings::unstable`] shows it.
    pub fn next(&mut self, review: &Review, started: bool) -> Vec<Transition> {
        let first = self.rows.is_none();
        let known = self.rows.take().unwrap_or_default();
        let mut found = Vec::new();
        let mut room = MOST_BYTES.saturating_sub(self.variants.values().map(Variants::bytes).sum());
        for row in &review.rows {
            let (old, now) = (known.get(&row.id), Sighting::of(row));
            let known_unstable = self.variants.get(&row.id).is_some_and(Variants::is_unstable);
            if old.is_some_and(|old| old.served != now.served)
                && let Some(item) = &row.now
            {
                let severity = review.drift_of(row).map(|drift| drift.severity);
                let mut variants = self.variants.remove(&row.id).unwrap_or_default();
                room += variants.bytes();
                variants.saw(item, row.pin.as_deref(), severity, started);
                if self.variants.len() < MOST_VARIANTS && variants.bytes() <= room {
                    room -= variants.bytes();
                    self.variants.insert(row.id.clone(), variants);
                }
            }
            if let Some(kind) = kind(old, now, first).filter(|_| !known_unstable) {
                let severity = review.drift_of(row).map(|drift| drift.severity);
                let pinned = || row.pin.as_ref().map(|pin| pin.item.digests.short());
                let from = old.and_then(|old| old.shown).or_else(pinned);
                found.push(Transition { id: row.id.clone(), kind, from, to: now.shown, severity });
            }
        }
        found.extend(ended(&known, review));
        self.take_in(known, review);
        found
    }

    /// The items of a review that are other ones from look to look, each with its one drift.
    pub fn unstable(&self, review: &Review) -> Vec<(RowId, Drift)> {
        let rows = review.rows.iter().filter_map(|row| Some((row, self.variants.get(&row.id)?)));
        rows.filter_map(|(row, variants)| {
            // Where the pin lets the values vary, nothing is left to tell.
            let covered =
                row.state == ApprovalState::Approved && row.pin.as_ref().is_some_and(|pin| !pin.varies.is_empty());
            let drift = if covered { None } else { variants.drift(row, review.drift_of(row)) };
            Some((row.id.clone(), drift?))
        })
        .collect()
    }

    /// Takes in a review that a decision made different, without a word: the decision is told where it is taken.
    pub fn decided(&mut self, review: &Review) {
        let known = self.rows.take().unwrap_or_default();
        self.take_in(known, review);
    }

    /// Keeps what is read now, and what was read before where it is not read now.
    fn take_in(&mut self, known: BTreeMap<RowId, Sighting>, review: &Review) {
        let unknown: HashSet<&RowId> =
            review.rows.iter().filter(|row| row.state == ApprovalState::Unknown).map(|row| &row.id).collect();
        let read = review.rows.iter().filter(|row| row.state != ApprovalState::Unknown);
        let mut rows: BTreeMap<RowId, Sighting> = read.map(|row| (row.id.clone(), Sighting::of(row))).collect();
        let (pinned, unpinned): (Vec<_>, Vec<_>) = known
            .into_iter()
            .filter(|(id, _)| !rows.contains_key(id))
            .filter(|(id, _)| unknown.contains(id) || !review.complete.contains(&id.item.kind))
            .partition(|(id, _)| unknown.contains(id));
        rows.extend(pinned);
        // A list that never comes whole may begin with other names each time. What is forgotten is told once more when it is
        // read again.
        let size = |(id, _): &(RowId, Sighting)| size_of::<(RowId, Sighting)>() + id.item.key.len();
        if unpinned.iter().map(size).sum::<usize>() <= MOST_UNREAD {
            rows.extend(unpinned);
        }
        self.variants.retain(|id, _| rows.contains_key(id));
        self.rows = Some(rows);
    }
}

/// Rows that are no more, though their list was read: something without a pin is no longer served. A row also ends where
/// a rename or a decision took its pin along.
fn ended(known: &BTreeMap<RowId, Sighting>, review: &Review) -> Vec<Transition> {
    let rows: HashSet<&RowId> = review.rows.iter().map(|row| &row.id).collect();
    let pins: HashSet<SurfaceDigest> = review.rows.iter().filter_map(|row| Sighting::of(row).pinned).collect();
    let ended = known
        .iter()
        .filter(|(id, _)| review.complete.contains(&id.item.kind) && !rows.contains(id) && !is_of_the_server(&id.item));
    ended
        .filter_map(|(id, old)| {
            old.served.filter(|digest| old.pinned.is_none() && !pins.contains(digest))?;
            let kind = TransitionKind::Gone;
            Some(Transition { id: id.clone(), kind, from: old.shown, to: None, severity: None })
        })
        .collect()
}

fn kind(old: Option<&Sighting>, now: Sighting, first: bool) -> Option<TransitionKind> {
    use ApprovalState::{Approved, Drifted, Gone, New, Rejected, Unknown};
    if old.is_some_and(|old| old.served == now.served) {
        // A person decided; the server did nothing.
        return None;
    }
    let repinned = old.is_some_and(|old| old.pinned != now.pinned);
    match (old.map(|old| old.state), now.state) {
        (_, Unknown) | (None | Some(Approved), Approved) => None,
        (None, Rejected) if first => None,
        (Some(Drifted), Drifted) | (Some(New), New) => Some(TransitionKind::Changed),
        (_, Drifted | Rejected) => Some(TransitionKind::Drifted),
        (_, New) => Some(TransitionKind::New),
        (_, Gone) => Some(TransitionKind::Gone),
        (Some(_), Approved) => (!repinned).then_some(TransitionKind::Returned),
    }
}
