//! MCPTrust's keyword risk level (interop/FORMATS.md, 3.4), as its rule stands: it counts substrings, so that
//! "Return the stored information" is MEDIUM (`rm`). Shown as that rule's word, never as a judgement of ours.

use super::RiskLevel;
use crate::digest::Item;
use crate::surface::Kind;
use serde_json::Value;
use std::fmt::{self, Display, Formatter};

const KEYWORDS: [&str; 19] = [
    "exec",
    "shell",
    "write",
    "delete",
    "fs",
    "run",
    "execute",
    "bash",
    "command",
    "sudo",
    "rm",
    "remove",
    "kill",
    "spawn",
    "eval",
    "system",
    "popen",
    "subprocess",
    "terminal",
];

/// A tool's risk level with the keywords that make it, in the order of the rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Risk {
    /// The level.
    pub level: RiskLevel,
    /// What was found of the rule's keywords.
    pub words: Vec<&'static str>,
}

impl Risk {
    /// Of a tool as read: its name and description, lower case. The schema is not looked at.
    pub fn of(tool: &Value) -> Self {
        let text = |member| tool.get(member).and_then(Value::as_str).unwrap_or_default();
        let text = format!("{} {}", text("name"), text("description")).to_lowercase();
        let words: Vec<_> = KEYWORDS.into_iter().filter(|keyword| text.contains(keyword)).collect();
        let level = match words.len() {
            0 => RiskLevel::Low,
            1 => RiskLevel::Medium,
            _ => RiskLevel::High,
        };
        Self { level, words }
    }

    /// Of an item as the server sent it, also where this is a masked copy; none where it is no tool.
    pub fn of_item(item: &Item) -> Option<Self> {
        (item.id.kind == Kind::Tool).then(|| Self::of(&item.itself().definition.as_read()))
    }
}

/// `HIGH: exec, shell`, and `LOW` without a keyword.
impl Display for Risk {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.level.word())?;
        if self.words.is_empty() { Ok(()) } else { write!(f, ": {}", self.words.join(", ")) }
    }
}

impl RiskLevel {
    /// The level of a tool as read.
    pub fn of(tool: &Value) -> Self {
        Risk::of(tool).level
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn risk_counts_substrings_of_name_and_description() {
        for (name, description, level) in [
            ("get_offset", "Return the stored information", RiskLevel::High),
            ("execute", "", RiskLevel::High),
            ("Shell", "", RiskLevel::Medium),
            ("read_note", "Reads a note.", RiskLevel::Low),
        ] {
            assert_eq!(RiskLevel::of(&json!({"name": name, "description": description})), level, "{name}");
        }
        assert_eq!(Risk::of(&json!({"name": "Exec_Shell"})).to_string(), "HIGH: exec, shell");
        assert_eq!(Risk::of(&json!({"name": "read_note"})).to_string(), "LOW");
        assert_eq!(RiskLevel::of(&json!({"name": "a", "inputSchema": {"properties": {"exec": {}}}})), RiskLevel::Low);
    }
}
