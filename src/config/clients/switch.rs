//! Keys by which an entry says that it is off, and which clients are known to go by them.
//!
//! A key that its client does not know switches nothing off: the client starts the server all the same. So a key counts
//! only where it is known from documentation, source or a trial that the client honours it; the table names which.

use crate::config::entry::OffKey;
use serde_json::{Map, Value};

/// The keys, each with the value that says off.
const KEYS: [(&str, bool); 2] = [("disabled", true), ("enabled", false)];

/// The keys by which an entry says that it is off.
pub(super) fn off_keys(fields: &Map<String, Value>) -> Vec<OffKey> {
    let said = |(name, off): (&'static str, bool)| match fields.get(name)? {
        Value::Null => None,
        Value::Bool(value) => (*value == off).then_some(OffKey { name, plain: true }),
        // A text, a number: something is meant by it, and readers differ on what.
        _ => Some(OffKey { name, plain: false }),
    };
    KEYS.into_iter().filter_map(said).collect()
}

/// A client's word, the key that it honours, and from what that is known.
const HONOURED: [(&str, &str, &str); 11] = [
    ("amazon-q", "disabled", "its source: chat-cli, tool_manager.rs"),
    ("antigravity", "disabled", "measured by others with agy 1.1.25; `enabled` is not read"),
    ("cline", "disabled", "its pull request 4501, since 3.18"),
    ("codex", "enabled", "its source: codex-rs/config, mcp_types.rs"),
    ("factory", "disabled", "its documentation: harness/mcp"),
    ("goose", "enabled", "its documentation: configuration files"),
    ("grok", "enabled", "its user guide on MCP servers"),
    ("kiro", "disabled", "its documentation: disabling servers temporarily"),
    ("opencode", "enabled", "its documentation: MCP servers"),
    ("roo", "disabled", "its source: McpHub.ts"),
    ("zed", "enabled", "its source: context_server_store.rs"),
];

/// Whether a client is known to leave an entry alone for this key.
pub(in crate::config) fn is_honoured(client: &str, key: OffKey) -> bool {
    key.plain && HONOURED.iter().any(|(word, name, _)| (*word, *name) == (client, key.name))
}

/// Clients that are known to start a server whose entry has this key, and from what.
const IGNORED: [(&str, &str, &str); 4] = [
    ("Antigravity", "enabled", "measured by others with agy 1.1.25"),
    (
        "Claude Code",
        "disabled",
        "tried with 2.1.197: servers of a project, of the user and of the local scope were started",
    ),
    ("GitHub Copilot CLI", "disabled", "its issues 768 and 3582"),
    (
        "Mistral Vibe",
        "disabled",
        "its source, vibe/core/config/models.py: it hides the tools of a server that it starts",
    ),
];

/// Whether a client, by its name for people, is known to start a server for all that its entry has this key.
pub(in crate::config) fn starts_anyway(client: &str, key: &str) -> bool {
    IGNORED.iter().any(|(name, known, _)| (*name, *known) == (client, key))
}
