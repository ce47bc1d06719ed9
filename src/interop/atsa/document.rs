//! A server's attestation document: read strictly and within bounds, and the bytes that its signature is over.

use crate::canon::{MAX_PLAIN_DEPTH, jcs, read};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

/// Bytes of the largest document that is read: a published one has half a thousand.
pub const MOST_BYTES: usize = 64 << 10;

/// The members that are signed; others are ignored, and so cannot carry anything that is.
const SIGNED: [&str; 9] =
    ["v", "id", "publisher", "version", "clearance", "capabilities", "signerKeyId", "netAllowedHosts", "verification"];

/// Why a text is no document; a sentence that may quote it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unread(pub String);

/// A JSON object that may be a server's attestation document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document(Map<String, Value>);

impl Document {
    /// Reads one. Readers must agree on all of it: the signature is over a canonical form, which another reading does not have.
    pub fn read(bytes: &[u8]) -> Result<Self, Unread> {
        if bytes.len() > MOST_BYTES {
            return Err(Unread(format!("it is larger than {} KiB", MOST_BYTES >> 10)));
        }
        let reading = read(bytes, MAX_PLAIN_DEPTH).map_err(|fault| Unread(format!("not valid JSON: {fault}")))?;
        if let Some(code) = reading.codes.first() {
            return Err(Unread(code.sentence().to_owned()));
        }
        match reading.value {
            Value::Object(members) => Ok(Self(members)),
            Value::Null => Err(Unread("there is no document".to_owned())),
            _ => Err(Unread("it is not a JSON object".to_owned())),
        }
    }

    /// A member.
    pub fn member(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// A member that is a text with something in it.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.member(name)?.as_str().filter(|text| !text.is_empty())
    }

    /// A member that is a list of texts.
    pub fn texts(&self, name: &str) -> Option<Vec<&str>> {
        self.member(name)?.as_array()?.iter().map(Value::as_str).collect()
    }

    /// The signature's bytes; none where it is not base64.
    pub(super) fn signature(&self) -> Option<Vec<u8>> {
        STANDARD.decode(self.text("signature")?).ok()
    }

    /// The bytes that are signed: the registered members that are there, in order, lists sorted, an absent signer as null.
    pub fn body(&self) -> String {
        jcs(&sorted(Value::Object(self.signed())))
    }

    fn signed(&self) -> Map<String, Value> {
        let mut signed = self.0.clone();
        signed.retain(|name, _| SIGNED.contains(&name.as_str()));
        signed.entry("signerKeyId").or_insert(Value::Null);
        signed
    }

    /// The bytes that enclawed-oss signs, another dialect: the same, with two members always there, and an absent
    /// `verification` as a word that is no JSON.
    pub(super) fn enclawed_body(&self) -> String {
        let mut body = self.signed();
        body.entry("netAllowedHosts").or_insert(Value::Array(Vec::new()));
        let has_verification = body.contains_key("verification");
        body.entry("verification").or_insert(Value::Null);
        let text = jcs(&sorted(Value::Object(body)));
        if has_verification { text } else { text.replacen(r#""verification":null"#, r#""verification":undefined"#, 1) }
    }
}

/// A value with each list in the order of its entries' canonical texts, by UTF-16 units as the reference sorts them: what is in
/// a list is signed, and not where.
fn sorted(value: Value) -> Value {
    match value {
        Value::Array(list) => {
            let mut list: Vec<_> = list.into_iter().map(sorted).collect();
            list.sort_by_cached_key(|entry| jcs(entry).encode_utf16().collect::<Vec<_>>());
            Value::Array(list)
        }
        Value::Object(members) => {
            Value::Object(members.into_iter().map(|(name, value)| (name, sorted(value))).collect())
        }
        other => other,
    }
}
