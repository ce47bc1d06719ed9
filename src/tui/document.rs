//! One entry as lines to read: its headline, the texts that changed, what is suspicious in them, the schemas in sentences,
//! whether existing calls still work, and the rest of the definitions as JSON. Digests are a document of their own.
//!
//! Pure and without a size limit of its own: a document is made once for a width and scrolled afterwards.

mod diff;
mod digests;
mod group;
mod page;
mod rows;
mod source;
mod words;

pub use page::{Document, Form, Manner};
pub use rows::BESIDE;
pub use source::{Sides, Source};

use self::diff::Evidence;
use super::glyph::Glyphs;
use super::line::{Line, Role};
use super::model::{Entry, EntryId, Server};
use super::setup::Setup;
use super::words::severity_role;
use crate::drift::Group;
use crate::review::{ApprovalState, Review};

/// The group that an entry stands for, and the review that it is in.
fn group_of<'a>(source: &Source<'a>) -> Option<(&'a Review, &'a Group)> {
    let EntryId::Group(id) = &source.entry.id else { return None };
    let review = source.server.look.review.as_deref()?;
    Some((review, review.group(id)?))
}

pub fn change(source: &Source<'_>) -> Document {
    if let Some((review, group)) = group_of(source) {
        return group::change(source, review, group);
    }
    let mut document = Document::of(source.width);
    let evidence = Evidence::of(source);
    let headline = words::head(source, &mut document);
    evidence.write_texts(source, &mut document);
    let told = document.lines.len();
    words::findings(source, &mut document, headline, true);
    words::schemas(source, &mut document, headline);
    evidence.write_rest(source, &mut document, told);
    document.last_of_change = document.lines.len().saturating_sub(1);
    document
}

/// The headline of a change, then what is suspicious in it and no mere information, without any evidence: before a decision,
/// which asks for that to be read.
pub fn outline(source: &Source<'_>, document: &mut Document) {
    let headline = words::head(source, document);
    words::findings(source, document, headline, false);
}

/// What differs between two versions: as a list where it is more than one, then each change in full, with its name where
/// that `is_named` by nothing else.
pub fn compared(
    server: &Server,
    entries: &[&Entry],
    (is_named, width): (bool, usize),
    manner: Manner,
    setup: &Setup,
) -> Document {
    let mut document = Document::of(width);
    if entries.is_empty() {
        document.push(Line::of(Role::StateApproved, "No differences"));
    }
    for entry in entries.iter().filter(|_| entries.len() > 1) {
        document.say(&compared_row(entry, &setup.glyphs), 4);
    }
    for entry in entries {
        let Some(mut source) = Source::of(server, entry, width, manner, setup) else { continue };
        source.sides = Sides::Compared;
        if is_named {
            document.part(compared_row(entry, &setup.glyphs));
        }
        let change = change(&source);
        document.cut |= change.cut;
        document.marks |= change.marks;
        document.lines.extend(change.lines);
    }
    document
}

/// `▲ ~ create_issue  Tells the model to read a secret file`: how bad it is, whether it changed, came or went, and how.
pub fn compared_row(entry: &Entry, glyphs: &Glyphs) -> Line {
    let (sign, role) = match entry.state {
        ApprovalState::New => ("+", Role::Added),
        ApprovalState::Gone => ("-", Role::Removed),
        _ => ("~", Role::StateDrift),
    };
    let words = match entry.state {
        state @ (ApprovalState::New | ApprovalState::Gone) => Sides::Compared.state_word(state),
        _ => &entry.summary,
    };
    let mut line = Line::default();
    if let Some(severity) = entry.severity {
        line.put(severity_role(severity), format!("{} ", glyphs.severity(severity)));
    }
    line.put(role, format!("{sign} "));
    match &entry.id {
        EntryId::Group(_) => line.put(Role::Heading, &*entry.label),
        EntryId::Row(_) => line.item([Role::Heading; 2], &entry.about),
    };
    line.put(Role::Text, "  ").quote(Role::Text, words);
    line
}

pub fn digests(source: &Source<'_>) -> Document {
    let mut document = Document::of(source.width);
    match group_of(source) {
        Some((review, group)) => group::digests(source, &mut document, review, group),
        None => digests::full(source, &mut document),
    }
    document.last_of_change = document.lines.len();
    document
}
