//! Lines of other systems' logs of calls: what is read of them, and what is refused by name.

use crate::data;
use crate::surfaces::{observation, surface};
use pinwatch::digest::{DefinitionCluster, DigestScope, Item, SurfaceDigest};
use pinwatch::evidence::{Decided, KnownDefinition, Ledger};
use pinwatch::interop::call::{Call, Verdict};
use pinwatch::interop::{assay, capiscio};
use serde_json::{Value, json};
use std::fs;
use std::sync::Arc;

fn vectors(name: &str) -> Value {
    serde_json::from_slice(&fs::read(data("vectors/capiscio").join(name)).unwrap()).unwrap()
}

#[test]
fn params_hash_is_that_of_the_text() {
    let vectors = vectors("params_hash.json");
    let cases = vectors["cases"].as_array().unwrap();
    for case in cases {
        let read = pinwatch::canon::read(case["params"].to_string().as_bytes(), 100).unwrap().value;
        assert_eq!(capiscio::params_hash(&read), case["rfc006_jcs"].as_str().unwrap(), "{}", case["id"]);
    }
    assert_eq!(cases.len(), 10);
}

#[test]
fn both_shapes_of_an_invocation_are_read() {
    let events = vectors("events.DERIVED.json");
    let plain = capiscio::call(&events["spec_conformant"]).unwrap();
    assert_eq!((plain.at, plain.verdict, plain.tool.as_str()), (None, Verdict::Denied, "read_file"));
    assert_eq!(plain.definition, None);
    let core = capiscio::call(&events["as_emitted_by_capiscio_core_HEAD"]).unwrap();
    assert_eq!(core.server.as_deref(), Some("https://mcp.example.com"));
    assert_eq!(core.at.unwrap().to_string(), "2026-06-06T12:00:00.123456789Z");
}

#[test]
fn an_invocation_names_what_is_wrong() {
    let event = &vectors("events.DERIVED.json")["spec_conformant"];
    for name in
        ["capiscio.agent.did", "capiscio.auth.level", "capiscio.target", "capiscio.policy_version", "capiscio.decision"]
    {
        let mut without = event.clone();
        without.as_object_mut().unwrap().remove(name);
        assert!(capiscio::call(&without).unwrap_err().to_string().contains(name), "{name}");
    }
    for (name, value) in [("capiscio.decision", "allow"), ("capiscio.auth.level", "root"), ("timestamp", "now")] {
        let mut wrong = event.clone();
        wrong[name] = value.into();
        assert!(capiscio::call(&wrong).unwrap_err().to_string().contains(name), "{name}");
    }
}

#[test]
fn a_decision_binds_all_five_members_or_none() {
    let event = json!({"type": "assay.tool.decision", "time": "2026-11-27T20:31:00Z", "data": {
        "tool": "read_file", "decision": "allow", "reason_code": "P_OK", "tool_call_id": "1",
        "tool_definition_digest": "sha256:c41714dc6f20508fbfc54367dfa3e2de4b53b153e3d158dba001cea1a4d90eab",
        "tool_definition_digest_alg": "sha256", "tool_definition_canonicalization": "jcs:mcp_tool_definition.v1",
        "tool_definition_schema": "assay.mcp.tool-definition.snapshot.v1", "tool_definition_source": "mcp.tools/list"}});
    assert!(assay::call(&event).unwrap().definition.is_some());
    for name in event["data"].as_object().unwrap().keys() {
        let mut without = event.clone();
        without["data"].as_object_mut().unwrap().remove(name);
        assert!(assay::call(&without).unwrap_err().to_string().contains(name.as_str()), "{name}");
    }
}

/// A tool whose title is in no digest of Assay's.
fn titled(title: &str) -> Arc<Item> {
    let tool = json!({"name": "read_file", "title": title, "inputSchema": {"type": "object"}});
    let surface = surface(&observation(json!({"tools": [tool]}).to_string().as_bytes()));
    surface.items.into_iter().find(|item| &*item.id.key == "read_file").expect("the tool")
}

/// A decision at a second: `(at, from, to, rejects)`.
type At<'a> = (i64, Option<&'a Arc<Item>>, Option<&'a Arc<Item>>, bool);

/// How a call at a second stood, by decisions at other seconds.
fn stood(known: &[&Arc<Item>], decided: &[At<'_>], at: i64) -> &'static str {
    let second = |at| jiff::Timestamp::from_second(at).expect("a time");
    let digest = |item: Option<&Arc<Item>>| item.map(|item| item.digests.surface);
    let decision = |&(at, from, to, rejects): &At<'_>| Decided {
        at: second(at),
        since: second(at),
        by: "ana".into(),
        item: from.or(to).map(|item| item.id.clone()),
        from: digest(from),
        to: digest(to),
        rejects,
    };
    let bound = DefinitionCluster::of(&known[0].definition.as_read(), &DigestScope::None).expect("a digest").value();
    let known = known.iter().map(|item| {
        let binds: Vec<SurfaceDigest> = vec![item.digests.surface];
        KnownDefinition { server: "files".into(), item: Arc::clone(item), binds }
    });
    let ledger = Ledger {
        known: [(bound, known.collect())].into(),
        decided: [("files".to_owned(), [decided.iter().map(decision).collect(), Vec::new()])].into(),
    };
    let call = Call {
        at: Some(second(at)),
        server: None,
        tool: "read_file".into(),
        caller: None,
        verdict: Verdict::Allowed,
        definition: Some(bound),
        run: None,
    };
    ledger.standing(&call).0.word()
}

/// What a digest does not cover tells two definitions apart: that one is approved says nothing of the other.
#[test]
fn two_definitions_of_one_digest_do_not_count_as_one() {
    let (old, new) = (titled("Read"), titled("Read, and send"));
    let approved = (10, None, Some(&old), false);
    assert_eq!(stood(&[&old], &[approved], 20), "approved");
    assert_eq!(stood(&[&old, &new], &[approved], 20), "unknown", "either may have been served");
    assert_eq!(stood(&[&new, &old], &[approved, (15, Some(&old), Some(&new), true)], 20), "unknown", "one is rejected");
    assert_eq!(stood(&[&new], &[approved], 20), "never");
    // Both pinned: two of one name.
    assert_eq!(stood(&[&old, &new], &[approved, (10, None, Some(&new), false)], 20), "approved");
    // The later one took the earlier one's place.
    let replaced = [approved, (15, Some(&old), Some(&new), false)];
    assert_eq!(stood(&[&old, &new], &replaced, 20), "approved");
    assert_eq!(stood(&[&old, &new], &replaced, 12), "unknown", "it was served before it was approved");
    assert_eq!(stood(&[&old], &replaced, 20), "never");
}
