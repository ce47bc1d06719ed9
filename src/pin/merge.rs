//! Two people's decisions on one baseline, put together: what each decided on items of their own stands, and what both
//! decided on one item otherwise is a conflict. Pure; nothing is decided here that neither of them decided.

use super::{Baseline, Decision, Pin, Rejection};
use crate::digest::{DigestScope, SurfaceDigest};
use crate::surface::ItemId;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

/// What both sides changed, otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// Both decided on this item, each in their own way.
    Item {
        /// Which. Its key is a server's text.
        item: ItemId,
        /// What ours holds of it, in words.
        ours: String,
        /// What theirs holds of it.
        theirs: String,
    },
    /// A member of the file that is no item: `observed_as`, `anchor`, `unwatched`.
    Member(&'static str),
}

/// Both sides put together. Without a conflict the two are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// With ours where both sides differ.
    pub ours: Baseline,
    /// With theirs there.
    pub theirs: Baseline,
    /// Where both sides differ.
    pub conflicts: Vec<Conflict>,
}

/// Why two files cannot be put together at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unlike {
    /// They are of two servers.
    #[error("the files are of two servers")]
    Servers,
    /// The definition digests of one cover the server's id, those of the other do not.
    #[error("the files have two digest scopes")]
    Scopes,
}

/// What one side holds of one item.
#[derive(Clone, Default, PartialEq, Eq)]
struct Held {
    pins: Vec<Arc<Pin>>,
    rejections: BTreeMap<SurfaceDigest, Rejection>,
}

/// Puts `ours` and `theirs` together, which both came of `base`; none where both added the file.
pub fn merge(base: Option<&Baseline>, ours: &Baseline, theirs: &Baseline) -> Result<Merged, Unlike> {
    if ours.server != theirs.server || base.is_some_and(|base| base.server != ours.server) {
        return Err(Unlike::Servers);
    }
    let is_scoped = |baseline: &Baseline| baseline.digest_scope != DigestScope::None;
    if is_scoped(ours) != is_scoped(theirs) {
        return Err(Unlike::Scopes);
    }
    let empty = Baseline::empty(&ours.server, ours.digest_scope.clone(), None);
    let base = base.unwrap_or(&empty);
    let (mut first, mut second) = (ours.clone(), theirs.clone());
    let mut conflicts = Vec::new();
    match three(&base.observed_as, &ours.observed_as, &theirs.observed_as) {
        Some(one) => (first.observed_as, second.observed_as) = (one.clone(), one.clone()),
        None => conflicts.push(Conflict::Member("observed_as")),
    }
    match three(&base.anchor, &ours.anchor, &theirs.anchor) {
        Some(one) => (first.anchor, second.anchor) = (one.clone(), one.clone()),
        None => conflicts.push(Conflict::Member("anchor")),
    }
    match three(&base.unwatched, &ours.unwatched, &theirs.unwatched) {
        Some(one) => (first.unwatched, second.unwatched) = (one.clone(), one.clone()),
        None => conflicts.push(Conflict::Member("unwatched")),
    }
    let held = [base, ours, theirs].map(held);
    let ids: BTreeSet<&ItemId> = held.iter().flat_map(BTreeMap::keys).collect();
    for side in [&mut first, &mut second] {
        side.pins.clear();
        side.rejections.clear();
    }
    for id in ids {
        let [base, ours, theirs] = held.each_ref().map(|side| side.get(id).cloned().unwrap_or_default());
        if let Some(both) = together(&base, &ours, &theirs) {
            both.clone().into(&mut first);
            both.into(&mut second);
        } else {
            conflicts.push(Conflict::Item { item: id.clone(), ours: ours.to_string(), theirs: theirs.to_string() });
            ours.into(&mut first);
            theirs.into(&mut second);
        }
    }
    // What either side ever pinned was pinned.
    let words = &ours.command_words() | &theirs.command_words();
    for side in [&mut first, &mut second] {
        side.sort();
        side.record_command_words(words.clone());
    }
    Ok(Merged { ours: first, theirs: second, conflicts })
}

