//! A secret that is passed to a server reaches no output and no file of ours.

use super::fixture::fixture_server;
use super::project::{Project, drifted, two_tools};
use serde_json::json;
use std::fs;
use std::path::Path;

const TOKEN: &str = "ghp_q7Zr2LmX9vB4nT8kWc3YpD6sHf1JgA0eUiOt";
const KEY: &str = "correct-horse-battery-staple-41";

/// The files below a folder that contain a secret.
fn holders(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder of the test").flatten() {
        if entry.path().is_dir() {
            holders(&entry.path(), found);
        } else {
            let bytes = fs::read(entry.path()).expect("a file of the test");
            let text = String::from_utf8_lossy(&bytes);
            if text.contains(TOKEN) || text.contains(KEY) {
                found.push(entry.path().display().to_string());
            }
        }
    }
}

#[test]
fn secrets_stay_where_they_were_written() {
    let project = Project::with_files();
    let args = json!(["files.json", "--log", "files.log"]);
    let env = "env = { API_KEY = \"correct-horse-battery-staple-41\", GITHUB_TOKEN = \"${GITHUB_TOKEN}\" }";
    let stdio = format!("[servers.files]\ncommand = {}\nargs = {args}\n{env}\n", json!(fixture_server()));
    let http = "[servers.remote]\nurl = \"http://me:correct-horse-battery-staple-41@127.0.0.1:9/mcp?api_key=ghp_q7Zr2LmX9vB4nT8kWc3YpD6sHf1JgA0eUiOt\"\n\
                headers = { Authorization = \"Bearer ${GITHUB_TOKEN}\", X-Key = \"correct-horse-battery-staple-41\" }\n";
    project.write("pinwatch.toml", &format!("{stdio}{http}"));
    let mut said = String::new();
    let mut run = |words: &[&str]| {
        let done = super::project::done(project.command(words).env("GITHUB_TOKEN", TOKEN));
        said.extend([done.out, done.err]);
    };
    run(&["servers"]);
    run(&["check"]);
    run(&["record", "--yes"]);
    run(&["check", "--yes"]);
    project.surface("files", &drifted());
    run(&["check", "--yes", "--format", "json", "--output", "report.json"]);
    run(&["check", "--yes", "--format", "json"]);
    run(&["review", "--yes"]);
    run(&["show", "files"]);
    run(&["show", "files", "launch/"]);
    assert!(said.contains("files  OK") && said.contains("remote  UNKNOWN"), "{said}");
    assert!(!said.contains(TOKEN) && !said.contains(KEY), "{said}");
    fs::remove_file(project.path("pinwatch.toml")).expect("the config");
    let mut found = Vec::new();
    holders(project.whole(), &mut found);
    assert!(found.is_empty(), "{found:?}");
    assert!(project.read("snapshots/files/baseline.json").contains("GITHUB_TOKEN"));
}

#[test]
fn a_typed_secret_is_masked_like_a_written_one() {
    let project = Project::new();
    project.surface("files", &two_tools());
    let program = fixture_server().display().to_string();
    let option = format!("--api-key={KEY}");
    let words = ["--root", ".", "--name", "files", "--", "env", &option, &program, "files.json"];
    let done = project.run(&[&["record"], &words[..]].concat());
    assert!(!(done.out + &done.err).contains(KEY));
    let header = format!("Authorization: Bearer {TOKEN}");
    let url = ["--root", ".", "--name", "remote", "--url", "http://127.0.0.1:9/mcp", "--header", &header];
    let done = project.expect(2, &[&["check"], &url[..]].concat());
    assert!(!(done.out + &done.err).contains(TOKEN));
    let mut found = Vec::new();
    holders(project.whole(), &mut found);
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn definition_with_a_secret_needs_its_name() {
    let project = Project::with_files();
    let entry = Project::entry("files", &[]);
    project.write("pinwatch.toml", &format!("{entry}env = {{ GITHUB_TOKEN = \"${{GITHUB_TOKEN}}\" }}\n"));
    let mut leaking = two_tools();
    leaking["tools"][1]["description"] = format!("Reads with {TOKEN}.").into();
    project.surface("files", &leaking);
    let run = |words: &[&str]| super::project::done(project.command(words).env("GITHUB_TOKEN", TOKEN));
    let done = run(&["record", "--yes"]);
    assert_eq!(done.code, 1, "{done:?}");
    assert!(!(done.out.clone() + &done.err).contains(TOKEN), "{done:?}");
    fs::remove_file(project.path("files.json")).expect("the surface");
    let mut found = Vec::new();
    holders(project.whole(), &mut found);
    assert!(found.is_empty(), "{found:?}");
    // What holds no secret is pinned all the same.
    let baseline = project.read("snapshots/files/baseline.json");
    assert!(baseline.contains("list_files") && !baseline.contains("\"read_file\""), "{baseline}");
    project.surface("files", &leaking);
    let named = done.out.split('\'').find(|word| word.starts_with("tool/read_file@")).expect("how to pin it");
    let done = run(&["record", "--yes", "files", "--accept", named]);
    assert_eq!(done.code, 0, "{done:?}");
    assert!(project.read("snapshots/files/baseline.json").contains(TOKEN));
    // It was approved with it: no finding of a change. In an item that was approved without one it is.
    let mut both = leaking.clone();
    both["tools"][0]["description"] = format!("Lists with {TOKEN}.").into();
    project.surface("files", &both);
    let done = run(&["check", "--yes", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&done.out).expect("the report is JSON");
    let drift = &report["servers"][0]["drifts"][0];
    assert_eq!((&drift["key"], &drift["severity"]), (&json!("list_files"), &json!("critical")), "{}", done.out);
    assert_eq!(drift["findings"][0]["rule"], "returns-a-secret");
    assert!(drift["findings"][0]["text"].as_str().expect("a sentence").contains("GITHUB_TOKEN"), "{}", done.out);
    // What is written because it was named is shown to nobody all the same.
    leaking["tools"][1]["description"] = format!("Reads twice with {TOKEN}.").into();
    project.surface("files", &leaking);
    for words in [
        &["check", "--yes"][..],
        &["check", "--yes", "--format", "json"],
        &["review", "--yes"],
        &["show", "files", "tool/read_file"],
    ] {
        let done = run(words);
        assert!(!(done.out.clone() + &done.err).contains(TOKEN), "{words:?}: {done:?}");
        assert!(done.out.contains("read_file"), "{words:?}: {done:?}");
    }
}
