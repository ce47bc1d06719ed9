//! A search in every definition of a review: names, texts, parameters.

use super::state::{Review, RowId};
use crate::finding::texts;
use serde_json::Value;

/// Characters of a text around what was found.
const AROUND: usize = 30;

/// An item that has the words.
pub(crate) struct Found {
    pub row: RowId,
    /// Where in its definition the first one stands. Not escaped.
    pub place: String,
    /// The text around it. Not escaped.
    pub excerpt: String,
}

impl Review {
    /// The items whose definition, of what is served or else of the pin, has all these words, which are in lower case.
    pub(crate) fn search<'a>(&'a self, words: &'a [&str]) -> impl Iterator<Item = Found> + 'a {
        self.rows.iter().filter_map(move |row| {
            let first = words.first()?;
            let item = row.now.as_ref().or(row.pin.as_ref().map(|pin| &pin.item))?;
            let text = format!("{}/{} {}", item.id.kind, item.id.key, item.definition.characters()).to_lowercase();
            if !words.iter().all(|word| text.contains(word)) {
                return None;
            }
            let (place, excerpt) = place(&item.definition.as_read(), first).unwrap_or_default();
            Some(Found { row: row.id.clone(), place, excerpt })
        })
    }
}

/// Where in a definition a word stands first: the path, and the text around it.
fn place(definition: &Value, word: &str) -> Option<(String, String)> {
    texts(definition).into_iter().find_map(|text| {
        let found = around(text.characters, word)?;
        // A name stands in the path.
        let named = text.path.tokens().last().is_some_and(|last| last == text.characters);
        Some((text.path.to_string(), if named { String::new() } else { found }))
    })
}

/// The text around a word, on one line.
fn around(text: &str, word: &str) -> Option<String> {
    let flat = text.replace(['\n', '\r', '\t'], " ");
    let lower = flat.to_lowercase();
    let at = lower.find(word)?;
    // Lower case may be longer: the place is looked up by characters, and only for eyes.
    let before = lower[..at].chars().count().saturating_sub(AROUND);
    let shown: String = flat.chars().skip(before).take(2 * AROUND + word.chars().count() + 40).collect();
    Some(if before > 0 { format!("…{shown}") } else { shown })
}
