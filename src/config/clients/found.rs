//! What was found in a client's file.

use super::input::Input;
use super::spots::Spots;
use crate::config::entry::Entry;
use crate::config::error::Problem;
use std::path::PathBuf;

/// What a client's file says: an entry that is wrong hides nothing else.
#[derive(Default)]
pub(in crate::config) struct ClientFile {
    pub(in crate::config) entries: Vec<Found>,
    pub(in crate::config) problems: Vec<Problem>,
    pub(in crate::config) inputs: Vec<Input>,
    /// Whether there were more entries than are read.
    pub(super) full: bool,
}

/// One entry of a client's file.
pub(in crate::config) struct Found {
    pub(in crate::config) entry: Entry,
    /// The project that it is for, where the file says so for each.
    pub(in crate::config) project: Option<PathBuf>,
    /// Where its launch stands in the text.
    pub(in crate::config) spots: Spots,
}
