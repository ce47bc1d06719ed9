//! Digests with the domain of what they are of in front (SPv1): the same bytes say nothing in another meaning.

use crate::canon::{Code, jcs, read};
use crate::digest::{Hasher, Sha256};
use serde_json::Value;

/// The suite: SHA-256, Ed25519 with its 64 raw bytes, and the profile `sp-jcs-v1`.
pub const SUITE: &str = "sp.ietf.sha256.ed25519.v1";

/// Levels of nesting of a value that is read to be digested.
const DEEPEST: usize = 1_000;

/// What the digest is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Domain {
    /// A statement that is signed.
    Statement,
    /// A JSON value by its canonical text.
    Json,
    /// Bytes as they are.
    File,
}

impl Domain {
    /// What stands before the bytes.
    pub fn label(self, suite: &str) -> String {
        let words = match self {
            Self::Statement => "statement|attest",
            Self::Json => "digest|json",
            Self::File => "digest|file",
        };
        format!("SPv1|{words}|{suite}|")
    }
}

/// The bytes that are signed or digested: the label, then the canonical text.
pub(super) fn preimage(domain: Domain, suite: &str, value: &Value) -> String {
    domain.label(suite) + &jcs(value)
}

/// What is said of a value that is not disclosed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The digest.
    pub digest: Sha256,
    /// Whether it is over the canonical text; else it is over the bytes as they came.
    pub canonical: bool,
    /// Why there is no canonical text, by the profile's code.
    pub fault: Option<&'static str>,
}

impl Bound {
    /// What a hasher of [`raw_hasher`] made of bytes.
    pub fn raw(digest: Sha256) -> Self {
        Self { digest, canonical: false, fault: None }
    }
}

/// Binds the JSON text of a value. What has no canonical text is bound by its bytes, with the code of why.
pub fn bound(text: &[u8]) -> Bound {
    let fault = match read(text, DEEPEST) {
        // RFC 8785 writes the double of a number that has more digits.
        Ok(reading) => match reading.codes.iter().find(|code| **code != Code::Number) {
            None => {
                let digest = Sha256::of(preimage(Domain::Json, SUITE, &reading.value));
                return Bound { digest, canonical: true, fault: None };
            }
            Some(Code::DuplicateMember) => "SP-JCS-001",
            Some(Code::LoneSurrogate) => "SP-JCS-010",
            Some(Code::NonFinite) => "SP-JCS-020",
            Some(Code::Encoding) => "SP-JCS-050",
            Some(Code::Depth | Code::ReservedMember | Code::Number) => "E210",
        },
        Err(_) => "E210",
    };
    let mut hasher = raw_hasher();
    hasher.update(text);
    Bound { fault: Some(fault), ..Bound::raw(hasher.done()) }
}

/// Digests bytes as they are; the label is in it already.
pub fn raw_hasher() -> Hasher {
    let mut hasher = Sha256::hasher();
    hasher.update(Domain::File.label(SUITE).as_bytes());
    hasher
}
