//! What was recorded of a server, every version of one item, and two of them compared. Blocks on the disk.

use super::calls::{self, Logs};
use crate::cli::diff::{as_baseline, recorded};
use crate::decisions::{BaselineState, is_shown_as, mask_review};
use crate::digest::{DigestScope, Item, Surface, SurfaceDigest};
use crate::identity::ServerIdentity;
use crate::monitor::{Now, ServerLook};
use crate::pin::Baseline;
use crate::review::{Review, review};
use crate::store::{Event, Phase, Snapshot, SnapshotEntry};
use crate::surface::{Completeness, ItemId, Kind, Presented};
use crate::tui::{VersionId, VersionRow};
use jiff::Timestamp;
use std::collections::HashMap;
use std::sync::Arc;

/// Snapshots that are read at most, the latest.
const MOST: usize = 200;

/// What is served now, the baseline and the snapshots of a server.
pub(super) fn snapshots(now: &Now, look: &ServerLook) -> Result<Vec<VersionRow>, String> {
    let mut rows = Vec::new();
    if let Some(surface) = &look.surface {
        let text = format!("{} items", surface.items.len());
        rows.push(VersionRow::of(VersionId::Now, look.last_good, "now", text, true));
    }
    if let BaselineState::Present(baseline) = &look.baseline {
        let last = baseline.pins.iter().filter_map(|pin| pin.decision.at.parse().ok()).max();
        let text = format!("{} pins, {} rejections", baseline.pins.len(), baseline.rejections.len());
        rows.push(VersionRow::of(VersionId::Pinned, last, "baseline", text, true));
    }
    for entry in latest(now, look)? {
        let (text, comparable) = match now.project.desk.store.load_snapshot(&entry.path) {
            Ok(snapshot) => {
                let label = if snapshot.label.is_empty() { String::new() } else { format!("  \"{}\"", snapshot.label) };
                (format!("{} items{label}", snapshot.items.len()), true)
            }
            Err(error) => (error.to_string(), false),
        };
        rows.push(VersionRow::of(VersionId::File(entry.path), Some(entry.at), "snapshot", text, comparable));
    }
    Ok(rows)
}

fn latest(now: &Now, look: &ServerLook) -> Result<Vec<SnapshotEntry>, String> {
    let mut entries = now.project.desk.store.snapshots(&look.id).map_err(|error| error.to_string())?;
    entries.reverse();
    entries.truncate(MOST);
    Ok(entries)
}

/// One definition of an item that is at hand, and where it was come by.
struct Version {
    at: Option<Timestamp>,
    what: &'static str,
    text: String,
    item: Arc<Item>,
}

/// Every definition of an item that the server, its baseline or a snapshot has.
fn known(now: &Now, look: &ServerLook, id: &ItemId) -> Result<Vec<Version>, String> {
    let mut found = Vec::new();
    let is_meant = |item: &Item| is_shown_as(&item.id, id, &now.project.redactor);
    let served = look.surface.iter().flat_map(|surface| &surface.items).filter(|item| is_meant(item));
    found.extend(served.map(|item| Version {
        at: look.last_good,
        what: "now",
        text: String::new(),
        item: Arc::clone(item),
    }));
    if let BaselineState::Present(baseline) = &look.baseline {
        let by = |decision: &crate::pin::Decision| (decision.at.parse().ok(), said(&decision.by, &decision.note));
        for pin in baseline.pins.iter().filter(|pin| is_meant(&pin.item)) {
            let (at, text) = by(&pin.decision);
            found.push(Version { at, what: "approved", text, item: Arc::clone(&pin.item) });
        }
        for rejection in baseline.rejections.iter().filter(|rejection| is_meant(&rejection.item)) {
            let (at, text) = by(&rejection.decision);
            found.push(Version { at, what: "rejected", text, item: Arc::clone(&rejection.item) });
        }
    }
    for entry in latest(now, look)? {
        // A file that cannot be read hides no other.
        let Ok(snapshot) = now.project.desk.store.load_snapshot(&entry.path) else { continue };
        let surface = read(now, &snapshot);
        let own = surface.items.iter().filter(|item| is_meant(item));
        found.extend(own.map(|item| Version {
            at: Some(entry.at),
            what: "snapshot",
            text: snapshot.label.clone(),
            item: Arc::clone(item),
        }));
    }
    Ok(found)
}

fn said(by: &str, note: &str) -> String {
    if note.is_empty() { format!("by {by}") } else { format!("by {by}  \"{note}\"") }
}

