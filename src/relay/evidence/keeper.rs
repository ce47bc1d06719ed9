//! The thread that puts records into the audit log: that flushes the disk, which no call waits for.

use super::book::Due;
use super::run::Run;
use crate::held::held;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

/// A run, and who keeps the audit log up to it.
pub(super) struct Shared {
    run: Mutex<Run>,
    woken: Condvar,
    pub keeper: Mutex<Option<JoinHandle<()>>>,
}

opaque!(Shared);

impl Shared {
    pub fn start(run: Run) -> Arc<Self> {
        let shared = Arc::new(Self { run: Mutex::new(run), woken: Condvar::new(), keeper: Mutex::default() });
        let own = Arc::clone(&shared);
        match thread::Builder::new().name("evidence".to_owned()).spawn(move || own.keep()) {
            Ok(keeper) => *held(&shared.keeper) = Some(keeper),
            Err(error) => shared.lock().recorded(Err(error.to_string())),
        }
        shared
    }

    pub fn lock(&self) -> MutexGuard<'_, Run> {
        held(&self.run)
    }

    pub fn wake(&self) {
        self.woken.notify_one();
    }

    fn keep(&self) {
        let mut run = self.lock();
        loop {
            match run.due() {
                Due::Never => return,
                Due::In(time) => {
                    (run, _) = self.woken.wait_timeout(run, time).unwrap_or_else(PoisonError::into_inner);
                }
                Due::Now => {
                    let record = run.record();
                    drop(run);
                    let done = record.put();
                    run = self.lock();
                    run.recorded(done);
                }
            }
        }
    }
}
