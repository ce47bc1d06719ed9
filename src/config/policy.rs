//! The policy in force and its digest, which every report and decision carries.

use crate::canon::jcs;
use crate::digest::Sha256;
use crate::drift;
use serde_json::json;

/// How drifts are rated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The rules.
    pub rules: drift::Policy,
    /// SHA-256 of the RFC 8785 text of {"format": "pinwatch.policy.v1", "profile": …}.
    pub digest: Sha256,
}

impl From<drift::Policy> for Policy {
    fn from(rules: drift::Policy) -> Self {
        let text = jcs(&json!({"format": "pinwatch.policy.v1", "profile": rules.profile.word()}));
        Self { rules, digest: Sha256::of(text) }
    }
}

impl Default for Policy {
    fn default() -> Self {
        drift::Policy::default().into()
    }
}
