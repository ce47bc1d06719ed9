//! What something costs in work, whatever else the machine does meanwhile.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// The processor time that this thread spends on `act`.
pub fn work<T>(act: impl FnOnce() -> T) -> (Duration, T) {
    let now = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
    };
    let start = now();
    let done = act();
    (now().saturating_sub(start), done)
}
