//! Which schemas Ajv 8 does not compile, as the TypeScript SDK 1 sets it up: draft-07 rules, no strict mode, the schema
//! itself not validated. That client compiles each output schema while it lists tools, so that one of these fails the list.
//!
//! Follows ajv's `compile/validate` and `vocabularies`: a keyword's value has to be of its type, and only schemas that a
//! compiled keyword uses are compiled themselves.

mod expression;

use super::dialect::Dialect;
use super::resolve::{Document, Located};
use expression::is_expression;
use serde_json::{Map, Value};
use std::collections::HashSet;

/// The types that a keyword's value may have.
#[derive(Clone, Copy)]
enum Holds {
    Flag,
    Number,
    Text,
    List,
    Object,
    TextOrList,
    Schema,
    SchemaOrList,
    Any,
}

/// Every keyword that ajv has code for.
const KEYWORDS: [(&str, Holds); 36] = [
    ("$ref", Holds::Text),
    ("additionalItems", Holds::Schema),
    ("additionalProperties", Holds::Schema),
    ("allOf", Holds::List),
    ("anyOf", Holds::List),
    ("const", Holds::Any),
    ("contains", Holds::Schema),
    ("dependencies", Holds::Object),
    ("else", Holds::Schema),
    ("enum", Holds::List),
    ("exclusiveMaximum", Holds::Number),
    ("exclusiveMinimum", Holds::Number),
    ("format", Holds::Text),
    ("if", Holds::Schema),
    ("items", Holds::SchemaOrList),
    ("maxItems", Holds::Number),
    ("maxLength", Holds::Number),
    ("maxProperties", Holds::Number),
    ("maximum", Holds::Number),
    ("minItems", Holds::Number),
    ("minLength", Holds::Number),
    ("minProperties", Holds::Number),
    ("minimum", Holds::Number),
    ("multipleOf", Holds::Number),
    ("not", Holds::Schema),
    ("nullable", Holds::Flag),
    ("oneOf", Holds::List),
    ("pattern", Holds::Text),
    ("patternProperties", Holds::Object),
    ("properties", Holds::Object),
    ("propertyNames", Holds::Schema),
    ("required", Holds::List),
    ("then", Holds::Schema),
    ("type", Holds::TextOrList),
    ("uniqueItems", Holds::Flag),
    // Draft-04's name of `$id`: ajv stops at it by name.
    ("id", Holds::Any),
];

const TYPES: [&str; 7] = ["string", "number", "integer", "boolean", "null", "object", "array"];

/// Documents that ajv knows by itself.
const KNOWN: [&str; 2] = ["http://json-schema.org/draft-07/schema", "http://json-schema.org/schema"];

impl Holds {
    fn fits(self, value: &Value) -> bool {
        match self {
            Self::Flag => value.is_boolean(),
            Self::Number => value.is_number(),
            Self::Text => value.is_string(),
            Self::List => value.is_array(),
            Self::Object => value.is_object(),
            Self::TextOrList => value.is_string() || value.is_array(),
            Self::Schema => value.is_object() || value.is_boolean(),
            Self::SchemaOrList => value.is_object() || value.is_boolean() || value.is_array(),
            Self::Any => true,
        }
    }
}

/// The keyword at which ajv stops when it compiles this schema; none where it compiles.
pub fn ajv_stops_at(schema: &Value) -> Option<String> {
    let document = Document::new(schema, Dialect::Draft202012);
    // What JavaScript takes for false is no id.
    let no_id = |id: &Value| id.is_null() || *id == Value::Bool(false) || id.as_f64() == Some(0.0) || id.is_string();
    if schema.get("$id").is_some_and(|id| !no_id(id)) {
        return Some("$id".to_owned());
    }
    let mut open = vec![document.root()?];
    let mut seen = HashSet::new();
    while let Some(place) = open.pop() {
        let Value::Object(members) = place.schema else {
            // Its keys are asked for, and null has none to ask for.
            if place.schema.is_null() {
                return Some("null".to_owned());
            }
            continue;
        };
        if seen.insert(place.address())
            && let Err(keyword) = compile(&document, place, members, &mut open)
        {
            return Some(keyword);
        }
    }
    None
}

