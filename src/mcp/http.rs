//! A streamable HTTP endpoint: one POST a request, answered by JSON or by an event stream, inside a session or without
//! one. Nothing is followed, decompressed or read past its bound, and credentials stay where they were meant to go.

use super::client::failed;
use super::disclosed::Disclosed;
use super::door::{challenge, turned_away};
use super::endpoint::Endpoint;
use super::fault::Fault;
use super::inbox::{Answer, Inbox, Pending, Taken};
use super::limits::Limits;
use super::listen::{Heard, Listener};
use super::reason::{quote, too_large};
use super::response::{content_type, uncompressed};
use super::sse::Events;
use crate::oauth::Challenge;
use crate::surface::{Era, Reason};
use bytes::{Bytes, BytesMut};
use reqwest::{RequestBuilder, Response, StatusCode};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout, timeout_at};

/// How long the end of an event stream is waited for once the answer came, at once and in the background.
const AFTER_ANSWER: Duration = Duration::from_millis(2);
const LONG_AFTER_ANSWER: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(super) struct Http {
    pub endpoint: Endpoint,
    /// What goes on in the background: answers to the server's requests on their way, streams that end.
    replies: JoinSet<()>,
    listener: Option<Listener>,
    limits: Arc<Limits>,
    /// What its answers say of who it is.
    pub disclosed: Disclosed,
    /// What it asked for when it last turned us away.
    pub challenge: Option<Challenge>,
}

impl Http {
    /// Prepares the connection; nothing is sent yet.
    pub fn new(
        url: &str,
        headers: &[(String, String)],
        allow_plain: bool,
        limits: Arc<Limits>,
    ) -> Result<Self, Reason> {
        let endpoint = Endpoint::new(url, headers, allow_plain)?;
        Ok(Self {
            endpoint,
            replies: JoinSet::new(),
            listener: None,
            limits,
            disclosed: Disclosed::default(),
            challenge: None,
        })
    }

    /// Forgets the session: a handshake begins.
    pub fn forget(&mut self) {
        self.endpoint.forget();
        self.listener = None;
        self.disclosed = Disclosed::default();
    }

    /// Sends a request and waits for its answer, all within `patience`.
    pub async fn ask(
        &mut self,
        method: &'static str,
        text: Vec<u8>,
        pending: Pending<'_>,
        inbox: &mut Inbox,
        patience: Duration,
    ) -> Result<Answer, Fault> {
        let asked = timeout(patience, self.exchange(method, text, pending, inbox)).await;
        asked.unwrap_or(Err(Fault::TimedOut(patience)))
    }

    async fn exchange(
        &mut self,
        method: &'static str,
        text: Vec<u8>,
        pending: Pending<'_>,
        inbox: &mut Inbox,
    ) -> Result<Answer, Fault> {
        let post = |text| self.endpoint.post(Some(method), text, inbox.era).send();
        let mut sent = post(text.clone()).await;
        // A kept connection may be closed just as it is used. Lists and handshakes may be asked for twice.
        if sent.as_ref().is_err_and(|error| !error.is_connect() && !error.is_timeout()) {
            sent = post(text).await;
        }
        let response = sent.map_err(|error| Fault::Unreachable(failed(error)))?;
        let response = self.accept(method, response, pending, inbox).await?;
        let response = match response {
            Accepted::Answer(answer) => return Ok(answer),
            Accepted::Body(response) => response,
        };
        self.disclosed.hear(response.headers());
        if method == "initialize" {
            self.endpoint.enter(&response);
        }
        match content_type(&response).as_str() {
            "application/json" => self.read_json(response, pending, inbox).await,
            "text/event-stream" => self.read_events(method, response, pending, inbox).await,
            other => {
                let other = quote(other.as_bytes(), self.limits.quoted_chars);
                let other = if other.is_empty() { "nothing of a known type" } else { &other };
                let text = format!("{method} was answered with {other}, not with JSON or an event stream");
                Err(Fault::Unanswered(Reason::new("wrong-content-type", text)))
            }
        }
    }

