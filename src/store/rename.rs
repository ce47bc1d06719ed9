//! Another id for a server: its pins, rejections, snapshots and what is remembered of it go along.
//!
//! Both ids are locked. The new baseline is put in place, the snapshots are moved one by one as they are, the old baseline
//! goes last: wherever it stops, doing it again does what is missing.

use super::decision_log::LogEntry;
use super::disk::Folder;
use super::files::{LARGEST, OnDisk, ServerFolder};
use super::lock::Held;
use super::seen::{Decisions, Memory, Sight};
use super::snapshot_file::{SnapshotEntry, file_name, parse_name};
use super::{Snapshot, Store, StoreError};
use crate::pin::Baseline;
use crate::surface::{folder_name, server_id};
use std::path::Path;

/// What went along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Renamed {
    /// Pins that stand under the new id now.
    pub pins: usize,
    /// Rejections that stand there.
    pub rejections: usize,
    /// Snapshots that were moved.
    pub snapshots: usize,
}

/// Why an id was not changed.
#[derive(Debug, thiserror::Error)]
pub enum NotRenamed {
    /// There is nothing under the old id.
    #[error("it has no baseline and no snapshots")]
    Nothing,
    /// The new id has a baseline of its own.
    #[error("the new id has a baseline of other pins already")]
    Taken,
    /// The disk. What was done stays done: the next rename does the rest.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Store {
    /// Gives what stands under the id `old` to `new`. `renaming` goes to the log of `new` with the baseline, `forgetting`
    /// to that of `old`. Blocks up to the store's wait for each of two locks.
    pub fn rename(
        &self,
        old: &str,
        new: &str,
        renaming: &LogEntry,
        forgetting: &LogEntry,
    ) -> Result<Renamed, NotRenamed> {
        let (from, to) = (folder_name(old).map_err(StoreError::from)?, folder_name(new).map_err(StoreError::from)?);
        let _held = self.lock_both(&from, &to)?;
        self.settle_locked(old, &from)?;
        self.settle_locked(new, &to)?;
        let (before, there) = (self.load_locked(old, &from)?, self.load_locked(new, &to)?);
        let stands = match &before.baseline {
            Some(baseline) => Some(self.take_over(baseline, new, &there, renaming)?),
            None => None,
        };
        let snapshots = self.move_snapshots(&from, &to)?;
        if stands.is_none() && snapshots == 0 {
            return Err(NotRenamed::Nothing);
        }
        if stands.is_some() {
            self.forget_locked(old, &from, forgetting)?;
        }
        self.drop_empty(&from)?;
        let (pins, rejections) = stands.map_or((0, 0), |stands| (stands.pins.len(), stands.rejections.len()));
        Ok(Renamed { pins, rejections, snapshots })
    }

    /// Whoever renames the other way round asks in the same order.
    fn lock_both(&self, from: &str, to: &str) -> Result<[Held; 2], StoreError> {
        let (first, second) = if from < to { (from, to) } else { (to, from) };
        Ok([self.lock(first, self.wait)?, self.lock(second, self.wait)?])
    }

    /// Puts the baseline in place under the new id, where it is not there already.
    fn take_over(
        &self,
        baseline: &Baseline,
        new: &str,
        there: &OnDisk,
        renaming: &LogEntry,
    ) -> Result<Baseline, NotRenamed> {
        let renamed = baseline.renamed(new);
        match &there.baseline {
            // It was interrupted after this.
            Some(there) if (&there.pins, &there.rejections) == (&renamed.pins, &renamed.rejections) => {
                return Ok(renamed);
            }
            Some(there) if !there.pins.is_empty() || !there.rejections.is_empty() => return Err(NotRenamed::Taken),
            _ => {}
        }
        let remembered = self.memories.load(&baseline.server)?;
        // What changed from outside and was not told yet is told of the new id.
        let memory = |after: &Baseline| {
            Ok(remembered.map(|Memory { now, next }| {
                let known = Memory { now, next };
                let is_seen = known.sight(Some(baseline)) == Sight::Unchanged;
                let next = if is_seen { Decisions::of(Some(after)) } else { known.now.clone() };
                Memory { now: known.now, next: Some(next) }
            }))
        };
        // What was written under the old id was agreed to then.
        let intents = std::slice::from_ref(renaming);
        Ok(self.allowing_secrets().put_locked(new, intents, there, renamed, memory)?)
    }

    /// Moves the snapshots, under the first free name of their second. Their content stays what it is, and so does the id
    /// in it: whose they are now is said by the folder.
    fn move_snapshots(&self, from: &str, to: &str) -> Result<usize, StoreError> {
        let Some(old) = self.server_folder(from)? else { return Ok(0) };
        let entries = old.snapshots()?;
        if entries.is_empty() {
            return Ok(0);
        }
        let new = ServerFolder::make(&self.disk, &self.root, to)?;
        let mut there = new.snapshots()?;
        let mut taken: Vec<_> = there.iter().map(|other| (other.at, other.number)).collect();
        for entry in &entries {
            if let Some(twin) = twin((&old.folder, entry), (&new.folder, &there))? {
                // A power cut between the flushes below left it in both folders.
                there.remove(twin);
                old.folder.remove(&file_name(entry.at, entry.number))?;
                continue;
            }
            let last = taken.iter().filter(|(at, _)| *at == entry.at).map(|(_, number)| *number).max();
            let mut number = last.unwrap_or(0) + 1;
            let name = file_name(entry.at, entry.number);
            while !old.folder.move_new(&name, &new.folder, &file_name(entry.at, number))? {
                number += 1;
            }
            taken.push((entry.at, number));
        }
        new.folder.sync()?;
        old.folder.sync()?;
        Ok(entries.len())
    }

    /// Removes a server's folder where nothing is left in it.
    fn drop_empty(&self, name: &str) -> Result<(), StoreError> {
        let snapshots = self.disk.open(&self.root.path().join("snapshots"))?;
        snapshots.map_or(Ok(()), |snapshots: Folder| snapshots.remove_empty(name))
    }

    /// Whose snapshot a file is: of the server in whose folder it stands, which may have had another id when it was recorded;
    /// elsewhere of the one that it names.
    pub fn server_of(&self, path: &Path, snapshot: &Snapshot) -> String {
        let is_named_so = path.file_name().and_then(|name| name.to_str()).and_then(parse_name).is_some();
        let folder = path.canonicalize().ok().filter(|_| is_named_so);
        let folder = folder.as_deref().and_then(Path::parent);
        let below = folder.and_then(|folder| folder.strip_prefix(self.root.path().join("snapshots")).ok());
        let id = below.and_then(Path::to_str).and_then(|name| server_id(name).ok());
        id.unwrap_or_else(|| snapshot.server.clone())
    }
}

/// Which of the snapshots in another folder is of the same second and has the same bytes, if one does.
fn twin(
    (folder, entry): (&Folder, &SnapshotEntry),
    (other_folder, others): (&Folder, &[SnapshotEntry]),
) -> Result<Option<usize>, StoreError> {
    let read = |folder: &Folder, entry: &SnapshotEntry| match folder.read(file_name(entry.at, entry.number), LARGEST) {
        // Nothing that was recorded here.
        Err(StoreError::TooLarge { .. }) => Ok(None),
        read => read,
    };
    for (at, other) in others.iter().enumerate().filter(|(_, other)| other.at == entry.at) {
        let mine = read(folder, entry)?;
        if mine.is_some() && mine == read(other_folder, other)? {
            return Ok(Some(at));
        }
    }
    Ok(None)
}
