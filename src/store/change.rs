//! Decisions: reload, change, write, each end of it told in the log.
//!
//! The order is what a crash may meet: the new file written beside the old one, the intent in the log, the memory of what
//! it will be, the file in place, the log's mark. Wherever it stops, the baseline is the old one or the new one, and the
//! next to hold the lock reads off the baseline which.

use super::decision_log::{LogEntry, Mark, Phase, Record, new_id};
use super::disk::SHARED;
use super::files::{BASELINE, LARGEST, OnDisk, ServerFolder};
use super::lock::{Held, lock};
use super::root::path_hash;
use super::seen::{Decisions, Memory};
use super::snapshot_file::Snapshot;
use super::{Store, StoreError};
use crate::digest::Sha256;
use crate::pin::format::{Refused, parse, write};
use crate::pin::{Baseline, Decision};
use crate::surface::{ItemId, folder_name};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// An interrupted change, and what the baseline says became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// Its decisions.
    pub records: Vec<Record>,
    /// Whether the baseline has them.
    pub applied: bool,
}

impl Store {
    /// Decides: under the baseline's lock, what stands on the disk is read again and handed to `change`, which compares it
    /// with what the person saw and gives the new baseline and what the log is told, or refuses. Then these intents go to
    /// the log, the baseline is put in its place, and the log marks them applied. Where this fails nothing was decided,
    /// except for [`StoreError::NotFlushed`]. Blocks up to the store's wait for the lock: call it off the UI task.
    pub fn change<E: From<StoreError>>(
        &self,
        server: &str,
        change: impl FnOnce(Option<Baseline>) -> Result<(Baseline, Vec<LogEntry>), E>,
    ) -> Result<Baseline, E> {
        let name = folder_name(server).map_err(StoreError::from)?;
        let _held = self.lock(&name, self.wait)?;
        self.settle_locked(server, &name)?;
        let before = self.load_locked(server, &name)?;
        let (after, intents) = change(before.baseline.clone())?;
        let memory = |after: &Baseline| self.memory_of_change(server, &before, Some(after));
        Ok(self.put_locked(server, &intents, &before, after, memory)?)
    }

    pub(super) fn load_locked(&self, server: &str, name: &str) -> Result<OnDisk, StoreError> {
        self.server_folder(name)?.map_or_else(|| Ok(OnDisk::default()), |folder| folder.load(server))
    }

    /// Puts a baseline in the place of what stands on the disk; `memory` says what is remembered of it then.
    pub(super) fn put_locked(
        &self,
        server: &str,
        intents: &[LogEntry],
        before: &OnDisk,
        mut after: Baseline,
        memory: impl FnOnce(&Baseline) -> Result<Option<Memory>, StoreError>,
    ) -> Result<Baseline, StoreError> {
        let name = folder_name(server)?;
        self.make_fit(server, before.baseline.as_ref(), &mut after)?;
        let text = write(&after);
        let path = self.baseline_path(&name);
        if text.len() as u64 > LARGEST {
            return Err(StoreError::TooLarge { path, limit: LARGEST });
        }
        // What would be refused at the next start is not written.
        parse(text.as_bytes()).map_err(|reason| StoreError::Refused { path, reason: reason.into() })?;
        let digest = Sha256::of(&text).to_string();
        if before.text.as_ref() == Some(&digest) && intents.is_empty() {
            return Ok(after);
        }
        let folder = ServerFolder::make(&self.disk, &self.root, &name)?;
        folder.folder.sweep()?;
        let staged = folder.folder.stage(BASELINE, text.as_bytes(), SHARED)?;
        let memory = memory(&after)?;
        self.commit(&folder, server, intents, Some(&digest), memory, || {
            if folder.text_digest()? != before.text {
                return Err(StoreError::Raced(folder.path()));
            }
            staged.put()
        })?;
        Ok(after)
    }

    /// Removes a server's baseline, also a damaged one; one of a newer format, and other programs' files, stay. Snapshots
    /// stay.
    pub fn forget(&self, server: &str, entry: &LogEntry) -> Result<(), StoreError> {
        let name = folder_name(server)?;
        let _held = self.lock(&name, self.wait)?;
        self.settle_locked(server, &name)?;
        self.forget_locked(server, &name, entry)
    }

