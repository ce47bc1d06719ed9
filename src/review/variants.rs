//! What one item was from look to look, and whether that is a habit: the same few definitions in turn, or another one at
//! each start.

use super::Row;
use crate::digest::Item;
use crate::drift::{Drift, Severity, looks_unstable, unstable};
use crate::pin::Pin;
use std::sync::Arc;

/// Definitions that are kept of one item.
const MOST: usize = 6;
/// Ways back to a definition that was there before: a server that goes back once was put right.
const RETURNS: u32 = 2;
/// Starts in a row at which it was another one.
const STARTS: u32 = 3;

/// The definitions of one item that were seen since it first changed.
#[derive(Clone, Debug, Default)]
pub(super) struct Variants {
    seen: Vec<Arc<Item>>,
    returns: u32,
    /// Changes that came with a start, and looked like chance.
    starts: u32,
    worst: Option<Severity>,
}

impl Variants {
    /// Takes in another definition than the last one. `severity` is that of its drift.
    pub(super) fn saw(&mut self, item: &Arc<Item>, pin: Option<&Pin>, severity: Option<Severity>, started: bool) {
        if self.seen.is_empty() {
            self.seen.extend(pin.map(|pin| Arc::new(pin.item.apart())));
        }
        if let Some(at) = self.seen.iter().position(|seen| seen.digests.surface == item.digests.surface) {
            self.returns += 1;
            // The one that is served now takes its place: two of them would be in memory.
            self.seen.remove(at);
        }
        self.seen.push(Arc::clone(item));
        if self.seen.len() > MOST {
            self.seen.remove(0);
        }
        self.starts = if started { self.starts + 1 } else { 0 };
        self.worst = self.worst.max(severity);
    }

    /// Bytes of the definitions that are kept.
    pub(super) fn bytes(&self) -> usize {
        self.seen.iter().map(|item| item.definition.bytes().len()).sum()
    }

    /// Whether it is a habit.
    pub(super) fn is_unstable(&self) -> bool {
        self.seen.len() > 1 && (self.returns >= RETURNS || self.starts >= STARTS)
    }

    /// Its one drift, where it is a habit and, at each start, the sort of change that chance makes.
    pub(super) fn drift(&self, row: &Row, own: Option<&Drift>) -> Option<Drift> {
        let habit = self.returns >= RETURNS || own.is_some_and(looks_unstable);
        if !self.is_unstable() || !habit {
            return None;
        }
        let pinned = row.pin.as_ref().map(|pin| &pin.item);
        unstable(own, pinned, &self.seen, self.worst.unwrap_or(Severity::Moderate))
    }
}
