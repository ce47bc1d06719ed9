//! The mouse, where the person wants it: a click goes to a pane and a row, the wheel moves. It decides nothing.

use super::{browse, change, details, dialog, events, help, queue, search, versions};
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::layout;
use crate::tui::model::{Model, Pane, Screen};
use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

/// Rows that the wheel moves.
const WHEEL: usize = 3;

/// Takes a mouse event.
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
    if model.screen == Screen::Browse && model.help.is_none() && model.dialog.is_none() {
        focus(model, at);
    }
    for _ in 0..WHEEL {
        match model.screen {
            _ if model.help.is_some() => help::act(model, action),
            _ if model.dialog.is_some() => dialog::act(model, action, &mut effects),
            Screen::Browse => browse::act(model, action, &mut effects),
            Screen::Queue => queue::act(model, action, &mut effects),
            Screen::Change | Screen::Digests => change::act(model, action, &mut effects),
            Screen::Events => events::act(model, action),
            Screen::Server => details::act(model, action, &mut effects),
            Screen::Versions => versions::act(model, action, &mut effects),
            Screen::Compared => versions::act_compared(model, action),
            Screen::Search => search::act(model, action),
        }
    }
}

/// The pane under the pointer gets the keys.
fn focus(model: &mut Model, at: Position) -> Option<Pane> {
    let places = model.places();
    let (pane, ..) = places.panes.into_iter().find(|(_, rect, _)| rect.contains(at))?;
    model.pane = pane;
    Some(pane)
}

/// Which row of a rectangle is under the pointer, counted with what is scrolled away above.
fn row(rect: Option<Rect>, scroll: usize, at: Position) -> Option<usize> {
    rect.filter(|rect| rect.contains(at)).map(|rect| scroll + usize::from(at.y - rect.y))
}

fn click(model: &mut Model, at: Position) {
    match model.screen {
        Screen::Browse => {
            // Where the rows were when they were clicked on.
            let servers = row(layout::pane_content(model, Pane::Servers), model.servers_list.scroll, at);
            let items = row(layout::item_rows(model), model.items.scroll, at);
            let lines = row(layout::event_rows(model), model.events_list.scroll, at);
            match focus(model, at) {
                Some(Pane::Servers) => browse::select_shown(model, servers),
                Some(Pane::Items) => {
                    let entry = items.and_then(|at| model.entries.get(at)).map(|entry| entry.id.clone());
                    if entry.is_some() {
                        browse::select(model, entry);
                    }
                }
                Some(Pane::Events) => events::select(model, lines),
                Some(Pane::Change) | None => {}
            }
        }
        Screen::Queue => {
            let at = row(Some(layout::queue(model)[1]), model.queue_list.scroll, at);
            at.inspect(|at| queue::select(model, *at));
        }
        Screen::Events => {
            let at = row(layout::event_rows(model), model.events_list.scroll, at);
            events::select(model, at);
        }
        _ => {}
    }
}
