//! What its `check` says of a server against a lock: types, severities and messages as its own program gives them.

use super::canon::text;
use super::lock::{Locked, Version};
use super::make::Shown;
use super::{prompt_of, template_hash, tool_of};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct Difference {
    /// `TOOL_CHANGED`, …
    #[serde(rename = "type")]
    pub difference: &'static str,
    /// `critical` or `moderate`.
    pub severity: &'static str,
    /// The tool's or prompt's name, the template's pattern.
    pub identifier: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub old_hash: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub new_hash: String,
    /// Its sentence.
    pub message: String,
}

/// Compares; a hash that the lock leaves out is not compared. Its own program goes through a map in no order: this one by
/// kind, name and field.
pub fn compare(locked: &Locked, shown: &Shown) -> Vec<Difference> {
    let mut found = Vec::new();
    let tools = named(&shown.tools, "name");
    presence(&mut found, ("Tool", "TOOL_ADDED", "TOOL_REMOVED"), &locked.tools, &tools);
    for (name, (locked, tool)) in both(&locked.tools, &tools) {
        let now = tool_of(tool);
        if let (Some(old), Some(new)) = (&locked.description_hash, &now.description_hash) {
            let message = format!("Tool [{name}] description changed");
            changed(&mut found, ("TOOL_CHANGED", "moderate"), name, (old, new), message);
        }
        if let (Some(old), Some(new)) = (&locked.input_schema_hash, &now.input_schema_hash) {
            let message = format!("Tool [{name}] schema changed: {} → {}", short(old), short(new));
            changed(&mut found, ("TOOL_CHANGED", "critical"), name, (old, new), message);
        }
    }
    if locked.version != Version::V3 {
        return found;
    }
    let prompts = named(&shown.prompts, "name");
    presence(&mut found, ("Prompt", "PROMPT_ADDED", "PROMPT_REMOVED"), &locked.prompts, &prompts);
    for (name, (locked, prompt)) in both(&locked.prompts, &prompts) {
        let now = prompt_of(prompt);
        let (old, new) = (&locked.arguments_hash, &now.arguments_hash);
        let message = format!("Prompt [{name}] arguments changed: {} → {}", short(old), short(new));
        changed(&mut found, ("PROMPT_ARGS_CHANGED", "critical"), name, (old, new), message);
        if let Some(old) = &locked.description_hash {
            let new = now.description_hash.unwrap_or_default();
            let message = format!("Prompt [{name}] description changed");
            changed(&mut found, ("PROMPT_DESC_CHANGED", "moderate"), name, (old, &new), message);
        }
    }
    let templates = named(&shown.templates, "uriTemplate");
    presence(&mut found, ("Template", "TEMPLATE_ADDED", "TEMPLATE_REMOVED"), &locked.templates, &templates);
    for (name, (locked, template)) in both(&locked.templates, &templates) {
        let (old, new) = (&locked.template_hash, &template_hash(template));
        let message = format!("Template [{name}] changed: {} → {}", short(old), short(new));
        changed(&mut found, ("TEMPLATE_CHANGED", "critical"), name, (old, new), message);
    }
    found
}

/// Items by what a lock calls them; of two of one name the last, as in a map of Go.
fn named<'a>(items: &'a [Value], member: &str) -> BTreeMap<&'a str, &'a Value> {
    items.iter().map(|item| (text(item, member), item)).collect()
}

fn both<'a, T>(
    locked: &'a BTreeMap<String, T>,
    now: &'a BTreeMap<&str, &Value>,
) -> impl Iterator<Item = (&'a str, (&'a T, &'a Value))> {
    locked.iter().filter_map(|(name, locked)| Some((name.as_str(), (locked, *now.get(name.as_str())?))))
}

fn presence<T>(
    found: &mut Vec<Difference>,
    (what, added, removed): (&str, &'static str, &'static str),
    locked: &BTreeMap<String, T>,
    now: &BTreeMap<&str, &Value>,
) {
    let names: BTreeSet<&str> = locked.keys().map(String::as_str).chain(now.keys().copied()).collect();
    for name in names {
        let (difference, says) = match (locked.contains_key(name), now.contains_key(name)) {
            (false, true) => (added, format!("{what} [{name}] has been added to the server")),
            (true, false) => (removed, format!("{what} [{name}] has been removed from the server")),
            (true, true) | (false, false) => continue,
        };
        changed(found, (difference, "critical"), name, ("", " "), says);
    }
}

/// A difference where two hashes are not one; the hashes of what has none are empty.
fn changed(
    found: &mut Vec<Difference>,
    (difference, severity): (&'static str, &'static str),
    identifier: &str,
    (old, new): (&str, &str),
    message: String,
) {
    if old != new {
        let (identifier, old_hash, new_hash) = (identifier.to_owned(), old.to_owned(), new.trim().to_owned());
        found.push(Difference { difference, severity, identifier, old_hash, new_hash, message });
    }
}

/// A hash as its messages have it.
fn short(hash: &str) -> String {
    format!("{}...", hash.chars().take(20).collect::<String>())
}
