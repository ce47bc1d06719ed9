//! A server that is not admitted, and a tool outside of a closed list, against what the project demands. Neither is a change of
//! a definition, and neither is settled by approving one.

use super::admissions::not_admitted;
use super::of_the_server::{id_of_the_server, item_of_the_server};
use super::presence::{bare, whole};
use super::types::Said;
use super::{Change, ChangeKind, Drift, DriftType, Effect, Match, Policy, Relation, Severity, Side};
use crate::canon::Pointer;
use crate::identity::{Attestation, ServerIdentity};
use crate::surface::{ItemId, Reason};
use serde_json::json;
use std::sync::Arc;

/// The stable code of an admission that could not be told.
pub const ADMISSION_NOT_CHECKED: &str = "admission-not-checked";
/// The id of the row that stands for a server's admission. No server has such an item.
pub fn admission_id() -> ItemId {
    id_of_the_server("admission")
}

/// How a server's admission stands: the drift where it is refused, and the reason where that could not be told.
pub(super) fn check_admission(server: &str, now: &ServerIdentity, policy: &Policy) -> (Option<Drift>, Option<Reason>) {
    let required = policy.admissions.required(server);
    let headline = match (&now.attestation, required) {
        (Attestation::Attested { .. }, _) | (Attestation::Unattested | Attestation::NotChecked(_), None) => {
            return (None, None);
        }
        (Attestation::NotChecked(why), Some(level)) => {
            let text = format!("admission not checked: pinwatch.toml requires `{level}`, and {}", why.text);
            return (None, Some(Reason::new(ADMISSION_NOT_CHECKED, text)));
        }
        (Attestation::Unattested, Some(level)) => format!("Not admitted: unattested, and `{level}` is required"),
        (Attestation::Refused { reason, code, .. }, _) => format!("Not admitted: {reason} ({code})"),
    };
    let reason = match &now.attestation {
        Attestation::Refused { why, .. } => format!("{headline}: {why}"),
        _ => headline.clone(),
    };
    let shown = item_of_the_server(admission_id(), &now.to_json()["attestation"]);
    let side = Side { pinned: None, now: Some(Arc::new(shown)) };
    let drift = bare(DriftType::AdmissionRefused, admission_id(), Severity::Critical, Effect::Unknown, side);
    let now = json!(now.attestation.short());
    let mut drift = whole(drift, ChangeKind::FieldChanged, None, Some(now), Said { headline, reason });
    policy.apply(server, &mut drift);
    (Some(drift), None)
}

/// The drift of a served tool that may not be there.
pub(super) fn check_tool(server: &str, entry: &Match, policy: &Policy) -> Option<Drift> {
    let now = entry.now.as_ref().filter(|item| !policy.admissions.admits(server, &item.id))?;
    let reason = not_admitted(&now.id);
    let change = Change {
        path: Pointer::root().child("name"),
        change: ChangeKind::FieldChanged,
        before: None,
        after: Some(json!(now.id.key.as_ref())),
        severity: Severity::Critical,
        headline: "Outside of the server's closed list of tools".to_owned(),
        reason: reason.clone(),
    };
    // Beside the item's own drift: what is served is shown there.
    let side = Side { pinned: None, now: Some(Arc::clone(now)).filter(|_| entry.relation == Relation::Equal) };
    let mut drift = bare(DriftType::ToolNotAdmitted, now.id.clone(), Severity::Critical, Effect::Unknown, side);
    drift.reasons = vec![reason];
    drift.changes = vec![change];
    policy.apply(server, &mut drift);
    Some(drift)
}
