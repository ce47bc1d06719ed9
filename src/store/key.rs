//! The machine key: 32 random bytes that only this user can read. Consents are bound with it.

use super::disk::{Disk, Folder, PRIVATE};
use super::{Places, StoreError};

const NAME: &str = "machine.key";
const LENGTH: usize = 32;

/// 32 random bytes that are no file's yet.
pub fn new_key() -> Result<[u8; LENGTH], StoreError> {
    let mut key = [0; LENGTH];
    getrandom::fill(&mut key).map_err(|error| StoreError::NoRandom(error.to_string()))?;
    Ok(key)
}

/// The machine key where one was made before; nothing is written. A key that others can read is refused.
pub fn known_key(disk: &Disk, places: &Places) -> Result<Option<[u8; LENGTH]>, StoreError> {
    disk.open(&places.state)?.map_or(Ok(None), |folder| read(&folder))
}

/// Makes `key` the machine key where there is none. The key in force comes back: where another process was faster, its.
/// Only for who holds the lock of the consents: what an interrupted write left here is removed.
pub fn keep_key(disk: &Disk, places: &Places, key: &[u8; LENGTH]) -> Result<[u8; LENGTH], StoreError> {
    let folder = disk.make(&places.state, PRIVATE)?;
    folder.sweep()?;
    folder.create(NAME, key, PRIVATE)?;
    let path = folder.path().join(NAME);
    read(&folder)?.ok_or(StoreError::NoFile(path))
}

fn read(folder: &Folder) -> Result<Option<[u8; LENGTH]>, StoreError> {
    let key = folder.read_own(NAME, LENGTH as u64, |path, mode| StoreError::OpenKey { path, mode })?;
    let damaged = |_| {
        let problem = format!("a machine key has {LENGTH} bytes: remove the file and agree again");
        StoreError::Damaged { path: folder.path().join(NAME), problem }
    };
    key.map(|bytes| bytes.try_into().map_err(damaged)).transpose()
}
