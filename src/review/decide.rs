//! What a decision does to a baseline. All or nothing: where one item of several is refused, nothing is decided.
//!
//! A decision binds to the digest that was on screen; it never takes what a server serves in the meantime.

use super::{Row, RowId};
use crate::canon::value_at;
use crate::digest::{Item, SurfaceDigest};
use crate::drift;
use crate::pin::{Baseline, Decision, Pin, Rejection};
use crate::surface::ItemId;
use std::sync::Arc;

/// One item that a decision is on.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    /// The row.
    pub id: RowId,
    /// What is served at the moment of deciding; none for an item that is gone.
    pub now: Option<Arc<Item>>,
    /// The pin that the row was compared with.
    pub pin: Option<Arc<Pin>>,
    /// The digest that was on screen.
    pub expect: SurfaceDigest,
}

impl Subject {
    /// The subject of a row as it is now, decided on as `expect`, the digest that was on screen.
    pub fn of(row: &Row, expect: SurfaceDigest) -> Self {
        Self { id: row.id.clone(), now: row.now.clone(), pin: row.pin.clone(), expect }
    }

    /// The digest that is decided on: of what is served, else of the pin that is gone.
    fn digest(&self) -> Option<SurfaceDigest> {
        let item = self.now.as_ref().or(self.pin.as_ref().map(|pin| &pin.item))?;
        Some(item.digests.surface)
    }

    fn is_handshake(&self) -> bool {
        self.id.item == drift::handshake_id()
    }
}

/// Why nothing was decided. Keys are text from a server: show them through the escaping seam.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The definition is another one than the one on screen.
    #[error("{} is no longer what was shown ({} now)", shown(.item), digest_or_gone(*.now))]
    Moved {
        /// Which.
        item: ItemId,
        /// What was on screen.
        expected: SurfaceDigest,
        /// What is there; none where nothing is.
        now: Option<SurfaceDigest>,
    },
    /// The baseline holds another pin than the one on screen: someone else decided.
    #[error("the baseline has another pin of {} than was shown: it was decided on elsewhere", shown(.0))]
    BaselineMoved(ItemId),
    /// Readers disagree on the definition: it is approved alone, not with others.
    #[error("{} reads differently to different readers: decide on it alone", shown(.0))]
    OneByOne(ItemId),
    /// Nothing is served that could be refused.
    #[error("{} cannot be rejected: nothing is served under that name now", shown(.0))]
    NothingToReject(ItemId),
    /// A recorded baseline is there: changes to it are approved, not recorded over.
    #[error("there is a baseline already: approve or reject what differs")]
    NotFirstContact,
}

fn shown(item: &ItemId) -> String {
    format!("{}/{}", item.kind, item.key)
}

fn digest_or_gone(digest: Option<SurfaceDigest>) -> String {
    digest.map_or_else(|| "nothing".to_owned(), |digest| digest.to_string())
}

/// The baseline after approving `subjects`. `fresh` is the empty baseline to start from where there is none.
///
/// What is served becomes the pin, in the place of the pin it was compared with; the pin of a gone item is deleted; a
/// rejection of the approved digest is dropped. Approving the handshake takes it over.
pub fn approve(
    baseline: Option<&Baseline>,
    fresh: &Baseline,
    subjects: &[Subject],
    decision: &Decision,
) -> Result<Baseline, Refusal> {
    let known = baseline.unwrap_or(fresh);
    for subject in subjects {
        check(known, subject)?;
        let ambiguous = subject.now.as_ref().is_some_and(|item| item.definition.exact().is_none());
        if ambiguous && subjects.len() > 1 {
            return Err(Refusal::OneByOne(subject.id.item.clone()));
        }
    }
    let mut decided = known.clone();
    for subject in subjects {
        if subject.is_handshake() {
            let value = subject.now.as_ref().and_then(|item| item.definition.exact());
            decided.observed_as = value.and_then(|value| serde_json::from_value(value).ok());
            continue;
        }
        let varies = subject.pin.as_ref().map(|pin| pin.varies.clone()).unwrap_or_default();
        if let Some(old) = &subject.pin {
            decided.pins.retain(|pin| !is_same(&pin.item, &old.item));
        }
        let Some(now) = &subject.now else { continue };
        decided.rejections.retain(|rejection| !is_same(&rejection.item, now));
        decided.pins.retain(|pin| !is_same(&pin.item, now));
        let exact = now.definition.exact();
        let still =
            |pointer: &crate::canon::Pointer| exact.as_ref().is_some_and(|value| value_at(value, pointer).is_some());
        let varies = varies.into_iter().filter(still).collect();
        decided.pins.push(Pin { item: stored(now), varies, decision: decision.clone() });
    }
    decided.sort();
    Ok(decided)
}

/// The baseline after rejecting `subjects`: pins stay, and the digests are remembered with their definitions.
pub fn reject(
    baseline: Option<&Baseline>,
    fresh: &Baseline,
    subjects: &[Subject],
    decision: &Decision,
) -> Result<Baseline, Refusal> {
    let known = baseline.unwrap_or(fresh);
    for subject in subjects {
        check(known, subject)?;
        if subject.now.is_none() || subject.is_handshake() {
            return Err(Refusal::NothingToReject(subject.id.item.clone()));
        }
    }
    let mut decided = known.clone();
    for now in subjects.iter().filter_map(|subject| subject.now.as_ref()) {
        decided.rejections.retain(|rejection| !is_same(&rejection.item, now));
        decided.rejections.push(Rejection { item: stored(now), decision: decision.clone() });
    }
    decided.sort();
    Ok(decided)
}

/// Refuses a subject that moved on, or that someone else decided on since it was shown.
fn check(known: &Baseline, subject: &Subject) -> Result<(), Refusal> {
    let item = subject.id.item.clone();
    let now = subject.digest();
    if now != Some(subject.expect) {
        return Err(Refusal::Moved { item, expected: subject.expect, now });
    }
    let fits = match &subject.pin {
        Some(shown) => known.pins.iter().any(|pin| pin.item.id == shown.item.id && pin == shown.as_ref()),
        // Pinned copies come first: copy N without a pin means that at most N pins were seen.
        None => subject.is_handshake() || known.pins_of(&item).count() <= subject.id.copy,
    };
    if fits { Ok(()) } else { Err(Refusal::BaselineMoved(item)) }
}

fn is_same(a: &Item, b: &Item) -> bool {
    a.id == b.id && a.digests.surface == b.digests.surface
}

/// The item as a baseline keeps it: without the message it came in.
pub(super) fn stored(item: &Arc<Item>) -> Arc<Item> {
    if item.received.is_empty() {
        return Arc::clone(item);
    }
    Arc::new(Item { received: bytes::Bytes::new(), ..item.as_ref().clone() })
}
