//! ATSA: the published vectors, the dialect of enclawed-oss, and documents and trust roots that are not what they should be.

use crate::attest::signature;
use crate::data;
use pinwatch::interop::atsa::{Admission, Asked, Document, Origin, Rule, TrustRoot, Unread, admit};
use serde_json::{Value, json};
use std::fs;

/// The published sets, and how many vectors each has.
const SETS: [(&str, usize); 2] = [("omcp-v1-integer", 17), ("omcp-v1.0-string", 19)];

fn json_of(path: &str) -> Value {
    serde_json::from_slice(&fs::read(data(path)).unwrap()).unwrap()
}

fn root(set: &str) -> TrustRoot {
    TrustRoot::read(&fs::read(data(&format!("vectors/atsa/{set}/_trust-root.json"))).unwrap()).unwrap()
}

/// The names of a set's vectors.
fn names(set: &str) -> Vec<String> {
    let files = fs::read_dir(data(&format!("vectors/atsa/{set}"))).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    names.filter(|name| !name.starts_with('_')).collect()
}

fn decide(document: &Value, root: &TrustRoot, required: &str) -> Admission {
    admit(
        Document::read(document.to_string().as_bytes()).as_ref(),
        Asked {
            root,
            origin: Origin::of("https://tools.example.com").as_ref(),
            required: Some(required),
            now: "2026-06-01T12:00:00Z".parse().unwrap(),
        },
    )
}

#[test]
fn each_published_vector_has_its_verdict() {
    for (set, many) in SETS {
        let (root, names) = (root(set), names(set));
        assert_eq!(names.len(), many, "{set}");
        for name in names {
            let vector = json_of(&format!("vectors/atsa/{set}/{name}"));
            let context = |member: &str| vector["context"][member].as_str().unwrap();
            let admission = admit(
                Document::read(vector["sad"].to_string().as_bytes()).as_ref(),
                Asked {
                    root: &root,
                    origin: Origin::of(context("origin")).as_ref(),
                    required: Some(context("requiredClearance")),
                    now: context("now").parse().unwrap(),
                },
            );
            let said = match &admission.outcome {
                Ok(_) => json!({"admitted": true}),
                Err(denial) => {
                    json!({"admitted": false, "reason": denial.rule.word(), "code": denial.rule.code()})
                }
            };
            assert_eq!(said, vector["expect"], "{set}/{name}: {admission:?}");
        }
    }
}

#[test]
fn a_body_is_the_published_bytes() {
    for (set, many) in SETS {
        let bodies = json_of(&format!("vectors/atsa/{set}/_canonical-bodies.DERIVED.json"));
        let bodies = bodies.as_object().unwrap();
        assert!(bodies.len() + 2 > many, "all but the one without a document");
        for (name, body) in bodies {
            let vector = json_of(&format!("vectors/atsa/{set}/{name}.json"));
            let document = Document::read(vector["sad"].to_string().as_bytes()).unwrap();
            assert_eq!(document.body(), body.as_str().unwrap(), "{set}/{name}");
        }
    }
}

#[test]
fn another_dialect_is_named_and_not_admitted() {
    let published = json_of("vectors/enclawed/canonical-and-signature.json");
    let key = published["publicKeyPem"].as_str().unwrap();
    let root = json!({
        "scheme": {"name": "s", "levels": [{"name": "internal", "rank": 1}, {"name": "public", "rank": 0}]},
        "keys": [{"id": "k1", "publicKey": key, "approvedClearances": ["internal"]}],
    });
    let root = TrustRoot::read(root.to_string().as_bytes()).unwrap();
    for case in published["cases"].as_array().unwrap().iter().take(2) {
        let mut document = case["document"].clone();
        document["signature"] = case["signature"].clone();
        let admission = decide(&document, &root, "public");
        let said = match case["name"].as_str().unwrap() {
            // Without a member that one of the two leaves out, both sign the same.
            "with_verification_and_hosts" => {
                "host_not_bound (8): it is bound to `b.example.com`, `a.example.com`, not to https://tools.example.com"
            }
            _ => "bad_signature (6): it holds in the dialect of enclawed-oss alone, which signs other bytes",
        };
        assert_eq!(admission.outcome.unwrap_err().to_string(), said);
    }
}

/// The published document that is admitted, with a member replaced and signed again by the same key.
fn with(member: &str, value: Value) -> Value {
    let mut document = json_of("vectors/atsa/omcp-v1-integer/admits-a-valid-document.json")["sad"].clone();
    document[member] = value;
    let body = Document::read(document.to_string().as_bytes()).unwrap().body();
    document["signature"] = signature(body.as_bytes(), 0x11).into();
    document
}

