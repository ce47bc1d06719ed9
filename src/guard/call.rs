//! What is told of each call of a tool: how it was decided and by which definition, and how it ended.
//!
//! Whoever writes that down is a [`Witness`]. It is asked while a call is decided, not afterwards: where it has to have
//! evidence and cannot, the call does not pass.

use super::{Refusal, Verdict};
use crate::digest::{DefinitionCluster, Hasher, Sha256};
use crate::interop::call::Ground;
use std::fmt;
use std::sync::Arc;

/// What a call whose name cannot be read is told as.
pub(super) const UNNAMED: &str = "#unnamed";

/// A call of a tool that was decided.
#[derive(Clone, Copy, Debug)]
pub struct Decided<'a> {
    /// Which call of its session, from 1.
    pub number: u64,
    /// The tool's name as the client gave it; `#unnamed` where that cannot be read.
    pub tool: &'a str,
    /// The raw JSON of its arguments; none where the call has none, or they cannot be told apart.
    pub arguments: Option<&'a [u8]>,
    /// The definition that it was decided by; none where no list was asked, or several definitions have that name.
    pub definition: Option<DefinitionCluster>,
    /// How.
    pub ruling: Ruling<'a>,
}

/// How a call was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling<'a> {
    /// It passes: the definition is approved.
    Approved,
    /// It passes unseen, as the config says.
    Unseen,
    /// It passes as `guard = "warn"` says, and this is why it otherwise would not.
    Warned(&'a Refusal),
    /// It does not pass.
    Refused(&'a Refusal),
}

impl Ruling<'_> {
    /// Whether the call passes.
    pub fn passes(self) -> bool {
        !matches!(self, Self::Refused(_))
    }

    /// Whether what the server lists was looked at.
    pub(super) fn is_by_list(self) -> bool {
        match self {
            Self::Approved | Self::Warned(Refusal::Item(..)) | Self::Refused(Refusal::Item(..)) => true,
            Self::Unseen | Self::Warned(_) | Self::Refused(_) => false,
        }
    }

    /// Why, in the words of evidence.
    pub fn ground(self) -> Ground {
        let refusal = match self {
            Self::Approved => return Ground::Approved,
            Self::Unseen => return Ground::Ignored,
            Self::Warned(refusal) | Self::Refused(refusal) => refusal,
        };
        match refusal {
            Refusal::Item(_, verdict) => match verdict {
                Verdict::Changed => Ground::Changed,
                Verdict::Rejected => Ground::Rejected,
                Verdict::ApprovedElsewhere => Ground::ApprovedElsewhere,
                Verdict::NotAdmitted => Ground::NotAdmitted,
                Verdict::New | Verdict::Approved | Verdict::Ignored => Ground::New,
            },
            Refusal::NotListed(_) => Ground::NotListed,
            Refusal::Unread(..) => Ground::ListUnread,
            Refusal::Closed(_) => Ground::Closed,
            Refusal::Unfit(_) => Ground::Unreadable,
            Refusal::InUse => Ground::IdInUse,
            Refusal::CalledOff | Refusal::Unanswered(_) => Ground::Cancelled,
            Refusal::NoEvidence(_) => Ground::NoEvidence,
        }
    }
}

/// How a call that passed ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending<'a> {
    /// The server answered: the raw JSON of the result, or of the error.
    Answered {
        /// Whether that is an error of the protocol.
        is_error: bool,
        /// The value.
        text: &'a [u8],
    },
    /// The server answered with a message so long that it passed in pieces.
    Long {
        /// Whether that is an error of the protocol.
        is_error: bool,
        /// The digest of the same value by [`Witness::hasher`].
        digest: Option<Sha256>,
    },
    /// What came as an answer did not pass.
    Unreadable,
    /// The client cancelled it.
    CalledOff,
    /// The session was over before an answer came.
    Unanswered,
}

/// Takes down what becomes of calls.
pub trait Witness: fmt::Debug + Send {
    /// A call is decided. An error says why no evidence of it could be taken: one that would pass then does not.
    fn decided(&mut self, call: &Decided<'_>) -> Result<(), Arc<str>>;

    /// A call that passed is over.
    fn ended(&mut self, number: u64, ending: Ending<'_>);

    /// What the value of a long answer is digested with; none where nobody wants that.
    fn hasher(&self) -> Option<Hasher>;

    /// The server said in its handshake which version it is.
    fn introduced(&mut self, version: &str);
}
