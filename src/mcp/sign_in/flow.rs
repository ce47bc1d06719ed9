//! The steps of a sign-in, in their order.

use super::begun::Begun;
use super::known::{AuthorizationServer, Located};
use super::redirect::Redirect;
use super::{discover, grant};
use crate::mcp::limits::Limits;
use crate::oauth::{Challenge, Choice, Given, SignedIn, choose, place, wanted};
use crate::surface::Reason;
use std::collections::BTreeSet;
use url::Url;

/// Where a sign-in begins: a server, what it asked for, and what the config says.
#[derive(Clone, Debug)]
pub struct SignIn {
    server: String,
    endpoint: Url,
    given: Given,
    challenge: Challenge,
    before: BTreeSet<String>,
    limits: Limits,
}

impl SignIn {
    /// A sign-in at the server of this URL; `before` was granted by an earlier one. Nothing is sent yet.
    pub fn new(
        server: &str,
        given: Given,
        challenge: Challenge,
        before: BTreeSet<String>,
        limits: Limits,
    ) -> Result<Self, Reason> {
        let endpoint = Url::parse(server).map_err(|_| Reason::new("bad-url", "the URL cannot be read"))?;
        Ok(Self { server: server.to_owned(), endpoint, given, challenge, before, limits })
    }

    /// Asks the server where one signs in, at its own origin.
    pub async fn locate(&self) -> Result<Located, Reason> {
        let resource = discover::resource(&self.endpoint, &self.challenge, &self.limits).await?;
        let issuer = resource.server(&self.endpoint, &self.given)?;
        Ok(Located { resource, issuer })
    }

    /// The hosts that are spoken to next, without those of the server and of the authorization server that the config names.
    pub fn strangers(&self, hosts: impl IntoIterator<Item = String>) -> BTreeSet<String> {
        let own = place(&self.endpoint);
        let configured = self.given.server.as_ref().map(place);
        hosts.into_iter().filter(|host| *host != own && Some(host) != configured.as_ref()).collect()
    }

    /// Asks the authorization server what it offers.
    pub async fn meet(&self, located: Located) -> Result<AuthorizationServer, Reason> {
        let issuer = discover::issuer(&located.issuer, &self.endpoint, self.given.is_machine, &self.limits).await?;
        Ok(AuthorizationServer { resource: located.resource, issuer })
    }

    /// Waits for the browser at an address of this machine, and makes the URL that is opened there.
    pub async fn begin(&self, known: AuthorizationServer) -> Result<Begun, Reason> {
        let scopes = wanted(&self.given, &self.challenge, &known.resource, &self.before)?;
        let redirect = Redirect::bind(self.given.port).await?;
        let client = match choose(&self.given, &known.issuer)? {
            Choice::Known(client) => client,
            Choice::Register(place) => discover::register(&place, &redirect.address, &scopes, &self.limits).await?,
        };
        Ok(Begun::new(self.server.clone(), known, client, scopes, redirect, self.limits.clone()))
    }

    /// Signs in without a person, as the configured client. Hosts that nobody agreed to are not spoken to.
    pub async fn as_machine(&self) -> Result<SignedIn, Reason> {
        let located = self.locate().await?;
        self.only_own(located.hosts())?;
        let known = self.meet(located).await?;
        self.only_own([place(&known.issuer.token)].into())?;
        let scopes = wanted(&self.given, &self.challenge, &known.resource, &self.before)?;
        let Choice::Known(client) = choose(&self.given, &known.issuer)? else {
            return Err(Reason::new("no-client", "signing in without a person needs a `client-id`"));
        };
        grant::as_machine(&self.server, &known, client, &scopes, &self.limits).await
    }

    fn only_own(&self, hosts: BTreeSet<String>) -> Result<(), Reason> {
        let strangers = self.strangers(hosts);
        let Some(host) = strangers.first() else { return Ok(()) };
        let text = format!(
            "one signs in at {host}, which nobody agreed to: write it as `authorization-server` in the config if it is right"
        );
        Err(Reason::new("host-not-agreed", text))
    }
}
