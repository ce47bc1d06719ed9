//! What a lock in the project says of a supervised server that has no baseline yet.

use super::Supervisor;
use crate::decisions::BaselineState;
use crate::monitor::lock::{lock_stamp, says};
use std::sync::Arc;

impl Supervisor {
    /// Asks the lock where what is served, or the lock, is another than the last time. A baseline ends it: from then on a
    /// drift is one from what was approved.
    pub(super) fn ask_lock(&mut self) {
        let is_first = matches!(self.look.baseline, BaselineState::Absent);
        let Some(surface) = self.look.surface.clone().filter(|_| is_first) else {
            (self.look.lock, self.locking, self.locked) = (None, None, None);
            return;
        };
        let folder = self.setup.desk.store.root().path().to_owned();
        let stamp = lock_stamp(&folder);
        if self.locked.as_ref().is_some_and(|(seen, then)| Arc::ptr_eq(seen, &surface) && *then == stamp) {
            return;
        }
        self.locked = Some((Arc::clone(&surface), stamp));
        let (config, redactor) = (self.setup.config.clone(), self.redactor());
        self.locking = stamp.map(|_| tokio::task::spawn_blocking(move || says(&folder, &config, &surface, &redactor)));
        if stamp.is_none() {
            self.look.lock = None;
        }
    }
}
