//! Sign-ins of this user, one a server's URL, each in a file that only this user can read. Nothing else writes a token
//! anywhere.

use super::disk::{Disk, PRIVATE};
use super::{Places, StoreError, lock};
use crate::digest::Sha256;
use crate::oauth::SignedIn;
use crate::pin::{from_text, to_text};
use rustix::fs::Mode;
use std::path::PathBuf;
use std::time::Duration;

const FORMAT: &str = "pinwatch.sign-in.v1";
/// No sign-in is larger.
const MAX_BYTES: u64 = 256 << 10;
/// How long one waits for another that is being kept.
const WAIT: Duration = Duration::from_secs(2);

/// Where sign-ins are kept. Cheap to clone; every call blocks on the disk.
#[derive(Clone, Debug)]
pub struct SignIns {
    places: Places,
    disk: Disk,
}

impl SignIns {
    /// In this user's own folders. Nothing is opened yet.
    pub fn new(places: Places) -> Self {
        Self { places, disk: Disk::default() }
    }

    /// The sign-in at a server's URL.
    pub fn load(&self, server: &str) -> Result<Option<SignedIn>, StoreError> {
        let name = name(server);
        let Some(folder) = self.disk.open(&self.folder())? else { return Ok(None) };
        let file = format!("{name}.json");
        let Some(mode) = folder.mode(&file)? else { return Ok(None) };
        let path = folder.path().join(&file);
        if is_open(mode) {
            return Err(StoreError::OpenSignIn { path, mode: mode.bits() & 0o777 });
        }
        let Some(text) = folder.read(&file, MAX_BYTES)? else { return Ok(None) };
        let found: SignedIn = from_text(FORMAT, &text).map_err(|problem| StoreError::damaged(&path, &problem))?;
        Ok((found.server == server).then_some(found))
    }

    /// Keeps a sign-in in the place of the one before; the file it is in.
    pub fn keep(&self, signed_in: &SignedIn) -> Result<PathBuf, StoreError> {
        let file = format!("{}.json", name(&signed_in.server));
        let _held = lock(&self.disk, &self.places, "sign-ins", &self.folder(), WAIT)?;
        let folder = self.disk.make(&self.folder(), PRIVATE)?;
        folder.sweep()?;
        // The new file would take over the mode of one that others can read.
        if folder.mode(&file)?.is_some_and(is_open) {
            folder.remove(&file)?;
        }
        folder.replace(&file, to_text(FORMAT, signed_in).as_bytes(), PRIVATE)?;
        Ok(folder.path().join(file))
    }

    /// Forgets the sign-in at a server's URL; whether there was one.
    pub fn forget(&self, server: &str) -> Result<bool, StoreError> {
        let Some(folder) = self.disk.open(&self.folder())? else { return Ok(false) };
        let there = folder.remove(&format!("{}.json", name(server)))?;
        folder.sync()?;
        Ok(there)
    }

    /// The file of a server's URL, which changes with each sign-in and sign-out.
    pub fn file(&self, server: &str) -> PathBuf {
        self.folder().join(format!("{}.json", name(server)))
    }

    /// Makes the folder of the sign-ins where there is none.
    pub fn make_folder(&self) -> Result<PathBuf, StoreError> {
        self.disk.make(&self.folder(), PRIVATE)?;
        Ok(self.folder())
    }

    fn folder(&self) -> PathBuf {
        self.places.state.join("sign-ins")
    }
}

/// Whether others than this user can do anything with a file of this mode.
fn is_open(mode: Mode) -> bool {
    mode.intersects(Mode::RWXG | Mode::RWXO)
}

/// What a server's sign-in is called: its URL may hold a secret, and is no file name.
fn name(server: &str) -> String {
    Sha256::of(server.as_bytes()).to_string()
}
