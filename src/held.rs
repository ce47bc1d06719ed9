//! Locks of a process's own state. Nobody holds one while something can fail, so that a panic elsewhere leaves it whole.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The state, for as long as what comes back is held.
pub fn held<T: ?Sized>(state: &Mutex<T>) -> MutexGuard<'_, T> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
