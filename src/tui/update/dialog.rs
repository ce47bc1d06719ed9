//! Keys of the dialogs. Only the confirm key confirms, and only from the buttons; enter and esc close.

use super::{copy, decide, launches, moves, sign_in};
use crate::config::Answer;
use crate::monitor::Command;
use crate::tui::action::{Action, Context};
use crate::tui::effect::Effect;
use crate::tui::model::{Ask, Dialog, Model};
use crate::tui::sheet;
use crossterm::event::{KeyCode, KeyEvent};

pub fn act(model: &mut Model, action: Action) {
    let Some(dialog) = &mut model.dialog else { return };
    let (has_words, takes_text) = (dialog.has_words(), dialog.takes_text());
    match (action, &mut dialog.ask) {
        (Action::Confirm, Ask::SignIn(_)) => sign_in::confirm(model),
        (Action::Confirm, _) => confirm(model),
        (Action::Cancel | Action::Back | Action::Quit, _) => model.dialog = None,
        (_, Ask::Copy(_)) => copy::act(model, action),
        (Action::Open, _) if has_words => say_what_confirms(model),
        (Action::Open, _) => model.dialog = None,
        (Action::Note, _) => dialog.typing = takes_text,
        (Action::Vary, Ask::Decide(decide)) if dialog.moved.is_none() && !decide.unstable.is_empty() => {
            decide.varies = !decide.varies;
        }
        _ => moves::go(model, action),
    }
}

/// Enter where something is typed: nothing is dropped and nothing confirmed, and the person is told which key does that.
pub fn say_what_confirms(model: &mut Model) {
    let Some((sheet, _)) = sheet::sheet(model) else { return };
    let key = |action| model.setup.keymap.key(action, &[Context::Dialog]).unwrap_or_default();
    let text = match sheet.hold {
        Some(why) => why.to_owned(),
        None => format!("{} to {}, {} to cancel", key(Action::Confirm), sheet.yes, key(Action::Cancel)),
    };
    model.warn(text);
}

fn confirm(model: &mut Model) {
    let Some(Dialog { ask, server, text, .. }) = model.dialog.take_if(|dialog| dialog.hold(!dialog.read).is_none())
    else {
        return;
    };
    // What was asked about as a whole becomes something else: the worst of it is what the person wants to see.
    model.home.chosen &= matches!(ask, Ask::Decide(_) | Ask::Undo(_) | Ask::Copy(_));
    match ask {
        Ask::Decide(asked) => decide::confirm(model, &text, &asked),
        // They have keys of their own.
        Ask::Copy(_) | Ask::SignIn(_) => {}
        Ask::Launches { requests, .. } => launches::confirm(model, &requests),
        Ask::Undo(_) => model.request(Effect::Undo { number: model.session.made.len(), server }),
        Ask::Baseline(record) => model.request(Effect::RecordBaseline { server, targets: record.pins }),
        Ask::Unwatched(reason) => model.request(Effect::AcceptUnwatched { server, reason: reason.code }),
        Ask::Input(asked) => {
            model.say(format!("answer kept in memory; reading the config of {server} again"));
            model.request(Effect::Answer { asked, answer: Answer(text.text().to_owned()) });
        }
        Ask::Consent(request) if request.is_of_scanner() => {
            model.request(Effect::Tell(server, Command::AgreeToScanner));
        }
        Ask::Consent(_) => model.request(Effect::Tell(server, Command::Consent)),
        Ask::LookAs(clients) => model.request(Effect::Tell(server, Command::LookAs(clients))),
    }
}

/// Takes a digit of the number that a decision on several asks for; false where none is asked for.
pub fn count(model: &mut Model, key: KeyEvent) -> bool {
    let asked = |dialog: &&mut Dialog| dialog.moved.is_none() && dialog.ask.number().is_some();
    let Some(dialog) = model.dialog.as_mut().filter(asked) else { return false };
    let taken = matches!(key.code, KeyCode::Char('0'..='9') | KeyCode::Backspace);
    if taken {
        dialog.count.key(key);
    }
    taken
}
