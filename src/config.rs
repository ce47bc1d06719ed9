//! What the person configured: servers, policy, polling, the screen; and who agreed to which launch.
//!
//! Everything is read here, once, and handed on as plain data. A fault in a file of ours is an error with file, line and
//! key; a fault in a client's file is a [`Problem`], and one in an entry of it or in a server's address makes that server
//! unusable: neither hides anything else.

mod clients;
pub mod consent;
mod document;
mod duration;
mod entry;
mod env_file;
mod error;
mod evidence;
mod exceptions;
mod expand;
mod fields;
mod file;
mod find;
mod findings;
mod gather;
mod guarded;
mod guarding;
mod launch;
mod likely;
mod load;
mod otlp;
mod policy;
mod read;
mod request;
mod resolved;
mod rules;
mod searched;
mod server;
mod sign_in;
mod signatures;
mod template;
mod theme_files;
mod toml_source;
mod trust;

pub use clients::Level;
pub use document::yaml;
pub use duration::duration;
pub use error::{ConfigError, Fault, Place, Problem};
pub use evidence::Evidence;
pub use expand::Lookup;
pub use file::keys;
pub use findings::rule_of;
pub use guarding::{
    ClientFiles, EntryAt, EntryOutcome, Excerpt, Guarding, Listener, Outcome, Side, Wanted, client_files,
};
pub use likely::likely_clients;
pub use load::load;
pub use otlp::{Collector, CollectorTarget};
pub use policy::Policy;
pub use request::{AdHoc, AdHocLaunch, Answer, Answers, Reach, Request};
pub use resolved::Resolved;
pub use searched::{Fate, Listed, OTHER_PROJECT, Searched, Why};
pub use server::{Asked, FoundBy, IgnoredKey, Origin, ServerConfig};
pub use template::template;
pub use theme_files::{EMBEDDED, ThemeFileError, theme_file, theme_files};
pub use trust::Trust;

use crate::store::Root;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The name of a project's config.
pub const PROJECT_FILE: &str = "pinwatch.toml";

#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Config {
    /// The folder that holds `snapshots/`.
    pub root: Root,
    /// The servers to watch, in the order of their files.
    pub servers: Vec<ServerConfig>,
    /// Entries that are not watched, each with its reason as its target.
    pub unwatched: Vec<ServerConfig>,
    /// Files that should name servers and could not be read.
    pub problems: Vec<Problem>,
    /// Where servers were looked for, in order.
    pub searched: Vec<Searched>,
    pub decided_by: String,
    pub poll: Poll,
    /// The screen.
    pub ui: Ui,
    /// How drifts are rated.
    pub policy: Policy,
    /// The files of the project's own rules of findings, and their folders.
    pub rule_files: Vec<PathBuf>,
    /// The scanner that is asked for a second opinion, as a launch.
    pub scanner: Option<ServerConfig>,
    /// What attestations are held to, but for the level that a server needs instead.
    pub trust: Option<Trust>,
    /// Logs of calls.
    pub evidence: Evidence,
    /// Who is told numbers and events.
    pub collector: Option<Arc<Collector>>,
}

/// Polling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Poll {
    /// Time between two looks at a server that says nothing else.
    pub interval: Duration,
}

/// The screen.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Ui {
    /// Name of the theme. Not checked here: the themes are the screen's.
    pub theme: String,
    pub theme_place: Option<Place>,
    /// Whether the mouse is taken.
    pub mouse: bool,
    /// Whether a new critical drift rings the bell.
    pub bell: bool,
    /// Whether drift marks the window title.
    pub title: bool,
    /// Keys a person binds to actions, by the action's name. Not checked here: the actions are the screen's.
    pub keys: BTreeMap<String, Vec<String>>,
    pub key_places: BTreeMap<String, Place>,
}

impl Default for Ui {
    fn default() -> Self {
        Self {
            theme: "ansi".to_owned(),
            theme_place: None,
            mouse: false,
            bell: true,
            title: true,
            keys: BTreeMap::new(),
            key_places: BTreeMap::new(),
        }
    }
}
