//! A sign-in as it is kept: what is sent to the server, and what renews it.

use super::{Client, Secret, scope};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A sign-in at one server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignedIn {
    /// The URL of the server that it is for: it is sent nowhere else.
    pub server: String,
    /// The resource that the token was asked for.
    pub resource: String,
    /// The authorization server.
    pub issuer: String,
    /// Where it is renewed.
    pub token_endpoint: String,
    /// As which client.
    pub client: Client,
    /// What is sent with each request.
    pub access_token: Secret,
    /// What renews it.
    pub refresh_token: Option<Secret>,
    /// Seconds since 1970 at which the access token ends, where that was told.
    pub expires: Option<i64>,
    /// What was granted.
    pub scopes: BTreeSet<String>,
    /// Whose account it is, where that was told.
    pub account: Option<String>,
}

/// A token that ends within so many seconds is renewed first: a look takes a while.
const EARLY: i64 = 30;

impl SignedIn {
    /// Whether the access token is of no use any more at this second.
    pub fn is_over(&self, now: i64) -> bool {
        self.expires.is_some_and(|expires| expires <= now.saturating_add(EARLY))
    }

    /// Who is signed in and for what, as a baseline is tied to it and compares it. May quote the authorization server.
    pub fn scope_text(&self) -> String {
        let account =
            self.account.as_ref().map_or_else(|| "an unnamed account".to_owned(), |one| format!("account {one}"));
        let scopes = scope::join(&self.scopes);
        let scopes = if scopes.is_empty() { "none named" } else { &scopes };
        format!("{account} at {}; scopes: {scopes}", self.issuer)
    }

    /// The values that nobody may see, each by what it is.
    pub fn secrets(&self) -> Vec<(&'static str, &str)> {
        let mut secrets = vec![("access token", self.access_token.0.as_str())];
        secrets.extend(self.refresh_token.iter().map(|token| ("refresh token", token.0.as_str())));
        secrets.extend(self.client.secret.iter().map(|secret| ("client secret", secret.0.as_str())));
        secrets
    }
}
