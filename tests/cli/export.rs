//! `export`: what other systems take, of approved pins alone or of one whole look, and never over another file.

use super::project::{Project, drifted, two_tools};
use serde_json::{Value, json};

fn recorded() -> Project {
    let project = Project::with_files();
    project.expect(0, &["record", "--yes"]);
    project
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn pins_are_those_of_the_baseline_and_start_nothing() {
    let project = recorded();
    std::fs::remove_file(project.path("files.log")).expect("it was started to be recorded");
    project.surface("files", &drifted());
    let pins = project.expect(0, &["export", "assay-pins", "files"]).out;
    assert!(!project.was_started("files"));
    // SHA-256 of the approved description, `Read a file.`, and not of the one that is served by now.
    assert_eq!(
        pins,
        r#"tool_pins:
  "list_files":
    server_id: "files"
    tool_name: "list_files"
    schema_hash: "c8a63d4cf1e97f67377d469cfd126161fc9b057483266637242eb6cd370171cc"
    meta_hash: "00cf3b75add603921f000b9f0a1fb61d87ba18c1e6a9ffa5ffcfc9d931cff49f"
  "read_file":
    server_id: "files"
    tool_name: "read_file"
    schema_hash: "923b083c9bcab2e3d3e07c7d9b4401688ad9f3d5e2c2f0c48fcd43052bdcb71b"
    meta_hash: "a8542ed639927832f0cdd485e8735095c8e023b602ec5692f84fed925a2a39d7"
"#
    );
}

#[test]
fn the_workflow_of_manifests_agrees_with_itself() {
    let project = recorded();
    let export = |words: &[&str]| project.expect(0, &[&["export"], words, &["--server-id", "fs"]].concat());
    export(&["assay-observed", "files", "--yes", "--output", "observed.json"]);
    export(&["assay-candidate", "files", "--from", "observed.json", "--output", "candidate.json"]);
    let declared = parsed(&export(&["assay-declared", "files"]).out);
    let candidate = parsed(&project.read("candidate.json"));
    let observed = parsed(&project.read("observed.json"));
    assert_eq!(candidate["tools"], declared["tools"]);
    assert_eq!(candidate["manifest_digest"], observed["observed"]["manifest_digest"]);
    assert_eq!((&observed["server"], &declared["server"]), (&json!({"id": "fs"}), &json!({"id": "fs"})));
    let source = pinwatch::digest::Sha256::of(project.read("observed.json"));
    assert_eq!(candidate["source_sha256"], format!("sha256:{source}"));
    // What is approved stays what is declared, whatever is served.
    project.surface("files", &drifted());
    assert_eq!(parsed(&export(&["assay-declared", "files"]).out), declared);
    let moved = parsed(&export(&["assay-observed", "files", "--yes"]).out);
    assert_ne!(moved["observed"]["manifest_digest"], observed["observed"]["manifest_digest"]);
}

#[test]
fn a_lock_is_written_in_both_versions() {
    let project = recorded();
    let third = parsed(&project.expect(0, &["export", "mcp-lock", "files"]).out);
    assert_eq!((&third["lockFileVersion"], &third["server"]["name"]), (&json!("3.0"), &json!("files")));
    let second = parsed(&project.expect(0, &["export", "mcp-lock", "files", "--lock-version", "2"]).out);
    assert_eq!(second["tools"], third["tools"]);
    assert!(second["server_command"].as_str().unwrap().contains("fixture_server"), "{second}");
    let tool = &third["tools"]["read_file"];
    // SHA-256 of `Read a file.`.
    assert_eq!(tool["description_hash"], format!("sha256:{}", pinwatch::digest::Sha256::of("Read a file.")));
    assert_eq!(tool["risk_level"], "LOW");
}

#[test]
fn a_command_in_a_lock_is_masked() {
    let project = Project::with_files();
    // A shell drops the argument before the server sees it.
    let run = format!("exec {} files.json --log files.log", super::fixture::fixture_server().display());
    let token = "--token=ghp_0123456789abcdefghij0123456789abcdef";
    project.write(
        "pinwatch.toml",
        &format!("[servers.files]\ncommand = \"sh\"\nargs = {}\n", json!(["-c", run, "sh", token])),
    );
    project.expect(0, &["record", "--yes"]);
    let lock = parsed(&project.expect(0, &["export", "mcp-lock", "files", "--lock-version", "2"]).out);
    let command = lock["server_command"].as_str().unwrap();
    assert!(command.starts_with("sh -c ") && command.contains("<redacted"), "{command}");
    assert!(!command.contains("ghp_0123"), "{command}");
}

#[test]
fn no_file_is_written_over_unasked() {
    let project = recorded();
    project.write("lock.json", "mine");
    let refused = project.expect(2, &["export", "mcp-lock", "files", "--output", "lock.json"]);
    assert_eq!(refused.err, "error: lock.json already exists; nothing was written (--force overwrites it)\n");
    assert_eq!(project.read("lock.json"), "mine");
    project.expect(0, &["export", "mcp-lock", "files", "--output", "lock.json", "--force"]);
    assert_eq!(parsed(&project.read("lock.json"))["lockFileVersion"], "3.0");
}

#[test]
fn half_a_look_and_two_readings_are_refused_by_name() {
    let project = Project::with_files();
    let refused = |words: &[&str], why: &str| {
        let done = project.expect(2, &[&["export"], words, &["--output", "out.json"]].concat());
        assert!(done.err.contains(why) && done.out.is_empty(), "{words:?}: {why} in {done:?}");
        assert!(!project.path("out.json").exists(), "{words:?}");
    };
    refused(&["assay-pins", "files"], "files has no baseline");
    refused(&["mcp-lock", "files"], "files has no baseline");
    refused(&["assay-observed", "files"], "consent is needed to start");
    refused(&["assay-observed", "nobody", "--yes"], "no server `nobody`");
    let mut twice = two_tools();
    twice["tools"][1]["name"] = "list_files".into();
    project.surface("files", &twice);
    refused(&["assay-observed", "files", "--yes"], "files lists two tools `list_files`");
    project.surface("files", &json!({"tools": []}));
    project.write("empty.json", &project.run(&["export", "assay-observed", "files", "--yes"]).out);
    refused(&["assay-candidate", "files", "--from", "empty.json"], "Assay takes no empty manifest");
    refused(&["assay-candidate", "other", "--from", "empty.json"], "is of the server `files`, not of `other`");
    refused(&["assay-candidate", "files", "--from", "missing.json"], "missing.json cannot be read");
    project.write("cut.json", "{\"schema\":");
    refused(&["assay-candidate", "files", "--from", "cut.json"], "cut.json is not an observed manifest");
    refused(&["assay-candidate", "files"], "--from names the observed manifest");
    refused(&["assay-pins", "files", "--lock-version", "2"], "--lock-version goes with mcp-lock alone");
    refused(&["mcp-lock", "files", "--server-id", "x"], "a lock holds no id of the server");
}

#[test]
fn a_list_that_ends_early_is_no_manifest() {
    let project = Project::with_files();
    let (behaviour, pages) = ("crash-at-page-two", ["--page", "1"]);
    project.write(
        "pinwatch.toml",
        &Project::entry("files", &[behaviour])
            .replace("\"--log\"", &format!("\"{}\", \"{}\", \"--log\"", pages[0], pages[1])),
    );
    let done = project.expect(2, &["export", "assay-observed", "files", "--yes", "--output", "out.json"]);
    assert!(done.err.contains("the tools of files were read in part"), "{done:?}");
    assert!(!project.path("out.json").exists());
}
