//! Keywords that change nothing in what is accepted, but that a model or a person reads.

use super::keyword::{is_annotation, rebuilt, subschemas};
use super::node::key_of;
use serde_json::Value;
use std::collections::BTreeMap;

/// One annotation that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct AnnotationChange {
    /// The JSON Pointer of the keyword, from the schema's root.
    pub pointer: String,
    /// The keyword.
    pub keyword: String,
    /// What stood there; none where nothing did.
    pub before: Option<Value>,
    /// What stands there now.
    pub after: Option<Value>,
}

/// A token as RFC 6901 writes it.
pub(super) fn escaped(token: &str) -> String {
    token.replace('~', "~0").replace('/', "~1")
}

/// The annotations that differ, in the order of their pointers.
pub(super) fn changes(old: &Value, new: &Value) -> Vec<AnnotationChange> {
    let (mut old, new) = (collected(old), collected(new));
    let mut changes = Vec::new();
    for ((pointer, keyword), after) in new {
        let before = old.remove(&(pointer.clone(), keyword));
        if before.is_none_or(|before| key_of(before) != key_of(after)) {
            let (before, after) = (before.cloned(), Some(after.clone()));
            changes.push(AnnotationChange { pointer, keyword: keyword.to_owned(), before, after });
        }
    }
    for ((pointer, keyword), before) in old {
        let before = Some(before.clone());
        changes.push(AnnotationChange { pointer, keyword: keyword.to_owned(), before, after: None });
    }
    changes.sort_by(|a, b| a.pointer.cmp(&b.pointer));
    changes
}

/// Whether two schemas differ in annotations alone, shown by leaving those out. False where a reference may lead into one.
pub(super) fn only_annotations_differ(old: &Value, new: &Value) -> bool {
    plain_references(old) && plain_references(new) && key_of(&bare(old)) == key_of(&bare(new))
}

/// A schema without its annotations.
fn bare(schema: &Value) -> Value {
    rebuilt(schema, |keyword| !is_annotation(keyword), bare)
}

/// Whether every reference names the whole, a shared definition, or another document.
fn plain_references(schema: &Value) -> bool {
    let mut open = vec![schema];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => {
                for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
                    let Some(reference) = members.get(keyword).and_then(Value::as_str) else { continue };
                    let definition =
                        ["#/$defs/", "#/definitions/"].iter().find_map(|start| reference.strip_prefix(start));
                    let plain = reference == "#"
                        || reference.contains("://") && !reference.contains('#')
                        || definition.is_some_and(|name| !name.contains('/'));
                    if !plain {
                        return false;
                    }
                }
                open.extend(members.values());
            }
            _ => {}
        }
    }
    true
}

fn collected(schema: &Value) -> BTreeMap<(String, &str), &Value> {
    let mut found = BTreeMap::new();
    let mut open = vec![(schema, String::new())];
    while let Some((schema, pointer)) = open.pop() {
        for (keyword, value) in schema.as_object().into_iter().flatten() {
            if is_annotation(keyword) {
                found.insert((format!("{pointer}/{}", escaped(keyword)), keyword.as_str()), value);
            }
        }
        for (tokens, inner) in subschemas(schema) {
            let inner_pointer =
                tokens.iter().fold(pointer.clone(), |pointer, token| format!("{pointer}/{}", escaped(token)));
            open.push((inner, inner_pointer));
        }
    }
    found
}
