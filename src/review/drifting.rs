//! What drifts at one look, each drift by what it is recognised by, whoever sees it and when.

use super::{ApprovalState, Review};
use crate::digest::SurfaceDigest;
use crate::drift::{DriftType, Severity, SplitView, split_view_id};
use crate::surface::{ItemId, Kind};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// One definition in the place of another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DriftId {
    /// The item's kind.
    pub kind: Kind,
    /// Its key, as it may be told.
    pub key: Arc<str>,
    /// What the pin binds to; none for something new.
    pub pinned: Option<SurfaceDigest>,
    /// What is served; none for something gone.
    pub served: Option<SurfaceDigest>,
}

/// All that drifts at one look, and how much of the surface was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drifting {
    /// How bad each is, and what it is.
    pub drifts: BTreeMap<DriftId, (Severity, DriftType)>,
    /// Kinds that were read whole.
    complete: BTreeSet<Kind>,
    /// Items that were read of other kinds.
    read: BTreeSet<(Kind, Arc<str>)>,
}

impl Drifting {
    /// What drifts in a review; none where nothing is compared. `name` is an item's key as it may be told.
    pub fn of(review: &Review, name: &dyn Fn(&ItemId) -> Arc<str>) -> Option<Self> {
        if review.first_contact && review.drifts.is_empty() {
            return None;
        }
        let pins: HashMap<_, _> = review
            .rows
            .iter()
            .filter_map(|row| Some((row.drift?, row.pin.as_ref().map(|pin| pin.binds_to()))))
            .collect();
        let mut found = Self { complete: review.complete.clone(), ..Self::default() };
        for (at, drift) in review.drifts.iter().enumerate() {
            let side = &drift.side;
            let pinned = pins.get(&at).copied().flatten();
            let id = DriftId {
                kind: drift.id.kind,
                key: name(&drift.id),
                pinned: pinned.or_else(|| side.pinned.as_ref().map(|item| item.digests.surface)),
                served: side.now.as_ref().map(|item| item.digests.surface),
            };
            let worst = found.drifts.entry(id).or_insert((drift.severity, drift.drift_type));
            *worst = (*worst).max((drift.severity, drift.drift_type));
        }
        for row in &review.rows {
            let kind = row.id.item.kind;
            if !found.complete.contains(&kind) && row.state != ApprovalState::Unknown {
                found.read.insert((kind, name(&row.id.item)));
            }
        }
        Some(found)
    }

    /// What differs between clients, once they were looked at as: it says nothing of what any of them is shown.
    pub fn of_faces(split: &SplitView) -> Self {
        let mut found = Self::default();
        let row = split_view_id();
        if let Some(drift) = &split.drift {
            let served = drift.side.now.as_ref().map(|item| item.digests.surface);
            let id = DriftId { kind: row.kind, key: Arc::clone(&row.key), pinned: None, served };
            found.drifts.insert(id, (drift.severity, drift.drift_type));
        }
        if split.undecided.is_none() {
            found.read.insert((row.kind, row.key));
        }
        found
    }

    /// Whether a drift is seen to be no more: what was not read is not known to be over. That clients are not shown the same is
    /// over where they were looked at as, and not before.
    pub fn is_over(&self, id: &DriftId) -> bool {
        let row = split_view_id();
        let is_of_faces = (id.kind, &id.key) == (row.kind, &row.key);
        let is_read =
            self.read.contains(&(id.kind, Arc::clone(&id.key))) || self.complete.contains(&id.kind) && !is_of_faces;
        is_read && !self.drifts.contains_key(id)
    }
}
