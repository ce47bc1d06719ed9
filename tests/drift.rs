//! What each difference means: the shared mutations of one surface, and small cases written for this.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test stops where it cannot go on")]
#![expect(clippy::print_stderr, reason = "a skip says so by name")]

#[path = "support/surfaces.rs"]
mod surfaces;

use pinwatch::digest::Surface;
use pinwatch::drift::{Drift, Policy, Profile, Severity, compare};
use pinwatch::pin::Baseline;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use surfaces::recorded;

fn surface_of(document: &[u8]) -> Surface {
    surfaces::surface(&surfaces::observation(document))
}

fn drifts(baseline: &Baseline, surface: &Surface, policy: Policy) -> Vec<Drift> {
    compare(baseline, surface, &policy).drifts
}

/// Rows of EXPECTED.json that wait for findings (a text that gives orders, hides characters or names a secret) or for
/// the meaning of text and schemas. They must be seen as drift and never be called less than moderate.
const AWAITING: [&str; 10] = [
    "desc",             // an instruction to the model: a finding
    "desc_tagchars",    // hidden characters: a finding
    "desc_zwsp",        // hidden characters: a finding
    "desc_trailing_ws", // only blanks changed: the meaning of text
    "p_desc",           // names a secret: a finding
    "p_enum",           // names a secret: a finding
    "schema_addl",      // nothing changed for anyone: the meaning of schemas
    "p_add_opt",        // compatible: the meaning of schemas
    "p_add_req",        // breaking: the meaning of schemas
    "p_type",           // breaking: the meaning of schemas
];

#[test]
fn every_mutation_is_what_it_should_be_or_awaits_a_later_rule() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/mutations");
    let Ok(expected) = fs::read_to_string(folder.join("EXPECTED.json")) else {
        eprintln!("SKIPPED every_mutation_is_what_it_should_be_or_awaits_a_later_rule: ../shared is absent");
        return;
    };
    let read = |name: &str| fs::read(folder.join(format!("{name}.json"))).unwrap();
    let expected: Value = serde_json::from_str(&expected).unwrap();
    let baseline = recorded(&surface_of(&read("base")));
    let mut seen = BTreeSet::new();
    for (name, row) in expected["expected"].as_object().unwrap() {
        let found = drifts(&baseline, &surface_of(&read(name)), Policy::default());
        let severity = |member: &str| row[member].as_str().unwrap().parse::<Severity>().unwrap();
        let Some(kind) = row["type"].as_str() else {
            assert!(found.is_empty(), "{name}: {found:#?}");
            continue;
        };
        assert!(found.iter().any(|drift| drift.drift_type.word() == kind), "{name}: {found:#?}");
        let worst = found.iter().map(|drift| drift.severity).max().expect("a drift");
        let effect = found.iter().find(|drift| drift.drift_type.word() == kind).expect("one").effect;
        let in_range = (severity("lowest")..=severity("highest")).contains(&worst);
        let effect_fits = row["effect"].as_str().is_none_or(|expected| expected == effect.word());
        if AWAITING.contains(&name.as_str()) {
            seen.insert(name.as_str());
            assert!(worst >= Severity::Moderate, "{name} is under-reported: {worst}");
            assert!(!(in_range && effect_fits), "{name} is right now: take it off the list");
            continue;
        }
        assert!(in_range && effect_fits, "{name}: {worst}, {effect}\n{found:#?}");
    }
    assert_eq!(seen, BTreeSet::from(AWAITING), "a row that is listed as awaiting is not in EXPECTED.json");
}

#[test]
fn the_capability_identity_profile_is_that_table() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/mutations");
    if !folder.exists() {
        eprintln!("SKIPPED the_capability_identity_profile_is_that_table: ../shared is absent");
        return;
    }
    let read = |name: &str| surface_of(&fs::read(folder.join(format!("{name}.json"))).unwrap());
    let baseline = recorded(&read("base"));
    let worst = |name: &str, profile| {
        let found = drifts(&baseline, &read(name), Policy { profile });
        found.iter().map(|drift| drift.severity).max()
    };
    // interop/FORMATS.md 3.2, first column; "safe" qualifies a change only, so that such a drift is info.
    for (name, table, strict) in [
        ("tool_add", Severity::Critical, Severity::Critical),
        ("tool_rm", Severity::Info, Severity::Info),
        ("desc_benign", Severity::Info, Severity::Moderate),
        ("p_type", Severity::Critical, Severity::Critical),
        ("tool_rename", Severity::Critical, Severity::Critical),
        ("prompt_desc", Severity::Info, Severity::Moderate),
        ("ann_flip", Severity::Info, Severity::Critical),
        ("order_required", Severity::Critical, Severity::Critical),
        ("version", Severity::Info, Severity::Info),
    ] {
        assert_eq!(worst(name, Profile::CapabilityIdentity), Some(table), "{name}");
        assert_eq!(worst(name, Profile::Strict), Some(strict), "{name}");
    }
}
