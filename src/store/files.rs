//! The folder of one server below a root: `snapshots/<server>/`, with its baseline and its snapshots.

use super::StoreError;
use super::disk::{Disk, Folder, SHARED};
use super::root::Root;
use super::snapshot_file::{Snapshot, SnapshotEntry, file_name, parse_name};
use crate::digest::Sha256;
use crate::pin::Baseline;
use crate::pin::format::parse;
use rustix::fs::FileType;
use std::path::{Path, PathBuf};

pub(super) const BASELINE: &str = "baseline.json";

/// The largest file that is read or written: lists at their limit, each of their characters escaped.
pub(super) const LARGEST: u64 = 256 * 1024 * 1024;

/// The open folder of one server.
#[derive(Debug)]
pub(super) struct ServerFolder {
    pub(super) folder: Folder,
}

/// A baseline as it stands on the disk.
#[derive(Debug, Default)]
pub(super) struct OnDisk {
    /// SHA-256 of the text, in hex; none for no file.
    pub(super) text: Option<String>,
    pub(super) baseline: Option<Baseline>,
}

impl ServerFolder {
    /// The folder called `name` below a root; `None` where there is none.
    pub(super) fn open(disk: &Disk, root: &Path, name: &str) -> Result<Option<Self>, StoreError> {
        let Some(root) = disk.open(root)? else { return Ok(None) };
        let Some(snapshots) = root.folder("snapshots")? else { return Ok(None) };
        Ok(snapshots.folder(name)?.map(|folder| Self { folder }))
    }

    /// The folder, made where it is missing.
    pub(super) fn make(disk: &Disk, root: &Root, name: &str) -> Result<Self, StoreError> {
        let folder = root.open(disk)?.make_folder("snapshots", SHARED)?.make_folder(name, SHARED)?;
        Ok(Self { folder })
    }

    /// The digest of the baseline's text.
    pub(super) fn text_digest(&self) -> Result<Option<String>, StoreError> {
        Ok(self.folder.read(BASELINE, LARGEST)?.map(|bytes| Sha256::of(bytes).to_string()))
    }

    /// The baseline's text, whatever it says.
    pub(super) fn text(&self) -> Result<Option<String>, StoreError> {
        Ok(self.folder.read(BASELINE, LARGEST)?.and_then(|bytes| String::from_utf8(bytes).ok()))
    }

    /// The baseline of `server`, read and verified.
    pub(super) fn load(&self, server: &str) -> Result<OnDisk, StoreError> {
        let Some(bytes) = self.folder.read(BASELINE, LARGEST)? else { return Ok(OnDisk::default()) };
        let path = self.path();
        let baseline =
            parse(&bytes).map_err(|reason| StoreError::Refused { path: path.clone(), reason: reason.into() })?;
        if baseline.server != server {
            return Err(StoreError::OtherServer { path, inside: baseline.server, expected: server.to_owned() });
        }
        Ok(OnDisk { text: Some(Sha256::of(&bytes).to_string()), baseline: Some(baseline) })
    }

    /// The baseline's path.
    pub(super) fn path(&self) -> PathBuf {
        self.folder.path().join(BASELINE)
    }

    /// Writes a snapshot under the first free name of its second.
    pub(super) fn add_snapshot(&self, snapshot: &Snapshot) -> Result<PathBuf, StoreError> {
        let text = snapshot.write();
        if text.len() as u64 > LARGEST {
            return Err(StoreError::TooLarge {
                path: self.folder.path().join(file_name(snapshot.at, 1)),
                limit: LARGEST,
            });
        }
        let taken = self.snapshots()?.into_iter().filter(|entry| entry.at == snapshot.at).map(|entry| entry.number);
        let mut number = taken.max().unwrap_or(0);
        loop {
            number += 1;
            let name = file_name(snapshot.at, number);
            // Something that is no snapshot may have the name.
            if self.folder.create(&name, text.as_bytes(), SHARED)? {
                return Ok(self.folder.path().join(name));
            }
        }
    }

    /// The snapshots here, oldest first.
    pub(super) fn snapshots(&self) -> Result<Vec<SnapshotEntry>, StoreError> {
        let entry = |(name, kind): (String, FileType)| {
            let (at, number) = parse_name(&name).filter(|_| kind == FileType::RegularFile)?;
            Some(SnapshotEntry { path: self.folder.path().join(name), at, number })
        };
        let mut found: Vec<_> = self.folder.names()?.into_iter().filter_map(entry).collect();
        found.sort_by_key(|entry| (entry.at, entry.number));
        Ok(found)
    }
}
