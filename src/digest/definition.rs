//! Tool definition digest: assay's P56b evidence binding with its atomic five-field cluster (interop/FORMATS.md, 1.2).

use super::{Sha256, Short, identity::tool_name};
use crate::canon::jcs;
use serde_json::{Map, Value, json};
use strum::IntoStaticStr;

/// The five fields of the cluster. Only a digest that was computed makes one, so a half-present cluster cannot exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DefinitionCluster {
    digest: Sha256,
}

/// Whether the digest covers the server's id. Fixed in a baseline at its first record.
#[derive(Clone, Debug, Default, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum DigestScope {
    /// Unscoped.
    #[default]
    None,
    /// With this server id, trimmed; a blank one is left out of the projection.
    Server(String),
}

word!(ref DigestScope);

impl DigestScope {
    /// Says that a baseline fixed another scope than the config asks for; nothing where they agree.
    pub fn differs_from(&self, configured: &Self) -> Option<String> {
        let (fixed, asked) = (self.word(), configured.word());
        (fixed != asked).then(|| {
            format!(
                "the baseline fixed `digest-scope = \"{fixed}\"` at its first record, pinwatch.toml says \"{asked}\": \
                 definition digests go by the baseline"
            )
        })
    }
}

/// Why a tool has no definition digest. Missing is "not visible", never "verified".
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotBound {
    /// No string `name`, or a blank one: there is no binding at all.
    #[error("the tool has no name")]
    NoName,
    /// `inputSchema` (or `input_schema`) is there and no object.
    #[error("the input schema is not an object")]
    SchemaIsNoObject,
}

const ALGORITHM: &str = "sha256";
const CANONICALIZATION: &str = "jcs:mcp_tool_definition.v1";
const SCHEMA: &str = "assay.mcp.tool-definition.snapshot.v1";
const SOURCE: &str = "mcp.tools/list";

impl DefinitionCluster {
    /// The cluster of a tool as read.
    pub fn of(tool: &Value, scope: &DigestScope) -> Result<Self, NotBound> {
        projection(tool, scope).map(|projection| Self { digest: Sha256::of(jcs(&projection)) })
    }

    /// The digest, `sha256:` and 64 hex digits.
    pub fn digest(&self) -> String {
        format!("sha256:{}", self.digest)
    }

    /// The digest itself.
    pub fn value(&self) -> Sha256 {
        self.digest
    }

    pub(super) fn short(&self) -> Short {
        self.digest.short()
    }

    /// How it is made, for a person: algorithm, canonical form, schema and source.
    pub fn profile() -> String {
        [ALGORITHM, CANONICALIZATION, SCHEMA, SOURCE].join(", ")
    }

    /// The five members as events, baselines and reports carry them.
    pub fn to_json(self) -> Value {
        json!({
            "tool_definition_digest": self.digest(),
            "tool_definition_digest_alg": ALGORITHM,
            "tool_definition_canonicalization": CANONICALIZATION,
            "tool_definition_schema": SCHEMA,
            "tool_definition_source": SOURCE,
        })
    }
}

/// The closed projection: name, trimmed description, input schema, and the server id only when scoped.
fn projection(tool: &Value, scope: &DigestScope) -> Result<Value, NotBound> {
    let mut projection = Map::new();
    projection.insert("name".into(), tool_name(tool).ok_or(NotBound::NoName)?.into());
    // `str::trim` takes Unicode White_Space, as the system's own code does.
    let description = tool.get("description").and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    if let Some(description) = description {
        projection.insert("description".into(), description.into());
    }
    // Where both spellings are there, `inputSchema` counts, even when it is null.
    let schema = ["inputSchema", "input_schema"].into_iter().find_map(|member| tool.get(member));
    if let Some(schema) = schema {
        if !schema.is_object() {
            return Err(NotBound::SchemaIsNoObject);
        }
        projection.insert("input_schema".into(), schema.clone());
    }
    if let DigestScope::Server(id) = scope
        && !id.trim().is_empty()
    {
        projection.insert("server_id".into(), id.trim().into());
    }
    Ok(Value::Object(projection))
}
