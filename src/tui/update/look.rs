//! What a server said takes the place of what it said before. Nothing that a person chose moves.

use super::dialog;
use crate::monitor::ServerLook;
use crate::store::RunningGuard;
use crate::tui::model::{Model, Server};

pub fn look(model: &mut Model, look: ServerLook) {
    if let Some(at) = look.last_good {
        model.now = model.now.max(at);
    }
    let id = look.id.clone();
    model.revision += 1;
    match model.servers.iter_mut().find(|server| server.look.id == id) {
        Some(server) => server.take(look),
        None => model.servers.push(Server::new(look)),
    }
    dialog::check(model);
}

pub fn removed(model: &mut Model, id: &str) {
    model.servers.retain(|server| *server.look.id != *id);
    model.revision += 1;
    dialog::check(model);
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
