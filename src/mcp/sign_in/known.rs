//! What is known of a sign-in after each of its steps.

use crate::oauth::{Issuer, Resource, place};
use std::collections::BTreeSet;
use url::Url;

/// What the server's own document says: the next step speaks to the authorization server.
#[derive(Clone, Debug)]
pub struct Located {
    pub(super) resource: Resource,
    pub(super) issuer: Url,
}

/// What the authorization server's document says.
#[derive(Clone, Debug)]
pub struct AuthorizationServer {
    pub(super) resource: Resource,
    pub(super) issuer: Issuer,
}

impl Located {
    /// The authorization server's host.
    pub fn hosts(&self) -> BTreeSet<String> {
        [place(&self.issuer)].into()
    }
}

impl AuthorizationServer {
    /// The hosts that the rest of the sign-in speaks to.
    pub fn hosts(&self) -> BTreeSet<String> {
        self.issuer.hosts()
    }
}
