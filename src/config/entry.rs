//! A server as a file or the command line writes it, before anything is expanded; the same for every format.

use super::expand::{Dialect, Text};
use super::sign_in::WrittenSignIn;
use crate::guard::Mode;
use crate::surface::Kind;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// One server of a file. No `Debug`: what is written may be a secret.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) id: String,
    /// Line of the file, from 1; 0 on the command line.
    pub(super) line: usize,
    /// Lines of the fields that have one of their own: `command`, `args[0]`, `env.KEY`, …
    pub(super) lines: BTreeMap<String, usize>,
    pub(super) written: Result<Written, NoLaunch>,
    /// The keys by which it says that it is off. Whether that counts is its client's to say.
    pub(super) off: Vec<OffKey>,
    pub(super) settings: Settings,
}

/// A key by which an entry says that it is off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OffKey {
    pub(super) name: &'static str,
    /// Whether its value is the plain `true` or `false` that says so; of anything else no client is known to make it out.
    pub(super) plain: bool,
}

/// Why an entry has no launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NoLaunch {
    /// The client runs it inside itself: there is nothing to start.
    Inside,
    /// It is wrong, in this way.
    Wrong(String),
}

#[derive(Clone, PartialEq, Eq)]
pub(super) enum Written {
    Stdio { command: Text, args: Vec<Text>, cwd: Option<Text>, env: Pairs, env_file: Option<Text> },
    Http { url: Text, headers: Pairs },
}

pub(super) type Pairs = BTreeMap<String, Text>;

impl Written {
    /// What stands for a launch that could not be read.
    pub(super) fn nothing() -> Self {
        Self::Http { url: Text::new("", Dialect::Literal), headers: Pairs::new() }
    }

    pub(super) fn texts(&self) -> Vec<&Text> {
        match self {
            Self::Stdio { command, args, cwd, env, env_file } => {
                std::iter::once(command).chain(args).chain(cwd).chain(env.values()).chain(env_file).collect()
            }
            Self::Http { url, headers } => std::iter::once(url).chain(headers.values()).collect(),
        }
    }

    /// The names of the environment variables that the launch refers to.
    pub(super) fn variables(&self) -> BTreeSet<String> {
        self.texts().into_iter().flat_map(Text::variables).collect()
    }

    /// What the file says under a variable's or a header's name.
    pub(super) fn pair(&self, name: &str) -> &str {
        let (Self::Stdio { env: pairs, .. } | Self::Http { headers: pairs, .. }) = self;
        pairs.get(name).map(|text| text.shown.as_str()).unwrap_or_default()
    }
}

/// What our own file can say of a server beside its launch.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Settings {
    pub(super) start_timeout: Option<Duration>,
    pub(super) request_timeout: Option<Duration>,
    pub(super) poll_interval: Option<Duration>,
    pub(super) close_between_polls: bool,
    pub(super) ignore_kinds: BTreeSet<Kind>,
    /// The client capabilities that pinwatch declares to it.
    pub(super) declare: Vec<&'static str>,
    pub(super) allow_plain: bool,
    /// The level that its attestation needs, where it is not that of all servers.
    pub(super) clearance: Option<String>,
    /// What a guard before it does with what is not approved.
    pub(super) guard: Mode,
    /// The items that it names as not to be compared.
    pub(super) ignore: Vec<String>,
    /// How one signs in to it.
    pub(super) sign_in: Option<WrittenSignIn>,
}
