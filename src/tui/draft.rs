//! A document that takes too long to be written between a key and its frame: all that it is made of, so that another thread
//! writes it, and which one is waited for. Small ones are written at once.

use super::document::{self, Document, Source};
use super::model::{DocumentKey, Entry, Server};
use super::setup::Setup;

/// Bytes of definitions from which on a document is written by another thread: as much takes a few milliseconds.
const BIG: usize = 64 * 1024;

/// All that a document is made of.
#[derive(Clone, Debug)]
pub struct Draft {
    key: DocumentKey,
    server: Server,
    entries: Vec<Entry>,
    setup: Setup,
}

impl Draft {
    /// Writes the document.
    pub fn write(self) -> (DocumentKey, Document) {
        let entries: Vec<_> = self.entries.iter().collect();
        let document = write(&self.key, &self.server, &entries, &self.setup);
        (self.key, document.unwrap_or_default())
    }
}

/// The document of an entry, or of what two versions compared to. A big one is left to be written: its draft.
pub fn document(
    key: &DocumentKey,
    server: &Server,
    entries: &[&Entry],
    setup: &Setup,
) -> Option<Result<Document, Draft>> {
    if !is_big(server, entries) {
        return write(key, server, entries, setup).map(Ok);
    }
    let entries = entries.iter().map(|entry| (*entry).clone()).collect();
    Some(Err(Draft { key: key.clone(), server: server.clone(), entries, setup: setup.clone() }))
}

/// Whether the document of some entries takes another thread to be written.
pub fn is_big(server: &Server, entries: &[&Entry]) -> bool {
    let sides = entries.iter().flat_map(|entry| server.sides_of(&entry.id));
    sides.map(|item| item.definition.bytes().len()).sum::<usize>() >= BIG
}

fn write(key: &DocumentKey, server: &Server, entries: &[&Entry], setup: &Setup) -> Option<Document> {
    let DocumentKey { width, manner, .. } = *key;
    if key.versions.is_some() {
        return Some(document::compared(server, entries, (key.entry.is_none(), width), manner, setup));
    }
    let source = Source::of(server, entries.first()?, width, manner, setup)?;
    Some(if key.is_change() { document::change(&source) } else { document::digests(&source) })
}

/// The one document that is waited for.
#[derive(Clone, Debug, Default)]
pub struct Drafts {
    awaited: Option<DocumentKey>,
    /// Until a thread takes it; a later one takes the place of an earlier one.
    draft: Option<Draft>,
}

impl Drafts {
    pub fn of(draft: Draft) -> Self {
        Self { awaited: Some(draft.key.clone()), draft: Some(draft) }
    }

    /// What is to be written now.
    pub fn take(&mut self) -> Option<Draft> {
        self.draft.take()
    }

    /// Whether a document is waited for: what is shown is none, or that of a moment ago.
    pub fn is_awaiting(&self) -> bool {
        self.awaited.is_some()
    }

    /// Whether this one is: any other is dropped.
    pub fn awaits(&self, key: &DocumentKey) -> bool {
        self.awaited.as_ref() == Some(key)
    }
}
