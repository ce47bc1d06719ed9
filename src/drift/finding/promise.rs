//! A name against its annotations: a tool that says it changes nothing, and is called by a word for changing.

use super::signal::{Rule, Signal, Strength};
use crate::drift::words::words;
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

/// Looks for it in a tool's name.
pub(super) fn find(name: &str, definition: &Value) -> Option<Signal> {
    let hint = |hint: &str| definition.get("annotations").and_then(|hints| hints.get(hint)).and_then(Value::as_bool);
    let parts = words(name);
    let first = parts.first()?.as_str();
    let why = if hint("readOnlyHint") == Some(true) && WRITES.contains(&first) {
        format!("`readOnlyHint` is true, and its name begins with `{first}`")
    } else if hint("destructiveHint") == Some(false) && DESTROYS.contains(&first) {
        format!("`destructiveHint` is false, and its name begins with `{first}`")
    } else {
        return None;
    };
    Some(Signal { rule: &RULE, strength: Strength::Some, start: 0, end: name.len(), why })
}
