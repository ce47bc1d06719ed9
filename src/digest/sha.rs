//! SHA-256 values and their two text forms.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::Digest as _;
use std::fmt;
use std::str::FromStr;

/// A SHA-256 value; its text form is 64 lower-case hex digits, and `sha256:` before them where it stands in a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sha256([u8; 32]);

impl Sha256 {
    /// The digest of `bytes`.
    pub fn of(bytes: impl AsRef<[u8]>) -> Self {
        Self(sha2::Sha256::digest(bytes).into())
    }

    /// A digest of bytes that come one piece after another.
    pub fn hasher() -> Hasher {
        Hasher(sha2::Sha256::new())
    }

    /// The value of the text form that digests have in files: `sha256:` and the digits.
    pub fn from_text(text: &str) -> Option<Self> {
        text.strip_prefix("sha256:").and_then(Self::from_hex)
    }

    /// The first hex digits, for a place too narrow for all.
    pub fn short(&self) -> Short {
        let [a, b, c, d, ..] = self.0;
        Short([a, b, c, d])
    }

    /// The value of 64 lower-case hex digits.
    pub fn from_hex(text: &str) -> Option<Self> {
        let digits = text.as_bytes();
        let lower = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if digits.len() != 64 || !digits.iter().all(lower) {
            return None;
        }
        let mut value = [0; 32];
        for (byte, pair) in value.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
        }
        Some(Self(value))
    }
}

/// Bytes being digested; they are written to it.
#[derive(Clone)]
pub struct Hasher(sha2::Sha256);

impl Hasher {
    /// Takes the next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The digest of all that was written.
    pub fn done(self) -> Sha256 {
        Sha256(self.0.finalize().into())
    }
}

// Its state tells of the bytes.
opaque!(Hasher);

impl std::io::Write for Hasher {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl fmt::Display for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Sha256 {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::from_text(text)
            .ok_or_else(|| format!("`{text}` is not a digest; expected `sha256:` and 64 lowercase hex digits"))
    }
}

impl Serialize for Sha256 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("sha256:{self}"))
    }
}

impl<'de> Deserialize<'de> for Sha256 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The first eight hex digits of a digest, to show and never to decide by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Short([u8; 4]);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}", u32::from_be_bytes(self.0))
    }
}

impl From<Short> for String {
    fn from(short: Short) -> Self {
        short.to_string()
    }
}

impl fmt::Debug for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The digest that a decision binds to; its text form is `sha256:` and 64 lower-case hex digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SurfaceDigest(pub(super) Sha256);

impl SurfaceDigest {
    /// The digest of a preimage that is made elsewhere: of several items at once.
    pub fn of(preimage: impl AsRef<[u8]>) -> Self {
        Self(Sha256::of(preimage))
    }

    /// The first hex digits, for a place too narrow for all.
    pub fn short(&self) -> Short {
        self.0.short()
    }

    /// The 64 hex digits.
    pub fn hex(&self) -> String {
        self.0.to_string()
    }
}

impl fmt::Display for SurfaceDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sha256:{}", self.0)
    }
}

impl FromStr for SurfaceDigest {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}
