//! MCPTrust's locks, canonical forms, comparisons and signatures: what its own code printed, and its test data.

use crate::data;
use crate::surfaces::{observation, surface};
use pinwatch::canon::{read, read_signed_zero};
use pinwatch::drift::Risk;
use pinwatch::interop::mcptrust::{
    Canon, FailOn, Locked, Seal, Shown, Unsealed, Version, arguments_hash, canon, compare, description_hash,
    input_schema_hash, normalized_hash, report,
};
use pinwatch::signature::PublicKey;
use proptest::prelude::*;
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;

fn bytes(name: &str) -> Vec<u8> {
    fs::read(data("vectors/mcptrust").join(name)).expect("a file of vectors")
}

fn text(name: &str) -> String {
    String::from_utf8(bytes(name)).expect("text")
}

/// The cases of a kind: input and output, numbers as the input's reader has them.
fn cases(kind: &str) -> Vec<(Value, Value)> {
    let parse = |line: &str| read_signed_zero(line.as_bytes(), 200).expect("JSON").value;
    let (inputs, outputs) = (text("executed_inputs.jsonl"), text("executed_outputs.jsonl"));
    let both = inputs.lines().zip(outputs.lines()).map(|(input, output)| (parse(input), parse(output)));
    both.filter(|(input, output)| input["id"] == output["id"] && input["kind"] == kind).collect()
}

fn list(case: &Value, member: &str) -> Vec<Value> {
    case[member].as_array().cloned().unwrap_or_default()
}

fn shown(case: &Value) -> Shown {
    Shown { tools: list(case, "tools"), prompts: list(case, "prompts"), templates: list(case, "resourceTemplates") }
}

#[test]
fn all_14_canon_cases_in_both_forms() {
    let cases = cases("canon");
    assert_eq!(cases.len(), 14);
    for (input, output) in cases {
        let (id, value) = (&output["id"], &input["json"]);
        assert_eq!(canon(value, Canon::V1), output["v1"], "{id}");
        assert_eq!(canon(value, Canon::V2), output["v2"], "{id}");
        assert_eq!(input_schema_hash(&json!({"inputSchema": value})), output["hash_json_v1"], "{id}");
    }
}

#[test]
fn the_projects_own_canon_vectors() {
    let input = read(&bytes("repo-testdata/canon_vectors/input.json"), 99).unwrap().value;
    for (form, file, digest) in
        [(Canon::V1, "canon_v1.json", "sha256_v1.txt"), (Canon::V2, "canon_v2.json", "sha256_v2.txt")]
    {
        let written = canon(&input, form);
        assert_eq!(written, text(&format!("repo-testdata/canon_vectors/{file}")).trim_end());
        // Its repository's digests are of neither of its own two files: they are stale there, and this holds that they are.
        let hash = description_hash(&json!({"description": written}));
        assert_ne!(hash, format!("sha256:{}", text(&format!("repo-testdata/canon_vectors/{digest}")).trim()));
    }
}

/// What its own program locked holds of the very definitions that it was given, and of no other.
#[test]
fn a_lock_holds_for_what_it_was_made_of() {
    let case = cases("lock").into_iter().map(|(input, _)| input).find(|input| input["id"] == "lock_a").expect("lock_a");
    let lock = Locked::read(&bytes("executed_lock_a.v3.json")).expect("a lock");
    let document = |case: &Value| {
        let lists =
            ["tools", "prompts", "resourceTemplates"].map(|member| (member.to_owned(), json!(list(case, member))));
        Value::Object(lists.into_iter().collect()).to_string()
    };
    let says = |case: &Value| lock.says(&surface(&observation(document(case).as_bytes())));
    let whole = says(&case);
    let many = lock.tools.len() + lock.prompts.len() + lock.templates.len();
    assert_eq!((whole.items.len(), whole.gone.len()), (many, 0));
    assert!(whole.items.values().all(|same| *same), "{whole:?}");
    // Each hash counts, also a template's name, which its own check lets be.
    for (list, member) in [("tools", "description"), ("prompts", "description"), ("resourceTemplates", "name")] {
        let mut other = case.clone();
        let item = other[list].as_array_mut().expect("a list").iter_mut().find(|item| item[member].is_string());
        item.expect("one that has it")[member] = "another".into();
        let differing = says(&other).items.into_values().filter(|same| !same).count();
        assert_eq!(differing, 1, "{list}");
    }
    let mut other = case;
    other["tools"][0]["name"] = "new".into();
    let says = says(&other);
    assert_eq!((says.items.len(), says.gone.len()), (many - 1, 1));
}

