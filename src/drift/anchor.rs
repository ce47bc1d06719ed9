//! What a baseline is tied to beside the server's id, against what it would be tied to now. What was not checked is no change,
//! and is never taken for none.

use super::of_the_server::{id_of_the_server, item_of_the_server};
use super::presence::bare;
use super::{Change, ChangeKind, Drift, DriftType, Effect, Policy, Severity, Side};
use crate::canon::Pointer;
use crate::digest::Item;
use crate::identity::{Account, Attestation, Principal, ServerIdentity};
use crate::pin::Anchor;
use crate::surface::{ItemId, Reason};
use serde_json::json;
use std::sync::Arc;

/// The stable code of an anchor that nothing was compared with.
pub const ANCHOR_NOT_CHECKED: &str = "anchor-not-checked";

/// The id of the row that stands for the anchor. No server has such an item.
pub fn anchor_id() -> ItemId {
    id_of_the_server("anchor")
}

/// The anchor as an item, so that it is shown and decided like one.
pub fn anchor_item(anchor: &Anchor) -> Item {
    item_of_the_server(anchor_id(), &serde_json::to_value(anchor).unwrap_or_default())
}

/// What one member would be now.
enum Tie {
    Known(Option<String>),
    /// And why.
    NotChecked(String),
}

/// A member of an anchor: its name, and what it is to a person.
#[derive(Clone, Copy)]
struct Member {
    name: &'static str,
    is: &'static str,
}

const CLEARANCE: Member = Member { name: "clearance_id", is: "attestation" };
const SIGNER: Member = Member { name: "signer_key_id", is: "attestation's signing key" };
const SCOPE: Member = Member { name: "auth_scope", is: "account or scopes of the sign-in" };
const PRINCIPAL: Member = Member { name: "server_did", is: "declared principal (DID)" };

