//! From `a` or `r` to a decision: what is read first, what is asked, what is sent, where the cursor goes.

use super::{browse, dialog, say, warn};
use crate::drift::varying_places;
use crate::pin::DecisionState;
use crate::surface::ServerId;
use crate::tui::action::{Action, Context};
use crate::tui::effect::Effect;
use crate::tui::input::Input;
use crate::tui::model::{Ask, Decide, Dialog, EntryId, Made, Model, Screen, Sent};
use std::collections::BTreeSet;

/// `a` or `r`: a change that was not shown to its last line is opened, else the dialog.
pub fn ask(model: &mut Model, verdict: DecisionState) {
    if dialog::consent(model).or_else(|| dialog::unwatched(model, verdict == DecisionState::Approved)).is_some() {
        return;
    }
    let Some((entry, server)) = model.selected_entry().zip(model.selected_server()) else { return };
    if matches!(entry.id, EntryId::Drift(..)) {
        warn(model, "this is about the server as a whole; it is shown, and no pin stands for it");
        return;
    }
    let rows = server.rows_of(&entry.id);
    if let Some(why) = rows.iter().find_map(|row| server.refusal(row, verdict)) {
        let group = matches!(entry.id, EntryId::Group(_));
        warn(model, if group { format!("not as one: {why}") } else { why.to_owned() });
        return;
    }
    let targets: Vec<_> = rows.iter().filter_map(|row| Some((row.id.clone(), row.decides_on()?))).collect();
    if targets.is_empty() {
        return;
    }
    if !rows.iter().all(|row| model.is_seen(row)) {
        let opened = model.screen != Screen::Change;
        super::open_change(model);
        let cut = model.document.as_ref().is_some_and(|(_, document)| document.cut);
        let text = if cut {
            "lines of it are cut short: wrap them, and read it to its last line"
        } else if opened {
            "read it to its last line, then press the key again"
        } else {
            "there is more below: read it to its last line first"
        };
        warn(model, text);
        return;
    }
    let approved = rows.iter().filter(|_| verdict == DecisionState::Approved);
    let drifts = approved.filter_map(|row| server.look.review.as_ref()?.drift_of(row));
    let unstable: BTreeSet<_> = drifts.flat_map(varying_places).collect();
    let unstable = unstable.into_iter().collect();
    let server = server.look.id.clone();
    model.dialog = Some(Dialog {
        ask: Ask::Decide(Decide { verdict, targets, note: Input::default(), in_note: false, unstable, varies: false }),
        server,
        scroll: 0,
        read: false,
        moved: None,
    });
}

/// The dialog was confirmed.
pub fn confirm(model: &mut Model, dialog: Dialog, decide: Decide, effects: &mut Vec<Effect>) {
    let decided = model.selected_server().and_then(|server| server.selected.clone());
    let next = decided.filter(|_| model.server.as_ref() == Some(&dialog.server)).map(|decided| {
        let next = browse::undecided(model, true).filter(|(server, _)| model.in_queue() || *server == dialog.server);
        (decided, next)
    });
    let items = decide.targets.iter().map(|(id, _)| id.item.clone()).collect();
    model.deciding.insert(dialog.server.clone(), Sent { verdict: decide.verdict, items, next });
    effects.push(Effect::Decide {
        server: dialog.server,
        verdict: decide.verdict,
        targets: decide.targets,
        note: decide.note.text().trim().to_owned(),
        varies: if decide.varies { decide.unstable } else { Vec::new() },
    });
}

/// What came of it.
pub fn answered(model: &mut Model, server: &str, result: Result<Vec<String>, String>) {
    let sent = model.deciding.remove(server);
    match result {
        Err(why) => warn(model, format!("nothing was decided on {server}: {why}")),
        Ok(lines) => {
            let done = match (&sent, lines.as_slice()) {
                (Some(sent), [_, _, ..]) => format!("{} {} items on {server}", sent.verdict.word(), lines.len()),
                _ => lines.join("  "),
            };
            say_with_undo(model, &done);
            model.decided.extend(lines.iter().cloned());
            let what = sent.as_ref().map(|sent| (sent.verdict, sent.items.clone()));
            model.made.push(Made { server: server.into(), what, lines });
            if let Some((decided, next)) = sent.and_then(|sent| sent.next) {
                go_on(model, server, &decided, next);
            }
        }
    }
}

/// What was done, and the key that takes it back.
fn say_with_undo(model: &mut Model, done: &str) {
    let key = model.keymap.key(Action::Undo, &[Context::Browse]).unwrap_or_default();
    let between = model.glyphs.between;
    say(model, format!("{done} {between} {key} undo"));
}

/// To the next undecided row, unless the person has moved on already.
fn go_on(model: &mut Model, server: &str, decided: &EntryId, next: Option<(ServerId, EntryId)>) {
    let still = model.server.as_deref() == Some(server)
        && model.selected_server().is_some_and(|server| server.selected.as_ref() == Some(decided));
    if !still {
        return;
    }
    match next.filter(|(other, next)| **other != *server || *next != *decided) {
        Some((server, next)) => browse::go(model, &server, next),
        None => advance(model),
    }
}

/// `u`: the last decision of this session is shown, and asked about.
pub fn ask_to_undo(model: &mut Model) {
    let Some(made) = model.made.last().cloned() else {
        warn(model, "nothing was decided in this session");
        return;
    };
    let server = made.server.clone();
    model.dialog = Some(Dialog { ask: Ask::Undo(made), server, scroll: 0, read: false, moved: None });
}

/// What came of taking a decision back.
pub fn undone(model: &mut Model, server: &str, result: Result<Vec<String>, String>) {
    match result {
        Err(why) => warn(model, format!("nothing was taken back on {server}: {why}")),
        Ok(lines) => {
            model.made.pop();
            let done = match lines.as_slice() {
                [_, _, ..] => format!("took back the decision on {} items of {server}", lines.len()),
                _ => lines.join("  "),
            };
            say(model, done);
            model.decided.extend(lines);
        }
    }
}

/// To the next undecided row of any server; where there is none, back to the main screen.
pub fn advance(model: &mut Model) {
    if let Some((server, entry)) = browse::undecided(model, true) {
        browse::go(model, &server, entry);
        return;
    }
    model.screen = if model.in_queue() { Screen::Queue } else { Screen::Browse };
    if model.notice.is_none() {
        say(model, "nothing else needs a decision");
    }
}
