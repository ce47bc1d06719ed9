//! The event log, newest first, with a line for each day.

use super::Canvas;
use crate::monitor::{Happening, HappeningKind};
use crate::tui::layout::{self, Shape};
use crate::tui::line::Line;
use crate::tui::model::{Model, Screen};
use crate::tui::theme::Role;
use crate::tui::words::{clock, day};
use ratatui::layout::Rect;

pub fn draw(canvas: &mut Canvas<'_>, model: &Model, rect: Rect, shape: Shape, focused: bool) {
    let shown = model.shown_events();
    let mut title = Line::of(if focused { Role::TitleFocused } else { Role::Title }, "Events");
    title.put(Role::Dim, format!("  {}", shown.len()));
    let dropped = model.next_event.saturating_sub(model.events.len() as u64);
    if dropped > 0 {
        title.put(Role::Warning, format!("  {dropped} older ones dropped"));
    }
    let list = &model.events_list;
    if !list.filter.is_empty() || list.typing {
        title.put(Role::Text, "  ").put(Role::Key, "/").quote(Role::Input, list.filter.text());
    }
    if shape == Shape::Title
        && let Some((_, event)) = shown.first()
    {
        title = Line::of(Role::Title, "Events  ");
        title.join(row(model, event, 0, false));
    }
    let content = layout::inner(rect, shape);
    let below = shown.len().saturating_sub(list.scroll + usize::from(content.height));
    let more = if shape == Shape::Open { canvas.more(below) } else { Line::default() };
    canvas.title(rect, focused, title, &[more]);
    if shape == Shape::Title {
        return;
    }
    if shown.is_empty() {
        let text =
            if list.filter.is_empty() { " nothing happened yet" } else { " nothing fits the filter; esc clears it" };
        canvas.line(content.x, content.y, content.width, Line::of(Role::Dim, text));
        return;
    }
    let full = model.screen == Screen::Events;
    let servers = shown.iter().map(|(_, event)| Line::default().quote(Role::Text, &event.server).width()).max();
    let column = if content.width >= 60 { servers.unwrap_or(0).min(20) } else { 0 };
    let rows = shown.iter().skip(list.scroll).take(usize::from(content.height));
    let mut last_day = None;
    for (y, (number, event)) in (content.top()..).zip(rows) {
        let mut line = Line::of(Role::Text, " ");
        if full && content.width >= 60 {
            let today = day(event.at, &model.zone);
            let fresh = last_day.replace(today.clone()) != Some(today.clone());
            line.put(Role::Dim, if fresh { today } else { " ".repeat(10) }).put(Role::Text, " ");
        }
        line.join(row(model, event, column, full));
        canvas.line(content.x, y, content.width.saturating_sub(1), line);
        if model.event == Some(*number) {
            canvas.select(Rect::new(content.x, y, content.width, 1), focused);
        }
    }
}

/// Clock, server, word, item, text.
fn row(model: &Model, event: &Happening, column: usize, seconds: bool) -> Line {
    let cut = model.glyphs.ellipsis;
    let clock = clock(event.at, &model.zone);
    let clock = if seconds { clock.as_str() } else { clock.get(..5).unwrap_or_default() };
    let mut line = Line::of(Role::Dim, format!("{clock} "));
    let mut server = Line::default();
    server.quote(Role::Text, &event.server);
    line.join(if column > 0 { server.pad(column, cut) } else { server }).put(Role::Text, " ");
    let word = event.kind.word();
    line.put(role(event.kind), if column > 0 { format!("{word:<9}") } else { word.to_owned() });
    if !event.item.is_empty() {
        let item = event.item.strip_prefix("tool/").unwrap_or(&event.item);
        line.put(Role::Text, " ").quote(Role::Text, item);
    }
    if !event.text.is_empty() {
        // Under the items where there is a column of them.
        let gap = if event.item.is_empty() && column > 0 { " " } else { "  " };
        line.put(Role::Text, gap).quote(Role::Dim, &event.text);
    }
    line
}

fn role(kind: HappeningKind) -> Role {
    match kind {
        HappeningKind::Drifted | HappeningKind::Changed => Role::StateDrift,
        HappeningKind::New => Role::StateNew,
        HappeningKind::Gone => Role::StateGone,
        HappeningKind::Approved | HappeningKind::Returned | HappeningKind::Recovered => Role::StateApproved,
        HappeningKind::Rejected => Role::StateRejected,
        HappeningKind::Stale => Role::Stale,
        HappeningKind::BaselineChanged | HappeningKind::NotConsented | HappeningKind::Unwatched => Role::Warning,
        HappeningKind::Undone
        | HappeningKind::BaselineSeen
        | HappeningKind::Recorded
        | HappeningKind::Consented
        | HappeningKind::Notice => Role::Text,
    }
}
