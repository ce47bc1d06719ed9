//! `pinwatch guard` between a client and a fixture server, as processes.

mod evidence;

use crate::agreed::agree;
use crate::fixture::fixture_server;
use crate::project::{Project, drifted, two_tools};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long anything may take on a loaded machine.
const CEILING: Duration = Duration::from_mins(1);

/// A client of a guard, which speaks in lines.
struct Client {
    guard: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Lines that were read while another one was waited for.
    passed: VecDeque<String>,
    next: u64,
}

impl Client {
    /// The words of the fixture server `files`. They name no file, whose content would be agreed to.
    fn server(behaves: &[&str]) -> Vec<String> {
        let behaves = behaves.iter().map(|name| format!(" --behave {name}")).collect::<Vec<_>>().concat();
        shell(&format!("{behaves} --script calls"))
    }

    fn start(project: &Project, options: &[&str], server: &[String]) -> Self {
        let root = project.path("").canonicalize().unwrap().display().to_string();
        let mut words = vec!["guard", "files", "--root", &root];
        words.extend(options);
        words.push("--");
        words.extend(server.iter().map(String::as_str));
        let mut command = project.command(&words);
        let said = std::fs::File::create(project.home().join("guard.err")).unwrap();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(said);
        let mut guard = command.spawn().expect("the guard starts");
        let stdout = guard.stdout.take().unwrap();
        let (send, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                let Ok(line) = line else { break };
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        Self { stdin: guard.stdin.take(), guard, lines, passed: VecDeque::new(), next: 1 }
    }

    /// The same, with the handshake behind it.
    fn open(project: &Project, options: &[&str], server: &[String]) -> Self {
        let mut client = Self::start(project, options, server);
        let answer = client.ask(
            "initialize",
            &json!({"protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"}}),
        );
        assert!(answer["result"]["protocolVersion"].is_string(), "{answer}");
        client.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        client
    }

    fn say(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(format!("{line}\n").as_bytes()).expect("the guard reads");
    }

    /// The next line; none where the guard has ended.
    fn line(&mut self) -> Option<String> {
        match self.lines.recv_timeout(CEILING) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("the guard says nothing"),
        }
    }

    /// Sends a request, and waits for its answer.
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        let id = self.next;
        self.next += 1;
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string());
        loop {
            let line = self.line().expect("an answer");
            let message: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
            self.passed.push_back(line);
        }
    }

    fn call(&mut self, name: &str) -> Value {
        self.ask("tools/call", &json!({"name": name, "arguments": {}}))
    }

    /// Waits for a notification.
    fn hears(&mut self, method: &str) {
        while let Some(line) = self.passed.pop_front().or_else(|| self.line()) {
            if line.contains(method) {
                return;
            }
        }
        panic!("{method} was not heard");
    }

    /// Ends it as a client does; its exit code.
    fn close(mut self) -> i32 {
        drop(self.stdin.take());
        self.guard.wait().expect("the guard ends").code().unwrap_or(-1)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.guard.kill();
        let _ = self.guard.wait();
    }
}

/// The project's config names the server by these words.
fn configure(project: &Project, server: &[String]) {
    let (command, args) = (json!(server[0]), json!(&server[1..]));
    project.write("pinwatch.toml", &format!("[servers.files]\ncommand = {command}\nargs = {args}\n"));
}

/// A project whose server was recorded and agreed to.
fn guarded(server: &[String]) -> Project {
    let project = Project::new();
    project.write("calls", "");
    project.surface("files", &two_tools());
    configure(&project, server);
    project.expect(0, &["record", "--yes"]);
    agree(&project);
    std::fs::write(project.path("files.log"), "").unwrap();
    project
}

fn shell(rest: &str) -> Vec<String> {
    let line = format!("exec '{}' files.json --log files.log{rest}", fixture_server().display());
    ["sh", "-c", &line].map(str::to_owned).to_vec()
}

/// The words of an entry that names its files.
fn naming() -> Vec<String> {
    let program = fixture_server().display().to_string();
    [&program, "files.json", "--log", "files.log"].map(str::to_owned).to_vec()
}

