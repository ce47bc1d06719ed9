//! `x-assay-sig`: the six states, worked out with a key whose seed is known, and the published vector.

use crate::data;
use crate::signing::signed;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pinwatch::canon::{Definition, jcs, read};
use pinwatch::digest::{DigestScope, Item};
use pinwatch::signature::{Keyring, Malformed, NoKey, PublicKey, Standing, ToolSignature, TrustedKey};
use pinwatch::surface::Kind;
use serde_json::{Value, json};
use std::fs;

/// The tool that assay's own code signed with the seed of 32 bytes 0x07.
fn published() -> Value {
    let lines = fs::read_to_string(data("vectors/assay/tool_definition_outputs.jsonl")).unwrap();
    let line = lines.lines().find(|line| line.contains("40_signed_basic")).unwrap();
    read(line.as_bytes(), 99).unwrap().value["signed"].clone()
}

/// The id of that key, as its vector has it.
const KEY: &str = "sha256:324be2dea8bc44461b0233e51fa48902ed6b1cc671e7739af2551e0bfe68f54e";
const SPKI: &str = "MCowBQYDK2VwAyEA6kpsY+KcUgq+9VB7Ey7F+ZVHdq6+vnuSQh7qaRRG0iw=";

fn trusting() -> Keyring {
    Keyring { keys: vec![TrustedKey::parse("build", SPKI).unwrap()], required: false }
}

fn of(tool: &Value, keyring: &Keyring) -> String {
    ToolSignature::of(tool, keyring).to_string()
}

#[test]
fn the_published_signature_holds() {
    let tool = published();
    assert_eq!(tool["x-assay-sig"]["key_id"], KEY);
    let nobody = Keyring::default();
    assert_eq!(ToolSignature::of(&tool, &nobody).standing, Standing::Unnamed(KEY.to_owned()));
    assert_eq!(ToolSignature::of(&tool, &trusting()).standing, Standing::Trusted("build".to_owned()));
    let bare =
        json!({"name": "read_file", "description": "Read contents of a file", "inputSchema": tool["inputSchema"]});
    let ours = signed(&bare, 7);
    assert_eq!(ours["x-assay-sig"]["signature"], tool["x-assay-sig"]["signature"]);
}

