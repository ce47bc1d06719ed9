//! The report for a person without a terminal UI: plain lines, no box drawing, worst first.

use super::{BaselineWord, Report, ServerReport, Unwatched, beside_lines, state_of};
use crate::drift::{ADMISSION_NOT_CHECKED, ANCHOR_NOT_CHECKED, Change, Drift, Group, SchemaVerdict};
use crate::interop::mcptrust::Verdicts;
use crate::monitor::NO_SECOND_OPINION;
use crate::review::{ApprovalState, Counts, Review};
use crate::surface::Overall;
use crate::text::{LineKind, Run, count, fold, lines, visible};
use serde_json::Value;
use std::collections::HashSet;
use std::fmt::Write as _;

/// Lines of one diff that a report shows; the UI and the JSON report have all.
const DIFF_LINES: usize = 24;
/// Characters of one line of a report's diff.
const LINE_LENGTH: usize = 400;

/// The report as text, with what to do next under each server.
pub fn text(report: &Report) -> String {
    let mut text = String::new();
    for server in report.servers.iter().filter(|server| !server.is_elsewhere()) {
        server_lines(&mut text, server);
    }
    if let Some(judged) = report.judged() {
        line(&mut text, 0, &judged);
    }
    for problem in &report.problems {
        line(&mut text, 0, &format!("not usable: {problem}"));
    }
    if report.servers.is_empty() {
        text.push_str("no server matched\n");
    }
    if let Some(elsewhere) = report.elsewhere() {
        line(&mut text, 0, &elsewhere);
    }
    if let Some(scope) = report.digest_scope(|name| visible(name).to_string()) {
        line(&mut text, 0, &scope);
    }
    line(&mut text, 0, &report.summary());
    text
}

/// Writing to a string cannot fail.
fn line(text: &mut String, indent: usize, content: &str) {
    let _ = writeln!(text, "{:indent$}{content}", "");
}

fn server_lines(text: &mut String, server: &ServerReport) {
    let name = visible(&server.id);
    if let Some(unwatched) = &server.unwatched {
        unwatched_lines(text, server, unwatched);
        return;
    }
    let counted = server.review.as_ref().map(|review| count_words(review.counts)).unwrap_or_default();
    let word = match (&server.baseline, &server.overall) {
        (BaselineWord::Refused(_), _) => "REFUSED",
        (_, Overall::Failed(_)) => "UNKNOWN",
        (BaselineWord::Absent, _) => "NO BASELINE",
        (BaselineWord::Present, _) if !server.drifts().is_empty() => "DRIFT",
        (BaselineWord::Present, _) if server.policy.as_ref().is_some_and(Verdicts::fails) => "POLICY",
        (BaselineWord::Present, Overall::Partial(_)) => "PARTIAL",
        (BaselineWord::Present, Overall::Complete) if server.is_undecided() => "UNKNOWN",
        (BaselineWord::Present, Overall::Complete) => "OK",
    };
    line(text, 0, format!("{name}  {word}  {counted}").trim_end());
    if let Some(reason) = server.overall.reason() {
        line(text, 2, &format!("observation {}: {} ({})", server.overall.word(), visible(&reason.text), reason.code));
        if let Some(way_out) = way_out(reason.code) {
            line(text, 2, way_out);
        }
    }
    for (what, said) in server.identity.lines(server.is_held_to_trust) {
        line(text, 2, &format!("{what}: {}", visible(&said)));
    }
    if let Some(split) = &server.split {
        line(text, 2, &format!("faces: {}", visible(&split.sentence())));
    }
    let codes = [ANCHOR_NOT_CHECKED, ADMISSION_NOT_CHECKED, NO_SECOND_OPINION];
    for (_, reason) in server.unknowns().filter(|(_, reason)| codes.contains(&reason.code)) {
        line(text, 2, &format!("unknown: {} ({})", visible(&reason.text), reason.code));
    }
    match &server.baseline {
        BaselineWord::Refused(why) => line(text, 2, &format!("baseline refused: {}", visible(why))),
        BaselineWord::Absent => line(text, 2, &format!("record one first: {}", server.again.record(&server.id, ""))),
        BaselineWord::Present => {}
    }
    for notice in &server.notices {
        line(text, 2, &format!("notice {} ×{}: {}", notice.code, notice.count, visible(&notice.text)));
    }
    policy_lines(text, server);
    if let Some(review) = server.review.as_deref().filter(|_| !server.drifts().is_empty()) {
        let mut told = HashSet::new();
        for index in 0..review.drifts.len() {
            let group = review.drifts[index].group.as_deref().and_then(|id| review.group(id));
            match group {
                Some(group) if told.insert(&group.id) => group_lines(text, server, review, group),
                Some(_) => {}
                None => drift_lines(text, server, review, index),
            }
        }
    }
}

