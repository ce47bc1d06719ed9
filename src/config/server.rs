//! One configured server: how to start it, how to show it, how to look at it.

use super::entry::Written;
use super::expand::Text;
use super::otlp::Collector;
use super::searched::Why;
use super::sign_in::WrittenSignIn;
use super::trust::Trust;
use crate::digest::DigestScope;
use crate::guard::Mode;
use crate::mcp::Target;
use crate::oauth::Given;
use crate::store::redact::Secrets;
use crate::surface::{ClientIdentity, Kind, Launch, Reason, ServerId, Transport, only_runs_others, program_name};
use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The id of the scanner's launch, which no server can have.
pub(super) const SCANNER: &str = "";

/// One configured server. Its `Debug` shows no value that may be a secret.
#[derive(Clone)]
pub struct ServerConfig {
    /// Its id.
    pub id: ServerId,
    /// Who names it first.
    pub origin: Origin,
    /// Who names the same, too.
    pub others: Vec<Origin>,
    /// What its files ask a person for, which it needs.
    pub asked: Vec<Asked>,
    /// Keys of its entries that say off and do not keep their clients from starting it; empty where an entry without one
    /// starts the same.
    pub ignored: Vec<IgnoredKey>,
    /// What else a person should know before it is started, one sentence each. Not escaped.
    pub notes: Vec<String>,
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
    /// Who pinwatch says that it is: itself, with the capabilities that the config has it declare.
    pub client: Arc<ClientIdentity>,
    /// Kinds that are not looked at.
    pub ignore_kinds: BTreeSet<Kind>,
    /// Whether the definition digest covers the server's id, at the first record.
    pub digest_scope: DigestScope,
    /// What its attestation is held to; none where nothing is trusted.
    pub trust: Option<Trust>,
    /// Who is told of it, as a project's file says.
    pub collector: Option<Arc<Collector>>,
    /// What a guard before it does with what is not approved.
    pub guard: Mode,
    /// What passes a guard without an approval, as its config says.
    pub unguarded: Vec<String>,
    /// What is configured of signing in to it.
    pub sign_in: Given,
    /// What its files call it: the id, unless another server of this name has that.
    pub name: String,
    pub(super) project: PathBuf,
    pub(super) written: Written,
    pub(super) written_sign_in: Option<WrittenSignIn>,
}

/// A key that says off, of a client that is not known to go by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IgnoredKey {
    /// The key.
    pub key: &'static str,
    /// The client, by its name for people.
    pub client: &'static str,
    /// The file, as a message names it.
    pub file: PathBuf,
    /// Whether the client is known to start it all the same.
    pub known: bool,
}

impl IgnoredKey {
    /// What a person must know before it is started. Not escaped.
    pub fn sentence(&self) -> String {
        let Self { key, client, file, known } = self;
        let fact = if *known { "starts it all the same" } else { "is not known to go by that key, and may start it" };
        format!("`{key}` in {} says that it is off; {client} {fact}", file.display())
    }
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
    /// The client whose file it is, by its name for people; none for ours and for the command line.
    pub client: Option<&'static str>,
}

impl Origin {
    /// The file and its line, as a message names them. Not escaped.
    pub fn place(&self) -> String {
        match &self.file {
            Some(file) => format!("{}:{}", file.display(), self.line),
            None => "the command line".to_owned(),
        }
    }

    /// The file, its line, whose it is and how it was come by. Not escaped.
    pub fn sentence(&self) -> String {
        let place = self.place();
        let client = self.client.map(|client| format!("{client}, ")).unwrap_or_default();
        let found_by = match self.found_by {
            FoundBy::Found => "found by itself",
            FoundBy::Named => "named with --config",
            FoundBy::AdHoc => "typed",
        };
        format!("{place} ({client}{found_by})")
    }
}

