//! Servers that are typed on the command line, over both transports.

use super::fixture::fixture_server;
use super::project::{Project, drifted, two_tools};
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// The fixture server over HTTP; ended with the value.
struct Served {
    child: Child,
    url: String,
}

impl Served {
    fn start(surface: &Path) -> Self {
        let mut command = Command::new(fixture_server());
        command.arg(surface).args(["--http", "0"]).stdin(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the fixture server starts");
        let mut line = String::new();
        BufReader::new(child.stderr.take().expect("its standard error")).read_line(&mut line).expect("a line");
        let address = line.trim().rsplit(' ').next().expect("an address");
        Self { child, url: format!("http://{address}/mcp") }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_typed_command_needs_no_config_and_no_consent() {
    let project = Project::new();
    project.surface("files", &two_tools());
    let program = fixture_server().display().to_string();
    let words = |command| [command, "--root", ".", "--name", "files", "--", &program, "files.json"].map(str::to_owned);
    let run = |code, command| {
        let words = words(command);
        project.expect(code, &words.iter().map(String::as_str).collect::<Vec<_>>())
    };
    run(2, "check");
    run(0, "record");
    run(0, "check");
    project.surface("files", &drifted());
    run(1, "check");
    assert_eq!(project.baseline("files")["server"], "files");
}

#[test]
fn without_a_root_the_users_data_folder_keeps_it() {
    let project = Project::new();
    project.surface("files", &two_tools());
    let program = fixture_server().display().to_string();
    project.expect(0, &["record", "--name", "files", "--", &program, "files.json"]);
    assert!(project.home().join("data/pinwatch/snapshots/files/baseline.json").is_file());
    assert!(!project.path("snapshots").exists());
    project.expect(0, &["check", "--name", "files", "--", &program, "files.json"]);
}

#[test]
fn a_typed_url_is_recorded_and_checked() {
    let project = Project::new();
    project.surface("remote", &two_tools());
    let served = Served::start(&project.path("remote.json"));
    let words = |command| [command, "--root", ".", "--name", "remote", "--url", &served.url].map(str::to_owned);
    let run = |code, command| {
        let words = words(command);
        project.expect(code, &words.iter().map(String::as_str).collect::<Vec<_>>())
    };
    run(0, "record");
    run(0, "check");
    project.surface("remote", &drifted());
    let check = run(1, "check");
    assert!(check.out.contains("tool_changed  tool/read_file"), "{}", check.out);
    let url = served.url.clone();
    drop(served);
    let down = project.expect(2, &["check", "--root", ".", "--name", "remote", "--url", &url]);
    assert!(down.out.contains("connect-failed"), "{}", down.out);
}

#[test]
fn a_typed_server_is_named_and_has_one_launch() {
    let project = Project::new();
    for words in [
        &["check", "--", "true"][..],
        &["check", "--url", "http://127.0.0.1:9/mcp"],
        &["check", "--name", "a"],
        &["check", "--name", "a", "--url", "http://127.0.0.1:9/mcp", "--", "true"],
        &["check", "--name", "a", "--url", "no url"],
    ] {
        let done = project.expect(2, words);
        assert!(!done.err.is_empty() || !done.out.is_empty(), "{words:?}");
    }
    let missing = project.expect(2, &["check", "--name", "a", "--", "no-such-program-anywhere"]);
    assert!(missing.out.contains("no-such-program-anywhere"), "{}", missing.out);
}
