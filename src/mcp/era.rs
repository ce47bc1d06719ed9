//! The handshakes of the two eras: what is asked, how the answer is read, and which of them a server speaks.

use super::fault::Fault;
use super::inbox::{Answer, Inbox, Message};
use super::limits::Limits;
use super::link::{Ask, Link};
use super::message::{Form, Kept, says};
use super::reason::{quote, syntax, unreadable};
use super::revisions::{Attempts, DISCOVER_REVISION, INITIALIZE_REVISIONS, unsupported};
use crate::canon::scan::{self, Span};
use crate::surface::{ClientIdentity, Era, Exhibit, Kind, ObservedAs, RawItem, Reason};
use bytes::Bytes;
use serde_json::json;
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::time::Instant;

/// The first requests of the two eras.
pub(super) const INITIALIZE: &str = "initialize";
pub(super) const DISCOVER: &str = "server/discover";

/// HeaderMismatch, MissingRequiredClientCapability, UnsupportedProtocolVersion: only a server of the discover era says so.
const DISCOVER_ERRORS: std::ops::RangeInclusive<i64> = -32022..=-32020;
const UNSUPPORTED_REVISION: i64 = -32022;
const METHOD_NOT_FOUND: i64 = -32601;

/// What a finished handshake said.
#[derive(Clone, Debug)]
pub(super) struct Handshake {
    pub observed_as: ObservedAs,
    /// Instructions, capabilities and server info, as far as there are any.
    pub items: Vec<RawItem>,
    /// The lists that the capabilities promise.
    pub promised: BTreeSet<Kind>,
    /// The answer, for comparison.
    pub kept: Option<Kept>,
    /// Its `_meta`.
    pub meta: Exhibit,
}

/// An error answer.
#[derive(Clone, Debug)]
pub(super) struct Refusal {
    pub code: i64,
    pub message: String,
    /// `data.supported`, the revisions that the server speaks.
    pub supported: Vec<String>,
    /// The error as it stands, or its beginning.
    pub words: Vec<u8>,
}

/// Bytes of an error that are searched for revisions.
const WORDS: usize = 16 << 10;

impl Refusal {
    /// Whether it says that there is no such request.
    pub fn is_method_not_found(&self) -> bool {
        self.code == METHOD_NOT_FOUND
    }

    /// As the reason why the request of `method` has no result.
    pub fn reason(&self, method: &str) -> Reason {
        let text = match self.code {
            // There is none.
            0 => format!("{method} was answered with an error: {}", self.message),
            code => format!("{method} was answered with error {code}: {}", self.message),
        };
        Reason::new("error-answer", text)
    }
}

/// The error of an answer, if it is one.
pub(super) fn refusal(message: &Message, limits: &Limits) -> Option<Refusal> {
    let (quoted, limit) = (limits.quoted_chars, limits.members);
    let span = message.parts.error.clone()?;
    let bytes = &message.bytes;
    let words = bytes[span.start..span.end.min(span.start + WORDS)].to_vec();
    let mut refusal = Refusal { code: 0, message: String::new(), supported: Vec::new(), words };
    if bytes[span.start] == b'"' {
        // No object, as JSON-RPC has it; some proxies say no more.
        refusal.message = quote(scan::unescape(bytes, span.clone()).0.as_bytes(), quoted);
    }
    for (key, value) in scan::members(bytes, span.start, usize::MAX, limit).unwrap_or_default() {
        if says(bytes, &key, "code") {
            refusal.code = std::str::from_utf8(&bytes[value]).ok().and_then(|text| text.parse().ok()).unwrap_or(0);
        } else if says(bytes, &key, "message") && bytes[value.start] == b'"' {
            refusal.message = quote(scan::unescape(bytes, value).0.as_bytes(), quoted);
        } else if says(bytes, &key, "data") {
            refusal.supported = member(bytes, value.start, "supported", limit)
                .map(|supported| strings(bytes, supported.start, quoted))
                .unwrap_or_default();
        }
    }
    Some(refusal)
}

