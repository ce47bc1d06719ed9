//! The signals by which somebody ends a program from outside: SIGTERM, SIGHUP and SIGINT.

use std::io;

/// Waits for one of them; without end where the system gives none. Cancel-safe.
pub async fn received(signals: &mut Option<Signals>) {
    match signals {
        Some(signals) => signals.received().await,
        None => std::future::pending().await,
    }
}

/// Hears them from when it was made on.
#[derive(Debug)]
pub struct Signals {
    #[cfg(unix)]
    ending: [tokio::signal::unix::Signal; 3],
}

#[cfg(unix)]
impl Signals {
    /// Takes them from the system, which would end the program.
    pub fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let [terminate, hangup, interrupt] =
            [SignalKind::terminate(), SignalKind::hangup(), SignalKind::interrupt()].map(signal);
        Ok(Self { ending: [terminate?, hangup?, interrupt?] })
    }

    /// Waits for one of them. Cancel-safe.
    pub async fn received(&mut self) {
        let [terminate, hangup, interrupt] = &mut self.ending;
        tokio::select! {
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
            _ = interrupt.recv() => {}
        }
    }

    /// Forgets every SIGINT so far: ctrl-c in another program that had the terminal was meant for it.
    pub fn forget_interrupts(&mut self) {
        use futures_util::FutureExt as _;
        let [_, _, interrupt] = &mut self.ending;
        while interrupt.recv().now_or_never().flatten().is_some() {}
    }
}

/// Where there are none, nothing is ever received.
#[cfg(not(unix))]
#[expect(missing_docs, clippy::unused_async, clippy::unnecessary_wraps, reason = "as on Unix")]
impl Signals {
    pub fn listen() -> io::Result<Self> {
        Ok(Self {})
    }

    pub async fn received(&mut self) {
        std::future::pending().await
    }

    pub fn forget_interrupts(&mut self) {}
}
