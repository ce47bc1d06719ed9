//! The mouse, where the person wants it: a click goes to a pane and a row, the wheel moves. It decides nothing.

use super::moves;
use crate::tui::action::Action;
use crate::tui::layout;
use crate::tui::model::{Model, Screen};
use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

/// Rows that the wheel moves.
const WHEEL: usize = 3;

pub fn take(model: &mut Model, event: MouseEvent) {
    let at = Position::new(event.column, event.row);
    match event.kind {
        MouseEventKind::ScrollDown => wheel(model, at, Action::Down),
        MouseEventKind::ScrollUp => wheel(model, at, Action::Up),
        MouseEventKind::Down(MouseButton::Left) if !model.is_covered() => {
            // Where the rows were when they were clicked on: panes move as they get the keys.
            let row = moves::under(model, at);
            focus(model, at);
            if let Some((rows, at)) = row {
                moves::select(model, rows, at);
            }
        }
        _ => {}
    }
}

fn wheel(model: &mut Model, at: Position, action: Action) {
    if !model.is_covered() {
        focus(model, at);
    }
    for _ in 0..WHEEL {
        super::act(model, action);
    }
}

/// The pane under the pointer gets the keys.
fn focus(model: &mut Model, at: Position) {
    let pane = layout::servers(model).into_iter().find(|(_, rect)| rect.contains(at));
    if let Some((pane, _)) = pane.filter(|_| model.screen() == Screen::Servers) {
        model.listed.pane = pane;
    }
}
