//! Who a server is, live: its attestation held to a trust root, the principal that it declares, and baselines tied to both.

use super::attest::{document, trust_root};
use super::baseline_ref::git;
use super::origin::{OriginServer, Page, Says};
use super::project::{Done, Project, two_tools};
use serde_json::{Value, json};

const ATTESTATION: &str = "/.well-known/mcp-attestation";
const PRINCIPAL: &str = "/.well-known/capiscio/mcp-server.json";
const KEYS: [(&str, u8); 2] = [("k1", 1), ("k2", 2)];
const ID: &str = "urn:example:weather";

/// A project with a trust root of two keys, and one server over HTTP.
fn project(server: &OriginServer, trust: &str, more: &str) -> Project {
    let project = Project::new();
    project.write("root.json", &trust_root(&KEYS).to_string());
    project.write("pinwatch.toml", &format!("{trust}\n[servers.weather]\nurl = \"{}\"\n{more}", server.url()));
    project
}

const HELD: &str = "[trust]\nroot = \"root.json\"\n";

/// A server that shows this document.
fn showing(page: Page) -> Says {
    Says { pages: [(ATTESTATION, page)].into(), ..Says::default() }
}

fn attested(key: (&str, u8)) -> Says {
    showing(Page::json(&document(ID, key)))
}

fn report(done: &Done) -> Value {
    let report: Value = serde_json::from_str(&done.out).unwrap();
    report["servers"][0].clone()
}

/// The drifts of a check as `type key severity: first reason`.
fn drifts(project: &Project, code: i32) -> Vec<String> {
    let report = report(&project.expect(code, &["check", "--yes", "--format", "json"]));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let one = |drift: &Value| {
        let [kind, key, severity] = ["type", "key", "severity"].map(|member| text(&drift[member]));
        format!("{kind} {key} {severity}: {}", text(&drift["reasons"][0]))
    };
    report["drifts"].as_array().unwrap().iter().map(one).collect()
}

#[test]
fn a_document_is_asked_for_without_credentials() {
    let server = OriginServer::start();
    server.says(attested(KEYS[0]));
    let project = project(&server, HELD, "headers = { Authorization = \"Bearer ${TOKEN}\", Cookie = \"a=b\" }\n");
    let config = project.read("pinwatch.toml").replace("/mcp\"", "/mcp?key=k9Zq8wLmT4xVb2sRc1\"");
    let config = config.replace("http://", "http://ana:secret@");
    project.write("pinwatch.toml", &config);
    let done = super::project::done(project.command(&["check", "--yes"]).env("TOKEN", "t0k3n-Zq8-wLmT4"));
    assert!(done.out.contains("admission: attested at `internal`"), "{done:?}");
    let asked = server.asked();
    let (documents, messages): (Vec<_>, Vec<_>) = asked.iter().partition(|head| head.contains("/.well-known/"));
    let mut paths: Vec<_> = documents.iter().map(|head| head.lines().next().unwrap()).collect();
    paths.sort_unstable();
    assert_eq!(paths, [format!("get {PRINCIPAL} http/1.1"), format!("get {ATTESTATION} http/1.1")]);
    for head in documents {
        let mut names: Vec<_> = head.lines().skip(1).filter_map(|line| line.split(':').next()).collect();
        names.sort_unstable();
        assert_eq!(names, ["accept", "accept-encoding", "host", "user-agent"], "{head}");
    }
    assert!(
        !messages.is_empty() && messages.iter().all(|head| head.contains("t0k3n") || head.contains("authorization"))
    );
}

#[test]
fn a_redirect_is_not_followed_and_never_clean() {
    let (server, elsewhere) = (OriginServer::start(), OriginServer::start());
    elsewhere.says(attested(KEYS[0]));
    server.says(attested(KEYS[0]));
    let project = project(&server, HELD, "");
    project.expect(0, &["record", "--yes"]);
    let to = elsewhere.url().replace("/mcp", ATTESTATION);
    server.says(showing(Page::text("302 Found", &format!("location: {to}\r\n"), "")));
    let done = project.expect(2, &["check", "--yes"]);
    assert!(done.out.contains("anchor not checked: the baseline is tied to clearance_id"), "{}", done.out);
    assert!(done.out.contains("was answered with a redirect, which is not followed"), "{}", done.out);
    assert_eq!(elsewhere.asked(), Vec::<String>::new());
}

