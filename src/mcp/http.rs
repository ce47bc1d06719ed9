//! A streamable HTTP endpoint: one POST a request, answered by JSON or by an event stream, inside a session or without
//! one. Nothing is followed, decompressed or read past its bound, and credentials stay where they were meant to go.

use super::client::{Headers, client, failed, is_local};
use super::era::DISCOVER_REVISION;
use super::inbox::{Answer, Inbox, Pending, Taken};
use super::limits::Limits;
use super::link::Fault;
use super::listen::{Heard, Listener};
use super::reason::{quote, too_large};
use super::sse::Events;
use crate::surface::{Era, Reason};
use bytes::{Bytes, BytesMut};
use reqwest::header::{self, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, RequestBuilder, Response, StatusCode, Url};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::timeout;

const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");

/// What every request to one endpoint carries.
#[derive(Clone)]
pub(super) struct Endpoint {
    client: Client,
    url: Url,
    headers: Headers,
    session: Option<HeaderValue>,
    /// The revision agreed on, from the end of the handshake on.
    version: Option<HeaderValue>,
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A URL can hold a password, in more than one place.
        f.debug_struct("Endpoint").field("host", &self.url.host_str()).finish_non_exhaustive()
    }
}

/// A connection to one endpoint.
#[derive(Debug)]
pub(super) struct Http {
    pub endpoint: Endpoint,
    /// Answers to the server's requests on their way.
    replies: JoinSet<()>,
    listener: Option<Listener>,
    limits: Arc<Limits>,
}

/// Why the URL cannot be used as it stands. The text names no secret part of it.
fn checked(url: &str, headers: &[(String, String)], allow_plain: bool) -> Result<(Url, HeaderMap), Reason> {
    let bad = |text: String| Reason::new("bad-url", text);
    let url = Url::parse(url).map_err(|error| bad(format!("the URL cannot be read: {error}")))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(bad(format!("`{}` is not spoken; http and https are", url.scheme())));
    }
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let header = HeaderName::from_bytes(name.as_bytes());
        let header = header.map_err(|_| Reason::new("bad-header", format!("`{name}` is no name of a header")))?;
        let value = HeaderValue::from_str(value);
        let mut value =
            value.map_err(|_| Reason::new("bad-header", format!("the value of the header `{name}` cannot be sent")))?;
        value.set_sensitive(true);
        map.append(header, value);
    }
    let credentials = !headers.is_empty() || !url.username().is_empty() || url.password().is_some();
    if credentials && url.scheme() == "http" && !is_local(&url) && !allow_plain {
        let text = "headers or user info would go to another machine unencrypted; `allow-plain = true` permits it";
        return Err(Reason::new("plain-http-credentials", text));
    }
    Ok((url, map))
}