/// The last member `name` of the object at `at`, if that is an object and has one.
fn member(bytes: &[u8], at: usize, name: &str, limit: usize) -> Option<Span> {
    let members = scan::members(bytes, at, usize::MAX, limit).ok()?;
    members.into_iter().rev().find(|(key, _)| says(bytes, key, name)).map(|(_, value)| value)
}

/// The first strings of the array at `at`, short.
fn strings(bytes: &[u8], at: usize, quoted: usize) -> Vec<String> {
    let elements = scan::elements(bytes, at, usize::MAX, 100).unwrap_or_default();
    let texts = elements.into_iter().filter(|span| bytes[span.start] == b'"');
    texts.map(|span| quote(scan::unescape(bytes, span).0.as_bytes(), quoted)).collect()
}

/// Why an answer finishes no handshake.
#[derive(Debug)]
enum Unfit {
    Unreadable(Reason),
    /// The server speaks these revisions, and we do not.
    Revisions(Vec<String>),
}

impl From<Reason> for Unfit {
    fn from(reason: Reason) -> Self {
        Self::Unreadable(reason)
    }
}

impl Handshake {
    /// Reads the result of `initialize` or `server/discover`.
    fn read(message: &Message, era: Era, inbox: &Inbox) -> Result<Self, Unfit> {
        let limit = inbox.limits.members;
        let Some(result) = message.parts.result.clone() else {
            return Err(unreadable(&message.bytes, "no result").into());
        };
        // Only these bytes are kept; the buffer they came in may be far larger.
        let bytes = Bytes::copy_from_slice(&message.bytes);
        let members = scan::members(&bytes, result.start, usize::MAX, limit).map_err(|error| syntax(&bytes, &error))?;
        let find = |name: &str| {
            let mut found = members.iter().filter(|(key, _)| says(&bytes, key, name)).map(|(_, value)| value.clone());
            match (found.next(), found.next()) {
                (_, Some(_)) => Err(unreadable(&bytes, format_args!("{name} occurs twice"))),
                (found, None) => Ok(found.filter(|span| &bytes[span.clone()] != b"null")),
            }
        };
        let info = match era {
            Era::Initialize => find("serverInfo")?,
            Era::Discover => {
                find("_meta")?.and_then(|meta| member(&bytes, meta.start, "io.modelcontextprotocol/serverInfo", limit))
            }
        };
        let protocol_version = match era {
            Era::Initialize => initialize_revision(&bytes, find("protocolVersion")?)?,
            Era::Discover => discover_revision(&bytes, find("supportedVersions")?)?,
        };
        let capabilities = find("capabilities")?;
        let promised = capabilities.as_ref().map(|span| promised(&bytes, span, limit)).unwrap_or_default();
        let items =
            [(Kind::Instructions, find("instructions")?), (Kind::Capabilities, capabilities), (Kind::ServerInfo, info)];
        let items = items.into_iter().filter_map(|(kind, span)| Some(RawItem { kind, bytes: bytes.slice(span?) }));
        let observed_as = ObservedAs { era, protocol_version, client_capabilities: inbox.client.capabilities.clone() };
        let items = items.collect();
        let metas = members.iter().filter(|(key, _)| says(&bytes, key, "_meta")).map(|(_, value)| value.clone());
        let meta = meta(&bytes, &metas.collect::<Vec<_>>());
        let kept = message.parts.id.clone().filter(|_| message.form == Form::AsSent);
        let kept = kept.and_then(|id| Kept::new(bytes, id));
        Ok(Self { observed_as, items, promised, kept, meta })
    }
}

/// Bytes of the largest `_meta` of a handshake that is kept.
const MOST_META: usize = 64 << 10;

