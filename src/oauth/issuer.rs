//! The document of an authorization server (RFC 8414, OpenID Connect Discovery): where it may be, and what it offers.

use super::address::{at_origin, checked};
use super::{AuthMethod, MOST_TEXT};
use crate::surface::Reason;
use serde::Deserialize;
use std::collections::BTreeSet;
use url::Url;

/// What an authorization server says of itself, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issuer {
    /// Its identifier, exactly as it writes it.
    pub issuer: String,
    /// Where a person agrees, in a browser.
    pub authorization: Url,
    /// Where tokens are had.
    pub token: Url,
    /// Where a client makes itself known.
    pub registration: Option<Url>,
    /// Whether a client may be a document at an address of its own.
    pub takes_documents: bool,
    /// Whether its answers always name it (RFC 9207).
    pub names_itself: bool,
    /// How a client may say that it is itself.
    pub methods: BTreeSet<String>,
}

#[derive(Deserialize)]
struct Document {
    issuer: String,
    authorization_endpoint: Option<String>,
    token_endpoint: Option<String>,
    registration_endpoint: Option<String>,
    response_types_supported: Option<Vec<String>>,
    code_challenge_methods_supported: Option<Vec<String>>,
    token_endpoint_auth_methods_supported: Option<BTreeSet<String>>,
    #[serde(default)]
    client_id_metadata_document_supported: bool,
    #[serde(default)]
    authorization_response_iss_parameter_supported: bool,
}

impl Issuer {
    /// Where the document of an issuer may be, in the order in which it is looked for: RFC 8414 with the path inserted, then
    /// OpenID Connect with the path inserted and appended.
    pub fn places(issuer: &Url) -> Vec<Url> {
        let path = issuer.path().trim_end_matches('/');
        let mut places = vec![
            format!("/.well-known/oauth-authorization-server{path}"),
            format!("/.well-known/openid-configuration{path}"),
            format!("{path}/.well-known/openid-configuration"),
        ];
        places.dedup();
        places.iter().map(|path| at_origin(issuer, path)).collect()
    }

    /// Reads and checks the document of the issuer that a server named. `for_machine`: nobody agrees in a browser.
    pub fn read(document: &[u8], named: &Url, is_near: bool, for_machine: bool) -> Result<Self, Reason> {
        let document: Document = serde_json::from_slice(document).map_err(|error| {
            Reason::new("bad-issuer-metadata", format!("the authorization server's document cannot be read: {error}"))
        })?;
        // The same address: `https://a.example` and `https://a.example/` are (RFC 3986, 6.2.3).
        if document.issuer.len() > MOST_TEXT || Url::parse(&document.issuer).ok().as_ref() != Some(named) {
            let text = format!("the document of the authorization server {} is another one's", super::place(named));
            return Err(Reason::new("issuer-mismatch", text));
        }
        let address = |text: Option<String>, what: &str| {
            let missing =
                || Reason::new("bad-issuer-metadata", format!("the authorization server does not say {what}"));
            checked(&text.ok_or_else(missing)?, &format!("the address {what}"), is_near)
        };
        let offers = |offered: &Option<Vec<String>>, one: &str| offered.iter().flatten().any(|offer| offer == one);
        if !for_machine && !offers(&document.code_challenge_methods_supported, "S256") {
            let text =
                "the authorization server does not protect codes by PKCE with S256, which the specification asks for";
            return Err(Reason::new("no-pkce", text));
        }
        if !for_machine
            && document.response_types_supported.is_some()
            && !offers(&document.response_types_supported, "code")
        {
            return Err(Reason::new("no-code-flow", "the authorization server gives no codes"));
        }
        let token = address(document.token_endpoint, "where tokens are had")?;
        let authorization = match (document.authorization_endpoint, for_machine) {
            (None, true) => token.clone(),
            (named, _) => address(named, "where a person agrees")?,
        };
        let registration = document.registration_endpoint.map(|text| address(Some(text), "where clients register"));
        Ok(Self {
            issuer: document.issuer,
            authorization,
            token,
            registration: registration.transpose()?,
            takes_documents: document.client_id_metadata_document_supported,
            names_itself: document.authorization_response_iss_parameter_supported,
            // RFC 8414, 2: what is meant where nothing is said.
            methods: document
                .token_endpoint_auth_methods_supported
                .unwrap_or_else(|| [AuthMethod::Basic.word().to_owned()].into()),
        })
    }

