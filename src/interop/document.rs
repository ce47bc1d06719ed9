//! What is common to documents of other systems: how one is written, and why one is not made or not read.

use crate::text::is_hidden;
use serde::Serialize;
use std::fmt::Write as _;

/// Why a document is refused, or not made: a sentence that may quote what stands in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refused(pub String);

impl Refused {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

/// A document made for another system.
pub type Written = Result<String, Refused>;

/// JSON with two blanks a level and the members in the order of the type, as these systems write it. What a reader of it
/// would not see stands escaped, which is the same value.
pub(super) fn pretty(value: &impl Serialize) -> String {
    // Strings, numbers, lists and maps with string keys: nothing that could be refused.
    shown(&serde_json::to_string_pretty(value).unwrap_or_default())
}

/// JSON text with each hidden character as `\uXXXX`; outside of strings there is none but the line breaks.
pub(super) fn shown(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for character in json.chars() {
        if character != '\n' && is_hidden(character) {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                // Writing to a string cannot fail.
                let _ = write!(text, "\\u{unit:04x}");
            }
        } else {
            text.push(character);
        }
    }
    text
}
