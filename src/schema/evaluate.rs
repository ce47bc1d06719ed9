//! Whether a value satisfies a node: yes, no, or not known. Says what the search has found a second time.

use super::budget::Meter;
use super::decimal::Decimal;
use super::node::{Arena, Id, Node, kind_of, kinds};
use super::pattern::Patterns;
use serde_json::{Map, Value};
use std::rc::Rc;

/// What evaluation needs.
#[derive(Clone, Copy)]
pub(super) struct Evaluator<'a> {
    pub(super) arena: &'a Arena,
    pub(super) patterns: &'a Patterns,
    pub(super) meter: &'a Meter,
}

/// A node that must hold, or must not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Literal {
    pub(super) node: Id,
    pub(super) holds: bool,
}

impl Literal {
    /// `node` holds.
    pub(super) fn yes(node: Id) -> Self {
        Self { node, holds: true }
    }

    /// `node` does not hold.
    pub(super) fn no(node: Id) -> Self {
        Self { node, holds: false }
    }

    pub(super) fn contrary(self) -> Self {
        Self { holds: !self.holds, ..self }
    }
}

/// Three-valued "and" over an iterator: a known "no" wins over what is not known.
pub(super) fn every(answers: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut all = Some(true);
    for answer in answers {
        match answer {
            Some(true) => {}
            Some(false) => return Some(false),
            None => all = None,
        }
    }
    all
}

impl Evaluator<'_> {
    /// Whether `value` satisfies all of `literals`.
    pub(super) fn satisfies(&self, literals: &[Literal], value: &Value) -> Option<bool> {
        every(literals.iter().map(|literal| {
            let holds = self.holds(literal.node, value)?;
            Some(holds == literal.holds)
        }))
    }

    /// Whether `value` satisfies a node.
    pub(super) fn holds(&self, id: Id, value: &Value) -> Option<bool> {
        if !self.meter.take(1) {
            return None;
        }
        match self.arena.node(id) {
            Node::All(parts) => every(parts.iter().map(|part| self.holds(*part, value))),
            Node::Any(parts) => {
                every(parts.iter().map(|part| self.holds(*part, value).map(|held| !held))).map(|none| !none)
            }
            Node::One(parts) => self.one(parts, value),
            Node::Not(part) => self.holds(*part, value).map(|held| !held),
            Node::Ref(slot) => {
                if self.arena.ill_founded.get(*slot).copied().unwrap_or(true) {
                    return None;
                }
                self.holds(*self.arena.slots.get(*slot)?, value)
            }
            Node::Opaque(..) => None,
            Node::Kinds(set) => {
                let kind = kind_of(value);
                if kind & set == 0 { Some(false) } else { (kind & !set == 0).then_some(true) }
            }
            Node::Enum(values) => Some(self.arena.find_value(value).is_some_and(|id| values.contains(&id))),
            node => match value {
                Value::Number(number) => {
                    let written = !number.is_f64();
                    number_holds(node, Decimal::of(number), written)
                }
                Value::String(text) => self.string_holds(node, text),
                Value::Array(items) => self.array_holds(node, items),
                Value::Object(members) => self.object_holds(node, members),
                Value::Null | Value::Bool(_) => Some(true),
            },
        }
    }

    fn one(&self, parts: &[Id], value: &Value) -> Option<bool> {
        let (mut held, mut unknown) = (0, 0);
        for part in parts {
            match self.holds(*part, value) {
                Some(true) => held += 1,
                Some(false) => {}
                None => unknown += 1,
            }
        }
        if held > 1 { Some(false) } else { (unknown == 0).then_some(held == 1) }
    }

    fn string_holds(&self, node: &Node, text: &str) -> Option<bool> {
        let length = || u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
        match node {
            Node::MinLength(least) => Some(length() >= *least),
            Node::MaxLength(most) => Some(length() <= *most),
            Node::Pattern(pattern) => self.patterns.matches(self.arena, *pattern, text),
            _ => Some(true),
        }
    }

    fn array_holds(&self, node: &Node, items: &[Value]) -> Option<bool> {
        let length = u64::try_from(items.len()).unwrap_or(u64::MAX);
        match node {
            Node::MinItems(least) => Some(length >= *least),
            Node::MaxItems(most) => Some(length <= *most),
            Node::Unique => {
                let mut keys: Vec<_> = items.iter().map(super::node::key_of).collect();
                keys.sort_unstable();
                Some(keys.windows(2).all(|pair| pair[0] != pair[1]))
            }
            Node::ItemAt(at, schema) => items.get(*at).map_or(Some(true), |item| self.holds(*schema, item)),
            Node::ItemsFrom(from, schema) => every(items.iter().skip(*from).map(|item| self.holds(*schema, item))),
            Node::AtLeast(schema, count) | Node::AtMost(schema, count) => {
                let (mut held, mut unknown) = (0_u64, 0_u64);
                for item in items {
                    match self.holds(*schema, item) {
                        Some(true) => held += 1,
                        Some(false) => {}
                        None => unknown += 1,
                    }
                }
                let (least, most) = (held, held + unknown);
                if matches!(node, Node::AtLeast(..)) {
                    if least >= *count { Some(true) } else { (most < *count).then_some(false) }
                } else if most <= *count {
                    Some(true)
                } else {
                    (least > *count).then_some(false)
                }
            }
            _ => Some(true),
        }
    }

    fn object_holds(&self, node: &Node, members: &Map<String, Value>) -> Option<bool> {
        let count = u64::try_from(members.len()).unwrap_or(u64::MAX);
        match node {
            Node::Required(name) => Some(members.contains_key(&**name)),
            Node::Property(name, schema) => {
                members.get(&**name).map_or(Some(true), |member| self.holds(*schema, member))
            }
            Node::Matching(pattern, schema) => every(members.iter().map(|(name, member)| {
                let matches = self.patterns.matches(self.arena, *pattern, name);
                self.holds_where(matches, *schema, member)
            })),
            Node::Others { names, patterns, schema } => every(members.iter().map(|(name, member)| {
                let is_other = self.is_other(names, patterns, name);
                self.holds_where(is_other, *schema, member)
            })),
            Node::Names(schema) => every(members.keys().map(|name| self.holds(*schema, &Value::String(name.clone())))),
            Node::MinProperties(least) => Some(count >= *least),
            Node::MaxProperties(most) => Some(count <= *most),
            _ => Some(true),
        }
    }

    /// Whether a member satisfies a schema, if that is about it. Where the value fits anyway the name does not matter.
    fn holds_where(&self, is_about: Option<bool>, schema: Id, member: &Value) -> Option<bool> {
        match is_about {
            Some(false) => Some(true),
            Some(true) => self.holds(schema, member),
            None => self.holds(schema, member).filter(|held| *held),
        }
    }

    /// Whether a name is none of `names`, and matches none of `patterns`.
    pub(super) fn is_other(&self, names: &[Rc<str>], patterns: &[u32], name: &str) -> Option<bool> {
        if names.iter().any(|one| **one == *name) {
            return Some(false);
        }
        every(patterns.iter().map(|one| self.patterns.matches(self.arena, *one, name).map(|found| !found)))
    }
}

