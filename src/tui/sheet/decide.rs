//! The dialog before a decision: what is decided on, from which digest to which, and what the decision does.

use super::Sheet;
use crate::digest::SurfaceDigest;
use crate::pin::DecisionState;
use crate::tui::action::{Action, Context};
use crate::tui::effect::Target;
use crate::tui::input::Input;
use crate::tui::line::Line;
use crate::tui::model::{Decide, Dialog, EntryId, Model, name};
use crate::tui::theme::Role;
use crate::tui::words::{findings, sentences, severity_role, state_role, state_word};

/// Findings, and reasons, that the dialog repeats of the change.
const MOST: usize = 4;

/// What a reject does today.
pub const REJECT: &str = "Rejecting flags this exact definition, here and in CI, and keeps the approved one. It blocks no client: \
                      programs that use the server still see the tool.";

pub fn sheet(model: &Model, dialog: &Dialog, decide: &Decide, width: usize) -> Sheet {
    let mut sheet = Sheet { title: title(dialog, decide), ..Sheet::default() };
    match decide.targets.as_slice() {
        [target] => one(model, dialog, target, width, &mut sheet),
        targets => several(model, dialog, targets, width, &mut sheet),
    }
    if decide.verdict == DecisionState::Rejected {
        sheet.lines.push(Line::default());
        sheet.lines.extend(Line::of(Role::Dim, REJECT).wrap(width, 0));
    }
    sheet.lines.push(Line::default());
    if !decide.unstable.is_empty() {
        unstable(model, decide, width, &mut sheet);
    }
    if decide.in_note {
        sheet.cursor = Some((0, cursor("note  ", &decide.note, width)));
    }
    if dialog.moved.is_none() {
        sheet.foot.push(note(model, "note  ", &decide.note, decide.in_note, width));
    } else {
        sheet.foot.push(written("note  ", &decide.note, width));
    }
    sheet.yes = match decide.verdict {
        DecisionState::Approved if decide.varies => "approve, and let them vary",
        DecisionState::Approved => "approve",
        DecisionState::Rejected => "reject",
    };
    sheet
}

/// Values that differ from look to look, and whether the approval lets them.
fn unstable(model: &Model, decide: &Decide, width: usize, sheet: &mut Sheet) {
    let key = model.keymap.key(Action::Vary, &[Context::Dialog]).unwrap_or_default();
    let mut line = Line::of(Role::Key, key);
    if decide.varies {
        line.put(Role::Warning, " these values may vary: shown and searched, not compared:");
    } else {
        line.put(Role::Dim, " lets these values vary; otherwise the next check may drift again:");
    }
    sheet.lines.extend(line.wrap(width, 2));
    for place in &decide.unstable {
        let mut line = Line::of(Role::Text, "  ");
        line.quote(Role::Text, place.as_str());
        sheet.lines.extend(line.wrap(width, 4));
    }
    sheet.lines.push(Line::default());
}

/// The note as it stands, or how one is written.
pub fn note(model: &Model, label: &str, note: &Input, in_note: bool, width: usize) -> Line {
    let mut line = written(label, note, width);
    if note.is_empty() {
        let key = model.keymap.key(Action::Note, &[Context::Dialog]).unwrap_or_default();
        let hint = if in_note { "optional".to_owned() } else { format!("{key} to write one") };
        line.put(Role::Dim, hint);
    }
    line
}

fn written(label: &str, note: &Input, width: usize) -> Line {
    let mut line = Line::of(Role::Dim, label);
    let text = crate::text::visible(note.text());
    line.join(tail(Line::default().shown(Role::Input, &text).clone(), width.saturating_sub(label.len() + 2)));
    line
}

/// Column of the cursor in a note.
pub fn cursor(label: &str, note: &Input, width: usize) -> usize {
    written(label, note, width).width()
}

/// The end of a line that is longer than its place.
fn tail(line: Line, width: usize) -> Line {
    let text = line.text();
    let excess = line.width().saturating_sub(width);
    if excess == 0 {
        return line;
    }
    let mut cut = 0;
    let mut used = 0;
    for letter in text.chars() {
        if used >= excess {
            break;
        }
        used += unicode_width::UnicodeWidthChar::width(letter).unwrap_or(0);
        cut += letter.len_utf8();
    }
    Line::of(Role::Input, &text[cut..])
}

fn title(dialog: &Dialog, decide: &Decide) -> Line {
    let verb = match decide.verdict {
        DecisionState::Approved => "Approve",
        DecisionState::Rejected => "Reject",
    };
    let mut line = Line::of(Role::TitleFocused, format!("{verb} "));
    if let [(row, _)] = decide.targets.as_slice() {
        let (kind, key) = name(&row.item);
        line.put(Role::TitleFocused, kind).quote(Role::TitleFocused, key);
    } else {
        line.put(Role::TitleFocused, format!("{} items", decide.targets.len()));
    }
    line.put(Role::TitleFocused, " on ").quote(Role::TitleFocused, &dialog.server).put(Role::TitleFocused, "?");
    line
}

