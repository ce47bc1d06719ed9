//! How a server stands, in one word, and what of its last look may be believed.

use super::event::{Phase, ServerLook};
use crate::config::consent::ConsentRequest;
use crate::decisions::BaselineState;
use crate::drift::{Drift, admission_id, split_view_id};
use crate::interop::mcptrust::Verdict;
use crate::pin::DecisionState;
use crate::review::{ApprovalState, Row, RowId};
use crate::surface::{Notice, Overall, Reason};
use std::sync::Arc;

/// A server in one word, worst first; a number is that of the rows. A stale one is never `Approved`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the rest is what it is called")]
pub enum ServerState {
    Refused,
    /// Nobody agreed to its launch yet.
    Consent,
    /// It wants somebody to sign in.
    SignIn,
    /// A person must answer something before it can be started.
    Input,
    Drift(usize),
    New(usize),
    Gone(usize),
    /// It is not watched, and has a baseline that nobody compares with.
    Unwatched,
    /// The last look failed, or is old.
    Stale,
    /// Some list could not be read.
    Partial,
    /// What its baseline is tied to is not checked.
    Unchecked,
    Unknown(usize),
    Rejected(usize),
    /// It is not compared yet; what is done meanwhile.
    Busy(&'static str),
    /// It is not watched, and nobody relies on it: it has no baseline, or a person accepted that.
    Off,
    /// Everything equals its pin.
    Approved,
}

impl ServerLook {
    /// The rules of the policy that fail on it as a whole. What a first record alone would tell is no row beside that one.
    pub fn failing_rules(&self) -> impl Iterator<Item = &Verdict> {
        let rules = self.verdicts.iter().flat_map(|verdicts| &verdicts.rules);
        rules.filter(|verdict| verdict.fails() && !verdict.waits_for_baseline())
    }

    /// Whether it has a baseline that nothing is compared with, and nobody accepted that.
    pub fn needs_watching(&self) -> bool {
        let Phase::Unwatched(reason) = &self.phase else { return false };
        match &self.baseline {
            BaselineState::Present(baseline) => baseline.accepts_unwatched(reason.code).is_none(),
            BaselineState::Refused(_) => true,
            BaselineState::Verifying | BaselineState::Absent => false,
        }
    }

    /// Whether what is shown is old.
    pub fn is_stale(&self) -> bool {
        // One that waits for a person and never answered shows nothing that could be old.
        let waits = matches!(self.phase, Phase::NeedsSignIn(_)) || !self.asked.is_empty();
        if waits && self.last_good.is_none() {
            return false;
        }
        !matches!(self.phase, Phase::Unwatched(_)) && self.stale.is_some()
            || matches!(self.phase, Phase::Retrying { .. })
    }

    /// The launch that waits for consent, if one does.
    pub fn to_start(&self) -> Option<&Arc<ConsentRequest>> {
        match &self.phase {
            Phase::NeedsConsent(request) => Some(request),
            _ => None,
        }
    }

    /// The state of a row as it may be shown: of a stale server nothing is approved.
    pub fn shown_state(&self, row: &Row) -> ApprovalState {
        if row.state == ApprovalState::Approved && self.is_stale() { ApprovalState::Unknown } else { row.state }
    }

    /// A row of its review.
    pub fn row(&self, id: &RowId) -> Option<&Row> {
        self.review.as_ref()?.row(id)
    }

    /// What drifted of a row of its review.
    pub fn drift_of(&self, row: &Row) -> Option<&Drift> {
        self.review.as_ref()?.drift_of(row)
    }

    /// Whether nothing of it is pinned yet, so that it is recorded as a whole.
    pub fn is_first_contact(&self) -> bool {
        self.review.as_ref().is_some_and(|review| review.first_contact)
    }

    /// What was odd about it, and about what it serves.
    pub fn odd(&self) -> impl Iterator<Item = &Notice> {
        self.notices.iter().chain(self.review.iter().flat_map(|review| &review.notices))
    }

    /// Why a row cannot be decided so; none where it can. `elsewhere`: the log of this machine does not know its pin.
    pub fn refusal(&self, row: &Row, verdict: DecisionState, elsewhere: bool) -> Option<&'static str> {
        match (verdict, self.shown_state(row)) {
            _ if self.is_first_contact() => Some("first contact: B records the baseline"),
            _ if row.id.item == admission_id() => Some("not settled by deciding: `pinwatch admit` shows each rule"),
            _ if row.id.item == split_view_id() => {
                Some("not settled by deciding: the server shows clients different things")
            }
            (_, ApprovalState::Unknown) => Some("not readable now: nothing to decide"),
            (DecisionState::Approved, ApprovalState::Approved) if elsewhere => None,
            (DecisionState::Approved, ApprovalState::Approved) => Some("already approved"),
            (DecisionState::Rejected, ApprovalState::Approved) => Some("equal to what is approved: nothing to reject"),
            (DecisionState::Rejected, ApprovalState::Rejected) => Some("already rejected"),
            (DecisionState::Rejected, ApprovalState::Gone) => Some("gone: nothing served to reject"),
            _ => None,
        }
    }

    /// Why its pins are not known to hold though nothing drifted.
    pub fn unchecked(&self) -> Option<&Reason> {
        self.review.as_ref()?.unchecked.as_ref()
    }

    /// The worst that is so of it.
    pub fn state(&self) -> ServerState {
        if matches!(self.baseline, BaselineState::Refused(_)) {
            return ServerState::Refused;
        }
        if !self.asked.is_empty() {
            return ServerState::Input;
        }
        if self.to_start().is_some() {
            return ServerState::Consent;
        }
        if matches!(self.phase, Phase::NeedsSignIn(_)) {
            return ServerState::SignIn;
        }
        if let Phase::Unwatched(_) = self.phase {
            return if self.needs_watching() { ServerState::Unwatched } else { ServerState::Off };
        }
        let counts = self.review.as_ref().map(|review| review.counts).unwrap_or_default();
        let partial = self.surface.as_ref().is_some_and(|surface| surface.overall() != Overall::Complete);
        match self.phase {
            _ if counts.drifted > 0 => ServerState::Drift(counts.drifted),
            _ if counts.new > 0 => ServerState::New(counts.new),
            _ if counts.gone > 0 => ServerState::Gone(counts.gone),
            _ if self.is_stale() => ServerState::Stale,
            _ if self.baseline == BaselineState::Verifying => ServerState::Busy("verifying"),
            Phase::Waiting if self.review.is_none() => ServerState::Busy("waiting"),
            Phase::Starting if self.review.is_none() => ServerState::Busy("starting"),
            _ if self.review.is_none() => ServerState::Busy("listing"),
            _ if partial => ServerState::Partial,
            _ if self.unchecked().is_some() => ServerState::Unchecked,
            _ if counts.unknown > 0 => ServerState::Unknown(counts.unknown),
            _ if counts.rejected > 0 => ServerState::Rejected(counts.rejected),
            _ => ServerState::Approved,
        }
    }
}
