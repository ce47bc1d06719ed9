//! Tools under another name. A body is compared before a name, and nothing is guessed twice: where two come near, none is
//! taken, and both read as new and gone.
//!
//! A pin knows no place in a list. Where a look before this one showed what is gone, the place is known: what stands there
//! now may be less alike, and is taken before another one that is as near.

use crate::canon::jcs;
use crate::digest::{Item, Surface};
use crate::pin::Baseline;
use crate::schema::parameters;
use crate::surface::{ItemId, Kind};
use crate::text::words;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// Tools of one body, on one side, among which names are compared; of more, the first in order are taken.
const MAX_ALIKE: usize = 32;

/// Names longer than this are not compared letter by letter.
const MAX_NAME: usize = 256;

/// New tools whose definition is that of a pin that is gone, but for the name; then those whose definition is near to one
/// that no other comes near. Of several of one body, the names that are most alike are taken, the place counted in, then the first in order.
pub(super) fn renamed<'a>(
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
    let places = Places::of(added, gone, baseline, surface);
    let mut found: Vec<_> =
        bodies.into_values().flat_map(|(pins, items)| pair_names(&pins, &items, baseline, &places)).collect();
    let paired: HashSet<usize> = found.iter().map(|(_, at)| *at).collect();
    let taken: HashSet<*const Item> = found.iter().map(|(item, _)| Arc::as_ptr(item)).collect();
    let pins: Vec<_> =
        gone.iter().copied().filter(|at| is_tool(&baseline.pins[*at].item) && !paired.contains(at)).collect();
    let items: Vec<_> =
        added.iter().copied().filter(|item| is_tool(item) && !taken.contains(&Arc::as_ptr(item))).collect();
    found.extend(near(&pins, &items, baseline, &places));
    found
}

/// Which new tool stands where one that is gone stood.
struct Places(HashSet<(usize, *const Item)>);

impl Places {
    /// Between the same two tools that were there all the time, as many are gone as are new: each in its turn.
    fn of(added: &[&Arc<Item>], gone: &[usize], baseline: &Baseline, surface: &Surface) -> Self {
        type Slot<'a> = (Option<&'a ItemId>, Option<&'a ItemId>);
        if surface.left.is_empty() {
            return Self(HashSet::new());
        }
        let pins: HashMap<&ItemId, usize> = gone.iter().map(|at| (&baseline.pins[*at].item.id, *at)).collect();
        let mut slots: HashMap<Slot, (Vec<usize>, Vec<*const Item>)> = HashMap::new();
        for left in &surface.left {
            if let Some(pin) = pins.get(&left.id) {
                slots.entry((left.before.as_ref(), left.behind.as_ref())).or_default().0.push(*pin);
            }
        }
        let new: HashSet<&ItemId> = added.iter().map(|item| &item.id).collect();
        let mut before = None;
        let mut stretch = Vec::new();
        for item in surface.of_kind(Kind::Tool) {
            if new.contains(&item.id) {
                stretch.push(Arc::as_ptr(item));
            } else {
                slots.entry((before, Some(&item.id))).or_default().1.append(&mut stretch);
                before = Some(&item.id);
            }
        }
        slots.entry((before, None)).or_default().1.append(&mut stretch);
        // Where nothing stayed, a place says nothing.
        slots.remove(&(None, None));
        let even = slots.into_values().filter(|(pins, items)| pins.len() == items.len());
        Self(even.flat_map(|(pins, items)| pins.into_iter().zip(items)).collect())
    }

    fn same(&self, pin: usize, item: &Arc<Item>) -> bool {
        self.0.contains(&(pin, Arc::as_ptr(item)))
    }
}

/// Tools on one side, up to which near bodies are looked for: each is compared with each.
const MAX_NEAR: usize = 256;
/// How alike two tools must be to be one under another name, of 1.
const NEAR: f64 = 0.75;
/// What of that suffices where it stands in the same place, and what the place counts.
const PLACED: f64 = 0.5;
const PLACE: f64 = 0.15;
/// How much less alike every other candidate must be, on both sides: where two come near, none is guessed.
const APART: f64 = 0.1;

/// How alike the texts and parameters of two tools are, of 1, whatever they are called.
pub(super) fn nearness(one: &Item, other: &Item) -> f64 {
    let (a, b) = (Traits::of(one), Traits::of(other));
    let parameters = a.parameters.is_empty() && b.parameters.is_empty();
    let text = overlap(&a.description, &b.description);
    if parameters { text } else { f64::midpoint(text, overlap(&a.parameters, &b.parameters)) }
}

