//! What was decided on this machine: the audit chain, a record a line, that is only ever added to.
//!
//! A change writes one record a decision with the phase `intent`, puts the baseline in place, and writes one record
//! `applied`. Records of one change share the member `change`. A change without `applied` or `void` was interrupted: what it
//! did is read off the baseline, whose digest stands in `result`. A last line without its end was never reported as written,
//! and the next writer cuts it off, so that the chain goes on from the record before; nothing else is ever rewritten. The log
//! that was written before there was a chain stays beside it and is read first; the chain's first record holds its digest.

mod history;
mod line;
mod told;

pub(super) use line::Mark;
pub use line::{Event, LogEntry, Phase, Record};

use super::StoreError;
use super::chain_file::{self, Verified};
use super::disk::{Disk, Folder, PRIVATE, Step};
use super::lock::hold;
use super::redact::Redactor;
use crate::audit::{self, CALLS_GUARDED, Calls, Draft, Fault};
use crate::canon::{line as one_line, read_plain};
use crate::digest::Sha256;
use crate::held::held;
use crate::text::is_hidden;
pub use history::History;
use line::is_of_what_was_seen;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const NAME: &str = "audit.jsonl";
/// What was written before there was a chain. Nothing is added to it.
const BEFORE: &str = "decisions.jsonl";

/// Bytes of decisions that are read back: of more, the oldest are left out, and pins decided by them read `in the file`.
const READ_BACK: u64 = 64 * 1024 * 1024;

/// The log of this user on this machine.
#[derive(Debug)]
pub struct DecisionLog {
    folder: PathBuf,
    disk: Disk,
    redactor: Redactor,
    wait: Duration,
    /// Whose turn it is to write, of those in this process.
    turn: Mutex<()>,
    read: Mutex<ReadBack>,
}

/// What was read already: the log only grows, so that what follows is all that is to be read.
#[derive(Debug, Default)]
struct ReadBack {
    history: Arc<History>,
    /// How far the log before the chain was read, and how far the chain.
    before: Position,
    chain: Position,
}

/// How far a file was read.
#[derive(Debug, Default)]
struct Position {
    /// Up to here, the end of a line.
    end: u64,
    /// The bytes before it, to see that it is the same file still.
    before: Vec<u8>,
}

impl DecisionLog {
    pub(super) fn new(state: &Path, disk: Disk, redactor: Redactor, wait: Duration) -> Self {
        Self { folder: state.to_owned(), disk, redactor, wait, turn: Mutex::default(), read: Mutex::default() }
    }

    /// Where it is.
    pub fn path(&self) -> PathBuf {
        self.folder.join(NAME)
    }

    /// Where the log is that was written before there was a chain.
    pub fn path_before(&self) -> PathBuf {
        self.folder.join(BEFORE)
    }

    /// Adds events that change no baseline: a recorded snapshot, a consent.
    pub fn append(&self, server: &str, root: &str, entries: &[LogEntry]) -> Result<(), StoreError> {
        let change = new_id()?;
        let draft = |entry| self.record(entry, server, root, &change, Phase::Applied, None).draft();
        self.tell(&entries.iter().map(draft).collect::<Vec<_>>())
    }

    /// Whether the chain holds: each record by itself and in its place, and the log that it follows.
    pub fn verify(&self) -> Result<Verified, StoreError> {
        let Some(folder) = self.disk.open(&self.folder)? else { return Ok(Verified::default()) };
        let Some(file) = folder.open_to_read(NAME)? else { return Ok(Verified::default()) };
        let read = chain_file::verify(file);
        let mut verified = read.map_err(|source| StoreError::io("read", &self.path(), false, source))?;
        if verified.chain.continues().is_some() && verified.chain.continues() != self.digest_before(&folder)?.as_ref() {
            verified.broken = Some((1, Fault::Before));
        }
        Ok(verified)
    }

