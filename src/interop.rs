//! The formats of other systems, data in and data out. Each keeps to its system's own rules, also where they differ from
//! ours; nothing here reads a file, starts a server or decides anything.

pub mod assay;
pub mod atsa;
pub mod call;
pub mod capiscio;
mod document;
pub mod mcptrust;

pub use document::{Refused, Written};
