//! The servers screen: servers, the items of the selected one, the change of the selected item.

use super::entry::{Entry, Sort};
use super::list::List;
use super::screen::Pane;
use crate::surface::ServerId;

/// What the entries were made of: server, its revision, filter, sort.
pub type EntriesKey = (ServerId, u64, String, Sort);

/// The lists of the servers screen.
#[derive(Clone, Debug, Default)]
pub struct ServersScreen {
    /// Which part has the keys.
    pub pane: Pane,
    /// The list of servers.
    pub servers: List,
    /// The list of items.
    pub items: List,
    /// How items are sorted.
    pub sort: Sort,
    /// The entries of the selected server that the filter lets through, sorted.
    pub entries: Vec<Entry>,
    /// What they were made of.
    pub entries_key: Option<EntriesKey>,
    /// First line shown of the server's details.
    pub details_scroll: usize,
}
