//! The mouse, where the person wants it: a click goes to a pane and a row, the wheel moves. It decides nothing.

use super::{events, select};
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::layout;
use crate::tui::model::{Model, Pane, Screen};
use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

/// Rows that the wheel moves.
const WHEEL: usize = 3;

pub fn take(model: &mut Model, event: MouseEvent) {
    let at = Position::new(event.column, event.row);
    match event.kind {
        MouseEventKind::ScrollDown => wheel(model, at, Action::Down),
        MouseEventKind::ScrollUp => wheel(model, at, Action::Up),
        MouseEventKind::Down(MouseButton::Left) if model.help.is_none() && model.dialog.is_none() => click(model, at),
        _ => {}
    }
}

fn wheel(model: &mut Model, at: Position, action: Action) {
    // Moving asks for nothing.
    let mut effects: Vec<Effect> = Vec::new();
    if model.screen() == Screen::Servers && model.help.is_none() && model.dialog.is_none() {
        focus(model, at);
    }
    for _ in 0..WHEEL {
        super::act(model, action, &mut effects);
    }
}

/// The pane under the pointer gets the keys.
fn focus(model: &mut Model, at: Position) -> Option<Pane> {
    let places = layout::servers(model);
    let (pane, _) = places.into_iter().find(|(_, rect)| rect.contains(at))?;
    model.listed.pane = pane;
    Some(pane)
}

/// Which row of a rectangle is under the pointer, counted with what is scrolled away above.
fn row(rect: Option<Rect>, scroll: usize, at: Position) -> Option<usize> {
    rect.filter(|rect| rect.contains(at)).map(|rect| scroll + usize::from(at.y - rect.y))
}

fn click(model: &mut Model, at: Position) {
    match model.screen() {
        Screen::Servers => {
            // Where the rows were when they were clicked on.
            let servers = row(layout::server_rows(model), model.listed.servers.scroll, at);
            let items = row(layout::item_rows(model), model.listed.items.scroll, at);
            match focus(model, at) {
                Some(Pane::Servers) => select::shown_server(model, servers),
                Some(Pane::Items) => {
                    let entry = items.and_then(|at| model.listed.entries.get(at)).map(|entry| entry.id.clone());
                    if entry.is_some() {
                        select::entry(model, entry);
                    }
                }
                Some(Pane::Change) | None => {}
            }
        }
        Screen::Home => {
            if let Some(at) = row(Some(layout::home(model).rows), model.home.list.scroll, at) {
                select::row(model, at);
                model.home.chosen = true;
            }
        }
        Screen::Events => {
            let at = row(Some(layout::events(model)[0]), model.events.list.scroll, at);
            events::select(model, at);
        }
        _ => {}
    }
}
