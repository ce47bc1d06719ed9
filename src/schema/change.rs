//! What differs between two schemas, keyword by keyword; `sentence` puts each into words.
//!
//! The direction is that of the keyword at its own place: what it does to the whole is [`super::Accepts`].

use super::annotation::escaped;
use super::decimal::Decimal;
use super::keyword::{Holds, holds, is_annotation, is_set};
use super::node::key_of;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use strum::IntoStaticStr;

mod sentence;

/// What kind of difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum SchemaChangeKind {
    /// It stands only in the new schema.
    Added,
    /// It stood only in the old schema.
    Removed,
    /// Both have it, with another value.
    Changed,
    /// Both have the same values in another order.
    Reordered,
    /// `format`: an annotation by default, which some servers check.
    Format,
    /// `$schema`.
    Dialect,
}

word!(SchemaChangeKind);

/// What a change does at its own place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum ChangeDirection {
    /// Accepts as before.
    Equal,
    /// Accepts more, or as before.
    Wider,
    /// Accepts less, or as before.
    Narrower,
    /// Accepts other things.
    Incomparable,
    /// Depends on more than this keyword.
    Undecided,
}

word!(ChangeDirection);

impl ChangeDirection {
    fn of(more: bool, less: bool) -> Self {
        match (more, less) {
            (false, false) => Self::Equal,
            (true, false) => Self::Wider,
            (false, true) => Self::Narrower,
            (true, true) => Self::Incomparable,
        }
    }
}

/// Who writes the instances that a schema describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Callers write, the server reads.
    Input,
    /// The server writes, callers read.
    Output,
}

/// One difference in what is asserted.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct SchemaChange {
    /// The JSON Pointer of what differs, from the schema's root.
    pub pointer: String,
    pub keyword: String,
    pub kind: SchemaChangeKind,
    /// What stood there; none where nothing did.
    pub before: Option<Value>,
    /// What stands there now.
    pub after: Option<Value>,
    /// What it does at its place.
    pub direction: ChangeDirection,
}

impl SchemaChange {
    /// The change in words, without a full stop. May quote the schema. `direction` says whether the names that a schema
    /// declares are parameters or members of an output.
    pub fn sentence(&self, direction: Direction) -> String {
        let (headline, was) = sentence::of(self, direction);
        format!("{headline}{was}")
    }

    /// The same in fewer words: without what stood there before, where nothing does now.
    pub fn headline(&self, direction: Direction) -> String {
        sentence::of(self, direction).0
    }
}

/// All differences, in the order of their pointers.
pub(super) fn changes(old: &Value, new: &Value) -> Vec<SchemaChange> {
    let mut changes = Changes { found: Vec::new() };
    changes.schema("", "", old, new);
    changes.found.sort_by(|a, b| a.pointer.cmp(&b.pointer));
    changes.found
}

struct Changes {
    found: Vec<SchemaChange>,
}

impl Changes {
    fn push(
        &mut self,
        pointer: &str,
        keyword: &str,
        (before, after): (Option<&Value>, Option<&Value>),
        direction: ChangeDirection,
    ) {
        let kind = match (keyword, before, after) {
            ("format", ..) => SchemaChangeKind::Format,
            ("$schema", ..) => SchemaChangeKind::Dialect,
            (_, None, _) => SchemaChangeKind::Added,
            (_, _, None) => SchemaChangeKind::Removed,
            (_, Some(before), Some(after)) if is_set(keyword) && only_order(before, after) => {
                SchemaChangeKind::Reordered
            }
            _ => SchemaChangeKind::Changed,
        };
        self.found.push(SchemaChange {
            pointer: pointer.to_owned(),
            keyword: keyword.to_owned(),
            kind,
            before: before.cloned(),
            after: after.cloned(),
            direction,
        });
    }

    /// Two schemas that `keyword` holds; the whole ones under no keyword.
    fn schema(&mut self, pointer: &str, keyword: &str, old: &Value, new: &Value) {
        let (Value::Object(old), Value::Object(new)) = (old, new) else {
            if key_of(old) != key_of(new) {
                self.push(pointer, keyword, (Some(old), Some(new)), of_schemas(old, new));
            }
            return;
        };
        let keywords: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        for keyword in keywords {
            let here = format!("{pointer}/{}", escaped(keyword));
            self.keyword(&here, keyword, old, new);
        }
    }

