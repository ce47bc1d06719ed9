//! Keys of the snapshot browser and of an item's history, and of what two versions compared to.

use super::moves;
use crate::review::Review;
use crate::surface::{ItemId, ServerId};
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::model::{
    Compared, EntryId, List, Model, Screen, Server, Sort, SortKey, VersionId, VersionRow, Versions, entries,
    latest_first,
};
use crate::tui::words::moment;
use std::sync::Arc;

pub fn snapshots(model: &mut Model) {
    let Some(server) = model.server.clone() else { return };
    open(model, server, None);
}

pub fn history(model: &mut Model) {
    let item = model.selected_entry().map(|entry| entry.id.clone());
    match (model.server.clone(), item) {
        (Some(server), Some(EntryId::Row(row))) => open(model, server, Some(row.item)),
        _ => model.warn("only an item has a history"),
    }
}

fn open(model: &mut Model, server: ServerId, item: Option<ItemId>) {
    model.open(Screen::Versions);
    model.request(Effect::Versions { server: server.clone(), item: item.clone() });
    model.versions.recorded = Some(Versions { server, item, ..Versions::default() });
    model.versions.compared = None;
}

/// A log of calls grew: the history of an item that is shown is asked for once more.
pub fn logged(model: &mut Model) {
    let list = model.versions.recorded.as_ref().filter(|_| model.screen() == Screen::Versions);
    let Some(Versions { server, item: Some(item), .. }) = list else { return };
    model.request(Effect::Versions { server: server.clone(), item: Some(item.clone()) });
}

/// Asks for a snapshot of the selected server.
pub fn record(model: &mut Model) {
    let Some(server) = model.selected_server() else { return };
    let id = server.look.id.clone();
    if server.look.surface.is_none() {
        model.warn(format!("{id} has not answered yet"));
    } else if server.look.is_stale() {
        model.warn(format!("{id} is stale: a snapshot needs a fresh answer"));
    } else {
        model.request(Effect::RecordSnapshot(id));
    }
}

pub fn found(model: &mut Model, server: &str, item: Option<&ItemId>, result: Result<Vec<VersionRow>, String>) {
    let Some(versions) = &mut model.versions.recorded else { return };
    if *versions.server != *server || versions.item.as_ref() != item {
        return;
    }
    match result {
        Ok(mut rows) => {
            latest_first(&mut rows);
            versions.renew(rows);
        }
        Err(why) => {
            versions.rows = Some(Vec::new());
            model.warn(why);
        }
    }
}

/// What two versions compared to: shown beside the list, or in full where the person asked for that.
pub fn compared(model: &mut Model, server: &str, versions: &[VersionId; 2], result: Result<Arc<Review>, String>) {
    let titles = versions.each_ref().map(|version| title(model, version));
    let known = model.server_of(server).map(|known| known.look.clone());
    let Some(list) = model.versions.recorded.as_mut().filter(|list| *list.server == *server) else { return };
    if list.asked.as_ref() == Some(versions) {
        list.asked = None;
    }
    let known = known.ok_or_else(|| format!("{server} is no longer watched"));
    match result.and_then(|review| Ok((review, known?))) {
        Err(why) => {
            list.failed = Some(versions.clone());
            if model.screen() == Screen::Compared {
                model.back();
            }
            model.warn(format!("Not compared: {why}"));
        }
        Ok((review, mut look)) => {
            look.review = Some(review);
            look.stale = None;
            let server = Server::new(look);
            let mut entries = entries(&server, "", Sort { key: SortKey::Severity, reversed: false });
            entries.retain(|entry| entry.severity.is_some());
            let versions = versions.clone();
            model.versions.compared = Some(Compared { versions, titles, server, entries, list: List::default() });
        }
    }
}

/// Asks for the comparison of what is selected: for a preview one at a time, and at once for what the person wants in full.
pub fn settle(model: &mut Model) {
    let full = model.screen() == Screen::Compared;
    if !full && model.screen() != Screen::Versions || model.versions.preview().is_some() {
        return;
    }
    let Some(list) = &mut model.versions.recorded else { return };
    let Some([before, after]) = list.pair().filter(|pair| pair.iter().all(|row| row.comparable)) else { return };
    let pair = [before.id.clone(), after.id.clone()];
    if (full || list.asked.is_none()) && list.asked.as_ref() != Some(&pair) && list.failed.as_ref() != Some(&pair) {
        list.asked = Some(pair.clone());
        let ([before, after], server, item) = (pair, list.server.clone(), list.item.clone());
        model.request(Effect::Compare { server, item, before, after });
    }
}

/// What a version is called: by its word in the list, with its time and what else is said of it.
fn title(model: &Model, version: &VersionId) -> String {
    let rows = model.versions.recorded.as_ref().and_then(|versions| versions.rows.as_deref()).unwrap_or_default();
    let Some(row) = rows.iter().find(|row| row.id == *version) else { return String::new() };
    // What is served now, and what is pinned, are known by their words.
    let at = row.at.filter(|_| !matches!(version, VersionId::Now | VersionId::Pinned));
    at.map_or(row.what.to_owned(), |at| format!("{} {}  {}", row.what, moment(at, &model.setup.zone), row.text))
}

pub fn act(model: &mut Model, action: Action) {
    let Some(versions) = &mut model.versions.recorded else {
        model.back();
        return;
    };
    match action {
        Action::Back if !versions.marked.is_empty() => versions.marked.clear(),
        Action::Back => model.back(),
        Action::Mark if versions.rows.as_ref().is_some_and(|rows| !rows.is_empty()) => {
            let at = versions.list.at;
            if let Some(known) = versions.marked.iter().position(|marked| *marked == at) {
                versions.marked.remove(known);
            } else {
                // A third mark takes the place of the first.
                versions.marked.push(at);
                if versions.marked.len() > 2 {
                    versions.marked.remove(0);
                }
            }
        }
        Action::Open => compare(model),
        Action::RecordSnapshot if versions.item.is_none() => record(model),
        _ => {}
    }
}

/// Shows in full how the two that are marked, else the selected one and the latest, compare.
fn compare(model: &mut Model) {
    let Some(list) = &mut model.versions.recorded else { return };
    match list.pair() {
        None if list.rows.as_ref().is_none_or(Vec::is_empty) => {}
        None => model.warn("This is the latest: choose an earlier one, or mark two"),
        Some(pair) if pair.iter().any(|row| !row.comparable) => {
            model.warn("Only the digest of one is known: no snapshot here has its definition");
        }
        Some(_) => {
            // One that failed is tried again.
            list.failed = None;
            model.open(Screen::Compared);
        }
    }
}

/// A key over what two versions compared to.
pub fn act_compared(model: &mut Model, action: Action) {
    match action {
        Action::NextChange => moves::go(model, Action::Down),
        Action::PreviousChange => moves::go(model, Action::Up),
        _ => {}
    }
}
