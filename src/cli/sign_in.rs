//! `pinwatch sign-in` and `pinwatch sign-out`: the sign-in that is kept for a server's URL.

use super::{Global, SignIn, SignOut, open, out};
use crate::config::ServerConfig;
use crate::decisions::takes_sign_in;
use crate::error::Exit;
use crate::mcp;
use crate::monitor::asks_to_sign_in;
use crate::project::Project;
use crate::surface::Reason;
use crate::text::{count, shell_argument, shell_word};
use anyhow::{anyhow, bail};
use jiff::Timestamp;
use std::collections::BTreeSet;

/// Signs in, or says why not.
pub async fn sign_in(global: &Global, wanted: &SignIn) -> anyhow::Result<Exit> {
    let project = open::open(global, None)?;
    let config = selected(&project, &wanted.server)?;
    if config.sign_in.is_machine {
        bail!("{} signs in without a person, by its `client-secret`", config.id);
    }
    if let Some(asked) = project.gate.ask(&config).map_err(told)? {
        let place = asked.request.origin.display().to_string();
        bail!(
            "consent is needed to open {}, from {place}: agree in `pinwatch watch`, or with --yes",
            config.shared.line()
        );
    }
    let baseline = project.baseline(&config.id);
    let asked = asks_to_sign_in(&config, &baseline, &project.limits, &project.sign_ins).await.map_err(told)?;
    let Some((challenge, before)) = asked else {
        out::line(&format!("{}: nothing to do, the server answers as it is", config.id));
        return Ok(Exit::Fine);
    };
    let flow = project.sign_ins.flow(&config, &challenge, before.as_ref()).map_err(told)?;
    let located = flow.locate().await.map_err(told)?;
    if !is_agreed(&config, wanted, &flow, located.hosts()) {
        return Ok(Exit::Unknown);
    }
    let known = flow.meet(located).await.map_err(told)?;
    if !is_agreed(&config, wanted, &flow, known.hosts()) {
        return Ok(Exit::Unknown);
    }
    let begun = flow.begin(known).await.map_err(told)?;
    out::line(&format!("{}: open this URL in your browser and agree there; waiting for it", config.id));
    out::line(&begun.url);
    let signed_in = begun.finish().await.map_err(told)?;
    let kept = project.sign_ins.keep(&signed_in).await.map_err(told)?;
    project.desk.signed_in(&config.id, &signed_in, Timestamp::now())?;
    out::line(&format!("{}: signed in ({}); kept in {}", config.id, signed_in.scope_text(), kept));
    Ok(Exit::Fine)
}

/// Forgets a sign-in.
pub async fn sign_out(global: &Global, wanted: &SignOut) -> anyhow::Result<Exit> {
    let project = open::open(global, None)?;
    let config = selected(&project, &wanted.server)?;
    if !project.sign_ins.forget(&config).await.map_err(told)? {
        out::line(&format!("{}: nobody is signed in", config.id));
        return Ok(Exit::Unknown);
    }
    project.desk.signed_out(&config.id, Timestamp::now())?;
    out::line(&format!("{}: signed out here; its authorization server was not told", config.id));
    Ok(Exit::Fine)
}

fn selected(project: &Project, name: &str) -> anyhow::Result<ServerConfig> {
    let found = project.select(&[name.to_owned()])?.into_iter().next();
    let config = found.ok_or_else(|| anyhow!("no server `{name}`"))?;
    if !takes_sign_in(&config) {
        bail!("{name} is not signed in to: it is no URL, or its entry sends an `Authorization` of its own");
    }
    Ok(config)
}

/// Whether every host that is spoken to next was agreed to; else the ones that were not are told.
fn is_agreed(config: &ServerConfig, wanted: &SignIn, flow: &mcp::SignIn, hosts: BTreeSet<String>) -> bool {
    let open: Vec<_> = flow.strangers(hosts).into_iter().filter(|host| !wanted.agree.contains(host)).collect();
    if open.is_empty() {
        return true;
    }
    let words = wanted.agree.iter().chain(&open).map(|host| format!(" --agree {}", shell_argument(host)));
    let (many, words) = (count(open.len(), "other host"), words.collect::<String>());
    out::line(&format!("{}: one signs in at {many}: {}", config.id, open.join(", ")));
    out::line("You type your password there, and it decides who you are. If that is right:");
    out::line(&format!("  pinwatch sign-in {}{words}", shell_word(&config.id)));
    false
}

fn told(Reason { code, text }: Reason) -> anyhow::Error {
    anyhow!("{text} ({code})")
}
