//! Where decisions are carried out: what `review` makes of a baseline goes to the store, with a line in the log for each.
//!
//! Every call blocks on the disk. The screen and the command line decide through here, and in no other way.

use super::BaselineState;
use super::mask::mask_refusal;
use crate::audit::{About, Sighting};
use crate::canon::Pointer;
use crate::config::ServerConfig;
use crate::digest::{DigestScope, Item, Surface, SurfaceDigest};
use crate::drift::{self, Policy};
use crate::oauth::SignedIn;
use crate::pin::{Anchor, Baseline, Decision, DecisionState, Pin};
use crate::review::{self, Apart, Recorded, Refusal, Review, Subject};
use crate::store::{Event, LogEntry, Snapshot, Store, StoreError, utc};
use crate::surface::{ItemId, Kind, Reason};
use jiff::Timestamp;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

/// Carries out decisions of one person under one policy.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Desk {
    pub store: Store,
    /// Who decides.
    pub by: String,
    /// Digest of the policy in force, `sha256:` and hex.
    pub policy_digest: Arc<str>,
    pub rules: Policy,
}

/// Why nothing was decided.
#[derive(Debug, thiserror::Error)]
pub enum Undecided {
    /// What was to be decided on has moved on.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The disk.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What would be recorded is not what was on the screen.
    #[error("the server changed since it was shown: nothing was recorded")]
    NotWhatWasShown,
}

/// A decision that was carried out: the baseline on both sides of it, so that it can be taken back.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Carried {
    pub before: Arc<Baseline>,
    pub after: Arc<Baseline>,
    /// Pins of the baseline that were confirmed on this machine: they stay as they are.
    pub confirmed: Vec<(ItemId, SurfaceDigest)>,
}

/// What a decision is made on: the handshake of the surface and the scope are those a first pin fixes.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Basis<'a> {
    pub server: &'a str,
    pub surface: &'a Surface,
    /// The scope of the definition digest, where no baseline fixed it.
    pub scope: &'a DigestScope,
}

/// A baseline that was recorded, and what is not in it.
#[derive(Debug)]
pub struct Kept {
    /// The baseline.
    pub baseline: Arc<Baseline>,
    /// What stays new until it is named.
    pub apart: Vec<Apart>,
    /// Kinds that were not read whole.
    pub unread: Vec<(Kind, Reason)>,
}

impl Desk {
    /// What stands in a server's baseline file now.
    pub fn baseline(&self, server: &str) -> BaselineState {
        match self.store.load(server) {
            Ok(Some(baseline)) => BaselineState::Present(Arc::new(baseline)),
            Ok(None) => BaselineState::Absent,
            Err(error) => BaselineState::Refused(error.to_string()),
        }
    }

    /// Keeps which files name a server that was just decided on. Where that fails, at worst a missing entry of it is not
    /// noticed later.
    pub fn remember_origins(&self, server: &ServerConfig) {
        let files: Vec<_> = server.origins().filter_map(|origin| origin.file.as_deref()).collect();
        let _ = self.store.remember_origins(&server.id, &files);
    }

    /// Approves or rejects, all or nothing. A pin that was approved elsewhere and is approved as it is is confirmed: the log of
    /// this machine says so, and the baseline stays as it is.
    pub fn decide(
        &self,
        seen: &Basis<'_>,
        verdict: DecisionState,
        subjects: &[Subject],
        note: &str,
        at: Timestamp,
    ) -> Result<Carried, Undecided> {
        let event = match verdict {
            DecisionState::Approved => Event::Approve,
            DecisionState::Rejected => Event::Reject,
        };
        let decision = self.decision(verdict, note, at);
        let anchor = drift::anchor_now(&Anchor::default(), &seen.surface.identity);
        let fresh = Baseline::empty(seen.server, seen.scope.clone(), seen.surface.observed_as.clone());
        let fresh = Baseline { anchor, ..fresh };
        let mut before = fresh.clone();
        let mut subjects = subjects.to_vec();
        let decided = self.store.change(seen.server, |known| {
            let decided = match verdict {
                DecisionState::Approved => {
                    self.find_confirmed(known.as_ref().unwrap_or(&fresh), &mut subjects);
                    review::approve(known.as_ref(), &fresh, &seen.surface.items, &subjects, &decision)
                }
                DecisionState::Rejected => review::reject(known.as_ref(), &fresh, &subjects, &decision),
            };
            before = known.unwrap_or(before.clone());
            let decided = decided.map_err(|refusal| mask_refusal(refusal, self.store.redactor()))?;
            let intents = subjects.iter().map(|subject| {
                let event = if subject.confirms.is_some() { Event::Confirm } else { event };
                self.intent(event, subject, &decided, note, at)
            });
            let intents = intents.collect();
            Ok::<_, Undecided>((decided, intents))
        })?;
        let confirmed = subjects.iter().filter_map(|subject| subject.confirms.as_ref());
        let confirmed = confirmed.map(|pin| (pin.item.id.clone(), pin.binds_to())).collect();
        Ok(Carried { before: Arc::new(before), after: Arc::new(decided), confirmed })
    }

