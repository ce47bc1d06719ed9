//! What the UI asks of the rest of the program. `update` returns effects; it carries none out.

use super::model::VersionId;
use super::msg::Msg;
use crate::canon::Pointer;
use crate::config::{Answer, Asked};
use crate::digest::SurfaceDigest;
use crate::monitor::Command;
use crate::pin::DecisionState;
use crate::review::RowId;
use crate::surface::{ItemId, ServerId};

/// A row, and the digest of it that was on the screen.
pub type Target = (RowId, SurfaceDigest);

/// Something to be done outside the model. The loop does what follows `Quit` itself.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "what the fields are is said with the variant")]
pub enum Effect {
    /// Carry out a decision on what was on the screen: where that has moved on, nothing may be decided. `varies`: where the
    /// values of the one target may differ from now on. Answered by `Msg::Decided`.
    Decide { server: ServerId, verdict: DecisionState, targets: Vec<Target>, note: String, varies: Vec<Pointer> },
    /// Accept that a server is not watched, for the reason of this code; answered by `Msg::Decided`.
    AcceptUnwatched { server: ServerId, reason: &'static str },
    /// Take a decision of this session back: the last of so many; answered by `Msg::Undone`.
    Undo { number: usize, server: ServerId },
    /// Make a baseline of exactly these; answered by `Msg::Recorded`.
    RecordBaseline { server: ServerId, targets: Vec<Target> },
    /// Write a snapshot of what the server shows now; answered by `Msg::Recorded`.
    RecordSnapshot(ServerId),
    /// Tell a server's supervisor something.
    Tell(ServerId, Command),
    /// Forget what was agreed to of a server's launch, so that its next start asks.
    AskConsent(ServerId),
    /// Keep what a person answered to a question of a client's file, in memory only, and read the config again.
    Answer { asked: Asked, answer: Answer },
    /// Look up what was recorded of a server, or the versions of one item; answered by `Msg::Versions`.
    Versions { server: ServerId, item: Option<ItemId> },
    /// Compare an earlier version with a later one; answered by `Msg::Compared`.
    Compare { server: ServerId, item: Option<ItemId>, before: VersionId, after: VersionId },
    /// Copy a text that hides nothing by the desktop's tool; answered by `Msg::Copied`.
    Copy { what: &'static str, text: String },
    /// End the program. The UI has left already.
    Quit,
    /// Copy such a text by the terminal, which does not answer.
    SendToClipboard(String),
    /// Show a text that hides nothing in the person's editor or pager.
    ReadOutside(String),
    /// Take the mouse, or leave it to the terminal.
    Mouse(bool),
    /// Ring the bell.
    Bell,
    /// Give the terminal back until the shell continues us.
    Suspend,
    /// Draw every cell again.
    Redraw,
    /// Set the window's title.
    Title(String),
}

impl Effect {
    /// What the person is told as it is asked for.
    pub fn said(&self) -> Option<String> {
        Some(match self {
            Self::Tell(server, Command::Poll) => format!("looking at {server} now"),
            Self::Tell(server, Command::Restart) => format!("starting {server} again"),
            Self::Tell(server, Command::Pause(true)) => format!("{server} is paused: nothing of it is looked at"),
            Self::Tell(server, Command::Pause(false)) => format!("{server} goes on"),
            Self::Tell(server, Command::Consent) => format!("saving your consent for {server}"),
            Self::Tell(_, Command::AgreeToScanner) => "saving your consent for the scanner".to_owned(),
            Self::Tell(server, Command::LookAs(_)) => format!("looking at {server} as other clients"),
            Self::AskConsent(server) => format!("consent for {server} withdrawn: you are asked before its next start"),
            _ => return None,
        })
    }

    /// Whether it writes a file, and is answered when that is done.
    pub fn is_write(&self) -> bool {
        use Effect::{AcceptUnwatched, Decide, RecordBaseline, RecordSnapshot, Undo};
        matches!(self, Decide { .. } | AcceptUnwatched { .. } | Undo { .. } | RecordBaseline { .. } | RecordSnapshot(_))
    }

    /// Its answer where there was no room for it: whoever waits for one has it, and may try again.
    pub fn refused(self) -> Msg {
        let why = "too much is waiting to be done; try again".to_owned();
        match self {
            Self::Decide { server, .. } | Self::AcceptUnwatched { server, .. } => {
                Msg::Decided { server, result: Err(why) }
            }
            Self::Undo { server, .. } => Msg::Undone { server, result: Err(why) },
            Self::RecordBaseline { server, .. } | Self::RecordSnapshot(server) => {
                Msg::Recorded { server, baseline: false, result: Err(why) }
            }
            Self::Versions { server, item } => Msg::Versions { server, item, result: Err(why) },
            Self::Compare { server, before, after, .. } => {
                Msg::Compared { server, versions: [before, after], result: Err(why) }
            }
            Self::Copy { what, text } => Msg::Copied { what, text, result: Err(why) },
            _ => Msg::Warning(why),
        }
    }
}
