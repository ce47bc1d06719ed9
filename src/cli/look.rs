//! Looking at several servers once, side by side: what `record`, `check`, `approve` and `review` share.

use super::context::Context;
use super::out;
use crate::config::ServerConfig;
use crate::digest::{DigestScope, Surface};
use crate::drift::Policy;
use crate::monitor::{BaselineState, Observed, compare, observe_once, scope};
use crate::review::Review;
use crate::surface::{Observation, Overall, Reason};
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio::task::{JoinHandle, JoinSet};

/// Servers that are looked at in one moment; more wait.
const AT_ONCE: usize = 32;

/// One server, looked at once.
#[derive(Debug)]
pub struct Looked {
    /// Its config.
    pub config: ServerConfig,
    /// Its baseline.
    pub baseline: BaselineState,
    /// What was received.
    pub observation: Observation,
    /// The same, read and digested.
    pub surface: Arc<Surface>,
    /// Against the baseline; none where that is refused.
    pub review: Option<Arc<Review>>,
    /// The server's end.
    ending: Option<JoinHandle<()>>,
}

/// Waits until every server that was looked at has ended.
pub async fn finish(looked: Vec<Looked>) {
    for ending in looked.into_iter().filter_map(|server| server.ending) {
        // A closing that panicked has nothing left to wait for.
        let _ = ending.await;
    }
}

impl Looked {
    /// What was observed, read and compared.
    fn of(config: ServerConfig, baseline: BaselineState, observed: Observed, depth: usize, policy: Policy) -> Self {
        let Observed { observation, ending } = observed;
        let surface = Surface::read(&observation, None, &scope(&baseline, &config), depth);
        let review = compare(&config.id, &surface, &baseline, &policy);
        Self { config, baseline, observation, surface: Arc::new(surface), review, ending }
    }

    /// The scope of the definition digest: what the baseline fixed, or what the first record will fix.
    pub fn scope(&self) -> DigestScope {
        scope(&self.baseline, &self.config)
    }

    /// The look in one word.
    pub fn overall(&self) -> Overall {
        self.surface.overall()
    }
}

/// Looks at servers, in the order given.
pub async fn look_at(context: &Context, servers: Vec<ServerConfig>) -> Vec<Looked> {
    let count = servers.len();
    let permits = Arc::new(Semaphore::new(AT_ONCE));
    let mut running = JoinSet::new();
    let mut waited_for: BTreeMap<usize, ServerConfig> = servers.into_iter().enumerate().collect();
    for (index, config) in waited_for.clone() {
        let (permits, limits, redactor) = (Arc::clone(&permits), context.limits.clone(), Arc::clone(&context.redactor));
        let (gate, desk) = (context.gate.clone(), context.desk.clone());
        let policy = context.config.policy.rules;
        running.spawn(async move {
            // The semaphore is never closed.
            let _permit = permits.acquire().await;
            let baseline = desk.baseline(&config.id);
            let observed = match gate.ask(&config) {
                Ok(None) => observe_once(&config, era(&baseline), &limits, &redactor).await,
                Ok(Some(_)) => unseen(&consent_needed(&config)),
                Err(reason) => unseen(&reason),
            };
            (index, Looked::of(config, baseline, observed, limits.depth, policy))
        });
    }
    let mut looked: Vec<(usize, Looked)> = Vec::with_capacity(count);
    while let Some(done) = running.join_next().await {
        // What panicked has printed its message, and is left over.
        let Ok(done) = done else { continue };
        waited_for.remove(&done.0);
        if out::is_watched() && count > 1 {
            out::note(&format!("[{}/{count}] {} {}", looked.len() + 1, done.1.config.id, done.1.overall().word()));
        }
        looked.push(done);
    }
    for (index, config) in waited_for {
        let observed = unseen(&Reason::new("internal", "looking at it failed; please report this"));
        let baseline = context.baseline(&config.id);
        looked.push((index, Looked::of(config, baseline, observed, context.limits.depth, context.config.policy.rules)));
    }
    looked.sort_by_key(|(index, _)| *index);
    looked.into_iter().map(|(_, looked)| looked).collect()
}

fn unseen(reason: &Reason) -> Observed {
    Observed { observation: Observation::failed(reason, Vec::new()), ending: None }
}

fn era(baseline: &BaselineState) -> Option<crate::surface::Era> {
    match baseline {
        BaselineState::Present(baseline) => baseline.observed_as.as_ref().map(|observed| observed.era),
        BaselineState::Verifying | BaselineState::Absent | BaselineState::Refused(_) => None,
    }
}

fn consent_needed(config: &ServerConfig) -> Reason {
    let file = config.origin.file.as_deref().map(|file| file.display().to_string()).unwrap_or_default();
    Reason::new(
        "consent-needed",
        format!(
            "nobody has agreed here to start `{}`, which {file} names; look at it with `pinwatch servers`, then agree in \
             `pinwatch watch`, or with --yes",
            config.shared.line()
        ),
    )
}
