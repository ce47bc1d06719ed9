//! `pinwatch evidence`: what other systems' logs of calls say, joined to definitions and to who approved them when.

use super::{Evidence, EvidenceFormat, Global, input, open, out};
use crate::canon::{indented, read_plain};
use crate::digest::{DigestScope, Item};
use crate::error::Exit;
use crate::evidence::{Decided, Known, Ledger, Standing, is_bad, is_open};
use crate::interop::call::Call;
use crate::interop::{assay, capiscio};
use crate::pin::format::parse;
use crate::pin::{Baseline, DecisionState};
use crate::project::Project;
use crate::project::git::Repository;
use crate::store::{Event, Phase, utc};
use crate::surface::Kind;
use crate::text::{Form, is_hidden, visible};
use anyhow::bail;
use jiff::Timestamp;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What `assay mcp wrap` calls a server that nobody named.
const UNNAMED: &str = "default-mcp-server";
/// Lines of one file, snapshots of a server and commits of a baseline that are read.
const MOST_LINES: usize = 1_000_000;
const MOST_SNAPSHOTS: usize = 200;
const MOST_COMMITS: usize = 500;
/// The longest line of a log.
const LONGEST: usize = 1 << 20;

/// A line of a log.
struct Told<'a> {
    file: &'a Path,
    line: usize,
    call: Call,
}

/// Reads, joins, tells.
pub fn run(global: &Global, arguments: &Evidence) -> anyhow::Result<Exit> {
    let project = open::open(global, None)?;
    let mut problems = Vec::new();
    let mut calls = Vec::new();
    for file in &arguments.files {
        let bytes = input::read(file)?;
        let lines = bytes.split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| !line.trim_ascii().is_empty());
        for (at, line) in lines.take(MOST_LINES) {
            match call(line) {
                Ok(Some(call)) => calls.push(Told { file, line: at + 1, call }),
                Ok(None) => {}
                Err(fault) => problems.push(format!("{}:{}: {fault}", file.display(), at + 1)),
            }
        }
    }
    if calls.is_empty() && problems.is_empty() {
        bail!("no call in it: a line is an {} event, or one of {}", assay::DECISION, capiscio::INVOCATION);
    }
    let ledger = ledger(&project, arguments, &mut problems)?;
    let told: Vec<_> = calls.iter().map(|told| (told, ledger.standing(&told.call))).collect();
    match arguments.format {
        EvidenceFormat::Text => table(&project, &told, &problems),
        EvidenceFormat::Json => document(&project, &told, &problems),
    }
    let bad = told.iter().any(|(told, (standing, _))| is_bad(&told.call, standing));
    let open = !problems.is_empty() || told.iter().any(|(_, (standing, _))| is_open(standing));
    Ok(if bad {
        Exit::Drift
    } else if open {
        Exit::Unknown
    } else {
        Exit::Fine
    })
}

/// The call that a line tells of; none of an event of another type.
fn call(line: &[u8]) -> Result<Option<Call>, String> {
    if line.len() > LONGEST {
        return Err("the line is longer than 1 MiB".to_owned());
    }
    let event = read_plain(line)?;
    let word = |name: &str| event.get(name).and_then(Value::as_str);
    let read = if word("type") == Some(assay::DECISION) {
        assay::call(&event)
    } else if word("event.name") == Some(capiscio::INVOCATION) {
        capiscio::call(&event)
    } else if word("type").is_some() || word("event.name").is_some() {
        return Ok(None);
    } else {
        return Err("it is no event: neither `type` nor `event.name`".to_owned());
    };
    read.map(Some).map_err(|refused| refused.to_string())
}