    /// Finds the pins that are approved as they are, and that this machine's log does not know.
    fn find_confirmed(&self, baseline: &Baseline, subjects: &mut [Subject]) {
        // Where the log cannot be read nothing can be decided either.
        let Ok(here) = self.store.decided_here(baseline) else { return };
        let is_from_elsewhere = |pin: &&Arc<Pin>| !here.contains(&(pin.item.id.clone(), pin.binds_to()));
        for subject in subjects.iter_mut().filter(|subject| subject.varies.is_empty()) {
            let Some(now) = &subject.now else { continue };
            let pin = baseline.pins.iter().find(|pin| pin.item.version() == now.version());
            subject.confirms = pin.filter(is_from_elsewhere).cloned();
        }
    }

    /// Accepts that a server with a baseline is not watched, for the reason of this code. The pins stay.
    pub fn accept_unwatched(
        &self,
        server: &str,
        reason: &str,
        note: &str,
        at: Timestamp,
    ) -> Result<Carried, Undecided> {
        let decision = self.decision(DecisionState::Approved, note, at);
        let mut before = None;
        let decided = self.store.change(server, |known| {
            let decided = review::accept_unwatched(known.as_ref(), reason, &decision)?;
            before = known;
            Ok::<_, Undecided>((decided, vec![self.entry(Event::Unwatch, format!("{reason}: {note}"), at)]))
        })?;
        let after = Arc::new(decided);
        let confirmed = Vec::new();
        Ok(Carried { before: before.map_or_else(|| Arc::clone(&after), Arc::new), after, confirmed })
    }

    /// Takes a decision back, with a line in the log for each item that stands as before again. Where one of them was
    /// decided on again since, nothing is taken back.
    pub fn undo(&self, carried: &Carried, served: &[Arc<Item>], at: Timestamp) -> Result<Arc<Baseline>, Undecided> {
        let (before, after) = (&carried.before, &carried.after);
        // What comes to stand again was written before, by whoever was asked then.
        let undone = self.store.allowing_secrets().change(&after.server, |known| {
            let current =
                known.unwrap_or_else(|| Baseline { pins: Vec::new(), rejections: Vec::new(), ..(**before).clone() });
            let undone = review::undo(&current, before, after, served);
            let undone = undone.map_err(|refusal| mask_refusal(refusal, self.store.redactor()))?;
            let confirmed = carried.confirmed.iter().map(|(item, digest)| (item.clone(), Some(*digest), None));
            let differing = review::differing(&current, &undone).into_iter().chain(confirmed);
            let entry = self.entry(Event::Undo, "", at);
            let intents = differing.map(|(item, from, to)| LogEntry { item: Some(item), from, to, ..entry.clone() });
            let mut intents: Vec<_> = intents.collect();
            if intents.is_empty() {
                intents.push(entry);
            }
            Ok::<_, Undecided>((undone, intents))
        })?;
        Ok(Arc::new(undone))
    }

    /// Makes a surface the baseline: first contact. By its review some items are listed apart; `named` are pinned all the
    /// same. `shown` is what the person saw, where it was shown: nothing else is recorded then.
    pub fn record(
        &self,
        seen: &Basis<'_>,
        review: &Review,
        named: &[(ItemId, SurfaceDigest)],
        shown: Option<&BTreeSet<(ItemId, SurfaceDigest)>>,
        at: Timestamp,
    ) -> Result<Kept, Undecided> {
        let decision = self.decision(DecisionState::Approved, "first record", at);
        let (surface, held) = self.without_secrets(seen.surface, named);
        let record = |known: Option<&Baseline>| -> Result<Recorded, Undecided> {
            let mut recorded = review::record(known, (&surface, review), seen.scope, named, &decision)?;
            recorded.apart.extend(held.iter().cloned());
            let pins = || recorded.baseline.pins.iter().map(|pin| (pin.item.id.clone(), pin.item.digests.surface));
            match shown {
                Some(shown) if pins().collect::<BTreeSet<_>>() != *shown => Err(Undecided::NotWhatWasShown),
                _ => Ok(recorded),
            }
        };
        let mut beside = (Vec::new(), Vec::new());
        // What holds a secret and is still in the surface was named.
        let kept = self.store.allowing_secrets().change(seen.server, |known| {
            let Recorded { baseline, apart, unread } = record(known.as_ref())?;
            let intents = baseline.pins.iter().map(|pin| LogEntry {
                item: Some(pin.item.id.clone()),
                to: Some(pin.binds_to()),
                ..self.entry(Event::Record, decision.note.as_str(), at)
            });
            let intents = intents.collect();
            beside = (apart, unread);
            Ok::<_, Undecided>((baseline, intents))
        })?;
        let (apart, unread) = beside;
        Ok(Kept { baseline: Arc::new(kept), apart, unread })
    }

