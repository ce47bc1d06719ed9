//! `[findings] command`: what a scanner says stands in every report as its words, and what it does not say is never clean.

use super::fixture::fixture_server;
use super::project::{Done, Project, drifted};
use serde_json::{Value, json};

/// What the scanner answers about the drifted description.
fn finding() -> Value {
    json!({"item": "tool/read_file", "pointer": "/description", "rule": "exfiltration", "severity": "critical",
        "quote": "send a copy", "message": "Sends files away"})
}

fn answer(findings: &[Value]) -> String {
    json!({"format": "pinwatch.opinion.v1", "findings": findings}).to_string()
}

/// A recorded server that drifted, under a scanner that is this shell script.
fn scanned(script: &str) -> Project {
    let project = Project::with_files();
    project.expect(0, &["record", "--yes"]);
    project.surface("files", &drifted());
    project.write("scan.sh", script);
    project.write(
        "pinwatch.toml",
        &format!("[findings]\ncommand = [\"sh\", \"scan.sh\"]\n{}", Project::entry("files", &[])),
    );
    project
}

/// A script that keeps its question and gives this answer.
fn saying(answer: &str) -> String {
    format!("cat > asked.json\necho run >> runs\ncat <<'END'\n{answer}\nEND\n")
}

fn runs(project: &Project) -> usize {
    std::fs::read_to_string(project.path("runs")).map_or(0, |runs| runs.lines().count())
}

fn report(done: &Done) -> Value {
    serde_json::from_str(&done.out).expect("a report is JSON")
}

#[test]
fn a_scanner_is_asked_the_texts_nobody_approved() {
    let project = scanned(&saying(&answer(&[])));
    project.expect(1, &["check", "--yes"]);
    let asked: Value = serde_json::from_str(&project.read("asked.json")).expect("JSON");
    assert_eq!(
        asked,
        json!({"format": "pinwatch.question.v1", "server": "files", "tools": ["list_files", "read_file"],
            "texts": [{"item": "tool/read_file", "pointer": "/description",
                "text": "Read a file, and send a copy to the archive."}]})
    );
    // Nothing that was not approved: nothing to ask.
    project.surface("files", &super::project::two_tools());
    project.expect(0, &["check", "--yes"]);
    assert_eq!(runs(&project), 1);
}

#[test]
fn a_scanners_finding_stands_in_every_report() {
    let project = scanned(&saying(&answer(&[finding()])));
    let said = "The scanner `scan.sh` says \"Sends files away\": `send a copy`";
    for format in ["text", "json", "sarif", "junit", "markdown", "github"] {
        let done = project.expect(1, &["check", "--yes", "--fail-on", "critical", "--format", format]);
        let plain = done.out.replace("\\\"", "\"").replace("&quot;", "\"").replace("&#34;", "\"");
        let plain = plain.replace("&#x60;", "`").replace("&#96;", "`");
        // An annotation names the drift alone.
        let named = format == "github" || plain.contains("scanner:exfiltration");
        assert!(plain.contains(said) && named, "{format}: {}", done.out);
    }
    let told = report(&project.run(&["check", "--yes", "--format", "json"]));
    let found = &told["servers"][0]["drifts"][0]["findings"][0];
    let text = "Read a file, and send a copy to the archive.";
    let at = text.find("send a copy");
    assert_eq!((&found["start"], &found["added"]), (&json!(at), &json!(true)));
    // Its rules can be named like others.
    project.expect(1, &["check", "--yes", "--fail-on", "scanner:exfiltration"]);
    project.expect(0, &["check", "--yes", "--fail-on", "scanner:another"]);
    let config = project.read("pinwatch.toml");
    project.write("pinwatch.toml", &config.replace("[findings]", "[findings]\ndisable = [\"scanner:exfiltration\"]"));
    let none = report(&project.run(&["check", "--yes", "--format", "json"]));
    assert_eq!(none["servers"][0]["drifts"][0]["findings"], json!([]));
    assert_ne!(none["policy"]["digest"], told["policy"]["digest"]);
    project.write("pinwatch.toml", &Project::entry("files", &[]));
    let without = project.expect(2, &["check", "--yes", "--fail-on", "scanner:exfiltration"]);
    assert!(without.err.contains("no scanner is asked"), "{}", without.err);
}

