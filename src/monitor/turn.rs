//! Takes turns, so that a machine is not asked to start hundreds of servers in one moment, nor to hold everything that is
//! pinned of them before the first was looked at.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Semaphore, oneshot};
use tokio::time::timeout;

/// How long a turn lasts at most. What is not done by then waits for somebody, and waiting takes nothing from the next.
const TURN: Duration = Duration::from_secs(2);

/// A turn: ends with the value, or after two seconds, so that a server that hangs holds up nobody.
#[derive(Debug)]
pub struct Turn {
    /// Says by its end that the turn ended.
    _running: oneshot::Sender<Infallible>,
}

impl Turn {
    /// Waits until it is one's turn.
    pub async fn take(permits: &Arc<Semaphore>) -> Self {
        // The semaphore is never closed; if it were, everybody's turn would have come.
        let permit = Arc::clone(permits).acquire_owned().await;
        let (running, ended) = oneshot::channel();
        tokio::spawn(async move {
            let _ = timeout(TURN, ended).await;
            drop(permit);
        });
        Self { _running: running }
    }
}

/// What the supervisors of a fleet take turns at.
#[derive(Clone, Debug)]
pub struct Turns {
    pub(super) start: Arc<Semaphore>,
    /// Having a baseline in memory beside what is served: equal pins and items become one at the first look.
    pub(super) read_ahead: Arc<Semaphore>,
    /// Reading and comparing: as many at once as there are processors, so that no more than that is in memory half done.
    pub(super) compute: Arc<Semaphore>,
    /// Evaluating the policy's rules: a child each, which may use up its time and memory, and no look waits for one.
    pub(super) rules: Arc<Semaphore>,
    /// Adding to the audit chain: one at a time, so that a decision waits for one at most.
    pub(super) log: Arc<Semaphore>,
}

impl Default for Turns {
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        let at_once = [8, 24, processors, processors, 1];
        let [start, read_ahead, compute, rules, log] = at_once.map(|at_once| Arc::new(Semaphore::new(at_once)));
        Self { start, read_ahead, compute, rules, log }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_turn_ends_with_its_value_or_in_time() {
        let permits = Arc::new(Semaphore::new(1));
        let first = Turn::take(&permits).await;
        let mut next = std::pin::pin!(Turn::take(&permits));
        assert!(timeout(TURN / 2, &mut next).await.is_err(), "two at once");
        drop(first);
        let hangs = timeout(TURN / 2, next).await;
        assert!(hangs.is_ok(), "the first ended");
        assert!(timeout(TURN * 2, Turn::take(&permits)).await.is_ok(), "what hangs gives its turn back");
        drop(hangs);
    }
}
