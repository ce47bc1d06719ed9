//! From a launch as written to one that can be started, and to one that can be shown.

use super::clients::{Client, Input, McpJsonLists};
use super::entry::{Entry, NoLaunch, Pairs, Settings, Written};
use super::error::Problem;
use super::expand::{Surroundings, Text};
use super::fields::{Fields, LaunchFault};
use super::guarded::behind_guard;
use super::otlp::Collector;
use super::request::Request;
use super::server::SCANNER;
use super::sign_in::WrittenSignIn;
use super::trust::Trust;
use super::{Asked, find};
use super::{FoundBy, Origin, ServerConfig};
use crate::digest::DigestScope;
use crate::guard::Mode;
use crate::mcp::Target;
use crate::oauth::Given;
use crate::store::redact::{Secrets, mask_args, mask_url};
use crate::surface::{ClientIdentity, Launch, Reason, Transport};
use crate::text::visible;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Commands that may install what they run first.
const INSTALLERS: [&str; 7] = ["npx", "uvx", "docker", "pnpm", "bunx", "podman", "yarn"];
const START_TIMEOUT: Duration = Duration::from_secs(30);
const INSTALL_TIMEOUT: Duration = Duration::from_mins(3);
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// A file that names servers, as its entries see it; the command line is none.
pub(super) struct NamingFile<'a> {
    pub(super) file: Option<&'a Path>,
    /// The default working folder.
    pub(super) folder: &'a Path,
    pub(super) found_by: FoundBy,
    pub(super) client: Option<&'static Client>,
    /// What the file asks for.
    pub(super) inputs: &'a [Input],
    /// What the client's settings say of the entries of this file.
    pub(super) lists: Option<&'a McpJsonLists>,
}

impl<'a> NamingFile<'a> {
    /// One of no client.
    pub(super) fn new(file: Option<&'a Path>, folder: &'a Path, found_by: FoundBy) -> Self {
        Self { file, folder, found_by, client: None, inputs: &[], lists: None }
    }
}

/// What agreeing to any launch agrees to, too.
#[derive(Clone, Copy)]
pub(super) struct Bound<'a> {
    /// What attestations are held to.
    pub(super) trust: Option<&'a Trust>,
    /// Who is told of servers.
    pub(super) collector: Option<&'a Arc<Collector>>,
}

/// What a launch is seen from.
pub(super) struct Vantage<'a> {
    pub(super) source: &'a NamingFile<'a>,
    pub(super) request: &'a Request<'a>,
    pub(super) root: &'a Path,
    pub(super) interval: Duration,
    pub(super) scoped_digests: bool,
    pub(super) bound: Bound<'a>,
}

impl Vantage<'_> {
    fn answers(&self) -> BTreeMap<String, String> {
        self.source.file.and_then(|file| self.request.answers.of(file)).cloned().unwrap_or_default()
    }
}

/// The server of an entry that is not switched off.
pub(super) fn server(entry: Entry, context: &Vantage<'_>) -> Result<ServerConfig, LaunchFault> {
    let (entry, is_guarded) = behind_guard(entry);
    let written = match &entry.written {
        Ok(written) => written,
        Err(NoLaunch::Wrong(text)) => return Err(LaunchFault::new("", text)),
        Err(NoLaunch::Inside) => return Err(LaunchFault::new("", "its client runs it inside itself")),
    };
    let (answers, nothing) = (context.answers(), Pairs::new());
    let own = match written {
        Written::Stdio { env, .. } => env,
        Written::Http { .. } => &nothing,
    };
    let around = Surroundings {
        environment: context.request.environment,
        workspace: context.request.cwd,
        answers: &answers,
        own,
    };
    let target = Fields { around, folder: context.source.folder }.target(written, entry.settings.allow_plain)?;
    let given = entry.settings.sign_in.as_ref().map(|sign_in| sign_in.expand(&around)).transpose();
    let given = given.map_err(|(field, unexpanded)| LaunchFault::unexpanded(field, unexpanded))?;
    let mut server = aimed(entry, target, given.unwrap_or_default(), context);
    if is_guarded {
        server.notes.push("its client starts it behind `pinwatch guard`".to_owned());
    }
    Ok(server)
}

/// The server of an entry that cannot be used: it is there, and says why it is not watched.
pub(super) fn unusable(entry: Entry, context: &Vantage<'_>, problem: &Problem, fault: &LaunchFault) -> ServerConfig {
    let reason = match &fault.input {
        Some(id) => Reason::new(NEEDS_INPUT, needs(id, context, problem)),
        None => Reason::new("not-usable", problem.to_string()),
    };
    aimed(entry, Target::Unusable(reason), Given::default(), context)
}

/// The reason's code of a server that waits for what a person must type.
pub(super) const NEEDS_INPUT: &str = "needs-input";

fn needs(id: &str, context: &Vantage<'_>, problem: &Problem) -> String {
    let input = context.source.inputs.iter().find(|input| input.id == id);
    let what = input.map(|input| input.description.as_str()).filter(|text| !text.is_empty());
    let what = what.map(|text| format!(" ({})", visible(text))).unwrap_or_default();
    let how = match input {
        None => "its file does not say what that is",
        Some(input) if input.by_command => "its client has a command answer it, which is not run here",
        Some(_) => "pinwatch asks for it on the screen, and keeps it in memory only",
    };
    format!("{}: needs input `{}`{what}: {how}", problem.place, visible(id))
}

