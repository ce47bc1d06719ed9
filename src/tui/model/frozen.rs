//! What came while the display is frozen: kept, counted, shown when it goes on.

use super::events::MAX_EVENTS;
use crate::monitor::{Happening, ServerLook};
use crate::store::RunningGuard;
use crate::surface::ServerId;
use std::collections::BTreeMap;

/// News that wait.
#[derive(Clone, Debug, Default)]
pub struct Frozen {
    /// The last state of each server that moved; none for one that is no longer configured.
    pub looks: BTreeMap<ServerId, Option<Box<ServerLook>>>,
    /// Lines of the event log.
    pub happened: Vec<Happening>,
    /// What the guards say of themselves, where they said it.
    pub guards: Option<Vec<RunningGuard>>,
    /// How often something came.
    pub updates: usize,
}

impl Frozen {
    /// Keeps a server's state in place of the one before.
    pub fn look(&mut self, id: ServerId, look: Option<Box<ServerLook>>) {
        self.looks.insert(id, look);
        self.updates += 1;
    }

    /// Keeps a line of the log; past the log's own bound the oldest goes, as it would there.
    pub fn happen(&mut self, happening: Happening) {
        if self.happened.len() >= MAX_EVENTS {
            self.happened.remove(0);
        }
        self.happened.push(happening);
        self.updates += 1;
    }
}
