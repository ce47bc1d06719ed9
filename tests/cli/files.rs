//! What stands in the root: configs that are wrong, baselines that are damaged or newer, `servers`, `show`, `forget`.

use super::project::{Project, drifted};
use std::fs;

const BASELINE: &str = "snapshots/files/baseline.json";

#[test]
fn config_error_names_file_line_and_nearest_key() {
    let project = Project::with_files();
    let entry = Project::entry("files", &[]);
    for (text, parts) in [
        (entry.replace("command", "comand"), &["pinwatch.toml:2", "`comand`", "did you mean `command`?"][..]),
        (format!("{entry}start-timeot = \"3s\"\n"), &["pinwatch.toml:4", "`start-timeot`", "`start-timeout`"]),
        (format!("[poll]\nintervall = \"3s\"\n{entry}"), &["pinwatch.toml:2", "`intervall`", "`interval`"]),
        (format!("{entry}env = {{ TOKEN = \"${{NOT_SET_HERE}}\" }}\n"), &["files", "TOKEN", "NOT_SET_HERE"]),
    ] {
        project.write("pinwatch.toml", &text);
        for command in ["check", "record", "servers", "review"] {
            let done = project.expect(2, &[command, "--yes"]);
            for part in parts {
                assert!(done.err.contains(part), "{command}: {part} in {}", done.err);
            }
        }
    }
    assert!(!project.was_started("files"));
    assert!(!project.path("snapshots").exists());
}

#[test]
fn damaged_or_newer_baseline_is_refused_untouched() {
    let project = Project::with_files();
    project.expect(0, &["record", "--yes"]);
    let good = project.read(BASELINE);
    project.surface("files", &drifted());
    let digest = format!("sha256:{}", "0".repeat(64));
    for (bad, part) in [
        (good.replace("pinwatch.baseline.v1", "pinwatch.baseline.v2"), "pinwatch.baseline.v2"),
        (good.replace("Read a file.", "Read any file."), "tool/read_file"),
        (good.replacen("\"server\": \"files\"", "\"server\": \"mail\"", 1), "mail"),
        (good[..good.len() / 2].to_owned(), "baseline.json"),
        (String::new(), "baseline.json"),
    ] {
        assert_ne!(bad, good);
        project.write(BASELINE, &bad);
        for words in [
            &["check", "--yes"][..],
            &["record", "--yes"],
            &["approve", "--yes", "files", "tool/read_file", "--expect", &digest],
            &["show", "files"],
        ] {
            let done = project.expect(2, words);
            let said = done.out + &done.err;
            assert!(said.contains(part) && said.contains("refused"), "{words:?}: {part} in {said}");
            assert_eq!(project.read(BASELINE), bad, "{words:?}");
        }
    }
    project.write(BASELINE, &good);
    project.expect(1, &["check", "--yes"]);
}

#[test]
fn refused_baseline_lets_others_be_recorded() {
    let project = Project::with_files();
    project.write("pinwatch.toml", &(Project::entry("files", &[]) + &Project::entry("mail", &[])));
    project.surface("mail", &drifted());
    fs::create_dir_all(project.path("snapshots/files")).expect("a folder");
    project.write(BASELINE, "{}");
    let record = project.expect(2, &["record", "--yes"]);
    let said = record.out + &record.err;
    assert!(said.contains("files") && said.contains("refused"), "{said}");
    assert_eq!(project.baseline("mail")["server"], "mail");
    assert_eq!(project.read(BASELINE), "{}");
}

#[test]
fn servers_lists_what_was_found_and_starts_none() {
    let project = Project::with_files();
    let found = project.expect(0, &["servers"]);
    for part in
        ["files", "files.json", "pinwatch.toml:1", "found by itself", "needed before its first start", "none yet"]
    {
        assert!(found.out.contains(part), "{part} in {}", found.out);
    }
    assert!(!project.was_started("files"));
    project.expect(0, &["record", "--yes"]);
    let found = project.expect(0, &["servers", "--yes"]);
    assert!(found.out.contains("consent   given") && found.out.contains("5 pins"), "{}", found.out);
}

