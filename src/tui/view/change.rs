//! What is read: the change of the selected entry, as a pane and full screen, and what is known of a server.

use super::{Canvas, servers};
use crate::tui::document::Form;
use crate::tui::layout;
use crate::tui::line::{Line, Role};
use crate::tui::model::{Entry, EntryId, Model, Screen};
use crate::tui::words::count;
use ratatui::layout::Rect;

/// The change of the selected entry, or its digests, under what it is called: with its server, its place among all that
/// needs the person, and what of the diff is not shown as usual, where there is room.
pub fn draw(canvas: &mut Canvas<'_>, model: &Model, rect: Rect, focused: bool) {
    let role = if focused { Role::TitleFocused } else { Role::Title };
    let mut titles = vec![Line::of(role, "Change")];
    if let Some((entry, server)) = model.selected_entry().zip(model.selected_server()) {
        let digests = model.screen() == Screen::Digests;
        let mut short = Line::of(role, if digests { "Digests of " } else { "" });
        item(&mut short, role, entry);
        let mut long = short.clone();
        long.put(Role::Dim, format!(" {} ", canvas.glyphs.between)).quote(Role::Dim, &server.look.id);
        if let Some(at) = place(model) {
            let place = format!("  {at} of {}", model.home.all);
            long.put(Role::Dim, place.as_str());
            short.put(Role::Dim, place);
        }
        if !digests {
            manner(model, &mut long);
        }
        titles = vec![long, short];
    }
    document(canvas, model, rect, focused, titles);
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
    document(canvas, model, rect, true, [title]);
}

/// The lines that fit, under a title that says how much is below: the first of several that leaves room for that.
pub fn document(
    canvas: &mut Canvas<'_>,
    model: &Model,
    rect: Rect,
    focused: bool,
    titles: impl IntoIterator<Item = Line>,
) {
    let place = layout::document(model).unwrap_or_default();
    let left = left(model, place);
    let least = left.last().map_or(4, |left| left.width() + 10);
    let title = Line::first_that_fits(titles, usize::from(rect.width).saturating_sub(least));
    canvas.title(rect, focused, title, &left);
    match model.reading.lines() {
        Some(document) => canvas.lines(place, document.lines.iter().skip(model.reading.scroll).cloned()),
        None if model.drafts.is_awaiting() => {
            canvas.lines(place, [Line::of(Role::Dim, format!("reading{}", canvas.glyphs.ellipsis))]);
        }
        None => {}
    }
}

/// Place of the selected entry among all that needs the person; none where it does not.
fn place(model: &Model) -> Option<usize> {
    let row = model.home.row()?;
    let own = row.entry().map(|entry| &entry.id) == model.selected_entry().map(|entry| &entry.id);
    (own && model.server.as_ref() == Some(&row.server)).then_some(model.home.list.at + 1)
}

/// What of the diff is not shown as usual.
fn manner(model: &Model, title: &mut Line) {
    let form = model.reading.manner.form;
    let marks = model.reading.lines().is_some_and(|document| document.marks);
    let switches = [
        (!model.reading.manner.wrap, "wrap off"),
        (form == Form::Opened && marks, "hidden characters opened"),
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
    title.item([role; 2], &entry.about);
}

/// How much is below, and whether the change itself goes on there; from the longest to the shortest.
fn left(model: &Model, page: Rect) -> Vec<Line> {
    let Some((key, document)) = model.reading.document.as_ref() else { return Vec::new() };
    let below = model.reading.below(page.height);
    if below == 0 {
        return Vec::new();
    }
    let asked = model.selected_entry().is_some_and(Entry::needs_decision);
    let unread = asked && key.is_change() && document.lines.len() - below <= document.last_of_change;
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
