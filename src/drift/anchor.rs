//! What a baseline is tied to beside the server's id, against what it would be tied to now. Nothing in MCP shows an anchor:
//! whoever can observe one hands it in, and without that the pins are not known to hold.

use super::presence::bare;
use super::{Change, ChangeKind, Drift, DriftType, Effect, Policy, Severity, Side};
use crate::canon::Pointer;
use crate::pin::Anchor;
use crate::surface::{ItemId, Kind, Reason};
use serde_json::json;

/// The stable code of an anchor that nothing was compared with.
pub const ANCHOR_NOT_CHECKED: &str = "anchor-not-checked";

/// The members of an anchor by their names.
fn members(anchor: &Anchor) -> [(&'static str, Option<&String>); 3] {
    [
        ("clearance_id", anchor.clearance_id.as_ref()),
        ("signer_key_id", anchor.signer_key_id.as_ref()),
        ("auth_scope", anchor.auth_scope.as_ref()),
    ]
}

/// How a baseline's anchor stands: the drift where `now` is another one, and the reason where there is no `now` to compare
/// it with. A baseline that is tied to nothing has neither.
pub(super) fn check_anchor(
    server: &str,
    pinned: &Anchor,
    now: Option<&Anchor>,
    policy: &Policy,
) -> (Option<Drift>, Option<Reason>) {
    match now {
        Some(now) => (moved(server, pinned, now, policy), None),
        None => (None, unchecked(pinned)),
    }
}

fn unchecked(pinned: &Anchor) -> Option<Reason> {
    let tied: Vec<_> = members(pinned).into_iter().filter_map(|(name, value)| value.map(|_| name)).collect();
    let text = format!("anchor not checked: the baseline is tied to {}, which nothing here observes", tied.join(", "));
    (!tied.is_empty()).then(|| Reason::new(ANCHOR_NOT_CHECKED, text))
}

fn moved(server: &str, pinned: &Anchor, now: &Anchor, policy: &Policy) -> Option<Drift> {
    let changes: Vec<_> = members(pinned)
        .into_iter()
        .zip(members(now))
        .filter(|((_, before), (_, after))| before != after)
        .map(|((member, before), (_, after))| Change {
            path: Pointer::root().child(member),
            change: ChangeKind::FieldChanged,
            before: before.map(|text| json!(text)),
            after: after.map(|text| json!(text)),
            severity: Severity::Critical,
            headline: format!("The baseline is tied to another `{member}`"),
            reason: format!("The baseline is tied to another `{member}`. What was approved was approved for that one"),
        })
        .collect();
    if changes.is_empty() {
        return None;
    }
    let id = ItemId::new(Kind::ServerInfo, "anchor");
    let mut drift = bare(DriftType::AnchorChanged, id, Severity::Critical, Effect::Unknown, Side::default());
    drift.reasons = changes.iter().map(|change| change.reason.clone()).collect();
    drift.changes = changes;
    policy.apply(server, &mut drift);
    Some(drift)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(scope: Option<&str>) -> Anchor {
        Anchor { auth_scope: scope.map(str::to_owned), ..Anchor::default() }
    }

    #[test]
    fn an_anchor_is_held_moved_or_not_checked() {
        let policy = Policy::default();
        let check = |pinned: &Anchor, now: Option<&Anchor>| check_anchor("s", pinned, now, &policy);
        assert_eq!(check(&scope(None), None), (None, None));
        assert_eq!(check(&scope(Some("a")), Some(&scope(Some("a")))), (None, None));
        let unchecked = check(&scope(Some("a")), None).1.map(|reason| (reason.code, reason.text));
        let text = "anchor not checked: the baseline is tied to auth_scope, which nothing here observes".to_owned();
        assert_eq!(unchecked, Some((ANCHOR_NOT_CHECKED, text)));
        for now in [scope(None), scope(Some("b"))] {
            let moved = check(&scope(Some("a")), Some(&now)).0.map(|drift| {
                let paths: Vec<_> = drift.changes.iter().map(|change| change.path.as_str().to_owned()).collect();
                (drift.drift_type, drift.severity, paths)
            });
            assert_eq!(moved, Some((DriftType::AnchorChanged, Severity::Critical, vec!["/auth_scope".to_owned()])));
        }
    }
}
