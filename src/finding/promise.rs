//! A name against its annotations: a tool that says it changes nothing, and is called by a word for changing.

use super::names::CONTRADICTS_ANNOTATIONS;
use super::severity::Severity;
use super::signal::Signal;
use crate::canon::Pointer;
use crate::text::words;
use serde_json::Value;

/// First words of names that change something.
static WRITES: &str = include_str!("words/parts/writes.txt");
/// Of these, what cannot be taken back.
static DESTROYS: &str = include_str!("words/parts/destroys.txt");
/// First words of names that only look: after one, a later word says what is looked at (`get_delete_status`).
static LOOKS: &str = include_str!("words/parts/looks.txt");

fn has(list: &str, word: &str) -> bool {
    list.lines().any(|listed| listed == word)
}

/// Looks for it in a tool's name, in the verb that its description begins with, and in its parameters' names.
pub(super) fn find(name: &str, definition: &Value) -> Vec<Contradiction> {
    let hint = |hint: &str| definition.get("annotations").and_then(|hints| hints.get(hint)).and_then(Value::as_bool);
    let (reads, keeps) = (hint("readOnlyHint") == Some(true), hint("destructiveHint") == Some(false));
    if !reads && !keeps {
        return Vec::new();
    }
    let promise = if reads { "`readOnlyHint` is true" } else { "`destructiveHint` is false" };
    let against = |word: &str| (reads && has(WRITES, word)) || (keeps && has(DESTROYS, word));
    let mut found = Vec::new();
    let mut add = |path: Pointer, text: &str, start: usize, length: usize, why: String| {
        let says = format!("Annotations do not fit: {why}");
        let signal = Signal::new(CONTRADICTS_ANNOTATIONS, Severity::Moderate, start..start + length, says);
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
    } else if against(last) && !has(LOOKS, first) {
        add(Pointer::root().child("name"), name, 0, name.len(), format!("{promise}, and its name ends with `{last}`"));
    }
    let description = definition.get("description").and_then(Value::as_str).unwrap_or_default();
    if let Some((word, verb)) = leading_verb(description).filter(|(_, verb)| has(DESTROYS, verb)) {
        let why = format!("{promise}, and its description begins with `{verb}`");
        let path = Pointer::root().child("description");
        add(path, description, description.find(word).unwrap_or_default(), word.len(), why);
    }
    let schema = definition.get("inputSchema").or_else(|| definition.get("input_schema"));
    let parameters = schema.and_then(|schema| schema.get("properties")).and_then(Value::as_object);
    for parameter in parameters.into_iter().flat_map(serde_json::Map::keys) {
        let first = words(parameter).into_iter().next().unwrap_or_default();
        if has(DESTROYS, &first) {
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
    let verb = DESTROYS.lines().find(|verb| forms.iter().any(|form| form == verb));
    verb.map(|verb| (word, verb))
}
