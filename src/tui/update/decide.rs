//! From `a` or `r` to a decision: what is read first, what is asked, what is sent, where the cursor goes.

use super::{ask, select};
use crate::drift::varying_places;
use crate::pin::DecisionState;
use crate::surface::ServerId;
use crate::tui::action::{Action, Context};
use crate::tui::effect::Effect;
use crate::tui::input::Input;
use crate::tui::model::{Ask, Decide, Dialog, Made, Model, Screen, Sent};
use crate::tui::msg::Written;
use std::collections::BTreeSet;

/// `a` or `r`: a change that was not shown to its last line is opened, else the dialog.
pub fn ask(model: &mut Model, verdict: DecisionState) {
    if ask::whole(model, verdict == DecisionState::Approved).is_some() {
        return;
    }
    let Some((entry, server)) = model.selected_entry().zip(model.selected_server()) else { return };
    let rows = server.rows_of(&entry.id);
    if let Some(why) = rows.iter().find_map(|row| server.refusal(row, verdict)) {
        let in_part = rows.iter().any(|row| server.refusal(row, verdict).is_none());
        model.warn(if in_part { format!("not as a group: {why}") } else { why.to_owned() });
        return;
    }
    let id = &server.look.id;
    let targets = rows.iter().filter_map(|row| Some((id.clone(), (row.id.clone(), row.decides_on()?))));
    let targets: Vec<_> = targets.collect();
    if targets.is_empty() {
        return;
    }
    if !rows.iter().all(|row| model.session.is_seen(&server.look.id, row)) {
        let opened = model.screen() != Screen::Change;
        model.open(Screen::Change);
        let cut = model.reading.document.as_ref().is_some_and(|(_, document)| document.cut);
        let text = if model.drafts.is_awaiting() {
            "still reading it: press the key again when it is shown".into()
        } else if cut {
            let key = model.setup.keymap.key(Action::Wrap, &[Context::Change]).unwrap_or_default();
            format!("some lines are cut: {key} wraps them, then read to the end")
        } else if opened {
            "read to the end, then press the key again".into()
        } else {
            "more below: read to the end first".into()
        };
        model.warn(text);
        return;
    }
    let approved = rows.iter().filter(|_| verdict == DecisionState::Approved);
    let drifts = approved.filter_map(|row| server.look.drift_of(row));
    let unstable: BTreeSet<_> = drifts.flat_map(varying_places).collect();
    let unstable = unstable.into_iter().collect();
    let server = id.clone();
    let decide = Decide { verdict, targets, marked: false, apart: Vec::new(), unstable, varies: false };
    model.dialog = Some(Dialog::new(Ask::Decide(decide), server));
}

/// The dialog was confirmed: one decision a server, all or nothing there.
pub fn confirm(model: &mut Model, note: &Input, decide: &Decide) {
    for own in decide.targets.chunk_by(|(one, _), (other, _)| one == other) {
        let (server, verdict) = (own[0].0.clone(), decide.verdict);
        let targets: Vec<_> = own.iter().map(|(_, target)| target.clone()).collect();
        for (row, digest) in &targets {
            model.session.marked.remove(&(server.clone(), row.clone(), *digest));
        }
        let selected = model.selected_server().filter(|other| other.look.id == server && !decide.marked);
        let from = selected.and_then(|server| server.selected.clone());
        let items = targets.iter().map(|(id, _)| id.item.clone()).collect();
        model.session.deciding.insert(server.clone(), Sent { verdict, items, from });
        let varies = if decide.varies { decide.unstable.clone() } else { Vec::new() };
        model.request(Effect::Decide { server, verdict, targets, note: note.text().trim().to_owned(), varies });
    }
}

pub fn answered(model: &mut Model, server: &str, result: Written) {
    let sent = model.session.deciding.remove(server);
    let many = |lines: &[String]| match &sent {
        Some(sent) => format!("{} {} items on {server}", sent.verdict.word(), lines.len()),
        None => lines.join("  "),
    };
    let Some(lines) = written(model, result, &format!("nothing was decided on {server}"), many) else { return };
    // What was done, and the key that takes it back.
    let key = model.setup.keymap.key(Action::Undo, &[Context::Home]).unwrap_or_default();
    if let Some(notice) = &mut model.notice {
        notice.text = format!("{} {} {key} undo", notice.text, model.setup.glyphs.between);
    }
    let what = sent.as_ref().map(|sent| (server.into(), sent.verdict, sent.items.clone()));
    model.session.made.push(Made { server: server.into(), what, lines });
    // Unless the person has moved on already.
    let selected = model.selected_server().filter(|other| *other.look.id == *server);
    let from = sent.and_then(|sent| sent.from);
    if from.is_some() && selected.is_some_and(|server| server.selected == from) {
        select::advance(model);
    }
}

pub fn recorded(model: &mut Model, server: ServerId, baseline: bool, result: Written) {
    let done = written(model, result, &format!("Could not record {server}"), |lines| lines.join("  "));
    if done.is_some() && baseline {
        model.session.recorded.push(server);
    }
}

pub fn undone(model: &mut Model, server: &str, result: Written) {
    let many = |lines: &[String]| format!("undid the decision on {} items of {server}", lines.len());
    if written(model, result, &format!("could not undo on {server}"), many).is_some() {
        model.session.made.pop();
    }
}

/// What came of a write: its lines, said and kept for the end, of several in one sentence; or what `failed`, and why.
fn written(
    model: &mut Model,
    result: Written,
    failed: &str,
    many: impl Fn(&[String]) -> String,
) -> Option<Vec<String>> {
    model.session.pending = model.session.pending.saturating_sub(1);
    let lines = result.map_err(|why| model.warn(format!("{failed}: {why}"))).ok()?;
    model.say(if lines.len() > 1 { many(&lines) } else { lines.join("  ") });
    model.session.decided.extend(lines.iter().cloned());
    Some(lines)
}

/// `u`: the last decision of this session is shown, and asked about.
pub fn ask_to_undo(model: &mut Model) {
    let Some(made) = model.session.made.last().cloned() else {
        model.warn("no decision to undo in this session");
        return;
    };
    let server = made.server.clone();
    model.dialog = Some(Dialog::new(Ask::Undo(made), server));
}