    fn keyword(&mut self, here: &str, keyword: &str, old: &Map<String, Value>, new: &Map<String, Value>) {
        let (before, after) = (old.get(keyword), new.get(keyword));
        // What is said of text inside a text asserts nothing.
        if is_annotation(keyword) || matches!(keyword, "$vocabulary" | "contentSchema") {
            return;
        }
        match (holds(keyword), before, after) {
            (Some(Holds::ByName), ..) => return self.by_name(here, keyword, (old, before), (new, after)),
            (Some(Holds::Directly), Some(Value::Array(before)), Some(Value::Array(after))) => {
                return self.branches(here, keyword, before, after);
            }
            (Some(Holds::Directly), Some(Value::Array(_)), Some(_))
            | (Some(Holds::Directly), Some(_), Some(Value::Array(_))) => {
                return self.push(here, keyword, (before, after), ChangeDirection::Undecided);
            }
            (Some(Holds::Directly), Some(before), Some(after)) => return self.schema(here, keyword, before, after),
            _ => {}
        }
        let same = match (before, after) {
            // Order says nothing here, and is reported as what it is.
            (Some(before), Some(after)) if is_set(keyword) => before == after,
            (before, after) => before.map(key_of) == after.map(key_of),
        };
        if !same {
            self.push(here, keyword, (before, after), direction_of(keyword, before, after));
        }
    }

    fn by_name(
        &mut self,
        here: &str,
        keyword: &str,
        (old_schema, before): (&Map<String, Value>, Option<&Value>),
        (new_schema, after): (&Map<String, Value>, Option<&Value>),
    ) {
        let empty = Map::new();
        let old = before.and_then(Value::as_object).unwrap_or(&empty);
        let new = after.and_then(Value::as_object).unwrap_or(&empty);
        let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        for name in names {
            let inner = format!("{here}/{}", escaped(name));
            match (old.get(name), new.get(name)) {
                (Some(before), Some(after)) if before.is_array() || after.is_array() => {
                    if key_of(before) != key_of(after) {
                        self.push(&inner, keyword, (Some(before), Some(after)), ChangeDirection::Undecided);
                    }
                }
                (Some(before), Some(after)) => self.schema(&inner, keyword, before, after),
                (None, Some(after)) => {
                    let direction = named(keyword, after, old_schema, true);
                    self.push(&inner, keyword, (None, Some(after)), direction);
                }
                (Some(before), None) => {
                    let direction = named(keyword, before, new_schema, false);
                    self.push(&inner, keyword, (Some(before), None), direction);
                }
                (None, None) => {}
            }
        }
    }

    /// Branches pair up where they are equal, then by their order.
    fn branches(&mut self, here: &str, keyword: &str, old: &[Value], new: &[Value]) {
        let positional = matches!(keyword, "items" | "prefixItems");
        let (mut left, mut added): (Vec<usize>, Vec<usize>) = ((0..old.len()).collect(), (0..new.len()).collect());
        if !positional {
            added.retain(|at| {
                let key = key_of(&new[*at]);
                let pair = left.iter().position(|other| key_of(&old[*other]) == key);
                pair.map(|pair| left.remove(pair)).is_none()
            });
        }
        for (before, after) in left.iter().zip(&added) {
            self.schema(&format!("{here}/{after}"), keyword, &old[*before], &new[*after]);
        }
        let pairs = left.len().min(added.len());
        let direction = |added: bool| match (keyword, added) {
            ("anyOf", true) | ("allOf", false) => ChangeDirection::Wider,
            ("anyOf", false) | ("allOf", true) => ChangeDirection::Narrower,
            _ => ChangeDirection::Undecided,
        };
        for before in &left[pairs..] {
            self.push(&format!("{here}/{before}"), keyword, (Some(&old[*before]), None), direction(false));
        }
        for after in &added[pairs..] {
            self.push(&format!("{here}/{after}"), keyword, (None, Some(&new[*after])), direction(true));
        }
    }
}

fn of_schemas(old: &Value, new: &Value) -> ChangeDirection {
    let everything = |schema: &Value| schema == &Value::Bool(true) || schema.as_object().is_some_and(Map::is_empty);
    let nothing = |schema: &Value| schema == &Value::Bool(false);
    if everything(old) && everything(new) {
        ChangeDirection::Equal
    } else if everything(new) || nothing(old) {
        ChangeDirection::Wider
    } else if everything(old) || nothing(new) {
        ChangeDirection::Narrower
    } else {
        ChangeDirection::Undecided
    }
}

