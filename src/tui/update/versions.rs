//! Keys of the snapshot browser and of an item's history, and of what two versions compared to.

use super::{manner, scroll};
use crate::review::Review;
use crate::surface::{ItemId, ServerId};
use crate::tui::action::Action;
use crate::tui::document;
use crate::tui::effect::Effect;
use crate::tui::layout;
use crate::tui::model::{
    Compared, EntryId, Model, Screen, Server, Sort, SortKey, VersionId, VersionRow, Versions, entries, latest_first,
};
use crate::tui::motion;
use crate::tui::words::moment;
use std::sync::Arc;

pub fn snapshots(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(server) = model.server.clone() else { return };
    open(model, server, None, effects);
}

pub fn history(model: &mut Model, effects: &mut Vec<Effect>) {
    let item = model.selected_entry().map(|entry| entry.id.clone());
    match (model.server.clone(), item) {
        (Some(server), Some(EntryId::Row(row))) => open(model, server, Some(row.item), effects),
        _ => model.warn("only an item has a history"),
    }
}

fn open(model: &mut Model, server: ServerId, item: Option<ItemId>, effects: &mut Vec<Effect>) {
    model.open(Screen::Versions);
    effects.push(Effect::Versions { server: server.clone(), item: item.clone() });
    model.versions.list =
        Some(Versions { server, item, rows: None, at: 0, marked: Vec::new(), scroll: 0, asked: None, wanted: None });
    model.versions.compared = None;
}

/// Asks for a snapshot of the selected server.
pub fn record(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(server) = model.selected_server() else { return };
    let id = server.look.id.clone();
    if server.look.surface.is_none() {
        model.warn(format!("{id} has not answered yet"));
    } else if server.is_stale() {
        model.warn(format!("{id} is stale: a snapshot needs a fresh answer"));
    } else {
        effects.push(Effect::RecordSnapshot(id));
    }
}

pub fn found(
    model: &mut Model,
    server: &str,
    item: Option<&ItemId>,
    result: Result<Vec<VersionRow>, String>,
    effects: &mut Vec<Effect>,
) {
    let Some(versions) = &mut model.versions.list else { return };
    if *versions.server != *server || versions.item.as_ref() != item {
        return;
    }
    match result {
        Ok(mut rows) => {
            latest_first(&mut rows);
            versions.rows = Some(rows);
        }
        Err(why) => {
            versions.rows = Some(Vec::new());
            model.warn(why);
        }
    }
    preview(model, effects);
}

/// What two versions compared to: shown beside the list, or in full where the person asked for that.
pub fn compared(
    model: &mut Model,
    server: &str,
    versions: &[VersionId; 2],
    result: Result<Arc<Review>, String>,
    effects: &mut Vec<Effect>,
) {
    let titles = versions.each_ref().map(|version| title(model, version));
    let known = model.server_of(server).map(|known| known.look.clone());
    let Some(list) = model.versions.list.as_mut().filter(|list| *list.server == *server) else { return };
    if list.asked.as_ref() == Some(versions) {
        list.asked = None;
    }
    let wanted = list.wanted.take_if(|wanted| wanted == versions).is_some();
    match (result, known) {
        (Err(why), _) => model.warn(format!("Not compared: {why}")),
        (Ok(_), None) => {}
        (Ok(review), Some(mut look)) => {
            look.review = Some(review);
            look.stale = None;
            let server = Server::new(look);
            let mut entries = entries(&server, "", Sort { key: SortKey::Severity, reversed: false });
            entries.retain(|entry| entry.severity.is_some());
            model.versions.compared = Some(Compared {
                versions: versions.clone(),
                titles,
                server,
                entries,
                at: 0,
                list_scroll: 0,
                document: None,
                scroll: 0,
            });
            if wanted && model.screen() == Screen::Versions {
                model.open(Screen::Compared);
            }
        }
    }
    preview(model, effects);
}

/// Asks for the comparison of what is selected, one at a time.
fn preview(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.screen() != Screen::Versions || model.versions.preview().is_some() {
        return;
    }
    let Some(list) = &mut model.versions.list else { return };
    let Some([before, after]) = list.pair().filter(|pair| pair.iter().all(|row| row.comparable)) else { return };
    let pair = [before.id.clone(), after.id.clone()];
    if list.asked.is_none() {
        list.asked = Some(pair.clone());
        let [before, after] = pair;
        effects.push(Effect::Compare { server: list.server.clone(), item: list.item.clone(), before, after });
    }
}

/// What a version is called: a snapshot by its time and label.
fn title(model: &Model, version: &VersionId) -> String {
    match version {
        VersionId::Now => "now".to_owned(),
        VersionId::Pinned => "the baseline".to_owned(),
        VersionId::Digest(digest) => digest.short().to_string(),
        VersionId::File(path) => {
            let rows = model.versions.list.as_ref().and_then(|versions| versions.rows.as_deref()).unwrap_or_default();
            let row = rows.iter().find(|row| row.id == *version);
            let at = row.and_then(|row| row.at).map(|at| moment(at, &model.zone));
            let at = at.unwrap_or_else(|| path.display().to_string());
            format!("snapshot {at}  {}", row.map_or("", |row| &row.text))
        }
    }
}

