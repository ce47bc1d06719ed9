//! The witness of one session: gives its calls the numbers that they have in the run.

use super::keeper::Shared;
use crate::digest::Hasher;
use crate::guard::{Decided, Ending, Witness};
use crate::interop::sealedproof;
use std::collections::HashMap;
use std::sync::Arc;

/// One session's.
#[derive(Debug)]
pub(super) struct Clerk {
    shared: Arc<Shared>,
    /// Whether somebody wants to know how calls end.
    follows: bool,
    /// Calls that are not over, by their numbers in the session.
    open: HashMap<u64, u64>,
}

impl Clerk {
    pub fn new(shared: Arc<Shared>) -> Self {
        let follows = shared.lock().follows();
        Self { shared, follows, open: HashMap::new() }
    }
}

impl Witness for Clerk {
    fn decided(&mut self, call: &Decided<'_>) -> Result<(), Arc<str>> {
        let mut run = self.shared.lock();
        let number = run.decided(call);
        let wakes = run.wakes();
        drop(run);
        if wakes {
            self.shared.wake();
        }
        let number = number?;
        if self.follows && call.ruling.passes() {
            self.open.insert(call.number, number);
        }
        Ok(())
    }

    fn ended(&mut self, number: u64, ending: Ending<'_>) {
        if let Some(number) = self.open.remove(&number) {
            self.shared.lock().ended(number, ending);
        }
    }

    fn hasher(&self) -> Option<Hasher> {
        self.follows.then(sealedproof::raw_hasher)
    }

    fn introduced(&mut self, version: &str) {
        self.shared.lock().introduced(version);
    }
}
