//! The change that is being read, wherever it is shown.

use super::entry::EntryId;
use super::screen::Screen;
use crate::surface::ServerId;
use crate::tui::document::{Document, Manner};

/// The document on the screen and what it was made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentKey {
    /// The server.
    pub server: ServerId,
    /// The server's revision.
    pub revision: u64,
    /// The entry.
    pub entry: EntryId,
    /// Cells a line.
    pub width: usize,
    /// How the diff is shown.
    pub manner: Manner,
    /// The screen that it is shown on: each begins at its own top.
    pub screen: Screen,
}

impl DocumentKey {
    /// Whether it fills the screen: it opens at the first difference then, and a preview always shows its top.
    pub fn is_full(&self) -> bool {
        matches!(self.screen, Screen::Change | Screen::Digests)
    }

    /// Whether it is the digests.
    pub fn is_digests(&self) -> bool {
        self.screen == Screen::Digests
    }
}

/// The selected entry as lines, and where the person is in them.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The lines.
    pub document: Option<(DocumentKey, Document)>,
    /// First line shown.
    pub scroll: usize,
    /// How a diff is shown.
    pub manner: Manner,
}

impl Reading {
    /// The lines, if any.
    pub fn lines(&self) -> Option<&Document> {
        self.document.as_ref().map(|(_, document)| document)
    }
}
