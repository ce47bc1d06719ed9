//! The budget of `check` against a bare client, whole processes on a real server: medians of one run, each round doing both
//! in turn. Run: `PINWATCH_REAL_SERVERS=DIR cargo bench --bench check`, where DIR is as `.ci/run` lays it.
//!
//! The exit of the server counts on neither side: ours is over when the report has been written, the bare client's when
//! the last list has been read.

#![expect(clippy::print_stdout, reason = "a benchmark's result is what it prints")]
#![expect(clippy::expect_used, reason = "a benchmark stops where it cannot go on")]

use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 15;

/// Starts the server, shakes hands, reads every list that it promises, and measures until the last answer.
fn bare_client(server: &Path) -> Duration {
    let start = Instant::now();
    let mut child = piped(Command::new(server).arg("stdio"));
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut ask = |id: u64, method: &str, params: Value| {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        writeln!(input, "{request}").expect("the server reads");
        loop {
            let mut line = String::new();
            assert!(output.read_line(&mut line).expect("the server writes") > 0, "the server ended");
            let answer: Value = serde_json::from_str(&line).expect("JSON");
            if answer["id"] == id {
                return answer["result"].clone();
            }
        }
    };
    let client =
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bare", "version": "1"}});
    let promised = ask(1, "initialize", client)["capabilities"].clone();
    let lists = [
        ("tools", "tools/list"),
        ("prompts", "prompts/list"),
        ("resources", "resources/list"),
        ("resources", "resources/templates/list"),
    ];
    for (id, (capability, method)) in (2..).zip(lists) {
        if promised.get(capability).is_some() {
            let mut cursor = Value::Null;
            loop {
                let params = if cursor.is_null() { json!({}) } else { json!({"cursor": cursor}) };
                cursor = ask(id, method, params)["nextCursor"].clone();
                if cursor.is_null() {
                    break;
                }
            }
        }
    }
    let taken = start.elapsed();
    end(child);
    taken
}

fn piped(command: &mut Command) -> Child {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts")
}

fn end(mut child: Child) {
    // Dead already is as good.
    let _ = child.kill();
    let _ = child.wait();
}

/// Runs pinwatch and measures until its report is there.
fn pinwatch(root: &Path, arguments: &[&str]) -> Duration {
    let start = Instant::now();
    let mut child = piped(
        Command::new(env!("CARGO_BIN_EXE_pinwatch"))
            .args(arguments)
            .current_dir(root)
            .env("XDG_STATE_HOME", root.join("state"))
            .env("XDG_CONFIG_HOME", root.join("config")),
    );
    let mut output = child.stdout.take().expect("a pipe");
    let mut first = [0; 1];
    output.read_exact(&mut first).expect("a report");
    let taken = start.elapsed();
    output.read_to_end(&mut Vec::new()).expect("the rest of it");
    let _ = child.wait();
    taken
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn lay(server: &Path, count: usize) -> PathBuf {
    let root = std::env::temp_dir().join(format!("pinwatch-bench-{}-{count}", std::process::id()));
    fs::create_dir_all(&root).expect("a scratch folder");
    let server = server.display().to_string();
    let one = |index| format!("[servers.s{index}]\ncommand = {server:?}\nargs = [\"stdio\"]\n");
    let servers = (0..count).map(one).collect::<Vec<_>>().concat();
    fs::write(root.join("pinwatch.toml"), servers).expect("a scratch file");
    pinwatch(&root, &["record", "--config", "pinwatch.toml"]);
    root
}

fn row(name: &str, ours: Duration, reference: Duration, budget: &str) {
    let (a, b) = (ours.as_secs_f64() * 1000.0, reference.as_secs_f64() * 1000.0);
    println!("{name:58} {a:9.1} ms / {b:9.1} ms = {:6.2}   budget {budget}", a / b);
}

fn main() {
    let Some(servers) = std::env::var_os("PINWATCH_REAL_SERVERS") else {
        println!("SKIPPED check against a bare client: PINWATCH_REAL_SERVERS is not set");
        return;
    };
    let server = Path::new(&servers).join("everything/node_modules/.bin/mcp-server-everything");
    let (one, ten) = (lay(&server, 1), lay(&server, 10));
    let check = ["check", "--config", "pinwatch.toml"];
    let rounds: Vec<_> = (0..ROUNDS).map(|_| (pinwatch(&one, &check), bare_client(&server))).collect();
    let (ours, bare): (Vec<_>, Vec<_>) = rounds.into_iter().unzip();
    let (ours, bare) = (median(ours), median(bare));
    row("check of one stdio server against a bare client", ours, bare, "1.05");
    let many = median((0..ROUNDS / 3).map(|_| pinwatch(&ten, &check)).collect());
    row("check of ten servers against one", many, ours, "1.10 and the CPU that they need");
    for root in [one, ten] {
        // A scratch folder that stays behind harms nobody.
        let _ = fs::remove_dir_all(root);
    }
}
