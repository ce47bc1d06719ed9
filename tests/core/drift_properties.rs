//! What holds for every surface: a comparison sees each difference, and nothing where there is none.

use crate::surfaces::{decision, observation, recorded, surface};
use pinwatch::drift::{Comparison, Drift, Policy, Relation, Severity, compare};
use pinwatch::pin::{Baseline, DecisionState};
use pinwatch::review::{ApprovalState, Subject, approve, reject, review, undo};
use pinwatch::surface::{ItemId, Kind};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// JSON of the shapes and words that definitions have, so that the rules are reached.
fn value() -> impl Strategy<Value = Value> {
    let words = prop::sample::select(vec![
        "a",
        "b",
        "exec",
        "https://a.example/x",
        "javascript:1",
        "\u{200B}",
        "forbidden",
        "required",
        "http://json-schema.org/draft-07/schema#",
        "",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        (-3..3i64).prop_map(Value::from),
        words.prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::vec((member(), inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn member() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "name",
        "title",
        "description",
        "inputSchema",
        "outputSchema",
        "annotations",
        "properties",
        "required",
        "enum",
        "type",
        "anyOf",
        "items",
        "default",
        "$schema",
        "execution",
        "taskSupport",
        "icons",
        "src",
        "readOnlyHint",
        "arguments",
        "x-assay-sig",
        "a/b~c",
        "exec",
    ])
    .prop_map(str::to_owned)
}

fn item(key: &'static str) -> impl Strategy<Value = Value> {
    let name = prop::sample::select(vec!["a", "b", "c", "run_d", "exec", "get_shell"]);
    (name, prop::collection::vec((member(), value()), 0..5)).prop_map(move |(name, members)| {
        let mut item: Map<String, Value> = members.into_iter().collect();
        item.insert(key.to_owned(), name.into());
        Value::Object(item)
    })
}

fn document() -> impl Strategy<Value = Value> {
    let list = |key| prop::collection::vec(item(key), 0..4);
    (list("name"), list("name"), list("uri"), list("uriTemplate"), value(), value()).prop_map(
        |(tools, prompts, resources, templates, capabilities, instructions)| {
            json!({
                "initialize": {"capabilities": capabilities, "instructions": instructions},
                "tools": tools, "prompts": prompts, "resources": resources, "resourceTemplates": templates,
            })
        },
    )
}

/// Revisions of the protocol.
fn version() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["2025-06-18", "2025-11-25"])
}

