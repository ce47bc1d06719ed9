//! Which served item is which pin: by equal digest, then by key, then tools of the same or a near body under another name,
//! and templates under another pattern.

use super::rename::renamed;
use super::repatterned::repatterned;
use crate::digest::{Item, Surface, surface_varying};
use crate::pin::{Baseline, Pin};
use crate::surface::{Completeness, ItemId};
use std::collections::HashMap;
use std::sync::Arc;

/// How a pin and what is served now stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// The pin, unchanged.
    Equal,
    /// The pin under its own key, changed.
    Changed,
    /// A pinned tool under another name, its body the same or near to it; or a template under another pattern.
    Renamed,
    /// Served and not pinned.
    Added,
    /// Pinned, and a complete list lacks it.
    Gone,
    /// Pinned and not read now: its list is partial, failed or was not looked at.
    Unread,
}

/// One pin, one served item, or both.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// The item's id: that of now, or of the pin where nothing is served.
    pub id: ItemId,
    /// 0, or 1, 2, … for several of one id: pinned ones first, each by its digest.
    pub copy: usize,
    /// How they stand to each other.
    pub relation: Relation,
    /// What is served.
    pub now: Option<Arc<Item>>,
    /// The pin, as an index into the baseline's pins.
    pub pin: Option<usize>,
    /// Its own drift, as an index into the comparison's drifts.
    pub drift: Option<usize>,
}

/// Matches a baseline's pins with a surface, and how many served items were exact copies of another one.
pub(super) fn matches(baseline: &Baseline, surface: &Surface) -> (Vec<Match>, u64) {
    let ignored = |kind| surface.completeness.get(&kind) == Some(&Completeness::Ignored);
    let (served, copies) = distinct(surface);
    let mut pins = Pins::of(baseline);
    let mut found = Vec::with_capacity(served.len());
    let equal = pins.take_equal(&served);
    let mut left = Vec::new();
    for (item, at) in served.into_iter().zip(equal) {
        match at.or_else(|| pins.take_varying(item)) {
            Some(at) => found.push(matched(item, Relation::Equal, Some(at))),
            None => left.push(item),
        }
    }
    let mut added = Vec::new();
    for item in left {
        match pins.take_next(&item.id) {
            Some(at) => found.push(matched(item, Relation::Changed, Some(at))),
            None => added.push(item),
        }
    }
    let mut taken = pins.taken;
    let gone: Vec<_> = (0..baseline.pins.len()).filter(|at| !taken[*at]).collect();
    let mut renamed = renamed(&added, &gone, baseline, surface);
    renamed.extend(repatterned(&added, &gone, baseline, surface));
    let old_names: HashMap<*const Item, usize> = renamed.iter().map(|(item, at)| (Arc::as_ptr(item), *at)).collect();
    for (item, at) in renamed {
        taken[at] = true;
        found.push(matched(item, Relation::Renamed, Some(at)));
    }
    added.retain(|item| !old_names.contains_key(&Arc::as_ptr(item)));
    found.extend(added.into_iter().map(|item| matched(item, Relation::Added, None)));
    for at in gone.into_iter().filter(|at| !taken[*at]) {
        let id = baseline.pins[at].item.id.clone();
        let relation = if surface.is_complete(id.kind) { Relation::Gone } else { Relation::Unread };
        found.push(Match { id, copy: 0, relation, now: None, pin: Some(at), drift: None });
    }
    found.retain(|found| !ignored(found.id.kind));
    number(&mut found, baseline);
    (found, copies)
}

/// The pins that are still to be matched. They stand by id and digest, as the baseline keeps them.
struct Pins<'a> {
    baseline: &'a Baseline,
    /// Those that let values vary, which no digest of the item finds.
    varying: HashMap<&'a ItemId, Vec<usize>>,
    taken: Vec<bool>,
}

impl<'a> Pins<'a> {
    fn of(baseline: &'a Baseline) -> Self {
        let mut varying: HashMap<_, Vec<_>> = HashMap::new();
        for (at, pin) in baseline.pins.iter().enumerate().filter(|(_, pin)| !pin.varies.is_empty()) {
            varying.entry(&pin.item.id).or_default().push(at);
        }
        Self { baseline, varying, taken: vec![false; baseline.pins.len()] }
    }

    /// For each served item the pin that approved exactly this. Both stand in one order, so one walk finds all.
    fn take_equal(&mut self, served: &[&Arc<Item>]) -> Vec<Option<usize>> {
        let pins = &self.baseline.pins;
        let mut at = 0;
        let mut take = |item: &&Arc<Item>| {
            while pins.get(at).is_some_and(|pin| pin.item.version() < item.version()) {
                at += 1;
            }
            pins.get(at).filter(|pin| pin.item.version() == item.version())?;
            self.taken[at] = true;
            Some(at)
        };
        served.iter().map(&mut take).collect()
    }

    /// A pin that approved this but for the values that may vary.
    fn take_varying(&mut self, item: &Item) -> Option<usize> {
        let mut pins = self.varying.get(&item.id)?.iter().copied();
        let at = pins.find(|at| !self.taken[*at] && is_pinned(&self.baseline.pins[*at], item))?;
        self.taken[at] = true;
        Some(at)
    }

    /// The first pin of this id that is not matched yet.
    fn take_next(&mut self, id: &ItemId) -> Option<usize> {
        let pins = &self.baseline.pins;
        let start = pins.partition_point(|pin| pin.item.id < *id);
        let own = (start..pins.len()).take_while(|at| pins[*at].item.id == *id);
        let at = own.into_iter().find(|at| !self.taken[*at])?;
        self.taken[at] = true;
        Some(at)
    }
}

fn matched(item: &Arc<Item>, relation: Relation, pin: Option<usize>) -> Match {
    Match { id: item.id.clone(), copy: 0, relation, now: Some(Arc::clone(item)), pin, drift: None }
}

/// Whether an item is what a pin approved but for the values that may vary.
fn is_pinned(pin: &Pin, item: &Item) -> bool {
    pin.binds_to() == surface_varying(item.id.kind, &item.definition, &pin.varies)
}

/// The items by id and digest, each definition once: served twice, it is still one definition.
fn distinct(surface: &Surface) -> (Vec<&Arc<Item>>, u64) {
    let mut served: Vec<_> = surface.items.iter().collect();
    served.sort_by(|a, b| a.version().cmp(&b.version()));
    served.dedup_by(|a, b| a.version() == b.version());
    let copies = surface.items.len() - served.len();
    (served, u64::try_from(copies).unwrap_or(u64::MAX))
}

/// Numbers what shares an id: pinned ones first, each by digest, so that a row keeps its number while it can.
fn number(found: &mut [Match], baseline: &Baseline) {
    let digest = |entry: &Match| match (&entry.pin, &entry.now) {
        (Some(at), _) => Some(baseline.pins[*at].item.digests.surface),
        (None, now) => now.as_ref().map(|item| item.digests.surface),
    };
    found.sort_by(|a, b| (&a.id, a.pin.is_none(), digest(a)).cmp(&(&b.id, b.pin.is_none(), digest(b))));
    for at in 1..found.len() {
        if found[at - 1].id == found[at].id {
            found[at].copy = found[at - 1].copy + 1;
        }
    }
}