/// The history of an item: where each version was seen, and what was decided on it.
pub(super) fn history(now: &Now, look: &ServerLook, id: &ItemId, logs: &Logs) -> Result<Vec<VersionRow>, String> {
    let known = known(now, look, id)?;
    let at_hand = |digest: SurfaceDigest| known.iter().any(|known| known.item.digests.surface == digest);
    // The log names what a pin binds to; what is compared is the definition.
    let pins = look.baseline.present().into_iter().flat_map(|baseline| &baseline.pins);
    let bound: HashMap<_, _> = pins.map(|pin| (pin.binds_to(), pin.item.digests.surface)).collect();
    let mut rows: Vec<VersionRow> = Vec::new();
    for Version { at, what, text, item } in &known {
        let id = VersionId::Digest(item.digests.surface);
        rows.push(VersionRow::of(id, *at, what, text.clone(), true));
    }
    let log = now.project.desk.store.log().history().map_err(|error| error.to_string())?;
    for record in log.of(&now.project.desk.store.root().name(), &look.id) {
        let entry = &record.entry;
        let what = match entry.event {
            Event::Approve if entry.to.is_none() => "dropped",
            Event::Approve => "approved",
            Event::Confirm => "confirmed",
            Event::Reject => "rejected",
            Event::Undo => "taken back",
            Event::Record => "recorded",
            Event::Forget
            | Event::Rename
            | Event::Snapshot
            | Event::Consent
            | Event::Unwatch
            | Event::SignIn
            | Event::SignOut => continue,
        };
        // An undo is told of what it took away, or of what it brought back.
        let [first, second] = if entry.event == Event::Undo { [entry.from, entry.to] } else { [entry.to, entry.from] };
        let digest = first.or(second);
        let digest = digest.map(|digest| bound.get(&digest).copied().unwrap_or(digest));
        let is_meant = entry.item.as_ref().is_some_and(|item| is_shown_as(item, id, &now.project.redactor));
        let (Some(digest), true) = (digest, is_meant && record.phase != Phase::Void) else { continue };
        let at = Timestamp::from_second(entry.at.as_second()).ok();
        let text = said(&entry.by, &entry.note);
        let row = VersionRow::of(VersionId::Digest(digest), at, what, text, at_hand(digest));
        // What the baseline says is the same decision.
        let told = |other: &VersionRow| {
            (&other.id, other.at) == (&row.id, row.at)
                && ["approved", "rejected"].contains(&other.what)
                && ["approved", "recorded", "rejected"].contains(&row.what)
        };
        if !rows.iter().any(told) {
            rows.push(row);
        }
    }
    let called = calls::rows(now, look, id, &rows, logs)?;
    rows.extend(called);
    Ok(rows)
}

fn read(now: &Now, snapshot: &Snapshot) -> Surface {
    Surface::read(&snapshot.observation(), None, &DigestScope::None, now.project.limits.depth)
}

/// The later version against the earlier one, as if that had been approved.
pub(super) fn compare(
    now: &Now,
    look: &ServerLook,
    item: Option<&ItemId>,
    before: &VersionId,
    after: &VersionId,
) -> Result<Arc<Review>, String> {
    let [old, new] = [surface(now, look, item, before)?, surface(now, look, item, after)?];
    let baseline: Baseline = as_baseline(&look.id, "", &old);
    let compared = review(Arc::clone(&look.id), Some(&baseline), &new, &now.project.config.policy.rules);
    Ok(mask_review(&Arc::new(compared), &now.project.redactor))
}

fn surface(now: &Now, look: &ServerLook, item: Option<&ItemId>, version: &VersionId) -> Result<Surface, String> {
    match version {
        VersionId::Now => {
            let surface = look.surface.as_deref().cloned().ok_or("it has not been read yet")?;
            Ok(surface)
        }
        VersionId::Pinned => {
            let BaselineState::Present(baseline) = &look.baseline else { return Err("it has no baseline".to_owned()) };
            let items = baseline.pins.iter().map(|pin| Arc::clone(&pin.item)).collect();
            Ok(whole(items, look))
        }
        VersionId::File(path) => {
            let snapshot = now.project.desk.store.load_snapshot(path).map_err(|error| error.to_string())?;
            Ok(recorded(&snapshot, &now.project))
        }
        VersionId::NotVisible => Err("which definition it was is not known".to_owned()),
        VersionId::Digest(digest) => {
            let id = item.ok_or("a digest is of one item")?;
            let found = known(now, look, id)?.into_iter().find(|known| known.item.digests.surface == *digest);
            let found = found.ok_or("no snapshot has that definition any more")?;
            Ok(whole(vec![found.item], look))
        }
    }
}

/// Items that are all there is.
fn whole(items: Vec<Arc<Item>>, look: &ServerLook) -> Surface {
    let completeness = Kind::ALL.into_iter().map(|kind| (kind, Completeness::Complete)).collect();
    Surface {
        observed_as: look.observed_as.clone(),
        items,
        completeness,
        notices: Vec::new(),
        left: Vec::new(),
        presented: Presented::default(),
        identity: ServerIdentity::default(),
    }
}
