//! Draws the model. Reads it only; everything drawn has a role, and every text passed the escaping seam before.
//!
//! ```text
//!  pinwatch  4 servers  ▲ 2 critical  ◆ 3 moderate  12 items OK          live  last change <1m ago   header
//! ─ Needs you  5 ────────────────────────────────── definition ───────── approval ──────────────────
//! ▸▲ send_mail    mailer  Tells the model to …      6f74062d → 91c0aa12  approved 11-02
//! ─ send_mail · mailer ────────────────────────────────────────────────────────────────── 1 of 5 ──
//!   its change: headline, text, findings, schema
//! ─ ✓ weather OK ──────────────────────────────────────────────────────────── servers: tab ──
//!  enter read  a approve  r reject  s skip  N next  ? help  q quit                                   hints
//! ```

mod canvas;
mod change;
mod events;
mod first_run;
mod header;
mod help;
mod hints;
mod home;
mod items;
mod search;
mod servers;
mod sheet;
mod table;
mod versions;

pub use canvas::Canvas;

use super::layout;
use super::line::{Line, Role};
use super::model::{Model, Pane, Screen};
use ratatui::buffer::Buffer;
use ratatui::layout::Position;

/// Draws the whole screen; the place of the text cursor, where something is typed.
pub fn view(model: &Model, buffer: &mut Buffer) -> Option<Position> {
    let area = buffer.area;
    let mut canvas = Canvas { buffer, theme: &model.setup.theme, glyphs: &model.setup.glyphs };
    canvas.clear(area);
    if layout::too_small(model.size) {
        let (need_width, need_height) = layout::MINIMUM;
        let (width, height) = model.size;
        let text = format!("terminal too small ({width}x{height}, need {need_width}x{need_height})");
        canvas.lines(area, Line::of(Role::Warning, text).wrap(usize::from(area.width), 0));
        return None;
    }
    let places = layout::places(model);
    header::draw(&mut canvas, model, places.header);
    let mut searching = None;
    match model.screen() {
        Screen::Home | Screen::Servers if model.servers.is_empty() => {
            first_run::draw(&mut canvas, model, places.body);
        }
        Screen::Home => home::draw(&mut canvas, model),
        Screen::Servers => servers_and_items(&mut canvas, model),
        Screen::Change | Screen::Digests => change::draw(&mut canvas, model, places.body, true),
        Screen::Versions => versions::draw(&mut canvas, model),
        Screen::Compared => versions::draw_compared(&mut canvas, model),
        Screen::Search => searching = search::draw(&mut canvas, model, places.body),
        Screen::Details => change::draw_details(&mut canvas, model, places.body),
        Screen::Events => events::draw(&mut canvas, model, places.body),
        _ => {}
    }
    let typed = hints::draw(&mut canvas, model, places.hints).or(searching);
    let typed = sheet::draw(&mut canvas, model).or(typed);
    let typed = help::draw(&mut canvas, model).or(typed);
    hints::draw_notice(&mut canvas, model, &places);
    typed
}

/// Servers, the items of the selected one, the change of the selected item.
fn servers_and_items(canvas: &mut Canvas<'_>, model: &Model) {
    let body = layout::places(model).body;
    for (pane, rect) in layout::servers(model) {
        match pane {
            Pane::Servers => servers::draw(canvas, model, rect, model.listed.pane == Pane::Servers),
            Pane::Items => items::draw(canvas, model, rect),
            Pane::Change => change::draw(canvas, model, rect, model.listed.pane == Pane::Change),
        }
    }
    let beside = layout::servers(model).into_iter().map(|(_, rect)| rect.right()).find(|x| *x < body.right());
    if let Some(x) = beside {
        canvas.column(x, body);
    }
}
