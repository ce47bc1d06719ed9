//! Work that blocks or computes for long, off the threads that serve everyone.

/// Does it on a thread of its own. Where it panicked, which has printed its own message, this says that `what` failed.
pub async fn aside<T: Send + 'static>(what: &str, work: impl FnOnce() -> T + Send + 'static) -> Result<T, String> {
    tokio::task::spawn_blocking(work).await.map_err(|_| format!("{what} failed; please report this"))
}
