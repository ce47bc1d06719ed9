//! What fills the terminal: the screens, and what the smaller of them keep. Data alone.

use super::entry::{Entry, EntryId, Sort};
use super::list::List;
use super::versions::VersionId;
use crate::digest::SurfaceDigest;
use crate::review::RowId;
use crate::surface::ServerId;
use crate::tui::action::Context;
use crate::tui::document::{Document, Manner};
use jiff::Timestamp;

/// What a message says at the bottom until the next key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// One line. Not escaped.
    pub text: String,
    /// Whether something did not go as asked.
    pub warning: bool,
}

/// A screen is known by the context of its keys. The model keeps a stack of them: the last one is shown, and what it was
/// opened over comes back after it.
pub type Screen = Context;

/// A part of the servers screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pane {
    /// The servers.
    #[default]
    Servers,
    /// The items of the selected server.
    Items,
    /// The change of the selected item.
    Change,
}

impl Pane {
    /// Every pane, in the order of tab.
    pub const ALL: [Self; 3] = [Self::Servers, Self::Items, Self::Change];
}

/// What the document on the screen was made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentKey {
    /// The screen that it is shown on: each begins at its own top.
    pub screen: Screen,
    pub server: ServerId,
    pub revision: u64,
    /// None for a server, or a comparison, as a whole.
    pub entry: Option<EntryId>,
    /// The two that are compared, where it is not what is pinned with what is served.
    pub versions: Option<[VersionId; 2]>,
    pub width: usize,
    pub manner: Manner,
    /// Digests of the definitions in it: while they are the same, an older document says nothing wrong.
    pub texts: Vec<SurfaceDigest>,
    /// The time, where it tells ages.
    pub now: Option<Timestamp>,
}

impl DocumentKey {
    /// Whether it fills the screen: it opens at the first difference then, and a preview always shows its top.
    pub fn is_full(&self) -> bool {
        matches!(self.screen, Screen::Change | Screen::Digests)
    }

    /// Whether it is what a decision is on.
    pub fn is_change(&self) -> bool {
        self.screen != Screen::Digests && self.entry.is_some() && self.versions.is_none()
    }

    /// Whether it is about the same as another, whatever became of that.
    pub fn is_about(&self, other: &Self) -> bool {
        let about = |key: &Self| (key.screen, key.server.clone(), key.entry.clone(), key.versions.clone());
        about(self) == about(other)
    }
}

/// What is read on the screen, as lines, and where the person is in them.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    pub document: Option<(DocumentKey, Document)>,
    pub scroll: usize,
    pub manner: Manner,
}

impl Reading {
    pub fn lines(&self) -> Option<&Document> {
        self.document.as_ref().map(|(_, document)| document)
    }

    /// How many lines are below a page of so many.
    pub fn below(&self, height: u16) -> usize {
        self.lines().map_or(0, |document| document.lines.len().saturating_sub(self.scroll + usize::from(height)))
    }
}

/// What the entries were made of: server, its revision, filter, sort.
pub type EntriesKey = (ServerId, u64, String, Sort);

#[derive(Clone, Debug, Default)]
pub struct ServersScreen {
    pub pane: Pane,
    pub servers: List,
    pub items: List,
    pub sort: Sort,
    /// The entries of the selected server that the filter lets through, sorted.
    pub entries: Vec<Entry>,
    /// What they were made of.
    pub entries_key: Option<EntriesKey>,
}

/// An item that a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    pub server: ServerId,
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
    pub hits: Vec<Hit>,
    /// What they were made of: the servers' revision, the words.
    pub key: Option<(u64, String)>,
}
