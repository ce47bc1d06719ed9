//! A document posted to an address that a config names: nothing is followed, decompressed or read past its bound.

use super::client::{client, failed};
use super::endpoint::checked;
use super::reason::{timed_out, too_large};
use super::response::body as body_of;
use crate::surface::Reason;
use bytes::Bytes;
use reqwest::header::{self, HeaderValue};
use reqwest::{StatusCode, Url};
use std::time::Duration;
use tokio::time::{Instant, timeout, timeout_at};

/// Bytes of an answer that are read.
const MOST: usize = 64 << 10;

/// What became of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Posted {
    /// It was taken; what was said to that, nothing where that was too long or came too late.
    Taken(Bytes),
    /// It was not taken, and another try would not change that.
    Refused(Reason),
    /// It did not arrive, or is to be sent later.
    Later(Reason),
}

/// Posts JSON, all within `patience`. Where it goes over plain HTTP its config has permitted that.
pub async fn post(url: &Url, headers: &[(String, String)], body: Vec<u8>, patience: Duration) -> Posted {
    let until = Instant::now() + patience;
    let request = checked(url.as_str(), headers, true).and_then(|(url, mut headers)| {
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        Ok(client(&url)?.post(url).headers(headers).body(body))
    });
    let response = match request {
        Err(reason) => return Posted::Refused(reason),
        Ok(request) => match timeout(patience, request.send()).await {
            Err(_) => return Posted::Later(timed_out("the collector", patience)),
            Ok(Err(error)) => return Posted::Later(failed(error)),
            Ok(Ok(response)) => response,
        },
    };
    let status = response.status();
    if status.is_success() {
        let read = timeout_at(until, body_of(response, MOST, too_large(MOST))).await;
        let read = read.ok().and_then(Result::ok).unwrap_or_default();
        return Posted::Taken(read);
    }
    if status.is_redirection() {
        let text = "the collector redirects, and redirects are not followed";
        return Posted::Refused(Reason::new("redirect-refused", text));
    }
    let reason = Reason::new("http-status", format!("the collector answers with HTTP status {}", status.as_u16()));
    // Those that the OTLP specification has sent again ("Retryable Response Codes").
    let later = [
        StatusCode::TOO_MANY_REQUESTS,
        StatusCode::BAD_GATEWAY,
        StatusCode::SERVICE_UNAVAILABLE,
        StatusCode::GATEWAY_TIMEOUT,
    ];
    if later.contains(&status) { Posted::Later(reason) } else { Posted::Refused(reason) }
}
