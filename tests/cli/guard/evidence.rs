//! The evidence that a guard writes of calls: a line a call, digests alone, bound by the audit log.

use super::*;
use pinwatch::digest::Sha256;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

/// Stands in arguments and results, and nowhere else.
const CANARY: &str = "c4n4ry-Zq8wLmT4xVb2sRc1";

const FORMATS: [&str; 3] = ["assay", "capiscio", "sealedproof"];

/// A guarded server that answers with the canary, and a key for statements.
fn sealing() -> (Project, Vec<String>) {
    let (project, server) = answering();
    let answer =
        format!(r#"{{"jsonrpc":"2.0","id":$ID,"result":{{"content":[{{"type":"text","text":"{CANARY}"}}]}}}}"#);
    project.write("calls", &format!("say tools/call {answer}\\n\n"));
    let config = project.read("pinwatch.toml");
    project.write("pinwatch.toml", &format!("{config}\n[evidence]\nsigning-key = \"keys/evidence.key\"\n"));
    project.expect(0, &["evidence", "keygen"]);
    (project, server)
}

fn wanted(strict: bool) -> Vec<&'static str> {
    let mut words = vec![
        "--evidence",
        "assay=assay.jsonl",
        "--evidence",
        "capiscio=capiscio.jsonl",
        "--evidence",
        "sealedproof=sealedproof.jsonl",
    ];
    words.extend(strict.then_some("--strict-evidence"));
    words
}

fn lines(project: &Project, format: &str) -> Vec<Value> {
    let text = project.read(&format!("{format}.jsonl"));
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

fn call(client: &mut Client, name: &str) -> Value {
    client.ask("tools/call", &json!({"name": name, "arguments": {"token": CANARY, "n": [1, "é"]}}))
}

/// The records of calls in this machine's log.
fn records(project: &Project) -> Vec<Value> {
    let log = fs::read_to_string(project.home().join("state/pinwatch/audit.jsonl")).unwrap();
    let records = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    records.filter(|record| record["event_type"] == "calls_guarded").collect()
}

/// A session with a rug pull: one call that passes, one of a changed tool, one of another that passes.
fn rug_pull(project: &Project, server: &[String]) {
    let mut client = Client::open(project, &wanted(true), server);
    assert_eq!(client.ask("tools/list", &json!({}))["result"]["tools"].as_array().unwrap().len(), 2);
    let answer = call(&mut client, "read_file");
    assert!(answer["result"].to_string().contains(CANARY), "{answer}");
    project.surface("files", &drifted());
    client.hears("notifications/tools/list_changed");
    assert_eq!(call(&mut client, "read_file")["error"]["data"]["pinwatch"]["state"], "changed");
    assert!(call(&mut client, "list_files")["result"].is_object());
    assert_eq!(client.close(), 0);
}

/// No file of this test holds the canary but the one that the server reads it from.
fn holds_no_canary(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            holds_no_canary(&path);
        } else if path.file_name().is_some_and(|name| name != "calls") {
            let bytes = fs::read(&path).unwrap_or_default();
            assert!(!String::from_utf8_lossy(&bytes).contains(CANARY), "{}", path.display());
        }
    }
}