#[test]
fn show_lists_pins_and_names_missing_ones() {
    let project = Project::with_files();
    let none = project.expect(2, &["show", "files"]);
    assert!(none.err.contains("has no baseline"), "{}", none.err);
    project.expect(0, &["record", "--yes"]);
    let list = project.expect(0, &["show", "files"]);
    assert!(list.out.contains("tool/read_file") && list.out.contains("approved"), "{}", list.out);
    assert!(!list.out.contains("(in the file)"), "{}", list.out);
    let missing = project.expect(2, &["show", "files", "tool/no_such"]);
    assert!(missing.err.contains("tool/no_such"), "{}", missing.err);
    // On a machine without the decisions, the file is what approves.
    fs::remove_dir_all(project.home().join("state")).expect("the state folder");
    let list = project.expect(0, &["show", "files"]);
    assert!(list.out.contains("(in the file)"), "{}", list.out);
    project.expect(0, &["check", "--yes"]);
}

#[test]
fn forget_drops_the_baseline_and_keeps_the_snapshots() {
    let project = Project::with_files();
    project.expect(2, &["forget", "files"]);
    project.expect(0, &["record", "--yes"]);
    let gone = project.expect(0, &["forget", "files"]);
    assert!(gone.out.contains("5 pins"), "{}", gone.out);
    assert!(!project.path(BASELINE).exists());
    assert_eq!(fs::read_dir(project.path("snapshots/files")).expect("the folder").count(), 1);
    project.expect(2, &["check", "--yes"]);
    project.expect(0, &["record", "--yes"]);
    project.expect(0, &["check", "--yes"]);
}

#[test]
fn a_renamed_server_takes_its_pins_along() {
    let project = Project::with_files();
    project.expect(0, &["record", "--yes"]);
    let before = project.baseline("files");
    project.surface("docs", &super::project::two_tools());
    project.write("pinwatch.toml", &Project::entry("docs", &[]));
    let said = project.expect(0, &["servers"]).out;
    assert!(said.contains("  pinwatch rename files ID"), "{said}");
    project.expect(0, &["rename", "files", "docs"]);
    let after = project.baseline("docs");
    assert_eq!(after["server"], "docs");
    assert_eq!(after["pins"][0]["decision"], before["pins"][0]["decision"], "who decided, and when");
    assert!(!project.path(BASELINE).exists());
    let done = project.expect(2, &["rename", "files", "docs"]);
    assert!(done.err.contains("files has no baseline"), "{}", done.err);
    project.write("pinwatch.toml", &(Project::entry("files", &[]) + &Project::entry("docs", &[])));
    // Other pins: the same ones, in the same second, would be a rename that was interrupted.
    project.surface("files", &super::project::drifted());
    project.expect(0, &["record", "--yes", "files"]);
    let done = project.expect(2, &["rename", "files", "docs"]);
    assert!(done.err.contains("docs has a baseline already"), "{}", done.err);
}

