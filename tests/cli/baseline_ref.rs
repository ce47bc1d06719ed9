//! `check --baseline-ref`: a ref's baselines and policy judge what the work tree starts.

use super::project::{Project, drifted};
use serde_json::Value;
use std::process::Command;

/// Runs git in a project.
pub fn git(project: &Project, words: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=ana", "-c", "user.email=ana@example.com", "-c", "protocol.file.allow=always"]);
    command.args(words).current_dir(project.path("")).env("HOME", project.home());
    let done = command.output().expect("git runs");
    assert!(done.status.success(), "{words:?}: {}", String::from_utf8_lossy(&done.stderr));
}

/// A repository whose branch `main` has a baseline, and a server that has drifted since.
fn merged() -> Project {
    let project = Project::with_files();
    project.expect(0, &["record", "--yes"]);
    git(&project, &["init", "-q", "-b", "main"]);
    git(&project, &["add", "pinwatch.toml", "snapshots"]);
    git(&project, &["commit", "-qm", "merged"]);
    project.surface("files", &drifted());
    project
}

const CHECK: [&str; 4] = ["check", "--yes", "--baseline-ref", "main"];

#[test]
fn a_pull_request_cannot_approve_for_itself() {
    let project = merged();
    project.expect(1, &CHECK);
    // It takes the drifted server for its baseline.
    project.expect(0, &["forget", "files"]);
    project.run(&[
        "record",
        "--yes",
        "--accept",
        "x/y@sha256:0000000000000000000000000000000000000000000000000000000000000000",
    ]);
    project.run(&["record", "--yes"]);
    git(&project, &["add", "snapshots"]);
    git(&project, &["commit", "-qm", "mine", "--allow-empty"]);
    git(&project, &["branch", "-f", "merged", "HEAD~1"]);
    let said = project.expect(1, &["check", "--yes", "--baseline-ref", "merged"]).out;
    assert!(said.contains("judged by the baselines and the policy of merged ("), "{said}");
    assert!(said.contains("differs: the baseline of files"), "{said}");
}

#[test]
fn a_pull_request_cannot_soften_the_policy() {
    let project = merged();
    let config = project.read("pinwatch.toml");
    let softer = [
        "[[policy.suppress]]\nserver = \"files\"\nitem = \"tool/read_file\"\ndigest = \"DIGEST\"\nreason = \"mine\"\n",
        "[[policy.override]]\ntype = \"tool_changed\"\nseverity = \"info\"\n",
        "[findings]\ndisable = [\"sends-data-out\"]\n",
    ];
    let report = project.run(&["check", "--yes", "--format", "json"]).out;
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let digest = report["servers"][0]["drifts"][0]["digests"]["surface"]["now"].as_str().expect("a digest");
    for text in softer {
        project.write("pinwatch.toml", &format!("{config}\n{}", text.replace("DIGEST", digest)));
        let said = project.run(&CHECK);
        assert_eq!(said.code, 1, "{text}: {said:?}");
        assert!(said.out.contains("differs: the policy"), "{text}: {}", said.out);
    }
    for text in ["ignore-kinds = [\"tools\"]\n", "ignore = [\"tool/read_file#/description\"]\n"] {
        project.write("pinwatch.toml", &format!("{config}{text}"));
        let said = project.run(&CHECK);
        assert_eq!(said.code, 1, "{text}: {said:?}");
        assert!(said.out.contains("differs:"), "{text}: {}", said.out);
    }
    // An entry that is gone is a baseline that nothing is compared with.
    project.write("pinwatch.toml", "");
    project.expect(2, &CHECK);
    let json = project.run(&["check", "--yes", "--baseline-ref", "main", "--format", "json"]).out;
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["judged_by"]["ref"], "main");
}

