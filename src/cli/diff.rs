//! `pinwatch diff`: what became different between two snapshots, judged as `check` would.

use super::open;
use super::{Diff, Global, PlainFormat, out};
use crate::canon::indented;
use crate::decisions::mask_drift;
use crate::digest::{DigestScope, Surface};
use crate::drift::{anchor_now, compare, group};
use crate::error::Exit;
use crate::interop::identify;
use crate::pin::{Anchor, Baseline, Decision, DecisionState, Pin};
use crate::project::Project;
use crate::report::{beside_lines, body_lines, drift_json, drift_line, group_line, member_lines};
use crate::store::{Snapshot, utc};
use crate::surface::Transport;
use crate::text::{Form, is_hidden, visible};
use anyhow::bail;
use serde_json::json;
use std::sync::Arc;

/// Compares and prints. Exit 1 where something differs.
pub fn run(global: &Global, diff: &Diff) -> anyhow::Result<Exit> {
    let project = open::open(global, None)?;
    let load = |path| project.desk.store.load_snapshot(path);
    let (before, after) = (load(&diff.before)?, load(&diff.after)?);
    let (old, new) = (recorded(&before, &project), recorded(&after, &project));
    if old.items.is_empty() {
        bail!("{} holds no item: there is nothing to compare with", diff.before.display());
    }
    let mut comparison =
        compare(&as_baseline(&before.server, &utc(before.at), &old), &new, &project.config.policy.rules);
    let [before_of, after_of] = [(&diff.before, &before), (&diff.after, &after)]
        .map(|(path, snapshot)| project.desk.store.server_of(path, snapshot));
    if diff.format == PlainFormat::Json {
        for drift in &mut comparison.drifts {
            mask_drift(drift, &project.redactor);
        }
        let side = |path: &std::path::Path, of: &str, at| json!({"file": path.display().to_string(), "server": of, "at": utc(at)});
        let document = json!({
            "format": "pinwatch.diff.v1",
            "before": side(&diff.before, &before_of, before.at),
            "after": side(&diff.after, &after_of, after.at),
            "digest_scope": DigestScope::None.word(),
            "drifts": comparison.drifts.iter().map(|drift| drift_json(drift, None, &project.desk.rules.signatures)).collect::<Vec<_>>(),
        });
        out::document(&indented(&document, &is_hidden), Form::Json);
        return Ok(if comparison.drifts.is_empty() { Exit::Fine } else { Exit::Drift });
    }
    if before_of != after_of {
        out::line(&format!("two servers: {before_of} and {after_of}"));
    }
    out::line(&format!("{after_of} {} -> {}", utc(before.at), utc(after.at)));
    let groups = group(&mut comparison.drifts, &comparison.matches, |_| false);
    for drift in &mut comparison.drifts {
        mask_drift(drift, &project.redactor);
    }
    let (grouped, alone): (Vec<_>, Vec<_>) = comparison.drifts.iter().partition(|drift| drift.group.is_some());
    for group in &groups {
        out::print(&format!("{}\n", group_line(group)));
        for line in group.causes.iter().chain(&member_lines(&comparison.drifts, group)) {
            out::print(&format!("  {}\n", visible(&project.redactor.mask(line))));
        }
    }
    // Worst first; the members of a group, each in full, after what stands alone.
    for drift in alone.into_iter().chain(grouped) {
        out::print(&format!("{}\n", drift_line(drift)));
        let beside = beside_lines(drift, DigestScope::None.word(), &project.desk.rules.signatures);
        for line in body_lines(drift).into_iter().chain(beside) {
            out::print(&format!("  {line}\n"));
        }
    }
    if comparison.drifts.is_empty() {
        out::line("no drift");
    }
    Ok(if comparison.drifts.is_empty() { Exit::Fine } else { Exit::Drift })
}

/// What a snapshot recorded, and who its server was then, held to what the project trusts now.
pub fn recorded(snapshot: &Snapshot, project: &Project) -> Surface {
    let observation = snapshot.observation();
    let url = match &snapshot.launch.transport {
        Transport::Http { url, .. } => Some(url.as_str()),
        Transport::Stdio { .. } => None,
    };
    let trust = project.config.trust.as_ref().map(|trust| &trust.held_to);
    let mut surface = Surface::read(&observation, None, &DigestScope::None, project.limits.depth);
    surface.identity = identify(&observation, trust, url, snapshot.at);
    surface
}

/// A surface as if all of it had been approved at a time, and of the server that it was.
pub fn as_baseline(server: &str, at: &str, surface: &Surface) -> Baseline {
    let (by, note) = (String::new(), String::new());
    let decision = Arc::new(Decision { state: DecisionState::Approved, by, at: at.to_owned(), note });
    let mut baseline = Baseline::empty(server, DigestScope::None, surface.observed_as.clone());
    baseline.pins = surface
        .items
        .iter()
        .map(|item| Pin { item: Arc::clone(item), varies: Vec::new(), decision: Arc::clone(&decision) })
        .map(Arc::new)
        .collect();
    baseline.anchor = anchor_now(&Anchor::default(), &surface.identity);
    baseline.sort();
    baseline
}