    /// This desk for a person who named what holds a secret.
    #[must_use]
    pub fn allowing_secrets(&self) -> Self {
        Self { store: self.store.allowing_secrets(), ..self.clone() }
    }

    /// The surface without the items that hold a value which was passed to a server as a secret, except those named, and
    /// the items left out.
    pub fn without_secrets(&self, surface: &Surface, named: &[(ItemId, SurfaceDigest)]) -> (Surface, Vec<Apart>) {
        let mut kept = surface.clone();
        let mut held = Vec::new();
        kept.items.retain(|item| {
            let digest = item.digests.surface;
            let is_named = || named.iter().any(|(id, named)| *id == item.id && *named == digest);
            let Some(secret) = self.store.redactor().find(&item.received).filter(|_| !is_named()) else { return true };
            let reason = format!("it holds the value of `{secret}`, a secret that was passed to the server");
            held.push(Apart { id: item.id.clone(), digest, reason });
            false
        });
        (kept, held)
    }

    /// Writes a snapshot, and says so in the log.
    pub fn snapshot(&self, snapshot: &Snapshot) -> Result<PathBuf, StoreError> {
        let path = self.store.record_snapshot(snapshot)?;
        let entry = self.entry(Event::Snapshot, snapshot.label.clone(), snapshot.at);
        self.tell(&snapshot.server, &[entry])?;
        Ok(path)
    }

    /// Says in the log that a person agreed to a launch, which `launch` spells out masked.
    pub(super) fn agreed(&self, server: &str, launch: &str, at: Timestamp) -> Result<(), StoreError> {
        self.tell(server, &[self.entry(Event::Consent, launch, at)])
    }

    /// Says in the log that a person signed in to a server: as whom, where and for what. No token stands in it.
    pub fn signed_in(&self, server: &str, signed_in: &SignedIn, at: Timestamp) -> Result<(), StoreError> {
        self.tell(server, &[self.entry(Event::SignIn, signed_in.scope_text(), at)])
    }

    /// Says in the log that the sign-in at a server was forgotten.
    pub fn signed_out(&self, server: &str, at: Timestamp) -> Result<(), StoreError> {
        self.tell(server, &[self.entry(Event::SignOut, "", at)])
    }

    /// Adds to the audit chain what of a sighting it does not say yet.
    pub fn saw(&self, server: &str, sighting: &Sighting, at: Timestamp) -> Result<(), StoreError> {
        let (root, policy) = (self.store.root().name(), &self.policy_digest);
        self.store.saw(sighting, &About { server, root: &root, by: &self.by, policy, at })
    }

    fn tell(&self, server: &str, entries: &[LogEntry]) -> Result<(), StoreError> {
        self.store.log().append(server, &self.store.root().name(), entries)
    }

    /// A line of the log about a server as a whole.
    pub fn entry(&self, event: Event, note: impl Into<Arc<str>>, at: Timestamp) -> LogEntry {
        let (by, policy) = (self.by.as_str().into(), Some(Arc::clone(&self.policy_digest)));
        LogEntry { at, event, item: None, from: None, to: None, by, note: note.into(), policy }
    }

    fn decision(&self, state: DecisionState, note: &str, at: Timestamp) -> Decision {
        Decision { state, by: self.by.clone(), at: utc(at), note: note.to_owned() }
    }

    fn intent(&self, event: Event, subject: &Subject, decided: &Baseline, note: &str, at: Timestamp) -> LogEntry {
        // A pin binds to more than its definition where values may vary.
        let binds_to = |item: &Arc<Item>| {
            let mut pins = decided.pins_of(&item.id);
            let pin = pins.find(|pin| event != Event::Reject && pin.item == *item);
            pin.map_or(item.digests.surface, Pin::binds_to)
        };
        LogEntry {
            item: Some(subject.id.item.clone()),
            from: subject.pin.as_ref().map(|pin| pin.binds_to()),
            to: subject.now.as_ref().map(binds_to),
            ..self.entry(event, with_varying(note, subject), at)
        }
    }
}

/// The person's words, and where the decision lets values vary: what the pin allowed before is in its own decision.
fn with_varying(note: &str, subject: &Subject) -> String {
    if subject.varies.is_empty() {
        return note.to_owned();
    }
    let places: Vec<_> = subject.varies.iter().map(Pointer::as_str).collect();
    let blank = if note.is_empty() { "" } else { " " };
    format!("{note}{blank}(varies: {})", places.join(", "))
}
