//! Assay's manifest projection (P60, interop/FORMATS.md 1.5): a digest a field, one a tool, one for the whole list. The
//! per-tool projection always has its five members, so that an absent field and a null one are the same.

use super::Sha256;
use super::item::{Item, is_visible};
use crate::canon::jcs;
use crate::surface::Kind;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use strum::IntoStaticStr;

/// The name of the projection of a whole list; it is in the preimage.
pub const MANIFEST_PROJECTION: &str = "assay.mcp_manifest_projection.v0";
const FIELD_PROJECTION: &str = "assay.mcp_tool_field.v0";

/// A field that has a digest of its own. A changed name is another tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum ManifestField {
    /// As it is, not trimmed.
    Description,
    /// `inputSchema`, else `input_schema`.
    InputSchema,
    /// `outputSchema`, else `output_schema`.
    OutputSchema,
    /// The server's own hints.
    Annotations,
}

word!(ManifestField);

impl ManifestField {
    /// In the order of its system's files.
    pub const ALL: [Self; 4] = [Self::Description, Self::InputSchema, Self::OutputSchema, Self::Annotations];

    fn of(self, tool: &Value) -> &Value {
        let spellings: &[&str] = match self {
            Self::Description => &["description"],
            Self::InputSchema => &["inputSchema", "input_schema"],
            Self::OutputSchema => &["outputSchema", "output_schema"],
            Self::Annotations => &["annotations"],
        };
        spellings.iter().find_map(|member| tool.get(member)).unwrap_or(&Value::Null)
    }
}

/// The digests of one tool. Title, icons, `_meta` and signatures do not move them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestDigests {
    /// The tool's name as the projection takes it: empty where it is no string.
    pub name: String,
    /// Of the five-member projection.
    pub tool: Sha256,
    fields: [Sha256; 4],
}

impl ManifestDigests {
    /// The digests of an item that its system sees: worked out when they are asked for, since no decision needs them.
    pub fn of_item(item: &Item) -> Option<Self> {
        let item = item.itself();
        is_visible(item.id.kind, &item.definition).then(|| Self::of(&item.definition.as_read()))
    }

    /// The digests of a tool as read.
    pub fn of(tool: &Value) -> Self {
        let name = tool.get("name").and_then(Value::as_str).unwrap_or_default();
        let mut projection = json!({"name": name});
        for field in ManifestField::ALL {
            projection[field.word()] = field.of(tool).clone();
        }
        let fields = ManifestField::ALL.map(|field| {
            let preimage =
                json!({"projection": FIELD_PROJECTION, "field": field.word(), "value": projection[field.word()]});
            Sha256::of(jcs(&preimage))
        });
        Self { name: name.to_owned(), tool: Sha256::of(jcs(&projection)), fields }
    }

    /// Each field with its digest.
    pub fn fields(&self) -> impl Iterator<Item = (ManifestField, Sha256)> + '_ {
        ManifestField::ALL.into_iter().zip(self.fields)
    }
}

/// The digest of the tools of a surface or a baseline. None where their system does not see one of them, or two have one
/// name: it claims none then.
pub fn manifest_of<'a>(items: impl IntoIterator<Item = &'a Item>) -> Option<Sha256> {
    let tools = items.into_iter().filter(|item| item.id.kind == Kind::Tool);
    let digests: Vec<_> = tools.map(ManifestDigests::of_item).collect::<Option<_>>()?;
    let names: BTreeSet<&str> = digests.iter().map(|digests| digests.name.as_str()).collect();
    let is_clear = names.len() == digests.len();
    is_clear.then(|| manifest_digest(digests.iter().map(|digests| (digests.name.as_str(), digests.tool))))
}

/// The digest of a list: of its names and tool digests, in the order of their bytes.
pub fn manifest_digest<'a>(tools: impl IntoIterator<Item = (&'a str, Sha256)>) -> Sha256 {
    let mut entries: Vec<_> = tools.into_iter().collect();
    entries.sort_unstable();
    let tools: Vec<Value> = entries
        .into_iter()
        .map(|(name, digest)| json!({"name": name, "tool_digest": format!("sha256:{digest}")}))
        .collect();
    Sha256::of(jcs(&json!({"projection": MANIFEST_PROJECTION, "tools": tools})))
}
