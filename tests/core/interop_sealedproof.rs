//! SealedProof's statements: equal to the vector, and refused in another meaning.

use crate::data;
use pinwatch::digest::{DefinitionCluster, DigestScope, Sha256};
use pinwatch::interop::call::{Ground, Ruled, Verdict};
use pinwatch::interop::sealedproof::{
    Bound, Ended, Fault, bound, call, digest, key_of, raw_hasher, signed, statement, verify,
};
use pinwatch::interop::{assay, capiscio};
use pinwatch::signature::{PublicKey, SigningKey};
use serde_json::{Value, json};
use std::fs;

fn vector() -> Value {
    let file = data("vectors/sealedproof/toolcall_statement.DERIVED.json");
    serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
}

fn key() -> SigningKey {
    SigningKey::from_seed(&[0x11; 32]).unwrap()
}

const STATEMENT: &str = "SPv1|statement|attest|sp.ietf.sha256.ed25519.v1|";
const OTHER: &str = "SPv1|manifest|anchor|sp.ietf.sha256.ed25519.v1|";

#[test]
fn digest_and_signature_are_those_of_the_vector() {
    let vector = vector();
    let own = &vector["labels"][STATEMENT];
    assert_eq!(digest(&vector["statement"]).unwrap().to_string(), own["sha256_hex"].as_str().unwrap());
    let (made, hash) = signed(vector["statement"].clone(), &key()).unwrap();
    assert_eq!(made["signatures"][0]["sig"], own["ed25519_sig_b64"]);
    assert_eq!(hash.to_string(), own["sha256_hex"].as_str().unwrap());
    let public = PublicKey::parse(vector["public_key_raw_b64"].as_str().unwrap()).unwrap();
    assert_eq!(key().public(), &public);
    assert_eq!(key_of(&made), Some(public.id().as_str()));
    assert_eq!(verify(&made, &public), Ok(()));
    // A signature of the same text in another meaning is none of it.
    let mut other = made.clone();
    other["signatures"][0]["sig"] = vector["labels"][OTHER]["ed25519_sig_b64"].clone();
    assert_eq!(verify(&other, &public), Err(Fault::Signature));
    let mut edited = made.clone();
    edited["tool"]["version"] = "1.2.4".into();
    assert_eq!(verify(&edited, &public), Err(Fault::Signature));
    let mut unknown = made;
    unknown["suite_id"] = "sp.ietf.sha256.ed25519.v2".into();
    assert_eq!(verify(&unknown, &public), Err(Fault::Suite));
}

