//! The document of the selected entry: as a pane and full screen.

use super::Canvas;
use crate::tui::document::Form;
use crate::tui::layout::{self, Shape};
use crate::tui::line::Line;
use crate::tui::model::{Entry, EntryId, Model, Pane, Screen, name};
use crate::tui::theme::Role;
use crate::tui::words::count;
use ratatui::layout::Rect;

pub fn draw_pane(canvas: &mut Canvas<'_>, model: &Model, rect: Rect, shape: Shape) {
    let focused = model.pane == Pane::Change;
    let role = if focused { Role::TitleFocused } else { Role::Title };
    let mut title = Line::of(role, "Change");
    if let Some(entry) = model.selected_entry() {
        title = Line::of(role, "");
        item(&mut title, role, entry);
        if shape == Shape::Title && !entry.summary.is_empty() {
            title.put(Role::Dim, "  ").quote(Role::Dim, &entry.summary);
        }
    }
    if shape == Shape::Title {
        canvas.title(rect, focused, title, &[]);
        return;
    }
    write(canvas, model, rect, focused, title);
}

/// Below the queue.
pub fn draw_below(canvas: &mut Canvas<'_>, model: &Model, rect: Rect) {
    let mut title = Line::default();
    if let Some((entry, server)) = model.selected_entry().zip(model.selected_server()) {
        item(&mut title, Role::Title, entry);
        title.put(Role::Dim, " on ").quote(Role::Dim, &server.look.id);
    }
    write(canvas, model, rect, false, title);
}

pub fn draw_full(canvas: &mut Canvas<'_>, model: &Model, rect: Rect) {
    let mut titles = Vec::new();
    if let Some((entry, server)) = model.selected_entry().zip(model.selected_server()) {
        let mut title = Line::default();
        if model.screen == Screen::Digests {
            title.put(Role::TitleFocused, "Digests of ");
        }
        item(&mut title, Role::TitleFocused, entry);
        let mut long = title.clone();
        long.put(Role::Dim, " on ").quote(Role::Dim, &server.look.id);
        if let Some((place, of)) = place(model, entry) {
            long.put(Role::Dim, place.as_str()).put(Role::Dim, of);
            title.put(Role::Dim, place);
        }
        if model.screen == Screen::Change {
            manner(model, &mut long);
        }
        titles = vec![long, title];
    }
    let title = Line::first_that_fits(titles, usize::from(rect.width).saturating_sub(4));
    write(canvas, model, rect, true, title);
}

/// The lines that fit, under a title that says how much is below.
fn write(canvas: &mut Canvas<'_>, model: &Model, rect: Rect, focused: bool, title: Line) {
    let page = layout::document(model).unwrap_or_default();
    canvas.title(rect, focused, title, &left(model, page));
    if let Some((_, document)) = &model.document {
        canvas.lines(page, document.lines.iter().skip(model.document_scroll).cloned());
    }
}

/// `3 of 17`: in the queue over all servers, else among what is to be decided of this one.
fn place(model: &Model, entry: &Entry) -> Option<(String, &'static str)> {
    let (at, many, of) = if model.in_queue() {
        (model.queue_index()?, model.queue.len(), " in the queue")
    } else {
        let asked: Vec<_> = model.entries.iter().filter(|entry| entry.needs_decision() && !entry.inside).collect();
        (asked.iter().position(|other| other.id == entry.id)?, asked.len(), " to decide")
    };
    Some((format!("  {} of {many}", at + 1), of))
}

/// What of the diff is not shown as usual.
fn manner(model: &Model, title: &mut Line) {
    let form = model.manner.form;
    let switches = [
        (!model.manner.wrap, "wrap off"),
        (form == Form::Opened, "hidden characters opened"),
        (form == Form::Json, "as JSON"),
    ];
    for (_, word) in switches.into_iter().filter(|(on, _)| *on) {
        title.put(Role::Warning, format!("  {word}"));
    }
}

fn item(title: &mut Line, role: Role, entry: &Entry) {
    if let EntryId::Group(_) = &entry.id {
        title.put(role, &*entry.label).put(Role::Dim, ": ").quote(Role::Dim, &entry.summary);
        return;
    }
    let (kind, key) = name(entry.item());
    title.put(role, kind).quote(role, key);
}

/// How much is below, and whether the change itself goes on there; from the longest to the shortest.
fn left(model: &Model, page: Rect) -> Vec<Line> {
    let Some((key, document)) = model.document.as_ref() else { return Vec::new() };
    let end = model.document_scroll + usize::from(page.height);
    let below = document.lines.len().saturating_sub(end);
    if below == 0 {
        return Vec::new();
    }
    let asked = model.selected_entry().is_some_and(Entry::needs_decision);
    let unread = asked && !key.digests && end <= document.last_of_change;
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
