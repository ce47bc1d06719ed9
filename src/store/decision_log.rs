//! What was decided on this machine: JSON lines that are only ever added to.
//!
//! A change writes one line a decision with the phase `intent`, puts the baseline in place, and writes one line
//! `applied`. Lines of one change share the member `change`. A change without `applied` or `void` was interrupted: what it
//! did is read off the baseline, whose digest stands in `result`. A torn last line and lines of a newer format are counted
//! and skipped; nothing is ever rewritten.

mod line;

pub(super) use line::Mark;
pub use line::{Event, LogEntry, Phase, Record};

use super::StoreError;
use super::disk::{Disk, PRIVATE};
use super::lock::{NotHeld, hold};
use super::redact::Redactor;
use crate::canon::line as one_line;
use crate::digest::SurfaceDigest;
use crate::pin::{Baseline, DecisionState};
use crate::surface::ItemId;
use crate::text::is_hidden;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read as _, Seek as _, SeekFrom};
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
    /// What was read when the file had this length and time of change.
    read: Mutex<Option<(Stamp, Arc<History>)>>,
}

type Stamp = (u64, Option<std::time::SystemTime>);

/// The log read back.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// In the order written; phases are resolved by the marks that followed.
    pub records: Vec<Record>,
    /// Lines that could not be read: torn, damaged, or of a newer format.
    pub unreadable: usize,
    /// The oldest lines were left out.
    pub cut: bool,
}

impl DecisionLog {
    pub(super) fn new(state: &Path, disk: Disk, redactor: Redactor, wait: Duration) -> Self {
        Self { folder: state.to_owned(), disk, redactor, wait, read: Mutex::new(None) }
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
        let note = self.redactor.mask(&entry.note).into_owned();
        Record {
            entry: LogEntry { note, ..entry.clone() },
            server: server.to_owned(),
            root: root.to_owned(),
            change: change.to_owned(),
            phase,
            result: result.map(str::to_owned),
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
        let mut held = hold(&folder, NAME, self.wait).map_err(|why| match why {
            NotHeld::By(holder) => StoreError::Locked { path: self.path(), holder },
            NotHeld::Store(error) => error,
        })?;
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

    /// The whole log. It is read again only where it has grown.
    pub fn history(&self) -> Result<Arc<History>, StoreError> {
        let Some(folder) = self.disk.open(&self.folder)? else { return Ok(Arc::default()) };
        let Some(mut file) = folder.open_to_read(NAME)? else { return Ok(Arc::default()) };
        let fail = |source| StoreError::io("read", &self.path(), false, source);
        let data = file.metadata().map_err(fail)?;
        let (length, stamp) = (data.len(), (data.len(), data.modified().ok()));
        let mut known = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, history)) = known.as_ref()
            && *at == stamp
        {
            return Ok(Arc::clone(history));
        }
        let start = length.saturating_sub(READ_BACK);
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(start))
            .and_then(|_| file.take(length - start).read_to_end(&mut bytes))
            .map_err(fail)?;
        let history = Arc::new(History::read(&bytes, start > 0));
        *known = Some((stamp, Arc::clone(&history)));
        Ok(history)
    }
}

impl History {
    fn read(bytes: &[u8], cut: bool) -> Self {
        let mut history = Self { cut, ..Self::default() };
        let mut marks = BTreeMap::new();
        let skipped = usize::from(cut);
        for line in bytes.split(|byte| *byte == b'\n').skip(skipped).filter(|line| !line.is_empty()) {
            match line::parse(line) {
                Some(line::Line::Record(record)) => history.records.push(*record),
                Some(line::Line::Mark(mark)) => {
                    marks.insert(mark.change, mark.phase);
                }
                None => history.unreadable += 1,
            }
        }
        for record in &mut history.records {
            if let Some(phase) = marks.get(&record.change) {
                record.phase = *phase;
            }
        }
        history
    }

    /// The records of one server under one root.
    pub fn of<'a>(&'a self, root: &'a str, server: &'a str) -> impl DoubleEndedIterator<Item = &'a Record> {
        self.records.iter().filter(move |record| record.root == root && record.server == server)
    }

    /// Pins of a baseline that were approved here: kind, key and the digest that the approval binds to. Any other pin
    /// reads `approved (by file: WHO)`. An interrupted approval counts where the baseline shows that it came through.
    pub fn decided_here(&self, root: &str, baseline: &Baseline) -> BTreeSet<(ItemId, SurfaceDigest)> {
        let approved: BTreeSet<_> = self
            .of(root, &baseline.server)
            .filter(|record| record.phase != Phase::Void && record.entry.event.approves())
            .filter_map(|record| Some((record.entry.item.as_ref()?, record.entry.to?)))
            .collect();
        let pins = baseline.pins.iter().map(|pin| (&pin.item.id, pin.binds_to()));
        pins.filter(|pin| approved.contains(pin)).map(|(id, digest)| (id.clone(), digest)).collect()
    }
}

impl Record {
    /// Whether a baseline shows this decision: the digest it decided on stands there by its word and time.
    pub(super) fn shows_in(&self, baseline: &Baseline) -> bool {
        let entry = &self.entry;
        let Some(item) = &entry.item else { return false };
        let at = super::utc(entry.at);
        let pinned = |digest| baseline.pins_of(item).find(|pin| pin.binds_to() == digest);
        match (entry.event.state(), entry.to) {
            (Some(DecisionState::Rejected), Some(to)) => {
                baseline.rejection_of(item, &to).is_some_and(|rejection| rejection.decision.at == at)
            }
            (_, Some(to)) => pinned(to).is_some_and(|pin| entry.event == Event::Undo || pin.decision.at == at),
            (_, None) => {
                entry.from.is_none_or(|from| pinned(from).is_none() && baseline.rejection_of(item, &from).is_none())
            }
        }
    }
}

/// 16 random hex digits.
pub(super) fn new_id() -> Result<String, StoreError> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|error| StoreError::NoRandom(error.to_string()))?;
    Ok(format!("{:016x}", u64::from_le_bytes(bytes)))
}
