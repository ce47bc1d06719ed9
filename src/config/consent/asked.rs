//! What consent is asked for.

use crate::surface::ServerId;
use std::path::PathBuf;

/// What a person agrees to before a launch that a found file names. Values are masked; nothing is expanded that the
/// text did not expand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsentRequest {
    /// The server; empty for the scanner that `[findings] command` names.
    pub server: ServerId,
    /// The file that names the launch.
    pub origin: PathBuf,
    /// The argument vector, one entry a word, or the URL alone.
    pub argv: Vec<String>,
    /// Working folder of a command.
    pub cwd: Option<PathBuf>,
    /// Names of environment variables or headers that it is given.
    pub names: Vec<String>,
    /// Names of variables that the text refers to, `${NAME}`.
    pub variables: Vec<String>,
    /// Keys of its entry that say off and do not keep its client from starting it, a sentence each.
    pub off: Vec<String>,
    /// What else a person should know, a sentence each.
    pub notes: Vec<String>,
    /// What is different from the launch agreed to before; empty at first sight.
    pub changed: Vec<String>,
}

impl ConsentRequest {
    /// Whether it opens a URL; else it runs a command.
    pub fn opens_url(&self) -> bool {
        self.cwd.is_none() && self.argv.len() == 1
    }

    /// Whether it is the scanner that would be run, and no server.
    pub fn is_of_scanner(&self) -> bool {
        self.server.is_empty()
    }
}
