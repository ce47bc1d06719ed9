//! What a definition said when a call of it was allowed, and whether it was approved then.
//!
//! Pure: calls from other systems' logs, definitions and decisions in, an answer for each call out. What is not known is said so.

use crate::digest::{Sha256, SurfaceDigest};
use crate::interop::call::{Call, Verdict};
use crate::surface::ItemId;
use jiff::Timestamp;
use std::collections::BTreeMap;

/// A definition that is at hand, by the digest that a call may be bound to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// The server.
    pub server: String,
    /// The item.
    pub item: ItemId,
    /// What decisions on it bind to: its own digest, and with values that may vary that of its pin.
    pub binds: Vec<SurfaceDigest>,
    /// The definition as JSON text.
    pub text: String,
}

/// What somebody decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// When.
    pub at: Timestamp,
    /// Since when, where that was earlier: what a commit brought was decided before it.
    pub since: Timestamp,
    /// By whom.
    pub by: String,
    /// The item; none for all of a server.
    pub item: Option<ItemId>,
    /// What no longer stands by it.
    pub from: Option<SurfaceDigest>,
    /// What stands by it.
    pub to: Option<SurfaceDigest>,
    /// Whether that is a refusal.
    pub rejects: bool,
}

/// How a definition stood at the time of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Approved, since when and by whom.
    Approved(Timestamp, String),
    /// Rejected.
    Rejected(Timestamp, String),
    /// Nobody had approved it.
    Never,
    /// It cannot be told: why.
    Unknown(&'static str),
    /// The line binds no definition.
    NotVisible,
}

impl Standing {
    /// Its word in reports.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Approved(..) => "approved",
            Self::Rejected(..) => "rejected",
            Self::Never => "never",
            Self::Unknown(_) => "unknown",
            Self::NotVisible => "not_visible",
        }
    }
}

/// Definitions and decisions.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// By the digest that calls are bound to; several servers may serve one definition.
    pub known: BTreeMap<Sha256, Vec<Known>>,
    /// Of each server, in order of time: what this machine's log says, then what the repository's history says.
    pub decided: BTreeMap<String, [Vec<Decided>; 2]>,
}

impl Ledger {
    /// How the definition of a call stood when it was made, and which it is.
    pub fn standing(&self, call: &Call) -> (Standing, Option<&Known>) {
        let Some(digest) = &call.definition else { return (Standing::NotVisible, None) };
        let Some(known) = self.known.get(digest).filter(|known| !known.is_empty()) else {
            return (Standing::Unknown("no definition at hand has this digest"), None);
        };
        let Some(at) = call.at else { return (Standing::Unknown("the line has no time"), known.first()) };
        let rank = |standing: &Standing| match standing {
            Standing::Rejected(..) => 0,
            Standing::Never => 1,
            Standing::Unknown(_) | Standing::NotVisible => 2,
            Standing::Approved(..) => 3,
        };
        // Where several servers serve it, the worst counts: which of them was called is not said.
        let each = known.iter().map(|known| (self.of(known, at), Some(known)));
        each.min_by_key(|(standing, _)| rank(standing)).unwrap_or((Standing::Never, None))
    }

    fn of(&self, known: &Known, at: Timestamp) -> Standing {
        let none = [Vec::new(), Vec::new()];
        let histories = self.decided.get(&known.server).unwrap_or(&none);
        let answers = histories.iter().filter_map(|history| stood(history, known, at));
        // What one history does not know, the other may.
        answers
            .min_by_key(|standing| usize::from(*standing == Standing::Never))
            .unwrap_or(Standing::Unknown("no history reaches back to that time"))
    }
}

/// What a history says of a definition at a time; none where it begins later.
fn stood(history: &[Decided], known: &Known, at: Timestamp) -> Option<Standing> {
    let before: Vec<_> = history.iter().filter(|one| one.at <= at).collect();
    if before.is_empty() {
        return None;
    }
    let mut standing = Standing::Never;
    for one in before {
        if one.item.as_ref().is_some_and(|item| *item != known.item) {
            continue;
        }
        let is_meant = |digest: Option<SurfaceDigest>| digest.is_some_and(|digest| known.binds.contains(&digest));
        if is_meant(one.to) {
            let said = (one.since, one.by.clone());
            standing =
                if one.rejects { Standing::Rejected(said.0, said.1) } else { Standing::Approved(said.0, said.1) };
        } else if one.item.is_none() || (is_meant(one.from) && !one.rejects) {
            standing = Standing::Never;
        }
    }
    Some(standing)
}

/// Whether a call was allowed on a definition that was not approved then.
pub fn is_bad(call: &Call, standing: &Standing) -> bool {
    call.verdict == Verdict::Allowed && matches!(standing, Standing::Never | Standing::Rejected(..))
}

/// Whether it cannot be told.
pub fn is_open(standing: &Standing) -> bool {
    matches!(standing, Standing::Unknown(_) | Standing::NotVisible)
}
