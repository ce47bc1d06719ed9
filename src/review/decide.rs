//! What a decision does to a baseline. All or nothing: where one item of several is refused, nothing is decided.
//!
//! A decision binds to the digest that was on screen; it never takes what a server serves in the meantime.

use super::{Row, RowId};
use crate::canon::{Pointer, value_at};
use crate::digest::{Item, SurfaceDigest};
use crate::drift;
use crate::pin::{Baseline, CommandWords, Decision, Pin, Rejection, Unwatched, command_words};
use crate::surface::ItemId;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
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
    /// Where values may differ from now on, beside what the pin allows already: approved with it.
    pub varies: Vec<Pointer>,
    /// The pin of what is served, where approving only confirms it: it was approved elsewhere, and stays as it is.
    pub confirms: Option<Arc<Pin>>,
}

impl Subject {
    /// The subject of a row as it is now, decided on as `expect`, the digest that was on screen.
    pub fn of(row: &Row, expect: SurfaceDigest) -> Self {
        let (id, now, pin) = (row.id.clone(), row.now.clone(), row.pin.clone());
        Self { id, now, pin, expect, varies: Vec::new(), confirms: None }
    }

    /// The digest that is decided on: of what is served, else of the pin that is gone.
    fn digest(&self) -> Option<SurfaceDigest> {
        let item = self.now.as_ref().or(self.pin.as_ref().map(|pin| &pin.item))?;
        Some(item.digests.surface)
    }

    /// The same, approved with values that may vary at these places.
    #[must_use]
    pub fn letting_vary(self, varies: Vec<Pointer>) -> Self {
        Self { varies, ..self }
    }

    /// Whether it is about the server as a whole: its handshake, its anchor, its admission.
    fn is_of_the_server(&self) -> bool {
        drift::is_of_the_server(&self.id.item)
    }
}

/// Why nothing was decided. Keys are text from a server: show them through the escaping seam.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Refusal {
    /// The definition is another one than the one on screen.
    #[error("{} is no longer what was shown ({} now)", .item.text(), digest_or_gone(*.now))]
    Moved {
        item: ItemId,
        /// What was on screen.
        expected: SurfaceDigest,
        /// What is there; none where nothing is.
        now: Option<SurfaceDigest>,
    },
    /// The baseline holds another pin than the one on screen: someone else decided.
    #[error("the pin of {} changed since it was shown: someone decided on it elsewhere", .0.text())]
    BaselineMoved(ItemId),
    /// Readers disagree on the definition: it is approved alone, not with others.
    #[error("parsers disagree on {}: decide on it alone", .0.text())]
    OneByOne(ItemId),
    /// Approving does not settle it.
    #[error("{} is not settled by approving: change the server, its publisher's document, or [trust] in pinwatch.toml", .0.text())]
    NotByApproval(ItemId),
    /// Nothing is served that could be refused.
    #[error("{} cannot be rejected: nothing is served under that name now", .0.text())]
    NothingToReject(ItemId),
    /// There is no single value at a place that shall vary.
    #[error("{} has no single value at `{pointer}` that could vary: a text, a number, true or false, or a list", .item.text())]
    NoValue { item: ItemId, pointer: Pointer },
    /// Someone else decided since whether it may stay unwatched.
    #[error("someone decided elsewhere whether it may stay unwatched")]
    AcceptedElsewhere,
    /// There is no pin that would be out of sight.
    #[error("it has no baseline; there is nothing to accept")]
    NoBaseline,
    /// A recorded baseline is there: changes to it are approved, not recorded over.
    #[error("there is a baseline already: approve or reject what differs")]
    NotFirstContact,
}

fn digest_or_gone(digest: Option<SurfaceDigest>) -> String {
    digest.map_or_else(|| "nothing".to_owned(), |digest| digest.to_string())
}

