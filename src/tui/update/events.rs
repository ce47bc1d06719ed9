//! Keys of the event log, full screen and as a pane.

use super::{browse, motion, warn};
use crate::review::RowId;
use crate::tui::action::Action;
use crate::tui::layout;
use crate::tui::model::{EntryId, Model, Pane, Screen};

/// Rows that show events.
fn height(model: &Model) -> usize {
    layout::event_rows(model).map_or(0, |rows| usize::from(rows.height))
}

/// Does what a key says.
pub fn act(model: &mut Model, action: Action) {
    if motion::is_motion(action) {
        let numbers: Vec<_> = model.shown_events().iter().map(|(number, _)| *number).collect();
        let at = model.event.and_then(|event| numbers.iter().position(|number| *number == event));
        let to = motion::place(action, at, numbers.len(), height(model));
        model.event = to.and_then(|at| numbers.get(at).copied());
        return;
    }
    match action {
        Action::Open => go(model),
        Action::Filter => model.events_list.typing = true,
        Action::Back if !model.events_list.filter.is_empty() => model.events_list.filter.clear(),
        Action::Back | Action::Quit => model.screen = Screen::Browse,
        _ => {}
    }
}

/// Selects the row at a place of the list, where there is one.
pub fn select(model: &mut Model, at: Option<usize>) {
    let number = at.and_then(|at| model.shown_events().get(at).map(|(number, _)| *number));
    model.event = number.or(model.event);
}

/// To the item of the selected event.
pub fn go(model: &mut Model) {
    let shown = model.shown_events();
    let event = match model.event {
        Some(number) => shown.iter().find(|(other, _)| *other == number),
        None => shown.first(),
    };
    let Some((_, event)) = event else { return };
    let (server, event) = (event.server.clone(), event.clone());
    if model.server_of(&server).is_none() {
        warn(model, format!("{server} is no longer watched"));
        return;
    }
    model.screen = Screen::Browse;
    browse::select_server(model, &server);
    model.pane = Pane::Items;
    model.items.filter.clear();
    let review = model.selected_server().and_then(|server| server.look.review.as_ref());
    let item = review.and_then(|review| review.rows.iter().map(|row| &row.id.item).find(|item| event.is_about(item)));
    if let Some(item) = item.cloned() {
        browse::select(model, Some(EntryId::Row(RowId { item, copy: 0 })));
    }
}

/// Keeps the selected event on the screen; without one the newest stays on top.
pub fn settle(model: &mut Model) {
    let numbers: Vec<_> = model.shown_events().iter().map(|(number, _)| *number).collect();
    let at = model.event.and_then(|event| numbers.iter().position(|number| *number == event));
    let scroll = if at.is_some() { model.events_list.scroll } else { 0 };
    model.events_list.scroll = motion::keep(scroll, at, numbers.len(), height(model));
}