fn number_holds(node: &Node, number: Option<Decimal>, written: bool) -> Option<bool> {
    match node {
        Node::WrittenWhole => Some(written),
        Node::Minimum(bound, above) => {
            let number = number?;
            Some(if *above { number > *bound } else { number >= *bound })
        }
        Node::Maximum(bound, below) => {
            let number = number?;
            Some(if *below { number < *bound } else { number <= *bound })
        }
        Node::MultipleOf(step) => is_multiple(number?, *step),
        _ => Some(true),
    }
}

/// Whether `number` is a multiple of `step`; none where it is too large to say exactly.
pub(super) fn is_multiple(number: Decimal, step: Decimal) -> Option<bool> {
    let ((over, under), (step_over, step_under)) = (number.fraction()?, step.fraction()?);
    let (numerator, denominator) = (over.checked_mul(step_under)?, under.checked_mul(step_over)?);
    (denominator != 0).then(|| numerator % denominator == 0)
}

/// The kinds that an atom speaks about; a value of another kind satisfies it.
pub(super) fn speaks_about(node: &Node) -> u8 {
    match node {
        Node::WrittenWhole | Node::Minimum(..) | Node::Maximum(..) | Node::MultipleOf(_) => kinds::NUMBER,
        Node::MinLength(_) | Node::MaxLength(_) | Node::Pattern(_) => kinds::STRING,
        Node::MinItems(_)
        | Node::MaxItems(_)
        | Node::Unique
        | Node::ItemAt(..)
        | Node::ItemsFrom(..)
        | Node::AtLeast(..)
        | Node::AtMost(..) => kinds::ARRAY,
        Node::Required(_)
        | Node::Property(..)
        | Node::Matching(..)
        | Node::Others { .. }
        | Node::Names(_)
        | Node::MinProperties(_)
        | Node::MaxProperties(_) => kinds::OBJECT,
        Node::All(_)
        | Node::Any(_)
        | Node::One(_)
        | Node::Not(_)
        | Node::Ref(_)
        | Node::Opaque(..)
        | Node::Kinds(_)
        | Node::Enum(_) => kinds::EVERY,
    }
}
