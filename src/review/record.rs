//! First contact: one explicit act that pins what was read whole, and lists apart what it may not pin unasked.

use super::decide::Refusal;
use super::rows::REJECTED;
use super::{Review, Row};
use crate::digest::{DigestScope, Surface, SurfaceDigest};
use crate::drift;
use crate::pin::{Anchor, Baseline, Decision, Pin};
use crate::surface::{Completeness, ItemId, Kind, Reason};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A baseline of first contact, and what is not in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// The baseline to write.
    pub baseline: Baseline,
    /// Items that stay new until they are named.
    pub apart: Vec<Apart>,
    /// Kinds that were not read whole: nothing of them is pinned.
    pub unread: Vec<(Kind, Reason)>,
}

/// An item that a record does not pin unasked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Apart {
    /// Which.
    pub id: ItemId,
    /// The digest to name it by.
    pub digest: SurfaceDigest,
    /// Why, as a sentence.
    pub reason: String,
}

/// Records the baseline of first contact, by the review of that very surface. `named` are the items that are pinned although
/// they would be listed apart, by id and digest. Rejections of `baseline` are kept; with a pin in it this is no first contact.
pub fn record(
    baseline: Option<&Baseline>,
    (surface, review): (&Surface, &Review),
    scope: &DigestScope,
    named: &[(ItemId, SurfaceDigest)],
    decision: &Decision,
) -> Result<Recorded, Refusal> {
    let mut recorded = match baseline {
        Some(known) if !known.pins.is_empty() => return Err(Refusal::NotFirstContact),
        Some(known) => Baseline { observed_as: surface.observed_as.clone(), unwatched: None, ..known.clone() },
        None => Baseline::empty(&review.server, scope.clone(), surface.observed_as.clone()),
    };
    recorded.anchor = drift::anchor_now(&Anchor::default(), &surface.identity);
    for (item, digest) in named {
        let mut served = surface.items.iter().filter(|other| other.id == *item).map(|other| other.digests.surface);
        let now = served.clone().min();
        if !served.any(|other| other == *digest) {
            return Err(Refusal::Moved { item: item.clone(), expected: *digest, now });
        }
    }
    let named: HashSet<(&ItemId, SurfaceDigest)> = named.iter().map(|(item, digest)| (item, *digest)).collect();
    let rows = review.rows.iter().filter_map(|row| Some((row.now.as_ref()?.version(), row)));
    let rows: HashMap<(&ItemId, SurfaceDigest), &Row> = rows.collect();
    let mut apart = Vec::new();
    let mut seen = HashSet::new();
    let shared = Arc::new(decision.clone());
    for item in surface.items.iter().filter(|item| surface.is_complete(item.id.kind)) {
        let (id, digest) = item.version();
        if !seen.insert((id, digest)) {
            continue;
        }
        let why = match rows.get(&(id, digest)) {
            None => Some("not searched for findings"),
            Some(row) => row.doubt.as_ref().map(|doubt| doubt.why.as_str()),
        };
        // The file may say more than it did when the review was made.
        let refused = recorded.rejection_of(id, &digest).map(|_| REJECTED);
        if let Some(why) = refused.or(why).filter(|_| !named.contains(&(id, digest))) {
            apart.push(Apart { id: id.clone(), digest, reason: why.to_owned() });
            continue;
        }
        recorded.rejections.retain(|refused| refused.item.id != item.id || refused.item.digests.surface != digest);
        let pin = Pin { item: Arc::clone(item), varies: Vec::new(), decision: Arc::clone(&shared) };
        recorded.pins.push(Arc::new(pin));
    }
    recorded.sort();
    let words = &recorded.command_words() | &recorded.pinned_command_words();
    recorded.record_command_words(words);
    let unread = surface.completeness.iter().filter_map(|(kind, state)| match state {
        Completeness::Partial(reason) | Completeness::Failed(reason) => Some((*kind, reason.clone())),
        Completeness::Complete | Completeness::Ignored => None,
    });
    Ok(Recorded { baseline: recorded, apart, unread: unread.collect() })
}
