//! A change in words: its headline with the digests and who decided what; then what is suspicious, what each schema gained
//! and lost, and whether existing calls still work. Each is said once.

use super::digests;
use super::page::Document;
use super::source::{Sides, Source};
use crate::drift::{Drift, Finding, SchemaVerdict, Severity, is_of_the_server, to_read};
use crate::pin::Decision;
use crate::review::ApprovalState;
use crate::tui::approval::moved_in_words;
use crate::tui::guarded;
use crate::tui::line::{Line, Role};
use crate::tui::model::CONFIRMS;
use crate::tui::words::{clock_of, severity_role, state_role};
use std::collections::HashSet;

/// The headline; the digest that a decision binds to, pinned and now, with who decided what; what cannot be seen. What the
/// headline says in full need not be said again.
pub fn head<'a>(source: &'a Source<'_>, document: &mut Document) -> Option<&'a str> {
    let told = if source.sides == Sides::Pinned { headline(source, document) } else { None };
    let mut line = Line::of(Role::Text, "  ");
    line.put(state_role(source.entry.state), source.sides.state_word(source.entry.state));
    if let Some(severity) = source.entry.severity {
        line.put(Role::Text, "  ").put(severity_role(severity), severity.word());
    }
    line.put(Role::Text, "  ");
    let gone = source.entry.state == ApprovalState::Gone;
    let whole = source.drifts.first().filter(|drift| is_of_the_server(&drift.id));
    if let Some([long, _]) = whole.and_then(|drift| moved_in_words(drift, source.glyphs.arrow)) {
        line.join(long);
    } else {
        digests::moved(&mut line, source.glyphs, digests::sides(source), gone);
    }
    let mut decisions = Line::default();
    if let Some(row) = source.row.filter(|_| source.sides == Sides::Pinned) {
        match (&row.pin, whole) {
            (None, Some(drift)) => _ = decisions.put(Role::Dim, drift.settled_by()[0]),
            (Some(pin), _) => _ = decisions.join(decided(source, &pin.decision, source.decided_by_file())),
            (None, None) => _ = decisions.put(Role::Dim, "never approved"),
        }
        if let Some(rejected) = &row.rejected {
            decisions.put(Role::Text, "  ").join(decided(source, rejected, false));
        }
    }
    // Both on a line where there is room: who decided is read as one.
    if line.width() + 2 + decisions.width() > source.width {
        document.say(&line, 2);
        line = Line::default();
    }
    line.put(Role::Text, "  ").join(decisions);
    document.say(&line, 2);
    if let Some(row) = source.row.filter(|_| source.sides == Sides::Pinned) {
        document.say_each(guarded::of_item(source.server, &row.id.item, source.zone), 4);
    }
    stale(source, document);
    for text in source.drifts.first().map(|drift| drift.invisible()).unwrap_or_default() {
        document.say(Line::of(Role::Warning, format!("{} ", source.glyphs.stale)).quote(Role::Warning, &text), 2);
    }
    told
}

/// `▲ Tells the model to read a secret file`: what happened, in one line.
fn headline<'a>(source: &'a Source<'_>, document: &mut Document) -> Option<&'a str> {
    let entry = source.entry;
    let (role, sign) = match (entry.severity, entry.state) {
        _ if entry.confirms => (Role::Warning, source.glyphs.unknown),
        (Some(severity), _) => (severity_role(severity), source.glyphs.severity(severity)),
        (None, state) => (state_role(state), source.glyphs.state(state)),
    };
    // Of several equally bad drifts the first, as they are listed.
    let worst = source.drifts.iter().rev().max_by_key(|drift| drift.severity);
    let said = worst.map(|drift| drift.headline()).filter(|said| !said.is_empty());
    // At first contact a row says the worst finding, and how many more there are: they all stand below.
    let mut found = source.findings.iter().map(|finding| finding.text.as_str());
    let said = said.or_else(|| found.find(|text| !text.is_empty() && entry.summary.starts_with(text)));
    let mut line = Line::of(role, format!("{sign} "));
    match (said, entry.state) {
        (Some(said), _) => line.counted(Role::Heading, said),
        _ if entry.confirms => line.put(Role::Heading, format!("{CONFIRMS}, not on this machine")),
        (None, ApprovalState::Approved) => line.put(Role::Heading, "Unchanged since approval"),
        (None, ApprovalState::Unknown) => line.put(Role::Heading, "Not read now"),
        (None, _) => line.quote(Role::Heading, &entry.summary),
    };
    document.say(&line, 2);
    said
}

/// `approved by ana 2026-11-02`; the time and the note stand under the digests.
pub fn decided(source: &Source<'_>, decision: &Decision, by_file: bool) -> Line {
    let mut line = Line::of(Role::Dim, format!("{} by ", decision.state.word()));
    let at = clock_of(&decision.at, source.zone);
    let day = at.split(' ').next().unwrap_or_default();
    line.quote(Role::Dim, &decision.by).put(Role::Dim, if by_file { " (in the file) " } else { " " });
    line.put(Role::Dim, day).clone()
}

fn stale(source: &Source<'_>, document: &mut Document) {
    if !source.server.look.is_stale() || source.sides == Sides::Compared {
        return;
    }
    let shown = match source.server.look.last_good {
        Some(_) => "Stale: this is the last good answer",
        None => "Never answered; this is the approved definition",
    };
    let mut line = Line::of(Role::Stale, format!("{} {shown}", source.glyphs.stale));
    if let Some(reason) = &source.server.look.stale {
        line.put(Role::Stale, ". ").quote(Role::Stale, &reason.text);
    }
    document.say(&line, 2);
}

