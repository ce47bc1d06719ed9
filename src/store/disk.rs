//! Every file operation of the store, below folders that are opened once and never through a symbolic link.
//!
//! A folder inside a root is opened one name at a time, relative to its parent, without following links: no link leads
//! out of the root, whatever changes meanwhile, on every Unix alike. Links inside the root are refused too: a reviewer of
//! `snapshots/` would not see where they lead. Tests reach in through [`Fault`], and through nothing else.

use super::StoreError;
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, RawMode};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One operation that can fail, or be the last one before the power goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Step {
    MakeFolder,
    OpenFolder,
    Open,
    Read,
    Create,
    Write,
    /// The second part of a write that was cut in two.
    WriteRest,
    SyncFile,
    Truncate,
    Lock,
    Rename,
    Link,
    Remove,
    SyncFolder,
}

impl Step {
    /// Whether the step changes what stands on the disk.
    pub fn writes(self) -> bool {
        !matches!(self, Self::OpenFolder | Self::Open | Self::Read | Self::Lock)
    }

    fn doing(self) -> &'static str {
        match self {
            Self::MakeFolder | Self::Create => "make",
            Self::OpenFolder | Self::Open => "open",
            Self::Read => "read",
            Self::Write | Self::WriteRest | Self::Truncate => "write",
            Self::SyncFile | Self::SyncFolder => "flush",
            Self::Lock => "lock",
            Self::Rename | Self::Link => "put in place",
            Self::Remove => "remove",
        }
    }
}

/// What happens to a step.
#[derive(Debug)]
pub enum Verdict {
    /// It is done.
    Go,
    /// It fails without an effect.
    Fail(io::Error),
    /// A write stops after so many bytes, then [`Step::WriteRest`] is asked about.
    Cut(usize),
}

/// Decides before each step what happens to it: the seam through which tests inject faults and crashes.
pub trait Fault: Send + Sync {
    /// What happens to `step` on `path`.
    fn before(&self, step: Step, path: &Path) -> Verdict;
}

/// The file system, with or without a fault.
#[derive(Clone, Default)]
pub struct Disk {
    fault: Option<Arc<dyn Fault>>,
}

impl std::fmt::Debug for Disk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.fault.is_some() { "Disk(faulty)" } else { "Disk" })
    }
}

impl Disk {
    /// A disk whose every step `fault` decides on.
    pub fn with_fault(fault: Arc<dyn Fault>) -> Self {
        Self { fault: Some(fault) }
    }

    /// Does `step`, unless the fault says otherwise.
    fn step<T, E>(&self, step: Step, path: &Path, act: impl FnOnce() -> Result<T, E>) -> Result<T, StoreError>
    where
        io::Error: From<E>,
    {
        let fail = |source: io::Error| StoreError::io(step.doing(), path, step.writes(), source);
        match self.fault.as_ref().map(|fault| fault.before(step, path)) {
            None | Some(Verdict::Go | Verdict::Cut(_)) => act().map_err(|error| fail(error.into())),
            Some(Verdict::Fail(error)) => Err(fail(error)),
        }
    }

    /// Writes all of `bytes` where the file stands, or a part of it under a fault.
    fn write(&self, file: &mut File, path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
        let fail = |source| StoreError::io(Step::Write.doing(), path, true, source);
        let mut rest = bytes;
        match self.fault.as_ref().map(|fault| fault.before(Step::Write, path)) {
            Some(Verdict::Fail(error)) => return Err(fail(error)),
            Some(Verdict::Cut(at)) => {
                let (first, second) = bytes.split_at(at.min(bytes.len()));
                file.write_all(first).map_err(fail)?;
                if let Some(Verdict::Fail(error)) = self.fault.as_ref().map(|fault| fault.before(Step::WriteRest, path))
                {
                    return Err(fail(error));
                }
                rest = second;
            }
            Some(Verdict::Go) | None => {}
        }
        file.write_all(rest).map_err(fail)
    }

