//! The signals by which somebody ends a program from outside: SIGTERM, SIGHUP and SIGINT; and the end of its terminal.

use std::io;
use std::sync::Arc;
use tokio::sync::Notify;

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

/// Whether the terminal on standard input has hung up.
#[cfg(unix)]
pub fn has_hung_up() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let terminal = io::stdin();
    let mut watched = [PollFd::new(&terminal, PollFlags::empty())];
    let polled = poll(&mut watched, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }));
    polled.is_ok() && watched[0].revents().intersects(PollFlags::HUP | PollFlags::NVAL)
}

/// Tells the end of the terminal itself: to a program that is not the leader of its session nobody sends a signal when the
/// window closes. A thread of its own waits for it, since tokio watches no descriptor safely that it does not own; it sleeps
/// until then, whatever is typed.
#[cfg(unix)]
pub fn hung_up() -> io::Result<Arc<Notify>> {
    use rustix::event::{PollFd, PollFlags, poll};
    use std::os::fd::AsFd as _;
    let told = Arc::new(Notify::new());
    let tell = Arc::clone(&told);
    let terminal = io::stdin().as_fd().try_clone_to_owned()?;
    std::thread::Builder::new().name("terminal".to_owned()).spawn(move || {
        // A hang-up is told without being asked for (POSIX, poll).
        let mut watched = [PollFd::new(&terminal, PollFlags::empty())];
        loop {
            match poll(&mut watched, None) {
                Err(rustix::io::Errno::INTR) => {}
                // Where the system cannot watch a terminal, whoever writes to it next meets its end.
                Err(_) => return,
                Ok(_) => return tell.notify_one(),
            }
        }
    })?;
    Ok(told)
}

/// Where a terminal ends otherwise.
#[cfg(not(unix))]
#[expect(missing_docs, clippy::unnecessary_wraps, reason = "as on Unix")]
mod elsewhere {
    use super::{Arc, Notify, io};

    pub fn has_hung_up() -> bool {
        false
    }

    pub fn hung_up() -> io::Result<Arc<Notify>> {
        Ok(Arc::default())
    }
}

#[cfg(not(unix))]
pub use elsewhere::{has_hung_up, hung_up};
