//! One exchange with an address of a sign-in: nothing is followed, nothing decompressed, all of it bounded.

use crate::mcp::client::{client, failed};
use crate::mcp::endpoint::bare;
use crate::mcp::limits::Limits;
use crate::mcp::reason::timed_out;
use crate::mcp::response::uncompressed;
use crate::mcp::well_known;
use crate::surface::{Exhibit, Reason};
use bytes::Bytes;
use reqwest::header;
use reqwest::{RequestBuilder, StatusCode, Url};
use tokio::time::timeout;

/// The first document among these places; none where no place has one. A place that says no is passed over, as the
/// specification has it; one that redirects is not.
pub(super) async fn first(places: &[Url], what: &str, limits: &Limits) -> Result<Option<Bytes>, Reason> {
    for place in places {
        let client = client(place)?;
        let request = || client.get(place.clone()).headers(bare());
        let asked = timeout(limits.document, well_known::asked(request, what, limits)).await;
        match asked.unwrap_or_else(|_| Err(timed_out(what, limits.document))) {
            Ok(Exhibit::Bytes(document)) => return Ok(Some(document)),
            Ok(Exhibit::Absent | Exhibit::Unasked) => {}
            Err(reason) if reason.code == "http-status" => {}
            Ok(Exhibit::Unread(reason)) | Err(reason) => return Err(reason),
        }
    }
    Ok(None)
}

/// Sends a request with a body and reads the answer, whatever its status.
pub(super) async fn send(request: RequestBuilder, what: &str, limits: &Limits) -> Result<(StatusCode, Bytes), Reason> {
    let sent = async {
        let response = request.send().await.map_err(failed)?;
        let status = response.status();
        if status.is_redirection() {
            let text = format!("{what} was answered with a redirect, which is not followed");
            return Err(Reason::new("redirect-refused", text));
        }
        uncompressed(&response).map_err(|fault| fault.reason(what))?;
        Ok((status, well_known::body(response, limits.document_bytes).await?))
    };
    timeout(limits.document, sent).await.unwrap_or_else(|_| Err(timed_out(what, limits.document)))
}

/// A request with JSON in its body.
pub(super) fn json(place: &Url, body: &serde_json::Value) -> Result<RequestBuilder, Reason> {
    let request = client(place)?.post(place.clone()).headers(bare());
    Ok(request.header(header::CONTENT_TYPE, "application/json").body(body.to_string()))
}
