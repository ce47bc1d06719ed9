//! `pinwatch evidence`: what a definition said when a call of it was allowed, and whether it was approved then.

use super::project::{Project, drifted, two_tools};
use pinwatch::digest::{DefinitionCluster, DigestScope};
use serde_json::{Value, json};
use std::fs;
use std::process::Command;

/// An event of Assay of a call at a time, bound to a definition of `read_file`.
fn event(tool: &Value, scope: &DigestScope, at: &str, decision: &str) -> String {
    let mut data = DefinitionCluster::of(tool, scope).expect("a digest").to_json();
    data["tool"] = tool["name"].clone();
    data["decision"] = decision.into();
    data["reason_code"] = "P_OK".into();
    data["tool_call_id"] = "call-1".into();
    data["arguments"] = json!({"path": "/home/ana/.ssh/id_ed25519"});
    json!({"specversion": "1.0", "id": "evt_decision_1", "type": "assay.tool.decision", "source": "assay://host",
        "subject": "agent-7", "time": at, "data": data})
    .to_string()
}

fn tool(surface: &Value) -> Value {
    let tools = surface["tools"].as_array().expect("tools");
    tools.iter().find(|tool| tool["name"] == "read_file").expect("read_file").clone()
}

/// Approved, then pulled away: the drifted definition is at hand in a snapshot.
fn pulled() -> (Project, Value, Value) {
    let project = Project::with_files();
    project.expect(0, &["record", "--yes"]);
    project.surface("files", &drifted());
    project.run(&["record", "--yes", "--label", "after"]);
    (project, tool(&two_tools()), tool(&drifted()))
}

const LATER: &str = "2100-01-01T00:00:00Z";
const BEFORE: &str = "2001-01-01T00:00:00Z";

#[test]
fn a_rug_pull_names_the_call_and_shows_the_text() {
    let (project, good, bad) = pulled();
    project.write("ok.jsonl", &event(&good, &DigestScope::None, LATER, "allow"));
    let said = project.expect(0, &["evidence", "ok.jsonl"]).out;
    assert!(said.contains("agent-7") && said.contains("allowed") && said.contains("by ana"), "{said}");
    assert!(!said.contains(".ssh"), "{said}");

    let log = format!(
        "{}\n{}\n",
        event(&good, &DigestScope::None, LATER, "allow"),
        event(&bad, &DigestScope::None, LATER, "allow")
    );
    project.write("log.jsonl", &log);
    let said = project.expect(1, &["evidence", "log.jsonl"]).out;
    assert!(said.contains("log.jsonl:2: `read_file` was allowed on a definition that was not approved"), "{said}");
    assert!(said.contains("send a copy to the archive"), "{said}");
    let json = project.expect(1, &["evidence", "log.jsonl", "--format", "json"]).out;
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let states: Vec<_> =
        json["calls"].as_array().expect("calls").iter().map(|call| &call["definition"]["state"]).collect();
    assert_eq!(states, ["approved", "never"]);
    // What was denied is nobody's fault.
    project.write("denied.jsonl", &event(&bad, &DigestScope::None, LATER, "deny"));
    project.expect(0, &["evidence", "denied.jsonl"]);
    // Approved afterwards, it was not approved then.
    let report = project.run(&["check", "--yes", "--format", "json"]).out;
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let digest = report["servers"][0]["drifts"][0]["digests"]["surface"]["now"].as_str().expect("a digest");
    project.expect(0, &["approve", "--yes", "files", "tool/read_file", "--expect", digest]);
    project.expect(0, &["evidence", "--", "denied.jsonl"]);
    project.write("new.jsonl", &event(&bad, &DigestScope::None, LATER, "allow"));
    project.expect(0, &["evidence", "new.jsonl"]);
    project.write("old.jsonl", &event(&good, &DigestScope::None, LATER, "allow"));
    project.expect(1, &["evidence", "old.jsonl"]);
}

/// A digest of Assay's covers no annotations: a tool that became destructive has the one of the approved tool.
#[test]
fn what_a_digest_does_not_cover_is_not_approved() {
    let project = Project::with_files();
    project.expect(0, &["record", "--yes"]);
    project.write("log.jsonl", &event(&tool(&two_tools()), &DigestScope::None, LATER, "allow"));
    project.expect(0, &["evidence", "log.jsonl"]);
    let mut surface = two_tools();
    for tool in surface["tools"].as_array_mut().expect("tools") {
        tool["annotations"] = json!({"destructiveHint": true});
    }
    project.surface("files", &surface);
    project.run(&["record", "--yes", "--label", "after"]);
    let said = project.expect(2, &["evidence", "log.jsonl"]).out;
    assert!(
        said.contains("unknown: its digest is of several definitions, and not all of them were approved"),
        "{said}"
    );
}

