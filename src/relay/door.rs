//! Whether the guard may be open now, and by which approvals: what a person decided on this machine, read anew whenever a
//! file of it changed. What comes from outside can close it, and opens nothing.

use super::Wanted;
use super::running::Running;
use crate::config::{AdHoc, AdHocLaunch, ServerConfig};
use crate::decisions::{Desk, SignIns};
use crate::digest::{DigestScope, Item};
use crate::guard::{Approvals, Bounds, Refusal, Verdict};
use crate::mcp::{Limits, Target};
use crate::monitor::{Stamp, stamp};
use crate::pin::Anchor;
use crate::project::Project;
use crate::store::Store;
use crate::surface::{ItemId, Kind, RawItem};
use notify::RecursiveMode;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Opens the project, with a server of the command line where there is one; else why not. Blocks on the disk.
pub type Opener = Box<dyn Fn(Option<&AdHoc>) -> Result<Project, String> + Send + Sync>;

/// Requests of a client that may wait for an answer.
const PENDING: usize = 4_096;

/// How the server behind a guard is reached.
pub enum Launch {
    /// It is started by this command line.
    Command(Vec<String>),
    /// By the URL that the config has for it.
    Url,
}

/// Where a guard stands: before which server, reached how.
pub struct Door {
    /// Id of the server.
    pub id: String,
    /// How the server is reached.
    pub launch: Launch,
    /// Opens its project.
    pub opener: Opener,
    /// The evidence that is written of its calls.
    pub evidence: Wanted,
    /// Where it says how it stands.
    pub running: Running,
}

impl fmt::Debug for Door {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Arguments may be secrets.
        f.debug_struct("Door").field("id", &self.id).finish_non_exhaustive()
    }
}

/// What an open guard goes by.
#[derive(Clone, Debug)]
pub(super) struct Open {
    pub approvals: Arc<Approvals>,
    /// Time for which a list counts.
    pub interval: Duration,
    /// Time for one answer.
    pub patience: Duration,
    pub limits: Limits,
    /// Who decides, where, under which policy.
    pub desk: Desk,
    /// The key that statements are signed with.
    pub signing_key: Option<PathBuf>,
    /// The server as it is configured.
    pub server: ServerConfig,
    /// Who is signed in to it.
    pub sign_ins: SignIns,
}

impl Open {
    /// A text without the secrets that the server was given.
    pub fn masked(&self, text: &str) -> String {
        self.desk.store.redactor().mask_log(text)
    }

    /// What a session behind it may cost.
    pub fn bounds(&self) -> Bounds {
        Bounds {
            interval: self.interval,
            patience: self.patience,
            depth: self.limits.depth,
            pages: self.limits.pages,
            items: self.limits.items,
            list_bytes: self.limits.list_bytes,
            pending: PENDING,
        }
    }
}

/// How the door stands, and by which files.
#[derive(Debug)]
pub(super) struct State {
    pub open: Result<Open, Arc<str>>,
    pub files: Files,
}

impl State {
    /// Reading it came to no end.
    pub fn unreadable() -> Self {
        Self { open: Err("reading what is approved failed; please report this".into()), files: Files::default() }
    }

    /// The approvals, or why it is closed.
    pub fn approvals(&self) -> Result<Arc<Approvals>, Arc<str>> {
        self.open.as_ref().map(|open| Arc::clone(&open.approvals)).map_err(Arc::clone)
    }
}

/// The files that say how the door stands, each as it was when it was read.
#[derive(Clone, Debug, Default)]
pub(super) struct Files(BTreeMap<PathBuf, Stamp>);

impl Files {
    fn of(project: &Project, id: &str) -> Self {
        let store = &project.desk.store;
        let places = store.places();
        let config = &project.config;
        let mut files: Vec<PathBuf> = config.searched.iter().map(|searched| searched.file.clone()).collect();
        files.extend(config.rule_files.iter().cloned());
        files.push(places.config.join("config.toml"));
        files.extend([store.log().path(), store.log().path_before()]);
        files.extend([places.state.join("consents"), places.state.join("machine.key")]);
        files.extend(store.path_of(id));
        Self(files.into_iter().map(|file| (file.clone(), stamp(&file))).collect())
    }

    /// Whether one of them is another now.
    pub fn moved(&self) -> bool {
        self.0.iter().any(|(file, known)| stamp(file) != *known)
    }

    /// Whether none is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The folders to follow.
    pub fn folders(&self) -> BTreeMap<PathBuf, RecursiveMode> {
        let parents = self.0.keys().filter_map(|file| file.parent());
        parents.map(|folder| (folder.to_owned(), RecursiveMode::NonRecursive)).collect()
    }
}

impl Door {
    /// The command line that starts the server; empty of one with a URL.
    pub(super) fn argv(&self) -> &[String] {
        match &self.launch {
            Launch::Command(argv) => argv,
            Launch::Url => &[],
        }
    }

