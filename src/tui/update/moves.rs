//! What moves: the lists of all screens, by one way to go through them, to click into them and to keep what is selected in
//! view; and what scrolls line by line: the help, a dialog, the text on the screen.

use super::select;
use crate::tui::action::Action;
use crate::tui::model::{Model, Rows, Screen};
use crate::tui::{help, layout, motion, sheet};
use ratatui::layout::{Position, Rect};

/// Where a list stands, the place of what is selected in it, and how many rows it has.
fn shape(model: &Model, rows: Rows) -> (Rect, Option<usize>, usize) {
    let at = model.list_of(rows).map(|list| list.at);
    match rows {
        Rows::Home => (layout::home(model).rows, at, model.home.rows.len()),
        Rows::Servers => {
            let (at, many) = select::server_place(model);
            (layout::server_rows(model).unwrap_or_default(), at, many)
        }
        Rows::Items => {
            let place = layout::item_rows(model).unwrap_or_default();
            (place, model.entry_index(), model.listed.entries.len())
        }
        Rows::Events => {
            let shown = model.events.shown();
            (layout::events(model)[0], model.events.place(&shown), shown.len())
        }
        Rows::Hits => (layout::body(model), at, model.search.hits.len()),
        Rows::Versions => {
            let many = model.versions.recorded.as_ref().and_then(|list| list.rows.as_ref()).map_or(0, Vec::len);
            (layout::versions(model)[0], at, many)
        }
        Rows::Differences => {
            let many = model.versions.compared.as_ref().map_or(0, |compared| compared.entries.len());
            (layout::compared(model)[0], at, many)
        }
    }
}

/// Selects the row at a place; what is selected is known by what it is from there on.
pub fn select(model: &mut Model, rows: Rows, at: usize) {
    match rows {
        Rows::Home => {
            select::row(model, at);
            model.home.chosen = true;
        }
        Rows::Servers => select::shown_server(model, at),
        Rows::Items => {
            let entry = model.listed.entries.get(at).map(|entry| entry.id.clone());
            select::entry(model, entry);
        }
        Rows::Events => model.events.selected = model.events.shown().get(at).map(|(number, _)| *number),
        Rows::Hits | Rows::Versions | Rows::Differences => {
            if let Some(list) = model.list_of_mut(rows) {
                list.at = at;
            }
        }
    }
}

/// Moves through the list that has the keys, else through the text. Beside a list of differences pages turn the text.
pub fn go(model: &mut Model, action: Action) {
    let by_line = matches!(action, Action::Down | Action::Up);
    match model.rows().filter(|rows| !model.is_covered() && (by_line || *rows != Rows::Differences)) {
        None => scroll(model, action),
        Some(rows) => {
            let (place, at, many) = shape(model, rows);
            if let Some(to) = motion::place(action, at, many, usize::from(place.height)) {
                select(model, rows, to);
            }
        }
    }
}

/// The row under the pointer, if any.
pub fn under(model: &Model, pointer: Position) -> Option<(Rows, usize)> {
    let panes = [Rows::Servers, Rows::Items].into_iter().filter(|_| model.screen() == Screen::Servers);
    let rows = panes.chain(model.rows()).find(|rows| shape(model, *rows).0.contains(pointer))?;
    let (place, _, many) = shape(model, rows);
    let at = model.list_of(rows)?.scroll + usize::from(pointer.y - place.y);
    (at < many).then_some((rows, at))
}

/// The first line shown, how many lines there are, and how many are shown.
type Scrolled<'a> = (&'a mut usize, usize, usize);

fn text(model: &mut Model) -> Option<Scrolled<'_>> {
    let page = layout::document(model)?;
    let lines = model.reading.lines()?.lines.len();
    Some((&mut model.reading.scroll, lines, usize::from(page.height)))
}

/// What lies over it.
fn cover(model: &mut Model) -> Option<Scrolled<'_>> {
    if model.help.is_some() {
        let (lines, [_, page]) = (help::rows(model).len(), help::places(model));
        return model.help.as_mut().map(|list| (&mut list.scroll, lines, usize::from(page.height)));
    }
    let (sheet, [_, page, _]) = sheet::sheet(model)?;
    model.dialog.as_mut().map(|dialog| (&mut dialog.scroll, sheet.body.lines.len(), usize::from(page.height)))
}

/// Scrolls what has the keys.
fn scroll(model: &mut Model, action: Action) {
    let scrolled = if model.is_covered() { cover(model) } else { text(model) };
    if let Some((at, lines, page)) = scrolled {
        *at = motion::scroll(action, *at, lines, page);
    }
}

/// Leaves no empty rows below and keeps what is selected in view; where nothing is, the top.
pub fn settle(model: &mut Model) {
    use Rows::{Differences, Events, Hits, Home, Items, Servers, Versions};
    for rows in [Home, Servers, Items, Events, Hits, Versions, Differences] {
        let (place, at, many) = shape(model, rows);
        if let Some(list) = model.list_of_mut(rows).filter(|_| place.height > 0) {
            list.scroll = motion::keep(if at.is_some() { list.scroll } else { 0 }, at, many, usize::from(place.height));
        }
    }
    for of in [text, cover] {
        if let Some((at, lines, page)) = of(model) {
            *at = (*at).min(lines.saturating_sub(page));
        }
    }
}
