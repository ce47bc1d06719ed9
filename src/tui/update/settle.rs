//! Brings what is made of the state up to it.

use super::{home, launches, moves, search, select, versions};
use crate::tui::details;
use crate::tui::document::{self, Document, Source};
use crate::tui::layout;
use crate::tui::model::{Compared, DocumentKey, Entry, Model, Screen, Server, VersionId, entries};

/// Brings what is made of the state up to it: entries, selection, scrolling, document. Changes nothing that a person
/// chose.
pub fn settle(model: &mut Model) {
    home::settle(model);
    launches::settle(model);
    if model.selected_server().is_none() {
        model.server = model.servers.first().map(|server| server.look.id.clone());
    }
    settle_entries(model);
    versions::settle(model);
    search::settle(model, false);
    settle_document(model);
    moves::settle(model);
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

/// What is read on the screen. It is written anew where something that it is made of moved.
fn settle_document(model: &mut Model) {
    let before = model.reading.document.take();
    let Some((key, place)) = key(model).zip(layout::document(model)) else { return };
    model.reading.document = match before {
        Some((old, document)) if old == key => Some((old, document)),
        before => write(model, &key).map(|document| {
            if !before.is_some_and(|(old, _)| old.is_about(&key)) {
                model.reading.scroll = if key.is_full() { document.opening(usize::from(place.height)) } else { 0 };
            }
            (key, document)
        }),
    };
}

fn key(model: &Model) -> Option<DocumentKey> {
    let (screen, manner) = (model.screen(), model.reading.manner);
    let width = usize::from(layout::document(model)?.width);
    let of = |server: &Server, entry: Option<&Entry>, versions: Option<&[VersionId; 2]>| DocumentKey {
        screen,
        server: server.look.id.clone(),
        revision: server.revision,
        entry: entry.map(|entry| entry.id.clone()),
        versions: versions.cloned(),
        width,
        manner,
        now: None,
    };
    Some(match screen {
        Screen::Versions => {
            let compared = model.versions.preview()?;
            of(&compared.server, None, Some(&compared.versions))
        }
        Screen::Compared => {
            let compared = model.versions.compared.as_ref()?;
            of(&compared.server, compared.entries.get(compared.at), Some(&compared.versions))
        }
        Screen::Details => {
            let server = of(model.selected_server()?, None, None);
            DocumentKey { revision: model.revision, now: Some(model.now), ..server }
        }
        _ => of(model.selected_server()?, Some(model.selected_entry()?), None),
    })
}

fn write(model: &Model, key: &DocumentKey) -> Option<Document> {
    let DocumentKey { width, manner, .. } = *key;
    if key.versions.is_some() {
        let Compared { server, entries, .. } = model.versions.compared.as_ref()?;
        let is_meant = |entry: &&Entry| key.entry.as_ref().is_none_or(|id| entry.id == *id);
        let entries: Vec<_> = entries.iter().filter(is_meant).collect();
        return Some(document::compared(server, &entries, width, manner, &model.setup));
    }
    let server = model.selected_server()?;
    if key.entry.is_none() {
        return Some(details::page(model, server, width));
    }
    let source = Source::of(server, model.selected_entry()?, width, manner, &model.setup)?;
    Some(if key.is_change() { document::change(&source) } else { document::digests(&source) })
}
