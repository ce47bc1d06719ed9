//! Who decides now: one `flock` a file, with the holder's process id in it.
//!
//! The lock goes with its holder, however that ends. Lock files are never removed: a removed one could be held twice.

use super::disk::{Disk, Folder, PRIVATE, Step};
use super::{Places, StoreError};
use rustix::fs::FlockOperation;
use rustix::io::Errno;
use std::fs::File;
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

/// Why a lock was not had.
pub(super) enum NotHeld {
    /// Someone has it: this process, where its id could be read.
    By(Option<u32>),
    /// The file itself is the trouble.
    Store(StoreError),
}

impl From<StoreError> for NotHeld {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// Takes the lock called `name`, under which everything at `path` is written, within `wait`; else the holder is named.
pub fn lock(disk: &Disk, places: &Places, name: &str, path: &Path, wait: Duration) -> Result<Held, StoreError> {
    let folder = disk.make(&places.state.join("locks"), PRIVATE)?;
    match hold(&folder, name, wait) {
        Ok(mut held) => {
            held.sign();
            Ok(held)
        }
        Err(NotHeld::By(holder)) => Err(StoreError::Locked { path: path.to_owned(), holder }),
        Err(NotHeld::Store(error)) => Err(error),
    }
}

/// Locks the file `name`, made where it is missing, within `wait`.
pub(super) fn hold(folder: &Folder, name: &str, wait: Duration) -> Result<Held, NotHeld> {
    let mut file = folder.open_own(name)?;
    let until = Instant::now() + wait;
    loop {
        let locked = folder.step(Step::Lock, name, || {
            match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => Ok(true),
                Err(Errno::WOULDBLOCK | Errno::INTR) => Ok(false),
                Err(errno) => Err(errno),
            }
        })?;
        if locked {
            return Ok(Held { file });
        }
        if Instant::now() >= until {
            let mut text = String::new();
            let read = file.seek(SeekFrom::Start(0)).and_then(|_| (&file).take(32).read_to_string(&mut text));
            return Err(NotHeld::By(read.ok().and_then(|_| text.trim().parse().ok())));
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
        let _ = rustix::fs::flock(&self.file, FlockOperation::Unlock);
    }
}
