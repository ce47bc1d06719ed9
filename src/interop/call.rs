//! One call of a tool as another system's log tells it, and as the guard tells it in these systems' words. Arguments are never
//! read or written: at most their digest is.

use super::document::Refused;
use crate::digest::{DefinitionCluster, Sha256};
use jiff::Timestamp;
use serde_json::Value;
use strum::{EnumString, IntoStaticStr, VariantNames};

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

/// Whose form a line has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, IntoStaticStr, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum LogFormat {
    /// Decision events of Assay.
    Assay,
    /// Tool invocation events of CapiscIO's RFC-006.
    Capiscio,
    /// ToolCall Statements of SealedProof.
    Sealedproof,
}

word!(LogFormat);

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
    /// The run that the call belongs to, 32 hex digits, where the line names it in the way that the guard does.
    pub run: Option<String>,
}

/// Why the guard let a call pass, or did not. The words are those of its evidence, and are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Ground {
    /// The definition is approved.
    Approved,
    /// The config says not to look at it.
    Ignored,
    /// The definition differs from the approved one.
    Changed,
    /// It was never approved.
    New,
    /// It was rejected.
    Rejected,
    /// It is approved in the baseline's file, but not on this machine.
    ApprovedElsewhere,
    /// It is not in the closed list of tools.
    NotAdmitted,
    /// The server does not list it.
    NotListed,
    /// The server's list could not be read.
    ListUnread,
    /// The guard is closed.
    Closed,
    /// The call can be read in more than one way, or too many wait.
    Unreadable,
    /// Another request of its id waits.
    IdInUse,
    /// The client cancelled it before it was decided.
    Cancelled,
    /// No evidence could be written.
    NoEvidence,
}

word!(Ground);

/// A call that the guard decided, for those who tell of it.
#[derive(Clone, Copy, Debug)]
pub struct Ruled<'a> {
    /// When, RFC 3339.
    pub at: &'a str,
    /// The server's id in pinwatch's config.
    pub server: &'a str,
    /// The tool's name, masked.
    pub tool: &'a str,
    /// The run of the guard, 32 hex digits: the same in every format.
    pub run: &'a str,
    /// The call in the run, 16 hex digits: the same in every format.
    pub span: &'a str,
    /// Whether it passes.
    pub passes: bool,
    /// Why.
    pub ground: Ground,
    /// Digest of the policy in force, `sha256:` and hex.
    pub policy: &'a str,
    /// The definition that it was decided by.
    pub definition: Option<DefinitionCluster>,
}

impl Ruled<'_> {
    /// Adds the five members that bind the definition, or none of them.
    pub(super) fn bind(&self, members: &mut Value) {
        let cluster = self.definition.map(DefinitionCluster::to_json);
        if let (Some(members), Some(Value::Object(cluster))) = (members.as_object_mut(), cluster) {
            members.extend(cluster);
        }
    }
}

/// A run as these lines name it: 32 lower-case hex digits.
pub(super) fn run(text: Option<&str>) -> Option<String> {
    let is_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    text.filter(|text| text.len() == 32 && text.bytes().all(is_hex)).map(str::to_owned)
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
