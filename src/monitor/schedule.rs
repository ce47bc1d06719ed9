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
}
