//! What differs between two definitions as lines: the texts that a model reads first, everything else of the definitions
//! later.

use super::page::{Document, Form};
use super::rows::{Rows, body};
use super::source::Source;
use crate::canon::Pointer;
use crate::digest::Item;
use crate::drift::{Marks, Part, Parts};
use crate::text::{LineKind, WordRun, lines, visible};
use crate::tui::line::{Line, Role};

/// The evidence of a change.
pub struct Evidence {
    parts: Parts,
    /// What the one definition is called, where there is nothing to compare it with.
    alone: Option<&'static str>,
}

impl Evidence {
    /// Of the two definitions, or of the one there is.
    pub fn of(source: &Source<'_>) -> Self {
        let side = source.drifts.first().map(|drift| &drift.side);
        let row = source.row;
        let pinned = side.and_then(|side| side.pinned.as_ref()).or(row.and_then(|row| Some(&row.pin.as_ref()?.item)));
        let now = side.and_then(|side| side.now.as_ref()).or(row.and_then(|row| row.now.as_ref()));
        let json = source.manner.form == Form::Json;
        let parts = Parts::of(pinned.map(AsRef::as_ref), now.map(AsRef::as_ref), &source.findings, json);
        let alone = match (pinned, now) {
            (Some(pinned), Some(now)) if pinned.digests.surface != now.digests.surface => None,
            (_, Some(_)) => Some("definition"),
            (_, None) => Some("approved definition"),
        };
        Self { parts, alone }
    }

    pub fn write_texts(&self, source: &Source<'_>, document: &mut Document) {
        self.write(source, document, &self.parts.texts, self.alone, false);
    }

    /// Everything else, as JSON. `texts_end` is the line after the texts: a definition that goes on there needs no heading.
    pub fn write_rest(&self, source: &Source<'_>, document: &mut Document, texts_end: usize) {
        let heading = self.alone.filter(|_| document.lines.len() > texts_end).map(|_| "rest of the definition");
        self.write(source, document, &self.parts.rest, heading, true);
    }

    fn write(&self, source: &Source<'_>, document: &mut Document, parts: &[Part], alone: Option<&str>, as_json: bool) {
        if let (Some(alone), false) = (alone, parts.is_empty()) {
            document.heading(alone);
        }
        for part in parts {
            let marks = part.after.as_ref().map(|after| Marks::of(&source.findings, &part.path, after, part.is_string));
            let marks = marks.unwrap_or_default();
            if self.alone.is_some() {
                one(source, document, part, &marks);
                continue;
            }
            let mut heading = Line::quoted(Role::Heading, &part.heading);
            match (&part.before, &part.after) {
                (None, _) => heading.put(Role::Dim, "  new"),
                (_, None) => heading.put(Role::Dim, "  removed"),
                _ => &mut heading,
            };
            heading.put(Role::Dim, if as_json { "  as JSON" } else { "" });
            document.part(heading);
            field(source, document, part.before.as_deref(), part.after.as_deref(), &marks);
        }
    }
}

/// A definition that nothing is compared with, in few lines.
pub fn brief(source: &Source<'_>, document: &mut Document, item: &Item) {
    for part in &Parts::brief(item).texts {
        one(source, document, part, &Marks::default());
    }
}

/// A part of a definition that stands alone.
fn one(source: &Source<'_>, document: &mut Document, part: &Part, marks: &Marks) {
    let named = part.path != Pointer::root();
    let mut start = 0;
    for (at, row) in part.after.as_ref().or(part.before.as_ref()).map_or("", String::as_str).split('\n').enumerate() {
        let mut line = Line::default();
        let own = WordRun { text: visible(row), changed: false };
        document.marks |= own.text.has_marks();
        let told = source.manner.form.told();
        let body = body(std::slice::from_ref(&own), [Role::Text; 2], marks, start, told);
        let indent = match at {
            0 if named => {
                line.quote(Role::Dim, &part.heading).put(Role::Dim, "  ");
                2
            }
            0 => 2,
            _ => {
                line.put(Role::Text, "  ");
                4
            }
        };
        line.join(body);
        let rows = source.rows(document, &line, source.width, indent);
        document.lines.extend(rows);
        start += row.len() + 1;
    }
}

/// The lines of one member that differ, with the lines around them.
fn field(source: &Source<'_>, document: &mut Document, before: Option<&str>, after: Option<&str>, marks: &Marks) {
    let absent = |kind| match kind {
        LineKind::Removed => before.is_none(),
        LineKind::Added => after.is_none(),
        LineKind::Equal => false,
    };
    let mut diff = lines(before.unwrap_or_default(), after.unwrap_or_default());
    diff.retain(|line| !absent(line.kind));
    let starts = after.unwrap_or_default().split('\n').scan(0, |next, line| {
        let start = *next;
        *next += line.len() + 1;
        Some(start)
    });
    Rows { source, marks, starts: starts.collect(), digits: Rows::digits(source, &diff) }.write(document, diff);
}
