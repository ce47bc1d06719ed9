//! An exclusive lock on a file, which holds its owner's process id.
//!
//! The lock goes with its holder, however that ends. Lock files are never removed: a removed one could be held twice.

use super::disk::{Disk, Folder, PRIVATE, Step};
use super::{Places, StoreError};
use std::fs::{File, TryLockError};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

/// Between two tries. The wait is off the UI task and at most some seconds.
const PAUSE: Duration = Duration::from_millis(5);

/// A lock that is held until this is dropped.
#[derive(Debug)]
pub struct Held {
    pub(super) file: File,
}

/// Takes the lock called `name`, under which everything at `path` is written, within `wait`; else the holder is named.
pub fn lock(disk: &Disk, places: &Places, name: &str, path: &Path, wait: Duration) -> Result<Held, StoreError> {
    let mut held = hold(&disk.make(&places.state.join("locks"), PRIVATE)?, name, path, wait)?;
    held.sign();
    Ok(held)
}

/// Locks the file `name`, made where it is missing, within `wait`.
pub(super) fn hold(folder: &Folder, name: &str, path: &Path, wait: Duration) -> Result<Held, StoreError> {
    let mut file = folder.open_own(name)?;
    let until = Instant::now() + wait;
    loop {
        let locked = folder.step(Step::Lock, name, || match file.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error),
        })?;
        if locked {
            return Ok(Held { file });
        }
        if Instant::now() >= until {
            let mut text = String::new();
            let read = file.seek(SeekFrom::Start(0)).and_then(|_| (&file).take(32).read_to_string(&mut text));
            let holder = read.ok().and_then(|_| text.trim().parse().ok());
            return Err(StoreError::Locked { path: path.to_owned(), holder });
        }
        std::thread::sleep(PAUSE);
    }
}

impl Held {
    /// Writes this process's id into the lock's file, for those who wait. It is a courtesy: failing changes nothing.
    fn sign(&mut self) {
        let _ = self.file.set_len(0).and_then(|()| writeln!(self.file, "{}", std::process::id()));
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // A child between fork and exec may hold a copy of the descriptor for a moment: closing is not enough.
        let _ = self.file.unlock();
    }
}
