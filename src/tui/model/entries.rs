//! The entries of one server: made of its review, filtered and sorted.

use super::entry::{Entry, EntryId, Sort, SortKey, matches};
use super::server::Server;
use crate::drift::{Drift, Group, Severity, hidden_count};
use crate::review::{ApprovalState, Review, Row};
use crate::tui::words::count;
use std::collections::HashMap;

/// The entries of a server that `filter` lets through, sorted.
pub fn entries(server: &Server, filter: &str, sort: Sort) -> Vec<Entry> {
    let Some(review) = &server.look.review else { return Vec::new() };
    let words: Vec<_> = filter.split_whitespace().map(str::to_lowercase).collect();
    let fits = |entry: &Entry| words.iter().all(|word| matches(entry, word));
    let all = review.weighed().map(|weighed| with_group(server, review, weighed));
    let (mut entries, mut members) = by_group(all);
    entries.retain(fits);
    let mut below: HashMap<&str, Vec<Entry>> = HashMap::new();
    for group in &review.groups {
        let mut members = members.remove(group.id.as_str()).unwrap_or_default();
        let Some(entry) = grouped(server, group, &members) else { continue };
        // A filter that a member fits and its group does not opens the group as far as it fits.
        if !fits(&entry) {
            members.retain(fits);
        } else if !server.opened.contains(&group.id) {
            members.clear();
        }
        if fits(&entry) || !members.is_empty() {
            sorted(&mut members, sort);
            below.insert(&group.id, members);
            entries.push(entry);
        }
    }
    sorted(&mut entries, sort);
    let mut listed = Vec::with_capacity(entries.len());
    for entry in entries {
        let members = match &entry.id {
            EntryId::Group(id) => below.remove(id.as_str()).unwrap_or_default(),
            EntryId::Row(_) => Vec::new(),
        };
        listed.push(entry);
        listed.extend(members);
    }
    listed
}

/// What a person looks for stands on top.
fn sorted(entries: &mut [Entry], sort: Sort) {
    let asked = |entry: &Entry| (!entry.needs_decision(), entry.worst_first(), entry.id.clone());
    match sort.key {
        SortKey::Severity => entries.sort_by_cached_key(asked),
        SortKey::State => entries.sort_by_cached_key(|entry| (!entry.needs_decision(), entry.state, asked(entry))),
        SortKey::Name => entries.sort_by_cached_key(|entry| entry.item().clone()),
    }
    if sort.reversed {
        entries.reverse();
    }
}

/// What needs a person on a server, worst first: items that wait for a decision, groups in the place of their members.
pub fn asked(server: &Server) -> Vec<Entry> {
    let Some(review) = &server.look.review else { return Vec::new() };
    let (mut asked, members) = by_group(waiting(server));
    let groups = review.groups.iter();
    asked.extend(groups.filter_map(|group| grouped(server, group, members.get(group.id.as_str())?)));
    asked.sort_by_cached_key(|entry| (entry.worst_first(), entry.id.clone()));
    asked
}

/// The item of every row that waits for a decision, and the group that it is in.
pub fn waiting(server: &Server) -> Vec<(Entry, Option<&str>)> {
    let Some(review) = &server.look.review else { return Vec::new() };
    let counts = review.counts;
    if counts.drifted + counts.new + counts.gone == 0 && server.guards.is_empty() {
        return Vec::new();
    }
    let rows = review.weighed().filter(|(row, _)| row.state.needs_decision() || server.wants_confirming(row));
    let all = rows.map(|weighed| with_group(server, review, weighed));
    all.filter(|(entry, _)| entry.needs_decision()).collect()
}

/// The line that stands for a group.
fn grouped(server: &Server, group: &Group, members: &[Entry]) -> Option<Entry> {
    let first = &members.first()?.summary;
    // What all say says it of the group; else what they have in common.
    let alike = members.iter().all(|member| member.summary == *first);
    let summary = if alike { first.clone() } else { group.headline() };
    let kind = members.first()?.about.kind;
    let one = if members.iter().all(|member| member.about.kind == kind) { kind.word() } else { "item" };
    Some(Entry {
        label: count(members.len(), &one.replace('_', " ")),
        opened: server.opened.contains(&group.id),
        id: EntryId::Group(group.id.clone()),
        about: members.iter().map(|member| &member.about).min()?.clone(),
        inside: false,
        state: members.iter().map(|member| member.state).min()?,
        confirms: false,
        severity: Some(group.severity),
        effect: Some(group.effect),
        summary,
        findings: members.iter().map(|member| member.findings).max().unwrap_or(0),
        hidden: members.iter().map(|member| member.hidden).sum(),
    })
}

/// What is in no group, and the members of each.
fn by_group<'a>(all: impl IntoIterator<Item = (Entry, Option<&'a str>)>) -> (Vec<Entry>, HashMap<&'a str, Vec<Entry>>) {
    let (mut alone, mut members) = (Vec::new(), HashMap::<_, Vec<_>>::new());
    for (entry, group) in all {
        group.map_or(&mut alone, |group| members.entry(group).or_default()).push(entry);
    }
    (alone, members)
}

/// What is said of a pin that this machine's log does not know, so that no guard goes by it.
pub const CONFIRMS: &str = "Approved in the file only";

/// A row with the worst of its drifts.
type Weighed<'a> = (&'a Row, Option<Severity>);

fn with_group<'a>(server: &Server, review: &'a Review, (row, severity): Weighed<'_>) -> (Entry, Option<&'a str>) {
    let group = review.drift_of(row).and_then(|drift| drift.group.as_deref());
    let group = group.filter(|group| review.group(group).is_some());
    (of_row(server, review, (row, severity), group.is_some()), group)
}

fn of_row(server: &Server, review: &Review, (row, worst): Weighed<'_>, inside: bool) -> Entry {
    let drift = review.drift_of(row);
    // At first contact nothing has drifted.
    let alone = row.now.as_ref().filter(|_| drift.is_none() && row.state == ApprovalState::New);
    let confirms = server.wants_confirming(row);
    let told = if confirms {
        Some(CONFIRMS)
    } else {
        review.headline_of(row).or_else(|| alone.and(review.why_first(row))).or(alone.map(|_| "Not recorded yet"))
    };
    let definition = row.now.as_ref().or(row.pin.as_ref().map(|pin| &pin.item));
    Entry {
        id: EntryId::Row(row.id.clone()),
        about: row.id.item.clone(),
        label: String::new(),
        opened: false,
        inside,
        state: server.look.shown_state(row),
        confirms,
        severity: worst,
        effect: drift.map(|drift| drift.effect),
        findings: drift.map_or(usize::from(worst.is_some()), added_findings),
        summary: told.unwrap_or_default().to_owned(),
        hidden: definition.map_or(0, |item| hidden_count(&item.definition)),
    }
}

/// Findings that the drift brought.
fn added_findings(drift: &Drift) -> usize {
    drift.findings.iter().filter(|finding| finding.added).count()
}
