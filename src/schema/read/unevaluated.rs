//! `unevaluatedProperties` and `unevaluatedItems`, by cases over which branches of the schema hold.
//!
//! Each case knows what has been evaluated, so it asks what `additionalProperties` or `items` would ask.

use super::SchemaReader;
use crate::schema::dialect::Dialect;
use crate::schema::node::{Id, Node, TRUE};
use crate::schema::read::Located;
use serde_json::{Map, Value};
use std::rc::Rc;

/// Branches that are told apart; every one doubles the cases.
const MOST_CONDITIONS: usize = 7;

/// What a schema has evaluated, and what else it has where conditions hold.
#[derive(Clone, Default)]
struct Evaluated {
    names: Vec<Rc<str>>,
    patterns: Vec<u32>,
    every_property: bool,
    first_items: usize,
    every_item: bool,
    contained: Vec<Id>,
    conditions: Vec<(Id, Evaluated, Evaluated)>,
    unknown: bool,
}

impl Evaluated {
    fn join(&mut self, other: Evaluated) {
        self.names.extend(other.names);
        self.patterns.extend(other.patterns);
        self.every_property |= other.every_property;
        self.first_items = self.first_items.max(other.first_items);
        self.every_item |= other.every_item;
        self.contained.extend(other.contained);
        self.conditions.extend(other.conditions);
        self.unknown |= other.unknown;
    }

    fn is_nothing(&self) -> bool {
        self.names.is_empty()
            && self.patterns.is_empty()
            && self.contained.is_empty()
            && self.conditions.is_empty()
            && self.first_items == 0
            && !self.every_property
            && !self.every_item
            && !self.unknown
    }

    fn count(&self) -> usize {
        self.conditions.iter().map(|(_, then, other)| 1 + then.count() + other.count()).sum()
    }
}

/// Which of the two keywords.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Properties,
    Items,
}

