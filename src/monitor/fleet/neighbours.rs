//! Tells supervisors what the tools of the other servers say of theirs: where names meet, and where a tool stands that a text
//! names. A single supervisor cannot see that.

use super::{Fleet, News};
use crate::drift::{Policy, Shown};
use crate::monitor::{Command, ServerLook};
use crate::review::{AcrossServers, across};
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
        let said = tokio::task::spawn_blocking(move || beside(&looks, &now.project.config.policy.rules)).await;
        let Ok(mut said) = said else { continue };
        told.extend(said.keys().cloned());
        told.retain(|id| {
            let others = said.remove(id).unwrap_or_default();
            let goes_on = !others.is_empty();
            // Where the supervisor is busy, it is told when the next review moves.
            !fleet.tell(id, Command::Beside(others)) && fleet.look(id).is_some() || goes_on
        });
    }
}

fn beside(looks: &[Arc<ServerLook>], policy: &Policy) -> BTreeMap<ServerId, AcrossServers> {
    let servers = looks.iter().map(|look| {
        let items = look.surface.as_ref().map_or(&[][..], |surface| &surface.items);
        (Shown { server: &look.id, items }, look.review.as_deref())
    });
    let said = across(&servers.collect::<Vec<_>>(), policy).into_iter();
    said.map(|(at, others)| (Arc::clone(&looks[at].id), others)).collect()
}
