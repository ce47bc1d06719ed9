//! The document of a protected resource (RFC 9728): where a server keeps it, and what it says of who signs people in.

use super::address::{at_origin, checked};
use super::{Challenge, Given, is_local, scope};
use crate::surface::Reason;
use serde::Deserialize;
use std::collections::BTreeSet;
use url::Url;

/// The well-known suffix (RFC 9728, 3).
const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";
/// Authorization servers that a document may name.
const MOST_SERVERS: usize = 20;

/// What a server's document says, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// The resource's identifier, as a token is asked for it (RFC 8707).
    pub resource: String,
    /// The issuers that it names, in its order.
    pub servers: Vec<String>,
    /// The scopes that it names.
    pub scopes: BTreeSet<String>,
}

#[derive(Deserialize)]
struct Document {
    resource: String,
    #[serde(default)]
    authorization_servers: Vec<String>,
    #[serde(default)]
    scopes_supported: Option<BTreeSet<String>>,
}

impl Resource {
    /// Where the document of the endpoint may be, in the order in which it is looked for. An address that the server names
    /// is of its own origin: another one could answer for it.
    pub fn places(endpoint: &Url, challenge: &Challenge) -> Result<Vec<Url>, Reason> {
        if let Some(named) = &challenge.resource_metadata {
            let place = checked(named, "the address of the server's sign-in document", is_local(endpoint))?;
            if place.origin() != endpoint.origin() {
                let text = format!(
                    "the server says that its sign-in document is at another origin ({}), which is not asked",
                    super::place(&place)
                );
                return Err(Reason::new("resource-metadata-elsewhere", text));
            }
            return Ok(vec![place]);
        }
        let mut places = vec![at_origin(endpoint, &format!("{WELL_KNOWN}{}", endpoint.path().trim_end_matches('/')))];
        let root = at_origin(endpoint, WELL_KNOWN);
        if !places.contains(&root) {
            places.push(root);
        }
        Ok(places)
    }

    /// Reads and checks the document of the endpoint.
    pub fn read(document: &[u8], endpoint: &Url) -> Result<Self, Reason> {
        let document: Document = serde_json::from_slice(document).map_err(|error| {
            Reason::new("bad-resource-metadata", format!("the server's sign-in document cannot be read: {error}"))
        })?;
        // RFC 9728, 3.3 wants it identical; many servers name their origin or a folder of the endpoint. Both are the same
        // server, which alone a token for it is sent to.
        let named = Url::parse(&document.resource).ok().filter(|named| named.fragment().is_none());
        if !named.is_some_and(|named| holds(&named, endpoint)) {
            let text = "the server's sign-in document is about another resource than the configured URL";
            return Err(Reason::new("resource-mismatch", text));
        }
        let (servers, scopes) = (document.authorization_servers, document.scopes_supported.unwrap_or_default());
        if servers.len() > MOST_SERVERS {
            let text = format!("the server names more than {MOST_SERVERS} authorization servers");
            return Err(Reason::new("bad-resource-metadata", text));
        }
        Ok(Self { resource: document.resource, servers, scopes: scope::checked(scopes)? })
    }

    /// The authorization server to sign in at: the configured one, which must be among those named, else the first.
    pub fn server(&self, endpoint: &Url, given: &Given) -> Result<Url, Reason> {
        let named = |text: &String| checked(text, "the address of the authorization server", is_local(endpoint));
        let Some(wanted) = &given.server else {
            let text = "the server names no authorization server to sign in at";
            return named(self.servers.first().ok_or_else(|| Reason::new("no-authorization-server", text))?);
        };
        let is_wanted = |text: &&String| named(text).is_ok_and(|url| url == *wanted);
        let found = self.servers.iter().find(is_wanted).ok_or_else(|| {
            let text =
                format!("the server does not name the configured authorization server ({})", super::place(wanted));
            Reason::new("authorization-server-not-named", text)
        })?;
        named(found)
    }
}

