//! A tool whose very name is a secret that was passed to its server: it is shown with a mask for its name, and everything
//! that can be decided on it is decided by that.

use super::project::{Done, Project, done, two_tools};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const TOKEN: &str = "ghp_q7Zr2LmX9vB4nT8kWc3YpD6sHf1JgA0eUiOt";
const MASKED: &str = "tool/<redacted GITHUB_TOKEN>";

/// Two tools, and one that the token names.
fn surface(description: &str) -> Value {
    let mut surface = two_tools();
    let named = json!({"name": TOKEN, "description": description, "inputSchema": {"type": "object"}});
    surface["tools"].as_array_mut().expect("tools").push(named);
    surface
}

fn project() -> Project {
    let project = Project::with_files();
    let entry = Project::entry("files", &[]);
    project.write("pinwatch.toml", &format!("{entry}env = {{ GITHUB_TOKEN = \"${{GITHUB_TOKEN}}\" }}\n"));
    project.surface("files", &surface("Does this."));
    project
}

/// Runs a command, which must not say the token.
fn run(project: &Project, words: &[&str]) -> Done {
    let done = done(project.command(words).env("GITHUB_TOKEN", TOKEN));
    assert!(!(done.out.clone() + &done.err).contains(TOKEN), "{words:?}: {done:?}");
    done
}

fn expect(project: &Project, code: i32, words: &[&str]) -> Done {
    let done = run(project, words);
    assert_eq!(done.code, code, "{words:?}: {done:#?}");
    done
}

/// The files of ours that hold the token.
fn holders(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of the test").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(holders(&path));
        } else if !path.ends_with("files.json")
            && String::from_utf8_lossy(&fs::read(&path).expect("a file")).contains(TOKEN)
        {
            found.push(path.display().to_string());
        }
    }
    found
}

/// The digest of the tool as it is served, or of its pin where it is gone: as `review` says it.
fn digest(project: &Project) -> String {
    let said = run(project, &["review", "--yes", "files"]).out;
    let line = said.lines().find(|line| line.contains("pinwatch approve") && line.contains(MASKED));
    let line = line.unwrap_or_else(|| panic!("{said}"));
    line.split(' ').next_back().expect("a digest").to_owned()
}

#[test]
fn writing_a_secret_name_is_refused_with_help() {
    let project = project();
    expect(&project, 1, &["record", "--yes"]);
    let digest = digest(&project);
    let before = project.read("snapshots/files/baseline.json");
    for verb in ["approve", "reject"] {
        let refused = expect(&project, 2, &[verb, "--yes", "files", MASKED, "--expect", &digest]);
        assert!(refused.err.contains("holds the value of `GITHUB_TOKEN`"), "{refused:?}");
        let way_out = format!("only `pinwatch record --accept` writes {MASKED}");
        assert!(refused.err.contains(&way_out), "{refused:?}");
    }
    assert_eq!(project.read("snapshots/files/baseline.json"), before);
    assert_eq!(holders(project.whole()), [] as [String; 0]);
    // By another digest it is not what was meant.
    let other = format!("sha256:{}", "0".repeat(64));
    let refused = expect(&project, 2, &["approve", "--yes", "files", MASKED, "--expect", &other]);
    assert!(refused.err.contains("nothing was decided"), "{refused:?}");
}

/// A project whose baseline holds the tool, since it was named.
fn pinned() -> Project {
    let project = project();
    let said = expect(&project, 1, &["record", "--yes"]).out;
    let named = said.split('\'').find(|word| word.starts_with(MASKED)).expect("how to pin it").to_owned();
    expect(&project, 0, &["record", "--yes", "files", "--accept", &named]);
    assert!(project.read("snapshots/files/baseline.json").contains(TOKEN));
    expect(&project, 0, &["check", "--yes"]);
    project
}

#[test]
fn named_secrets_are_shown_and_found_by_mask() {
    let project = pinned();
    for words in [&["show", "files"][..], &["servers"], &["show", "files", MASKED]] {
        let said = expect(&project, 0, words).out;
        assert!(words == ["servers"] || said.contains(MASKED), "{words:?}: {said}");
    }
    let said = expect(&project, 0, &["show", "files", MASKED]).out;
    assert!(said.contains("decision  approved") && said.contains("log       "), "{said}");
    // Another version of it is refused as the first was, and named it is approved.
    project.surface("files", &surface("Does that."));
    let drifted = digest(&project);
    let refused = expect(&project, 2, &["approve", "--yes", "files", MASKED, "--expect", &drifted]);
    assert!(refused.err.contains("holds the value of `GITHUB_TOKEN`"), "{refused:?}");
    expect(&project, 0, &["record", "--yes", "files", "--accept", &format!("{MASKED}@{drifted}")]);
    expect(&project, 0, &["check", "--yes"]);
}

#[test]
fn a_tool_that_is_gone_is_let_go_by_its_mask() {
    let project = pinned();
    project.surface("files", &two_tools());
    let gone = digest(&project);
    expect(&project, 0, &["approve", "--yes", "files", MASKED, "--expect", &gone]);
    assert!(!project.read("snapshots/files/baseline.json").contains(TOKEN));
    expect(&project, 0, &["check", "--yes"]);
}
