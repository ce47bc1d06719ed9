//! Which names say that something runs commands, and which words for it were ever pinned for a server.
//!
//! A new name with such a word is critical where the server had none. Were that asked of the pins alone, each decision
//! would move the severity of other rows; so the words stay recorded in the baseline.

use crate::digest::Item;
use crate::schema::parameters;
use crate::surface::Kind;
use crate::text::words;
use std::collections::BTreeSet;

/// Verbs of a tool's name that say it runs commands (DESIGN.md, Drift types and severity).
pub const COMMAND_WORDS: [&str; 7] = ["exec", "execute", "run", "shell", "bash", "eval", "spawn"];

/// Words of a parameter's name that say so wherever in it they stand.
const PARAMETER_WORDS: [&str; 5] = ["exec", "shell", "bash", "eval", "spawn"];

/// Verbs of names that look at something or keep it: what follows one is a noun (`list_run_logs`, `cancel_shell`).
const OTHER_VERBS: [&str; 36] = [
    "abort",
    "add",
    "await",
    "cancel",
    "check",
    "compare",
    "count",
    "create",
    "delete",
    "describe",
    "download",
    "explain",
    "export",
    "fetch",
    "find",
    "get",
    "inspect",
    "list",
    "monitor",
    "poll",
    "preview",
    "query",
    "read",
    "remove",
    "rename",
    "retrieve",
    "search",
    "set",
    "show",
    "stop",
    "summarize",
    "update",
    "validate",
    "view",
    "wait",
    "watch",
];

/// Words of [`COMMAND_WORDS`].
pub type CommandWords = BTreeSet<&'static str>;

/// The verb of a name, where it is one of [`COMMAND_WORDS`]. The verb is the first word that is one, after whatever names a
/// namespace (`docker_exec`, `terminal_run_command`). A `run` at the end of a longer name is the noun (`pipelines_run`).
pub fn command_verb(name: &str) -> Option<&'static str> {
    let words = words(name);
    let is_verb = |word: &str| COMMAND_WORDS.contains(&word) || OTHER_VERBS.contains(&word);
    let at = words.iter().position(|word| is_verb(word))?;
    let is_noun = words[at] == "run" && at > 0 && at + 1 == words.len();
    COMMAND_WORDS.into_iter().find(|word| *word == words[at] && !is_noun)
}

/// The word of a parameter's name that says it takes a command.
pub fn command_parameter(name: &str) -> Option<&'static str> {
    let words = words(name);
    PARAMETER_WORDS.into_iter().find(|listed| words.iter().any(|word| word == listed))
}

/// The words of the names and parameters of tools.
pub fn command_words<'a>(items: impl IntoIterator<Item = &'a Item>) -> CommandWords {
    let mut found = CommandWords::new();
    for item in items.into_iter().filter(|item| item.id.kind == Kind::Tool) {
        let value = item.definition.as_read();
        let schema = value.get("inputSchema").or_else(|| value.get("input_schema"));
        for parameter in schema.map(parameters).unwrap_or_default().into_values() {
            found.extend(command_parameter(&parameter.name));
            found.extend(command_verb(&parameter.name));
        }
        found.extend(command_verb(&item.id.key));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_verb_of_a_name_runs_commands() {
        for (name, verb) in [
            ("run_command", Some("run")),
            ("runCommand", Some("run")),
            ("exec", Some("exec")),
            ("shell_exec", Some("shell")),
            ("ShellTool", Some("shell")),
            ("docker_exec", Some("exec")),
            ("terminal_run_command", Some("run")),
            ("files.execute-now", Some("execute")),
            ("run", Some("run")),
            ("pipelines_run", None),
            ("get_test_run", None),
            ("pipelines_get_run_log", None),
            ("list_runs", None),
            ("list_run_artifacts", None),
            ("dry_run", None),
            ("cancelRun", None),
            ("executor", None),
            ("prune", None),
            ("evaluation", None),
        ] {
            assert_eq!(command_verb(name), verb, "{name}");
        }
    }

    #[test]
    fn a_parameter_takes_a_command_by_any_word() {
        for (name, word) in [("remote_shell", Some("shell")), ("exec", Some("exec")), ("run", None), ("bashful", None)]
        {
            assert_eq!(command_parameter(name), word, "{name}");
        }
    }
}
