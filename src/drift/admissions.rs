//! What a project demands of who a server is, and which of its tools it may have.

use super::{Finding, Severity};
use crate::canon::Pointer;
use crate::digest::Item;
use crate::surface::{ItemId, Kind};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The rule of a tool that is outside of its server's list.
pub const NOT_ADMITTED: &str = "tool-not-admitted";

/// What the project demands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Admissions {
    /// The digest of the trust root; none without one.
    pub root: Option<String>,
    /// The level that every server needs; none where they need no assertion.
    pub required: Option<String>,
    /// The level that a server needs instead.
    pub clearances: BTreeMap<String, String>,
    /// The tools that a server may have, where its list is closed.
    pub tools: BTreeMap<String, BTreeSet<String>>,
}

impl Admissions {
    /// The level that a server needs.
    pub fn required(&self, server: &str) -> Option<&str> {
        self.clearances.get(server).or(self.required.as_ref()).map(String::as_str)
    }

    /// Whether an item may be there: a tool of a closed list must stand in it.
    pub fn admits(&self, server: &str, id: &ItemId) -> bool {
        let list = self.tools.get(server).filter(|_| id.kind == Kind::Tool);
        list.is_none_or(|list| list.contains(id.key.as_ref()))
    }

    /// What is suspicious in an item that may not be there.
    pub fn finding(&self, server: &str, item: &Item) -> Option<Finding> {
        let text = not_admitted(&item.id);
        (!self.admits(server, &item.id)).then(|| Finding::at(NOT_ADMITTED, Pointer::root(), Severity::Critical, text))
    }

    /// As the policy's digest has it.
    pub fn to_json(&self) -> Value {
        json!({"root": self.root, "required": self.required, "clearances": self.clearances, "tools": self.tools})
    }
}

/// Why a tool may not be there, as a sentence without a full stop.
pub(super) fn not_admitted(id: &ItemId) -> String {
    format!(
        "`{}` is not in the closed list of tools that pinwatch.toml gives this server: tool_not_admitted (9)",
        id.key
    )
}
