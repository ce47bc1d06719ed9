//! The search: its words, and what they found.

use super::list::List;
use crate::review::RowId;
use crate::surface::ServerId;

/// An item that a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The server.
    pub server: ServerId,
    /// The row.
    pub row: RowId,
    /// Where in its definition. Not escaped.
    pub place: String,
    /// The text around it. Not escaped.
    pub excerpt: String,
}

/// What is searched for and what was found.
#[derive(Clone, Debug, Default)]
pub struct SearchScreen {
    /// The words, and the list of what they found.
    pub list: List,
    /// What was found.
    pub hits: Vec<Hit>,
    /// Place of the selected one.
    pub at: usize,
    /// What they were made of: the servers' revision, the words.
    pub key: Option<(u64, String)>,
}