#[test]
fn a_rug_pull_is_allowed_before_and_denied_after() {
    let (project, server) = sealing();
    rug_pull(&project, &server);
    let (assay, capiscio, sealed) =
        (lines(&project, "assay"), lines(&project, "capiscio"), lines(&project, "sealedproof"));
    let told = |lines: &[Value], pointer: &str| -> Vec<String> {
        lines.iter().map(|line| line.pointer(pointer).unwrap_or(&Value::Null).to_string().replace('"', "")).collect()
    };
    assert_eq!(told(&assay, "/data/decision"), ["allow", "deny", "allow"]);
    assert_eq!(told(&assay, "/data/reason_code"), ["P_POLICY_ALLOW", "P_TOOL_DRIFT", "P_POLICY_ALLOW"]);
    assert_eq!(told(&capiscio, "/capiscio.decision"), ["ALLOW", "DENY", "ALLOW"]);
    assert_eq!(told(&sealed, "/claims/ended"), ["result", "denied", "result"]);
    assert_eq!(told(&sealed, "/tool/version")[0], "1.0.0", "as the server says");
    // One run, in which each call has one number in every format.
    let spans = told(&sealed, "/trace/span_id");
    assert_eq!(spans, ["0000000000000001", "0000000000000002", "0000000000000003"]);
    assert_eq!(told(&capiscio, "/span_id"), spans);
    assert_eq!(told(&capiscio, "/trace_id"), told(&sealed, "/trace/trace_id"));
    let expected = pinwatch::interop::capiscio::params_hash(&json!({"token": CANARY, "n": [1, "é"]}));
    assert!(told(&capiscio, "/capiscio.tool.params_hash").iter().all(|hash| *hash == expected));
    // Each is bound to the definition that it was decided by, in all formats the same.
    let bound = told(&assay, "/data/tool_definition_digest");
    assert_eq!(told(&capiscio, "/tool_definition_digest"), bound);
    assert_eq!(told(&sealed, "/claims/tool_definition_digest"), bound);
    assert_ne!(bound[0], bound[1]);
    holds_no_canary(project.whole());

    // What the guard wrote and what is read of it agree.
    project.run(&["record", "--yes", "--label", "after"]);
    for format in FORMATS {
        let file = format!("{format}.jsonl");
        let report = project.expect(0, &["evidence", &file, "--format", "json"]);
        let report: Value = serde_json::from_str(&report.out).unwrap();
        let calls = report["calls"].as_array().unwrap();
        let words: Vec<_> =
            calls.iter().map(|call| format!("{} {}", call["decision"], call["definition"]["state"])).collect();
        assert_eq!(words, ["\"allowed\" \"approved\"", "\"denied\" \"never\"", "\"allowed\" \"approved\""], "{format}");
        assert_eq!(report["problems"], json!([]), "{format}");
        assert!(calls.iter().all(|call| call["server"] == "files"));
    }
}

#[test]
fn the_audit_log_binds_the_lines() {
    let (project, server) = sealing();
    rug_pull(&project, &server);
    project.run(&["record", "--yes", "--label", "after"]);
    let records = records(&project);
    assert_eq!(records.len(), 1, "one a session, as few calls as these");
    let evidence = &records[0]["evidence"];
    assert_eq!((&evidence["passed"], &evidence["denied"], &evidence["unwritten"]), (&json!(2), &json!(1), &json!(0)));
    for (at, format) in FORMATS.iter().enumerate() {
        let text = project.read(&format!("{format}.jsonl"));
        let digest = format!("sha256:{}", Sha256::of(&text));
        assert_eq!((&evidence["lines"][at]["digest"], &evidence["lines"][at]["count"]), (&json!(digest), &json!(3)));
        // One that is gone, one that was edited, one that came in.
        let all: Vec<_> = text.lines().collect();
        let name = format!("{format}.jsonl");
        for (edited, said) in [
            (all[..2].join("\n"), "lines of "),
            (text.replacen("000003", "000009", 1), "are not those that the audit log binds"),
            (format!("{}\n{text}", all[0]), "are not those that the audit log binds"),
        ] {
            project.write(&name, &edited);
            let told = project.expect(2, &["evidence", &name]).out;
            assert!(told.contains(said), "{format}: {told}");
        }
        project.write(&name, &text);
        project.expect(0, &["evidence", &name]);
        // All of it gone is noticed as well.
        let (own, other) = (project.path(&name), project.path("away"));
        fs::rename(&own, &other).unwrap();
        project.write(&name, "");
        let told = project.expect(2, &["evidence", &name]).out;
        assert!(told.contains("and 0 are here"), "{told}");
        fs::rename(other, own).unwrap();
    }
    project.expect(0, &["audit", "verify"]);
    // Without a record of them, statements still hold each other.
    fs::remove_file(project.home().join("state/pinwatch/audit.jsonl")).unwrap();
    let text = project.read("sealedproof.jsonl");
    project.write("sealedproof.jsonl", &text.lines().skip(1).collect::<Vec<_>>().join("\n"));
    assert!(project.run(&["evidence", "sealedproof.jsonl"]).out.contains("(E401)"));
    project.write("sealedproof.jsonl", &text.replacen("\"allow\"", "\"allou\"", 1).replacen("allou", "allow", 0));
    assert!(project.run(&["evidence", "sealedproof.jsonl"]).out.contains("must be allow or deny"));
    project.write("sealedproof.jsonl", &text.replacen("\"result\"", "\"error\"", 1));
    assert!(project.run(&["evidence", "sealedproof.jsonl"]).out.contains("(E201)"));
}

