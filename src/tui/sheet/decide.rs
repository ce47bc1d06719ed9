//! The dialog before a decision: what is decided on, from which digest to which, and what the decision does.

use super::{Sheet, apart};
use crate::digest::SurfaceDigest;
use crate::drift::{Drift, is_of_the_server};
use crate::pin::DecisionState;
use crate::review::{Row, RowId};
use crate::surface::ServerId;
use crate::tui::action::{Action, Context};
use crate::tui::approval::digests_of;
use crate::tui::document::{self, Document, Source};
use crate::tui::effect::Target;
use crate::tui::line::{Line, Role};
use crate::tui::model::{CONFIRMS, Decide, Dialog, Entry, EntryId, Model, Server, waiting};
use crate::tui::words::{count, severity_role, state_role, state_word};

/// What a reject does today.
const REJECT: &str = "Rejecting flags this exact definition, here and in CI; what was approved stays so. It blocks no client: \
                      programs that use the server still see it.";

/// What it does where a guard runs.
const REJECT_GUARDED: &str = "Rejecting flags this exact definition, here and in CI; what was approved stays so. The guard that \
                              runs stops it; a client without a guard still sees it.";

/// What a confirmation does.
const CONFIRM: &str = "The file says that this was approved; the log of this machine does not. Confirming writes your decision to \
                       that log, and guards of this machine let it pass. The file stays as it is.";

pub fn write(sheet: &mut Sheet, model: &Model, dialog: &Dialog, decide: &Decide) {
    let all = |is: fn(&Server, &Row) -> bool| {
        let holds = |(server, (id, _)): &(ServerId, Target)| {
            let server = model.server_of(server)?;
            Some(is(server, server.look.row(id)?))
        };
        decide.verdict == DecisionState::Approved && decide.targets.iter().all(|target| holds(target) == Some(true))
    };
    let (confirming, removing) = (all(Server::confirms), all(|_, row| row.now.is_none()));
    let [title, verb] = match decide.verdict {
        DecisionState::Approved if confirming => ["Confirm ", "confirm"],
        DecisionState::Approved => ["Approve ", "approve"],
        DecisionState::Rejected => ["Reject ", "reject"],
    };
    let them = if decide.varies { ", and let them vary" } else { "" };
    let yes = format!("{verb}{}", if decide.marked { " them" } else { them });
    sheet.title.put(Role::TitleFocused, title).put(Role::TitleFocused, if removing { "the removal of " } else { "" });
    let many = decide.targets.len();
    match decide.targets.as_slice() {
        _ if decide.marked => {
            sheet.title.put(Role::TitleFocused, count(many, "marked item"));
            marked(sheet, model, decide);
        }
        [(_, target)] => {
            sheet.title.item([Role::TitleFocused; 2], &target.0.item);
            one(&mut sheet.body, model, dialog, target);
        }
        _ => {
            sheet.title.put(Role::TitleFocused, count(many, "item"));
            several(sheet, model, dialog, decide);
        }
    }
    let on = Some(&*dialog.server).filter(|_| !decide.marked);
    sheet.asks(if decide.marked { "" } else { " on " }, on, "?", &yes);
    let is_guarded = model.server_of(&dialog.server).is_some_and(|server| !server.guards.is_empty());
    let does = match decide.verdict {
        DecisionState::Rejected if is_guarded => Some(REJECT_GUARDED),
        DecisionState::Rejected => Some(REJECT),
        DecisionState::Approved if removing => Some("Approving a removal deletes the pin."),
        DecisionState::Approved => confirming.then_some(CONFIRM),
    };
    if let Some(does) = does {
        sheet.body.gap();
        sheet.body.words(Role::Dim, does);
    }
    sheet.body.gap();
    if !decide.unstable.is_empty() {
        unstable(sheet, model, decide);
    }
    let typed = Line::quoted(Role::Input, dialog.text.text());
    sheet.field(model, if decide.marked { "note    " } else { "note  " }, typed, ["optional", "write one"]);
}

/// Values that differ from look to look, and whether the approval lets them.
fn unstable(sheet: &mut Sheet, model: &Model, decide: &Decide) {
    let mut line = Line::of(Role::Key, model.setup.keymap.key(Action::Vary, &[Context::Dialog]).unwrap_or_default());
    if decide.varies {
        line.put(Role::Warning, " these values may vary: shown and searched, not compared:");
    } else {
        line.put(Role::Dim, " lets these values vary; otherwise the next check may drift again:");
    }
    sheet.body.say(&line, 2);
    for place in &decide.unstable {
        sheet.body.say(Line::of(Role::Text, "  ").quote(Role::Text, place.as_str()), 4);
    }
    sheet.body.gap();
}

