//! What an HTTP status says that no other question changes: credentials that are wanted or not enough, and redirects.
//! Only words are made here; nothing is followed and no credentials are asked for.

use super::reason::quote;
use crate::oauth::{Challenge, parameter};
use crate::store::redact::mask_url;
use crate::surface::Reason;
use reqwest::header::{self, HeaderMap};
use reqwest::{Response, StatusCode, Url};
use std::borrow::Cow;

/// Why the server, or what stands before it, turns us away whatever is asked.
pub(super) fn turned_away(response: &Response, quoted: usize) -> Option<Reason> {
    let status = response.status();
    match status {
        StatusCode::UNAUTHORIZED => {
            let asked = told(response.headers(), quoted);
            Some(Reason::new("unauthorized", format!("the server requires credentials (401){asked}")))
        }
        StatusCode::FORBIDDEN => {
            let asked = told(response.headers(), quoted);
            Some(Reason::new("forbidden", format!("the server rejects these credentials (403){asked}")))
        }
        _ if status.is_redirection() => {
            let place = response.headers().get(header::LOCATION).map(|place| String::from_utf8_lossy(place.as_bytes()));
            let text = redirect(response.url(), place.as_deref(), quoted);
            let status = status.as_u16();
            Some(Reason::new(
                "redirect-refused",
                format!("the server redirects ({status}), and redirects are not followed; {text}"),
            ))
        }
        _ => None,
    }
}

/// What a server asks for that turns us away for want of a bearer token, or of one that reaches further.
pub(super) fn challenge(response: &Response) -> Option<Challenge> {
    let values = challenges(response.headers());
    let asked = Challenge::of(values.iter().map(AsRef::as_ref));
    match response.status() {
        // Some ask for nothing in particular, and mean it.
        StatusCode::UNAUTHORIZED if values.is_empty() => Some(Challenge::default()),
        StatusCode::UNAUTHORIZED => asked,
        StatusCode::FORBIDDEN => asked.filter(Challenge::is_step_up),
        _ => None,
    }
}

fn challenges(headers: &HeaderMap) -> Vec<Cow<'_, str>> {
    let values = headers.get_all(header::WWW_AUTHENTICATE).iter();
    values.map(|value| String::from_utf8_lossy(value.as_bytes())).collect()
}

/// The scope that is asked for (RFC 6750, 3), then the challenges as they stand, which may be cut.
fn told(headers: &HeaderMap, quoted: usize) -> String {
    let challenges = challenges(headers);
    let scope = challenges.iter().find_map(|challenge| parameter(challenge, "scope"));
    let challenges = challenges.join(", ");
    let challenges = quote(challenges.as_bytes(), quoted);
    match scope {
        Some(scope) => format!("; it asks for the scope `{}` ({challenges})", quote(scope.as_bytes(), quoted)),
        None if challenges.is_empty() => challenges,
        None => format!("; it asks for: {challenges}"),
    }
}

/// Which URL to write in the config instead of `from`, where the server names one that can be written there.
fn redirect(from: &Url, place: Option<&str>, quoted: usize) -> String {
    let Some(place) = place.filter(|place| !place.trim().is_empty()) else {
        return "it does not say where to".to_owned();
    };
    let Ok(mut to) = from.join(place) else {
        return format!("where to cannot be read: {}", quote(mask_url(place).as_bytes(), quoted));
    };
    if !matches!(to.scheme(), "http" | "https") {
        let scheme = quote(to.scheme().as_bytes(), quoted);
        return format!("it is to a `{scheme}` address, and only http and https are supported");
    }
    // Neither can fail: a URL of these schemes has a host.
    let _ = (to.set_username(""), to.set_password(None));
    to.set_fragment(None);
    let masked = mask_url(to.as_str());
    let mut text = format!("to watch it there, write this URL in the config: {}", quote(masked.as_bytes(), quoted));
    if masked != to.as_str() {
        text.push_str(" (its secret parts are masked here)");
    }
    if from.host_str() != to.host_str() {
        text.push_str("; it is another host, which headers and credentials of the entry would go to");
    }
    if from.scheme() == "https" && to.scheme() == "http" {
        text.push_str("; it is not encrypted, as the one in the config is");
    }
    text
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]
mod tests {
    use super::*;

    #[test]
    fn a_redirect_says_which_url_to_write() {
        let cases = [
            ("https://a.example/mcp", "/mcp/", "in the config: https://a.example/mcp/"),
            ("https://a.example/x/mcp?token=hunter2", "v2/mcp", "in the config: https://a.example/x/v2/mcp"),
            ("https://a.example/mcp", "https://a.example:8443/mcp#x", "in the config: https://a.example:8443/mcp"),
            ("https://me:hunter2@a.example/mcp", "/n", "in the config: https://a.example/n"),
            (
                "https://a.example/mcp",
                "?token=hunter2",
                "in the config: https://a.example/mcp?token=<redacted token> (its secret parts are masked here)",
            ),
            (
                "https://a.example/mcp",
                "//me:hunter2@b.example/",
                "in the config: https://b.example/; it is another host, which headers and credentials of the entry would go to",
            ),
            (
                "https://a.example/mcp",
                "http://a.example/mcp",
                "in the config: http://a.example/mcp; it is not encrypted, as the one in the config is",
            ),
            (
                "http://a.example/mcp",
                "ftp://a.example/",
                "it is to a `ftp` address, and only http and https are supported",
            ),
            ("http://a.example/mcp", "http://[", "where to cannot be read: http://["),
            ("http://a.example/mcp", "", "it does not say where to"),
        ];
        for (from, place, expected) in cases {
            let text = redirect(&Url::parse(from).unwrap(), Some(place), 200);
            assert!(text.ends_with(expected), "{place}: {text}");
            assert!(!text.contains("hunter2"), "{place}: {text}");
        }
        let long = redirect(&Url::parse("http://a.example/").unwrap(), Some(&"x".repeat(10_000)), 200);
        assert!(long.len() < 300, "{long}");
        assert!(
            !redirect(&Url::parse("http://a.example/").unwrap(), Some("/\u{202e}\u{1b}"), 200).contains('\u{202e}')
        );
    }
}
