//! What the UI asks of the rest of the program. `update` returns effects; it carries none out.

use crate::digest::SurfaceDigest;
use crate::pin::DecisionState;
use crate::review::RowId;
use crate::surface::ServerId;

/// A row, and the digest of it that was on the screen.
pub type Target = (RowId, SurfaceDigest);

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
    },
    /// Make a baseline of exactly these; answered by `Msg::Recorded`.
    RecordBaseline {
        /// The server.
        server: ServerId,
        /// What was on the screen.
        targets: Vec<Target>,
    },
    /// Write a snapshot of what the server shows now; answered by `Msg::Recorded`.
    RecordSnapshot {
        /// The server.
        server: ServerId,
    },
    /// Look at a server now.
    Poll(ServerId),
    /// The person agreed to a launch, or refused it.
    Consent {
        /// The server.
        server: ServerId,
        /// Whether it may start.
        agreed: bool,
    },
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
        matches!(self, Self::Decide { .. } | Self::RecordBaseline { .. } | Self::RecordSnapshot { .. })
    }
}
