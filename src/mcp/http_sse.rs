//! The HTTP transport of revision 2024-11-05, for servers that have no other: one event stream carries all that the
//! server says; what it is told is posted to the address that its first event names.

use super::client::failed;
use super::disclosed::Disclosed;
use super::door::turned_away;
use super::endpoint::Endpoint;
use super::fault::Fault;
use super::limits::Limits;
use super::reason::too_large;
use super::response::{content_type, uncompressed};
use super::sse::Events;
use crate::surface::Reason;
use bytes::Bytes;
use reqwest::{Response, StatusCode};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::timeout;

/// An open stream and where to post.
#[derive(Debug)]
pub(super) struct HttpSse {
    endpoint: Endpoint,
    stream: Response,
    events: Events,
    /// Messages on their way, and what went wrong with them.
    posts: JoinSet<Result<(), Reason>>,
    limits: Arc<Limits>,
}

impl HttpSse {
    /// Opens the stream and waits for the address, all within `patience`.
    pub async fn open(endpoint: Endpoint, limits: Arc<Limits>, patience: Duration) -> Result<Self, Fault> {
        let opened = timeout(patience, Self::opened(endpoint, limits)).await;
        opened.unwrap_or(Err(Fault::TimedOut(patience)))
    }

    async fn opened(endpoint: Endpoint, limits: Arc<Limits>) -> Result<Self, Fault> {
        let none = |text: &str| Fault::Refused(Reason::new("wrong-content-type", text));
        let stream = endpoint.listen().send().await.map_err(|error| Fault::Unreachable(failed(error)))?;
        uncompressed(&stream)?;
        if stream.status() != StatusCode::OK || content_type(&stream) != "text/event-stream" {
            return Err(none("there is no event stream"));
        }
        let events = Events::new(limits.message_bytes);
        let mut opened = Self { endpoint, stream, events, posts: JoinSet::new(), limits };
        loop {
            let event = opened.event().await.map_err(Fault::Refused)?;
            if event.name == b"endpoint" {
                let place = String::from_utf8_lossy(&event.data).into_owned();
                opened.endpoint = opened.endpoint.at(&place).map_err(Fault::Denied)?;
                return Ok(opened);
            }
        }
    }

    /// What the stream's headers say of who the server is.
    pub fn disclosed(&self) -> Disclosed {
        let mut disclosed = Disclosed::default();
        disclosed.hear(self.stream.headers());
        disclosed
    }

    /// The endpoint that messages are posted to.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Posts a message. A failure is seen by [`Self::next`].
    pub fn send(&mut self, message: Vec<u8>) {
        let post = self.endpoint.post(None, message, None).send();
        let (patience, quoted) = (self.limits.tell, self.limits.quoted_chars);
        self.posts.spawn(async move {
            let refused = |text: String| Reason::new("http-status", text);
            match timeout(patience, post).await {
                Ok(Ok(response)) if response.status().is_success() => Ok(()),
                Ok(Ok(response)) => Err(turned_away(&response, quoted).unwrap_or_else(|| {
                    refused(format!("a message was answered with HTTP status {}", response.status().as_u16()))
                })),
                Ok(Err(error)) => Err(failed(error)),
                Err(_) => Err(refused("a message was not taken in time".to_owned())),
            }
        });
    }

    /// Whether many messages wait to be taken.
    pub fn is_behind(&self) -> bool {
        self.posts.len() >= self.limits.waiting_replies
    }

    /// The next message; an error when there will be none. Cancel-safe.
    pub async fn next(&mut self) -> Result<Bytes, Reason> {
        loop {
            if let Some(event) = self.buffered()? {
                if event.name.is_empty() || event.name == b"message" {
                    return Ok(event.data);
                }
                continue;
            }
            let posting = !self.posts.is_empty();
            tokio::select! {
                biased;
                chunk = self.stream.chunk() => self.feed(chunk)?,
                post = self.posts.join_next(), if posting => {
                    if let Some(Ok(Err(reason))) = post {
                        return Err(reason);
                    }
                }
            }
        }
    }

    async fn event(&mut self) -> Result<super::sse::Event, Reason> {
        loop {
            if let Some(event) = self.buffered()? {
                return Ok(event);
            }
            let chunk = self.stream.chunk().await;
            self.feed(chunk)?;
        }
    }

    fn buffered(&mut self) -> Result<Option<super::sse::Event>, Reason> {
        self.events.take().map_err(|_| too_large(self.limits.message_bytes))
    }

    fn feed(&mut self, chunk: Result<Option<Bytes>, reqwest::Error>) -> Result<(), Reason> {
        match chunk.map_err(failed)? {
            Some(chunk) => self.events.feed(&chunk),
            None => return Err(Reason::new("closed-stream", "the server ended its event stream")),
        }
        Ok(())
    }
}
