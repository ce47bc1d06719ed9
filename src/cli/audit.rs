//! `pinwatch audit`: whether the chain of decisions holds, its head to commit, and its records for other programs.

use super::{Audit, AuditExport, AuditFormat, AuditVerify, Global, open, out, output};
use crate::audit::Head;
use crate::canon::read_plain;
use crate::error::Exit;
use crate::project::Project;
use crate::store::{StoreError, Verified, verify};
use crate::text::{Form, count, visible};
use anyhow::{Context as _, bail};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};

/// Where heads are committed: beside the baselines, a line each, of every machine.
pub const HEADS: &str = "snapshots/audit-heads.jsonl";

/// Verifies, prints the head, or exports.
pub fn run(global: &Global, audit: &Audit) -> anyhow::Result<Exit> {
    let project = open::open(global, None)?;
    match audit {
        Audit::Verify(arguments) => verified(&project, arguments),
        Audit::Head => head(&project),
        Audit::Export(arguments) => export(&project, arguments),
    }
}

/// A chain, and the file that it is in.
fn read(project: &Project, file: Option<&Path>) -> anyhow::Result<(Verified, PathBuf)> {
    let log = project.desk.store.log();
    let Some(file) = file else { return Ok((log.verify()?, log.path())) };
    let opened = File::open(file).and_then(verify);
    Ok((opened.with_context(|| format!("{} cannot be read", file.display()))?, file.to_owned()))
}

fn verified(project: &Project, arguments: &AuditVerify) -> anyhow::Result<Exit> {
    let (found, path) = read(project, arguments.file.as_deref())?;
    let shown = path.display();
    if let Some((record, fault)) = &found.broken {
        out::line(&format!("{shown}: record {record} does not hold: {fault}"));
        return Ok(Exit::Drift);
    }
    let (heads, none_of_ours) = heads(project, arguments.file.as_deref(), arguments.head.as_deref())?;
    if let Some(said) = none_of_ours {
        out::line(&said);
    }
    if let Err(fault) = found.chain.holds(&heads) {
        out::line(&format!("{shown}: record {} does not hold: {fault}", fault.record));
        return Ok(Exit::Drift);
    }
    out::line(&format!("{shown}: {}", summary(&found)));
    if found.torn {
        out::line("its last line was cut off while it was written: it was never reported as done");
    }
    if let Some(last) = heads.iter().map(|head| head.record).max() {
        out::line(&format!(
            "{} in place; up to record {last} it is what was committed",
            count(heads.len(), "committed head")
        ));
    } else if !found.chain.is_empty() {
        out::line("this proves order, not honesty: who can write the file can compute all of it anew.");
        out::line(&format!("Commit a head, and that shows: pinwatch audit head >> {HEADS}"));
    }
    Ok(Exit::Fine)
}

/// The chain in a few words.
fn summary(found: &Verified) -> String {
    match found.chain.last() {
        None => "no record yet".to_owned(),
        Some(last) => format!("{} in order, the last one {last}", count(found.chain.len(), "record")),
    }
}

/// The heads that a chain is held to, and what is said where those that were committed are of other machines alone.
fn heads(project: &Project, file: Option<&Path>, head: Option<&Path>) -> anyhow::Result<(Vec<Head>, Option<String>)> {
    let committed = project.desk.store.root().path().join(HEADS);
    let path = match (head, file) {
        (Some(path), _) => path,
        // Heads of this project are those of this machine's log, not of any file.
        (None, None) if committed.symlink_metadata().is_ok() => &committed,
        (None, _) => return Ok((Vec::new(), None)),
    };
    let bytes = super::input::read(path)?;
    let mut heads = Vec::new();
    for (at, line) in bytes.split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| !line.is_empty()) {
        heads.push(Head::read(line).with_context(|| format!("{}: line {} is no head", path.display(), at + 1))?);
    }
    if heads.is_empty() {
        bail!("{} holds no head", path.display());
    }
    let machines: BTreeSet<_> = heads.iter().map(|head| head.machine.clone()).collect();
    if file.is_some() {
        if machines.len() > 1 {
            bail!("{} holds heads of several machines: give those of the file's own", path.display());
        }
        return Ok((heads, None));
    }
    let own = project.gate.machine()?;
    heads.retain(|head| Some(&head.machine) == own.as_ref());
    let others = count(machines.len(), "other");
    let said = format!("{} holds no head of this machine, only of {others}", path.display());
    let none_of_ours = heads.is_empty().then_some(said);
    Ok((heads, none_of_ours))
}

