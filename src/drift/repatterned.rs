//! Templates under another pattern. A template's key is its pattern, so that a changed one reads as gone and new; its name and
//! the rest of it tell that it is the same. Nothing is guessed: where two would fit, none is taken.

use crate::canon::jcs;
use crate::digest::{Item, Surface};
use crate::pin::Baseline;
use crate::surface::Kind;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What two templates have in common, the surest first.
#[derive(Clone, Copy)]
enum Common {
    /// Everything but the pattern.
    Rest,
    Name,
    /// That one is gone and one is new.
    Turn,
}

/// New templates that are a pin which is gone, under another pattern.
pub(super) fn repatterned<'a>(
    added: &[&'a Arc<Item>],
    gone: &[usize],
    baseline: &Baseline,
    surface: &Surface,
) -> Vec<(&'a Arc<Item>, usize)> {
    let is_template = |item: &Item| item.id.kind == Kind::ResourceTemplate;
    if !surface.is_complete(Kind::ResourceTemplate) {
        return Vec::new();
    }
    let mut items: Vec<_> = added.iter().copied().filter(|item| is_template(item)).collect();
    let mut pins: Vec<_> = gone.iter().copied().filter(|at| is_template(&baseline.pins[*at].item)).collect();
    let mut found = Vec::new();
    for common in [Common::Rest, Common::Name, Common::Turn] {
        let mut sides: BTreeMap<String, (Vec<&'a Arc<Item>>, Vec<usize>)> = BTreeMap::new();
        for item in &items {
            if let Some(key) = common.of(item) {
                sides.entry(key).or_default().0.push(item);
            }
        }
        for pin in &pins {
            if let Some(key) = common.of(&baseline.pins[*pin].item) {
                sides.entry(key).or_default().1.push(*pin);
            }
        }
        for (one, other) in sides.into_values() {
            if let ([item], [pin]) = (one.as_slice(), other.as_slice()) {
                items.retain(|left| !Arc::ptr_eq(left, item));
                pins.retain(|left| left != pin);
                found.push((*item, *pin));
            }
        }
    }
    found
}

impl Common {
    /// What a template has of it; none where it has nothing to be known by.
    fn of(self, item: &Item) -> Option<String> {
        let mut value = item.definition.exact()?;
        match self {
            Self::Rest => {
                value.as_object_mut()?.remove("uriTemplate")?;
                Some(jcs(&value))
            }
            Self::Name => value.get("name").and_then(Value::as_str).map(str::to_owned),
            Self::Turn => Some(String::new()),
        }
    }
}