/// A project whose server answers calls.
fn answering() -> (Project, Vec<String>) {
    let project = guarded(&Client::server(&[]));
    project.write("calls", &format!("say tools/call {}\n", r#"{"jsonrpc":"2.0","id":$ID,"result":{"content":[]}}\n"#));
    (project, Client::server(&[]))
}

/// Why the guard answers the handshake with an error.
fn closed(project: &Project, server: &[String]) -> String {
    let mut client = Client::start(project, &[], server);
    let refused = client.ask("initialize", &json!({}));
    assert_eq!(refused["error"]["code"], -32090, "{refused}");
    assert_eq!(client.close(), 0);
    refused["error"]["message"].as_str().unwrap().to_owned()
}

/// How often the server was asked for something.
fn asked(project: &Project, method: &str) -> usize {
    project.read("files.log").lines().filter(|line| *line == method).count()
}

/// Waits for what has to come.
fn until(what: &str, is_so: impl Fn() -> bool) {
    let end = Instant::now() + CEILING;
    while !is_so() {
        assert!(Instant::now() < end, "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn approved_calls_pass_and_others_reach_no_server() {
    let (project, server) = answering();
    let mut surface = two_tools();
    surface["tools"].as_array_mut().unwrap().push(json!({"name": "send_mail", "inputSchema": {"type": "object"}}));
    project.surface("files", &surface);
    let mut client = Client::open(&project, &[], &server);
    let names = |answer: &Value| {
        answer["result"]["tools"].as_array().unwrap().iter().map(|one| one["name"].clone()).collect::<Vec<_>>()
    };
    let listed = client.ask("tools/list", &json!({}));
    assert_eq!(names(&listed), ["list_files", "read_file"]);
    assert_eq!(client.call("read_file")["result"], json!({"content": []}));
    let refused = client.call("send_mail");
    assert_eq!(refused["error"]["code"], -32090);
    assert_eq!(refused["error"]["message"], "`send_mail` was never approved; review it in pinwatch");
    assert_eq!(asked(&project, "tools/call"), 1);
    assert_eq!(client.close(), 0);
    until("the server ends with the guard", || project.read("files.log").contains("stdin ended"));
}

#[test]
fn a_rug_pull_in_mid_session_reaches_no_server() {
    let (project, server) = answering();
    let mut client = Client::open(&project, &[], &server);
    assert_eq!(client.ask("tools/list", &json!({}))["result"]["tools"].as_array().unwrap().len(), 2);
    assert!(client.call("read_file")["result"].is_object());
    project.surface("files", &drifted());
    client.hears("notifications/tools/list_changed");
    let refused = client.call("read_file");
    assert_eq!(refused["error"]["message"], "`read_file` changed since it was approved; review it in pinwatch");
    assert!(client.call("list_files")["result"].is_object());
    assert_eq!(asked(&project, "tools/call"), 2);
    // Approved here, it passes without a new session, and the client hears of it.
    let report = project.expect(1, &["check", "--yes", "--format", "json"]).out;
    let report: Value = serde_json::from_str(&report).unwrap();
    let digest = report["servers"][0]["drifts"][0]["digests"]["surface"]["now"].as_str().unwrap().to_owned();
    project.expect(0, &["approve", "files", "tool/read_file", "--expect", &digest, "--yes"]);
    client.hears("notifications/tools/list_changed");
    assert!(client.call("read_file")["result"].is_object());
}

fn words(server: &[String]) -> Vec<&str> {
    server.iter().map(String::as_str).collect()
}

#[test]
fn a_guard_without_a_baseline_starts_nothing() {
    let project = Project::new();
    project.surface("files", &two_tools());
    configure(&project, &Client::server(&[]));
    let said = closed(&project, &Client::server(&[]));
    assert!(said.starts_with("the guard is closed: `files` has no baseline in "), "{said}");
    assert!(said.ends_with("record one with `pinwatch record files`"), "{said}");
    assert!(!project.was_started("files"));
}

#[test]
fn another_command_than_approved_is_not_started() {
    let server = Client::server(&[]);
    let project = guarded(&server);
    let other = Client::server(&["slow"]);
    let said = closed(&project, &other);
    assert!(said.ends_with("the command of this guard is not the one that `files` has in pinwatch's config"), "{said}");
    // One that was agreed to needs its approval as well.
    configure(&project, &other);
    agree(&project);
    let said = closed(&project, &other);
    assert_eq!(said, "the guard is closed: the launch changed since it was approved; review it in pinwatch");
    assert_eq!(project.read("files.log"), "");
}

#[test]
fn a_launch_that_nobody_agreed_to_is_not_started() {
    let project = Project::with_files();
    project.expect(0, &["record", "--yes"]);
    std::fs::write(project.path("files.log"), "").unwrap();
    // Neither does the guard's own command line agree: it stands in a file.
    for options in [&[][..], &["--yes"], &["--config", "pinwatch.toml"]] {
        let mut client = Client::start(&project, options, &naming());
        let refused = client.ask("initialize", &json!({}));
        let said = refused["error"]["message"].as_str().unwrap();
        assert!(said.contains("nobody agreed to start it on this machine; agree to it in `pinwatch watch`"), "{said}");
        assert_eq!(project.read("files.log"), "");
    }
    agree(&project);
    drop(Client::open(&project, &[], &naming()));
}

#[test]
fn a_typed_server_opens_by_its_approved_launch() {
    let project = Project::new();
    project.surface("files", &two_tools());
    let server = Client::server(&[]);
    let root = project.path("").canonicalize().unwrap().display().to_string();
    project.expect(0, &[&["record", "--root", &root, "--name", "files", "--"][..], &words(&server)].concat());
    drop(Client::open(&project, &[], &server));
    // What is in a file of the project is agreed to where a config names it, and nowhere else.
    let named = naming();
    let other = Project::new();
    other.surface("files", &two_tools());
    let root = other.path("").canonicalize().unwrap().display().to_string();
    other.expect(0, &[&["record", "--root", &root, "--name", "files", "--"][..], &words(&named)].concat());
    let said = closed(&other, &named);
    assert!(said.contains("its command names files of the project, and no config names `files`"), "{said}");
}

#[test]
fn a_client_file_is_looked_through() {
    let server = Client::server(&[]);
    let project = Project::new();
    project.surface("files", &two_tools());
    let root = project.path("").canonicalize().unwrap().display().to_string();
    let args = [&["guard", "files", "--root", &root, "--"][..], &words(&server)].concat();
    let client = json!({"mcpServers": {"files": {"command": "/usr/local/bin/pinwatch", "args": args}}});
    project.write(".mcp.json", &client.to_string());
    project.expect(0, &["record", "--yes", "--root", &root]);
    assert!(!project.read("snapshots/files/baseline.json").contains("guard"));
    project.expect(0, &["check", "--yes", "--root", &root]);
    agree(&project);
    drop(Client::open(&project, &[], &server));
}

#[test]
fn more_that_passes_unseen_is_asked_about() {
    let (project, server) = answering();
    drop(Client::open(&project, &[], &server));
    let config = project.read("pinwatch.toml");
    for more in ["guard = \"warn\"", "ignore = [\"tool/*\"]", "ignore-kinds = [\"tools\"]"] {
        project.write("pinwatch.toml", &format!("{config}{more}\n"));
        let said = closed(&project, &server);
        assert!(said.contains("it changed since you agreed to start it: a guard lets "), "{more}: {said}");
    }
    project.write("pinwatch.toml", &format!("{config}guard = \"warn\"\n"));
    agree(&project);
    project.surface("files", &drifted());
    let mut client = Client::open(&project, &[], &server);
    assert!(client.call("read_file")["result"].is_object());
}

#[test]
fn a_baseline_from_elsewhere_opens_nothing() {
    let (project, server) = answering();
    // As where the project's files and an agreement are, and the decisions are not.
    std::fs::remove_file(project.home().join("state/pinwatch/audit.jsonl")).unwrap();
    let said = closed(&project, &server);
    assert!(said.contains("the launch is approved in the baseline's file, but not on this machine"), "{said}");
    assert_eq!(project.read("files.log"), "");
    // Each that is decided here opens.
    let pins = project.baseline("files")["pins"].as_array().unwrap().clone();
    for item in ["launch/", "tool/read_file"] {
        let is_meant =
            |pin: &&Value| format!("{}/{}", pin["kind"].as_str().unwrap(), pin["key"].as_str().unwrap()) == item;
        let digest = pins.iter().find(is_meant).unwrap()["digests"]["surface"].as_str().unwrap();
        project.expect(0, &["approve", "files", item, "--expect", digest, "--yes"]);
    }
    let mut client = Client::open(&project, &[], &server);
    assert!(client.call("read_file")["result"].is_object());
    let refused = client.call("list_files");
    let said = refused["error"]["message"].as_str().unwrap();
    assert!(said.contains("approved in the baseline's file, but not on this machine"), "{said}");
}

#[test]
fn a_damaged_baseline_or_log_closes_a_running_guard() {
    let (project, server) = answering();
    let mut client = Client::open(&project, &[], &server);
    assert!(client.call("read_file")["result"].is_object());
    let baseline = project.read("snapshots/files/baseline.json");
    project.write("snapshots/files/baseline.json", &baseline.replace("Read a file.", "Read any file."));
    let said = |answer: &Value| answer["error"]["message"].as_str().unwrap_or_default().to_owned();
    let refused = said(&client.call("read_file"));
    assert!(refused.starts_with("the guard is closed: "), "{refused}");
    project.write("snapshots/files/baseline.json", &baseline);
    assert!(client.call("read_file")["result"].is_object());
    let log = project.home().join("state/pinwatch/audit.jsonl");
    let text = std::fs::read_to_string(&log).unwrap();
    std::fs::write(&log, text.replacen("first record", "last record", 1)).unwrap();
    let refused = said(&client.call("read_file"));
    assert!(refused.starts_with("the guard is closed: the log of decisions does not hold"), "{refused}");
    assert_eq!(asked(&project, "tools/call"), 2);
}

#[test]
fn killing_the_guard_ends_client_and_server() {
    let server = Client::server(&["keep-child", "linger"]);
    let project = guarded(&server);
    let mut client = Client::open(&project, &[], &server);
    assert!(client.ask("tools/list", &json!({}))["result"].is_object());
    let child = project.read("files.log").lines().find_map(|line| line.strip_prefix("child ").map(str::to_owned));
    let child = child.expect("the server's child");
    client.guard.kill().unwrap();
    while client.line().is_some() {}
    let stat = format!("/proc/{child}/stat");
    until("the server's group ends", || !std::fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z")));
}

#[test]
fn no_hostile_mode_lets_a_call_pass() {
    for mode in [
        "hang-at-list",
        "crash-at-list",
        "huge",
        "endless-line",
        "deep",
        "endless-cursor",
        "same-cursor",
        "flood",
        "flood-for-ever",
        "noise",
        "noisy-stderr",
        "string-ids",
        "answer-twice",
        "unknown-id",
        "bom",
        "batch",
        "unreadable",
        "two-lists",
        "no-list",
        "error-at-list",
        "tools-only",
        "changed-after-each",
        "leave-child",
        "stderr-for-ever",
    ] {
        let server = Client::server(&[]);
        let project = guarded(&server);
        project.surface("files", &drifted());
        project.write("calls", &format!("behave {mode}\n"));
        let mut client = Client::start(&project, &["--timeout", "1s"], &server);
        client.say(r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#);
        client.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        client.say(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file"}}"#);
        // Either it is refused, or the server has ended and the guard with it.
        while let Some(line) = client.line() {
            if line.contains(r#""id":1,"error""#) {
                break;
            }
            assert!(!line.contains("\"result\":{\"content\""), "{mode}: {line}");
        }
        assert_eq!(asked(&project, "tools/call"), 0, "{mode}");
    }
}

#[test]
fn a_long_result_passes_byte_for_byte() {
    let text = "x\\u0041é".repeat(300_000);
    let answer = |id: &str| {
        format!(r#"{{"result":{{"content":[{{"type":"text","text":"{text}"}}]}},"jsonrpc":"2.0","id":{id}}}"#)
    };
    let server = Client::server(&[]);
    let project = guarded(&server);
    project.write("calls", &format!("say tools/call {}\\n\n", answer("$ID").replace('\\', "\\\\")));
    let mut client = Client::open(&project, &[], &server);
    client.say(r#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"read_file"}}"#);
    let line = client.line().expect("an answer");
    assert!(line == answer("\"a\""), "{} bytes, {} expected", line.len(), answer("\"a\"").len());
}
