//! What the screen shows of a guard that runs, and how a confirmation there opens it.

use super::agreed::agree;
use super::fixture::fixture_server;
use super::project::{Project, drifted, two_tools};
use super::start::pinwatch;
use super::terminal::Terminal;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// A client with a name, behind a guard.
struct Client {
    guard: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    next: u64,
}

impl Client {
    fn start(project: &Project) -> Self {
        let root = project.path("").canonicalize().expect("the root").display().to_string();
        let [program, flag, line] = server();
        let mut command = project.command(&["guard", "files", "--root", &root, "--", &program, &flag, &line]);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut guard = command.spawn().expect("the guard starts");
        let (stdin, stdout) = (guard.stdin.take().expect("a pipe"), guard.stdout.take().expect("a pipe"));
        Self { guard, stdin, stdout: BufReader::new(stdout), next: 1 }
    }

    /// Sends a request, and waits for its answer.
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        let id = self.next;
        self.next += 1;
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        writeln!(self.stdin, "{message}").expect("the guard reads");
        loop {
            let mut line = String::new();
            assert!(self.stdout.read_line(&mut line).expect("the guard writes") > 0, "the guard ended");
            let answer: Value = serde_json::from_str(&line).expect("JSON");
            if answer["id"] == id && answer.get("method").is_none() {
                return answer;
            }
        }
    }

    fn hello(&mut self) -> Value {
        let info = json!({"name": "claude-code", "title": "Claude Code", "version": "2.1"});
        let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info});
        let answer = self.ask("initialize", &params);
        if answer["result"].is_object() {
            writeln!(self.stdin, r#"{{"jsonrpc":"2.0","method":"notifications/initialized"}}"#)
                .expect("the guard reads");
        }
        answer
    }

    fn call(&mut self, name: &str) -> Value {
        self.ask("tools/call", &json!({"name": name, "arguments": {}}))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.guard.kill();
        let _ = self.guard.wait();
    }
}

/// The words of a server that names no file, whose content would be agreed to.
fn server() -> [String; 3] {
    let line = format!("exec '{}' files.json --script calls", fixture_server().display());
    ["sh".to_owned(), "-c".to_owned(), line]
}

/// A project whose server answers calls, recorded and agreed to.
fn guarded() -> Project {
    let project = Project::new();
    project.write("calls", &format!("say tools/call {}\n", r#"{"jsonrpc":"2.0","id":$ID,"result":{"content":[]}}\n"#));
    project.surface("files", &two_tools());
    let [program, flag, line] = server();
    let config = format!("[servers.files]\ncommand = {}\nargs = {}\n", json!(program), json!([flag, line]));
    project.write("pinwatch.toml", &config);
    project.expect(0, &["record", "--yes"]);
    agree(&project);
    project
}

fn decided(screen: &mut Terminal, asks: &str, done: &str) {
    screen.press("approve");
    screen.until_shows(asks);
    screen.press("confirm");
    screen.until_shows(done);
}

#[test]
fn a_rug_pull_shows_who_was_blocked() {
    let project = guarded();
    let mut screen = pinwatch(&project, &[], 120, 36);
    screen.until_shows("Nothing needs you.");
    let mut client = Client::start(&project);
    assert!(client.hello()["result"].is_object());
    assert!(client.call("read_file")["result"].is_object());
    // It writes once a second.
    let tells = |what: &str| project.expect(0, &["servers"]).out.contains(what);
    super::eventually("a guard is told", || tells("  guard     Claude Code 2.1 since ") && tells("; open\n"));
    project.surface("files", &drifted());
    let mut refused = Value::Null;
    super::eventually("the guard hears of the change", || {
        refused = client.call("read_file");
        refused.get("error").is_some()
    });
    client.call("read_file");
    assert_eq!(refused["error"]["message"], "`read_file` changed since it was approved; review it in pinwatch");
    screen.until_shows("BLOCKED 2×");
    screen.press("open");
    screen.until_shows("BLOCKED 2 uses by the guard; asked by Claude Code 2.1, last ");
    super::eventually("its count is told", || tells(" requests blocked; open"));
    screen.takes("quit");
    screen.press("events");
    screen.until_shows("BLOCKED");
    screen.until_shows(" by Claude Code 2.1");
    screen.takes("quit");
    screen.press("details");
    screen.until_shows("BLOCKED 2 requests");
    screen.takes("quit");
    screen.press("open");
    screen.until_shows("a copy to the archive.");
    decided(&mut screen, "Approve read_file on files?", "Nothing needs you.");
    super::eventually("the guard opens", || client.call("read_file")["result"].is_object());
    drop(client);
    // A killed one leaves its file, and is told no more.
    assert!(!project.expect(0, &["servers"]).out.contains("  guard  "));
}

#[test]
fn a_confirmation_opens_a_running_guard() {
    let project = guarded();
    // As where the project's files and an agreement are, and the decisions are not.
    std::fs::remove_file(project.home().join("state/pinwatch/audit.jsonl")).expect("the log");
    let before = project.read("snapshots/files/baseline.json");
    let mut client = Client::start(&project);
    let said = client.hello()["error"]["message"].as_str().unwrap_or_default().to_owned();
    assert!(said.contains("the launch is approved in the baseline's file, but not on this machine"), "{said}");
    let mut screen = pinwatch(&project, &[], 120, 36);
    screen.until_shows("Approved in the file only");
    screen.until_shows("▸? launch");
    screen.press("open");
    screen.until_shows("q back");
    decided(&mut screen, "Confirm launch on files?", "confirmed launch/ of files");
    super::eventually("the guard opens", || client.hello()["result"].is_object());
    let listed = client.ask("tools/list", &json!({}));
    assert_eq!(listed["result"]["tools"], json!([]), "nothing is confirmed yet");
    assert!(client.call("read_file").get("error").is_some());
    screen.until_shows("BLOCKED 1×");
    // Several that are marked, each after it was read.
    for name in ["list_files", "read_file"] {
        screen.until_shows(name);
    }
    screen.takes("home, open, quit, mark, down, open, quit, mark");
    screen.until_shows("2 marked");
    screen.press("approve-marked");
    screen.until_shows("Confirm 2 marked items?");
    screen.press("type '2'");
    screen.press("confirm");
    screen.until_shows("Nothing needs you.");
    super::eventually("the guard opens", || client.call("read_file")["result"].is_object());
    assert_eq!(client.ask("tools/list", &json!({}))["result"]["tools"].as_array().map(Vec::len), Some(2));
    // The file is what it was: nothing to commit.
    assert_eq!(project.read("snapshots/files/baseline.json"), before);
    // What was confirmed can be taken back, and closes it again.
    screen.press("undo");
    screen.until_shows("y undo");
    screen.press("confirm");
    super::eventually("the guard closes", || client.call("read_file").get("error").is_some());
    screen.press("quit 5");
    assert_eq!(screen.wait(), 0);
}