    fn sync(&self, step: Step, file: &File, path: &Path) -> Result<(), StoreError> {
        self.step(step, path, || file.sync_all().map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO)))
    }

    /// The folder at `path`, reached as the person wrote it; `None` where there is none.
    pub fn open(&self, path: &Path) -> Result<Option<Folder>, StoreError> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let opened = self.step(Step::OpenFolder, path, || found(rustix::fs::open(path, flags, Mode::empty())))?;
        Ok(opened.map(|fd| Folder { fd, path: path.to_owned(), disk: self.clone() }))
    }

    /// The folder at `path`, made with its parents where it is missing.
    pub fn make(&self, path: &Path, mode: Mode) -> Result<Folder, StoreError> {
        if let Some(folder) = self.open(path)? {
            return Ok(folder);
        }
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(StoreError::NoFolder(path.to_owned()));
        };
        let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
        self.make(parent, mode)?.make_folder(name, mode)
    }
}

/// An open folder: what is done in it is done there, even if its path leads elsewhere by now.
#[derive(Debug)]
pub struct Folder {
    fd: OwnedFd,
    path: PathBuf,
    disk: Disk,
}

/// Mode bits of files and folders that are a project's: the umask decides.
pub const SHARED: Mode = Mode::from_raw_mode(0o777);
/// Mode bits of files and folders that are this user's alone.
pub const PRIVATE: Mode = Mode::from_raw_mode(0o700);
const FILE: Mode = Mode::from_raw_mode(0o666);

impl Folder {
    /// Its path, for messages.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A folder in it; `None` where there is none, an error where a link stands.
    pub fn folder(&self, name: impl AsRef<OsStr>) -> Result<Option<Self>, StoreError> {
        let name = name.as_ref();
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let fd = self.open_at(Step::OpenFolder, name, flags, Mode::empty())?;
        Ok(fd.map(|fd| Self { fd, path: self.path.join(name), disk: self.disk.clone() }))
    }

    /// A folder in it, made where it is missing.
    pub fn make_folder(&self, name: impl AsRef<OsStr>, mode: Mode) -> Result<Self, StoreError> {
        let name = name.as_ref();
        if let Some(folder) = self.folder(name)? {
            return Ok(folder);
        }
        let path = self.path.join(name);
        self.disk.step(Step::MakeFolder, &path, || match rustix::fs::mkdirat(&self.fd, name, mode) {
            Err(Errno::EXIST) => Ok(()),
            done => done,
        })?;
        self.sync()?;
        self.folder(name)?.ok_or(StoreError::NoFolder(path))
    }

    /// Opens a name in this folder without following it.
    fn open_at(&self, step: Step, name: &OsStr, flags: OFlags, mode: Mode) -> Result<Option<OwnedFd>, StoreError> {
        let path = self.path.join(name);
        if name.as_bytes().contains(&b'/') || name == ".." || name == "." || name.is_empty() {
            return Err(StoreError::NoFolder(path));
        }
        let opened = self.disk.step(step, &path, || found(rustix::fs::openat(&self.fd, name, flags, mode)));
        opened.map_err(|error| if self.is_link(name) { StoreError::Link(path) } else { error })
    }

