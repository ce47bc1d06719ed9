//! `tool_pins` of an Assay policy: what a tool was when it was approved, in two hashes.

use crate::canon::Code;
use crate::digest::{Item, Sha256, ToolIdentity};
use crate::interop::document::{Refused, Written, typed};
use crate::text::double_quoted;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// One pin; all four are compared.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the members of its system")]
pub struct ToolPin {
    pub server_id: String,
    pub tool_name: String,
    #[serde(deserialize_with = "hex")]
    pub schema_hash: Sha256,
    #[serde(deserialize_with = "hex")]
    pub meta_hash: Sha256,
}

/// The pins of a policy, by the tool that each is for.
pub type ToolPins = BTreeMap<String, ToolPin>;

/// The policy that pins these tools, which were approved, sorted by name. What Assay cannot pin is refused by its name.
pub fn pins(server_id: &str, tools: &[&Item]) -> Written {
    let mut sorted: BTreeMap<&str, ToolIdentity> = BTreeMap::new();
    for tool in tools {
        let name = &*tool.id.key;
        let identity = tool.digests.identity.ok_or_else(|| {
            let codes: Vec<_> = tool.definition.codes.iter().map(|code: &Code| code.sentence()).collect();
            let why = if codes.is_empty() { "it has no name".to_owned() } else { codes.join("; ") };
            Refused::new(format!("the tool `{name}` has no identity: {why}"))
        })?;
        if sorted.insert(name, identity).is_some() {
            return Err(Refused::new(format!("two pinned tools are called `{name}`: which one is meant is ambiguous")));
        }
    }
    if sorted.is_empty() {
        return Err(Refused::new("no tool is approved there: there is nothing to pin"));
    }
    let mut text = "tool_pins:\n".to_owned();
    for (name, identity) in sorted {
        let (name, server_id) = (double_quoted(name), double_quoted(server_id));
        let ToolIdentity { schema_hash, meta_hash } = identity;
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "  {name}:\n    server_id: {server_id}\n    tool_name: {name}\n    schema_hash: \"{schema_hash}\"\n    \
             meta_hash: \"{meta_hash}\"\n"
        );
    }
    Ok(text)
}

/// A hash without a prefix; Assay refuses any other form when it loads one.
fn hex<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Sha256, D::Error> {
    let rule = "must be exactly 64 lowercase hexadecimal characters";
    Sha256::from_hex(&String::deserialize(deserializer)?).ok_or_else(|| D::Error::custom(rule))
}

/// The pins of a policy that was read; what else stands in it is let be.
pub fn read(policy: &Value) -> Result<ToolPins, Refused> {
    typed(policy.get("tool_pins").ok_or_else(|| Refused::new("it has no `tool_pins`"))?)
}

/// A pin that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unpinned {
    /// The tool that is pinned.
    pub tool: String,
    /// Assay's code.
    pub code: &'static str,
    /// What differs, by its member; empty where the tool is not there.
    pub differs: Vec<&'static str>,
}

/// The pins that do not hold of these tools of a server. A tool that no pin is for is none of theirs.
pub fn unpinned(pins: &ToolPins, server_id: &str, tools: &[&Item]) -> Vec<Unpinned> {
    let served: BTreeMap<&str, &Item> = tools.iter().map(|tool| (&*tool.id.key, *tool)).collect();
    let mut found = Vec::new();
    for (name, pin) in pins {
        let identity = served.get(name.as_str()).map(|tool| tool.digests.identity);
        let (code, differs) = match identity {
            None => ("E_TOOL_UNOBSERVED", Vec::new()),
            // What has no identity equals none.
            Some(None) => ("E_TOOL_DRIFT", vec!["schema_hash", "meta_hash"]),
            Some(Some(now)) => {
                let members = [
                    ("server_id", pin.server_id == server_id),
                    ("tool_name", pin.tool_name == *name),
                    ("schema_hash", pin.schema_hash == now.schema_hash),
                    ("meta_hash", pin.meta_hash == now.meta_hash),
                ];
                ("E_TOOL_DRIFT", members.iter().filter(|(_, is_equal)| !is_equal).map(|(name, _)| *name).collect())
            }
        };
        if code != "E_TOOL_DRIFT" || !differs.is_empty() {
            found.push(Unpinned { tool: name.clone(), code, differs });
        }
    }
    found
}
