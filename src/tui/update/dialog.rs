//! Keys of the dialogs. Only the confirm key confirms, and only from the buttons; enter and esc close.

use super::{copy, decide, marks, queue, say, sheet, warn};
use crate::canon::Code;
use crate::config::Answer;
use crate::drift::Severity;
use crate::monitor::{BaselineState, Phase};
use crate::review::{Review, Row};
use crate::tui::action::{Action, Context};
use crate::tui::effect::Effect;
use crate::tui::input::Input;
use crate::tui::model::{Ask, Dialog, Model, Question, Server};
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
                    Ask::Undo(_) | Ask::Copy(_) | Ask::Baseline { .. } | Ask::Consent(_) | Ask::Unwatched(_) => {}
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
    warn(model, text);
}

fn scroll(model: &mut Model, action: Action) {
    let Some((sheet, [_, content, _])) = sheet::sheet(model) else { return };
    if let Some(dialog) = &mut model.dialog {
        dialog.scroll = super::motion::scroll(action, dialog.scroll, sheet.lines.len(), usize::from(content.height));
    }
}

fn confirm(model: &mut Model, effects: &mut Vec<Effect>) {
    let ready = |dialog: &mut Dialog| {
        let counted = !matches!(&dialog.ask, Ask::Marked(marked) if !marked.is_counted());
        let answered = !matches!(&dialog.ask, Ask::Input(question) if !question.is_answered());
        dialog.moved.is_none() && dialog.read && counted && answered
    };
    let Some(dialog) = model.dialog.take_if(ready) else { return };
    match dialog.ask.clone() {
        Ask::Decide(asked) => decide::confirm(model, dialog, asked, effects),
        // The menu has keys of its own.
        Ask::Copy(_) => {}
        Ask::Marked(marked) => marks::confirm(model, &marked, effects),
        Ask::Undo(_) => effects.push(Effect::Undo { number: model.made.len(), server: dialog.server }),
        Ask::Baseline { targets, .. } => effects.push(Effect::RecordBaseline { server: dialog.server, targets }),
        Ask::Unwatched(reason) => {
            effects.push(Effect::AcceptUnwatched { server: dialog.server, reason: reason.code });
        }
        Ask::Input(question) => {
            say(model, format!("kept until pinwatch ends: {} is read again", dialog.server));
            let answer = Answer(question.answer.text().to_owned());
            effects.push(Effect::Answer { asked: question.asked, answer });
        }
        Ask::Consent(_) => {
            say(model, format!("{}: keeping what you agreed to", dialog.server));
            effects.push(Effect::Consent { server: dialog.server, agreed: true });
        }
    }
}

/// Takes a digit of the number that a decision on several asks for; false where none is asked for.
pub fn count(model: &mut Model, key: KeyEvent) -> bool {
    let Some(Dialog { ask: Ask::Marked(marked), moved: None, .. }) = &mut model.dialog else { return false };
    let taken = matches!(key.code, KeyCode::Char('0'..='9') | KeyCode::Backspace);
    if taken {
        marked.count.key(key);
    }
    taken
}

fn open(model: &mut Model, ask: Ask) {
    if let Some(server) = model.server.clone() {
        model.dialog = Some(Dialog { ask, server, scroll: 0, read: false, moved: None });
    }
}

/// Asks what the selected server's file asks for, or for consent to its launch, where it needs either.
pub fn consent(model: &mut Model) -> Option<()> {
    if let Some(asked) = model.selected_server()?.look.asked.first().cloned() {
        open(model, Ask::Input(Question { asked, answer: Input::default(), in_answer: true }));
        return Some(());
    }
    let Phase::NeedsConsent(request) = &model.selected_server()?.look.phase else { return None };
    if model.frozen.is_some() {
        warn(model, "the display is frozen: go on first, and see what would be started now");
        return Some(());
    }
    let request = request.clone();
    open(model, Ask::Consent(request));
    Some(())
}

/// Asks whether the selected server may stay unwatched, or leaves that open; where it is watched there is nothing to ask.
pub fn unwatched(model: &mut Model, accept: bool) -> Option<()> {
    let server = model.selected_server()?;
    let Phase::Unwatched(reason) = &server.look.phase else { return None };
    let (id, reason) = (server.look.id.clone(), reason.clone());
    if !server.needs_watching() {
        warn(model, format!("{id} is not watched, and nothing is left to decide on that"));
    } else if accept {
        open(model, Ask::Unwatched(reason));
    } else {
        warn(model, format!("left open: `check` exits 2 until {id} is watched again, or that is accepted"));
        model.left_unwatched.insert(id);
    }
    Some(())
}

/// Whether the selected server's file asks for something.
pub fn is_asked(model: &Model) -> bool {
    model.selected_server().is_some_and(|server| !server.look.asked.is_empty())
}

/// `B`: at first contact everything is listed and asked for at once.
pub fn baseline(model: &mut Model) {
    if consent(model).is_some() {
        return;
    }
    let Some(server) = model.selected_server() else { return };
    let id = server.look.id.clone();
    match (&server.look.baseline, &server.look.review) {
        (BaselineState::Refused(why), _) => {
            let text = format!("the baseline of {id} is refused and is not overwritten: {why}");
            warn(model, text);
        }
        (BaselineState::Present(_), _) => {
            warn(model, format!("{id} has a baseline: here is everything that waits for a decision"));
            queue::open(model);
        }
        (BaselineState::Verifying, _) => warn(model, format!("the baseline of {id} is being verified")),
        (BaselineState::Absent, None) => warn(model, format!("nothing of {id} was observed yet")),
        (BaselineState::Absent, Some(_)) if server.is_stale() => {
            warn(model, format!("{id} is stale: a baseline records what a server shows now"));
        }
        (BaselineState::Absent, Some(review)) => {
            let (mut targets, mut apart) = (Vec::new(), Vec::new());
            for row in &review.rows {
                match (apart_because(server, review, row), row.decides_on()) {
                    (None, Some(digest)) => targets.push((row.id.clone(), digest)),
                    (Some(why), _) => apart.push((row.id.clone(), why)),
                    (None, None) => {}
                }
            }
            open(model, Ask::Baseline { targets, apart });
        }
    }
}

/// Why a row does not become a pin with all the others.
fn apart_because(server: &Server, review: &Review, row: &Row) -> Option<String> {
    let findings = review.drifts.iter().filter(|drift| drift.id == row.id.item).flat_map(|drift| &drift.findings);
    let critical =
        findings.filter(|finding| finding.severity == Severity::Critical).map(|finding| finding.text.clone());
    // Without a drift it was searched beside the review; one that was not is not taken for harmless.
    let searched = || match row.now.as_ref().map(|item| server.look.critical.get(&item.digests.surface)) {
        Some(Some(found)) => found.clone(),
        Some(None) => Some("it was not searched".to_owned()),
        None => None,
    };
    let critical = critical.into_iter().next().or_else(|| if row.drift.is_none() { searched() } else { None });
    let codes = row.now.as_ref().map(|item| &item.definition.codes);
    let ambiguous = codes.is_some_and(|codes| codes.iter().any(|code| *code != Code::Number));
    let surface = server.look.surface.as_ref();
    let whole = surface.is_none_or(|surface| surface.is_complete(row.id.item.kind));
    if let Some(why) = critical {
        Some(why)
    } else if ambiguous {
        Some("ambiguous: readers take it differently".to_owned())
    } else if whole {
        None
    } else {
        Some("its list was not read to the end".to_owned())
    }
}
