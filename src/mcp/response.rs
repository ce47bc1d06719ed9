//! What the head of an HTTP response says of its body, and that body within its bound.

use super::client::failed;
use super::fault::Fault;
use crate::surface::Reason;
use bytes::{Bytes, BytesMut};
use reqwest::Response;
use reqwest::header::{self, HeaderValue};

/// The media type without its parameters, lower case; empty if there is none.
pub(super) fn content_type(response: &Response) -> String {
    let value = response.headers().get(header::CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
    let text = String::from_utf8_lossy(value);
    text.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// The body, up to `limit` bytes; where it is longer, `over` is why it is refused.
pub(super) async fn body(mut response: Response, limit: usize, over: Reason) -> Result<Bytes, Reason> {
    let mut body = BytesMut::new();
    while let Some(chunk) = response.chunk().await.map_err(failed)? {
        if body.len() + chunk.len() > limit {
            return Err(over);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

/// We asked for no compression: what is compressed nevertheless could be a bomb.
pub(super) fn uncompressed(response: &Response) -> Result<(), Fault> {
    let codings = response.headers().get_all(header::CONTENT_ENCODING);
    if codings.iter().all(|coding| coding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        return Ok(());
    }
    Err(Fault::Denied(Reason::new("compressed-answer", "the answer is compressed, which was not asked for")))
}
