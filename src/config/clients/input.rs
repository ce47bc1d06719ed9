//! What a client's file says it asks a person for: the `inputs` of VS Code.

use crate::config::document::{Form, Malformed, Node};
use serde_json::Value;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::config) struct Input {
    pub(in crate::config) id: String,
    /// The question; empty where the file has none. Not escaped.
    pub(in crate::config) description: String,
    /// What may be answered; anything where there is none.
    pub(in crate::config) choices: Vec<String>,
    /// Whether the client takes the answer from a command of its own, which is not run here.
    pub(in crate::config) by_command: bool,
}

/// Questions that are read of a file, and choices of each.
const MAX: usize = 100;

/// The questions of a file.
pub(super) fn inputs(top: &Node<'_>) -> Result<Vec<Input>, Malformed> {
    let members = top.members()?;
    let Some(list) = members.iter().find(|member| member.name == "inputs" && member.value.form() == Form::List) else {
        return Ok(Vec::new());
    };
    let read = |node: &Node<'_>| {
        let value = node.value().ok()?;
        let text = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let choice = |choice: &Value| choice.as_str().or_else(|| choice.get("value")?.as_str()).map(str::to_owned);
        let choices = value.get("options").and_then(Value::as_array);
        Some(Input {
            id: text("id"),
            description: text("description"),
            choices: choices.into_iter().flatten().filter_map(choice).take(MAX).collect(),
            by_command: text("type") == "command",
        })
    };
    Ok(list.value.elements()?.iter().filter_map(read).take(MAX).collect())
}