    /// Looks at status and headers. An error status may still bring a JSON-RPC answer.
    async fn accept(
        &mut self,
        method: &str,
        response: Response,
        pending: Pending<'_>,
        inbox: &mut Inbox,
    ) -> Result<Accepted, Fault> {
        let status = response.status();
        uncompressed(&response)?;
        if status.is_success() && status != StatusCode::ACCEPTED && status != StatusCode::NO_CONTENT {
            return Ok(Accepted::Body(response));
        }
        if let Some(reason) = turned_away(&response, self.limits.quoted_chars) {
            self.challenge = challenge(&response);
            return Err(Fault::Denied(reason));
        }
        let is_text = matches!(content_type(&response).as_str(), "application/json" | "text/plain");
        let body = read_body(response, self.limits.error_body_bytes).await.unwrap_or_default();
        let mut text = format!("{method} was answered with HTTP status {}", status.as_u16());
        if is_text && !body.is_empty() {
            text = format!("{text}: {}", quote(&body, self.limits.quoted_chars));
        }
        let reason = Reason::new("http-status", text);
        // 404 is what the revisions say; 410 says that it will not come back.
        let gone = matches!(status, StatusCode::NOT_FOUND | StatusCode::GONE);
        if gone && self.endpoint.is_in_session() && method != "initialize" {
            return Err(Fault::SessionLost(reason));
        }
        // Who wants fewer requests is asked nothing else, whatever words it uses.
        if matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT) {
            return Err(Fault::Refused(reason));
        }
        if body.trim_ascii_start().starts_with(b"{")
            && let Taken::Answer(_, Answer::Read(message)) = inbox.take(body, &[pending])
            && (message.parts.is_json_rpc || !message.parts.is_nameless(&message.bytes))
        {
            return Ok(Accepted::Answer(Answer::Read(message)));
        }
        Err(if is_about_request(status) { Fault::Rejected(reason) } else { Fault::Unanswered(reason) })
    }

    async fn read_json(
        &mut self,
        response: Response,
        pending: Pending<'_>,
        inbox: &mut Inbox,
    ) -> Result<Answer, Fault> {
        let body = read_body(response, self.limits.message_bytes).await?;
        let taken = inbox.take(body, &[pending]);
        self.reply(inbox);
        match taken {
            Taken::Answer(_, answer) => Ok(answer),
            Taken::Unreadable(reason) => Err(Fault::Refused(reason)),
            Taken::Other => {
                Err(Fault::Unanswered(Reason::new("unreadable-answer", "the body holds no answer to the request")))
            }
        }
    }

    async fn read_events(
        &mut self,
        method: &str,
        mut response: Response,
        pending: Pending<'_>,
        inbox: &mut Inbox,
    ) -> Result<Answer, Fault> {
        let mut events = Events::new(self.limits.message_bytes);
        let mut skipped = 0;
        // An error without an id may be to another message: it is the answer if none with one follows.
        let mut nameless: Option<(Answer, Instant)> = None;
        loop {
            let until = nameless.as_ref().map(|(_, until)| *until);
            let chunk = match until {
                None => response.chunk().await,
                Some(until) => timeout_at(until, response.chunk()).await.unwrap_or(Ok(None)),
            };
            let chunk = match chunk {
                Err(error) if nameless.is_none() => return Err(Fault::Unreachable(failed(error))),
                chunk => chunk.ok().flatten(),
            };
            let Some(chunk) = chunk else {
                self.reply(inbox);
                if let Some((answer, _)) = nameless {
                    return Ok(answer);
                }
                let text = format!("the event stream ended before the answer to {method}");
                return Err(Fault::Unanswered(Reason::new("closed-stream", text)));
            };
            skipped += chunk.len();
            events.feed(&chunk);
            loop {
                let event = events.take().map_err(|_| Fault::Refused(too_large(self.limits.message_bytes)))?;
                let Some(event) = event else { break };
                // Servers open a stream with an empty event, so that it can be resumed.
                if event.data.is_empty() {
                    continue;
                }
                match inbox.take(event.data, &[pending]) {
                    Taken::Answer(_, Answer::Read(message)) if message.parts.is_nameless(&message.bytes) => {
                        let until = Instant::now() + self.limits.probe;
                        nameless.get_or_insert((Answer::Read(message), until));
                    }
                    Taken::Answer(_, answer) => {
                        self.reply(inbox);
                        self.spare(response).await;
                        return Ok(answer);
                    }
                    Taken::Unreadable(reason) => return Err(Fault::Refused(reason)),
                    Taken::Other => {}
                }
            }
            self.reply(inbox);
            if skipped > self.limits.skipped_bytes {
                let text = format!("more than {} bytes came instead of an answer", self.limits.skipped_bytes);
                return Err(Fault::Refused(Reason::new("output-flood", text)));
            }
        }
    }

    /// Reads what is left of an answered stream, so that the connection can be used again: most servers end it right
    /// away, and for the others nobody waits.
    async fn spare(&mut self, mut response: Response) {
        if timeout(AFTER_ANSWER, drain(&mut response)).await.is_err() {
            self.replies.spawn(async move {
                let _ = timeout(LONG_AFTER_ANSWER, drain(&mut response)).await;
            });
        }
    }

    /// Sends the answers to the server's own requests, without waiting: it may ask while it answers.
    pub fn reply(&mut self, inbox: &mut Inbox) {
        while self.replies.try_join_next().is_some() {}
        for reply in inbox.replies.drain(..) {
            if self.replies.len() < self.limits.waiting_replies {
                let send = self.endpoint.post(None, reply, inbox.era).send();
                let patience = self.limits.tell;
                self.replies.spawn(async move {
                    // A server that does not take the answer to its own request harms itself alone.
                    let _ = timeout(patience, send).await;
                });
            }
        }
    }

    /// Sends a notification. Nothing is learned from how it is received; what follows shows it.
    pub async fn tell(&mut self, method: &'static str, text: Vec<u8>, era: Option<Era>) {
        let _ = timeout(self.limits.tell, self.endpoint.post(Some(method), text, era).send()).await;
    }

    /// Starts to listen for what the server says unasked; `request` opens the stream, again after it ended.
    pub fn listen(&mut self, request: impl Fn() -> RequestBuilder + Send + Sync + 'static) {
        self.listener = Some(Listener::start(request, &self.limits));
    }

    /// What came unasked; for ever pending where nothing listens. Cancel-safe.
    pub async fn hear(&mut self) -> Heard {
        match &mut self.listener {
            Some(listener) => listener.hear().await,
            None => std::future::pending().await,
        }
    }

    /// What came unasked up to now.
    pub fn overhear(&mut self) -> Option<Heard> {
        self.listener.as_mut().and_then(Listener::overhear)
    }

    /// Ends the session as the server expects it.
    pub async fn close(self) {
        drop(self.listener);
        if self.endpoint.is_in_session() {
            let _ = timeout(self.limits.close_last, self.endpoint.leave().send()).await;
        }
    }
}

