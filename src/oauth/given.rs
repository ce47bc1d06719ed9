//! What is configured of a sign-in.

use super::Secret;
use std::collections::BTreeSet;
use url::Url;

/// What the config says of signing in to a server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given {
    /// The id of a client that the authorization server knows.
    pub client_id: Option<String>,
    /// That client's secret.
    pub client_secret: Option<Secret>,
    /// The address of a document that is the client's id.
    pub document: Option<Url>,
    /// The authorization server; it is agreed to with the launch.
    pub server: Option<Url>,
    /// What to ask for.
    pub scopes: Option<BTreeSet<String>>,
    /// The port of the redirect address, where the client was registered with one.
    pub port: Option<u16>,
    /// Whether the client signs in for itself, without a person (`client_credentials`).
    pub is_machine: bool,
}
