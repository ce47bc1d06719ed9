//! How sessions begin badly and end: the reason, the time it takes, and that nothing is left running.

use super::kit::*;
use pinwatch::mcp::{Event, Limits, Options, Session, Target};
use pinwatch::surface::{Era, Kind};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The process that the fixture started and left to hold its pipes.
fn child(bench: &Bench) -> u32 {
    let log = bench.log();
    let line = log.iter().find_map(|line| line.strip_prefix("child ")).expect("it started a child");
    line.parse().expect("a process id")
}

async fn gone(pid: u32) {
    until("the end of the process", || !runs(pid)).await;
}

#[tokio::test]
async fn a_server_that_cannot_start_says_why() {
    // COMPLAINTS row 26: the message names the command; where it was looked for stands in the details and in `doctor`.
    let bench = Bench::new(PLAIN);
    let missing = command("no-such-command-of-pinwatch", Vec::new());
    let folder = Target::Stdio {
        command: "sh".to_owned(),
        args: Vec::new(),
        cwd: "/no/such/folder".into(),
        env: BTreeMap::new(),
    };
    for (target, code, part) in [
        (missing, "command-not-found", "command not found: no-such-command-of-pinwatch"),
        (folder, "start-failed", "/no/such/folder"),
        (bench.stdio("crash-at-start"), "exited", "exit status 3"),
        (bench.stdio("exit-at-once"), "exited", "exit status 0"),
        (command("sh", vec!["-c".to_owned(), "kill -9 $$".to_owned()]), "exited", "signal 9"),
        (command("sh", vec!["-c".to_owned(), "exec >&-; sleep 60".to_owned()]), "closed-stdout", ""),
    ] {
        for known_era in [None, Some(Era::Initialize), Some(Era::Discover)] {
            let (found, text) = refused(&target, &Options { known_era, ..options() }).await;
            assert_eq!(found, code, "{text}");
            assert!(text.contains(part), "{text}");
        }
    }
}

#[tokio::test]
async fn failure_carries_the_last_lines_of_stderr() {
    let bench = Bench::new(PLAIN);
    let failure = soon(Session::open(&bench.stdio("crash-at-start"), &options(), &Limits::default())).await;
    let failure = failure.expect_err("it crashed");
    assert_eq!(failure.stderr_tail, ["fixture_server: cannot find my settings"]);
}

#[tokio::test]
async fn a_server_that_never_answers_fails_in_time() {
    let bench = Bench::new(PLAIN);
    for known_era in [None, Some(Era::Initialize), Some(Era::Discover)] {
        // Whatever else is waited for is waited for past the ceiling.
        let hour = Duration::from_hours(1);
        let hurried =
            Options { start_timeout: Duration::from_millis(600), request_timeout: hour, known_era, ..options() };
        assert_eq!(refused(&bench.stdio("hang"), &hurried).await.0, "start-timeout");
    }
}

#[tokio::test]
async fn closing_ends_the_process_by_closing_its_input() {
    let bench = Bench::new(PLAIN);
    // It has an hour to end before it is told in another way.
    let limits = Limits { close_stdin: Duration::from_hours(1), ..Limits::default() };
    let session = soon(Session::open(&bench.stdio(""), &options(), &limits)).await.expect("a session");
    let pid = session.pid().expect("a process");
    soon(session.close()).await;
    assert!(!runs(pid));
    assert_eq!(bench.log().last().map(String::as_str), Some("stdin ended"));
}

#[tokio::test]
async fn process_ignoring_sigterm_is_killed() {
    let bench = Bench::new(PLAIN);
    let mut took = Vec::new();
    for patience in [Duration::from_millis(300), Duration::from_secs(3)] {
        let limits = Limits { close_stdin: patience, close_term: patience, ..Limits::default() };
        for target in [bench.stdio("linger"), bench.deaf("linger")] {
            let session = soon(Session::open(&target, &options(), &limits)).await.expect("a session");
            let pid = session.pid().expect("a process");
            let start = Instant::now();
            soon(session.close()).await;
            took.push(start.elapsed());
            gone(pid).await;
        }
    }
    // The bounds are what is waited for: with a tenth of them it is over sooner.
    assert!(took[0].max(took[1]) < took[2].min(took[3]), "{took:?}");
}