    /// How it stands now. Blocks on the disk.
    pub(super) fn state(&self) -> State {
        let files = match (self.opener)(None) {
            Ok(project) => {
                self.running.learn(&project.redactor);
                Files::of(&project, &self.id)
            }
            Err(why) => return State { open: Err(why.into()), files: Files::default() },
        };
        // Read after the stamps were taken: what is written meanwhile is noticed as a change.
        State { open: self.open().map_err(Into::into), files }
    }

    fn open(&self) -> Result<Open, String> {
        let project = (self.opener)(None)?;
        let known = project.config.servers.iter().find(|server| *server.id == *self.id).cloned();
        let id = &self.id;
        let (project, server) = match (&self.launch, known) {
            (Launch::Url, Some(server)) => match &server.target {
                Target::Http { .. } => (project, server),
                Target::Unusable(reason) | Target::Unwatched(reason) => return Err(reason.text.clone()),
                Target::Stdio { .. } => {
                    return Err(format!(
                        "`{id}` is started by a command: a guard that listens is for servers with a URL"
                    ));
                }
            },
            (Launch::Url, None) => {
                return Err(format!("no server `{id}` with a URL is configured: add it to pinwatch.toml"));
            }
            (Launch::Command(argv), Some(server)) if starts(argv, &server) => (project, server),
            (Launch::Command(_), Some(_)) => {
                return Err(format!("the command of this guard is not the one that `{id}` has in pinwatch's config"));
            }
            (Launch::Command(argv), None) => {
                let launch = AdHocLaunch::Command(argv.clone());
                let project = (self.opener)(Some(&AdHoc { name: self.id.clone(), launch }))?;
                let server = project.config.servers.first().cloned().ok_or("the command line names no server")?;
                // Its launch is approved in the log; what such files hold is agreed to only where a config names them.
                if project.gate.binds_files(&server).map_err(|error| error.to_string())? {
                    return Err(format!(
                        "its command names files of the project, and no config names `{id}`: add it to pinwatch.toml, and \
                         agree to it in `pinwatch watch`"
                    ));
                }
                (project, server)
            }
        };
        self.opened(&project, &server)
    }

    fn opened(&self, project: &Project, server: &ServerConfig) -> Result<Open, String> {
        let (id, store) = (&self.id, &project.desk.store);
        let root = store.root().path().display();
        let baseline = store.load(id).map_err(|error| error.to_string())?;
        let baseline = baseline
            .ok_or_else(|| format!("`{id}` has no baseline in {root}: record one with `pinwatch record {id}`"))?;
        holds(store)?;
        let here = store.decided_here(&baseline).map_err(|error| error.to_string())?;
        // What the command line of a guard says is written by whoever writes the client's file: only what was kept counts.
        if let Some(asked) = project.gate.for_later().ask(server).map_err(|reason| reason.text)? {
            let why = match asked.request.changed.as_slice() {
                [] => "nobody agreed to start it on this machine".to_owned(),
                changed => format!("it changed since you agreed to start it: {}", changed.join("; ")),
            };
            return Err(format!("{why}; agree to it in `pinwatch watch`"));
        }
        if server.trust.as_ref().is_some_and(|trust| trust.held_to.required.is_some())
            || baseline.anchor != Anchor::default()
        {
            return Err("its pins are tied to who the server is, which a guard does not check".to_owned());
        }
        let rules = &project.config.policy.rules;
        let approvals = Approvals::of(&server.id, &baseline, &here, rules, &server.ignore_kinds, server.guard);
        let launch = RawItem { kind: Kind::Launch, bytes: server.shared.to_json().into() };
        let launch = Item::read(&launch, &DigestScope::None, project.limits.depth);
        match launch.map(|item| approvals.verdict(&item)) {
            Ok(verdict) if verdict.passes() => {}
            Ok(verdict) => return Err(of_launch(verdict)),
            Err(error) => return Err(error.to_string()),
        }
        Ok(Open {
            approvals: Arc::new(approvals),
            interval: server.poll_interval,
            patience: server.request_timeout,
            limits: project.limits.clone(),
            desk: project.desk.clone(),
            signing_key: project.config.evidence.signing_key.clone(),
            server: server.clone(),
            sign_ins: project.sign_ins.clone(),
        })
    }
}

/// Whether a command line is the one of a server.
fn starts(argv: &[String], server: &ServerConfig) -> bool {
    let [own, own_args @ ..] = argv else { return false };
    match &server.target {
        Target::Stdio { command, args, cwd, .. } => {
            args == own_args && (command == own || *command == cwd.join(own).to_string_lossy())
        }
        Target::Http { .. } | Target::Unusable(_) | Target::Unwatched(_) => false,
    }
}

/// Whether the log holds by which it is known what was decided here.
fn holds(store: &Store) -> Result<(), String> {
    let verified = store.log().verify().map_err(|error| error.to_string())?;
    match verified.broken {
        None => Ok(()),
        Some((record, fault)) => {
            Err(format!("the log of decisions does not hold, record {record}: {fault}; see `pinwatch audit verify`"))
        }
    }
}

/// Why a launch may not be started.
fn of_launch(verdict: Verdict) -> String {
    Refusal::Item(ItemId::new(Kind::Launch, "the launch"), verdict).sentence().replace('`', "")
}
