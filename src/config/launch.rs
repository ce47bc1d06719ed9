//! From a launch as written to one that can be started, and to one that can be shown.

use super::entry::{Entry, NoLaunch, Written, WrittenTransport};
use super::error::Problem;
use super::expand::{self, Dialect, Lookup};
use super::fields::{Fields, LaunchFault};
use super::find;
use super::{FoundBy, Origin, ServerConfig};
use crate::digest::DigestScope;
use crate::mcp::Target;
use crate::store::redact::{Secrets, mask_args, mask_url};
use crate::surface::{Launch, Reason, Transport};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

/// Commands that may install what they run first.
const INSTALLERS: [&str; 7] = ["npx", "uvx", "docker", "pnpm", "bunx", "podman", "yarn"];
const START_TIMEOUT: Duration = Duration::from_secs(30);
const INSTALL_TIMEOUT: Duration = Duration::from_mins(3);
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// What a launch is seen from.
pub(super) struct Context<'a> {
    /// The file that names it; none for the command line.
    pub(super) file: Option<&'a Path>,
    /// The default working folder.
    pub(super) folder: &'a Path,
    pub(super) root: &'a Path,
    pub(super) found_by: FoundBy,
    pub(super) environment: Lookup<'a>,
    pub(super) interval: Duration,
    /// `--timeout`.
    pub(super) timeout: Option<Duration>,
    pub(super) scoped_digests: bool,
}

/// The server of an entry that is not switched off.
pub(super) fn server(entry: Entry, context: &Context<'_>) -> Result<ServerConfig, LaunchFault> {
    let written = match &entry.written {
        Ok(written) => written,
        Err(NoLaunch::Wrong(text)) => return Err(LaunchFault::new("", text)),
        Err(NoLaunch::Disabled) => return Err(LaunchFault::new("disabled", "it is switched off")),
    };
    let fields = Fields { dialect: written.dialect, environment: context.environment };
    let target = match &written.transport {
        WrittenTransport::Stdio { command, args, cwd, env } => {
            fields.stdio(command, args, cwd.as_deref(), env, context.folder)?
        }
        WrittenTransport::Http { url, headers } => fields.http(url, headers, entry.settings.allow_plain)?,
    };
    Ok(aimed(entry, target, context))
}

/// The server of an entry that cannot be used: it is there, and says why it is not watched.
pub(super) fn unusable(entry: Entry, context: &Context<'_>, problem: &Problem) -> ServerConfig {
    aimed(entry, Target::Unusable(Reason::new("not-usable", problem.to_string())), context)
}

fn aimed(entry: Entry, target: Target, context: &Context<'_>) -> ServerConfig {
    let Entry { id, line, settings, written, .. } = entry;
    let written = written.unwrap_or_else(|_| Written::nothing());
    let start_timeout = context.timeout.or(settings.start_timeout);
    ServerConfig {
        shared: shared(&written, &target, context.root),
        secrets: secrets(&written, &target, context.environment),
        poll_interval: settings.poll_interval.unwrap_or(context.interval),
        start_timeout: start_timeout.unwrap_or_else(|| default_start_timeout(&target)),
        request_timeout: context.timeout.or(settings.request_timeout).unwrap_or(REQUEST_TIMEOUT),
        keep_open: !settings.close_between_polls,
        ignore_kinds: settings.ignore_kinds,
        digest_scope: if context.scoped_digests { DigestScope::Server(id.clone()) } else { DigestScope::None },
        origin: Origin { file: context.file.map(Path::to_owned), line, found_by: context.found_by },
        id: id.into(),
        project: context.folder.to_owned(),
        target,
        written,
    }
}

fn default_start_timeout(target: &Target) -> Duration {
    match target {
        Target::Stdio { command, .. } if INSTALLERS.contains(&base_name(command)) => INSTALL_TIMEOUT,
        Target::Stdio { .. } | Target::Http { .. } | Target::Unusable(_) => START_TIMEOUT,
    }
}

/// `npx` of `/usr/bin/npx` and of `npx.cmd`.
fn base_name(command: &str) -> &str {
    Path::new(command).file_stem().and_then(|name| name.to_str()).unwrap_or_default()
}

/// The launch as a baseline may share it: as written, masked, no absolute path of this machine.
fn shared(written: &Written, target: &Target, root: &Path) -> Launch {
    let transport = match &written.transport {
        WrittenTransport::Stdio { command, args, cwd, env } => {
            let folder = match target {
                Target::Stdio { cwd, .. } => find::inside(root, cwd),
                Target::Http { .. } | Target::Unusable(_) => None,
            };
            let outside = || cwd.clone().unwrap_or_else(|| OUTSIDE.to_owned());
            Transport::Stdio {
                command: command.clone(),
                args: mask_args(args),
                cwd: folder.unwrap_or_else(outside),
                env: env.keys().cloned().collect(),
            }
        }
        WrittenTransport::Http { url, headers } => {
            let names: BTreeSet<_> = headers.keys().map(|name| name.to_ascii_lowercase()).collect();
            Transport::Http { url: mask_url(url), headers: names.into_iter().collect() }
        }
    };
    Launch { transport }
}

/// A working folder that nobody wrote down and that the root does not hold.
const OUTSIDE: &str = "(outside the root)";

/// What the redactor must know: the values that are passed, and the variables that the text takes them from.
fn secrets(written: &Written, target: &Target, environment: Lookup<'_>) -> Secrets {
    let mut secrets = Secrets::default();
    for name in written.variables() {
        if let Some(value) = environment(&name) {
            secrets.variable(&name, &value);
        }
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
        Target::Unusable(_) => {}
    }
    secrets
}

impl Written {
    /// What stands for a launch that could not be read.
    fn nothing() -> Self {
        let url = String::new();
        Self { dialect: Dialect::Ours, transport: WrittenTransport::Http { url, headers: BTreeMap::new() } }
    }

    /// The names of the variables that the launch refers to.
    pub(super) fn variables(&self) -> BTreeSet<String> {
        let texts: Vec<&String> = match &self.transport {
            WrittenTransport::Stdio { command, args, cwd, env } => {
                std::iter::once(command).chain(args).chain(cwd).chain(env.values()).collect()
            }
            WrittenTransport::Http { url, headers } => std::iter::once(url).chain(headers.values()).collect(),
        };
        texts.into_iter().flat_map(|text| expand::variables(text, self.dialect)).collect()
    }
}
