//! `pinwatch audit`: what was changed in the log is named, and a committed head says what a chain alone cannot.

use super::project::{Project, drifted};
use pinwatch::audit::{evidence_hash, preimage};
use pinwatch::digest::Sha256;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

fn recorded() -> (Project, PathBuf) {
    let project = Project::with_files();
    project.expect(0, &["record", "--yes"]);
    let log = project.home().join("state/pinwatch/audit.jsonl");
    (project, log)
}

fn lines(log: &PathBuf) -> Vec<String> {
    fs::read_to_string(log).expect("the log").lines().map(str::to_owned).collect()
}

#[test]
fn a_log_of_ones_own_holds_and_says_what_that_proves() {
    let (project, log) = recorded();
    let many = lines(&log).len();
    let said = project.expect(0, &["audit", "verify"]).out;
    assert!(said.contains(&format!("{many} records in order")), "{said}");
    assert!(said.contains("this proves order, not honesty"), "{said}");
    let doctor = project.run(&["doctor"]).out;
    assert!(doctor.contains(&format!("audit        {many} records in order")), "{doctor}");
    assert!(lines(&log).iter().any(|line| line.contains("\"item_recorded\"")));
}

#[test]
fn whoever_edits_deletes_or_moves_a_record_is_named() {
    let (project, log) = recorded();
    let whole = lines(&log);
    let says = |lines: &[String], part: &str| {
        fs::write(&log, lines.join("\n") + "\n").expect("written");
        let said = project.expect(1, &["audit", "verify"]).out;
        assert!(said.contains(part), "{part}: {said}");
        let doctor = project.expect(2, &["doctor"]).out;
        assert!(doctor.contains("problem  audit"), "{doctor}");
    };
    let mut edited = whole.clone();
    edited[1] = edited[1].replace(r#""by":"ana""#, r#""by":"bob""#);
    says(&edited, "record 2 does not hold: its evidence was edited");
    let mut edited = whole.clone();
    edited[1] = edited[1].replace(r#""principal_id":"ana""#, r#""principal_id":"bob""#);
    says(&edited, "record 2 does not hold: it was edited");
    says(&whole[1..], "record 1 does not hold: it follows a record that is gone");
    says(&[&whole[..2], &whole[3..]].concat(), "record 3 does not hold: the record before it is not the one");
    let mut moved = whole.clone();
    moved.swap(1, 2);
    says(&moved, "record 2 does not hold: the record before it is not the one");
}

#[test]
fn committed_head_tells_a_cut_or_recomputed_log() {
    let (project, log) = recorded();
    let head = project.expect(0, &["audit", "head"]).out;
    project.write("snapshots/audit-heads.jsonl", &head);
    let whole = lines(&log);
    let named: Value = serde_json::from_str(&head).expect("one line of JSON");
    assert_eq!(named["record"], whole.len());
    // More is added behind it: it stays in its place.
    project.surface("files", &drifted());
    project.run(&["record", "--yes", "--label", "later"]);
    assert!(lines(&log).len() > whole.len());
    let said = project.expect(0, &["audit", "verify"]).out;
    assert!(said.contains("1 committed head in place"), "{said}");

    fs::write(&log, whole[..2].join("\n") + "\n").expect("written");
    let said = project.expect(1, &["audit", "verify"]).out;
    assert!(said.contains(&format!("record {} does not hold: it was cut off", whole.len())), "{said}");

    let mut previous = Value::Null;
    let mut anew = String::new();
    for line in &whole {
        let mut record: Value = serde_json::from_str(line).expect("JSON");
        if record["evidence"]["by"] == "ana" {
            record["evidence"]["by"] = "bob".into();
        }
        let evidence = format!("sha256:{}", evidence_hash(&record["evidence"]));
        record["extensions"]["runtime-security"]["evidence_hash"] = evidence.into();
        record["previous_hash"] = previous;
        previous = Sha256::of(preimage(&record).expect("canonical")).to_string().into();
        record["event_hash"] = previous.clone();
        anew += &(record.to_string() + "\n");
    }
    fs::write(&log, &anew).expect("written");
    let said = project.expect(1, &["audit", "verify"]).out;
    assert!(said.contains("the log was computed anew up to record"), "{said}");
    let doctor = project.expect(2, &["doctor"]).out;
    assert!(doctor.contains("problem  audit        record") && doctor.contains("computed anew"), "{doctor}");
    fs::remove_file(project.path("snapshots/audit-heads.jsonl")).expect("removed");
    assert!(project.expect(0, &["audit", "verify"]).out.contains("not honesty"));
}

#[test]
fn other_files_are_verified_with_their_own_heads() {
    let (project, log) = recorded();
    let head = project.expect(0, &["audit", "head"]).out;
    let exported = project.expect(0, &["audit", "export"]).out;
    assert_eq!(exported, fs::read_to_string(&log).expect("the log"));
    project.write("copy.jsonl", &exported);
    project.write("head.jsonl", &head);
    project.expect(0, &["audit", "verify", "copy.jsonl", "--head", "head.jsonl"]);
    project.write("copy.jsonl", exported.split_once('\n').expect("a line").0);
    let said = project.expect(1, &["audit", "verify", "copy.jsonl", "--head", "head.jsonl"]).out;
    assert!(said.contains("it was cut off"), "{said}");
    let enclawed = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/vectors/enclawed/audit-chain.jsonl");
    assert!(project.expect(0, &["audit", "verify", enclawed]).out.contains("4 records in order"));
    project.write("none.jsonl", "what?\n");
    project.expect(2, &["audit", "verify", "--head", "none.jsonl"]);
    project.expect(2, &["audit", "verify", "missing.jsonl"]);
}

#[test]
fn a_log_before_the_chain_that_was_edited_is_named() {
    let project = Project::with_files();
    let state = project.home().join("state/pinwatch");
    fs::create_dir_all(&state).expect("made");
    fs::write(state.join("decisions.jsonl"), "{}\n").expect("written");
    project.expect(0, &["record", "--yes"]);
    project.expect(0, &["audit", "verify"]);
    for edit in ["{}\n\n", ""] {
        fs::write(state.join("decisions.jsonl"), edit).expect("written");
        let said = project.expect(1, &["audit", "verify"]).out;
        assert!(said.contains("record 1 does not hold: the log before the chain"), "{said}");
    }
    fs::remove_file(state.join("decisions.jsonl")).expect("removed");
    project.expect(1, &["audit", "verify"]);
}

#[test]
fn a_spreadsheet_computes_nothing_of_an_export() {
    let (project, _) = recorded();
    project.run(&["record", "--yes", "--label", "=cmd|' /C calc'!A0,\"x\"\u{202e}"]);
    let said = project.expect(0, &["audit", "export", "--format", "csv"]).out;
    assert!(said.starts_with("record,occurred_at,event_type"), "{said}");
    assert!(said.contains(r#""'=cmd|' /C calc'!A0,""x""<U+202E>""#), "{said}");
}

fn seen(log: &PathBuf) -> Vec<String> {
    let records = lines(log).into_iter().map(|line| serde_json::from_str::<Value>(&line).expect("JSON"));
    let seen = records.filter(|record| record["evidence"]["format"] == "pinwatch.sighting.v1");
    seen.map(|record| record["extensions"]["caller-governance"]["purpose_declared"].as_str().expect("text").to_owned())
        .collect()
}

#[test]
fn check_tells_a_drift_when_it_comes_and_goes() {
    let (project, log) = recorded();
    project.expect(0, &["check", "--yes"]);
    assert_eq!(seen(&log).len(), 0);
    project.surface("files", &drifted());
    project.expect(1, &["check", "--yes"]);
    project.run(&["review", "--yes"]);
    project.expect(1, &["check", "--yes"]);
    project.surface("files", &super::project::two_tools());
    project.expect(0, &["check", "--yes"]);
    insta::assert_snapshot!(seen(&log).join("\n"), @r"
    saw drift in tool/read_file of files
    saw the end of drift in tool/read_file of files
    ");
    let said = project.expect(0, &["audit", "export", "--format", "csv"]).out;
    assert!(said.contains("\"drift_detected\",\"deferred\"") && said.contains("saw drift in"), "{said}");
    project.expect(0, &["audit", "verify"]);
    // The history of decisions knows nothing of it.
    assert!(!project.expect(0, &["show", "files", "tool/read_file"]).out.contains("drift"));
}

#[test]
fn a_log_that_cannot_be_written_changes_no_exit() {
    let (project, log) = recorded();
    project.surface("files", &drifted());
    fs::remove_file(&log).expect("removed");
    fs::create_dir(&log).expect("a folder in its place");
    let done = project.expect(1, &["check", "--yes"]);
    assert!(done.err.contains("files: the audit log could not be written"), "{}", done.err);
    assert!(done.out.ends_with("\ndrift\n"), "{}", done.out);
}