    fn is_link(&self, name: &OsStr) -> bool {
        rustix::fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW)
            .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Symlink)
    }

    /// A regular file in it, opened for reading, and its mode; a fifo or a device is no file of ours.
    fn open_file(&self, name: &OsStr) -> Result<Option<(File, Mode)>, StoreError> {
        // Opening a fifo would wait for its other end.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let Some(fd) = self.open_at(Step::Open, name, flags, Mode::empty())? else { return Ok(None) };
        let path = self.path.join(name);
        let stat = self.disk.step(Step::Read, &path, || rustix::fs::fstat(&fd))?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Err(StoreError::NoFile(path));
        }
        Ok(Some((File::from(fd), Mode::from_raw_mode(stat.st_mode))))
    }

    /// A file opened for reading; `None` where there is none.
    pub(super) fn open_to_read(&self, name: &str) -> Result<Option<File>, StoreError> {
        Ok(self.open_file(OsStr::new(name))?.map(|(file, _)| file))
    }

    /// The whole of a file of at most `limit` bytes; `None` where there is none.
    pub fn read(&self, name: impl AsRef<OsStr>, limit: u64) -> Result<Option<Vec<u8>>, StoreError> {
        let name = name.as_ref();
        let Some((file, _)) = self.open_file(name)? else { return Ok(None) };
        let path = self.path.join(name);
        let fail = |source| StoreError::io("read", &path, false, source);
        let mut length = file.metadata().map_err(fail)?.len();
        let mut bytes = Vec::new();
        if length <= limit {
            // It may grow while it is read.
            file.take(limit + 1).read_to_end(&mut bytes).map_err(fail)?;
            length = bytes.len() as u64;
        }
        if length > limit { Err(StoreError::TooLarge { path, limit }) } else { Ok(Some(bytes)) }
    }

    /// The first bytes of a file.
    pub fn head(&self, name: &str, length: u64) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(file) = self.open_to_read(name)? else { return Ok(None) };
        let mut bytes = Vec::new();
        let read = file.take(length).read_to_end(&mut bytes);
        read.map_err(|source| StoreError::io("read", &self.path.join(name), false, source))?;
        Ok(Some(bytes))
    }

    /// The mode bits of a file.
    pub fn mode(&self, name: impl AsRef<OsStr>) -> Result<Option<Mode>, StoreError> {
        Ok(self.open_file(name.as_ref())?.map(|(_, mode)| mode))
    }

    /// The whole of a file that is for this user alone; where others may read it, what `open` makes of its path and mode bits.
    pub(super) fn read_own(
        &self,
        name: &str,
        limit: u64,
        open: impl FnOnce(PathBuf, RawMode) -> StoreError,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        match self.mode(name)? {
            Some(mode) if is_open(mode) => Err(open(self.path.join(name), mode.bits() & 0o777)),
            Some(_) => self.read(name, limit),
            None => Ok(None),
        }
    }

    /// Names in this folder that are text, with what stands there; a link is a link.
    pub fn names(&self) -> Result<Vec<(String, FileType)>, StoreError> {
        let entries =
            self.disk.step(Step::Read, &self.path, || Dir::read_from(&self.fd)?.collect::<Result<Vec<_>, _>>())?;
        let mut names = Vec::new();
        for entry in entries {
            let Ok(name) = entry.file_name().to_str() else { continue };
            let mut kind = entry.file_type();
            if kind == FileType::Unknown {
                let stat = rustix::fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW);
                kind = stat.map_or(kind, |stat| FileType::from_raw_mode(stat.st_mode));
            }
            if name != "." && name != ".." {
                names.push((name.to_owned(), kind));
            }
        }
        names.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(names)
    }

    /// Writes and flushes a new file beside `name`, to be put in its place. It takes over the mode of what stands there.
    pub fn stage(&self, name: &str, bytes: &[u8], mode: Mode) -> Result<Staged<'_>, StoreError> {
        let before = self.mode(name)?;
        self.stage_as(name, bytes, mode, before)
    }

    fn stage_as(&self, name: &str, bytes: &[u8], mode: Mode, before: Option<Mode>) -> Result<Staged<'_>, StoreError> {
        let temporary = format!(".{name}.{}-{:08x}.tmp", std::process::id(), fastrand::u32(..));
        let path = self.path.join(&temporary);
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let Some(fd) = self.open_at(Step::Create, OsStr::new(&temporary), flags, mode & FILE)? else {
            return Err(StoreError::NoFolder(self.path.clone()));
        };
        // From here on it is removed when it is dropped.
        let staged = Staged { folder: self, temporary, name: name.to_owned(), in_place: false };
        let mut file = File::from(fd);
        if let Some(before) = before {
            // A file system without modes keeps its own.
            let _ = rustix::fs::fchmod(&file, before & Mode::from_raw_mode(0o777));
        }
        self.disk.write(&mut file, &path, bytes)?;
        self.disk.sync(Step::SyncFile, &file, &path)?;
        Ok(staged)
    }

    /// Exchanges a file for another in one step: a reader sees the old or the new one, and so does the next start.
    pub fn replace(&self, name: &str, bytes: &[u8], mode: Mode) -> Result<(), StoreError> {
        self.stage(name, bytes, mode)?.put()?;
        self.sync()
    }

    /// Writes a file that must not exist yet, whole or not at all; `false` where one of that name is there.
    pub fn create(&self, name: &str, bytes: &[u8], mode: Mode) -> Result<bool, StoreError> {
        let fresh = self.stage_as(name, bytes, mode, None)?.put_new()?;
        self.sync()?;
        Ok(fresh)
    }

    /// Adds bytes at the end of a file opened by [`Self::open_own`] and flushes them. What fails half-way is taken back.
    pub(super) fn append(&self, name: &str, file: &mut File, bytes: &[u8]) -> Result<(), StoreError> {
        let path = self.path.join(name);
        let end = file.metadata().map_err(|source| StoreError::io("write", &path, true, source))?.len();
        let written = self.disk.write(file, &path, bytes).and_then(|()| self.disk.sync(Step::SyncFile, file, &path));
        if written.is_err() {
            let _ = self.disk.step(Step::Truncate, &path, || rustix::fs::ftruncate(&*file, end));
        }
        written
    }

    /// A file of this user's own, made where it is missing, for reading and for writing at its end.
    pub(super) fn open_own(&self, name: &str) -> Result<File, StoreError> {
        let flags =
            OFlags::RDWR | OFlags::CREATE | OFlags::APPEND | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let fd = self.open_at(Step::Create, OsStr::new(name), flags, PRIVATE & FILE)?;
        let fd = fd.ok_or_else(|| StoreError::NoFolder(self.path.clone()))?;
        Ok(File::from(fd))
    }

    /// Does a step on a file of this folder through the seam.
    pub(super) fn step<T, E>(&self, step: Step, name: &str, act: impl FnOnce() -> Result<T, E>) -> Result<T, StoreError>
    where
        io::Error: From<E>,
    {
        self.disk.step(step, &self.path.join(name), act)
    }

    /// Moves a file as it is to a place in another folder where nothing is yet; `false` where something is. Both folders are
    /// to be flushed after.
    pub(super) fn move_new(&self, name: &str, to: &Self, new: &str) -> Result<bool, StoreError> {
        self.disk.step(Step::Rename, &to.path.join(new), || rename_new((&self.fd, name), (&to.fd, new)))
    }

    /// Removes a folder in it, where that is empty.
    pub(super) fn remove_empty(&self, name: &str) -> Result<(), StoreError> {
        self.disk.step(Step::Remove, &self.path.join(name), || {
            match rustix::fs::unlinkat(&self.fd, name, AtFlags::REMOVEDIR) {
                Ok(()) | Err(Errno::NOENT | Errno::NOTEMPTY | Errno::EXIST) => Ok(()),
                Err(errno) => Err(errno),
            }
        })
    }

    /// Removes a file; `false` where there is none.
    pub fn remove(&self, name: &str) -> Result<bool, StoreError> {
        let removed = || found(rustix::fs::unlinkat(&self.fd, name, AtFlags::empty()));
        Ok(self.disk.step(Step::Remove, &self.path.join(name), removed)?.is_some())
    }

    /// Removes what interrupted writes left here. Only for who holds the lock under which all files here are written.
    pub fn sweep(&self) -> Result<(), StoreError> {
        for (left, kind) in self.names()? {
            if kind == FileType::RegularFile && is_temporary(&left) {
                self.remove(&left)?;
            }
        }
        Ok(())
    }

    /// Flushes the folder itself: the names in it.
    pub fn sync(&self) -> Result<(), StoreError> {
        self.disk.step(Step::SyncFolder, &self.path, || match rustix::fs::fsync(&self.fd) {
            // Some network file systems flush names by themselves and refuse to be asked.
            Err(Errno::INVAL | Errno::NOTSUP) => Ok(()),
            done => done,
        })
    }
}

