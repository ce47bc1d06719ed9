//! What was decided on this machine: JSON lines that are only ever added to.
//!
//! A change writes one line a decision with the phase `intent`, puts the baseline in place, and writes one line
//! `applied`. Lines of one change share the member `change`. A change without `applied` or `void` was interrupted: what it
//! did is read off the baseline, whose digest stands in `result`. A torn last line and lines of a newer format are counted
//! and skipped; nothing is ever rewritten.

mod history;
mod line;

pub(super) use line::Mark;
pub use line::{Event, LogEntry, Phase, Record};

use super::StoreError;
use super::disk::{Disk, PRIVATE};
use super::lock::hold;
use super::redact::Redactor;
use crate::canon::line as one_line;
use crate::text::is_hidden;
pub use history::History;
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

const NAME: &str = "decisions.jsonl";

/// More is not read back: the oldest lines are left out, and pins decided by them read `by file`.
const READ_BACK: u64 = 64 * 1024 * 1024;

/// The log of this user on this machine.
#[derive(Debug)]
pub struct DecisionLog {
    folder: PathBuf,
    disk: Disk,
    redactor: Redactor,
    wait: Duration,
    read: Mutex<ReadBack>,
}

/// What was read already: the log only grows, so that what follows is all that is to be read.
#[derive(Debug, Default)]
struct ReadBack {
    history: Arc<History>,
    /// Up to here, the end of a line.
    end: u64,
    /// The bytes before it, to see that it is the same file still.
    before: Vec<u8>,
}

impl DecisionLog {
    pub(super) fn new(state: &Path, disk: Disk, redactor: Redactor, wait: Duration) -> Self {
        Self { folder: state.to_owned(), disk, redactor, wait, read: Mutex::default() }
    }

    /// Where it is.
    pub fn path(&self) -> PathBuf {
        self.folder.join(NAME)
    }

    /// Adds an event that changes no baseline: a recorded snapshot, a consent.
    pub fn append(&self, server: &str, root: &str, entry: &LogEntry) -> Result<(), StoreError> {
        let record = self.record(entry, server, root, &new_id()?, Phase::Applied, None);
        self.write(&[record.to_json()])
    }

    fn record(
        &self,
        entry: &LogEntry,
        server: &str,
        root: &str,
        change: &str,
        phase: Phase,
        result: Option<&str>,
    ) -> Record {
        let note = self.redactor.mask(&entry.note).into();
        Record {
            entry: LogEntry { note, ..entry.clone() },
            server: server.into(),
            root: root.into(),
            change: change.into(),
            phase,
            result: result.map(Into::into),
        }
    }

    /// Adds the intents of a change that leaves a file of the digest `result`, or none.
    pub(super) fn intend(
        &self,
        entries: &[LogEntry],
        server: &str,
        root: &str,
        change: &str,
        result: Option<&str>,
    ) -> Result<(), StoreError> {
        let record = |entry| self.record(entry, server, root, change, Phase::Intent, result).to_json();
        self.write(&entries.iter().map(record).collect::<Vec<_>>())
    }

    /// Adds what became of a change.
    pub(super) fn mark(&self, mark: &Mark) -> Result<(), StoreError> {
        self.write(&[mark.to_json()])
    }

    /// Adds lines in one flushed write, after whatever a crash left of the last one.
    fn write(&self, lines: &[Value]) -> Result<(), StoreError> {
        if lines.is_empty() {
            return Ok(());
        }
        let text: String = lines.iter().map(|value| one_line(value, &is_hidden)).collect();
        let folder = self.disk.make(&self.folder, PRIVATE)?;
        let mut held = hold(&folder, NAME, &self.path(), self.wait)?;
        let fail = |source| StoreError::io("read", &self.path(), false, source);
        let file = &mut held.file;
        let length = file.metadata().map_err(fail)?.len();
        let mut last = [b'\n'];
        if length > 0 {
            file.seek(SeekFrom::Start(length - 1)).and_then(|_| file.read_exact(&mut last)).map_err(fail)?;
        }
        let torn = if last == [b'\n'] { "" } else { "\n" };
        folder.append(NAME, file, format!("{torn}{text}").as_bytes())?;
        // The name of a log that was just made is flushed with it.
        if length == 0 { folder.sync() } else { Ok(()) }
    }

    /// The whole log. Only what was added is read again.
    pub fn history(&self) -> Result<Arc<History>, StoreError> {
        let Some(folder) = self.disk.open(&self.folder)? else { return Ok(Arc::default()) };
        let Some(mut file) = folder.open_to_read(NAME)? else { return Ok(Arc::default()) };
        let mut known = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let read = known.catch_up(&mut file);
        read.map_err(|source| StoreError::io("read", &self.path(), false, source))?;
        Ok(Arc::clone(&known.history))
    }
}

impl ReadBack {
    /// So many bytes tell one end of a line from another: each line has a random id in it.
    const BEFORE: usize = 256;

    fn catch_up(&mut self, file: &mut File) -> std::io::Result<()> {
        let length = file.metadata()?.len();
        let mut before = vec![0; self.before.len()];
        let same = self.end <= length
            && file.seek(SeekFrom::Start(self.end - self.before.len() as u64)).is_ok()
            && file.read_exact(&mut before).is_ok()
            && before == self.before;
        if !same {
            *self = Self::default();
        }
        let history = Arc::make_mut(&mut self.history);
        if self.end == 0 && length > READ_BACK {
            // From within a line: what is left of it is read as one that is unreadable.
            self.end = length - READ_BACK;
            history.cut = true;
        }
        let first = history.records.is_empty();
        file.seek(SeekFrom::Start(self.end))?;
        let mut added = BufReader::new(file.take(length - self.end));
        let mut line = Vec::new();
        // A line without its end is torn, or is being written at this moment.
        while added.read_until(b'\n', &mut line)? > 0 && line.ends_with(b"\n") {
            history.add(&line[..line.len() - 1]);
            self.end += line.len() as u64;
            let kept = line.len().saturating_sub(Self::BEFORE);
            self.before.clear();
            self.before.extend_from_slice(&line[kept..]);
            line.clear();
        }
        if first {
            history.records.shrink_to_fit();
        }
        Ok(())
    }
}

/// 16 random hex digits.
pub(super) fn new_id() -> Result<String, StoreError> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|error| StoreError::NoRandom(error.to_string()))?;
    Ok(format!("{:016x}", u64::from_le_bytes(bytes)))
}