/// The rules of the policy that did not pass, and how to let one be; those that hold are counted.
fn policy_lines(text: &mut String, server: &ServerReport) {
    let Some(policy) = &server.policy else { return };
    for verdict in policy.rules.iter().filter(|verdict| verdict.level() != "pass") {
        let (rule, said) = (visible(&verdict.rule), verdict.sentence());
        line(text, 2, &format!("policy {:6} {rule}: {}", verdict.level(), visible(&said)));
    }
    let held = policy.rules.iter().filter(|verdict| verdict.level() == "pass").count();
    line(text, 2, &format!("policy: {held} of {} rules pass; input {}", policy.rules.len(), policy.digest));
}

/// One that is not watched: why, and what to do about it.
fn unwatched_lines(text: &mut String, server: &ServerReport, unwatched: &Unwatched) {
    let Unwatched { reason, accepted, .. } = unwatched;
    line(text, 0, &format!("{}  UNWATCHED", visible(&server.id)));
    line(text, 2, &format!("{} ({})", visible(&reason.text), reason.code));
    if let Some(decision) = accepted {
        let note = if decision.note.is_empty() { String::new() } else { format!(": {}", visible(&decision.note)) };
        line(text, 2, &format!("accepted by {} {}{note}", visible(&decision.by), visible(&decision.at)));
        return;
    }
    match &server.baseline {
        BaselineWord::Absent => {}
        BaselineWord::Present if unwatched.starts_anyway => {}
        BaselineWord::Present => {
            let (unwatch, forget) = (server.again.unwatch(&server.id), server.again.forget(&server.id));
            line(text, 2, "its baseline is not compared with anything; watch the server again,");
            line(text, 2, &format!("or accept that: {unwatch}, or drop it: {forget}"));
        }
        BaselineWord::Refused(why) => line(text, 2, &format!("baseline refused: {}", visible(why))),
    }
}

/// What a person does about a look that failed, where that is known.
fn way_out(code: &str) -> Option<&'static str> {
    match code {
        "unauthorized" => Some(
            "set a token in its entry: headers = { Authorization = \"Bearer ${TOKEN}\" }; pinwatch does not sign in",
        ),
        "forbidden" => Some("its credentials were refused; use a token with the required scope"),
        "command-not-found" => Some("`pinwatch doctor` shows where the command is searched for"),
        "start-timeout" => {
            Some("the first start may install packages; allow more time with --timeout 5m or `start-timeout`")
        }
        _ => None,
    }
}

/// `1 drifted, 13 approved`: the states that occur.
fn count_words(counts: Counts) -> String {
    [
        (counts.drifted, "drifted"),
        (counts.new, "new"),
        (counts.gone, "gone"),
        (counts.rejected, "rejected"),
        (counts.unknown, "unknown"),
        (counts.approved, "approved"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, word)| format!("{count} {word}"))
    .collect::<Vec<_>>()
    .join(", ")
}

fn group_lines(text: &mut String, server: &ServerReport, review: &Review, group: &Group) {
    line(text, 2, &group_line(group));
    for cause in &group.causes {
        line(text, 4, visible(cause).as_str());
    }
    for names in member_lines(&review.drifts, group) {
        line(text, 4, &names);
    }
    line(text, 4, "each in full: --format json or `pinwatch watch`");
    line(text, 4, &format!("approve: {}", server.again.approve_group(&server.id, group)));
}

/// `moderate  tool_changed  40 as one  effect none  group tool_changed:9f3a1c2b`, printable.
pub fn group_line(group: &Group) -> String {
    let (severity, drift_type, many) = (group.severity, group.drift_type, group.members.len());
    format!("{severity:8}  {drift_type}  {many} items  effect {}  group {}", group.effect, group.id)
}

/// Cells of one line of names.
const NAMES: usize = 100;

/// The items of a group's members, as many a line as fit. Printable.
pub fn member_lines(drifts: &[Drift], group: &Group) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for drift in group.members.iter().filter_map(|member| drifts.get(*member)) {
        let name = visible(&drift.id.text()).to_string();
        match found.last_mut().filter(|last| last.len() + name.len() + 2 <= NAMES) {
            Some(last) => *last = format!("{last}, {name}"),
            None => found.push(name),
        }
    }
    found
}

fn drift_lines(text: &mut String, server: &ServerReport, review: &Review, index: usize) {
    let drift = &review.drifts[index];
    let state = state_of(review, index);
    let rejected = if state == ApprovalState::Rejected { "  REJECTED before" } else { "" };
    line(text, 2, &format!("{}{rejected}", drift_line(drift)));
    for content in body_lines(drift) {
        line(text, 4, &content);
    }
    for content in beside_lines(drift, server.digest_scope, &server.keyring) {
        line(text, 4, &content);
    }
    digest_lines(text, server, drift, state);
}

