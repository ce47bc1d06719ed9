//! `watch` as a whole process in a pseudo-terminal, over 500 servers of 100 tools of 2 kB, which one fixture process
//! serves over HTTP: first frame, memory, what an idle screen costs, and from a key to its frame. DESIGN.md has the
//! budgets. Run: `cargo bench --bench watch`. Linux only, since it asks `/proc`. Nothing here asserts a time.

#![expect(clippy::print_stdout, reason = "a benchmark's result is what it prints")]
#![expect(clippy::expect_used, clippy::panic, reason = "a benchmark stops where it cannot go on")]

#[path = "../tests/common/fixture.rs"]
mod fixture;
#[path = "../tests/common/project.rs"]
#[expect(dead_code, reason = "the tests use all of it")]
mod project;
#[path = "../tests/common/terminal.rs"]
#[expect(dead_code, reason = "the tests use all of it")]
mod terminal;

use project::Project;
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use terminal::{Terminal, pinwatch_in};

const TOOLS: usize = 100;
const KEYS: usize = 200;
/// Longer than an unused thread for files lives.
const QUIET: Duration = Duration::from_secs(12);
const IDLE: Duration = Duration::from_secs(10);

/// The fixture server, ended with the value.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A recorded root of `count` servers at one address.
fn lay(count: usize) -> (Project, Server) {
    let project = Project::new();
    let tool = |at: usize| {
        let schema = json!({"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]});
        let text = "It looks the record up and returns it. ".repeat(50);
        json!({"name": format!("tool_{at:03}"), "description": text, "inputSchema": schema})
    };
    let tools: Vec<_> = (0..TOOLS).map(tool).collect();
    project.surface("served", &json!({"capabilities": {"tools": {}}, "tools": tools}));
    let mut server = Command::new(fixture::fixture_server());
    server.arg(project.path("served.json")).args(["--http", "0", "--behave", "no-stream"]);
    let mut server = Server(server.stderr(Stdio::piped()).spawn().expect("the fixture server starts"));
    let mut line = String::new();
    BufReader::new(server.0.stderr.take().expect("a pipe")).read_line(&mut line).expect("it names its port");
    let port = line.trim().rsplit(':').next().expect("a word").to_owned();
    let entry = |at: usize| format!("[servers.server_{at:03}]\nurl = \"http://127.0.0.1:{port}/mcp\"\n");
    let entries = (0..count).map(entry).collect::<Vec<_>>().concat();
    project.write("pinwatch.toml", &format!("[poll]\ninterval = \"1h\"\n{entries}"));
    let start = Instant::now();
    project.expect(0, &["record", "--config", "pinwatch.toml"]);
    println!("{count} servers recorded in {:.1} s", start.elapsed().as_secs_f64());
    (project, server)
}

/// `watch` in a terminal, and how long its first frame took.
fn watch(project: &Project) -> (Terminal, Duration) {
    let command = pinwatch_in(project, &["watch", "--config", "pinwatch.toml"]);
    let start = Instant::now();
    let terminal = Terminal::start(command, 120, 40);
    terminal.until_shows("server_001");
    (terminal, start.elapsed())
}

/// A number of `/proc/PID/status`.
fn status(path: &str, name: &str) -> u64 {
    let text = fs::read_to_string(format!("{path}/status")).expect("the process runs");
    let line = text.lines().find_map(|line| line.strip_prefix(name)).expect("the kernel says it");
    line.trim_start_matches(':').trim().trim_end_matches(" kB").parse().expect("a number")
}

/// How often each thread of a process was woken so far.
fn wake_ups(pid: u32) -> BTreeMap<String, u64> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).expect("the process runs").flatten();
    let of = |thread: fs::DirEntry| {
        let path = thread.path().display().to_string();
        let woken = status(&path, "voluntary_ctxt_switches");
        (path, woken)
    };
    threads.map(of).collect()
}

fn idle(terminal: &Terminal) {
    let (before, written) = (wake_ups(terminal.pid()), terminal.written().len());
    thread::sleep(IDLE);
    let after = wake_ups(terminal.pid());
    let woken: u64 = after.iter().map(|(thread, woken)| woken - before.get(thread).unwrap_or(&0)).sum();
    let written = terminal.written().len() - written;
    println!("idle for {} s: {woken} wake-ups, {written} bytes written   budget 0 but minute marks", IDLE.as_secs());
}

/// From a key to the first bytes of its frame, through the terminal.
fn keys(terminal: &mut Terminal) {
    let mut times: Vec<_> = (0..KEYS)
        .map(|at| {
            let before = terminal.written().len();
            let start = Instant::now();
            terminal.press(if at % 40 < 20 { "down" } else { "up" });
            while terminal.written().len() == before {
                assert!(start.elapsed() < terminal::CEILING, "the key was not answered");
                thread::yield_now();
            }
            let taken = start.elapsed();
            terminal.settled(Duration::from_millis(5));
            taken
        })
        .collect();
    times.sort();
    let millis = |percent: usize| times[times.len() * percent / 100].as_secs_f64() * 1000.0;
    println!("key to frame: median {:.2} ms, 99th {:.2} ms   budget 16 ms", millis(50), millis(99));
}

fn main() {
    let (project, server) = lay(50);
    let mut first: Vec<_> = (0..9).map(|_| watch(&project).1).collect();
    first.sort();
    println!(
        "first frame over 50 baselines of {TOOLS} tools: median {:.1} ms   budget 50 ms",
        first[4].as_secs_f64() * 1000.0
    );
    drop((project, server));

    let (project, _server) = lay(500);
    let (mut terminal, _) = watch(&project);
    terminal.settled(QUIET);
    println!("{}", terminal.contents().lines().next().unwrap_or_default());
    let path = format!("/proc/{}", terminal.pid());
    let megabytes = |name| status(&path, name) / 1000;
    println!("500 servers: {} MB, {} MB at most   budget 250 MB", megabytes("VmRSS"), megabytes("VmHWM"));
    idle(&terminal);
    keys(&mut terminal);
}
