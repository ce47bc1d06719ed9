//! Keys of the server details: look now, start again, pause, ask for consent again.

use super::{browse, dialog, motion, say};
use crate::monitor::Phase;
use crate::tui::action::Action;
use crate::tui::details;
use crate::tui::effect::Effect;
use crate::tui::layout;
use crate::tui::model::{Model, Screen};

/// Does what a key says.
pub fn act(model: &mut Model, action: Action, effects: &mut Vec<Effect>) {
    if motion::is_motion(action) {
        let (lines, page) = measure(model);
        model.details_scroll = motion::scroll(action, model.details_scroll, lines, page);
        return;
    }
    let Some(server) = model.selected_server() else {
        model.screen = Screen::Browse;
        return;
    };
    let id = server.look.id.clone();
    let paused = server.look.phase == Phase::Paused;
    match action {
        Action::Back | Action::Quit | Action::Details => model.screen = Screen::Browse,
        Action::NextServer | Action::PreviousServer => {
            browse::step_server(model, action == Action::NextServer);
            model.details_scroll = 0;
        }
        Action::Poll => {
            say(model, format!("looking at {id} now"));
            effects.push(Effect::Poll(id));
        }
        Action::Restart => {
            say(model, format!("starting {id} again"));
            effects.push(Effect::Restart(id));
        }
        Action::Pause => {
            say(
                model,
                if paused { format!("{id} goes on") } else { format!("{id} is paused: nothing of it is looked at") },
            );
            effects.push(Effect::Pause { server: id, paused: !paused });
        }
        Action::AskConsent if dialog::is_asked(model) => {
            dialog::consent(model);
        }
        Action::AskConsent => {
            say(model, format!("what was agreed to of {id} is forgotten; it is asked about before the next start"));
            effects.push(Effect::AskConsent(id));
        }
        _ => {}
    }
}

/// How many lines there are, and how many are shown.
fn measure(model: &Model) -> (usize, usize) {
    let page = layout::details(model);
    let lines =
        model.selected_server().map_or(0, |server| details::lines(model, server, usize::from(page.width)).len());
    (lines, usize::from(page.height))
}

/// No empty rows below.
pub fn settle(model: &mut Model) {
    if model.screen == Screen::Server {
        let (lines, page) = measure(model);
        model.details_scroll = model.details_scroll.min(lines.saturating_sub(page));
    }
}
