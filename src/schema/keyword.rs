//! The keywords of JSON Schema in the drafts 04 to 2020-12: which of them decide what is accepted, and which hold schemas.
//! The one table of it; no meaning beyond that.

use Act::{Bounds, Decides, Neither};
use Holds::{ByName, Directly};
use serde_json::Value;

/// How a keyword holds schemas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// By names of the schema's own choice (`properties`).
    ByName,
    /// As the value itself, or as a list (`items`, `anyOf`).
    Directly,
}

/// What a keyword does to what is accepted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Act {
    /// Bounds it by itself: loosened, it lets more pass once no other keyword is in the way.
    Bounds,
    /// Decides it, in some dialect, together with others or by the schemas that it holds.
    Decides,
    /// Names or holds schemas; `format` is a class of change of its own.
    Neither,
}

/// Every keyword that is more than an annotation.
const KEYWORDS: [(&str, Act, Option<Holds>); 53] = [
    ("$ref", Decides, None),
    ("$dynamicRef", Decides, None),
    ("$recursiveRef", Decides, None),
    ("type", Decides, None),
    ("enum", Bounds, None),
    ("const", Bounds, None),
    ("minimum", Bounds, None),
    ("maximum", Bounds, None),
    ("exclusiveMinimum", Bounds, None),
    ("exclusiveMaximum", Bounds, None),
    ("multipleOf", Bounds, None),
    ("minLength", Bounds, None),
    ("maxLength", Bounds, None),
    ("pattern", Bounds, None),
    ("minItems", Bounds, None),
    ("maxItems", Bounds, None),
    ("uniqueItems", Bounds, None),
    ("prefixItems", Decides, Some(Directly)),
    ("items", Decides, Some(Directly)),
    ("additionalItems", Decides, Some(Directly)),
    ("contains", Decides, Some(Directly)),
    ("minContains", Decides, None),
    ("maxContains", Decides, None),
    ("unevaluatedItems", Decides, Some(Directly)),
    ("required", Bounds, None),
    ("properties", Decides, Some(ByName)),
    ("patternProperties", Bounds, Some(ByName)),
    ("additionalProperties", Bounds, Some(Directly)),
    ("propertyNames", Bounds, Some(Directly)),
    ("minProperties", Bounds, None),
    ("maxProperties", Bounds, None),
    ("dependencies", Decides, Some(ByName)),
    ("dependentRequired", Decides, None),
    ("dependentSchemas", Decides, Some(ByName)),
    ("unevaluatedProperties", Decides, Some(Directly)),
    ("allOf", Decides, Some(Directly)),
    ("anyOf", Decides, Some(Directly)),
    ("oneOf", Decides, Some(Directly)),
    ("not", Decides, Some(Directly)),
    ("if", Decides, Some(Directly)),
    ("then", Decides, Some(Directly)),
    ("else", Decides, Some(Directly)),
    ("$schema", Neither, None),
    ("$id", Neither, None),
    ("id", Neither, None),
    ("$anchor", Neither, None),
    ("$dynamicAnchor", Neither, None),
    ("$recursiveAnchor", Neither, None),
    ("$vocabulary", Neither, None),
    ("$defs", Neither, Some(ByName)),
    ("definitions", Neither, Some(ByName)),
    ("format", Neither, None),
    ("contentSchema", Neither, Some(Directly)),
];

fn row(keyword: &str) -> Option<&'static (&'static str, Act, Option<Holds>)> {
    KEYWORDS.iter().find(|(name, ..)| *name == keyword)
}

/// How `keyword` holds schemas; none where it holds values.
pub fn holds(keyword: &str) -> Option<Holds> {
    row(keyword)?.2
}

/// Whether a keyword says nothing about what is accepted in any dialect.
pub(super) fn is_annotation(keyword: &str) -> bool {
    row(keyword).is_none()
}

/// Whether a keyword bounds what is accepted by itself.
pub fn is_bound(keyword: &str) -> bool {
    row(keyword).is_some_and(|(_, act, _)| *act == Bounds)
}

/// Whether a keyword's list is a set.
pub fn is_set(keyword: &str) -> bool {
    matches!(keyword, "enum" | "required" | "type")
}

/// The schemas right under `schema`, with the tokens that lead to each: one, or two where a name or an index follows.
pub fn subschemas(schema: &Value) -> Vec<(Vec<String>, &Value)> {
    let mut found = Vec::new();
    for (keyword, value) in schema.as_object().into_iter().flatten() {
        match (holds(keyword), value) {
            (Some(Holds::ByName), Value::Object(names)) => {
                found.extend(names.iter().map(|(name, inner)| (vec![keyword.clone(), name.clone()], inner)));
            }
            (Some(Holds::Directly), Value::Array(list)) => {
                let indexed = list.iter().enumerate();
                found.extend(indexed.map(|(index, inner)| (vec![keyword.clone(), index.to_string()], inner)));
            }
            (Some(Holds::Directly), inner) => found.push((vec![keyword.clone()], inner)),
            _ => {}
        }
    }
    found
}

/// `schema` with each schema right under it replaced by what `change` makes of it, and without the keywords that are not
/// to `keep`. What is no object stays as it is.
pub(super) fn rebuilt(schema: &Value, keep: impl Fn(&str) -> bool, change: impl Fn(&Value) -> Value) -> Value {
    let Value::Object(members) = schema else { return schema.clone() };
    let kept = members.iter().filter(|(keyword, _)| keep(keyword));
    let changed = kept.map(|(keyword, value)| {
        let value = match (holds(keyword), value) {
            (Some(Holds::ByName), Value::Object(names)) => {
                Value::Object(names.iter().map(|(name, inner)| (name.clone(), change(inner))).collect())
            }
            (Some(Holds::Directly), Value::Array(list)) => list.iter().map(&change).collect(),
            (Some(Holds::Directly), inner) => change(inner),
            (_, other) => other.clone(),
        };
        (keyword.clone(), value)
    });
    Value::Object(changed.collect())
}