#[test]
fn all_7_texts_by_their_lines() {
    let cases = cases("normstr");
    assert_eq!(cases.len(), 7);
    for (input, output) in cases {
        let said = input["str"].as_str().unwrap();
        assert_eq!(normalized_hash(said), output["hash_normalized"], "{}", output["id"]);
        assert_eq!(description_hash(&json!({"description": said})), output["hash_string"], "{}", output["id"]);
    }
}

#[test]
fn executed_locks_are_equal_to_the_byte() {
    let cases = cases("lock");
    assert_eq!(cases.len(), 2);
    for (input, output) in &cases {
        let (server, command) = (input["server"].as_str().unwrap(), input["command"].as_str().unwrap());
        for (version, file) in [(Version::V2, "v2_file"), (Version::V3, "v3_file")] {
            let lock = Locked::of(version, server, command, &shown(input)).unwrap();
            let written = lock.write("mcptrust test", "2024-01-01T00:00:00Z").unwrap();
            assert_eq!(written, output[file].as_str().unwrap(), "{} {file}", input["id"]);
            assert_eq!(Locked::read(written.as_bytes()).unwrap(), lock, "{} {file}", input["id"]);
        }
        for tool in list(input, "tools") {
            let expected = &output["risk"][tool["name"].as_str().unwrap()];
            let risk = Risk::of(&tool);
            assert_eq!(risk.level.word(), expected["level"], "{tool}");
            let reasons: Vec<_> = list(expected, "reasons");
            let said: Vec<_> =
                risk.words.iter().map(|word| json!(format!("contains dangerous keyword: \"{word}\""))).collect();
            assert_eq!(said, reasons, "{tool}");
        }
    }
    let files = [("executed_lock_a.v2.json", Version::V2), ("executed_lock_a.v3.json", Version::V3)];
    for (file, version) in files {
        let lock = Locked::of(version, "test-server", "npx -y demo", &shown(&cases[0].0)).unwrap();
        assert_eq!(lock.write("mcptrust test", "2024-01-01T00:00:00Z").unwrap(), text(file), "{file}");
    }
    let golden = Locked::of(Version::V3, "test-server", "x", &shown(&cases[1].0)).unwrap();
    let written = golden.write("mcptrust test", "2024-01-01T00:00:00Z").unwrap();
    // The repository's copy ends without the line break that the program writes.
    assert_eq!(written, text("repo-testdata/golden/mcp-lock.v3.json") + "\n");
}

#[test]
fn its_test_servers_give_the_golden_lock() {
    let answer = |file: &str, list: &str| {
        let whole = read(&bytes(&format!("repo-testdata/mcp/{file}")), 99).unwrap().value;
        whole["result"][list].as_array().unwrap().clone()
    };
    let shown = Shown {
        tools: Vec::new(),
        prompts: answer("prompts_list.json", "prompts"),
        templates: answer("resources_templates_list.json", "resourceTemplates"),
    };
    let golden = Locked::read(&bytes("repo-testdata/golden/mcp-lock.v3.json")).unwrap();
    assert_eq!(compare(&golden, &shown), []);
}

#[test]
fn all_18_comparisons_as_sets() {
    let (locks, cases) = (cases("lock"), cases("compare"));
    assert_eq!(cases.len(), 18);
    for (input, output) in cases {
        let (of, _) = locks.iter().find(|(lock, _)| lock["id"] == input["lock"]).unwrap();
        let lock = Locked::of(Version::V3, "test-server", "", &shown(of)).unwrap();
        let as_set = |value: &Value| {
            let hash = |value: &Value, member: &str| value[member].as_str().unwrap_or_default().to_owned();
            let one = |said: &Value| {
                ["type", "severity", "identifier", "oldHash", "newHash", "message"].map(|member| hash(said, member))
            };
            value.as_array().unwrap().iter().map(one).collect::<BTreeSet<_>>()
        };
        let found = serde_json::to_value(compare(&lock, &shown(&input))).unwrap();
        assert_eq!(as_set(&found), as_set(&output["drift"]), "{}", input["id"]);
    }
}

#[test]
fn the_three_published_signatures_hold() {
    let key = PublicKey::parse(&text("repo-testdata/backward_compat/test_public.key")).unwrap();
    let lock = bytes("repo-testdata/backward_compat/legacy_v1_lock.json");
    for (file, form) in [("legacy_v1_sig.hex", Canon::V1), ("new_v1_sig.txt", Canon::V1), ("new_v2_sig.txt", Canon::V2)]
    {
        let seal = Seal::parse(&text(&format!("repo-testdata/backward_compat/{file}"))).unwrap();
        assert_eq!((seal.canon(), seal.holds(&lock, &key)), (form, Ok(true)), "{file}");
        let other = String::from_utf8(lock.clone()).unwrap().replacen("mock-server", "mock-server2", 1);
        assert_eq!(seal.holds(other.as_bytes(), &key), Ok(false), "{file}");
    }
    assert_eq!(Locked::read(&lock).unwrap().version, Version::V1);
}

