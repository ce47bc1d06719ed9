//! One request of a client: what of it goes to the server, and what comes back.

use super::answer::{Body, json, no_such_method, nothing, plain, refused, turned_away};
use super::conversation::Key;
use super::entrance::{admits, only};
use super::guard::{self, Guard, METHOD, NAME, News, SESSION, VERSION, carried, is_lost, returned};
use super::pass::Passing;
use crate::guard::{About, closed_answers};
use crate::mcp::{Reply, ReplyForm, not_of_protocol};
use crate::text::visible;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http_body_util::{BodyExt as _, Limited};
use hyper::body::Incoming;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, StatusCode};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// Bytes of the longest body of a client.
const LONGEST: usize = 16 << 20;
/// Time for a body of a client to arrive.
const BODY: Duration = Duration::from_mins(1);
/// Bytes that pass of what is not of the protocol.
const OTHER: usize = 64 << 10;

/// Answers a request.
pub(super) async fn respond(guard: &Arc<Guard>, request: Request<Incoming>) -> Response<Body> {
    let (head, body) = request.into_parts();
    if let Err(turned) = admits(&head, guard.own, &guard.secret()) {
        guard.tell(News::Line(format!("turned away: {turned}")));
        return turned_away(&turned);
    }
    if let Some(name) =
        [SESSION, VERSION, METHOD, NAME].into_iter().find(|name| head.headers.get_all(name).iter().count() > 1)
    {
        return refused(StatusCode::BAD_REQUEST, &format!("the header `{name}` occurs twice"));
    }
    match head.method {
        Method::POST => posted(guard, &head, body).await,
        Method::GET | Method::DELETE => asked(guard, &head).await,
        _ => no_such_method(),
    }
}

async fn posted(guard: &Arc<Guard>, head: &Parts, body: Incoming) -> Response<Body> {
    let kind = only(&head.headers, &header::CONTENT_TYPE).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/json") {
        return refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, "a message is posted as application/json");
    }
    let text = match timeout(BODY, Limited::new(body, LONGEST).collect()).await {
        Ok(Ok(body)) => body.to_bytes(),
        Ok(Err(error)) if error.is::<http_body_util::LengthLimitError>() => {
            let why = format!("a message of a client has at most {LONGEST} bytes");
            return refused(StatusCode::PAYLOAD_TOO_LARGE, &why);
        }
        Ok(Err(_)) => return refused(StatusCode::BAD_REQUEST, "the message did not arrive"),
        Err(_) => return refused(StatusCode::REQUEST_TIMEOUT, "the message did not arrive in time"),
    };
    let open = match guard.standing().await {
        Ok(open) => open,
        Err(why) => {
            let answers = closed_answers(&text, &why);
            if answers.is_empty() {
                return refused(StatusCode::SERVICE_UNAVAILABLE, &format!("the guard is closed: {why}"));
            }
            return json(StatusCode::OK, HeaderMap::new(), answers);
        }
    };
    let about = About::of(&text);
    if !agrees(&head.headers, &about) {
        let why = "the message and its headers `Mcp-Method` and `Mcp-Name` say different things";
        return refused(StatusCode::BAD_REQUEST, why);
    }
    let is_new = about.method.as_deref() == Some("initialize");
    let conversation = if is_new {
        Some(guard.fresh(&open, false))
    } else {
        guard.conversation(key(&head.headers, about.introduction), &open)
    };
    let Some(conversation) = conversation else { return crowded() };
    let headers = carried(&head.headers);
    let mut visit = conversation.begin(&for_own(&headers), false);
    let exchange = visit.exchange();
    guard.say(&conversation, |session, now| session.within(exchange).client_said(&text, now));
    let (passed, refusals) = visit.judged().await;
    if conversation.is_lost() {
        // By this status a client knows that it has to open another one.
        return refused(StatusCode::NOT_FOUND, "the server does not know this session any more");
    }
    let sent = match passed.as_slice() {
        [] if refusals.is_empty() && is_unreadable(&text) => {
            return refused(StatusCode::BAD_REQUEST, "not passed on: it is no message that everybody reads the same");
        }
        [] => return json(StatusCode::OK, HeaderMap::new(), refusals),
        [one] => one.clone(),
        several => joined(several),
    };
    let replied = guard.send(&open, Method::POST, &headers, sent.clone()).await;
    let status = replied.as_ref().map_or(StatusCode::OK, Reply::status);
    let back = replied.as_ref().map(|reply| returned(reply.headers())).unwrap_or_default();
    let mut passing =
        Passing { guard: Arc::clone(guard), visit, open, sent: Some(sent), refusals, status, headers: back };
    let reply = match replied {
        Ok(reply) => reply,
        Err(reason) => {
            let mut lines = passing.unanswered(&reason.text);
            lines.append(&mut passing.refusals);
            if lines.is_empty() {
                return refused(StatusCode::BAD_GATEWAY, visible(&reason.text).as_ref());
            }
            return json(StatusCode::OK, HeaderMap::new(), lines);
        }
    };
    if is_new && let Some(id) = passing.headers.get(SESSION).filter(|_| status.is_success()) {
        guard.named(id.clone(), &conversation);
    }
    forget_lost(guard, &head.headers, status);
    passed_on(passing, reply).await
}

