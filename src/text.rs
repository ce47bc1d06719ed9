//! Text on its way to a person: the one escaping seam, and how two texts differ.

mod diff;
mod visible;

pub use diff::{DiffLine, LineKind, Run, WordRun, fold, lines};
pub use visible::{Visible, is_hidden, visible};
