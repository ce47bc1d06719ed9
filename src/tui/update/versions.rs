//! Keys of the snapshot browser and of an item's history, and of what two versions compared to.

use super::manner;
use crate::review::Review;
use crate::surface::{ItemId, ServerId};
use crate::tui::action::Action;
use crate::tui::document;
use crate::tui::effect::Effect;
use crate::tui::layout;
use crate::tui::model::{Compared, EntryId, Model, Screen, Server, VersionId, VersionRow, Versions};
use crate::tui::motion;
use crate::tui::words::moment;
use std::sync::Arc;

/// Opens what was recorded of the selected server.
pub fn snapshots(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(server) = model.server.clone() else { return };
    open(model, server, None, effects);
}

/// Opens the history of the selected item.
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
    model.versions.list = Some(Versions { server, item, rows: None, at: 0, marked: Vec::new(), scroll: 0 });
}

/// Asks for a snapshot of the selected server.
pub fn record(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(server) = model.selected_server() else { return };
    let id = server.look.id.clone();
    if server.look.surface.is_none() {
        model.warn(format!("nothing of {id} was observed yet"));
    } else if server.is_stale() {
        model.warn(format!("{id} is stale: a snapshot records what a server shows now"));
    } else {
        effects.push(Effect::RecordSnapshot { server: id });
    }
}

/// What was found.
pub fn found(model: &mut Model, server: &str, item: Option<&ItemId>, result: Result<Vec<VersionRow>, String>) {
    let Some(versions) = &mut model.versions.list else { return };
    if *versions.server != *server || versions.item.as_ref() != item {
        return;
    }
    match result {
        Ok(rows) => versions.rows = Some(rows),
        Err(why) => {
            versions.rows = Some(Vec::new());
            model.warn(why);
        }
    }
}

/// What two versions compared to.
pub fn compared(model: &mut Model, server: &str, versions: &[VersionId; 2], result: Result<Arc<Review>, String>) {
    let titles = versions.each_ref().map(|version| title(model, version));
    match result {
        Err(why) => model.warn(format!("nothing was compared: {why}")),
        Ok(review) => {
            let Some(known) = model.server_of(server) else { return };
            let mut look = known.look.clone();
            look.review = Some(review);
            look.stale = None;
            model.versions.compared = Some(Compared { titles, server: Server::new(look), document: None, scroll: 0 });
            model.open(Screen::Compared);
        }
    }
}

/// What a version is called: a snapshot by its time and label.
fn title(model: &Model, version: &VersionId) -> String {
    match version {
        VersionId::Now => "now".to_owned(),
        VersionId::Pinned => "the baseline".to_owned(),
        VersionId::Digest(digest) => digest.short(),
        VersionId::File(path) => {
            let rows = model.versions.list.as_ref().and_then(|versions| versions.rows.as_deref()).unwrap_or_default();
            let row = rows.iter().find(|row| row.id == *version);
            let at = row.and_then(|row| row.at).map(|at| moment(at, &model.zone));
            let at = at.unwrap_or_else(|| path.display().to_string());
            format!("snapshot {at}  {}", row.map_or("", |row| &row.text))
        }
    }
}

/// A key of the list.
pub fn act(model: &mut Model, action: Action, effects: &mut Vec<Effect>) {
    let page = usize::from(layout::body(model).height);
    let Some(versions) = &mut model.versions.list else {
        model.back();
        return;
    };
    let many = versions.rows.as_ref().map_or(0, Vec::len);
    if let Some(at) = motion::place(action, Some(versions.at), many, page) {
        versions.at = at;
        return;
    }
    match action {
        Action::Back if !versions.marked.is_empty() => versions.marked.clear(),
        Action::Back | Action::Quit => model.back(),
        Action::Home => model.go_home(),
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
        }
        Action::Open => compare(model, effects),
        Action::RecordSnapshot if versions.item.is_none() => record(model, effects),
        _ => {}
    }
}

/// Compares the two that are marked, else the selected one with what is served now: the earlier one comes first.
fn compare(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(versions) = &model.versions.list else { return };
    let Some(rows) = &versions.rows else { return };
    // The list begins with the latest.
    let (before, after) = match versions.marked.as_slice() {
        [one, other] => (*one.max(other), *one.min(other)),
        [one] if *one != versions.at => (*one.max(&versions.at), *one.min(&versions.at)),
        _ => (versions.at, 0),
    };
    let (Some(old), Some(new)) = (rows.get(before), rows.get(after)) else { return };
    if before == after {
        model.warn("that is the latest: choose an earlier one, or mark two");
    } else if !old.comparable || !new.comparable {
        model.warn("of one of them only the digest is known: no snapshot here has it");
    } else {
        let (before, after) = (old.id.clone(), new.id.clone());
        effects.push(Effect::Compare { server: versions.server.clone(), item: versions.item.clone(), before, after });
    }
}

/// A key over what two versions compared to.
pub fn act_compared(model: &mut Model, action: Action) {
    let page = usize::from(layout::page(model).height);
    let Some(compared) = &mut model.versions.compared else {
        model.back();
        return;
    };
    let document = compared.document.as_ref().map(|(.., document)| document);
    let lines = document.map_or(0, |document| document.lines.len());
    if motion::is_motion(action) {
        compared.scroll = motion::scroll(action, compared.scroll, lines, page);
        return;
    }
    let (at, parts) = (compared.scroll, document.map(|document| document.parts.clone()).unwrap_or_default());
    match action {
        Action::NextChange => compared.scroll = parts.into_iter().find(|part| *part > at).unwrap_or(at),
        Action::PreviousChange => compared.scroll = parts.into_iter().rev().find(|part| *part < at).unwrap_or(0),
        Action::MoreContext | Action::LessContext | Action::SideBySide | Action::Wrap | Action::Json => {
            manner::act(model, action);
        }
        Action::Back | Action::Quit => {
            model.versions.compared = None;
            model.back();
        }
        _ => {}
    }
}

/// Keeps the selected row on the screen, and the comparison as lines of this width.
pub fn settle(model: &mut Model) {
    if model.screen() == Screen::Versions {
        let height = usize::from(layout::body(model).height);
        if let Some(versions) = &mut model.versions.list {
            let many = versions.rows.as_ref().map_or(0, Vec::len);
            versions.at = versions.at.min(many.saturating_sub(1));
            versions.scroll = motion::keep(versions.scroll, Some(versions.at).filter(|_| many > 0), many, height);
        }
    }
    if model.screen() != Screen::Compared {
        return;
    }
    let page = layout::page(model);
    let width = usize::from(page.width);
    let manner = model.reading.manner;
    let fresh =
        model.versions.compared.as_ref().filter(|compared| {
            compared.document.as_ref().is_none_or(|(wide, how, _)| (*wide, *how) != (width, manner))
        });
    let fresh = fresh.map(|compared| document::compared(&compared.server, width, manner, &model.glyphs, &model.zone));
    if let Some(compared) = &mut model.versions.compared {
        if let Some(document) = fresh {
            compared.document = Some((width, manner, document));
        }
        let lines = compared.document.as_ref().map_or(0, |(.., document)| document.lines.len());
        compared.scroll = compared.scroll.min(lines.saturating_sub(usize::from(page.height)));
    }
}
