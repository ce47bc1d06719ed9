//! The parameters that a schema names, wherever in it: by their names, and by where their schemas stand. What applies to
//! one value together is for `declared`.

use super::keyword::subschemas;
use crate::canon::Pointer;
use serde_json::Value;
use std::collections::BTreeMap;

/// A declared parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Where its schema stands, from the schema's root.
    pub path: Pointer,
}

/// The parameters that a schema declares at any depth, by the path of names that leads to each (`/options/lang`).
/// Lists and alternatives on the way add nothing to that path.
pub fn parameters(schema: &Value) -> BTreeMap<Pointer, Parameter> {
    let mut found = BTreeMap::new();
    collect(schema, &Pointer::root(), &Pointer::root(), &mut found);
    found
}

fn collect(schema: &Value, names: &Pointer, path: &Pointer, found: &mut BTreeMap<Pointer, Parameter>) {
    for (tokens, inner) in subschemas(schema) {
        let at = tokens.iter().fold(path.clone(), |path, token| path.child(token));
        let name = tokens.get(1).filter(|_| tokens.first().is_some_and(|keyword| keyword == "properties"));
        let names = name.map_or_else(|| names.clone(), |name| names.child(name));
        if let Some(name) = name {
            found.entry(names.clone()).or_insert_with(|| Parameter { name: name.clone(), path: at.clone() });
        }
        collect(inner, &names, &at, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn parameters_are_found_at_any_depth() {
        let schema = json!({
            "properties": {"a": {"properties": {"b": {}}}, "list": {"items": {"properties": {"c": true}}}},
            "anyOf": [{"properties": {"d": {}}}],
            "$defs": {"x": {"properties": {"e": {}}}},
            "default": {"properties": {"no": {}}},
        });
        let names: Vec<_> = parameters(&schema).into_keys().map(|names| names.to_string()).collect();
        assert_eq!(names, ["/a", "/a/b", "/d", "/e", "/list", "/list/c"]);
    }
}
