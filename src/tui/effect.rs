//! What the UI asks of the rest of the program. `update` returns effects; it carries none out.

use super::model::VersionId;
use crate::canon::Pointer;
use crate::config::{Answer, Asked};
use crate::digest::SurfaceDigest;
use crate::pin::DecisionState;
use crate::review::RowId;
use crate::surface::{ItemId, ServerId};

/// A row, and the digest of it that was on the screen.
pub type Target = (RowId, SurfaceDigest);

/// What copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The desktop's tool.
    Tool,
    /// The terminal: the loop does it itself.
    Terminal,
}

/// Something to be done outside the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Carry out a decision; answered by `Msg::Decided`.
    Decide {
        /// The server.
        server: ServerId,
        /// Approve or reject.
        verdict: DecisionState,
        /// What was on the screen: where it has moved on, nothing may be decided.
        targets: Vec<Target>,
        /// The person's words; may be empty.
        note: String,
        /// Where the values of the one target may vary from now on.
        varies: Vec<Pointer>,
    },
    /// Accept that a server is not watched, for the reason of this code; answered by `Msg::Decided`.
    AcceptUnwatched {
        /// The server.
        server: ServerId,
        /// The code of the reason that was on the screen.
        reason: &'static str,
    },
    /// Take a decision of this session back; answered by `Msg::Undone`.
    Undo {
        /// Which: the number of decisions that can be taken back, this one included.
        number: usize,
        /// The server.
        server: ServerId,
    },
    /// Make a baseline of exactly these; answered by `Msg::Recorded`.
    RecordBaseline {
        /// The server.
        server: ServerId,
        /// What was on the screen.
        targets: Vec<Target>,
    },
    /// Write a snapshot of what the server shows now; answered by `Msg::Recorded`.
    RecordSnapshot(ServerId),
    /// Look at a server now.
    Poll(ServerId),
    /// The person agreed to the launch that a server waits with.
    Consent(ServerId),
    /// Keep what a person answered to a question of a client's file, in memory only, and read the config again.
    Answer {
        /// The question.
        asked: Asked,
        /// What was typed.
        answer: Answer,
    },
    /// Look up what was recorded of a server, or the versions of one item; answered by `Msg::Versions`.
    Versions {
        /// The server.
        server: ServerId,
        /// The item; none for the server as a whole.
        item: Option<ItemId>,
    },
    /// Compare two versions; answered by `Msg::Compared`.
    Compare {
        /// The server.
        server: ServerId,
        /// The item; none for the server as a whole.
        item: Option<ItemId>,
        /// The earlier one.
        before: VersionId,
        /// The later one.
        after: VersionId,
    },
    /// End a server's session and start it again.
    Restart(ServerId),
    /// Look at a server no longer, or go on.
    Pause {
        /// The server.
        server: ServerId,
        /// Whether it rests.
        paused: bool,
    },
    /// Forget what was agreed to of a server's launch, so that its next start asks.
    AskConsent(ServerId),
    /// Agrees to run the scanner, as it was shown for this server.
    AgreeToScanner(ServerId),
    /// Copy a text that hides nothing; answered by `Msg::Copied` where a tool does it.
    Copy {
        /// What it is.
        what: &'static str,
        /// The text.
        text: String,
        /// By what.
        by: By,
    },
    /// Show a text that hides nothing in the person's editor or pager. The loop does it itself.
    ReadOutside(String),
    /// Take the mouse, or leave it to the terminal. The loop does it itself.
    Mouse(bool),
    /// Ring the bell. The loop does it itself.
    Bell,
    /// Set the window's title. The loop does it itself.
    Title(String),
    /// End the program. The UI has left already.
    Quit,
    /// Give the terminal back until the shell continues us. The loop does it itself.
    Suspend,
    /// Draw every cell again. The loop does it itself.
    Redraw,
}

impl Effect {
    /// Whether it writes a file, and is answered when that is done.
    pub fn is_write(&self) -> bool {
        use Effect::{AcceptUnwatched, Decide, RecordBaseline, RecordSnapshot, Undo};
        matches!(self, Decide { .. } | AcceptUnwatched { .. } | Undo { .. } | RecordBaseline { .. } | RecordSnapshot(_))
    }
}
