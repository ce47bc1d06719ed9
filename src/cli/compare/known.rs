//! The definitions that pinwatch has of a server: what is approved, and what was recorded lately. One that fits another
//! system's hash shows what became different.

use super::foreign::Foreign;
use crate::cli::diff::as_baseline;
use crate::decisions::mask_drift;
use crate::digest::{DigestScope, Item, Surface};
use crate::drift::compare;
use crate::project::Project;
use crate::report::{body_lines, drift_line};
use crate::surface::ItemId;
use crate::text::visible;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Snapshots that are looked through, the newest first.
const SNAPSHOTS: usize = 20;

/// Lines of each item.
pub(super) type Shown = BTreeMap<ItemId, Vec<String>>;

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

    /// What became different in each item of these since another system's file was made, or why that cannot be shown. Printable.
    pub(super) fn shows(&self, foreign: &Foreign, ids: &BTreeSet<&ItemId>, now: &Surface) -> Shown {
        let mut shown = Shown::new();
        // All at once: what became different in every tool is told of each of them.
        let mut then = now.clone();
        for id in ids {
            let fitting = self.places.iter().find_map(|(place, items)| {
                let old = items.iter().find(|item| item.id == **id && foreign.fits(item))?;
                Some((place, old))
            });
            let lines = match fitting {
                None => vec!["pinwatch has no definition that fits it: what changed cannot be shown".to_owned()],
                Some((place, old)) => {
                    then.items.iter_mut().filter(|item| item.id == **id).for_each(|item| *item = Arc::clone(old));
                    vec![format!("then {}, now:", visible(place))]
                }
            };
            shown.insert((*id).clone(), lines);
        }
        let policy = &self.project.config.policy.rules;
        for mut drift in compare(&as_baseline(self.server, "", &then), now, policy).drifts {
            let Some(lines) = shown.get_mut(&drift.id) else { continue };
            mask_drift(&mut drift, &self.project.redactor);
            lines.push(drift_line(&drift));
            lines.extend(body_lines(&drift).into_iter().map(|line| format!("  {line}")));
        }
        shown
    }
}
