//! The approval state of every item, and what a decision does to a baseline. Pure.

mod across;
mod decide;
mod drifting;
mod first;
mod record;
mod rows;
mod search;
mod split;
mod state;
mod transition;
mod variants;

pub use across::{AcrossServers, across};
pub use decide::{Difference, Refusal, Subject, accept_unwatched, approve, differing, reject, undo, varying};
pub use drifting::{DriftId, Drifting};
pub use first::{FirstLook, FirstRecord};
pub use record::{Apart, Recorded, record};
pub use rows::{review, review_knowing, unread};
pub(crate) use search::Found;
pub use state::{ApprovalState, Counts, Doubt, Review, Row, RowId};
pub use transition::{Sightings, Transition, TransitionKind};