#[test]
fn values_are_bound_in_their_own_domain() {
    let vector = vector();
    let text = vector["statement"].to_string();
    let json = bound(text.as_bytes());
    assert_eq!(
        json.digest.to_string(),
        vector["labels"]["SPv1|digest|json|sp.ietf.sha256.ed25519.v1|"]["sha256_hex"].as_str().unwrap()
    );
    assert!(json.canonical && json.fault.is_none());
    let mut raw = raw_hasher();
    raw.update(vector["canonical"].as_str().unwrap().as_bytes());
    assert_eq!(
        raw.done().to_string(),
        vector["labels"]["SPv1|digest|file|sp.ietf.sha256.ed25519.v1|"]["sha256_hex"].as_str().unwrap()
    );
    let reference = &vector["jcs_reference_vector_7_1"];
    let label = "SPv1|digest|json|sp.ietf.sha256.ed25519.v1|".to_owned();
    assert_eq!(
        bound(reference["input"].as_str().unwrap().as_bytes()).digest,
        Sha256::of(label + reference["canonical"].as_str().unwrap())
    );
    for (text, code) in [
        (&br#"{"a":1,"a":2}"#[..], "SP-JCS-001"),
        (br#"["\ud800"]"#, "SP-JCS-010"),
        (b"[1e999]", "SP-JCS-020"),
        (b"[\"\xff\"]", "SP-JCS-050"),
        (b"[1", "E210"),
    ] {
        let found = bound(text);
        assert_eq!((found.fault, found.canonical), (Some(code), false));
    }
    // RFC 8785 writes the double of it.
    assert!(bound(b"[9007199254740993]").canonical);
}

fn tool() -> Value {
    json!({"name": "read_file", "description": "Read a file", "inputSchema": {"type": "object"}})
}

fn ruled(definition: Option<DefinitionCluster>) -> Ruled<'static> {
    Ruled {
        at: "2026-02-15T10:00:00.000Z",
        server: "filesystem",
        tool: "read_file",
        run: "0123456789abcdef0123456789abcdef",
        span: "0000000000000007",
        passes: true,
        ground: Ground::Approved,
        policy: "sha256:aa",
        definition,
    }
}

fn definition() -> DefinitionCluster {
    DefinitionCluster::of(&tool(), &DigestScope::None).unwrap()
}

/// Whatever the vector has is there, and of the same type.
fn covers(made: &Value, wanted: &Value, path: &str) {
    match (made, wanted) {
        (Value::Object(made), Value::Object(wanted)) => {
            for (name, value) in wanted {
                let found = made.get(name).unwrap_or_else(|| panic!("{path}/{name} is missing"));
                covers(found, value, &format!("{path}/{name}"));
            }
        }
        (Value::String(_), Value::String(_)) => {}
        _ => panic!("{path} is of another type"),
    }
}

#[test]
fn a_statement_has_the_members_of_the_vector() {
    let vector = vector();
    let made = statement(
        &ruled(Some(definition())),
        Some("1.2.3"),
        &bound(b"{}"),
        (Ended::Result, "2026-02-15T10:00:01.000Z", Some(&Bound::raw(raw_hasher().done()))),
        Some(Sha256::of("before")),
    );
    covers(&made, &vector["statement"], "");
    for same in [
        "/statementType",
        "/statementVersion",
        "/suite_id",
        "/tool/name",
        "/tool/version",
        "/tool/server_id",
        "/input/disclosure",
    ] {
        assert_eq!(made.pointer(same), vector["statement"].pointer(same), "{same}");
    }
    for (name, member) in [("pack", "issuedAt"), ("pack", "subject"), ("pack", "claims"), ("chain", "chain")] {
        assert!(made.get(member).is_some(), "{name} {member}");
    }
    assert_eq!(made["output"]["canonicalization"], "raw");
    let read = call(&made).unwrap();
    assert_eq!(
        (read.tool.as_str(), read.server.as_deref(), read.verdict),
        ("read_file", Some("filesystem"), Verdict::Allowed)
    );
    assert_eq!(read.definition, Some(definition().value()));
    assert_eq!(read.run.as_deref(), Some(ruled(None).run));
    // The vector itself is read, too: it binds no definition.
    let read = call(&vector["statement"]).unwrap();
    assert_eq!((read.tool.as_str(), read.definition), ("read_file", None));
    for name in ["evidence_id", "tool", "timestamp", "input", "actor"] {
        let mut without = made.clone();
        without.as_object_mut().unwrap().remove(name);
        assert!(call(&without).unwrap_err().to_string().contains(name), "{name}");
    }
}

/// Each format reads back what it wrote, with the whole cluster or none.
#[test]
fn what_is_written_is_read_back() {
    for bound_to in [Some(definition()), None] {
        for (passes, ground) in [(true, Ground::Approved), (false, Ground::Changed), (false, Ground::NotListed)] {
            let ruled = Ruled { passes, ground, ..ruled(bound_to) };
            let assay = assay::event(&ruled, "6c1b8f0e-0000-4000-8000-000000000002");
            let capiscio = capiscio::event(&ruled, Some("sha256:x"), "6c1b8f0e-0000-4000-8000-000000000002");
            let sealed = statement(&ruled, None, &bound(b"{}"), (Ended::Denied, ruled.at, None), None);
            for (read, part) in [
                (assay::call(&assay).unwrap(), &assay["data"]),
                (capiscio::call(&capiscio).unwrap(), &capiscio),
                (call(&sealed).unwrap(), &sealed["claims"]),
            ] {
                assert_eq!(read.at.unwrap().to_string(), "2026-02-15T10:00:00Z");
                assert_eq!((read.tool.as_str(), read.server.as_deref()), ("read_file", Some("filesystem")));
                assert_eq!(read.verdict, if passes { Verdict::Allowed } else { Verdict::Denied });
                assert_eq!(read.definition, bound_to.map(|one| one.value()));
                assert_eq!(read.run.as_deref(), Some(ruled.run));
                let members = part.as_object().unwrap();
                let cluster = members.keys().filter(|name| name.starts_with("tool_definition_")).count();
                assert_eq!(cluster, if bound_to.is_some() { 5 } else { 0 });
                assert!(members.values().all(|value| !value.is_null()));
            }
        }
    }
}

#[test]
fn invocations_are_valid_under_both_schemas() {
    for version in ["v0.3", "v0.4"] {
        let file = data("vectors/capiscio").join(format!("rfc-006.tool-invocation.{version}.schema.json"));
        let schema: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        for (passes, ground) in [(true, Ground::Approved), (false, Ground::Changed), (false, Ground::NotAdmitted)] {
            let ruled = Ruled { passes, ground, ..ruled(Some(definition())) };
            let event = capiscio::event(&ruled, Some("sha256:x"), "id");
            assert!(validator.is_valid(&event), "{version}: {event:#}");
            assert_eq!(event["capiscio.agent.did"], "");
            assert_eq!(event.get("capiscio.deny_reason").is_some(), !passes);
        }
    }
}

#[test]
fn a_signing_key_reads_the_file_it_wrote() {
    let pem = SigningKey::pem(&[0x11; 32]);
    let read = SigningKey::parse(&pem).unwrap();
    assert_eq!(read.public(), key().public());
    assert_eq!(PublicKey::parse(&read.public().pem()).unwrap(), *key().public());
    assert!(!format!("{read:?}").contains("17, 17"), "{read:?}");
    for wrong in ["", "x", &pem.replace("PRIVATE", "PUBLIC"), &pem.replace("MC4CAQ", "MC4CAg")] {
        assert!(SigningKey::parse(wrong).is_err(), "{wrong}");
    }
}
