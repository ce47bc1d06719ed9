//! The search: what is searched for, and where it stands.

use super::Canvas;
use crate::tui::layout;
use crate::tui::line::Line;
use crate::tui::model::{Hit, Model, name};
use crate::tui::theme::Role;
use crate::tui::words::count;
use ratatui::layout::{Position, Rect};

pub fn draw(canvas: &mut Canvas<'_>, model: &Model, rect: Rect) -> Option<Position> {
    let place = layout::search(model);
    let mut title = Line::of(Role::TitleFocused, "Search in all definitions  ");
    title.put(Role::Key, "/").quote(Role::Input, model.search.filter.text());
    let cursor = u16::try_from(title.width()).unwrap_or(0) + 2;
    let done = model.search_key.as_ref().is_some_and(|(_, text)| *text == model.search.filter.text().to_lowercase());
    if done && !model.search.filter.is_empty() {
        title.put(Role::Dim, format!("  {}", count(model.hits.len(), "item")));
    }
    let more = canvas.more(model.hits.len().saturating_sub(model.search.scroll + usize::from(place.height)));
    canvas.title(rect, true, title, &[more]);
    if model.hits.is_empty() {
        let text = match (model.search.filter.is_empty(), done) {
            (true, _) => " type a part of a name, a text or a parameter; several words have to be there all",
            (_, true) => " no definition has it",
            (_, false) => " enter searches",
        };
        canvas.lines(place, Line::of(Role::Dim, text).wrap(usize::from(place.width), 1));
    }
    let servers =
        model.hits.iter().map(|hit| Line::default().quote(Role::Text, &hit.server).width()).max().unwrap_or(0);
    let rows = model.hits.iter().enumerate().skip(model.search.scroll);
    for (y, (at, hit)) in (place.top()..place.bottom()).zip(rows) {
        canvas.line(place.x, y, place.width, row(canvas, hit, servers.min(20)));
        if at == model.hit {
            canvas.select(Rect::new(place.x, y, place.width, 1), true);
        }
    }
    model.search.typing.then(|| Position::new((rect.x + cursor).min(rect.right().saturating_sub(1)), rect.y))
}

fn row(canvas: &Canvas<'_>, hit: &Hit, servers: usize) -> Line {
    let cut = canvas.glyphs.ellipsis;
    let mut line = Line::of(Role::Text, "  ");
    line.join(Line::default().quote(Role::Text, &hit.server).clone().pad(servers, cut)).put(Role::Text, "  ");
    let (kind, key) = name(&hit.row.item);
    let mut item = Line::of(Role::Dim, kind);
    item.quote(Role::Text, key);
    line.join(item.pad(24, cut)).put(Role::Text, "  ").quote(Role::Dim, &hit.place);
    if !hit.excerpt.is_empty() {
        line.put(Role::Text, "  ").quote(Role::Text, &hit.excerpt);
    }
    line
}