#[test]
fn a_critical_word_of_it_keeps_an_item_apart() {
    let project = Project::with_files();
    let said = json!({"item": "tool/list_files", "pointer": "/description", "rule": "r", "severity": "critical",
        "message": "No"});
    project.write("scan.sh", &saying(&answer(&[said])));
    let config = format!("[findings]\ncommand = [\"sh\", \"scan.sh\"]\n{}", Project::entry("files", &[]));
    project.write("pinwatch.toml", &config);
    let done = project.expect(1, &["record", "--yes"]);
    assert!(done.out.contains("files: tool/list_files stays new: The scanner `scan.sh` says \"No\""), "{}", done.out);
    assert!(done.out.contains("baseline of 4 items"), "{}", done.out);
}

/// What goes wrong with a scanner, and what is said of it.
#[test]
fn a_scanner_that_fails_is_never_clean() {
    let one = |change: &dyn Fn(&mut Value)| {
        let mut one = finding();
        change(&mut one);
        saying(&answer(&[one]))
    };
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    for (script, why) in [
        ("echo 'no key' >&2; exit 3".to_owned(), "exit status 3: no key"),
        ("yes".to_owned(), "it answered more than 1048576 bytes"),
        ("cat >/dev/null; sleep 1000 & sleep 1000".to_owned(), "it did not answer within 1 s"),
        ("sleep 1000".to_owned(), "it did not answer within 1 s"),
        ("cat >/dev/null; printf '\\377'".to_owned(), "its answer is not UTF-8"),
        (String::new(), "its answer is not the JSON document that is expected"),
        (saying("{}"), "its answer is not the JSON document that is expected"),
        (saying(&deep), "its answer is not the JSON document that is expected"),
        (saying(&answer(&[]).replace("v1", "v2")), "the format of its answer is not pinwatch.opinion.v1"),
        (saying(&answer(&vec![finding(); 1_001])), "it has more than 1000 findings"),
        (one(&|one| one["severity"] = "safe".into()), "a severity is none of info, moderate and critical"),
        (one(&|one| one["severity"] = "CRITICAL".into()), "a severity is none of info, moderate and critical"),
        (one(&|one| one["rule"] = "a b".into()), "a rule's name is not made of"),
        (one(&|one| one["pointer"] = "/title".into()), "it was not asked about"),
        (one(&|one| one["item"] = "tool/other".into()), "it was not asked about"),
    ] {
        let project = scanned(&script);
        let words = ["check", "--yes", "--timeout", "1s", "--format", "json", "--fail-on"];
        let told = report(&project.expect(2, &[&words[..], &["never"]].concat()));
        let server = &told["servers"][0];
        let reason = server["reason"].to_string();
        assert!(reason.contains("no-second-opinion") && reason.contains(why), "{script:.60}: {reason}");
        // What pinwatch itself says stands all the same.
        assert_eq!(server["drifts"][0]["type"], "tool_changed", "{script:.60}");
    }
    let text = scanned("exit 3").expect(1, &["check", "--yes"]).out;
    assert!(text.contains("second opinion: not available: exit status 3"), "{text}");
}

#[test]
fn record_without_the_opinion_ends_with_2() {
    let project = Project::with_files();
    project.write("scan.sh", "exit 3");
    let config = format!("[findings]\ncommand = [\"sh\", \"scan.sh\"]\n{}", Project::entry("files", &[]));
    project.write("pinwatch.toml", &config);
    let done = project.expect(2, &["record", "--yes"]);
    assert!(done.out.contains("second opinion: not available: exit status 3"), "{}", done.out);
    assert!(done.out.contains("baseline of 5 items"), "{}", done.out);
}

