//! One entry as lines to read: the words first, then what is suspicious, the schema verdict, the diff, the digests.
//!
//! Pure and without a size limit of its own: a document is made once for a width and scrolled afterwards.

mod diff;
mod digests;
mod words;

use super::glyph::Glyphs;
use super::line::Line;
use super::model::{Entry, EntryId, Server};
use super::theme::Role;
use crate::drift::Drift;
use crate::review::Row;
use jiff::tz::TimeZone;

/// Lines to read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// From the top, each fitting the width it was made for.
    pub lines: Vec<Line>,
    /// Index of the last line of the change: who saw it has been shown the change.
    pub last_of_change: usize,
    /// Where its parts begin.
    pub parts: Vec<usize>,
}

/// What a document is made of.
pub struct Source<'a> {
    /// The server.
    pub server: &'a Server,
    /// The entry.
    pub entry: &'a Entry,
    /// Its row, unless it is a drift of the server as a whole.
    pub row: Option<&'a Row>,
    /// Every drift of the item, worst first.
    pub drifts: Vec<&'a Drift>,
    /// Cells a line.
    pub width: usize,
    /// Unchanged lines around a change.
    pub context: usize,
    /// The signs.
    pub glyphs: &'a Glyphs,
    /// The zone of clocks.
    pub zone: &'a TimeZone,
}

impl<'a> Source<'a> {
    /// The sources of an entry; none where the server has no review.
    pub fn of(
        server: &'a Server,
        entry: &'a Entry,
        width: usize,
        context: usize,
        glyphs: &'a Glyphs,
        zone: &'a TimeZone,
    ) -> Option<Self> {
        let review = server.look.review.as_deref()?;
        let row = match &entry.id {
            EntryId::Row(id) => Some(review.row(id)?),
            EntryId::Drift(..) => None,
        };
        let own = row.and_then(|row| review.drift_of(row));
        let about = |drift: &&Drift| match &entry.id {
            EntryId::Row(id) => drift.id == id.item && own.is_none_or(|own| !std::ptr::eq(own, *drift)),
            EntryId::Drift(drift_type, id) => drift.id == *id && drift.drift_type == *drift_type,
        };
        let drifts = own.into_iter().chain(review.drifts.iter().filter(about)).collect();
        Some(Self { server, entry, row, drifts, width, context, glyphs, zone })
    }
}

/// The change of an entry.
pub fn change(source: &Source<'_>) -> Document {
    let mut document = Document::default();
    words::head(source, &mut document);
    words::reasons(source, &mut document);
    words::findings(source, &mut document);
    words::schemas(source, &mut document);
    diff::write(source, &mut document);
    document.last_of_change = document.lines.len().saturating_sub(1);
    digests::short(source, &mut document);
    document
}

/// Every digest of an entry.
pub fn digests(source: &Source<'_>) -> Document {
    let mut document = Document::default();
    digests::full(source, &mut document);
    document.last_of_change = document.lines.len();
    document
}

impl Document {
    fn push(&mut self, line: Line) {
        self.lines.push(line);
    }

    /// Appends a line, wrapped; the following lines hang under `indent`.
    fn push_wrapped(&mut self, line: &Line, width: usize, indent: usize) {
        self.lines.extend(line.wrap(width, indent));
    }

    /// One empty line, unless there is one already.
    fn gap(&mut self) {
        if self.lines.last().is_some_and(|line| !line.pieces.is_empty()) {
            self.lines.push(Line::default());
        }
    }

    /// Begins a part with its heading.
    fn part(&mut self, heading: Line) {
        self.gap();
        self.parts.push(self.lines.len());
        self.lines.push(heading);
    }

    fn heading(&mut self, text: &str) {
        self.part(Line::of(Role::Heading, text));
    }
}