/// `critical  tool_changed  tool/read_file  effect breaking`, printable.
pub fn drift_line(drift: &Drift) -> String {
    let item = drift.id.text();
    format!("{:8}  {}  {}  effect {}", drift.severity, drift.drift_type, visible(&item), drift.effect)
}

/// All that a drift says: its reasons, each change with what stood there and what stands there now, then for each schema that
/// changed the verdict, what changed in it, an instance that shows it, and the diff. Printable.
pub fn body_lines(drift: &Drift) -> Vec<String> {
    let mut found: Vec<String> = drift.own_reasons().map(|reason| visible(reason).to_string()).collect();
    for change in drift.other_changes() {
        found.push(change_line(change));
        found.extend(diff_lines(change));
    }
    for verdict in drift.verdicts() {
        schema_lines(&mut found, drift, verdict);
    }
    found
}

/// Columns of a label in a schema's block.
const LABEL: usize = 20;

fn schema_lines(found: &mut Vec<String>, drift: &Drift, verdict: &SchemaVerdict) {
    let labelled = |(label, words): (&'static str, String)| format!("  {label:LABEL$} {}", visible(&words));
    found.push(verdict.name().to_owned());
    found.extend(verdict.heads().into_iter().map(labelled));
    found.extend(drift.changes_of(verdict).map(|change| format!("  {}", change_line(change))));
    found.extend(verdict.shown_by().into_iter().map(labelled));
    for change in drift.changes_of(verdict) {
        let diff = diff_lines(change);
        if !diff.is_empty() {
            found.push(format!("  {}", visible(shown_path(change))));
            found.extend(diff);
        }
    }
}

fn shown_path(change: &Change) -> &str {
    if change.path.as_str().is_empty() { "(whole)" } else { change.path.as_str() }
}

fn change_line(change: &Change) -> String {
    let path = visible(shown_path(change));
    format!("{:8} {} {path}: {}", change.severity, change.change.word(), visible(&change.reason))
}

/// What stood there and what stands there now, line by line.
fn diff_lines(change: &Change) -> Vec<String> {
    let mut found = Vec::new();
    let side = |value: &Option<Value>| value.as_ref().map(readable).unwrap_or_default();
    let (before, after) = (side(&change.before), side(&change.after));
    let runs = match (&change.before, &change.after) {
        (None, None) => Vec::new(),
        (Some(_), Some(_)) => fold(lines(&before, &after), 1),
        // One side alone: all of it is new, or all of it is gone.
        (None, Some(_)) | (Some(_), None) => fold(lines(&before, &after), 0),
    };
    let mut shown = 0;
    for run in &runs {
        match run {
            Run::Unchanged(many) => found.push(format!("    ({})", count(*many, "unchanged line"))),
            Run::Line(diff) => {
                let sign = match diff.kind {
                    LineKind::Equal => ' ',
                    LineKind::Removed => '-',
                    LineKind::Added => '+',
                };
                let content: String = diff.runs.iter().map(|run| run.text.as_str()).collect();
                if diff.kind != LineKind::Equal && content.is_empty() && (before.is_empty() || after.is_empty()) {
                    continue;
                }
                if shown == DIFF_LINES {
                    found.push("    (more in `pinwatch watch` or `pinwatch check --format json`)".to_owned());
                    break;
                }
                shown += 1;
                found.push(format!("    {sign} {}", cut(&content)));
            }
        }
    }
    found
}

/// A text as it is, anything else as indented JSON.
fn readable(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => serde_json::to_string_pretty(other).unwrap_or_default(),
    }
}

fn cut(content: &str) -> String {
    match content.char_indices().nth(LINE_LENGTH) {
        None => content.to_owned(),
        Some((end, _)) => format!("{}… ({} more characters)", &content[..end], content[end..].chars().count()),
    }
}

fn digest_lines(text: &mut String, server: &ServerReport, drift: &Drift, state: ApprovalState) {
    let digest = |side: &Option<std::sync::Arc<crate::digest::Item>>| {
        side.as_ref().map_or_else(|| "none".to_owned(), |item| item.digests.surface.to_string())
    };
    let (pinned, now) = (digest(&drift.side.pinned), digest(&drift.side.now));
    if drift.side.pinned.is_none() && drift.side.now.is_none() {
        return;
    }
    line(text, 4, &format!("pinned {pinned}"));
    line(text, 4, &format!("now    {now}"));
    if let Some(command) = approval(server, drift, state) {
        line(text, 4, &format!("approve: {command}"));
    }
}

/// What approves an item as it is now, printable, where a decision is asked for.
pub(super) fn approval(server: &ServerReport, drift: &Drift, state: ApprovalState) -> Option<String> {
    let is_asked = state.needs_decision() && drift.drift_type.is_settled_by_approval();
    let side = drift.side.now.as_ref().or(drift.side.pinned.as_ref()).filter(|_| is_asked)?;
    Some(server.again.approve(&server.id, &drift.id, &side.digests.surface.to_string(), Some(drift)))
}
