//! ToolCall Statements of SealedProof (its MCP adapters v0.1): written and signed of what the guard saw, read and verified.
//!
//! A statement has the adapter's members at its top, and beside them those that a statement of an evidence pack must have
//! (`issuedAt`, `subject`, `claims`). How members nest is not defined there; here each part of a dotted name is a level.

mod domain;
mod statement;

pub use domain::{Bound, SUITE, bound, raw_hasher};
pub use statement::{Ended, Fault, TOOL_CALL, call, digest, key_of, signed, statement, verify};
