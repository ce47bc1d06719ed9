//! A definition that nothing is compared with in few lines: texts as text, parameters in one sentence, everything else as
//! JSON on one line. Nothing of it is left out: who decides on it has been shown it.

use super::parts::{Part, Parts, in_order};
use crate::canon::Pointer;
use crate::digest::Item;
use serde_json::{Map, Value};

impl Parts {
    /// Of an item whose key stands above it. One on which parsers disagree is shown as received.
    pub fn brief(item: &Item) -> Self {
        let Some(Value::Object(members)) = item.definition.exact() else {
            return Self::of(None, Some(item), &[], false);
        };
        let is_key = |name: &str, value: &Value| {
            item.id.kind.key_member() == Some(name) && value.as_str() == Some(item.id.key.as_ref())
        };
        let mut texts = Vec::new();
        for name in in_order(members.keys()) {
            match &members[&name] {
                value if is_key(&name, value) => {}
                Value::Object(schema) if name == "inputSchema" => parameters(schema.clone(), &mut texts),
                value => texts.push(alone(&name, Pointer::root().child(&name), value)),
            }
        }
        Self { texts, rest: Vec::new() }
    }
}

/// The whole of a value: a string as it is, all else as JSON on one line.
fn alone(heading: &str, path: Pointer, value: &Value) -> Part {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    Part { heading: heading.to_owned(), path, before: None, after: Some(text), is_string: value.is_string() }
}

/// What a schema declares in a sentence, then the description of each parameter, then what the schema says beside them.
fn parameters(mut schema: Map<String, Value>, found: &mut Vec<Part>) {
    let path = Pointer::root().child("inputSchema");
    let declared = match schema.get("properties") {
        Some(Value::Object(properties)) => properties.clone(),
        _ => Map::new(),
    };
    let names = |value: &Value| value.as_str().filter(|name| declared.contains_key(*name)).map(str::to_owned);
    let required = schema.get("required").and_then(Value::as_array);
    let required = required.and_then(|required| required.iter().map(names).collect::<Option<Vec<_>>>());
    schema.retain(|keyword, value| match keyword.as_str() {
        "type" => value != "object",
        "properties" => !value.is_object(),
        "required" => required.is_none(),
        _ => true,
    });
    let mut told = Vec::new();
    let mut descriptions = Vec::new();
    for (name, own) in &declared {
        let is_required = required.as_ref().is_some_and(|required| required.contains(name));
        if let Some(text) = own.get("description").filter(|text| text.is_string()) {
            let path = path.child("properties").child(name).child("description");
            descriptions.push(alone(&format!("parameter {}", plain(name)), path, text));
        }
        told.push(format!("{}{}{}", plain(name), of_type(own), if is_required { " (required)" } else { "" }));
    }
    let told = if told.is_empty() { "none".to_owned() } else { told.join(", ") };
    found.push(Part { is_string: false, ..alone("parameters", path.clone(), &Value::String(told)) });
    found.append(&mut descriptions);
    if !schema.is_empty() {
        found.push(alone("inputSchema", path, &Value::Object(schema)));
    }
}

/// A name as it is, or as JSON where it could be read as more than a name.
fn plain(name: &str) -> String {
    let is_plain = name.chars().all(|letter| letter.is_alphanumeric() || "_-.$".contains(letter));
    if is_plain && !name.is_empty() { name.to_owned() } else { Value::from(name).to_string() }
}

/// `: string {"maxLength":100}`: the type, and what the schema says beside it but for its description.
fn of_type(schema: &Value) -> String {
    let Value::Object(schema) = schema else { return format!(": {schema}") };
    let mut rest = schema.clone();
    if rest.get("description").is_some_and(Value::is_string) {
        rest.remove("description");
    }
    let word = match rest.get("type") {
        Some(Value::String(word)) => Some(plain(word)),
        _ => None,
    };
    if word.is_some() {
        rest.remove("type");
    }
    let rest = if rest.is_empty() { None } else { Some(Value::Object(rest).to_string()) };
    let told: Vec<_> = word.into_iter().chain(rest).collect();
    if told.is_empty() { String::new() } else { format!(": {}", told.join(" ")) }
}

#[expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::DigestScope;
    use crate::surface::{Kind, RawItem};
    use serde_json::json;

    fn brief(definition: &Value) -> Vec<String> {
        let raw = RawItem { kind: Kind::Tool, bytes: definition.to_string().into() };
        let parts = Parts::brief(&Item::read(&raw, &DigestScope::None, 1_000).unwrap());
        parts.texts.iter().map(|part| format!("{}: {}", part.heading, part.after.as_deref().unwrap())).collect()
    }

    #[test]
    fn nothing_of_a_definition_is_left_out() {
        let definition = json!({
            "name": "find",
            "description": "Finds.\nAll of it.",
            "annotations": {"readOnlyHint": true},
            "inputSchema": {
                "type": "object",
                "properties": {
                    "a": {"type": "string", "description": "What to find.", "maxLength": 9},
                    "b": {},
                    "c, d": {"type": ["string", "null"]},
                    "e": true,
                },
                "required": ["a"],
                "additionalProperties": false,
            },
        });
        assert_eq!(
            brief(&definition),
            [
                "description: Finds.\nAll of it.",
                "parameters: a: string {\"maxLength\":9} (required), b, \"c, d\": {\"type\":[\"string\",\"null\"]}, e: true",
                "parameter a: What to find.",
                "inputSchema: {\"additionalProperties\":false}",
                "annotations: {\"readOnlyHint\":true}",
            ]
        );
    }

    #[test]
    fn what_is_no_usual_schema_is_shown_as_it_is() {
        let odd = json!({"name": "odd", "inputSchema": {"type": "array", "properties": 3, "required": ["x"]}});
        let said = "inputSchema: {\"properties\":3,\"required\":[\"x\"],\"type\":\"array\"}";
        assert_eq!(brief(&odd), ["parameters: none", said]);
        assert_eq!(brief(&json!({"name": "bare", "inputSchema": true})), ["inputSchema: true"]);
    }
}
