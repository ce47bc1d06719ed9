//! Why something is not known.

use serde::Serialize;

/// A stable code and a sentence: why something could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// Kebab-case, stable, for programs.
    pub code: &'static str,
    /// One sentence for a person. It may quote the server: show it through the escaping seam only.
    pub text: String,
}

impl Reason {
    /// A reason of `code` that says `text`.
    pub fn new(code: &'static str, text: impl Into<String>) -> Self {
        Self { code, text: text.into() }
    }

    /// A fault of pinwatch itself.
    pub fn internal(text: impl Into<String>) -> Self {
        Self::new("internal", text)
    }
}
