//! A name against its annotations: a tool that says it changes nothing, and is called by a word for changing.

use super::signal::{Rule, Signal, Strength};
use crate::canon::Pointer;
use crate::text::words;
use serde_json::Value;

/// The rule.
pub(super) static RULE: Rule = Rule { name: "contradicts-annotations", title: "name against annotations" };

/// First words of names that change something.
const WRITES: [&str; 22] = [
    "write",
    "delete",
    "remove",
    "update",
    "create",
    "send",
    "exec",
    "execute",
    "drop",
    "destroy",
    "wipe",
    "kill",
    "push",
    "deploy",
    "publish",
    "upload",
    "insert",
    "overwrite",
    "purge",
    "pay",
    "transfer",
    "shell",
];
/// Of these, what cannot be taken back.
const DESTROYS: [&str; 7] = ["delete", "drop", "destroy", "wipe", "purge", "overwrite", "kill"];

/// First words of names that only look: after one, a later word says what is looked at (`get_delete_status`).
const READS: [&str; 22] = [
    "get", "list", "read", "search", "show", "find", "describe", "check", "view", "fetch", "count", "query", "lookup",
    "inspect", "preview", "is", "has", "can", "explain", "validate", "compare", "plan",
];

/// Looks for it in a tool's name, in the verb that its description begins with, and in its parameters' names.
pub(super) fn find(name: &str, definition: &Value) -> Vec<Contradiction> {
    let hint = |hint: &str| definition.get("annotations").and_then(|hints| hints.get(hint)).and_then(Value::as_bool);
    let (reads, keeps) = (hint("readOnlyHint") == Some(true), hint("destructiveHint") == Some(false));
    if !reads && !keeps {
        return Vec::new();
    }
    let promise = if reads { "`readOnlyHint` is true" } else { "`destructiveHint` is false" };
    let against = |word: &str| (reads && WRITES.contains(&word)) || (keeps && DESTROYS.contains(&word));
    let mut found = Vec::new();
    let mut add = |path: Pointer, text: &str, start: usize, length: usize, why: String| {
        let signal = Signal { rule: &RULE, strength: Strength::Some, start, end: start + length, why };
        found.push(Contradiction { path, text: text.to_owned(), signal });
    };
    let parts = words(name);
    let (first, last) = (parts.first().map_or("", String::as_str), parts.last().map_or("", String::as_str));
    if against(first) {
        add(
            Pointer::root().child("name"),
            name,
            0,
            name.len(),
            format!("{promise}, and its name begins with `{first}`"),
        );
    } else if against(last) && !READS.contains(&first) {
        add(Pointer::root().child("name"), name, 0, name.len(), format!("{promise}, and its name ends with `{last}`"));
    }
    let description = definition.get("description").and_then(Value::as_str).unwrap_or_default();
    if let Some((word, verb)) = leading_verb(description).filter(|(_, verb)| DESTROYS.contains(verb)) {
        let why = format!("{promise}, and its description begins with `{verb}`");
        let path = Pointer::root().child("description");
        add(path, description, description.find(word).unwrap_or_default(), word.len(), why);
    }
    let schema = definition.get("inputSchema").or_else(|| definition.get("input_schema"));
    let parameters = schema.and_then(|schema| schema.get("properties")).and_then(Value::as_object);
    for parameter in parameters.into_iter().flat_map(serde_json::Map::keys) {
        let first = words(parameter).into_iter().next().unwrap_or_default();
        if DESTROYS.contains(&first.as_str()) {
            let member = if definition.get("inputSchema").is_some() { "inputSchema" } else { "input_schema" };
            let path = Pointer::root().child(member).child("properties").child(parameter);
            add(path, parameter, 0, parameter.len(), format!("{promise}, and it takes `{parameter}`"));
        }
    }
    found
}

/// Where a promise is contradicted, and the text that does.
pub(super) struct Contradiction {
    pub(super) path: Pointer,
    pub(super) text: String,
    pub(super) signal: Signal,
}

/// The word that a description begins with, an adverb left out, and the verb that it is a form of.
fn leading_verb(text: &str) -> Option<(&str, &str)> {
    let mut heads = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    let first = heads.next()?;
    let word = if first.ends_with("ly") { heads.next()? } else { first };
    let lower = word.to_lowercase();
    let stem = lower.strip_suffix("es").or_else(|| lower.strip_suffix('s')).unwrap_or(&lower);
    let forms = [lower.clone(), stem.to_owned(), format!("{stem}e")];
    let verb = DESTROYS.into_iter().find(|verb| forms.iter().any(|form| form == verb));
    verb.map(|verb| (word, verb))
}
