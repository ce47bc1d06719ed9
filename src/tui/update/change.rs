//! Keys of the change and digests screens, and what they share with the lists.

use super::{copy, decide, marks, search, select, versions};
use crate::monitor::Command;
use crate::pin::DecisionState;
use crate::tui::action::Action;
use crate::tui::document;
use crate::tui::effect::Effect;
use crate::tui::layout;
use crate::tui::model::{Model, Pane, Screen};

pub fn act(model: &mut Model, action: Action) {
    match action {
        Action::Digests if model.screen() == Screen::Digests => {
            model.back();
            model.open(Screen::Change);
        }
        Action::Digests => model.open(Screen::Digests),
        _ => common(model, action),
    }
}

/// Keys that mean the same over a change and wherever one is selected.
pub fn common(model: &mut Model, action: Action) {
    match action {
        Action::Approve => decide::ask(model, DecisionState::Approved),
        Action::Reject => decide::ask(model, DecisionState::Rejected),
        Action::Skip => skip(model),
        Action::Mark => marks::mark(model),
        Action::Undo => decide::ask_to_undo(model),
        Action::NextChange => part(model, true),
        Action::PreviousChange => part(model, false),
        Action::Copy => copy::ask(model),
        Action::ReadOutside => copy::read_outside(model),
        Action::History => versions::history(model),
        Action::Search => search::open(model),
        Action::NextUndecided | Action::PreviousUndecided => _ = select::step(model, action == Action::NextUndecided),
        Action::Poll => {
            if let Some(server) = model.server.clone() {
                model.request(Effect::Tell(server, Command::Poll));
            }
        }
        _ => {}
    }
}

/// To the next or previous part of the change.
fn part(model: &mut Model, forward: bool) {
    if model.screen() == Screen::Servers {
        model.listed.pane = Pane::Change;
    }
    let Some((place, document)) = layout::document(model).zip(model.reading.lines()) else { return };
    let (at, last) = (model.reading.scroll, document.lines.len().saturating_sub(usize::from(place.height)));
    let to = if forward {
        document.parts.iter().find(|part| **part > at).filter(|_| at < last)
    } else {
        document.parts.iter().rev().find(|part| **part < at)
    };
    match to {
        None if forward => model.warn("no further part"),
        _ => model.reading.scroll = to.copied().unwrap_or(0).min(last),
    }
}

/// Puts the selected row, or group, off for this session and goes on.
fn skip(model: &mut Model) {
    let Some(server) = model.server.clone() else { return };
    let asked = model.selected_rows().into_iter().filter(|row| row.state.needs_decision());
    let put_off: Vec<_> = asked.filter_map(|row| Some((server.clone(), row.id.clone(), row.decides_on()?))).collect();
    if put_off.is_empty() {
        model.warn("nothing to decide here");
        return;
    }
    model.session.skipped.extend(put_off);
    select::advance(model);
}

/// How a diff is shown: one or both sides, wrapped or cut, as text or as JSON, with how much around it.
pub fn manner(model: &mut Model, action: Action) {
    let manner = &mut model.reading.manner;
    match action {
        Action::MoreContext => manner.context = (manner.context * 2).clamp(1, 10_000),
        Action::LessContext => manner.context /= 2,
        Action::SideBySide => beside(model),
        Action::Wrap => manner.wrap = !manner.wrap,
        Action::Json => {
            let marks = model.reading.document.as_ref().is_some_and(|(_, document)| document.marks);
            manner.form = manner.form.next(marks);
        }
        _ => {}
    }
}

/// Both sides beside each other, or one below the other again.
fn beside(model: &mut Model) {
    model.reading.manner.beside = !model.reading.manner.beside;
    let place = layout::document(model).unwrap_or_else(|| layout::page(model));
    let room = usize::from(place.width) >= document::BESIDE;
    if model.reading.manner.beside && !room {
        model.warn("side by side needs 110 columns");
    }
}
