//! Tells supervisors where a tool that nobody pinned meets a tool of another server: a single supervisor cannot see that.

use super::fleet::Fleet;
use crate::digest::Item;
use crate::drift::{Drift, Policy, Shown, across_servers};
use crate::monitor::{Command, ServerLook};
use crate::surface::ServerId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

/// Servers that answer together are compared once.
const SETTLE: Duration = Duration::from_millis(300);

/// Compares whenever a review moved, until it is dropped.
pub(super) async fn follow(fleet: Arc<Fleet>) {
    // Whom something was told, and so has to be told when it is over.
    let mut told: BTreeSet<ServerId> = BTreeSet::new();
    loop {
        fleet.moved().await;
        tokio::time::sleep(SETTLE).await;
        let looks: Vec<Arc<ServerLook>> = fleet.slots().iter().map(|(_, slot)| slot.borrow().clone()).collect();
        let asked = asked(&looks);
        if asked.is_empty() && told.is_empty() {
            continue;
        }
        let (policy, compared) = (fleet.now().policy.clone(), looks.clone());
        // Some ten thousand names take milliseconds: not on the loop that reads the screen.
        let met = tokio::task::spawn_blocking(move || meeting(&compared, &asked, &policy)).await;
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

/// The tools that nobody pinned, each with its server's place.
fn asked(looks: &[Arc<ServerLook>]) -> Vec<(usize, Arc<Item>)> {
    let reviews = looks.iter().enumerate().filter_map(|(at, look)| Some((at, look.review.as_ref()?)));
    reviews.flat_map(|(at, review)| review.unpinned_tools().map(move |tool| (at, Arc::clone(tool)))).collect()
}

fn meeting(looks: &[Arc<ServerLook>], asked: &[(usize, Arc<Item>)], policy: &Policy) -> BTreeMap<ServerId, Vec<Drift>> {
    let items = |look: &ServerLook| look.surface.as_ref().map(|surface| surface.items.clone()).unwrap_or_default();
    let items: Vec<_> = looks.iter().map(|look| items(look)).collect();
    let shown: Vec<_> = looks.iter().zip(&items).map(|(look, items)| Shown { server: &look.id, items }).collect();
    let mut met: BTreeMap<ServerId, Vec<Drift>> = BTreeMap::new();
    for (at, drift) in across_servers(&shown, asked, policy) {
        met.entry(Arc::clone(&looks[at].id)).or_default().push(drift);
    }
    met
}
