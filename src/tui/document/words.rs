//! What happened in words: state, decision, reasons, what cannot be seen, findings, the schema verdict with its witness.

use super::{Document, Sides, Source};
use crate::drift::{Drift, Severity};
use crate::pin::Decision;
use crate::tui::line::Line;
use crate::tui::model::Entry;
use crate::tui::theme::Role;
use crate::tui::words::findings as to_read;
use crate::tui::words::{clock_of, effect_role, sentences, severity_role, state_role, type_words};
use std::collections::HashSet;

/// State, severity and effect, then who decided what.
pub fn head(source: &Source<'_>, document: &mut Document) {
    let Entry { state, severity, effect, .. } = source.entry;
    let mut line = Line::default();
    match state {
        Some(state) => {
            let word = source.sides.state_word(*state);
            line.put(state_role(*state), format!("{} {word}", source.glyphs.state(*state)));
        }
        None => {
            line.put(Role::StateDrift, "DRIFT of the server as a whole");
        }
    }
    if let Some(severity) = severity {
        line.put(Role::Text, "  ");
        line.put(severity_role(*severity), format!("{} {}", source.glyphs.severity(*severity), severity));
    }
    if let Some(effect) = effect {
        line.put(Role::Text, "  ").put(Role::Dim, if source.width < 60 { "" } else { "callers: " });
        line.put(effect_role(*effect), format!("{} {}", source.glyphs.effect(*effect), effect));
    }
    if let Some(drift) = source.drifts.first() {
        line.put(Role::Text, "  ").put(Role::Dim, type_words(drift.drift_type));
    }
    document.push_wrapped(&line, source.width, 2);
    let Some(row) = source.row.filter(|_| source.sides == Sides::Pinned) else { return };
    if let Some(pin) = &row.pin {
        let by_file = source
            .server
            .decided_here
            .as_ref()
            .is_some_and(|here| !here.contains(&(pin.item.id.clone(), pin.binds_to())));
        let mut line = Line::of(Role::Dim, "pinned    ");
        line.put(Role::Digest, pin.item.digests.surface.short());
        decision(&mut line, source, &pin.decision, by_file);
        document.push_wrapped(&line, source.width, 10);
    }
    if let Some(rejected) = &row.rejected {
        let mut line = Line::of(Role::Dim, "rejected  ");
        if let Some(now) = &row.now {
            line.put(Role::Digest, now.digests.surface.short());
        }
        decision(&mut line, source, rejected, false);
        document.push_wrapped(&line, source.width, 10);
    }
    if source.server.is_stale() {
        let mut line = Line::of(Role::Stale, "stale     ");
        let reason = source.server.look.stale.as_ref();
        line.put(Role::Stale, "shown from the last good look");
        if let Some(reason) = reason {
            line.put(Role::Stale, ": ").quote(Role::Stale, &reason.text);
        }
        document.push_wrapped(&line, source.width, 10);
    }
}

/// `  approved 2026-11-02 by ana  "first pin"`.
fn decision(line: &mut Line, source: &Source<'_>, decision: &Decision, by_file: bool) {
    line.put(Role::Dim, format!("  {} ", decision.state.word()));
    if by_file {
        line.put(Role::Dim, "(by file: ").quote(Role::Dim, &decision.by).put(Role::Dim, ") ");
        line.put(Role::Dim, clock_of(&decision.at, source.zone));
    } else {
        line.put(Role::Dim, clock_of(&decision.at, source.zone)).put(Role::Dim, " by ");
        line.quote(Role::Dim, &decision.by);
    }
    if !decision.note.is_empty() {
        line.put(Role::Dim, "  \"").quote(Role::Dim, &decision.note).put(Role::Dim, "\"");
    }
}

