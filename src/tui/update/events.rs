//! Keys of the event log.

use super::{select, servers};
use crate::otlp::Standing;
use crate::review::RowId;
use crate::tui::action::Action;
use crate::tui::model::{EntryId, Model, Pane};

pub fn act(model: &mut Model, action: Action) {
    match action {
        Action::Open => go(model),
        Action::Events => model.back(),
        _ => {}
    }
}

/// Takes in how it stands with the collector, and says once that it is not told.
pub fn collector(model: &mut Model, standing: Option<Standing>) {
    let is_down = |standing: &Option<Standing>| standing.as_ref().is_some_and(|standing| standing.fault.is_some());
    let was_down = is_down(&model.events.collector);
    if let Some(fault) = standing.as_ref().and_then(|standing| standing.fault.as_ref()).filter(|_| !was_down) {
        model.warn(format!("the collector is not told: {fault}"));
    }
    model.events.collector = standing;
}

/// To the item of the selected event.
fn go(model: &mut Model) {
    let shown = model.events.shown();
    let Some((_, event)) = shown.get(model.events.place(&shown).unwrap_or(0)) else { return };
    let (server, event) = (event.server.clone(), event.clone());
    if model.server_of(&server).is_none() {
        model.warn(format!("{server} is no longer watched"));
        return;
    }
    servers::open(model, Pane::Items);
    select::server(model, &server);
    model.listed.items.filter.clear();
    let review = model.selected_server().and_then(|server| server.look.review.as_ref());
    let item = review.and_then(|review| review.rows.iter().map(|row| &row.id.item).find(|item| event.is_about(item)));
    if let Some(item) = item.cloned() {
        select::entry(model, Some(EntryId::Row(RowId { item, copy: 0 })));
    }
}
