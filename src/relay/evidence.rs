//! Evidence of calls: a line a call in each chosen format, in files that only grow, bound by the audit log.
//!
//! A line is written before the call that it tells of is passed on; a statement of SealedProof tells of the answer, too, and is
//! written once that came. The audit log gets a record of how many lines there are and of their digest: after 1,000 calls,
//! after five minutes, and at the end. A record a call would make it ten times as long as the evidence, and flush the disk
//! before each call.

mod book;
mod clerk;
mod file;
mod keeper;
mod run;
mod stream;

pub use run::Wanted;

use crate::decisions::Desk;
use crate::guard::Witness;
use crate::held::held;
use clerk::Clerk;
use keeper::Shared;
use run::Run;
use std::path::PathBuf;
use std::sync::Arc;

/// Whom the evidence of one guard is written by. Cheap to clone; every session of the guard may have a witness.
#[derive(Clone)]
pub(super) struct Evidence(Arc<Shared>);

opaque!(Evidence);

impl Evidence {
    /// Begins a run; none where no evidence is wanted. What cannot be written already is told.
    pub fn start(wanted: &Wanted, server: &str, desk: &Desk, key: Option<PathBuf>) -> Option<Self> {
        let run = Run::new(wanted, server, desk.clone(), key)?;
        Some(Self(Shared::start(run)))
    }

    /// Whom a session tells of its calls.
    pub fn witness(&self) -> Box<dyn Witness> {
        Box::new(Clerk::new(Arc::clone(&self.0)))
    }

    /// The config was read again: who decides, under which policy, and what is to be masked. The key stays that of the run.
    pub fn renew(&self, desk: &Desk) {
        self.0.lock().renew(desk.clone());
    }

    /// What is to be told since it was asked last, one sentence a line that was not written.
    pub fn told(&self) -> Vec<String> {
        self.0.lock().told()
    }

    /// Ends the run: what has no end yet gets one, and the audit log its last record. Blocks on the disk.
    pub fn finish(&self) {
        self.0.lock().close();
        self.0.wake();
        let keeper = held(&self.0.keeper).take();
        // A thread that panicked has told so.
        let _ = keeper.map(std::thread::JoinHandle::join);
    }
}
