//! The texts of a definition, each with the pointer to it and what kind of text it is. A model reads names as well as
//! prose, so that member names are texts too.

use crate::canon::Pointer;
use serde_json::Value;

/// What kind of text stands somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextKind {
    /// A name that a model or a caller uses: of an item, of a parameter.
    Name,
    /// Sentences that say what something does: descriptions, titles.
    Prose,
    /// Sentences whose first verb is for the model: a server's instructions.
    Asked,
    /// A value that a caller may send: a default, an example, an element of `enum`.
    Value,
    /// A URI, an icon, vendor data: what nobody is meant to read.
    Data,
}

/// One text of a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text<'a> {
    /// Where.
    pub path: Pointer,
    /// What kind.
    pub kind: TextKind,
    /// The characters.
    pub characters: &'a str,
    /// Whether it is the name of a member whose own value is a string, so that offsets at `path` would mean that one.
    pub shadowed: bool,
}

/// Members whose values a caller may send.
const VALUES: [&str; 5] = ["default", "examples", "example", "enum", "const"];
/// Members that are data for programs.
const DATA: [&str; 14] = [
    "blob",
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
pub fn texts(definition: &Value) -> Vec<Text<'_>> {
    let mut found = Vec::new();
    let kind = if definition.is_string() { TextKind::Asked } else { TextKind::Prose };
    walk(&mut found, definition, &Pointer::root(), kind);
    found
}

fn walk<'a>(found: &mut Vec<Text<'a>>, value: &'a Value, path: &Pointer, kind: TextKind) {
    match value {
        Value::String(text) => found.push(Text { path: path.clone(), kind, characters: text, shadowed: false }),
        Value::Array(elements) => {
            for (at, element) in elements.iter().enumerate() {
                walk(found, element, &path.child(at), kind);
            }
        }
        Value::Object(members) => {
            for (name, value) in members {
                let at = path.child(name);
                if kind != TextKind::Data {
                    found.push(Text {
                        path: at.clone(),
                        kind: TextKind::Name,
                        characters: name,
                        shadowed: value.is_string(),
                    });
                }
                // The names in `required` are those of `properties`.
                if name != "required" || !value.is_array() {
                    walk(found, value, &at, inside(kind, name, value));
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// What kind of text stands in a member. A parameter may be called like a keyword: its schema is no text.
fn inside(kind: TextKind, name: &str, value: &Value) -> TextKind {
    if value.is_object() && !DATA.contains(&name) {
        return kind;
    }
    match name {
        _ if kind == TextKind::Data || kind == TextKind::Value => kind,
        "name" => TextKind::Name,
        _ if VALUES.contains(&name) => TextKind::Value,
        _ if DATA.contains(&name) => TextKind::Data,
        _ => kind,
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
        let kind = |path: &str, text: &str| {
            found.iter().find(|found| found.path.as_str() == path && found.characters == text).map(|found| found.kind)
        };
        assert_eq!(kind("/name", "t"), Some(TextKind::Name));
        assert_eq!(kind("/description", "d"), Some(TextKind::Prose));
        assert_eq!(kind("/inputSchema/properties/default", "default"), Some(TextKind::Name));
        assert_eq!(kind("/inputSchema/properties/default/description", "p"), Some(TextKind::Prose));
        assert_eq!(kind("/inputSchema/properties/default/enum/0", "v"), Some(TextKind::Value));
        assert_eq!(kind("/icons/0/src", "data:x"), Some(TextKind::Data));
        assert_eq!(kind("/inputSchema/required/0", "default"), None);
    }
}