    /// The same for who holds the lock.
    pub(super) fn forget_locked(&self, server: &str, name: &str, entry: &LogEntry) -> Result<(), StoreError> {
        let Some(folder) = self.server_folder(name)? else { return Ok(()) };
        let before = match folder.load(server) {
            Err(StoreError::Refused { path, reason }) if matches!(*reason, Refused::Newer(_) | Refused::NotOurs) => {
                return Err(StoreError::Refused { path, reason });
            }
            Err(StoreError::Refused { .. } | StoreError::OtherServer { .. }) => {
                OnDisk { text: folder.text_digest()?, baseline: None }
            }
            loaded => loaded?,
        };
        if before.text.is_none() {
            return Ok(());
        }
        folder.folder.sweep()?;
        let memory = self.memory_of_change(server, &before, None)?;
        self.commit(&folder, server, std::slice::from_ref(entry), None, memory, || {
            folder.folder.remove(BASELINE).map(|_| ())
        })?;
        // What it held is no longer known: the next baseline there is seen for the first time.
        let _ = self.memories.forget(server);
        Ok(())
    }

    /// What is remembered of a baseline once it is changed here.
    fn memory_of_change(
        &self,
        server: &str,
        before: &OnDisk,
        after: Option<&Baseline>,
    ) -> Result<Option<Memory>, StoreError> {
        Ok(match self.memories.load(server)? {
            Some(memory) => Some(memory.about_to(before.baseline.as_ref(), after)),
            // A baseline that was never seen here still has its first sight before it.
            None => before.text.is_none().then(|| Memory::default().about_to(None, after)),
        })
    }

    /// The part between the log's two ends. It leaves a file of the digest `result`, or none.
    fn commit(
        &self,
        folder: &ServerFolder,
        server: &str,
        intents: &[LogEntry],
        result: Option<&str>,
        memory: Option<Memory>,
        put: impl FnOnce() -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let name = &folder_name(server)?;
        let change = new_id()?;
        self.log.intend(intents, server, &self.root.name(), &change, result)?;
        let put = match &memory {
            Some(memory) => self.memories.save(server, memory).and_then(|()| put()),
            None => put(),
        };
        if let Err(problem) = put {
            // The log says what became of it where the disk still lets it; else the next to hold the lock says so.
            let _ = self.settle_locked(server, name);
            return Err(problem);
        }
        let flushed = folder.folder.sync();
        flushed.map_err(|problem| StoreError::NotFlushed { path: folder.path(), problem: problem.into() })?;
        // From here on it is decided. What the two writes below lose is read off the baseline later.
        if let Some(last) = intents.last() {
            let _ = self.log.mark(&Mark { at: last.at, change, phase: Phase::Applied });
        }
        if let Some(next) = memory.and_then(|memory| memory.next) {
            let _ = self.memories.save(server, &Memory { now: next, next: None });
        }
        Ok(())
    }

