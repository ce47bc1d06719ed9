//! Approval states, one row an item.

use crate::canon::Pointer;
use crate::digest::{Item, SurfaceDigest};
use crate::drift::{self, Drift, Group, Severity};
use crate::finding::Finding;
use crate::identity::ServerIdentity;
use crate::pin::{Decision, Pin};
use crate::surface::{ItemId, Kind, Notice, Reason, ServerId};
use crate::text::MASK;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use strum::IntoStaticStr;

/// The approval state of an item; DESIGN.md defines each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum ApprovalState {
    /// Pinned and different.
    Drifted,
    /// No pin, and no rejection of this digest.
    New,
    /// Exactly this digest was rejected.
    Rejected,
    /// Pinned, and a complete observation lacks it.
    Gone,
    /// Pinned and not readable now.
    Unknown,
    /// Equal to the pin.
    Approved,
}

word!(ApprovalState);

impl ApprovalState {
    /// Whether a person is asked to decide.
    pub fn needs_decision(self) -> bool {
        matches!(self, Self::Drifted | Self::New | Self::Gone)
    }
}

/// What a row is recognised by across refreshes: the item, and which of several under one key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowId {
    /// Kind and key.
    pub item: ItemId,
    /// 0, or 1, 2, … for duplicates of one key.
    pub copy: usize,
}

/// One item's state.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Row {
    /// What it is recognised by.
    pub id: RowId,
    pub state: ApprovalState,
    pub now: Option<Arc<Item>>,
    pub pin: Option<Arc<Pin>>,
    /// The rejection of what is served now.
    pub rejected: Option<Box<Decision>>,
    /// Its drift, as an index into [`Review::drifts`].
    pub drift: Option<usize>,
    /// What is suspicious in an item that is new where nothing is pinned yet; elsewhere the drift has it.
    pub findings: Vec<Finding>,
    /// Why it is not pinned together with all others; only at first contact, elsewhere each is decided on by itself.
    pub doubt: Option<Box<Doubt>>,
}

/// What speaks against pinning an item that nobody named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// A sentence without a full stop. May quote the server.
    pub why: String,
    /// Whether a critical finding is what speaks against it.
    pub is_critical: bool,
}

impl Row {
    /// The digest that a decision on this row binds to: what is served now, or the pin that is gone.
    pub fn decides_on(&self) -> Option<SurfaceDigest> {
        let item = self.now.as_ref().or(self.pin.as_ref().map(|pin| &pin.item))?;
        Some(item.digests.surface)
    }
}

/// How many rows are in each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "each field is the state of its name")]
pub struct Counts {
    pub drifted: usize,
    pub new: usize,
    pub rejected: usize,
    pub gone: usize,
    pub unknown: usize,
    pub approved: usize,
}

/// One server's surface against its baseline: what the UI and every report show.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// The server.
    pub server: ServerId,
    /// Nothing is pinned yet: everything is new or rejected.
    pub first_contact: bool,
    /// One row an item, in the order of (state, kind, key, copy): what needs a decision first.
    pub rows: Vec<Row>,
    /// Every drift, worst first; each is of an item that has a row.
    pub drifts: Vec<Drift>,
    /// The causes that several undecided drifts share, worst first.
    pub groups: Vec<Group>,
    /// Rows by state.
    pub counts: Counts,
    /// What is odd and no drift.
    pub notices: Vec<Notice>,
    /// Kinds that were read whole: only there does absence mean gone.
    pub complete: BTreeSet<Kind>,
    /// Why the pins are not known to hold though nothing drifted: what the baseline is tied to is not checked.
    pub unchecked: Option<Reason>,
    /// Who the server is, as far as that was checked.
    pub identity: ServerIdentity,
}

impl Counts {
    /// Counts rows.
    pub(super) fn of(rows: &[Row]) -> Self {
        let mut counts = Self::default();
        for row in rows {
            *match row.state {
                ApprovalState::Drifted => &mut counts.drifted,
                ApprovalState::New => &mut counts.new,
                ApprovalState::Rejected => &mut counts.rejected,
                ApprovalState::Gone => &mut counts.gone,
                ApprovalState::Unknown => &mut counts.unknown,
                ApprovalState::Approved => &mut counts.approved,
            } += 1;
        }
        counts
    }
}

impl Review {
    /// The row that was shown as `id` and is decided on as `shown`. A name that holds a secret is shown with a mask in its
    /// place: then the digest says which row is meant.
    pub fn row_shown(&self, id: &RowId, shown: SurfaceDigest) -> Option<&Row> {
        self.row(id).or_else(|| self.row_masked(&id.item, shown))
    }

    /// The row of a masked name, by its digest.
    pub fn row_masked(&self, item: &ItemId, shown: SurfaceDigest) -> Option<&Row> {
        let is_meant = |row: &&Row| row.id.item.kind == item.kind && row.decides_on() == Some(shown);
        item.key.contains(MASK).then(|| self.rows.iter().find(is_meant)).flatten()
    }

