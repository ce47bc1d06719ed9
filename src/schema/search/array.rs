//! Arrays: what each position asks, how many items there may be, and which items some atoms want to be there.

use super::{Found, Search};
use crate::schema::evaluate::Literal;
use crate::schema::node::{Id, Node, kinds};
use serde_json::Value;
use std::collections::BTreeMap;

/// Positions that are told apart.
const MOST_POSITIONS: usize = 48;
/// Items that are written out.
const MOST_ITEMS: u64 = 64;

#[derive(Default)]
struct Arrays {
    least: u64,
    most: u64,
    /// What the item at an index must hold.
    at: Vec<(usize, Literal)>,
    /// What every item from an index on must hold.
    from: Vec<(usize, Literal)>,
    /// Some item from an index on must hold it.
    some: Vec<(usize, Literal)>,
    at_least: Vec<(Id, u64)>,
    at_most: Vec<(Id, u64)>,
    unique: bool,
    repeated: bool,
    /// The first position from which all positions ask the same.
    general: usize,
}

impl Arrays {
    fn literals(&self, position: usize) -> Vec<Literal> {
        let at = self.at.iter().filter(|(at, _)| *at == position).map(|(_, literal)| *literal);
        at.chain(self.from.iter().filter(|(from, _)| *from <= position).map(|(_, literal)| *literal)).collect()
    }
}

