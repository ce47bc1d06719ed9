//! The buffer with a theme: lines, frames and selections by role. Nothing is ever drawn outside the buffer.

use crate::tui::glyph::Glyphs;
use crate::tui::layout::Shape;
use crate::tui::line::Line;
use crate::tui::theme::{Role, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// What is drawn on.
pub struct Canvas<'a> {
    /// The cells.
    pub buffer: &'a mut Buffer,
    /// How roles look.
    pub theme: &'a Theme,
    /// The signs.
    pub glyphs: &'a Glyphs,
}

impl Canvas<'_> {
    /// Empties a rectangle.
    pub fn clear(&mut self, rect: Rect) {
        let rect = rect.intersection(self.buffer.area);
        for y in rect.top()..rect.bottom() {
            for x in rect.left()..rect.right() {
                if let Some(cell) = self.buffer.cell_mut((x, y)) {
                    cell.reset();
                    cell.set_style(self.theme.style(Role::Text));
                }
            }
        }
    }

    /// One line of at most `width` cells, cut with an ellipsis.
    pub fn line(&mut self, x: u16, y: u16, width: u16, line: Line) {
        let area = self.buffer.area;
        if y < area.top() || y >= area.bottom() || x < area.left() || x >= area.right() {
            return;
        }
        let width = width.min(area.right() - x);
        let mut at = x;
        for piece in line.fit(usize::from(width), self.glyphs.ellipsis).pieces {
            let room = usize::from((x + width).saturating_sub(at));
            let style = self.theme.style(piece.role);
            (at, _) = self.buffer.set_stringn(at, y, &piece.text, room, style);
        }
    }

    /// Lines from the top of a rectangle on, as many as fit.
    pub fn lines(&mut self, rect: Rect, lines: impl IntoIterator<Item = Line>) {
        for (y, line) in (rect.top()..rect.bottom()).zip(lines) {
            self.line(rect.x, y, rect.width, line);
        }
    }

    /// Lays a role's style over what is drawn already.
    pub fn over(&mut self, rect: Rect, role: Role) {
        let style = self.theme.style(role);
        self.buffer.set_style(rect.intersection(self.buffer.area), style);
    }

    /// The selection bar of a row.
    pub fn select(&mut self, rect: Rect, focused: bool) {
        self.over(rect, if focused { Role::Selection } else { Role::SelectionUnfocused });
    }

    /// A frame or a title line.
    pub fn frame(&mut self, rect: Rect, shape: Shape, focused: bool, title: Line) {
        let role = if focused { Role::BorderFocused } else { Role::Border };
        let glyphs = self.glyphs;
        let width = usize::from(rect.width);
        if rect.height == 0 || width < 4 {
            return;
        }
        let title = title.fit(width - 4, glyphs.ellipsis);
        let remaining = width - 4 - title.width();
        let [left, right] = match shape {
            Shape::Framed => [glyphs.corners[0], glyphs.corners[1]],
            Shape::Open | Shape::Title => [glyphs.horizontal; 2],
        };
        let mut line = Line::of(role, left);
        line.put(Role::Text, " ").join(title).put(Role::Text, " ");
        line.put(role, glyphs.horizontal.repeat(remaining)).put(role, right);
        self.line(rect.x, rect.y, rect.width, line);
        if shape != Shape::Framed || rect.height < 2 {
            return;
        }
        let bottom = rect.bottom() - 1;
        for y in rect.top() + 1..bottom {
            self.line(rect.x, y, 1, Line::of(role, glyphs.vertical));
            self.line(rect.right() - 1, y, 1, Line::of(role, glyphs.vertical));
        }
        let [_, _, left, right] = glyphs.corners;
        self.line(
            rect.x,
            bottom,
            rect.width,
            Line::of(role, format!("{left}{}{right}", glyphs.horizontal.repeat(width - 2))),
        );
    }

    /// Words in the lower edge of a frame, at its right.
    pub fn foot(&mut self, rect: Rect, line: Line) {
        let width = u16::try_from(line.width()).unwrap_or(u16::MAX);
        if rect.height > 1 && width.saturating_add(6) <= rect.width {
            let mut padded = Line::of(Role::Text, " ");
            padded.join(line).put(Role::Text, " ");
            self.line(rect.right() - width - 4, rect.bottom() - 1, width + 2, padded);
        }
    }
}
