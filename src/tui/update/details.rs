//! Keys of the server details: look now, start again, pause, ask for consent again.

use super::{ask, select};
use crate::monitor::{Command, Phase};
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::model::Model;

pub fn act(model: &mut Model, action: Action) {
    let Some(server) = model.selected_server() else {
        model.back();
        return;
    };
    let id = server.look.id.clone();
    let paused = server.look.phase == Phase::Paused;
    match action {
        Action::Details => model.back(),
        Action::NextServer | Action::PreviousServer => select::step_server(model, action == Action::NextServer),
        Action::Poll => model.request(Effect::Tell(id, Command::Poll)),
        Action::Restart => model.request(Effect::Tell(id, Command::Restart)),
        Action::Pause => model.request(Effect::Tell(id, Command::Pause(!paused))),
        Action::AskConsent if ask::input(model).or_else(|| ask::scanner(model)).is_some() => {}
        Action::AskConsent => model.request(Effect::AskConsent(id)),
        Action::LookAs => ask::faces(model),
        _ => {}
    }
}
