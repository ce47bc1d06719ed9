//! What happened to each item between two reviews of one server: the lines of the event log that a server caused.
//! What a person decided is no transition.

use super::{ApprovalState, Review, Row, RowId};
use crate::digest::SurfaceDigest;
use crate::drift::{Severity, handshake_id};
use std::collections::{HashMap, HashSet};

/// What a server did to an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

/// One item's way from one state to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The row.
    pub id: RowId,
    /// What happened.
    pub kind: TransitionKind,
    /// The digest before; none where nothing was served.
    pub from: Option<SurfaceDigest>,
    /// The digest now; none where nothing is served.
    pub to: Option<SurfaceDigest>,
    /// How bad its drift is; none without a drift.
    pub severity: Option<Severity>,
}

/// What happened between two reviews, in the order of rows. `before` is the last review of a look that read something:
/// a failed look in between is no reason to tell a drift twice. Without one, what is not as approved is told once.
pub fn transitions(before: Option<&Review>, after: &Review) -> Vec<Transition> {
    let known: HashMap<&RowId, &Row> =
        before.into_iter().flat_map(|before| &before.rows).map(|row| (&row.id, row)).collect();
    let mut found: Vec<_> = after
        .rows
        .iter()
        .filter_map(|row| {
            let old = known.get(&row.id).copied();
            let kind = kind(old, row, before.is_none())?;
            let severity = after.drift_of(row).map(|drift| drift.severity);
            Some(Transition { id: row.id.clone(), kind, from: from(old, row), to: served(row), severity })
        })
        .collect();
    let rows: HashSet<&RowId> = after.rows.iter().map(|row| &row.id).collect();
    let pins: HashSet<_> = after.rows.iter().filter_map(pinned).collect();
    for row in before.into_iter().flat_map(|before| &before.rows).filter(|row| !rows.contains(&row.id)) {
        // A row ends without a word where a rename or a decision took its pin along, or where its list was not read.
        let read = after.complete.contains(&row.id.item.kind);
        let unpinned = row.pin.is_none() && row.id.item != handshake_id();
        if let Some(digest) = served(row).filter(|digest| read && unpinned && !pins.contains(digest)) {
            let (id, from) = (row.id.clone(), Some(digest));
            found.push(Transition { id, kind: TransitionKind::Gone, from, to: None, severity: None });
        }
    }
    found
}

fn served(row: &Row) -> Option<SurfaceDigest> {
    row.now.as_ref().map(|item| item.digests.surface)
}

fn pinned(row: &Row) -> Option<SurfaceDigest> {
    row.pin.as_ref().map(|pin| pin.item.digests.surface)
}

/// The digest that a transition starts from: what was served, else the pin.
fn from(old: Option<&Row>, row: &Row) -> Option<SurfaceDigest> {
    old.and_then(served).or_else(|| pinned(row))
}

fn kind(old: Option<&Row>, row: &Row, first: bool) -> Option<TransitionKind> {
    use ApprovalState::{Approved, Drifted, Gone, New, Rejected, Unknown};
    // What was not read says nothing of what was there.
    let old = old.filter(|old| old.state != Unknown);
    if old.is_some_and(|old| served(old) == served(row)) {
        // A person decided; the server did nothing.
        return None;
    }
    let repinned = old.is_some_and(|old| pinned(old) != pinned(row));
    match (old.map(|old| old.state), row.state) {
        (_, Unknown) | (None | Some(Approved), Approved) => None,
        (None, Rejected) if first => None,
        (Some(Drifted), Drifted) | (Some(New), New) => Some(TransitionKind::Changed),
        (_, Drifted | Rejected) => Some(TransitionKind::Drifted),
        (_, New) => Some(TransitionKind::New),
        (_, Gone) => Some(TransitionKind::Gone),
        (Some(_), Approved) => (!repinned).then_some(TransitionKind::Returned),
    }
}
