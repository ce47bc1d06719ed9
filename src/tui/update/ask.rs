//! Opens the dialogs about a server as a whole: consent to its launch, an answer, staying unwatched, its first record.

use crate::config::likely_clients;
use crate::decisions::BaselineState;
use crate::monitor::{Faces, MOST_CLIENTS, Phase};
use crate::tui::model::{Ask, Dialog, Model};

/// Opens a dialog about the selected server.
pub fn open(model: &mut Model, ask: Ask) {
    if let Some(server) = model.server.clone() {
        model.dialog = Some(Dialog::new(ask, server));
    }
}

/// Asks what the selected server's file asks for, where it does.
pub fn input(model: &mut Model) -> Option<()> {
    let asked = model.selected_server()?.look.asked.first().cloned()?;
    open(model, Ask::Input(asked));
    Some(())
}

/// The same, or for consent to its launch, where it needs either.
pub fn consent(model: &mut Model) -> Option<()> {
    if input(model).is_some() {
        return Some(());
    }
    let request = model.selected_server()?.look.to_start().cloned()?;
    if model.frozen.is_some() {
        model.warn("the display is frozen: unfreeze first, to see what would start");
        return Some(());
    }
    open(model, Ask::Consent(request));
    Some(())
}

/// What approving and rejecting do to a server that waits as a whole: nothing is started by a no.
pub fn whole(model: &mut Model, accept: bool) -> Option<()> {
    let asked = if accept { consent(model) } else { None };
    asked.or_else(|| unwatched(model, accept))
}

/// Asks for consent to the scanner that would be asked about the selected server, where that is missing.
pub fn scanner(model: &mut Model) -> Option<()> {
    let request = model.selected_server()?.look.scanner.clone()?;
    open(model, Ask::Consent(request));
    Some(())
}

/// Asks whether to look at the selected server as the clients that use it.
pub fn faces(model: &mut Model) {
    let Some(server) = model.selected_server() else { return };
    if matches!(server.look.faces, Some(Faces::Running(_))) {
        model.say(format!("{} is being looked at as other clients", server.look.id));
        return;
    }
    if !matches!(server.look.phase, Phase::Idle | Phase::Listing) {
        model.warn(format!("{} does not answer now: nothing to compare", server.look.id));
        return;
    }
    let clients = likely_clients(&server.look.origins, MOST_CLIENTS);
    open(model, Ask::LookAs(clients));
}

/// Asks whether the selected server may stay unwatched, or leaves that open; where it is watched there is nothing to ask.
pub fn unwatched(model: &mut Model, accept: bool) -> Option<()> {
    let server = model.selected_server()?;
    let Phase::Unwatched(reason) = &server.look.phase else { return None };
    let (id, reason) = (server.look.id.clone(), reason.clone());
    if !server.look.needs_watching() {
        model.warn(format!("{id} is not watched: nothing left to decide"));
    } else if accept {
        open(model, Ask::Unwatched(reason));
    } else {
        model.warn(format!("left open: `check` exits 2 until {id} is watched again or you accept this"));
        model.session.left_unwatched.insert(id);
    }
    Some(())
}

/// `B`: at first contact everything is listed and asked for at once.
pub fn baseline(model: &mut Model) {
    let Some(server) = model.selected_server() else { return };
    let id = server.look.id.clone();
    match (&server.look.baseline, &server.look.review) {
        (BaselineState::Refused(why), _) => {
            model.warn(format!("the baseline of {id} is refused and is not overwritten: {why}"));
        }
        (BaselineState::Present(_), _) => {
            model.warn(format!("{id} has a baseline already: decide on what is listed here"));
            model.go_home();
        }
        (BaselineState::Verifying, _) => model.warn(format!("the baseline of {id} is being verified")),
        (BaselineState::Absent, None) => model.warn(format!("{id} has not answered yet")),
        (BaselineState::Absent, Some(_)) if server.look.is_stale() => {
            model.warn(format!("{id} is stale: a baseline needs a fresh answer"));
        }
        (BaselineState::Absent, Some(review)) => {
            let record = review.first_record();
            open(model, Ask::Baseline(record));
        }
    }
}
