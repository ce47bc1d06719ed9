//! Documents at well-known addresses of a server's own origin: asked for without any credential, followed nowhere, bounded in
//! size and time.

use super::client::failed;
use super::endpoint::Endpoint;
use super::limits::Limits;
use super::reason::{timed_out, too_large};
use super::response::{self, content_type, uncompressed};
use crate::surface::{Exhibit, Reason};
use bytes::Bytes;
use reqwest::{RequestBuilder, Response, StatusCode};
use std::time::Duration;
use tokio::time::timeout;

/// A server's attestation document (ATSA, SEP-2809).
pub(super) const ATTESTATION: &str = "/.well-known/mcp-attestation";
/// The principal of a server (CapiscIO RFC-007, section 9).
pub(super) const PRINCIPAL: &str = "/.well-known/capiscio/mcp-server.json";

/// What stands at a path of the endpoint's origin, all within `patience`.
pub(super) async fn ask(endpoint: &Endpoint, path: &'static str, limits: &Limits, patience: Duration) -> Exhibit {
    let patience = patience.min(limits.document);
    let asked = timeout(patience, asked(|| endpoint.well_known(path), path, limits)).await;
    asked.unwrap_or_else(|_| Err(timed_out(path, patience))).unwrap_or_else(Exhibit::Unread)
}

/// What a request for a document brings. `path` says which one, to a person.
pub(super) async fn asked(
    request: impl Fn() -> RequestBuilder,
    path: &str,
    limits: &Limits,
) -> Result<Exhibit, Reason> {
    let sent = || request().send();
    let mut response = sent().await;
    // A kept connection may be closed just as it is used.
    if response.as_ref().is_err_and(|error| !error.is_connect() && !error.is_timeout()) {
        response = sent().await;
    }
    let response = response.map_err(failed)?;
    let status = response.status();
    if status.is_redirection() {
        let text = format!("{path} was answered with a redirect, which is not followed");
        return Err(Reason::new("redirect-refused", text));
    }
    // 405 comes of servers that know one method a path.
    if matches!(status, StatusCode::NOT_FOUND | StatusCode::GONE | StatusCode::METHOD_NOT_ALLOWED) {
        return Ok(Exhibit::Absent);
    }
    if status != StatusCode::OK {
        return Err(Reason::new("http-status", format!("{path} was answered with HTTP status {}", status.as_u16())));
    }
    uncompressed(&response).map_err(|fault| fault.reason(path))?;
    // Many servers show a page, or open a stream, for any path that they do not know.
    if !may_be_document(&content_type(&response)) {
        return Ok(Exhibit::Absent);
    }
    body(response, limits.document_bytes).await.map(Exhibit::Bytes)
}

/// Whether a type can be that of a JSON document; some files are served without one of their own.
fn may_be_document(kind: &str) -> bool {
    kind.ends_with("json") || ["", "text/plain", "application/octet-stream"].contains(&kind)
}

/// The body of a document.
pub(super) async fn body(response: Response, limit: usize) -> Result<Bytes, Reason> {
    let over = Reason { text: format!("a document is larger than {limit} bytes"), ..too_large(limit) };
    response::body(response, limit, over).await
}
