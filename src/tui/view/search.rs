//! The search: what is searched for, and where it stands.

use super::Canvas;
use super::table::{Columns, widest};
use crate::tui::layout;
use crate::tui::line::{Line, Role};
use crate::tui::model::{Hit, Model};
use crate::tui::words::count;
use ratatui::layout::{Constraint, Position, Rect};

pub fn draw(canvas: &mut Canvas<'_>, model: &Model, rect: Rect) -> Option<Position> {
    let place = layout::body(model);
    let mut title = Line::of(Role::TitleFocused, "Search in all definitions  ");
    title.put(Role::Key, "/").quote(Role::Input, model.search.list.filter.text());
    let cursor = u16::try_from(title.width()).unwrap_or(0) + 2;
    let done =
        model.search.key.as_ref().is_some_and(|(_, text)| *text == model.search.list.filter.text().to_lowercase());
    if done && !model.search.list.filter.is_empty() {
        title.put(Role::Dim, format!("  {}", count(model.search.hits.len(), "item")));
    }
    let scroll = model.search.list.scroll;
    canvas.title(rect, true, title, &[canvas.around(scroll, model.search.hits.len(), place.height)]);
    if model.search.hits.is_empty() {
        let text = match (model.search.list.filter.is_empty(), done) {
            (true, _) => " type a part of a name, a text or a parameter; several words have to be there all",
            (_, true) => " no definition has it",
            (_, false) => " enter searches",
        };
        canvas.lines(place, Line::of(Role::Dim, text).wrap(usize::from(place.width), 1));
    }
    let server = widest(model.search.hits.iter().map(|hit| Line::quoted(Role::Text, &hit.server)), 20);
    let widths = [Constraint::Length(0), server, Constraint::Length(24), Constraint::Fill(1)];
    let at = Some(model.search.list.at).filter(|at| *at < model.search.hits.len());
    Columns(widths.map(Some)).draw(canvas, place, model.search.hits.iter().map(cells), (scroll, at), true);
    model.search.list.typing.then(|| Position::new((rect.x + cursor).min(rect.right().saturating_sub(1)), rect.y))
}

/// Server, item, then where it was found and the text around it.
fn cells(hit: &Hit) -> [Line; 4] {
    let mut found = Line::quoted(Role::Dim, &hit.place);
    if !hit.excerpt.is_empty() {
        found.put(Role::Text, "  ").quote(Role::Text, &hit.excerpt);
    }
    [
        Line::default(),
        Line::quoted(Role::Text, &hit.server),
        Line::default().item([Role::Dim, Role::Text], &hit.row.item).clone(),
        found,
    ]
}
