//! Takes turns at starting servers, so that a machine is not asked to start hundreds in one moment.

use std::future::Future;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::sleep;

/// How long a turn lasts at most. What is not done by then waits for somebody, and waiting takes nothing from the next.
const TURN: Duration = Duration::from_secs(2);

/// Does `work` when it is its turn. A turn ends with the work or after two seconds: a server that hangs holds up nobody.
pub async fn in_turn<T>(permits: &Semaphore, work: impl Future<Output = T> + Unpin) -> T {
    in_turn_of(TURN, permits, work).await
}

async fn in_turn_of<T>(turn: Duration, permits: &Semaphore, mut work: impl Future<Output = T> + Unpin) -> T {
    // The semaphore is never closed; if it were, everybody's turn would have come.
    let permit = permits.acquire().await;
    tokio::select! {
        biased;
        done = &mut work => return done,
        () = sleep(turn) => drop(permit),
    }
    work.await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_hangs_gives_its_turn_back() {
        let permits = Semaphore::new(1);
        let turn = Duration::from_millis(1);
        let hangs = in_turn_of(turn, &permits, std::future::pending::<()>());
        let next = in_turn_of(turn, &permits, std::future::ready("done"));
        tokio::select! {
            biased;
            () = hangs => {}
            done = next => assert_eq!(done, "done"),
        }
    }
}