#[test]
fn six_states_are_told_apart() {
    let tool = published();
    let edited = |change: &dyn Fn(&mut Value)| {
        let mut tool = tool.clone();
        change(&mut tool);
        tool
    };
    let nobody = Keyring::default();
    let without_key = edited(&|tool| drop(tool["x-assay-sig"].as_object_mut().unwrap().remove("public_key")));
    let unsigned = edited(&|tool| drop(tool.as_object_mut().unwrap().remove("x-assay-sig")));
    let changed = edited(&|tool| tool["description"] = json!("Read any file"));
    insta::assert_snapshot!([
        of(&unsigned, &nobody),
        of(&tool, &trusting()),
        of(&tool, &nobody),
        of(&without_key, &nobody),
        of(&without_key, &trusting()),
        of(&changed, &nobody),
        of(&edited(&|tool| tool["x-assay-sig"] = json!("signed")), &nobody),
    ].join("\n"), @r"
    none
    holds: the holder of your key `build` signed this text
    holds by the key that it brings along, which nobody named: sha256:324be2dea8bc44461b0233e51fa48902ed6b1cc671e7739af2551e0bfe68f54e
    not checked: its key is neither in it nor in [assay] trusted-keys: sha256:324be2dea8bc44461b0233e51fa48902ed6b1cc671e7739af2551e0bfe68f54e
    holds: the holder of your key `build` signed this text
    does not hold: its digest is of another text
    malformed: it is not an object
    ");
}

#[test]
fn invalid_is_never_taken_for_unchecked() {
    let tool = published();
    let with = |member: &str, value: Value| {
        let mut tool = tool.clone();
        tool["x-assay-sig"][member] = value;
        ToolSignature::of(&tool, &Keyring::default()).standing
    };
    let other = signed(&json!({"name": "x"}), 9);
    // A key that it brings along under another's id, a signature of another text, a type of content that is none of it.
    for (member, value) in [
        ("public_key", other["x-assay-sig"]["public_key"].clone()),
        ("key_id", other["x-assay-sig"]["key_id"].clone()),
        ("signature", other["x-assay-sig"]["signature"].clone()),
        ("payload_type", json!("application/vnd.assay.tool+json;v=2")),
        ("payload_digest", json!("sha256:00")),
    ] {
        assert!(matches!(with(member, value), Standing::DoesNotHold(_)), "{member}");
    }
    for (member, value, why) in [
        ("version", json!(2), Malformed::Version),
        ("algorithm", json!("rsa"), Malformed::Algorithm),
        ("signature", json!("AAAA"), Malformed::Signature),
        ("signature", json!("%"), Malformed::Signature),
        ("public_key", json!("AAAA"), Malformed::Key(NoKey::Length(3))),
        ("public_key", json!(1), Malformed::Member("public_key")),
        ("signed_at", json!("yesterday"), Malformed::Member("signed_at")),
        ("key_id", Value::Null, Malformed::Member("key_id")),
    ] {
        assert_eq!(with(member, value), Standing::Malformed(why), "{member}");
    }
    // The digest of the text is right, and the key that would tell is not there.
    assert!(matches!(with("public_key", Value::Null), Standing::NotChecked(_)));
}

#[test]
fn what_the_wrapper_adds_is_left_out_and_said() {
    let mut tool = published();
    tool["tool_identity"] = json!({"server_id": "a", "tool_name": "read_file", "schema_hash": "", "meta_hash": ""});
    let found = ToolSignature::of(&tool, &trusting());
    assert_eq!((found.standing.word(), found.is_wrapped), ("holds-trusted-key", true));
    assert!(found.to_string().ends_with("; without `tool_identity`, which Assay's wrapper adds"));
    tool["title"] = json!("more");
    assert!(matches!(ToolSignature::of(&tool, &trusting()).standing, Standing::DoesNotHold(_)));
    // One that was signed with it is whole.
    let signed = signed(&json!({"name": "a", "tool_identity": {}}), 3);
    assert!(!ToolSignature::of(&signed, &Keyring::default()).is_wrapped);
}

#[test]
fn it_covers_what_no_other_digest_does() {
    let mut tool = published();
    tool["annotations"] = json!({"destructiveHint": false});
    assert!(matches!(ToolSignature::of(&tool, &trusting()).standing, Standing::DoesNotHold(_)));
}

#[test]
fn ambiguous_definition_has_no_valid_signature() {
    let text = jcs(&published()).replacen("{\"description\"", "{\"description\":\"Other\",\"description\"", 1);
    let item = Item::stored(Kind::Tool, Definition::read(text.as_bytes(), 99).unwrap(), &DigestScope::None);
    assert_eq!(ToolSignature::of_item(&item, &trusting()).unwrap().standing, Standing::Malformed(Malformed::Ambiguous));
    let prompt = Item::stored(Kind::Prompt, Definition::from_plain(&published()), &DigestScope::None);
    assert_eq!(ToolSignature::of_item(&prompt, &trusting()), None);
}

#[test]
fn a_key_is_read_in_each_form_and_no_other() {
    let raw = STANDARD.encode(&STANDARD.decode(SPKI).unwrap()[12..]);
    let spki = PublicKey::parse(SPKI).unwrap();
    assert_eq!(spki.id(), KEY);
    for text in [
        raw.clone(),
        format!("-----BEGIN PUBLIC KEY-----\n{SPKI}\n-----END PUBLIC KEY-----\n"),
        format!("-----BEGIN ED25519 PUBLIC KEY-----\r\n{raw}\r\n-----END ED25519 PUBLIC KEY-----"),
    ] {
        assert_eq!(PublicKey::parse(&text).as_ref(), Ok(&spki), "{text}");
    }
    for (text, why) in [
        ("", NoKey::Length(0)),
        ("AAAA", NoKey::Length(3)),
        ("no key", NoKey::Encoding),
        ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----", NoKey::Private),
        ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----", NoKey::Label("CERTIFICATE".into())),
        ("-----BEGIN PUBLIC KEY-----\nAAAA", NoKey::Encoding),
    ] {
        assert_eq!(PublicKey::parse(text), Err(why), "{text}");
    }
    assert_eq!(PublicKey::parse(&STANDARD.encode([1; 44])), Err(NoKey::Algorithm));
    assert_eq!(TrustedKey::parse("a", KEY).unwrap().key, None);
    assert!(TrustedKey::parse("a", "sha256:12").is_err());
}

#[test]
fn known_key_counts_where_it_is_brought_along() {
    let keyring = Keyring { keys: vec![TrustedKey::parse("build", KEY).unwrap()], required: false };
    let mut tool = published();
    assert_eq!(ToolSignature::of(&tool, &keyring).standing, Standing::Trusted("build".to_owned()));
    tool["x-assay-sig"].as_object_mut().unwrap().remove("public_key");
    assert_eq!(ToolSignature::of(&tool, &keyring).standing, Standing::NotChecked(KEY.to_owned()));
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    /// Whatever a server puts there: one of the six, and of another text never one that holds.
    #[test]
    fn no_change_of_the_text_still_holds(at in 0usize..400, put in "[ -~]{1,3}") {
        let text = jcs(&published());
        let mut damaged = text.clone();
        let at = at.min(damaged.len() - 1);
        damaged.replace_range(at..=at, &put);
        if let Ok(reading) = read(damaged.as_bytes(), 99) {
            let found = ToolSignature::of(&reading.value, &Keyring::default());
            let same = |mut tool: Value| {
                tool["x-assay-sig"]["signed_at"] = Value::Null;
                tool
            };
            proptest::prop_assert!(!found.holds() || same(reading.value) == same(published()), "{damaged}");
        }
    }
}
