//! Tools signed as Assay's specification says, by keys whose seeds are known.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pinwatch::canon::jcs;
use pinwatch::digest::Sha256;
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use serde_json::{Value, json};

/// The public key of a seed in its envelope.
pub fn spki(seed: u8) -> Vec<u8> {
    let pair = Ed25519KeyPair::from_seed_unchecked(&[seed; 32]).unwrap();
    [b"\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00".as_slice(), pair.public_key().as_ref()].concat()
}

/// The id of that key.
pub fn key_id(seed: u8) -> String {
    format!("sha256:{}", Sha256::of(spki(seed)))
}

/// A tool as Assay's specification signs one, by the key of a seed.
pub fn signed(tool: &Value, seed: u8) -> Value {
    let pair = Ed25519KeyPair::from_seed_unchecked(&[seed; 32]).unwrap();
    let text = jcs(tool);
    let pae = format!("DSSEv1 35 application/vnd.assay.tool+json;v=1 {} {text}", text.len());
    let mut whole = tool.clone();
    whole["x-assay-sig"] = json!({
        "version": 1, "algorithm": "ed25519", "payload_type": "application/vnd.assay.tool+json;v=1",
        "payload_digest": format!("sha256:{}", Sha256::of(&text)), "key_id": key_id(seed),
        "signature": STANDARD.encode(pair.sign(pae.as_bytes())), "signed_at": "2026-11-27T20:39:02Z",
        "public_key": STANDARD.encode(spki(seed)),
    });
    whole
}
