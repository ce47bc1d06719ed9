//! Which sign-in goes with a server: the one that is kept for its URL, or one of the configured client's own. It is renewed
//! where it is over, and goes to that URL alone.
//!
//! A server whose entry sends an `Authorization` of its own is never signed in to.

use crate::aside::aside;
use crate::config::ServerConfig;
use crate::held::held;
use crate::mcp::{Limits, SignIn, Target, renewed};
use crate::oauth::{Challenge, SignedIn};
use crate::store::redact::{Redactor, Secrets};
use crate::store::{self, KeptIn, StoreError};
use crate::surface::{Exhibit, Reason};
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// The sign-ins of this run. Cheap to clone.
#[derive(Clone, Debug)]
pub struct SignIns {
    kept: store::SignIns,
    /// Those of clients that sign in for themselves, in memory only, by the server's URL.
    machines: Arc<Mutex<BTreeMap<String, SignedIn>>>,
    redactor: Redactor,
    limits: Limits,
}

impl SignIns {
    /// The sign-ins that are kept there. What a token is `redactor` learns before it is sent.
    pub fn new(kept: store::SignIns, redactor: Redactor, limits: Limits) -> Self {
        Self { kept, machines: Arc::default(), redactor, limits }
    }

    /// What to sign in with to a server now, renewed where it is over; none where nobody has signed in.
    pub async fn of(&self, server: &ServerConfig) -> Result<Option<SignedIn>, Reason> {
        let Some(url) = url(server) else { return Ok(None) };
        let known = if server.sign_in.is_machine {
            self.machines().get(url).cloned()
        } else {
            let url = url.to_owned();
            self.on_disk(move |kept| kept.load(&url)).await?
        };
        let now = Timestamp::now().as_second();
        match known {
            Some(known) if !known.is_over(now) => Ok(Some(self.learnt(known))),
            Some(known) => match self.again(server, &known, &Challenge::default()).await? {
                // One that is over by its own clock may still be taken.
                None => Ok(Some(self.learnt(known))),
                renewed => Ok(renewed),
            },
            None if server.sign_in.is_machine => self.as_machine(server, &Challenge::default(), None).await.map(Some),
            None => Ok(None),
        }
    }

    /// What is kept for a server, whether it is over or not; none where nobody has signed in, and of a client of its own.
    pub async fn kept(&self, server: &ServerConfig) -> Result<Option<SignedIn>, Reason> {
        let Some(url) = url(server).filter(|_| !server.sign_in.is_machine).map(str::to_owned) else { return Ok(None) };
        Ok(self.on_disk(move |kept| kept.load(&url)).await?.map(|known| self.learnt(known)))
    }

    /// The file that changes whenever somebody signs in to a server or out of it; none where nobody can.
    pub fn file(&self, server: &ServerConfig) -> Option<PathBuf> {
        url(server).filter(|_| !server.sign_in.is_machine).map(|url| self.kept.file(url))
    }

    /// The folder of those files, made where there is none; none where that fails.
    pub async fn folder(&self) -> Option<PathBuf> {
        self.on_disk(store::SignIns::make_folder).await.ok()
    }

    /// Another sign-in in the place of one that the server does not take, for what it asks; none where a person has to sign in.
    pub async fn again(
        &self,
        server: &ServerConfig,
        used: &SignedIn,
        challenge: &Challenge,
    ) -> Result<Option<SignedIn>, Reason> {
        if server.sign_in.is_machine {
            return self.as_machine(server, challenge, Some(used)).await.map(Some);
        }
        // What was granted once is all that a renewal brings.
        if challenge.is_step_up() {
            return Ok(None);
        }
        match renewed(used, &self.limits).await {
            Ok(None) => Ok(None),
            Ok(Some(renewed)) => {
                self.keep(&renewed).await?;
                Ok(Some(renewed))
            }
            // Another process may have renewed it meanwhile, which takes what we had out of use.
            Err(reason) if reason.code == "token-refused" => {
                let url = used.server.clone();
                let now = self.on_disk(move |kept| kept.load(&url)).await?;
                Ok(now.filter(|now| now.access_token != used.access_token).map(|now| self.learnt(now)))
            }
            Err(reason) => Err(reason),
        }
    }

