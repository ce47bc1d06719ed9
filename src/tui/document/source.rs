//! What a document is made of: an entry of a server's review, a width, and how it is to be shown.

use super::page::{Document, Manner};
use crate::drift::{Drift, Finding, form_findings};
use crate::review::{ApprovalState, Row};
use crate::tui::glyph::Glyphs;
use crate::tui::line::Line;
use crate::tui::model::{Entry, EntryId, Server};
use crate::tui::setup::Setup;
use crate::tui::words::state_word;
use jiff::tz::TimeZone;

pub struct Source<'a> {
    pub server: &'a Server,
    pub entry: &'a Entry,
    /// Its row; none for a group.
    pub row: Option<&'a Row>,
    /// Every drift of the item, worst first.
    pub drifts: Vec<&'a Drift>,
    pub width: usize,
    pub manner: Manner,
    /// What is suspicious in the definition served now.
    pub findings: Vec<Finding>,
    pub sides: Sides,
    pub glyphs: &'a Glyphs,
    pub zone: &'a TimeZone,
}

impl<'a> Source<'a> {
    /// The sources of an entry; none where the server has no review.
    pub fn of(server: &'a Server, entry: &'a Entry, width: usize, manner: Manner, setup: &'a Setup) -> Option<Self> {
        let (glyphs, zone) = (&setup.glyphs, &setup.zone);
        let review = server.look.review.as_deref()?;
        let row = match &entry.id {
            EntryId::Row(id) => Some(review.row(id)?),
            EntryId::Group(_) => None,
        };
        let own = row.and_then(|row| review.drift_of(row));
        let about = |drift: &&Drift| match &entry.id {
            EntryId::Row(id) => drift.id == id.item && own.is_none_or(|own| !std::ptr::eq(own, *drift)),
            EntryId::Group(_) => false,
        };
        let drifts: Vec<_> = own.into_iter().chain(review.drifts.iter().filter(about)).collect();
        // At first contact nothing has drifted, and what is suspicious is shown all the same.
        let now = row.and_then(|row| row.now.as_deref()).filter(|_| drifts.is_empty());
        let settings = (&*server.look.policy.signatures, &*server.look.policy.findings);
        let seen_as = server.look.observed_as.as_ref();
        let form = now.map(|item| form_findings(item, seen_as, settings)).unwrap_or_default();
        let own = row.filter(|_| now.is_some()).map(|row| row.findings.clone()).unwrap_or_default();
        let alone = form.into_iter().chain(own);
        let findings = drifts.iter().flat_map(|drift| drift.findings.clone()).chain(alone).collect();
        Some(Self { server, entry, row, drifts, width, manner, findings, sides: Sides::Pinned, glyphs, zone })
    }
}

impl Source<'_> {
    /// A line of a definition as rows of at most `width` cells: wrapped, or cut where the person wants that.
    pub(super) fn rows(&self, document: &mut Document, line: &Line, width: usize, indent: usize) -> Vec<Line> {
        if self.manner.wrap {
            return line.wrap(width, indent);
        }
        document.cut |= line.width() > width;
        vec![line.clone().fit_counting(width, self.glyphs.ellipsis)]
    }

    /// Whether the file says that the item is approved, and this machine's own log does not.
    pub(super) fn decided_by_file(&self) -> bool {
        self.row.is_some_and(|row| self.server.decided_by_file(row))
    }
}

/// What the two sides of a change are, and how they are spoken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// The pin, and what is served now.
    Pinned,
    /// Two versions of which neither needs to be pinned or served.
    Compared,
}

impl Sides {
    pub(super) fn names(self) -> [&'static str; 2] {
        match self {
            Self::Pinned => ["pinned", "now"],
            Self::Compared => ["before", "after"],
        }
    }

    /// What a state is called: how things stand, or what became of the earlier one.
    pub(super) fn state_word(self, state: ApprovalState) -> &'static str {
        match (self, state) {
            (Self::Pinned, _) => state_word(state),
            (Self::Compared, ApprovalState::New) => "added",
            (Self::Compared, ApprovalState::Gone) => "removed",
            (Self::Compared, _) => "changed",
        }
    }
}