    /// Looks up what became of changes that were interrupted, marks them in the log, and reports them. A server that
    /// someone decides on at this moment is left out.
    pub fn settle(&self) -> Result<Vec<Settled>, StoreError> {
        let unsettled = self.log.history()?.unsettled(&self.root.name());
        let servers: BTreeSet<_> = unsettled.iter().flatten().map(|record| record.server.as_ref()).collect();
        let mut settled = Vec::new();
        for server in servers {
            let name = folder_name(server)?;
            match self.lock(&name, Duration::ZERO) {
                Ok(_held) => settled.extend(self.settle_locked(server, &name)?),
                Err(StoreError::Locked { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(settled)
    }

    /// The same for one server, whose lock the caller holds.
    pub(super) fn settle_locked(&self, server: &str, name: &str) -> Result<Vec<Settled>, StoreError> {
        let mut open = self.log.history()?.unsettled(&self.root.name());
        open.retain(|records| records.iter().all(|record| *record.server == *server));
        let memory = self.memories.load(server)?;
        let half = memory.as_ref().is_some_and(|memory| memory.next.is_some());
        if open.is_empty() && !half {
            return Ok(Vec::new());
        }
        let now = match self.server_folder(name)?.map(|folder| folder.load(server)) {
            Some(Ok(now)) => now,
            // It says nothing about the change, and is refused by name where it is used.
            Some(Err(StoreError::Refused { .. } | StoreError::OtherServer { .. })) => return Ok(Vec::new()),
            Some(Err(error)) => return Err(error),
            None => OnDisk::default(),
        };
        let mut settled = Vec::new();
        for records in open {
            let Some(last) = records.last() else { continue };
            let shows = |record: &Record| now.baseline.as_ref().is_some_and(|baseline| record.shows_in(baseline));
            let applied = last.result.as_deref() == now.text.as_deref() || records.iter().all(shows);
            let phase = if applied { Phase::Applied } else { Phase::Void };
            self.log.mark(&Mark { at: last.entry.at, change: last.change.to_string(), phase })?;
            settled.push(Settled { records, applied });
        }
        if let Some(Memory { now: seen, next: Some(next) }) = memory {
            let came_through =
                next == Decisions::of(now.baseline.as_ref()) || settled.iter().any(|change| change.applied);
            self.memories.save(server, &Memory { now: if came_through { next } else { seen }, next: None })?;
        }
        Ok(settled)
    }

    /// Records an observation under a name of its own; nothing is ever overwritten.
    pub fn record_snapshot(&self, snapshot: &Snapshot) -> Result<PathBuf, StoreError> {
        for item in &snapshot.items {
            self.refuse_secret(|| ItemId::new(item.kind, item.key.as_str()), &item.bytes)?;
        }
        let label = self.redactor.mask(&snapshot.label).into_owned();
        let snapshot = Snapshot { label, ..snapshot.clone() };
        let name = folder_name(&snapshot.server)?;
        let _held = self.lock(&name, self.wait)?;
        let folder = ServerFolder::make(&self.disk, &self.root, &name)?;
        folder.folder.sweep()?;
        folder.add_snapshot(&snapshot)
    }

    /// Sorts a baseline, masks what people wrote in it, and refuses what may not be written.
    fn make_fit(&self, server: &str, before: Option<&Baseline>, after: &mut Baseline) -> Result<(), StoreError> {
        if after.server != server {
            let path = self.baseline_path(&folder_name(server)?);
            return Err(StoreError::OtherServer { path, inside: after.server.clone(), expected: server.to_owned() });
        }
        let masked = |decision: &Decision| match self.redactor.mask(&decision.note) {
            Cow::Owned(note) => Some(Decision { note, ..decision.clone() }),
            Cow::Borrowed(_) => None,
        };
        for pin in &mut after.pins {
            if let Some(decision) = masked(&pin.decision) {
                Arc::make_mut(pin).decision = Arc::new(decision);
            }
        }
        for rejection in &mut after.rejections {
            if let Some(decision) = masked(&rejection.decision) {
                rejection.decision = decision;
            }
        }
        if let Some(unwatched) = &mut after.unwatched
            && let Some(decision) = masked(&unwatched.decision)
        {
            unwatched.decision = decision;
        }
        after.sort();
        let known = |baseline: &Baseline| {
            let pins = baseline.pins.iter().map(|pin| pin.item.digests.surface);
            pins.chain(baseline.rejections.iter().map(|entry| entry.item.digests.surface)).collect::<Vec<_>>()
        };
        // A definition that was written before, by whoever was asked then, is not asked about again.
        let known = before.map(known).unwrap_or_default();
        let pins = after.pins.iter().map(|pin| &pin.item);
        for item in pins.chain(after.rejections.iter().map(|entry| &entry.item)) {
            if !known.contains(&item.digests.surface) {
                let characters = item.definition.characters();
                self.refuse_secret(|| item.id.clone(), characters.as_bytes())?;
            }
        }
        Ok(())
    }

    fn refuse_secret(&self, item: impl FnOnce() -> ItemId, json: &[u8]) -> Result<(), StoreError> {
        match self.redactor.find(json) {
            Some(name) if !self.secrets_allowed => {
                let mut item = item();
                // Its very name may be what must not be shown.
                item.key = self.redactor.mask(&item.key).into();
                Err(StoreError::Secret { item, name })
            }
            _ => Ok(()),
        }
    }

    /// Takes the lock of one server's baseline.
    pub(super) fn lock(&self, name: &str, wait: Duration) -> Result<Held, StoreError> {
        let path = self.baseline_path(name);
        lock(&self.disk, &self.places, &path_hash(&path), &path, wait)
    }
}
