//! What a definition said when a call of it was allowed, and whether it was approved then.
//!
//! Pure: calls from other systems' logs, definitions and decisions in, an answer for each call out. What is not known is said so.

use crate::canon::indented;
use crate::digest::{Item, Sha256, SurfaceDigest};
use crate::interop::call::{Call, Verdict};
use crate::surface::ItemId;
use crate::text::is_hidden;
use jiff::Timestamp;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A definition that is at hand.
#[derive(Clone, Debug)]
pub struct KnownDefinition {
    /// The server.
    pub server: String,
    /// The definition.
    pub item: Arc<Item>,
    /// What decisions on it bind to: its own digest, and with values that may vary that of its pin.
    pub binds: Vec<SurfaceDigest>,
}

impl KnownDefinition {
    /// The definition as JSON text.
    pub fn text(&self) -> String {
        indented(&self.item.definition.as_read(), &is_hidden)
    }
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
    /// By the digest that calls are bound to: several servers may serve one definition, and several definitions of a server
    /// may differ only in what that digest does not cover.
    pub known: BTreeMap<Sha256, Vec<KnownDefinition>>,
    /// Of each server, in order of time: what this machine's log says, then what the repository's history says.
    pub decided: BTreeMap<String, [Vec<Decided>; 2]>,
}

/// Why it cannot be told of a digest that several definitions of a server have.
const SEVERAL: &str = "its digest is of several definitions, and not all of them were approved then";

impl Ledger {
    /// How the definition of a call stood when it was made, and which it is.
    pub fn standing(&self, call: &Call) -> (Standing, Option<&KnownDefinition>) {
        let Some(digest) = &call.definition else { return (Standing::NotVisible, None) };
        let Some(known) = self.known.get(digest).filter(|known| !known.is_empty()) else {
            return (Standing::Unknown("no definition at hand has this digest"), None);
        };
        let Some(at) = call.at else { return (Standing::Unknown("the line has no time"), known.first()) };
        let mut servers: BTreeMap<&str, Vec<&KnownDefinition>> = BTreeMap::new();
        for one in known {
            servers.entry(&one.server).or_default().push(one);
        }
        // Where several servers serve it, the worst counts: which of them was called is not said.
        let each = servers.values().filter_map(|own| self.on_server(own, at));
        let worst = each.min_by_key(|(stood, _)| rank(&stood.standing));
        worst.map_or((Standing::Never, None), |(stood, known)| (stood.standing, Some(known)))
    }

    /// How the definitions of a server that have one digest stood: which of them was called is not said either. One that a
    /// later decision took out of force says nothing of what is served since then.
    fn on_server<'a>(&self, own: &[&'a KnownDefinition], at: Timestamp) -> Option<(Stood, &'a KnownDefinition)> {
        let mut each: Vec<_> = own.iter().map(|known| (self.of(known, at), *known)).collect();
        let is_approved = |(stood, _): &(Stood, _)| matches!(stood.standing, Standing::Approved(..));
        let any_approved = each.iter().any(is_approved);
        each.retain(|(stood, _)| !(any_approved && stood.is_withdrawn));
        let all_approved = each.iter().all(is_approved);
        // Of several that were approved the one that was approved last.
        let since = |stood: &Stood| if let Standing::Approved(at, _) = stood.standing { Some(at) } else { None };
        let (mut worst, known) =
            each.into_iter().min_by_key(|(stood, _)| (rank(&stood.standing), Reverse(since(stood))))?;
        if any_approved && !all_approved {
            worst.standing = Standing::Unknown(SEVERAL);
        }
        Some((worst, known))
    }

    fn of(&self, known: &KnownDefinition, at: Timestamp) -> Stood {
        let none = [Vec::new(), Vec::new()];
        let histories = self.decided.get(&known.server).unwrap_or(&none);
        let answers = histories.iter().filter_map(|history| stood(history, known, at));
        // What one history does not know, the other may.
        answers
            .min_by_key(|stood| usize::from(stood.standing == Standing::Never))
            .unwrap_or(Standing::Unknown("no history reaches back to that time").into())
    }
}

/// The worst first.
fn rank(standing: &Standing) -> u8 {
    match standing {
        Standing::Rejected(..) => 0,
        Standing::Never => 1,
        Standing::Unknown(_) | Standing::NotVisible => 2,
        Standing::Approved(..) => 3,
    }
}

/// How one definition stood.
struct Stood {
    standing: Standing,
    /// Whether it had been decided on before, and a later decision ended that.
    is_withdrawn: bool,
}

impl From<Standing> for Stood {
    fn from(standing: Standing) -> Self {
        Self { standing, is_withdrawn: false }
    }
}

/// What a history says of a definition at a time; none where it begins later.
fn stood(history: &[Decided], known: &KnownDefinition, at: Timestamp) -> Option<Stood> {
    let before: Vec<_> = history.iter().filter(|one| one.at <= at).collect();
    if before.is_empty() {
        return None;
    }
    let mut stood = Stood::from(Standing::Never);
    for one in before {
        if one.item.as_ref().is_some_and(|item| *item != known.item.id) {
            continue;
        }
        let is_meant = |digest: Option<SurfaceDigest>| digest.is_some_and(|digest| known.binds.contains(&digest));
        if is_meant(one.to) {
            let said = (one.since, one.by.clone());
            let standing =
                if one.rejects { Standing::Rejected(said.0, said.1) } else { Standing::Approved(said.0, said.1) };
            stood = standing.into();
        } else if one.item.is_none() || (is_meant(one.from) && !one.rejects) {
            stood.is_withdrawn |= stood.standing != Standing::Never;
            stood.standing = Standing::Never;
        }
    }
    Some(stood)
}

/// Whether a call was allowed on a definition that was not approved then.
pub fn is_bad(call: &Call, standing: &Standing) -> bool {
    call.verdict == Verdict::Allowed && matches!(standing, Standing::Never | Standing::Rejected(..))
}

/// Whether it cannot be told.
pub fn is_open(standing: &Standing) -> bool {
    matches!(standing, Standing::Unknown(_) | Standing::NotVisible)
}
