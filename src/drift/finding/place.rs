//! The texts of a definition, each with the pointer to it and what kind of text it is. A model reads names as well as
//! prose, so that member names are texts too.

use crate::canon::Pointer;
use serde_json::Value;

/// What kind of text stands somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// A name that a model or a caller uses: of an item, of a parameter.
    Name,
    /// Sentences that say what something does: descriptions, titles.
    Prose,
    /// Sentences whose first verb is for the model: instructions, and what a parameter is filled with.
    Asked,
    /// A value that a caller may send: a default, an example, an element of `enum`.
    Value,
    /// A URI, an icon, vendor data: what nobody is meant to read.
    Data,
}

/// One text of a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Text<'a> {
    /// Where.
    pub(super) path: Pointer,
    /// What kind.
    pub(super) place: Place,
    /// The characters.
    pub(super) characters: &'a str,
    /// Whether it is the name of a member whose own value is a string, so that offsets at `path` would mean that one.
    pub(super) shadowed: bool,
}

/// Members whose values a caller may send.
const VALUES: [&str; 5] = ["default", "examples", "example", "enum", "const"];
/// Members that are data for programs.
const DATA: [&str; 13] = [
    "icons",
    "_meta",
    "uri",
    "uriTemplate",
    "mimeType",
    "$schema",
    "$ref",
    "$id",
    "pattern",
    "format",
    "type",
    "x-assay-sig",
    "websiteUrl",
];

/// Every text of a definition, in the order of its members.
pub(super) fn texts(definition: &Value) -> Vec<Text<'_>> {
    let mut found = Vec::new();
    let place = if definition.is_string() { Place::Asked } else { Place::Prose };
    walk(&mut found, definition, &Pointer::root(), place);
    found
}

fn walk<'a>(found: &mut Vec<Text<'a>>, value: &'a Value, path: &Pointer, place: Place) {
    match value {
        Value::String(text) => found.push(Text { path: path.clone(), place, characters: text, shadowed: false }),
        Value::Array(elements) => {
            for (at, element) in elements.iter().enumerate() {
                walk(found, element, &path.child(at), place);
            }
        }
        Value::Object(members) => {
            for (name, value) in members {
                let at = path.child(name);
                if place != Place::Data {
                    found.push(Text {
                        path: at.clone(),
                        place: Place::Name,
                        characters: name,
                        shadowed: value.is_string(),
                    });
                }
                // The names in `required` are those of `properties`.
                if name != "required" || !value.is_array() {
                    walk(found, value, &at, inside(place, name, value));
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// What kind of text stands in a member. A parameter may be called like a keyword: its schema is no text.
fn inside(place: Place, name: &str, value: &Value) -> Place {
    if value.is_object() && !DATA.contains(&name) {
        let asked = place == Place::Prose && matches!(name, "properties" | "$defs" | "definitions");
        return if asked { Place::Asked } else { place };
    }
    match name {
        _ if place == Place::Data || place == Place::Value => place,
        "name" => Place::Name,
        _ if VALUES.contains(&name) => Place::Value,
        _ if DATA.contains(&name) => Place::Data,
        _ => place,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_text_has_its_place() {
        let definition = json!({
            "name": "t", "description": "d",
            "inputSchema": {"properties": {"default": {"description": "p", "enum": ["v"]}}, "required": ["default"]},
            "icons": [{"src": "data:x"}],
        });
        let found = texts(&definition);
        let place = |path: &str, text: &str| {
            found.iter().find(|found| found.path.as_str() == path && found.characters == text).map(|found| found.place)
        };
        assert_eq!(place("/name", "t"), Some(Place::Name));
        assert_eq!(place("/description", "d"), Some(Place::Prose));
        assert_eq!(place("/inputSchema/properties/default", "default"), Some(Place::Name));
        assert_eq!(place("/inputSchema/properties/default/description", "p"), Some(Place::Asked));
        assert_eq!(place("/inputSchema/properties/default/enum/0", "v"), Some(Place::Value));
        assert_eq!(place("/icons/0/src", "data:x"), Some(Place::Data));
        assert_eq!(place("/inputSchema/required/0", "default"), None);
    }
}
