//! A server that sends a passed secret back: nothing of it is left in a drift that is shown, wherever the drift quotes it.

use pinwatch::decisions::{mask_drift, mask_review};
use pinwatch::drift::{Drift, DriftType, Policy, compare};
use pinwatch::review::review;
use pinwatch::store::redact::{Redactor, Secrets};
use serde_json::{Value, json};
use std::sync::Arc;

/// With both characters that a JSON Pointer writes in another way.
const SECRET: &str = "k9/Zq8~wLmT4xVb2sRc1";

fn redactor() -> Redactor {
    let mut secrets = Secrets::default();
    secrets.variable("API_TOKEN", SECRET);
    Redactor::new(&secrets)
}

/// The drift between two tools `t` with these members.
fn drift(before: &Value, after: &Value) -> Drift {
    let surface = |members: &Value| {
        let mut tool = members.clone();
        tool["name"] = "t".into();
        crate::surfaces::surface(&crate::surfaces::observation(json!({"tools": [tool]}).to_string().as_bytes()))
    };
    let baseline = crate::surfaces::recorded(&surface(before));
    let mut found = compare(&baseline, &surface(after), &Policy::default()).drifts;
    found.retain(|drift| drift.drift_type == DriftType::ToolChanged);
    assert_eq!(found.len(), 1, "{found:#?}");
    found.remove(0)
}

/// Every text of a drift as it may come to be shown, with where it stands.
fn texts(drift: &Drift) -> Vec<(&'static str, String)> {
    let mut texts = Vec::new();
    for verdict in drift.verdicts() {
        texts.push(("words", verdict.words.clone()));
        texts.push(("undecided", verdict.undecided.clone()));
        texts.extend(verdict.declares_added.iter().map(|name| ("declares +", name.clone())));
        texts.extend(verdict.declares_removed.iter().map(|name| ("declares -", name.clone())));
        texts.extend(verdict.heads().into_iter().chain(verdict.shown_by()));
        for change in &verdict.keywords {
            texts.push(("keyword path", change.path.as_str().to_owned()));
            texts.push(("sentence", change.sentence.clone()));
        }
    }
    for change in &drift.changes {
        texts.push(("change path", change.path.as_str().to_owned()));
        texts.push(("reason of a change", change.reason.clone()));
        let sides = [&change.before, &change.after];
        texts.extend(sides.into_iter().flatten().map(|value| ("value", value.to_string())));
    }
    for finding in &drift.findings {
        texts.push(("finding path", finding.path.as_str().to_owned()));
        texts.push(("finding", finding.text.clone()));
    }
    texts.extend(drift.reasons.iter().map(|reason| ("reason", reason.clone())));
    texts.push(("all", format!("{drift:?}")));
    texts
}

/// Whether a text holds the secret, or the start of it, in one of the spellings.
fn holds(text: &str) -> bool {
    text.contains(&SECRET[..8]) || text.contains("k9~1Zq8~0w")
}

/// Where the secret stands before it is masked, and that it stands nowhere after.
fn held_before_masking(mut drift: Drift) -> Vec<&'static str> {
    let mut before: Vec<_> =
        texts(&drift).into_iter().filter(|(_, text)| holds(text)).map(|(place, _)| place).collect();
    mask_drift(&mut drift, &redactor());
    for (place, text) in texts(&drift) {
        assert!(!holds(&text), "{place}: {text}");
    }
    before.sort_unstable();
    before.dedup();
    before
}

/// That a case has the secret where it is to be masked: a case without it shows nothing.
fn check(drift: Drift, places: &[&str]) {
    let before = held_before_masking(drift);
    for place in places {
        assert!(before.contains(place), "{place} never held it: {before:?}");
    }
}

#[test]
fn a_declared_name_that_is_a_secret_is_masked() {
    let with = |properties: Value| json!({"inputSchema": {"type": "object", "properties": properties}});
    let inner = json!({SECRET: {"type": "string", "default": SECRET}});
    let (flat, nested) = (with(inner.clone()), with(json!({"options": {"type": "object", "properties": inner}})));
    let named = ["declares +", "declares -", "keyword path", "sentence", "change path", "reason of a change", "all"];
    check(drift(&flat, &nested), &named);
    let mut needed = flat.clone();
    needed["inputSchema"]["required"] = json!([SECRET]);
    // Its reason tells who must be given now.
    check(drift(&flat, &needed), &["sentence", "reason of a change", "value"]);
    let mut other = flat.clone();
    other["inputSchema"]["properties"][SECRET]["type"] = json!("integer");
    check(drift(&flat, &other), &["accepted only before", "accepted only now", "keyword path"]);
}

#[test]
fn what_is_not_decided_is_masked() {
    let with = |dialect: &str, kind: &str| json!({"inputSchema": {"$schema": dialect, "type": "object", "minProperties": kind.len()}});
    let dialect = format!("https://a.example/{SECRET}/schema");
    check(drift(&with(&dialect, "a"), &with(&dialect, "ab")), &["undecided", "words", "accepts"]);
}

#[test]
fn a_secret_is_masked_where_a_sentence_cuts_it() {
    // 80 characters are quoted: the cut falls inside the secret.
    let name = format!("{} {SECRET}", "n".repeat(67));
    let with = |limit: u8| json!({"inputSchema": {"type": "object", "properties": {&name: {"maxLength": limit}}}});
    let found = drift(&with(3), &with(5));
    let verdict = found.verdicts().next().expect("a verdict");
    let sentence = &verdict.keywords[0].sentence;
    assert!(sentence.contains("k9/Zq8~wLmT4…") && !sentence.contains(SECRET), "{sentence}");
    check(found, &["sentence", "reason of a change"]);
}

#[test]
fn the_causes_of_a_group_are_masked() {
    let surface = |properties: &Value| {
        let tool = |name: &str| json!({"name": name, "inputSchema": {"type": "object", "properties": properties}});
        let tools = ["a", "b", "c"].map(tool);
        let document = json!({"tools": tools}).to_string();
        crate::surfaces::surface(&crate::surfaces::observation(document.as_bytes()))
    };
    let baseline = crate::surfaces::recorded(&surface(&json!({})));
    let now = surface(&json!({SECRET: {"type": "string"}}));
    let found = Arc::new(review("s".into(), Some(&baseline), &now, &Policy::default()));
    let causes = |review: &pinwatch::review::Review| {
        review.groups.iter().flat_map(|group| group.causes.clone()).collect::<Vec<_>>().join("\n")
    };
    assert!(holds(&causes(&found)), "the shared change quotes it: {:#?}", found.groups);
    let shown = mask_review(&found, &redactor());
    assert_eq!(shown.groups.len(), 1);
    assert!(!holds(&causes(&shown)) && causes(&shown).contains("<redacted"), "{}", causes(&shown));
}
