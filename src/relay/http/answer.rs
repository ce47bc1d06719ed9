//! What the guard itself answers over HTTP, and the bodies of what it passes on.

use super::entrance::{PATH, Turned};
use bytes::Bytes;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, Full, StreamBody};
use hyper::body::Frame;
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::{Response, StatusCode};
use serde_json::json;
use std::fmt;
use tokio::sync::mpsc;

/// A body; where it is cut, the client gets no end of it.
pub(super) type Body = UnsyncBoxBody<Bytes, Severed>;

/// The rest of a body does not pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Severed;

impl fmt::Display for Severed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the rest does not pass")
    }
}

impl std::error::Error for Severed {}

/// Parts of a body that are on their way.
const PARTS: usize = 8;

/// A body that comes in parts, and where they go.
pub(super) fn parts() -> (mpsc::Sender<Result<Bytes, Severed>>, Body) {
    let (send, receive) = mpsc::channel::<Result<Bytes, Severed>>(PARTS);
    let stream = futures_util::stream::unfold(receive, |mut receive| async {
        let part = receive.recv().await?;
        Some((part.map(Frame::data), receive))
    });
    (send, StreamBody::new(stream).boxed_unsync())
}

fn whole(text: impl Into<Bytes>) -> Body {
    Full::new(text.into()).map_err(|never| match never {}).boxed_unsync()
}

/// An answer of this type, with more headers.
pub(super) fn answer(status: StatusCode, kind: &'static str, headers: HeaderMap, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    if !kind.is_empty() {
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    }
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Nothing but a status.
pub(super) fn nothing(status: StatusCode, headers: HeaderMap) -> Response<Body> {
    answer(status, "", headers, whole(""))
}

/// Messages in JSON: the one as it is, several as an array; where there is none, they were taken.
pub(super) fn json(status: StatusCode, headers: HeaderMap, mut messages: Vec<Bytes>) -> Response<Body> {
    match messages.len() {
        0 => nothing(if status.is_success() { StatusCode::ACCEPTED } else { status }, headers),
        1 => answer(status, "application/json", headers, whole(messages.remove(0))),
        _ => {
            let text = [&b"["[..], &messages.join(&b","[..]), b"]"].concat();
            answer(status, "application/json", headers, whole(text))
        }
    }
}

/// A text for whoever reads an error.
pub(super) fn plain(status: StatusCode, headers: HeaderMap, text: impl Into<Bytes>) -> Response<Body> {
    answer(status, "text/plain; charset=utf-8", headers, whole(text))
}

/// An error that is about no request in particular, as JSON-RPC.
pub(super) fn refused(status: StatusCode, why: &str) -> Response<Body> {
    let error = json!({"code": crate::guard::CODE, "message": why});
    let text = format!(r#"{{"jsonrpc":"2.0","id":null,"error":{error}}}"#);
    json(status, HeaderMap::new(), vec![text.into()])
}

/// What somebody gets who is turned away.
pub(super) fn turned_away(turned: &Turned) -> Response<Body> {
    let status = match turned {
        Turned::Host | Turned::Origin => StatusCode::FORBIDDEN,
        Turned::Path => StatusCode::NOT_FOUND,
        Turned::Secret => StatusCode::UNAUTHORIZED,
        Turned::NoSecret(_) => StatusCode::SERVICE_UNAVAILABLE,
    };
    let mut response = refused(status, &turned.to_string());
    if *turned == Turned::Secret {
        let asks = HeaderValue::from_static("Bearer realm=\"pinwatch guard\"");
        response.headers_mut().insert(header::WWW_AUTHENTICATE, asks);
    }
    response
}

/// What a method gets that the protocol does not have.
pub(super) fn no_such_method() -> Response<Body> {
    let mut response = refused(StatusCode::METHOD_NOT_ALLOWED, &format!("{PATH} takes POST, GET and DELETE"));
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("POST, GET, DELETE"));
    response
}
