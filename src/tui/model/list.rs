//! The lists of all screens, and how each scrolls. Data alone.

use crate::tui::input::Input;

/// A list that scrolls, with its filter.
#[derive(Clone, Debug, Default)]
pub struct List {
    /// Shows only rows with this in them.
    pub filter: Input,
    /// Whether keys go into the filter.
    pub typing: bool,
    pub scroll: usize,
    /// Place of the selected row, where it is not known by what it is.
    pub at: usize,
}

/// The lists of all screens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    Home,
    Servers,
    Items,
    Events,
    Hits,
    Versions,
    Differences,
}

impl List {
    /// The words of the filter, in lower case.
    pub fn words(&self) -> Vec<String> {
        self.filter.text().split_whitespace().map(str::to_lowercase).collect()
    }
}
