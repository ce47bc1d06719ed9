//! Folders that are followed: what wakes a follower, and what tells one state of a file from another.
//!
//! Folders are watched, not files: editors and git replace files. Where watching fails, each full minute looks.

use notify::{RecursiveMode, Watcher as _};
use std::collections::BTreeMap;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tokio::sync::mpsc;

/// Several writes of one act come together.
pub const DEBOUNCE: Duration = Duration::from_millis(150);
/// How often a look comes without a sign of change, for disks that give none.
pub const WITHOUT_A_SIGN: Duration = Duration::from_mins(1);

/// Folders that are followed although they are deleted, moved away and made again.
pub struct Folders {
    /// None where this system cannot.
    watcher: Option<notify::RecommendedWatcher>,
    /// What is watched, each with its number: another folder of the name is another one.
    watched: BTreeMap<PathBuf, u64>,
    /// Held so that a follower whose folders cannot be watched waits for its minute: a closed channel would wake it at once.
    _sign: mpsc::Sender<()>,
}

impl Folders {
    /// Follows none yet; every change of those that are gives a sign.
    pub fn new(sign: mpsc::Sender<()>) -> Self {
        let held = sign.clone();
        let told = move |event: notify::Result<notify::Event>| {
            if event.is_ok_and(|event| !event.kind.is_access()) {
                // A full channel holds a sign already.
                let _ = sign.try_send(());
            }
        };
        Self { watcher: notify::recommended_watcher(told).ok(), watched: BTreeMap::new(), _sign: held }
    }

    /// Watches those of `wanted` that are there now, and no other; to be called at each sign.
    pub fn renew(&mut self, wanted: &BTreeMap<PathBuf, RecursiveMode>) {
        let Some(watcher) = &mut self.watcher else { return };
        let there = |folder: &Path| folder.metadata().ok().filter(Metadata::is_dir).map(|folder| number(&folder));
        self.watched.retain(|folder, number| {
            let stays = wanted.contains_key(folder) && there(folder) == Some(*number);
            if !stays {
                let _ = watcher.unwatch(folder);
            }
            stays
        });
        for (folder, mode) in wanted {
            if let Some(number) = there(folder).filter(|_| !self.watched.contains_key(folder))
                && watcher.watch(folder, *mode).is_ok()
            {
                self.watched.insert(folder.clone(), number);
            }
        }
    }
}

/// Time of change, length and number of a file; none without one. Two files put in its place within one tick of the disk's
/// clock differ in the number alone.
pub type Stamp = Option<(SystemTime, u64, u64)>;

/// What the file at `path` is told apart by now.
pub fn stamp(path: &Path) -> Stamp {
    let file = path.metadata().ok()?;
    Some((file.modified().ok()?, file.len(), number(&file)))
}

#[cfg(unix)]
fn number(file: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(file)
}

#[cfg(not(unix))]
fn number(_: &Metadata) -> u64 {
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::mpsc::error::TryRecvError;

    #[test]
    fn a_follower_without_a_watcher_is_not_woken() {
        let (sign, mut signs) = mpsc::channel(1);
        let mut folders = Folders::new(sign);
        folders.watcher = None;
        assert_eq!(signs.try_recv(), Err(TryRecvError::Empty));
    }
}
