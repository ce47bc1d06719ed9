//! What a server said takes the place of what it said before. Nothing that a person chose moves.

use crate::monitor::{Phase, ServerLook};
use crate::store::RunningGuard;
use crate::tui::effect::Target;
use crate::tui::model::{Ask, Model, Screen, Server};

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

pub fn removed(model: &mut Model, id: &str) {
    model.servers.retain(|server| *server.look.id != *id);
    model.revision += 1;
    if model.dialog.as_ref().is_some_and(|dialog| dialog.is_about(id)) {
        model.dialog = None;
    }
}

/// What the guards that run now say of themselves, each with its server.
pub fn guarded(model: &mut Model, told: &[RunningGuard]) {
    for server in &mut model.servers {
        let own: Vec<_> = told.iter().filter(|guard| *guard.server == *server.look.id).cloned().collect();
        if own != server.guards {
            server.guards = own;
            server.revision += 1;
            model.revision += 1;
        }
    }
}

/// Where what a dialog asks about has moved on, it says so and can only be closed.
fn check_dialog(model: &mut Model, id: &str) {
    let Some(dialog) = model.dialog.as_ref().filter(|dialog| dialog.is_about(id)) else { return };
    let Some(server) = model.server_of(id) else { return };
    let stands = |(row, digest): &Target| server.look.row(row).is_some_and(|row| row.decides_on() == Some(*digest));
    let moved = match &dialog.ask {
        Ask::Decide(decide) => {
            let mut own = decide.targets.iter().filter(|(other, _)| **other == *id).map(|(_, target)| target);
            let refused = |(row, _): &Target| {
                server.look.row(row).is_none_or(|row| server.refusal(row, decide.verdict).is_some())
            };
            match (own.clone().all(stands), decide.marked) {
                (false, true) => Some("one of them changed while you read: close this and look again"),
                (false, false) => Some("it changed while you read: close this and read the new change"),
                (true, false) if own.any(refused) => Some("nothing to decide here any more"),
                (true, _) => None,
            }
        }
        // What became of marked launches is looked at with their marks.
        Ask::Undo(_) | Ask::Copy(_) | Ask::Launches { .. } | Ask::LookAs(_) | Ask::SignIn(_) => None,
        Ask::Baseline(record) => {
            let now = server.look.review.as_ref().filter(|_| server.look.is_first_contact());
            (now.map(|review| review.first_record()).as_ref() != Some(record))
                .then_some("the server changed: close this and look again")
        }
        Ask::Input(asked) => (!server.look.asked.contains(asked)).then_some("nothing is asked any more"),
        Ask::Unwatched(reason) => {
            let same =
                matches!(&server.look.phase, Phase::Unwatched(now) if now == reason) && server.look.needs_watching();
            (!same).then_some("it is watched again, or that was decided on elsewhere")
        }
        Ask::Consent(request) if request.is_of_scanner() => match &server.look.scanner {
            Some(now) if now == request => None,
            Some(_) => Some("the scanner changed: close this and read it again"),
            None => Some("nothing is asked any more"),
        },
        Ask::Consent(request) => match &server.look.phase {
            Phase::NeedsConsent(now) if now == request => None,
            Phase::NeedsConsent(_) => Some("the launch changed: close this and read it again"),
            _ => Some("nothing is asked any more"),
        },
    };
    let Some(why) = moved else { return };
    let change = matches!(&dialog.ask, Ask::Decide(decide) if !decide.marked);
    if let Some(dialog) = &mut model.dialog {
        dialog.moved = Some(why);
        dialog.typing = false;
    }
    if change {
        model.open(Screen::Change);
        model.reading.scroll = 0;
    }
}
