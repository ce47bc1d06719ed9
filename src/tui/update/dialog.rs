//! Keys of the dialogs. Only the confirm key confirms, and only from the buttons; enter and esc close.

use super::{copy, decide, launches, moves, sign_in};
use crate::config::Answer;
use crate::monitor::{Command, Phase};
use crate::tui::action::{Action, Context};
use crate::tui::effect::{Effect, Target};
use crate::tui::model::{Ask, Dialog, Model, Screen, Server};
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

/// After a server said something, or went: where what is asked about has moved on, the dialog says so and can only be closed.
pub fn check(model: &mut Model) {
    let Some(dialog) = &model.dialog else { return };
    let own = model.server_of(&dialog.server);
    if own.is_none() && !matches!(dialog.ask, Ask::Undo(_)) {
        model.dialog = None;
        return;
    }
    let own = own.filter(|_| dialog.moved.is_none());
    let Some(why) = own.and_then(|own| moved(model, own, &dialog.ask)) else { return };
    let is_change = matches!(&dialog.ask, Ask::Decide(decide) if !decide.marked);
    if let Some(dialog) = &mut model.dialog {
        dialog.moved = Some(why);
        dialog.typing = false;
    }
    if is_change {
        model.open(Screen::Change);
        model.reading.scroll = 0;
    }
}

/// What became of what is asked about; none where it is as it was.
fn moved(model: &Model, own: &Server, ask: &Ask) -> Option<&'static str> {
    let look = &own.look;
    match ask {
        Ask::Undo(_) | Ask::Copy(_) | Ask::LookAs(_) | Ask::SignIn(_) => None,
        Ask::Decide(decide) => {
            // The row of a target whose definition is the one that was shown.
            let row = |server: &'_ str, (id, digest): &Target| {
                let server = model.server_of(server)?;
                let row = server.look.row(id).filter(|row| row.decides_on() == Some(*digest))?;
                Some(server.refusal(row, decide.verdict))
            };
            let rows: Option<Vec<_>> = decide.targets.iter().map(|(server, target)| row(server, target)).collect();
            match (rows, decide.marked) {
                (None, true) => Some("one of them changed while you read: close this and look again"),
                (None, false) => Some("it changed while you read: close this and read the new change"),
                (Some(refused), false) if refused.iter().any(Option::is_some) => {
                    Some("nothing to decide here any more")
                }
                (Some(_), _) => None,
            }
        }
        Ask::Launches { requests, .. } => {
            let waits = |request| model.servers.iter().any(|server| server.look.to_start() == Some(request));
            (!requests.iter().all(waits)).then_some("one of them changed while you read: close this and look again")
        }
        Ask::Baseline(record) => {
            let now = look.review.as_ref().filter(|_| look.is_first_contact()).map(|review| review.first_record());
            (now.as_ref() != Some(record)).then_some("the server changed: close this and look again")
        }
        Ask::Input(asked) => (!look.asked.contains(asked)).then_some("nothing is asked any more"),
        Ask::Unwatched(reason) => {
            let same = matches!(&look.phase, Phase::Unwatched(now) if now == reason) && look.needs_watching();
            (!same).then_some("it is watched again, or that was decided on elsewhere")
        }
        Ask::Consent(request) => match if request.is_of_scanner() { look.scanner.as_ref() } else { look.to_start() } {
            Some(now) if now == request => None,
            Some(_) => Some("what would run changed: close this and read it again"),
            None => Some("nothing is asked any more"),
        },
    }
}
