//! When the next look is due: jitter on polls, back-off on failures. The clock and the dice are the caller's.

use std::time::Duration;

/// The first wait after a failure.
const FIRST_RETRY: Duration = Duration::from_secs(1);
/// The longest wait between two tries.
const LONGEST_RETRY: Duration = Duration::from_mins(5);

/// The wait before the next poll: `interval`, a tenth more or less. `dice` is in 0..1.
///
/// Servers that started together would otherwise be asked together for ever; MCP asks pollers for it.
pub fn poll_wait(interval: Duration, dice: f64) -> Duration {
    interval.mul_f64(0.9 + 0.2 * dice.clamp(0.0, 1.0))
}

/// The wait after `failures` failures in a row: doubling from a second to five minutes, with the same jitter.
pub fn retry_wait(failures: u32, dice: f64) -> Duration {
    let doubled = FIRST_RETRY.saturating_mul(2_u32.saturating_pow(failures.saturating_sub(1).min(16)));
    poll_wait(doubled.min(LONGEST_RETRY), dice)
}

/// Looks that a server may ask for in a row before they are spaced out.
const AT_ONCE: u32 = 5;
/// The first wait before one that is.
const FIRST_SPACE: Duration = Duration::from_millis(250);
/// Quiet time after which a server may ask at once again, beside the wait before the last look.
const CALM: Duration = Duration::from_secs(10);

/// The looks that a server asked for by saying that its lists changed. Some say so after each list that they send: asked
/// at once, they would be looked at for ever, as fast as they can answer.
#[derive(Clone, Copy, Debug, Default)]
pub struct ListChanges {
    in_row: u32,
}

impl ListChanges {
    /// The server asks for a look, `since` the last one that it asked for; the wait before it, at most `interval`.
    pub fn wait(&mut self, since: Option<Duration>, interval: Duration) -> Duration {
        let last = self.space(interval);
        if since.is_none_or(|since| since > last.saturating_mul(2) + CALM) {
            self.in_row = 0;
        }
        self.in_row = self.in_row.saturating_add(1);
        self.space(interval)
    }

    fn space(self, interval: Duration) -> Duration {
        match self.in_row.checked_sub(AT_ONCE + 1) {
            None => Duration::ZERO,
            Some(over) => FIRST_SPACE.saturating_mul(2_u32.saturating_pow(over.min(16))).min(interval),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retries_back_off_and_stay_bounded() {
        let waits: Vec<_> = [1, 2, 3, 9, 10, 1000].map(|failures| retry_wait(failures, 0.5).as_secs()).into();
        assert_eq!(waits, [1, 2, 4, 256, 300, 300]);
        assert!(retry_wait(1000, 1.0) <= Duration::from_secs(330));
    }

    #[test]
    fn polls_are_spread_over_a_fifth_of_the_interval() {
        let interval = Duration::from_secs(30);
        assert_eq!(poll_wait(interval, 0.0), Duration::from_secs(27));
        assert_eq!(poll_wait(interval, 1.0), Duration::from_secs(33));
    }

    #[test]
    fn endless_change_notices_slow_the_looks_down() {
        let (interval, soon) = (Duration::from_secs(30), Duration::from_millis(200));
        let mut changes = ListChanges::default();
        let mut wait = |since| changes.wait(since, interval);
        assert_eq!(wait(None), Duration::ZERO);
        let waits: Vec<_> = (0..13).map(|_| wait(Some(soon)).as_millis()).collect();
        assert_eq!(waits, [0, 0, 0, 0, 250, 500, 1000, 2000, 4000, 8000, 16000, 30000, 30000]);
        // What it asks for right after a wait is still in a row; after a calm it is not.
        assert_eq!(wait(Some(interval + soon)), interval);
        assert_eq!(wait(Some(Duration::from_secs(71))), Duration::ZERO);
    }
}
