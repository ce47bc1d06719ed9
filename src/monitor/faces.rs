//! Looks at a server under the names of several clients, one after another: a start, its lists, its end each time. No tool is
//! called. Where something differs, each client has more looks, so that what changes by itself is told apart.

use super::look::{observe, options, without_ignored};
use crate::config::ServerConfig;
use crate::decisions::{BaselineState, Gate, SignIns};
use crate::digest::Surface;
use crate::drift::{Face, Policy, SplitView, split_view, wants_more_looks};
use crate::mcp::{Identify, Limits, Options};
use crate::store::redact::Redactor;
use crate::surface::{ClientIdentity, Observation, Overall, Reason};
use std::sync::Arc;

/// Clients that are asked about at once.
pub const MOST_CLIENTS: usize = 3;
/// Looks at a server in all, where clients are not shown the same, and the most as one client. A server that tosses a coin at
/// each start shows every client the same each time, and not all of them the same, in one of 280 checks at most.
const LOOKS: usize = 12;
const ROUNDS: usize = 5;

/// What a server is looked at with.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Looking {
    pub config: ServerConfig,
    pub baseline: BaselineState,
    pub limits: Limits,
    pub policy: Policy,
    pub redactor: Arc<Redactor>,
    pub gate: Gate,
    /// Who is signed in to it.
    pub sign_ins: SignIns,
}

impl Looking {
    /// What a server shows to pinwatch and to `clients`. `first` is what pinwatch was shown just now.
    pub async fn split_view(self, clients: &[Arc<ClientIdentity>], first: Option<Arc<Surface>>) -> SplitView {
        let all = std::iter::once(Arc::clone(&self.config.client)).chain(clients.iter().cloned());
        let mut faces: Vec<_> = all.map(|client| Face { client, looks: Vec::new() }).collect();
        faces[0].looks.extend(first);
        for round in 0..(LOOKS / faces.len()).min(ROUNDS) {
            let mut order: Vec<_> = (0..faces.len()).filter(|at| faces[*at].looks.len() <= round).collect();
            match round {
                0 => {}
                // There and back: one that alternates from start to start shows no client the same twice.
                1 => order.reverse(),
                _ => fastrand::shuffle(&mut order),
            }
            for at in order {
                let look = self.look(&faces[at].client).await;
                faces[at].looks.push(Arc::new(look));
            }
            let baseline = self.baseline.present().cloned();
            let compared = tokio::task::spawn_blocking(move || {
                let wanted = wants_more_looks(&faces, baseline.as_deref());
                (faces, wanted)
            });
            match compared.await {
                Ok((compared, true)) => faces = compared,
                Ok((compared, false)) => {
                    faces = compared;
                    break;
                }
                // What panicked has printed its message.
                Err(_) => return SplitView::failed(),
            }
        }
        let Self { config, baseline, policy, .. } = self;
        let told = tokio::task::spawn_blocking(move || {
            split_view(&config.id, &faces, baseline.present().map(AsRef::as_ref), &policy)
        });
        told.await.unwrap_or_else(|_| SplitView::failed())
    }

    /// One look as a client, to its end.
    async fn look(&self, client: &Arc<ClientIdentity>) -> Surface {
        let unseen = |reason: &Reason| Observation::failed(reason, Vec::new());
        let observation = match self.gate.ask_aside(&self.config).await {
            Ok(None) => {
                let options = Options {
                    client: Arc::clone(client),
                    identify: Identify::Never,
                    ..options(&self.config, &self.baseline, self.baseline.observed_as(), false)
                };
                let observed = observe(&self.config, &options, &self.limits, &self.redactor, &self.sign_ins).await;
                if let Some(ending) = observed.ending {
                    // A closing that panicked has nothing left to wait for.
                    let _ = ending.await;
                }
                observed.observation
            }
            Ok(Some(_)) => unseen(&Reason::new("consent-needed", "its launch changed since you agreed")),
            Err(reason) => unseen(&reason),
        };
        let surface =
            Surface::read(&observation, None, &self.baseline.scope(&self.config.digest_scope), self.limits.depth);
        without_ignored(surface, &self.config.id, &self.policy)
    }
}

/// Whether there is something to compare what other clients are shown with.
pub fn may_be_compared(surface: &Surface) -> bool {
    !matches!(surface.overall(), Overall::Failed(_))
}