    /// What guards said of their calls, the earliest first.
    pub fn calls(&self) -> Result<Vec<Calls>, StoreError> {
        let mut found = Vec::new();
        let Some(folder) = self.disk.open(&self.folder)? else { return Ok(found) };
        let Some(file) = folder.open_to_read(NAME)? else { return Ok(found) };
        let fail = |source| StoreError::io("read", &self.path(), false, source);
        let length = file.metadata().map_err(fail)?.len();
        lines(&file, 0, length, |line| {
            if memchr::memmem::find(line, CALLS_GUARDED.as_bytes()).is_some() {
                found.extend(read_plain(line).ok().and_then(|record| Calls::read(&record)));
            }
        })
        .map_err(fail)?;
        Ok(found)
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
        let draft = |entry| self.record(entry, server, root, change, Phase::Intent, result).draft();
        self.tell(&entries.iter().map(draft).collect::<Vec<_>>())
    }

    /// Adds what became of a change.
    pub(super) fn mark(&self, mark: &Mark) -> Result<(), StoreError> {
        self.tell(&[mark.draft()])
    }

    /// Adds records in one flushed write, each bound to the one before it: what any part of the program has to tell. Those of
    /// [`audit::SEEN`] are not read back.
    pub fn tell(&self, drafts: &[Draft]) -> Result<(), StoreError> {
        let Some(first) = drafts.first() else { return Ok(()) };
        let folder = self.disk.make(&self.folder, PRIVATE)?;
        // Writers of one process queue up; only other processes are waited for no longer than so.
        let _turn = held(&self.turn);
        let mut held = hold(&folder, NAME, &self.path(), self.wait)?;
        let fail = |source| StoreError::io("read", &self.path(), false, source);
        let length = held.file.metadata().map_err(fail)?.len();
        let (end, mut last) = tail(&held.file, length).map_err(fail)?;
        if end < length {
            folder.step(Step::Truncate, NAME, || rustix::fs::ftruncate(&held.file, end))?;
        }
        let mut text = String::new();
        let mut add = |draft: &Draft| -> Result<(), StoreError> {
            let sealed = audit::sealed(draft, &uuid()?, last.as_ref());
            let (record, hash) =
                sealed.map_err(|fault| StoreError::Damaged { path: self.path(), problem: fault.to_string() })?;
            text.push_str(&one_line(&record, &is_hidden));
            last = Some(hash);
            Ok(())
        };
        if end == 0
            && let Some(digest) = self.digest_before(&folder)?
        {
            add(&told::continued(digest, first.at))?;
        }
        for draft in drafts {
            add(draft)?;
        }
        folder.append(NAME, &mut held.file, text.as_bytes())?;
        // The name of a log that was just made is flushed with it.
        if end == 0 { folder.sync() } else { Ok(()) }
    }

    /// The digest of the log that was written before there was a chain.
    fn digest_before(&self, folder: &Folder) -> Result<Option<Sha256>, StoreError> {
        let Some(mut file) = folder.open_to_read(BEFORE)? else { return Ok(None) };
        let mut hasher = Sha256::hasher();
        let read = io::copy(&mut file, &mut hasher);
        read.map_err(|source| StoreError::io("read", &self.path_before(), false, source))?;
        Ok(Some(hasher.done()))
    }

    /// What was decided. Only what was added is read again.
    pub fn history(&self) -> Result<Arc<History>, StoreError> {
        let Some(folder) = self.disk.open(&self.folder)? else { return Ok(Arc::default()) };
        let (before, chain) = (folder.open_to_read(BEFORE)?, folder.open_to_read(NAME)?);
        let mut known = held(&self.read);
        let read = known.catch_up(before, chain);
        read.map_err(|source| StoreError::io("read", &self.path(), false, source))?;
        Ok(Arc::clone(&known.history))
    }
}

