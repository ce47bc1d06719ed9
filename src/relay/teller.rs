//! What a guard tells whoever reads the client's log.

use super::running::Running;
use crate::guard::Told;
use std::collections::{BTreeMap, BTreeSet};

/// Different lines that are told once.
const MOST_TOLD: usize = 1_000;

/// Tells what did not pass: each blocked request, and everything else once, with its number at the end.
pub(super) struct Teller<'a> {
    tell: &'a dyn Fn(&str),
    told: BTreeSet<String>,
    counts: BTreeMap<String, u64>,
    running: Option<Running>,
}

impl<'a> Teller<'a> {
    pub fn new(tell: &'a dyn Fn(&str)) -> Self {
        Self { tell, told: BTreeSet::new(), counts: BTreeMap::new(), running: None }
    }

    /// The same, which says it in the file of the running guard, too.
    pub fn writing(self, running: Running) -> Self {
        Self { running: Some(running), ..self }
    }

    /// The guard is closed, for this reason, or open.
    pub fn closed(&mut self, why: Option<&str>) {
        if let Some(why) = why {
            self.once(&format!("closed: {why}"));
        }
        if let Some(running) = &self.running {
            running.closed(why);
        }
    }

    pub fn told(&mut self, told: &Told) {
        if let Some(running) = &self.running {
            running.told(told);
        }
        match told {
            Told::Met(_) => {}
            Told::Blocked(refusal) => (self.tell)(&format!("blocked: {}", refusal.sentence())),
            Told::Warned(refusal) => self.count(format!("passed, as guard = \"warn\" says: {}", refusal.sentence())),
            Told::Hidden(refusal) => self.count(format!("left out: {}", refusal.sentence())),
            Told::Ignored(item) => self.count(format!("passed unseen, as pinwatch.toml says: {}", item.text())),
            Told::Dropped(code) => self.count(format!("dropped a message: {code}")),
        }
    }

    /// Tells a line that was not told before.
    pub fn once(&mut self, text: &str) {
        if self.told.len() < MOST_TOLD && self.told.insert(text.to_owned()) {
            (self.tell)(text);
        }
    }

    /// Tells a line once, and counts it.
    pub fn count(&mut self, text: String) {
        self.once(&text);
        if self.counts.len() < MOST_TOLD || self.counts.contains_key(&text) {
            *self.counts.entry(text).or_default() += 1;
        }
    }

    /// Tells how often each line would have been told.
    pub fn sum_up(&self) {
        for (text, count) in self.counts.iter().filter(|(_, count)| **count > 1) {
            (self.tell)(&format!("{count} times: {text}"));
        }
    }
}
