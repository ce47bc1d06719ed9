//! Assay: tool pins, the observed, candidate and declared manifests, and what it says of a difference (interop/FORMATS.md, 1).

mod compare;
mod decision;
mod manifest;
mod observed;
mod pins;

pub use compare::{Compared, Said, Verdict, compare, verdict};
pub use decision::{DECISION, call, event};
pub use manifest::{Declared, candidate, declared};
pub use observed::{Extent, Observed, Status, not_observed, observed};
pub use pins::{ToolPin, ToolPins, Unpinned, pins, read as read_pins, unpinned};

use super::document::{Refused, plain, typed};
use crate::digest::{ManifestDigests, Sha256};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The most bytes of a document; its own readers take no more.
const MOST_BYTES: usize = 1 << 20;

/// Names, after their last `.`, that its classifier calls privileged, and the action that they are.
const PRIVILEGED: [(&str, &str); 9] = [
    ("add_deploy_key", "github_deploy_key"),
    ("create_deploy_key", "github_deploy_key"),
    ("add_member", "slack_add_member"),
    ("invite", "slack_add_member"),
    ("grant_admin", "workspace_admin"),
    ("change_role", "workspace_admin"),
    ("invite_external", "workspace_admin"),
    ("modify_org_policy", "workspace_admin"),
    ("create_workspace_token", "workspace_admin"),
];

/// A server, as its documents name it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Server {
    id: String,
}

impl Server {
    fn new(id: &str) -> Self {
        Self { id: shown(id) }
    }
}

/// One tool of a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Its name, as it is shown.
    #[serde(deserialize_with = "not_blank")]
    pub name: String,
    /// Of its projection.
    pub tool_digest: Sha256,
    /// By its name alone; the server's own hints never decide it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub privileged: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    privilege_classification: Option<String>,
    /// A string, or null where there is none; absent where a file left it out.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "text_or_null")]
    action_class: Option<Value>,
    /// Of each of its four fields, by their names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field_digests: Option<BTreeMap<String, Sha256>>,
}

fn not_blank<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let name = String::deserialize(deserializer)?;
    if name.trim().is_empty() { Err(D::Error::custom("a tool has a blank name")) } else { Ok(name) }
}

fn text_or_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Ok(Some(Option::<String>::deserialize(deserializer)?.into()))
}

impl Entry {
    fn of(digests: &ManifestDigests) -> Self {
        let leaf = digests.name.rsplit('.').next().unwrap_or_default();
        let action = PRIVILEGED.iter().find(|(name, _)| *name == leaf).map(|(_, action)| (*action).to_owned());
        let fields = digests.fields().map(|(field, digest)| (field.word().to_owned(), digest));
        Self {
            name: shown(&digests.name),
            tool_digest: digests.tool,
            privileged: Some(action.is_some()),
            privilege_classification: Some(if action.is_some() { "classified" } else { "unclassified" }.to_owned()),
            action_class: Some(action.into()),
            field_digests: Some(fields.collect()),
        }
    }

    fn is_privileged(&self) -> bool {
        self.privileged == Some(true)
    }
}

/// What recomputing says that the digest of a manifest of these entries is.
fn digest_of(entries: &[Entry]) -> Sha256 {
    crate::digest::manifest_digest(entries.iter().map(|entry| (entry.name.as_str(), entry.tool_digest)))
}

/// A name that is there twice.
fn twice(entries: &[Entry]) -> Option<&str> {
    let mut names: Vec<_> = entries.iter().map(|entry| entry.name.as_str()).collect();
    names.sort_unstable();
    names.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}

/// A name as its documents show it: control characters, but for tab and line breaks, as U+FFFD.
fn shown(name: &str) -> String {
    let kept = |c: char| !c.is_control() || matches!(c, '\t' | '\n' | '\r');
    name.chars().map(|c| if kept(c) { c } else { char::REPLACEMENT_CHARACTER }).collect()
}

/// Reads a document of this schema.
fn read<T: DeserializeOwned>(bytes: &[u8], schema: &str) -> Result<T, Refused> {
    let mut document = plain(bytes, MOST_BYTES)?;
    match document.as_object_mut().and_then(|members| members.remove("schema")) {
        Some(found) if found == schema => typed(&document),
        found => Err(Refused::new(format!("`schema` is {}, not \"{schema}\"", found.unwrap_or_default()))),
    }
}
