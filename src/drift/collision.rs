//! Names that meet where a client shows them: as clients write them, or to the eye. On one server, and across servers.
//!
//! Clients put the server before a tool's name (`mcp__files__read`), write `_` for what model APIs do not allow
//! (`[^a-zA-Z0-9_-]`), and cut at 64 characters: of two that become one, one is shown and the other called, or none.

use super::judge::{same_program, shortened};
use super::presence::{bare, whole};
use super::rename::nearness;
use super::types::Said;
use super::{ChangeKind, Drift, DriftType, Effect, Match, Policy, Relation, Severity, Side};
use crate::digest::Item;
use crate::finding::skeleton;
use crate::surface::Kind;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// The most characters of a name that model APIs take.
const LONGEST: usize = 64;
/// From how alike two bodies are taken for copies of one another, of 1.
const COPY: f64 = 0.9;

/// A tool's name as clients hand it to a model.
pub fn client_name(server: &str, tool: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' };
    format!("mcp__{server}__{tool}").chars().take(LONGEST).map(plain).collect()
}

/// Tools of one server whose name nobody pinned and that meets another's. Names that are equal are told elsewhere.
pub(super) fn on_one_server(server: &str, matches: &[Match]) -> Vec<Drift> {
    let unpinned = |entry: &&Match| matches!(entry.relation, Relation::Added | Relation::Renamed);
    let tools = || matches.iter().filter(|entry| entry.id.kind == Kind::Tool);
    // Where everything is new, nobody approved the one that a new one meets.
    if !tools().any(|entry| unpinned(&entry)) || matches.iter().all(|entry| entry.pin.is_none()) {
        return Vec::new();
    }
    let mut names = Names::default();
    for item in tools().filter_map(|entry| entry.now.as_ref()) {
        names.add(server, item);
    }
    tools()
        .filter(unpinned)
        .filter_map(|entry| entry.now.as_ref())
        .filter_map(|item| {
            let met = names.meet(server, item).find(|(_, other)| other.id.key != item.id.key)?;
            Some(drift(item, &met, None))
        })
        .collect()
}

/// One server for [`across_servers`].
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Shown<'a> {
    pub server: &'a str,
    pub items: &'a [Arc<Item>],
}

/// Tools of several servers whose names meet: for each of `asked`, a server by its place and one of its tools, the drift
/// where it meets a tool of another server. One program that is configured twice meets itself, and is not told.
pub fn across_servers(servers: &[Shown<'_>], asked: &[(usize, Arc<Item>)], policy: &Policy) -> Vec<(usize, Drift)> {
    if asked.is_empty() || servers.len() < 2 {
        return Vec::new();
    }
    let mut names = Names::default();
    for shown in servers {
        for item in shown.items.iter().filter(|item| item.id.kind == Kind::Tool) {
            names.add(shown.server, item);
        }
    }
    let launch = |server: &str| {
        let shown = servers.iter().find(|shown| shown.server == server)?;
        let item = shown.items.iter().find(|item| item.id.kind == Kind::Launch)?;
        item.definition.exact()
    };
    let mut twins: HashMap<(&str, &str), bool> = HashMap::new();
    let mut found = Vec::new();
    for (at, item) in asked.iter().take(MOST_ASKED) {
        let Some(own) = servers.get(*at).map(|shown| shown.server) else { continue };
        let mut worst: Option<Drift> = None;
        for (other, met) in names.meet(own, item).filter(|(other, _)| *other != own).take(MOST) {
            let twin = *twins
                .entry((own, other))
                .or_insert_with(|| matches!((launch(own), launch(other)), (Some(a), Some(b)) if same_program(&a, &b)));
            if !twin {
                let mut drift = drift(item, &(other, met), Some(other));
                policy.apply(own, &mut drift);
                worst = worst.filter(|worst| worst.severity >= drift.severity).or(Some(drift));
            }
        }
        found.extend(worst.map(|drift| (*at, drift)));
    }
    found
}

/// Servers of one name's tools that are compared with one.
const MOST: usize = 16;
/// Tools that are compared: where more than these are new, it is the first contact with a hundred servers.
const MOST_ASKED: usize = 5_000;

/// Tools by what clients make of their names, and by what they look like.
#[derive(Default)]
struct Names<'a> {
    by_client: HashMap<String, Vec<(&'a str, &'a Arc<Item>)>>,
    by_looks: HashMap<String, Vec<(&'a str, &'a Arc<Item>)>>,
}

impl<'a> Names<'a> {
    fn add(&mut self, server: &'a str, item: &'a Arc<Item>) {
        self.by_client.entry(client_name(server, &item.id.key)).or_default().push((server, item));
        self.by_looks.entry(skeleton(&item.id.key)).or_default().push((server, item));
    }

    /// The tools that meet one; itself is among them.
    fn meet(&self, server: &str, item: &Item) -> impl Iterator<Item = (&'a str, &'a Arc<Item>)> {
        let client = self.by_client.get(&client_name(server, &item.id.key));
        let looks = Some(skeleton(&item.id.key)).filter(|looks| !looks.is_empty());
        let looks = looks.and_then(|looks| self.by_looks.get(&looks));
        let found: Vec<_> = looks.into_iter().chain(client).flatten().copied().collect();
        found.into_iter()
    }
}

/// The drift of a tool that meets another: info, and critical between copies and names that are made to look alike.
fn drift(item: &Arc<Item>, (server, other): &(&str, &Arc<Item>), across: Option<&str>) -> Drift {
    let (name, met) = (&item.id.key, &other.id.key);
    let looks = name != met && skeleton(name) == skeleton(met);
    let copy = item.digests.surface == other.digests.surface || nearness(item, other) >= COPY;
    let severity = if looks || copy { Severity::Critical } else { Severity::Info };
    let subject = match across {
        Some(server) => format!("`{}` of server `{}`", shortened(met), shortened(server)),
        None => format!("`{}` of this server", shortened(met)),
    };
    let how = match (name == met, looks) {
        (true, _) => format!("Has the name of {subject}"),
        (_, true) => format!("Looks like {subject}"),
        _ => format!("Same name as {subject} in clients that rewrite names (`{}`)", client_name(server, met)),
    };
    let why = match (copy, looks) {
        (true, _) => "The definitions are near copies: the model cannot tell which one it calls",
        (_, true) => "A person or a model can take one for the other",
        _ => "A client that does not tell servers apart shows only one of them",
    };
    let side = Side { pinned: None, now: Some(Arc::clone(item)) };
    let drift = bare(DriftType::NameCollision, item.id.clone(), severity, Effect::Unknown, side);
    whole(drift, ChangeKind::Duplicated, None, Some(Value::from(met.as_ref())), Said::new(how).and(why))
}
