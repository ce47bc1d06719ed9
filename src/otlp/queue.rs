//! Events that wait to be told: bounded, the oldest go first, and what goes is counted.

use crate::held::held;
use crate::monitor::Happening;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::sync::Notify;

/// Events that wait while a collector is down.
pub const MOST: usize = 1_000;

/// The queue. Cheap to clone; whoever adds to it never waits.
#[derive(Clone, Debug, Default)]
pub struct Queue(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    held: Mutex<Held>,
    grew: Notify,
}

#[derive(Debug, Default)]
struct Held {
    /// Whether there is anybody to tell.
    is_open: bool,
    waiting: VecDeque<Happening>,
    /// The number of the next event; those that wait have the numbers before it.
    next: u64,
    lost: u64,
}

impl Queue {
    /// Opens it, or closes and empties it: without a collector nothing is kept.
    pub fn open(&self, is_open: bool) {
        let mut held = self.held();
        held.is_open = is_open;
        if !is_open {
            held.waiting.clear();
        }
    }

    /// Adds what happened, where somebody is to be told.
    pub fn push(&self, happening: &Happening) {
        let mut held = self.held();
        if !held.is_open {
            return;
        }
        if held.waiting.len() == MOST {
            held.waiting.pop_front();
            held.lost += 1;
        }
        held.waiting.push_back(happening.clone());
        held.next += 1;
        self.0.grew.notify_one();
    }

    /// Waits until something was added since the last time this ended.
    pub async fn grew(&self) {
        self.0.grew.notified().await;
    }

    /// The first `many` that wait, and the number by which they are done with.
    pub fn first(&self, many: usize) -> (Vec<Happening>, u64) {
        let held = self.held();
        let first: Vec<_> = held.waiting.iter().take(many).cloned().collect();
        (first, held.next - held.waiting.len() as u64 + many.min(held.waiting.len()) as u64)
    }

    /// Removes those before a number. `lost`: so many of them were not told.
    pub fn done(&self, before: u64, lost: u64) {
        let mut held = self.held();
        while !held.waiting.is_empty() && held.next - (held.waiting.len() as u64) < before {
            held.waiting.pop_front();
        }
        held.lost += lost;
    }

    /// How many were never told.
    pub fn lost(&self) -> u64 {
        self.held().lost
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        // Nothing in here can fail.
        held(&self.0.held)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;

    fn event(number: usize) -> Happening {
        Happening::notice(Timestamp::UNIX_EPOCH, number.to_string())
    }

    fn texts(events: &[Happening]) -> Vec<&str> {
        events.iter().map(|event| event.text.as_str()).collect()
    }

    #[test]
    fn a_full_queue_drops_its_oldest_and_counts() {
        let queue = Queue::default();
        queue.push(&event(0));
        assert!(queue.first(10).0.is_empty(), "closed: nobody is to be told");
        queue.open(true);
        for number in 0..MOST + 3 {
            queue.push(&event(number));
        }
        let (first, end) = queue.first(2);
        assert_eq!((texts(&first), queue.lost()), (vec!["3", "4"], 3));
        // What was dropped while those were on their way is not removed twice.
        for number in 0..3 {
            queue.push(&event(number));
        }
        queue.done(end, 1);
        assert_eq!((texts(&queue.first(1).0), queue.lost()), (vec!["6"], 7));
        queue.open(false);
        assert!(queue.first(1).0.is_empty());
    }
}
