//! What every request to one HTTP endpoint carries, and whether it may carry it there at all.

use super::client::client;
use super::revisions::DISCOVER_REVISION;
use crate::oauth::{at_origin, is_local};
use crate::surface::{ClientIdentity, Era, Reason};
use bytes::Bytes;
use reqwest::header::{self, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, RequestBuilder, Response, Url};
use std::fmt;
use std::sync::Arc;

const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");

#[derive(Clone)]
pub(super) struct Endpoint {
    client: Client,
    url: Url,
    headers: Arc<HeaderMap>,
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

impl Endpoint {
    /// The endpoint at `url`; nothing is sent yet.
    pub fn new(url: &str, headers: &[(String, String)], allow_plain: bool) -> Result<Self, Reason> {
        let (url, headers) = checked(url, headers, allow_plain)?;
        Ok(Self { client: client(&url)?, url, headers: Arc::new(headers), session: None, version: None })
    }

    /// The same over connections of another client of HTTP.
    pub fn through(self, client: impl Fn(&Url) -> Result<Client, Reason>) -> Result<Self, Reason> {
        Ok(Self { client: client(&self.url)?, ..self })
    }

    /// A request of somebody else, with its own headers where the config sets none of that name.
    pub fn carry(&self, method: reqwest::Method, headers: &HeaderMap, body: Bytes) -> RequestBuilder {
        let mut all = headers.clone();
        for name in self.headers.keys() {
            all.remove(name);
        }
        for (name, value) in self.headers.iter() {
            all.append(name, value.clone());
        }
        all.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        self.client.request(method, self.url.clone()).headers(all).body(body)
    }

    /// From now on requests come from another client than this one, as far as the config does not say who they come from.
    pub fn introduce(&mut self, client: &ClientIdentity) {
        let agent = HeaderValue::from_str(&format!("{}/{}", client.name, client.version));
        if let Ok(agent) = agent.as_ref()
            && !self.headers.contains_key(header::USER_AGENT)
        {
            Arc::make_mut(&mut self.headers).insert(header::USER_AGENT, agent.clone());
        }
    }

    /// Forgets the session: a handshake begins.
    pub fn forget(&mut self) {
        self.session = None;
        self.version = None;
    }

    /// From now on requests belong to the session that the response opened, if it did.
    pub fn enter(&mut self, response: &Response) {
        self.session = response.headers().get(SESSION).cloned().map(|mut session| {
            session.set_sensitive(true);
            session
        });
    }

    /// Whether requests belong to a session.
    pub fn is_in_session(&self) -> bool {
        self.session.is_some()
    }

    /// From now on requests name this revision.
    pub fn agree(&mut self, version: &str) {
        self.version = HeaderValue::from_str(version).ok();
    }

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

    /// A request for a document at a path of the same origin: with nothing that the endpoint's own requests carry, since it is
    /// asked before anybody knows who answers.
    pub fn well_known(&self, path: &str) -> RequestBuilder {
        self.client.get(at_origin(&self.url, path)).headers(bare())
    }

    /// The end of the session.
    pub fn leave(&self) -> RequestBuilder {
        self.request(reqwest::Method::DELETE, &[])
    }

    /// The stream on which a server of the initialize era speaks unasked.
    pub fn listen(&self) -> RequestBuilder {
        self.request(reqwest::Method::GET, &[(header::ACCEPT, "text/event-stream")])
    }
}

/// Why the URL cannot be used as it stands. The text names no secret part of it.
pub(super) fn checked(url: &str, headers: &[(String, String)], allow_plain: bool) -> Result<(Url, HeaderMap), Reason> {
    let bad = |text: String| Reason::new("bad-url", text);
    let url = Url::parse(url).map_err(|error| bad(format!("the URL cannot be read: {error}")))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(bad(format!("`{}` is not supported; use http or https", url.scheme())));
    }
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let header = HeaderName::from_bytes(name.as_bytes());
        let header = header.map_err(|_| Reason::new("bad-header", format!("`{name}` is not a header name")))?;
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
/// The headers of a request for a document, which carries nobody's credentials.
pub(super) fn bare() -> HeaderMap {
    let headers = [(header::ACCEPT, "application/json"), (header::ACCEPT_ENCODING, "identity")];
    headers.into_iter().map(|(name, value)| (name, HeaderValue::from_static(value))).collect()
}
