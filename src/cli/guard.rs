//! `pinwatch guard`: stands between a client and a server. Standard output is the client's; what is told goes to standard
//! error, which clients keep as a log.

mod install;

use super::open::open_at_root;
use super::{Global, Guard, GuardSetup, Stand, out};
use crate::error::{Exit, describe};
use crate::relay::{Door, Ended, Launch, Running, Wanted, relay, serve};
use crate::store::{Places, Root, uuid};
use anyhow::{Context as _, bail};
use install::Act;
use std::collections::BTreeSet;

/// Sets guards up, or is one.
pub async fn run(global: &Global, guard: &Guard) -> anyhow::Result<Exit> {
    match (guard.stands(), &guard.setup) {
        (Some((server, stand)), _) => relay_of(global, server, stand).await,
        (None, Some(GuardSetup::Install(wanted))) => install::run(global, wanted, Act::Install),
        (None, Some(GuardSetup::Uninstall(wanted))) => install::run(global, wanted, Act::Uninstall),
        (None, None) => bail!("the guard of which server?"),
    }
}

/// Carries lines until one side ends, or listens until it is ended.
async fn relay_of(global: &Global, server: &str, stand: &Stand) -> anyhow::Result<Exit> {
    if global.root.as_ref().is_none_or(|root| !root.is_absolute()) {
        bail!("--root must be an absolute path: a client starts the guard in any folder");
    }
    let places = Places::from_env(|name| std::env::var_os(name))?;
    let root =
        global.root.as_ref().map(|root| root.canonicalize().unwrap_or_else(|_| root.clone())).unwrap_or_default();
    let running = Running::start(&places, server, &Root::at(&root).name());
    let options = global.clone();
    let opener = move |ad_hoc: Option<&_>| open_at_root(&options, ad_hoc).map_err(|error| describe(&error));
    let launch = if stand.listen.is_some() { Launch::Url } else { Launch::Command(stand.command.clone()) };
    let door = Door {
        id: server.to_owned(),
        launch,
        opener: Box::new(opener),
        evidence: wanted(global, stand)?,
        running: running.clone(),
    };
    let mut random = [0; 8];
    getrandom::fill(&mut random).context("no random numbers")?;
    let token = format!("pinwatch-{:016x}", u64::from_le_bytes(random));
    let tell = |text: &str| out::note(&format!("pinwatch guard {server}: {text}"));
    if let Some(listen) = stand.listen {
        let listened = serve(door, token, places, listen, &tell).await;
        running.finish();
        listened.with_context(|| format!("cannot listen on {listen}"))?;
        return Ok(Exit::Fine);
    }
    let ended = relay(door, token, &tell).await;
    running.finish();
    Ok(match ended {
        Ended::Client => Exit::Fine,
        Ended::Server(status) => Exit::Foreign(code(status)),
    })
}

/// The evidence that the command line asks for. Files go from the root: a client starts the guard in any folder.
fn wanted(global: &Global, stand: &Stand) -> anyhow::Result<Wanted> {
    let formats: BTreeSet<_> = stand.evidence.iter().map(|(format, _)| *format).collect();
    if formats.len() < stand.evidence.len() {
        bail!("--evidence names a format twice");
    }
    let root = global.root.clone().unwrap_or_default();
    let files = stand.evidence.iter().map(|(format, file)| (*format, root.join(file)));
    Ok(Wanted { files: files.collect(), strict: stand.strict_evidence, run: uuid()?.replace('-', "") })
}

/// The code that the server ended with; of a signal, the one that shells give it.
fn code(status: Option<std::process::ExitStatus>) -> u8 {
    let Some(status) = status else { return 2 };
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return u8::try_from(128 + signal).unwrap_or(2);
    }
    status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(2)
}
