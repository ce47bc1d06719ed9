//! Tables: ratatui's `Table` and `Layout` over our lines, each cell cut with an ellipsis, the selected row a bar.

use super::Canvas;
use crate::tui::line::{Line, Role};
use crate::tui::model::List;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::widgets::{Cell, Row, Table, Widget as _};

/// The width of each column; none where there is no room for it. Columns stand one blank apart, and the first cell of a row
/// one column from the edge, where the bar has its sign.
pub struct Columns<const N: usize>(pub [Option<Constraint>; N]);

impl<const N: usize> Columns<N> {
    fn inside(rect: Rect) -> Rect {
        Rect::new(rect.x.saturating_add(1), rect.y, rect.width.saturating_sub(1), rect.height)
    }

    /// Where the columns stand in one row of `rect`.
    pub fn places(&self, rect: Rect) -> [Option<Rect>; N] {
        let row = Rect { height: 1.min(rect.height), ..Self::inside(rect) };
        let mut places = Layout::horizontal(self.0.iter().flatten()).spacing(1).split(row).to_vec().into_iter();
        self.0.map(|width| width.and_then(|_| places.next()))
    }

    /// Draws the rows from the first one shown on, as many as fit, with a bar over the one at a place.
    pub fn draw(
        &self,
        canvas: &mut Canvas<'_>,
        rect: Rect,
        rows: impl IntoIterator<Item = [Line; N]>,
        (scroll, at): (usize, Option<usize>),
        focused: bool,
    ) {
        let places = self.places(rect);
        let cell = |(line, place): (Line, Option<Rect>)| Some(Cell::from(canvas.spans(line, place?.width)));
        let rows = rows.into_iter().skip(scroll).take(usize::from(rect.height));
        let rows: Vec<_> = rows.map(|row| Row::new(row.into_iter().zip(places).filter_map(cell))).collect();
        Table::new(rows, self.0.iter().flatten()).column_spacing(1).render(Self::inside(rect), canvas.buffer);
        let at = at.and_then(|at| u16::try_from(at.checked_sub(scroll)?).ok());
        if let Some(y) = at.filter(|y| *y < rect.height) {
            canvas.select(Rect::new(rect.x, rect.y + y, rect.width, 1), focused);
        }
    }
}

/// The width of the widest of several lines, and `most` at most.
pub fn widest(lines: impl Iterator<Item = Line>, most: usize) -> Constraint {
    let widest = lines.map(|line| line.width()).max().unwrap_or(0).min(most);
    Constraint::Length(u16::try_from(widest).unwrap_or(u16::MAX))
}

/// Appends the filter of a list where it has one.
pub fn filter(title: &mut Line, list: &List) {
    if !list.filter.is_empty() || list.typing {
        title.put(Role::Text, "  ").put(Role::Key, "/").quote(Role::Input, list.filter.text());
    }
}
