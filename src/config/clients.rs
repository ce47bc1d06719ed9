//! Other clients' config files, read and never written. One file a format.

mod mcp_json;

use super::entry::Entry;
use super::error::Problem;
use std::path::{Path, PathBuf};

/// What a client's file says: an entry that is wrong hides nothing else.
#[derive(Default)]
pub(super) struct ClientFile {
    pub(super) entries: Vec<Entry>,
    pub(super) problems: Vec<Problem>,
}

/// A client whose files `include` can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Client {
    /// `.mcp.json` of a project, as Claude Code reads it.
    McpJson,
}

impl Client {
    /// Every client that is known.
    pub(super) const ALL: [Self; 1] = [Self::McpJson];

    /// The word of `include`.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::McpJson => mcp_json::FILE,
        }
    }

    /// The file to read for a project, seen from the folders that the walk passes.
    pub(super) fn file(self, folders: &[PathBuf]) -> Option<PathBuf> {
        match self {
            Self::McpJson => super::find::first_with(folders, mcp_json::FILE),
        }
    }

    /// Reads the file's text; `shown` is its name in messages.
    pub(super) fn read(self, shown: &Path, text: &[u8]) -> ClientFile {
        match self {
            Self::McpJson => mcp_json::read(shown, text),
        }
    }
}