/// The questions that a launch refers to, answered or not.
fn asked(written: &Written, context: &Vantage<'_>) -> Vec<Asked> {
    let Some(file) = context.source.file else { return Vec::new() };
    let answers = context.answers();
    let ids: BTreeSet<_> = written.texts().into_iter().flat_map(Text::inputs).collect();
    let known = ids.iter().filter_map(|id| context.source.inputs.iter().find(|input| input.id == *id));
    let asked = known.filter(|input| !input.by_command).map(|input| Asked {
        file: file.to_owned(),
        id: input.id.clone(),
        description: input.description.clone(),
        choices: input.choices.clone(),
        answered: answers.contains_key(&input.id),
    });
    asked.collect()
}

fn aimed(entry: Entry, target: Target, sign_in: Given, context: &Vantage<'_>) -> ServerConfig {
    let Entry { id, line, settings, written, .. } = entry;
    let written = written.unwrap_or_else(|_| Written::nothing());
    let start_timeout = context.request.timeout.or(settings.start_timeout);
    let unguarded = unguarded(&settings);
    let mut trust = context.bound.trust.cloned();
    if let (Some(trust), Some(level)) = (&mut trust, settings.clearance) {
        trust.held_to.required = Some(level);
    }
    // The scanner is no server, and nobody is told of it.
    let collector = context.bound.collector.filter(|_| id != SCANNER).cloned();
    let notes = trust.iter().map(Trust::sentence).chain(settings.sign_in.iter().map(WrittenSignIn::sentence));
    let notes = notes.chain(collector.iter().map(|collector| collector.sentence())).collect();
    let mut secrets = secrets(&written, &target, context);
    if let Some(secret) = &sign_in.client_secret {
        secrets.value("client-secret", &secret.0);
    }
    ServerConfig {
        notes,
        sign_in,
        written_sign_in: settings.sign_in,
        trust,
        collector,
        shared: shared(&written, &target, context.root),
        secrets,
        asked: asked(&written, context),
        ignored: Vec::new(),
        poll_interval: settings.poll_interval.unwrap_or(context.interval),
        start_timeout: start_timeout.unwrap_or_else(|| default_start_timeout(&target)),
        request_timeout: context.request.timeout.or(settings.request_timeout).unwrap_or(REQUEST_TIMEOUT),
        keep_open: !settings.close_between_polls,
        guard: settings.guard,
        unguarded,
        client: ClientIdentity::declaring(&settings.declare),
        ignore_kinds: settings.ignore_kinds,
        digest_scope: if context.scoped_digests { DigestScope::Server(id.clone()) } else { DigestScope::None },
        origin: Origin::of(context.source, line),
        others: Vec::new(),
        name: id.clone(),
        id: id.into(),
        project: context.source.folder.to_owned(),
        target,
        written,
    }
}

/// What passes a guard without an approval, as a person is told it.
fn unguarded(settings: &Settings) -> Vec<String> {
    let mode = (settings.guard == Mode::Warn).then(|| "everything, with a warning".to_owned());
    let kinds = settings.ignore_kinds.iter().map(|kind| format!("every {kind}"));
    mode.into_iter().chain(kinds).chain(settings.ignore.iter().cloned()).collect()
}

fn default_start_timeout(target: &Target) -> Duration {
    match target {
        Target::Stdio { command, .. } if INSTALLERS.contains(&base_name(command)) => INSTALL_TIMEOUT,
        Target::Stdio { .. } | Target::Http { .. } | Target::Unusable(_) | Target::Unwatched(_) => START_TIMEOUT,
    }
}

/// `npx` of `/usr/bin/npx` and of `npx.cmd`.
fn base_name(command: &str) -> &str {
    Path::new(command).file_stem().and_then(|name| name.to_str()).unwrap_or_default()
}

/// The launch as a baseline may share it: as written, masked, no absolute path of this machine.
fn shared(written: &Written, target: &Target, root: &Path) -> Launch {
    let transport = match written {
        Written::Stdio { command, args, cwd, env, .. } => {
            let folder = match target {
                Target::Stdio { cwd, .. } => find::inside(root, cwd),
                Target::Http { .. } | Target::Unusable(_) | Target::Unwatched(_) => None,
            };
            let outside = || cwd.as_ref().map_or_else(|| OUTSIDE.to_owned(), |cwd| cwd.shown.clone());
            let args: Vec<_> = args.iter().map(|arg| &arg.shown).collect();
            // Those of a file are known once it is read.
            let mut names: BTreeSet<_> = env.keys().cloned().collect();
            if let Target::Stdio { env, .. } = target {
                names.extend(env.keys().cloned());
            }
            Transport::Stdio {
                command: command.shown.clone(),
                args: mask_args(&args),
                cwd: folder.unwrap_or_else(outside),
                env: names.into_iter().collect(),
            }
        }
        Written::Http { url, headers } => {
            let names: BTreeSet<_> = headers.keys().map(|name| name.to_ascii_lowercase()).collect();
            Transport::Http { url: mask_url(&url.shown), headers: names.into_iter().collect() }
        }
    };
    Launch { transport }
}

/// A working folder that nobody wrote down and that the root does not hold.
const OUTSIDE: &str = "(outside the root)";

/// What the redactor must know: the values that are passed, and the variables that the text takes them from.
fn secrets(written: &Written, target: &Target, context: &Vantage<'_>) -> Secrets {
    let mut secrets = Secrets::default();
    for name in written.variables() {
        if let Some(value) = (context.request.environment)(&name) {
            secrets.variable(&name, &value);
        }
    }
    // What a person is asked for is asked for because it is no one else's to know.
    for (id, answer) in context.answers() {
        secrets.header(&id, &answer);
    }
    match target {
        Target::Stdio { args, env, .. } => {
            secrets.args(args);
            for (name, value) in env {
                secrets.variable(name, value);
            }
        }
        Target::Http { url, headers, .. } => {
            secrets.url(url);
            for (name, value) in headers {
                secrets.header(name, value);
            }
        }
        Target::Unusable(_) | Target::Unwatched(_) => {}
    }
    secrets
}