/// Prints the last record as a line to commit.
fn head(project: &Project) -> anyhow::Result<Exit> {
    let (found, path) = read(project, None)?;
    if let Some((record, fault)) = &found.broken {
        out::note(&format!("{}: record {record} does not hold: {fault}", path.display()));
        return Ok(Exit::Drift);
    }
    let Some(hash) = found.chain.last() else { bail!("{}: no record yet", path.display()) };
    let head = Head { machine: project.gate.make_machine()?, record: found.chain.len(), hash: *hash };
    out::document(&format!("{}\n", head.to_json()), Form::Json);
    Ok(Exit::Fine)
}

/// Writes the records; where the chain does not hold, that is said and is exit 1.
fn export(project: &Project, arguments: &AuditExport) -> anyhow::Result<Exit> {
    let (found, path) = read(project, None)?;
    let bytes = match std::fs::read(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        read => read.map_err(|source| StoreError::Damaged { path: path.clone(), problem: source.to_string() })?,
    };
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').filter_map(|line| line.strip_suffix(b"\n"));
    let text = match arguments.format {
        AuditFormat::Jsonl => lines.map(|line| String::from_utf8_lossy(line).into_owned() + "\n").collect(),
        AuditFormat::Csv => {
            HEADER.to_owned() + &lines.enumerate().map(|(at, line)| row(at + 1, line)).collect::<String>()
        }
    };
    match &arguments.output {
        Some(file) => output::write(file, &text)?,
        None => out::document(&text, if arguments.format == AuditFormat::Jsonl { Form::Json } else { Form::Text }),
    }
    if let Some((record, fault)) = &found.broken {
        out::note(&format!("{}: record {record} does not hold: {fault}", path.display()));
        return Ok(Exit::Drift);
    }
    Ok(Exit::Fine)
}

const HEADER: &str =
    "record,occurred_at,event_type,outcome,principal_id,server,kind,key,from,to,severity,note,policy_id,event_hash\r\n";

const NOTE: &str = "/evidence/note";

/// A record as a row (RFC 4180). What a spreadsheet would compute stands as text.
fn row(number: usize, line: &[u8]) -> String {
    let record = read_plain(line).unwrap_or(Value::Null);
    // What was seen has no note: its sentence names the first of many items.
    let sentence = || record.pointer("/extensions/caller-governance/purpose_declared");
    let cell = |pointer: &str| {
        let found = record.pointer(pointer).or_else(|| if pointer == NOTE { sentence() } else { None });
        let text = found.and_then(Value::as_str).unwrap_or_default();
        let shown = visible(text).to_string();
        let formula = if shown.starts_with(['=', '+', '-', '@']) { "'" } else { "" };
        format!("\"{formula}{}\"", shown.replace('"', "\"\""))
    };
    let cells = [
        "/occurred_at",
        "/event_type",
        "/outcome",
        "/principal_id",
        "/evidence/server",
        "/evidence/kind",
        "/evidence/key",
        "/evidence/from",
        "/evidence/to",
        "/evidence/severity",
        NOTE,
        "/extensions/runtime-security/policy_id",
        "/event_hash",
    ]
    .map(cell);
    format!("{number},{}\r\n", cells.join(","))
}

/// This machine's log where it holds, with the heads that were committed in their place; else why not.
pub fn held(project: &Project) -> Result<Verified, String> {
    let found = project.desk.store.log().verify().map_err(|error| error.to_string())?;
    if let Some((record, fault)) = &found.broken {
        return Err(format!("record {record} does not hold: {fault}"));
    }
    let (heads, _) = heads(project, None, None).map_err(|error| format!("{error:#}"))?;
    let holds = found.chain.holds(&heads);
    holds.map_err(|fault| format!("record {} does not hold: {fault}", fault.record)).map(|()| found)
}

/// The line of `doctor`.
pub fn standing(project: &Project) -> Result<String, String> {
    held(project).map(|found| summary(&found))
}
