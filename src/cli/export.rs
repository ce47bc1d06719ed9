//! `pinwatch export`: what other systems take, made of approved pins alone, or of one live look for what only observes.

use super::look::{Looked, Opinions, finish, look_at};
use super::open;
use super::{Export, Exported, Global, input, out, output};
use crate::decisions::BaselineState;
use crate::digest::{DigestScope, Item, Surface};
use crate::error::Exit;
use crate::interop::assay::{self, Extent, Observed};
use crate::interop::mcptrust::{self, Locked, Version};
use crate::pin::Baseline;
use crate::project::Project;
use crate::store::utc;
use crate::surface::{Completeness, Kind, Launch};
use crate::text::{Form, disarmed};
use anyhow::{Context as _, bail};
use jiff::Timestamp;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// Makes the document, and writes it where it was asked for: whole, or not at all.
pub async fn run(global: &Global, export: &Export) -> anyhow::Result<Exit> {
    if (export.what == Exported::AssayCandidate) != export.from.is_some() {
        bail!("--from names the observed manifest of which assay-candidate is made, and goes with nothing else");
    }
    if export.lock_version.is_some() && export.what != Exported::McpLock {
        bail!("--lock-version goes with mcp-lock alone");
    }
    if export.server_id.is_some() && export.what == Exported::McpLock {
        bail!("a lock holds no id of the server: --server-id goes with Assay's formats");
    }
    let project = open::open(global, None)?;
    // A refusal may quote a name in which a secret stands.
    let masked = |error: anyhow::Error| anyhow::anyhow!("{}", project.redactor.mask(&format!("{error:#}")));
    let made = make(&project, export).await.map_err(masked)?;
    if let Some(name) = project.redactor.find(made.as_bytes()) {
        bail!("it would hold the secret {name}, which was passed to the server: nothing was written");
    }
    match &export.output {
        None => out::document(&made, Form::Json),
        Some(path) => {
            output::write_new(path, &disarmed(&made, Form::Json), export.force)?;
            out::note(&format!("{} of {} is in {}", export.what.word(), export.server, path.display()));
        }
    }
    Ok(Exit::Fine)
}

async fn make(project: &Project, export: &Export) -> anyhow::Result<String> {
    let server = export.server.as_str();
    let id = export.server_id.as_deref().unwrap_or(server);
    match export.what {
        Exported::AssayObserved => observed(project, server, id).await,
        Exported::AssayCandidate => candidate(export.from.as_deref().unwrap_or(Path::new("")), id),
        Exported::AssayPins => Ok(assay::pins(id, &approved(&*baseline(project, server)?, Kind::Tool)?)?),
        Exported::AssayDeclared => {
            Ok(assay::declared(id, &read(&approved(&*baseline(project, server)?, Kind::Tool)?))?)
        }
        Exported::McpLock => lock(&*baseline(project, server)?, export.lock_version.unwrap_or(3)),
    }
}

fn baseline(project: &Project, server: &str) -> anyhow::Result<std::sync::Arc<Baseline>> {
    match project.baseline(server) {
        BaselineState::Present(baseline) => Ok(baseline),
        BaselineState::Refused(why) => bail!("the baseline is refused: {why}"),
        BaselineState::Verifying | BaselineState::Absent => {
            bail!("{server} has no baseline: nothing of it is approved, and nothing else is exported")
        }
    }
}

/// The approved items of a kind, each with one reading.
fn approved(baseline: &Baseline, kind: Kind) -> anyhow::Result<Vec<&Item>> {
    let items = baseline.pins.iter().map(|pin| pin.item.as_ref()).filter(|item| item.id.kind == kind);
    items.map(|item| readable(item).map(|()| item)).collect()
}

/// Refuses what readers would not agree on. A number beyond a double is read as the nearest one by every system here.
fn readable(item: &Item) -> anyhow::Result<()> {
    let codes = item.definition.codes.iter().filter(|code| **code != crate::canon::Code::Number);
    match codes.map(|code| code.sentence()).next() {
        None => Ok(()),
        Some(why) => bail!("the {} `{}` is ambiguous: {why}", item.id.kind, item.id.key),
    }
}

