//! The lines of a run in one format: written in order, counted and digested.

use super::file::EvidenceFile;
use crate::digest::{Hasher, Sha256};
use crate::interop::call::LogFormat;
use std::collections::VecDeque;
use std::fs::File;
use std::path::{Path, PathBuf};

/// What is written to one file.
#[derive(Debug)]
pub(super) struct Stream {
    pub format: LogFormat,
    file: EvidenceFile,
    count: u64,
    hasher: Hasher,
    /// Statements of calls that passed, which could not be written where all have to be.
    waiting: VecDeque<String>,
}

impl Stream {
    pub fn new(format: LogFormat, path: PathBuf) -> Self {
        Self { format, file: EvidenceFile::new(path), count: 0, hasher: Sha256::hasher(), waiting: VecDeque::new() }
    }

    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Lines of this run that were written.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The digest of these, each with its end.
    pub fn digest(&self) -> Sha256 {
        self.hasher.clone().done()
    }

    /// A handle to flush the file with.
    pub fn handle(&self) -> Option<File> {
        self.file.handle()
    }

    /// Writes a line behind those that wait.
    pub fn put(&mut self, line: &str) -> Result<(), String> {
        self.catch_up()?;
        self.add(line)
    }

    fn add(&mut self, line: &str) -> Result<(), String> {
        let done = self.file.add(line);
        done.map_err(|error| format!("{}: {error}", self.file.path().display()))?;
        self.count += 1;
        self.hasher.update(line.as_bytes());
        Ok(())
    }

    /// Writes what waits.
    fn catch_up(&mut self) -> Result<(), String> {
        while let Some(line) = self.waiting.pop_front() {
            if let Err(why) = self.add(&line) {
                self.waiting.push_front(line);
                return Err(why);
            }
        }
        Ok(())
    }

    /// Writes what waits, and sees that there is a file to write to.
    pub fn ready(&mut self) -> Result<(), String> {
        self.catch_up()?;
        self.file.ready().map_err(|error| format!("{}: {error}", self.file.path().display()))
    }

    /// Writes a line behind those that wait; with `keep` one that cannot be written waits, and why is given.
    pub fn put_or_keep(&mut self, line: String, keep: bool) -> Result<Option<String>, String> {
        match self.put(&line) {
            Ok(()) => Ok(None),
            Err(why) if keep => {
                self.waiting.push_back(line);
                Ok(Some(why))
            }
            Err(why) => Err(why),
        }
    }

    /// Tries once more to write what waits; why it cannot, and how many lines are lost.
    pub fn give_up(&mut self) -> Option<(String, usize)> {
        self.ready().err().map(|why| (why, std::mem::take(&mut self.waiting).len()))
    }
}