fn held(baseline: &Baseline) -> BTreeMap<ItemId, Held> {
    let mut held: BTreeMap<ItemId, Held> = BTreeMap::new();
    for pin in &baseline.pins {
        held.entry(pin.item.id.clone()).or_default().pins.push(Arc::clone(pin));
    }
    for rejection in &baseline.rejections {
        let of = held.entry(rejection.item.id.clone()).or_default();
        of.rejections.insert(rejection.item.digests.surface, rejection.clone());
    }
    held
}

/// The one value, where at most one side changed it or both to the same.
fn three<'a, T: PartialEq>(base: &T, ours: &'a T, theirs: &'a T) -> Option<&'a T> {
    if ours == theirs || theirs == base {
        Some(ours)
    } else if ours == base {
        Some(theirs)
    } else {
        None
    }
}

/// What both sides together hold of one item; none where they contradict.
fn together(base: &Held, ours: &Held, theirs: &Held) -> Option<Held> {
    let pins = match three(&base.pins, &ours.pins, &theirs.pins) {
        Some(pins) => pins.clone(),
        None => same_pins(&ours.pins, &theirs.pins)?,
    };
    let mut rejections = BTreeMap::new();
    let digests: BTreeSet<_> = [base, ours, theirs].into_iter().flat_map(|side| side.rejections.keys()).collect();
    for digest in digests {
        let [base, ours, theirs] = [base, ours, theirs].map(|side| side.rejections.get(digest));
        let one = match (three(&base, &ours, &theirs), ours, theirs) {
            (Some(one), ..) => *one,
            (None, Some(ours), Some(theirs)) => {
                Some(if is_earlier(&theirs.decision, &ours.decision) { theirs } else { ours })
            }
            (None, ..) => return None,
        };
        rejections.extend(one.map(|one| (*digest, one.clone())));
    }
    let both = Held { pins, rejections };
    // One approved what the other refused.
    let is_torn = |side: &Held| side.pins.iter().any(|pin| side.rejections.contains_key(&pin.item.digests.surface));
    (!is_torn(&both) || is_torn(ours) || is_torn(theirs)).then_some(both)
}

/// The pins of both sides, where both approved the same: each with the earlier decision.
fn same_pins(ours: &[Arc<Pin>], theirs: &[Arc<Pin>]) -> Option<Vec<Arc<Pin>>> {
    let same = |(ours, theirs): (&Arc<Pin>, &Arc<Pin>)| {
        let one = if is_earlier(&theirs.decision, &ours.decision) { theirs } else { ours };
        (ours.item == theirs.item && ours.varies == theirs.varies).then(|| Arc::clone(one))
    };
    if ours.len() != theirs.len() {
        return None;
    }
    ours.iter().zip(theirs).map(same).collect()
}

/// RFC 3339 in UTC sorts as text.
fn is_earlier(one: &Decision, other: &Decision) -> bool {
    (&one.at, &one.by, &one.note) < (&other.at, &other.by, &other.note)
}

impl Held {
    fn into(self, baseline: &mut Baseline) {
        baseline.pins.extend(self.pins);
        baseline.rejections.extend(self.rejections.into_values());
    }
}

/// `approved 9f3a1c2b by ana, rejected 41be0000 by ben`, not escaped.
impl fmt::Display for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pins = self.pins.iter().map(|pin| (pin.decision.as_ref(), pin.item.digests.surface));
        let rejections = self.rejections.values().map(|one| (&one.decision, one.item.digests.surface));
        let words = |(decision, digest): (&Decision, SurfaceDigest)| {
            format!("{} {} by {}", decision.state.word(), digest.short(), decision.by)
        };
        let words: Vec<_> = pins.chain(rejections).map(words).collect();
        f.write_str(if words.is_empty() { "not pinned" } else { "" })?;
        f.write_str(&words.join(", "))
    }
}
