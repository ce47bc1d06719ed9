//! Keys of the change and digests screens, and what they share with the main screen.

use super::{browse, copy, decide, marks, motion, queue, say, search, versions, warn};
use crate::pin::DecisionState;
use crate::tui::action::Action;
use crate::tui::document;
use crate::tui::effect::Effect;
use crate::tui::layout;
use crate::tui::model::{Model, Pane, Screen};

/// Does what a key says.
pub fn act(model: &mut Model, action: Action, effects: &mut Vec<Effect>) {
    if motion::is_motion(action) {
        scroll(model, action);
        return;
    }
    match action {
        Action::Digests if model.screen == Screen::Digests => model.screen = Screen::Change,
        Action::Digests => {
            model.digests_over = model.screen;
            model.screen = Screen::Digests;
        }
        // One level: the digests back to what they were opened over.
        Action::Back | Action::Quit if model.screen == Screen::Digests => model.screen = model.digests_over,
        Action::Back | Action::Quit => model.screen = model.change_over,
        Action::Queue => queue::open(model),
        Action::Copy => copy::ask(model),
        _ => common(model, action, effects),
    }
}

/// Keys that mean the same on the main screen and over one change.
pub fn common(model: &mut Model, action: Action, effects: &mut Vec<Effect>) {
    match action {
        Action::Approve => decide::ask(model, DecisionState::Approved),
        Action::Reject => decide::ask(model, DecisionState::Rejected),
        Action::Skip => browse::skip(model),
        Action::Mark => marks::toggle(model),
        Action::Undo => decide::ask_to_undo(model),
        Action::NextChange => part(model, true),
        Action::PreviousChange => part(model, false),
        Action::MoreContext | Action::LessContext | Action::SideBySide | Action::Wrap | Action::Json => {
            manner(model, action);
        }
        Action::ReadOutside => copy::read_outside(model, effects),
        Action::History => versions::history(model, effects),
        Action::Search => search::open(model),
        Action::NextUndecided | Action::PreviousUndecided => {
            match browse::undecided(model, action == Action::NextUndecided) {
                Some((server, entry)) => browse::go(model, &server, entry),
                None => say(model, "nothing else needs a decision"),
            }
        }
        Action::Poll => {
            if let Some(server) = model.server.clone() {
                say(model, format!("looking at {server} now"));
                effects.push(Effect::Poll(server));
            }
        }
        _ => {}
    }
}

/// How a diff is shown.
pub fn manner(model: &mut Model, action: Action) {
    match action {
        Action::MoreContext => model.manner.context = (model.manner.context * 2).clamp(1, 10_000),
        Action::LessContext => model.manner.context /= 2,
        Action::SideBySide => beside(model),
        Action::Wrap => model.manner.wrap = !model.manner.wrap,
        Action::Json => {
            let compared = model.compared.as_ref().and_then(|compared| compared.document.as_ref());
            let shown = match model.screen {
                Screen::Compared => compared.map(|(.., document)| document),
                _ => model.document.as_ref().map(|(_, document)| document),
            };
            model.manner.form = model.manner.form.next(shown.is_some_and(|document| document.marks));
        }
        _ => {}
    }
}

/// Both sides beside each other, or one below the other again.
fn beside(model: &mut Model) {
    model.manner.beside = !model.manner.beside;
    let place = layout::document(model).unwrap_or_else(|| layout::details(model));
    let room = usize::from(place.width) >= document::BESIDE;
    if model.manner.beside && !room {
        warn(model, "side by side needs 110 columns here: shown one below the other until then");
    }
}

/// Scrolls the document.
pub fn scroll(model: &mut Model, action: Action) {
    let page = layout::document(model).map_or(1, |place| usize::from(place.height));
    let lines = model.document.as_ref().map_or(0, |(_, document)| document.lines.len());
    model.document_scroll = motion::scroll(action, model.document_scroll, lines, page);
}

/// To the next or previous part of the change.
fn part(model: &mut Model, forward: bool) {
    if model.screen == Screen::Browse {
        model.pane = Pane::Change;
    }
    let Some((_, document)) = &model.document else { return };
    let at = model.document_scroll;
    let to = if forward {
        document.parts.iter().find(|part| **part > at)
    } else {
        document.parts.iter().rev().find(|part| **part < at)
    };
    model.document_scroll = to.copied().unwrap_or(if forward { at } else { 0 });
}
