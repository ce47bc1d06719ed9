//! Ed25519: keys in the forms that other systems write them in, whether a signature holds, and the one key that this program
//! signs with, which is the guard's for its evidence. The only caller of `ring`'s signatures.
//!
//! A signature that holds says that the key's holder signed these bytes, and nothing about what they say.

mod secret;
mod tool;

pub use secret::{NoSigningKey, SigningKey};
pub use tool::{Keyring, Malformed, SIGNATURE_MEMBER, Standing, ToolSignature, TrustedKey};

use crate::digest::Sha256;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::signature::{ED25519, UnparsedPublicKey};

/// What stands before the 32 bytes of a key in its SubjectPublicKeyInfo (RFC 8410, section 4).
const SPKI: [u8; 12] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];

/// Bytes of a signature.
const SIGNATURE: usize = 64;

/// A public key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PublicKey([u8; 32]);

/// Why a text is not a public key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoKey {
    /// The base64 does not decode.
    #[error("it is not base64")]
    Encoding,
    /// A PEM block of something else.
    #[error("it is a PEM block `{0}`; a public key stands in `PUBLIC KEY` or `ED25519 PUBLIC KEY`")]
    Label(String),
    /// A secret was given where a public key belongs.
    #[error("it is a private key; the public one belongs here")]
    Private,
    /// Another length than that of a key, raw or in its envelope.
    #[error("it has {0} bytes; an Ed25519 key has 32, or 44 with its envelope (SPKI)")]
    Length(usize),
    /// Bytes that are no envelope of an Ed25519 key.
    #[error("it is the key of another algorithm; only Ed25519 is read")]
    Algorithm,
}

impl PublicKey {
    /// The key of its 32 bytes, or of its SubjectPublicKeyInfo.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NoKey> {
        let raw = match bytes.len() {
            32 => bytes,
            44 => bytes.strip_prefix(&SPKI).ok_or(NoKey::Algorithm)?,
            length => return Err(NoKey::Length(length)),
        };
        raw.try_into().map(Self).map_err(|_| NoKey::Length(bytes.len()))
    }

    /// The key of a file: PEM with the envelope (`PUBLIC KEY`) or without (`ED25519 PUBLIC KEY`), or base64 alone.
    pub fn parse(text: &str) -> Result<Self, NoKey> {
        let text = text.trim();
        let body = match text.strip_prefix("-----BEGIN ") {
            None => text,
            Some(rest) => {
                let (label, rest) = rest.split_once("-----").ok_or(NoKey::Encoding)?;
                if label.contains("PRIVATE") {
                    return Err(NoKey::Private);
                }
                if !["PUBLIC KEY", "ED25519 PUBLIC KEY"].contains(&label) {
                    return Err(NoKey::Label(label.to_owned()));
                }
                let (body, _) = rest.split_once(&format!("-----END {label}-----")).ok_or(NoKey::Encoding)?;
                body
            }
        };
        let joined: String = body.split_ascii_whitespace().collect();
        Self::from_bytes(&STANDARD.decode(joined).map_err(|_| NoKey::Encoding)?)
    }

    /// The key as a PEM file has it, with its envelope.
    pub fn pem(&self) -> String {
        let body = STANDARD.encode([SPKI.as_slice(), &self.0].concat());
        format!("-----BEGIN PUBLIC KEY-----\n{body}\n-----END PUBLIC KEY-----\n")
    }

    /// What a signature calls the key: the digest of its envelope.
    pub fn id(&self) -> String {
        format!("sha256:{}", Sha256::of([SPKI.as_slice(), &self.0].concat()))
    }

    /// Whether a signature of `message` by this key holds; one of another length does not.
    pub fn verifies(&self, message: &[u8], signature: &[u8]) -> bool {
        signature.len() == SIGNATURE && UnparsedPublicKey::new(&ED25519, self.0).verify(message, signature).is_ok()
    }
}