#[test]
fn renamed_server_keeps_snapshots_and_history() {
    let project = Project::new();
    let entry = |id: &str| format!("digest-scope = \"server\"\n{}", Project::entry(id, &[]));
    project.surface("files", &super::project::two_tools());
    project.write("pinwatch.toml", &entry("files"));
    project.expect(0, &["record", "--yes", "--label", "first"]);
    project.surface("files", &super::project::drifted());
    project.expect(0, &["record", "--yes", "--label", "second"]);
    let definition = |id: &str| {
        let pins = project.baseline(id)["pins"].as_array().expect("pins").clone();
        let pin = pins.into_iter().find(|pin| pin["key"] == "read_file").expect("the pin");
        pin["digests"]["definition"]["tool_definition_digest"].as_str().expect("a digest").to_owned()
    };
    let before = definition("files");
    project.surface("docs", &super::project::drifted());
    project.write("pinwatch.toml", &entry("docs"));
    let said = project.expect(0, &["rename", "files", "docs"]).out;
    assert!(said.contains("docs has the 5 pins, 0 rejections and 2 snapshots of files"), "{said}");
    assert_ne!(definition("docs"), before, "the digest covers the id");
    assert!(!project.path("snapshots/files").exists());
    // What differs is what differed before, and the launch, which names the other file.
    let report = project.expect(1, &["check", "--yes", "--format", "json"]).out;
    let report: serde_json::Value = serde_json::from_str(&report).expect("the report is JSON");
    let drifts = report["servers"][0]["drifts"].as_array().expect("drifts");
    let mut kinds: Vec<_> = drifts.iter().map(|drift| drift["type"].as_str().expect("a type")).collect();
    kinds.sort_unstable();
    assert_eq!(kinds, ["launch_changed", "tool_changed"], "{report:#}");
    let shown = project.expect(0, &["show", "docs", "tool/read_file"]).out;
    assert!(shown.contains("log       ") && shown.contains("record "), "{shown}");
    assert!(!project.expect(0, &["show", "docs"]).out.contains("(in the file)"));
    // Its snapshots are its own, under both commands that take one.
    let mut names: Vec<_> = fs::read_dir(project.path("snapshots/docs"))
        .expect("the folder")
        .map(|entry| entry.expect("an entry").path().display().to_string())
        .filter(|name| !name.ends_with("baseline.json"))
        .collect();
    // Of one second, the second one has a longer name.
    names.sort_by_key(|name| (name.len(), name.clone()));
    assert_eq!(names.len(), 2, "{names:?}");
    let compared = project.expect(1, &["diff", &names[0], &names[1]]).out;
    assert!(compared.starts_with("docs ") && compared.contains("read_file"), "{compared}");
    let changed = drifts.iter().find(|drift| drift["type"] == "tool_changed").expect("the drift");
    let now = changed["digests"]["surface"]["now"].as_str().expect("a digest");
    let words = ["approve", "docs", "tool/read_file", "--expect", now, "--snapshot"];
    project.expect(0, &[&words[..], &[&names[1]]].concat());
    // Elsewhere a snapshot is of the server that it names.
    let copy = project.path("copy.json").display().to_string();
    fs::copy(&names[1], &copy).expect("a copy");
    let refused = project.expect(2, &[&words[..], &[&copy]].concat());
    assert!(refused.err.contains("is a snapshot of `files`, not of `docs`"), "{}", refused.err);
}

#[test]
fn a_rename_onto_other_pins_says_the_way_out() {
    let project = Project::new();
    for id in ["files", "docs"] {
        project.surface(id, &super::project::two_tools());
    }
    project.write("pinwatch.toml", &(Project::entry("files", &[]) + &Project::entry("docs", &[])));
    project.expect(0, &["record", "--yes"]);
    let refused = project.expect(2, &["rename", "files", "docs"]).err;
    assert!(
        refused.contains("docs has a baseline already") && refused.contains("`pinwatch forget files`"),
        "{refused}"
    );
    project.expect(0, &["forget", "files"]);
    let said = project.expect(0, &["rename", "files", "docs"]).out;
    assert!(said.contains("docs has the 0 pins, 0 rejections and 1 snapshot of files"), "{said}");
    assert!(!project.path("snapshots/files").exists());
}

#[test]
fn prune_deletes_only_the_oldest_snapshots() {
    let project = Project::with_files();
    for _ in 0..4 {
        project.run(&["record", "--yes"]);
    }
    project.write("snapshots/files/notes.txt", "mine");
    let names = || {
        let folder = fs::read_dir(project.path("snapshots/files")).expect("the folder");
        let mut names: Vec<_> =
            folder.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    };
    let before = names();
    let snapshots: Vec<_> = before.iter().filter(|name| name.starts_with('2')).cloned().collect();
    assert_eq!(snapshots.len(), 4);
    project.expect(0, &["prune", "--keep", "2"]);
    assert_eq!(names().len(), before.len() - 2);
    for name in ["baseline.json", "notes.txt"] {
        assert!(names().contains(&name.to_owned()), "{name}");
    }
    let said = project.expect(0, &["prune", "files", "--keep", "2"]).out;
    assert!(said.contains("no server has more than 2 snapshots"), "{said}");
}

#[test]
fn themes_lists_all_and_names_what_is_wrong() {
    let project = Project::with_files();
    let folder = project.home().join("config/pinwatch/themes");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("mine.toml"), "inherits = \"dark\"\n[palette]\nink = \"#1a1c22\"\n").expect("written");
    let said = project.expect(0, &["themes"]).out;
    for part in ["ansi  built in  in use", "colour-blind  built in", "mine.toml", "`text` can hardly be read"] {
        assert!(said.contains(part), "{part} in {said}");
    }
    fs::write(folder.join("mine.toml"), "inherits = \"mine\"\n").expect("written");
    let said = project.expect(2, &["themes"]).out;
    assert!(said.contains("inherits from itself"), "{said}");
}
