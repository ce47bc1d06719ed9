//! The machine key: 32 random bytes that only this user can read. Consents are bound with it.

use super::disk::{Disk, PRIVATE};
use super::{Places, StoreError};
use rustix::fs::Mode;

const NAME: &str = "machine.key";
const LENGTH: usize = 32;

/// The machine key of this user, made at its first use. A key that others can read is refused.
pub fn machine_key(places: &Places) -> Result<[u8; LENGTH], StoreError> {
    machine_key_on(&Disk::default(), places)
}

/// The same on a disk that may have faults.
pub fn machine_key_on(disk: &Disk, places: &Places) -> Result<[u8; LENGTH], StoreError> {
    let folder = disk.make(&places.state, PRIVATE)?;
    if folder.mode(NAME)?.is_none() {
        let mut key = [0; LENGTH];
        getrandom::fill(&mut key).map_err(|error| StoreError::NoRandom(error.to_string()))?;
        // Where another process was faster, its key is the key.
        folder.create(NAME, &key, PRIVATE)?;
    }
    let path = folder.path().join(NAME);
    let mode = folder.mode(NAME)?.unwrap_or(Mode::empty());
    if mode.intersects(Mode::RWXG | Mode::RWXO) {
        return Err(StoreError::OpenKey { path, mode: mode.bits() & 0o777 });
    }
    let key = folder.read(NAME, LENGTH as u64)?.and_then(|bytes| bytes.try_into().ok());
    key.ok_or_else(|| StoreError::Damaged { path, problem: format!("a machine key has {LENGTH} bytes") })
}
