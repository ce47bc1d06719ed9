//! References of a schema that lead nowhere in it.

use super::dialect::Dialect;
use super::keyword::subschemas;
use super::resolve::{Document, Located};
use serde_json::Value;
use std::collections::HashSet;

/// Keywords that refer.
const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];

/// A reference, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dangling {
    /// JSON Pointer from the schema's root to the keyword. What only another reference leads to is told at that one.
    pub pointer: String,
    /// What it says.
    pub reference: String,
}

/// The references into this schema that lead to no schema of it, in the order of their places. What another document holds
/// is not known, and not told. Values (`enum`, `const`, `default`) hold no references.
pub fn dangling(schema: &Value) -> Vec<Dangling> {
    let document = Document::new(schema, Dialect::declared(schema).ok().flatten().unwrap_or(Dialect::Draft202012));
    let Some(root) = document.root() else { return Vec::new() };
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    // What is reached by a reference waits: most of it stands where schemas stand, and is met there with its own pointer.
    let (mut open, mut reached) = (vec![(root, String::new())], Vec::new());
    while let Some((place, pointer)) = open.pop().or_else(|| reached.pop()) {
        if !seen.insert(place.address()) {
            continue;
        }
        for keyword in REFERENCES {
            let Some(reference) = place.schema.get(keyword).and_then(Value::as_str) else { continue };
            if !document.is_own(place, reference) {
                continue;
            }
            let pointer = format!("{pointer}/{keyword}");
            match document.follow(place, reference) {
                Ok(target) if target.schema.is_object() || target.schema.is_boolean() => {
                    reached.push((target, pointer));
                }
                _ => found.push(Dangling { pointer, reference: reference.to_owned() }),
            }
        }
        for (tokens, inner) in subschemas(place.schema) {
            let escaped = tokens.iter().map(|token| token.replace('~', "~0").replace('/', "~1"));
            let pointer = escaped.fold(pointer.clone(), |pointer, token| format!("{pointer}/{token}"));
            open.push((document.enter(place, inner), pointer));
        }
    }
    found.sort_by(|a, b| a.pointer.cmp(&b.pointer));
    found
}

impl Document<'_> {
    /// Whether a reference is into this document.
    fn is_own(&self, from: Located<'_>, reference: &str) -> bool {
        reference.starts_with('#') || reference.is_empty() || self.knows(from, reference)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_a_local_reference_to_no_schema_dangles() {
        for (schema, places) in [
            (json!({"properties": {"a": {"$ref": "#/$defs/A"}}}), vec!["/properties/a/$ref"]),
            (json!({"$ref": "#/$defs/A", "$defs": {"A": true}}), vec![]),
            (json!({"$defs": {"A": {"items": {"$ref": "#/$defs/B"}}}}), vec!["/$defs/A/items/$ref"]),
            (json!({"definitions": {"A": {}}, "not": {"$ref": "#/$defs/A"}}), vec!["/not/$ref"]),
            (
                json!({"anyOf": [{}, {"$ref": "#a"}], "allOf": [{"$ref": "#b"}, {"$anchor": "b"}]}),
                vec!["/anyOf/1/$ref"],
            ),
            (json!({"properties": {"a/b": {"$ref": "#/x~y"}}}), vec!["/properties/a~1b/$ref"]),
            // Values, names and annotations are no schemas.
            (json!({"enum": [{"$ref": "#/a"}], "const": {"$ref": "#/a"}, "default": {"$ref": "#/a"}}), vec![]),
            (json!({"properties": {"$ref": {"type": "string"}}, "examples": [{"$ref": "#/a"}]}), vec![]),
            // What stands where no keyword leads is reached by the reference alone.
            (json!({"$ref": "#/parts/A", "parts": {"A": {"$ref": "#/parts/B"}}}), vec!["/$ref/$ref"]),
            (json!({"$ref": "#/title", "title": "x"}), vec!["/$ref"]),
            (json!({"$ref": "#"}), vec![]),
            (json!({"$ref": "https://a.example/s#/x", "not": {"$ref": "a.json"}}), vec![]),
            (json!({"$id": "https://a.example/s", "not": {"$ref": "s#/nowhere"}}), vec!["/not/$ref"]),
            (json!({"$ref": "#/$defs/a%20b", "$defs": {"a b": {}}}), vec![]),
            (json!({"$ref": 5}), vec![]),
            (json!(true), vec![]),
        ] {
            let found: Vec<_> = dangling(&schema).into_iter().map(|dangling| dangling.pointer).collect();
            assert_eq!(found, places, "{schema}");
        }
    }
}