/// One line a finding, then one a change that is neither in a schema nor told by a finding. Without the text above, whose marks
/// say what is hidden, all that is no mere information.
pub fn findings(source: &Source<'_>, document: &mut Document, headline: Option<&str>, below_text: bool) {
    let mut lines = Vec::new();
    let least = if below_text { Severity::Safe } else { Severity::Moderate };
    let is_told = |finding: &Finding| below_text && is_a_mark(source, finding);
    let untold = |finding: &&Finding| !is_told(finding) && headline != Some(finding.text.as_str());
    for finding in to_read(&source.findings).into_iter().filter(untold).filter(|finding| finding.severity >= least) {
        let mut line = Line::of(severity_role(finding.severity), source.glyphs.severity(finding.severity));
        // What it quotes is marked in the text above, and what is hidden there opens there.
        line.put(Role::Text, " ").counted(Role::Text, &finding.text);
        line.put(Role::Dim, format!("  {}", finding.rule));
        if finding.path.tokens().count() > 1 {
            line.put(Role::Dim, " in ").quote(Role::Dim, finding.path.as_str());
        }
        if !finding.added {
            line.put(Role::Dim, ", approved before");
        }
        lines.push(line);
    }
    let mut said = HashSet::new();
    for drift in &source.drifts {
        let told = drift.beside(headline).into_iter().filter(|(own, _)| own.is_none_or(|own| own >= least));
        let fresh = told.filter(|(_, text)| said.insert(*text));
        lines.extend(fresh.map(|told| sentence(source, told)));
    }
    if lines.is_empty() {
        return;
    }
    document.begin();
    document.say_each(lines, 2);
}

/// Whether a finding is what a mark in the text says already.
fn is_a_mark(source: &Source<'_>, finding: &Finding) -> bool {
    let shown = finding.added || source.row.is_some_and(|row| row.pin.is_none());
    finding.rule == "hidden-characters" && finding.start < finding.end && shown
}

fn sentence(source: &Source<'_>, (severity, text): (Option<Severity>, &str)) -> Line {
    let mut line = match severity {
        Some(severity) => Line::of(severity_role(severity), source.glyphs.severity(severity)),
        None => Line::of(Role::Dim, source.glyphs.between),
    };
    line.put(Role::Text, " ").quote(Role::Text, text);
    line
}

/// What each schema lost and gained, and an instance that shows it; then whether existing calls still work.
pub fn schemas(source: &Source<'_>, document: &mut Document, headline: Option<&str>) {
    let Some(drift) = source.drifts.first() else { return };
    let calls = drift.existing_calls();
    for verdict in drift.verdicts() {
        let mut heading = Line::of(Role::Heading, verdict.name());
        heading.put(Role::Dim, "  ").put(Role::Dim, verdict.in_short());
        document.part(heading);
        let told = names(source, drift, verdict);
        if told.width() > 0 {
            document.say(&told, 4);
        }
        let mut said = HashSet::new();
        for change in drift.unnamed_changes(verdict) {
            // What follows of it is said of the schema as a whole, and of existing calls.
            if headline != Some(change.headline.as_str()) && said.insert(change.headline.as_str()) {
                document.say(&sentence(source, (Some(change.severity), &change.headline)), 2);
            }
        }
        for (words, instance) in verdict.shown_by() {
            // Not once more where it is what the sentence on existing calls ends with.
            if calls.as_ref().is_some_and(|said| said.ends_with(&instance)) {
                continue;
            }
            document.say(Line::of(Role::Dim, format!("{words}  ")).quote(Role::Text, &instance), 2);
        }
    }
    if let Some(said) = calls {
        document.gap();
        document.say(&Line::quoted(Role::Text, &said), 2);
    }
}

/// Names that are listed of those that a schema lost or gained.
const MOST_NAMES: usize = 8;

/// `- a, b … (13)  + c  author: string → array`.
fn names(source: &Source<'_>, drift: &Drift, verdict: &SchemaVerdict) -> Line {
    let mut line = Line::default();
    let signs = [("-", Role::Removed, &verdict.declares_removed), ("+", Role::Added, &verdict.declares_added)];
    for (sign, role, names) in signs.into_iter().filter(|(_, _, names)| !names.is_empty()) {
        line.put(Role::Text, "  ").put(role, format!("{sign} "));
        for (at, name) in names.iter().take(MOST_NAMES).enumerate() {
            line.put(role, if at == 0 { "" } else { ", " }).quote(role, plain(name));
        }
        if names.len() > MOST_NAMES {
            line.put(role, format!(" {} ({})", source.glyphs.ellipsis, names.len()));
        }
    }
    for [name, before, after] in drift.retyped(verdict) {
        line.put(Role::Text, "  ").quote(Role::Text, &name).put(Role::Text, ": ").quote(Role::Removed, &before);
        line.put(Role::Dim, format!(" {} ", source.glyphs.arrow)).quote(Role::Added, &after);
    }
    line
}

/// A pointer to a declared name, without its slash where that is all there is to it.
fn plain(name: &str) -> &str {
    name.strip_prefix('/').filter(|rest| !rest.contains('/')).unwrap_or(name)
}