/// A stream is opened, or a session is ended.
async fn asked(guard: &Arc<Guard>, head: &Parts) -> Response<Body> {
    let open = match guard.standing().await {
        Ok(open) => open,
        Err(why) => return refused(StatusCode::SERVICE_UNAVAILABLE, &format!("the guard is closed: {why}")),
    };
    let headers = carried(&head.headers);
    let Some(conversation) = guard.conversation(key(&head.headers, None), &open) else { return crowded() };
    let visit = conversation.begin(&for_own(&headers), head.method == Method::GET);
    let reply = match guard.send(&open, head.method.clone(), &headers, Bytes::new()).await {
        Ok(reply) => reply,
        Err(reason) => return refused(StatusCode::BAD_GATEWAY, visible(&reason.text).as_ref()),
    };
    let status = reply.status();
    if head.method == Method::DELETE
        && status.is_success()
        && let Some(id) = head.headers.get(SESSION)
    {
        guard.forget(id);
    }
    forget_lost(guard, &head.headers, status);
    let headers = returned(reply.headers());
    let guard = Arc::clone(guard);
    passed_on(Passing { guard, visit, open, sent: None, refusals: Vec::new(), status, headers }, reply).await
}

async fn passed_on(mut passing: Passing, reply: Reply) -> Response<Body> {
    let status = passing.status;
    match reply.form() {
        ReplyForm::Json => passing.json(reply).await,
        ReplyForm::Events if status == StatusCode::OK => passing.events(reply),
        form if status.is_success() => {
            let has_body = status != StatusCode::ACCEPTED && status != StatusCode::NO_CONTENT;
            let mut lines = match form {
                ReplyForm::Other(form) if has_body => passing.unanswered(&not_of_protocol(status, &form).text),
                _ => passing.unanswered(&format!("HTTP status {}, without an answer", status.as_u16())),
            };
            lines.append(&mut passing.refusals);
            if lines.is_empty() {
                return nothing(status, passing.headers);
            }
            json(StatusCode::OK, passing.headers, lines)
        }
        _ => {
            // What waits for an answer gets this status, as it would without a guard.
            let text = reply.body(OTHER).await.unwrap_or_default();
            let text = passing.open.masked(&String::from_utf8_lossy(&text));
            plain(status, passing.headers, text)
        }
    }
}

/// A session that the server does not know is none.
fn forget_lost(guard: &Guard, headers: &HeaderMap, status: StatusCode) {
    if is_lost(status)
        && let Some(id) = headers.get(SESSION)
    {
        guard.forget(id);
    }
}

fn key(headers: &HeaderMap, introduction: Option<Vec<u8>>) -> Key {
    match headers.get(SESSION) {
        Some(id) => Key::Session(id.clone()),
        None => Key::Alone(headers.get(VERSION).cloned(), introduction),
    }
}

/// What requests of the guard's own carry of those of a client.
fn for_own(headers: &HeaderMap) -> HeaderMap {
    guard::only(headers, |name| [SESSION, VERSION, METHOD, header::USER_AGENT].contains(name))
}

/// Whether the headers that a server may go by say what the message says.
fn agrees(headers: &HeaderMap, about: &About) -> bool {
    let says = |name: &HeaderName, text: &Option<String>| match (headers.get(name), text) {
        (None, _) => true,
        (Some(value), Some(text)) => is_value(value, text),
        (Some(_), None) => false,
    };
    says(&METHOD, &about.method) && (about.name.is_none() || says(&NAME, &about.name))
}

/// Whether a header's value stands for a text: as it is, or in base64 between the marks of revision 2026-07-28.
fn is_value(value: &HeaderValue, text: &str) -> bool {
    let value = value.as_bytes();
    let encoded = value.strip_prefix(b"=?base64?").and_then(|rest| rest.strip_suffix(b"?="));
    value == text.as_bytes()
        || encoded.and_then(|encoded| STANDARD.decode(encoded).ok()).is_some_and(|decoded| decoded == text.as_bytes())
}

/// Several messages, or arrays of them, as one array.
fn joined(lines: &[Bytes]) -> Bytes {
    let inner = |line: &Bytes| {
        let line = line.trim_ascii();
        line.strip_prefix(b"[").and_then(|line| line.strip_suffix(b"]")).unwrap_or(line).to_vec()
    };
    [&b"["[..], &lines.iter().map(inner).collect::<Vec<_>>().join(&b","[..]), b"]"].concat().into()
}

/// Whether nothing of a line is a message.
fn is_unreadable(line: &Bytes) -> bool {
    About::of(line).method.is_none()
}

fn crowded() -> Response<Body> {
    refused(StatusCode::SERVICE_UNAVAILABLE, "too many sessions have something under way at this guard")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_have_to_say_what_the_message_says() {
        let call = About::of(br#"{"id":1,"method":"tools/call","params":{"name":"caf\u00e9"}}"#);
        let says = |values: &[(HeaderName, &'static str)]| {
            let headers = values.iter().map(|(name, value)| (name.clone(), HeaderValue::from_static(value)));
            agrees(&headers.collect(), &call)
        };
        assert!(says(&[]));
        assert!(says(&[(METHOD, "tools/call"), (NAME, "=?base64?Y2Fmw6k=?=")]));
        assert!(!says(&[(METHOD, "ping")]));
        assert!(!says(&[(METHOD, "tools/call"), (NAME, "other")]));
        assert!(!says(&[(NAME, "=?base64?Y2Fm?=")]));
        assert!(agrees(&HeaderMap::new(), &About::default()));
    }

    #[test]
    fn parts_of_an_array_are_one_array_again() {
        let lines = [Bytes::from_static(b" [1, 2] "), Bytes::from_static(b"{}")];
        assert_eq!(joined(&lines), "[1, 2,{}]");
    }
}
