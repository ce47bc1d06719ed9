//! The machine's key, and what is sealed under it.

use hmac::{Hmac, KeyInit as _, Mac as _};
use std::fmt::Write as _;

/// 64 hex digits of an HMAC-SHA-256 under the machine's key: it tells equal from different, and no value can be guessed
/// from it without the key.
pub(super) type Seal = String;

#[derive(Clone, PartialEq, Eq)]
pub(super) struct Key([u8; 32]);

opaque!(Key);

impl Key {
    pub(super) fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub(super) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// A MAC over a list of texts, each with its length before it: no two lists are written alike.
    pub(super) fn seal(&self, purpose: &str, texts: &[&[u8]]) -> Seal {
        let mut mac = self.start(purpose);
        for text in texts {
            mac.update(&(text.len() as u64).to_be_bytes());
            mac.update(text);
        }
        finish(mac)
    }

    /// A MAC that is still to be fed.
    pub(super) fn start(&self, purpose: &str) -> Hmac<sha2::Sha256> {
        // A key shorter than the block is filled up with zeros (RFC 2104, section 2).
        let mut block = [0; 64];
        block[..self.0.len()].copy_from_slice(&self.0);
        let mut mac = Hmac::<sha2::Sha256>::new(&block.into());
        mac.update(b"pinwatch.consent.v1\0");
        mac.update(purpose.as_bytes());
        mac.update(b"\0");
        mac
    }
}

pub(super) fn finish(mac: Hmac<sha2::Sha256>) -> Seal {
    mac.finalize().into_bytes().iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