/// The members of an anchor with what they would be now.
fn members<'a>(pinned: &'a Anchor, now: &ServerIdentity) -> [(Member, &'a Option<String>, Tie); 4] {
    let attested = |of: &dyn Fn(&String, &String) -> String| match &now.attestation {
        Attestation::NotChecked(reason) => Tie::NotChecked(reason.text.clone()),
        Attestation::Unattested | Attestation::Refused { .. } => Tie::Known(None),
        Attestation::Attested { clearance_id, signer_key_id, .. } => Tie::Known(Some(of(clearance_id, signer_key_id))),
    };
    let principal = match &now.principal {
        Principal::NotVisible(reason) => Tie::NotChecked(reason.text.clone()),
        Principal::UnverifiedOrigin(_) => Tie::Known(None),
        Principal::Declared { did, .. } => Tie::Known(Some(did.clone())),
    };
    let account = match &now.account {
        Account::NotChecked(reason) => Tie::NotChecked(reason.text.clone()),
        Account::None => Tie::Known(None),
        Account::SignedIn(account) => Tie::Known(Some(account.clone())),
    };
    [
        (CLEARANCE, &pinned.clearance_id, attested(&|id, _| id.clone())),
        (SIGNER, &pinned.signer_key_id, attested(&|_, key| key.clone())),
        (SCOPE, &pinned.auth_scope, account),
        (PRINCIPAL, &pinned.server_did, principal),
    ]
}

/// What a baseline would be tied to now; what was not checked stays as it is pinned.
pub fn anchor_now(pinned: &Anchor, now: &ServerIdentity) -> Anchor {
    let [clearance_id, signer_key_id, auth_scope, server_did] =
        members(pinned, now).map(|(_, pinned, tie)| match tie {
            Tie::Known(now) => now,
            Tie::NotChecked(_) => pinned.clone(),
        });
    Anchor { clearance_id, signer_key_id, auth_scope, server_did }
}

/// How a baseline's anchor stands: the drift where it is another one, and the reason where some of it could not be checked. A
/// baseline that is tied to nothing has neither.
pub(super) fn check_anchor(
    server: &str,
    pinned: &Anchor,
    now: &ServerIdentity,
    policy: &Policy,
) -> (Option<Drift>, Option<Reason>) {
    let members = members(pinned, now);
    let untold = |(member, pinned, tie): &(Member, &Option<String>, Tie)| match (pinned, tie) {
        (Some(_), Tie::NotChecked(why)) => Some(format!("{} ({why})", member.name)),
        _ => None,
    };
    let untold: Vec<_> = members.iter().filter_map(untold).collect();
    let text = format!("anchor not checked: the baseline is tied to {}", untold.join(", "));
    let unchecked = (!untold.is_empty()).then(|| Reason::new(ANCHOR_NOT_CHECKED, text));
    let changes: Vec<Change> = members
        .into_iter()
        .filter_map(|(member, before, tie)| match tie {
            Tie::Known(after) if after != *before => Some(change(member, before.as_deref(), after.as_deref(), now)),
            _ => None,
        })
        .collect();
    let Some(severity) = changes.iter().map(|change| change.severity).max() else { return (None, unchecked) };
    let side = Side {
        pinned: Some(Arc::new(anchor_item(pinned))),
        now: Some(Arc::new(anchor_item(&anchor_now(pinned, now)))),
    };
    let mut drift = bare(DriftType::AnchorChanged, anchor_id(), severity, Effect::Unknown, side);
    drift.reasons = changes.iter().map(|change| change.reason.clone()).collect();
    drift.changes = changes;
    policy.apply(server, &mut drift);
    (Some(drift), unchecked)
}

fn change(member: Member, before: Option<&str>, after: Option<&str>, now: &ServerIdentity) -> Change {
    let is = member.is;
    // A baseline that is not tied to it was approved for whatever server there was: nothing of that is broken.
    let severity = if before.is_some() { Severity::Critical } else { Severity::Info };
    let is_attested = [CLEARANCE.name, SIGNER.name].contains(&member.name);
    let (headline, why) = match (before, after) {
        (Some(before), Some(after)) => (format!("Another {is}"), format!("it was `{before}`, and is `{after}` now")),
        (None, Some(after)) => {
            let why = format!("it is `{after}`; approve this to tie the baseline to it");
            (format!("The baseline is not tied to the {is} yet"), why)
        }
        (Some(before), None) => {
            let now = match member.name {
                _ if is_attested => format!("the server is {}", now.attestation.sentence()),
                name if name == SCOPE.name => "nobody is signed in now".to_owned(),
                _ => format!("the server is {}", now.principal.sentence()),
            };
            (format!("The {is} is gone"), format!("it was `{before}`, and {now}"))
        }
        (None, None) => (String::new(), String::new()),
    };
    let moral = if before.is_some() { ". What was approved was approved for that one" } else { "" };
    Change {
        path: Pointer::root().child(member.name),
        change: ChangeKind::FieldChanged,
        before: before.map(|text| json!(text)),
        after: after.map(|text| json!(text)),
        severity,
        reason: format!("{headline}: {why}{moral}"),
        headline,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attested(clearance_id: &str, signer_key_id: &str) -> ServerIdentity {
        let (clearance_id, signer_key_id) = (clearance_id.to_owned(), signer_key_id.to_owned());
        let attestation = Attestation::Attested { level: "internal".to_owned(), clearance_id, signer_key_id };
        ServerIdentity { attestation, principal: Principal::UnverifiedOrigin(None), account: Account::None }
    }

    fn declared(did: &str) -> ServerIdentity {
        let principal = Principal::Declared { did: did.to_owned(), has_badge: false };
        ServerIdentity { attestation: Attestation::Unattested, principal, account: Account::None }
    }

    /// Severity, the members that changed, and whether something was not checked.
    fn told(pinned: &Anchor, now: &ServerIdentity, policy: &Policy) -> (Option<(Severity, String)>, bool) {
        let (drift, unchecked) = check_anchor("s", pinned, now, policy);
        let paths = |drift: &Drift| drift.changes.iter().map(|one| one.path.as_str().to_owned()).collect::<Vec<_>>();
        (drift.map(|drift| (drift.severity, paths(&drift).join(" "))), unchecked.is_some())
    }

    #[test]
    fn an_anchor_is_held_moved_or_not_checked() {
        let none = Anchor::default();
        let pinned = anchor_now(&none, &attested("urn:a", "k1"));
        let did = anchor_now(&none, &declared("did:web:a"));
        let unseen = ServerIdentity::default();
        let nobody = ServerIdentity { account: Account::None, ..attested("", "") };
        let nobody = ServerIdentity { attestation: Attestation::Unattested, ..nobody };
        let signed_in =
            |account: &str| ServerIdentity { account: Account::SignedIn(account.to_owned()), ..nobody.clone() };
        let account = anchor_now(&none, &signed_in("account ana"));
        let refused = ServerIdentity {
            attestation: Attestation::Refused { reason: "bad_signature", code: 6, why: String::new() },
            ..declared("did:web:a")
        };
        let critical = |paths: &str| Some((Severity::Critical, paths.to_owned()));
        let info = |paths: &str| Some((Severity::Info, paths.to_owned()));
        for policy in crate::drift::Profile::ALL.map(Policy::from) {
            for (pinned, now, expected) in [
                (&none, &unseen, (None, false)),
                (&none, &attested("urn:a", "k1"), (info("/clearance_id /signer_key_id"), false)),
                (&pinned, &attested("urn:a", "k1"), (None, false)),
                (&pinned, &attested("urn:a", "k2"), (critical("/signer_key_id"), false)),
                (&pinned, &attested("urn:b", "k1"), (critical("/clearance_id"), false)),
                (&pinned, &unseen, (None, true)),
                (&pinned, &refused, (critical("/clearance_id /signer_key_id /server_did"), false)),
                (&did, &declared("did:web:a"), (None, false)),
                (&did, &declared("did:web:b"), (critical("/server_did"), false)),
                (&did, &attested("urn:a", "k1"), (critical("/server_did /clearance_id /signer_key_id"), false)),
                (&did, &unseen, (None, true)),
                (&none, &signed_in("account ana"), (info("/auth_scope"), false)),
                (&account, &signed_in("account ana"), (None, false)),
                (&account, &signed_in("account eve"), (critical("/auth_scope"), false)),
                (&account, &nobody, (critical("/auth_scope"), false)),
                (&account, &unseen, (None, true)),
            ] {
                assert_eq!(told(pinned, now, &policy), expected, "{pinned:?} {now:?} {policy:?}");
            }
        }
    }

    #[test]
    fn what_is_not_checked_says_which_and_why() {
        let pinned =
            Anchor { auth_scope: Some("a".to_owned()), ..anchor_now(&Anchor::default(), &declared("did:web:a")) };
        let reason = check_anchor("s", &pinned, &ServerIdentity::default(), &Policy::default()).1;
        let text = "anchor not checked: the baseline is tied to auth_scope (the server was not looked at), \
                    server_did (the server was not looked at)";
        assert_eq!(reason, Some(Reason::new(ANCHOR_NOT_CHECKED, text)));
    }
}
