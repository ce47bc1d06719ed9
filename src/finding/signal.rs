//! What one rule saw in one text: where, how bad, and as which sentence.

use super::severity::Severity;
use std::borrow::Cow;
use std::ops::Range;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Signal {
    pub(super) rule: Cow<'static, str>,
    pub(super) severity: Severity,
    /// Bytes of the text.
    pub(super) at: Range<usize>,
    /// What it is, as a sentence without its quote.
    pub(super) says: String,
    /// The tool of another server, or of none, that it names.
    pub(super) tool: Option<String>,
}

impl Signal {
    pub(super) fn new(rule: &'static str, severity: Severity, at: Range<usize>, says: String) -> Self {
        Self { rule: Cow::Borrowed(rule), severity, at, says, tool: None }
    }
}
