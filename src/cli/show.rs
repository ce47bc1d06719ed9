//! `pinwatch show`: what a baseline holds, and one item with its digests, definition and decisions. Starts no server.

use super::open;
use super::{Global, Show, out};
use crate::decisions::{BaselineState, is_shown_as, mask_item};
use crate::digest::{DefinitionCluster, Item, MANIFEST_PROJECTION, SurfaceDigest, manifest_of};
use crate::drift::{Override, Risk, Suppression};
use crate::error::{Exit, Printable};
use crate::pin::{Baseline, Decision, Pin};
use crate::project::Project;
use crate::report::digests_json;
use crate::signature::{Keyring, Standing, ToolSignature};
use crate::store::{Decided, utc};
use crate::surface::{ItemId, Kind};
use crate::text::{Form, is_hidden, visible};
use anyhow::bail;
use std::collections::BTreeSet;

/// Prints it.
pub fn run(global: &Global, show: &Show) -> anyhow::Result<Exit> {
    let project = open::open(global, None)?;
    let server = show.server.as_str();
    let baseline = match project.baseline(server) {
        BaselineState::Present(baseline) => baseline,
        BaselineState::Verifying | BaselineState::Absent => {
            let (name, root) = (visible(server), project.config.root.path().to_string_lossy());
            let command = global.again(None, &project.redactor).record(server, "");
            bail!(Printable(format!("{name} has no baseline in {}; record one: {command}", visible(&root))))
        }
        BaselineState::Refused(why) => bail!("the baseline is refused: {why}"),
    };
    match &show.item {
        None => list(&project, &baseline),
        Some(item) => one(&project, global, &baseline, item),
    }
}

fn list(project: &Project, baseline: &Baseline) -> anyhow::Result<Exit> {
    if let Some(server) = project.config.servers.iter().find(|server| *server.id == *baseline.server) {
        for sentence in project.gate.resolved(server).sentences() {
            out::line(&format!("resolves  {sentence}"));
        }
    }
    let here = project.desk.store.decided_here(baseline)?;
    let name = |id: &ItemId| visible(&project.name(id));
    let width = baseline.pins.iter().map(|pin| name(&pin.item.id).as_str().len()).max().unwrap_or(0).min(48);
    for pin in &baseline.pins {
        let shown = name(&pin.item.id);
        let decided = words(&pin.decision, in_the_file(&here, pin));
        out::print(&format!("{shown:width$}  {}  {decided}\n", pin.item.digests.surface));
        if let Some(cluster) = pin.item.digests.definition {
            out::print(&format!("{:width$}  definition {}\n", "", cluster.digest()));
        } else if pin.item.id.kind == Kind::Tool {
            out::print(&format!("{:width$}  definition not visible\n", ""));
        }
        let keyring = &project.desk.rules.signatures;
        // Where nobody signs, that a tool is not signed says nothing.
        let told = |one: &ToolSignature| one.standing != Standing::Unsigned || !keyring.keys.is_empty();
        if let Some(signature) = ToolSignature::of_item(&pin.item, keyring).filter(told) {
            out::print(&format!("{:width$}  signature {}\n", "", visible(&signature.to_string())));
        }
        if let Some(risk) = Risk::of_item(&pin.item) {
            out::print(&format!("{:width$}  risk level (MCPTrust's words): {risk}\n", ""));
        }
    }
    if baseline.pins.iter().any(|pin| pin.item.id.kind == Kind::Tool) {
        out::line(&format!(
            "definition  {}, digest scope {}",
            DefinitionCluster::profile(),
            baseline.digest_scope.word()
        ));
    }
    if let Some(manifest) = manifest_of(baseline.pins.iter().map(|pin| pin.item.as_ref())) {
        out::line(&format!("manifest    sha256:{manifest} ({MANIFEST_PROJECTION})"));
    }
    for rejection in &baseline.rejections {
        let shown = name(&rejection.item.id);
        out::print(&format!(
            "{shown:width$}  {}  {}\n",
            rejection.item.digests.surface,
            words(&rejection.decision, "")
        ));
    }
    for snapshot in project.desk.store.snapshots(&baseline.server)? {
        out::line(&format!("snapshot {}", snapshot.path.display()));
    }
    Ok(Exit::Fine)
}

