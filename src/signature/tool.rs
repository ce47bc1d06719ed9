//! `x-assay-sig`: a signature that a tool carries over the whole of itself (Assay's SPEC-Tool-Signing v1; interop/FORMATS.md,
//! 1.4). It never reads as more than "this text is what the key's holder signed".

use super::{NoKey, PublicKey, SIGNATURE};
use crate::canon::{Code, jcs};
use crate::digest::{Item, Sha256};
use crate::surface::Kind;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use std::fmt;
use strum::IntoStaticStr;

/// The member that holds the signature.
pub const SIGNATURE_MEMBER: &str = "x-assay-sig";
/// What Assay's own wrapper adds to each tool that it hands on, after it was signed.
const WRAPPED: &str = "tool_identity";
const PAYLOAD_TYPE: &str = "application/vnd.assay.tool+json;v=1";

/// Keys that a project trusts, and whether every tool must be signed by one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keyring {
    /// By their names, in order.
    pub keys: Vec<TrustedKey>,
    /// Whether a tool that no trusted key signed is a finding.
    pub required: bool,
}

/// A key that a project trusts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedKey {
    /// What the project calls it.
    pub name: String,
    /// Its id, `sha256:` and hex.
    pub id: String,
    /// The key itself; none where the id alone is known, and the signature has to bring the key.
    pub key: Option<PublicKey>,
}

impl TrustedKey {
    /// A key as a config writes it: its id, base64, or a PEM block.
    pub fn parse(name: &str, text: &str) -> Result<Self, NoKey> {
        let name = name.to_owned();
        if Sha256::from_text(text).is_some() {
            return Ok(Self { name, id: text.to_owned(), key: None });
        }
        let key = PublicKey::parse(text)?;
        Ok(Self { name, id: key.id(), key: Some(key) })
    }
}

/// What can be said of a tool's signature.
#[derive(Clone, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Standing {
    /// The tool carries none.
    #[strum(to_string = "none")]
    Unsigned,
    /// It holds, by a key of this name that the project trusts.
    #[strum(to_string = "holds-trusted-key")]
    Trusted(String),
    /// It holds, by the key that it brings along and that nobody named; the key's id.
    #[strum(to_string = "holds-unnamed-key")]
    Unnamed(String),
    /// The key is neither in it nor known; the key's id.
    NotChecked(String),
    /// It does not hold, and why.
    DoesNotHold(&'static str),
    /// It is no signature that can be read, and why.
    Malformed(Malformed),
}

word!(ref Standing);

/// Why a signature cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each says its sentence")]
pub enum Malformed {
    #[error("it is not an object")]
    NoObject,
    #[error("`{0}` is missing or no string")]
    Member(&'static str),
    #[error("its `version` is not 1")]
    Version,
    #[error("its `algorithm` is not `ed25519`")]
    Algorithm,
    #[error("its `signature` is not 64 bytes in base64")]
    Signature,
    #[error("its `public_key` is not a key: {0}")]
    Key(NoKey),
    #[error("parsers disagree on the definition that it signs")]
    Ambiguous,
}

/// A tool's signature, looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolSignature {
    /// What can be said of it.
    pub standing: Standing,
    /// Whether it holds only without `tool_identity`, which Assay's own wrapper adds to what was signed.
    pub is_wrapped: bool,
}

impl ToolSignature {
    /// The signature of an item; none of what is no tool.
    pub fn of_item(item: &Item, keyring: &Keyring) -> Option<Self> {
        let item = item.itself();
        if item.id.kind != Kind::Tool {
            return None;
        }
        if !may_be_signed(item) {
            return Some(Standing::Unsigned.into());
        }
        let tool = item.definition.as_read();
        // Assay reads numbers as doubles; what else is ambiguous it refuses, or reads in another way than its signer did.
        let is_read = item.definition.codes.iter().all(|code| *code == Code::Number);
        if !is_read && tool.get(SIGNATURE_MEMBER).is_some() {
            return Some(Standing::Malformed(Malformed::Ambiguous).into());
        }
        Some(Self::of(&tool, keyring))
    }

    /// The signature of a tool as read.
    pub fn of(tool: &Value, keyring: &Keyring) -> Self {
        let Some(signature) = tool.get(SIGNATURE_MEMBER) else { return Standing::Unsigned.into() };
        let claims = match Claims::of(signature) {
            Ok(claims) => claims,
            Err(malformed) => return Standing::Malformed(malformed).into(),
        };
        if claims.payload_type != PAYLOAD_TYPE {
            return Standing::DoesNotHold("it was made for another type of content").into();
        }
        let Some((payload, is_wrapped)) = payload(tool, claims.payload_digest) else {
            return Standing::DoesNotHold("its digest is of another text").into();
        };
        Self { standing: claims.standing(&payload, keyring), is_wrapped }
    }

    /// The id of the key that it names, where it can be read.
    pub fn key_of(tool: &Value) -> Option<&str> {
        tool.get(SIGNATURE_MEMBER)?.get("key_id")?.as_str()
    }

