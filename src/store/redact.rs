//! Secrets never reach a file, a log, an event or the screen.
//!
//! Two halves. Pure functions say what a secret is and mask the *written* launch. [`Redactor`] knows the values that
//! were passed to servers and masks them wherever a server sends them back. Nothing here rewrites a definition.

mod cut;
mod names;
mod redactor;
mod search;
mod spans;

pub use names::{is_secret_name, looks_secret};
pub use redactor::{Redactor, Secrets};
pub use spans::{mask_args, mask_argument, mask_url, mask_value};
