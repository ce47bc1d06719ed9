//! Tables: ratatui's `Table` and `Layout` over our lines, each cell cut with an ellipsis, the selected row a bar.

use super::Canvas;
use crate::tui::line::{Line, Piece};
use crate::tui::theme::Role;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line as Spans, Span};
use ratatui::widgets::{Cell, Row, Table, Widget as _};

/// A table's columns. The first cell of a row stands one column from the edge, where the bar has its sign.
pub struct Columns<'a> {
    /// The widths; columns stand one blank apart.
    pub widths: &'a [Constraint],
}

impl Columns<'_> {
    fn inside(rect: Rect) -> Rect {
        Rect::new(rect.x.saturating_add(1), rect.y, rect.width.saturating_sub(1), rect.height)
    }

    /// Where the columns stand in one row of `rect`.
    pub fn places(&self, rect: Rect) -> Vec<Rect> {
        let row = Rect { height: 1.min(rect.height), ..Self::inside(rect) };
        Layout::horizontal(self.widths).spacing(1).split(row).to_vec()
    }

    /// Draws as many rows as fit; `selected` is the place of the bar among them.
    pub fn draw(
        &self,
        canvas: &mut Canvas<'_>,
        rect: Rect,
        rows: impl IntoIterator<Item = Vec<Line>>,
        selected: Option<usize>,
        focused: bool,
    ) {
        let places = self.places(rect);
        let cell = |(line, place): (Line, &Rect)| {
            let line = line.fit(usize::from(place.width), canvas.glyphs.ellipsis);
            let text = |piece: &Piece| match piece.role {
                Role::Hidden => canvas.glyphs.hidden(&piece.text),
                _ => piece.text.clone(),
            };
            let spans = line.pieces.iter().map(|piece| Span::styled(text(piece), canvas.theme.style(piece.role)));
            Cell::from(spans.collect::<Spans<'_>>())
        };
        let rows = rows.into_iter().take(usize::from(rect.height));
        let rows: Vec<_> = rows.map(|row| Row::new(row.into_iter().zip(&places).map(cell))).collect();
        Table::new(rows, self.widths).column_spacing(1).render(Self::inside(rect), canvas.buffer);
        if let Some(y) = selected.and_then(|at| u16::try_from(at).ok()).filter(|y| *y < rect.height) {
            canvas.select(Rect::new(rect.x, rect.y + y, rect.width, 1), focused);
        }
    }
}
