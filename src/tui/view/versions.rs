//! What was recorded of a server, the history of an item, and two versions compared.

use super::table::Columns;
use super::{Canvas, change};
use crate::tui::document::compared_row;
use crate::tui::layout;
use crate::tui::line::{Line, Role};
use crate::tui::model::{Compared, Model, VersionId, VersionRow, Versions};
use crate::tui::words::moment;
use ratatui::layout::{Constraint, Rect};

/// In less than so many cells the year that it is now is left out.
const WITH_YEAR: u16 = 70;

pub fn draw(canvas: &mut Canvas<'_>, model: &Model) {
    let Some(versions) = &model.versions.recorded else { return };
    let [place, preview] = layout::versions(model);
    let rect = above(place, 0);
    let mut title = Line::of(Role::TitleFocused, if versions.item.is_some() { "History of " } else { "Snapshots of " });
    if let Some(item) = &versions.item {
        title.item([Role::TitleFocused; 2], item).put(Role::Dim, " on ").quote(Role::Dim, &versions.server);
        title.put(Role::Dim, "  by surface digest");
    } else {
        title.quote(Role::TitleFocused, &versions.server);
    }
    if !versions.marked.is_empty() {
        title.put(Role::Key, format!("  {} {} marked", canvas.glyphs.marked, versions.marked.len()));
    }
    draw_preview(canvas, model, versions, preview);
    let rows = versions.rows.as_deref().unwrap_or_default();
    canvas.title(rect, true, title, &[canvas.around(versions.list.scroll, rows.len(), place.height)]);
    if preview.x > place.right() {
        canvas.column(place.right(), Rect { height: rect.height, ..rect });
    }
    if rows.is_empty() {
        let text = if versions.rows.is_some() { " Nothing recorded yet" } else { " Looking" };
        canvas.line(place.x, place.y, place.width, Line::of(Role::Dim, text));
        return;
    }
    let this_year =
        if place.width < WITH_YEAR { moment(model.now, &model.setup.zone)[..5].to_owned() } else { String::new() };
    let when = |row: &VersionRow| {
        let at = row.at.map_or_else(String::new, |at| moment(at, &model.setup.zone));
        Line::of(Role::Dim, at.strip_prefix(&this_year).unwrap_or(&at))
    };
    let widest = rows.iter().map(|row| when(row).width()).max().unwrap_or(0);
    let cells = [1, u16::try_from(widest).unwrap_or(0), 10, 8];
    let [mark, at, what, digest] = cells.map(|cells| Some(Constraint::Length(cells)));
    // Only the versions of one item have a digest each.
    let digest = digest.filter(|_| versions.item.is_some());
    let cells = rows.iter().enumerate().map(|(at, one)| row(model, one, when(one), versions.marked.contains(&at)));
    let columns = Columns([mark, at, what, digest, Some(Constraint::Fill(1))]);
    columns.draw(canvas, place, cells, (versions.list.scroll, Some(versions.list.at)), true);
}

fn row(model: &Model, row: &VersionRow, when: Line, marked: bool) -> [Line; 5] {
    let role = match row.what {
        "approved" | "recorded" => Role::StateApproved,
        "rejected" => Role::StateRejected,
        "now" => Role::Heading,
        _ if row.is_alarm => Role::SeverityCritical,
        _ => Role::Text,
    };
    let digest = match &row.id {
        VersionId::Digest(digest) if row.comparable => Line::of(Role::DigestMoved, digest.short()),
        VersionId::Digest(digest) => Line::of(Role::Digest, digest.short()),
        _ => Line::default(),
    };
    let mut text = Line::quoted(if row.is_alarm { Role::SeverityCritical } else { Role::Text }, &row.text);
    let known = row.comparable || row.id == VersionId::NotVisible;
    text.put(Role::Dim, if known { "" } else { "  digest only" });
    let mark = Line::of(Role::Key, if marked { model.setup.glyphs.marked } else { "" });
    [mark, when, Line::of(role, row.what), digest, text]
}

/// What pressing enter shows in full.
fn draw_preview(canvas: &mut Canvas<'_>, model: &Model, versions: &Versions, place: Rect) {
    if place.height == 0 {
        return;
    }
    let pair = versions.pair();
    if let Some(compared) = model.versions.preview() {
        change::document(canvas, model, above(place, 1), false, [titles(canvas, compared, Role::Title)]);
        return;
    }
    canvas.title(above(place, 1), false, Line::of(Role::Title, "Compared"), &[]);
    let text = match pair {
        None if versions.rows.as_ref().is_none_or(|rows| rows.len() < 2) => "Nothing earlier to compare with.",
        None => "The latest. Choose an earlier one to see what changed since, or mark two.",
        Some(pair) if pair.iter().any(|row| !row.comparable) => "Only its digest is known: no snapshot here has it.",
        Some(_) => "Comparing",
    };
    let lines = Line::of(Role::Dim, text).wrap(usize::from(place.width), 0);
    canvas.lines(place, lines);
}

pub fn draw_compared(canvas: &mut Canvas<'_>, model: &Model) {
    let [list, place] = layout::compared(model);
    let Some(compared) = model.versions.preview() else {
        canvas.title(above(list, 0), true, Line::of(Role::TitleFocused, "Comparing"), &[]);
        return;
    };
    let mut title = Line::of(Role::TitleFocused, &*compared.server.look.id);
    if let Some(item) = model.versions.recorded.as_ref().and_then(|versions| versions.item.as_ref()) {
        title.put(Role::TitleFocused, " ").item([Role::TitleFocused; 2], item);
    }
    title.put(Role::TitleFocused, "  ").join(titles(canvas, compared, Role::TitleFocused));
    let more = canvas.around(compared.list.scroll, compared.entries.len(), list.height);
    canvas.title(above(list, 0), true, title, &[more]);
    let rows = compared.entries.iter().map(|entry| [compared_row(entry, &model.setup.glyphs)]);
    let columns = Columns([Some(Constraint::Fill(1))]);
    columns.draw(canvas, list, rows, (compared.list.scroll, Some(compared.list.at)), true);
    let mut title = Line::default();
    if let Some(entry) = compared.entries.get(compared.list.at) {
        change::item(&mut title, Role::Title, entry);
        title.put(Role::Dim, format!("  {} of {}", compared.list.at + 1, compared.entries.len()));
    }
    change::document(canvas, model, above(place, 1), false, [title]);
}

/// `snapshot 2026-11-20 09:00:11 → now`.
fn titles(canvas: &Canvas<'_>, compared: &Compared, role: Role) -> Line {
    let [before, after] = &compared.titles;
    let mut line = Line::quoted(role, before);
    line.put(Role::Dim, format!(" {} ", canvas.glyphs.arrow)).quote(role, after);
    line
}

/// A place with its title line, and the margin of what is read.
fn above(place: Rect, margin: u16) -> Rect {
    let (x, y) = (place.x.saturating_sub(margin), place.y.saturating_sub(1));
    Rect::new(x, y, place.width + 2 * margin, place.height + 1)
}
