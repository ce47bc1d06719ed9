//! Which keywords hold schemas, in the drafts 04 to 2020-12: the one table of it. No meaning beyond that.

use serde_json::Value;

/// How a keyword holds schemas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// By names of the schema's own choice (`properties`).
    ByName,
    /// As the value itself, or as a list (`items`, `anyOf`).
    Directly,
}

/// How `keyword` holds schemas; none where it holds values.
pub fn holds(keyword: &str) -> Option<Holds> {
    Some(match keyword {
        "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" | "dependencies" => {
            Holds::ByName
        }
        "items"
        | "prefixItems"
        | "additionalItems"
        | "contains"
        | "unevaluatedItems"
        | "additionalProperties"
        | "propertyNames"
        | "unevaluatedProperties"
        | "contentSchema"
        | "not"
        | "if"
        | "then"
        | "else"
        | "allOf"
        | "anyOf"
        | "oneOf" => Holds::Directly,
        _ => return None,
    })
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
