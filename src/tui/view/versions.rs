//! What was recorded of a server, the history of an item, and two versions compared.

use super::Canvas;
use crate::tui::document::compared_row;
use crate::tui::layout;
use crate::tui::line::Line;
use crate::tui::model::{Compared, Model, VersionId, Versions, name};
use crate::tui::theme::Role;
use crate::tui::words::{count, moment};
use ratatui::layout::Rect;

pub fn draw(canvas: &mut Canvas<'_>, model: &Model) {
    let Some(versions) = &model.versions.list else { return };
    let [place, preview] = layout::versions(model);
    let rect = above(place, 0);
    let mut title = Line::of(Role::TitleFocused, if versions.item.is_some() { "History of " } else { "Snapshots of " });
    if let Some(item) = &versions.item {
        let (kind, key) = name(item);
        title.put(Role::TitleFocused, kind).quote(Role::TitleFocused, key).put(Role::Dim, " on ");
        title.quote(Role::Dim, &versions.server);
    } else {
        title.quote(Role::TitleFocused, &versions.server);
    }
    if !versions.marked.is_empty() {
        title.put(Role::Key, format!("  {} {} marked", canvas.glyphs.marked, versions.marked.len()));
    }
    draw_preview(canvas, model, versions, preview);
    let rows = versions.rows.as_deref().unwrap_or_default();
    let below = rows.len().saturating_sub(versions.scroll + usize::from(place.height));
    canvas.title(rect, true, title, &[canvas.around(versions.scroll, below)]);
    if preview.x > place.right() {
        canvas.column(place.right(), Rect { height: rect.height, ..rect });
    }
    if rows.is_empty() {
        let text = if versions.rows.is_some() { " Nothing recorded yet" } else { " Looking" };
        canvas.line(place.x, place.y, place.width, Line::of(Role::Dim, text));
        return;
    }
    let shown = rows.iter().enumerate().skip(versions.scroll);
    for (y, (at, _)) in (place.top()..place.bottom()).zip(shown) {
        canvas.line(place.x, y, place.width, row(canvas, model, versions, at));
        if at == versions.at {
            canvas.select(Rect::new(place.x, y, place.width, 1), true);
        }
    }
}

fn row(canvas: &Canvas<'_>, model: &Model, versions: &Versions, at: usize) -> Line {
    let mut line = Line::of(Role::Text, " ");
    let Some(row) = versions.rows.as_ref().and_then(|rows| rows.get(at)) else { return line };
    let marked = versions.marked.contains(&at);
    line.put(Role::Key, if marked { canvas.glyphs.marked } else { " " }).put(Role::Text, " ");
    let when = row.at.map_or_else(String::new, |at| moment(at, &model.zone));
    line.put(Role::Dim, format!("{when:<20} "));
    let role = match row.what {
        "approved" | "recorded" => Role::StateApproved,
        "rejected" => Role::StateRejected,
        "now" => Role::Heading,
        _ => Role::Text,
    };
    line.put(role, format!("{:<10} ", row.what));
    if let VersionId::Digest(digest) = &row.id {
        line.put(if row.comparable { Role::DigestMoved } else { Role::Digest }, digest.short()).put(Role::Text, "  ");
    }
    line.quote(Role::Text, &row.text);
    if !row.comparable {
        line.put(Role::Dim, "  digest only");
    }
    line
}

/// What pressing enter shows in full.
fn draw_preview(canvas: &mut Canvas<'_>, model: &Model, versions: &Versions, place: Rect) {
    if place.height == 0 {
        return;
    }
    let pair = versions.pair();
    if let Some(compared) = model.versions.preview() {
        detail(canvas, compared, place, titles(canvas, compared, Role::Title), false);
        return;
    }
    canvas.title(above(place, 1), false, Line::of(Role::Title, "Compared"), &[]);
    let text = match pair {
        None => "The latest. Choose an earlier one to see what changed since, or mark two.",
        Some(pair) if pair.iter().any(|row| !row.comparable) => "Only its digest is known: no snapshot here has it.",
        Some(_) => "Comparing",
    };
    let lines = Line::of(Role::Dim, text).wrap(usize::from(place.width), 0);
    canvas.lines(place, lines);
}

pub fn draw_compared(canvas: &mut Canvas<'_>, model: &Model) {
    let Some(compared) = &model.versions.compared else { return };
    let [list, place] = layout::compared(model);
    let mut title = Line::of(Role::TitleFocused, &*compared.server.look.id);
    if let Some(item) = model.versions.list.as_ref().and_then(|versions| versions.item.as_ref()) {
        let (kind, key) = name(item);
        title.put(Role::TitleFocused, format!(" {kind}")).quote(Role::TitleFocused, key);
    }
    title.put(Role::TitleFocused, "  ").join(titles(canvas, compared, Role::TitleFocused));
    let below = compared.entries.len().saturating_sub(compared.list_scroll + usize::from(list.height));
    canvas.title(above(list, 0), true, title, &[canvas.around(compared.list_scroll, below)]);
    for (y, (at, entry)) in
        (list.top()..list.bottom()).zip(compared.entries.iter().enumerate().skip(compared.list_scroll))
    {
        let mut line = Line::of(Role::Text, " ");
        line.join(compared_row(entry, canvas.glyphs));
        canvas.line(list.x, y, list.width, line);
        if at == compared.at {
            canvas.select(Rect::new(list.x, y, list.width, 1), true);
        }
    }
    let mut title = Line::default();
    if let Some(entry) = compared.entries.get(compared.at) {
        let (kind, key) = name(entry.item());
        title.put(Role::Title, kind).quote(Role::Title, key);
        title.put(Role::Dim, format!("  {} of {}", compared.at + 1, compared.entries.len()));
    }
    detail(canvas, compared, place, title, true);
}

/// `snapshot 2026-11-20 09:00:11 → now`.
fn titles(canvas: &Canvas<'_>, compared: &Compared, role: Role) -> Line {
    let [before, after] = &compared.titles;
    let mut line = Line::default();
    line.quote(role, before).put(Role::Dim, format!(" {} ", canvas.glyphs.arrow)).quote(role, after);
    line
}

/// The lines of a comparison, with how many are below; a preview always begins at its top.
fn detail(canvas: &mut Canvas<'_>, compared: &Compared, place: Rect, title: Line, scrolled: bool) {
    let Some((_, document)) = &compared.document else { return };
    let scroll = if scrolled { compared.scroll } else { 0 };
    let below = document.lines.len().saturating_sub(scroll + usize::from(place.height));
    let more = if below > 0 { Line::of(Role::Dim, format!("{} below", count(below, "line"))) } else { Line::default() };
    canvas.title(above(place, 1), false, title, &[more]);
    canvas.lines(place, document.lines.iter().skip(scroll).cloned());
}

/// A place with its title line, and the margin of what is read.
fn above(place: Rect, margin: u16) -> Rect {
    let (x, y) = (place.x.saturating_sub(margin), place.y.saturating_sub(1));
    Rect::new(x, y, place.width + 2 * margin, place.height + 1)
}
