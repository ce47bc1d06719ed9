//! The origin that a server was reached at, and whether two are one: scheme, host and port.

use url::{Host, Url};

/// Scheme, host and port of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    scheme: String,
    host: Host<String>,
    port: Option<u16>,
}

impl Origin {
    /// The origin of a URL; none where it has no host. Hosts are compared in lower case, a port that the scheme implies is that
    /// port.
    pub fn of(text: &str) -> Option<Self> {
        let url = Url::parse(text).ok()?;
        let host = url.host()?.to_owned();
        Some(Self { scheme: url.scheme().to_owned(), host, port: url.port_or_known_default() })
    }
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}://{}", self.scheme, self.host)?;
        let implied = match self.scheme.as_str() {
            "https" => Some(443),
            "http" => Some(80),
            _ => None,
        };
        match self.port.filter(|port| Some(*port) != implied) {
            Some(port) => write!(f, ":{port}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_scheme_host_and_port() {
        let same = |a: &str, b: &str| Origin::of(a).is_some() && Origin::of(a) == Origin::of(b);
        assert!(same("https://Tools.Example.com/mcp?x=1", "https://tools.example.com:443"));
        assert!(!same("https://tools.example.com", "http://tools.example.com"));
        assert!(!same("https://tools.example.com", "https://tools.example.com:8443"));
        assert!(!same("https://tools.example.com", "https://tools.example.com.evil.example"));
        for none in ["tools.example.com", "mailto:a@example.com", "", "file:///etc"] {
            assert_eq!(Origin::of(none), None, "{none}");
        }
        let shown = Origin::of("https://tools.example.com:8443/a").map(|origin| origin.to_string());
        assert_eq!(shown.as_deref(), Some("https://tools.example.com:8443"));
    }
}
