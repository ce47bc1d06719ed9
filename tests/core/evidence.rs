//! Lines of other systems' logs of calls: what is read of them, and what is refused by name.

use crate::data;
use pinwatch::interop::call::Verdict;
use pinwatch::interop::{assay, capiscio};
use serde_json::{Value, json};
use std::fs;

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
