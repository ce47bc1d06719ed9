//! `pinwatch compare`: what a server shows against a file of another system. Its hashes say that something changed; the
//! definitions that pinwatch has say what.

mod foreign;
mod known;

use super::look::{Opinions, finish, look_at};
use super::open;
use super::{Compare, CompareFormat, Global, input, out};
use crate::config::ServerConfig;
use crate::digest::{DigestScope, Surface};
use crate::error::Exit;
use crate::interop::mcptrust::{FailOn, Locked, Seal, report};
use crate::project::Project;
use crate::signature::PublicKey;
use crate::surface::{ItemId, Overall};
use crate::text::{Form, count, utf8};
use anyhow::{Context as _, bail};
use foreign::{Foreign, Outcome, Told};
use known::Candidates;
use std::path::Path;

/// Compares and prints. Exit 1 where something differs, 2 where something could not be told.
pub async fn run(global: &Global, compare: &Compare) -> anyhow::Result<Exit> {
    let bytes = input::read(&compare.file)?;
    let name = compare.file.display().to_string();
    let foreign = Foreign::read(&bytes).with_context(|| format!("{name} cannot be compared"))?;
    let lock = foreign.lock();
    if lock.is_none() && (compare.sig.is_some() || compare.format == CompareFormat::Mcptrust) {
        bail!("{name} is not an MCPTrust lock; --sig, --key and --format mcptrust need one");
    }
    let sealed = match (&compare.sig, &compare.key) {
        (Some(sig), Some(key)) => Some(sealed(&bytes, sig, key)?),
        _ => None,
    };
    let project = open::open(global, None)?;
    let config = server(&project, compare, &foreign)?;
    let id = config.id.to_string();
    let looked = look_at(&project, vec![config], Opinions::NotAsked).await;
    let Some(live) = looked.first() else { bail!("{id} could not be read") };
    if let Overall::Failed(reason) = live.overall() {
        bail!("{id} could not be read: {} ({})", reason.text, reason.code);
    }
    // Of the observation: what the policy leaves out of a comparison is served all the same.
    let surface = Surface::read(&live.observation, None, &DigestScope::None, project.limits.depth);
    let outcome = foreign.compare(compare.server_id.as_deref().unwrap_or(&id), &surface);
    match (compare.format, lock) {
        (CompareFormat::Mcptrust, Some(lock)) => print_report(&project, &name, lock, &outcome, sealed.as_ref()),
        (CompareFormat::Text, _) | (CompareFormat::Mcptrust, None) => {
            out::line(&format!("{name} ({}) against {id}", foreign.what()));
            if let Some(sealed) = &sealed {
                out::line(&sealed.says);
            }
            print(&project, &id, &foreign, &outcome, &surface);
        }
    }
    finish(looked).await;
    Ok(exit(compare, &outcome, sealed.as_ref()))
}

fn exit(compare: &Compare, outcome: &Outcome, sealed: Option<&Sealed>) -> Exit {
    // That form has an outcome of its own, and a program reads both.
    let differs = match compare.format {
        CompareFormat::Text => !outcome.told.is_empty(),
        CompareFormat::Mcptrust => outcome.told.iter().any(|told| told.severity == "critical"),
    };
    if differs || sealed.is_some_and(|sealed| !sealed.holds) {
        Exit::Drift
    } else if outcome.unclear.is_empty() {
        Exit::Fine
    } else {
        Exit::Unknown
    }
}

/// What the signature of a lock is.
struct Sealed {
    holds: bool,
    says: String,
}

fn sealed(lock: &[u8], sig: &Path, key: &Path) -> anyhow::Result<Sealed> {
    let text = |path: &Path| -> anyhow::Result<String> {
        let bytes = input::read(path)?;
        let text = utf8(&bytes).ok().and_then(|bytes| String::from_utf8(bytes.to_vec()).ok());
        text.with_context(|| format!("{} is not text", path.display()))
    };
    let public = PublicKey::parse(&text(key)?).with_context(|| format!("{} is not a public key", key.display()))?;
    let seal = Seal::parse(&text(sig)?).with_context(|| format!("{} is not a signature", sig.display()))?;
    let holds = seal.holds(lock, &public).with_context(|| format!("{} cannot be checked", sig.display()))?;
    let (word, form) = (if holds { "holds" } else { "does not hold" }, seal.canon().word());
    Ok(Sealed {
        holds,
        says: format!("signature {word}: by the key in {}, over the lock's {form} text", key.display()),
    })
}

/// The server that is meant: the one named, the one that the file names, or the only one.
fn server(project: &Project, compare: &Compare, foreign: &Foreign) -> anyhow::Result<ServerConfig> {
    if let Some(name) = &compare.server {
        let mut found = project.select(std::slice::from_ref(name))?;
        return found.pop().with_context(|| format!("no server `{name}`"));
    }
    let servers = &project.config.servers;
    let named = foreign.server().and_then(|id| servers.iter().find(|server| *server.id == *id));
    match (named, servers.as_slice()) {
        (Some(server), _) => Ok(server.clone()),
        (None, [only]) => Ok(only.clone()),
        (None, []) => bail!("no server is configured here: there is nothing to compare with"),
        (None, several) => {
            let known: Vec<_> = several.iter().map(|server| server.id.as_ref()).collect();
            bail!("which server is it? Name one of {}", known.join(", "))
        }
    }
}

fn print_report(project: &Project, name: &str, lock: &Locked, outcome: &Outcome, sealed: Option<&Sealed>) {
    let server = lock.server.clone().unwrap_or_default();
    let text = report(lock, name, &server, &outcome.differences, FailOn::Critical);
    out::document(&project.redactor.mask(&text), Form::Json);
    for unclear in outcome.unclear.iter().chain(sealed.map(|sealed| &sealed.says)) {
        out::note(&project.redactor.mask(unclear));
    }
}

fn print(project: &Project, server: &str, foreign: &Foreign, outcome: &Outcome, surface: &Surface) {
    // Without a difference no snapshot is read.
    let known = if outcome.told.is_empty() { Candidates::nothing(project) } else { Candidates::of(project, server) };
    let is_served = |id: &ItemId| surface.items.iter().any(|served| served.id == *id);
    let ids = outcome.told.iter().map(|told| &told.item).filter(|id| foreign.has(id) && is_served(id)).collect();
    let shown = known.shows(foreign, &ids, surface);
    let line = |text: &str| out::line(&project.redactor.mask(text));
    for (at, told) in outcome.told.iter().enumerate() {
        let Told { severity, code, item, says } = told;
        line(&format!("{severity:8} {code} {}/{}: {says}", item.kind, item.key));
        let is_last = outcome.told.get(at + 1).is_none_or(|next| next.item != *item);
        for text in shown.get(item).filter(|_| is_last).into_iter().flatten() {
            // Escaped and masked there.
            out::print(&format!("  {text}\n"));
        }
    }
    for text in outcome.unclear.iter().map(|text| format!("unclear  {text}")).chain(outcome.notes.iter().cloned()) {
        line(&text);
    }
    out::line(&match (outcome.told.len(), outcome.unclear.len()) {
        (0, 0) => "equal".to_owned(),
        (0, _) => "no difference is known, and not all of it could be compared".to_owned(),
        (several, _) => count(several, "difference"),
    });
}