pub fn act(model: &mut Model, action: Action, effects: &mut Vec<Effect>) {
    let page = usize::from(layout::versions(model)[0].height);
    let Some(versions) = &mut model.versions.list else {
        model.back();
        return;
    };
    // A late answer opens nothing over what the person went on to.
    versions.wanted = None;
    let many = versions.rows.as_ref().map_or(0, Vec::len);
    if let Some(at) = motion::place(action, Some(versions.at), many, page) {
        versions.at = at;
        preview(model, effects);
        return;
    }
    match action {
        Action::Back if !versions.marked.is_empty() => {
            versions.marked.clear();
            preview(model, effects);
        }
        Action::Back => model.back(),
        Action::Mark if many > 0 => {
            let at = versions.at;
            if let Some(known) = versions.marked.iter().position(|marked| *marked == at) {
                versions.marked.remove(known);
            } else {
                // A third mark takes the place of the first.
                versions.marked.push(at);
                if versions.marked.len() > 2 {
                    versions.marked.remove(0);
                }
            }
            preview(model, effects);
        }
        Action::Open => compare(model, effects),
        Action::RecordSnapshot if versions.item.is_none() => record(model, effects),
        _ => {}
    }
}

/// Shows in full how the two that are marked, else the selected one and the latest, compare.
fn compare(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.versions.preview().is_some() {
        model.open(Screen::Compared);
        return;
    }
    let Some(list) = &mut model.versions.list else { return };
    match list.pair().map(|[before, after]| (before.clone(), after.clone())) {
        None if list.rows.as_ref().is_none_or(Vec::is_empty) => {}
        None => model.warn("This is the latest: choose an earlier one, or mark two"),
        Some((before, after)) if !before.comparable || !after.comparable => {
            model.warn("Only the digest of one is known: no snapshot here has its definition");
        }
        Some((before, after)) => {
            let (before, after) = (before.id, after.id);
            let pair = Some([before.clone(), after.clone()]);
            let under_way = list.asked == pair;
            list.wanted.clone_from(&pair);
            if !under_way {
                list.asked = pair;
                effects.push(Effect::Compare { server: list.server.clone(), item: list.item.clone(), before, after });
            }
        }
    }
}

/// A key over what two versions compared to: lines move through the list, pages through the detail.
pub fn act_compared(model: &mut Model, action: Action) {
    let Some(compared) = &mut model.versions.compared else {
        model.back();
        return;
    };
    let many = compared.entries.len();
    let to = match action {
        Action::Down | Action::NextChange => Some(compared.at + 1),
        Action::Up | Action::PreviousChange => Some(compared.at.saturating_sub(1)),
        _ => None,
    };
    if let Some(to) = to {
        compared.at = to.min(many.saturating_sub(1));
        return;
    }
    if motion::is_motion(action) {
        scroll::act(model, action);
        return;
    }
    match action {
        Action::MoreContext | Action::LessContext | Action::SideBySide | Action::Wrap | Action::Json => {
            manner::act(model, action);
        }
        Action::Back => model.back(),
        _ => {}
    }
}

/// Keeps the selected row on the screen, and the comparison as lines of this width.
pub fn settle(model: &mut Model) {
    let full = match model.screen() {
        Screen::Versions => false,
        Screen::Compared => true,
        _ => return,
    };
    let [list, detail] = if full { layout::compared(model) } else { layout::versions(model) };
    let (height, width) = (usize::from(list.height), usize::from(detail.width));
    if let Some(versions) = model.versions.list.as_mut().filter(|_| !full) {
        let many = versions.rows.as_ref().map_or(0, Vec::len);
        versions.at = versions.at.min(many.saturating_sub(1));
        versions.scroll = motion::keep(versions.scroll, Some(versions.at).filter(|_| many > 0), many, height);
    }
    let manner = model.reading.manner;
    let Some(compared) = &mut model.versions.compared else { return };
    if full {
        compared.list_scroll = motion::keep(compared.list_scroll, Some(compared.at), compared.entries.len(), height);
    }
    let key = (full.then_some(compared.at), width, manner);
    let before = compared.document.as_ref().map(|(key, _)| key.0);
    if compared.document.as_ref().is_none_or(|(old, _)| *old != key) {
        let entries = if full { compared.entries.get(compared.at..=compared.at) } else { Some(&*compared.entries) };
        let entries = entries.unwrap_or_default();
        let made = document::compared(&compared.server, entries, width, manner, &model.glyphs, &model.zone);
        compared.document = Some((key, made));
    }
    if before != Some(key.0) {
        compared.scroll = 0;
    }
}
