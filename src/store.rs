//! Baselines, snapshots, the decision log and locks on disk; every write is atomic, every secret masked.
//!
//! Nothing here judges: what a decision does to a baseline is `review`'s, its text `pin::format`'s. No clock is read; times
//! come in as arguments. Every file operation passes [`disk`], where tests inject faults.

mod chain_file;
mod change;
mod client_file;
mod decision_log;
pub mod disk;
mod error;
mod files;
mod guard_secret;
mod key;
mod keyring;
mod lock;
pub mod redact;
mod rename;
mod root;
mod running_guards;
mod seen;
mod sign_ins;
mod signing_key;
mod snapshot_file;
mod time;

pub use chain_file::{Verified, verify};
pub use change::Settled;
pub use client_file::{ClientConfigs, KnownFile};
pub use decision_log::{DecisionLog, Event, History, LogEntry, Phase, Record, uuid};
pub use error::StoreError;
pub use guard_secret::GuardSecret;
pub use key::{keep_key, known_key, new_key};
pub use lock::{Held, lock};
pub use rename::{NotRenamed, Renamed};
pub use root::{FoundBy, Places, Root};
pub use running_guards::{GuardedItem, Presence, RunningGuard, RunningGuards};
pub use seen::{Decided, Outside, Sight};
pub use sign_ins::{KeptIn, SignIns};
pub use signing_key::{make_signing_key, signing_key};
pub use snapshot_file::{ListState, ListWord, Snapshot, SnapshotEntry, SnapshotItem};
pub use time::utc;

use crate::audit::{About, Sighting, Told};
use crate::pin::Baseline;
use crate::surface::folder_name;
use disk::Disk;
use files::{BASELINE, LARGEST, ServerFolder};
use redact::Redactor;
use seen::{Decisions, Memories, Memory};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How long a decision waits for the one before it.
const WAIT: Duration = Duration::from_secs(2);

/// The files of one root, and this user's own beside them. Cheap to clone. Every call blocks on the disk.
#[derive(Clone, Debug)]
pub struct Store {
    root: Root,
    places: Places,
    redactor: Redactor,
    disk: Disk,
    wait: Duration,
    secrets_allowed: bool,
    log: Arc<DecisionLog>,
    memories: Memories,
}

impl Store {
    /// The store of a root. Nothing is opened or written yet.
    pub fn new(root: Root, places: Places, redactor: Redactor) -> Self {
        Self::on(Disk::default(), WAIT, root, places, redactor)
    }

    /// The same on a disk that may have faults, waiting for locks at most `wait`.
    pub fn on(disk: Disk, wait: Duration, root: Root, places: Places, redactor: Redactor) -> Self {
        let log = Arc::new(DecisionLog::new(&places.state, disk.clone(), redactor.clone(), wait));
        let memories = Memories::new(&places.state, &root.hash(), disk.clone());
        Self { root, places, redactor, disk, wait, secrets_allowed: false, log, memories }
    }

    /// This store with another redactor: after the config was read again.
    #[must_use]
    pub fn with_redactor(&self, redactor: Redactor) -> Self {
        Self::on(self.disk.clone(), self.wait, self.root.clone(), self.places.clone(), redactor)
    }

    /// This store for one call that was explicitly told to write definitions that hold a secret.
    #[must_use]
    pub fn allowing_secrets(&self) -> Self {
        Self { secrets_allowed: true, ..self.clone() }
    }

    /// The root.
    pub fn root(&self) -> &Root {
        &self.root
    }

    /// This user's own folders.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// The redactor that everything written passes.
    pub fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    /// The decision log of this machine.
    pub fn log(&self) -> &DecisionLog {
        &self.log
    }

    /// The servers that have a baseline of ours on disk, in whatever state, sorted.
    pub fn servers(&self) -> Result<Vec<String>, StoreError> {
        root::servers(&self.disk, self.root.path())
    }

    /// A server's baseline, read and verified; `None` where there is none.
    pub fn load(&self, server: &str) -> Result<Option<Baseline>, StoreError> {
        match self.server_folder(&folder_name(server)?)? {
            Some(folder) => Ok(folder.load(server)?.baseline),
            None => Ok(None),
        }
    }

    /// The text of a server's baseline as it stands on the disk, whatever it says; `None` where there is none or it is no
    /// text.
    pub fn text_of(&self, server: &str) -> Result<Option<String>, StoreError> {
        match self.server_folder(&folder_name(server)?)? {
            Some(folder) => folder.text(),
            None => Ok(None),
        }
    }

    /// The path of a server's baseline, there or not.
    pub fn path_of(&self, server: &str) -> Result<PathBuf, StoreError> {
        Ok(self.baseline_path(&folder_name(server)?))
    }

    /// The snapshots of a server, oldest first; other files among them are other programs'.
    pub fn snapshots(&self, server: &str) -> Result<Vec<SnapshotEntry>, StoreError> {
        match self.server_folder(&folder_name(server)?)? {
            Some(folder) => folder.snapshots(),
            None => Ok(Vec::new()),
        }
    }

    /// The servers that have a folder of their own here, with a baseline or only snapshots, sorted.
    pub fn recorded(&self) -> Result<Vec<String>, StoreError> {
        let Some(root) = self.disk.open(self.root.path())? else { return Ok(Vec::new()) };
        let Some(snapshots) = root.folder("snapshots")? else { return Ok(Vec::new()) };
        let names = snapshots.names()?.into_iter();
        let mut found: Vec<_> = names.filter_map(|(name, _)| crate::surface::server_id(&name).ok()).collect();
        found.retain(|id| self.snapshots(id).is_ok_and(|snapshots| !snapshots.is_empty()));
        found.sort();
        Ok(found)
    }

