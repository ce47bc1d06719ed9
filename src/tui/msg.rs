//! What happened: everything that can change the model, in the past tense. Time comes only from here.

use super::keymap::Keymap;
use super::model::{VersionId, VersionRow};
use super::setup::Switches;
use super::theme::Theme;
use crate::digest::SurfaceDigest;
use crate::monitor::{Happening, ServerLook};
use crate::review::Review;
use crate::surface::{ItemId, ServerId};
use crossterm::event::Event;
use jiff::Timestamp;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A message to the UI.
#[derive(Clone, Debug)]
pub enum Msg {
    /// The terminal was typed into, pasted into or resized.
    Terminal(Event),
    /// A server's last state; it takes the place of the one before.
    Server(Box<ServerLook>),
    /// A server is no longer configured.
    Removed(ServerId),
    /// A line for the event log.
    Happened(Happening),
    /// Whether the log of decisions holds: its records and the start of the last one's hash, or the first that does not.
    Chain(Result<(usize, String), String>),
    /// The decision asked for was carried out, or was not.
    Decided {
        /// The server.
        server: ServerId,
        /// One line a decision, or why nothing was decided.
        result: Result<Vec<String>, String>,
    },
    /// A decision was taken back, or was not.
    Undone {
        /// The server.
        server: ServerId,
        /// One line an item, or why nothing was taken back.
        result: Result<Vec<String>, String>,
    },
    /// A baseline or a snapshot was recorded, or was not.
    Recorded {
        /// The server.
        server: ServerId,
        /// Whether it is the baseline.
        baseline: bool,
        /// One line a file, or why nothing was recorded.
        result: Result<Vec<String>, String>,
    },
    /// Which pins of a server this machine's own decision log knows; all others read `by file`.
    DecidedHere {
        /// The server.
        server: ServerId,
        /// Item and the digest approved.
        pins: BTreeSet<(ItemId, SurfaceDigest)>,
    },
    /// What was recorded of a server, or the versions of one item, the latest first.
    Versions {
        /// The server.
        server: ServerId,
        /// The item; none for the server as a whole.
        item: Option<ItemId>,
        /// The rows, or why there are none.
        result: Result<Vec<VersionRow>, String>,
    },
    /// What two versions compared to.
    Compared {
        /// The server.
        server: ServerId,
        /// The earlier one and the later one.
        versions: [VersionId; 2],
        /// The later one reviewed against the earlier one.
        result: Result<Arc<Review>, String>,
    },
    /// A tool copied a text, or could not.
    Copied {
        /// What it is.
        what: &'static str,
        /// The text.
        text: String,
        /// The tool, or why not.
        result: Result<&'static str, String>,
    },
    /// A minute has passed: ages move on.
    Minute(Timestamp),
    /// The theme's file was changed, or could not be used: the theme, or why not.
    ThemeChanged(Result<Theme, String>),
    /// The config binds other keys, or turns other things on.
    ScreenChanged(Box<Keymap>, Switches),
    /// One line for the bottom of the screen. Not escaped.
    Notice(String),
    /// The same of something that did not go as asked.
    Warning(String),
    /// A frame that shows the model as it is was written.
    Drawn,
    /// The program is asked to end (SIGTERM, SIGHUP).
    Stop,
}