#[tokio::test]
async fn a_dropped_session_leaves_nothing_running() {
    let bench = Bench::new(PLAIN);
    let session = open(&bench.deaf("linger keep-child"), &options()).await;
    let (pid, child) = (session.pid().expect("a process"), child(&bench));
    assert!(runs(pid) && runs(child));
    drop(session);
    gone(pid).await;
    gone(child).await;
}

#[tokio::test]
async fn a_closed_session_takes_the_children_with_it() {
    let bench = Bench::new(PLAIN);
    let session = open(&bench.stdio("keep-child"), &options()).await;
    let child = child(&bench);
    soon(session.close()).await;
    gone(child).await;
}

#[tokio::test]
async fn an_end_is_seen_though_a_child_holds_the_pipes() {
    let bench = Bench::new(PLAIN);
    // No time-out ends the wait before the ceiling does.
    let patient = Options { request_timeout: Duration::from_hours(1), ..options() };
    let mut session = open(&bench.stdio("leave-child"), &patient).await;
    let observation = see(&mut session).await;
    assert_eq!(state(&observation, Kind::Tool), "failed exited");
    gone(child(&bench)).await;
    soon(session.close()).await;
}

#[tokio::test]
async fn ended_session_says_so_and_fails_from_then_on() {
    let bench = Bench::new(PLAIN);
    let mut session = open(&bench.stdio(""), &options()).await;
    see(&mut session).await;
    let pid = i32::try_from(session.pid().expect("a process")).ok();
    let pid = pid.and_then(rustix::process::Pid::from_raw).expect("an id");
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).expect("killed");
    let Event::Ended(reason) = changed(&mut session).await else { panic!("it ended") };
    assert_eq!((reason.code, reason.text.contains("signal 9")), ("exited", true), "{}", reason.text);
    let observation = see(&mut session).await;
    assert_eq!(observation.items, []);
    assert!(Kind::LISTS.into_iter().all(|kind| state(&observation, kind) == "failed exited"));
    assert_eq!(session.pid(), None);
    soon(session.close()).await;
}

#[tokio::test]
async fn server_environment_is_minimal_plus_config() {
    let bench = Bench::new(PLAIN);
    let names = bench.file().with_extension("names");
    let script = format!("env > '{}'; exec \"$0\" \"$@\"", names.display());
    let Target::Stdio { command, args, cwd, .. } = bench.stdio("") else { panic!("a command") };
    let args = ["-c".to_owned(), script, command].into_iter().chain(args).collect();
    let env = BTreeMap::from([("LOG".to_owned(), "debug".to_owned()), ("LANG".to_owned(), "C".to_owned())]);
    observe(&Target::Stdio { command: "sh".to_owned(), args, cwd, env }, &options()).await;
    let names = std::fs::read_to_string(names).expect("the environment");
    assert!(names.contains("LOG=debug\n") && names.contains("LANG=C\n") && names.contains("PATH="), "{names}");
    assert!(!names.contains("CARGO"), "cargo sets many variables for a test: {names}");
}

#[test]
fn no_value_of_a_target_is_printed() {
    let stdio = Target::Stdio {
        command: "server".to_owned(),
        args: vec!["--key=hunter2".to_owned()],
        cwd: ".".into(),
        env: BTreeMap::from([("KEY".to_owned(), "hunter2".to_owned())]),
    };
    let http = Target::Http {
        url: "https://me:hunter2@host/?key=hunter2".to_owned(),
        headers: vec![("Authorization".to_owned(), "hunter2".to_owned())],
        allow_plain: false,
    };
    let text = format!("{stdio:?} {http:?}");
    assert!(!text.contains("hunter2") && text.contains("KEY") && text.contains("Authorization"), "{text}");
}
