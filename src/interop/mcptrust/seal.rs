//! `mcp-lock.json.sig`: a signature over the canonical text of a lock.

use super::canon::{Canon, canon};
use crate::canon::{MAX_PLAIN_DEPTH, read_plain, read_signed_zero};
use crate::signature::PublicKey;

/// A signature of a lock, as its file has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seal {
    canon: Canon,
    signature: Vec<u8>,
}

/// Why a file is no signature that can be checked here, or why one cannot be told of a lock.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each says its sentence")]
pub enum Unsealed {
    #[error("its first line is not a JSON object with a `canon_version`")]
    Head,
    #[error("its `canon_version` is `{0}`; v1 and v2 are known")]
    Canon(String),
    #[error("it is a sigstore bundle, which pinwatch does not check: use `mcptrust verify`")]
    Sigstore,
    #[error("it is not 64 bytes in hexadecimal")]
    Signature,
    #[error("the lock cannot be read: {0}")]
    Lock(String),
}

impl Seal {
    /// Reads the file: a head and the signature in hexadecimal, or, of old, the signature alone.
    pub fn parse(text: &str) -> Result<Self, Unsealed> {
        let text = text.trim();
        let (canon, hex) = match text.split_once('\n') {
            None => (Canon::V1, text),
            Some((head, hex)) => {
                let head = read_plain(head.as_bytes()).map_err(|_| Unsealed::Head)?;
                let member = |name: &str| head.get(name).and_then(serde_json::Value::as_str);
                if member("sig_type").is_some_and(|word| word != "ed25519") {
                    return Err(Unsealed::Sigstore);
                }
                let canon = match member("canon_version").ok_or(Unsealed::Head)? {
                    "v1" => Canon::V1,
                    "v2" => Canon::V2,
                    other => return Err(Unsealed::Canon(other.to_owned())),
                };
                (canon, hex.trim())
            }
        };
        let is_hex = hex.len() == 128 && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
        let byte = |at: usize| hex.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
        let signature: Option<Vec<u8>> = if is_hex { (0..128).step_by(2).map(byte).collect() } else { None };
        Ok(Self { canon, signature: signature.ok_or(Unsealed::Signature)? })
    }

    /// Which canonical form it is of.
    pub fn canon(&self) -> Canon {
        self.canon
    }

    /// Whether it is `key`'s signature of this lock.
    pub fn holds(&self, lock: &[u8], key: &PublicKey) -> Result<bool, Unsealed> {
        // What two readers read differently has no canonical text.
        read_plain(lock).map_err(Unsealed::Lock)?;
        let reading = read_signed_zero(lock, MAX_PLAIN_DEPTH).map_err(|error| Unsealed::Lock(error.to_string()))?;
        Ok(key.verifies(canon(&reading.value, self.canon).as_bytes(), &self.signature))
    }
}