    async fn as_machine(
        &self,
        server: &ServerConfig,
        challenge: &Challenge,
        before: Option<&SignedIn>,
    ) -> Result<SignedIn, Reason> {
        let signed_in = self.learnt(self.flow(server, challenge, before)?.as_machine().await?);
        self.machines().insert(signed_in.server.clone(), signed_in.clone());
        Ok(signed_in)
    }

    /// A sign-in of a person at a server that asks for it. `before`: what was not enough.
    pub fn flow(
        &self,
        server: &ServerConfig,
        challenge: &Challenge,
        before: Option<&SignedIn>,
    ) -> Result<SignIn, Reason> {
        let none =
            || Reason::new("no-sign-in", "one signs in to a server with a URL, whose entry sends no `Authorization`");
        let url = url(server).ok_or_else(none)?;
        let scopes = before.map(|before| before.scopes.clone()).unwrap_or_default();
        SignIn::new(url, server.sign_in.clone(), challenge.clone(), scopes, self.limits.clone())
    }

    /// Keeps a sign-in for later starts; where it is.
    pub async fn keep(&self, signed_in: &SignedIn) -> Result<KeptIn, Reason> {
        let signed_in = self.learnt(signed_in.clone());
        self.on_disk(move |kept| kept.keep(&signed_in)).await
    }

    /// Forgets the sign-in of a server; whether there was one.
    pub async fn forget(&self, server: &ServerConfig) -> Result<bool, Reason> {
        let Some(url) = url(server).map(str::to_owned) else { return Ok(false) };
        self.machines().remove(&url);
        self.on_disk(move |kept| kept.forget(&url)).await
    }

    fn machines(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, SignedIn>> {
        held(&self.machines)
    }

    /// The same, once everything that is shown or written is masked of it.
    fn learnt(&self, signed_in: SignedIn) -> SignedIn {
        let mut secrets = Secrets::default();
        for (name, value) in signed_in.secrets() {
            secrets.value(name, value);
        }
        self.redactor.learn(&secrets);
        signed_in
    }

    async fn on_disk<T: Send + 'static>(
        &self,
        work: impl FnOnce(&store::SignIns) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Reason> {
        let kept = self.kept.clone();
        let done = aside("reading the sign-in", move || work(&kept)).await.map_err(Reason::internal)?;
        done.map_err(|error| {
            let code = match error {
                StoreError::KeyringLocked => "keyring-locked",
                StoreError::KeyringGone(_) => "keyring-unavailable",
                _ => "sign-in-unreadable",
            };
            Reason::new(code, error.to_string())
        })
    }
}

/// The URL that a sign-in of this server is kept for; none of a server that is not signed in to.
fn url(server: &ServerConfig) -> Option<&str> {
    match &server.target {
        Target::Http { url, headers, .. } if !sends_its_own(headers) => Some(url),
        _ => None,
    }
}

/// Whether a server could be signed in to.
pub fn takes_sign_in(server: &ServerConfig) -> bool {
    url(server).is_some()
}

fn sends_its_own(headers: &[(String, String)]) -> bool {
    headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("authorization"))
}

/// A server as it is reached with a sign-in.
pub fn with_sign_in(target: &Target, signed_in: Option<&SignedIn>) -> Target {
    let mut target = target.clone();
    if let (Target::Http { url, headers, .. }, Some(signed_in)) = (&mut target, signed_in)
        && *url == signed_in.server
        && !sends_its_own(headers)
    {
        headers.push(("Authorization".to_owned(), format!("Bearer {}", signed_in.access_token.0)));
    }
    target
}

/// Under which sign-in a server is looked at, as an observation keeps it.
pub fn account_of(server: &ServerConfig, signed_in: Option<&SignedIn>) -> Exhibit {
    match (&server.target, signed_in) {
        (Target::Http { headers, .. }, _) if sends_its_own(headers) => {
            Exhibit::Unread(Reason::new("own-credentials", "its entry sends credentials of its own"))
        }
        (Target::Http { .. }, Some(signed_in)) => Exhibit::Bytes(signed_in.scope_text().into()),
        (Target::Http { .. }, None) => Exhibit::Absent,
        // A process has its credentials in its environment, if it has any.
        _ => Exhibit::Unasked,
    }
}
