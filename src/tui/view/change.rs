//! The document of the selected entry: as a pane and full screen.

use super::{Canvas, pane};
use crate::tui::layout::{self, Shape};
use crate::tui::line::Line;
use crate::tui::model::{Model, Pane, Screen, name};
use crate::tui::theme::Role;
use crate::tui::words::count;
use ratatui::layout::Rect;

pub fn draw_pane(canvas: &mut Canvas<'_>, model: &Model, rect: Rect, shape: Shape) {
    let focused = model.pane == Pane::Change;
    let role = if focused { Role::TitleFocused } else { Role::Title };
    let mut title = Line::of(role, "Change");
    if let Some(entry) = model.selected_entry() {
        title = Line::of(role, "");
        item(&mut title, role, entry.item());
        if shape == Shape::Title && !entry.summary.is_empty() {
            title.put(Role::Dim, "  ").quote(Role::Dim, &entry.summary);
        }
    }
    let content = pane(canvas, rect, shape, focused, title);
    if shape == Shape::Title {
        return;
    }
    lines(canvas, model, content);
    if shape == Shape::Framed
        && let Some(left) = left(model, content)
    {
        canvas.foot(rect, left);
    }
}

pub fn draw_full(canvas: &mut Canvas<'_>, model: &Model, rect: Rect) {
    let shape = layout::full_shape(model.size);
    let mut title = Line::default();
    if let Some((entry, server)) = model.selected_entry().zip(model.selected_server()) {
        if model.screen == Screen::Digests {
            title.put(Role::TitleFocused, "Digests of ");
        }
        item(&mut title, Role::TitleFocused, entry.item());
        title.put(Role::Dim, " on ").quote(Role::Dim, &server.look.id);
        let asked: Vec<_> = model.entries.iter().filter(|entry| entry.needs_decision()).collect();
        if let Some(at) = asked.iter().position(|other| other.id == entry.id) {
            title.put(Role::Dim, format!("  {} of {} to decide", at + 1, asked.len()));
        }
    }
    let content = pane(canvas, rect, shape, true, title);
    let document = Rect { height: content.height.saturating_sub(1), ..content };
    lines(canvas, model, document);
    let foot = left(model, document).unwrap_or_else(|| Line::of(Role::Dim, "the end"));
    let y = document.bottom();
    canvas.line(content.x, y, content.width, foot);
}

fn item(title: &mut Line, role: Role, item: &crate::surface::ItemId) {
    let (kind, key) = name(item);
    title.put(role, kind).quote(role, key);
}

fn lines(canvas: &mut Canvas<'_>, model: &Model, rect: Rect) {
    let Some((_, document)) = &model.document else { return };
    canvas.lines(rect, document.lines.iter().skip(model.document_scroll).cloned());
}

/// How much is below, and whether the change itself goes on there.
fn left(model: &Model, rect: Rect) -> Option<Line> {
    let (key, document) = model.document.as_ref()?;
    let end = model.document_scroll + usize::from(rect.height);
    let below = document.lines.len().checked_sub(end).filter(|below| *below > 0)?;
    let mut line = Line::of(Role::Dim, format!("{} below", count(below, "line")));
    if !key.digests && end <= document.last_of_change {
        line.put(Role::Dim, ", the change goes on");
    }
    Some(line)
}
