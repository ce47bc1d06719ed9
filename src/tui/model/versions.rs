//! What was recorded of a server, or every version of one item, and two of them compared.

use super::entry::Entry;
use super::list::List;
use super::server::Server;
use crate::digest::SurfaceDigest;
use crate::surface::{ItemId, ServerId};
use jiff::Timestamp;
use std::cmp::Reverse;
use std::path::PathBuf;

/// What a version is found by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VersionId {
    /// What is served now.
    Now,
    /// What is pinned.
    Pinned,
    /// A snapshot.
    File(PathBuf),
    /// A definition of one item.
    Digest(SurfaceDigest),
    /// A definition that is not known.
    NotVisible,
}

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionRow {
    /// What it is found by.
    pub id: VersionId,
    /// When it was recorded, seen or decided.
    pub at: Option<Timestamp>,
    /// What it is, in a word or two.
    pub what: &'static str,
    /// The rest of it. Not escaped.
    pub text: String,
    /// Whether its definitions are at hand.
    pub comparable: bool,
    /// Whether it tells of a call that should not have been allowed.
    pub is_alarm: bool,
}

impl VersionRow {
    /// A row that is no alarm.
    pub fn of(id: VersionId, at: Option<Timestamp>, what: &'static str, text: String, comparable: bool) -> Self {
        Self { id, at, what, text, comparable, is_alarm: false }
    }
}

/// What is served now, then what was recorded or decided, the latest first: a baseline stands where its last decision does,
/// and of several in one second the order of the store is kept.
pub fn latest_first(rows: &mut [VersionRow]) {
    rows.sort_by_key(|row| (row.what != "now", Reverse(row.at)));
}

/// The versions of a server, or of one item.
#[derive(Clone, Debug, Default)]
pub struct Versions {
    pub server: ServerId,
    /// The item; none for the server as a whole.
    pub item: Option<ItemId>,
    /// What there is; none while it is looked up.
    pub rows: Option<Vec<VersionRow>>,
    pub list: List,
    /// Rows marked to be compared, at most two.
    pub marked: Vec<usize>,
    /// The two whose comparison is under way.
    pub asked: Option<[VersionId; 2]>,
    /// The two that could not be compared: they are not asked for again.
    pub failed: Option<[VersionId; 2]>,
}

impl Versions {
    /// Takes other rows: what was selected and marked stays so, wherever it stands now.
    pub fn renew(&mut self, rows: Vec<VersionRow>) {
        let before = self.rows.clone().unwrap_or_default();
        let place = |at: usize| {
            let old = before.get(at)?;
            let same = |row: &VersionRow| (&row.id, row.what) == (&old.id, old.what);
            let exact = rows.iter().position(|row| same(row) && row.at == old.at);
            exact.or_else(|| rows.iter().position(same))
        };
        // At first what is approved is selected, else what was before the latest: there is something to see at once.
        let approved = |row: &VersionRow| row.id == VersionId::Pinned || row.what == "approved" && row.comparable;
        let first = if self.rows.is_none() { rows.iter().position(approved).unwrap_or(1) } else { self.list.at };
        self.list.at = place(self.list.at).unwrap_or(first).min(rows.len().saturating_sub(1));
        self.marked = self.marked.iter().filter_map(|at| place(*at)).collect();
        self.rows = Some(rows);
    }

    /// The two that are marked, else the selected one and the latest: the earlier one first. None where it is the latest.
    pub fn pair(&self) -> Option<[&VersionRow; 2]> {
        let rows = self.rows.as_ref()?;
        // The list begins with the latest.
        let (before, after) = match self.marked.as_slice() {
            [one, other] => (*one.max(other), *one.min(other)),
            [one] if *one != self.list.at => (*one.max(&self.list.at), *one.min(&self.list.at)),
            _ => (self.list.at, 0),
        };
        (before != after).then_some([rows.get(before)?, rows.get(after)?])
    }
}

#[derive(Clone, Debug)]
pub struct Compared {
    /// The earlier one and the later one.
    pub versions: [VersionId; 2],
    /// What they are called. Not escaped.
    pub titles: [String; 2],
    /// The later one against the earlier one, as if that had been approved.
    pub server: Server,
    /// What differs, worst first.
    pub entries: Vec<Entry>,
    pub list: List,
}

/// What was recorded, and what two of it compared to.
#[derive(Clone, Debug, Default)]
pub struct VersionsScreen {
    pub recorded: Option<Versions>,
    pub compared: Option<Compared>,
}

impl VersionsScreen {
    /// The comparison of what is selected, where it is at hand.
    pub fn preview(&self) -> Option<&Compared> {
        let pair = self.recorded.as_ref()?.pair()?.map(|row| &row.id);
        self.compared.as_ref().filter(|compared| compared.versions.each_ref() == pair)
    }
}