    /// The hosts that a sign-in speaks to.
    pub fn hosts(&self) -> BTreeSet<String> {
        [Some(&self.authorization), Some(&self.token), self.registration.as_ref()]
            .into_iter()
            .flatten()
            .map(super::place)
            .collect()
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn document() -> Value {
        json!({
            "issuer": "https://auth.example/t1",
            "authorization_endpoint": "https://auth.example/t1/authorize",
            "token_endpoint": "https://tokens.example/t1",
            "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["plain", "S256"],
        })
    }

    fn read(change: impl Fn(&mut Value)) -> Result<Issuer, &'static str> {
        let mut document = document();
        change(&mut document);
        let named = Url::parse("https://auth.example/t1").unwrap();
        Issuer::read(document.to_string().as_bytes(), &named, false, false).map_err(|reason| reason.code)
    }

    #[test]
    fn document_is_looked_for_in_the_order_of_the_spec() {
        let places = |issuer: &str| -> Vec<String> {
            Issuer::places(&Url::parse(issuer).unwrap()).iter().map(Url::to_string).collect()
        };
        assert_eq!(
            places("https://auth.example/t1"),
            [
                "https://auth.example/.well-known/oauth-authorization-server/t1",
                "https://auth.example/.well-known/openid-configuration/t1",
                "https://auth.example/t1/.well-known/openid-configuration",
            ]
        );
        assert_eq!(
            places("https://auth.example"),
            [
                "https://auth.example/.well-known/oauth-authorization-server",
                "https://auth.example/.well-known/openid-configuration",
            ]
        );
    }

    #[test]
    fn each_flaw_of_an_issuer_is_refused_by_name() {
        let issuer = read(|_| ()).unwrap();
        assert_eq!(issuer.hosts().into_iter().collect::<Vec<_>>(), ["auth.example", "tokens.example"]);
        let with = |name: &'static str, value: Value| read(|document| document[name] = value.clone()).unwrap_err();
        assert_eq!(with("issuer", json!("https://auth.example/t2")), "issuer-mismatch");
        assert_eq!(with("issuer", json!("https://evil.example/t1")), "issuer-mismatch");
        assert_eq!(with("issuer", json!(1)), "bad-issuer-metadata");
        assert_eq!(with("code_challenge_methods_supported", json!(["plain"])), "no-pkce");
        assert_eq!(with("code_challenge_methods_supported", Value::Null), "no-pkce");
        assert_eq!(with("response_types_supported", json!(["token"])), "no-code-flow");
        assert_eq!(with("authorization_endpoint", Value::Null), "bad-issuer-metadata");
        assert_eq!(with("authorization_endpoint", json!("http://auth.example/a")), "insecure-address");
        assert_eq!(with("authorization_endpoint", json!("javascript:alert(1)//")), "insecure-address");
        assert_eq!(with("token_endpoint", json!("http://127.0.0.1:22/")), "loopback-from-afar");
        assert_eq!(with("registration_endpoint", json!("http://auth.example/r")), "insecure-address");
    }

    #[test]
    fn an_issuer_may_end_in_a_slash_or_not() {
        let named = Url::parse("https://auth.example").unwrap();
        for issuer in ["https://auth.example", "https://auth.example/"] {
            let mut document = document();
            document["issuer"] = json!(issuer);
            let read = Issuer::read(document.to_string().as_bytes(), &named, false, false).unwrap();
            assert_eq!(read.issuer, issuer);
        }
    }
}
