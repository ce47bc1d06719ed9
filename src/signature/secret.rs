//! The key that the guard signs its evidence with: one Ed25519 key, in the form that openssl reads (PKCS#8, RFC 8410).

use super::PublicKey;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use std::fmt;

/// What stands before the 32 bytes of a seed in PKCS#8 (RFC 8410, section 7).
const PKCS8: [u8; 16] =
    [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];

const BEGIN: &str = "-----BEGIN PRIVATE KEY-----";
const END: &str = "-----END PRIVATE KEY-----";

/// A key that signs. It shows nothing of itself.
pub struct SigningKey {
    pair: Ed25519KeyPair,
    public: PublicKey,
}

/// Why a text is no signing key. Nothing of the text is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoSigningKey {
    /// No PEM block of a private key.
    #[error("it is no PEM file with a `PRIVATE KEY`")]
    NotPem,
    /// A private key of another algorithm, or a damaged one.
    #[error("its key is not an Ed25519 key")]
    NotEd25519,
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey").field("public", &self.public).finish_non_exhaustive()
    }
}

impl SigningKey {
    /// The key of 32 random bytes.
    pub fn from_seed(seed: &[u8; 32]) -> Result<Self, NoSigningKey> {
        Self::of(Ed25519KeyPair::from_seed_unchecked(seed))
    }

    /// The key of a file.
    pub fn parse(pem: &str) -> Result<Self, NoSigningKey> {
        let body =
            pem.trim().strip_prefix(BEGIN).and_then(|rest| rest.strip_suffix(END)).ok_or(NoSigningKey::NotPem)?;
        let joined: String = body.split_ascii_whitespace().collect();
        let der = STANDARD.decode(joined).map_err(|_| NoSigningKey::NotPem)?;
        // With the public key in it or without.
        Self::of(Ed25519KeyPair::from_pkcs8_maybe_unchecked(&der))
    }

    fn of(pair: Result<Ed25519KeyPair, ring::error::KeyRejected>) -> Result<Self, NoSigningKey> {
        let pair = pair.map_err(|_| NoSigningKey::NotEd25519)?;
        let public = PublicKey::from_bytes(pair.public_key().as_ref()).map_err(|_| NoSigningKey::NotEd25519)?;
        Ok(Self { pair, public })
    }

    /// The file of the key of 32 random bytes.
    pub fn pem(seed: &[u8; 32]) -> String {
        format!("{BEGIN}\n{}\n{END}\n", STANDARD.encode([PKCS8.as_slice(), seed].concat()))
    }

    /// The key that verifies what this one signs.
    pub fn public(&self) -> &PublicKey {
        &self.public
    }

    /// The 64 bytes of the signature of a message.
    pub fn sign(&self, message: &[u8]) -> Vec<u8> {
        self.pair.sign(message).as_ref().to_vec()
    }
}
