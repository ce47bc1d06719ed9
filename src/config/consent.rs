//! Who agreed to which launch. A launch from a file that was found runs only after a person has seen it here.
//!
//! Kept per canonical project folder, server and launch, under the state folder; a changed launch is asked about again,
//! with what changed. It stores no value, and a record that cannot be read is no consent. What is reported as kept is kept:
//! all of it is written under one lock, and put in place whole or not at all.

mod asked;
mod change;
mod files;
mod identity;
mod loaders;
mod record;
mod seal;

pub use asked::ConsentRequest;
pub use identity::Identity;
pub use loaders::loads_code;

use super::expand::Lookup;
use super::server::{FoundBy, IgnoredKey, ServerConfig};
use crate::mcp::Target;
use crate::store::disk::{Disk, PRIVATE};
use crate::store::{Held, Places, StoreError, keep_key, known_key, lock, new_key, utc};
use crate::surface::Transport;
use jiff::Timestamp;
use record::{Agreed, Record};
use seal::Key;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// No consent file is larger.
const MAX_BYTES: u64 = 1 << 20;
/// How long an agreement waits for the one before it.
const WAIT: Duration = Duration::from_secs(2);

/// The consents of this machine. Cheap to clone; every call blocks on the disk.
#[derive(Clone, Debug)]
pub struct Consents {
    places: Places,
    disk: Disk,
    /// The machine's key where there is none yet: the first agreement makes it that.
    fresh: Arc<OnceLock<Key>>,
    given: Given,
}

/// What counts as agreed to beside what was kept here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Given {
    /// What the command line names.
    Named,
    /// Everything: `--yes`.
    Everything,
    /// The same, and what an entry says is off although its client starts it: `--yes-disabled`.
    EvenOff,
    /// What the command line spells out.
    Typed,
}

/// Whether a launch may run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Consent {
    /// It was agreed to: by naming it, by `--yes`, or here before.
    Given,
    /// A person must see it first.
    Needed(Asked),
}

/// A launch that waits for a person: what is shown, and what exactly would be agreed to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// What the person is shown.
    pub request: Arc<ConsentRequest>,
    /// The launch as it stood when it was shown: if it is another by the time it runs, it is asked about again.
    identity: Identity,
    project: PathBuf,
    /// What the identity is sealed with.
    key: Key,
}

impl Consents {
    /// The consents in the state folder, under the machine's key. Nothing is opened yet.
    pub fn new(places: Places) -> Self {
        Self::on(Disk::default(), places)
    }

    /// The same on a disk that may have faults.
    pub fn on(disk: Disk, places: Places) -> Self {
        Self { places, disk, fresh: Arc::default(), given: Given::Named }
    }

    /// The same, with everything agreed to for this run: `--yes`.
    #[must_use]
    pub fn with_everything(mut self) -> Self {
        self.given = Given::Everything;
        self
    }

    /// The same, with what an entry says is off, too: `--yes-disabled`.
    #[must_use]
    pub fn with_what_is_off(mut self) -> Self {
        self.given = Given::EvenOff;
        self
    }

    /// The same for a launch that came or changed while the program ran: the command line agreed to what its files said
    /// at the start, and to nothing later.
    #[must_use]
    pub fn for_later(mut self) -> Self {
        self.given = Given::Typed;
        self
    }

    /// Whether this launch may run as it stands now, its files included. Nothing is written. To be asked before each
    /// start: a script may have changed since the last one.
    pub fn check(&self, server: &ServerConfig, environment: Lookup<'_>) -> Result<Consent, StoreError> {
        let given = match server.origin.found_by {
            FoundBy::AdHoc => true,
            FoundBy::Named => self.given != Given::Typed,
            FoundBy::Found => self.given == Given::Everything,
        };
        // Whoever wrote the key did not want it started: agreeing to everything is not agreeing to that.
        let given = self.given == Given::EvenOff || given && server.ignored.is_empty();
        if given {
            return Ok(Consent::Given);
        }
        let key = self.key()?;
        let project = canonical(server.project());
        let identity = Identity::of(server, &project, &key, environment);
        // What cannot be read is no consent.
        let record = self.record(&key, &project, &server.id).ok().flatten();
        let agreed = record.as_ref().map(|record| record.agreed.as_slice()).unwrap_or_default();
        if agreed.iter().any(|agreed| agreed.identity.seal == identity.seal) {
            return Ok(Consent::Given);
        }
        let changed = agreed.last().map(|last| change::sentences(&last.identity, &identity)).unwrap_or_default();
        Ok(Consent::Needed(Asked { request: Arc::new(request(server, changed)), identity, project, key }))
    }

    /// Whether a launch names files of its project, whose content an agreement binds.
    pub fn binds_files(&self, server: &ServerConfig, environment: Lookup<'_>) -> Result<bool, StoreError> {
        let found = files::contents(server, &canonical(server.project()), &self.key()?, environment);
        Ok(!found.is_empty())
    }

