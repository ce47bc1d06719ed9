//! A list that scrolls and can be filtered, and the line at the bottom. Data alone.

use crate::tui::input::Input;

/// A list that scrolls, with its filter.
#[derive(Clone, Debug, Default)]
pub struct List {
    /// Shows only rows with this in them.
    pub filter: Input,
    /// Whether keys go into the filter.
    pub typing: bool,
    /// First row shown.
    pub scroll: usize,
}

impl List {
    /// The words of the filter, in lower case.
    pub fn words(&self) -> Vec<String> {
        self.filter.text().split_whitespace().map(str::to_lowercase).collect()
    }
}

/// What a message says at the bottom until the next key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// One line. Not escaped.
    pub text: String,
    /// Whether something did not go as asked.
    pub warning: bool,
}
