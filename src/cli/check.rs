//! `pinwatch check`: compare servers with their baselines. Writes nothing into the project but the reports.

use super::look::{Looked, Opinions, STARTS_ANYWAY, finish, look_as};
use super::open;
use super::tell::Telling;
use super::{Check, Format, Global, Wanted, out, output};
use crate::decisions::{BaselineState, mask_identity, mask_review};
use crate::digest::{Sha256, manifest_of};
use crate::error::Exit;
use crate::interop::mcptrust::Verdicts;
use crate::monitor::MOST_CLIENTS;
use crate::monitor::rules::judge_server;
use crate::pin::format::places;
use crate::project::Project;
use crate::project::at_ref::AtRef;
use crate::report::{
    Again, BaselineWord, FailOn, Report, ServerReport, Unwatched, github, json, junit, markdown, sarif, text,
};
use crate::surface::{ClientIdentity, Kind, Notice};
use crate::text::disarmed;
use anyhow::bail;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// Looks, compares, reports.
pub async fn run(global: &Global, check: &Check) -> anyhow::Result<Exit> {
    let fail_on = FailOn::new(check.fail_on.clone()).map_err(anyhow::Error::msg)?;
    let wanted = wanted(check)?;
    let clients = clients(check)?;
    let project = open::open_of_project(global, check.targets.ad_hoc().as_ref(), &check.targets.servers)?;
    let telling = Telling::of(&project);
    let (project, at_ref) = match &check.baseline_ref {
        None => (project, None),
        Some(name) => {
            let cwd = std::env::current_dir()?;
            let config = global.config.as_deref().map(|config| cwd.join(config));
            let (project, at_ref) = AtRef::judge(project, config.as_deref(), check.targets.ad_hoc().as_ref(), name)?;
            (project, Some(at_ref))
        }
    };
    let settings = Arc::clone(&project.config.policy.rules.findings);
    fail_on.among(&settings).map_err(anyhow::Error::msg)?;
    // What stands in the cache of this machine is no part of what a check says.
    let servers = project.select_with_every_entry(&check.targets.servers)?;
    let looked = look_as(&project, servers, Opinions::Anew, clients).await;
    let again = global.again(check.targets.ad_hoc().as_ref(), &project.redactor);
    let mut servers: Vec<_> = looked.iter().map(|looked| server(&project, looked, &again)).collect();
    for (told, looked) in servers.iter_mut().zip(&looked).filter(|(told, _)| told.unwatched.is_none()) {
        told.policy = ruled(&project, looked).await;
    }
    let report = Report {
        profile: project.config.policy.rules.profile.word(),
        policy_digest: project.desk.policy_digest.to_string(),
        judged_by: at_ref.as_ref().map(|at_ref| at_ref.judged_by.clone()),
        problems: project.problems(&check.targets.servers),
        policy_file: policy_file(&project),
        own_rules: settings.rules.clone(),
        servers,
    };
    for Wanted { format, file } in &wanted {
        let rendered = render(&report, *format, &fail_on);
        match file {
            None => out::document(&rendered, format.form()),
            Some(path) => {
                // A step may print the file.
                output::write(path, &disarmed(&rendered, format.form()))?;
                out::note(&format!("{}: the report is in {}", report.outcome().word(), path.display()));
            }
        }
    }
    if let Some(telling) = telling {
        telling.tell(&project, &looked).await;
    }
    finish(looked).await;
    if let Some(at_ref) = at_ref {
        at_ref.close()?;
    }
    Ok(match report.exit_code(&fail_on) {
        0 => Exit::Fine,
        1 => Exit::Drift,
        _ => Exit::Unknown,
    })
}

/// The clients under whose names to look, too; says what that does.
fn clients(check: &Check) -> anyhow::Result<Vec<Arc<ClientIdentity>>> {
    let mut clients: Vec<Arc<ClientIdentity>> = Vec::new();
    for client in &check.shown_to {
        if clients.contains(client) {
            bail!("`{}` is named twice in --as", client.word);
        }
        clients.push(Arc::clone(client));
    }
    if clients.len() > MOST_CLIENTS {
        bail!("--as takes at most {MOST_CLIENTS} clients: servers are started once for each");
    }
    if !clients.is_empty() {
        let says: Vec<_> = clients.iter().map(|client| format!("`{}` {}", client.name, client.version)).collect();
        out::note(&format!(
            "each server is started again for each client of --as, one after another, and told that {} asks",
            says.join(", then ")
        ));
    }
    Ok(clients)
}

