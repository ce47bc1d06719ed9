//! What was decided: pins, rejections and the baseline that holds them, as data and as the file's text.
//!
//! Pure: `store` does the files, `review` the deciding.

mod baseline;
mod decision;

pub use baseline::{Anchor, Baseline, Pin, Rejection};
pub use decision::{Decision, DecisionState};
