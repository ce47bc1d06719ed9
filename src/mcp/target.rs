//! What to connect to and how, with every value expanded. Its `Debug` shows names only: values may be secrets.

use crate::surface::{ClientIdentity, Era, Kind, Reason};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// A launch with its values expanded, ready to be used.
#[derive(Clone, PartialEq, Eq)]
pub enum Target {
    /// A process that speaks over its standard streams.
    Stdio {
        /// The program: a name looked up in `PATH`, or a path.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Its working folder.
        cwd: PathBuf,
        /// What the config sets beside the minimal base environment.
        env: BTreeMap<String, String>,
    },
    /// A streamable HTTP endpoint.
    Http {
        /// Its URL, `http` or `https`.
        url: String,
        /// Headers sent with every request.
        headers: Vec<(String, String)>,
        /// Whether credentials may go over plain HTTP to another machine.
        allow_plain: bool,
    },
    /// What is configured cannot be used, and why: nothing is started or opened.
    Unusable(Reason),
    /// It is not watched, and why: it is switched off, another entry has its name, no file names it any more.
    Unwatched(Reason),
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // Arguments and URLs can carry secrets too.
            Self::Stdio { command, args, cwd, env } => f
                .debug_struct("Stdio")
                .field("command", command)
                .field("args", &args.len())
                .field("cwd", cwd)
                .field("env", &env.keys().collect::<Vec<_>>())
                .finish(),
            Self::Http { headers, allow_plain, .. } => f
                .debug_struct("Http")
                .field("headers", &headers.iter().map(|(name, _)| name).collect::<Vec<_>>())
                .field("allow_plain", allow_plain)
                .finish_non_exhaustive(),
            Self::Unusable(reason) => f.debug_tuple("Unusable").field(reason).finish(),
            Self::Unwatched(reason) => f.debug_tuple("Unwatched").field(reason).finish(),
        }
    }
}

/// How to look at one server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Time from the start to the end of the handshake.
    pub start_timeout: Duration,
    /// Time for one answer.
    pub request_timeout: Duration,
    /// Kinds that are not looked at.
    pub ignore: BTreeSet<Kind>,
    /// The era that the baseline saw; it is tried first.
    pub known_era: Option<Era>,
    /// The revision that the server was last seen to speak; asked for where newer ones are refused.
    pub known_revision: Option<String>,
    /// Pause between the handshake and the first list.
    pub settle: Duration,
    /// Whether to ask to be told of changed lists.
    pub listen: bool,
    /// How often it is asked who the server is.
    pub identify: Identify,
    /// Who says to ask.
    pub client: Arc<ClientIdentity>,
}

/// How often a server's documents are asked for that say who it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Identify {
    /// Never.
    Never,
    /// At the first look of a session.
    #[default]
    Once,
    /// At the first, and of these documents again where a look shows something else, and from time to time.
    Again {
        /// The attestation.
        attestation: bool,
        /// The principal.
        principal: bool,
    },
}

impl Default for Options {
    fn default() -> Self {
        Self {
            start_timeout: Duration::from_secs(30),
            request_timeout: Duration::from_secs(30),
            ignore: BTreeSet::new(),
            known_era: None,
            known_revision: None,
            settle: Duration::ZERO,
            listen: false,
            identify: Identify::default(),
            client: ClientIdentity::own(),
        }
    }
}