/// The baseline after approving `subjects`. `fresh` is the empty baseline to start from where there is none, `served` what
/// the server shows.
///
/// What is served becomes the pin, in the place of the pin it was compared with; a pin that is confirmed stays as it is; the
/// pin of a gone item is deleted; a rejection of the approved digest is dropped. Approving the handshake or the anchor takes
/// it over.
pub fn approve(
    baseline: Option<&Baseline>,
    fresh: &Baseline,
    served: &[Arc<Item>],
    subjects: &[Subject],
    decision: &Decision,
) -> Result<Baseline, Refusal> {
    let known = baseline.unwrap_or(fresh);
    check(known, subjects)?;
    let ambiguous = |subject: &Subject| subject.now.as_ref().is_some_and(|item| item.definition.exact().is_none());
    if let Some(subject) = subjects.iter().find(|subject| subjects.len() > 1 && ambiguous(subject)) {
        return Err(Refusal::OneByOne(subject.id.item.clone()));
    }
    // Whoever decides on what it serves watches it.
    let mut decided = Baseline { unwatched: None, ..known.clone() };
    let (mut replaced, mut approved) = (HashSet::new(), HashSet::new());
    let shared = Arc::new(decision.clone());
    let mut pins = Vec::new();
    for subject in subjects {
        if subject.is_of_the_server() {
            let value = subject.now.as_ref().and_then(|item| item.definition.exact()).unwrap_or_default();
            if subject.id.item == drift::handshake_id() {
                decided.observed_as = serde_json::from_value(value).ok();
            } else if let Some(anchor) =
                serde_json::from_value(value).ok().filter(|_| subject.id.item == drift::anchor_id())
            {
                decided.anchor = anchor;
            } else {
                return Err(Refusal::NotByApproval(subject.id.item.clone()));
            }
            continue;
        }
        replaced.extend(subject.pin.iter().map(|pin| pin.item.version()));
        let Some(now) = &subject.now else { continue };
        if !approved.insert(now.version()) {
            continue;
        }
        if let Some(confirmed) = &subject.confirms {
            pins.push(Arc::clone(confirmed));
        } else {
            let varies = varying(subject.pin.as_deref(), now, &subject.varies)?;
            pins.push(Arc::new(Pin { item: Arc::clone(now), varies, decision: Arc::clone(&shared) }));
        }
    }
    decided.rejections.retain(|rejection| !approved.contains(&rejection.item.version()));
    decided.pins.retain(|pin| !replaced.contains(&pin.item.version()) && !approved.contains(&pin.item.version()));
    decided.pins.append(&mut pins);
    decided.sort();
    let words = known.command_words();
    let more = if unpinned_words(&decided, served).is_empty() { decided.pinned_command_words() } else { words.clone() };
    decided.record_command_words(&words | &more);
    Ok(decided)
}

/// The words for running commands in what is served and not pinned. While there are any, no decision adds a word to those
/// that were ever pinned, or takes one away: it would move the severity of rows that it is not on.
fn unpinned_words(baseline: &Baseline, served: &[Arc<Item>]) -> CommandWords {
    let pinned: HashSet<_> = baseline.pins.iter().map(|pin| pin.item.version()).collect();
    command_words(served.iter().map(Arc::as_ref).filter(|item| !pinned.contains(&item.version())))
}

/// Where values of an approved item may vary: where its pin lets them and they are still there, and where the decision
/// does. Sorted. A name, a whole schema or a whole definition is nothing that varies.
pub fn varying(pin: Option<&Pin>, now: &Item, more: &[Pointer]) -> Result<Vec<Pointer>, Refusal> {
    let mut varies = pin.map(|pin| still_there(&pin.varies, now)).unwrap_or_default();
    let value = if more.is_empty() { None } else { now.definition.exact() };
    for pointer in more {
        let plain = |value: &Value| !value.is_object() && !value.is_array() && !value.is_null();
        let single = |value: &Value| plain(value) || value.as_array().is_some_and(|list| list.iter().all(plain));
        let key = now.id.kind.key_member().is_some_and(|member| *pointer == Pointer::root().child(member));
        let there = value.as_ref().and_then(|value| value_at(value, pointer));
        // The definition of instructions is one text: to let it vary would be to look at nothing.
        if key || pointer.as_str().is_empty() || !there.is_some_and(single) {
            return Err(Refusal::NoValue { item: now.id.clone(), pointer: pointer.clone() });
        }
    }
    varies.extend(more.iter().cloned());
    varies.sort();
    varies.dedup();
    Ok(varies)
}

