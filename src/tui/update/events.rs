//! Keys of the event log, full screen and as a pane.

use super::{select, servers};
use crate::review::RowId;
use crate::tui::action::Action;
use crate::tui::layout;
use crate::tui::model::{EntryId, Model, Pane};
use crate::tui::motion;

fn height(model: &Model) -> usize {
    usize::from(layout::events(model)[0].height)
}

pub fn act(model: &mut Model, action: Action) {
    if motion::is_motion(action) {
        let (at, numbers) = model.events.place();
        let to = motion::place(action, at, numbers.len(), height(model));
        model.events.selected = to.and_then(|at| numbers.get(at).copied());
        return;
    }
    match action {
        Action::Open => go(model),
        Action::Back | Action::Events => model.back(),
        _ => {}
    }
}

/// Selects the row at a place of the list, where there is one.
pub fn select(model: &mut Model, at: Option<usize>) {
    let number = at.and_then(|at| model.events.shown().get(at).map(|(number, _)| *number));
    model.events.selected = number.or(model.events.selected);
}

/// To the item of the selected event.
pub fn go(model: &mut Model) {
    let shown = model.events.shown();
    let event = match model.events.selected {
        Some(number) => shown.iter().find(|(other, _)| *other == number),
        None => shown.first(),
    };
    let Some((_, event)) = event else { return };
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

/// Keeps the selected event on the screen; without one the newest stays on top.
pub fn settle(model: &mut Model) {
    let (at, numbers) = model.events.place();
    let scroll = if at.is_some() { model.events.list.scroll } else { 0 };
    model.events.list.scroll = motion::keep(scroll, at, numbers.len(), height(model));
}
