//! Where servers were looked for, and what became of each entry that was found: told, never decided here.

use super::clients::Level;
use super::error::Place;
use crate::surface::ServerId;
use crate::text::visible;
use std::fmt;
use std::path::PathBuf;

/// A server that is configured and not watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetAside {
    /// The server.
    pub id: ServerId,
    /// Where it is configured.
    pub place: Place,
    /// Why it is not watched.
    pub why: Why,
}

/// Why a configured server is not watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// Its entry says `disabled`.
    Disabled,
    /// An earlier file has a server of this id: there.
    Shadowed(Place),
    /// Its client runs it inside itself.
    Inside,
    /// It is for another project than the current folder's.
    OtherProject(PathBuf),
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Disabled => f.write_str("its entry says it is switched off"),
            Self::Shadowed(place) => write!(f, "{place} has a server of this id"),
            Self::Inside => f.write_str("its client runs it inside itself, so there is nothing to start"),
            Self::OtherProject(project) => {
                write!(f, "it is for the project {}", visible(&project.to_string_lossy()))
            }
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
