//! Who agreed to which launch. A launch from a file that was found runs only after a person has seen it here.
//!
//! Kept per canonical project folder, server and launch, under the state folder; a changed launch is asked about again,
//! with what changed. It stores no value, and a record that cannot be read is no consent.

mod change;
mod files;
mod identity;
mod record;

pub use identity::Identity;

use super::expand::Lookup;
use super::server::{FoundBy, ServerConfig};
use crate::mcp::Target;
use crate::monitor::ConsentRequest;
use crate::surface::Transport;
use identity::Key;
use jiff::Timestamp;
use record::{Agreed, Record};
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// No consent file is larger.
const MAX_BYTES: u64 = 1 << 20;

/// The consents of this machine.
#[derive(Clone)]
pub struct Consents {
    folder: PathBuf,
    key: [u8; 32],
    everything: bool,
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
    project: String,
}

impl Consents {
    /// The consents in `folder` (`consents` of the state folder), under the machine's key.
    pub fn new(folder: PathBuf, key: [u8; 32]) -> Self {
        Self { folder, key, everything: false }
    }

    /// The same, with everything agreed to for this run: `--yes`.
    #[must_use]
    pub fn with_everything(mut self) -> Self {
        self.everything = true;
        self
    }

    /// Whether this launch may run as it stands now, its files included.
    pub fn check(&self, server: &ServerConfig, environment: Lookup<'_>) -> Consent {
        if self.everything || server.origin.found_by != FoundBy::Found {
            return Consent::Given;
        }
        let project = fs::canonicalize(server.project()).unwrap_or_else(|_| server.project().to_owned());
        let identity = Identity::of(server, &project, &Key(&self.key), environment);
        let record = self.record(&project, &server.id);
        let agreed = record.as_ref().map(|record| record.agreed.as_slice()).unwrap_or_default();
        if agreed.iter().any(|agreed| agreed.identity.seal == identity.seal) {
            return Consent::Given;
        }
        let changed = agreed.last().map(|last| change::sentences(&last.identity, &identity)).unwrap_or_default();
        let request = Arc::new(request(server, changed));
        Consent::Needed(Asked { request, identity, project: project.to_string_lossy().into_owned() })
    }

    /// Keeps that `by` agreed to exactly what was asked.
    pub fn grant(&self, asked: &Asked, by: &str, at: Timestamp) -> io::Result<()> {
        let project = Path::new(&asked.project);
        let server = &*asked.request.server;
        let fresh = || Record { project: asked.project.clone(), server: server.to_owned(), agreed: Vec::new() };
        let mut record = self.record(project, server).unwrap_or_else(fresh);
        let at = at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
        record.add(Agreed { at, by: by.to_owned(), identity: asked.identity.clone() });
        fs::create_dir_all(&self.folder)?;
        let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
        file.write_all(record.to_text().as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(self.file(project, server))?;
        Ok(())
    }

    /// Forgets every launch of a server that was agreed to in its project: the next start asks.
    pub fn withdraw(&self, server: &ServerConfig) -> io::Result<()> {
        let project = fs::canonicalize(server.project()).unwrap_or_else(|_| server.project().to_owned());
        match fs::remove_file(self.file(&project, &server.id)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn record(&self, project: &Path, server: &str) -> Option<Record> {
        let mut bytes = Vec::new();
        let file = fs::File::open(self.file(project, server)).ok()?;
        file.take(MAX_BYTES + 1).read_to_end(&mut bytes).ok()?;
        Record::from_text(&bytes).ok()
    }

    fn file(&self, project: &Path, server: &str) -> PathBuf {
        let name = Key(&self.key).seal("file", &[project.as_os_str().as_encoded_bytes(), server.as_bytes()]);
        self.folder.join(format!("{name}.json"))
    }
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
        Target::Http { .. } => None,
    };
    ConsentRequest {
        server: server.id.clone(),
        origin: server.origin.file.clone().unwrap_or_default(),
        argv,
        cwd,
        names,
        variables: server.variables(),
        changed,
    }
}
