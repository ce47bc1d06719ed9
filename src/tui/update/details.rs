//! Keys of the server details: look now, start again, pause, ask for consent again.

use super::{ask, select};
use crate::monitor::Phase;
use crate::tui::action::Action;
use crate::tui::details;
use crate::tui::effect::Effect;
use crate::tui::layout;
use crate::tui::model::{Model, Screen};
use crate::tui::motion;

pub fn act(model: &mut Model, action: Action, effects: &mut Vec<Effect>) {
    if motion::is_motion(action) {
        let (lines, page) = measure(model);
        model.listed.details_scroll = motion::scroll(action, model.listed.details_scroll, lines, page);
        return;
    }
    let Some(server) = model.selected_server() else {
        model.back();
        return;
    };
    let id = server.look.id.clone();
    let paused = server.look.phase == Phase::Paused;
    match action {
        Action::Back | Action::Details => model.back(),
        Action::NextServer | Action::PreviousServer => {
            select::step_server(model, action == Action::NextServer);
            model.listed.details_scroll = 0;
        }
        Action::Poll => {
            model.say(format!("looking at {id} now"));
            effects.push(Effect::Poll(id));
        }
        Action::Restart => {
            model.say(format!("starting {id} again"));
            effects.push(Effect::Restart(id));
        }
        Action::Pause => {
            model.say(if paused {
                format!("{id} goes on")
            } else {
                format!("{id} is paused: nothing of it is looked at")
            });
            effects.push(Effect::Pause { server: id, paused: !paused });
        }
        Action::AskConsent if ask::is_asked(model) => {
            ask::consent(model);
        }
        Action::AskConsent if ask::scanner(model).is_some() => {}
        Action::AskConsent => {
            model.say(format!("consent for {id} withdrawn: you are asked before its next start"));
            effects.push(Effect::AskConsent(id));
        }
        _ => {}
    }
}

/// How many lines there are, and how many are shown.
fn measure(model: &Model) -> (usize, usize) {
    let page = layout::page(model);
    let lines =
        model.selected_server().map_or(0, |server| details::lines(model, server, usize::from(page.width)).len());
    (lines, usize::from(page.height))
}

/// No empty rows below.
pub fn settle(model: &mut Model) {
    if model.screen() == Screen::Details {
        let (lines, page) = measure(model);
        model.listed.details_scroll = model.listed.details_scroll.min(lines.saturating_sub(page));
    }
}
