//! Keys of the dialogs. Only the confirm key confirms, and only from the buttons; enter and esc close.

use super::{copy, decide, launches, marks};
use crate::config::Answer;
use crate::tui::action::{Action, Context};
use crate::tui::effect::Effect;
use crate::tui::model::{Ask, Dialog, Model};
use crate::tui::{motion, sheet};
use crossterm::event::{KeyCode, KeyEvent};

/// Does what a key says.
pub fn act(model: &mut Model, action: Action, effects: &mut Vec<Effect>) {
    match action {
        Action::Open if matches!(&model.dialog, Some(Dialog { ask: Ask::Copy(_), .. })) => {
            copy::act(model, action, effects);
        }
        Action::Open if model.dialog.as_ref().is_some_and(|dialog| dialog.ask.has_words()) => say_what_confirms(model),
        Action::Confirm => confirm(model, effects),
        Action::Open | Action::Cancel | Action::Back | Action::Quit => model.dialog = None,
        Action::Note => {
            if let Some(Dialog { ask, moved: None, .. }) = &mut model.dialog {
                match ask {
                    Ask::Decide(decide) => decide.in_note = true,
                    Ask::Marked(marked) => marked.in_note = true,
                    Ask::Input(question) => question.in_answer = true,
                    Ask::Undo(_)
                    | Ask::Copy(_)
                    | Ask::Baseline { .. }
                    | Ask::Consent(_)
                    | Ask::Launches(_)
                    | Ask::Unwatched(_) => {}
                }
            }
        }
        Action::Vary => {
            if let Some(Dialog { ask: Ask::Decide(decide), moved: None, .. }) = &mut model.dialog
                && !decide.unstable.is_empty()
            {
                decide.varies = !decide.varies;
            }
        }
        Action::Help => model.help = Some(crate::tui::model::List::default()),
        _ if matches!(&model.dialog, Some(Dialog { ask: Ask::Copy(_), .. })) => copy::act(model, action, effects),
        _ => scroll(model, action),
    }
}

/// Enter where something is typed: nothing is dropped and nothing confirmed, and the person is told which key does that.
pub fn say_what_confirms(model: &mut Model) {
    let Some((sheet, _)) = sheet::sheet(model) else { return };
    let key = |action| model.keymap.key(action, &[Context::Dialog]).unwrap_or_default();
    let text = match sheet.hold {
        Some(why) => why.to_owned(),
        None => format!("{} to {}, {} to cancel", key(Action::Confirm), sheet.yes, key(Action::Cancel)),
    };
    model.warn(text);
}

fn scroll(model: &mut Model, action: Action) {
    let Some((sheet, [_, content, _])) = sheet::sheet(model) else { return };
    if let Some(dialog) = &mut model.dialog {
        dialog.scroll = motion::scroll(action, dialog.scroll, sheet.lines.len(), usize::from(content.height));
    }
}

fn confirm(model: &mut Model, effects: &mut Vec<Effect>) {
    let ready = |dialog: &mut Dialog| {
        let counted = !dialog.ask.wants_number();
        let answered = !matches!(&dialog.ask, Ask::Input(question) if !question.is_answered());
        dialog.moved.is_none() && dialog.read && counted && answered
    };
    let Some(dialog) = model.dialog.take_if(ready) else { return };
    // What was asked about as a whole becomes something else: the worst of it is what the person wants to see.
    model.home.chosen &= matches!(dialog.ask, Ask::Decide(_) | Ask::Marked(_) | Ask::Undo(_) | Ask::Copy(_));
    match dialog.ask.clone() {
        Ask::Decide(asked) => decide::confirm(model, dialog, asked, effects),
        // The menu has keys of its own.
        Ask::Copy(_) => {}
        Ask::Marked(marked) => marks::confirm(model, &marked, effects),
        Ask::Launches(asked) => launches::confirm(model, &asked, effects),
        Ask::Undo(_) => effects.push(Effect::Undo { number: model.session.made.len(), server: dialog.server }),
        Ask::Baseline { targets, .. } => effects.push(Effect::RecordBaseline { server: dialog.server, targets }),
        Ask::Unwatched(reason) => {
            effects.push(Effect::AcceptUnwatched { server: dialog.server, reason: reason.code });
        }
        Ask::Input(question) => {
            model.say(format!("answer kept in memory; reading the config of {} again", dialog.server));
            let answer = Answer(question.answer.text().to_owned());
            effects.push(Effect::Answer { asked: question.asked, answer });
        }
        Ask::Consent(_) => {
            model.say(format!("saving your consent for {}", dialog.server));
            effects.push(Effect::Consent { server: dialog.server, agreed: true });
        }
    }
}

/// Takes a digit of the number that a decision on several asks for; false where none is asked for.
pub fn count(model: &mut Model, key: KeyEvent) -> bool {
    let count = match &mut model.dialog {
        Some(Dialog { ask: Ask::Marked(marked), moved: None, .. }) => &mut marked.count,
        Some(Dialog { ask: Ask::Launches(launches), moved: None, .. }) => &mut launches.count,
        _ => return false,
    };
    let taken = matches!(key.code, KeyCode::Char('0'..='9') | KeyCode::Backspace);
    if taken {
        count.key(key);
    }
    taken
}
