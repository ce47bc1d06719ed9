//! What was decided: pins, rejections and the baseline that holds them, as data and as the file's text.
//!
//! Pure: `store` does the files, `review` the deciding.

mod baseline;
mod capability;
mod decision;
pub mod format;
mod merge;
mod strict;

pub use baseline::{Anchor, Baseline, Pin, Rejection, Unwatched};
pub use capability::{COMMAND_WORDS, CommandWords, command_parameter, command_verb, command_words};
pub use decision::{Decision, DecisionState};
pub use merge::{Conflict, Merged, Unlike, merge};
pub use strict::{Misshapen, from_text, strict, to_text};