/// Why it is what it is: the drift's own sentences, then each change's but those of its schemas, which stand there.
pub fn reasons(source: &Source<'_>, document: &mut Document) {
    let mut said: Vec<&str> = Vec::new();
    let mut first = true;
    let of_a_schema = |drift: &Drift, text: &str| {
        drift.verdicts().any(|verdict| drift.changes_of(verdict).any(|change| change.reason.starts_with(text)))
    };
    let all = source.drifts.iter().flat_map(|drift| sentences(drift).into_iter().map(move |told| (*drift, told)));
    for (drift, (severity, text)) in all {
        if !said.contains(&text) && !of_a_schema(drift, text) {
            said.push(text);
            gap_once(document, &mut first);
            sentence(source, document, severity, text);
        }
    }
    for text in source.drifts.first().map(|drift| super::diff::invisible(drift)).unwrap_or_default() {
        gap_once(document, &mut first);
        let mut line = Line::of(Role::Warning, format!("{} ", source.glyphs.stale));
        line.quote(Role::Warning, &text);
        document.push_wrapped(&line, source.width, 2);
    }
    capability_identity(source, document);
}

fn gap_once(document: &mut Document, first: &mut bool) {
    if std::mem::take(first) {
        document.gap();
        document.parts.push(document.lines.len());
    }
}

fn sentence(source: &Source<'_>, document: &mut Document, severity: Option<Severity>, text: &str) {
    let mut line = match severity {
        Some(severity) => Line::of(severity_role(severity), source.glyphs.severity(severity)),
        None => Line::of(Role::Dim, source.glyphs.between),
    };
    line.put(Role::Text, " ").quote(Role::Text, text);
    document.push_wrapped(&line, source.width, 2);
}

/// What MCPTrust's published table says, beside our own words.
fn capability_identity(source: &Source<'_>, document: &mut Document) {
    let Some(drift) = source.drifts.first() else { return };
    if drift.capability_identity.is_empty() {
        return;
    }
    let rows: Vec<_> = drift
        .capability_identity
        .iter()
        .map(|row| format!("{} {}", row.drift_type.replace('_', " "), row.severity))
        .collect();
    let line = Line::of(Role::Dim, format!("  by the capability-identity table: {}", rows.join(", ")));
    document.push_wrapped(&line, source.width, 2);
}

/// What is suspicious in the definition served now.
pub fn findings(source: &Source<'_>, document: &mut Document) {
    let findings: Vec<_> = match source.drifts.as_slice() {
        [] => to_read(&source.findings),
        drifts => drifts.iter().flat_map(|drift| to_read(&drift.findings)).collect(),
    };
    if findings.is_empty() {
        return;
    }
    document.heading("findings");
    for finding in findings {
        let role = severity_role(finding.severity);
        let mut line = Line::of(role, format!("{} {}", source.glyphs.severity(finding.severity), finding.rule));
        line.put(Role::Dim, " in ").quote(Role::Dim, finding.path.as_str());
        if !finding.added {
            line.put(Role::Dim, ", pinned as well");
        }
        line.put(Role::Text, "  ").quote(Role::Text, &finding.text);
        document.push_wrapped(&line, source.width, 2);
    }
}

/// Columns of a label in a schema's block; in a narrow place the words go on where they fit.
const LABEL: usize = 22;

/// How the schemas compare: the verdict, what changed in each, and an instance on which they disagree.
pub fn schemas(source: &Source<'_>, document: &mut Document) {
    let Some(drift) = source.drifts.first() else { return };
    for verdict in drift.verdicts() {
        document.heading(verdict.name());
        let label = |document: &mut Document, (label, words): (&str, String)| {
            let indent = if source.width < 60 { 2 } else { LABEL };
            let mut line =
                Line::of(Role::Dim, if source.width < 60 { format!("{label}  ") } else { format!("{label:LABEL$}") });
            line.quote(Role::Text, &words);
            document.push_wrapped(&line, source.width, indent);
        };
        verdict.heads().into_iter().for_each(|head| label(document, head));
        let mut said = HashSet::new();
        for change in drift.changes_of(verdict).filter(|change| said.insert(change.reason.as_str())) {
            sentence(source, document, Some(change.severity), &change.reason);
        }
        verdict.shown_by().into_iter().for_each(|witness| label(document, witness));
    }
}