/// Every definition and decision at hand.
fn ledger(project: &Project, arguments: &Evidence, problems: &mut Vec<String>) -> anyhow::Result<Ledger> {
    let store = &project.desk.store;
    let mut ledger = Ledger::default();
    let mut servers: BTreeSet<String> = store.servers()?.into_iter().chain(store.recorded()?).collect();
    servers.extend(project.config.servers.iter().map(|server| server.id.to_string()));
    for (id, server) in &arguments.server_id {
        if !servers.contains(server) {
            bail!("--server-id {id}={server}: no server `{server}` is known here");
        }
    }
    let broken = store.log().verify()?.broken;
    if let Some((record, fault)) = &broken {
        problems.push(format!("the log is not used: its record {record} does not hold: {fault}"));
    }
    let repository = Repository::of(store.root().path()).ok();
    for server in servers {
        let named = arguments.server_id.iter().filter(|(_, known)| *known == server).map(|(id, _)| id.clone());
        let scopes: Vec<_> =
            [DigestScope::None, DigestScope::Server(server.clone()), DigestScope::Server(UNNAMED.into())]
                .into_iter()
                .chain(named.map(DigestScope::Server))
                .collect();
        let mut add = |items: &mut dyn Iterator<Item = (&Item, Vec<crate::digest::SurfaceDigest>)>| {
            for (item, binds) in items {
                keep(&mut ledger.known, &server, &scopes, item, &binds);
            }
        };
        let mut baselines = Vec::new();
        baselines.extend(store.load(&server).ok().flatten());
        let committed = committed(repository.as_ref(), project, &server);
        baselines.extend(committed.iter().filter_map(|(baseline, _)| baseline.clone()));
        for baseline in &baselines {
            add(&mut baseline.pins.iter().map(|pin| (&*pin.item, vec![pin.item.digests.surface, pin.binds_to()])));
            add(&mut baseline.rejections.iter().map(|one| (&*one.item, vec![one.item.digests.surface])));
        }
        for entry in store.snapshots(&server)?.iter().rev().take(MOST_SNAPSHOTS) {
            let Ok(snapshot) = store.load_snapshot(&entry.path) else { continue };
            let raw = |item: &crate::store::SnapshotItem| crate::surface::RawItem {
                kind: item.kind,
                bytes: item.bytes.clone(),
            };
            let items = snapshot
                .items
                .iter()
                .filter_map(|item| Item::read(&raw(item), &DigestScope::None, project.limits.depth).ok());
            for item in items {
                add(&mut std::iter::once((&item, vec![item.digests.surface])));
            }
        }
        let log = if broken.is_some() { Vec::new() } else { logged(project, &server)? };
        ledger.decided.insert(server, [log, by_commit(&committed)]);
    }
    Ok(ledger)
}

type Definitions = BTreeMap<crate::digest::Sha256, Vec<Known>>;

/// A definition under each digest that a call of it may be bound to.
fn keep(
    known: &mut Definitions,
    server: &str,
    scopes: &[DigestScope],
    item: &Item,
    binds: &[crate::digest::SurfaceDigest],
) {
    if item.id.kind != Kind::Tool {
        return;
    }
    let read = item.definition.as_read();
    for scope in scopes {
        let Ok(cluster) = crate::digest::DefinitionCluster::of(&read, scope) else { continue };
        let all = known.entry(cluster.value()).or_default();
        match all.iter_mut().find(|known| known.server == server && known.item == item.id) {
            Some(known) => {
                let more: Vec<_> = binds.iter().filter(|one| !known.binds.contains(one)).copied().collect();
                known.binds.extend(more);
            }
            None => all.push(Known {
                server: server.to_owned(),
                item: item.id.clone(),
                binds: binds.to_vec(),
                text: indented(&read, &is_hidden),
            }),
        }
    }
}

