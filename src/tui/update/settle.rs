//! Brings what is made of the state up to it.

use super::{events, home, launches, scroll, search, select, versions};
use crate::tui::document::{self, Document, Source};
use crate::tui::model::{DocumentKey, Model, entries};
use crate::tui::{layout, motion};

/// Brings what is made of the state up to it: entries, selection, scrolling, document. Changes nothing that a person
/// chose.
pub fn settle(model: &mut Model) {
    home::settle(model);
    launches::settle(model);
    if model.selected_server().is_none() {
        model.server = model.servers.first().map(|server| server.look.id.clone());
    }
    settle_entries(model);
    settle_scrolls(model);
    settle_document(model);
}

fn settle_entries(model: &mut Model) {
    if let Some(server) = model.selected_server_mut() {
        server.open_selected();
    }
    let Some(server) = model.selected_server() else {
        model.listed.entries.clear();
        model.listed.entries_key = None;
        return;
    };
    let id = server.look.id.clone();
    let key = (id.clone(), server.revision, model.listed.items.filter.text().to_owned(), model.listed.sort);
    if model.listed.entries_key.as_ref() == Some(&key) {
        return;
    }
    let fresh = entries(server, &key.2, key.3);
    let same_server = model.listed.entries_key.as_ref().is_some_and(|(before, ..)| *before == id);
    let before = if same_server { model.entry_index() } else { None };
    model.listed.entries = fresh;
    model.listed.entries_key = Some(key);
    match (before, model.entry_index()) {
        // The selected row stays where it is on the screen, whatever came or went above it.
        (Some(before), Some(after)) => {
            model.listed.items.scroll = (model.listed.items.scroll + after).saturating_sub(before);
        }
        (_, Some(_)) => model.listed.items.scroll = 0,
        (before, None) => {
            let at = before.unwrap_or(0).min(model.listed.entries.len().saturating_sub(1));
            let entry = model.listed.entries.get(at).map(|entry| entry.id.clone());
            // A filter that lets nothing through is no reason to forget what was selected.
            if entry.is_some() || model.listed.items.filter.is_empty() {
                select::entry(model, entry);
            }
        }
    }
}

/// No empty rows below, and what is selected on the screen.
fn settle_scrolls(model: &mut Model) {
    if let Some(rows) = layout::item_rows(model) {
        let height = usize::from(rows.height);
        model.listed.items.scroll =
            motion::keep(model.listed.items.scroll, model.entry_index(), model.listed.entries.len(), height);
    }
    if let Some(content) = layout::server_rows(model) {
        let (at, many) = select::server_place(model);
        model.listed.servers.scroll = motion::keep(model.listed.servers.scroll, at, many, usize::from(content.height));
    }
    versions::settle(model);
    search::settle(model, false);
    events::settle(model);
    scroll::settle(model);
}

fn settle_document(model: &mut Model) {
    let made = layout::document(model).and_then(|place| {
        let server = model.selected_server()?;
        let entry = model.selected_entry()?;
        let key = DocumentKey {
            server: server.look.id.clone(),
            revision: server.revision,
            entry: entry.id.clone(),
            width: usize::from(place.width),
            manner: model.reading.manner,
            screen: model.screen(),
        };
        if let Some((old, document)) = model.reading.document.as_ref().filter(|(old, _)| *old == key) {
            return Some((old.clone(), document.lines.len(), None, place));
        }
        let source = Source::of(server, entry, key.width, key.manner, &model.glyphs, &model.zone)?;
        let made: Document = if key.is_digests() { document::digests(&source) } else { document::change(&source) };
        Some((key, made.lines.len(), Some(made), place))
    });
    let Some((key, lines, made, place)) = made else {
        model.reading.document = None;
        return;
    };
    if let Some(made) = made {
        let same = |old: &DocumentKey| (&old.server, &old.entry, old.screen) == (&key.server, &key.entry, key.screen);
        if !model.reading.document.as_ref().is_some_and(|(old, _)| same(old)) {
            model.reading.scroll = if key.is_full() { made.opening(usize::from(place.height)) } else { 0 };
        }
        model.reading.document = Some((key, made));
    }
    model.reading.scroll = model.reading.scroll.min(lines.saturating_sub(usize::from(place.height)));
}
