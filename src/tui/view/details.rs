//! The details of one server.

use super::Canvas;
use crate::tui::details;
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
    let lines = details::lines(model, server, usize::from(page.width));
    let scroll = model.listed.details_scroll;
    canvas.title(rect, true, title, &[canvas.around(scroll, lines.len(), page.height)]);
    canvas.lines(page, lines.into_iter().skip(scroll));
}
