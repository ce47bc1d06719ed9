//! What happened: everything that can change the model, in the past tense. Time comes only from here.

use super::document::Document;
use super::keymap::Keymap;
use super::model::{DocumentKey, VersionId, VersionRow};
use super::setup::Switches;
use super::theme::Theme;
use crate::digest::SurfaceDigest;
use crate::monitor::{Happening, ServerLook};
use crate::otlp::Standing;
use crate::review::Review;
use crate::store::RunningGuard;
use crate::surface::{ItemId, ServerId};
use crossterm::event::Event;
use jiff::Timestamp;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What came of a write: one line a decision, an item or a file; or why nothing was written.
pub type Written = Result<Vec<String>, String>;

/// A message to the UI.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "what the fields are is said with the variant")]
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
    /// How it stands with the collector; none where there is none.
    Collector(Option<Standing>),
    /// The decision asked for was carried out, or was not.
    Decided { server: ServerId, result: Written },
    /// A decision was taken back, or was not.
    Undone { server: ServerId, result: Written },
    /// A baseline or a snapshot was recorded, or was not.
    Recorded { server: ServerId, baseline: bool, result: Written },
    /// Which pins of a server this machine's own decision log does not know, with the digest approved: they read `in the file`.
    DecidedElsewhere { server: ServerId, pins: BTreeSet<(ItemId, SurfaceDigest)> },
    /// What was recorded of a server, or the versions of one item, the latest first; or why there is none of it.
    Versions { server: ServerId, item: Option<ItemId>, result: Result<Vec<VersionRow>, String> },
    /// What the guards that run before servers of this root say of themselves.
    Guards(Vec<RunningGuard>),
    /// A log of calls grew, or is another.
    CallsLogged,
    /// What two versions compared to: the later one reviewed against the earlier one.
    Compared { server: ServerId, versions: [VersionId; 2], result: Result<Arc<Review>, String> },
    /// A tool copied a text, or could not: the tool, or why not.
    Copied { what: &'static str, text: String, result: Result<&'static str, String> },
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
    /// Another thread has written a document.
    Written {
        /// What it was made for.
        key: DocumentKey,
        /// Its lines.
        document: Document,
    },
    /// A frame that shows the model as it is was written.
    Drawn,
    /// The program is asked to end (SIGTERM, SIGHUP).
    Stop,
}

impl Msg {
    /// Whether a frozen display keeps it for later.
    pub fn is_news(&self) -> bool {
        matches!(self, Self::Server(_) | Self::Removed(_) | Self::Happened(_) | Self::Guards(_))
    }

    /// Whether it says all that an earlier one said: the state of the same server, or of the guards.
    pub fn makes_old(&self, earlier: &Self) -> bool {
        match (self, earlier) {
            (Self::Guards(_), Self::Guards(_)) => true,
            _ => self.server().is_some_and(|id| earlier.server() == Some(id)),
        }
    }

    /// The server whose whole state it is.
    fn server(&self) -> Option<&ServerId> {
        match self {
            Self::Server(look) => Some(&look.id),
            Self::Removed(id) => Some(id),
            _ => None,
        }
    }
}