#[test]
fn another_signer_or_none_is_critical_drift() {
    let server = OriginServer::start();
    server.says(attested(KEYS[0]));
    let project = project(&server, HELD, "");
    project.expect(0, &["record", "--yes"]);
    let anchor = &project.baseline("weather")["anchor"];
    assert_eq!(*anchor, json!({"clearance_id": ID, "signer_key_id": "k1", "auth_scope": null}));
    project.expect(0, &["check", "--yes"]);

    server.says(attested(KEYS[1]));
    let moral = "What was approved was approved for that one";
    let signer = "Another attestation's signing key: it was `k1`, and is `k2` now";
    assert_eq!(drifts(&project, 1), [format!("anchor_changed anchor critical: {signer}. {moral}")]);
    for profile in ["strict", "capability-identity"] {
        let config = format!("[policy]\nprofile = \"{profile}\"\n{}", project.read("pinwatch.toml"));
        project.write("other.toml", &config);
        project.expect(1, &["check", "--config", "other.toml", "--fail-on", "critical"]);
    }
    let text = project.expect(1, &["check", "--yes"]).out;
    assert!(text.contains("server_info/anchor") && text.contains(signer), "{text}");

    // A forged one is refused: neither admitted nor the one that was there.
    server.says(attested(("k1", 2)));
    let refused = drifts(&project, 1);
    let forged = "bad_signature (6): the signature is not of this text by that key";
    let gone = format!("The attestation is gone: it was `{ID}`, and the server is refused: {forged}. {moral}");
    assert_eq!(refused[1], format!("anchor_changed anchor critical: {gone}"), "{refused:?}");
    assert_eq!(refused[0], format!("admission_refused admission critical: Not admitted: {forged}"), "{refused:?}");

    server.says(Says::default());
    let gone = format!(
        "The attestation is gone: it was `{ID}`, and the server is unattested: the server shows no assertion. {moral}"
    );
    assert_eq!(drifts(&project, 1), [format!("anchor_changed anchor critical: {gone}")]);
    // Without a trust root the absence is seen all the same, and what is there is not known to hold.
    project.write("pinwatch.toml", &project.read("pinwatch.toml").replace(HELD, ""));
    assert_eq!(drifts(&project, 1).len(), 1);
    server.says(attested(KEYS[0]));
    let done = project.expect(2, &["check", "--yes"]);
    assert!(done.out.contains("no [trust] root says what it is held to"), "{}", done.out);
}

#[test]
fn an_approved_anchor_is_the_one_compared() {
    let server = OriginServer::start();
    let project = project(&server, HELD, "");
    project.expect(0, &["record", "--yes"]);
    server.says(attested(KEYS[0]));
    // A baseline that is not tied to anything says so, and fails nobody.
    let untied = drifts(&project, 0);
    assert!(
        untied[0].starts_with("anchor_changed anchor info: The baseline is not tied to the attestation yet"),
        "{untied:?}"
    );
    let approve = |project: &Project| {
        let report = report(&project.run(&["check", "--yes", "--format", "json"]));
        let digest = report["drifts"][0]["digests"]["surface"]["now"].as_str().unwrap().to_owned();
        project.expect(0, &["approve", "weather", "server_info/anchor", "--expect", &digest, "--yes"]);
    };
    approve(&project);
    project.expect(0, &["check", "--yes"]);
    assert_eq!(project.baseline("weather")["anchor"]["signer_key_id"], "k1");
    server.says(attested(KEYS[1]));
    assert_eq!(drifts(&project, 1).len(), 1);
    approve(&project);
    project.expect(0, &["check", "--yes"]);
}