/// Everything that is marked: each item with the kind of its change, by server; then what is left out.
fn marked(sheet: &mut Sheet, model: &Model, decide: &Decide) {
    for own in decide.targets.chunk_by(|(one, _), (other, _)| one == other) {
        sheet.body.push(Line::quoted(Role::Heading, &own[0].0));
        let entries = model.server_of(&own[0].0).map(waiting).unwrap_or_default();
        for (_, (row, _)) in own {
            let entry = entries.iter().find(|entry| entry.id == EntryId::Row(row.clone()));
            sheet.body.say(&marked_row(model, row, entry), 4);
        }
    }
    let left_out = decide.apart.iter().map(|(server, row, why)| {
        let mut line = Line::of(Role::Text, "  ");
        line.quote(Role::Text, server).put(Role::Text, " ").row([Role::Text; 2], row);
        line.put(Role::Dim, "  ").put(Role::Dim, *why).clone()
    });
    let text = format!("{} left out; still marked", count(left_out.len(), "item"));
    apart(&mut sheet.body, text, left_out);
}

/// State, severity, name, what changed.
fn marked_row(model: &Model, row: &RowId, entry: Option<&Entry>) -> Line {
    let mut line = Line::of(Role::Text, "  ");
    let Some(entry) = entry else {
        // What no guard has asked for yet can be confirmed all the same.
        return line.row([Role::Text; 2], row).put(Role::Dim, format!("  {CONFIRMS}")).clone();
    };
    line.put(state_role(entry.state), format!("{:<6}", state_word(entry.state)));
    if let Some(severity) = entry.severity {
        line.put(severity_role(severity), format!("{} {severity:<9}", model.setup.glyphs.severity(severity)));
    }
    line.row([Role::Text; 2], row).put(Role::Dim, "  ").quote(Role::Dim, &entry.summary);
    line
}

/// A group: what its members have in common, and each with its digests on a line.
fn several(sheet: &mut Sheet, model: &Model, dialog: &Dialog, decide: &Decide) {
    let Some(server) = model.server_of(&dialog.server) else { return };
    let rows: Vec<_> = decide.targets.iter().filter_map(|(_, (id, _))| server.look.row(id)).collect();
    let first = rows.first().and_then(|row| server.look.drift_of(row)?.group.as_deref());
    if let Some(group) = first.and_then(|id| server.look.review.as_ref()?.group(id)) {
        for cause in &group.causes {
            let sign = format!("{} ", model.setup.glyphs.severity(group.severity));
            sheet.body.say(Line::of(severity_role(group.severity), sign).quote(Role::Text, cause), 2);
        }
    }
    sheet.body.gap();
    for row in rows {
        let [mut line, _] = digests_of(server, row, model.setup.glyphs.arrow);
        sheet.body.say(line.put(Role::Text, "  ").item([Role::Text; 2], &row.id.item), 4);
    }
}

/// One item: what its change begins with and what was found, then what the decision binds to.
fn one(page: &mut Document, model: &Model, dialog: &Dialog, (id, digest): &Target) {
    let Some(server) = model.server_of(&dialog.server) else { return };
    let Some(row) = server.look.row(id) else { return };
    let entry = model.listed.entries.iter().find(|entry| entry.id == EntryId::Row(id.clone()));
    let source = entry.and_then(|entry| Source::of(server, entry, page.width, model.reading.manner, &model.setup));
    if let Some(source) = source {
        document::outline(&source, page);
    }
    page.gap();
    let of_the_server = is_of_the_server(&row.id.item);
    if !of_the_server {
        page.words(Role::Dim, "Your decision binds to the surface digest, which covers every field:");
    }
    // Enough of a digest to tell it from another by eye; the digests panel has all of it.
    let most = page.width.saturating_sub(15).clamp(8, 32);
    let start = |role, digest: &SurfaceDigest| {
        Line::of(role, format!("surface {:.most$}{}", digest.hex(), model.setup.glyphs.ellipsis))
    };
    let never = Line::of(Role::Dim, "never approved");
    let gone = Line::of(Role::StateGone, "no longer served");
    let whole = server.look.drift_of(row).filter(|_| of_the_server).map(Drift::in_words);
    let [from, to] = match (whole, &row.pin, &row.now) {
        (Some([from, to]), ..) => [Line::quoted(Role::Digest, &from), Line::quoted(Role::DigestMoved, &to)],
        (None, Some(pin), Some(now)) if pin.item.version() == now.version() => {
            page.say(Line::of(Role::Dim, "as    ").join(start(Role::Digest, digest)), 6);
            return;
        }
        (None, pin, now) => [
            pin.as_ref().map_or(never, |pin| start(Role::Digest, &pin.item.digests.surface)),
            now.as_ref().map_or(gone, |_| start(Role::DigestMoved, digest)),
        ],
    };
    page.say(Line::of(Role::Dim, "from  ").join(from), 6);
    page.say(Line::of(Role::Dim, "to    ").join(to), 6);
}