/// The pointers that lead somewhere in the definition.
fn still_there(varies: &[Pointer], item: &Item) -> Vec<Pointer> {
    let value = if varies.is_empty() { None } else { item.definition.exact() };
    let leads = |pointer: &&Pointer| value.as_ref().is_some_and(|value| value_at(value, pointer).is_some());
    varies.iter().filter(leads).cloned().collect()
}

/// The baseline after rejecting `subjects`: pins stay, and the digests are remembered with their definitions.
pub fn reject(
    baseline: Option<&Baseline>,
    fresh: &Baseline,
    subjects: &[Subject],
    decision: &Decision,
) -> Result<Baseline, Refusal> {
    let known = baseline.unwrap_or(fresh);
    check(known, subjects)?;
    if let Some(subject) = subjects.iter().find(|subject| subject.now.is_none() || subject.is_of_the_server()) {
        return Err(Refusal::NothingToReject(subject.id.item.clone()));
    }
    // Whoever decides on what it serves watches it.
    let mut decided = Baseline { unwatched: None, ..known.clone() };
    let mut refused = HashSet::new();
    for now in subjects.iter().filter_map(|subject| subject.now.as_ref()) {
        if refused.insert(now.version()) {
            decided.rejections.retain(|rejection| rejection.item.version() != now.version());
            decided.rejections.push(Rejection { item: Arc::clone(now), decision: decision.clone() });
        }
    }
    decided.sort();
    Ok(decided)
}

/// The baseline after a person accepted that its server is not watched, for this reason. The pins stay.
pub fn accept_unwatched(baseline: Option<&Baseline>, reason: &str, decision: &Decision) -> Result<Baseline, Refusal> {
    let known = baseline.ok_or(Refusal::NoBaseline)?;
    let unwatched = Unwatched { reason: reason.to_owned(), decision: decision.clone() };
    Ok(Baseline { unwatched: Some(unwatched), ..known.clone() })
}

/// The baseline after taking a decision back. `before` and `after` are the baselines on both sides of it: the items in
/// which they differ are as before again, what was decided since on others stays. Where one of those items was decided
/// on again since, nothing is undone. `served` is what the server shows.
pub fn undo(
    current: &Baseline,
    before: &Baseline,
    after: &Baseline,
    served: &[Arc<Item>],
) -> Result<Baseline, Refusal> {
    let (old, new, now) = (entries(before), entries(after), entries(current));
    let decided: BTreeSet<&ItemId> =
        old.keys().chain(new.keys()).copied().filter(|id| old.get(id) != new.get(id)).collect();
    if let Some(id) = decided.iter().find(|id| now.get(*id) != new.get(*id)) {
        return Err(Refusal::BaselineMoved((*id).clone()));
    }
    let handshake = before.observed_as != after.observed_as;
    if handshake && current.observed_as != after.observed_as {
        return Err(Refusal::BaselineMoved(drift::handshake_id()));
    }
    let accepted = before.unwatched != after.unwatched;
    if accepted && current.unwatched != after.unwatched {
        return Err(Refusal::AcceptedElsewhere);
    }
    let tied = before.anchor != after.anchor;
    if tied && current.anchor != after.anchor {
        return Err(Refusal::BaselineMoved(drift::anchor_id()));
    }
    let mut undone = current.clone();
    if tied {
        undone.anchor.clone_from(&before.anchor);
    }
    if accepted {
        undone.unwatched.clone_from(&before.unwatched);
    }
    if handshake {
        undone.observed_as.clone_from(&before.observed_as);
    }
    undone.pins.retain(|pin| !decided.contains(&pin.item.id));
    undone.pins.extend(before.pins.iter().filter(|pin| decided.contains(&pin.item.id)).cloned());
    undone.rejections.retain(|rejection| !decided.contains(&rejection.item.id));
    let rejections = before.rejections.iter().filter(|rejection| decided.contains(&rejection.item.id));
    undone.rejections.extend(rejections.cloned());
    undone.sort();
    let mut words = current.command_words();
    if unpinned_words(current, served).is_empty() {
        let added = &after.command_words() - &before.command_words();
        words = &words - &(&added - &undone.pinned_command_words());
    }
    undone.record_command_words(words);
    Ok(undone)
}

