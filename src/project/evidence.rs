//! What is at hand of the definitions that calls may be bound to, and of who decided on them when: baselines, their history
//! in git, snapshots, and this machine's log.

use super::Project;
use super::git::Repository;
use crate::digest::{DefinitionCluster, DigestScope, Item, SurfaceDigest};
use crate::evidence::{Decided, KnownDefinition, Ledger};
use crate::pin::format::parse;
use crate::pin::{Baseline, DecisionState};
use crate::store::{Event, Phase, SnapshotItem, StoreError};
use crate::surface::{Kind, RawItem};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What `assay mcp wrap` calls a server that nobody named.
const UNNAMED: &str = "default-mcp-server";
/// Snapshots of a server and commits of a baseline that are read.
const MOST_SNAPSHOTS: usize = 200;
const MOST_COMMITS: usize = 500;

/// Every server that something is at hand of.
pub fn servers(project: &Project) -> Result<BTreeSet<String>, StoreError> {
    let store = &project.desk.store;
    let mut servers: BTreeSet<String> = store.servers()?.into_iter().chain(store.recorded()?).collect();
    servers.extend(project.config.servers.iter().map(|server| server.id.to_string()));
    Ok(servers)
}

/// The definitions of servers, each with what is known to be served there now, and the decisions on them. `ids`: what logs
/// call a server, whose digests cover that name. `problems` gets what of it is not used. Blocks on the disk.
pub fn ledger(
    project: &Project,
    servers: impl IntoIterator<Item = (String, Vec<Arc<Item>>)>,
    ids: &[(String, String)],
    problems: &mut Vec<String>,
) -> Result<Ledger, StoreError> {
    let store = &project.desk.store;
    let mut ledger = Ledger::default();
    let broken = store.log().verify()?.broken;
    if let Some((record, fault)) = &broken {
        problems.push(format!("the log is not used: its record {record} does not hold: {fault}"));
    }
    let repository = Repository::of(store.root().path()).ok();
    for (server, served) in servers {
        let committed = committed(repository.as_ref(), project, &server);
        let told = ids.iter().filter(|(_, known)| *known == server).map(|(id, _)| id.clone());
        let names = [server.clone(), UNNAMED.to_owned()].into_iter().chain(told);
        let scopes: Vec<_> = std::iter::once(DigestScope::None).chain(names.map(DigestScope::Server)).collect();
        for (item, binds) in definitions(project, &server, served, &committed)?.into_values() {
            let read = item.definition.as_read();
            let clusters = scopes.iter().filter_map(|scope| DefinitionCluster::of(&read, scope).ok());
            for digest in clusters.map(|cluster| cluster.value()).collect::<BTreeSet<_>>() {
                let (server, item, binds) = (server.clone(), Arc::clone(&item), binds.clone());
                ledger.known.entry(digest).or_default().push(KnownDefinition { server, item, binds });
            }
        }
        let log = if broken.is_some() { Vec::new() } else { logged(project, &server)? };
        ledger.decided.insert(server, [log, by_commit(&committed)]);
    }
    Ok(ledger)
}

/// Each definition of a tool of a server, once, with what decisions on it bind to.
type Definitions = BTreeMap<SurfaceDigest, (Arc<Item>, Vec<SurfaceDigest>)>;

fn definitions(
    project: &Project,
    server: &str,
    items: Vec<Arc<Item>>,
    committed: &[(Option<Baseline>, Timestamp)],
) -> Result<Definitions, StoreError> {
    let store = &project.desk.store;
    let mut found = Definitions::new();
    let mut keep = |item: Arc<Item>, binds: SurfaceDigest| {
        if item.id.kind == Kind::Tool {
            let own = item.digests.surface;
            let (_, known) = found.entry(own).or_insert_with(|| (item, vec![own]));
            if !known.contains(&binds) {
                known.push(binds);
            }
        }
    };
    for item in items {
        let own = item.digests.surface;
        keep(item, own);
    }
    let known = store.load(server).ok().flatten();
    for baseline in known.iter().chain(committed.iter().filter_map(|(baseline, _)| baseline.as_ref())) {
        for pin in &baseline.pins {
            keep(Arc::clone(&pin.item), pin.binds_to());
        }
        for rejection in &baseline.rejections {
            keep(Arc::clone(&rejection.item), rejection.item.digests.surface);
        }
    }
    for entry in store.snapshots(server)?.iter().rev().take(MOST_SNAPSHOTS) {
        let Ok(snapshot) = store.load_snapshot(&entry.path) else { continue };
        let raw = |item: &SnapshotItem| RawItem { kind: item.kind, bytes: item.bytes.clone() };
        let read = |item| Item::read(&raw(item), &DigestScope::None, project.limits.depth).ok();
        for item in snapshot.items.iter().filter_map(read) {
            let own = item.digests.surface;
            keep(Arc::new(item), own);
        }
    }
    Ok(found)
}

/// What this machine's log says of a server.
fn logged(project: &Project, server: &str) -> Result<Vec<Decided>, StoreError> {
    let history = project.desk.store.log().history()?;
    let records = history.of(&project.desk.store.root().name(), server).filter(|record| record.phase != Phase::Void);
    let decided = records.filter_map(|record| {
        let entry = &record.entry;
        let decides =
            matches!(entry.event, Event::Approve | Event::Confirm | Event::Reject | Event::Record | Event::Undo);
        (decides || entry.event == Event::Forget).then(|| Decided {
            at: entry.at,
            since: entry.at,
            by: entry.by.to_string(),
            item: entry.item.clone(),
            from: entry.from,
            to: entry.to,
            rejects: entry.event == Event::Reject,
        })
    });
    Ok(decided.collect())
}

/// The baselines of a server that were committed, the oldest first, each with the time of its commit.
fn committed(repository: Option<&Repository>, project: &Project, server: &str) -> Vec<(Option<Baseline>, Timestamp)> {
    let path = project.desk.store.path_of(server).ok();
    let (Some(repository), Some(path)) = (repository, path) else { return Vec::new() };
    let Ok(path) = path.strip_prefix(&repository.top) else { return Vec::new() };
    let mut commits = repository.history(path).unwrap_or_default();
    commits.truncate(MOST_COMMITS);
    let read = |(commit, at): (String, i64)| {
        let at = Timestamp::from_second(at).ok()?;
        match repository.file(&commit, path).ok()? {
            Some(text) => Some((Some(parse(&text).ok()?), at)),
            // This commit removed it.
            None => Some((None, at)),
        }
    };
    commits.into_iter().rev().filter_map(read).collect()
}

/// The same as decisions: what one commit pins and the next does not was dropped by that.
fn by_commit(committed: &[(Option<Baseline>, Timestamp)]) -> Vec<Decided> {
    let mut decided = Vec::new();
    for (baseline, at) in committed {
        let decision = |one: &crate::pin::Decision| {
            let since = one.at.parse().unwrap_or(*at);
            (one.by.clone(), since, one.state == DecisionState::Rejected)
        };
        let dropped =
            Decided { at: *at, since: *at, by: String::new(), item: None, from: None, to: None, rejects: false };
        decided.push(dropped);
        let Some(baseline) = baseline else { continue };
        let pins = baseline.pins.iter().map(|pin| (&pin.item.id, pin.binds_to(), decision(&pin.decision)));
        let rejections =
            baseline.rejections.iter().map(|one| (&one.item.id, one.item.digests.surface, decision(&one.decision)));
        for (item, to, (by, since, rejects)) in pins.chain(rejections) {
            decided.push(Decided { at: *at, since, by, item: Some(item.clone()), from: None, to: Some(to), rejects });
        }
    }
    decided
}
