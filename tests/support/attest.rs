//! Attestation documents signed by keys whose seeds are known.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use serde_json::{Value, json};

/// The signature of some bytes by the key of a seed, in base64.
pub fn signature(bytes: &[u8], seed: u8) -> String {
    STANDARD.encode(Ed25519KeyPair::from_seed_unchecked(&[seed; 32]).expect("32 bytes are a seed").sign(bytes))
}

/// A trust root of the levels `public`, `internal` and `secret`, whose keys may sign for all but the last.
pub fn trust_root(keys: &[(&str, u8)]) -> Value {
    let key = |(id, seed): &(&str, u8)| {
        let pair = Ed25519KeyPair::from_seed_unchecked(&[*seed; 32]).expect("32 bytes are a seed");
        let public = STANDARD.encode(pair.public_key().as_ref());
        json!({"id": id, "publicKey": public, "approvedClearances": ["public", "internal"]})
    };
    let level = |(rank, name): (usize, &str)| json!({"name": name, "rank": rank});
    let levels: Vec<_> = ["public", "internal", "secret"].into_iter().enumerate().map(level).collect();
    json!({"scheme": {"name": "s", "levels": levels}, "keys": keys.iter().map(key).collect::<Vec<_>>()})
}

/// A document of `id` at the level `internal`, signed by a key. Its members stand in the order of the signed form already.
pub fn document(id: &str, (key_id, seed): (&str, u8)) -> Value {
    let body = json!({
        "capabilities": ["mcp-server"], "clearance": "internal", "id": id, "publisher": "Example", "signerKeyId": key_id,
        "v": "1.0", "version": "1.0.0",
    });
    let mut document = body.clone();
    document["signature"] = signature(body.to_string().as_bytes(), seed).into();
    document
}