/// Whether a resource is the endpoint, or a folder on the way to it.
fn holds(named: &Url, endpoint: &Url) -> bool {
    if named.origin() != endpoint.origin() || !named.username().is_empty() || named.password().is_some() {
        return false;
    }
    let (named, path) = (named.path().trim_end_matches('/'), endpoint.path().trim_end_matches('/'));
    path.strip_prefix(named).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]
mod tests {
    use super::*;

    fn endpoint() -> Url {
        Url::parse("https://mcp.example/team/mcp?x=1").unwrap()
    }

    fn places(named: Option<&str>) -> Result<Vec<String>, &'static str> {
        let challenge = Challenge { resource_metadata: named.map(str::to_owned), ..Challenge::default() };
        let places = Resource::places(&endpoint(), &challenge).map_err(|reason| reason.code)?;
        Ok(places.iter().map(Url::to_string).collect())
    }

    #[test]
    fn document_is_looked_for_at_the_path_then_the_root() {
        let all = [
            "https://mcp.example/.well-known/oauth-protected-resource/team/mcp",
            "https://mcp.example/.well-known/oauth-protected-resource",
        ];
        assert_eq!(places(None).unwrap(), all);
        let root = Url::parse("https://mcp.example/").unwrap();
        assert_eq!(Resource::places(&root, &Challenge::default()).unwrap().len(), 1);
    }

    #[test]
    fn document_of_another_origin_is_refused() {
        assert_eq!(places(Some("https://mcp.example/x")).unwrap(), ["https://mcp.example/x"]);
        for elsewhere in ["https://evil.example/x", "https://mcp.example:8443/x", "https://mcp.example.evil.example/"] {
            assert_eq!(places(Some(elsewhere)), Err("resource-metadata-elsewhere"));
        }
        assert_eq!(places(Some("http://mcp.example/x")), Err("insecure-address"));
        assert_eq!(places(Some("http://127.0.0.1/x")), Err("loopback-from-afar"));
    }

    #[test]
    fn resource_is_the_endpoint_or_on_the_way_to_it() {
        let read = |resource: &str| {
            let document = serde_json::json!({"resource": resource, "authorization_servers": ["https://a.example"]});
            Resource::read(document.to_string().as_bytes(), &endpoint()).map_err(|reason| reason.code)
        };
        for fits in [
            "https://mcp.example/team/mcp",
            "https://mcp.example/team/mcp/",
            "https://MCP.example",
            "https://mcp.example/team",
        ] {
            assert_eq!(read(fits).unwrap().resource, fits);
        }
        for other in [
            "https://mcp.example/tea",
            "https://mcp.example/team/mcp/more",
            "https://evil.example/team/mcp",
            "http://mcp.example/team/mcp",
            "https://mcp.example/team/mcp#x",
            "https://me@mcp.example/team/mcp",
            "mcp",
        ] {
            assert_eq!(read(other), Err("resource-mismatch"), "{other}");
        }
        let twice = br#"{"resource":"https://mcp.example","resource":"https://evil.example"}"#;
        assert_eq!(Resource::read(twice, &endpoint()).unwrap_err().code, "bad-resource-metadata");
    }

    #[test]
    fn a_configured_authorization_server_must_be_named() {
        let servers = ["https://a.example", "https://b.example/t"].map(str::to_owned).to_vec();
        let resource = Resource { resource: String::new(), servers, scopes: BTreeSet::new() };
        let at = |server: Option<&str>| {
            let given = Given { server: server.map(|text| Url::parse(text).unwrap()), ..Given::default() };
            resource.server(&endpoint(), &given).map(|url| url.to_string()).map_err(|reason| reason.code)
        };
        assert_eq!(at(None).as_deref(), Ok("https://a.example/"));
        assert_eq!(at(Some("https://b.example/t")).as_deref(), Ok("https://b.example/t"));
        assert_eq!(at(Some("https://c.example")), Err("authorization-server-not-named"));
        let none = Resource { servers: Vec::new(), ..resource.clone() };
        assert_eq!(none.server(&endpoint(), &Given::default()).unwrap_err().code, "no-authorization-server");
    }
}
