//! A group as one document: what its members have in common, every version of the change once, and each member on a line.
//! Who has read it to its last line of change has been shown what is decided.

use super::diff::{Evidence, brief};
use super::digests::moved;
use super::page::{Document, Form};
use super::source::{Sides, Source};
use super::words;
use crate::drift::{Drift, Group};
use crate::review::{ApprovalState, Review, Row};
use crate::tui::line::{Line, Role};
use crate::tui::model::{Entry, EntryId};
use crate::tui::words::{count, severity_role, state_role};

pub fn change(source: &Source<'_>, review: &Review, group: &Group) -> Document {
    let mut document = Document::of(source.width);
    head(source, &mut document, review, group);
    members(source, &mut document, review, group);
    for members in group.versions(&review.drifts) {
        // Where all that happens is that items are gone there is nothing to be seen of them.
        let Some(first) = members.first().filter(|first| !first.only_removes()) else { continue };
        document.begin();
        if let [one] = members.as_slice() {
            document.say(Line::default().item([Role::Heading; 2], &one.id), 2);
        } else if members.len() < group.members.len() {
            let mut line = Line::of(Role::Heading, count(members.len(), source.entry.about.kind.word()));
            for drift in &members {
                line.put(Role::Dim, "  ").item([Role::Dim; 2], &drift.id);
            }
            document.say(&line, 2);
        }
        match (&first.side.pinned, &first.side.now) {
            (None, Some(now)) if source.manner.form != Form::Json => brief(source, &mut document, now),
            _ => member(source, &mut document, review, first),
        }
    }
    calls(&mut document, review, group);
    document.last_of_change = document.lines.len().saturating_sub(1);
    document
}

/// What the members have in common, and what a decision does.
fn head(source: &Source<'_>, document: &mut Document, review: &Review, group: &Group) {
    let role = severity_role(group.severity);
    for (at, cause) in group.causes.iter().enumerate() {
        // The severity is the worst one's, which stands first.
        let mark = if at == 0 { source.glyphs.severity(group.severity) } else { " " };
        document.say(Line::of(role, format!("{mark} ")).quote(Role::Heading, cause), 2);
    }
    let mut line = Line::of(Role::Text, "  ");
    line.put(state_role(source.entry.state), source.sides.state_word(source.entry.state)).put(Role::Text, "  ");
    line.put(role, group.severity.word());
    let what = group.together(&source.entry.label, &review.drifts);
    let decided = if source.sides == Sides::Pinned { "; your decision applies to each" } else { "" };
    line.put(Role::Dim, format!("  {what}{decided}"));
    document.say(&line, 2);
    let approved =
        |row: &Row| Some(words::decided(source, &row.pin.as_ref()?.decision, source.server.decided_by_file(row)));
    let mut told = review.rows_of(group).filter(|_| source.sides == Sides::Pinned).map(approved);
    if let Some(first) = told.next() {
        let alike = if told.all(|own| own == first) { first } else { Some(Line::of(Role::Dim, "not all alike")) };
        let told = alike.unwrap_or(Line::of(Role::Dim, "never approved"));
        document.say(Line::of(Role::Text, "  ").join(told), 2);
    }
}

/// Whether existing calls still work: said once of all members that it is the same for.
fn calls(document: &mut Document, review: &Review, group: &Group) {
    document.gap();
    for (many, sentence) in group.existing_calls(&review.drifts) {
        let mut line = Line::quoted(Role::Text, &sentence);
        if many < group.members.len() {
            line.put(Role::Dim, format!("  ({many} of {})", group.members.len()));
        }
        document.say(&line, 2);
    }
}

/// The diff of one member, as it would be shown alone.
fn member(source: &Source<'_>, document: &mut Document, review: &Review, drift: &Drift) {
    let row = review.rows.iter().find(|row| review.drift_of(row).is_some_and(|own| std::ptr::eq(own, drift)));
    let Some(row) = row else { return };
    let entry = Entry { id: EntryId::Row(row.id.clone()), about: row.id.item.clone(), ..source.entry.clone() };
    let alone = Source { entry: &entry, row: Some(row), drifts: vec![drift], findings: Vec::new(), ..*source };
    let evidence = Evidence::of(&alone);
    evidence.write_texts(&alone, document);
    evidence.write_rest(&alone, document, document.lines.len());
}

/// Each member on a line: its digest, pinned and now; where it is new, how its description begins.
fn members(source: &Source<'_>, document: &mut Document, review: &Review, group: &Group) {
    document.heading("members");
    for row in review.rows_of(group) {
        let sides = (row.pin.as_ref().map(|pin| pin.item.as_ref()), row.now.as_deref());
        let mut line = Line::default();
        moved(&mut line, source.glyphs, sides, row.state == ApprovalState::Gone);
        line.put(Role::Dim, "  ").item([Role::Dim, Role::Text], &row.id.item);
        let text = sides.1.filter(|_| sides.0.is_none()).map(|now| now.definition.as_read());
        let text = text.as_ref().and_then(|now| now.get("description")?.as_str()?.lines().next());
        if let Some(text) = text.filter(|_| line.width() < source.width) {
            line.put(Role::Dim, "  ").counted(Role::Dim, text);
            line = line.fit(source.width, source.glyphs.ellipsis);
        }
        document.say(&line, 4);
    }
}

/// What a decision on all of them binds to.
pub fn digests(source: &Source<'_>, document: &mut Document, review: &Review, group: &Group) {
    let mut line = Line::of(Role::Dim, "group  ");
    line.quote(Role::Text, &group.id).put(Role::Digest, format!("  {}", group.digest.short()));
    document.say(&line, 7);
    members(source, document, review, group);
}