impl Search<'_> {
    fn arrays(&self, atoms: &[Literal]) -> Arrays {
        let mut arrays = Arrays { most: u64::MAX, ..Arrays::default() };
        for atom in atoms {
            match (self.arena.node(atom.node), atom.holds) {
                (Node::MinItems(count), true) => arrays.least = arrays.least.max(*count),
                (Node::MinItems(count), false) => arrays.most = arrays.most.min(count.saturating_sub(1)),
                (Node::MaxItems(count), true) => arrays.most = arrays.most.min(*count),
                (Node::MaxItems(count), false) => arrays.least = arrays.least.max(count.saturating_add(1)),
                (Node::ItemAt(at, schema), true) => arrays.at.push((*at, Literal::yes(*schema))),
                (Node::ItemAt(at, schema), false) => {
                    arrays.at.push((*at, Literal::no(*schema)));
                    arrays.least = arrays.least.max(*at as u64 + 1);
                }
                (Node::ItemsFrom(from, schema), true) => arrays.from.push((*from, Literal::yes(*schema))),
                (Node::ItemsFrom(from, schema), false) => {
                    arrays.some.push((*from, Literal::no(*schema)));
                    arrays.least = arrays.least.max(*from as u64 + 1);
                }
                (Node::AtLeast(schema, count), true) => arrays.at_least.push((*schema, *count)),
                (Node::AtMost(schema, count), true) => arrays.at_most.push((*schema, *count)),
                (Node::Unique, true) => arrays.unique = true,
                (Node::Unique, false) => {
                    arrays.repeated = true;
                    arrays.least = arrays.least.max(2);
                }
                _ => {}
            }
        }
        let ends = arrays.at.iter().map(|(at, _)| at + 1).chain(arrays.from.iter().map(|(from, _)| *from));
        let ends = ends.chain(arrays.some.iter().map(|(from, _)| *from));
        arrays.general = ends.max().unwrap_or(0);
        arrays
    }

    /// Whether nothing satisfies the literals.
    fn is_nothing(&mut self, literals: &[Literal]) -> bool {
        matches!(self.find(literals, kinds::EVERY), Found::Nothing)
    }

    pub(super) fn array(&mut self, atoms: &[Literal]) -> Found {
        let mut arrays = self.arrays(atoms);
        if arrays.general > MOST_POSITIONS {
            return Found::Unknown("an array with more positions than are told apart".into());
        }
        for position in 0..=arrays.general {
            if position as u64 >= arrays.most {
                break;
            }
            let literals = arrays.literals(position);
            if self.is_nothing(&literals) {
                arrays.most = position as u64;
            }
        }
        if arrays.least > arrays.most || (arrays.unique && arrays.repeated) {
            return Found::Nothing;
        }
        if self.cannot_be(&arrays) {
            return Found::Nothing;
        }
        let built = self.build_array(&arrays, atoms);
        built.map_or_else(|| Found::Unknown(self.why(atoms)), Found::Instance)
    }

    /// The positions below `most`, each of the general ones standing for all.
    fn positions(arrays: &Arrays) -> std::ops::Range<usize> {
        let end = arrays.general + 1;
        0..usize::try_from(arrays.most).map_or(end, |most| most.min(end))
    }

    fn with(arrays: &Arrays, position: usize, more: Literal) -> Vec<Literal> {
        let mut literals = arrays.literals(position);
        literals.push(more);
        literals
    }

    /// Proofs that one demand alone cannot be met.
    fn cannot_be(&mut self, arrays: &Arrays) -> bool {
        for (from, literal) in &arrays.some {
            let mut places = Self::positions(arrays).filter(|position| position >= from);
            if places.all(|position| self.is_nothing(&Self::with(arrays, position, *literal))) {
                return true;
            }
        }
        for (schema, count) in &arrays.at_least {
            if *count > arrays.most {
                return true;
            }
            let mut possible = 0;
            for position in Self::positions(arrays) {
                if !self.is_nothing(&Self::with(arrays, position, Literal::yes(*schema))) {
                    possible += if position == arrays.general { u64::MAX / 2 } else { 1 };
                }
            }
            if possible < *count {
                return true;
            }
            for (other, most) in &arrays.at_most {
                if most < count && self.is_nothing(&[Literal::yes(*schema), Literal::no(*other)]) {
                    return true;
                }
            }
        }
        for (schema, most) in &arrays.at_most {
            let mut forced = 0_u64;
            for position in Self::positions(arrays).filter(|position| (*position as u64) < arrays.least) {
                if self.is_nothing(&Self::with(arrays, position, Literal::no(*schema))) {
                    let general = arrays.least - position as u64;
                    forced += if position == arrays.general { general } else { 1 };
                }
            }
            if forced > *most {
                return true;
            }
        }
        arrays.repeated && self.pairs(arrays).is_empty()
    }

    /// Pairs of positions that could hold equal items, in order.
    fn pairs(&mut self, arrays: &Arrays) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        let end = usize::try_from(arrays.most).unwrap_or(usize::MAX).min(arrays.general + 2);
        for first in 0..end {
            for second in first + 1..end {
                let mut literals = arrays.literals(first);
                literals.extend(arrays.literals(second));
                if !self.is_nothing(&literals) {
                    pairs.push((first, second));
                }
            }
        }
        pairs
    }

    /// Builds an array greedily and checks it.
    fn build_array(&mut self, arrays: &Arrays, atoms: &[Literal]) -> Option<Value> {
        if arrays.least > MOST_ITEMS {
            return None;
        }
        let mut length = usize::try_from(arrays.least).ok()?;
        let most = usize::try_from(arrays.most).unwrap_or(usize::MAX);
        let mut wanted: BTreeMap<usize, Vec<Literal>> = BTreeMap::new();
        for (from, literal) in &arrays.some {
            let end = most.min(arrays.general.max(length) + 1);
            let place = (*from..end).find(|position| {
                let mut literals = Self::with(arrays, *position, *literal);
                literals.extend(wanted.get(position).into_iter().flatten());
                matches!(self.find(&literals, kinds::EVERY), Found::Instance(_))
            })?;
            wanted.entry(place).or_default().push(*literal);
            length = length.max(place + 1);
        }
        for (schema, count) in &arrays.at_least {
            let mut left = *count;
            let mut position = 0;
            while left > 0 {
                if position >= most || position > arrays.general + usize::try_from(MOST_ITEMS).ok()? {
                    return None;
                }
                let mut literals = Self::with(arrays, position, Literal::yes(*schema));
                literals.extend(wanted.get(&position).into_iter().flatten());
                if matches!(self.find(&literals, kinds::EVERY), Found::Instance(_)) {
                    wanted.entry(position).or_default().push(Literal::yes(*schema));
                    length = length.max(position + 1);
                    left -= 1;
                }
                position += 1;
            }
        }
        if !arrays.repeated {
            return self.fill(arrays, &wanted, length, None, atoms);
        }
        for (first, second) in self.pairs(arrays).into_iter().take(16) {
            let built = self.fill(arrays, &wanted, length.max(second + 1), Some((first, second)), atoms);
            if built.is_some() {
                return built;
            }
        }
        None
    }

    fn fill(
        &mut self,
        arrays: &Arrays,
        wanted: &BTreeMap<usize, Vec<Literal>>,
        length: usize,
        equal: Option<(usize, usize)>,
        atoms: &[Literal],
    ) -> Option<Value> {
        let mut items: Vec<Value> = Vec::with_capacity(length);
        for position in 0..length {
            if let Some((first, second)) = equal
                && second == position
            {
                items.push(items.get(first)?.clone());
                continue;
            }
            let mut literals = arrays.literals(position);
            literals.extend(wanted.get(&position).into_iter().flatten());
            if let Some((first, second)) = equal
                && first == position
            {
                literals.extend(arrays.literals(second));
                literals.extend(wanted.get(&second).into_iter().flatten());
            }
            let mut sparing = literals.clone();
            sparing.extend(arrays.at_most.iter().map(|(schema, _)| Literal::no(*schema)));
            if arrays.unique && !items.is_empty() {
                let used = items.iter().map(|item| self.arena.value_id(item)).collect();
                let used = self.arena.atom(Node::Enum(used));
                literals.push(Literal::no(used));
                sparing.push(Literal::no(used));
            }
            let item = match self.find(&sparing, kinds::EVERY) {
                Found::Instance(item) => item,
                _ => match self.find(&literals, kinds::EVERY) {
                    Found::Instance(item) => item,
                    _ => return None,
                },
            };
            items.push(item);
        }
        let value = Value::Array(items);
        (self.evaluator().satisfies(atoms, &value) == Some(true)).then_some(value)
    }
}