#[test]
fn a_member_of_another_type_is_refused_by_name() {
    let root = root("omcp-v1-integer");
    let cases = [
        ("v", json!(1.0), None),
        ("v", json!(true), Some(Rule::UnsupportedVersion)),
        ("v", json!("1."), Some(Rule::UnsupportedVersion)),
        ("v", json!("01.0"), Some(Rule::UnsupportedVersion)),
        ("v", json!("1.0.0"), Some(Rule::UnsupportedVersion)),
        ("v", json!([1]), Some(Rule::UnsupportedVersion)),
        ("capabilities", json!("mcp-server"), Some(Rule::NotMcpServer)),
        ("capabilities", json!(["mcp-server", 1]), Some(Rule::NotMcpServer)),
        ("id", json!(""), Some(Rule::NotMcpServer)),
        ("publisher", Value::Null, Some(Rule::NotMcpServer)),
        ("version", json!(2), Some(Rule::NotMcpServer)),
        ("netAllowedHosts", json!("https://other.example"), Some(Rule::NotMcpServer)),
        ("netAllowedHosts", json!([["https://tools.example.com"]]), Some(Rule::NotMcpServer)),
        ("netAllowedHosts", json!([]), None),
        ("netAllowedHosts", json!(["HTTPS://TOOLS.example.com:443/"]), None),
        ("netAllowedHosts", json!(["tools.example.com"]), Some(Rule::HostNotBound)),
        ("verification", json!({}), Some(Rule::NotMcpServer)),
        ("verification", json!("tested"), None),
        ("signerKeyId", json!(["key-prod-2026"]), Some(Rule::Unsigned)),
        ("clearance", json!(10), Some(Rule::SignerNotApproved)),
        ("clearance", json!("Internal"), Some(Rule::SignerNotApproved)),
    ];
    for (member, value, failed) in cases {
        let admission = decide(&with(member, value.clone()), &root, "internal");
        let rule = admission.outcome.as_ref().err().map(|denial| denial.rule);
        assert_eq!(rule, failed, "{member} {value}: {admission:?}");
    }
    let mut short = with("id", json!("x"));
    short["signature"] = "bm8=".into();
    let said = decide(&short, &root, "internal").outcome.unwrap_err().to_string();
    assert_eq!(said, "bad_signature (6): the signature is not of this text by that key");
    short["signature"] = "not base64".into();
    let said = decide(&short, &root, "internal").outcome.unwrap_err().to_string();
    assert_eq!(said, "bad_signature (6): its `signature` is not base64");
    let said = decide(&with("id", json!("x")), &root, "cosmic").outcome.unwrap_err().to_string();
    let none = "below_required (7): the required level `cosmic` is none of the scheme (public, internal, confidential, secret)";
    assert_eq!(said, none);
}

#[test]
fn a_text_of_two_readings_is_no_document() {
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(5_000), "]".repeat(5_000));
    let long = format!("{{\"id\":\"{}\"}}", "a".repeat(64 << 10));
    let cases = [
        (r#"{"v":1,"v":2}"#, "a member occurs twice; parsers disagree on which one counts"),
        (r#"{"v":1e400}"#, "a number beyond the range of a double, or not a number; parsers disagree on it"),
        (r#"["mcp-server"]"#, "it is not a JSON object"),
        ("null", "there is no document"),
        ("<!doctype html>", "not valid JSON: "),
        ("", "not valid JSON: "),
        (&long, "it is larger than 64 KiB"),
        (&deep, "not valid JSON: "),
    ];
    for (text, why) in cases {
        let Unread(said) = Document::read(text.as_bytes()).unwrap_err();
        assert!(said.starts_with(why), "{why}: {said}");
        let root = root("omcp-v1-integer");
        let asked = Asked { root: &root, origin: None, required: None, now: "2026-06-01T12:00:00Z".parse().unwrap() };
        let denial = admit(Document::read(text.as_bytes()).as_ref(), asked).outcome.unwrap_err();
        assert_eq!(denial.rule, Rule::NotMcpServer);
    }
}

#[test]
fn a_trust_root_with_a_fault_is_refused_by_its_place() {
    let good = json_of("vectors/atsa/omcp-v1-integer/_trust-root.json");
    let fault = |change: &dyn Fn(&mut Value)| {
        let mut root = good.clone();
        change(&mut root);
        TrustRoot::read(root.to_string().as_bytes()).err().map(|fault| fault.to_string())
    };
    assert_eq!(fault(&|_| ()), None);
    let said = [
        fault(&|root| root["keys"][1]["notafter"] = json!("2030-01-01T00:00:00Z")),
        fault(&|root| root["keys"][0]["publicKey"] = json!("AAAA")),
        fault(&|root| root["keys"][1]["id"] = json!("key-prod-2026")),
        fault(&|root| root["scheme"]["levels"][1]["rank"] = json!(0)),
        fault(&|root| root["scheme"]["levels"][1]["aliases"] = json!(["secret"])),
        fault(&|root| root["scheme"]["levels"][0]["rank"] = json!(0.5)),
        fault(&|root| root["keys"] = json!({})),
    ];
    let said: Vec<_> = said.into_iter().map(Option::unwrap_or_default).collect();
    insta::assert_snapshot!(said.join("\n"), @r"
    /keys/1/notafter: unknown field `notafter`, expected one of `id`, `publicKey`, `notAfter`, `approvedClearances`
    /keys/0/publicKey: it has 3 bytes; an Ed25519 key has 32, or 44 with its envelope (SPKI)
    /keys/1: there is another key `key-prod-2026`
    /scheme/levels/1: shares a name or its rank with the level `public`
    /scheme/levels/3: shares a name or its rank with the level `internal`
    /scheme/levels/0/rank: invalid type: floating point `0.5`, expected i64
    /keys: invalid type: map, expected a sequence
    ");
    let twice = TrustRoot::read(br#"{"keys":[],"keys":[]}"#).unwrap_err().to_string();
    assert_eq!(twice, "a member occurs twice; parsers disagree on which one counts");
}

#[test]
fn a_key_whose_end_is_no_time_has_ended() {
    let mut root = json_of("vectors/atsa/omcp-v1-integer/_trust-root.json");
    let mut rule = |end: &str| {
        root["keys"][0]["notAfter"] = end.into();
        let root = TrustRoot::read(root.to_string().as_bytes()).unwrap();
        decide(&with("id", json!("x")), &root, "internal").outcome.err().map(|denial| denial.rule)
    };
    assert_eq!(rule("2026-06-01T12:00:00.001Z"), None);
    assert_eq!(rule("2026-06-01T14:00:00+02:00"), Some(Rule::SignerExpired), "its end is not part of it");
    assert_eq!(rule("next year"), Some(Rule::SignerExpired));
}
