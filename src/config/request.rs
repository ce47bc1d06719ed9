//! What a run asks of the configuration.

use super::entry::{Entry, Pairs, Settings, Written};
use super::expand::{Dialect, Lookup, Text};
use crate::store::Places;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What is asked for.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The current folder, absolute.
    pub cwd: &'a Path,
    /// This user's own folders.
    pub places: &'a Places,
    /// `--config`: a `pinwatch.toml` of any name, or a client's file where it ends in `.json`, `.jsonc`, `.yaml` or
    /// `.codex/config.toml`.
    pub config: Option<&'a Path>,
    /// `--root`; it must be there.
    pub root: Option<&'a Path>,
    /// `--timeout`: start and request time-out of every server.
    pub timeout: Option<Duration>,
    /// A server on the command line; then no file's servers are read.
    pub ad_hoc: Option<&'a AdHoc>,
    /// Whether the person agreed to all that files name: `--yes`.
    pub agreed: bool,
    /// The environment.
    pub environment: Lookup<'a>,
    /// Whose files are looked for where nothing says what to watch.
    pub reach: Reach,
    /// What a person answered to what clients' files ask for.
    pub answers: &'a Answers,
}

/// Whose files are looked for where there is no `pinwatch.toml`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// The project's, this user's and the machine's.
    #[default]
    Everything,
    /// The project's alone, as CI sees it; the others' only where the project names no server.
    Project,
}

/// What a person answered, by file and id. In memory only. No `Debug`: it is for secrets.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Answers(BTreeMap<PathBuf, BTreeMap<String, String>>);

/// What a person typed. Its `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Answer(pub String);

opaque!(Answer);

impl Answers {
    /// No answer.
    pub const NONE: &'static Self = &Self(BTreeMap::new());

    /// Keeps an answer to the question `id` of a file.
    pub fn keep(&mut self, file: &Path, id: &str, Answer(answer): Answer) {
        self.0.entry(file.to_owned()).or_default().insert(id.to_owned(), answer);
    }

    pub(super) fn of(&self, file: &Path) -> Option<&BTreeMap<String, String>> {
        self.0.get(file)
    }
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
                let text = |word: &String| Text::new(word, Dialect::Literal);
                Written::Stdio {
                    command: text(&command),
                    args: rest.iter().map(text).collect(),
                    cwd: None,
                    env: Pairs::new(),
                    env_file: None,
                }
            }
            AdHocLaunch::Url { url, headers } => {
                let pair = |(name, text): &(String, String)| (name.clone(), Text::new(text, Dialect::Ours));
                Written::Http { url: Text::new(url, Dialect::Ours), headers: headers.iter().map(pair).collect() }
            }
        };
        Entry {
            id: self.name.clone(),
            line: 0,
            lines: BTreeMap::new(),
            written: Ok(written),
            off: Vec::new(),
            settings: Settings::default(),
        }
    }
}
