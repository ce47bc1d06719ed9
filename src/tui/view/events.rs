//! The event log, newest first, with a line for each day.

use super::Canvas;
use super::table::{Columns, filter, widest};
use crate::monitor::{Happening, HappeningKind};
use crate::otlp::Standing;
use crate::text::count;
use crate::tui::layout;
use crate::tui::line::{Line, Role};
use crate::tui::model::Model;
use crate::tui::words::{clock, severity_role, short_day};
use ratatui::layout::{Constraint, Rect};

pub fn draw(canvas: &mut Canvas<'_>, model: &Model, rect: Rect) {
    let shown = model.events.shown();
    let mut title = Line::of(Role::TitleFocused, "Events");
    title.put(Role::Dim, format!("  {}", shown.len()));
    let dropped = model.events.next.saturating_sub(model.events.log.len() as u64);
    if dropped > 0 {
        title.put(Role::Warning, format!("  {dropped} older ones dropped"));
    }
    match &model.events.chain {
        None => {}
        Some(Ok((records, hash))) => {
            let text = format!("  chain {} {} {hash}…", canvas.glyphs.approved, count(*records, "record"));
            title.put(Role::Dim, text);
        }
        Some(Err(fault)) => {
            title.put(Role::Warning, "  chain: ").quote(Role::Warning, fault);
        }
    }
    if let Some(Standing { fault, lost }) = &model.events.collector {
        match fault {
            None => {
                title.put(Role::Dim, format!("  collector {}", canvas.glyphs.approved));
            }
            Some(fault) => {
                title.put(Role::Warning, "  collector: ").quote(Role::Warning, fault);
            }
        }
        if *lost > 0 {
            title.put(Role::Warning, format!("  {} lost", count(*lost, "event")));
        }
    }
    let list = &model.events.list;
    filter(&mut title, list);
    let [content, detail] = layout::events(model);
    canvas.title(rect, true, title, &[canvas.around(list.scroll, shown.len(), content.height)]);
    if shown.is_empty() {
        let text =
            if list.filter.is_empty() { " nothing happened yet" } else { " nothing fits the filter; esc clears it" };
        canvas.line(content.x, content.y, content.width, Line::of(Role::Dim, text));
        return;
    }
    let server = widest(shown.iter().map(|(_, event)| Line::quoted(Role::Text, &event.server)), 20);
    // The oldest may be of another year.
    let written = |event: &Happening| short_day(event.at, model.now, &model.setup.zone);
    let oldest = shown.last().filter(|_| content.width >= DAYS).map_or(0, |(_, event)| written(event).len());
    let day_width = Constraint::Length(u16::try_from(oldest).unwrap_or(0));
    let widths = [day_width, Constraint::Length(8), server, Constraint::Length(9), Constraint::Fill(1)];
    let mut last_day = None;
    let rows = shown.iter().enumerate().map(|(at, (_, event))| {
        // Of those above what is shown none is seen.
        let today = if at < list.scroll { String::new() } else { written(event) };
        let fresh = last_day.replace(today.clone()) != Some(today.clone());
        cells(model, event, if fresh { today } else { String::new() })
    });
    let at = model.events.place(&shown);
    Columns(widths.map(Some)).draw(canvas, content, rows, (list.scroll, at), true);
    if detail.height > 0 {
        draw_detail(canvas, detail, shown.get(at.unwrap_or(0)).map(|(_, event)| event));
    }
}

/// The selected event in full, or the newest.
fn draw_detail(canvas: &mut Canvas<'_>, rect: Rect, event: Option<&Happening>) {
    let Some(event) = event else { return };
    let mut title = Line::of(Role::Title, event.kind.word());
    title.put(Role::Text, "  ").quote(Role::Title, &event.server);
    canvas.title(rect, false, title, &[]);
    let page = Rect::new(rect.x + 1, rect.y + 1, rect.width.saturating_sub(2), rect.height - 1);
    let mut line = Line::default();
    if let Some(severity) = event.severity {
        line.put(severity_role(severity), severity.word()).put(Role::Text, "  ");
    }
    if !event.item.is_empty() {
        line.quote(Role::Text, &event.item).put(Role::Text, "  ");
    }
    canvas.lines(page, line.quote(Role::Text, &event.text).wrap(usize::from(page.width), 0));
}

/// Columns from which each day is written before its first event.
const DAYS: u16 = 60;

/// Day, clock, server, word, then the item and what is said of it.
fn cells(model: &Model, event: &Happening, today: String) -> [Line; 5] {
    let mut text = Line::default();
    if let Some(severity) = event.severity {
        text.put(severity_role(severity), format!("{} ", model.setup.glyphs.severity(severity)));
    }
    if !event.item.is_empty() {
        let item = event.item.strip_prefix("tool/").unwrap_or(&event.item);
        text.quote(Role::Text, item);
    }
    if !event.text.is_empty() {
        text.put(Role::Text, if event.item.is_empty() { "" } else { "  " }).quote(Role::Dim, &event.text);
    }
    [
        Line::of(Role::Dim, today),
        Line::of(Role::Dim, clock(event.at, &model.setup.zone)),
        Line::quoted(Role::Text, &event.server),
        Line::of(role(event.kind), event.kind.word()),
        text,
    ]
}

fn role(kind: HappeningKind) -> Role {
    match kind {
        HappeningKind::Drifted | HappeningKind::Changed => Role::StateDrift,
        HappeningKind::New => Role::StateNew,
        HappeningKind::Gone => Role::StateGone,
        HappeningKind::Approved | HappeningKind::Returned | HappeningKind::Recovered => Role::StateApproved,
        HappeningKind::Rejected => Role::StateRejected,
        HappeningKind::Stale => Role::Stale,
        HappeningKind::Blocked
        | HappeningKind::BaselineChanged
        | HappeningKind::NotConsented
        | HappeningKind::SignInRefused
        | HappeningKind::Unwatched => Role::Warning,
        HappeningKind::Undone
        | HappeningKind::BaselineSeen
        | HappeningKind::Recorded
        | HappeningKind::Consented
        | HappeningKind::SignedIn
        | HappeningKind::Notice => Role::Text,
    }
}
