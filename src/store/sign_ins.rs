//! Sign-ins of this user, one a server's URL: in the keyring of the session where there is one, else in a file that only this
//! user can read. Nothing else writes a token anywhere, and none is in both. The file is there in either case: its change tells
//! other processes that somebody signed in or out, and what it says which place holds the token.

use super::disk::{Disk, PRIVATE, is_open};
use super::keyring::{self, Fault};
use super::{Places, StoreError, lock};
use crate::digest::Sha256;
use crate::oauth::SignedIn;
use crate::pin::{from_text, to_text};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

const FORMAT: &str = "pinwatch.sign-in.v1";
/// Of the file that stands for a sign-in in the keyring.
const ELSEWHERE: &str = "pinwatch.sign-in-elsewhere.v1";
/// No sign-in is larger.
const MAX_BYTES: u64 = 256 << 10;
/// How long one waits for another that is being kept.
const WAIT: Duration = Duration::from_secs(2);

/// Where a sign-in is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeptIn {
    /// In the keyring of the session.
    Keyring,
    /// In this file.
    File(PathBuf),
}

impl fmt::Display for KeptIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Keyring => f.write_str("the keyring of your session"),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

/// What stands in the file of a sign-in that is in the keyring.
#[derive(Serialize, Deserialize)]
struct Elsewhere {
    kept_in: Keyring,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Keyring {
    Keyring,
}

impl From<Fault> for StoreError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Locked => Self::KeyringLocked,
            Fault::Gone(why) => Self::KeyringGone(why),
        }
    }
}

/// Where sign-ins are kept. Cheap to clone; every call blocks on the disk.
#[derive(Clone, Debug)]
pub struct SignIns {
    places: Places,
    disk: Disk,
    /// Whether the session may have a keyring.
    keyring: bool,
}

impl SignIns {
    /// In this user's own folders. Nothing is opened yet.
    pub fn new(places: Places) -> Self {
        Self { places, disk: Disk::default(), keyring: false }
    }

    /// The same, in the keyring of the session that this environment is of, where it has one.
    #[must_use]
    pub fn of_session(self, lookup: impl Fn(&str) -> Option<String>) -> Self {
        Self { keyring: keyring::may_be_there(lookup), ..self }
    }

    /// The sign-in at a server's URL.
    pub fn load(&self, server: &str) -> Result<Option<SignedIn>, StoreError> {
        let name = name(server);
        let Some(folder) = self.disk.open(&self.folder())? else { return Ok(None) };
        let file = format!("{name}.json");
        let open = |path, mode| StoreError::OpenSignIn { path, mode };
        let Some(text) = folder.read_own(&file, MAX_BYTES, open)? else { return Ok(None) };
        let text = if is_elsewhere(&text) {
            let Some(text) = keyring::load(&name)? else { return Ok(None) };
            text
        } else {
            text
        };
        let damaged = |problem| StoreError::damaged(&folder.path().join(&file), &problem);
        let found: SignedIn = from_text(FORMAT, &text).map_err(damaged)?;
        Ok((found.server == server).then_some(found))
    }

    /// Keeps a sign-in in the place of the one before. Where a keyring is locked a person is asked to unlock it, and a file
    /// takes the sign-in where that does not happen.
    pub fn keep(&self, signed_in: &SignedIn) -> Result<KeptIn, StoreError> {
        let name = name(&signed_in.server);
        let file = format!("{name}.json");
        let text = to_text(FORMAT, signed_in);
        // Before the lock: a person may take a while.
        let has_keyring = self.keyring && keyring::ready().is_ok();
        let _held = lock(&self.disk, &self.places, "sign-ins", &self.folder(), WAIT)?;
        let folder = self.disk.make(&self.folder(), PRIVATE)?;
        folder.sweep()?;
        // The new file would take over the mode of one that others can read.
        if folder.mode(&file)?.is_some_and(is_open) {
            folder.remove(&file)?;
        }
        if has_keyring {
            // The file first: a token in both places would outlive a crash, and one in neither is asked for again.
            let elsewhere = to_text(ELSEWHERE, &Elsewhere { kept_in: Keyring::Keyring });
            folder.replace(&file, elsewhere.as_bytes(), PRIVATE)?;
            if keyring::keep(&name, &label(signed_in), &text).is_ok() {
                return Ok(KeptIn::Keyring);
            }
            let _ = keyring::forget(&name);
        }
        folder.replace(&file, text.as_bytes(), PRIVATE)?;
        Ok(KeptIn::File(folder.path().join(file)))
    }

    /// Forgets the sign-in at a server's URL; whether there was one.
    pub fn forget(&self, server: &str) -> Result<bool, StoreError> {
        let Some(folder) = self.disk.open(&self.folder())? else { return Ok(false) };
        let name = name(server);
        let file = format!("{name}.json");
        if folder.read(&file, MAX_BYTES)?.is_some_and(|text| is_elsewhere(&text)) {
            keyring::forget(&name)?;
        }
        let there = folder.remove(&file)?;
        folder.sync()?;
        Ok(there)
    }

    /// The file of a server's URL, which changes with each sign-in and sign-out.
    pub fn file(&self, server: &str) -> PathBuf {
        self.folder().join(format!("{}.json", name(server)))
    }

    /// Makes the folder of the sign-ins where there is none.
    pub fn make_folder(&self) -> Result<PathBuf, StoreError> {
        self.disk.make(&self.folder(), PRIVATE)?;
        Ok(self.folder())
    }

    fn folder(&self) -> PathBuf {
        self.places.state.join("sign-ins")
    }
}

/// Whether a file says that its sign-in is in the keyring.
fn is_elsewhere(text: &[u8]) -> bool {
    from_text::<Elsewhere>(ELSEWHERE, text).is_ok()
}

/// What a person sees in the keyring: a host, since the URL may hold a secret.
fn label(signed_in: &SignedIn) -> String {
    let url = url::Url::parse(&signed_in.server).ok();
    let host = url.as_ref().and_then(|url| url.host_str()).unwrap_or("a server");
    format!("pinwatch: sign-in at {host}")
}

/// What a server's sign-in is called: its URL may hold a secret, and is no file name.
fn name(server: &str) -> String {
    Sha256::of(server.as_bytes()).to_string()
}
