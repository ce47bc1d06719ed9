//! Reads the documents of a sign-in, and registers a client.

use super::fetch;
use crate::mcp::limits::Limits;
use crate::mcp::reason::quote;
use crate::oauth::{Challenge, Client, Issuer, Resource, is_local, place, registered, registration};
use crate::surface::Reason;
use std::collections::BTreeSet;
use url::Url;

/// The server's own document.
pub(super) async fn resource(endpoint: &Url, challenge: &Challenge, limits: &Limits) -> Result<Resource, Reason> {
    let places = Resource::places(endpoint, challenge)?;
    let document = fetch::first(&places, "the server's sign-in document", limits).await?;
    let none = || Reason::new("no-resource-metadata", "the server does not say where one signs in");
    Resource::read(&document.ok_or_else(none)?, endpoint)
}

/// The authorization server's document.
pub(super) async fn issuer(named: &Url, endpoint: &Url, for_machine: bool, limits: &Limits) -> Result<Issuer, Reason> {
    let document = fetch::first(&Issuer::places(named), "the authorization server's document", limits).await?;
    let none = || {
        let text = format!("{} does not say how one signs in there", place(named));
        Reason::new("no-issuer-metadata", text)
    };
    Issuer::read(&document.ok_or_else(none)?, named, is_local(endpoint), for_machine)
}

/// Makes a client known to the authorization server (RFC 7591).
pub(super) async fn register(
    at: &Url,
    redirect: &str,
    scopes: &BTreeSet<String>,
    limits: &Limits,
) -> Result<Client, Reason> {
    let request = fetch::json(at, &registration(redirect, scopes))?;
    let (status, answer) = fetch::send(request, "the registration", limits).await?;
    if !status.is_success() {
        let said = quote(&answer, limits.quoted_chars);
        let text = format!("the authorization server registered no client (HTTP status {}): {said}", status.as_u16());
        return Err(Reason::new("registration-refused", text));
    }
    registered(&answer, redirect)
}
