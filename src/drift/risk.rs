//! MCPTrust's keyword risk level (interop/FORMATS.md, 3.4), as its rule stands: it counts substrings, so that
//! "Return the stored information" is MEDIUM (`rm`). Shown as that rule's word, never as a judgement of ours.

use super::RiskLevel;
use serde_json::Value;

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

impl RiskLevel {
    /// The level of a tool as read: its name and description, lower case. The schema is not looked at.
    pub fn of(tool: &Value) -> Self {
        match Self::words(tool).len() {
            0 => Self::Low,
            1 => Self::Medium,
            _ => Self::High,
        }
    }

    /// The words that make the level, in the order of the rule.
    pub fn words(tool: &Value) -> Vec<&'static str> {
        let text = |member| tool.get(member).and_then(Value::as_str).unwrap_or_default();
        let text = format!("{} {}", text("name"), text("description")).to_lowercase();
        KEYWORDS.into_iter().filter(|keyword| text.contains(keyword)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_rule_counts_substrings_of_name_and_description() {
        for (name, description, level) in [
            ("get_offset", "Return the stored information", RiskLevel::High),
            ("execute", "", RiskLevel::High),
            ("Shell", "", RiskLevel::Medium),
            ("read_note", "Reads a note.", RiskLevel::Low),
        ] {
            assert_eq!(RiskLevel::of(&json!({"name": name, "description": description})), level, "{name}");
        }
        assert_eq!(RiskLevel::of(&json!({"name": "a", "inputSchema": {"properties": {"exec": {}}}})), RiskLevel::Low);
    }
}
