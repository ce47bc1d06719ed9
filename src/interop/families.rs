//! What each family of digests covers of an item, and what it cannot see.

use crate::digest::{Item, ManifestDigests};
use crate::signature::{Keyring, ToolSignature};

/// One digest of an item, or what is known of its signature; none where its system sees nothing to digest.
pub(crate) type Digest = fn(&Item, &Keyring) -> Option<String>;

/// A family of digests, and what it does not see.
pub(crate) struct Family {
    pub name: &'static str,
    /// What it covers.
    pub over: &'static str,
    /// What it does not see.
    pub blind: &'static str,
    /// Of tools only.
    pub tools: bool,
    /// Its digests, each with its name where there is more than one.
    pub parts: &'static [(&'static str, Digest)],
}

/// The family that the scope of definition digests is about.
pub(crate) const DEFINITION: &str = "tool definition digest";
/// The family whose fields have digests of their own.
pub(crate) const MANIFEST: &str = "manifest digest";

/// All of them, ours first.
pub(crate) const FAMILIES: [Family; 5] = [
    Family {
        name: "surface digest",
        over: "Our own. Covers every field of the item; a decision binds to it.",
        blind: "Sees every change, and judges none.",
        tools: false,
        parts: &[("", |item, _| Some(item.digests.surface.to_string()))],
    },
    Family {
        name: "tool identity",
        over: "Assay's tool_pins: schema_hash covers the input schema, meta_hash the description's bytes.",
        blind: "Does not cover title, annotations, output schema, icons and _meta; its fingerprint not the description, either.",
        tools: true,
        parts: &[
            ("schema_hash", |item, _| item.digests.identity.map(|identity| identity.schema_hash.to_string())),
            ("meta_hash", |item, _| item.digests.identity.map(|identity| identity.meta_hash.to_string())),
        ],
    },
    Family {
        name: DEFINITION,
        over: "Assay's evidence binding, five fields: name, trimmed description, input schema.",
        blind: "Does not cover white space around the description, title, annotations, output schema, icons and _meta.",
        tools: true,
        parts: &[("", |item, _| item.digests.definition.map(|cluster| cluster.digest()))],
    },
    Family {
        name: MANIFEST,
        over: "Assay's P60: covers name, description, both schemas and annotations, as they are.",
        blind: "Does not cover title, icons, execution, _meta and x-assay-sig.",
        tools: true,
        parts: &[("", |item, _| ManifestDigests::of_item(item).map(|digests| format!("sha256:{}", digests.tool)))],
    },
    Family {
        name: "x-assay-sig",
        over: "The signature that a tool carries over the whole of itself.",
        blind: "Says who signed this text, not when, and not what it does. DSSE and transparency logs are not checked.",
        tools: true,
        parts: &[("", |item, keyring| ToolSignature::of_item(item, keyring).map(|signature| signature.to_string()))],
    },
];
