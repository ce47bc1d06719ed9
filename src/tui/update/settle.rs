//! Brings what is made of the state up to it.

use super::{home, launches, moves, search, select, sign_in, versions};
use crate::digest::SurfaceDigest;
use crate::tui::details;
use crate::tui::document::{Document, Form, Manner};
use crate::tui::draft::{self, Draft, Drafts};
use crate::tui::layout;
use crate::tui::model::{Compared, DocumentKey, Entry, Model, Screen, Server, VersionId, entries};

/// Brings what is made of the state up to it: entries, selection, scrolling, document. Changes nothing that a person
/// chose.
pub fn settle(model: &mut Model) {
    home::settle(model);
    launches::settle(model);
    sign_in::settle(model);
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

/// What is read on the screen. It is written anew where something that it is made of moved; until a big one is written, the
/// one before it stays where that shows the same.
fn settle_document(model: &mut Model) {
    let before = model.reading.document.take();
    let Some(key) = key(model) else {
        model.drafts = Drafts::default();
        return;
    };
    let same = |old: &DocumentKey| old.is_about(&key) && old.texts == key.texts;
    if model.drafts.awaits(&key) {
        model.reading.document = before.filter(|(old, _)| same(old));
        return;
    }
    model.drafts = Drafts::default();
    if before.as_ref().is_some_and(|(old, _)| *old == key) {
        model.reading.document = before;
        return;
    }
    match write(model, &key) {
        Some(Ok(document)) => {
            model.reading.document = before;
            show(model, key, document);
        }
        Some(Err(draft)) => {
            model.reading.document = before.filter(|(old, _)| same(old));
            model.drafts = Drafts::of(draft);
        }
        None => {}
    }
}

/// Shows a document from its first difference, or where the person was in the one before it.
fn show(model: &mut Model, key: DocumentKey, document: Document) {
    if !model.reading.document.as_ref().is_some_and(|(old, _)| old.is_about(&key)) {
        let height = layout::document(model).map_or(0, |place| usize::from(place.height));
        model.reading.scroll = if key.is_full() { document.opening(height) } else { 0 };
    }
    model.reading.document = Some((key, document));
}

/// Another thread has written a document: it is shown if it is the one that is waited for.
pub fn written(model: &mut Model, key: DocumentKey, document: Document) {
    if model.drafts.awaits(&key) {
        show(model, key, document);
        model.drafts = Drafts::default();
    }
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
        texts: entry.map(|entry| texts(server, entry)).unwrap_or_default(),
        now: None,
    };
    Some(match screen {
        Screen::Versions => {
            let compared = model.versions.preview()?;
            // No key here opens a mark, or closes it again.
            let manner = Manner { form: Form::Marked, ..manner };
            DocumentKey { manner, ..of(&compared.server, None, Some(&compared.versions)) }
        }
        Screen::Compared => {
            let compared = model.versions.preview()?;
            of(&compared.server, compared.entries.get(compared.list.at), Some(&compared.versions))
        }
        Screen::Details => {
            let server = of(model.selected_server()?, None, None);
            DocumentKey { revision: model.revision, now: Some(model.now), ..server }
        }
        _ => of(model.selected_server()?, Some(model.selected_entry()?), None),
    })
}

/// Digests of the definitions that an entry is about.
fn texts(server: &Server, entry: &Entry) -> Vec<SurfaceDigest> {
    server.sides_of(&entry.id).map(|item| item.digests.surface).collect()
}

fn write(model: &Model, key: &DocumentKey) -> Option<Result<Document, Draft>> {
    let setup = &model.setup;
    if key.versions.is_some() {
        let Compared { server, entries, .. } = model.versions.compared.as_ref()?;
        let is_meant = |entry: &&Entry| key.entry.as_ref().is_none_or(|id| entry.id == *id);
        return draft::document(key, server, &entries.iter().filter(is_meant).collect::<Vec<_>>(), setup);
    }
    let server = model.selected_server()?;
    if key.entry.is_none() {
        return Some(Ok(details::page(model, server, key.width)));
    }
    draft::document(key, server, &[model.selected_entry()?], setup)
}
