//! The server behind a guard that listens: what its clients send is sent on with the headers of the config, and with nothing
//! by which the guard knows its clients. As for our own sessions nothing is followed or decompressed.

use super::client::{failed, kept_client};
use super::door::{challenge, turned_away};
use super::endpoint::Endpoint;
use super::limits::Limits;
use super::reason::{quote, too_large};
use super::response::{body, content_type, uncompressed};
use super::sse::Events;
use super::target::Target;
use crate::oauth::Challenge;
use crate::surface::Reason;
use bytes::Bytes;
use reqwest::header::{HeaderMap, HeaderName};
use reqwest::{Method, Response, StatusCode};

/// Where a guard sends what passes.
#[derive(Clone, Debug)]
pub struct Upstream {
    endpoint: Endpoint,
    quoted: usize,
}

/// Why a request has no reply that could be passed on.
#[derive(Debug)]
pub struct NoReply {
    /// One sentence.
    pub reason: Reason,
    /// What the server asks for where it wants a bearer token.
    pub challenge: Option<Challenge>,
}

impl From<Reason> for NoReply {
    fn from(reason: Reason) -> Self {
        Self { reason, challenge: None }
    }
}

/// What the body of a reply is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplyForm {
    /// Messages in JSON.
    Json,
    /// Messages as events.
    Events,
    /// Nothing of the protocol: its type, which may be none.
    Other(String),
}

/// A reply whose head is there.
#[derive(Debug)]
pub struct Reply {
    response: Response,
}

impl Upstream {
    /// The server of a target that is a URL; nothing is sent yet.
    pub fn new(target: &Target, limits: &Limits) -> Result<Self, Reason> {
        match target {
            Target::Http { url, headers, allow_plain } => {
                let endpoint = Endpoint::new(url, headers, *allow_plain)?.through(kept_client)?;
                Ok(Self { endpoint, quoted: limits.quoted_chars })
            }
            Target::Unusable(reason) | Target::Unwatched(reason) => Err(reason.clone()),
            Target::Stdio { .. } => Err(Reason::new("bad-url", "the server is a command, and has no URL")),
        }
    }

    /// Sends a request with those of a client's headers that are of the protocol, and waits for the head of the reply. Of a
    /// header that the config sets, its value counts.
    pub async fn send(&self, method: Method, headers: &HeaderMap, body: Bytes) -> Result<Reply, NoReply> {
        let response = self.endpoint.carry(method, headers, body).send().await.map_err(failed)?;
        uncompressed(&response).map_err(|fault| fault.reason("the request"))?;
        if let Some(reason) = turned_away(&response, self.quoted) {
            return Err(NoReply { reason, challenge: challenge(&response) });
        }
        Ok(Reply { response })
    }
}

/// Whether a header is one of the protocol's own, which passes in both directions.
pub fn is_of_protocol(name: &HeaderName) -> bool {
    name.as_str().starts_with("mcp-")
}

impl Reply {
    /// Its status.
    pub fn status(&self) -> StatusCode {
        self.response.status()
    }

    /// Its headers.
    pub fn headers(&self) -> &HeaderMap {
        self.response.headers()
    }

    /// What its body is.
    pub fn form(&self) -> ReplyForm {
        match content_type(&self.response).as_str() {
            "application/json" => ReplyForm::Json,
            "text/event-stream" => ReplyForm::Events,
            other => ReplyForm::Other(quote(other.as_bytes(), 100)),
        }
    }

    /// The next piece of its body; none at the end. Cancel-safe.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, Reason> {
        self.response.chunk().await.map_err(failed)
    }

    /// The body, up to `limit` bytes.
    pub async fn body(self, limit: usize) -> Result<Bytes, Reason> {
        body(self.response, limit, too_large(limit)).await
    }

    /// Hands each message of the body to `take`, until that wants no more.
    pub async fn each(mut self, limit: usize, mut take: impl FnMut(Bytes) -> bool) -> Result<(), Reason> {
        match self.form() {
            ReplyForm::Json => {
                take(self.body(limit).await?);
                Ok(())
            }
            ReplyForm::Events => {
                let mut events = Events::new(limit);
                while let Some(chunk) = self.chunk().await? {
                    events.feed(&chunk);
                    while let Some(event) = events.take().map_err(|_| too_large(limit))? {
                        if !event.data.is_empty() && !take(event.data) {
                            return Ok(());
                        }
                    }
                }
                Ok(())
            }
            ReplyForm::Other(form) => Err(not_of_protocol(self.status(), &form)),
        }
    }
}

/// Why a reply that is neither JSON nor events is no answer.
pub fn not_of_protocol(status: StatusCode, form: &str) -> Reason {
    let form = if form.is_empty() { "nothing of a known type" } else { form };
    let text = format!("HTTP status {} with {form}, not with JSON or an event stream", status.as_u16());
    Reason::new("wrong-content-type", text)
}