#[test]
fn a_required_level_is_told_and_fails() {
    let server = OriginServer::start();
    let required = format!("{HELD}required = \"internal\"\n");
    let project = project(&server, &required, "");
    // At first contact it is a notice: nothing is pinned that could have drifted.
    let first = project.expect(2, &["check", "--yes"]);
    assert!(first.out.contains("notice admission-refused"), "{}", first.out);
    project.expect(0, &["record", "--yes"]);
    let unattested = "admission_refused admission critical: Not admitted: unattested, and `internal` is required";
    assert_eq!(drifts(&project, 1), [unattested]);
    let digest =
        report(&project.run(&["check", "--yes", "--format", "json"]))["drifts"][0]["digests"]["surface"]["now"]
            .as_str()
            .unwrap()
            .to_owned();
    let approve = project.expect(2, &["approve", "weather", "server_info/admission", "--expect", &digest, "--yes"]);
    assert!(approve.err.contains("is not settled by approving"), "{approve:?}");
    // Where no level is required it is told, and passes.
    project.write("pinwatch.toml", &project.read("pinwatch.toml").replace("required", "# required"));
    let done = project.expect(0, &["check", "--yes"]);
    assert!(done.out.contains("  admission: unattested: the server shows no assertion\n"), "{}", done.out);
    // A server's own level counts instead, and may be one that its key cannot give.
    let config = format!("{}clearance = \"secret\"\n", project.read("pinwatch.toml"));
    project.write("pinwatch.toml", &config);
    server.says(attested(KEYS[0]));
    let below = drifts(&project, 1);
    assert!(below[0].contains("below_required (7)"), "{below:?}");
    server.says(showing(Page::text("503 Service Unavailable", "", "")));
    let done = project.expect(2, &["check", "--yes"]);
    assert!(done.out.contains("admission not checked: pinwatch.toml requires `secret`"), "{}", done.out);
    // Each time it came out otherwise is a record, and no look in between.
    let export = project.expect(0, &["audit", "export"]).out;
    let records = export.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let told = records.filter(|record| record["evidence"]["event"] == "admission").map(|record| {
        let purpose = &record["extensions"]["caller-governance"]["purpose_declared"];
        format!("{} {}", record["event_type"].as_str().unwrap(), purpose.as_str().unwrap())
    });
    insta::assert_snapshot!(told.collect::<Vec<_>>().join("\n"), @r"
    server_discovery did not admit weather: unattested
    admission_recheck could not decide whether to admit weather: unattested
    admission_recheck did not admit weather: refused (7 below_required)
    admission_recheck could not decide whether to admit weather: not checked
    ");
}

#[test]
fn a_hostile_document_is_a_named_state() {
    let server = OriginServer::start();
    let project = project(&server, HELD, "request-timeout = \"1s\"\n");
    let good = document(ID, KEYS[0]).to_string();
    let json = |body: &str| Page::text("200 OK", "content-type: application/json\r\n", body);
    let twice = good.replacen('{', "{\"clearance\":\"secret\",", 1);
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(9_000), "]".repeat(9_000));
    let head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{\"v\":".to_vec();
    let endless = [b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n".to_vec(), vec![b' '; 1 << 20]].concat();
    let cases = [
        (json(&good), "attested"),
        (json(&twice), "refused not_mcp_server"),
        (json(&deep), "refused not_mcp_server"),
        (json("[1]"), "refused not_mcp_server"),
        (json("{\"v\":1"), "refused not_mcp_server"),
        (json("{\"v\":{}}"), "refused unsupported_version"),
        (json("{\"v\":1,\"capabilities\":[\"mcp-server\"],\"id\":5}"), "refused not_mcp_server"),
        (json(&" ".repeat(70 << 10)), "not_checked answer-too-large"),
        (Page::Hangs(endless), "not_checked answer-too-large"),
        (Page::Hangs(head), "not_checked request-timeout"),
        (Page::text("307 Temporary Redirect", "location: /elsewhere\r\n", ""), "not_checked redirect-refused"),
        (Page::text("401 Unauthorized", "", ""), "not_checked http-status"),
        (
            Page::text("200 OK", "content-type: application/json\r\ncontent-encoding: gzip\r\n", "x"),
            "not_checked compressed-answer",
        ),
        (Page::text("200 OK", "content-type: text/html\r\n", "<p>Welcome</p>"), "unattested"),
        (Page::Hangs(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n: hi\n\n".to_vec()), "unattested"),
        (Page::text("404 Not Found", "", ""), "unattested"),
    ];
    for (page, expected) in cases {
        server.says(showing(page));
        let done = project.run(&["check", "--yes", "--format", "json"]);
        let state = &report(&done)["identity"]["attestation"];
        let text = |member: &str| state[member].as_str().unwrap_or_default();
        let reason = if text("state") == "refused" { text("reason") } else { text("code") };
        assert_eq!(format!("{} {reason}", text("state")).trim(), expected, "{state}");
    }
}

#[test]
fn text_of_a_document_is_escaped_in_every_report() {
    let server = OriginServer::start();
    server.says(attested(KEYS[0]));
    let project = project(&server, HELD, "");
    project.expect(0, &["record", "--yes"]);
    let evil = "urn:\u{202e}\u{1b}]0;x\u{7}`<b>";
    let did = "did:web:a\u{200b}b";
    let pages =
        [(ATTESTATION, Page::json(&document(evil, KEYS[0]))), (PRINCIPAL, Page::json(&json!({"server_did": did})))];
    server.says(Says { pages: pages.into(), ..Says::default() });
    for format in ["text", "json", "sarif", "junit", "markdown", "github"] {
        let out = project.expect(1, &["check", "--yes", "--format", format]).out;
        assert!(!out.contains(['\u{202e}', '\u{1b}', '\u{7}', '\u{200b}']), "{format}: {out:?}");
    }
    let text = project.expect(1, &["check", "--yes"]).out;
    assert!(text.contains("as `urn:<U+202E><U+001B>]0;x<U+0007>`<b>`"), "{text}");
    assert!(text.contains("UNVERIFIED_ORIGIN: its well-known file: `did:web:a<U+200B>b` is no DID"), "{text}");
}

#[test]
fn a_tool_outside_of_the_closed_list_is_critical() {
    let server = OriginServer::start();
    let project = project(&server, "", "tools = [\"forecast\"]\n");
    project.expect(0, &["record", "--yes"]);
    project.expect(0, &["check", "--yes"]);
    project.write("pinwatch.toml", &project.read("pinwatch.toml").replace("forecast", "alerts"));
    let said =
        "`forecast` is not in the closed list of tools that pinwatch.toml gives this server: tool_not_admitted (9)";
    assert_eq!(drifts(&project, 1), [format!("tool_not_admitted forecast critical: {said}")]);
    project.expect(1, &["check", "--yes", "--fail-on", "tool_not_admitted"]);
    // At first contact it stays new.
    project.expect(0, &["forget", "weather"]);
    let record = project.expect(1, &["record", "--yes"]);
    assert!(record.out.contains(&format!("weather: tool/forecast stays new: {said}")), "{}", record.out);
}

#[test]
fn a_declared_principal_that_changes_is_critical() {
    let server = OriginServer::start();
    let project = project(&server, "", "");
    let in_headers = |did: &str| Says { headers: format!("Capiscio-Server-DID: {did}\r\n"), ..Says::default() };
    let in_meta = |did: &str| Says { meta: json!({"capiscio_server_did": did}), ..Says::default() };
    let in_file = |did: &str| Says {
        pages: [(PRINCIPAL, Page::json(&json!({"server_did": did, "server_badge": "e30.e30.x"})))].into(),
        ..Says::default()
    };
    let ways: [&dyn Fn(&str) -> Says; 3] = [&in_headers, &in_meta, &in_file];
    for says in ways {
        server.says(says("did:web:one.example"));
        project.expect(0, &["record", "--yes"]);
        assert_eq!(project.baseline("weather")["anchor"]["server_did"], "did:web:one.example");
        project.expect(0, &["check", "--yes"]);
        server.says(says("did:web:two.example"));
        let moral = "What was approved was approved for that one";
        let swapped = "it was `did:web:one.example`, and is `did:web:two.example` now";
        let another = format!("anchor_changed anchor critical: Another declared principal (DID): {swapped}. {moral}");
        assert_eq!(drifts(&project, 1), [another]);
        server.says(Says::default());
        let gone = drifts(&project, 1);
        assert!(
            gone[0].starts_with("anchor_changed anchor critical: The declared principal (DID) is gone"),
            "{gone:?}"
        );
        project.expect(0, &["forget", "weather"]);
    }
    let principal = |says: Says| {
        server.says(says);
        report(&project.run(&["check", "--yes", "--format", "json"]))["identity"]["principal"].clone()
    };
    let declared = json!({"state": "DECLARED_PRINCIPAL", "did": "did:key:z6Mk", "badge": "present, not checked"});
    assert_eq!(principal(in_file("did:key:z6Mk")), declared);
    assert_eq!(principal(Says::default()), json!({"state": "UNVERIFIED_ORIGIN", "text": null}));
    let two = Says { meta: json!({"capiscio_server_did": "did:web:b"}), ..in_headers("did:web:a") };
    let unclear =
        json!({"state": "UNVERIFIED_ORIGIN", "text": "its handshake names `did:web:b`, and its headers `did:web:a`"});
    assert_eq!(principal(two), unclear);
    assert_eq!(principal(in_meta("web:a"))["text"], "its handshake: `web:a` is no DID");
}

#[test]
fn an_era_without_a_place_for_it_is_not_visible() {
    let project = Project::with_files();
    let mut surface = two_tools();
    surface["meta"] = json!({"capiscio_server_did": "did:web:a", "capiscio_server_badge": "e30.e30.x"});
    project.surface("files", &surface);
    project.write("pinwatch.toml", &Project::entry("files", &[]));
    project.expect(0, &["record", "--yes"]);
    let done = project.expect(0, &["check", "--yes"]);
    let said = "  principal: DECLARED_PRINCIPAL did:web:a (badge present, not checked)\n";
    assert!(done.out.contains(said), "{}", done.out);
    // The snapshot keeps what the handshake said.
    let snapshots = std::fs::read_dir(project.path("snapshots/files")).unwrap();
    let texts = snapshots.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
    assert!(
        texts.into_iter().any(|text| text.contains("capiscio_server_did") && text.contains("pinwatch.snapshot.v1"))
    );
    // Over another era the server may still say so, in a place that RFC-007 does not name.
    let entry = Project::entry("files", &[]);
    let discover = entry.replace("\"--log\"", "\"--era\",\"discover\",\"--log\"");
    assert_ne!(entry, discover);
    project.write("pinwatch.toml", &discover);
    project.run(&["check", "--yes"]);
    let without = two_tools();
    project.surface("files", &without);
    let done = project.run(&["check", "--yes", "--fail-on", "anchor_changed"]);
    assert_eq!(done.code, 2, "{done:?}");
    assert!(done.out.contains("tied to server_did (this era of the protocol has no place for it"), "{}", done.out);
    project.write("pinwatch.toml", &entry);
    let gone = drifts(&project, 1);
    assert!(gone[0].contains("The declared principal (DID) is gone"), "{gone:?}");
}

#[test]
fn an_assertion_in_the_handshake_counts_without_http() {
    let project = Project::with_files();
    project.write("root.json", &trust_root(&KEYS).to_string());
    let mut surface = two_tools();
    surface["capabilities"]["experimental"] = json!({"org.example/attested": document(ID, KEYS[0])});
    project.surface("files", &surface);
    project.write("pinwatch.toml", &format!("{HELD}required = \"internal\"\n{}", Project::entry("files", &[])));
    project.expect(0, &["record", "--yes"]);
    let done = project.expect(0, &["check", "--yes"]);
    assert!(done.out.contains("  admission: attested at `internal` as `urn:example:weather`, by the key `k1`\n"));
    let admit = project.expect(0, &["admit", "files", "--yes"]);
    assert_eq!(admit.out.lines().count(), 10, "{}", admit.out);
    surface["capabilities"]["experimental"]["atsa"] = json!({});
    project.surface("files", &surface);
    let admit = project.expect(1, &["admit", "files", "--yes"]);
    let two = "refused: not_mcp_server (1): its handshake holds more than one assertion\n";
    assert!(admit.out.ends_with(two), "{}", admit.out);
    project.surface("files", &two_tools());
    let gone = drifts(&project, 1);
    assert!(gone.iter().any(|drift| drift.starts_with("anchor_changed anchor critical")), "{gone:?}");
    let none = project.expect(1, &["admit", "files", "--yes"]).out;
    assert!(none.ends_with("refused: not_mcp_server (1): the server shows no document\n"), "{none}");
}

#[test]
fn a_server_that_cannot_be_asked_is_not_told() {
    let server = OriginServer::start();
    let project = project(&server, HELD, "");
    server.says(attested(KEYS[0]));
    assert!(project.expect(0, &["admit", "weather", "--yes"]).out.ends_with("by `k1`\n"));
    server.says(showing(Page::text("500 Internal Server Error", "", "")));
    let done = project.expect(2, &["admit", "weather", "--yes"]);
    assert_eq!(
        done.out,
        "weather: not checked: /.well-known/mcp-attestation was answered with HTTP status 500 (http-status)\n"
    );
    // Nobody agreed to the launch: nothing is opened.
    let asked = server.asked().len();
    assert!(project.expect(2, &["admit", "weather"]).out.contains("consent is needed"));
    assert_eq!(server.asked().len(), asked);
    project.write("pinwatch.toml", &project.read("pinwatch.toml").replace(HELD, ""));
    let none = project.expect(2, &["admit", "weather", "--yes"]);
    assert!(none.err.contains("no [trust] root that weather could be held to"), "{none:?}");
}

#[test]
fn a_fault_of_trust_names_its_place() {
    let server = OriginServer::start();
    let said = |trust: &str, more: &str| {
        let project = project(&server, trust, more);
        let done = project.expect(2, &["check", "--yes"]);
        done.err.lines().next().unwrap_or_default().to_owned()
    };
    let all = [
        said("[trust]\n", ""),
        said("[trust]\nroot = \"none.json\"\n", ""),
        said("[trust]\nroot = \"pinwatch.toml\"\n", ""),
        said(&format!("{HELD}required = \"intrenal\"\n"), ""),
        said(&format!("{HELD}require = \"internal\"\n"), ""),
        said("", "clearance = \"internal\"\n"),
        said(HELD, "clearance = \"top\"\n"),
    ];
    insta::assert_snapshot!(all.join("\n"), @"
    error: pinwatch.toml:1: [trust] needs a `root`: the file of a trust root
    error: pinwatch.toml:2: `root` in [trust]: none.json cannot be read: No such file or directory (os error 2)
    error: pinwatch.toml:2: `root` in [trust]: pinwatch.toml is not a trust root: byte 1: expected a value
    error: pinwatch.toml:3: unknown required `intrenal` in [trust]; did you mean `internal`?
    error: pinwatch.toml:3: unknown key `require` in [trust]; did you mean `required`?
    error: pinwatch.toml:4: `clearance` in [servers.weather]: needs [trust] root, which says what levels there are
    error: pinwatch.toml:6: unknown clearance `top` in [servers.weather]; known here: public, internal, secret
    ");
}

#[test]
fn a_pull_request_cannot_bring_its_own_trust_root() {
    let server = OriginServer::start();
    server.says(attested(KEYS[0]));
    let project = project(&server, &format!("{HELD}required = \"internal\"\n"), "");
    project.expect(0, &["record", "--yes"]);
    git(&project, &["init", "-q", "-b", "main"]);
    git(&project, &["add", "pinwatch.toml", "root.json", "snapshots"]);
    git(&project, &["commit", "-qm", "merged"]);
    let check = ["check", "--yes", "--baseline-ref", "main"];
    project.expect(0, &check);
    // Another key under the same name, and a document that it signed.
    let forged = ("k1", 9);
    server.says(attested(forged));
    project.write("root.json", &trust_root(&[forged]).to_string());
    project.expect(0, &["check", "--yes"]);
    let said = project.expect(1, &check).out;
    assert!(said.contains("admission_refused") && said.contains("bad_signature"), "{said}");
}
