//! A group as one document: what its members have in common, then every version of the change, each once, with the names
//! of the members that it is on. Who has read it to its last line of change has been shown what is decided.

use super::{Document, Source, diff};
use crate::drift::{Change, ChangeKind, Drift, Group};
use crate::review::Review;
use crate::tui::line::Line;
use crate::tui::model::{Entry, EntryId, name};
use crate::tui::theme::Role;
use crate::tui::words::{count, effect_role, severity_role, state_role, state_word, type_words};
use std::collections::BTreeMap;

/// The document of a group.
pub fn change(source: &Source<'_>, review: &Review, group: &Group) -> Document {
    let mut document = Document::default();
    head(source, &mut document, group);
    for cause in &group.causes {
        let mut line = Line::of(severity_role(group.severity), source.glyphs.severity(group.severity));
        line.put(Role::Text, " ").quote(Role::Text, cause);
        document.push_wrapped(&line, source.width, 2);
    }
    let text = "Nothing else differs on these. What has a change of its own, or brings a finding, stands alone.";
    document.push_wrapped(&Line::of(Role::Dim, text), source.width, 0);
    for (version, members) in versions(review, group) {
        let Some(first) = members.first() else { continue };
        heading(source, &mut document, &members, version.shown);
        if version.shown {
            member(source, &mut document, review, first);
        }
    }
    document.last_of_change = document.lines.len().saturating_sub(1);
    digests(source, &mut document, review, group);
    document
}

/// State, severity and effect, and how many it is.
fn head(source: &Source<'_>, document: &mut Document, group: &Group) {
    let mut line = Line::default();
    if let Some(state) = source.entry.state {
        line.put(state_role(state), format!("{} {}", source.glyphs.state(state), state_word(state)));
    }
    let severity = format!("  {} {}", source.glyphs.severity(group.severity), group.severity);
    line.put(severity_role(group.severity), severity);
    line.put(Role::Text, "  ").put(Role::Dim, if source.width < 60 { "" } else { "callers: " });
    line.put(effect_role(group.effect), format!("{} {}", source.glyphs.effect(group.effect), group.effect));
    line.put(Role::Dim, format!("  {}", type_words(group.drift_type)));
    document.push_wrapped(&line, source.width, 2);
    let many = count(group.members.len(), "item");
    let text = format!("{many} of one cause: a decision here is one on each, by its own digest");
    document.push_wrapped(&Line::of(Role::Dim, text), source.width, 0);
    document.gap();
}

/// What a version of the change is told apart by, and whether it is more than its sentence.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Version {
    key: String,
    /// Whether the definitions are to be seen: not where all that happens is that items are gone.
    shown: bool,
}

/// The members by what changed in them, the most frequent version first.
fn versions<'a>(review: &'a Review, group: &Group) -> Vec<(Version, Vec<&'a Drift>)> {
    let mut found: BTreeMap<Version, Vec<&Drift>> = BTreeMap::new();
    for drift in group.members.iter().filter_map(|member| review.drifts.get(*member)) {
        let gone = |change: &Change| change.change == ChangeKind::ItemRemoved;
        let shown = !drift.changes.iter().all(gone);
        let said = |change: &Change| format!("{}\n{:?}\n{:?}\n", change.path, change.before, change.after);
        let key = if shown { drift.changes.iter().map(said).collect() } else { String::new() };
        found.entry(Version { key, shown }).or_default().push(drift);
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by_key(|(_, members)| std::cmp::Reverse(members.len()));
    found
}

fn heading(source: &Source<'_>, document: &mut Document, members: &[&Drift], shown: bool) {
    let mut line = Line::default();
    let before = if shown { "on " } else { "gone: " };
    line.put(Role::Heading, before);
    for (at, drift) in members.iter().enumerate() {
        let (kind, key) = name(&drift.id);
        line.put(Role::Dim, if at == 0 { "" } else { ", " });
        line.put(Role::Dim, kind).quote(Role::Heading, key);
    }
    document.gap();
    document.parts.push(document.lines.len());
    document.push_wrapped(&line, source.width, 2);
}

/// The diff of one member, as it would be shown alone.
fn member(source: &Source<'_>, document: &mut Document, review: &Review, drift: &Drift) {
    let row = review.rows.iter().find(|row| review.drift_of(row).is_some_and(|own| std::ptr::eq(own, drift)));
    let Some(row) = row else { return };
    let entry = Entry { id: EntryId::Row(row.id.clone()), about: row.id.item.clone(), ..source.entry.clone() };
    let alone = Source { entry: &entry, row: Some(row), drifts: vec![drift], findings: Vec::new(), ..*source };
    diff::write(&alone, document);
}

/// What the decision binds to: the group's digest, and each member's.
pub fn digests(source: &Source<'_>, document: &mut Document, review: &Review, group: &Group) {
    document.heading("digests");
    let mut line = Line::of(Role::Dim, "group  ");
    line.quote(Role::Text, &group.id).put(Role::Digest, format!("  {}", group.digest.short()));
    document.push_wrapped(&line, source.width, 7);
    for row in review.rows_of(group) {
        let (kind, key) = name(&row.id.item);
        let short = |item: Option<&crate::digest::Item>| {
            item.map_or_else(|| "none".to_owned(), |item| item.digests.surface.short())
        };
        let mut line = Line::of(Role::Dim, short(row.pin.as_ref().map(|pin| pin.item.as_ref())));
        line.put(Role::Dim, format!(" {} ", source.glyphs.arrow));
        line.put(Role::DigestMoved, short(row.now.as_deref()));
        line.put(Role::Dim, format!("  {kind}")).quote(Role::Text, key);
        document.push_wrapped(&line, source.width, 4);
    }
}
