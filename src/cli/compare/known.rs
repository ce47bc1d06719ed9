//! The definitions that pinwatch has of a server: what is approved, and what was recorded lately. One that fits another
//! system's hash shows what became different.

use super::foreign::Foreign;
use crate::cli::diff::as_baseline;
use crate::decisions::mask_drift;
use crate::digest::{DigestScope, Item, Surface};
use crate::drift::compare;
use crate::identity::ServerIdentity;
use crate::project::Project;
use crate::report::{body_lines, drift_line};
use crate::surface::{Completeness, ItemId, Presented};
use crate::text::visible;
use std::sync::Arc;

/// Snapshots that are looked through, the newest first.
const SNAPSHOTS: usize = 20;

pub(super) struct Candidates<'a> {
    project: &'a Project,
    server: &'a str,
    places: Vec<(String, Vec<Arc<Item>>)>,
}

impl<'a> Candidates<'a> {
    /// Nothing, where nothing will be asked for.
    pub(super) fn nothing(project: &'a Project) -> Self {
        Self { project, server: "", places: Vec::new() }
    }

    /// What is known of a server. A snapshot that cannot be read is passed over: others may have what is looked for.
    pub(super) fn of(project: &'a Project, server: &'a str) -> Self {
        let store = &project.desk.store;
        let mut places = Vec::new();
        if let Some(baseline) = project.baseline(server).present() {
            let pins = baseline.pins.iter().map(|pin| Arc::clone(&pin.item)).collect();
            places.push(("as approved here".to_owned(), pins));
        }
        let mut snapshots = store.snapshots(server).unwrap_or_default();
        snapshots.sort_by_key(|entry| std::cmp::Reverse((entry.at, entry.number)));
        for entry in snapshots.into_iter().take(SNAPSHOTS) {
            if let Ok(snapshot) = store.load_snapshot(&entry.path) {
                let depth = project.limits.depth;
                let surface = Surface::read(&snapshot.observation(), None, &DigestScope::None, depth);
                places.push((format!("as recorded in {}", entry.path.display()), surface.items));
            }
        }
        Self { project, server, places }
    }

    /// What became different in an item since another system's file was made, or why that cannot be shown. Printable.
    pub(super) fn shows(&self, foreign: &Foreign, id: &ItemId, now: &Arc<Item>) -> Vec<String> {
        let fitting = self.places.iter().find_map(|(place, items)| {
            let old = items.iter().find(|item| item.id == *id && foreign.fits(item))?;
            Some((place, old))
        });
        let Some((place, old)) = fitting else {
            return vec!["pinwatch has no definition that fits it: what changed cannot be shown".to_owned()];
        };
        let alone = |item: &Arc<Item>| Surface {
            observed_as: None,
            items: vec![Arc::clone(item)],
            completeness: [(id.kind, Completeness::Complete)].into(),
            notices: Vec::new(),
            left: Vec::new(),
            presented: Presented::default(),
            identity: ServerIdentity::default(),
        };
        let policy = &self.project.config.policy.rules;
        let drifts = compare(&as_baseline(self.server, "", &alone(old)), &alone(now), policy).drifts;
        let mut lines = vec![format!("then {}, now:", visible(place))];
        for mut drift in drifts {
            mask_drift(&mut drift, &self.project.redactor);
            lines.push(drift_line(&drift));
            lines.extend(body_lines(&drift).into_iter().map(|line| format!("  {line}")));
        }
        lines
    }
}
