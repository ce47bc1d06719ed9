//! Why a request has no answer.

use super::reason::{seconds, timed_out};
use crate::surface::Reason;
use std::time::Duration;

/// Why a request has no answer.
#[derive(Clone, Debug)]
pub(super) enum Fault {
    /// None came in time.
    TimedOut(Duration),
    /// None will come to any request: the process is gone or no longer understood.
    Ended(Reason),
    /// The server cannot be reached now.
    Unreachable(Reason),
    /// The server, or what stands before it, refuses us, whatever is asked.
    Denied(Reason),
    /// None to this request; others may have one.
    Refused(Reason),
    /// What came instead of an answer is not of the protocol, or an HTTP status.
    Unanswered(Reason),
    /// An HTTP status that says that the request as such is wrong.
    Rejected(Reason),
    /// The HTTP server no longer knows the session.
    SessionLost(Reason),
}

impl Fault {
    /// The reason for the request of `method`.
    pub fn reason(self, method: &str) -> Reason {
        match self {
            Self::TimedOut(after) => timed_out(method, after),
            Self::Ended(reason)
            | Self::Unreachable(reason)
            | Self::Denied(reason)
            | Self::Refused(reason)
            | Self::Unanswered(reason)
            | Self::Rejected(reason)
            | Self::SessionLost(reason) => reason,
        }
    }

    /// The reason where the handshake fails.
    pub fn at_start(self) -> Reason {
        match self {
            Self::TimedOut(after) => {
                let text = format!("the server did not finish the handshake within {}", seconds(after));
                Reason::new("start-timeout", text)
            }
            other => other.reason("the handshake"),
        }
    }

    /// Whether a server of the other era might have answered so.
    pub fn may_be_other_era(&self) -> bool {
        self.is_refusal() || matches!(self, Self::Refused(_) | Self::TimedOut(_))
    }

    /// Whether a server that no longer knows the session might have answered so. One that wants other credentials, or
    /// fewer requests, is not asked for another session.
    pub fn is_refusal(&self) -> bool {
        matches!(self, Self::Unanswered(_) | Self::Rejected(_) | Self::SessionLost(_))
    }
}
