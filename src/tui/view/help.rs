//! The help over the screen.

use super::Canvas;
use super::table::filter;
use crate::tui::help;
use crate::tui::line::{Line, Role};
use crate::tui::model::Model;
use ratatui::layout::Position;

pub fn draw(canvas: &mut Canvas<'_>, model: &Model) -> Option<Position> {
    let list = model.help.as_ref()?;
    let [page, content] = help::places(model);
    let mut title = Line::of(Role::TitleFocused, "Help");
    title.put(Role::Dim, format!("  {}", model.context().word()));
    filter(&mut title, list);
    let at = page.x + 2 + u16::try_from(title.width()).unwrap_or(0);
    let cursor = list.typing.then(|| Position::new(at.min(page.right().saturating_sub(2)), page.y));
    canvas.clear(page);
    let rows = help::rows(model);
    let more = canvas.around(list.scroll, rows.len(), content.height);
    canvas.title(page, true, title, &[more]);
    if rows.is_empty() {
        canvas.line(content.x, content.y, content.width, Line::of(Role::Dim, "no key fits the filter; esc clears it"));
    }
    canvas.lines(content, rows.into_iter().skip(list.scroll));
    cursor
}