    /// Deletes all but the latest `keep` snapshots of a server, and says which.
    pub fn prune(&self, server: &str, keep: usize) -> Result<Vec<PathBuf>, StoreError> {
        let name = folder_name(server)?;
        let _held = self.lock(&name, self.wait)?;
        let Some(folder) = self.server_folder(&name)? else { return Ok(Vec::new()) };
        let mut entries = folder.snapshots()?;
        entries.truncate(entries.len().saturating_sub(keep));
        let mut deleted = Vec::with_capacity(entries.len());
        for entry in entries {
            if let Some(name) = entry.path.file_name().and_then(|name| name.to_str()) {
                folder.folder.remove(name)?;
                deleted.push(entry.path.clone());
            }
        }
        if !deleted.is_empty() {
            // What is reported as deleted does not come back with the power.
            folder.folder.sync()?;
        }
        Ok(deleted)
    }

    /// A snapshot, from wherever it is.
    pub fn load_snapshot(&self, path: &Path) -> Result<Snapshot, StoreError> {
        let missing = || StoreError::NoFile(path.to_owned());
        let name = path.file_name().ok_or_else(missing)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = self.disk.open(folder)?.ok_or_else(missing)?;
        let bytes = folder.read(name, LARGEST)?.ok_or_else(missing)?;
        Snapshot::read(&bytes).map_err(|problem| StoreError::damaged(path, &problem))
    }

    /// The pins that were approved in this machine's own log, see [`History::decided_here`].
    pub fn decided_here(&self, baseline: &Baseline) -> Result<BTreeSet<Decided>, StoreError> {
        Ok(self.log.history()?.decided_here(&self.root.name(), baseline))
    }

    /// The pins that were not; all of them where the log cannot be read.
    pub fn decided_elsewhere(&self, baseline: &Baseline) -> BTreeSet<Decided> {
        let here = self.decided_here(baseline).unwrap_or_default();
        let pins = baseline.pins.iter().map(|pin| (pin.item.id.clone(), pin.binds_to()));
        pins.filter(|pin| !here.contains(pin)).collect()
    }

    /// A server's baseline as it was just loaded, or that it has none, against what was remembered of it. Where the file has
    /// moved on since it was loaded nothing is said: who follows the file looks again.
    pub fn seen(&self, server: &str, baseline: Option<&Baseline>) -> Result<Sight, StoreError> {
        let sight = match (self.memories.load(server)?, baseline) {
            (Some(memory), _) => memory.sight(baseline),
            (None, None) => Sight::Unchanged,
            (None, Some(_)) => Sight::First(Decisions::of(baseline).approved()),
        };
        // A decision may have been put in place between the load and the look at what is remembered, which has it then.
        let stands = sight == Sight::Unchanged || self.stands(server, baseline)?;
        Ok(if stands { sight } else { Sight::Unchanged })
    }

    /// Remembers a baseline as seen: after its events were shown. Nothing is remembered of one that the file has left behind.
    /// A decision of one's own needs none: the store remembers it by itself, and no more than it.
    pub fn remember(&self, server: &str, baseline: Option<&Baseline>) -> Result<(), StoreError> {
        let _held = self.lock(&folder_name(server)?, self.wait)?;
        match baseline {
            _ if !self.stands(server, baseline)? => Ok(()),
            None => self.memories.forget(server),
            Some(_) => self.memories.save(server, &Memory { now: Decisions::of(baseline), next: None }),
        }
    }

    /// Adds to the audit chain what of a sighting it does not say yet. Where this fails, or the program ends before it is done,
    /// the next sighting tells it: a drift may be told twice, never not at all.
    pub fn saw(&self, sighting: &Sighting, about: &About<'_>) -> Result<(), StoreError> {
        let server = about.server;
        let is_told = |told: &Told| sighting.news(told, about).0.is_empty();
        if is_told(&self.memories.told(server)?) {
            return Ok(());
        }
        let _held = self.lock(&folder_name(server)?, self.wait)?;
        // Another program may have looked meanwhile.
        let (drafts, told) = sighting.news(&self.memories.told(server)?, about);
        self.log.tell(&drafts)?;
        self.memories.keep_told(server, &told)
    }

    /// Whether these files named a server when its baseline was decided on. In the root of what belongs to no project the
    /// baselines of all projects stand side by side: which are this one's is known by their files alone.
    pub fn is_named_by(&self, server: &str, files: &[&Path]) -> Result<bool, StoreError> {
        if self.root.found_by() != FoundBy::Nothing {
            return Ok(true);
        }
        Ok(self.memories.origins(server)?.iter().any(|origin| files.contains(&origin.as_path())))
    }

    /// Keeps which files name a server, where [`Self::is_named_by`] will ask for it.
    pub fn remember_origins(&self, server: &str, files: &[&Path]) -> Result<(), StoreError> {
        if self.root.found_by() != FoundBy::Nothing || files.is_empty() {
            return Ok(());
        }
        self.memories.remember_origins(server, files)
    }

    /// Whether the file says at this moment what `baseline` says.
    fn stands(&self, server: &str, baseline: Option<&Baseline>) -> Result<bool, StoreError> {
        match self.load(server) {
            Ok(now) => Ok(Decisions::of(now.as_ref()) == Decisions::of(baseline)),
            Err(StoreError::Refused { .. } | StoreError::OtherServer { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn server_folder(&self, name: &str) -> Result<Option<ServerFolder>, StoreError> {
        ServerFolder::open(&self.disk, self.root.path(), name)
    }

    fn baseline_path(&self, name: &str) -> PathBuf {
        self.root.path().join("snapshots").join(name).join(BASELINE)
    }
}