    /// The row of an id.
    pub fn row(&self, id: &RowId) -> Option<&Row> {
        self.rows.iter().find(|row| row.id == *id)
    }

    /// The drift of a row.
    pub fn drift_of(&self, row: &Row) -> Option<&Drift> {
        self.drifts.get(row.drift?)
    }

    /// A group by its id.
    pub fn group(&self, id: &str) -> Option<&Group> {
        self.groups.iter().find(|group| group.id == id)
    }

    /// The rows of a group's members, in the order of rows.
    pub fn rows_of<'a>(&'a self, group: &'a Group) -> impl Iterator<Item = &'a Row> {
        self.rows.iter().filter(|row| row.drift.is_some_and(|index| group.members.binary_search(&index).is_ok()))
    }

    /// The row that a drift is shown at: its own, else its item's.
    pub fn row_of(&self, index: usize) -> Option<&Row> {
        let own = self.rows.iter().find(|row| row.drift == Some(index));
        let item = self.drifts.get(index).map(|drift| &drift.id);
        own.or_else(|| self.rows.iter().find(|row| Some(&row.id.item) == item))
    }

    /// The worst of a row's drifts in one line. May quote the server.
    pub fn headline_of<'a>(&'a self, row: &'a Row) -> Option<&'a str> {
        let drifts: Vec<_> = self.drifts_of(row).collect();
        drifts.into_iter().rev().max_by_key(|drift| drift.severity).map(Drift::headline)
    }

    /// Every drift of a row: its own first, then others of its item (`risk_level_changed`).
    pub fn drifts_of<'a>(&'a self, row: &'a Row) -> impl Iterator<Item = &'a Drift> {
        let taken = |index: usize| self.rows.iter().any(|other| other.drift == Some(index));
        let others = self.drifts.iter().enumerate();
        let others =
            others.filter(move |(index, drift)| row.drift.is_some() && drift.id == row.id.item && !taken(*index));
        self.drift_of(row).into_iter().chain(others.map(|(_, drift)| drift))
    }

    /// The same with more drifts, in their place: of what more than one server shows.
    #[must_use]
    pub fn with_drifts(&self, more: Vec<Drift>) -> Self {
        let mut found = self.clone();
        let mut all: Vec<(Option<usize>, Drift)> =
            found.drifts.drain(..).enumerate().map(|(index, drift)| (Some(index), drift)).collect();
        all.extend(more.into_iter().map(|drift| (None, drift)));
        all.sort_by(|(_, a), (_, b)| {
            (Reverse(a.severity), &a.id, a.drift_type).cmp(&(Reverse(b.severity), &b.id, b.drift_type))
        });
        let places: HashMap<usize, usize> =
            all.iter().enumerate().filter_map(|(now, (before, _))| Some(((*before)?, now))).collect();
        for row in &mut found.rows {
            row.drift = row.drift.and_then(|index| places.get(&index).copied());
        }
        for group in &mut found.groups {
            group.members = group.members.iter().filter_map(|index| places.get(index).copied()).collect();
            group.members.sort_unstable();
        }
        found.drifts = all.into_iter().map(|(_, drift)| drift).collect();
        found
    }

    /// The same, where `again` is what another start of the server showed: what differs between the two is the one drift
    /// of an item that is another one at each start.
    #[must_use]
    pub fn after_another_start(&self, again: &Self) -> Self {
        let other: HashMap<&RowId, &Row> = again.rows.iter().map(|row| (&row.id, row)).collect();
        let differing = self.rows.iter().filter_map(|row| {
            let (then, now) = (other.get(&row.id)?.now.as_ref()?, row.now.as_ref()?);
            if then.digests.surface == now.digests.surface || drift::is_of_the_server(&row.id.item) {
                return None;
            }
            let own = self.drift_of(row);
            let worst = own.into_iter().chain(again.drift_of(other[&row.id])).map(|drift| drift.severity).max();
            let variants = [Arc::clone(then), Arc::clone(now)];
            let pinned = row.pin.as_ref().map(|pin| &pin.item);
            Some((row.id.clone(), drift::unstable(own, pinned, &variants, worst.unwrap_or(Severity::Moderate))?))
        });
        let differing: Vec<_> = differing.collect();
        if differing.is_empty() { self.clone() } else { self.with_unstable(differing) }
    }

