//! `pinwatch admit` over files: every published vector, and what cannot be told.

use super::project::Project;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

const SETS: [&str; 2] = ["omcp-v1-integer", "omcp-v1.0-string"];

fn vectors(set: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/vectors/atsa").join(set)
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// A project that has a trust root, `root.json`, and a document, `document.json`, which it admits.
fn project() -> Project {
    let project = Project::new();
    project.write("root.json", &fs::read_to_string(vectors(SETS[0]).join("_trust-root.json")).unwrap());
    project.write("document.json", &read(&vectors(SETS[0]).join("admits-a-valid-document.json"))["sad"].to_string());
    project
}

const GIVEN: [&str; 9] = [
    "admit",
    "--document",
    "document.json",
    "--trust",
    "root.json",
    "--now",
    "2026-06-01T12:00:00Z",
    "--required",
    "internal",
];

#[test]
fn each_published_vector_ends_as_it_must() {
    let project = project();
    let mut many = 0;
    for set in SETS {
        for file in fs::read_dir(vectors(set)).unwrap() {
            let path = file.unwrap().path();
            if path.file_name().unwrap().to_str().unwrap().starts_with('_') {
                continue;
            }
            many += 1;
            let vector = read(&path);
            project.write("document.json", &vector["sad"].to_string());
            let context = |member: &str| vector["context"][member].as_str().unwrap();
            let line = [
                &["admit", "--document", "document.json", "--trust", "root.json"][..],
                &["--origin", context("origin"), "--required", context("requiredClearance"), "--now", context("now")],
            ];
            let expect = &vector["expect"];
            let admitted = expect["admitted"].as_bool().unwrap();
            let done = project.expect(i32::from(!admitted), &line.concat());
            let last = done.out.lines().last().unwrap();
            if admitted {
                assert!(last.starts_with("admitted: urn:omcp:server:weather at `"), "{path:?}: {last}");
            } else {
                let reason = format!("refused: {} ({}): ", expect["reason"].as_str().unwrap(), expect["code"]);
                assert!(last.starts_with(&reason), "{path:?}: {last}");
            }
            assert_eq!(done.out.lines().count(), 10, "a line a rule, and the verdict: {}", done.out);
        }
    }
    assert_eq!(many, 36);
}

#[test]
fn a_line_a_rule_says_what_it_found() {
    let project = project();
    insta::assert_snapshot!(project.expect(0, &GIVEN).out, @r#"
    0  holds  its version is 1 or "1.x": 1, as the draft has it
    1  holds  it is a document of an MCP server: `urn:omcp:server:weather`
    2  holds  it names its signer and is signed: by the key `key-prod-2026`
    3  holds  the signer is in the trust root: sha256:503d8ee46d581c649966569ae095e27041de83322e8e0480e5539e00d2d5d874
    4  holds  the signer's key is still valid: its key has no end
    5  holds  the signer may give this clearance: `internal`
    6  holds  the signature holds: Ed25519, over its canonical form
    7  holds  the clearance is high enough: `internal`, and `internal` is required
    8  holds  it was issued for this origin: it names no origin: any will do
    admitted: urn:omcp:server:weather at `internal`, by `key-prod-2026`
    "#);
    let mut tampered = read(&project.path("document.json"));
    tampered["publisher"] = "Mallory\u{200b} Ltd".into();
    tampered["clearance"] = "conf".into();
    project.write("document.json", &tampered.to_string());
    insta::assert_snapshot!(project.expect(1, &GIVEN).out, @r#"
    0  holds  its version is 1 or "1.x": 1, as the draft has it
    1  holds  it is a document of an MCP server: `urn:omcp:server:weather`
    2  holds  it names its signer and is signed: by the key `key-prod-2026`
    3  holds  the signer is in the trust root: sha256:503d8ee46d581c649966569ae095e27041de83322e8e0480e5539e00d2d5d874
    4  holds  the signer's key is still valid: its key has no end
    5  holds  the signer may give this clearance: `confidential`
    6  FAILS  the signature holds: the signature is not of this text by that key
    7  -      the clearance is high enough: not asked
    8  -      it was issued for this origin: not asked
    refused: bad_signature (6): the signature is not of this text by that key
    "#);
}

#[test]
fn what_cannot_be_told_is_exit_2() {
    let project = project();
    let wrong = |line: &[&str]| {
        let done = project.expect(2, line);
        assert_eq!(done.out, "");
        done.err.lines().next().unwrap_or_default().to_owned()
    };
    project.write("other.json", &json!({"keys": []}).to_string());
    let replaced = |from: &str, to: &'static str| {
        GIVEN.into_iter().map(|word| if word == from { to } else { word }).collect::<Vec<_>>()
    };
    let said = [
        wrong(&replaced("document.json", "nothing.json")),
        wrong(&replaced("root.json", "nothing.json")),
        wrong(&replaced("root.json", "other.json")),
        wrong(&replaced("root.json", "document.json")),
        wrong(&[&GIVEN[..], &["--origin", "tools.example.com"]].concat()),
        wrong(&replaced("2026-06-01T12:00:00Z", "tomorrow")),
        wrong(&["admit", "--document", "document.json"]),
    ];
    insta::assert_snapshot!(said.join("\n"), @"
    error: nothing.json cannot be read: No such file or directory (os error 2)
    error: nothing.json cannot be read: No such file or directory (os error 2)
    error: other.json is not a trust root: the file: missing field `scheme`
    error: document.json is not a trust root: the file: missing field `scheme`
    error: --origin `tools.example.com` is not an origin; expected one like https://tools.example.com
    error: invalid value 'tomorrow' for '--now <TIME>': no time like 2026-06-01T12:00:00Z
    error: the following required arguments were not provided:
    ");
}

#[test]
fn a_hidden_character_of_a_document_is_seen() {
    let project = project();
    let mut document = read(&project.path("document.json"));
    document["signerKeyId"] = "key\u{202e}\u{1b}]0;x\u{7}".into();
    project.write("document.json", &document.to_string());
    let out = project.expect(1, &GIVEN).out;
    assert!(out.contains("the key `key<U+202E><U+001B>]0;x<U+0007>` is not in the trust root"), "{out}");
}
