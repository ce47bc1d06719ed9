//! What was recorded of a server, the history of an item, and two versions compared.

use super::Canvas;
use crate::tui::layout;
use crate::tui::line::Line;
use crate::tui::model::{Model, VersionId, Versions, name};
use crate::tui::theme::Role;
use crate::tui::words::{count, moment};
use ratatui::layout::Rect;

pub fn draw(canvas: &mut Canvas<'_>, model: &Model, rect: Rect) {
    let Some(versions) = &model.versions.list else { return };
    let place = layout::body(model);
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
    let rows = versions.rows.as_deref().unwrap_or_default();
    let below = rows.len().saturating_sub(versions.scroll + usize::from(place.height));
    canvas.title(rect, true, title, &[canvas.around(versions.scroll, below)]);
    if rows.is_empty() {
        let text = if versions.rows.is_some() { " nothing was recorded yet" } else { " looking" };
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

pub fn draw_compared(canvas: &mut Canvas<'_>, model: &Model, rect: Rect) {
    let Some(compared) = &model.versions.compared else { return };
    let page = layout::page(model);
    let [before, after] = &compared.titles;
    let mut title = Line::of(Role::TitleFocused, &*compared.server.look.id);
    if let Some(item) = model.versions.list.as_ref().and_then(|versions| versions.item.as_ref()) {
        title.put(Role::TitleFocused, format!(" {}/", item.kind)).quote(Role::TitleFocused, &item.key);
    }
    title
        .put(Role::TitleFocused, "  ")
        .quote(Role::TitleFocused, before)
        .put(Role::Dim, format!(" {} ", canvas.glyphs.arrow));
    title.quote(Role::TitleFocused, after);
    let Some((.., document)) = &compared.document else { return };
    let below = document.lines.len().saturating_sub(compared.scroll + usize::from(page.height));
    let more = if below > 0 { Line::of(Role::Dim, format!("{} below", count(below, "line"))) } else { Line::default() };
    canvas.title(rect, true, title, &[more]);
    canvas.lines(page, document.lines.iter().skip(compared.scroll).cloned());
}
