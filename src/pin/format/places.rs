//! Where in a baseline's text each entry stands: what a report points at.

use crate::surface::ItemId;
use std::collections::BTreeMap;

/// The line, from 1, that names each pinned or rejected item; of duplicates the first. Finds nothing in a text that was
/// formatted anew: who points at a line says the first one then.
pub fn places(text: &str) -> BTreeMap<ItemId, usize> {
    // An entry's own members stand three blanks deep, `key` before `kind`; nothing of a definition does.
    let member = |line: &str, name: &str| {
        let value = line.strip_prefix("   \"")?.strip_prefix(name)?.strip_prefix("\": ")?;
        serde_json::from_str::<String>(value.trim_end_matches(',')).ok()
    };
    let mut found = BTreeMap::new();
    let mut named: Option<(usize, String)> = None;
    for (index, line) in text.lines().enumerate() {
        if let Some(key) = member(line, "key") {
            named = Some((index + 1, key));
        } else if let Some((at, key)) = named.take() {
            let kind = member(line, "kind").and_then(|kind| kind.parse().ok());
            if let Some(kind) = kind {
                found.entry(ItemId::new(kind, key)).or_insert(at);
            }
        }
    }
    found
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]
mod tests {
    use super::*;
    use crate::surface::Kind;

    #[test]
    fn an_entry_is_found_where_its_key_stands() {
        let text = include_str!("../../../snapshots/notes/baseline.json");
        let found = places(text);
        let at = found[&ItemId::new(Kind::Tool, "read_note")];
        assert_eq!(text.lines().nth(at - 1).unwrap().trim(), "\"key\": \"read_note\",");
        assert!(found.contains_key(&ItemId::new(Kind::Launch, "")));
        let all = crate::pin::format::parse(text.as_bytes()).unwrap();
        assert_eq!(found.len(), all.pins.len() + all.rejections.len());
        assert!(places("{\"pins\": [{\"key\": \"a\", \"kind\": \"tool\"}]}").is_empty());
    }
}
