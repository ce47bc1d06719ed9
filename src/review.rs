//! The approval state of every item, and what a decision does to a baseline. Pure.

mod state;

pub use state::{ApprovalState, Counts, Review, Row, RowId};