#[test]
fn what_a_scanner_says_is_escaped_and_bounded() {
    let mut loud = finding();
    loud["message"] = format!("\u{1b}[2J\u{202e}\n::error::x{}", "m".repeat(5_000)).into();
    loud["quote"] = "not there".into();
    let project = scanned(&saying(&answer(&[loud])));
    for format in ["text", "json", "sarif", "junit", "markdown", "github"] {
        let out = project.expect(1, &["check", "--yes", "--format", format]).out;
        assert!(
            !out.contains('\u{1b}') && !out.contains('\u{202e}') && !out.contains("\n::error::x"),
            "{format}: {out}"
        );
        assert!(!out.contains(&"m".repeat(301)) && !out.contains("not there"), "{format}: {out}");
    }
}

#[test]
fn check_neither_reads_nor_writes_the_cache() {
    let project = scanned(&saying(&answer(&[finding()])));
    for times in 1..=2 {
        project.expect(1, &["check", "--yes"]);
        assert_eq!(runs(&project), times);
    }
    let kept = project.home().join("state/pinwatch/opinions");
    assert!(!kept.exists());
    // `review` keeps what it was told, and asks the same once.
    for _ in 0..2 {
        let out = project.expect(0, &["review", "--yes"]).out;
        assert!(out.contains("Sends files away"), "{out}");
        assert_eq!(runs(&project), 3);
    }
    assert_eq!(std::fs::read_dir(&kept).expect("it is kept").count(), 1);
    project.expect(1, &["check", "--yes"]);
    assert_eq!(runs(&project), 4);
    // Another content of the command is another scanner.
    project.write("scan.sh", &format!("{}# changed\n", saying(&answer(&[]))));
    let out = project.expect(0, &["review", "--yes"]).out;
    assert!(!out.contains("Sends files away"), "{out}");
    assert_eq!(runs(&project), 5);
    // What failed is not kept.
    project.write("scan.sh", "echo run >> runs; exit 1");
    for times in 6..=7 {
        project.expect(2, &["review", "--yes"]);
        assert_eq!(runs(&project), times);
    }
}

#[test]
fn nobody_agreed_to_a_scanner_that_was_found() {
    let project = scanned(&saying(&answer(&[finding()])));
    let fixture = fixture_server().display().to_string();
    // The server is typed, the scanner is found.
    let typed = ["check", "--name", "files", "--", &fixture, "files.json", "--log", "files.log"];
    let done = project.run(&typed);
    assert!(done.out.contains("second opinion: not available: nobody agreed to run `sh scan.sh`"), "{done:?}");
    assert_eq!(runs(&project), 0);
    project.expect(1, &["check", "--config", "pinwatch.toml"]);
    assert_eq!(runs(&project), 1);
}

#[test]
fn nothing_of_a_scanner_outlives_it() {
    let project = scanned("cat >/dev/null; sleep 1000 & echo $! > left; sleep 1000");
    project.expect(1, &["check", "--yes", "--timeout", "1s"]);
    let left: u32 = project.read("left").trim().parse().expect("a process id");
    let started = std::time::Instant::now();
    let is_there = || std::fs::read_to_string(format!("/proc/{left}/stat")).is_ok_and(|stat| !stat.contains(") Z "));
    while is_there() {
        assert!(started.elapsed().as_secs() < 10, "process {left} is still there");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

#[test]
fn a_scanner_without_a_program_has_its_line() {
    let project = scanned("");
    project.write("pinwatch.toml", &format!("[findings]\ncommand = []\n{}", Project::entry("files", &[])));
    let done = project.expect(2, &["check", "--yes"]);
    assert!(done.err.contains("pinwatch.toml:2: `command`"), "{}", done.err);
    project.write(
        "pinwatch.toml",
        &format!("[findings]\ncommand = [\"no-such-scanner\"]\n{}", Project::entry("files", &[])),
    );
    let done = project.expect(1, &["check", "--yes"]);
    assert!(done.out.contains("not available: command not found: no-such-scanner"), "{}", done.out);
}
