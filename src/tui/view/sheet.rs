//! The open dialog over the screen.

use super::Canvas;
use crate::tui::model::Model;
use crate::tui::sheet::sheet;
use ratatui::layout::Position;

pub fn draw(canvas: &mut Canvas<'_>, model: &Model) -> Option<Position> {
    let (sheet, [frame, content, foot]) = sheet(model)?;
    let dialog = model.dialog.as_ref()?;
    canvas.recede();
    canvas.clear(frame);
    let more = canvas.around(dialog.scroll, sheet.body.lines.len(), content.height);
    canvas.frame(frame, sheet.title, more);
    canvas.lines(content, sheet.body.lines.into_iter().skip(dialog.scroll));
    canvas.lines(foot, sheet.foot);
    let (row, column) = sheet.cursor?;
    let x = foot.x.saturating_add(u16::try_from(column).ok()?).min(foot.right().saturating_sub(1));
    Some(Position::new(x, foot.y.saturating_add(u16::try_from(row).ok()?)))
}
