//! One server as the UI keeps it: its last state, and what the person selected there.

use super::entry::EntryId;
use crate::decisions::BaselineState;
use crate::digest::{Item, SurfaceDigest};
use crate::drift::{Severity, admission_id, split_view_id};
use crate::interop::mcptrust::Verdict;
use crate::monitor::{Phase, ServerLook};
use crate::pin::DecisionState;
use crate::review::{ApprovalState, Review, Row};
use crate::surface::{ItemId, Overall, Reason};
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

/// A server, its selected entry, and how often its state moved.
#[derive(Clone, Debug)]
pub struct Server {
    pub look: ServerLook,
    /// Counts the states, so that what is made of one is known to be old.
    pub revision: u64,
    pub selected: Option<EntryId>,
    /// Ids of the groups whose members are listed.
    pub opened: BTreeSet<String>,
    /// Pins that this machine's own log knows; none while it has not told.
    pub decided_here: Option<BTreeSet<(ItemId, SurfaceDigest)>>,
    /// The worst of what waits for a decision and of what drifted without an item.
    pub worst: Option<Severity>,
}

/// Groups that are remembered as opened; past it those that are no more are forgotten.
const MAX_OPENED: usize = 100;

/// A server in one word, worst first; a number is that of the rows. A stale one is never `Approved`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

impl Server {
    /// Whether the file says that a row is approved, and this machine's own log does not.
    pub fn decided_by_file(&self, row: &Row) -> bool {
        let pin = row.pin.as_ref().zip(self.decided_here.as_ref());
        pin.is_some_and(|(pin, here)| !here.contains(&(pin.item.id.clone(), pin.binds_to())))
    }

    /// The rules of the policy that fail on it as a whole. What a first record alone would tell is no row beside that one.
    pub fn failing_rules(&self) -> impl Iterator<Item = &Verdict> {
        let rules = self.look.verdicts.iter().flat_map(|verdicts| &verdicts.rules);
        rules.filter(|verdict| verdict.fails() && !verdict.waits_for_baseline())
    }

    pub fn new(look: ServerLook) -> Self {
        let mut server =
            Self { look, revision: 0, selected: None, opened: BTreeSet::new(), decided_here: None, worst: None };
        server.weigh();
        server
    }

    pub fn take(&mut self, look: ServerLook) {
        self.look = look;
        if self.opened.len() > MAX_OPENED {
            // A server may show another group at each look, and a selected row opens its own.
            let review = self.look.review.as_deref();
            self.opened.retain(|id| review.is_some_and(|review| review.group(id).is_some()));
        }
        self.revision += 1;
        self.weigh();
    }

    /// How bad it is: told once a state, not once a frame.
    fn weigh(&mut self) {
        self.worst = self.look.review.as_deref().and_then(worst);
    }

    /// Whether it has a baseline that nothing is compared with, and nobody accepted that.
    pub fn needs_watching(&self) -> bool {
        let Phase::Unwatched(reason) = &self.look.phase else { return false };
        match &self.look.baseline {
            BaselineState::Present(baseline) => baseline.accepts_unwatched(reason.code).is_none(),
            BaselineState::Refused(_) => true,
            BaselineState::Verifying | BaselineState::Absent => false,
        }
    }

    /// Whether what is shown is old.
    pub fn is_stale(&self) -> bool {
        // One that never answered shows nothing that could be old.
        if matches!(self.look.phase, Phase::NeedsSignIn(_)) && self.look.last_good.is_none() {
            return false;
        }
        !matches!(self.look.phase, Phase::Unwatched(_)) && self.look.stale.is_some()
            || matches!(self.look.phase, Phase::Retrying { .. })
    }

    /// The state of a row as it may be shown: of a stale server nothing is approved.
    pub fn shown_state(&self, row: &Row) -> ApprovalState {
        if row.state == ApprovalState::Approved && self.is_stale() { ApprovalState::Unknown } else { row.state }
    }

    /// Why its pins are not known to hold though nothing drifted.
    pub fn unchecked(&self) -> Option<&Reason> {
        self.look.review.as_ref()?.unchecked.as_ref()
    }

