//! Attested tool-server admission (ATSA 1.0, SEP-2809): a document in which a publisher says what a server is, signed offline,
//! held to a trust root that the project keeps. Both spellings of `v` are read: the integer of the draft, and the text of the
//! final document.
//!
//! An admitted server is one that a trusted key's holder vouched for. That says nothing about what its tools do.

mod admission;
mod assertion;
mod document;
mod origin;
mod root;
mod rule;

pub use admission::{Admission, Admitted, Asked, Denial, admit};
pub use assertion::{Assertion, Trust};
pub use document::{Document, MOST_BYTES, Unread};
pub use origin::Origin;
pub use root::{Key, Level, TrustRoot};
pub use rule::Rule;
