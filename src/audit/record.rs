//! One record: what is told in it, and how it is sealed to the one before.
//!
//! The contract's own members say what happened in its few words. The whole of it, exact, is the *evidence*: it stands beside
//! them as a member that the contract does not hash, and its digest is the record's `evidence_hash`, which it does.

use super::canonical::{NotCanonical, preimage};
use crate::canon::jcs;
use crate::digest::Sha256;
use crate::drift::Severity;
use crate::text::visible;
use jiff::Timestamp;
use serde_json::{Value, json};
use strum::IntoStaticStr;

/// The event types of what people decided, as the contract wants them declared, and what each says.
pub const DECIDED: [(&str, &str); 14] = [
    (CONTINUED, "the chain begins; `evidence_hash` is the digest of the log that was written before it"),
    ("item_recorded", "a definition became a pin at the first record"),
    ("item_approved", "a definition became the pin, or a pin that is gone was dropped"),
    ("item_rejected", "a definition was refused"),
    ("decision_undone", "the last decision was taken back"),
    ("baseline_forgotten", "a server's baseline was removed"),
    ("server_renamed", "a server's baseline was given to another id"),
    ("snapshot_recorded", "a snapshot was written"),
    ("launch_agreed", "a person agreed to start a server so"),
    ("signed_in", "a person signed in to a server: as whom, where and for what"),
    ("signed_out", "the sign-in at a server was forgotten here"),
    ("unwatch_accepted", "it was accepted that a server is not watched"),
    ("change_applied", "the decisions before it, of one change, are in the baseline"),
    ("change_voided", "the decisions before it, of one change, did not come about"),
];

/// The event types of what was seen. No decision is read off them: the history of decisions passes over their lines.
pub const SEEN: [(&str, &str); 5] = [
    (DRIFT_DETECTED, "items differ from their pins, or are new or gone"),
    (DRIFT_RESOLVED, "what had drifted does no longer: it is as it is pinned"),
    (SERVER_DISCOVERY, "a server was held to the trust root for the first time"),
    (ADMISSION_RECHECK, "a server was held to the trust root, and it came out otherwise than before"),
    (CALLS_GUARDED, "calls passed a guard or did not; the evidence has the digests of the lines that tell of them"),
];

pub(super) const DRIFT_DETECTED: &str = "drift_detected";
pub(super) const DRIFT_RESOLVED: &str = "drift_resolved";
/// The contract's own words, which `admission-control` wants.
pub(super) const SERVER_DISCOVERY: &str = "server_discovery";
pub(super) const ADMISSION_RECHECK: &str = "admission_recheck";

/// The event type of records that bind the lines of evidence which a guard wrote.
pub const CALLS_GUARDED: &str = "calls_guarded";

/// The event type of a first record that follows another log.
pub const CONTINUED: &str = "log_continued";

#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Outcome {
    Allowed,
    Denied,
    Deferred,
    Error,
}

word!(Outcome);

/// How sure a drift is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum DriftStatus {
    None,
    Observed,
    /// A person decided on it.
    Confirmed,
}

word!(DriftStatus);

/// How bad, in the contract's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum RecordSeverity {
    Info,
    Low,
    Medium,
    High,
}

word!(RecordSeverity);

impl From<Severity> for RecordSeverity {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Safe | Severity::Info => Self::Info,
            Severity::Moderate => Self::Medium,
            Severity::Critical => Self::High,
        }
    }
}

/// What is to be done with the item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Quarantine {
    Release,
    Hold,
    Quarantine,
}

word!(Quarantine);

/// A record before it is sealed. Its texts are [`spelled`] by who seals it: any text will do.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Draft {
    /// When.
    pub at: Timestamp,
    /// Who decided, or saw it.
    pub principal_id: String,
    /// One of [`DECIDED`] or [`SEEN`].
    pub event_type: &'static str,
    pub tool_name: Option<String>,
    pub outcome: Outcome,
    /// In a sentence.
    pub purpose: String,
    /// Whether there is a drift.
    pub drift_status: DriftStatus,
    pub severity: RecordSeverity,
    pub quarantine: Quarantine,
    /// The digest of the policy in force.
    pub policy: Option<String>,
    /// The contract's `admission-control`, where it tells whether a server is admitted.
    pub admission: Option<Value>,
    /// The whole of it, or the digest of what is kept elsewhere.
    pub evidence: Result<Value, Sha256>,
}

/// A time as the contract wants it: exactly milliseconds.
pub(super) fn to_the_millisecond(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()
}

/// How the policies of records that carry their evidence begin.
pub(super) const POLICY: &str = "pinwatch/policy@";

/// The digest of the evidence beside a record.
pub fn evidence_hash(evidence: &Value) -> Sha256 {
    Sha256::of(jcs(evidence))
}

/// Whether a digest is that of this evidence. What is written here is canonical as `serde_json` writes it, which is quick;
/// whether that is so of what another program wrote, only the canonical text tells.
pub(super) fn is_evidence(evidence: &Value, digest: &Sha256) -> bool {
    Sha256::of(evidence.to_string()) == *digest || evidence_hash(evidence) == *digest
}

/// A record as a line holds it: with the hash of the one before it, and its own. `event_id` is a UUID.
pub fn sealed(draft: &Draft, event_id: &str, previous: Option<&Sha256>) -> Result<(Value, Sha256), NotCanonical> {
    let evidence = match &draft.evidence {
        Ok(evidence) => evidence_hash(evidence),
        Err(digest) => *digest,
    };
    let policy = draft.policy.as_deref().map(|policy| policy.strip_prefix("sha256:").unwrap_or(policy));
    let mut record = json!({
        "event_id": event_id,
        "occurred_at": to_the_millisecond(draft.at),
        "principal_id": spelled(&draft.principal_id),
        "event_type": draft.event_type,
        "tool_name": draft.tool_name.as_deref().map(spelled),
        "outcome": draft.outcome.word(),
        "previous_hash": previous.map(ToString::to_string),
        "extensions": {
            "caller-governance": { "purpose_declared": draft.purpose },
            "runtime-security": {
                "drift_status": draft.drift_status.word(),
                "severity": draft.severity.word(),
                "quarantine_decision": draft.quarantine.word(),
                "policy_id": format!("{POLICY}{}", spelled(policy.unwrap_or("none"))),
                "evidence_hash": format!("sha256:{evidence}"),
            },
        },
    });
    if let Some(admission) = &draft.admission {
        record["extensions"]["admission-control"] = admission.clone();
    }
    let hash = Sha256::of(preimage(&record)?);
    record["event_hash"] = hash.to_string().into();
    if let Ok(evidence) = &draft.evidence {
        record["evidence"] = evidence.clone();
    }
    Ok((record, hash))
}

/// Characters of a text that a record holds.
const MOST: usize = 400;

/// A text as a record holds it: what cannot be seen in the seam's escaped spelling, a long one cut with the digest of the
/// whole, and never empty. No control is left that the contract would refuse.
pub fn spelled(text: &str) -> String {
    let shown = visible(text);
    let mut characters = shown.as_str().chars();
    let cut: String = characters.by_ref().take(MOST).collect();
    match characters.next() {
        Some(_) => format!("{cut}… sha256:{}", Sha256::of(text)),
        None if cut.trim_matches(' ').is_empty() => "-".to_owned(),
        None => cut,
    }
}
