//! Keys of the change and digests screens, and what they share with the lists.

use super::{copy, decide, manner, marks, search, select, versions};
use crate::monitor::Command;
use crate::pin::DecisionState;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::model::{Model, Pane, Screen};

pub fn act(model: &mut Model, action: Action) {
    match action {
        Action::Digests if model.screen() == Screen::Digests => {
            model.back();
            model.open(Screen::Change);
        }
        Action::Digests => model.open(Screen::Digests),
        Action::Back => model.back(),
        _ => common(model, action),
    }
}

/// Keys that mean the same over a change and wherever one is selected.
pub fn common(model: &mut Model, action: Action) {
    match action {
        Action::Approve => decide::ask(model, DecisionState::Approved),
        Action::Reject => decide::ask(model, DecisionState::Rejected),
        Action::Skip => skip(model),
        Action::Mark => marks::toggle(model),
        Action::Undo => decide::ask_to_undo(model),
        Action::NextChange => part(model, true),
        Action::PreviousChange => part(model, false),
        Action::MoreContext | Action::LessContext | Action::SideBySide | Action::Wrap | Action::Json => {
            manner::act(model, action);
        }
        Action::Copy => copy::ask(model),
        Action::ReadOutside => copy::read_outside(model),
        Action::History => versions::history(model),
        Action::Search => search::open(model),
        Action::NextUndecided | Action::PreviousUndecided => {
            match select::undecided(model, action == Action::NextUndecided) {
                Some((server, entry)) => select::go(model, &server, entry),
                None => model.say("nothing else needs a decision"),
            }
        }
        Action::Poll => {
            if let Some(server) = model.server.clone() {
                model.say(format!("looking at {server} now"));
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
    let Some(document) = model.reading.lines() else { return };
    let at = model.reading.scroll;
    let to = if forward {
        document.parts.iter().find(|part| **part > at)
    } else {
        document.parts.iter().rev().find(|part| **part < at)
    };
    model.reading.scroll = to.copied().unwrap_or(if forward { at } else { 0 });
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
