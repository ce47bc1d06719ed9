//! What a run asks of the configuration.

use super::entry::{Entry, Settings, Written, WrittenTransport};
use super::expand::{Dialect, Lookup};
use crate::store::Places;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// What is asked for.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The current folder, absolute.
    pub cwd: &'a Path,
    /// This user's own folders.
    pub places: &'a Places,
    /// `--config`: a `pinwatch.toml` of any name, or a client's file where it ends in `.json`.
    pub config: Option<&'a Path>,
    /// `--root`; it must be there.
    pub root: Option<&'a Path>,
    /// `--timeout`: start and request time-out of every server.
    pub timeout: Option<Duration>,
    /// A server on the command line; then no file's servers are read.
    pub ad_hoc: Option<&'a AdHoc>,
    /// The environment.
    pub environment: Lookup<'a>,
}

/// A server on the command line. No `Debug`: its arguments may be secrets.
#[derive(Clone, PartialEq, Eq)]
pub struct AdHoc {
    /// Its id.
    pub name: String,
    /// Command or URL.
    pub launch: AdHocLaunch,
}

/// How a server on the command line is reached.
#[derive(Clone, PartialEq, Eq)]
pub enum AdHocLaunch {
    /// The argument vector, taken as it is: the shell has expanded it.
    Command(Vec<String>),
    /// A URL and headers, in which `${VAR}` is expanded, so that no secret needs to be typed.
    Url {
        /// The URL.
        url: String,
        /// Names and values.
        headers: Vec<(String, String)>,
    },
}

impl AdHoc {
    /// The server as a file would have written it.
    pub(super) fn entry(&self) -> Entry {
        let written = match &self.launch {
            AdHocLaunch::Command(argv) => {
                let (command, rest) = match argv.as_slice() {
                    [command, rest @ ..] => (command.clone(), rest.to_vec()),
                    // Refused later on, like an empty command in a file.
                    [] => (String::new(), Vec::new()),
                };
                let transport = WrittenTransport::Stdio { command, args: rest, cwd: None, env: BTreeMap::new() };
                Written { dialect: Dialect::Literal, transport }
            }
            AdHocLaunch::Url { url, headers } => {
                let transport = WrittenTransport::Http { url: url.clone(), headers: headers.iter().cloned().collect() };
                Written { dialect: Dialect::Ours, transport }
            }
        };
        Entry {
            id: self.name.clone(),
            line: 0,
            lines: BTreeMap::new(),
            written: Ok(written),
            settings: Settings::default(),
        }
    }
}
