//! Items of a server that are not compared, by pattern: lists that are a person's own data, such as open tabs or notes.

use crate::surface::{ItemId, Kind};
use serde_json::{Value, json};

/// A pattern of keys that are left out of every comparison and of the first record.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Ignore {
    pub server: String,
    pub kind: Kind,
    /// Their keys; `*` stands for any characters, none included.
    pub pattern: String,
}

impl Ignore {
    /// Reads `KIND/PATTERN`.
    pub fn parse(server: &str, text: &str) -> Result<Self, String> {
        let item = ItemId::parse(text)?;
        if item.kind.key_member().is_none() || item.key.is_empty() {
            return Err(format!("`{text}` names no items: write KIND/PATTERN, such as resource/note://*"));
        }
        Ok(Self { server: server.to_owned(), kind: item.kind, pattern: item.key.to_string() })
    }

    /// Whether an item of a server is left out.
    pub fn fits(&self, server: &str, id: &ItemId) -> bool {
        self.server == server && self.kind == id.kind && matches(&self.pattern, &id.key)
    }

    /// `resource/note://*`.
    pub fn shown(&self) -> String {
        format!("{}/{}", self.kind, self.pattern)
    }

    /// As the policy's digest has it.
    pub fn to_json(&self) -> Value {
        json!({"server": self.server, "items": self.shown()})
    }
}

/// Whether a text fits a pattern. Linear in the text for each `*`: the earliest place of each part is as good as any.
fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_is_any_characters() {
        for (pattern, text, fits) in [
            ("note://*", "note://1", true),
            ("note://*", "note://", true),
            ("note://*", "xnote://1", false),
            ("*", "", true),
            ("a*b", "ab", true),
            ("a*b", "a", false),
            ("a*a", "a", false),
            ("a*b*c", "axbxbxc", true),
            ("a*b*c", "acb", false),
            ("*.md", "a/b.md", true),
            ("exact", "exact", true),
            ("exact", "exactly", false),
        ] {
            assert_eq!(matches(pattern, text), fits, "{pattern} {text}");
        }
    }
}
