//! The buffer with a theme: lines, frames and selections by role. Nothing is ever drawn outside the buffer.

use crate::tui::glyph::Glyphs;
use crate::tui::line::{Line, Piece, Role};
use crate::tui::theme::Theme;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line as Spans, Span};
use ratatui::widgets::{Clear, Widget as _};

pub struct Canvas<'a> {
    pub buffer: &'a mut Buffer,
    pub theme: &'a Theme,
    pub glyphs: &'a Glyphs,
}

impl Canvas<'_> {
    pub fn clear(&mut self, rect: Rect) {
        Clear.render(rect, self.buffer);
        self.buffer.set_style(rect, self.theme.style(Role::Text));
    }

    /// One line of at most `width` cells, cut with an ellipsis.
    pub fn line(&mut self, x: u16, y: u16, width: u16, line: Line) {
        let area = self.buffer.area;
        if y < area.top() || y >= area.bottom() || x < area.left() || x >= area.right() {
            return;
        }
        let width = width.min(area.right() - x);
        let spans = self.spans(line, width);
        self.buffer.set_line(x, y, &spans, width);
    }

    /// A line in the styles of its roles, cut to a width.
    pub fn spans(&self, line: Line, width: u16) -> Spans<'static> {
        let pieces = line.fit(usize::from(width), self.glyphs.ellipsis).pieces.into_iter();
        let span = |piece: Piece| {
            let text = if piece.role == Role::Hidden { self.glyphs.hidden(&piece.text) } else { piece.text };
            Span::styled(text, self.theme.style(piece.role))
        };
        pieces.map(span).collect()
    }

    /// Lines from the top of a rectangle on, as many as fit.
    pub fn lines(&mut self, rect: Rect, lines: impl IntoIterator<Item = Line>) {
        for (y, line) in (rect.top()..rect.bottom()).zip(lines) {
            self.line(rect.x, y, rect.width, line);
        }
    }

    /// Leaves what is drawn already in the background: dim but for the last line, so that what is drawn over it stands
    /// out with its keys.
    pub fn recede(&mut self) {
        let style = Style::reset().patch(self.theme.style(Role::Text)).patch(self.theme.style(Role::Dim));
        let area = self.buffer.area;
        self.buffer.set_style(Rect { height: area.height.saturating_sub(1), ..area }, style);
    }

    /// The selected row: a bar where the pane has the keys, else its sign alone.
    pub fn select(&mut self, rect: Rect, focused: bool) {
        self.line(rect.x, rect.y, 1, Line::of(Role::Text, self.glyphs.current));
        let style = self.theme.style(if focused { Role::Selection } else { Role::SelectionUnfocused });
        // What is dim elsewhere would leave holes in the bar.
        let style = style.remove_modifier(Modifier::DIM);
        let paper = self.theme.style(Role::Text).bg.unwrap_or_default();
        let rect = rect.intersection(self.buffer.area);
        for position in rect.positions() {
            if let Some(cell) = self.buffer.cell_mut(position) {
                // What has a background of its own was made to be read on that.
                if cell.bg == paper || style.add_modifier.contains(Modifier::REVERSED) {
                    cell.set_style(style);
                }
            }
        }
    }

    /// How many of `len` rows are above and below those shown from `above` on, for a title.
    pub fn around(&self, above: usize, len: usize, height: u16) -> Line {
        let below = len.saturating_sub(above + usize::from(height));
        let mut line = Line::default();
        for (many, sign) in [(above, self.glyphs.less), (below, self.glyphs.more)] {
            if many > 0 {
                let gap = if line.width() > 0 { "  " } else { "" };
                line.put(Role::Dim, format!("{gap}{many} more {sign}"));
            }
        }
        line
    }

    /// The title line of a pane, with words at its right end: the first of several that fit, or none.
    pub fn title(&mut self, rect: Rect, focused: bool, title: Line, right: &[Line]) {
        let role = if focused { Role::BorderFocused } else { Role::Border };
        if rect.height == 0 {
            return;
        }
        let width = usize::from(rect.width);
        let room = width.saturating_sub(title.width() + 10);
        let right = right.iter().find(|right| right.width() <= room).cloned().unwrap_or_default();
        let line = self.edge(width, role, [self.glyphs.horizontal; 2], title, right);
        self.line(rect.x, rect.y, rect.width, line);
    }

    /// A frame with a title in its upper edge and words in its lower one.
    pub fn frame(&mut self, rect: Rect, title: Line, foot: Line) {
        let role = Role::BorderFocused;
        let glyphs = self.glyphs;
        let [top_left, top_right, bottom_left, bottom_right] = glyphs.corners;
        if rect.height < 2 {
            return;
        }
        let width = usize::from(rect.width);
        let upper = self.edge(width, role, [top_left, top_right], title, Line::default());
        self.line(rect.x, rect.y, rect.width, upper);
        let bottom = rect.bottom() - 1;
        for y in rect.top() + 1..bottom {
            self.line(rect.x, y, 1, Line::of(role, glyphs.vertical));
            self.line(rect.right().saturating_sub(1), y, 1, Line::of(role, glyphs.vertical));
        }
        let lower = self.edge(width, role, [bottom_left, bottom_right], Line::default(), foot);
        self.line(rect.x, bottom, rect.width, lower);
    }

    /// A horizontal line with words near both ends.
    fn edge(&self, width: usize, role: Role, ends: [&str; 2], left: Line, right: Line) -> Line {
        let glyphs = self.glyphs;
        let mut line = Line::of(role, ends[0]);
        if left.width() > 0 {
            let left = left.fit(width.saturating_sub(4), glyphs.ellipsis);
            line.put(Role::Text, " ").join(left).put(Role::Text, " ");
        }
        let tail = if right.width() > 0 && line.width() + right.width() + 6 <= width { right.width() + 4 } else { 1 };
        let middle = width.saturating_sub(line.width() + tail);
        line.put(role, glyphs.horizontal.repeat(middle));
        if tail > 1 {
            line.put(Role::Text, " ").join(right).put(Role::Text, " ").put(role, glyphs.horizontal);
        }
        line.put(role, ends[1]);
        line
    }

    /// A vertical line, joined to the horizontal ones that meet it.
    pub fn column(&mut self, x: u16, rect: Rect) {
        let horizontal = self.glyphs.horizontal;
        let meets =
            |buffer: &Buffer, x: u16, y: u16| buffer.cell((x, y)).is_some_and(|cell| cell.symbol() == horizontal);
        for y in rect.top()..rect.bottom() {
            let [down, left, right, all] = self.glyphs.joints;
            let sign = match (meets(self.buffer, x.saturating_sub(1), y), meets(self.buffer, x + 1, y)) {
                (true, true) if y == rect.top() => down,
                (true, true) => all,
                (true, false) => left,
                (false, true) => right,
                (false, false) => self.glyphs.vertical,
            };
            self.line(x, y, 1, Line::of(Role::Border, sign));
        }
    }
}
