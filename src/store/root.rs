//! Where files are: this user's own places, and the root of a project.

use super::StoreError;
use super::disk::{Disk, Folder, SHARED};
use crate::digest::Sha256;
use crate::pin::format::is_ours;
use crate::surface::server_id;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// This user's own folders of pinwatch; none need exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// Decision log, consents, machine key, locks, what was seen: `$XDG_STATE_HOME/pinwatch`.
    pub state: PathBuf,
    /// The user's config and themes: `$XDG_CONFIG_HOME/pinwatch`.
    pub config: PathBuf,
    /// The root of what belongs to no project: `$XDG_DATA_HOME/pinwatch`.
    pub data: PathBuf,
}

impl Places {
    /// The places that the environment names, by the XDG base directory specification: a relative path counts as unset.
    pub fn from_env(lookup: impl Fn(&str) -> Option<OsString>) -> Result<Self, StoreError> {
        let absolute = |name: &str| lookup(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let home = absolute("HOME");
        let place = |name: &str, below_home: &str| {
            let base = absolute(name).or_else(|| home.as_ref().map(|home| home.join(below_home)));
            base.map(|base| base.join("pinwatch")).ok_or(StoreError::NoHome)
        };
        Ok(Self {
            state: place("XDG_STATE_HOME", ".local/state")?,
            config: place("XDG_CONFIG_HOME", ".config")?,
            data: place("XDG_DATA_HOME", ".local/share")?,
        })
    }

    /// The places below one folder: for the demo and for tests.
    pub fn below(folder: &Path) -> Self {
        Self { state: folder.join("state"), config: folder.join("config"), data: folder.join("data") }
    }
}

/// What made a folder the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundBy {
    /// `--root`.
    Given,
    /// Its `pinwatch.toml`.
    Config,
    /// A baseline of ours in its `snapshots/`.
    Baseline,
    /// Nothing was found: the user's own data folder.
    Nothing,
}

/// The folder that holds `snapshots/`, and `pinwatch.toml` where there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    path: PathBuf,
    found_by: FoundBy,
}

/// What stands in the root of a repository, of git, Jujutsu or Mercurial.
const REPOSITORY: [&str; 3] = [".git", ".jj", ".hg"];

/// A baseline says what it is in its first members.
const SNIFF: u64 = 64 * 1024;

impl Root {
    /// The root that `given` names, or the nearest one on the [`Self::walk`] from `start`; else the user's data folder.
    pub fn find(start: &Path, given: Option<&Path>, places: &Places) -> Result<Self, StoreError> {
        if let Some(given) = given {
            let path = start.join(given);
            let path = path.canonicalize().ok().filter(|path| path.is_dir()).ok_or(StoreError::NoFolder(path))?;
            return Ok(Self { path, found_by: FoundBy::Given });
        }
        for folder in Self::walk(start)? {
            if folder.join("pinwatch.toml").symlink_metadata().is_ok() {
                return Ok(Self { path: folder, found_by: FoundBy::Config });
            }
            if !servers(&Disk::default(), &folder).unwrap_or_default().is_empty() {
                return Ok(Self { path: folder, found_by: FoundBy::Baseline });
            }
        }
        Ok(Self { path: canonical(&places.data), found_by: FoundBy::Nothing })
    }

    /// Where a project's files are looked for: `start`, canonical, and the folders above it, up to the repository's root.
    /// Outside of a repository the walk ends before a folder that another user owns or anyone may write to.
    pub fn walk(start: &Path) -> Result<Vec<PathBuf>, StoreError> {
        let start = start.canonicalize().map_err(|_| StoreError::NoFolder(start.to_owned()))?;
        let folders = match start.ancestors().position(is_repository) {
            Some(last) => start.ancestors().take(last + 1).map(Path::to_owned).collect(),
            None => {
                start.ancestors().take_while(|folder| *folder == start || is_own(folder)).map(Path::to_owned).collect()
            }
        };
        Ok(folders)
    }

    /// The repository that the root stands in: what paths in reports for its host start at.
    pub fn repository(&self) -> Option<&Path> {
        self.path.ancestors().find(|folder| is_repository(folder))
    }

    /// A folder that is known to be the root.
    pub fn at(path: &Path) -> Self {
        Self { path: canonical(path), found_by: FoundBy::Given }
    }

    /// Its canonical path. The folder itself need not exist where [`FoundBy::Nothing`] says so.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder, to write in. It is made only where nothing was found: one that was found and is gone was moved or
    /// removed meanwhile, and another in its place would hide that.
    pub(super) fn open(&self, disk: &Disk) -> Result<Folder, StoreError> {
        match self.found_by {
            FoundBy::Nothing => disk.make(&self.path, SHARED),
            FoundBy::Given | FoundBy::Config | FoundBy::Baseline => {
                disk.open(&self.path)?.ok_or_else(|| StoreError::NoFolder(self.path.clone()))
            }
        }
    }

    /// What made it the root.
    pub fn found_by(&self) -> FoundBy {
        self.found_by
    }

    /// Its path as files of ours name it: exact for a path that is text, else told apart by a digest.
    pub fn name(&self) -> String {
        match self.path.to_str() {
            Some(path) => path.to_owned(),
            None => format!("{}#{}", self.path.to_string_lossy(), self.hash()),
        }
    }

    /// A file name for what is kept about this root: the digest of its path.
    pub(super) fn hash(&self) -> String {
        path_hash(&self.path)
    }
}

fn is_repository(folder: &Path) -> bool {
    REPOSITORY.iter().any(|mark| folder.join(mark).symlink_metadata().is_ok())
}

/// SHA-256 of a path's bytes, as 64 hex digits.
pub(super) fn path_hash(path: &Path) -> String {
    Sha256::of(path.as_os_str().as_bytes()).to_string()
}

/// The canonical path of what exists of `path`, and the rest as written.
fn canonical(path: &Path) -> PathBuf {
    let known = path.ancestors().find_map(|folder| Some((folder, folder.canonicalize().ok()?)));
    match known {
        Some((folder, canonical)) => match path.strip_prefix(folder) {
            Ok(rest) if !rest.as_os_str().is_empty() => canonical.join(rest),
            _ => canonical,
        },
        None => path.to_owned(),
    }
}

/// Whether nobody but this user and the system decides what stands in a folder.
fn is_own(folder: &Path) -> bool {
    let user = rustix::process::geteuid().as_raw();
    folder.metadata().is_ok_and(|data| data.uid() == user && data.mode() & 0o002 == 0)
}

/// The ids of the servers that have a baseline of ours below a root, whatever its state, sorted. Other files there are
/// other programs'.
pub(super) fn servers(disk: &Disk, root: &Path) -> Result<Vec<String>, StoreError> {
    let Some(folder) = disk.open(root)? else { return Ok(Vec::new()) };
    let Some(snapshots) = folder.folder("snapshots")? else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for (name, kind) in snapshots.names()? {
        let Ok(id) = server_id(&name) else { continue };
        if kind != rustix::fs::FileType::Directory {
            continue;
        }
        let head = snapshots.folder(&name)?.and_then(|folder| folder.head("baseline.json", SNIFF).ok().flatten());
        if head.is_some_and(|head| is_ours(&head)) {
            found.push(id);
        }
    }
    found.sort();
    Ok(found)
}
