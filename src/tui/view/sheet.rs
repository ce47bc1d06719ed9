//! The open dialog over the screen.

use super::Canvas;
use crate::tui::layout::Shape;
use crate::tui::line::Line;
use crate::tui::model::Model;
use crate::tui::sheet::sheet;
use crate::tui::theme::Role;
use ratatui::layout::Position;

pub fn draw(canvas: &mut Canvas<'_>, model: &Model) -> Option<Position> {
    let (sheet, [frame, content, foot]) = sheet(model)?;
    let dialog = model.dialog.as_ref()?;
    canvas.clear(frame);
    canvas.frame(frame, Shape::Framed, true, sheet.title);
    let many = sheet.lines.len();
    canvas.lines(content, sheet.lines.into_iter().skip(dialog.scroll));
    let below = many.saturating_sub(dialog.scroll + usize::from(content.height));
    if below > 0 {
        canvas.foot(frame, Line::of(Role::Dim, format!("{below} more {}", canvas.glyphs.more)));
    }
    canvas.lines(foot, sheet.foot);
    let (row, column) = sheet.cursor?;
    let x = foot.x.saturating_add(u16::try_from(column).ok()?).min(foot.right().saturating_sub(1));
    Some(Position::new(x, foot.y.saturating_add(u16::try_from(row).ok()?)))
}
