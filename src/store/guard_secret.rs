//! The secret by which a guard that listens knows its clients: a text of 256 random bits in a file that only this user can
//! read. A guard that listens makes it where there is none; clients send it as `Authorization: Bearer …`, and a guard that has
//! lost the file is closed. One secret for every guard of this user: whoever has it can reach them all.

use super::disk::{Disk, Folder, PRIVATE};
use super::{Places, StoreError, new_key};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::path::PathBuf;
use subtle::ConstantTimeEq as _;

const NAME: &str = "guard.secret";
/// What the text begins with, so that scanners for leaked secrets can know it.
const PREFIX: &str = "pwg_";
/// Characters behind it: a key in base64url.
const CHARACTERS: usize = 43;

/// The secret of this user's guards. Its `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct GuardSecret(String);

opaque!(GuardSecret);

impl GuardSecret {
    /// The text that a client sends behind `Bearer `.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether this is what was offered, in a time that does not depend on how much of it is right.
    pub fn is(&self, offered: &[u8]) -> bool {
        self.0.as_bytes().ct_eq(offered).into()
    }

    /// A text of the same form that is no secret, for what is shown before there is one.
    pub fn stand_in() -> Self {
        Self(format!("{PREFIX}{}", "-".repeat(CHARACTERS)))
    }

    /// A text in which no secret of a guard stands any more.
    pub fn hidden(text: &str) -> String {
        let mut parts = text.split(PREFIX);
        let mut shown = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let rest = part.trim_start_matches(is_random);
            // Shorter words are names, as in `pwg_…`.
            let is_secret = part.len() - rest.len() >= CHARACTERS;
            shown += PREFIX;
            shown += if is_secret { "…" } else { &part[..part.len() - rest.len()] };
            shown += rest;
        }
        shown
    }

    /// The file that holds it.
    pub fn path(places: &Places) -> PathBuf {
        places.state.join(NAME)
    }

    /// The secret where one was made before; nothing is written. A file that others can read is refused.
    pub fn known(disk: &Disk, places: &Places) -> Result<Option<Self>, StoreError> {
        disk.open(&places.state)?.map_or(Ok(None), |folder| read(&folder))
    }

    /// The secret, made where there is none. Where another process is faster, its secret comes back.
    pub fn make(disk: &Disk, places: &Places) -> Result<Self, StoreError> {
        if let Some(known) = Self::known(disk, places)? {
            return Ok(known);
        }
        let text = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(new_key()?));
        let folder = disk.make(&places.state, PRIVATE)?;
        folder.create(NAME, text.as_bytes(), PRIVATE)?;
        let path = folder.path().join(NAME);
        read(&folder)?.ok_or(StoreError::NoFile(path))
    }
}

/// Whether a character is one of base64url.
fn is_random(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '-' || character == '_'
}

fn read(folder: &Folder) -> Result<Option<GuardSecret>, StoreError> {
    let open = |path, mode| StoreError::OpenGuardSecret { path, mode };
    let Some(bytes) = folder.read_own(NAME, 1 << 10, open)? else { return Ok(None) };
    let is_secret = |text: &str| {
        let random = text.strip_prefix(PREFIX).unwrap_or_default();
        random.len() == CHARACTERS && random.chars().all(is_random)
    };
    match String::from_utf8(bytes) {
        Ok(text) if is_secret(text.trim_end()) => Ok(Some(GuardSecret(text.trim_end().to_owned()))),
        _ => {
            let problem = "it holds no secret of a guard: remove it and start the guard anew".to_owned();
            Err(StoreError::Damaged { path: folder.path().join(NAME), problem })
        }
    }
}
