//! Draws the model. Reads it only; everything drawn has a role, and every text passed the escaping seam before.
//!
//! ```text
//!  pinwatch  3 servers  2 DRIFT  1 NEW  1 stale                      live  last change <1m ago  theme ansi   header
//! ─ Servers  3 ────────────────┬─ github (stdio)  14 items  2 DRIFT ──────────────────────────── 3 more ↓ ─
//!  ● github    DRIFT 2         │   state ▾   severity    item            change                   decision
//!  ! billing   stale 4m        │▸● DRIFT     ▲ critical  create_issue    description · +1 par…    –
//! ─ Events  8 ─────────────────┼─ create_issue ────────────────────────────────────────── 34 lines below ─
//!  14:02 github DRIFT create_… │ words, findings, schema verdict, diff, digests
//!  enter open  a approve  r reject  / filter  ? help  q quit                                            hints
//! ```

mod canvas;
mod change;
mod details;
mod events;
mod first_run;
mod header;
mod help;
mod hints;
mod items;
mod queue;
mod search;
mod servers;
mod sheet;
mod versions;

pub use canvas::Canvas;

use super::layout::{self, Shape};
use super::line::Line;
use super::model::{Model, Pane, Screen};
use super::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Position;

/// Draws the whole screen; the place of the text cursor, where something is typed.
pub fn view(model: &Model, buffer: &mut Buffer) -> Option<Position> {
    let area = buffer.area;
    let mut canvas = Canvas { buffer, theme: &model.theme, glyphs: &model.glyphs };
    canvas.clear(area);
    if layout::too_small(model.size) {
        let (need_width, need_height) = layout::MINIMUM;
        let (width, height) = model.size;
        let text = format!("terminal too small ({width}x{height}, need {need_width}x{need_height})");
        for (at, line) in Line::of(Role::Warning, text).wrap(usize::from(area.width), 0).into_iter().enumerate() {
            canvas.line(area.x, area.y.saturating_add(u16::try_from(at).unwrap_or(u16::MAX)), area.width, line);
        }
        return None;
    }
    let places = model.places();
    header::draw(&mut canvas, model, places.header);
    let mut searching = None;
    match model.screen {
        Screen::Browse if model.servers.is_empty() => first_run::draw(&mut canvas, model, places.body),
        Screen::Browse => {
            if let Some(x) = layout::separator(&places) {
                canvas.separator(x, &places);
            }
            for (pane, rect, shape) in &places.panes {
                match pane {
                    Pane::Servers => servers::draw(&mut canvas, model, *rect, *shape),
                    Pane::Items => items::draw(&mut canvas, model, *rect, *shape),
                    Pane::Change => change::draw_pane(&mut canvas, model, *rect, *shape),
                    Pane::Events => events::draw(&mut canvas, model, *rect, *shape, model.pane == Pane::Events),
                }
            }
        }
        Screen::Queue => queue::draw(&mut canvas, model, places.body),
        Screen::Change | Screen::Digests => change::draw_full(&mut canvas, model, places.body),
        Screen::Versions => versions::draw(&mut canvas, model, places.body),
        Screen::Compared => versions::draw_compared(&mut canvas, model, places.body),
        Screen::Search => searching = search::draw(&mut canvas, model, places.body),
        Screen::Server => details::draw(&mut canvas, model, places.body),
        Screen::Events => events::draw(&mut canvas, model, places.body, Shape::Open, true),
    }
    let typed = hints::draw(&mut canvas, model, places.hints).or(searching);
    let typed = sheet::draw(&mut canvas, model).or(typed);
    let typed = help::draw(&mut canvas, model).or(typed);
    hints::draw_notice(&mut canvas, model, &places);
    typed
}
