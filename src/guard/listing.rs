//! What a server lists now, as far as this session saw it: when it was read, whether it changed since, and the reading that
//! is under way.

use super::envelope::{Unfit, members};
use crate::canon::scan::{self, Span};
use crate::digest::{DigestScope, Item};
use crate::surface::{Kind, RawItem};
use bytes::Bytes;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// Bytes of definitions that are remembered as read; beyond them they are read again.
const REMEMBERED: usize = 32 << 20;

/// One page of a list, by where its parts stand.
pub(super) struct Page {
    pub array: Span,
    pub entries: Vec<Span>,
    pub cursor: Option<Span>,
}

impl Page {
    /// The page of `kind` in the result at `result`.
    pub fn read(kind: Kind, bytes: &[u8], result: &Span) -> Result<Self, String> {
        let Some((_, member)) = kind.list_method() else { return Err("it is no list".to_owned()) };
        let parts = members(bytes, result.start, [member, "nextCursor"]);
        let [array, cursor] = parts.map_err(|unfit: Unfit| unfit.to_string())?;
        let array = array.filter(|span| bytes[span.start] == b'[');
        let array = array.ok_or_else(|| format!("the answer has no list `{member}`"))?;
        let entries = scan::elements(bytes, array.start, usize::MAX, usize::MAX).map_err(|error| error.to_string())?;
        Ok(Self { array, entries, cursor: cursor.filter(|span| &bytes[span.clone()] != b"null") })
    }
}

/// Definitions that were read already, by their bytes.
#[derive(Debug, Default)]
pub(super) struct Remembered {
    items: HashMap<(Kind, Bytes), Arc<Item>>,
    bytes: usize,
}

impl Remembered {
    /// The item of these bytes; none where it cannot be read.
    pub fn item(&mut self, kind: Kind, bytes: &[u8], depth: usize) -> Option<Arc<Item>> {
        let bytes = Bytes::copy_from_slice(bytes);
        let key = (kind, bytes.clone());
        if let Some(item) = self.items.get(&key) {
            return Some(Arc::clone(item));
        }
        let length = bytes.len();
        let item = Arc::new(Item::read(&RawItem { kind, bytes }, &DigestScope::None, depth).ok()?);
        if self.bytes + length > REMEMBERED {
            *self = Self::default();
        }
        self.bytes += length;
        self.items.insert(key, Arc::clone(&item));
        Some(item)
    }
}

/// A list that was read whole.
#[derive(Debug)]
struct Done {
    items: HashMap<Arc<str>, Vec<Arc<Item>>>,
    /// The changes that were heard of before it was asked for.
    changes: u64,
    /// When it was asked for.
    at: Duration,
}

/// A reading of the guard's own that is under way.
#[derive(Debug)]
pub(super) struct Reading {
    pub items: Vec<Arc<Item>>,
    pub pages: usize,
    pub bytes: usize,
    /// The raw cursor that the page under way was asked for with.
    pub cursor: Option<Vec<u8>>,
    changes: u64,
    at: Duration,
    /// When the page under way was asked for.
    pub asked: Duration,
}

/// One list of a server.
#[derive(Debug, Default)]
pub(super) struct Listing {
    /// Changes that were heard of.
    pub changes: u64,
    done: Option<Done>,
    pub reading: Option<Reading>,
}

impl Listing {
    /// Whether what is known was asked for after `changes` changes were heard of, and not before `since`.
    pub fn is_fresh(&self, changes: u64, since: Duration) -> bool {
        self.done.as_ref().is_some_and(|done| done.changes >= changes && done.at >= since)
    }

    /// What is served under a key.
    pub fn of(&self, key: &str) -> &[Arc<Item>] {
        self.done.as_ref().and_then(|done| done.items.get(key)).map(Vec::as_slice).unwrap_or_default()
    }

    /// Everything that is served.
    pub fn all(&self) -> impl Iterator<Item = &Arc<Item>> {
        self.done.iter().flat_map(|done| done.items.values().flatten())
    }

    /// Whether this very definition is among what is served.
    pub fn knows(&self, item: &Item) -> bool {
        self.of(&item.id.key).iter().any(|known| **known == *item)
    }

    /// A reading begins.
    pub fn begin(&mut self, now: Duration) {
        self.reading = Some(Reading {
            items: Vec::new(),
            pages: 0,
            bytes: 0,
            cursor: None,
            changes: self.changes,
            at: now,
            asked: now,
        });
    }

    /// The reading is done. Whether other definitions are served than before though no change was heard of.
    pub fn finish(&mut self) -> bool {
        match self.reading.take() {
            Some(reading) => self.take(reading.items, reading.changes, reading.at),
            None => false,
        }
    }

    /// Takes a list that was read whole, unless a later one is known.
    pub fn take(&mut self, items: Vec<Arc<Item>>, changes: u64, at: Duration) -> bool {
        if self.done.as_ref().is_some_and(|done| done.at > at) {
            return false;
        }
        let mut by_key: HashMap<Arc<str>, Vec<Arc<Item>>> = HashMap::new();
        for item in items {
            by_key.entry(Arc::clone(&item.id.key)).or_default().push(item);
        }
        let differs = self.done.as_ref().is_some_and(|done| done.changes == changes && done.items != by_key);
        self.done = Some(Done { items: by_key, changes, at });
        differs
    }
}
