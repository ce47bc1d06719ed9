//! One configured server: how to start it, how to show it, how to look at it.

use super::entry::Written;
use crate::digest::DigestScope;
use crate::mcp::Target;
use crate::store::redact::Secrets;
use crate::surface::{Kind, Launch, ServerId};
use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// One configured server. Its `Debug` shows no value that may be a secret.
#[derive(Clone)]
pub struct ServerConfig {
    /// Its id.
    pub id: ServerId,
    /// Who names it.
    pub origin: Origin,
    /// How it is started or opened, with every variable expanded.
    pub target: Target,
    /// The same for eyes and files: as written, secrets masked, the folder seen from the root.
    pub shared: Launch,
    /// What the redactor must never let through.
    pub secrets: Secrets,
    /// Time between two looks.
    pub poll_interval: Duration,
    /// Time for the start and the handshake.
    pub start_timeout: Duration,
    /// Time for one answer.
    pub request_timeout: Duration,
    /// Whether the session stays open between two looks.
    pub keep_open: bool,
    /// Kinds that are not looked at.
    pub ignore_kinds: BTreeSet<Kind>,
    /// Whether the definition digest covers the server's id, at the first record.
    pub digest_scope: DigestScope,
    pub(super) project: PathBuf,
    pub(super) written: Written,
}

/// Who names a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The file; none for the command line.
    pub file: Option<PathBuf>,
    /// Its line, from 1; 0 for the command line.
    pub line: usize,
    /// How the file was come by.
    pub found_by: FoundBy,
}

/// How a file that names servers was come by. Whoever names it on the command line agrees to what it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundBy {
    /// By walking up, or through the `include` of another file.
    Found,
    /// By `--config`.
    Named,
    /// It is the command line itself.
    AdHoc,
}

impl ServerConfig {
    /// The folder of the file that names it; of the command line, the current one.
    pub fn project(&self) -> &Path {
        &self.project
    }

    /// Whether another reading of the config says the same of this server: all but the line it stands in.
    pub fn is_same(&self, other: &Self) -> bool {
        let options = |server: &Self| {
            (
                server.poll_interval,
                server.start_timeout,
                server.request_timeout,
                server.keep_open,
                server.digest_scope.clone(),
            )
        };
        self.id == other.id
            && (&self.origin.file, self.origin.found_by) == (&other.origin.file, other.origin.found_by)
            && (&self.target, &self.shared, &self.written) == (&other.target, &other.shared, &other.written)
            && (options(self), &self.ignore_kinds) == (options(other), &other.ignore_kinds)
    }

    /// Names of the environment variables that the launch refers to, sorted.
    pub fn variables(&self) -> Vec<String> {
        self.written.variables().into_iter().collect()
    }
}

impl fmt::Debug for ServerConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerConfig")
            .field("id", &self.id)
            .field("origin", &self.origin)
            .field("target", &self.target)
            .finish_non_exhaustive()
    }
}