impl<'a> SchemaReader<'a, '_> {
    pub(super) fn unevaluated(
        &mut self,
        place: Located<'a>,
        members: &'a Map<String, Value>,
        depth: usize,
        parts: &mut Vec<Id>,
    ) {
        if self.document.dialect < Dialect::Draft201909 {
            return;
        }
        for (keyword, of) in [("unevaluatedProperties", Of::Properties), ("unevaluatedItems", Of::Items)] {
            let Some(schema) = members.get(keyword) else { continue };
            let schema = self.inner(place, schema, depth);
            if schema == TRUE {
                continue;
            }
            let mut evaluated = self.evaluated(place, depth, Some(keyword));
            // A condition that adds nothing for this keyword would only double the cases.
            prune(&mut evaluated, of);
            parts.push(if evaluated.unknown || evaluated.count() > MOST_CONDITIONS {
                self.arena.unknown(&format!("`{keyword}` beside more branches than are told apart"))
            } else {
                self.cases(evaluated, of, schema)
            });
        }
    }

    fn cases(&mut self, mut evaluated: Evaluated, of: Of, schema: Id) -> Id {
        let everything = match of {
            Of::Properties => evaluated.every_property,
            Of::Items => evaluated.every_item,
        };
        if everything {
            return TRUE;
        }
        let Some((condition, then, other)) = evaluated.conditions.pop() else {
            return match of {
                Of::Properties => self.others(evaluated.names, evaluated.patterns, schema),
                Of::Items => {
                    evaluated.contained.push(schema);
                    let allowed = self.arena.any(evaluated.contained);
                    self.arena.atom(Node::ItemsFrom(evaluated.first_items, allowed))
                }
            };
        };
        let (mut with, mut without) = (evaluated.clone(), evaluated);
        with.join(then);
        without.join(other);
        let with = self.cases(with, of, schema);
        let without = self.cases(without, of, schema);
        if with == without {
            return with;
        }
        let with = self.implies(condition, with);
        let without = self.arena.any(vec![condition, without]);
        self.arena.all(vec![with, without])
    }

    /// What `place` evaluates where it holds; `except` is the keyword being decided.
    fn evaluated(&mut self, place: Located<'a>, depth: usize, except: Option<&str>) -> Evaluated {
        let mut found = Evaluated::default();
        let Some(members) = place.schema.as_object() else { return found };
        if depth > self.budget.depth {
            found.unknown = true;
            return found;
        }
        let has = |keyword: &str| except != Some(keyword) && members.contains_key(keyword);
        self.evaluated_members(members, &mut found);
        found.every_property |= has("additionalProperties") || has("unevaluatedProperties");
        found.every_item |= has("unevaluatedItems");
        self.evaluated_items(place, members, depth, &mut found);
        for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
            let Some(reference) = members.get(keyword) else { continue };
            match reference.as_str().map(|text| self.document.follow(place, text)) {
                Some(Ok(target)) if keyword == "$ref" || !self.document.is_dynamic() => {
                    // A cycle runs into the depth bound and is unknown.
                    let inner = self.evaluated(target, depth + 8, None);
                    found.join(inner);
                }
                _ => found.unknown = true,
            }
        }
        for branch in members.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            let inner = self.evaluated(self.document.enter(place, branch), depth + 1, None);
            found.join(inner);
        }
        for keyword in ["anyOf", "oneOf"] {
            for branch in members.get(keyword).and_then(Value::as_array).into_iter().flatten() {
                self.condition(place, branch, depth, &mut found);
            }
        }
        for (name, schema) in members.get("dependentSchemas").and_then(Value::as_object).into_iter().flatten() {
            let inner = self.evaluated(self.document.enter(place, schema), depth + 1, None);
            let condition = self.has(name);
            found.conditions.push((condition, inner, Evaluated::default()));
        }
        if let Some(condition) = members.get("if") {
            let mut with = self.evaluated(self.document.enter(place, condition), depth + 1, None);
            let mut without = Evaluated::default();
            for (keyword, side) in [("then", &mut with), ("else", &mut without)] {
                if let Some(schema) = members.get(keyword) {
                    let inner = self.evaluated(self.document.enter(place, schema), depth + 1, None);
                    side.join(inner);
                }
            }
            let condition = self.inner(place, condition, depth);
            found.conditions.push((condition, with, without));
        }
        found
    }

    fn condition(&mut self, place: Located<'a>, branch: &'a Value, depth: usize, found: &mut Evaluated) {
        let inner = self.evaluated(self.document.enter(place, branch), depth + 1, None);
        if inner.is_nothing() {
            return;
        }
        let condition = self.inner(place, branch, depth);
        found.conditions.push((condition, inner, Evaluated::default()));
    }

    fn evaluated_members(&mut self, members: &Map<String, Value>, found: &mut Evaluated) {
        for name in members.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys) {
            found.names.push(Rc::from(name.as_str()));
        }
        for source in members.get("patternProperties").and_then(Value::as_object).into_iter().flat_map(Map::keys) {
            match self.pattern(source) {
                Ok(Some(pattern)) => found.patterns.push(pattern),
                Ok(None) => found.every_property = true,
                Err(_) => found.unknown = true,
            }
        }
    }

    fn evaluated_items(
        &mut self,
        place: Located<'a>,
        members: &'a Map<String, Value>,
        depth: usize,
        found: &mut Evaluated,
    ) {
        let new = self.document.dialect == Dialect::Draft202012;
        let length = |keyword: &str| members.get(keyword).and_then(Value::as_array).map_or(0, Vec::len);
        if new {
            found.first_items = length("prefixItems");
            found.every_item |= members.contains_key("items");
            if let Some(contains) = members.get("contains") {
                let contained = self.inner(place, contains, depth);
                found.contained.push(contained);
            }
            return;
        }
        match members.get("items") {
            Some(Value::Array(first)) => {
                found.first_items = first.len();
                found.every_item |= members.contains_key("additionalItems");
            }
            Some(_) => found.every_item = true,
            None => {}
        }
    }
}

/// Drops the conditions that evaluate nothing of the kind asked for.
fn prune(evaluated: &mut Evaluated, of: Of) {
    for (_, then, other) in &mut evaluated.conditions {
        prune(then, of);
        prune(other, of);
    }
    match of {
        Of::Properties => {
            (evaluated.first_items, evaluated.every_item) = (0, false);
            evaluated.contained.clear();
        }
        Of::Items => {
            evaluated.every_property = false;
            evaluated.names.clear();
            evaluated.patterns.clear();
        }
    }
    evaluated.conditions.retain(|(_, then, other)| !(then.is_nothing() && other.is_nothing()));
}
