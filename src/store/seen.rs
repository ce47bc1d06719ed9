//! What of a root's baselines this user has seen, so that a change from outside is an event and not a silence.
//!
//! Kept under this user's state folder, one file a root and server. A decision writes what the baseline is about to become
//! before it puts it in place: a crash between the two is no change from outside.

use super::StoreError;
use super::disk::{Disk, PRIVATE};
use crate::audit::Told;
use crate::digest::{Sha256, SurfaceDigest};
use crate::pin::format::write;
use crate::pin::{Baseline, from_text, to_text};
use crate::surface::{ItemId, Kind};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const FORMAT: &str = "pinwatch.seen.v1";
const ORIGINS_FORMAT: &str = "pinwatch.origins.v1";
const TOLD_FORMAT: &str = "pinwatch.told.v1";
const LIMIT: u64 = 64 * 1024 * 1024;

/// An item and the digest that was decided on.
pub type Decided = (ItemId, SurfaceDigest);

/// A baseline against what this user saw of it last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sight {
    /// Never seen here: this is what it approves.
    First(Vec<Decided>),
    /// As it was, or as this user left it.
    Unchanged,
    /// Changed by someone else: a commit, an editor.
    Outside(Outside),
}

/// What changed from outside. All lists empty: only notes, times, the anchor or the handshake did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outside {
    /// Pins that were not there.
    pub approved: Vec<Decided>,
    /// Pins that are no longer there.
    pub dropped: Vec<Decided>,
    /// Rejections that were not there.
    pub rejected: Vec<Decided>,
    /// Rejections that are no longer there.
    pub unrejected: Vec<Decided>,
}

/// What a baseline decides, and the digest of its text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Decisions {
    /// SHA-256 of the text; none for no file.
    pub(super) text: Option<String>,
    approved: BTreeSet<Written>,
    rejected: BTreeSet<Written>,
}

/// [`Decided`] as the file has it: kind, key, digest.
type Written = (Kind, Arc<str>, SurfaceDigest);

fn written(id: &ItemId, digest: SurfaceDigest) -> Written {
    (id.kind, Arc::clone(&id.key), digest)
}

fn decided<'a>(written: impl IntoIterator<Item = &'a Written>) -> Vec<Decided> {
    written.into_iter().map(|(kind, key, digest)| (ItemId::new(*kind, Arc::clone(key)), *digest)).collect()
}

impl Decisions {
    pub(super) fn of(baseline: Option<&Baseline>) -> Self {
        let Some(baseline) = baseline else { return Self::default() };
        let rejected = baseline.rejections.iter().map(|entry| written(&entry.item.id, entry.item.digests.surface));
        Self {
            text: Some(Sha256::of(write(baseline)).to_string()),
            approved: baseline.pins.iter().map(|pin| written(&pin.item.id, pin.binds_to())).collect(),
            rejected: rejected.collect(),
        }
    }

    pub(super) fn approved(&self) -> Vec<Decided> {
        decided(&self.approved)
    }
}

/// What is kept of one server: the last state seen, and the one that a decision was about to make.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Memory {
    pub(super) now: Decisions,
    pub(super) next: Option<Decisions>,
}

impl Memory {
    /// This memory with `next` as what is left by a change from `before` to `after`. What was not seen before the change is
    /// not seen by it either.
    pub(super) fn about_to(&self, before: Option<&Baseline>, after: Option<&Baseline>) -> Self {
        let (before, after) = (Decisions::of(before), Decisions::of(after));
        let next = if before == self.now {
            after
        } else {
            let applied = |known: &BTreeSet<Written>, before: &BTreeSet<Written>, after: &BTreeSet<Written>| {
                let kept = known.iter().filter(|entry| after.contains(entry) || !before.contains(entry));
                kept.chain(after.difference(before)).cloned().collect()
            };
            Decisions {
                text: self.now.text.clone(),
                approved: applied(&self.now.approved, &before.approved, &after.approved),
                rejected: applied(&self.now.rejected, &before.rejected, &after.rejected),
            }
        };
        Self { now: self.now.clone(), next: Some(next) }
    }

