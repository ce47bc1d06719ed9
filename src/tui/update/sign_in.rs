//! Signing in to the selected server, step by step.

use super::copy;
use crate::monitor::{Command, Phase, SigningIn};
use crate::tui::effect::Effect;
use crate::tui::model::{Ask, Dialog, Model};
use std::sync::Arc;

/// Opens the dialog where the selected server wants somebody to sign in, and begins where nothing has begun.
pub fn begin(model: &mut Model) -> Option<()> {
    let server = model.selected_server()?;
    let Phase::NeedsSignIn(stage) = &server.look.phase else { return None };
    let (id, stage) = (server.look.id.clone(), Arc::clone(stage));
    if model.frozen.is_some() {
        model.warn("the display is frozen: unfreeze first, to see where you would sign in");
        return Some(());
    }
    if matches!(*stage, SigningIn::Wanted { .. }) {
        model.request(Effect::Tell(id.clone(), Command::SignIn(Arc::clone(&stage))));
    }
    model.dialog = Some(Dialog::new(Ask::SignIn(stage), id));
    Some(())
}

/// The confirm key: agrees, or copies the URL. The dialog stays: what comes next is shown in it.
pub fn confirm(model: &mut Model) {
    let Some(dialog) = model.dialog.as_ref().filter(|dialog| dialog.hold(!dialog.read).is_none()) else { return };
    let Ask::SignIn(stage) = &dialog.ask else { return };
    let (server, stage) = (dialog.server.clone(), Arc::clone(stage));
    match &*stage {
        SigningIn::Open(url) => copy::text(model, &server, "URL", url.clone()),
        SigningIn::Wanted { .. } | SigningIn::Agree(_) => {
            model.request(Effect::Tell(server, Command::SignIn(stage)));
        }
        SigningIn::Asking => {}
    }
}

/// The dialog shows where the sign-in stands now; it closes where nobody has to sign in any more.
pub fn settle(model: &mut Model) {
    let Some(Dialog { ask: Ask::SignIn(shown), server, .. }) = &model.dialog else { return };
    let now = match model.server_of(server).map(|server| &server.look.phase) {
        Some(Phase::NeedsSignIn(now)) if now == shown => return,
        Some(Phase::NeedsSignIn(now)) => Arc::clone(now),
        _ => {
            model.dialog = None;
            return;
        }
    };
    let server = server.clone();
    model.dialog = Some(Dialog::new(Ask::SignIn(now), server));
}
