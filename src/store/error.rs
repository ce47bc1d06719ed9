//! Why the store could not do something, with the path.

use crate::pin::Misshapen;
use crate::pin::format::Refused;
use crate::surface::{InvalidId, ItemId};
use crate::text::{Visible, visible};
use std::io;
use std::path::{Path, PathBuf};

/// Why the store could not do something. Nothing was decided where one of these comes back, unless it says so.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the names say it")]
pub enum StoreError {
    /// The system refused.
    #[error("cannot {doing} {}: {source}", shown(.path))]
    Io {
        /// What was tried, as a verb.
        doing: &'static str,
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// No right to write there, or a file system that is read-only.
    #[error("{} is read-only for this user ({source}): nothing can be recorded or decided there", shown(.path))]
    ReadOnly {
        /// What should have been written.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The change is in place, but its folder could not be flushed.
    #[error("{} is written, but may not survive a power cut: {problem}", shown(.path))]
    NotFlushed { path: PathBuf, problem: Box<Self> },
    /// A baseline that is damaged, newer or not ours. It is never overwritten.
    #[error("{}: {reason}", shown(.path))]
    Refused { path: PathBuf, reason: Box<Refused> },
    /// A baseline that says it is another server's.
    #[error("{}: it is the baseline of `{}`, in the folder of `{}`", shown(.path), visible(.inside), visible(.expected))]
    OtherServer {
        path: PathBuf,
        /// The server that it names.
        inside: String,
        /// The server whose folder it stands in.
        expected: String,
    },
    /// Some other file of ours that is not as it should be.
    #[error("{}: {}", shown(.path), visible(.problem))]
    Damaged { path: PathBuf, problem: String },
    /// A symbolic link inside a root.
    #[error("{} is a symbolic link, and none is followed inside a root", shown(.0))]
    Link(PathBuf),
    /// A fifo, a device or a folder where a file should be.
    #[error("{} is not a regular file", shown(.0))]
    NoFile(PathBuf),
    #[error("there is no folder {}", shown(.0))]
    NoFolder(PathBuf),
    /// Neither HOME nor the XDG variables say where this user's files are.
    #[error("HOME is not set to an absolute path, so there is no place for pinwatch's own files")]
    NoHome,
    /// A file larger than any that is written.
    #[error("{} is larger than {limit} bytes", shown(.path))]
    TooLarge { path: PathBuf, limit: u64 },
    /// Another process decides on the same baseline.
    #[error("{} is locked by {}: try again", shown(.path), holder.map_or("another process".to_owned(), |pid| format!("process {pid}")))]
    Locked {
        path: PathBuf,
        /// The holder's process id, where the lock says it.
        holder: Option<u32>,
    },
    /// The file was exchanged from outside since it was read.
    #[error("{} has changed since: nothing was written", shown(.0))]
    Raced(PathBuf),
    /// A file that another user owns: one in its place would be this user's.
    #[error("{} belongs to another user: nothing was written", shown(.0))]
    NotOwn(PathBuf),
    /// An id that is no folder name.
    #[error(transparent)]
    Id(#[from] InvalidId),
    /// A definition that holds a value which was passed to a server as a secret.
    #[error(
        "only `pinwatch record --accept` writes {}: its definition holds the value of `{}`, a secret that was passed to the server",
        visible(&.item.text()), visible(.name)
    )]
    Secret {
        item: ItemId,
        /// The secret's name.
        name: String,
    },
    /// The machine key can be read by others.
    #[error("{} can be read by others (mode {mode:03o}): make it 600, or remove it and agree again", shown(.path))]
    OpenKey {
        /// The key's file.
        path: PathBuf,
        /// Its mode bits.
        mode: rustix::fs::RawMode,
    },
    /// A sign-in can be read by others.
    #[error("{} can be read by others (mode {mode:03o}): make it 600, or sign in again", shown(.path))]
    OpenSignIn {
        /// Its file.
        path: PathBuf,
        /// Its mode bits.
        mode: rustix::fs::RawMode,
    },
    /// What is kept in the keyring waits for a person.
    #[error("the sign-in is in the keyring of your session, which is locked: unlock it, or sign out and in again")]
    KeyringLocked,
    /// What is kept in the keyring cannot be read.
    #[error("the sign-in is in the keyring of your session, which does not answer: {}", visible(.0))]
    KeyringGone(String),
    /// The secret of the guards can be read by others.
    #[error("{} can be read by others (mode {mode:03o}): make it 600, or remove it and start the guard anew", shown(.path))]
    OpenGuardSecret {
        /// Its file.
        path: PathBuf,
        /// Its mode bits.
        mode: rustix::fs::RawMode,
    },
    /// The system gave no random bytes.
    #[error("the system gives no random bytes: {0}")]
    NoRandom(String),
}

impl StoreError {
    /// An error of the system, told apart by what the person can do about it.
    pub(super) fn io(doing: &'static str, path: &Path, writes: bool, source: io::Error) -> Self {
        let path = path.to_owned();
        let kind = source.kind();
        if writes && matches!(kind, io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem) {
            Self::ReadOnly { path, source }
        } else {
            Self::Io { doing, path, source }
        }
    }

    pub(super) fn damaged(path: &Path, problem: &Misshapen) -> Self {
        Self::Damaged { path: path.to_owned(), problem: problem.to_string() }
    }
}

pub(super) fn shown(path: &Path) -> Visible {
    visible(&path.to_string_lossy())
}