    /// The baseline against this memory. Where a decision was interrupted, either of its two ends was seen.
    pub(super) fn sight(&self, baseline: Option<&Baseline>) -> Sight {
        let live = Decisions::of(baseline);
        if live == self.now || Some(&live) == self.next.as_ref() {
            return Sight::Unchanged;
        }
        let less = |a: &BTreeSet<Written>, b: &BTreeSet<Written>| decided(a.difference(b));
        Sight::Outside(Outside {
            approved: less(&live.approved, &self.now.approved),
            dropped: less(&self.now.approved, &live.approved),
            rejected: less(&live.rejected, &self.now.rejected),
            unrejected: less(&self.now.rejected, &live.rejected),
        })
    }
}

/// The files that name a server.
#[derive(Default, Serialize, Deserialize)]
struct Origins {
    files: Vec<PathBuf>,
}

/// The memories of one root, a folder a server.
#[derive(Clone, Debug)]
pub(super) struct Memories {
    folder: PathBuf,
    disk: Disk,
}

const NAME: &str = "seen.json";
const ORIGINS: &str = "origins.json";
const TOLD: &str = "told.json";

impl Memories {
    pub(super) fn new(state: &Path, root_hash: &str, disk: Disk) -> Self {
        Self { folder: state.join("seen").join(root_hash), disk }
    }

    fn path(&self, server: &str) -> PathBuf {
        self.folder.join(Sha256::of(server).to_string())
    }

    /// What is kept of a server; `None` where it was never seen. A damaged memory is none: the worst that follows is one
    /// event too many.
    pub(super) fn load(&self, server: &str) -> Result<Option<Memory>, StoreError> {
        let Some(folder) = self.disk.open(&self.path(server))? else { return Ok(None) };
        let Some(bytes) = folder.read(NAME, LIMIT)? else { return Ok(None) };
        Ok(from_text(FORMAT, &bytes).ok())
    }

    /// Keeps what was seen of a server, whose lock the caller holds.
    pub(super) fn save(&self, server: &str, memory: &Memory) -> Result<(), StoreError> {
        let text = to_text(FORMAT, memory);
        let folder = self.disk.make(&self.path(server), PRIVATE)?;
        folder.sweep()?;
        folder.replace(NAME, text.as_bytes(), PRIVATE)
    }

    /// The files that named a server when its baseline was last decided on.
    pub(super) fn origins(&self, server: &str) -> Result<Vec<PathBuf>, StoreError> {
        let Some(folder) = self.disk.open(&self.path(server))? else { return Ok(Vec::new()) };
        let Some(bytes) = folder.read(ORIGINS, LIMIT)? else { return Ok(Vec::new()) };
        Ok(from_text::<Origins>(ORIGINS_FORMAT, &bytes).unwrap_or_default().files)
    }

    /// Keeps which files name a server.
    pub(super) fn remember_origins(&self, server: &str, files: &[&Path]) -> Result<(), StoreError> {
        let files = files.iter().map(|file| file.to_string_lossy().into_owned().into()).collect();
        let text = to_text(ORIGINS_FORMAT, &Origins { files });
        self.disk.make(&self.path(server), PRIVATE)?.replace(ORIGINS, text.as_bytes(), PRIVATE)
    }

    /// What the audit chain says of a server's drifts. Where that is damaged it says nothing: what drifts is told once more.
    pub(super) fn told(&self, server: &str) -> Result<Told, StoreError> {
        let Some(folder) = self.disk.open(&self.path(server))? else { return Ok(Told::default()) };
        let Some(bytes) = folder.read(TOLD, LIMIT)? else { return Ok(Told::default()) };
        Ok(from_text(TOLD_FORMAT, &bytes).unwrap_or_default())
    }

    /// Keeps what the chain says now, under the server's lock.
    pub(super) fn keep_told(&self, server: &str, told: &Told) -> Result<(), StoreError> {
        let folder = self.disk.make(&self.path(server), PRIVATE)?;
        folder.sweep()?;
        folder.replace(TOLD, to_text(TOLD_FORMAT, told).as_bytes(), PRIVATE)
    }

    /// Drops what was seen of a server, whose lock the caller holds.
    pub(super) fn forget(&self, server: &str) -> Result<(), StoreError> {
        let Some(folder) = self.disk.open(&self.path(server))? else { return Ok(()) };
        folder.remove(TOLD)?;
        folder.remove(NAME).map(|_| ())
    }
}
