//! What is told of an event in a record of the audit chain: the contract's few words, with the event itself as evidence.

use super::line::{Event, Mark, Phase, Record, to_json};
use crate::audit::{CONTINUED, Draft, DriftStatus, Outcome, Quarantine, RecordSeverity, spelled};
use crate::digest::Sha256;
use crate::drift::Severity;
use crate::store::StoreError;
use crate::surface::Kind;
use jiff::Timestamp;

/// A UUID of version 4.
fn uuid() -> Result<String, StoreError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| StoreError::NoRandom(error.to_string()))?;
    // RFC 9562, section 5.4: the version, and the variant.
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex = format!("{:032x}", u128::from_be_bytes(bytes));
    Ok([&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-"))
}

/// As the contract wants it: exactly milliseconds.
fn to_the_millisecond(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()
}

impl Event {
    /// Its type, what came of it, what is said of a drift, what is done with the item, and the verb of its sentence.
    fn words(self) -> (&'static str, Outcome, DriftStatus, Quarantine, &'static str) {
        use DriftStatus::{Confirmed, None, Observed};
        use Outcome::{Allowed, Deferred, Denied};
        use Quarantine::{Hold, Release};
        match self {
            Self::Approve => ("item_approved", Allowed, Confirmed, Release, "approved"),
            Self::Reject => ("item_rejected", Denied, Confirmed, Quarantine::Quarantine, "rejected"),
            Self::Undo => ("decision_undone", Deferred, Observed, Hold, "took back the decision on"),
            Self::Record => ("item_recorded", Allowed, None, Release, "recorded"),
            Self::Forget => ("baseline_forgotten", Allowed, None, Release, "forgot"),
            Self::Rename => ("server_renamed", Allowed, None, Release, "renamed"),
            Self::Snapshot => ("snapshot_recorded", Allowed, None, Release, "recorded a snapshot"),
            Self::Consent => ("launch_agreed", Allowed, None, Release, "agreed to the launch"),
            Self::Unwatch => ("unwatch_accepted", Allowed, None, Release, "accepted that it is not watched"),
            Self::DriftSeen => ("drift_detected", Deferred, Observed, Hold, "saw a drift of"),
            Self::DriftResolved => ("drift_resolved", Allowed, None, Release, "saw as pinned again"),
            Self::Admit => ("server_discovery", Allowed, None, Release, "admitted"),
            Self::Deny => ("server_discovery", Denied, None, Quarantine::Quarantine, "did not admit"),
        }
    }
}

impl Record {
    pub(super) fn draft(&self) -> Result<Draft, StoreError> {
        let entry = &self.entry;
        let (event_type, outcome, drift_status, quarantine, verb) = entry.event.words();
        let item = entry.item.as_ref().map(|item| format!(" {}", spelled(&item.text()))).unwrap_or_default();
        let note = if entry.note.is_empty() { String::new() } else { format!(": {}", spelled(&entry.note)) };
        Ok(Draft {
            event_id: uuid()?,
            occurred_at: to_the_millisecond(entry.at),
            principal_id: entry.by.to_string(),
            event_type,
            tool_name: entry.item.as_ref().filter(|item| item.kind == Kind::Tool).map(|item| item.key.to_string()),
            outcome,
            purpose: format!("{verb}{item} of {}{note}", spelled(&self.server)),
            drift_status,
            severity: match entry.severity {
                None | Some(Severity::Safe | Severity::Info) => RecordSeverity::Info,
                Some(Severity::Moderate) => RecordSeverity::Medium,
                Some(Severity::Critical) => RecordSeverity::High,
            },
            quarantine,
            policy: entry.policy.as_deref().map(str::to_owned),
            evidence: Ok(to_json(self)),
        })
    }
}

impl Mark {
    pub(super) fn draft(&self) -> Result<Draft, StoreError> {
        let applied = self.phase == Phase::Applied;
        Ok(Draft {
            event_id: uuid()?,
            occurred_at: to_the_millisecond(self.at),
            principal_id: "pinwatch".to_owned(),
            event_type: if applied { "change_applied" } else { "change_voided" },
            tool_name: None,
            outcome: if applied { Outcome::Allowed } else { Outcome::Error },
            purpose: format!("change {} is {}", spelled(&self.change), self.phase.word()),
            drift_status: DriftStatus::None,
            severity: RecordSeverity::Info,
            quarantine: if applied { Quarantine::Release } else { Quarantine::Hold },
            policy: None,
            evidence: Ok(to_json(self)),
        })
    }
}

/// The first record of a chain that follows a log of this digest.
pub(super) fn continued(log: Sha256, at: Timestamp) -> Result<Draft, StoreError> {
    Ok(Draft {
        event_id: uuid()?,
        occurred_at: to_the_millisecond(at),
        principal_id: "pinwatch".to_owned(),
        event_type: CONTINUED,
        tool_name: None,
        outcome: Outcome::Allowed,
        purpose: "the log before this chain has the digest in evidence_hash".to_owned(),
        drift_status: DriftStatus::None,
        severity: RecordSeverity::Info,
        quarantine: Quarantine::Release,
        policy: None,
        evidence: Err(log),
    })
}