#[test]
fn another_program_verifies_the_statements() {
    if !Command::new("python3").arg("--version").output().is_ok_and(|done| done.status.success()) {
        crate::needs::skipped("another_program_verifies_the_statements", "python3 is not there");
        return;
    }
    let (project, server) = sealing();
    rug_pull(&project, &server);
    let public = project.run(&["evidence", "keygen", "keys/other.key"]);
    assert_eq!(public.code, 0, "{public:#?}");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/verify_statements.py");
    let pem = project.read("keys/evidence.key");
    let verify = |file: &str| {
        let mut python = Command::new("python3");
        python.arg(&script).arg(project.path(file)).env("SEED_PEM", &pem);
        let done = python.output().expect("python runs");
        (
            done.status.code(),
            String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr),
        )
    };
    assert_eq!(verify("sealedproof.jsonl"), (Some(0), "3 hold\n".to_owned()));
    let text = project.read("sealedproof.jsonl");
    project.write("edited.jsonl", &text.replacen("\"denied\"", "\"result\"", 1));
    assert_eq!(verify("edited.jsonl").0, Some(1));
}

#[test]
fn a_long_result_is_bound_by_its_bytes() {
    let (project, server) = sealing();
    let value = format!("{{\"content\":[{{\"type\":\"text\",\"text\":\"{}\"}}] }}", "x\\u0041é".repeat(300_000));
    let answer = format!("{{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\": {value}}}");
    project.write("calls", &format!("say tools/call {}\\n\n", answer.replace('\\', "\\\\")));
    let mut client = Client::open(&project, &wanted(false), &server);
    assert!(client.call("read_file")["result"].is_object());
    assert_eq!(client.close(), 0);
    let line = &lines(&project, "sealedproof")[0];
    let digest = Sha256::of(format!("SPv1|digest|file|sp.ietf.sha256.ed25519.v1|{value}"));
    assert_eq!(
        line["output"],
        json!({"canonicalization": "raw", "digest": format!("sha256:{digest}"), "disclosure": "none"})
    );
}

/// Whether a file may be written to: a folder may not.
fn block(project: &Project, file: &str, is_blocked: bool) {
    let path = project.path(file);
    if is_blocked {
        let _ = fs::rename(&path, project.path("away"));
        fs::create_dir(&path).unwrap();
    } else {
        fs::remove_dir(&path).unwrap();
        fs::rename(project.path("away"), &path).unwrap();
    }
}

#[test]
fn a_write_that_fails_denies_where_it_is_strict() {
    for blocked in ["assay.jsonl", "capiscio.jsonl", "sealedproof.jsonl"] {
        let (project, server) = sealing();
        let mut client = Client::open(&project, &wanted(true), &server);
        assert!(call(&mut client, "read_file")["result"].is_object());
        block(&project, blocked, true);
        let refused = call(&mut client, "read_file");
        assert_eq!(refused["error"]["data"]["pinwatch"]["state"], "no_evidence", "{refused}");
        assert!(refused["error"]["message"].as_str().unwrap().contains(blocked), "{refused}");
        assert_eq!(asked(&project, "tools/call"), 1, "{blocked}");
        block(&project, blocked, false);
        assert!(call(&mut client, "read_file")["result"].is_object(), "{blocked}");
        assert_eq!(client.close(), 0);
        let evidence = records(&project).last().unwrap()["evidence"].clone();
        assert_eq!((&evidence["passed"], &evidence["denied"]), (&json!(2), &json!(1)));
        let other = if blocked == "assay.jsonl" { "capiscio.jsonl" } else { "assay.jsonl" };
        assert_eq!(project.read(other).lines().count(), 3);
        project.expect(0, &["evidence", other]);
    }
}

