//! `pinwatch approve` and `pinwatch reject`: a decision on one exact digest, live or on a snapshot.

use super::context::Context;
use super::look::{finish, look_at};
use super::record::subject;
use super::{Decide, Global, out};
use crate::digest::Surface;
use crate::error::Exit;
use crate::monitor::{BaselineState, Seen, compare};
use crate::pin::DecisionState;
use crate::review::{Review, Subject};
use crate::surface::Overall;
use anyhow::bail;
use jiff::Timestamp;

/// Decides, or says why not.
pub async fn run(global: &Global, decide: &Decide, verdict: DecisionState) -> anyhow::Result<Exit> {
    let context = Context::open(global, None)?;
    let server = decide.server.as_str();
    let baseline = context.baseline(server);
    let mut looked = Vec::new();
    let (review, scope, observed_as) = if let Some(file) = &decide.snapshot {
        let snapshot = context.desk.store.load_snapshot(file)?;
        if snapshot.server != server {
            bail!("{} is a snapshot of `{}`, not of `{server}`", file.display(), snapshot.server);
        }
        let configured = context.config.servers.iter().find(|config| *config.id == *server);
        let scope = match (&baseline, configured) {
            (BaselineState::Present(baseline), _) => baseline.digest_scope.clone(),
            (_, Some(config)) => config.digest_scope.clone(),
            (_, None) => crate::digest::DigestScope::None,
        };
        let surface = Surface::read(&snapshot.observation(), None, &scope, context.limits.depth);
        let review = compare(&server.into(), &surface, &baseline, &context.config.policy.rules);
        (review, scope, surface.observed_as)
    } else {
        let servers = context.select(std::slice::from_ref(&decide.server))?;
        looked = look_at(&context, servers).await;
        let Some(live) = looked.first() else { bail!("{server} could not be looked at: nothing was decided") };
        if let Overall::Failed(reason) = live.overall() {
            bail!("{server} could not be read: {} ({}): nothing was decided", reason.text, reason.code);
        }
        (live.review.clone(), live.scope(), live.surface.observed_as.clone())
    };
    if let BaselineState::Refused(why) = &baseline {
        bail!("the baseline is refused: {why}");
    }
    let Some(review) = review else { bail!("nothing can be compared: nothing was decided") };
    let (subjects, what) = subjects(&review, decide)?;
    let seen = Seen { server, observed_as: observed_as.as_ref(), scope: &scope };
    let note = decide.note.as_deref().unwrap_or_default();
    context.desk.decide(&seen, verdict, &subjects, note, Timestamp::now())?;
    let path = context.desk.store.path_of(server)?;
    out::line(&format!("{} {what} of {server} in {}", verdict.word(), path.display()));
    finish(looked).await;
    Ok(Exit::Fine)
}

/// What is decided on, and how it is called.
fn subjects(review: &Review, decide: &Decide) -> anyhow::Result<(Vec<Subject>, String)> {
    if let Some(item) = &decide.item {
        return Ok((vec![subject(review, item, decide.expect)?], format!("{}/{}", item.kind, item.key)));
    }
    let id = decide.group.as_deref().unwrap_or_default();
    let Some(group) = review.group(id) else {
        let known: Vec<_> = review.groups.iter().map(|group| group.id.as_str()).collect();
        match known.as_slice() {
            [] => bail!("{} has no group `{id}`, nor any other: nothing was decided", review.server),
            known => bail!("{} has no group `{id}`; there is {}: nothing was decided", review.server, known.join(", ")),
        }
    };
    if group.digest != decide.expect {
        bail!("{id} is {} now, and not the digest that was expected: nothing was decided", group.digest);
    }
    let rows = review.rows_of(group);
    let subjects: Vec<_> = rows.filter_map(|row| row.decides_on().map(|digest| Subject::of(row, digest))).collect();
    Ok((subjects, format!("{} items of {id}", group.members.len())))
}
