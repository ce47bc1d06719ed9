//! Whether a server may be started now: asked before each start, since a script may have changed since the last one.

use super::desk::Desk;
use crate::aside::aside;
use crate::config::consent::{Asked, Consent, Consents};
use crate::config::{Resolved, ServerConfig};
use crate::mcp::Target;
use crate::store::StoreError;
use crate::surface::Reason;
use jiff::Timestamp;
use std::fmt;
use std::sync::Arc;
use tokio::task::JoinHandle;

/// The environment, as a supervisor may ask for it.
pub type Environment = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// The consents of this run. Its calls block on the disk; the async ones do that off the loop.
#[derive(Clone)]
pub struct Gate {
    consents: Consents,
    environment: Environment,
    /// Where it is told that a person agreed, in whose name and under which policy.
    desk: Desk,
}

impl fmt::Debug for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gate").field("consents", &self.consents).finish_non_exhaustive()
    }
}

impl Gate {
    /// Consents kept by this machine; who agrees is who decides at the desk.
    pub fn new(consents: Consents, environment: Environment, desk: Desk) -> Self {
        Self { consents, environment, desk }
    }

    /// The same for servers that came or changed while the program ran: what the command line agreed to does not count.
    #[must_use]
    pub fn for_later(&self) -> Self {
        Self { consents: self.consents.clone().for_later(), ..self.clone() }
    }

    /// What must be agreed to before `server` is started; none where that has happened.
    pub fn ask(&self, server: &ServerConfig) -> Result<Option<Asked>, Reason> {
        if let Target::Unusable(reason) | Target::Unwatched(reason) = &server.target {
            return Err(reason.clone());
        }
        match self.consents.check(server, &*self.environment) {
            Ok(Consent::Given) => Ok(None),
            Ok(Consent::Needed(asked)) => Ok(Some(asked)),
            Err(error) => Err(Reason::new("consent-unreadable", error.to_string())),
        }
    }

    /// Whether a launch names files of its project, whose content is agreed to with it.
    pub fn binds_files(&self, server: &ServerConfig) -> Result<bool, StoreError> {
        self.consents.binds_files(server, &*self.environment)
    }

    /// What this machine is called where heads of its log are committed; none until it has a key.
    pub fn machine(&self) -> Result<Option<String>, StoreError> {
        self.consents.machine()
    }

    /// The same; its key is made where there is none yet.
    pub fn make_machine(&self) -> Result<String, StoreError> {
        self.consents.make_machine()
    }

    /// Forgets what was agreed to of `server`: its next start asks.
    pub fn withdraw(&self, server: &ServerConfig) -> Result<(), Reason> {
        let withdrawn = self.consents.withdraw(server);
        withdrawn.map_err(|error| Reason::new("consent-not-kept", format!("what was agreed to still stands: {error}")))
    }

    /// [`Gate::resolved`] off the loop.
    pub(crate) fn resolve_aside(&self, server: &ServerConfig) -> JoinHandle<Resolved> {
        let (gate, server) = (self.clone(), server.clone());
        tokio::task::spawn_blocking(move || gate.resolved(&server))
    }

    /// What a launch resolves to here.
    pub fn resolved(&self, server: &ServerConfig) -> Resolved {
        server.resolved(&*self.environment)
    }

    /// [`Gate::ask`] off the loop.
    pub(crate) async fn ask_aside(&self, server: &ServerConfig) -> Result<Option<Asked>, Reason> {
        let (gate, server) = (self.clone(), server.clone());
        aside("asking for consent", move || gate.ask(&server)).await.map_err(Reason::internal)?
    }

    /// Keeps that exactly `asked` was agreed to, off the loop.
    pub(crate) async fn grant_aside(&self, asked: Asked) -> Result<(), Reason> {
        let gate = self.clone();
        let granted = aside("asking for consent", move || {
            let at = Timestamp::now();
            // Told first: what was agreed to and is not in the log would be started without a trace.
            let told = gate.desk.agreed(&asked.request.server, &asked.request.argv.join(" "), at);
            let kept = told.and_then(|()| gate.consents.grant(&asked, &gate.desk.by, at));
            kept.map_err(|error| Reason::new("consent-not-kept", not_kept(&error)))
        });
        granted.await.map_err(Reason::internal)?
    }
}

/// Why an agreement was not kept, and the way out.
fn not_kept(error: &StoreError) -> String {
    match error {
        StoreError::NotFlushed { .. } => format!("agreed; starting; {error}"),
        StoreError::Raced(_) => format!("{error}: it is asked again"),
        _ => format!("not started, the consent was not saved: {error}. Fix that and agree again, or start with --yes"),
    }
}
