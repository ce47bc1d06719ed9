//! Keeps the event stream open on which an HTTP server speaks unasked, and hands on what it says. A task of its own,
//! ended with the session; a server that says too much waits.

use super::client::failed;
use super::limits::Limits;
use super::response::{content_type, uncompressed};
use super::sse::Events;
use bytes::Bytes;
use reqwest::{RequestBuilder, Response, StatusCode};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

/// Messages that wait to be taken in.
const WAITING: usize = 8;
/// The pause before the stream is opened again, at first and at most.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LAST_PAUSE: Duration = Duration::from_mins(1);

#[derive(Debug)]
pub(super) enum Heard {
    /// The data of one event.
    Message(Bytes),
    /// There is no such stream; in words why, unless the server just does not offer one.
    Over(Option<String>),
}

/// The task and what it hands on. Dropping it ends the task.
#[derive(Debug)]
pub(super) struct Listener {
    heard: mpsc::Receiver<Heard>,
    task: JoinHandle<()>,
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Listener {
    /// Starts to listen on the stream that `request` opens.
    pub fn start(request: impl Fn() -> RequestBuilder + Send + Sync + 'static, limits: &Limits) -> Self {
        let (hand_on, heard) = mpsc::channel(WAITING);
        let limit = limits.event_bytes;
        let task = tokio::spawn(async move {
            let over = listen(request, &hand_on, limit).await;
            // Nobody waits any more if this fails.
            let _ = hand_on.send(Heard::Over(over)).await;
        });
        Self { heard, task }
    }

    /// The next message; for ever pending once the stream is given up. Cancel-safe.
    pub async fn hear(&mut self) -> Heard {
        match self.heard.recv().await {
            Some(heard) => heard,
            None => std::future::pending().await,
        }
    }

    /// A message that is already there.
    pub fn overhear(&mut self) -> Option<Heard> {
        self.heard.try_recv().ok()
    }
}

/// Opens the stream again and again until it is clear that there is none.
async fn listen(request: impl Fn() -> RequestBuilder, hand_on: &mpsc::Sender<Heard>, limit: usize) -> Option<String> {
    let mut pause = FIRST_PAUSE;
    loop {
        let opened = Instant::now();
        if let Ok(response) = request().send().await {
            let status = response.status();
            let streams = content_type(&response) == "text/event-stream" && uncompressed(&response).is_ok();
            if status == StatusCode::OK && streams {
                if let Err(over) = forward(response, hand_on, limit).await {
                    return Some(over);
                }
            } else if !status.is_server_error() {
                // 405 is how a server says that it offers none (revision 2025-11-25, transports).
                let offered = status != StatusCode::METHOD_NOT_ALLOWED;
                return offered.then(|| format!("no stream of changes (HTTP status {})", status.as_u16()));
            }
        }
        pause = if opened.elapsed() > LAST_PAUSE { FIRST_PAUSE } else { (pause * 2).min(LAST_PAUSE) };
        // Many clients of one server must not come back at once.
        sleep(pause.mul_f64(0.5 + fastrand::f64())).await;
    }
}

/// Hands on the events of one stream until it ends.
async fn forward(mut response: Response, hand_on: &mpsc::Sender<Heard>, limit: usize) -> Result<(), String> {
    let mut events = Events::new(limit);
    while let Some(chunk) = response.chunk().await.map_err(failed).ok().flatten() {
        events.feed(&chunk);
        loop {
            let Ok(event) = events.take() else {
                return Err(format!("a message on the stream of changes is larger than {limit} bytes"));
            };
            let Some(event) = event else { break };
            if !event.data.is_empty() && hand_on.send(Heard::Message(event.data)).await.is_err() {
                return Ok(());
            }
        }
    }
    Ok(())
}
