//! What is told of a decision in a record of the audit chain: the contract's few words, with the event itself as evidence.

use super::line::{Event, Mark, Phase, Record, to_json};
use crate::audit::{CONTINUED, Draft, DriftStatus, Outcome, Quarantine, RecordSeverity, spelled};
use crate::digest::Sha256;
use crate::surface::Kind;
use jiff::Timestamp;

impl Event {
    /// Its type, what came of it, what is said of a drift, what is done with the item, and the verb of its sentence.
    fn words(self) -> (&'static str, Outcome, DriftStatus, Quarantine, &'static str) {
        use DriftStatus::{Confirmed, None, Observed};
        use Outcome::{Allowed, Deferred, Denied};
        use Quarantine::{Hold, Release};
        match self {
            Self::Approve => ("item_approved", Allowed, Confirmed, Release, "approved"),
            Self::Confirm => ("item_confirmed", Allowed, None, Release, "confirmed"),
            Self::Reject => ("item_rejected", Denied, Confirmed, Quarantine::Quarantine, "rejected"),
            Self::Undo => ("decision_undone", Deferred, Observed, Hold, "took back the decision on"),
            Self::Record => ("item_recorded", Allowed, None, Release, "recorded"),
            Self::Forget => ("baseline_forgotten", Allowed, None, Release, "forgot"),
            Self::Rename => ("server_renamed", Allowed, None, Release, "renamed"),
            Self::Snapshot => ("snapshot_recorded", Allowed, None, Release, "recorded a snapshot"),
            Self::Consent => ("launch_agreed", Allowed, None, Release, "agreed to the launch"),
            Self::SignIn => ("signed_in", Allowed, None, Release, "signed in"),
            Self::SignOut => ("signed_out", Allowed, None, Release, "signed out"),
            Self::Unwatch => ("unwatch_accepted", Allowed, None, Release, "accepted that it is not watched"),
        }
    }
}

impl Record {
    pub(super) fn draft(&self) -> Draft {
        let entry = &self.entry;
        let (event_type, outcome, drift_status, quarantine, verb) = entry.event.words();
        let item = entry.item.as_ref().map(|item| format!(" {}", spelled(&item.text()))).unwrap_or_default();
        let note = if entry.note.is_empty() { String::new() } else { format!(": {}", spelled(&entry.note)) };
        Draft {
            at: entry.at,
            principal_id: entry.by.to_string(),
            event_type,
            tool_name: entry.item.as_ref().filter(|item| item.kind == Kind::Tool).map(|item| item.key.to_string()),
            outcome,
            purpose: format!("{verb}{item} of {}{note}", spelled(&self.server)),
            drift_status,
            severity: RecordSeverity::Info,
            quarantine,
            policy: entry.policy.as_deref().map(str::to_owned),
            admission: None,
            evidence: Ok(to_json(self)),
        }
    }
}

impl Mark {
    pub(super) fn draft(&self) -> Draft {
        let applied = self.phase == Phase::Applied;
        Draft {
            at: self.at,
            principal_id: "pinwatch".to_owned(),
            event_type: if applied { "change_applied" } else { "change_voided" },
            tool_name: None,
            outcome: if applied { Outcome::Allowed } else { Outcome::Error },
            purpose: format!("change {} is {}", spelled(&self.change), self.phase.word()),
            drift_status: DriftStatus::None,
            severity: RecordSeverity::Info,
            quarantine: if applied { Quarantine::Release } else { Quarantine::Hold },
            policy: None,
            admission: None,
            evidence: Ok(to_json(self)),
        }
    }
}

/// The first record of a chain that follows a log of this digest.
pub(super) fn continued(log: Sha256, at: Timestamp) -> Draft {
    Draft {
        at,
        principal_id: "pinwatch".to_owned(),
        event_type: CONTINUED,
        tool_name: None,
        outcome: Outcome::Allowed,
        purpose: "the log before this chain has the digest in evidence_hash".to_owned(),
        drift_status: DriftStatus::None,
        severity: RecordSeverity::Info,
        quarantine: Quarantine::Release,
        policy: None,
        admission: None,
        evidence: Err(log),
    }
}