#[test]
fn executed_signatures_hold_in_their_own_form_alone() {
    let key = PublicKey::parse(&text("repo-testdata/backward_compat/test_public.key")).unwrap();
    let cases = cases("sign");
    assert_eq!(cases.len(), 3);
    for (input, output) in cases {
        let lock = input["json"].to_string();
        let [first, second] =
            ["v1", "v2"].map(|form| Seal::parse(output[format!("sig_{form}")].as_str().unwrap()).unwrap());
        assert_eq!(first.holds(lock.as_bytes(), &key), Ok(true), "{}", input["id"]);
        assert_eq!(second.holds(lock.as_bytes(), &key), Ok(true), "{}", input["id"]);
        // The two forms differ for this one: a head that names the wrong one does not hold.
        if input["id"] == "sign_unicode_toolname" {
            let swapped = output["sig_v1"].as_str().unwrap().replacen("\"v1\"", "\"v2\"", 1);
            assert_eq!(Seal::parse(&swapped).unwrap().holds(lock.as_bytes(), &key), Ok(false));
        }
    }
    let stranger = Ed25519KeyPair::from_seed_unchecked(&[1; 32]).unwrap();
    let stranger = PublicKey::from_bytes(stranger.public_key().as_ref()).unwrap();
    let seal = Seal::parse(&text("repo-testdata/backward_compat/new_v1_sig.txt")).unwrap();
    assert_eq!(seal.holds(&bytes("repo-testdata/backward_compat/legacy_v1_lock.json"), &stranger), Ok(false));
}

