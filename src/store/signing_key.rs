//! The key that a guard signs its evidence with: a file of this user alone, made once and never written again.

use super::disk::{Disk, PRIVATE};
use super::{StoreError, new_key};
use crate::signature::SigningKey;
use std::path::Path;

/// Bytes of the largest file that is read for a key.
const LARGEST: u64 = 4096;

/// Makes a key in a file that must not be there yet, of mode 0600.
pub fn make_signing_key(path: &Path) -> Result<SigningKey, StoreError> {
    let (folder, name) = place(path)?;
    let folder = Disk::default().make(folder, PRIVATE)?;
    if !folder.create(name, SigningKey::pem(&new_key()?).as_bytes(), PRIVATE)? {
        return Err(StoreError::Damaged {
            path: path.to_owned(),
            problem: "it is there already, and no key is overwritten".to_owned(),
        });
    }
    signing_key(path)
}

/// Reads a key. One that others can read is refused.
pub fn signing_key(path: &Path) -> Result<SigningKey, StoreError> {
    let (folder, name) = place(path)?;
    let damaged = |problem: String| StoreError::Damaged { path: path.to_owned(), problem };
    let none = || damaged("there is no such file: `pinwatch evidence keygen` makes it".to_owned());
    let folder = Disk::default().open(folder)?.ok_or_else(none)?;
    let open = |_, mode| damaged(format!("it can be read by others (mode {mode:03o}): make it 600"));
    let bytes = folder.read_own(name, LARGEST, open)?.ok_or_else(none)?;
    SigningKey::parse(&String::from_utf8_lossy(&bytes)).map_err(|fault| damaged(fault.to_string()))
}

fn place(path: &Path) -> Result<(&Path, &str), StoreError> {
    let parent = path.parent().map(|parent| if parent.as_os_str().is_empty() { Path::new(".") } else { parent });
    let name = path.file_name().and_then(|name| name.to_str());
    parent.zip(name).ok_or_else(|| StoreError::NoFile(path.to_owned()))
}