/// A question of a client's file, which a person answers on the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Asked {
    pub file: PathBuf,
    pub id: String,
    /// The question; may be empty. Not escaped.
    pub description: String,
    /// What may be answered; anything where there is none. Not escaped.
    pub choices: Vec<String>,
    /// Whether it was answered in this run.
    pub answered: bool,
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
    /// Whether it is no server, but the scanner that `[findings] command` names.
    pub fn is_scanner(&self) -> bool {
        *self.id == *SCANNER
    }

    /// What its program is called; where that only runs another, its first argument that is no option.
    pub fn program(&self) -> &str {
        let Target::Stdio { command, args, .. } = &self.target else { return "" };
        let named = args.iter().find(|arg| !arg.starts_with('-')).filter(|_| only_runs_others(command));
        program_name(named.unwrap_or(command))
    }

    /// The folder of the file that names it; of the command line, the current one.
    pub fn project(&self) -> &Path {
        &self.project
    }

    /// Every place that names it, the first one first.
    pub fn origins(&self) -> impl Iterator<Item = &Origin> {
        std::iter::once(&self.origin).chain(&self.others)
    }

    /// Whether two entries start or open the same. Where neither says in which folder, that is no difference.
    pub(super) fn starts_as(&self, other: &Self) -> bool {
        let anywhere = |server: &Self| matches!(&server.written, Written::Stdio { cwd: None, .. });
        match (&self.target, &other.target) {
            (
                Target::Stdio { command, args, cwd, env },
                Target::Stdio { command: command2, args: args2, cwd: cwd2, env: env2 },
            ) => (command, args, env) == (command2, args2, env2) && (cwd == cwd2 || anywhere(self) && anywhere(other)),
            (Target::Unusable(_), Target::Unusable(_)) => self.written == other.written,
            (one, other) => one == other,
        }
    }

    /// The same server under another id.
    pub(super) fn called(self, id: &str) -> Self {
        let digest_scope = match self.digest_scope {
            DigestScope::Server(_) => DigestScope::Server(id.to_owned()),
            scope @ DigestScope::None => scope,
        };
        Self { id: id.into(), digest_scope, ..self }
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
                Arc::clone(&server.client),
            )
        };
        let origins = |server: &Self| -> Vec<_> {
            server.origins().map(|origin| (origin.file.clone(), origin.found_by, origin.client)).collect()
        };
        let told = |server: &Self| server.collector.as_ref().map(|collector| collector.parts().to_vec());
        self.id == other.id
            && origins(self) == origins(other)
            && self.asked == other.asked
            && (&self.ignored, &self.notes) == (&other.ignored, &other.notes)
            && (&self.target, &self.shared, &self.written) == (&other.target, &other.shared, &other.written)
            && (options(self), &self.ignore_kinds, &self.trust) == (options(other), &other.ignore_kinds, &other.trust)
            && told(self) == told(other)
            && (self.guard, &self.unguarded) == (other.guard, &other.unguarded)
            && (&self.sign_in, &self.written_sign_in) == (&other.sign_in, &other.written_sign_in)
    }

    /// The same, not to be watched.
    pub(super) fn unwatched(self, why: &Why) -> Self {
        Self { target: Target::Unwatched(Reason::new(why.code(), why.to_string())), asked: Vec::new(), ..self }
    }

    /// A server that has a baseline and stands in no file any more.
    pub fn not_configured(id: &str, project: &Path) -> Self {
        Self {
            id: id.into(),
            origin: Origin { file: None, line: 0, found_by: FoundBy::Found, client: None },
            others: Vec::new(),
            asked: Vec::new(),
            ignored: Vec::new(),
            notes: Vec::new(),
            target: Target::Unwatched(Reason::new(Why::NotConfigured.code(), Why::NotConfigured.to_string())),
            shared: Launch { transport: Transport::Http { url: String::new(), headers: Vec::new() } },
            secrets: Secrets::default(),
            poll_interval: Duration::ZERO,
            start_timeout: Duration::ZERO,
            request_timeout: Duration::ZERO,
            keep_open: false,
            client: ClientIdentity::own(),
            ignore_kinds: BTreeSet::new(),
            digest_scope: DigestScope::None,
            trust: None,
            collector: None,
            guard: Mode::default(),
            unguarded: Vec::new(),
            sign_in: Given::default(),
            name: id.to_owned(),
            project: project.to_owned(),
            written: Written::nothing(),
            written_sign_in: None,
        }
    }

    /// Why it is not watched; none where it is.
    pub fn unwatched_reason(&self) -> Option<&Reason> {
        match &self.target {
            Target::Unwatched(reason) => Some(reason),
            Target::Stdio { .. } | Target::Http { .. } | Target::Unusable(_) => None,
        }
    }

    /// Names of the environment variables that the launch refers to, sorted.
    pub fn variables(&self) -> Vec<String> {
        let of_sign_in = self.written_sign_in.iter().flat_map(WrittenSignIn::texts).flat_map(Text::variables);
        let names: BTreeSet<_> = self.written.variables().into_iter().chain(of_sign_in).collect();
        names.into_iter().collect()
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