/// What this machine's log says of a server.
fn logged(project: &Project, server: &str) -> anyhow::Result<Vec<Decided>> {
    let history = project.desk.store.log().history()?;
    let records = history.of(&project.desk.store.root().name(), server).filter(|record| record.phase != Phase::Void);
    let decided = records.filter_map(|record| {
        let entry = &record.entry;
        let decides = matches!(entry.event, Event::Approve | Event::Reject | Event::Record | Event::Undo);
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

type Answered<'a, 'b> = (&'a Told<'b>, (Standing, Option<&'a Known>));

fn sentence(standing: &Standing) -> String {
    match standing {
        Standing::Approved(at, by) => format!("approved {} by {by}", utc(*at)),
        Standing::Rejected(at, by) => format!("REJECTED {} by {by}", utc(*at)),
        Standing::Never => "NEVER approved by then".to_owned(),
        Standing::Unknown(why) => format!("unknown: {why}"),
        Standing::NotVisible => "not visible: the line binds no definition".to_owned(),
    }
}

fn table(project: &Project, told: &[Answered<'_, '_>], problems: &[String]) {
    let shown = |text: &str| visible(&project.redactor.mask_log(text)).to_string();
    let cells: Vec<[String; 6]> = told
        .iter()
        .map(|(told, (standing, known))| {
            let server = known.map(|known| known.server.as_str()).or(told.call.server.as_deref());
            [
                told.call.at.map_or_else(|| "-".to_owned(), utc),
                shown(server.unwrap_or("-")),
                shown(&told.call.tool),
                shown(told.call.caller.as_deref().unwrap_or("-")),
                told.call.verdict.word().to_owned(),
                shown(&sentence(standing)),
            ]
        })
        .collect();
    let header = ["TIME", "SERVER", "TOOL", "CALLER", "DECISION", "DEFINITION"].map(str::to_owned);
    let width = |at: usize| {
        let widths = cells.iter().chain([&header]).map(|row| row[at].chars().count());
        widths.max().unwrap_or(0).min(40)
    };
    let widths: Vec<_> = (0..6).map(width).collect();
    for row in std::iter::once(&header).chain(&cells) {
        let cells: Vec<_> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        out::print(&format!("{}\n", cells.join("  ").trim_end()));
    }
    let mut quoted = BTreeSet::new();
    for (told, (_, known)) in told.iter().filter(|(told, (standing, _))| is_bad(&told.call, standing)) {
        let place = format!("{}:{}", told.file.display(), told.line);
        let tool = shown(&told.call.tool);
        out::print(&format!("{}: `{tool}` was allowed on a definition that was not approved\n", visible(&place)));
        if let Some(known) = known.filter(|known| quoted.insert(known.text.clone())) {
            out::document(&project.redactor.mask(&known.text), Form::Json);
        }
    }
    for problem in problems {
        out::line(&format!("not read: {}", project.redactor.mask_log(problem)));
    }
}

fn document(project: &Project, told: &[Answered<'_, '_>], problems: &[String]) {
    let shown = |text: &str| project.redactor.mask_log(text);
    let calls: Vec<Value> = told
        .iter()
        .map(|(told, (standing, known))| {
            let (at, by) = match standing {
                Standing::Approved(at, by) | Standing::Rejected(at, by) => (Some(utc(*at)), Some(shown(by))),
                Standing::Never | Standing::Unknown(_) | Standing::NotVisible => (None, None),
            };
            let server = known.map(|known| known.server.as_str()).or(told.call.server.as_deref());
            let bad = is_bad(&told.call, standing);
            json!({
                "file": told.file.display().to_string(),
                "line": told.line,
                "time": told.call.at.map(utc),
                "server": server.map(shown),
                "tool": shown(&told.call.tool),
                "caller": told.call.caller.as_deref().map(shown),
                "decision": told.call.verdict.word(),
                "definition": {
                    "state": standing.word(),
                    "at": at,
                    "by": by,
                    "digest": told.call.definition.map(|digest| format!("sha256:{digest}")),
                    "reason": if let Standing::Unknown(why) = standing { Some(*why) } else { None },
                    "text": known.filter(|_| bad).map(|known| project.redactor.mask(&known.text).into_owned()),
                },
            })
        })
        .collect();
    let problems: Vec<_> = problems.iter().map(|problem| shown(problem)).collect();
    let document = json!({"format": "pinwatch.evidence.v1", "calls": calls, "problems": problems});
    out::document(&indented(&document, &is_hidden), Form::Json);
}