/// The reports, each with its place, in the order asked for.
fn wanted(check: &Check) -> anyhow::Result<Vec<Wanted>> {
    let mut wanted = check.format.clone();
    if wanted.is_empty() || (check.output.is_some() && wanted.iter().all(|one| one.file.is_some())) {
        wanted.push(Wanted { format: Format::default(), file: None });
    }
    let mut open = wanted.iter_mut().filter(|one| one.file.is_none());
    if let Some(first) = open.next() {
        first.file.clone_from(&check.output);
    }
    if open.next().is_some() {
        bail!("two reports have no file: write --format FORMAT=FILE, so that only one goes to standard output");
    }
    let mut files = BTreeSet::new();
    if let Some(twice) = wanted.iter().filter_map(|one| one.file.as_ref()).find(|file| !files.insert(*file)) {
        bail!("two reports go to {}", twice.display());
    }
    Ok(wanted)
}

fn render(report: &Report, format: Format, fail_on: &FailOn) -> String {
    match format {
        Format::Text => text(report),
        Format::Json => json(report),
        Format::Sarif => sarif(report),
        Format::Junit => junit(report, fail_on),
        Format::Markdown => markdown(report),
        Format::Github => github(report),
    }
}

/// What came of the policy's rules; what a server wrote is masked in it.
async fn ruled(project: &Project, looked: &Looked) -> Option<Verdicts> {
    let policy = &project.config.policy;
    let place = (project.desk.store.root().path(), &looked.config);
    let seen = (&*looked.surface, looked.baseline.present().map(AsRef::as_ref));
    judge_server((&policy.checks, &policy.rules), place, seen, &project.redactor).await
}

/// One server's part.
fn server(project: &Project, looked: &Looked, again: &Again) -> ServerReport {
    let mut notices = looked.surface.notices.clone();
    if let Some(review) = &looked.review {
        notices.extend(review.notices.iter().filter(|notice| !looked.surface.notices.contains(notice)).cloned());
    }
    let fixed = looked.baseline.present().map(|baseline| &baseline.digest_scope);
    let scope = fixed.and_then(|fixed| fixed.differs_from(&looked.config.digest_scope));
    let watched = looked.config.unwatched_reason().is_none();
    notices.extend(scope.filter(|_| watched).map(|text| Notice { code: "digest-scope", count: 1, text }));
    let store = &project.desk.store;
    let drifted = looked.review.as_ref().is_some_and(|review| !review.drifts.is_empty());
    // Without a drift nothing is pointed at.
    let text = if drifted { store.text_of(&looked.config.id).ok().flatten() } else { None };
    ServerReport {
        id: Arc::clone(&looked.config.id),
        baseline: match &looked.baseline {
            BaselineState::Present(_) => BaselineWord::Present,
            BaselineState::Verifying | BaselineState::Absent => BaselineWord::Absent,
            BaselineState::Refused(why) => BaselineWord::Refused(why.clone()),
        },
        file: file(project, &looked.config.id),
        again: again.clone(),
        places: text.map(|text| places(&text)).unwrap_or_default(),
        digest_scope: looked.scope().word(),
        manifest: manifests(looked),
        keyring: Arc::clone(&project.desk.rules.signatures),
        policy: None,
        overall: looked.overall(),
        unwatched: looked.unwatched().map(|reason| {
            let accepted = looked.baseline.present().and_then(|known| known.accepts_unwatched(reason.code)).cloned();
            Unwatched { starts_anyway: reason.code == STARTS_ANYWAY, reason, accepted }
        }),
        notices,
        identity: mask_identity(&looked.surface.identity, &project.redactor),
        is_held_to_trust: looked.config.trust.is_some(),
        split: looked.split.clone(),
        review: looked.review.as_ref().map(|review| mask_review(review, &project.redactor)),
    }
}

/// Assay's digest of all tools, pinned and served: none of a list that was not read whole.
fn manifests(looked: &Looked) -> [Option<Sha256>; 2] {
    let pinned = looked.baseline.present().and_then(|known| manifest_of(known.pins.iter().map(|pin| &*pin.item)));
    let now =
        looked.surface.is_complete(Kind::Tool).then(|| manifest_of(looked.surface.items.iter().map(AsRef::as_ref)));
    [pinned, now.flatten()]
}

/// The baseline's file as its repository's host names it.
fn file(project: &Project, server: &str) -> String {
    project.desk.store.path_of(server).map_or_else(|_| String::new(), |path| in_repository(project, &path))
}

/// The file of ours that was read.
fn policy_file(project: &Project) -> String {
    let ours = project.config.searched.iter().find(|one| one.client.is_none() && one.is_there());
    ours.map_or_else(String::new, |ours| in_repository(project, &ours.file))
}

/// A path as the repository's host names it.
fn in_repository(project: &Project, path: &Path) -> String {
    let root = project.desk.store.root();
    let base = root.repository().unwrap_or(root.path());
    let parts = path.strip_prefix(base).unwrap_or(path).components();
    parts.map(|part| Path::new(part.as_os_str()).display().to_string()).collect::<Vec<_>>().join("/")
}