/// Reads a little of a body and throws it away.
async fn drain(response: &mut Response) {
    let mut drained = 0;
    while let Ok(Some(chunk)) = response.chunk().await {
        drained += chunk.len();
        if drained > 64 << 10 {
            return;
        }
    }
}

/// Whether a status is about the request as such: another one might be taken. The others are about the place, the time
/// or who asks.
fn is_about_request(status: StatusCode) -> bool {
    use StatusCode as Is;
    let others = [Is::NOT_FOUND, Is::METHOD_NOT_ALLOWED, Is::GONE];
    status.is_client_error() && !others.contains(&status)
}

/// A response that was not refused at the door.
enum Accepted {
    Answer(Answer),
    Body(Response),
}

/// The body, up to `limit` bytes.
async fn read_body(mut response: Response, limit: usize) -> Result<Bytes, Fault> {
    let too_large = || Fault::Refused(too_large(limit));
    let announced = response.content_length().and_then(|length| usize::try_from(length).ok());
    if announced.is_some_and(|length| length > limit) {
        return Err(too_large());
    }
    let mut body = BytesMut::with_capacity(announced.unwrap_or(0).min(1 << 20));
    while let Some(chunk) = response.chunk().await.map_err(|error| Fault::Unreachable(failed(error)))? {
        if body.len() + chunk.len() > limit {
            return Err(too_large());
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}