/// Says of a pin that this machine's log does not know its decision.
fn in_the_file(here: &BTreeSet<Decided>, pin: &Pin) -> &'static str {
    if here.contains(&(pin.item.id.clone(), pin.binds_to())) { "" } else { " (in the file)" }
}

/// `approved by ana (in the file) 2026-11-27T20:31:00Z "first record"`, printable.
fn words(decision: &Decision, place: &str) -> String {
    let note = if decision.note.is_empty() { String::new() } else { format!(" {:?}", decision.note) };
    visible(&format!("{} by {}{place} {}{note}", decision.state.word(), decision.by, decision.at)).to_string()
}

fn one(project: &Project, global: &Global, baseline: &Baseline, id: &ItemId) -> anyhow::Result<Exit> {
    let is_meant = |other: &ItemId| is_shown_as(other, id, &project.redactor);
    let pins: Vec<_> = baseline.pins.iter().filter(|pin| is_meant(&pin.item.id)).collect();
    let rejections: Vec<_> = baseline.rejections.iter().filter(|rejection| is_meant(&rejection.item.id)).collect();
    if pins.is_empty() && rejections.is_empty() {
        let (server, item) = (visible(&baseline.server), visible(&project.name(id)).to_string());
        let command = global.again(None, &project.redactor).show(&baseline.server);
        bail!(Printable(format!("{server} neither pins nor rejects {item}; `{command}` lists what it does")));
    }
    let server = baseline.server.as_str();
    let here = project.desk.store.decided_here(baseline)?;
    for pin in pins {
        let decided = words(&pin.decision, in_the_file(&here, pin));
        item(&mask_item(&pin.item, &project.redactor), &decided, &project.desk.rules.signatures);
        for pointer in &pin.varies {
            out::line(&format!("varies    {pointer}"));
        }
        exceptions(project, server, id, pin.item.digests.surface);
    }
    for rejection in rejections {
        let decided = words(&rejection.decision, "");
        item(&mask_item(&rejection.item, &project.redactor), &decided, &project.desk.rules.signatures);
        exceptions(project, server, id, rejection.item.digests.surface);
    }
    let history = project.desk.store.log().history()?;
    for record in history.of(&project.desk.store.root().name(), &baseline.server) {
        if record.entry.item.as_ref().is_some_and(is_meant) {
            let to = record.entry.to.map_or_else(|| "none".to_owned(), |digest| digest.to_string());
            let (at, word, by) = (utc(record.entry.at), record.entry.event.word(), &record.entry.by);
            out::line(&format!("log       {at} {word} {to} by {by} {:?}", record.entry.note));
        }
    }
    Ok(Exit::Fine)
}

/// What the project's policy says of this definition.
fn exceptions(project: &Project, server: &str, id: &ItemId, digest: SurfaceDigest) {
    let exceptions = &project.config.policy.rules.exceptions;
    let suppressions =
        exceptions.suppressions.iter().filter(|one| one.is_of(server, id, digest)).map(Suppression::sentence);
    let overrides = exceptions.overrides.iter().filter(|one| one.fits(server, id)).map(Override::sentence);
    for sentence in suppressions.chain(overrides) {
        out::line(&format!("policy    {sentence}"));
    }
}

fn item(item: &Item, decided: &str, keyring: &Keyring) {
    out::line(&item.id.text());
    out::print(&format!("decision  {decided}\n"));
    for code in &item.definition.codes {
        out::line(&format!("ambiguous {}: {}", code.word(), code.sentence()));
    }
    if let Some(signature) = ToolSignature::of_item(item, keyring) {
        out::line(&format!("signature {signature}"));
    }
    if let Some(risk) = Risk::of_item(item) {
        out::line(&format!("risk level (MCPTrust's words): {risk}"));
    }
    out::document(&crate::canon::indented(&digests_json(item), &is_hidden), Form::Json);
    match item.definition.exact() {
        Some(value) => out::document(&crate::canon::indented(&value, &is_hidden), Form::Json),
        None => out::line(&item.definition.characters()),
    }
}
