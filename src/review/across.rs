//! What only all watched servers together show: where a tool that nobody pinned meets a tool of another server, and where a
//! tool stands that a text names. No review of one server can see that.

use super::Review;
use crate::drift::{Drift, Policy, Shown, across_servers};
use crate::finding::{OtherTools, name_servers};
use crate::surface::Kind;
use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// What the tools of the other servers say of one server.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AcrossServers {
    /// Where its tools that nobody pinned meet theirs, a drift each.
    pub met: Vec<Drift>,
    /// Where the tools stand that its texts name.
    pub named: OtherTools,
}

impl AcrossServers {
    /// Whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        self.met.is_empty() && self.named.is_empty()
    }
}

/// What is to be said of several servers, each under its place in the list.
pub fn across(servers: &[(Shown<'_>, Option<&Review>)], policy: &Policy) -> BTreeMap<usize, AcrossServers> {
    let reviews = || servers.iter().enumerate().filter_map(|(at, (_, review))| Some((at, (*review)?)));
    let asked: Vec<_> =
        reviews().flat_map(|(at, review)| review.unpinned_tools().map(move |tool| (at, Arc::clone(tool)))).collect();
    let shown: Vec<_> = servers.iter().map(|(shown, _)| *shown).collect();
    let mut found: BTreeMap<usize, AcrossServers> = BTreeMap::new();
    for (at, drift) in across_servers(&shown, &asked, policy) {
        found.entry(at).or_default().met.push(drift);
    }
    // Made once, and where a finding names a tool at all.
    let tools = LazyCell::new(|| {
        let items = servers.iter().flat_map(|(shown, _)| shown.items.iter().map(|item| (shown.server, &item.id)));
        let mut tools: HashMap<String, BTreeSet<String>> = HashMap::new();
        for (server, id) in items.filter(|(_, id)| id.kind == Kind::Tool) {
            tools.entry(id.key.to_lowercase()).or_default().insert(server.to_owned());
        }
        tools
    });
    for (at, review) in reviews() {
        let named = OtherTools::of(review.findings(), |name| tools.get(name).cloned().unwrap_or_default());
        if !named.is_empty() {
            found.entry(at).or_default().named = named;
        }
    }
    found
}

impl Review {
    /// The same with what all servers together show: its tools that nobody pinned meet theirs, and findings say where the tools
    /// stand that they name.
    #[must_use]
    pub fn beside(&self, others: &AcrossServers) -> Self {
        let mut found = self.meeting(&others.met);
        let own = Arc::clone(&found.server);
        for row in &mut found.rows {
            name_servers(&mut row.findings, &own, &others.named);
        }
        for drift in &mut found.drifts {
            for (before, after) in name_servers(&mut drift.findings, &own, &others.named) {
                for reason in
                    drift.reasons.iter_mut().filter(|reason| reason.strip_prefix("! ") == Some(before.as_str()))
                {
                    *reason = format!("! {after}");
                }
            }
        }
        found
    }
}
