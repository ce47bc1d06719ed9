//! What passes between a client and the server behind a guard: messages in, messages out. Pure: no clock, no I/O.
//!
//! What is approved passes untouched, to the byte; what is not approved is cut out of lists as raw text, and calls of it are
//! answered in the server's place. The guard lists for itself, with ids of its own, where it does not know what the server
//! serves now. Whoever carries the bytes is [`Session`]'s caller.

mod about;
mod approvals;
mod ask;
mod call;
mod cut;
mod envelope;
mod id;
mod listing;
mod refusal;
mod session;
mod skim;
mod template;

pub use about::{About, client_in};
pub use approvals::{Approvals, Mode, Verdict};
pub use call::{Decided, Ending, Ruling, Witness};
pub use refusal::{CODE, Refusal};
pub use session::{Bounds, Exchange, Line, Output, Session, Told, closed_answers};
pub use skim::{Piece, Skim};
