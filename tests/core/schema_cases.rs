//! Every pair of `../shared/schema-cases`, by inclusion: none contradicted, the undecided listed.

#![expect(clippy::print_stderr, reason = "a test prints what is undecided")]

use crate::needs::shared;
use pinwatch::schema::{Accepts, Budget, compare};
use serde_json::Value;
use std::fs;
use std::path::Path;

fn read(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Labels that an instance, or a proof a person can check, refutes. The witness wins (issue 3), and the case is listed.
const LABELS_REFUTED: [(&str, &str); 2] = [
    // Labelled "old within new"; `{"x": "a"}` is an object with a free member, and the new `patternProperties` wants an integer.
    ("pattern_properties_fall_back_to_additional_properties", "narrower"),
    // Labelled "new not within old"; the new schema allows one name alone, U+0003, and the old one says nothing about that name.
    ("unsupported_subset_pattern_properties_additional_fallback", "narrower"),
];

#[test]
fn no_label_of_jsoncompat_is_contradicted() {
    let Some(root) = shared("no_label_of_jsoncompat_is_contradicted", "schema-cases") else { return };
    let (mut count, mut undecided, mut wrong) = (0, Vec::new(), Vec::new());
    let mut folders: Vec<_> =
        fs::read_dir(root.join("jsoncompat/tests/fixtures/backcompat")).unwrap().flatten().map(|e| e.path()).collect();
    folders.sort();
    for folder in folders {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let (old, new, label) =
            (read(&folder.join("old.json")), read(&folder.join("new.json")), read(&folder.join("expect.json")));
        let found = compare(&old, &new, &Budget::default());
        count += 1;
        // A serializer's new output must be readable by old readers: new within old. A deserializer: old within new.
        let (new_in_old, old_in_new) = match &found.accepts {
            Accepts::Equal => (true, true),
            Accepts::Wider => (false, true),
            Accepts::Narrower => (true, false),
            Accepts::Incomparable => (false, false),
            Accepts::Undecided { reason } => {
                undecided.push(format!("{name}: {reason}"));
                if found.witnesses.old_only.is_some() && label["deserializer"] == true {
                    wrong.push(format!("{name}: witness {:?}", found.witnesses.old_only));
                }
                if found.witnesses.new_only.is_some() && label["serializer"] == true {
                    wrong.push(format!("{name}: witness {:?}", found.witnesses.new_only));
                }
                continue;
            }
        };
        if LABELS_REFUTED.contains(&(name.as_str(), found.accepts.word())) {
            continue;
        }
        if (Some(new_in_old), Some(old_in_new)) != (label["serializer"].as_bool(), label["deserializer"].as_bool()) {
            wrong.push(format!("{name}: {} {:?}", found.accepts.word(), found.witnesses));
        }
    }
    eprintln!("jsoncompat: {count} pairs, {} undecided {undecided:#?}", undecided.len());
    assert!(count >= 60, "the cases were not found");
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(undecided.len() * 10 <= count, "{undecided:#?}");
}

#[test]
fn every_pair_of_sentry_is_compared() {
    let Some(root) = shared("every_pair_of_sentry_is_compared", "schema-cases") else { return };
    let (mut count, mut undecided) = (0, Vec::new());
    for folder in fs::read_dir(root.join("sentry/tests/fixtures")).unwrap().flatten() {
        for file in fs::read_dir(folder.path()).unwrap().flatten() {
            let pair = read(&file.path());
            let found = compare(&pair["lhs"], &pair["rhs"], &Budget::default());
            count += 1;
            let name = file.path().strip_prefix(&root).unwrap().display().to_string();
            if let Accepts::Undecided { reason } = &found.accepts {
                undecided.push(format!("{name}: {reason}"));
            }
        }
    }
    eprintln!("sentry: {count} pairs, {} undecided {undecided:#?}", undecided.len());
    assert!(count >= 80, "the cases were not found");
    assert!(undecided.len() * 10 <= count, "{undecided:#?}");
}
