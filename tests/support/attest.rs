//! Attestation documents signed by keys whose seeds are known.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::signature::Ed25519KeyPair;

/// The signature of some bytes by the key of a seed, in base64.
pub fn signature(bytes: &[u8], seed: u8) -> String {
    STANDARD.encode(Ed25519KeyPair::from_seed_unchecked(&[seed; 32]).unwrap().sign(bytes))
}
