//! A baseline as the text of its file, and back.
//!
//! The text is canonical and indented, one block an item, hidden characters as `\uXXXX`: a commit's diff is the reviewed
//! change. Reading refuses whatever could show one thing in a review and load another, by name and place.

mod places;
mod read;
mod write;

pub use places::places;
pub use read::{Refused, is_ours, parse};
pub use write::write;

/// The format that this version writes, and the only one that it reads.
pub const FORMAT: &str = "pinwatch.baseline.v1";

/// What every version of the format starts with.
const FAMILY: &str = "pinwatch.baseline.v";
