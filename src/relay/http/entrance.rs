//! Who may ask a guard that listens anything at all. Every program of this machine, and every page in a browser, can connect
//! to a port of the loopback address: the host that is asked for, the page that asks and the secret of this install are
//! looked at before anything else.

use crate::store::GuardSecret;
use hyper::header::{self, HeaderMap, HeaderName};
use hyper::http::request::Parts;
use std::net::SocketAddr;

/// Where a guard is asked.
pub(super) const PATH: &str = "/mcp";

/// Why a request is turned away.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Turned {
    /// A name that leads here is not one that is meant for this machine: somebody may have pointed it here.
    #[error("this guard answers to its own address only, not to the Host that was asked for")]
    Host,
    /// A page of somebody else asks.
    #[error("this guard answers no page in a browser: a foreign Origin asked")]
    Origin,
    /// Nothing is there.
    #[error("the guard is at /mcp")]
    Path,
    /// The secret is missing, or another one.
    #[error(
        "this guard wants the secret of this install: `Authorization: Bearer …`, with what guard.secret in pinwatch's state folder holds"
    )]
    Secret,
    /// There is no secret to compare with, and why.
    #[error("the guard is closed: {0}")]
    NoSecret(String),
}

/// Whether the head of a request lets it in.
pub(super) fn admits(head: &Parts, own: SocketAddr, secret: &Result<GuardSecret, String>) -> Result<(), Turned> {
    let headers = &head.headers;
    let named = head.uri.authority().is_none_or(|authority| is_own(authority.as_str(), own));
    if !named || !only(headers, &header::HOST).is_some_and(|host| is_own(host, own)) {
        return Err(Turned::Host);
    }
    if headers.contains_key(header::ORIGIN) {
        let origin = only(headers, &header::ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
        if !origin.is_some_and(|host| is_own(host, own)) {
            return Err(Turned::Origin);
        }
    }
    if head.uri.path() != PATH {
        return Err(Turned::Path);
    }
    let secret = secret.as_ref().map_err(|why| Turned::NoSecret(why.clone()))?;
    let offered = only(headers, &header::AUTHORIZATION).and_then(|value| value.split_once(' '));
    match offered {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") && secret.is(token.trim().as_bytes()) => Ok(()),
        _ => Err(Turned::Secret),
    }
}

/// The value of a header that is there once.
pub(super) fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}

/// Whether a host with its port is this very listener, by a name that nobody else can give away.
fn is_own(host: &str, own: SocketAddr) -> bool {
    let host = host.to_ascii_lowercase();
    let port = own.port();
    let is = |name: &str| host == format!("{name}:{port}") || (port == 80 && host == name);
    is("localhost") || is("127.0.0.1") || is("[::1]") || host == own.to_string()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]
mod tests {
    use super::*;

    fn told(uri: &str, headers: &[(&str, &str)]) -> Result<(), Turned> {
        let mut request = hyper::Request::post(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let head = request.body(()).unwrap().into_parts().0;
        admits(&head, "127.0.0.1:7".parse().unwrap(), &Err("no secret".to_owned()))
    }

    #[test]
    fn only_its_own_names_lead_to_a_guard() {
        let in_turn = Err(Turned::NoSecret("no secret".to_owned()));
        for host in ["127.0.0.1:7", "localhost:7", "LocalHost:7", "[::1]:7"] {
            assert_eq!(told("/mcp", &[("host", host)]), in_turn, "{host}");
        }
        for host in ["evil.example:7", "127.0.0.1", "127.0.0.1:8", "localhost.evil.example:7", "127.0.0.1:7.evil", ""] {
            assert_eq!(told("/mcp", &[("host", host)]), Err(Turned::Host), "{host}");
        }
        assert_eq!(told("/mcp", &[]), Err(Turned::Host));
        assert_eq!(told("/mcp", &[("host", "127.0.0.1:7"), ("host", "evil.example")]), Err(Turned::Host));
        assert_eq!(told("http://evil.example/mcp", &[("host", "127.0.0.1:7")]), Err(Turned::Host));
        assert_eq!(told("/", &[("host", "127.0.0.1:7")]), Err(Turned::Path));
    }

    #[test]
    fn a_foreign_page_is_turned_away() {
        let in_turn = Err(Turned::NoSecret("no secret".to_owned()));
        let host = ("host", "127.0.0.1:7");
        assert_eq!(told("/mcp", &[host, ("origin", "http://localhost:7")]), in_turn);
        for origin in ["http://evil.example", "null", "http://127.0.0.1:8", "https://127.0.0.1:7", "http://127.0.0.1"] {
            assert_eq!(told("/mcp", &[host, ("origin", origin)]), Err(Turned::Origin), "{origin}");
        }
        assert_eq!(told("/mcp", &[host, ("origin", "http://127.0.0.1:7"), ("origin", "x")]), Err(Turned::Origin));
    }
}