/// Logs that the config names need not be named again, nor what they call a server.
#[test]
fn the_config_names_the_logs() {
    let (project, good, _) = pulled();
    let none = project.expect(2, &["evidence"]).err;
    assert!(none.contains("no log is named"), "{none}");
    let with = |section: &str| project.write("pinwatch.toml", &format!("{section}{}", Project::entry("files", &[])));
    with("[evidence]\nfiles = [\"log.jsonl\"]\n[evidence.server-ids]\nfilesystem = \"files\"\n");
    let missing = project.expect(2, &["evidence"]).err;
    assert!(missing.contains("log.jsonl"), "{missing}");
    project.write("log.jsonl", &event(&good, &DigestScope::Server("filesystem".into()), LATER, "allow"));
    project.expect(0, &["evidence"]);
    with("[evidence]\nfile = \"log.jsonl\"\n");
    let refused = project.expect(2, &["check", "--yes"]).err;
    assert!(refused.contains("did you mean `files`?"), "{refused}");
}

#[test]
fn a_scoped_digest_is_found_by_its_server() {
    let (project, good, _) = pulled();
    let scope = DigestScope::Server("filesystem".into());
    project.write("log.jsonl", &event(&good, &scope, LATER, "allow"));
    let said = project.expect(2, &["evidence", "log.jsonl"]).out;
    assert!(said.contains("unknown: no definition at hand has this digest"), "{said}");
    project.expect(0, &["evidence", "log.jsonl", "--server-id", "filesystem=files"]);
    project.expect(2, &["evidence", "log.jsonl", "--server-id", "filesystem=nobody"]);
    project.write("log.jsonl", &event(&good, &DigestScope::Server("default-mcp-server".into()), LATER, "allow"));
    project.expect(0, &["evidence", "log.jsonl"]);
}

#[test]
fn what_no_history_reaches_is_unknown() {
    let (project, good, _) = pulled();
    project.write("log.jsonl", &event(&good, &DigestScope::None, BEFORE, "allow"));
    let said = project.expect(2, &["evidence", "log.jsonl"]).out;
    assert!(said.contains("unknown: no history reaches back to that time"), "{said}");
    // A log that does not hold says nothing.
    project.write("log.jsonl", &event(&good, &DigestScope::None, LATER, "allow"));
    let log = project.home().join("state/pinwatch/audit.jsonl");
    let text = fs::read_to_string(&log).expect("the log");
    fs::write(&log, text.replacen(r#""by":"ana""#, r#""by":"bob""#, 1)).expect("written");
    let said = project.expect(2, &["evidence", "log.jsonl"]).out;
    assert!(said.contains("the log is not used: its record 1 does not hold"), "{said}");
}

#[test]
fn the_history_in_git_answers_for_other_machines() {
    let (project, good, bad) = pulled();
    let git = |words: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=ana", "-c", "user.email=ana@example.com"]).args(words);
        command
            .current_dir(project.path(""))
            .env("HOME", project.home())
            .env("GIT_COMMITTER_DATE", "2020-01-01T00:00:00Z");
        assert!(command.status().expect("git runs").success(), "{words:?}");
    };
    git(&["init", "-q", "-b", "main"]);
    git(&["add", "snapshots"]);
    git(&["commit", "-qm", "merged"]);
    fs::remove_file(project.home().join("state/pinwatch/audit.jsonl")).expect("removed");
    project.write("log.jsonl", &event(&good, &DigestScope::None, LATER, "allow"));
    let said = project.expect(0, &["evidence", "log.jsonl"]).out;
    assert!(said.contains("by ana"), "{said}");
    project.write("log.jsonl", &event(&bad, &DigestScope::None, LATER, "allow"));
    project.expect(1, &["evidence", "log.jsonl"]);
}

#[test]
fn a_line_without_a_digest_is_never_fine() {
    let (project, ..) = pulled();
    let events: Value =
        serde_json::from_str(include_str!("../data/vectors/capiscio/events.DERIVED.json")).expect("the vectors");
    project.write("log.jsonl", &events["as_emitted_by_capiscio_core_HEAD"].to_string());
    let said = project.expect(2, &["evidence", "log.jsonl"]).out;
    assert!(said.contains("did:web:registry.capisc.io:agents:my-agent") && said.contains("not visible"), "{said}");
    let lower = events["spec_conformant"].to_string().replace("DENY", "deny");
    project.write("log.jsonl", &lower);
    let said = project.expect(2, &["evidence", "log.jsonl"]).out;
    assert!(said.contains("log.jsonl:1: `capiscio.decision` must be ALLOW or DENY"), "{said}");
}

#[test]
fn hostile_logs_end_in_a_named_fault() {
    let (project, good, _) = pulled();
    let deep = "[".repeat(100_000);
    let twice = r#"{"type":"assay.tool.decision","type":"x"}"#;
    let shown = event(&good, &DigestScope::None, LATER, "allow").replace("agent-7", "\\u001b]0;x\\u0007\\u202e");
    for line in [deep.as_str(), twice, "\0", "{}", "[]", "{\"type\":\"assay.tool.decision\"}"] {
        project.write("log.jsonl", line);
        let said = project.expect(2, &["evidence", "log.jsonl"]).out;
        assert!(said.contains("log.jsonl:1: "), "{said}");
    }
    project.write("log.jsonl", &shown);
    let said = project.expect(0, &["evidence", "log.jsonl"]).out;
    assert!(said.contains("<U+001B>]0;x<U+0007><U+202E>") && !said.contains('\u{1b}'), "{said}");
}
