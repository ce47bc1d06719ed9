//! Clients' config files: written where a command made for that is asked to, and in no other case. What a file said before
//! is kept in this user's state folder, for nobody else to read: it may hold secrets.

use super::disk::{Disk, PRIVATE};
use super::root::path_hash;
use super::{Places, StoreError, lock};
use crate::digest::Sha256;
use crate::pin::{from_text, to_text};
use serde::{Deserialize, Serialize};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

const FORMAT: &str = "pinwatch.guarded-file.v1";
/// No record and no client's file is larger.
const LIMIT: u64 = 32 << 20;
/// How long one waits for another that writes the same file.
const WAIT: Duration = Duration::from_secs(2);

/// What is known of a client's file that guards were put into.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownFile {
    /// Its path.
    pub file: PathBuf,
    /// SHA-256 of what was written last, in hex.
    pub after: String,
    /// Texts that were put in as a whole, see [`crate::config::Guarding::added`].
    pub added: Vec<String>,
}

/// Where clients' files are written, and what they said before is kept. Every call blocks on the disk.
#[derive(Clone, Debug)]
pub struct ClientConfigs {
    places: Places,
    disk: Disk,
}

impl ClientConfigs {
    /// In this user's own folders. Nothing is opened yet.
    pub fn new(places: Places) -> Self {
        Self::on(Disk::default(), places)
    }

    /// The same on a disk that may have faults.
    pub fn on(disk: Disk, places: Places) -> Self {
        Self { places, disk }
    }

    /// What is known of a file, by its real path.
    pub fn known(&self, file: &Path) -> Result<KnownFile, StoreError> {
        let Some(folder) = self.disk.open(&self.folder())? else { return Ok(KnownFile::default()) };
        let name = record_name(file);
        let Some(bytes) = folder.read(&name, LIMIT)? else { return Ok(KnownFile::default()) };
        let problem = |problem| StoreError::damaged(&folder.path().join(&name), &problem);
        from_text(FORMAT, &bytes).map_err(problem)
    }

    /// What the file said before guards were put into it, where it still says what they made of it.
    pub fn original(&self, file: &Path, now: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        if self.known(file)?.after != Sha256::of(now).to_string() {
            return Ok(None);
        }
        match self.disk.open(&self.folder())? {
            Some(folder) => folder.read(backup_name(file), LIMIT),
            None => Ok(None),
        }
    }

    /// Writes `after` in the place of a file that says `before`, and keeps what it said; where that is kept. `added` are texts
    /// that were put in as a whole.
    pub fn put(&self, file: &Path, (before, after): (&[u8], &[u8]), added: &[String]) -> Result<PathBuf, StoreError> {
        let _held = self.lock(file)?;
        let folder = self.disk.make(&self.folder(), PRIVATE)?;
        folder.sweep()?;
        let mut known = self.known(file)?;
        // Of several installs in a row the first one's is what an uninstall gives back.
        if known.after != Sha256::of(before).to_string() {
            folder.replace(&backup_name(file), before, PRIVATE)?;
        }
        file.clone_into(&mut known.file);
        known.after = Sha256::of(after).to_string();
        known.added.extend(added.iter().filter(|text| !known.added.contains(text)).cloned().collect::<Vec<_>>());
        folder.replace(&record_name(file), to_text(FORMAT, &known).as_bytes(), PRIVATE)?;
        self.exchange(file, before, after)?;
        Ok(folder.path().join(backup_name(file)))
    }

    /// The same where guards are taken away. `is_last`: none is left, and nothing more is kept of the file.
    pub fn take_back(&self, file: &Path, (before, after): (&[u8], &[u8]), is_last: bool) -> Result<(), StoreError> {
        let _held = self.lock(file)?;
        self.exchange(file, before, after)?;
        let Some(folder) = self.disk.open(&self.folder())? else { return Ok(()) };
        if is_last {
            folder.remove(&record_name(file))?;
            folder.remove(&backup_name(file))?;
            return folder.sync();
        }
        let mut known = self.known(file)?;
        if known.after == Sha256::of(before).to_string() {
            known.after = Sha256::of(after).to_string();
            folder.replace(&record_name(file), to_text(FORMAT, &known).as_bytes(), PRIVATE)?;
        }
        Ok(())
    }

    /// Exchanges a file that says `before` for one that says `after`, in one step. Its mode stays.
    fn exchange(&self, file: &Path, before: &[u8], after: &[u8]) -> Result<(), StoreError> {
        let missing = || StoreError::NoFile(file.to_owned());
        let (parent, name) = file.parent().zip(file.file_name().and_then(|name| name.to_str())).ok_or_else(missing)?;
        // A new file in its place would be this user's, and no longer that one's.
        let owner = file.symlink_metadata().map_err(|source| StoreError::io("read", file, false, source))?.uid();
        if owner != rustix::process::geteuid().as_raw() {
            return Err(StoreError::NotOwn(file.to_owned()));
        }
        let folder = self.disk.open(parent)?.ok_or_else(missing)?;
        let staged = folder.stage(name, after, PRIVATE)?;
        if folder.read(name, LIMIT)?.as_deref() != Some(before) {
            return Err(StoreError::Raced(file.to_owned()));
        }
        staged.put()?;
        folder.sync()
    }

    fn lock(&self, file: &Path) -> Result<super::Held, StoreError> {
        lock(&self.disk, &self.places, &path_hash(file), file, WAIT)
    }

    fn folder(&self) -> PathBuf {
        self.places.state.join("guarded-files")
    }
}

fn record_name(file: &Path) -> String {
    format!("{}.json", path_hash(file))
}

/// What a file said before, byte for byte.
fn backup_name(file: &Path) -> String {
    format!("{}.before", path_hash(file))
}