    /// What is known of it as a sentence without a full stop; it may quote what a server wrote.
    pub fn sentence(&self) -> String {
        match self.standing {
            Standing::Unsigned => "It is not signed".to_owned(),
            Standing::NotChecked(_) | Standing::Malformed(_) => format!("Signature is {self}"),
            Standing::Trusted(_) | Standing::Unnamed(_) | Standing::DoesNotHold(_) => format!("Signature {self}"),
        }
    }

    /// Whether it holds, by whatever key.
    pub fn holds(&self) -> bool {
        matches!(self.standing, Standing::Trusted(_) | Standing::Unnamed(_))
    }
}

/// A quick look: whether the member can be there. An escape may spell it in another way.
fn may_be_signed(item: &Item) -> bool {
    let bytes = item.definition.bytes();
    memchr::memmem::find(bytes, SIGNATURE_MEMBER.as_bytes()).is_some() || memchr::memchr(b'\\', bytes).is_some()
}

impl From<Standing> for ToolSignature {
    fn from(standing: Standing) -> Self {
        Self { standing, is_wrapped: false }
    }
}

impl fmt::Display for ToolSignature {
    /// A sentence's end that says what is known; it may quote what a server wrote.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.standing {
            Standing::Unsigned => f.write_str("none"),
            Standing::Trusted(name) => write!(f, "holds: the holder of your key `{name}` signed this text"),
            Standing::Unnamed(id) => {
                write!(f, "holds by the key that it brings along, which nobody named: {id}")
            }
            Standing::NotChecked(id) => {
                write!(f, "not checked: its key is neither in it nor in [assay] trusted-keys: {id}")
            }
            Standing::DoesNotHold(why) => write!(f, "does not hold: {why}"),
            Standing::Malformed(why) => write!(f, "malformed: {why}"),
        }?;
        if self.is_wrapped && self.holds() {
            f.write_str("; without `tool_identity`, which Assay's wrapper adds")?;
        }
        Ok(())
    }
}

/// What a signature says of itself.
struct Claims<'a> {
    payload_type: &'a str,
    payload_digest: &'a str,
    key_id: &'a str,
    signature: Vec<u8>,
    /// The key that it brings along.
    key: Option<PublicKey>,
}

impl<'a> Claims<'a> {
    fn of(signature: &'a Value) -> Result<Self, Malformed> {
        let members = signature.as_object().ok_or(Malformed::NoObject)?;
        let text = |member: &'static str| members.get(member).and_then(Value::as_str).ok_or(Malformed::Member(member));
        if members.get("version").and_then(Value::as_u64) != Some(1) {
            return Err(Malformed::Version);
        }
        if text("algorithm")? != "ed25519" {
            return Err(Malformed::Algorithm);
        }
        // When it was signed is not signed; its system's reader wants a time there all the same.
        text("signed_at")?.parse::<jiff::Timestamp>().map_err(|_| Malformed::Member("signed_at"))?;
        let decoded = STANDARD.decode(text("signature")?).ok().filter(|bytes| bytes.len() == SIGNATURE);
        let key = match members.get("public_key") {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) => Some(decode_key(text).map_err(Malformed::Key)?),
            Some(_) => return Err(Malformed::Member("public_key")),
        };
        Ok(Self {
            payload_type: text("payload_type")?,
            payload_digest: text("payload_digest")?,
            key_id: text("key_id")?,
            signature: decoded.ok_or(Malformed::Signature)?,
            key,
        })
    }

    fn standing(&self, payload: &str, keyring: &Keyring) -> Standing {
        let trusted = keyring.keys.iter().find(|trusted| trusted.id == self.key_id);
        if self.key.is_some_and(|key| key.id() != self.key_id) {
            return Standing::DoesNotHold("it names another key than it brings along");
        }
        let Some(key) = trusted.and_then(|trusted| trusted.key).or(self.key) else {
            return Standing::NotChecked(self.key_id.to_owned());
        };
        // DSSE's pre-authentication encoding, version 1.
        let signed = format!("DSSEv1 {} {PAYLOAD_TYPE} {} {payload}", PAYLOAD_TYPE.len(), payload.len());
        if !key.verifies(signed.as_bytes(), &self.signature) {
            return Standing::DoesNotHold("it is not of the key that it names");
        }
        match trusted {
            Some(trusted) => Standing::Trusted(trusted.name.clone()),
            None => Standing::Unnamed(self.key_id.to_owned()),
        }
    }
}

/// A key that a signature brings along: its envelope, in base64.
fn decode_key(text: &str) -> Result<PublicKey, NoKey> {
    let bytes = STANDARD.decode(text).map_err(|_| NoKey::Encoding)?;
    PublicKey::from_bytes(&bytes)
}

/// The text that a digest is of: the tool without its signature, or without what Assay's wrapper adds, too. The second says
/// which.
fn payload(tool: &Value, digest: &str) -> Option<(String, bool)> {
    let mut bare = tool.clone();
    let members = bare.as_object_mut()?;
    members.remove(SIGNATURE_MEMBER);
    let is_it = |text: &String| format!("sha256:{}", Sha256::of(text)) == digest;
    let whole = jcs(&bare);
    if is_it(&whole) {
        return Some((whole, false));
    }
    bare.as_object_mut()?.remove(WRAPPED)?;
    let unwrapped = jcs(&bare);
    is_it(&unwrapped).then_some((unwrapped, true))
}