impl Endpoint {
    /// A request with the configured headers, those of the session, and `more`, which win.
    fn request(&self, method: reqwest::Method, more: &[(HeaderName, &'static str)]) -> RequestBuilder {
        let mut headers = (*self.headers).clone();
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        if let Some(session) = &self.session {
            headers.insert(SESSION, session.clone());
        }
        if let Some(version) = &self.version {
            headers.insert(VERSION, version.clone());
        }
        for (name, value) in more {
            headers.insert(name, HeaderValue::from_static(value));
        }
        self.client.request(method, self.url.clone()).headers(headers)
    }

    /// A message to the server. In the discover era a request names its method and revision in headers, too.
    pub fn post(&self, method: Option<&'static str>, text: Vec<u8>, era: Option<Era>) -> RequestBuilder {
        let mut more =
            vec![(header::ACCEPT, "application/json, text/event-stream"), (header::CONTENT_TYPE, "application/json")];
        if era == Some(Era::Discover) {
            more.push((VERSION, DISCOVER_REVISION));
            more.extend(method.map(|method| (HeaderName::from_static("mcp-method"), method)));
        }
        self.request(reqwest::Method::POST, &more).body(text)
    }

    /// The same endpoint at another place, which must have the same origin: credentials go there.
    pub fn at(&self, place: &str) -> Result<Self, Reason> {
        let refuse =
            || Reason::new("redirect-refused", "the server sends messages to another origin, which is not followed");
        let url = self.url.join(place).map_err(|_| refuse())?;
        let same = url.origin() == self.url.origin() && url.username().is_empty() && url.password().is_none();
        if same { Ok(Self { url, ..self.clone() }) } else { Err(refuse()) }
    }

    /// The stream on which a server of the initialize era speaks unasked.
    pub fn listen(&self) -> RequestBuilder {
        self.request(reqwest::Method::GET, &[(header::ACCEPT, "text/event-stream")])
    }
}

impl Http {
    /// Prepares the connection; nothing is sent yet.
    pub fn new(
        url: &str,
        headers: &[(String, String)],
        allow_plain: bool,
        limits: Arc<Limits>,
    ) -> Result<Self, Reason> {
        let (url, headers) = checked(url, headers, allow_plain)?;
        let endpoint =
            Endpoint { client: client(&url)?, url, headers: Arc::new(headers), session: None, version: None };
        Ok(Self { endpoint, replies: JoinSet::new(), listener: None, limits })
    }

    /// Forgets the session: a handshake begins.
    pub fn forget(&mut self) {
        self.endpoint.session = None;
        self.endpoint.version = None;
        self.listener = None;
    }

    /// From now on requests name this revision.
    pub fn agree(&mut self, version: &str) {
        self.endpoint.version = HeaderValue::from_str(version).ok();
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
        if method == "initialize"
            && let Some(session) = response.headers().get(SESSION)
        {
            let mut session = session.clone();
            session.set_sensitive(true);
            self.endpoint.session = Some(session);
        }
        match content_type(&response).as_str() {
            "application/json" => self.read_json(response, pending, inbox).await,
            "text/event-stream" => self.read_events(method, response, pending, inbox).await,
            other => {
                let other = if other.is_empty() { "nothing of a known type" } else { other };
                let text = format!("{method} was answered with {other}, not with JSON or an event stream");
                Err(Fault::Refused(Reason::new("wrong-content-type", text)))
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
        if status == StatusCode::NOT_FOUND && self.endpoint.session.is_some() && method != "initialize" {
            return Err(Fault::SessionLost);
        }
        if status.is_success() && status != StatusCode::ACCEPTED && status != StatusCode::NO_CONTENT {
            return Ok(Accepted::Body(response));
        }
        if let Some(reason) = refused(&response, self.limits.quoted_chars) {
            return Err(Fault::Denied(reason));
        }
        let text = format!("{method} was answered with HTTP status {}", status.as_u16());
        let reason = Reason::new("http-status", text);
        let body = read_body(response, self.limits.error_body_bytes).await.unwrap_or_default();
        if body.trim_ascii_start().starts_with(b"{")
            && let Taken::Answer(_, answer @ Answer::Read(_)) = inbox.take(body, &[pending])
        {
            return Ok(Accepted::Answer(answer));
        }
        Err(Fault::Refused(reason))
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
                Err(Fault::Refused(Reason::new("unreadable-answer", "the body holds no answer to the request")))
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
        loop {
            let chunk = response.chunk().await.map_err(|error| Fault::Unreachable(failed(error)))?;
            let Some(chunk) = chunk else {
                let text = format!("the event stream ended before the answer to {method}");
                return Err(Fault::Refused(Reason::new("closed-stream", text)));
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
                    Taken::Answer(_, answer) => {
                        self.reply(inbox);
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
        if self.endpoint.session.is_some() {
            let _ = timeout(self.limits.close_last, self.endpoint.request(reqwest::Method::DELETE, &[]).send()).await;
        }
    }
}

/// A response that was not refused at the door.
enum Accepted {
    Answer(Answer),
    Body(Response),
}

/// The media type without its parameters, lower case; empty if there is none.
pub(super) fn content_type(response: &Response) -> String {
    let value = response.headers().get(header::CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
    let text = String::from_utf8_lossy(value);
    text.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// We asked for no compression: what is compressed nevertheless could be a bomb.
pub(super) fn uncompressed(response: &Response) -> Result<(), Fault> {
    let codings = response.headers().get_all(header::CONTENT_ENCODING);
    if codings.iter().all(|coding| coding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        return Ok(());
    }
    Err(Fault::Denied(Reason::new("compressed-answer", "the answer is compressed, which was not asked for")))
}

/// The statuses that no other question changes.
fn refused(response: &Response, quoted: usize) -> Option<Reason> {
    let status = response.status();
    let value = |name: HeaderName| {
        let value = response.headers().get(name).map(HeaderValue::as_bytes);
        value.map(|value| quote(value, quoted)).unwrap_or_default()
    };
    match status {
        StatusCode::UNAUTHORIZED => {
            let hint = value(header::WWW_AUTHENTICATE);
            let hint = if hint.is_empty() { hint } else { format!("; it asks for: {hint}") };
            Some(Reason::new("unauthorized", format!("the server wants credentials (401){hint}")))
        }
        StatusCode::FORBIDDEN => Some(Reason::new("forbidden", "the server refuses these credentials (403)")),
        _ if status.is_redirection() => {
            // The query of the place may hold a token.
            let place = value(header::LOCATION);
            let place = place.split(['?', '#']).next().unwrap_or_default().to_owned();
            let text = format!("the server redirects ({}) to {place}, which is not followed", status.as_u16());
            Some(Reason::new("redirect-refused", text))
        }
        _ => None,
    }
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