    /// The same with items that are other ones from look to look: one drift in the place of what each is at this moment.
    #[must_use]
    pub fn with_unstable(&self, items: Vec<(RowId, Drift)>) -> Self {
        let mut found = self.clone();
        for (id, drift) in items {
            let Some(row) = found.rows.iter_mut().find(|row| row.id == id) else { continue };
            let index = row.drift.unwrap_or(found.drifts.len());
            row.drift = Some(index);
            for group in &mut found.groups {
                group.members.retain(|member| *member != index);
            }
            match found.drifts.get_mut(index) {
                Some(own) => *own = drift,
                None => found.drifts.push(drift),
            }
        }
        // What is left of a group that an unstable member was in stands alone: its digest was of all of them.
        let whole = |group: &Group| group.members.len() == self.group(&group.id).map_or(0, |group| group.members.len());
        let broken: Vec<String> =
            found.groups.iter().filter(|group| !whole(group)).map(|group| group.id.clone()).collect();
        found.groups.retain(|group| !broken.contains(&group.id));
        for drift in &mut found.drifts {
            drift.group = drift.group.take().filter(|group| !broken.contains(group));
        }
        let mut found = found.with_drifts(Vec::new());
        found.groups.extend(drift::unstable_group(&mut found.drifts));
        found.groups.sort_by(|a, b| b.severity.cmp(&a.severity).then_with(|| a.id.cmp(&b.id)));
        found
    }

    /// Of the places that a person agreed to let vary those at which this row's item differs from look to look.
    pub fn varying_at(&self, row: &Row, agreed: &[Pointer]) -> Vec<Pointer> {
        let mut places = self.drift_of(row).map(drift::varying_places).unwrap_or_default();
        places.retain(|place| agreed.contains(place));
        places
    }

    /// Every finding of it: of what is new where nothing is pinned, and of what drifted.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        let drifts = self.drifts.iter().flat_map(|drift| &drift.findings);
        self.rows.iter().flat_map(|row| &row.findings).chain(drifts)
    }

    /// The same where tools that nobody pinned meet tools of other servers: a drift each, or where nothing is pinned yet, and
    /// so nothing has drifted, a notice of what is critical. What was decided meanwhile is left out.
    pub(super) fn meeting(&self, drifts: &[Drift]) -> Self {
        let asked: HashSet<(&ItemId, SurfaceDigest)> = self.unpinned_tools().map(|item| item.version()).collect();
        let is_asked = |drift: &&Drift| drift.side.now.as_ref().is_some_and(|item| asked.contains(&item.version()));
        let drifts = drifts.iter().filter(is_asked).cloned();
        let nothing_drifted = self.first_contact
            && self.rows.iter().all(|row| row.drift.is_none() || drift::is_of_the_server(&row.id.item));
        if !nothing_drifted {
            return self.with_drifts(drifts.collect());
        }
        // Calm ones say nothing that a person would act on before anything is approved.
        let worst = drifts.filter(|drift| drift.severity == Severity::Critical);
        let told = worst.flat_map(|drift| drift.reasons);
        let mut found = self.clone();
        found.notices.extend(told.map(|text| Notice { code: "name-collision", count: 1, text }));
        found
    }

    /// Every row with the worst of its drifts: its own, and what was found beside it (a name that meets another, a risk level).
    /// At first contact, where nothing drifts, what was found counts from moderate on.
    pub fn weighed(&self) -> impl Iterator<Item = (&Row, Option<Severity>)> {
        let owned: HashSet<usize> = self.rows.iter().filter_map(|row| row.drift).collect();
        let mut beside: HashMap<&ItemId, Severity> = HashMap::new();
        for (_, drift) in self.drifts.iter().enumerate().filter(|(index, _)| !owned.contains(index)) {
            let known = beside.entry(&drift.id).or_insert(drift.severity);
            *known = drift.severity.max(*known);
        }
        self.rows.iter().map(move |row| {
            let own = self.drift_of(row).map(|drift| drift.severity);
            let own = own.map(|own| beside.get(&row.id.item).map_or(own, |beside| own.max(*beside)));
            let doubted = row.doubt.as_ref().filter(|doubt| doubt.is_critical).map(|_| Severity::Critical);
            let found = row.findings.iter().map(|finding| finding.severity).max();
            (row, own.max(doubted).max(found.filter(|found| *found >= Severity::Moderate)))
        })
    }

    /// How bad the worst is of the rows that wait for a decision.
    pub fn worst(&self) -> Option<Severity> {
        self.weighed().filter(|(row, _)| row.state.needs_decision()).filter_map(|(_, severity)| severity).max()
    }

    /// The tools that nobody pinned under their name, and that wait for a decision.
    pub fn unpinned_tools(&self) -> impl Iterator<Item = &Arc<Item>> {
        let renamed = |row: &Row| row.pin.as_ref().is_some_and(|pin| pin.item.id != row.id.item);
        let asked = self.rows.iter().filter(move |row| {
            row.id.item.kind == Kind::Tool && row.state.needs_decision() && (row.pin.is_none() || renamed(row))
        });
        asked.filter_map(|row| row.now.as_ref())
    }

    /// The same while the server cannot be read: what was approved is unknown now, what waits for a decision still does.
    #[must_use]
    pub fn out_of_sight(&self) -> Self {
        let mut hidden = self.clone();
        for row in &mut hidden.rows {
            if row.state == ApprovalState::Approved {
                row.state = ApprovalState::Unknown;
            }
        }
        hidden.counts = Counts::of(&hidden.rows);
        hidden.rows.sort_by(|a, b| (a.state, &a.id).cmp(&(b.state, &b.id)));
        hidden
    }
}