/// Where the last whole line of the chain ends, and the hash of the last record. A line in which none can be read is passed
/// over: the chain goes on, and `audit verify` names that line.
fn tail(file: &File, length: u64) -> io::Result<(u64, Option<Sha256>)> {
    const STEP: u64 = 64 * 1024;
    let mut from = length;
    let mut bytes: Vec<u8> = Vec::new();
    loop {
        let step = STEP.min(from);
        let mut more = vec![0; usize::try_from(step).unwrap_or_default()];
        from -= step;
        file.read_exact_at(&mut more, from)?;
        more.append(&mut bytes);
        bytes = more;
        let Some(end) = memchr::memrchr(b'\n', &bytes) else {
            if from == 0 {
                return Ok((0, None));
            }
            continue;
        };
        let whole = &bytes[..end];
        // The first of these lines may begin further up.
        let known = if from == 0 { 0 } else { memchr::memchr(b'\n', whole).map_or(whole.len(), |first| first + 1) };
        let hash = whole[known..].rsplit(|byte| *byte == b'\n').find_map(audit::hash_of);
        if hash.is_some() || from == 0 {
            return Ok((from + end as u64 + 1, hash));
        }
    }
}

impl ReadBack {
    fn catch_up(&mut self, before: Option<File>, chain: Option<File>) -> io::Result<()> {
        let files = [before, chain];
        let mut same = true;
        for (file, position) in files.iter().zip([&self.before, &self.chain]) {
            same &= match file {
                Some(file) => position.is_in(file)?,
                None => position.end == 0,
            };
        }
        if !same {
            *self = Self::default();
        }
        let history = Arc::make_mut(&mut self.history);
        let first = history.records.is_empty();
        for (file, position) in files.into_iter().zip([&mut self.before, &mut self.chain]) {
            if let Some(file) = file {
                position.read_on(&file, history)?;
            }
        }
        if first {
            history.records.shrink_to_fit();
        }
        Ok(())
    }
}

impl Position {
    /// So many bytes tell one end of a line from another: each line has a random id in it.
    const BEFORE: usize = 256;

    /// Whether what was read of a file stands in it still.
    fn is_in(&self, file: &File) -> io::Result<bool> {
        let mut before = vec![0; self.before.len()];
        Ok(self.end <= file.metadata()?.len()
            && file.read_exact_at(&mut before, self.end - self.before.len() as u64).is_ok()
            && before == self.before)
    }

    fn read_on(&mut self, file: &File, history: &mut History) -> io::Result<()> {
        let length = file.metadata()?.len();
        let mut left_out = 0;
        if self.end == 0 && length > READ_BACK {
            // What was seen may be most of the file, and crowds out no decision.
            let mut decisions = 0;
            lines(file, 0, length, |line| decisions += if is_of_what_was_seen(line) { 0 } else { line.len() as u64 })?;
            left_out = decisions.saturating_sub(READ_BACK);
            history.cut |= left_out > 0;
        }
        let Self { end, before } = self;
        lines(file, *end, length, |line| {
            *end += line.len() as u64;
            before.clear();
            before.extend_from_slice(&line[line.len().saturating_sub(Self::BEFORE)..]);
            if is_of_what_was_seen(line) {
                return;
            }
            match left_out.checked_sub(line.len() as u64) {
                Some(rest) if left_out > 0 => left_out = rest,
                _ => {
                    left_out = 0;
                    history.add(&line[..line.len() - 1]);
                }
            }
        })
    }
}

/// Hands out the whole lines from `start` to `end`, one after another. A line without its end is torn, or is being written at
/// this moment.
fn lines(mut file: &File, start: u64, end: u64, mut each: impl FnMut(&[u8])) -> io::Result<()> {
    file.seek(SeekFrom::Start(start))?;
    let mut rest = BufReader::with_capacity(64 * 1024, file.take(end - start));
    let mut line = Vec::new();
    while rest.read_until(b'\n', &mut line)? > 0 && line.ends_with(b"\n") {
        each(&line);
        line.clear();
    }
    Ok(())
}

/// A UUID of version 4.
pub fn uuid() -> Result<String, StoreError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| StoreError::NoRandom(error.to_string()))?;
    // RFC 9562, section 5.4: the version, and the variant.
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex = format!("{:032x}", u128::from_be_bytes(bytes));
    Ok([&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-"))
}

/// 16 random hex digits.
pub(super) fn new_id() -> Result<String, StoreError> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|error| StoreError::NoRandom(error.to_string()))?;
    Ok(format!("{:016x}", u64::from_le_bytes(bytes)))
}
