//! Keys of the server details: look now, start again, pause, ask for consent again.

use super::{ask, scroll, select};
use crate::monitor::Phase;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::model::Model;
use crate::tui::motion;

pub fn act(model: &mut Model, action: Action, effects: &mut Vec<Effect>) {
    if motion::is_motion(action) {
        scroll::act(model, action);
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
