//! What was recorded of a server, or every version of one item, and two of them compared.

use super::server::Server;
use crate::digest::SurfaceDigest;
use crate::surface::{ItemId, ServerId};
use crate::tui::document::{Document, Manner};
use jiff::Timestamp;
use std::path::PathBuf;

/// What a version is found by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VersionId {
    /// What is served now.
    Now,
    /// What is pinned.
    Pinned,
    /// A snapshot.
    File(PathBuf),
    /// A definition of one item.
    Digest(SurfaceDigest),
}

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionRow {
    /// What it is found by.
    pub id: VersionId,
    /// When it was recorded, seen or decided.
    pub at: Option<Timestamp>,
    /// What it is, in a word or two.
    pub what: &'static str,
    /// The rest of it. Not escaped.
    pub text: String,
    /// Whether its definitions are at hand.
    pub comparable: bool,
}

/// The versions of a server, or of one item.
#[derive(Clone, Debug)]
pub struct Versions {
    /// The server.
    pub server: ServerId,
    /// The item; none for the server as a whole.
    pub item: Option<ItemId>,
    /// What there is; none while it is looked up.
    pub rows: Option<Vec<VersionRow>>,
    /// The selected row.
    pub at: usize,
    /// Rows marked to be compared, at most two.
    pub marked: Vec<usize>,
    /// First row shown.
    pub scroll: usize,
}

/// Two versions compared.
#[derive(Clone, Debug)]
pub struct Compared {
    /// What they are. Not escaped.
    pub titles: [String; 2],
    /// The later one against the earlier one, as if that had been approved.
    pub server: Server,
    /// As lines, and for which width and manner.
    pub document: Option<(usize, Manner, Document)>,
    /// First line shown.
    pub scroll: usize,
}

/// What was recorded, and what two of it compared to.
#[derive(Clone, Debug, Default)]
pub struct VersionsScreen {
    /// The list.
    pub list: Option<Versions>,
    /// Two of it compared.
    pub compared: Option<Compared>,
}
