//! `pinwatch evidence`: what logs of calls say, other systems' and the guard's, joined to definitions and to who approved them
//! when.

use super::{Evidence, EvidenceCommand, Global, PlainFormat, input, open, out};
use crate::canon::indented;
use crate::error::Exit;
use crate::evidence::{KnownDefinition, Ledger, Standing, is_bad, is_open};
use crate::interop::call::Call;
use crate::interop::{assay, capiscio, sealedproof};
use crate::project::Project;
use crate::project::calls::told;
use crate::project::evidence::{ledger, servers};
use crate::project::sealed::Seals;
use crate::store::{make_signing_key, utc};
use crate::text::{Form, is_hidden, visible};
use anyhow::bail;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// Lines of one file that are read.
const MOST_LINES: usize = 1_000_000;

/// A line of a log.
struct Told<'a> {
    file: &'a Path,
    line: usize,
    call: Call,
}

/// Reads, joins, tells.
pub fn run(global: &Global, arguments: &Evidence) -> anyhow::Result<Exit> {
    let project = open::open(global, None)?;
    if let Some(EvidenceCommand::Keygen { file }) = &arguments.command {
        return keygen(&project, file.as_deref());
    }
    let mut problems = Vec::new();
    let mut seals = Seals::of(&project)?;
    let mut calls = Vec::new();
    let configured = &project.config.evidence;
    let files = if arguments.files.is_empty() { &configured.files } else { &arguments.files };
    if files.is_empty() {
        bail!("no log is named: write `pinwatch evidence FILE`, or name it in pinwatch.toml, as [evidence] files");
    }
    for file in files {
        let bytes = input::read(file)?;
        let lines = bytes.split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| !line.trim_ascii().is_empty());
        for (at, line) in lines.take(MOST_LINES) {
            match told(line) {
                Ok(Some(told)) => {
                    seals.take(&format!("{}:{}", file.display(), at + 1), line, &told);
                    calls.push(Told { file, line: at + 1, call: told.call });
                }
                Ok(None) => {}
                Err(fault) => problems.push(format!("{}:{}: {fault}", file.display(), at + 1)),
            }
        }
    }
    problems.extend(seals.faults(files));
    if calls.is_empty() && problems.is_empty() {
        let (assay, capiscio) = (assay::DECISION, capiscio::INVOCATION);
        bail!("no call in it: a line is an {assay} event, one of {capiscio}, or a {}", sealedproof::TOOL_CALL);
    }
    let ids: Vec<_> = configured.ids.iter().chain(&arguments.server_id).cloned().collect();
    let ledger = joined(&project, &ids, &mut problems)?;
    let told: Vec<_> = calls.iter().map(|told| (told, ledger.standing(&told.call))).collect();
    match arguments.format {
        PlainFormat::Text => table(&project, &told, &problems),
        PlainFormat::Json => document(&project, &told, &problems),
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

/// Makes the key, and prints what others verify with.
fn keygen(project: &Project, file: Option<&Path>) -> anyhow::Result<Exit> {
    let configured = project.config.evidence.signing_key.as_deref();
    let Some(file) = file.or(configured) else {
        bail!(
            "no file is named: write `pinwatch evidence keygen FILE`, or `signing-key` in [evidence] of pinwatch.toml"
        )
    };
    let key = make_signing_key(file)?;
    out::note(&format!("made {}; its public half, {}:", file.display(), key.public().id()));
    out::ours(&key.public().pem());
    if configured.is_none() {
        out::note(&format!("name it in pinwatch.toml: [evidence] signing-key = \"{}\"", file.display()));
    }
    Ok(Exit::Fine)
}

/// Every definition and decision at hand.
fn joined(project: &Project, ids: &[(String, String)], problems: &mut Vec<String>) -> anyhow::Result<Ledger> {
    let servers = servers(project)?;
    if let Some((id, server)) = ids.iter().find(|(_, server)| !servers.contains(server)) {
        bail!("server id {id}={server}: no server `{server}` is known here");
    }
    // No server is started: what one serves now is known of snapshots alone.
    let servers = servers.into_iter().map(|server| (server, Vec::new()));
    Ok(ledger(project, servers, ids, problems)?)
}

type Answered<'a, 'b> = (&'a Told<'b>, (Standing, Option<&'a KnownDefinition>));

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
        if let Some(known) = known.filter(|known| quoted.insert(known.item.digests.surface)) {
            out::document(&project.redactor.mask(&known.text()), Form::Json);
        }
    }
    for problem in problems {
        out::line(&format!("problem: {}", project.redactor.mask_log(problem)));
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
                    "text": known.filter(|_| bad).map(|known| project.redactor.mask(&known.text()).into_owned()),
                },
            })
        })
        .collect();
    let problems: Vec<_> = problems.iter().map(|problem| shown(problem)).collect();
    let document = json!({"format": "pinwatch.evidence.v1", "calls": calls, "problems": problems});
    out::document(&indented(&document, &is_hidden), Form::Json);
}
