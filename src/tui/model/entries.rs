//! The entries of one server: made of its review, filtered and sorted.

use super::entry::{Entry, EntryId, Sort, SortKey, matches};
use super::server::Server;
use crate::drift::{Drift, Group, Severity, hidden_count};
use crate::review::{ApprovalState, Review, Row};
use crate::tui::words::count;
use std::collections::HashMap;

/// An entry, and of a group its members.
type Listed = (Entry, Vec<Entry>);

/// The entries of a server that `filter` lets through, sorted.
pub fn entries(server: &Server, filter: &str, sort: Sort) -> Vec<Entry> {
    let Some(review) = &server.look.review else { return Vec::new() };
    let words: Vec<_> = filter.split_whitespace().map(str::to_lowercase).collect();
    let fits = |entry: &Entry| words.iter().all(|word| matches(entry, word));
    let mut listed = by_group(server, review, review.weighed());
    listed.retain_mut(|(entry, members)| {
        // A filter that a member fits and its group does not opens the group as far as it fits.
        let own = fits(entry);
        members.retain(|member| if own { entry.opened } else { fits(member) });
        sorted(members, sort, |member| member);
        own || !members.is_empty()
    });
    sorted(&mut listed, sort, |(entry, _)| entry);
    listed.into_iter().flat_map(|(entry, members)| [entry].into_iter().chain(members)).collect()
}

/// What a person looks for stands on top.
fn sorted<T>(listed: &mut [T], sort: Sort, of: impl Fn(&T) -> &Entry) {
    let asked = |entry: &Entry| (!entry.needs_decision(), entry.worst_first(), entry.id.clone());
    match sort.key {
        SortKey::Severity => listed.sort_by_cached_key(|one| asked(of(one))),
        SortKey::State => listed.sort_by_cached_key(|one| (!of(one).needs_decision(), of(one).state, asked(of(one)))),
        SortKey::Name => listed.sort_by_cached_key(|one| of(one).about.clone()),
    }
    if sort.reversed {
        listed.reverse();
    }
}

/// What waits for a decision on a server, worst first: items, and groups in the place of their members.
pub fn asked(server: &Server) -> Vec<Entry> {
    let mut asked: Vec<_> = pending(server).into_iter().map(|(entry, _)| entry).collect();
    asked.sort_by_cached_key(|entry| (entry.worst_first(), entry.id.clone()));
    asked
}

/// The same, each item by itself.
pub fn waiting(server: &Server) -> Vec<Entry> {
    let items = |(entry, members): Listed| if members.is_empty() { vec![entry] } else { members };
    let mut waiting: Vec<_> = pending(server).into_iter().flat_map(items).collect();
    waiting.sort_by_cached_key(|entry| (entry.worst_first(), entry.id.clone()));
    waiting
}

fn pending(server: &Server) -> Vec<Listed> {
    let Some(review) = &server.look.review else { return Vec::new() };
    let counts = review.counts;
    if counts.drifted + counts.new + counts.gone == 0 && server.guards.is_empty() {
        return Vec::new();
    }
    let rows = review.weighed().filter(|(row, _)| row.state.needs_decision() || server.wants_confirming(row));
    by_group(server, review, rows)
}

/// Rows as entries: those that share a cause under one that stands for them.
fn by_group<'a>(server: &Server, review: &'a Review, rows: impl Iterator<Item = Weighed<'a>>) -> Vec<Listed> {
    let (mut listed, mut members) = (Vec::new(), HashMap::<&str, Vec<_>>::new());
    for (row, worst) in rows {
        let group = review.drift_of(row).and_then(|drift| review.group(drift.group.as_deref()?));
        let entry = of_row(server, review, (row, worst), group.is_some());
        match group {
            Some(group) => members.entry(&group.id).or_default().push(entry),
            None => listed.push((entry, Vec::new())),
        }
    }
    listed.extend(review.groups.iter().filter_map(|group| {
        let members = members.remove(group.id.as_str())?;
        Some((grouped(server, group, &members)?, members))
    }));
    listed
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

/// What is said of a pin that this machine's log does not know, so that no guard goes by it.
pub const CONFIRMS: &str = "Approved in the file only";

/// A row with the worst of its drifts.
type Weighed<'a> = (&'a Row, Option<Severity>);

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
