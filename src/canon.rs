//! Reading JSON strictly and writing it canonically.
//!
//! A definition is *plain* or *ambiguous*, with stable codes that say why; on plain definitions RFC 8785 loses nothing,
//! so one digest decides. This module is the only caller of `serde_jcs`, and the only reader of text that others wrote:
//! a server's answers and our own files pass the same door.

mod definition;
mod known;
mod numeral;
mod pointer;
mod reader;
pub mod scan;
mod write;

pub use definition::{Canonical, Definition, Form};
pub use known::{Aligned, Known};
pub(crate) use numeral::Numeral;
pub use pointer::{Pointer, at as value_at};
pub use reader::{Code, Codes, MAX_PLAIN_DEPTH, Reading, read, read_plain, read_signed_zero};
pub use write::{Part, escaped, indented, indented_parts, jcs, line};
