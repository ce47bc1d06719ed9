//! What a person did since the start: read, put off, marked, decided. Gone when pinwatch ends.

use super::dialog::Made;
use super::entry::EntryId;
use crate::config::consent::ConsentRequest;
use crate::digest::SurfaceDigest;
use crate::pin::DecisionState;
use crate::review::{Row, RowId};
use crate::surface::{ItemId, ServerId};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// Changes that are remembered as read or rung for; past it what no server shows any more is forgotten.
pub const MAX_REMEMBERED: usize = 20_000;

/// A row as it was marked or put off: another definition has neither.
pub type RowAsShown = (ServerId, RowId, SurfaceDigest);

/// A change that was read: server, pinned and served digest, of which each has the item's name in it.
pub type Seen = (ServerId, Option<SurfaceDigest>, Option<SurfaceDigest>);

/// A decision that was sent and is not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    pub verdict: DecisionState,
    pub items: Vec<ItemId>,
    /// The entry that was decided on while it was selected: from there the selection goes on.
    pub from: Option<EntryId>,
}

#[derive(Clone, Debug, Default)]
pub struct Session {
    /// Changes whose last line was on the screen.
    pub seen: HashSet<Seen>,
    pub skipped: HashSet<RowAsShown>,
    /// Servers that are not watched, put off.
    pub left_unwatched: HashSet<ServerId>,
    /// Rows marked for a decision on several.
    pub marked: HashSet<RowAsShown>,
    /// Launches marked to be agreed to together.
    pub marked_launches: Vec<Arc<ConsentRequest>>,
    /// Launches that were on the screen whole.
    pub shown_launches: Vec<Arc<ConsentRequest>>,
    /// Servers whose agreement was kept since the last key.
    pub agreed: Vec<ServerId>,
    /// Decisions sent and not answered.
    pub deciding: BTreeMap<ServerId, Sent>,
    /// Decisions that can be taken back, the last one last.
    pub made: Vec<Made>,
    pub recorded: Vec<ServerId>,
    /// What was decided and recorded, for the lines printed after.
    pub decided: Vec<String>,
    /// Writes asked for and not answered.
    pub pending: usize,
    /// Whether the person wants to leave, as soon as nothing is pending.
    pub leaving: bool,
    /// Critical rows that were rung for.
    pub rung: HashSet<(ServerId, SurfaceDigest)>,
    /// The title that was set; empty while the window has its own.
    pub titled: String,
}

impl Session {
    /// What reading a change to its end leaves in `seen`.
    pub fn seen_of(server: &ServerId, row: &Row) -> Seen {
        let pinned = row.pin.as_ref().map(|pin| pin.item.digests.surface);
        let now = row.now.as_ref().map(|item| item.digests.surface);
        (server.clone(), pinned, now)
    }

    /// Whether the last line of a row's change was on the screen.
    pub fn is_seen(&self, server: &ServerId, row: &Row) -> bool {
        self.seen.contains(&Self::seen_of(server, row))
    }

    pub fn is_skipped(&self, server: &ServerId, row: &Row) -> bool {
        is_among(&self.skipped, server, row)
    }

    /// Takes every mark off; whether there was one.
    pub fn unmark(&mut self) -> bool {
        let (rows, launches) = (std::mem::take(&mut self.marked), std::mem::take(&mut self.marked_launches));
        !(rows.is_empty() && launches.is_empty())
    }

    pub fn is_marked(&self, server: &ServerId, row: &Row) -> bool {
        is_among(&self.marked, server, row)
    }
}

fn is_among(rows: &HashSet<RowAsShown>, server: &ServerId, row: &Row) -> bool {
    !rows.is_empty() && row.decides_on().is_some_and(|digest| rows.contains(&(server.clone(), row.id.clone(), digest)))
}
