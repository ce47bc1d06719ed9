//! Folders that are followed: what wakes a follower, and what tells one state of a file from another.
//!
//! Folders are watched, not files: editors and git replace files. Where watching fails, each full minute looks.

use notify::{RecursiveMode, Watcher as _};
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tokio::sync::mpsc;

/// Several writes of one act come together.
pub(super) const DEBOUNCE: Duration = Duration::from_millis(150);
/// How often a look comes without a sign of change, for disks that give none.
pub(super) const WITHOUT_A_SIGN: Duration = Duration::from_mins(1);

/// A watcher that gives a sign of every change. None where this system cannot.
pub(super) fn watcher(sign: mpsc::Sender<()>) -> Option<notify::RecommendedWatcher> {
    let told = move |event: notify::Result<notify::Event>| {
        if event.is_ok_and(|event| !event.kind.is_access()) {
            // A full channel holds a sign already.
            let _ = sign.try_send(());
        }
    };
    notify::recommended_watcher(told).ok()
}

/// A tree of folders that is followed although it is deleted, moved away and made again: its parent is watched for that.
pub(super) struct Tree {
    watcher: Option<notify::RecommendedWatcher>,
    folder: PathBuf,
    /// The folder's number while it is watched.
    watched: Option<u64>,
}

impl Tree {
    /// Follows the tree below `folder`, which stands in `parent`.
    pub(super) fn new(parent: &Path, folder: &Path, sign: mpsc::Sender<()>) -> Self {
        let mut watcher = watcher(sign);
        if let Some(watcher) = &mut watcher {
            let _ = watcher.watch(parent, RecursiveMode::NonRecursive);
        }
        let mut tree = Self { watcher, folder: folder.to_owned(), watched: None };
        tree.renew();
        tree
    }

    /// Watches the folder that is there now; to be called at each sign.
    pub(super) fn renew(&mut self) {
        let there = self.folder.metadata().ok().filter(Metadata::is_dir).map(|folder| number(&folder));
        let Some(watcher) = self.watcher.as_mut().filter(|_| there != self.watched) else { return };
        if self.watched.take().is_some() {
            let _ = watcher.unwatch(&self.folder);
        }
        if there.is_some() && watcher.watch(&self.folder, RecursiveMode::Recursive).is_ok() {
            self.watched = there;
        }
    }
}

/// Time of change, length and number of a file; none without one. Two files put in its place within one tick of the disk's
/// clock differ in the number alone.
pub(super) type Stamp = Option<(SystemTime, u64, u64)>;

/// What the file at `path` is told apart by now.
pub(super) fn stamp(path: &Path) -> Stamp {
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
