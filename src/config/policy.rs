//! The policy in force and its digest, which every report and decision carries.

use crate::canon::jcs;
use crate::digest::Sha256;
use crate::drift::{self, Admissions, Ignore, Override, Suppression};
use crate::finding::Settings;
use crate::interop::mcptrust::Rules;
use serde_json::json;
use std::sync::Arc;

/// How drifts are rated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The rules.
    pub rules: drift::Policy,
    /// The rules over a server as a whole.
    pub checks: Arc<Rules>,
    /// SHA-256 of the RFC 8785 text of {"format": "pinwatch.policy.v1", "profile": …}, with "overrides", "suppressions" and
    /// "ignored" where there are some, "signatures" where there are keys, "findings" where `[findings]` says something,
    /// "admissions" where `[trust]` or a closed list of tools does, and "checks" where there are rules.
    pub digest: Sha256,
}

impl Policy {
    /// A policy and its digest.
    pub fn new(rules: drift::Policy, checks: Arc<Rules>) -> Self {
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
        let findings = &*rules.findings;
        if *findings != Settings::default() {
            let own = findings.rules.iter().map(|rule| json!({"name": rule.name, "digest": rule.digest.to_string()}));
            value["findings"] = json!({"disable": findings.disable, "rules": own.collect::<Vec<_>>()});
            if !findings.command.is_empty() {
                value["findings"]["command"] = json!(findings.command);
            }
        }
        if *rules.admissions != Admissions::default() {
            value["admissions"] = rules.admissions.to_json();
        }
        if *checks != Rules::default() {
            value["checks"] = checks.to_json();
        }
        Self { rules, checks, digest: Sha256::of(jcs(&value)) }
    }
}

impl From<drift::Policy> for Policy {
    fn from(rules: drift::Policy) -> Self {
        Self::new(rules, Arc::default())
    }
}

impl Default for Policy {
    fn default() -> Self {
        drift::Policy::default().into()
    }
}