    /// Why a row cannot be decided so; none where it can.
    pub fn refusal(&self, row: &Row, verdict: DecisionState) -> Option<&'static str> {
        let first_contact = self.look.review.as_ref().is_some_and(|review| review.first_contact);
        match (verdict, self.shown_state(row)) {
            _ if first_contact => Some("first contact: B records the baseline"),
            _ if row.id.item == admission_id() => Some("not settled by deciding: `pinwatch admit` shows each rule"),
            _ if row.id.item == split_view_id() => {
                Some("not settled by deciding: the server shows clients different things")
            }
            (_, ApprovalState::Unknown) => Some("not readable now: nothing to decide"),
            (DecisionState::Approved, ApprovalState::Approved) => Some("already approved"),
            (DecisionState::Rejected, ApprovalState::Approved) => Some("equal to what is approved: nothing to reject"),
            (DecisionState::Rejected, ApprovalState::Rejected) => Some("already rejected"),
            (DecisionState::Rejected, ApprovalState::Gone) => Some("gone: nothing served to reject"),
            _ => None,
        }
    }

    /// The rows that a decision on an entry is on.
    pub fn rows_of(&self, entry: &EntryId) -> Vec<&Row> {
        let Some(review) = &self.look.review else { return Vec::new() };
        match entry {
            EntryId::Row(id) => review.row(id).into_iter().collect(),
            EntryId::Group(id) => review.group(id).map(|group| review.rows_of(group).collect()).unwrap_or_default(),
            EntryId::Drift(..) => Vec::new(),
        }
    }

    /// The definitions that an entry is about: what is pinned and what is served.
    pub fn sides_of(&self, entry: &EntryId) -> impl Iterator<Item = &Arc<Item>> {
        let rows = self.rows_of(entry).into_iter();
        rows.flat_map(|row| row.pin.as_ref().map(|pin| &pin.item).into_iter().chain(&row.now))
    }

    /// Lists the members of the group that the selected row is in: what a person chose is not taken from the list.
    pub fn open_selected(&mut self) {
        let Some(EntryId::Row(id)) = &self.selected else { return };
        let Some(review) = &self.look.review else { return };
        let group = review.row(id).and_then(|row| review.drift_of(row)).and_then(|drift| drift.group.clone());
        if group.is_some_and(|group| self.opened.insert(group)) {
            self.revision += 1;
        }
    }

    /// One word of a filter against a server: a state word, or part of its id.
    pub fn matches(&self, word: &str) -> bool {
        let counts = self.look.review.as_ref().map(|review| review.counts).unwrap_or_default();
        match word {
            "drift" => matches!(self.state(), ServerState::Drift(_)),
            "new" => counts.new > 0,
            "gone" => counts.gone > 0,
            "rejected" => counts.rejected > 0,
            "unwatched" => matches!(self.look.phase, Phase::Unwatched(_)),
            "unknown" | "stale" => self.is_stale() || counts.unknown > 0 || self.unchecked().is_some(),
            "ok" => self.state() == ServerState::Approved,
            _ => self.look.id.to_lowercase().contains(word),
        }
    }

    pub fn state(&self) -> ServerState {
        let look = &self.look;
        if matches!(look.baseline, BaselineState::Refused(_)) {
            return ServerState::Refused;
        }
        if !look.asked.is_empty() {
            return ServerState::Input;
        }
        if matches!(look.phase, Phase::NeedsConsent(_)) {
            return ServerState::Consent;
        }
        if matches!(look.phase, Phase::NeedsSignIn(_)) {
            return ServerState::SignIn;
        }
        if let Phase::Unwatched(_) = look.phase {
            return if self.needs_watching() { ServerState::Unwatched } else { ServerState::Off };
        }
        let counts = look.review.as_ref().map(|review| review.counts).unwrap_or_default();
        let partial = look.surface.as_ref().is_some_and(|surface| surface.overall() != Overall::Complete);
        // A drift of the server as a whole has no row; it is a drift all the same.
        let rowless = look.review.as_ref().is_some_and(|review| {
            !review.drifts.is_empty() && counts.drifted + counts.new + counts.gone + counts.rejected == 0
        });
        match look.phase {
            _ if counts.drifted > 0 => ServerState::Drift(counts.drifted),
            _ if counts.new > 0 => ServerState::New(counts.new),
            _ if counts.gone > 0 => ServerState::Gone(counts.gone),
            _ if rowless => ServerState::Drift(look.review.as_ref().map_or(0, |review| review.drifts.len())),
            _ if self.is_stale() => ServerState::Stale,
            _ if look.baseline == BaselineState::Verifying => ServerState::Busy("verifying"),
            Phase::Waiting if look.review.is_none() => ServerState::Busy("waiting"),
            Phase::Starting if look.review.is_none() => ServerState::Busy("starting"),
            _ if look.review.is_none() => ServerState::Busy("listing"),
            _ if partial => ServerState::Partial,
            _ if self.unchecked().is_some() => ServerState::Unchecked,
            _ if counts.unknown > 0 => ServerState::Unknown(counts.unknown),
            _ if counts.rejected > 0 => ServerState::Rejected(counts.rejected),
            _ => ServerState::Approved,
        }
    }
}

/// Of the rows that wait for a decision, and of the drifts without a row.
fn worst(review: &Review) -> Option<Severity> {
    let own = review.weighed().filter(|(row, _)| row.state.needs_decision()).filter_map(|(_, severity)| severity);
    let with_row: HashSet<&ItemId> = review.rows.iter().map(|row| &row.id.item).collect();
    let others = review.drifts.iter().filter(|drift| !with_row.contains(&drift.id)).map(|drift| drift.severity);
    own.chain(others).max()
}