/// An item in which two baselines differ: what stood before alone, and what is pinned after alone.
pub type Difference = (ItemId, Option<SurfaceDigest>, Option<SurfaceDigest>);

/// Where two baselines differ: of each item the digest that only the first one's pin binds to, or that only it rejects,
/// and the digest that only the second one's pin binds to. What the log tells of an undo.
pub fn differing(before: &Baseline, after: &Baseline) -> Vec<Difference> {
    let (old, new) = (entries(before), entries(after));
    let ids: BTreeSet<&ItemId> = old.keys().chain(new.keys()).copied().collect();
    let mut differences = Vec::new();
    for id in ids.into_iter().filter(|id| old.get(*id) != new.get(*id)) {
        let (from, to) = (old.get(id).cloned().unwrap_or_default(), new.get(id).cloned().unwrap_or_default());
        let pin = from.0.iter().find(|pin| !to.0.contains(pin)).map(|pin| pin.binds_to());
        let rejection = from.1.iter().find(|one| !to.1.contains(one)).map(|one| one.item.digests.surface);
        let back = to.0.iter().find(|pin| !from.0.contains(pin)).map(|pin| pin.binds_to());
        differences.push((id.clone(), pin.or(rejection), back));
    }
    if before.observed_as != after.observed_as {
        differences.push((drift::handshake_id(), None, None));
    }
    if before.anchor != after.anchor {
        differences.push((drift::anchor_id(), None, None));
    }
    differences
}

/// What a baseline says of each item.
fn entries(baseline: &Baseline) -> BTreeMap<&ItemId, (Vec<&Pin>, Vec<&Rejection>)> {
    let mut found: BTreeMap<&ItemId, (Vec<&Pin>, Vec<&Rejection>)> = BTreeMap::new();
    for pin in &baseline.pins {
        found.entry(&pin.item.id).or_default().0.push(pin);
    }
    for rejection in &baseline.rejections {
        found.entry(&rejection.item.id).or_default().1.push(rejection);
    }
    found
}

/// Refuses a subject that moved on, or that someone else decided on since it was shown.
fn check(known: &Baseline, subjects: &[Subject]) -> Result<(), Refusal> {
    let mut pins: HashMap<&ItemId, Vec<&Pin>> = HashMap::new();
    for pin in &known.pins {
        pins.entry(&pin.item.id).or_default().push(pin);
    }
    for subject in subjects {
        let item = &subject.id.item;
        let now = subject.digest();
        if now != Some(subject.expect) {
            return Err(Refusal::Moved { item: item.clone(), expected: subject.expect, now });
        }
        let of = |id: &ItemId| pins.get(id).map_or(&[][..], Vec::as_slice);
        let fits = match &subject.pin {
            Some(shown) => of(&shown.item.id).contains(&shown.as_ref()),
            // Pinned copies come first: copy N without a pin means that at most N pins were seen.
            None => subject.is_of_the_server() || of(item).len() <= subject.id.copy,
        };
        if !fits {
            return Err(Refusal::BaselineMoved(item.clone()));
        }
    }
    Ok(())
}
