//! A server as a file or the command line writes it, before anything is expanded; the same for every format.

use super::expand::Dialect;
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
    pub(super) settings: Settings,
}

/// Why an entry has no launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NoLaunch {
    /// It is switched off.
    Disabled,
    /// It is wrong, in this way.
    Wrong(String),
}

/// A launch as written.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) dialect: Dialect,
    pub(super) transport: WrittenTransport,
}

#[derive(Clone, PartialEq, Eq)]
pub(super) enum WrittenTransport {
    Stdio { command: String, args: Vec<String>, cwd: Option<String>, env: BTreeMap<String, String> },
    Http { url: String, headers: BTreeMap<String, String> },
}

/// What our own file can say of a server beside its launch.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Settings {
    pub(super) start_timeout: Option<Duration>,
    pub(super) request_timeout: Option<Duration>,
    pub(super) poll_interval: Option<Duration>,
    pub(super) close_between_polls: bool,
    pub(super) ignore_kinds: BTreeSet<Kind>,
    pub(super) allow_plain: bool,
}
