//! Keys by which an entry says that it is off, and which clients are known to go by them.
//!
//! A key that its client does not know switches nothing off: the client starts the server all the same. So a key counts
//! only where it is known from documentation, source or a trial that the client honours it; the table names which.

use crate::config::entry::OffKey;
use serde_json::{Map, Value};

/// The keys, each with the value that says off.
const KEYS: [(&str, bool); 2] = [("disabled", true), ("enabled", false)];

pub(super) fn off_keys(fields: &Map<String, Value>) -> Vec<OffKey> {
    let said = |(name, off): (&'static str, bool)| match fields.get(name)? {
        Value::Null => None,
        Value::Bool(value) => (*value == off).then_some(OffKey { name, plain: true }),
        // A text, a number: something is meant by it, and readers differ on what.
        _ => Some(OffKey { name, plain: false }),
    };
    KEYS.into_iter().filter_map(said).collect()
}

/// A client's word, a key, whether the client leaves an entry alone for it or starts it all the same, and from what that is
/// known.
const KNOWN: [(&str, &str, bool, &str); 15] = [
    ("amazon-q", "disabled", true, "its source: chat-cli, tool_manager.rs"),
    ("antigravity", "disabled", true, "measured by others with agy 1.1.25"),
    ("antigravity", "enabled", false, "measured by others with agy 1.1.25"),
    ("claude-code", "disabled", false, "tried with 2.1.197: it started those of the project, user and local scope"),
    ("cline", "disabled", true, "its pull request 4501, since 3.18"),
    ("codex", "enabled", true, "its source: codex-rs/config, mcp_types.rs"),
    ("copilot-cli", "disabled", false, "its issues 768 and 3582"),
    ("factory", "disabled", true, "its documentation: harness/mcp"),
    ("goose", "enabled", true, "its documentation: configuration files"),
    ("grok", "enabled", true, "its user guide on MCP servers"),
    ("kiro", "disabled", true, "its documentation: disabling servers temporarily"),
    ("opencode", "enabled", true, "its documentation: MCP servers"),
    ("roo", "disabled", true, "its source: McpHub.ts"),
    (
        "vibe",
        "disabled",
        false,
        "its source, vibe/core/config/models.py: it hides the tools of a server that it starts",
    ),
    ("zed", "enabled", true, "its source: context_server_store.rs"),
];

/// Whether a client leaves an entry alone for this key; none where that is not known.
pub(in crate::config) fn is_honoured(client: &str, key: OffKey) -> Option<bool> {
    let known = KNOWN.iter().find(|(word, name, ..)| (*word, *name) == (client, key.name));
    known.map(|(_, _, honoured, _)| *honoured).filter(|honoured| key.plain || !honoured)
}