/// `_meta` of a handshake. One that occurs twice is no reason to have no session.
fn meta(bytes: &Bytes, spans: &[Span]) -> Exhibit {
    let unread = |text: &str| Exhibit::Unread(Reason::new("meta-not-read", text));
    match spans {
        [] => Exhibit::Absent,
        [one] if one.len() > MOST_META => unread("the `_meta` of its handshake is too large"),
        [one] => Exhibit::Bytes(bytes.slice(one.clone())),
        _ => unread("its handshake has `_meta` twice"),
    }
}

/// The lists whose capability is there; `null` and `false` are not.
fn promised(bytes: &[u8], capabilities: &Span, limit: usize) -> BTreeSet<Kind> {
    let has = |name: &str| {
        let value = member(bytes, capabilities.start, name, limit);
        value.is_some_and(|span| !matches!(&bytes[span], b"null" | b"false"))
    };
    let capability = |kind: &Kind| match kind {
        Kind::Tool => has("tools"),
        Kind::Prompt => has("prompts"),
        _ => has("resources"),
    };
    Kind::LISTS.into_iter().filter(capability).collect()
}

fn initialize_revision(bytes: &[u8], span: Option<Span>) -> Result<String, Unfit> {
    let version = span.filter(|span| bytes[span.start] == b'"').map(|span| scan::unescape(bytes, span).0);
    match version {
        Some(version) if INITIALIZE_REVISIONS.contains(&version.as_str()) => Ok(version),
        Some(version) => Err(Unfit::Revisions(vec![quote(version.as_bytes(), 40)])),
        None => Err(unreadable(bytes, "the handshake names no protocol version").into()),
    }
}

fn discover_revision(bytes: &[u8], span: Option<Span>) -> Result<String, Unfit> {
    let supported = span.map(|span| strings(bytes, span.start, 40)).unwrap_or_default();
    if supported.iter().any(|version| version == DISCOVER_REVISION) {
        Ok(DISCOVER_REVISION.to_owned())
    } else {
        Err(Unfit::Revisions(supported))
    }
}

/// A server of the discover era that speaks none of its revisions that we do; it may speak one of the other era.
fn other_revision(spoken: &[String]) -> Outcome {
    let other = spoken.iter().any(|version| INITIALIZE_REVISIONS.contains(&version.as_str()));
    let reason = unsupported(spoken);
    if other { Outcome::OtherEra(reason) } else { Outcome::Failed(reason) }
}

/// What came of one handshake.
#[derive(Debug)]
pub(super) enum Outcome {
    Open(Box<Handshake>),
    /// The server answered, and speaks this era, but there is no session.
    Failed(Reason),
    /// The server answered in a way that one of the other era would.
    OtherEra(Reason),
}

/// `initialize`, within `patience`, for one revision after another while they are refused; `notifications/initialized` is
/// sent where it succeeds.
pub(super) async fn initialize(link: &mut Link, patience: Duration, attempts: &mut Attempts) -> Result<Outcome, Fault> {
    link.begin(Era::Initialize);
    let deadline = Instant::now() + patience;
    let mut last = None;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let Some(revision) = attempts.next().filter(|_| !left.is_zero() || last.is_none()) else {
            return last.unwrap_or(Err(Fault::TimedOut(patience)));
        };
        let members = initialize_params(revision, &link.inbox.client);
        let ask = Ask { members: members.as_bytes(), ..Ask::plain(INITIALIZE) };
        let asked = link.ask(ask, left).await;
        last = Some(match asked {
            Ok(answer) => match read_initialize(link, &answer).await? {
                Ok(handshake) => return Ok(Outcome::Open(Box::new(handshake))),
                Err(refusal) => {
                    let reason = refusal.reason(INITIALIZE);
                    attempts.refused(None, reason.clone(), &refusal.words);
                    if refusal.is_method_not_found() {
                        return Ok(Outcome::OtherEra(reason));
                    }
                    Ok(Outcome::OtherEra(reason))
                }
            },
            Err(fault) => {
                let reason = fault.clone().at_start();
                attempts.refused(None, reason.clone(), reason.text.as_bytes());
                // Some refuse a revision by a status without an answer, or by closing the connection.
                let may_be_revision = match &fault {
                    Fault::Rejected(_) => true,
                    Fault::Unreachable(reason) if reason.code == "connection-lost" => {
                        link.inbox.heard || attempts.knows_another()
                    }
                    _ => false,
                };
                if !may_be_revision {
                    return Err(fault);
                }
                Err(fault)
            }
        });
    }
}

