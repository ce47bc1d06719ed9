//! Which addresses a sign-in may lead to.

use super::MOST_TEXT;
use crate::surface::Reason;
use url::{Host, Url};

/// Whether a URL's host is this machine.
pub fn is_local(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// Host and port, as a person agrees to them.
pub fn place(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// The address of a path at the origin of a URL, with nothing else of that: neither user information nor query nor fragment.
pub fn at_origin(url: &Url, path: &str) -> Url {
    let mut place = url.clone();
    // An address of http or https takes all of this.
    let _ = (place.set_username(""), place.set_password(None));
    place.set_query(None);
    place.set_fragment(None);
    place.set_path(path);
    place
}

/// An address that `what` names, where it can be used: https, or this machine where the server itself is on it
/// (`is_near`). A server elsewhere that names a port of this machine would have us ask whatever listens there.
pub fn checked(text: &str, what: &str, is_near: bool) -> Result<Url, Reason> {
    let bad = |why: &str| Reason::new("bad-address", format!("{what} {why}"));
    if text.len() > MOST_TEXT {
        return Err(bad("is too long"));
    }
    let url = Url::parse(text).map_err(|error| bad(&format!("is not a URL: {error}")))?;
    if !url.username().is_empty() || url.password().is_some() || url.fragment().is_some() {
        return Err(bad("has user information or a fragment"));
    }
    let local = is_local(&url);
    match url.scheme() {
        _ if local && !is_near => {
            let text = format!("{what} is on this machine ({}), and the server is not", place(&url));
            Err(Reason::new("loopback-from-afar", text))
        }
        "https" => Ok(url),
        "http" if local => Ok(url),
        "http" => Err(Reason::new("insecure-address", format!("{what} is not encrypted: {}", place(&url)))),
        other => Err(Reason::new("insecure-address", format!("{what} is a `{other}` address, not https"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_https_or_a_near_loopback_is_gone_to() {
        let code = |text: &str, near| checked(text, "it", near).map_or_else(|reason| reason.code, |_| "fine");
        for (text, far, near) in [
            ("https://auth.example/a?b", "fine", "fine"),
            ("http://auth.example/", "insecure-address", "insecure-address"),
            ("http://127.0.0.1:8080/", "loopback-from-afar", "fine"),
            ("https://localhost/", "loopback-from-afar", "fine"),
            ("http://[::1]/", "loopback-from-afar", "fine"),
            ("javascript:alert(1)", "insecure-address", "insecure-address"),
            ("file:///etc/passwd", "insecure-address", "insecure-address"),
            ("https://a:b@auth.example/", "bad-address", "bad-address"),
            ("https://auth.example/#x", "bad-address", "bad-address"),
            ("auth.example", "bad-address", "bad-address"),
        ] {
            assert_eq!((code(text, false), code(text, true)), (far, near), "{text}");
        }
        assert_eq!(code(&format!("https://auth.example/{}", "x".repeat(3_000)), true), "bad-address");
    }
}
