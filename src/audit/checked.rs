//! What is known of one record once it was read by itself, and why one does not hold.

use super::canonical::NotCanonical;
use crate::digest::Sha256;
use serde_json::Value;

/// A record that holds by itself: its own hash, and the one it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Its own.
    pub hash: Sha256,
    /// That of the record before; none in a first one.
    pub previous: Option<Sha256>,
    /// In a first record that follows another log: the digest of that.
    pub continues: Option<Sha256>,
}

/// Why a record does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Fault {
    /// It is no JSON, or has more than one reading.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
    /// The contract has no text for it.
    #[error("it is not a record of the contract: {0}")]
    NotCanonical(#[from] NotCanonical),
    #[error("`{0}` is not a hash; expected 64 lowercase hex digits")]
    NoHash(&'static str),
    /// What it says is not what was hashed.
    #[error("it was edited: its hash is that of another text")]
    Edited,
    /// What it stands for is not what was hashed.
    #[error("its evidence was edited: the digest in the record is that of another text")]
    EvidenceEdited,
    #[error("its evidence is missing")]
    NoEvidence,
    /// Not first, and follows nothing.
    #[error("it begins a chain of its own: what stood before it belongs to another")]
    Begins,
    /// The log that was written before the chain is another one, or gone.
    #[error("the log before the chain, `decisions.jsonl` beside it, was edited or deleted: its digest is another")]
    Before,
    /// First, and follows something.
    #[error("it follows a record that is gone: the beginning was deleted")]
    Headless,
    /// It follows a record that is not there.
    #[error("the record before it is not the one that it follows: that one was deleted, or replaced")]
    Follows,
    /// It follows a record that stands elsewhere.
    #[error("it was moved, or a record before it was: it follows record {0}")]
    Moved(usize),
}

/// A member that is a hash; none where it is null or missing.
pub(super) fn hash_at(record: &Value, name: &'static str) -> Result<Option<Sha256>, Fault> {
    match record.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => value.as_str().and_then(Sha256::from_hex).map(Some).ok_or(Fault::NoHash(name)),
    }
}