fn read(items: &[&Item]) -> Vec<Value> {
    items.iter().map(|item| mcptrust::as_read(item)).collect()
}

async fn observed(project: &Project, server: &str, id: &str) -> anyhow::Result<String> {
    let looked = look_at(project, project.select(&[server.to_owned()])?, Opinions::NotAsked).await;
    let made = match looked.first() {
        None => bail!("{server} could not be read"),
        Some(looked) => observed_tools(project, looked).map(|tools| assay::observed(id, &tools, Extent::Complete)),
    };
    finish(looked).await;
    made
}

/// The tools of a look, where it saw all of them and each has one reading.
fn observed_tools(project: &Project, looked: &Looked) -> anyhow::Result<Vec<Value>> {
    let server = &looked.config.id;
    // Of the observation: what the policy leaves out of a comparison is served all the same.
    let surface = Surface::read(&looked.observation, None, &DigestScope::None, project.limits.depth);
    match surface.completeness.get(&Kind::Tool) {
        Some(Completeness::Complete) => {}
        Some(Completeness::Partial(reason)) => {
            bail!("the tools of {server} were read in part: {} ({})", reason.text, reason.code)
        }
        Some(Completeness::Failed(reason)) => {
            bail!("the tools of {server} could not be read: {} ({})", reason.text, reason.code)
        }
        Some(Completeness::Ignored) | None => bail!("`ignore-kinds` of {server} leaves out its tools"),
    }
    let tools: Vec<&Item> = surface.of_kind(Kind::Tool).map(AsRef::as_ref).collect();
    let mut names = BTreeSet::new();
    for tool in &tools {
        readable(tool)?;
        if !names.insert(&tool.id.key) {
            bail!("{server} lists two tools `{}`: which one is meant is ambiguous", tool.id.key);
        }
    }
    Ok(read(&tools))
}

fn candidate(from: &Path, id: &str) -> anyhow::Result<String> {
    let name = from.display();
    let bytes = input::read(from)?;
    let seen = Observed::read(&bytes).with_context(|| format!("{name} is not an observed manifest"))?;
    if seen.server_id != id {
        bail!("{name} is of the server `{}`, not of `{id}`; --server-id says what Assay calls it", seen.server_id);
    }
    assay::candidate(&bytes).with_context(|| format!("no candidate is made of {name}"))
}

fn lock(baseline: &Baseline, version: u8) -> anyhow::Result<String> {
    let version = if version == 2 { Version::V2 } else { Version::V3 };
    let of_kind = |kind| approved(baseline, kind).map(|items| read(&items));
    let shown = mcptrust::Shown {
        tools: of_kind(Kind::Tool)?,
        prompts: of_kind(Kind::Prompt)?,
        templates: of_kind(Kind::ResourceTemplate)?,
    };
    let one =
        |kind: Kind| baseline.pins.iter().find(|pin| pin.item.id.kind == kind).map(|pin| pin.item.definition.as_read());
    let (name, command) = match version {
        Version::V3 => {
            let info = one(Kind::ServerInfo);
            let name = info.as_ref().and_then(|info| info.get("name")).and_then(Value::as_str).map(str::to_owned);
            let name = name.context("what the server calls itself is not approved: a lock of version 3 names it so")?;
            (name, String::new())
        }
        Version::V1 | Version::V2 => {
            let launch = one(Kind::Launch).and_then(|launch| serde_json::from_value::<Launch>(launch).ok());
            let launch = launch.context("its launch is not approved: a lock of version 2 holds the command")?;
            (String::new(), launch.line())
        }
    };
    let generator = concat!("pinwatch ", env!("CARGO_PKG_VERSION"));
    let locked = Locked::of(version, &name, &command, &shown)?;
    Ok(locked.write(generator, &utc(Timestamp::now()))?)
}
