//! What is read: the change of the selected entry, as a pane and full screen, and what is known of a server.

use super::{Canvas, servers};
use crate::tui::document::Form;
use crate::tui::layout;
use crate::tui::line::{Line, Role};
use crate::tui::model::{Entry, EntryId, Model, Pane, Screen};
use crate::tui::words::count;
use ratatui::layout::Rect;

pub fn draw_pane(canvas: &mut Canvas<'_>, model: &Model, rect: Rect) {
    let focused = model.listed.pane == Pane::Change;
    let role = if focused { Role::TitleFocused } else { Role::Title };
    let mut title = Line::of(role, "Change");
    if let Some(entry) = model.selected_entry() {
        title = Line::of(role, "");
        item(&mut title, role, entry);
        if rect.height < 2 && !entry.summary.is_empty() {
            title.put(Role::Dim, "  ").quote(Role::Dim, &entry.summary);
        }
    }
    document(canvas, model, rect, focused, title);
}

/// Below the rows of home, with the place of the selected one.
pub fn draw_below(canvas: &mut Canvas<'_>, model: &Model, rect: Rect, place: Line) {
    let mut title = Line::default();
    if let Some((entry, server)) = model.selected_entry().zip(model.selected_server()) {
        item(&mut title, Role::Title, entry);
        title.put(Role::Dim, format!(" {} ", canvas.glyphs.between)).quote(Role::Dim, &server.look.id);
    }
    title.put(Role::Text, "  ").join(place);
    document(canvas, model, rect, false, title);
}

pub fn draw_full(canvas: &mut Canvas<'_>, model: &Model, rect: Rect) {
    let mut titles = Vec::new();
    if let Some((entry, server)) = model.selected_entry().zip(model.selected_server()) {
        let mut title = Line::default();
        if model.screen() == Screen::Digests {
            title.put(Role::TitleFocused, "Digests of ");
        }
        item(&mut title, Role::TitleFocused, entry);
        let mut long = title.clone();
        long.put(Role::Dim, " on ").quote(Role::Dim, &server.look.id);
        if let Some(at) = select_place(model) {
            let place = format!("  {at} of {}", model.home.all);
            long.put(Role::Dim, place.as_str());
            title.put(Role::Dim, place);
        }
        if model.screen() == Screen::Change {
            manner(model, &mut long);
        }
        titles = vec![long, title];
    }
    let title = Line::first_that_fits(titles, usize::from(rect.width).saturating_sub(4));
    document(canvas, model, rect, true, title);
}

/// Everything known of one server.
pub fn draw_details(canvas: &mut Canvas<'_>, model: &Model, rect: Rect) {
    let mut title = Line::of(Role::TitleFocused, "Server");
    let Some(server) = model.selected_server() else {
        canvas.title(rect, true, title, &[]);
        return;
    };
    title.put(Role::TitleFocused, " ").quote(Role::TitleFocused, &server.look.id);
    title.put(Role::Text, "  ").join(servers::state(model, server));
    document(canvas, model, rect, true, title);
}

/// The lines that fit, under a title that says how much is below.
pub fn document(canvas: &mut Canvas<'_>, model: &Model, rect: Rect, focused: bool, title: Line) {
    let place = layout::document(model).unwrap_or_default();
    canvas.title(rect, focused, title, &left(model, place));
    match model.reading.lines() {
        Some(document) => canvas.lines(place, document.lines.iter().skip(model.reading.scroll).cloned()),
        None if model.drafts.is_awaiting() => {
            canvas.lines(place, [Line::of(Role::Dim, format!("reading{}", canvas.glyphs.ellipsis))]);
        }
        None => {}
    }
}

/// Place of the selected entry among all that needs the person; none where it does not.
fn select_place(model: &Model) -> Option<usize> {
    let row = model.home.row()?;
    let own = row.entry().map(|entry| &entry.id) == model.selected_entry().map(|entry| &entry.id);
    (own && model.server.as_ref() == Some(&row.server)).then_some(model.home.list.at + 1)
}

/// What of the diff is not shown as usual.
fn manner(model: &Model, title: &mut Line) {
    let form = model.reading.manner.form;
    let switches = [
        (!model.reading.manner.wrap, "wrap off"),
        (form == Form::Opened, "hidden characters opened"),
        (form == Form::Json, "as JSON"),
    ];
    for (_, word) in switches.into_iter().filter(|(on, _)| *on) {
        title.put(Role::Warning, format!("  {word}"));
    }
}

/// What an entry is called over its change.
pub(super) fn item(title: &mut Line, role: Role, entry: &Entry) {
    if let EntryId::Group(_) = &entry.id {
        title.put(role, &*entry.label).put(Role::Dim, ": ").quote(Role::Dim, &entry.summary);
        return;
    }
    title.item([role; 2], entry.item());
}

/// How much is below, and whether the change itself goes on there; from the longest to the shortest.
fn left(model: &Model, page: Rect) -> Vec<Line> {
    let Some((key, document)) = model.reading.document.as_ref() else { return Vec::new() };
    let end = model.reading.scroll + usize::from(page.height);
    let below = document.lines.len().saturating_sub(end);
    if below == 0 {
        return Vec::new();
    }
    let asked = model.selected_entry().is_some_and(Entry::needs_decision);
    let unread = asked && key.is_change() && end <= document.last_of_change;
    let (mut long, mut short) = (Line::default(), Line::default());
    if unread {
        long.put(Role::Warning, "the change goes on  ");
        short.put(Role::Warning, format!("{below} below"));
    } else {
        short.put(Role::Dim, format!("{below} below"));
    }
    long.put(Role::Dim, format!("{} below", count(below, "line")));
    vec![long, short]
}
