//! Where a tool that nobody pinned meets a tool of another server: no review of one server can see that.

use super::Review;
use crate::drift::{Drift, Policy, Shown, across_servers};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The drifts of several servers whose tools meet, each under its server's place in the list.
pub fn across(servers: &[(Shown<'_>, Option<&Review>)], policy: &Policy) -> BTreeMap<usize, Vec<Drift>> {
    let reviews = servers.iter().enumerate().filter_map(|(at, (_, review))| Some((at, (*review)?)));
    let asked: Vec<_> =
        reviews.flat_map(|(at, review)| review.unpinned_tools().map(move |tool| (at, Arc::clone(tool)))).collect();
    let shown: Vec<_> = servers.iter().map(|(shown, _)| *shown).collect();
    let mut found: BTreeMap<usize, Vec<Drift>> = BTreeMap::new();
    for (at, drift) in across_servers(&shown, &asked, policy) {
        found.entry(at).or_default().push(drift);
    }
    found
}
