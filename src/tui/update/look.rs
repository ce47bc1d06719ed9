//! What a server said takes the place of what it said before. Nothing that a person chose moves.

use crate::monitor::{Phase, ServerLook};
use crate::tui::model::{Ask, Dialog, Model, Screen, Server};

/// A server's last state.
pub fn look(model: &mut Model, look: ServerLook) {
    if let Some(at) = look.last_good {
        model.now = model.now.max(at);
    }
    let id = look.id.clone();
    model.revision += 1;
    match model.servers.iter_mut().find(|server| server.look.id == id) {
        Some(server) => {
            server.take(look);
        }
        None => model.servers.push(Server::new(look)),
    }
    check_dialog(model, &id);
}

/// A server that is no longer configured.
pub fn removed(model: &mut Model, id: &str) {
    model.servers.retain(|server| *server.look.id != *id);
    model.revision += 1;
    let about = |dialog: &Dialog| match &dialog.ask {
        Ask::Marked(marked) => marked.targets.iter().any(|(server, _)| **server == *id),
        _ => *dialog.server == *id,
    };
    if model.dialog.as_ref().is_some_and(about) {
        model.dialog = None;
    }
}

/// Where what a dialog asks about has moved on, it says so and can only be closed.
fn check_dialog(model: &mut Model, id: &str) {
    let about = |dialog: &&Dialog| match &dialog.ask {
        Ask::Marked(marked) => marked.targets.iter().any(|(server, _)| **server == *id),
        _ => *dialog.server == *id,
    };
    let Some(dialog) = model.dialog.as_ref().filter(about) else { return };
    let Some(server) = model.server_of(id) else { return };
    let review = server.look.review.as_ref();
    let stands = |(row, digest): &crate::tui::effect::Target| {
        let row = review.and_then(|review| review.row(row));
        row.is_some_and(|row| row.decides_on() == Some(*digest))
    };
    let moved = match &dialog.ask {
        Ask::Decide(decide) => {
            let decidable = |(id, _): &crate::tui::effect::Target| {
                let row = review.and_then(|review| review.row(id));
                row.is_some_and(|row| server.refusal(row, decide.verdict).is_none())
            };
            if !decide.targets.iter().all(stands) {
                Some("it changed while you read: close this and read the new change")
            } else if decide.targets.iter().all(decidable) {
                None
            } else {
                Some("nothing to decide here any more")
            }
        }
        Ask::Marked(marked) => {
            let own = |(other, target): &(crate::surface::ServerId, _)| **other != *id || stands(target);
            (!marked.targets.iter().all(own)).then_some("one of them changed while you read: close this and look again")
        }
        // What became of marked launches is looked at with their marks.
        Ask::Undo(_) | Ask::Copy(_) | Ask::Launches(_) => None,
        Ask::Baseline { targets, apart } => {
            let first = review.is_some_and(|review| review.first_contact);
            let all = review.map_or(0, |review| review.rows.len()) == targets.len() + apart.len();
            (!(first && all && targets.iter().all(stands))).then_some("the server changed: close this and look again")
        }
        Ask::Input(question) => (!server.look.asked.contains(&question.asked)).then_some("nothing is asked any more"),
        Ask::Unwatched(reason) => {
            let same = matches!(&server.look.phase, Phase::Unwatched(now) if now == reason) && server.needs_watching();
            (!same).then_some("it is watched again, or that was decided on elsewhere")
        }
        Ask::Consent(request) => match &server.look.phase {
            Phase::NeedsConsent(now) if now == request => None,
            Phase::NeedsConsent(_) => Some("the launch changed: close this and read it again"),
            _ => Some("nothing is asked any more"),
        },
    };
    let Some(why) = moved else { return };
    let change = matches!(dialog.ask, Ask::Decide(_));
    if let Some(dialog) = &mut model.dialog {
        dialog.moved = Some(why);
        match &mut dialog.ask {
            Ask::Decide(decide) => decide.in_note = false,
            Ask::Marked(marked) => marked.in_note = false,
            Ask::Input(question) => question.in_answer = false,
            Ask::Undo(_)
            | Ask::Copy(_)
            | Ask::Baseline { .. }
            | Ask::Consent(_)
            | Ask::Launches(_)
            | Ask::Unwatched(_) => {}
        }
    }
    if change {
        model.open(Screen::Change);
        model.reading.scroll = 0;
    }
}
