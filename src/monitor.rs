//! One supervisor a server: it keeps the session, looks when a look is due, compares, and publishes what it found.
//!
//! A server's last state is a slot, overwritten: a flooder can drop its own older state, never another's.

mod blocking;
mod derived;
mod event;
mod faces;
mod fleet;
mod folder;
mod lock;
mod look;
mod opinion;
pub mod rules;
mod schedule;
mod sighted;
mod signing_in;
mod standing;
mod supervisor;
mod turn;

pub use blocking::blocked;
pub use faces::{Looking, MOST_CLIENTS, may_be_compared};
pub use fleet::{Fleet, News, Now, shown_pins};
pub use folder::{DEBOUNCE, Folders, Stamp, WITHOUT_A_SIGN, stamp};
pub use lock::LOCK;
pub use look::{Observed, asks_to_sign_in, compare, identified, observe_once, without_ignored};
pub use opinion::{Missing, NO_SECOND_OPINION, Scanner, SecondOpinion, question};
pub use sighted::sighted;
pub use turn::{Turn, Turns};

pub use event::{Command, Faces, Happening, HappeningKind, MAX_LINES, Phase, ServerLook};
pub use signing_in::SigningIn;
pub use standing::ServerState;
