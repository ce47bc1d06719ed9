//! What a look tells the audit chain, and how often a watched server is told of: at once while it stands still, ever less often
//! while it does not.

use crate::audit::{Clearance, Sighting};
use crate::decisions::mask_identity;
use crate::digest::Surface;
use crate::drift::{Policy, Severity};
use crate::review::{Drifting, Review};
use crate::store::StoreError;
use crate::store::redact::Redactor;
use crate::surface::ItemId;
use crate::text::shortened;
use jiff::Timestamp;
use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;

/// Characters of an item's key that are kept: which definition it was is said by its digests.
const MOST: usize = 300;

/// Takes in a look at a server: `surface` is what was read of it, `review` that against its baseline. Says whether it showed
/// something else than the look before.
pub fn sighted(
    sighting: &mut Sighting,
    (server, surface, review): (&str, &Surface, Option<&Review>),
    policy: &Policy,
    redactor: &Redactor,
    at: Timestamp,
) -> bool {
    let name = |item: &ItemId| match redactor.mask(&item.key) {
        Cow::Borrowed(key) if key.len() <= MOST => Arc::clone(&item.key),
        masked => shortened(&masked, MOST).into(),
    };
    let drifting = review.and_then(|review| Drifting::of(review, &name));
    let identity = mask_identity(&surface.identity, redactor);
    sighting.look(drifting, Clearance::of(server, &identity, &policy.admissions), at)
}

/// Between two records of a server that does not stand still: first, and at most.
const FIRST: Duration = Duration::from_mins(1);
const LONGEST: Duration = Duration::from_hours(1);
const GROWTH: u32 = 4;

/// What could not be told, and why.
pub(super) type Untold = (Sighting, StoreError);

/// What the chain was told of a watched server, and what it will be.
#[derive(Debug, Default)]
pub(super) struct Chain {
    pub(super) seen: Sighting,
    /// Something of it is not told yet.
    pub(super) is_news: bool,
    pub(super) pace: Pace,
    /// The last of it being written.
    pub(super) telling: Option<JoinHandle<Option<Untold>>>,
}

/// When a server may be told of again.
#[derive(Clone, Debug, Default)]
pub(super) struct Pace {
    next: Option<Instant>,
    wait: Duration,
    /// The worst that was told since it last stood still.
    worst: Option<Severity>,
}

impl Pace {
    /// Whether what is not told yet is told now. What is worse than all before does not wait.
    pub(super) fn is_due(&mut self, worst: Option<Severity>, now: Instant) -> bool {
        let stood_still = self.next.is_none_or(|next| now >= next + self.wait);
        if stood_still {
            *self = Self::default();
        }
        let is_due = self.next.is_none_or(|next| now >= next) || worst > self.worst;
        if is_due {
            self.wait = if stood_still { FIRST } else { (self.wait * GROWTH).min(LONGEST) };
            self.next = Some(now + self.wait);
            self.worst = self.worst.max(worst);
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn server_that_never_stands_still_is_told_rarely() {
        let (mut pace, start) = (Pace::default(), Instant::now());
        let minutes = |minutes: u64| start + Duration::from_mins(minutes);
        let due = |pace: &mut Pace, minute| pace.is_due(Some(Severity::Moderate), minutes(minute));
        let told: Vec<_> = (0..24 * 60).filter(|minute| due(&mut pace, *minute)).collect();
        assert_eq!(told[..6], [0, 1, 5, 21, 81, 141]);
        assert_eq!(told.len(), 27);
        // The first that is worse is told at once, the next one waits.
        let worse = |pace: &mut Pace, minute| pace.is_due(Some(Severity::Critical), minutes(minute));
        assert!(!due(&mut pace, 24 * 60) && worse(&mut pace, 24 * 60) && !worse(&mut pace, 24 * 60 + 1));
        // Once it stood still for as long again, it is as if it had never moved.
        assert!(due(&mut pace, 27 * 60) && !due(&mut pace, 27 * 60) && due(&mut pace, 27 * 60 + 1));
    }
}