#[test]
fn a_pull_request_cannot_take_the_scanner_away() {
    let project = merged();
    let config = project.read("pinwatch.toml");
    project.write("pinwatch.toml", &format!("[findings]\ncommand = [\"sh\", \"scan.sh\"]\n{config}"));
    git(&project, &["commit", "-qam", "with a scanner"]);
    project.write("pinwatch.toml", &config);
    let report = project.run(&["check", "--yes", "--baseline-ref", "main", "--format", "json"]).out;
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let told = report["servers"][0].to_string();
    assert!(told.contains("second opinion: not available: the work tree does not name the scanner"), "{told}");
}

#[test]
fn what_the_work_tree_starts_is_its_own() {
    let project = merged();
    git(&project, &["checkout", "-q", "-b", "mine"]);
    let config = project.read("pinwatch.toml").replace("files.json", "other.json");
    project.surface("other", &super::project::two_tools());
    project.write("pinwatch.toml", &config);
    let said = project.run(&["check", "--yes", "--baseline-ref", "main", "--format", "json"]).out;
    let report: Value = serde_json::from_str(&said).expect("JSON");
    let types: Vec<_> =
        report["servers"][0]["drifts"].as_array().expect("drifts").iter().map(|one| &one["type"]).collect();
    assert_eq!(types, ["launch_changed"], "{said}");
}

#[test]
fn a_ref_that_cannot_be_read_is_named() {
    let project = merged();
    let says = |name: &str, part: &str| {
        let option = format!("--baseline-ref={name}");
        let said = project.expect(2, &["check", "--yes", &option]);
        assert!(said.err.contains(part), "{name}: {}", said.err);
    };
    for hostile in
        ["--help", "-h", "--output=/tmp/x", "main..main", "main\u{202e}", "a b", "$(touch x)", "main^{tree}", ""]
    {
        says(hostile, "no commit is named");
    }
    says("origin/main", "fetch it first");
    git(&project, &["tag", "main"]);
    says("main", "`main` names several refs here: write one of refs/tags/main, refs/heads/main");
    project.expect(1, &["check", "--yes", "--baseline-ref", "refs/heads/main"]);
    assert!(!project.path("x").exists());
}

#[test]
fn a_clone_without_the_ref_says_how_to_fetch_it() {
    let project = merged();
    git(&project, &["commit", "-qm", "more", "--allow-empty"]);
    let url = format!("file://{}", project.path("").display());
    git(&project, &["clone", "-q", "--depth=1", &url, "clone"]);
    let mut command = project.command(&["check", "--yes", "--baseline-ref", "HEAD~1"]);
    let done = command.current_dir(project.path("clone")).output().expect("it runs");
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.code() == Some(2) && said.contains("this is a shallow clone; fetch it first"), "{said}");
    std::fs::remove_dir_all(project.path("clone")).expect("removed");
}

#[test]
fn without_a_repository_or_its_files_it_is_named() {
    let project = Project::with_files();
    let said = project.expect(2, &CHECK).err;
    assert!(said.contains("is not in a git repository"), "{said}");

    let project = merged();
    project.expect(0, &["forget", "files"]);
    std::fs::remove_dir_all(project.path("snapshots")).expect("removed");
    git(&project, &["rm", "-rq", "--cached", "snapshots"]);
    git(
        &project,
        &["update-index", "--add", "--cacheinfo", "160000,1234567890123456789012345678901234567890,snapshots"],
    );
    git(&project, &["commit", "-qm", "a submodule"]);
    let said = project.expect(2, &CHECK).err;
    assert!(said.contains("snapshots is a submodule at `main`"), "{said}");

    let project = merged();
    std::fs::rename(project.path("pinwatch.toml"), project.path("real.toml")).expect("moved");
    std::os::unix::fs::symlink("real.toml", project.path("pinwatch.toml")).expect("linked");
    git(&project, &["add", "pinwatch.toml", "real.toml"]);
    git(&project, &["commit", "-qm", "a link"]);
    let said = project.expect(2, &CHECK).err;
    assert!(said.contains("pinwatch.toml is a symbolic link at `main`"), "{said}");
}