/// Enough of a digest to tell it from another by eye; the digests panel has all of it.
fn start(model: &Model, digest: &SurfaceDigest, width: usize) -> String {
    let digits: String = digest.hex().chars().take(width.saturating_sub(14).clamp(8, 32)).collect();
    format!("sha256:{digits}{}", model.glyphs.ellipsis)
}

/// A group: what its members have in common, and each with its digests on a line.
fn several(model: &Model, dialog: &Dialog, targets: &[Target], width: usize, sheet: &mut Sheet) {
    let Some(review) = model.server_of(&dialog.server).and_then(|server| server.look.review.as_ref()) else { return };
    let first = targets.first().and_then(|(id, _)| review.row(id)).and_then(|row| review.drift_of(row));
    let group = first.and_then(|drift| drift.group.as_deref()).and_then(|id| review.group(id));
    for cause in group.into_iter().flat_map(|group| &group.causes) {
        let role = group.map_or(Role::Text, |group| severity_role(group.severity));
        let mut line = Line::of(role, format!("{} ", group.map_or("", |group| model.glyphs.severity(group.severity))));
        line.quote(Role::Text, cause);
        sheet.lines.extend(line.wrap(width, 2));
    }
    sheet.lines.push(Line::default());
    let short = |item: Option<&crate::digest::Item>| {
        item.map_or_else(|| "none".to_owned(), |item| item.digests.surface.short())
    };
    for (id, _) in targets {
        let Some(row) = review.row(id) else { continue };
        let mut line = Line::of(Role::Digest, short(row.pin.as_ref().map(|pin| pin.item.as_ref())));
        line.put(Role::Dim, format!(" {} ", model.glyphs.arrow)).put(Role::DigestMoved, short(row.now.as_deref()));
        let (kind, key) = name(&id.item);
        line.put(Role::Text, "  ").put(Role::Text, kind).quote(Role::Text, key);
        sheet.lines.extend(line.wrap(width, 4));
    }
}

fn one(model: &Model, dialog: &Dialog, target: &Target, width: usize, sheet: &mut Sheet) {
    let (id, digest) = target;
    let Some(server) = model.server_of(&dialog.server) else { return };
    let Some(row) = server.look.review.as_ref().and_then(|review| review.row(id)) else { return };
    let drift = server.look.review.as_ref().and_then(|review| review.drift_of(row));
    let entry = model.listed.entries.iter().find(|entry| entry.id == EntryId::Row(id.clone()));
    let mut line = Line::of(state_role(row.state), state_word(row.state));
    // As the list says it: what was found beside the drift counts, too.
    let severity = entry.and_then(|entry| entry.severity).or(drift.map(|drift| drift.severity));
    if let Some(severity) = severity {
        line.put(Role::Text, "  ");
        line.put(severity_role(severity), format!("{} {severity}", model.glyphs.severity(severity)));
    }
    if let Some(entry) = entry.filter(|entry| !entry.summary.is_empty()) {
        line.put(Role::Text, "  ").quote(Role::Text, &entry.summary);
    }
    sheet.lines.extend(line.wrap(width, 2));
    let mut line = Line::of(Role::Dim, "from  ");
    match &row.pin {
        Some(pin) => line.put(Role::Digest, start(model, &pin.item.digests.surface, width)),
        None => line.put(Role::Dim, "never approved"),
    };
    sheet.lines.extend(line.wrap(width, 6));
    let mut line = Line::of(Role::Dim, "to    ");
    match &row.now {
        Some(_) => line.put(Role::DigestMoved, start(model, digest, width)),
        None => line.put(Role::StateGone, "no longer served; approving deletes its pin"),
    };
    sheet.lines.extend(line.wrap(width, 6));
    let found = drift.map(|drift| findings(&drift.findings)).unwrap_or_default();
    for finding in found.iter().take(MOST) {
        let role = severity_role(finding.severity);
        let mut line = Line::of(role, format!("{} ", model.glyphs.severity(finding.severity)));
        line.quote(Role::Text, &finding.text);
        sheet.lines.extend(line.wrap(width, 2));
    }
    let reasons = drift.map(sentences).unwrap_or_default();
    for (_, reason) in reasons.iter().take(MOST) {
        let mut line = Line::of(Role::Dim, format!("{} ", model.glyphs.between));
        line.quote(Role::Text, reason);
        sheet.lines.extend(line.wrap(width, 2));
    }
    let more = found.len().saturating_sub(MOST) + reasons.len().saturating_sub(MOST);
    if more > 0 {
        sheet.lines.push(Line::of(Role::Dim, format!("  {more} more in the change")));
    }
}
