//! Assay: tool pins, the observed, candidate and declared manifests, and what it says of a difference (interop/FORMATS.md, 1).

mod compare;
mod decision;
mod manifest;
mod observed;
mod pins;

pub use compare::{Compared, Said, Verdict, compare, verdict};
pub use decision::{DECISION, call};
pub use manifest::{Declared, candidate, declared};
pub use observed::{Extent, Observed, not_observed, observed};
pub use pins::{ToolPin, ToolPins, Unpinned, pins, read as read_pins, unpinned};

use super::document::Refused;
use crate::digest::{ManifestDigests, Sha256};
use serde::Serialize;
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Server {
    id: String,
}

impl Server {
    fn new(id: &str) -> Self {
        Self { id: shown(id) }
    }
}

/// One tool of a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Its name, as it is shown.
    pub name: String,
    /// Of its projection, `sha256:` and hex.
    pub tool_digest: String,
    /// By its name alone; the server's own hints never decide it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub privileged: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    privilege_classification: Option<String>,
    /// A string, or null where there is none; absent where a file left it out.
    #[serde(skip_serializing_if = "Option::is_none")]
    action_class: Option<Value>,
    /// Of each of its four fields, by their names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field_digests: Option<BTreeMap<String, String>>,
}

impl Entry {
    fn of(digests: &ManifestDigests) -> Self {
        let leaf = digests.name.rsplit('.').next().unwrap_or_default();
        let action = PRIVILEGED.iter().find(|(name, _)| *name == leaf).map(|(_, action)| (*action).to_owned());
        let fields = digests.fields().map(|(field, digest)| (field.word().to_owned(), text(digest)));
        Self {
            name: shown(&digests.name),
            tool_digest: text(digests.tool),
            privileged: Some(action.is_some()),
            privilege_classification: Some(if action.is_some() { "classified" } else { "unclassified" }.to_owned()),
            action_class: Some(action.map_or(Value::Null, Value::String)),
            field_digests: Some(fields.collect()),
        }
    }

    /// An entry of a file. What is not known of it is left as it is, and nothing else may stand there.
    fn read(value: &Value) -> Result<Self, Refused> {
        const MEMBERS: [&str; 6] =
            ["name", "tool_digest", "privileged", "privilege_classification", "action_class", "field_digests"];
        let members = closed(value, "a tool", &MEMBERS)?;
        let name = string(value, "name")?;
        if name.trim().is_empty() {
            return Err(Refused::new("a tool has a blank name"));
        }
        let of = |member: &str| format!("`{member}` of the tool `{name}`");
        let optional = |member: &str| match members.get(member) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(Refused::new(format!("{} is not a string", of(member)))),
        };
        let privileged = match members.get("privileged") {
            None | Some(Value::Null) => None,
            Some(Value::Bool(flag)) => Some(*flag),
            Some(_) => return Err(Refused::new(format!("{} is not a boolean", of("privileged")))),
        };
        let field_digests = match members.get("field_digests") {
            None | Some(Value::Null) => None,
            Some(Value::Object(fields)) => {
                let read = |(field, digest): (&String, &Value)| {
                    Ok((field.clone(), digest_text(digest, &of(&format!("field_digests.{field}")))?))
                };
                Some(fields.iter().map(read).collect::<Result<_, Refused>>()?)
            }
            Some(_) => return Err(Refused::new(format!("{} is not an object", of("field_digests")))),
        };
        Ok(Self {
            name: name.to_owned(),
            tool_digest: digest_text(value.get("tool_digest").unwrap_or(&Value::Null), &of("tool_digest"))?,
            privileged,
            privilege_classification: optional("privilege_classification")?,
            action_class: match (optional("action_class")?, members.contains_key("action_class")) {
                (Some(action), _) => Some(Value::String(action)),
                (None, is_there) => is_there.then_some(Value::Null),
            },
            field_digests,
        })
    }

    fn is_privileged(&self) -> bool {
        self.privileged == Some(true)
    }
}

/// What recomputing says that the digest of a manifest of these entries is.
fn digest_of(entries: &[Entry]) -> String {
    let hex = |entry: &Entry| Sha256::from_text(&entry.tool_digest);
    let tools = entries.iter().filter_map(|entry| Some((entry.name.as_str(), hex(entry)?)));
    text(crate::digest::manifest_digest(tools))
}

/// A name that is there twice.
fn twice(entries: &[Entry]) -> Option<&str> {
    let mut names: Vec<_> = entries.iter().map(|entry| entry.name.as_str()).collect();
    names.sort_unstable();
    names.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}

fn text(digest: Sha256) -> String {
    format!("sha256:{digest}")
}

/// A name as its documents show it: control characters, but for tab and line breaks, as U+FFFD.
fn shown(name: &str) -> String {
    let kept = |c: char| !c.is_control() || matches!(c, '\t' | '\n' | '\r');
    name.chars().map(|c| if kept(c) { c } else { char::REPLACEMENT_CHARACTER }).collect()
}

/// Reads a document: plain JSON of at most a mebibyte.
fn read(bytes: &[u8]) -> Result<Value, Refused> {
    if bytes.len() > MOST_BYTES {
        return Err(Refused::new("it has more than 1 MiB: Assay takes no more"));
    }
    crate::canon::read_plain(bytes).map_err(|fault| Refused::new(format!("it cannot be read: {fault}")))
}

/// An object that has no other members than these.
fn closed<'a>(value: &'a Value, what: &str, known: &[&str]) -> Result<&'a serde_json::Map<String, Value>, Refused> {
    let members = value.as_object().ok_or_else(|| Refused::new(format!("{what} is not an object")))?;
    match members.keys().find(|member| !known.contains(&member.as_str())) {
        None => Ok(members),
        Some(member) => Err(Refused::new(format!("{what} has a member `{member}` that Assay does not know"))),
    }
}

fn string<'a>(value: &'a Value, member: &str) -> Result<&'a str, Refused> {
    let text = value.get(member).and_then(Value::as_str);
    text.ok_or_else(|| Refused::new(format!("`{member}` is missing or no string")))
}

/// A member that must have one value.
fn fixed(value: &Value, member: &str, expected: &str) -> Result<(), Refused> {
    match string(value, member)? {
        text if text == expected => Ok(()),
        text => Err(Refused::new(format!("`{member}` is `{text}`, not `{expected}`"))),
    }
}

fn digest_text(value: &Value, what: &str) -> Result<String, Refused> {
    let text = value.as_str().filter(|text| Sha256::from_text(text).is_some());
    text.map(str::to_owned)
        .ok_or_else(|| Refused::new(format!("{what} is not a digest; expected `sha256:` and 64 lowercase hex digits")))
}