/// Checks the keywords of one schema, and adds the schemas that they use.
fn compile<'a>(
    document: &Document<'a>,
    place: Located<'a>,
    members: &'a Map<String, Value>,
    open: &mut Vec<Located<'a>>,
) -> Result<(), String> {
    let stop = |keyword: &str| Err(keyword.to_owned());
    types(members)?;
    for (keyword, holds) in KEYWORDS {
        let Some(value) = members.get(keyword) else { continue };
        if !holds.fits(value) {
            return stop(keyword);
        }
        let refused = match (keyword, value) {
            ("id", _) => true,
            ("enum", Value::Array(values)) => values.is_empty(),
            ("pattern", Value::String(pattern)) => !is_expression(pattern),
            ("patternProperties", Value::Object(patterns)) => {
                !patterns.values().all(is_always_valid) && !patterns.keys().all(|pattern| is_expression(pattern))
            }
            _ => false,
        };
        if refused {
            return stop(keyword);
        }
        if let ("$ref", Value::String(reference)) = (keyword, value)
            && !KNOWN.contains(&reference.trim_end_matches('#'))
        {
            match document.follow(place, reference) {
                Ok(target) => open.push(target),
                Err(_) => return stop(keyword),
            }
        }
        open.extend(used(members, keyword, value).into_iter().map(|inner| document.enter(place, inner)));
    }
    Ok(())
}

/// `type` and `nullable`, which are read together before anything else is.
fn types(members: &Map<String, Value>) -> Result<(), String> {
    let names: Vec<&str> = match members.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().map(|name| name.as_str().unwrap_or_default()).collect(),
        _ => Vec::new(),
    };
    if !names.iter().all(|name| TYPES.contains(name)) {
        return Err("type".to_owned());
    }
    let refused = match members.get("nullable") {
        None => false,
        Some(nullable) if names.contains(&"null") => *nullable == Value::Bool(false),
        Some(_) => names.is_empty(),
    };
    if refused { Err("nullable".to_owned()) } else { Ok(()) }
}

/// The schemas that a keyword has compiled. One that lets everything pass is left out, and may take others along.
fn used<'a>(members: &'a Map<String, Value>, keyword: &str, value: &'a Value) -> Vec<&'a Value> {
    let all = |list: &'a Value| list.as_array().into_iter().flatten().collect::<Vec<_>>();
    let found = match keyword {
        "properties" | "patternProperties" | "dependencies" => {
            value.as_object().into_iter().flat_map(Map::values).filter(|inner| !inner.is_array()).collect()
        }
        "anyOf" if all(value).into_iter().any(is_always_valid) => Vec::new(),
        "allOf" | "anyOf" | "oneOf" => all(value),
        "items" if value.is_array() => all(value),
        "items" | "additionalProperties" | "contains" | "propertyNames" | "not" => vec![value],
        "additionalItems" if members.get("items").is_some_and(Value::is_array) => vec![value],
        "if" | "then" | "else" => {
            let asks = |branch: &str| members.get(branch).is_some_and(|branch| !is_always_valid(branch));
            if members.contains_key("if") && (asks("then") || asks("else")) { vec![value] } else { Vec::new() }
        }
        _ => Vec::new(),
    };
    found.into_iter().filter(|inner| !is_always_valid(inner)).collect()
}

/// Whether ajv sees nothing to check in a schema: no keyword that it has code for.
fn is_always_valid(schema: &Value) -> bool {
    match schema {
        Value::Bool(flag) => *flag,
        Value::Object(members) => !members.keys().any(|name| KEYWORDS.iter().any(|(keyword, _)| keyword == name)),
        Value::Null => false,
        Value::Number(_) | Value::String(_) | Value::Array(_) => true,
    }
}