#[test]
fn a_signature_in_another_form_is_named() {
    let hex = "00".repeat(64);
    for (file, why) in [
        (String::new(), Unsealed::Signature),
        ("00".repeat(63), Unsealed::Signature),
        ("zz".repeat(64), Unsealed::Signature),
        (format!("v1\n{hex}"), Unsealed::Head),
        (format!("{{}}\n{hex}"), Unsealed::Head),
        (format!("{{\"canon_version\":\"v3\"}}\n{hex}"), Unsealed::Canon("v3".to_owned())),
        (format!("{{\"canon_version\":\"v1\",\"canon_version\":\"v2\"}}\n{hex}"), Unsealed::Head),
        ("{\"canon_version\":\"v1\",\"sig_type\":\"sigstore_bundle\"}\nAAAA".to_owned(), Unsealed::Sigstore),
    ] {
        assert_eq!(Seal::parse(&file), Err(why), "{file}");
    }
    let seal = Seal::parse(&hex).unwrap();
    let key = PublicKey::parse(&text("repo-testdata/backward_compat/test_public.key")).unwrap();
    assert!(matches!(seal.holds(br#"{"version":"1.0","version":"2.0"}"#, &key), Err(Unsealed::Lock(_))));
}

#[test]
fn locks_of_its_test_data_are_read() {
    let with = Locked::read(&bytes("repo-testdata/lockfile_v2_with_artifact.json")).unwrap();
    assert_eq!(with.artifact.unwrap()["provenance"]["method"], "cosign_slsa");
    let missing = Locked::read(&bytes("repo-testdata/lockfile_v2_missing_method.json")).unwrap();
    assert_eq!(missing.artifact.unwrap()["provenance"].get("method"), None);
    assert_eq!(missing.command.as_deref(), Some("npx -y @test/server /tmp"));
    // Its members are spelt in another way than its own program writes them: what they hold is not known.
    let proxy = Locked::read(&bytes("repo-testdata/proxy/mcp-lock.proxy.v3.json")).unwrap();
    assert_eq!(proxy.tools["safe_tool"].description_hash, None);
    let served = Shown { tools: vec![json!({"name": "safe_tool"})], ..Shown::default() };
    let types: Vec<_> = compare(&proxy, &served).into_iter().map(|difference| difference.difference).collect();
    assert_eq!(types, ["PROMPT_REMOVED", "TEMPLATE_REMOVED"]);
}

#[test]
fn the_report_is_the_one_of_its_check() {
    let parse = |file: &str| read(&bytes(&format!("repo-testdata/ci/{file}")), 99).unwrap().value;
    let nothing = Locked::of(Version::V3, "filesystem-server", "", &Shown::default()).unwrap();
    let pass = report(&nothing, "mcp-lock.json", "filesystem-server", &[], FailOn::Critical);
    assert_eq!(read(pass.as_bytes(), 99).unwrap().value, parse("check_pass.json"));
    // Written by hand, with severities that its program spells otherwise: the members are what counts.
    let served = Shown { prompts: vec![json!({"name": "p"})], ..Shown::default() };
    let fail = report(&nothing, "mcp-lock.json", "filesystem-server", &compare(&nothing, &served), FailOn::Critical);
    let fail = read(fail.as_bytes(), 99).unwrap().value;
    let names = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&fail), names(&parse("check_fail_drift.json")));
    for file in ["check_fail_drift.json", "check_with_secrets.json"] {
        for difference in list(&parse(file), "drift") {
            let known = ["identifier", "message", "newHash", "oldHash", "severity", "type"];
            assert!(names(&difference).iter().all(|name| known.contains(&name.as_str())), "{file}");
        }
    }
    assert_eq!((&fail["outcome"], &fail["drift"][0]["type"]), (&json!("FAIL"), &json!("PROMPT_ADDED")));
    assert_eq!(names(&fail["drift"][0]), ["identifier", "message", "severity", "type"]);
}

#[test]
fn a_lock_that_cannot_be_meant_is_refused() {
    let refused = |text: &str| Locked::read(text.as_bytes()).unwrap_err().to_string();
    for (lock, why) in [
        ("", "it cannot be read: byte 0: expected a value"),
        ("{}", "it has neither `lockFileVersion` nor `version`"),
        (r#"{"version":"4.0"}"#, "its version is `4.0`; 1.0, 2.0 and 3.0 are read"),
        (r#"{"version":2}"#, "`version`: invalid type: integer `2`, expected a string"),
        (r#"{"version":"2.0","tools":[]}"#, "`tools`: invalid type: sequence, expected a map"),
        (
            r#"{"version":"2.0","tools":{"t":{"risk_level":1}}}"#,
            "`tools.t.risk_level`: invalid type: integer `1`, expected a string",
        ),
        (
            r#"{"version":"2.0","tools":{"t":{},"t":{}}}"#,
            "it cannot be read: a member occurs twice; parsers disagree on which one counts",
        ),
        (
            r#"{"lockFileVersion":"3.0","prompts":{"definitions":{"p":{}}}}"#,
            "`prompts.definitions.p`: missing field `argumentsHash`",
        ),
        (
            r#"{"lockFileVersion":"3.0","resources":{"templates":[{}]}}"#,
            "`resources.templates[0]`: missing field `uriTemplate`",
        ),
    ] {
        assert_eq!(refused(lock), why, "{lock}");
    }
    let twice = Shown { tools: vec![json!({"name": "a"}), json!({"name": "a"})], ..Shown::default() };
    assert_eq!(
        Locked::of(Version::V2, "", "", &twice).unwrap_err().to_string(),
        "two are called `a`: which one is meant is ambiguous"
    );
}

#[test]
fn argument_order_is_no_change_and_required_is() {
    let prompt = |arguments: Value| arguments_hash(&json!({"name": "p", "arguments": arguments}));
    let (a, b) = (json!({"name": "a", "required": true}), json!({"name": "b", "description": ""}));
    assert_eq!(prompt(json!([a, b])), prompt(json!([{"name": "b", "required": false}, a])));
    assert_ne!(prompt(json!([a])), prompt(json!([{"name": "a"}])));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever stands in a file: an answer or a named refusal, and no panic.
    #[test]
    fn no_lock_makes_the_reader_panic(at in 0usize..4300, cut in 0usize..40, put in "[\\PC\"{}\\[\\],:]{0,12}") {
        for name in ["executed_lock_a.v2.json", "executed_lock_a.v3.json", "repo-testdata/backward_compat/new_v2_sig.txt"] {
            let mut damaged = text(name);
            let at = at.min(damaged.len());
            damaged.replace_range(at..(at + cut).min(damaged.len()), &put);
            if let Ok(lock) = Locked::read(damaged.as_bytes()) {
                let _ = compare(&lock, &Shown::default());
            }
            let _ = Seal::parse(&damaged);
        }
    }

    /// Both forms are JSON of the value that they are of.
    #[test]
    fn a_canonical_text_reads_as_its_value(double in any::<f64>().prop_filter("JSON has no other", |f| f.is_finite()), said in "\\PC{0,8}") {
        let value = json!({"n": double, "s": said});
        for form in [Canon::V1, Canon::V2] {
            let back = read(canon(&value, form).as_bytes(), 9).unwrap().value;
            prop_assert_eq!(back["n"].as_f64(), Some(double));
            prop_assert_eq!(&back["s"], &value["s"]);
        }
    }
}
