//! Tool identity: the two hashes that assay's `tool_pins` compare (interop/FORMATS.md, 1.1).

use super::Sha256;
use crate::canon::jcs;
use serde_json::Value;

/// What the published tool identity covers: the input schema and the description. Title, annotations, output schema
/// and every other field do not move it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToolIdentity {
    /// SHA-256 of JCS(inputSchema, else `input_schema`, else null).
    pub schema_hash: Sha256,
    /// SHA-256 of the description's raw bytes, not trimmed; of nothing where it is no string.
    pub meta_hash: Sha256,
}

impl ToolIdentity {
    /// The identity of a tool as read; none where it has no name to be identified by.
    pub fn of(tool: &Value) -> Option<Self> {
        tool_name(tool)?;
        let schema = ["inputSchema", "input_schema"].into_iter().find_map(|member| tool.get(member));
        let description = tool.get("description").and_then(Value::as_str).unwrap_or_default();
        Some(Self { schema_hash: Sha256::of(jcs(schema.unwrap_or(&Value::Null))), meta_hash: Sha256::of(description) })
    }

    /// The display form of its system: `server_id:tool_name:` and 8 hex digits of the schema hash. A change of the
    /// description alone does not move it.
    pub fn fingerprint(&self, server_id: &str, tool_name: &str) -> String {
        format!("{server_id}:{tool_name}:{}", &self.schema_hash.to_string()[..8])
    }
}

/// A tool's name, verbatim, where it is a string that is not blank.
pub(super) fn tool_name(tool: &Value) -> Option<&str> {
    tool.get("name")?.as_str().filter(|name| !name.trim().is_empty())
}