/// A named schema that is added, or removed; `beside` is the schema that lacks it.
fn named(keyword: &str, schema: &Value, beside: &Map<String, Value>, added: bool) -> ChangeDirection {
    let direction = match keyword {
        "$defs" | "definitions" => return ChangeDirection::Equal,
        "properties" if beside.get("additionalProperties") == Some(&Value::Bool(false)) => ChangeDirection::Wider,
        "properties" if of_schemas(schema, &Value::Bool(true)) == ChangeDirection::Equal => ChangeDirection::Equal,
        "properties" | "patternProperties" if beside.get("additionalProperties").is_some() => {
            ChangeDirection::Undecided
        }
        "properties" | "patternProperties" | "dependentSchemas" | "dependencies" => ChangeDirection::Narrower,
        _ => ChangeDirection::Undecided,
    };
    match direction {
        ChangeDirection::Wider if !added => ChangeDirection::Narrower,
        ChangeDirection::Narrower if !added => ChangeDirection::Wider,
        other => other,
    }
}

fn direction_of(keyword: &str, before: Option<&Value>, after: Option<&Value>) -> ChangeDirection {
    match keyword {
        "format" | "$schema" => ChangeDirection::Equal,
        "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" => bounds(before, after, true),
        "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" => bounds(before, after, false),
        "required" => sets(after, before, Some(&Value::Array(Vec::new()))),
        "enum" | "type" => sets(before, after, None),
        "const" if before.is_some() && after.is_some() => ChangeDirection::Incomparable,
        "const"
        | "pattern"
        | "multipleOf"
        | "contains"
        | "propertyNames"
        | "not"
        | "allOf"
        | "anyOf"
        | "oneOf"
        | "additionalProperties"
        | "unevaluatedProperties"
        | "unevaluatedItems"
        | "dependentRequired"
        | "$ref"
        | "items" => match (before, after) {
            (None, _) => ChangeDirection::Narrower,
            (_, None) => ChangeDirection::Wider,
            _ => ChangeDirection::Undecided,
        },
        "uniqueItems" => {
            let holds = |value: Option<&Value>| value == Some(&Value::Bool(true));
            ChangeDirection::of(holds(before), holds(after))
        }
        _ => ChangeDirection::Undecided,
    }
}

fn bounds(before: Option<&Value>, after: Option<&Value>, lower: bool) -> ChangeDirection {
    let decimal = |value: Option<&Value>| value.map(|value| value.as_number().and_then(Decimal::of));
    match (decimal(before), decimal(after)) {
        (None, Some(Some(_))) => ChangeDirection::Narrower,
        (Some(Some(_)), None) => ChangeDirection::Wider,
        (Some(Some(before)), Some(Some(after))) => {
            ChangeDirection::of((after < before) == lower, (after > before) == lower)
        }
        _ => ChangeDirection::Undecided,
    }
}

/// Whether two lists have the same values, as often, in another order.
fn only_order(before: &Value, after: &Value) -> bool {
    let keys = |value: &Value| -> Option<Vec<String>> { Some(value.as_array()?.iter().map(key_of).collect()) };
    let (Some(mut before), Some(mut after)) = (keys(before), keys(after)) else { return false };
    let moved = before != after;
    before.sort_unstable();
    after.sort_unstable();
    moved && before == after
}

/// Sets of values that are accepted; a missing one accepts everything, or `missing`.
fn sets(before: Option<&Value>, after: Option<&Value>, missing: Option<&Value>) -> ChangeDirection {
    let set = |value: Option<&Value>| -> Option<BTreeSet<String>> {
        let value = value.or(missing)?;
        let values = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
        let mut keys: BTreeSet<String> = values.iter().map(key_of).collect();
        if keys.contains("\"number\"") {
            keys.insert("\"integer\"".to_owned());
        }
        Some(keys)
    };
    match (set(before), set(after)) {
        (None, _) => ChangeDirection::Narrower,
        (_, None) => ChangeDirection::Wider,
        (Some(before), Some(after)) => {
            ChangeDirection::of(after.difference(&before).next().is_some(), before.difference(&after).next().is_some())
        }
    }
}
