//! The event log as the UI keeps it.

use super::list::List;
use crate::monitor::Happening;
use crate::otlp::Standing;
use std::collections::VecDeque;

/// Event lines kept; what is older is dropped and counted.
pub const MAX_EVENTS: usize = 2_000;

/// What happened, newest last.
#[derive(Clone, Debug, Default)]
pub struct EventsScreen {
    /// The lines, oldest first; each with its number, by which it is selected.
    pub log: VecDeque<(u64, Happening)>,
    /// Number of the next event; less those kept, how many were dropped.
    pub next: u64,
    pub list: List,
    /// Whether the log of decisions holds; none until it was verified, and while it is empty.
    pub chain: Option<Result<(usize, String), String>>,
    /// How it stands with the collector that is told; none where there is none, and before the first report.
    pub collector: Option<Standing>,
    /// The selected event; none follows the newest.
    pub selected: Option<u64>,
}

impl EventsScreen {
    /// Appends a line; past the bound the oldest goes.
    pub fn push(&mut self, happening: Happening) {
        self.log.push_back((self.next, happening));
        self.next += 1;
        while self.log.len() > MAX_EVENTS {
            self.log.pop_front();
        }
    }

    /// The events that the filter lets through, newest first.
    pub fn shown(&self) -> Vec<&(u64, Happening)> {
        let words = self.list.words();
        let fits = |(_, event): &&(u64, Happening)| {
            if words.is_empty() {
                return true;
            }
            let line = format!("{} {} {} {}", event.server, event.kind.word(), event.item, event.text).to_lowercase();
            words.iter().all(|word| line.contains(word))
        };
        self.log.iter().rev().filter(fits).collect()
    }

    /// Place of the selected event among those `shown`.
    pub fn place(&self, shown: &[&(u64, Happening)]) -> Option<usize> {
        shown.iter().position(|(number, _)| Some(*number) == self.selected)
    }
}
