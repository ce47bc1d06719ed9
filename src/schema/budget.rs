//! How much work one comparison may take. Past it the answer is "not decided", with that reason.

use std::cell::Cell;

/// The bounds of one comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Levels of nesting of a schema that are read, and levels of an instance that are built.
    pub depth: usize,
    /// JSON values in one schema.
    pub size: usize,
    /// Elementary steps of both searches together; a step is well below a microsecond on average.
    pub steps: u64,
    /// Characters of regular expression in one schema.
    pub pattern_chars: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { depth: 64, size: 40_000, steps: 120_000, pattern_chars: 20_000 }
    }
}

/// What is left of a budget's steps.
#[derive(Debug)]
pub(super) struct Meter {
    left: Cell<u64>,
}

impl Meter {
    pub(super) fn new(steps: u64) -> Self {
        Self { left: Cell::new(steps) }
    }

    /// Takes `steps`; false once they are used up.
    pub(super) fn take(&self, steps: u64) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(steps));
        left > steps
    }

    /// Whether nothing is left.
    pub(super) fn is_spent(&self) -> bool {
        self.left.get() == 0
    }
}