/// The same value with every object's members written in the reverse order.
fn reversed(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let members = map.iter().rev().map(|(key, value)| format!("{}: {}", json!(key), reversed(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
        Value::Array(list) => format!("[{}]", list.iter().map(reversed).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

fn read(document: &str) -> pinwatch::digest::Surface {
    surface(&observation(document.as_bytes()))
}

fn compared(baseline: &Baseline, document: &str) -> Comparison {
    compare(baseline, &read(document), &Policy::default())
}

/// What a comparison says; the received bytes aside, which keep their spelling.
fn said(comparison: &Comparison) -> String {
    let drifts = comparison.drifts.iter();
    let lines = drifts.map(|drift| {
        let (what, how) = ((drift.drift_type, &drift.id), (drift.severity, drift.effect, &drift.changes));
        format!("{what:?} {how:?} {:?} {:?}", drift.reasons, drift.capability_identity)
    });
    lines.collect::<Vec<_>>().join("\n")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_same_surface_is_no_drift_in_any_spelling(document in document()) {
        let baseline = recorded(&read(&document.to_string()));
        prop_assert_eq!(&compared(&baseline, &document.to_string()).drifts, &[]);
        prop_assert_eq!(&compared(&baseline, &reversed(&document)).drifts, &[]);
        let mut backwards = document;
        for list in ["tools", "prompts", "resources", "resourceTemplates"] {
            if let Some(list) = backwards.get_mut(list).and_then(Value::as_array_mut) {
                list.reverse();
            }
        }
        prop_assert_eq!(&compared(&baseline, &backwards.to_string()).drifts, &[]);
    }

    #[test]
    fn every_difference_is_a_drift_with_its_changes(before in document(), after in document()) {
        let baseline = recorded(&read(&before.to_string()));
        let found = compared(&baseline, &after.to_string());
        prop_assert_eq!(said(&found), said(&compared(&baseline, &reversed(&after))));
        for entry in &found.matches {
            let drift = entry.drift.map(|index| &found.drifts[index]);
            prop_assert_eq!(drift.is_some(), entry.relation != Relation::Equal, "{:?}", entry);
            let Some(drift) = drift else { continue };
            prop_assert!(!drift.changes.is_empty() && !drift.reasons.is_empty(), "{:?}", drift);
            let worst = drift.changes.iter().map(|change| change.severity).max();
            prop_assert_eq!(worst, Some(drift.severity));
            for change in &drift.changes {
                prop_assert!(!change.reason.is_empty());
                prop_assert!(change.before != change.after || change.before.is_none() || change.after.is_none());
            }
        }
    }

    #[test]
    fn every_drift_is_of_an_item_that_has_a_row(before in document(), after in document(), was in version(), is in version()) {
        let told = |mut document: Value, version: &str| {
            document["initialize"]["protocolVersion"] = version.into();
            read(&document.to_string())
        };
        let baseline = recorded(&told(before, was));
        let found = review("s".into(), Some(&baseline), &told(after, is), &Policy::default());
        let with_row: BTreeSet<_> = found.rows.iter().map(|row| &row.id.item).collect();
        for drift in &found.drifts {
            prop_assert!(with_row.contains(&drift.id), "{:?}", drift.id);
        }
        prop_assert!(found.rows.iter().all(|row| row.now.is_some() || row.pin.is_some()));
        prop_assert_eq!(found.drifts.iter().any(|drift| &*drift.id.key == "protocol"), was != is);
    }

    #[test]
    fn approve_all_clears_and_reject_all_keeps_pins(
        before in document(),
        after in document(),
    ) {
        let baseline = recorded(&read(&before.to_string()));
        let now = read(&after.to_string());
        let policy = Policy::default();
        let shown = review("s".into(), Some(&baseline), &now, &policy);
        let subjects = |states: &[ApprovalState]| {
            let rows = shown.rows.iter().filter(|row| states.contains(&row.state));
            rows.filter_map(|row| Some(Subject::of(row, row.decides_on()?))).collect::<Vec<_>>()
        };
        let open = [ApprovalState::Drifted, ApprovalState::New, ApprovalState::Gone];
        let decided = decision(DecisionState::Approved);
        let approved = approve(Some(&baseline), &baseline, &now.items, &subjects(&open), &decided);
        let approved = approved.map_err(|refusal| TestCaseError::fail(refusal.to_string()))?;
        let again = review("s".into(), Some(&approved), &now, &policy);
        prop_assert_eq!(&again.drifts, &[]);
        prop_assert_eq!(again.counts.approved, again.rows.len());
        let served = subjects(&[ApprovalState::Drifted, ApprovalState::New]);
        let rejected = reject(Some(&baseline), &baseline, &served, &decision(DecisionState::Rejected));
        let rejected = rejected.map_err(|refusal| TestCaseError::fail(refusal.to_string()))?;
        prop_assert_eq!(&rejected.pins, &baseline.pins);
        let again = review("s".into(), Some(&rejected), &now, &policy);
        prop_assert_eq!(again.counts.rejected, served.len());
        // What is decided is in no group any more; all else is as it was.
        let alone = |drifts: &[Drift]| -> Vec<Drift> {
            drifts.iter().map(|drift| Drift { group: None, ..drift.clone() }).collect()
        };
        prop_assert_eq!(alone(&again.drifts), alone(&shown.drifts));
    }

    #[test]
    fn no_decision_moves_the_severity_of_another_row(before in document(), after in document(), at in any::<prop::sample::Index>()) {
        let baseline = recorded(&read(&before.to_string()));
        let now = read(&after.to_string());
        let severities = |baseline: &Baseline| -> BTreeMap<ItemId, Severity> {
            let drifts = compare(baseline, &now, &Policy::default()).drifts.into_iter();
            drifts.filter(|drift| drift.id.kind == Kind::Tool).map(|drift| (drift.id, drift.severity)).collect()
        };
        let shown = review("s".into(), Some(&baseline), &now, &Policy::default());
        let open: Vec<_> = shown.rows.iter().filter(|row| row.id.copy == 0 && row.drift.is_some()).collect();
        prop_assume!(!open.is_empty());
        let row = at.get(&open);
        let subject = Subject::of(row, row.decides_on().expect("a digest"));
        let decided = decision(DecisionState::Approved);
        let approved = approve(Some(&baseline), &baseline, &now.items, &[subject], &decided);
        let approved = approved.map_err(|refusal| TestCaseError::fail(refusal.to_string()))?;
        let undone = undo(&approved, &baseline, &approved, &now.items);
        prop_assert_eq!(undone.as_ref(), Ok(&baseline));
        let (before, after) = (severities(&baseline), severities(&approved));
        for (id, severity) in after.iter().filter(|(id, _)| **id != row.id.item) {
            prop_assert_eq!(before.get(id), Some(severity), "{} by {}", id.key, row.id.item.key);
        }
    }

    #[test]
    fn a_partial_list_proves_no_absence(before in document(), after in document()) {
        let baseline = recorded(&read(&before.to_string()));
        let mut observation = observation(after.to_string().as_bytes());
        for kind in Kind::ALL {
            let reason = pinwatch::surface::Reason::new("test", "a page is missing");
            observation.completeness.insert(kind, pinwatch::surface::Completeness::Partial(reason));
        }
        let found = compare(&baseline, &surface(&observation), &Policy::default());
        let concluded = |relation| matches!(relation, Relation::Gone | Relation::Renamed);
        prop_assert!(!found.matches.iter().any(|entry| concluded(entry.relation)));
    }
}
