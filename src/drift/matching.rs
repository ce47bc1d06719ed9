//! Which served item is which pin: by equal digest, then by key, then tools of one body under another name.

use crate::canon::jcs;
use crate::digest::{Item, Surface, SurfaceDigest, surface_varying};
use crate::pin::{Baseline, Pin};
use crate::surface::{Completeness, ItemId, Kind};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Arc;

/// How a pin and what is served now stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// The pin, unchanged.
    Equal,
    /// The pin under its own key, changed.
    Changed,
    /// A pinned tool's body under another name.
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
    let mut left = Vec::new();
    for item in served {
        match pins.take_equal(item) {
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
    let renamed = renamed(&added, &gone, baseline, surface);
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

/// The pins that are still to be matched.
struct Pins<'a> {
    baseline: &'a Baseline,
    /// By id, in order; each is looked at once by [`Pins::take_next`].
    by_id: HashMap<&'a ItemId, VecDeque<usize>>,
    by_version: HashMap<(&'a ItemId, SurfaceDigest), usize>,
    /// Those that let values vary, which no digest of the item finds.
    varying: HashMap<&'a ItemId, Vec<usize>>,
    taken: Vec<bool>,
}

impl<'a> Pins<'a> {
    fn of(baseline: &'a Baseline) -> Self {
        let count = baseline.pins.len();
        let (mut by_id, mut varying): (HashMap<_, VecDeque<_>>, HashMap<_, Vec<_>>) = Default::default();
        let mut by_version = HashMap::with_capacity(count);
        for (at, pin) in baseline.pins.iter().enumerate() {
            by_id.entry(&pin.item.id).or_default().push_back(at);
            by_version.insert((&pin.item.id, pin.item.digests.surface), at);
            if !pin.varies.is_empty() {
                varying.entry(&pin.item.id).or_default().push(at);
            }
        }
        Self { baseline, by_id, by_version, varying, taken: vec![false; count] }
    }

    /// The pin that approved exactly this, or this but for the values that may vary.
    fn take_equal(&mut self, item: &'a Item) -> Option<usize> {
        let equal = self.by_version.get(&(&item.id, item.digests.surface)).copied();
        let varying = || {
            let pins = self.varying.get(&item.id)?;
            pins.iter().copied().find(|at| !self.taken[*at] && is_pinned(&self.baseline.pins[*at], item))
        };
        let at = equal.filter(|at| !self.taken[*at]).or_else(varying)?;
        self.taken[at] = true;
        Some(at)
    }

    /// The first pin of this id that is not matched yet.
    fn take_next(&mut self, id: &ItemId) -> Option<usize> {
        let pins = self.by_id.get_mut(id)?;
        while let Some(at) = pins.pop_front() {
            if !self.taken[at] {
                self.taken[at] = true;
                return Some(at);
            }
        }
        None
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
    let mut seen: HashSet<(&ItemId, SurfaceDigest)> = HashSet::with_capacity(surface.items.len());
    let mut served: Vec<_> =
        surface.items.iter().filter(|item| seen.insert((&item.id, item.digests.surface))).collect();
    let copies = surface.items.len() - served.len();
    served.sort_by(|a, b| (&a.id, a.digests.surface).cmp(&(&b.id, b.digests.surface)));
    (served, u64::try_from(copies).unwrap_or(u64::MAX))
}

/// Tools of one body, on one side, among which names are compared; of more, the first in order are taken.
const MAX_ALIKE: usize = 32;

/// Names longer than this are not compared letter by letter.
const MAX_NAME: usize = 256;

/// New tools whose definition is that of a pin that is gone, but for the name. Where several could be, the names that
/// are most alike are taken, then the first in order.
fn renamed<'a>(
    added: &[&'a Arc<Item>],
    gone: &[usize],
    baseline: &Baseline,
    surface: &Surface,
) -> Vec<(&'a Arc<Item>, usize)> {
    let is_tool = |item: &Item| item.id.kind == Kind::Tool;
    if !surface.is_complete(Kind::Tool) || !added.iter().any(|item| is_tool(item)) {
        return Vec::new();
    }
    let mut bodies: BTreeMap<String, (Vec<usize>, Vec<&'a Arc<Item>>)> = BTreeMap::new();
    for at in gone.iter().copied().filter(|at| is_tool(&baseline.pins[*at].item)) {
        if let Some(body) = body(&baseline.pins[at].item) {
            bodies.entry(body).or_default().0.push(at);
        }
    }
    for item in added.iter().filter(|item| is_tool(item)) {
        if let Some(alike) = body(item).and_then(|body| bodies.get_mut(&body)) {
            alike.1.push(item);
        }
    }
    bodies.into_values().flat_map(|(pins, items)| pair_names(&pins, &items, baseline)).collect()
}

/// Pairs pins and items of one body, each once.
fn pair_names<'a>(pins: &[usize], items: &[&'a Arc<Item>], baseline: &Baseline) -> Vec<(&'a Arc<Item>, usize)> {
    if pins.len() > MAX_ALIKE || items.len() > MAX_ALIKE {
        return items.iter().copied().zip(pins.iter().copied()).collect();
    }
    let alike = |a: &str, b: &str| {
        if a.len().max(b.len()) > MAX_NAME { 0.0 } else { strsim::normalized_levenshtein(a, b) }
    };
    let name = |at: usize| baseline.pins[at].item.id.key.as_str();
    let all = |item: usize| pins.iter().map(move |pin| (alike(name(*pin), &items[item].id.key), item, *pin));
    let mut pairs: Vec<_> = (0..items.len()).flat_map(all).collect();
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| (a.1, a.2).cmp(&(b.1, b.2))));
    let (mut items_taken, mut pins_taken) = (HashSet::new(), HashSet::new());
    pairs.retain(|(_, item, pin)| {
        let free = !items_taken.contains(item) && !pins_taken.contains(pin);
        free && items_taken.insert(*item) && pins_taken.insert(*pin)
    });
    pairs.into_iter().map(|(_, item, pin)| (items[item], pin)).collect()
}

/// A tool's definition without its name, where it can be compared.
fn body(item: &Item) -> Option<String> {
    let mut value = item.definition.exact()?;
    value.as_object_mut()?.remove("name")?;
    Some(format!("{:?}{}", item.definition.codes, jcs(&value)))
}

/// Numbers what shares an id: pinned ones first, each by digest, so that a row keeps its number while it can.
fn number(found: &mut [Match], baseline: &Baseline) {
    let digest = |entry: &Match| match (&entry.pin, &entry.now) {
        (Some(at), _) => Some(baseline.pins[*at].item.digests.surface),
        (None, now) => now.as_ref().map(|item| item.digests.surface),
    };
    found.sort_by(|a, b| (&a.id, a.pin.is_none(), digest(a)).cmp(&(&b.id, b.pin.is_none(), digest(b))));
    let mut last: Option<ItemId> = None;
    let mut copy = 0;
    for entry in found {
        copy = if last.as_ref() == Some(&entry.id) { copy + 1 } else { 0 };
        entry.copy = copy;
        last = Some(entry.id.clone());
    }
}
