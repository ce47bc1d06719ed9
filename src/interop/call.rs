//! One call of a tool as another system's log tells it. Arguments are never read: at most their digest is.

use super::document::Refused;
use crate::digest::Sha256;
use jiff::Timestamp;
use serde_json::Value;
use strum::IntoStaticStr;

/// What was done with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Verdict {
    Allowed,
    Denied,
    Error,
}

word!(Verdict);

/// One call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// When; none where the line says nothing of it.
    pub at: Option<Timestamp>,
    /// The server, as the log names it.
    pub server: Option<String>,
    /// The tool.
    pub tool: String,
    /// Who called.
    pub caller: Option<String>,
    /// What was done.
    pub verdict: Verdict,
    /// The digest of the definition that was bound to the call; none is "not visible".
    pub definition: Option<Sha256>,
}

/// The five members that bind a definition, and what four of them must be.
const CLUSTER: [(&str, &str); 4] = [
    ("tool_definition_digest_alg", "sha256"),
    ("tool_definition_canonicalization", "jcs:mcp_tool_definition.v1"),
    ("tool_definition_schema", "assay.mcp.tool-definition.snapshot.v1"),
    ("tool_definition_source", "mcp.tools/list"),
];
const DIGEST: &str = "tool_definition_digest";

/// The digest that an event binds: all five members, or none.
pub(super) fn definition(data: &Value) -> Result<Option<Sha256>, Refused> {
    let is_there = |name: &str| data.get(name).is_some();
    if !is_there(DIGEST) && !CLUSTER.iter().any(|(name, _)| is_there(name)) {
        return Ok(None);
    }
    for (name, value) in CLUSTER {
        if data.get(name).and_then(Value::as_str) != Some(value) {
            return Err(Refused::new(format!("`{name}` must be `{value}` where a definition is bound")));
        }
    }
    Sha256::from_text(text(data, DIGEST)?)
        .map(Some)
        .ok_or_else(|| Refused::new(format!("`{DIGEST}` is not a digest; expected `sha256:` and 64 hex digits")))
}

/// A member that is a string and not blank.
pub(super) fn text<'a>(value: &'a Value, name: &str) -> Result<&'a str, Refused> {
    let text = value.get(name).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    text.ok_or_else(|| Refused::new(format!("`{name}` is missing or no text")))
}

/// A time; what is none is refused by name.
pub(super) fn time(value: &Value, name: &str) -> Result<Option<Timestamp>, Refused> {
    let Some(value) = value.get(name) else { return Ok(None) };
    let at = value.as_str().and_then(|text| text.parse().ok());
    at.map(Some).ok_or_else(|| Refused::new(format!("`{name}` is no time (RFC 3339)")))
}
