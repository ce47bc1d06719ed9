//! Full disks, kills and races on the real binary: what a command reports as done is there, and nothing is half done.

use super::project::{Done, Project, done, drifted, two_tools};
use super::terminal::{Terminal, pinwatch_in};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// Every file of the test, to begin again from.
type Files = BTreeMap<PathBuf, Vec<u8>>;

fn files(folder: &Path, found: &mut Files) {
    for entry in fs::read_dir(folder).expect("a folder of the test").flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.insert(path.clone(), fs::read(&path).unwrap_or_default());
        }
    }
}

fn all(project: &Project) -> Files {
    let mut found = Files::new();
    files(project.whole(), &mut found);
    found
}

fn restore(project: &Project, before: &Files) {
    for path in all(project).into_keys().filter(|path| !before.contains_key(path)) {
        fs::remove_file(path).expect("it can be removed");
    }
    for (path, bytes) in before {
        // A rename leaves no empty folder.
        fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
        fs::write(path, bytes).expect("it can be written");
    }
}

/// A server with a baseline, two snapshots, and a change that waits; and the digest of the change.
fn waiting() -> (Project, String) {
    let project = Project::with_files();
    project.expect(0, &["record", "--yes"]);
    project.surface("files", &drifted());
    project.expect(0, &["record", "--yes"]);
    let report = project.expect(1, &["check", "--yes", "--format", "json"]);
    let report: Value = serde_json::from_str(&report.out).expect("the report is JSON");
    let digest = report["servers"][0]["drifts"][0]["digests"]["surface"]["now"].as_str().expect("a digest").to_owned();
    (project, digest)
}

/// Every command that writes.
fn commands(digest: &str) -> Vec<Vec<String>> {
    let words = |text: &str| text.split(' ').map(|word| word.replace("DIGEST", digest)).collect();
    [
        "approve --yes files tool/read_file --expect DIGEST",
        "reject --yes files tool/read_file --expect DIGEST",
        "record --yes files",
        "rename files other",
        "forget files",
        "prune files --keep 1",
    ]
    .map(words)
    .into()
}

/// The decisions as they stand: what counts, whatever files there are beside.
fn decided(project: &Project) -> [Option<String>; 2] {
    ["files", "other"].map(|id| fs::read_to_string(project.path(&format!("snapshots/{id}/baseline.json"))).ok())
}

/// What must hold after a command that may have failed. `whole` is what stands where it went through.
fn holds(
    project: &Project,
    before: &Files,
    stood: &[Option<String>; 2],
    whole: &[Option<String>; 2],
    what: &str,
    ran: Option<&Done>,
) {
    let now = decided(project);
    let between = [stood[0].clone(), whole[1].clone()];
    let same = |a: &[Option<String>; 2], b: &[Option<String>; 2]| {
        a.iter().zip(b).all(|(a, b)| plain(a.as_ref()) == plain(b.as_ref()))
    };
    assert!(same(&now, stood) || same(&now, whole) || same(&now, &between), "{what}: half of it stands: {now:?}");
    if let Some(ran) = ran {
        assert!([0, 1, 2].contains(&ran.code) && !ran.err.contains("panicked"), "{what}: {ran:?}");
        if ran.code == 0 {
            assert!(same(&now, whole), "{what}: it was reported as done: {ran:?}");
        } else if ran.code == 2 {
            assert!(ran.err.contains("error: ") || ran.out.contains("UNKNOWN"), "{what}: {ran:?}");
        }
    }
    // A rename moves snapshots as they are.
    let is_snapshot = |path: &Path| path.to_string_lossy().contains("/snapshots/") && !path.ends_with("baseline.json");
    let there = all(project);
    let there: Vec<_> = there.iter().filter(|(path, _)| is_snapshot(path)).map(|(_, bytes)| bytes).collect();
    let lost = before.iter().filter(|(path, bytes)| is_snapshot(path) && !there.contains(bytes));
    assert!(what.contains("prune") || lost.count() == 0, "{what}: a snapshot is gone");
    // Whatever it came to, the next decision goes through, and says what is there.
    let id = if now[0].is_some() { "files" } else { "other" };
    if now.iter().any(Option::is_some) {
        let shown = project.run(&["show", id]);
        assert_eq!(shown.code, 0, "{what}: {shown:?}");
    }
    let again = project.run(&["record", "--yes", "files"]);
    assert!(again.code < 2, "{what}: {again:?}");
}

/// A baseline without the times in it.
fn plain(baseline: Option<&String>) -> Option<Value> {
    let mut value: Value = serde_json::from_str(baseline?).expect("a baseline is whole");
    for list in ["pins", "rejections"] {
        for entry in value[list].as_array_mut().into_iter().flatten() {
            entry["decision"]["at"] = Value::Null;
        }
    }
    Some(value)
}

fn words(command: &[String]) -> Vec<&str> {
    command.iter().map(String::as_str).collect()
}

