//! The policy in force and its digest, which every report and decision carries.

use crate::canon::jcs;
use crate::digest::Sha256;
use serde_json::json;

/// How drifts are rated. The fields are fixed where the policy is built, so that the digest always is theirs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// `balanced`, `strict` or `capability-identity`.
    pub profile: String,
    /// SHA-256 of the RFC 8785 text of {"format": "pinwatch.policy.v1", "profile": …}.
    pub digest: Sha256,
}

/// The profiles there are.
pub(super) const PROFILES: [&str; 3] = ["balanced", "strict", "capability-identity"];

impl Policy {
    /// The policy of a profile.
    pub(super) fn new(profile: &str) -> Self {
        let text = jcs(&json!({"format": "pinwatch.policy.v1", "profile": profile}));
        Self { profile: profile.to_owned(), digest: Sha256::of(text) }
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::new(PROFILES[0])
    }
}
