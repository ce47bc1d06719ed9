//! `pinwatch approve` and `pinwatch reject`: a decision on one exact digest, live or on a snapshot.

use super::first_contact::refusal;
use super::look::{Opinions, finish, look_at};
use super::open;
use super::record::{absent, subject};
use super::{Decide, Global, out};
use crate::decisions::{BaselineState, Basis, is_shown_as};
use crate::digest::{DigestScope, Surface, surface_varying};
use crate::error::Exit;
use crate::monitor::{SecondOpinion, compare, identified, without_ignored};
use crate::pin::DecisionState;
use crate::project::Project;
use crate::review::{Review, Row, Subject, varying};
use crate::surface::{ItemId, Overall};
use anyhow::bail;
use jiff::Timestamp;
use std::sync::Arc;

/// Decides, or says why not.
pub async fn run(global: &Global, decide: &Decide, verdict: DecisionState) -> anyhow::Result<Exit> {
    let project = open::open(global, decide.ad_hoc().as_ref())?;
    let server = decide.server.as_str();
    let baseline = project.baseline(server);
    let mut looked = Vec::new();
    let (review, scope, surface) = if let Some(file) = &decide.snapshot {
        let snapshot = project.desk.store.load_snapshot(file)?;
        let of = project.desk.store.server_of(file, &snapshot);
        if of != server {
            bail!("{} is a snapshot of `{of}`, not of `{server}`", file.display());
        }
        let configured = project.config.servers.iter().find(|config| *config.id == *server);
        let scope = baseline.scope(configured.map_or(&DigestScope::None, |config| &config.digest_scope));
        let surface = Surface::read(&snapshot.observation(), None, &scope, project.limits.depth);
        let surface = without_ignored(surface, server, &project.config.policy.rules);
        let surface = match configured {
            Some(config) => identified(surface, config),
            None => surface,
        };
        let rules = &project.config.policy.rules;
        let review = compare(&server.into(), &surface, &baseline, rules, &project.redactor, &SecondOpinion::default());
        (review, scope, Arc::new(surface))
    } else {
        let servers = project.select(std::slice::from_ref(&decide.server))?;
        looked = look_at(&project, servers, Opinions::NotAsked).await;
        let Some(live) = looked.first() else { bail!("{server} could not be read: nothing was decided") };
        if let Overall::Failed(reason) = live.overall() {
            bail!("{server} could not be read: {} ({}): nothing was decided", reason.text, reason.code);
        }
        (live.review.clone(), live.scope(), Arc::clone(&live.surface))
    };
    if let BaselineState::Refused(why) = &baseline {
        bail!("the baseline is refused: {why}");
    }
    let Some(review) = review else { bail!("nothing can be compared: nothing was decided") };
    if review.first_contact && verdict == DecisionState::Approved {
        let again = global.again(decide.ad_hoc().as_ref(), &project.redactor);
        let wanted = decide.item.as_ref().map(|item| (item, project.name(item), decide.expect));
        let wanted = wanted.as_ref().map(|(item, name, digest)| (*item, name.as_str(), *digest));
        bail!(refusal(&again, &review, wanted));
    }
    if verdict == DecisionState::Rejected && !decide.varies.is_empty() {
        bail!("--varies works with approve only: a rejection is of one exact definition");
    }
    let (subjects, what) = subjects(&project, &review, decide)?;
    let seen = Basis { server, surface: &surface, scope: &scope };
    let note = decide.note.as_deref().unwrap_or_default();
    project.desk.decide(&seen, verdict, &subjects, note, Timestamp::now())?;
    if let Some(config) = project.config.servers.iter().find(|config| *config.id == *server) {
        project.desk.remember_origins(config);
    }
    let path = project.desk.store.path_of(server)?;
    out::line(&format!("{} {what} of {server} in {}", verdict.word(), path.display()));
    finish(looked).await;
    Ok(Exit::Fine)
}

/// The row of an item whose digest, but for the values that shall vary, is the one expected: those values may be others
/// by now.
fn varying_subject(project: &Project, review: &Review, item: &ItemId, decide: &Decide) -> anyhow::Result<Subject> {
    let is_meant = |row: &&Row| is_shown_as(&row.id.item, item, &project.redactor);
    let rows: Vec<_> = review.rows.iter().filter(is_meant).collect();
    let mut met = None;
    for row in rows {
        let Some(now) = &row.now else { continue };
        let varies = varying(row.pin.as_deref(), now, &decide.varies)?;
        let digest = surface_varying(item.kind, &now.definition, &varies);
        // A report knows the places that are new; without those that the pin allows already it is the stricter digest.
        let mut new = decide.varies.clone();
        new.sort();
        let stricter = surface_varying(item.kind, &now.definition, &new);
        if [digest, stricter, now.digests.surface].contains(&decide.expect) {
            return Ok(Subject::of(row, now.digests.surface).letting_vary(decide.varies.clone()));
        }
        met = Some(digest);
    }
    let name = project.name(item);
    match met {
        Some(now) => {
            bail!("{name} without those values is now {now}, not the expected digest: nothing was decided")
        }
        None => bail!(absent(project, &review.server, item)),
    }
}

/// What is decided on, and how it is called.
fn subjects(project: &Project, review: &Review, decide: &Decide) -> anyhow::Result<(Vec<Subject>, String)> {
    if let Some(item) = &decide.item {
        let what = project.name(item);
        if decide.varies.is_empty() {
            return Ok((vec![subject(project, review, item, decide.expect)?], what));
        }
        return Ok((vec![varying_subject(project, review, item, decide)?], what));
    }
    let id = decide.group.as_deref().unwrap_or_default();
    let Some(group) = review.group(id) else {
        let known: Vec<_> = review.groups.iter().map(|group| group.id.as_str()).collect();
        match known.as_slice() {
            [] => bail!("{} has no group `{id}`, and no other one: nothing was decided", review.server),
            known => bail!("{} has no group `{id}`; it has {}: nothing was decided", review.server, known.join(", ")),
        }
    };
    if group.digest != decide.expect {
        bail!("{id} is now {}, not the expected digest: nothing was decided", group.digest);
    }
    let rows = review.rows_of(group);
    let subject = |row: &Row| {
        let varies = review.varying_at(row, &decide.varies);
        row.decides_on().map(|digest| Subject::of(row, digest).letting_vary(varies))
    };
    let subjects: Vec<_> = rows.filter_map(subject).collect();
    Ok((subjects, format!("{} items of {id}", group.members.len())))
}
