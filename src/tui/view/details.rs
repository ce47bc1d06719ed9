//! The details of one server.

use super::Canvas;
use crate::tui::layout;
use crate::tui::line::Line;
use crate::tui::model::Model;
use crate::tui::theme::Role;
use ratatui::layout::Rect;

pub fn draw(canvas: &mut Canvas<'_>, model: &Model, rect: Rect) {
    let page = layout::page(model);
    let mut title = Line::of(Role::TitleFocused, "Server");
    let Some(server) = model.selected_server() else {
        canvas.title(rect, true, title, &[]);
        return;
    };
    title.put(Role::TitleFocused, " ").quote(Role::TitleFocused, &server.look.id);
    title.put(Role::Text, "  ").join(super::servers::state(model, server));
    let lines = model.reading.lines().map_or(0, |page| page.lines.len());
    let more = canvas.around(model.reading.scroll, lines, page.height);
    super::change::write(canvas, model, rect, (true, title), &[more]);
}