/// Whether others than this user can do anything with a file of this mode.
pub(super) fn is_open(mode: Mode) -> bool {
    mode.intersects(Mode::RWXG | Mode::RWXO)
}

/// Whether a name is one that [`Folder::stage`] gives: `.NAME.json.PID-8HEX.tmp`, and `.key` for `.json`.
fn is_temporary(name: &str) -> bool {
    let staged = name.strip_prefix('.').and_then(|rest| rest.strip_suffix(".tmp"));
    let unique = staged.and_then(|staged| staged.rsplit_once(".json.").or_else(|| staged.rsplit_once(".key.")));
    unique.and_then(|(_, unique)| unique.split_once('-')).is_some_and(|(pid, random)| {
        !pid.is_empty()
            && pid.bytes().all(|byte| byte.is_ascii_digit())
            && random.len() == 8
            && random.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// A file that is written and flushed, and not in its place yet. Dropped, it is removed.
#[derive(Debug)]
pub struct Staged<'a> {
    folder: &'a Folder,
    temporary: String,
    name: String,
    in_place: bool,
}

impl Staged<'_> {
    /// Puts the file in place of what is there. The folder is to be flushed after.
    pub fn put(mut self) -> Result<(), StoreError> {
        let Self { folder, temporary, name, .. } = &self;
        let path = folder.path.join(name);
        folder.disk.step(Step::Rename, &path, || {
            rustix::fs::renameat(&folder.fd, temporary.as_str(), &folder.fd, name.as_str())
        })?;
        self.in_place = true;
        Ok(())
    }

    /// Puts the file in a place where nothing is yet; `false` where something is.
    pub fn put_new(self) -> Result<bool, StoreError> {
        let Self { folder, temporary, name, .. } = &self;
        let path = folder.path.join(name);
        folder.disk.step(Step::Link, &path, || {
            match rustix::fs::linkat(&folder.fd, temporary.as_str(), &folder.fd, name.as_str(), AtFlags::empty()) {
                Ok(()) => Ok(true),
                Err(Errno::EXIST) => Ok(false),
                // A file system without hard links.
                Err(Errno::PERM | Errno::NOTSUP | Errno::NOSYS | Errno::MLINK) => {
                    rename_new((&folder.fd, temporary), (&folder.fd, name))
                }
                Err(errno) => Err(errno),
            }
        })
        // What was linked stays; the second name goes when this is dropped.
    }
}

/// Moves a file, each end named in its folder; `false` where something has the new name.
fn rename_new((folder, from): (&OwnedFd, &str), (target, to): (&OwnedFd, &str)) -> Result<bool, Errno> {
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    match rustix::fs::renameat_with(folder, from, target, to, rustix::fs::RenameFlags::NOREPLACE) {
        Ok(()) => return Ok(true),
        Err(Errno::EXIST) => return Ok(false),
        // A file system that cannot tell, or a kernel that is too old.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
        Err(errno) => return Err(errno),
    }
    // Whoever else writes here waits for the lock.
    match found(rustix::fs::statat(target, to, AtFlags::SYMLINK_NOFOLLOW))? {
        Some(_) => Ok(false),
        None => rustix::fs::renameat(folder, from, target, to).map(|()| true),
    }
}

/// What was asked for by a name; `None` where nothing has it.
fn found<T>(asked: Result<T, Errno>) -> Result<Option<T>, Errno> {
    match asked {
        Err(Errno::NOENT) => Ok(None),
        asked => asked.map(Some),
    }
}

impl Drop for Staged<'_> {
    fn drop(&mut self) {
        if !self.in_place {
            // It bothers nobody, and the next write of the same file sweeps it away.
            let _ = self.folder.remove(&self.temporary);
        }
    }
}
