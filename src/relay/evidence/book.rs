//! What the audit log knows of a run, and when it is to be told more.

use crate::audit::Draft;
use crate::decisions::Desk;
use std::fs::File;
use std::time::{Duration, Instant};

/// Calls after which the audit log gets a record.
const CALLS: u64 = 1_000;
/// Time after which it gets one of fewer calls.
const TIME: Duration = Duration::from_mins(5);
/// Time between two tries to put a record there.
const AGAIN: Duration = Duration::from_secs(5);

/// When the audit log is to get a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    Now,
    In(Duration),
    Never,
}

/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Running,
    /// Nothing more is decided.
    Closed,
    /// The last record is on its way.
    Last,
    /// It was tried; at the end one try has to do.
    Done,
}

/// What the audit log knows of a run.
#[derive(Debug, Default)]
pub(super) struct Book {
    /// The number of the last call that it knows of.
    known: u64,
    /// Since when there is something that it does not know.
    since: Option<Instant>,
    /// When it could not be written, and why.
    refused: Option<(Instant, String)>,
    stage: Stage,
}

impl Book {
    /// Something was written, or could not be.
    pub fn wrote(&mut self) {
        self.since.get_or_insert_with(Instant::now);
    }

    pub fn close(&mut self) {
        self.stage = Stage::Closed;
    }

    /// Why the last record is not in it.
    pub fn refused(&self) -> Option<&str> {
        self.refused.as_ref().map(|(_, why)| why.as_str())
    }

    /// Whether the keeper is to be woken, after the call of this number.
    pub fn wakes(&self, number: u64) -> bool {
        [1, CALLS].contains(&(number - self.known))
    }

    /// When the next record is due, where this is the number of the last call.
    pub fn due(&self, number: u64) -> Due {
        let rest = |since: Instant, time: Duration| match time.checked_sub(since.elapsed()) {
            Some(rest) if !rest.is_zero() => Due::In(rest),
            _ => Due::Now,
        };
        match (self.stage, &self.refused, self.since) {
            (Stage::Done, ..) | (Stage::Closed | Stage::Last, _, None) => Due::Never,
            (Stage::Closed | Stage::Last, ..) => Due::Now,
            (Stage::Running, Some((at, _)), _) => rest(*at, AGAIN),
            (Stage::Running, None, None) => Due::In(TIME),
            (Stage::Running, None, Some(_)) if number - self.known >= CALLS => Due::Now,
            (Stage::Running, None, Some(since)) => rest(since, TIME),
        }
    }

    /// A record up to the call of this number is on its way.
    pub fn begin(&mut self, number: u64) {
        self.since = None;
        self.known = number;
        if self.stage == Stage::Closed {
            self.stage = Stage::Last;
        }
    }

    /// The record was put there, or why not.
    pub fn recorded(&mut self, refused: Option<String>) {
        if self.stage == Stage::Last {
            self.stage = Stage::Done;
        }
        if refused.is_some() {
            self.wrote();
        }
        self.refused = refused.map(|why| (Instant::now(), why));
    }
}

/// What the audit log is to be told.
#[derive(Debug)]
pub(super) struct Record {
    draft: Draft,
    files: Vec<File>,
    desk: Desk,
}

impl Record {
    pub fn new(draft: Draft, files: Vec<File>, desk: Desk) -> Self {
        Self { draft, files, desk }
    }

    /// Puts it there, once the lines that it binds are on the disk.
    pub fn put(self) -> Result<(), String> {
        for file in &self.files {
            file.sync_data().map_err(|error| error.to_string())?;
        }
        self.desk.store.log().tell(&[self.draft]).map_err(|error| error.to_string())
    }
}
