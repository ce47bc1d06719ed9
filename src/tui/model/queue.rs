//! The queue: everything of all servers that waits for a person, worst first.

use super::entries::asked;
use super::{Entry, Model, Server};
use crate::monitor::Phase;
use crate::surface::ServerId;
use std::cmp::Reverse;

/// One thing that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueRow {
    /// The server.
    pub server: ServerId,
    /// What of it.
    pub what: Waiting,
    /// Put off this session.
    pub skipped: bool,
}

/// What waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// A decision on an item.
    Decision(Box<Entry>),
    /// Consent to the server's launch.
    Consent,
    /// Whether it may stay unwatched.
    Unwatched,
    /// The record of its baseline: so many items.
    FirstContact(usize),
}

impl QueueRow {
    /// The entry that is decided on.
    pub fn entry(&self) -> Option<&Entry> {
        match &self.what {
            Waiting::Decision(entry) => Some(entry),
            Waiting::Consent | Waiting::Unwatched | Waiting::FirstContact(_) => None,
        }
    }

    /// Whether this is what is selected: a server that waits as a whole has one row.
    pub fn is_selected(&self, model: &Model) -> bool {
        let own = |entry: &Entry| {
            let server = model.server_of(&self.server);
            server.is_some_and(|server| server.selected.as_ref() == Some(&entry.id))
        };
        model.server.as_ref() == Some(&self.server) && self.entry().is_none_or(own)
    }

    /// One word of a filter: part of the server's id, or what fits the entry.
    fn fits(&self, word: &str) -> bool {
        self.server.to_lowercase().contains(word)
            || match &self.what {
                Waiting::Decision(entry) => super::entries::matches(entry, word),
                Waiting::Consent => "consent".contains(word),
                Waiting::Unwatched => "unwatched".contains(word),
                Waiting::FirstContact(_) => "first contact new".contains(word),
            }
    }
}

/// What the queue was made of: the servers' revision, how many were put off, the filter.
pub type QueueKey = (u64, usize, String);

/// Everything that waits, as the filter lets it through: by severity, then as the config has the servers; what was put
/// off, and servers that wait as a whole, come last.
pub fn queue(model: &Model) -> Vec<QueueRow> {
    let mut rows: Vec<_> = model.servers.iter().flat_map(|server| waiting(model, server)).collect();
    let words: Vec<_> = model.queue_list.filter.text().split_whitespace().map(str::to_lowercase).collect();
    rows.retain(|row| words.iter().all(|word| row.fits(word)));
    let place =
        |row: &QueueRow| (row.skipped, row.entry().is_none(), Reverse(row.entry().and_then(|entry| entry.severity)));
    // Stable: what is equally bad stays in the order of the servers.
    rows.sort_by_key(place);
    rows
}

fn waiting(model: &Model, server: &Server) -> Vec<QueueRow> {
    let row = |what, skipped| QueueRow { server: server.look.id.clone(), what, skipped };
    if matches!(server.look.phase, Phase::NeedsConsent(_)) {
        return vec![row(Waiting::Consent, false)];
    }
    if matches!(server.look.phase, Phase::Unwatched(_)) {
        let put_off = model.left_unwatched.contains(&server.look.id);
        return if server.needs_watching() { vec![row(Waiting::Unwatched, put_off)] } else { Vec::new() };
    }
    let Some(review) = &server.look.review else { return Vec::new() };
    if review.first_contact {
        let many = review.counts.new;
        return if many > 0 { vec![row(Waiting::FirstContact(many), false)] } else { Vec::new() };
    }
    let skipped = |entry: &Entry| {
        let rows = server.rows_of(&entry.id);
        !rows.is_empty() && rows.iter().all(|row| model.is_skipped(&server.look.id, row))
    };
    let entries = asked(server).into_iter();
    entries.map(|entry| row(Waiting::Decision(Box::new(entry.clone())), skipped(&entry))).collect()
}
