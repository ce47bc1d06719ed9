//! One entry as lines to read: the words first, then what is suspicious, the schema verdict, the diff, the digests.
//!
//! Pure and without a size limit of its own: a document is made once for a width and scrolled afterwards.

mod diff;
mod digests;
mod group;
mod marks;
mod rows;
mod words;

pub use rows::BESIDE;

use super::glyph::Glyphs;
use super::line::Line;
use super::model::{Entry, EntryId, NO_LONGER_SERVED, NOT_PINNED, Server, Sort, entries, name, state_word};
use super::theme::Role;
use crate::drift::{Drift, Finding, Group, findings, form_findings};
use crate::review::{ApprovalState, Review, Row};
use crate::text::Told;
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
    /// Whether some line of a definition is cut short: then not all of it can have been shown.
    pub cut: bool,
    /// Whether a mark stands for some run of hidden characters, or would.
    pub marks: bool,
}

/// How a diff is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    /// Unchanged lines around a change.
    pub context: usize,
    /// Both sides beside each other, where there is room.
    pub beside: bool,
    /// Whether long lines go on in the next row; else they are cut.
    pub wrap: bool,
    /// How its texts are written.
    pub form: Form,
}

/// How the texts of a definition are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// As text, a run of hidden characters as one mark.
    #[default]
    Marked,
    /// As text, each hidden character by itself.
    Opened,
    /// The whole definition as JSON, as the baseline's file has it.
    Json,
}

impl Form {
    /// The next one; `marks` says whether there is a mark to open.
    #[must_use]
    pub fn next(self, marks: bool) -> Self {
        match self {
            Self::Marked if marks => Self::Opened,
            Self::Marked | Self::Opened => Self::Json,
            Self::Json => Self::Marked,
        }
    }

    fn told(self) -> Told {
        if self == Self::Opened { Told::Open } else { Told::Mark }
    }
}

impl Default for Manner {
    fn default() -> Self {
        Self { context: 3, beside: false, wrap: true, form: Form::default() }
    }
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
    /// How its diff is shown.
    pub manner: Manner,
    /// What is suspicious in the definition served now.
    pub findings: Vec<Finding>,
    /// What is compared.
    pub sides: Sides,
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
        manner: Manner,
        glyphs: &'a Glyphs,
        zone: &'a TimeZone,
    ) -> Option<Self> {
        let review = server.look.review.as_deref()?;
        let row = match &entry.id {
            EntryId::Row(id) => Some(review.row(id)?),
            EntryId::Drift(..) | EntryId::Group(_) => None,
        };
        let own = row.and_then(|row| review.drift_of(row));
        let about = |drift: &&Drift| match &entry.id {
            EntryId::Row(id) => drift.id == id.item && own.is_none_or(|own| !std::ptr::eq(own, *drift)),
            EntryId::Drift(drift_type, id) => drift.id == *id && drift.drift_type == *drift_type,
            EntryId::Group(_) => false,
        };
        let drifts: Vec<_> = own.into_iter().chain(review.drifts.iter().filter(about)).collect();
        // At first contact nothing has drifted, and what is suspicious is shown all the same.
        let now = row.and_then(|row| row.now.as_deref()).filter(|_| drifts.is_empty());
        let form = now.map(|item| form_findings(item, server.look.observed_as.as_ref())).unwrap_or_default();
        let alone = form.into_iter().chain(now.map(findings).unwrap_or_default());
        let findings = drifts.iter().flat_map(|drift| drift.findings.clone()).chain(alone).collect();
        Some(Self { server, entry, row, drifts, width, manner, findings, sides: Sides::Pinned, glyphs, zone })
    }
}

/// The group that an entry stands for, and the review that it is in.
fn group_of<'a>(source: &Source<'a>) -> Option<(&'a Review, &'a Group)> {
    let EntryId::Group(id) = &source.entry.id else { return None };
    let review = source.server.look.review.as_deref()?;
    Some((review, review.group(id)?))
}