/// Pairs of a pin that is gone and a new tool, each the other's only near one.
fn near<'a>(
    pins: &[usize],
    items: &[&'a Arc<Item>],
    baseline: &Baseline,
    places: &Places,
) -> Vec<(&'a Arc<Item>, usize)> {
    if pins.is_empty() || items.is_empty() || pins.len() > MAX_NEAR || items.len() > MAX_NEAR {
        return Vec::new();
    }
    let old: Vec<_> = pins.iter().map(|at| Traits::of(&baseline.pins[*at].item)).collect();
    let new: Vec<_> = items.iter().map(|item| Traits::of(item)).collect();
    let at_place = |pin: usize, item: usize| places.same(pins[pin], items[item]);
    let score = |pin: usize, item: usize| old[pin].alike(&new[item], at_place(pin, item));
    let alike: Vec<Vec<f64>> =
        (0..old.len()).map(|pin| (0..new.len()).map(|item| score(pin, item)).collect()).collect();
    let mut found = Vec::new();
    for (pin, row) in alike.iter().enumerate() {
        let suffices = |item: usize| if at_place(pin, item) { PLACED + PLACE } else { NEAR };
        for (item, score) in row.iter().enumerate().filter(|(item, score)| **score >= suffices(*item)) {
            let others = row.iter().enumerate().filter(|(other, _)| *other != item).map(|(_, other)| *other);
            let column = alike.iter().enumerate().filter(|(other, _)| *other != pin).map(|(_, row)| row[item]);
            if others.chain(column).all(|other| other <= score - APART) {
                found.push((items[item], pins[pin]));
            }
        }
    }
    found
}

/// What two tools are compared by: the words of name and description, and the parameters.
#[derive(Default)]
struct Traits {
    /// The words of its name, written together: `read-query`, `readQuery` and `read_query` are one.
    name: String,
    description: HashSet<String>,
    parameters: HashSet<String>,
}

impl Traits {
    /// Of a definition that cannot be compared in parts, nothing: it is like no other.
    fn of(item: &Item) -> Self {
        let Some(value) = item.definition.exact() else { return Self::default() };
        let text = value.get("description").and_then(Value::as_str).unwrap_or_default();
        let description = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let schema = value.get("inputSchema").or_else(|| value.get("input_schema"));
        let parameters = schema.map(parameters).unwrap_or_default();
        Self {
            name: words(&item.id.key.chars().take(MAX_NAME).collect::<String>()).concat(),
            description: description.take(MAX_WORDS).map(str::to_lowercase).collect(),
            parameters: parameters.into_keys().map(|names| names.as_str().to_owned()).collect(),
        }
    }

    /// From 0 to 1, and what a place counts. A name in another spelling and a text of the same words weigh as much as the
    /// parameters do.
    fn alike(&self, other: &Self, placed: bool) -> f64 {
        if self.name.is_empty() || other.name.is_empty() {
            return 0.0;
        }
        let name = strsim::normalized_levenshtein(&self.name, &other.name);
        let text = overlap(&self.description, &other.description);
        let parameters = overlap(&self.parameters, &other.parameters);
        // A text or a name must carry it: many tools take nothing, or one `path`.
        let (least, place) = if placed { (PLACED, PLACE) } else { (NEAR, 0.0) };
        if name.max(text) < least {
            return 0.0;
        }
        let bare = self.parameters.is_empty() && other.parameters.is_empty();
        let alike = if bare { f64::midpoint(name, text) } else { 0.3 * name + 0.4 * text + 0.3 * parameters };
        alike + place
    }
}

/// The share of what both have in what either has; two empty sets have nothing in common.
#[expect(clippy::cast_precision_loss, reason = "counts are far below what a double holds")]
fn overlap(a: &HashSet<String>, b: &HashSet<String>) -> f64 {
    let both = a.intersection(b).count();
    let either = a.len() + b.len() - both;
    if either == 0 { 0.0 } else { both as f64 / either as f64 }
}

/// Words of a description that are compared.
const MAX_WORDS: usize = 2_000;

/// Pairs pins and items of one body, each once.
fn pair_names<'a>(
    pins: &[usize],
    items: &[&'a Arc<Item>],
    baseline: &Baseline,
    places: &Places,
) -> Vec<(&'a Arc<Item>, usize)> {
    if pins.len() > MAX_ALIKE || items.len() > MAX_ALIKE {
        return items.iter().copied().zip(pins.iter().copied()).collect();
    }
    let alike = |a: &str, b: &str| {
        if a.len().max(b.len()) > MAX_NAME { 0.0 } else { strsim::normalized_levenshtein(a, b) }
    };
    let name = |at: usize| baseline.pins[at].item.id.key.as_ref();
    let place = |pin: usize, item: usize| if places.same(pin, items[item]) { PLACE } else { 0.0 };
    let score = |pin: usize, item: usize| alike(name(pin), &items[item].id.key) + place(pin, item);
    let all = |item: usize| pins.iter().map(move |pin| (score(*pin, item), item, *pin));
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
