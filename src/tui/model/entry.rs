//! One line of the list of items: what it is, what it is called, how lists of them are sorted and filtered. Data alone.

use crate::drift::{Effect, Severity};
use crate::review::{ApprovalState, RowId};
use crate::surface::ItemId;
use crate::tui::words::state_word;
use std::cmp::Reverse;

/// What an entry is recognised by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryId {
    /// An item.
    Row(RowId),
    /// Several items of one cause, by the group's id.
    Group(String),
}

/// One line of the items pane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub id: EntryId,
    /// The item it is about; of a group, its first one.
    pub about: ItemId,
    /// What stands for a name where it is a group: `20 tools`.
    pub label: String,
    /// Whether it is a group whose members are listed.
    pub opened: bool,
    /// Whether it is a member of a group.
    pub inside: bool,
    /// The state as it may be shown.
    pub state: ApprovalState,
    /// Whether a guard waits until what the file approves is confirmed here.
    pub confirms: bool,
    pub severity: Option<Severity>,
    pub effect: Option<Effect>,
    /// Findings that the change brought.
    pub findings: usize,
    /// The change in a few words. May quote the server: not escaped.
    pub summary: String,
    /// Characters of the definition that a reader would not see.
    pub hidden: usize,
}

impl Entry {
    /// Orders the worst first: by severity, then by findings, then by state.
    pub fn worst_first(&self) -> (Reverse<Option<Severity>>, Reverse<usize>, ApprovalState) {
        (Reverse(self.severity), Reverse(self.findings), self.state)
    }

    pub fn needs_decision(&self) -> bool {
        self.confirms || self.state.needs_decision()
    }
}

/// The column that items are sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SortKey {
    /// What needs a decision first, worst first.
    #[default]
    Severity,
    /// The same by state.
    State,
    /// By kind and name.
    Name,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sort {
    pub key: SortKey,
    pub reversed: bool,
}

impl Sort {
    #[must_use]
    pub fn next(self) -> Self {
        let key = match self.key {
            SortKey::Severity => SortKey::Name,
            SortKey::Name => SortKey::State,
            SortKey::State => SortKey::Severity,
        };
        Self { key, reversed: false }
    }
}

/// One word of a filter against an entry: a state word, a severity, or part of kind, name or summary.
pub fn matches(entry: &Entry, word: &str) -> bool {
    let exact = match word {
        "drift" | "new" | "gone" | "ok" | "rejected" | "unknown" => {
            return state_word(entry.state).eq_ignore_ascii_case(word);
        }
        _ => entry.severity.is_some_and(|severity| severity.word() == word),
    };
    let item = &entry.about;
    let text = format!("{}/{} {}", item.kind, item.key, entry.summary).to_lowercase();
    exact || text.contains(word)
}
