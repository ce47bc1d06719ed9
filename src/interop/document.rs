//! What is common to documents of other systems: how one is written, and why one is not made or not read.

use crate::canon::{escaped, read_plain};
use crate::text::is_hidden;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

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
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    // Outside of strings nothing is hidden but the line breaks.
    escaped(&text, &|character| character != '\n' && is_hidden(character))
}

/// Reads the text of a document: plain JSON of at most so many bytes.
pub(super) fn plain(bytes: &[u8], most: usize) -> Result<Value, Refused> {
    if bytes.len() > most {
        return Err(Refused::new(format!("it has more than {} MiB", most >> 20)));
    }
    read_plain(bytes).map_err(|fault| Refused::new(format!("it cannot be read: {fault}")))
}

/// What a document says; what is wrong in it is named by its place.
pub(super) fn typed<T: DeserializeOwned>(document: &Value) -> Result<T, Refused> {
    serde_path_to_error::deserialize(document).map_err(|error| {
        let (place, why) = (error.path().to_string(), error.inner());
        Refused(if place == "." { why.to_string() } else { format!("`{place}`: {why}") })
    })
}
