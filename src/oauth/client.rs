//! As which client we sign in: the configured one, then a document of the client's own, then one that is registered.

use super::{AuthMethod, Given, Issuer, MOST_TEXT, Secret, scope};
use crate::surface::Reason;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use url::Url;

/// A client as an authorization server knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Client {
    /// Its id.
    pub id: String,
    /// Its secret; most have none.
    pub secret: Option<Secret>,
    /// How it uses that.
    pub method: AuthMethod,
}

/// The client to sign in as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// One that is known.
    Known(Client),
    /// One to be registered there first.
    Register(Url),
}

/// Chooses the client, in the order of the specification.
pub fn choose(given: &Given, issuer: &Issuer) -> Result<Choice, Reason> {
    if let Some(id) = &given.client_id {
        let method = match &given.client_secret {
            None => AuthMethod::None,
            Some(_) if issuer.methods.contains(AuthMethod::Basic.word()) => AuthMethod::Basic,
            Some(_) => AuthMethod::Post,
        };
        return Ok(Choice::Known(Client { id: id.clone(), secret: given.client_secret.clone(), method }));
    }
    if let Some(document) = given.document.as_ref().filter(|_| issuer.takes_documents) {
        return Ok(Choice::Known(Client { id: document.to_string(), secret: None, method: AuthMethod::None }));
    }
    match &issuer.registration {
        Some(place) if !given.is_machine => Ok(Choice::Register(place.clone())),
        _ => {
            let text =
                "the authorization server registers no clients; write the `client-id` that it gave you in the config";
            Err(Reason::new("no-client", text))
        }
    }
}

/// What registers a client with this redirect address (RFC 7591, 2).
pub fn registration(redirect: &str, scopes: &BTreeSet<String>) -> Value {
    let mut client = json!({
        "client_name": "pinwatch",
        "redirect_uris": [redirect],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
        // Without it a server of OpenID Connect expects a redirect address on the web.
        "application_type": "native",
    });
    if !scopes.is_empty() {
        client["scope"] = Value::from(scope::join(scopes));
    }
    client
}

#[derive(Deserialize)]
struct Registered {
    client_id: String,
    client_secret: Option<Secret>,
    token_endpoint_auth_method: Option<String>,
    redirect_uris: Option<Vec<String>>,
}

/// Reads the client that was registered.
pub fn registered(answer: &[u8], redirect: &str) -> Result<Client, Reason> {
    let bad = |text: String| Reason::new("bad-registration", text);
    let answer: Registered = serde_json::from_slice(answer)
        .map_err(|error| bad(format!("the registration's answer cannot be read: {error}")))?;
    if answer.redirect_uris.is_some_and(|uris| !uris.iter().any(|uri| uri == redirect)) {
        let text = "the authorization server registered another redirect address than the one it was given";
        return Err(Reason::new("registration-of-another-redirect", text));
    }
    let is_text = |text: &str| {
        !text.is_empty() && text.len() <= MOST_TEXT && text.bytes().all(|byte| (0x20..0x7f).contains(&byte))
    };
    if !is_text(&answer.client_id) || answer.client_secret.as_ref().is_some_and(|secret| !is_text(&secret.0)) {
        return Err(bad("the registered client's id or secret is not printable, or too long".to_owned()));
    }
    let method = match (answer.token_endpoint_auth_method.as_deref(), &answer.client_secret) {
        (_, None) | (Some("none"), _) => AuthMethod::None,
        (Some("client_secret_post"), _) => AuthMethod::Post,
        (Some("client_secret_basic") | None, _) => AuthMethod::Basic,
        (Some(_), _) => {
            return Err(bad("the registered client has to prove itself in a way that is not supported".to_owned()));
        }
    };
    Ok(Client { id: answer.client_id, secret: answer.client_secret, method })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]
mod tests {
    use super::*;

    fn issuer(takes_documents: bool, registers: bool) -> Issuer {
        let url = |text: &str| Url::parse(text).unwrap();
        Issuer {
            issuer: "https://a.example".to_owned(),
            authorization: url("https://a.example/a"),
            token: url("https://a.example/t"),
            registration: registers.then(|| url("https://a.example/r")),
            takes_documents,
            names_itself: false,
            methods: ["client_secret_post".to_owned()].into(),
        }
    }

    #[test]
    fn a_given_client_goes_before_one_that_is_made() {
        let document = Given { document: Some(Url::parse("https://me.example/c.json").unwrap()), ..Given::default() };
        let id = Given { client_id: Some("me".to_owned()), ..document.clone() };
        let told = |given: &Given, documents, registers| match choose(given, &issuer(documents, registers)) {
            Ok(Choice::Known(client)) => client.id,
            Ok(Choice::Register(url)) => format!("register at {url}"),
            Err(reason) => reason.code.to_owned(),
        };
        assert_eq!(told(&id, true, true), "me");
        assert_eq!(told(&document, true, true), "https://me.example/c.json");
        assert_eq!(told(&document, false, true), "register at https://a.example/r");
        assert_eq!(told(&Given::default(), true, true), "register at https://a.example/r");
        assert_eq!(told(&Given::default(), true, false), "no-client");
        let secret = Given { client_secret: Some(Secret("s".to_owned())), ..id };
        let Ok(Choice::Known(client)) = choose(&secret, &issuer(true, true)) else { unreachable!() };
        assert_eq!(client.method, AuthMethod::Post);
    }

    #[test]
    fn a_registration_is_taken_as_it_was_asked_for() {
        let read = |answer: Value| registered(answer.to_string().as_bytes(), "http://127.0.0.1:7/callback");
        let client = read(json!({"client_id": "c"})).unwrap();
        assert_eq!((client.id.as_str(), client.method), ("c", AuthMethod::None));
        let secret = read(json!({"client_id": "c", "client_secret": "s"})).unwrap();
        assert_eq!(secret.method, AuthMethod::Basic);
        let code = |answer| read(answer).unwrap_err().code;
        assert_eq!(
            code(json!({"client_id": "c", "redirect_uris": ["https://evil.example/"]})),
            "registration-of-another-redirect"
        );
        assert_eq!(code(json!({"client_id": ""})), "bad-registration");
        assert_eq!(code(json!({"client_id": "a\u{1b}[2J"})), "bad-registration");
        assert_eq!(code(json!({"error": "invalid_redirect_uri"})), "bad-registration");
        let jwt = json!({"client_id": "c", "client_secret": "s", "token_endpoint_auth_method": "private_key_jwt"});
        assert_eq!(code(jwt), "bad-registration");
    }
}
