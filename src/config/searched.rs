//! Where servers were looked for, and what became of each entry that was found: told, never decided here.

use super::clients::Level;
use super::error::Place;
use crate::surface::ServerId;
use crate::text::visible;
use std::fmt;
use std::path::PathBuf;

/// Why a configured server is not watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// A key of its entry switches it off, and whoever starts it is known to go by that.
    SwitchedOff {
        /// The key.
        key: &'static str,
        /// The client that honours it; none for a file of ours.
        client: Option<&'static str>,
    },
    /// A list in its client's settings switches it off.
    Listed(Listed),
    /// An earlier file has a server of this id: there.
    Shadowed(Place),
    /// Its client runs it inside itself.
    Inside,
    /// It is for another project than the current folder's.
    OtherProject(PathBuf),
    /// There is a baseline of it, and no file that is read here names it.
    NotConfigured,
}

/// A list of a client's settings that names an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Listed {
    pub client: &'static str,
    pub list: &'static str,
    /// Its file, as a message names it.
    pub file: PathBuf,
}

impl Why {
    /// The code of the reason.
    pub fn code(&self) -> &'static str {
        match self {
            Self::SwitchedOff { .. } | Self::Listed(_) => "switched-off",
            Self::Shadowed(_) => "shadowed",
            Self::Inside => "inside-client",
            Self::OtherProject(_) => OTHER_PROJECT,
            Self::NotConfigured => "not-configured",
        }
    }
}

/// The code of what is configured for another project than the current folder's.
pub const OTHER_PROJECT: &str = "other-project";

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SwitchedOff { key, client: None } => write!(f, "its entry is switched off by `{key}`"),
            Self::SwitchedOff { key, client: Some(client) } => {
                write!(f, "its entry is switched off by `{key}`, which {client} honours")
            }
            Self::Listed(Listed { client, list, file }) => {
                write!(f, "`{list}` in {} switches it off in {client}", visible(&file.to_string_lossy()))
            }
            Self::Shadowed(place) => write!(f, "{place} has a server of this id"),
            Self::Inside => f.write_str("its client runs it inside itself, so there is nothing to start"),
            Self::OtherProject(project) => {
                write!(f, "it is for the project {}", visible(&project.to_string_lossy()))
            }
            Self::NotConfigured => f.write_str("it has a baseline here, and no file that is read here names it"),
        }
    }
}

/// What became of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is the server of this id.
    Watched(ServerId),
    /// It starts or opens what the server of this id does.
    Same(ServerId),
    /// It is the server of this id, and cannot be used: why.
    Unusable(ServerId, String),
    /// It is not watched, on purpose.
    Aside(Why),
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Watched(id) => write!(f, "taken as `{}`", visible(id)),
            Self::Same(id) => write!(f, "taken: it starts the same as `{}`", visible(id)),
            Self::Unusable(id, why) => write!(f, "taken as `{}`, not usable: {why}", visible(id)),
            Self::Aside(why) => write!(f, "not taken: {why}"),
        }
    }
}

/// One place where servers were looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Searched {
    /// The file, or the name that was looked for.
    pub file: PathBuf,
    /// The client whose file it would be, by its name for people; none for ours.
    pub client: Option<&'static str>,
    /// Whose file it would be.
    pub level: Option<Level>,
    /// How many servers it names; none where there is no such file, or it was not read.
    pub servers: Option<usize>,
    /// Why it was not read, or what is wrong with it.
    pub note: Option<String>,
    /// Its entries by name and line, and what became of each.
    pub entries: Vec<(String, usize, Fate)>,
}

impl Searched {
    /// What was found there, in words.
    pub fn found(&self) -> String {
        let many = match (self.servers, &self.note) {
            (None, None) => "not there".to_owned(),
            (None | Some(0), Some(note)) => return note.clone(),
            (Some(1), _) => "1 server".to_owned(),
            (Some(count), _) => format!("{count} servers"),
        };
        self.note.as_ref().map_or_else(|| many.clone(), |note| format!("{many}; {note}"))
    }

    /// Whether there is such a file.
    pub fn is_there(&self) -> bool {
        self.servers.is_some() || self.note.is_some()
    }
}
