//! Assay's formats, equal to the byte: what its own code printed, its fixtures, and what its readers refuse.

use crate::data;
use pinwatch::canon::{Definition, read};
use pinwatch::digest::{DigestScope, Item, ManifestDigests, Sha256, manifest_digest};
use pinwatch::interop::assay::{
    Declared, Extent, Observed, candidate, compare, declared, not_observed, observed, pins, read_pins, verdict,
};
use pinwatch::surface::Kind;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::fs;

fn bytes(name: &str) -> Vec<u8> {
    fs::read(data("vectors/assay").join(name)).expect("a file of vectors")
}

fn text(name: &str) -> String {
    String::from_utf8(bytes(name)).expect("text")
}

fn vector(name: &str) -> Value {
    read(&bytes(name), 200).expect("JSON").value
}

fn tools() -> Vec<Value> {
    vector("manifest_workflow/tools_list.tools.json").as_array().unwrap().clone()
}

fn hex(text: &Value) -> Sha256 {
    Sha256::from_hex(text.as_str().unwrap().strip_prefix("sha256:").unwrap()).unwrap()
}

#[test]
fn manifest_digests_of_all_47_tools_that_are_objects() {
    let derived = vector("p60_tool_manifest.DERIVED.json");
    let inputs = text("tool_definition_inputs.jsonl");
    let inputs: Vec<Value> = inputs.lines().map(|line| read(line.as_bytes(), 200).unwrap().value).collect();
    let cases = derived["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 47);
    for case in cases {
        let id = &case["id"];
        let input = inputs.iter().find(|input| input["id"] == *id).unwrap();
        let digests = ManifestDigests::of(&input["tool"]);
        assert_eq!(digests.tool, hex(&case["tool_digest"]), "{id}");
        for (field, digest) in digests.fields() {
            assert_eq!(digest, hex(&case["field_digests"][field.word()]), "{id} {}", field.word());
        }
    }
    for (field, digest) in ManifestDigests::of(&json!({})).fields() {
        assert_eq!(digest, hex(&derived["null_field_digests"][field.word()]), "{}", field.word());
    }
    assert_eq!(manifest_digest([]), hex(&derived["empty_manifest_digest"]));
}

#[test]
fn the_projects_own_example_recomputes() {
    let example = vector("repo-fixtures/canonicalization_example.json");
    let one = ManifestDigests::of(&example["per_tool"]["projection"]);
    assert_eq!(one.tool, hex(&example["per_tool"]["expected_tool_digest"]));
    for (field, digest) in one.fields() {
        assert_eq!(digest, hex(&example["per_tool"]["expected_field_digests"][field.word()]));
    }
    let tools: Vec<_> = example["manifest"]["tools"].as_array().unwrap().iter().map(ManifestDigests::of).collect();
    let whole = manifest_digest(tools.iter().map(|tool| (tool.name.as_str(), tool.tool)));
    assert_eq!(whole, hex(&example["manifest"]["expected_manifest_digest"]));
}

#[test]
fn the_manifest_workflow_is_equal_to_the_byte() {
    assert_eq!(observed("demo-server", &tools(), Extent::Complete), text("manifest_workflow/observed.json"));
    assert_eq!(observed("demo-server", &tools(), Extent::Partial), text("manifest_workflow/observed_partial.json"));
    assert_eq!(not_observed("demo-server"), text("manifest_workflow/not_observed.json"));
    assert_eq!(candidate(&bytes("manifest_workflow/observed.json")).unwrap(), text("manifest_workflow/candidate.json"));
    assert_eq!(declared("demo-server", &tools()).unwrap(), text("manifest_workflow/declared.json"));
}

#[test]
fn what_was_written_reads_back_as_the_look_itself() {
    let read = Observed::read(&bytes("manifest_workflow/observed.json")).unwrap();
    assert_eq!(read, Observed::of("demo-server", &tools(), Some(Extent::Complete)));
    let nothing = Observed::read(&bytes("manifest_workflow/not_observed.json")).unwrap();
    assert_eq!(nothing, Observed::of("demo-server", &[], None));
    let declared = Declared::read(&bytes("manifest_workflow/declared.json")).unwrap();
    assert_eq!(declared.recomputed(), declared.manifest_digest);
}

#[test]
fn no_candidate_is_made_of_half_a_look() {
    let refused = |bytes: &[u8]| candidate(bytes).unwrap_err().to_string();
    assert_eq!(
        refused(&bytes("manifest_workflow/observed_partial.json")),
        "its list is partial: a candidate is made of a complete one"
    );
    assert_eq!(
        refused(&bytes("manifest_workflow/not_observed.json")),
        "its status is `not_observed`: a candidate is made of an observed list"
    );
    let twice = observed("s", &[json!({"name": "a"}), json!({"name": "a", "title": "b"})], Extent::Complete);
    assert_eq!(refused(twice.as_bytes()), "its status is `ambiguous`: a candidate is made of an observed list");
    let moved = text("manifest_workflow/observed.json").replacen("e7e4d7dd", "e7e4d7de", 1);
    assert!(refused(moved.as_bytes()).starts_with("its `manifest_digest` does not recompute"), "{moved}");
    let none = observed("s", &[], Extent::Complete);
    assert_eq!(refused(none.as_bytes()), "there is no tool in it; Assay takes no empty manifest");
}

#[test]
fn a_declared_manifest_is_closed_and_of_one_reading() {
    let whole = text("manifest_workflow/declared.json");
    let refused = |from: &str, to: &str| {
        let changed = whole.replacen(from, to, 1);
        assert_ne!(changed, whole, "{from}");
        Declared::read(changed.as_bytes()).unwrap_err().to_string()
    };
    let schema = "`schema` is \"assay.declared_mcp_manifest.v1\", not \"assay.declared_mcp_manifest.v0\"";
    for (from, to, place, why) in [
        ("\"note\": null", "\"note\": null, \"more\": 1", "`more`: ", "unknown field `more`"),
        ("\"privileged\": true", "\"privileged\": true, \"x\": 1", "`tools[", "].x`: unknown field `x`"),
        ("\"note\": null", "\"note\": null, \"note\": null", "it cannot be read: ", "a member occurs twice"),
        ("declared_mcp_manifest.v0", "declared_mcp_manifest.v1", schema, ""),
        ("\"read_file\"", "\"  \"", "`tools[", "].name`: a tool has a blank name"),
        (
            "\"sha256:e7e4",
            "\"sha256:E7E4",
            "`tools[",
            "is not a digest; expected `sha256:` and 64 lowercase hex digits",
        ),
    ] {
        let said = refused(from, to);
        assert!(said.starts_with(place) && said.contains(why), "{said}");
    }
    let long = format!("{}{}", whole, " ".repeat(1 << 20));
    assert_eq!(Declared::read(long.as_bytes()).unwrap_err().to_string(), "it has more than 1 MiB");
}

/// A file of a fixture: it has more members than a document may.
fn fixture(value: &Value) -> (Observed, Result<Declared, String>) {
    let seen = Observed::read(value["observed"].to_string().as_bytes()).unwrap();
    (seen, Declared::read(value["declared"].to_string().as_bytes()).map_err(|error| error.to_string()))
}

#[test]
fn all_17_comparisons_with_their_reason_codes() {
    let corpus = vector("repo-fixtures/granular_diff_cases.json");
    let cases = corpus["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 17);
    for case in cases {
        let (seen, declared) = fixture(case);
        let compared = compare(&seen, &declared.unwrap());
        let found: Vec<_> =
            compared.findings.iter().map(|said| json!({"name": said.name, "reason_code": said.reason_code})).collect();
        assert_eq!(json!(found), case["expected"]["findings"], "{}", case["id"]);
        assert_eq!(json!(compared.inconclusive), case["expected"]["inconclusive"], "{}", case["id"]);
    }
}

#[test]
fn all_13_verdicts_of_a_whole_manifest() {
    let corpus = vector("repo-fixtures/verdict_corpus.json");
    let cases = corpus["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 13);
    for case in cases {
        let look = &case["observed"];
        let seen = look["tools_list_complete"].as_str().unwrap().parse::<Extent>();
        let seen = seen.ok().filter(|_| look["tools_list_observed"] == true);
        let seen = Observed::of("s", look["tools"].as_array().unwrap(), seen);
        let found = verdict(hex(&case["baseline_manifest_digest"]), &seen);
        assert_eq!(found.word(), case["expected_verdict"], "{}", case["id"]);
    }
}

#[test]
fn a_change_is_said_by_its_fields() {
    let base = vector("repo-fixtures/declared_per_tool_baseline.json");
    let hinted = vector("repo-fixtures/declared_per_tool_baseline_readonly_annotation.json");
    let base = Declared::read(base.to_string().as_bytes()).unwrap();
    let hinted = Declared::read(hinted.to_string().as_bytes()).unwrap();
    let mut seen = Observed::of("github", &[], Some(Extent::Complete));
    seen.tools = hinted.tools;
    let found: Vec<_> = compare(&seen, &base)
        .findings
        .iter()
        .map(|said| (said.name.clone(), said.reason_code, said.severity))
        .collect();
    assert_eq!(found, [("github.add_deploy_key".to_owned(), "mcp_tool_annotations_changed", "medium")]);

    let said = |change: &dyn Fn(&mut Observed)| {
        let mut seen = Observed::of("github", &[], Some(Extent::Complete));
        seen.tools = base.tools.clone();
        change(&mut seen);
        let found = compare(&seen, &base).findings;
        found.iter().map(|said| (said.reason_code, said.severity, said.attribution)).collect::<Vec<_>>()
    };
    let other = hex(&json!("sha256:923b083c9bcab2e3d3e07c7d9b4401688ad9f3d5e2c2f0c48fcd43052bdcb71b"));
    let moved = |seen: &mut Observed| {
        let key = seen.tools.iter_mut().find(|tool| tool.privileged == Some(true)).unwrap();
        key.tool_digest = other;
        let fields = key.field_digests.as_mut().unwrap();
        fields.insert("output_schema".to_owned(), other);
        fields.insert("description".to_owned(), other);
    };
    assert_eq!(
        said(&moved),
        [("mcp_tool_description_changed", "high", None), ("mcp_tool_output_schema_changed", "medium", None)]
    );
    let unattributed = |seen: &mut Observed| {
        seen.tools[0].tool_digest = other;
        seen.tools[0].field_digests = None;
    };
    assert_eq!(said(&unattributed), [("mcp_tool_changed", "medium", Some("field_attribution_unavailable"))]);
    let inconsistent = |seen: &mut Observed| seen.tools[0].tool_digest = other;
    assert_eq!(said(&inconsistent), [("mcp_tool_changed", "medium", Some("field_attribution_inconsistent"))]);
}

fn item(tool: &Value) -> Item {
    Item::stored(Kind::Tool, Definition::from_plain(tool), &DigestScope::None)
}

#[test]
fn pins_are_sorted_and_read_as_they_were_written() {
    let first = item(&json!({"name": "b", "description": "B"}));
    let second = item(&json!({"name": "a\u{200b}\"", "inputSchema": {"type": "object"}}));
    // The hashes are SHA-256 of `null`, `B`, `{"type":"object"}` and nothing.
    assert_eq!(
        pins("srv", &[&first, &second]).unwrap(),
        r#"tool_pins:
  "a\U0000200B\"":
    server_id: "srv"
    tool_name: "a\U0000200B\""
    schema_hash: "a2c799262a3ce3c19ef5cdd983bf3d12b43ab3c426227091b909dcb7054738c0"
    meta_hash: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
  "b":
    server_id: "srv"
    tool_name: "b"
    schema_hash: "74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b"
    meta_hash: "df7e70e5021544f4834bbee64a9e3789febc4be81470df629cad6ddb03320a5c"
"#
    );
    assert_eq!(
        pins("srv", &[&first, &first]).unwrap_err().to_string(),
        "two pinned tools are called `b`: which one is meant is ambiguous"
    );
    assert_eq!(pins("srv", &[]).unwrap_err().to_string(), "no tool is approved there: there is nothing to pin");
    let raw = br#"{"name":"c","description":"\ud800"}"#;
    let unclear = Item::stored(Kind::Tool, Definition::read(raw, 9).unwrap(), &DigestScope::None);
    assert_eq!(
        pins("srv", &[&unclear]).unwrap_err().to_string(),
        "the tool `c` has no identity: a string holds a lone surrogate; parsers drop it, replace it or reject the text"
    );
}

#[test]
fn a_pin_in_another_form_is_refused() {
    let hash = "a2c799262a3ce3c19ef5cdd983bf3d12b43ab3c426227091b909dcb7054738c0";
    let policy = |schema: &str| json!({"tool_pins": {"t": {"server_id": "s", "tool_name": "t", "schema_hash": schema, "meta_hash": hash}}});
    assert!(read_pins(&policy(hash)).is_ok());
    for bad in [format!("sha256:{hash}"), hash.to_uppercase(), hash[1..].to_owned(), String::new()] {
        let refused = read_pins(&policy(&bad)).unwrap_err().to_string();
        assert_eq!(refused, "`t.schema_hash`: must be exactly 64 lowercase hexadecimal characters");
    }
    assert!(read_pins(&json!({})).is_err() && read_pins(&json!({"tool_pins": []})).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever stands in a file: an answer or a named refusal, and no panic.
    #[test]
    fn no_document_makes_a_reader_panic(at in 0usize..4000, cut in 0usize..40, put in "[\\PC\"{}\\[\\],:]{0,12}") {
        for name in ["manifest_workflow/observed.json", "manifest_workflow/declared.json"] {
            let mut damaged = text(name);
            let start = (0..=at.min(damaged.len())).rev().find(|at| damaged.is_char_boundary(*at)).unwrap();
            let end = (0..=(start + cut).min(damaged.len())).rev().find(|at| damaged.is_char_boundary(*at)).unwrap();
            damaged.replace_range(start..end.max(start), &put);
            let seen = Observed::read(damaged.as_bytes());
            let known = Declared::read(damaged.as_bytes());
            let _ = candidate(damaged.as_bytes());
            if let (Ok(seen), Ok(known)) = (seen, known) {
                let _ = compare(&seen, &known);
            }
        }
    }
}