#[test]
fn full_disk_is_an_error_and_no_half_decision() {
    let (project, digest) = waiting();
    let (before, stood) = (all(&project), decided(&project));
    let mut failed = 0;
    for command in commands(&digest) {
        project.run(&words(&command));
        let whole = decided(&project);
        // Blocks that a file may have: writing stops in another place each time.
        for blocks in [0, 1, 3, 8] {
            restore(&project, &before);
            let script = format!("ulimit -f {blocks}; trap '' XFSZ; exec \"$0\" \"$@\"");
            let mut limited = project.command(&[]);
            let mut shell = Command::new("sh");
            shell.args(["-c", &script]).arg(limited.get_program()).args(&command);
            shell.current_dir(project.path("")).env_clear().envs(project.environment()).stdin(Stdio::null());
            let ran = done(&mut shell);
            failed += usize::from(ran.code != 0);
            let what = format!("{command:?} with {blocks} blocks");
            holds(&project, &before, &stood, &whole, &what, Some(&ran));
            let _ = limited.stdin(Stdio::null());
        }
        restore(&project, &before);
    }
    assert!(failed > 10, "{failed} runs met the limit");
}

#[test]
fn a_kill_at_any_moment_leaves_the_old_or_the_new() {
    let (project, digest) = waiting();
    let (before, stood) = (all(&project), decided(&project));
    let mut killed = 0;
    for command in commands(&digest) {
        project.run(&words(&command));
        let whole = decided(&project);
        // Later and later, until it ends by itself.
        for wait in (0..).map(|step: u64| Duration::from_millis(step * (step + 1) * 2)) {
            restore(&project, &before);
            let mut child = project
                .command(&words(&command))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("it starts");
            thread::sleep(wait);
            let ended = child.try_wait().expect("it can be asked").is_some();
            child.kill().expect("it can be killed");
            child.wait().expect("it ends");
            holds(&project, &before, &stood, &whole, &format!("{command:?} killed after {wait:?}"), None);
            killed += usize::from(!ended);
            if ended {
                break;
            }
        }
        restore(&project, &before);
    }
    assert!(killed > 20, "{killed} were killed");
}

#[test]
fn five_that_decide_at_once_lose_nothing() {
    let project = Project::with_files();
    let tool = |at: usize, text: &str| json!({"name": format!("t{at}"), "description": format!("{text} {at}"), "inputSchema": {"type": "object", "properties": {format!("p{at}"): {"type": "string"}}}});
    let surface = |text: &str| {
        let mut surface = two_tools();
        surface["tools"] = (0..5).map(|at| tool(at, text)).collect::<Vec<_>>().into();
        surface
    };
    project.surface("files", &surface("Reads."));
    project.expect(0, &["record", "--yes"]);
    project.surface("files", &surface("Writes."));
    let report = project.run(&["check", "--yes", "--format", "json"]);
    let report: Value = serde_json::from_str(&report.out).expect("the report is JSON");
    let drifts = report["servers"][0]["drifts"].as_array().expect("drifts").iter();
    let drifts: Vec<_> = drifts.filter(|drift| drift["type"] == "tool_changed").collect();
    assert_eq!(drifts.len(), 5);
    let deciding: Vec<_> = drifts
        .iter()
        .map(|drift| {
            let (key, digest) =
                (drift["key"].as_str().expect("a key"), drift["digests"]["surface"]["now"].as_str().expect("a digest"));
            let item = format!("tool/{key}");
            let child = project
                .command(&["approve", "--yes", "files", &item, "--expect", digest])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("it starts");
            (key.to_owned(), child)
        })
        .collect();
    let mut taken = 0;
    for (key, mut child) in deciding {
        let done = child.wait().expect("it ends").success();
        let baseline = project.baseline("files");
        let pin = baseline["pins"].as_array().expect("pins").iter().find(|pin| pin["key"] == key.as_str()).cloned();
        let pin = pin.expect("the pin");
        // Who does not get the lock in time has decided nothing, and says so by its code.
        let is_new = pin["definition"]["description"].as_str().is_some_and(|text| text.starts_with("Writes."));
        assert_eq!(is_new, done, "{key}");
        taken += usize::from(done);
    }
    assert!(taken > 0);
}

#[test]
fn output_that_cannot_be_written_is_no_success() {
    let project = Project::with_files();
    project.expect(0, &["record", "--yes"]);
    let full = || fs::OpenOptions::new().write(true).open("/dev/full").expect("a device that is full");
    for words in [&["check", "--yes", "--format", "json"][..], &["check", "--yes"], &["show", "files"], &["servers"]] {
        let output = project.command(words).stdout(full()).output().expect("it starts");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
        assert!(said.contains("could not be written"), "{words:?}: {said}");
    }
}

fn watching(project: &Project) -> Terminal {
    let screen = super::on_servers(Terminal::start(pinwatch_in(project, &["watch", "--yes"]), 120, 40));
    screen.until_shows("✓ OK");
    screen
}

#[test]
fn a_baseline_deleted_while_somebody_watches_is_seen() {
    let project = Project::with_files();
    project.expect(0, &["record", "--yes"]);
    let mut screen = watching(&project);
    fs::remove_file(project.path("snapshots/files/baseline.json")).expect("it was there");
    screen.until_shows("NEW");
    screen.until("nothing approved any more", |screen| (!screen.contents().contains("✓ OK")).then_some(()));
    screen.press("quit 2");
    screen.wait();
}

#[test]
fn root_moved_during_a_watch_is_not_recreated() {
    let project = Project::with_files();
    project.expect(0, &["record", "--yes"]);
    let mut screen = watching(&project);
    let (here, there) = (project.path(""), project.whole().join("elsewhere"));
    fs::rename(&here, &there).expect("it can be moved");
    screen.until("nothing approved any more", |screen| (!screen.contents().contains("✓ OK")).then_some(()));
    screen.press("quit 2");
    screen.wait();
    assert!(!here.exists(), "no other root stands in its place");
    assert!(there.join("snapshots/files/baseline.json").exists());
}
