//! A sign-in that waits for a person in a browser.

use super::grant;
use super::known::AuthorizationServer;
use super::redirect::Redirect;
use crate::mcp::limits::Limits;
use crate::oauth::{Client, SignedIn, code, join};
use crate::surface::Reason;
use oauth2::{CsrfToken, PkceCodeChallenge, PkceCodeVerifier};
use std::collections::BTreeSet;

/// A URL for a browser, and what its answer is held to.
#[derive(Debug)]
pub struct Begun {
    server: String,
    known: AuthorizationServer,
    client: Client,
    scopes: BTreeSet<String>,
    redirect: Redirect,
    limits: Limits,
    /// What a person opens.
    pub url: String,
    state: String,
    verifier: PkceCodeVerifier,
}

impl Begun {
    pub(super) fn new(
        server: String,
        known: AuthorizationServer,
        client: Client,
        scopes: BTreeSet<String>,
        redirect: Redirect,
        limits: Limits,
    ) -> Self {
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let state = CsrfToken::new_random().into_secret();
        let mut url = known.issuer.authorization.clone();
        {
            let mut query = url.query_pairs_mut();
            query.append_pair("response_type", "code");
            query.append_pair("client_id", &client.id);
            query.append_pair("redirect_uri", &redirect.address);
            query.append_pair("state", &state);
            query.append_pair("code_challenge", challenge.as_str());
            query.append_pair("code_challenge_method", "S256");
            query.append_pair("resource", &known.resource.resource);
            if !scopes.is_empty() {
                query.append_pair("scope", &join(&scopes));
            }
        }
        Self { server, known, client, scopes, redirect, limits, url: url.into(), state, verifier }
    }

    /// Waits for the browser and has the token.
    pub async fn finish(self) -> Result<SignedIn, Reason> {
        let Self { server, known, client, scopes, redirect, limits, url: _, state, verifier } = self;
        let address = redirect.address.clone();
        let code = redirect.answer(|query| code(query, &state, &known.issuer), &limits).await?;
        grant::of_code(&server, &known, client, &scopes, (code, verifier, address), &limits).await
    }
}
