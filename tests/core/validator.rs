//! The validator and our own evaluation, on cases of our own for each keyword that the comparison relies on, in each draft.
//!
//! Both stand behind one question: "is there an instance that only one of two schemas accepts?" A schema beside the one that
//! accepts the instance alone, or all but it, has that instance as the only answer, and the comparison gives it only where
//! the validator, as the comparison sets it up, and its own evaluation both agree. `tests/data/validator/*.jsonl` has one case a
//! line: the keyword, the drafts it is about, the schema, what is valid and what is not. A line that no answer is given to has
//! the reason as `undecided`, and is not counted among the judged. The keyword table here is on purpose
//! not that of `schema/dialect.rs`: what is relied on is written down twice, and the two must agree.

use pinwatch::schema::{Accepts, Budget, Comparison, compare};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const FILES: [(&str, &str); 4] = [
    ("values", include_str!("../data/validator/values.jsonl")),
    ("arrays", include_str!("../data/validator/arrays.jsonl")),
    ("objects", include_str!("../data/validator/objects.jsonl")),
    ("logic", include_str!("../data/validator/logic.jsonl")),
];

/// The drafts by the word of a case, oldest first.
const DRAFTS: [(&str, &str); 5] = [
    ("04", "http://json-schema.org/draft-04/schema#"),
    ("06", "http://json-schema.org/draft-06/schema#"),
    ("07", "http://json-schema.org/draft-07/schema#"),
    ("19", "https://json-schema.org/draft/2019-09/schema"),
    ("20", "https://json-schema.org/draft/2020-12/schema"),
];

/// What the comparison relies on.
const RELIED_ON: [&str; 43] = [
    "$anchor",
    "$dynamicRef",
    "$id",
    "$recursiveRef",
    "$ref",
    "additionalItems",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "contains",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "if",
    "items",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "oneOf",
    "pattern",
    "patternProperties",
    "prefixItems",
    "properties",
    "propertyNames",
    "required",
    "type",
    "unevaluatedItems",
    "unevaluatedProperties",
    "uniqueItems",
];

struct Case {
    place: String,
    keyword: String,
    drafts: Vec<&'static str>,
    /// Why it is not judged; none where it must be.
    undecided: Option<String>,
    schema: Value,
    valid: Vec<Value>,
    invalid: Vec<Value>,
}

fn cases() -> Vec<Case> {
    let lines = FILES.iter().flat_map(|(file, text)| text.lines().enumerate().map(move |line| (file, line)));
    lines
        .map(|(file, (at, line))| {
            let mut case: Value = serde_json::from_str(line).unwrap();
            let (from, until) = case["in"].as_str().unwrap().split_once('-').unwrap();
            let within = |(word, _): &&(&str, &str)| (from..=until).contains(word);
            let drafts: Vec<_> = DRAFTS.iter().filter(within).map(|(_, address)| *address).collect();
            assert!(!drafts.is_empty(), "{file} {at}");
            let mut list = |member: &str| case[member].as_array_mut().map(std::mem::take).unwrap();
            let (valid, invalid) = (list("valid"), list("invalid"));
            Case {
                place: format!("{file}.jsonl line {}", at + 1),
                keyword: case["keyword"].as_str().unwrap().to_owned(),
                drafts,
                undecided: case["undecided"].as_str().map(str::to_owned),
                schema: case["schema"].take(),
                valid,
                invalid,
            }
        })
        .collect()
}

/// `schema` in a draft.
fn written_in(draft: &str, mut schema: Value) -> Value {
    schema["$schema"] = draft.into();
    schema
}

/// Whether `schema` accepts `instance`, as both judges say; none where they do not agree or did not come to judge.
fn accepted(draft: &str, schema: &Value, instance: &Value) -> (Option<bool>, [Comparison; 2]) {
    let schema = written_in(draft, schema.clone());
    let alone = written_in(draft, json!({"enum": [instance]}));
    let all_but = written_in(draft, json!({"not": {"enum": [instance]}}));
    let refused = compare(&alone, &schema, &Budget::default());
    let taken = compare(&schema, &all_but, &Budget::default());
    let judged = match (&refused.witnesses.old_only, &taken.witnesses.old_only) {
        (Some(_), None) => Some(false),
        (None, Some(_)) => Some(true),
        _ => None,
    };
    (judged, [refused, taken])
}

/// What a comparison says of an instance that it gave no answer to.
fn reason(comparison: &Comparison) -> String {
    match &comparison.accepts {
        Accepts::Undecided { reason } => reason.clone(),
        other => format!("{} {:?}", other.word(), comparison.witnesses),
    }
}

#[test]
fn both_judges_know_every_keyword_in_every_draft() {
    let (mut judged, mut undecided, mut wrong) = (0, 0, Vec::new());
    for case in cases() {
        for draft in &case.drafts {
            let instances = case.valid.iter().map(|one| (one, true)).chain(case.invalid.iter().map(|one| (one, false)));
            for (instance, valid) in instances {
                let (found, comparisons) = accepted(draft, &case.schema, instance);
                let reasons = comparisons.each_ref().map(reason);
                let as_said = match &case.undecided {
                    None => found == Some(valid),
                    Some(why) => found.is_none() && reasons.iter().all(|reason| reason == why),
                };
                *if case.undecided.is_none() { &mut judged } else { &mut undecided } += 1;
                if !as_said {
                    let place = &case.place;
                    wrong.push(format!("{place} {draft}: {instance} valid {valid}, found {found:?}: {reasons:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {judged}:\n{}", wrong.len(), wrong.join("\n"));
    // Each line: its drafts times its instances, added up over the files.
    assert_eq!((judged, undecided), (2_449, 10));
}

#[test]
fn every_keyword_that_is_relied_on_has_cases() {
    let cases = cases();
    let tried: BTreeSet<_> = cases.iter().map(|case| case.keyword.as_str()).collect();
    assert_eq!(tried.into_iter().collect::<Vec<_>>(), RELIED_ON);
    for keyword in RELIED_ON {
        let of_it = || cases.iter().filter(|case| case.keyword == keyword);
        assert!(of_it().any(|case| !case.valid.is_empty()), "{keyword}");
        assert!(keyword == "format" || of_it().any(|case| !case.invalid.is_empty()), "{keyword}");
    }
}
