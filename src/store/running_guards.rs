//! What running guards say of themselves: a file each in this user's state folder, for as long as they run. A lock that the
//! guard holds tells the file of a running one from what a killed one left.

use super::disk::{Disk, Folder, PRIVATE};
use super::lock::{Held, hold};
use super::{Places, StoreError};
use crate::pin::{from_text, to_text};
use crate::surface::{ItemId, Kind};
use crate::text::count;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

const FORMAT: &str = "pinwatch.guard.v1";
/// No such file is larger.
const LIMIT: u64 = 1 << 20;
/// Guards that are told of.
const MOST: usize = 256;

/// A running guard, as it was when it wrote so.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunningGuard {
    /// Its process.
    pub pid: u32,
    /// The server that it stands before.
    pub server: String,
    /// Its root, as files of ours name it.
    pub root: String,
    /// What the client that asked last calls itself. Not escaped.
    pub client: Option<String>,
    /// Since when it runs; RFC 3339.
    pub since: String,
    /// Why it is closed.
    pub closed: Option<String>,
    /// Requests that were answered in the server's place.
    pub blocked: u64,
    /// The items that something was to be told of.
    pub items: Vec<GuardedItem>,
    /// What was told of more items than are kept.
    pub more: u64,
}

/// What became of one item at a guard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuardedItem {
    /// Its kind.
    pub kind: Kind,
    /// Its key. Not escaped.
    pub key: Arc<str>,
    /// How it stood, as [`crate::guard::Verdict`] says it.
    pub state: String,
    /// Uses that were refused.
    pub blocked: u64,
    /// Lists that it was left out of.
    pub hidden: u64,
    /// Uses that passed with a warning.
    pub warned: u64,
    /// Uses that passed unseen, as the config says.
    pub ignored: u64,
    /// When the last of it was; RFC 3339.
    pub last: String,
}

impl RunningGuard {
    /// Who it stands before.
    pub fn client(&self) -> &str {
        self.client.as_deref().unwrap_or("a client that gave no name")
    }

    /// Who it stands before, since when, and whether it is open. Not escaped.
    pub fn sentence(&self) -> String {
        let state = match &self.closed {
            Some(why) => format!("closed: {why}"),
            None => "open".to_owned(),
        };
        let blocked =
            if self.blocked > 0 { format!(", {} blocked", count(self.blocked, "request")) } else { String::new() };
        format!("{} since {}, process {}{blocked}; {state}", self.client(), self.since, self.pid)
    }
}

impl GuardedItem {
    /// The item.
    pub fn id(&self) -> ItemId {
        ItemId::new(self.kind, Arc::clone(&self.key))
    }
}

/// The guards that run for this user. Every call blocks on the disk.
#[derive(Clone, Debug)]
pub struct RunningGuards {
    folder: PathBuf,
    disk: Disk,
}

impl RunningGuards {
    /// In this user's own folders. Nothing is opened yet.
    pub fn new(places: &Places) -> Self {
        Self { folder: places.state.join("guards"), disk: Disk::default() }
    }

    /// Where they are; it need not exist.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Makes the folder, so that it can be followed.
    pub fn make(&self) -> Result<(), StoreError> {
        self.disk.make(&self.folder, PRIVATE).map(drop)
    }

    /// This process is a guard from now on, until what comes back is dropped. What killed ones left is removed.
    pub fn enter(&self) -> Result<Presence, StoreError> {
        let folder = self.disk.make(&self.folder, PRIVATE)?;
        for (left, _) in folder.names()? {
            let name = left.split('.').next().filter(|name| !name.is_empty());
            if let Some(name) = name.filter(|name| !is_running(&folder, name)) {
                folder.remove(&file_name(name))?;
                folder.remove(&lock_name(name))?;
            }
        }
        let name = format!("{}-{:08x}", std::process::id(), fastrand::u32(..));
        let lock = lock_name(&name);
        let held = hold(&folder, &lock, &self.folder.join(&lock), Duration::ZERO)?;
        Ok(Presence { folder, name, _held: held })
    }

    /// Those that run. What a killed one left, and what cannot be read, is left out.
    pub fn list(&self) -> Vec<RunningGuard> {
        let Ok(Some(folder)) = self.disk.open(&self.folder) else { return Vec::new() };
        let names = folder.names().unwrap_or_default();
        let names = names.iter().filter(|(name, _)| !name.starts_with('.'));
        let guards = names.filter_map(|(name, _)| name.strip_suffix(".json"));
        let mut found: Vec<_> = guards.take(MOST).filter_map(|name| running(&folder, name)).collect();
        found.sort_by(|a, b| (&a.server, &a.since, a.pid).cmp(&(&b.server, &b.since, b.pid)));
        found
    }
}

fn running(folder: &Folder, name: &str) -> Option<RunningGuard> {
    if !is_running(folder, name) {
        return None;
    }
    let bytes = folder.read(file_name(name), LIMIT).ok()??;
    from_text(FORMAT, &bytes).ok()
}

/// Whether the guard of this name holds its lock. One that cannot be asked is taken for running.
fn is_running(folder: &Folder, name: &str) -> bool {
    match folder.open_to_read(&lock_name(name)) {
        Ok(None) => false,
        // Shared: others may look at the same time.
        Ok(Some(lock)) => lock.try_lock_shared().is_err(),
        Err(_) => true,
    }
}

fn file_name(name: &str) -> String {
    format!("{name}.json")
}

fn lock_name(name: &str) -> String {
    format!("{name}.lock")
}

/// A guard that runs. Dropped, it says so no more.
#[derive(Debug)]
pub struct Presence {
    folder: Folder,
    name: String,
    // Let go last.
    _held: Held,
}

impl Presence {
    /// Writes how it is now.
    pub fn say(&self, guard: &RunningGuard) -> Result<(), StoreError> {
        self.folder.replace(&file_name(&self.name), to_text(FORMAT, guard).as_bytes(), PRIVATE)
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        let _ = self.folder.remove(&file_name(&self.name));
        let _ = self.folder.remove(&lock_name(&self.name));
    }
}
