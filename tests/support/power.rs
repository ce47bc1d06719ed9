//! A disk that loses at a power cut whatever was not flushed: the bytes of a file since its last flush, and the names in a
//! folder since its own. What a disk may do beyond that is a mix of both kinds of cut here.

use pinwatch::store::disk::Step;
use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

/// What becomes of names that were given or taken, and not flushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// They are as they were at the last flush of their folder.
    Lost,
    /// They are there, ahead of the bytes that they name.
    Kept,
}

/// What is on the disk for good, below one folder. Files and folders are known by their inodes, whatever they are called.
pub struct Durable {
    root: PathBuf,
    folders: HashMap<u64, BTreeMap<OsString, u64>>,
    files: HashMap<u64, Vec<u8>>,
    /// What the step before this one has made, if it was not there: a new inode, with nothing in it.
    made: Option<(PathBuf, Step)>,
}

/// The inode at a path.
fn inode(path: &Path) -> Option<u64> {
    fs::symlink_metadata(path).ok().map(|data| data.ino())
}

fn names(folder: &Path) -> BTreeMap<OsString, u64> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| Some((entry.file_name(), inode(&entry.path())?))).collect()
}

/// Every folder and file below `folder`, and it.
fn everything(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![folder.to_owned()];
    let mut at = 0;
    while let Some(path) = found.get(at).cloned() {
        if path.is_dir() {
            found.extend(names(&path).keys().map(|name| path.join(name)));
        }
        at += 1;
    }
    found
}

impl Durable {
    /// All that is below `root` by now was flushed long ago.
    pub fn of(root: &Path) -> Self {
        let mut durable = Self { root: root.to_owned(), folders: HashMap::new(), files: HashMap::new(), made: None };
        for path in everything(root) {
            if path.is_dir() {
                durable.flush_names(&path);
            } else {
                durable.flush_bytes(&path);
            }
        }
        durable
    }

    /// Notes a step that is about to be done, and succeeds.
    pub fn before(&mut self, step: Step, path: &Path) {
        self.note_made();
        match step {
            Step::SyncFile => self.flush_bytes(path),
            Step::SyncFolder => self.flush_names(path),
            Step::Create | Step::MakeFolder if inode(path).is_none() => self.made = Some((path.to_owned(), step)),
            _ => {}
        }
    }

    fn note_made(&mut self) {
        if let Some((path, step)) = self.made.take()
            && let Some(inode) = inode(&path)
        {
            if step == Step::MakeFolder {
                self.folders.insert(inode, BTreeMap::new());
            } else {
                self.files.insert(inode, Vec::new());
            }
        }
    }

    fn flush_bytes(&mut self, file: &Path) {
        if let (Some(inode), Ok(bytes)) = (inode(file), fs::read(file)) {
            self.files.insert(inode, bytes);
        }
    }

    fn flush_names(&mut self, folder: &Path) {
        if let Some(inode) = inode(folder) {
            self.folders.insert(inode, names(folder));
        }
    }

    /// Cuts the power: the folder holds what the disk has for good.
    pub fn cut(&mut self, kept: Names) {
        self.note_made();
        let modes: HashMap<u64, u32> = everything(&self.root)
            .iter()
            .filter_map(|path| fs::symlink_metadata(path).ok())
            .map(|data| (data.ino(), data.permissions().mode()))
            .collect();
        let root = inode(&self.root).unwrap();
        let mut survivors = Vec::new();
        let mut open = vec![(self.root.clone(), root)];
        while let Some((path, inode)) = open.pop() {
            let is_folder = self.folders.contains_key(&inode);
            let bytes = self.files.get(&inode).cloned().unwrap_or_default();
            survivors.push((path.clone(), (!is_folder).then_some(bytes), modes.get(&inode).copied()));
            let flushed = self.folders.get(&inode).cloned().unwrap_or_default();
            let entries = if kept == Names::Kept && is_folder { names(&path) } else { flushed };
            open.extend(entries.into_iter().map(|(name, inode)| (path.join(&name), inode)));
        }
        for name in names(&self.root).keys() {
            let path = self.root.join(name);
            if path.is_dir() { fs::remove_dir_all(path).unwrap() } else { fs::remove_file(path).unwrap() }
        }
        for (path, bytes, mode) in survivors {
            match bytes {
                Some(bytes) => fs::write(&path, bytes).unwrap(),
                None => fs::create_dir_all(&path).unwrap(),
            }
            // Of what was removed before the cut and comes back with it, the mode is the usual one.
            if let Some(mode) = mode {
                fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            }
        }
    }
}