pub(super) fn initialize_params(revision: &str, client: &ClientIdentity) -> String {
    let ClientIdentity { name, version, capabilities, .. } = client;
    let (capabilities, info) = (json!(capabilities), json!({"name": name, "version": version}));
    format!(r#""protocolVersion":"{revision}","capabilities":{capabilities},"clientInfo":{info}"#)
}

/// The answer to `initialize`, and the notification that ends the handshake.
pub(super) async fn read_initialize(link: &mut Link, answer: &Answer) -> Result<Result<Handshake, Refusal>, Fault> {
    let Answer::Read(message) = answer else { return Err(Fault::Refused(unreadable(b"", "nothing to compare with"))) };
    let limits = &link.inbox.limits;
    if let Some(refusal) = refusal(message, limits) {
        return Ok(Err(refusal));
    }
    let handshake = Handshake::read(message, Era::Initialize, &link.inbox).map_err(|unfit| match unfit {
        Unfit::Unreadable(reason) => Fault::Refused(reason),
        Unfit::Revisions(spoken) => Fault::Refused(unsupported(&spoken)),
    })?;
    link.agree(&handshake.observed_as.protocol_version);
    link.tell("notifications/initialized", b"").await;
    Ok(Ok(handshake))
}

/// `server/discover`, within `patience`.
pub(super) async fn discover(link: &mut Link, patience: Duration) -> Result<Outcome, Fault> {
    link.begin(Era::Discover);
    let answer = link.ask(Ask::plain(DISCOVER), patience).await?;
    read_discover(link, &answer)
}

pub(super) fn read_discover(link: &Link, answer: &Answer) -> Result<Outcome, Fault> {
    let Answer::Read(message) = answer else { return Err(Fault::Refused(unreadable(b"", "nothing to compare with"))) };
    let limits = &link.inbox.limits;
    match refusal(message, limits) {
        // It may name what it speaks in words alone, or speak the oldest and not say so.
        Some(refusal) if refusal.code == UNSUPPORTED_REVISION => {
            let named = super::revisions::mentioned(&refusal.words).0.into_iter().map(str::to_owned);
            let spoken = if refusal.supported.is_empty() { named.collect() } else { refusal.supported };
            Ok(Outcome::OtherEra(unsupported(&spoken)))
        }
        Some(refusal) if DISCOVER_ERRORS.contains(&refusal.code) => Ok(Outcome::Failed(refusal.reason(DISCOVER))),
        Some(refusal) => Ok(Outcome::OtherEra(refusal.reason(DISCOVER))),
        None => match Handshake::read(message, Era::Discover, &link.inbox) {
            Ok(handshake) => Ok(Outcome::Open(Box::new(handshake))),
            Err(Unfit::Revisions(spoken)) => Ok(other_revision(&spoken)),
            Err(Unfit::Unreadable(reason)) => Err(Fault::Refused(reason)),
        },
    }
}

/// Asks a discover-era server again for what its first answer said. None if it is the same to the byte.
pub(super) async fn discover_again(
    link: &mut Link,
    last: &Handshake,
    patience: Duration,
) -> Result<Option<Handshake>, Fault> {
    let ask = Ask { last: last.kept.as_ref(), ..Ask::plain(DISCOVER) };
    let answer = link.ask(ask, patience).await?;
    if matches!(answer, Answer::Same) {
        return Ok(None);
    }
    match read_discover(link, &answer)? {
        Outcome::Open(handshake) => Ok(Some(*handshake)),
        Outcome::Failed(reason) | Outcome::OtherEra(reason) => Err(Fault::Refused(reason)),
    }
}