    /// Keeps that `by` agreed to exactly what was asked; the machine's key is made with the first one. Where this fails
    /// nothing was agreed to, except for [`StoreError::NotFlushed`]. Blocks for some seconds at most.
    pub fn grant(&self, asked: &Asked, by: &str, at: Timestamp) -> Result<(), StoreError> {
        let Asked { request, identity, project, key } = asked;
        let _held = self.lock()?;
        if keep_key(&self.disk, &self.places, key.bytes())? != *key.bytes() {
            // Under the key that another process made meanwhile, what was asked reads as nothing.
            return Err(StoreError::Raced(self.places.state.join("machine.key")));
        }
        let fresh = || Record {
            project: project.to_string_lossy().into_owned(),
            server: request.server.to_string(),
            agreed: Vec::new(),
        };
        let mut record = self.record(key, project, &request.server)?.unwrap_or_else(fresh);
        record.add(Agreed { at: utc(at), by: by.to_owned(), identity: identity.clone() });
        let name = name(key, project, &request.server);
        let limit = usize::try_from(MAX_BYTES).unwrap_or(usize::MAX);
        let text = record.text_within(limit);
        let text = text.ok_or_else(|| StoreError::TooLarge { path: self.folder().join(&name), limit: MAX_BYTES })?;
        let folder = self.disk.make(&self.folder(), PRIVATE)?;
        folder.sweep()?;
        folder.stage(&name, text.as_bytes(), PRIVATE)?.put()?;
        let path = folder.path().join(&name);
        folder.sync().map_err(|problem| StoreError::NotFlushed { path, problem: problem.into() })
    }

    /// Forgets every launch of a server that was agreed to in its project: the next start asks. Where this fails it may
    /// still stand.
    pub fn withdraw(&self, server: &ServerConfig) -> Result<(), StoreError> {
        let _held = self.lock()?;
        if let Some(folder) = self.disk.open(&self.folder())? {
            folder.remove(&name(&self.key()?, &canonical(server.project()), &server.id))?;
            // Else a power cut could bring it back.
            folder.sync()?;
        }
        Ok(())
    }

    /// What this machine is called where others read it: by its key, and says nothing of that. None where there is none yet.
    pub fn machine(&self) -> Result<Option<String>, StoreError> {
        Ok(known_key(&self.disk, &self.places)?.map(|key| Key::new(key).seal("machine", &[])[..16].to_owned()))
    }

    /// The same; the machine's key is made where there is none yet.
    pub fn make_machine(&self) -> Result<String, StoreError> {
        let _held = self.lock()?;
        let key = keep_key(&self.disk, &self.places, self.key()?.bytes())?;
        Ok(Key::new(key).seal("machine", &[])[..16].to_owned())
    }

    fn lock(&self) -> Result<Held, StoreError> {
        lock(&self.disk, &self.places, "consents", &self.folder(), WAIT)
    }

    /// The machine's key; where there is none yet, the one that the first agreement will make.
    fn key(&self) -> Result<Key, StoreError> {
        if let Some(key) = known_key(&self.disk, &self.places)? {
            return Ok(Key::new(key));
        }
        if let Some(fresh) = self.fresh.get() {
            return Ok(fresh.clone());
        }
        let fresh = Key::new(new_key()?);
        Ok(self.fresh.get_or_init(|| fresh).clone())
    }

    /// What is kept; none where that says nothing.
    fn record(&self, key: &Key, project: &Path, server: &str) -> Result<Option<Record>, StoreError> {
        let Some(folder) = self.disk.open(&self.folder())? else { return Ok(None) };
        match folder.read(name(key, project, server), MAX_BYTES) {
            Ok(bytes) => Ok(bytes.and_then(|bytes| Record::from_text(&bytes).ok())),
            Err(StoreError::TooLarge { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn folder(&self) -> PathBuf {
        self.places.state.join("consents")
    }
}

/// The file of one server of one project.
fn name(key: &Key, project: &Path, server: &str) -> String {
    format!("{}.json", key.seal("file", &[project.as_os_str().as_encoded_bytes(), server.as_bytes()]))
}

fn canonical(folder: &Path) -> PathBuf {
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}

/// What a person is shown: as written, masked.
fn request(server: &ServerConfig, changed: Vec<String>) -> ConsentRequest {
    let (argv, names) = match &server.shared.transport {
        Transport::Stdio { command, args, env, .. } => {
            (std::iter::once(command).chain(args).cloned().collect(), env.clone())
        }
        Transport::Http { url, headers } => (vec![url.clone()], headers.clone()),
    };
    let cwd = match &server.target {
        Target::Stdio { cwd, .. } => Some(cwd.clone()),
        Target::Http { .. } | Target::Unusable(_) | Target::Unwatched(_) => None,
    };
    ConsentRequest {
        server: server.id.clone(),
        origin: server.origin.file.clone().unwrap_or_default(),
        argv,
        cwd,
        names,
        variables: server.variables(),
        off: server.ignored.iter().map(IgnoredKey::sentence).collect(),
        notes: server.notes.clone(),
        changed,
    }
}
