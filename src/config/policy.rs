//! The policy in force and its digest, which every report and decision carries.

use crate::canon::jcs;
use crate::digest::Sha256;
use crate::drift::{self, Ignore, Override, Suppression};
use serde_json::json;

/// How drifts are rated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The rules.
    pub rules: drift::Policy,
    /// SHA-256 of the RFC 8785 text of {"format": "pinwatch.policy.v1", "profile": …}, with "overrides", "suppressions" and
    /// "ignored" where there are some, and "signatures" where there are keys.
    pub digest: Sha256,
}

impl From<drift::Policy> for Policy {
    fn from(rules: drift::Policy) -> Self {
        let mut value = json!({"format": "pinwatch.policy.v1", "profile": rules.profile.word()});
        let overrides: Vec<_> = rules.exceptions.overrides.iter().map(Override::to_json).collect();
        let suppressions: Vec<_> = rules.exceptions.suppressions.iter().map(Suppression::to_json).collect();
        let ignored: Vec<_> = rules.exceptions.ignored.iter().map(Ignore::to_json).collect();
        for (member, list) in [("overrides", overrides), ("suppressions", suppressions), ("ignored", ignored)] {
            if !list.is_empty() {
                value[member] = list.into();
            }
        }
        let keyring = &rules.signatures;
        if !keyring.keys.is_empty() {
            let keys: Vec<_> = keyring.keys.iter().map(|key| json!({"name": key.name, "id": key.id})).collect();
            value["signatures"] = json!({"trusted": keys, "required": keyring.required});
        }
        Self { rules, digest: Sha256::of(jcs(&value)) }
    }
}

impl Default for Policy {
    fn default() -> Self {
        drift::Policy::default().into()
    }
}