/// The change of an entry.
pub fn change(source: &Source<'_>) -> Document {
    if let Some((review, group)) = group_of(source) {
        return group::change(source, review, group);
    }
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

/// What the two sides of a change are, and how they are spoken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// The pin, and what is served now.
    Pinned,
    /// Two versions of which neither needs to be pinned or served.
    Compared,
}

impl Sides {
    /// What they are called.
    fn names(self) -> [&'static str; 2] {
        match self {
            Self::Pinned => ["pinned", "now"],
            Self::Compared => ["before", "after"],
        }
    }

    /// What is said where one of them is not there.
    fn missing(self) -> [&'static str; 2] {
        match self {
            Self::Pinned => ["not pinned", "not served"],
            Self::Compared => ["none"; 2],
        }
    }

    /// What a state is called: how things stand, or what became of the earlier one.
    fn state_word(self, state: ApprovalState) -> &'static str {
        match (self, state) {
            (Self::Pinned, _) => state_word(state),
            (Self::Compared, ApprovalState::New) => "added",
            (Self::Compared, ApprovalState::Gone) => "removed",
            (Self::Compared, _) => "changed",
        }
    }
}

/// A comparison of two versions: what differs as a list, then each change in full.
pub fn compared(server: &Server, width: usize, manner: Manner, glyphs: &Glyphs, zone: &TimeZone) -> Document {
    let mut document = Document::default();
    let mut entries = entries(server, "", Sort::default());
    entries.retain(|entry| entry.severity.is_some());
    if entries.is_empty() {
        document.push(Line::of(Role::StateApproved, "nothing differs"));
    }
    // A list of one is its own heading.
    for entry in entries.iter().filter(|_| entries.len() > 1) {
        document.push_wrapped(&summary(entry), width, 2);
    }
    for entry in &entries {
        let Some(mut source) = Source::of(server, entry, width, manner, glyphs, zone) else { continue };
        source.sides = Sides::Compared;
        document.part(summary(entry));
        let change = change(&source);
        document.cut |= change.cut;
        document.marks |= change.marks;
        document.lines.extend(change.lines);
    }
    document
}

/// `~ create_issue  description · schema`: changed, added or removed.
fn summary(entry: &Entry) -> Line {
    let (sign, role) = match entry.state {
        Some(ApprovalState::New) => ("+", Role::Added),
        Some(ApprovalState::Gone) => ("-", Role::Removed),
        _ => ("~", Role::StateDrift),
    };
    let words = [(NOT_PINNED, ApprovalState::New), (NO_LONGER_SERVED, ApprovalState::Gone)];
    let words = words.into_iter().find_map(|(now, state)| {
        Some(format!("{}{}", Sides::Compared.state_word(state), entry.summary.strip_prefix(now)?))
    });
    let (kind, key) = name(entry.item());
    let mut line = Line::of(role, format!("{sign} "));
    line.put(Role::Heading, kind).quote(Role::Heading, key);
    line.put(Role::Text, "  ").quote(Role::Text, words.as_ref().unwrap_or(&entry.summary));
    line
}

/// Every digest of an entry.
pub fn digests(source: &Source<'_>) -> Document {
    let mut document = Document::default();
    match group_of(source) {
        Some((review, group)) => group::digests(source, &mut document, review, group),
        None => digests::full(source, &mut document),
    }
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

    /// A line of a definition as rows of at most `width` cells: wrapped, or cut where the person wants that.
    fn rows(&mut self, line: &Line, source: &Source<'_>, width: usize, indent: usize) -> Vec<Line> {
        if source.manner.wrap {
            return line.wrap(width, indent);
        }
        self.cut |= line.width() > width;
        vec![line.clone().fit_counting(width, source.glyphs.ellipsis)]
    }

    /// Appends a line of a definition.
    fn push_text(&mut self, line: &Line, source: &Source<'_>, indent: usize) {
        let rows = self.rows(line, source, source.width, indent);
        self.lines.extend(rows);
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