#[test]
fn a_write_that_fails_is_else_counted_and_told() {
    let (project, server) = sealing();
    let mut client = Client::open(&project, &wanted(false), &server);
    block(&project, "capiscio.jsonl", true);
    for _ in 0..3 {
        assert!(call(&mut client, "read_file")["result"].is_object());
    }
    block(&project, "capiscio.jsonl", false);
    assert!(call(&mut client, "read_file")["result"].is_object());
    assert_eq!(client.close(), 0);
    let said = fs::read_to_string(project.home().join("guard.err")).unwrap();
    assert!(said.contains("3 times: evidence cannot be written: ") && said.contains("capiscio.jsonl: "), "{said}");
    assert_eq!(records(&project).last().unwrap()["evidence"]["unwritten"], 3);
    assert_eq!((lines(&project, "capiscio").len(), lines(&project, "sealedproof").len()), (1, 4));
}

#[test]
fn without_its_key_a_strict_guard_passes_nothing() {
    let (project, server) = sealing();
    let key = project.path("keys/evidence.key");
    fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).unwrap();
    let mut client = Client::open(&project, &wanted(true), &server);
    let said = call(&mut client, "read_file")["error"]["message"].as_str().unwrap().to_owned();
    assert!(said.contains("can be read by others (mode 644): make it 600"), "{said}");
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    assert!(call(&mut client, "read_file")["result"].is_object());
    // Arguments that cannot be bound do not pass either.
    client.say(
        r#"{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"read_file","arguments":{"a":1,"a":2}}}"#,
    );
    let refused = client.line().unwrap();
    assert!(refused.contains("its arguments have no canonical form (SP-JCS-001)"), "{refused}");
    assert_eq!(asked(&project, "tools/call"), 1);
}

#[test]
fn a_key_is_made_once_for_this_user_alone() {
    let project = Project::with_files();
    assert!(project.expect(2, &["evidence", "keygen"]).err.contains("no file is named"));
    let made = project.expect(0, &["evidence", "keygen", "keys/own.key"]);
    assert!(made.out.starts_with("-----BEGIN PUBLIC KEY-----\n"), "{made:#?}");
    let path = project.path("keys/own.key");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("-----BEGIN PRIVATE KEY-----\n") && !made.out.contains("PRIVATE"));
    let again = project.expect(2, &["evidence", "keygen", "keys/own.key"]);
    assert!(again.err.contains("no key is overwritten"), "{}", again.err);
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn a_thousand_calls_get_one_record() {
    let (project, server) = sealing();
    let mut client = Client::open(&project, &["--evidence", "assay=assay.jsonl"], &server);
    for _ in 0..1_100 {
        client.call("read_file");
    }
    until("the first record", || !records(&project).is_empty());
    assert_eq!(client.close(), 0);
    let counts: Vec<_> =
        records(&project).iter().map(|one| one["evidence"]["lines"][0]["count"].as_u64().unwrap()).collect();
    assert!(counts.len() == 2 && counts[0] >= 1_000 && counts[1] == 1_100, "{counts:?}");
    project.expect(0, &["evidence", "assay.jsonl"]);
}

#[test]
fn two_guards_write_to_one_file() {
    let (project, server) = sealing();
    let mut both = [Client::open(&project, &wanted(true), &server), Client::open(&project, &wanted(true), &server)];
    for _ in 0..20 {
        for client in &mut both {
            call(client, "read_file");
        }
    }
    for client in both {
        assert_eq!(client.close(), 0);
    }
    for format in FORMATS {
        assert_eq!(lines(&project, format).len(), 40);
        project.expect(0, &["evidence", &format!("{format}.jsonl")]);
    }
    assert_eq!(records(&project).len(), 2);
}
