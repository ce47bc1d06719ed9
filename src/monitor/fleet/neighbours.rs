//! Tells supervisors where a tool that nobody pinned meets a tool of another server: a single supervisor cannot see that.

use super::{Fleet, News};
use crate::drift::{Drift, Policy, Shown};
use crate::monitor::{Command, ServerLook};
use crate::review::across;
use crate::surface::ServerId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

/// Servers that answer together are compared once.
const SETTLE: Duration = Duration::from_millis(300);

/// Compares whenever a review moved, until it is dropped.
pub(super) async fn follow<M: From<News> + Send + 'static>(fleet: &Fleet<M>) {
    // Whom something was told, and so has to be told when it is over.
    let mut told: BTreeSet<ServerId> = BTreeSet::new();
    loop {
        fleet.moved.notified().await;
        tokio::time::sleep(SETTLE).await;
        let (looks, now) = (fleet.looks(), fleet.now());
        // Some ten thousand names take milliseconds: not on the loop that reads the screen.
        let met = tokio::task::spawn_blocking(move || meeting(&looks, &now.project.config.policy.rules)).await;
        let Ok(mut met) = met else { continue };
        told.extend(met.keys().cloned());
        told.retain(|id| {
            let drifts = met.remove(id).unwrap_or_default();
            let goes_on = !drifts.is_empty();
            // Where the supervisor is busy, it is told when the next review moves.
            !fleet.tell(id, Command::Met(drifts)) && fleet.look(id).is_some() || goes_on
        });
    }
}

fn meeting(looks: &[Arc<ServerLook>], policy: &Policy) -> BTreeMap<ServerId, Vec<Drift>> {
    let servers = looks.iter().map(|look| {
        let items = look.surface.as_ref().map_or(&[][..], |surface| &surface.items);
        (Shown { server: &look.id, items }, look.review.as_deref())
    });
    let met = across(&servers.collect::<Vec<_>>(), policy).into_iter();
    met.map(|(at, drifts)| (Arc::clone(&looks[at].id), drifts)).collect()
}
