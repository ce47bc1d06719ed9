//! One sentence a change, in plain words.

use super::SchemaChangeKind;
use crate::schema::node::key_of;
use serde_json::Value;
use std::collections::BTreeSet;

/// Characters of a quoted value.
const LONGEST_QUOTE: usize = 80;

/// The sentence of a change at `pointer`.
pub(super) fn of(
    pointer: &str,
    keyword: &str,
    kind: SchemaChangeKind,
    before: Option<&Value>,
    after: Option<&Value>,
) -> String {
    let place = place(pointer, keyword);
    match (keyword, kind) {
        ("properties", SchemaChangeKind::Added) => format!("{place} is a parameter that was not declared before."),
        ("properties", SchemaChangeKind::Removed) => format!("{place} is no declared parameter any more."),
        (_, SchemaChangeKind::Reordered) => format!("The values of `{keyword}` {place} stand in another order."),
        ("required", _) => required(&place, before, after),
        ("enum" | "type", SchemaChangeKind::Changed) => members(&place, keyword, before, after),
        ("format", _) => format!(
            "`format` {place} was {} and is {}: a hint by the specification, which some servers check.",
            quoted(before),
            quoted(after)
        ),
        ("$schema", _) => format!("The schema is written in {}; it was written in {}.", quoted(after), quoted(before)),
        ("$defs" | "definitions", SchemaChangeKind::Added) => format!("{place} is a new shared definition."),
        ("$defs" | "definitions", SchemaChangeKind::Removed) => format!("{place} is no shared definition any more."),
        (_, SchemaChangeKind::Added) => format!("`{keyword}` {place} is new: {}.", quoted(after)),
        (_, SchemaChangeKind::Removed) => format!("`{keyword}` {place} is gone: it was {}.", quoted(before)),
        _ => format!("`{keyword}` {place} was {} and is {}.", quoted(before), quoted(after)),
    }
}

/// The place in words: the last name for a parameter, else "of" the schema that the keyword stands in.
fn place(pointer: &str, keyword: &str) -> String {
    let unescaped = |token: &str| token.replace("~1", "/").replace("~0", "~");
    let tokens: Vec<String> = pointer.split('/').skip(1).map(unescaped).collect();
    if matches!(keyword, "properties" | "$defs" | "definitions") {
        return tokens.last().map_or_else(String::new, |name| format!("`{name}`"));
    }
    let mut names = Vec::new();
    let mut rest = tokens.iter();
    while let Some(token) = rest.next() {
        match token.as_str() {
            "properties" => names.extend(rest.next().cloned()),
            "items" | "prefixItems" if rest.len() > 0 => names.push("*".to_owned()),
            _ => {}
        }
    }
    if names.is_empty() { "of the whole".to_owned() } else { format!("of `{}`", names.join(".")) }
}

fn quoted(value: Option<&Value>) -> String {
    let Some(value) = value else { return "absent".to_owned() };
    let text = value.to_string();
    if text.chars().count() <= LONGEST_QUOTE {
        return format!("`{text}`");
    }
    let short: String = text.chars().take(LONGEST_QUOTE).collect();
    format!("`{short}…`")
}

fn list(value: Option<&Value>) -> Vec<&Value> {
    match value {
        Some(Value::Array(items)) => items.iter().collect(),
        Some(one) => vec![one],
        None => Vec::new(),
    }
}

/// The values that are not also in `without`.
fn only<'a>(values: &[&'a Value], without: &[&Value]) -> Vec<&'a Value> {
    let without: BTreeSet<String> = without.iter().map(|value| key_of(value)).collect();
    values.iter().copied().filter(|value| !without.contains(&key_of(value))).collect()
}

fn shown(values: &[&Value]) -> String {
    let mut words: Vec<String> = values.iter().take(8).map(|value| quoted(Some(value))).collect();
    if values.len() > 8 {
        words.push(format!("{} more", values.len() - 8));
    }
    words.join(", ")
}

fn required(place: &str, before: Option<&Value>, after: Option<&Value>) -> String {
    let (before, after) = (list(before), list(after));
    let (more, less) = (only(&after, &before), only(&before, &after));
    match (more.is_empty(), less.is_empty()) {
        (false, true) => format!("{} must be given now, {place}.", shown(&more)),
        (true, false) => format!("{} need not be given any more, {place}.", shown(&less)),
        (true, true) => format!("`required` {place} is written in another way."),
        (false, false) => format!("{} must be given now, and {} need not, {place}.", shown(&more), shown(&less)),
    }
}

fn members(place: &str, keyword: &str, before: Option<&Value>, after: Option<&Value>) -> String {
    let (before, after) = (list(before), list(after));
    let (more, less) = (only(&after, &before), only(&before, &after));
    match (more.is_empty(), less.is_empty()) {
        (false, true) => format!("`{keyword}` {place} also lists {}.", shown(&more)),
        (true, false) => format!("`{keyword}` {place} lists {} no more.", shown(&less)),
        (true, true) => format!("`{keyword}` {place} is written in another way."),
        (false, false) => format!("`{keyword}` {place} lists {} and no more {}.", shown(&more), shown(&less)),
    }
}
