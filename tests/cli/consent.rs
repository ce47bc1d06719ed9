//! No launch that was found by itself runs before somebody agreed to it.

use super::fixture::fixture_server;
use super::project::{Project, two_tools};
use serde_json::json;

#[test]
fn nothing_found_by_itself_starts_unasked() {
    let project = Project::with_files();
    for words in [
        &["record"][..],
        &["check"],
        &["review"],
        &["servers"],
        &["approve", "files", "tool/read_file", "--expect", &format!("sha256:{}", "0".repeat(64))],
    ] {
        let done = project.run(words);
        let code = if words == ["servers"] { 0 } else { 2 };
        assert_eq!(done.code, code, "{words:?}: {done:?}");
        let said = done.out + &done.err;
        assert!(said.contains("consent"), "{words:?}: {said}");
        assert!(!project.was_started("files"), "{words:?}");
    }
    assert!(!project.path("snapshots").exists());
    project.expect(0, &["record", "--yes"]);
    assert!(project.was_started("files"));
}

#[test]
fn yes_is_for_one_run() {
    let project = Project::with_files();
    project.expect(0, &["record", "--yes"]);
    project.expect(2, &["check"]);
}

#[test]
fn a_config_that_was_named_is_consent() {
    let project = Project::with_files();
    project.expect(0, &["record", "--config", "pinwatch.toml"]);
    project.expect(0, &["check", "--config", "pinwatch.toml"]);
}

#[test]
fn a_client_file_is_found_and_asked_about() {
    let project = Project::new();
    project.surface("files", &two_tools());
    let words = ["files.json", "--log", "files.log"];
    let client = json!({"mcpServers": {"files": {"command": fixture_server(), "args": words}}});
    project.write(".mcp.json", &client.to_string());
    project.expect(2, &["check"]);
    let included = "include = [\".mcp.json\"]\n";
    project.write("pinwatch.toml", included);
    project.expect(2, &["check"]);
    // What a named config includes was not named.
    project.expect(2, &["check", "--config", "pinwatch.toml"]);
    assert!(!project.was_started("files"));
    project.expect(0, &["record", "--yes"]);
    project.expect(0, &["check", "--yes"]);
}
