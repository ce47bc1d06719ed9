//! A poll with nothing changed against reading its bytes from the pipe: DESIGN.md's budget is 1.5. This program is its
//! own server, which writes the same list around the id it was sent, so that the server costs next to nothing on both
//! sides. Run: `cargo bench --bench poll`. Nothing here asserts a time.

#![expect(clippy::print_stdout, reason = "a benchmark's result is what it prints")]
#![expect(clippy::expect_used, clippy::panic, reason = "a benchmark stops where it cannot go on")]

use pinwatch::mcp::{Limits, Look, Options, Session, Target};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const TOOLS: usize = 500;
const ROUNDS: usize = 61;
const SERVE: &str = "serve-a-list";
const MARK: &str = "1000000";

/// The answer to `tools/list`, about 1 MB, with [`MARK`] for its id.
fn list() -> String {
    let text = "It looks the record up and returns it. ".repeat(48);
    let tool = |at| json!({"name": format!("tool_{at:03}"), "description": text, "inputSchema": {"type": "object"}});
    let tools: Vec<_> = (0..TOOLS).map(tool).collect();
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{MARK},\"result\":{}}}\n", json!({ "tools": tools }))
}

/// Answers each line by its method, with the digits of its id.
fn serve() {
    let list = list();
    let handshake = json!({
        "protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "list", "version": "1"},
    });
    let handshake = format!("{{\"jsonrpc\":\"2.0\",\"id\":{MARK},\"result\":{handshake}}}\n");
    let unknown = json!({"code": -32601, "message": "Method not found"});
    let unknown = format!("{{\"jsonrpc\":\"2.0\",\"id\":{MARK},\"error\":{unknown}}}\n");
    let at = list.find(MARK).expect("an id");
    for line in std::io::stdin().lines() {
        let line = line.expect("a line");
        let Some((_, rest)) = line.split_once("\"id\":") else { continue };
        let answer = match line.split('"').find(|word| matches!(*word, "tools/list" | "initialize")) {
            Some("tools/list") => &list,
            Some(_) => &handshake,
            None => &unknown,
        };
        let mut out = std::io::stdout().lock();
        out.write_all(&answer.as_bytes()[..at]).expect("a reader");
        out.write_all(&rest.as_bytes()[..MARK.len()]).expect("a reader");
        out.write_all(&answer.as_bytes()[at + MARK.len()..]).expect("a reader");
        out.flush().expect("a reader");
    }
}

/// Asks for the list again and again and reads each answer whole.
fn bare() -> Vec<Duration> {
    let own = std::env::current_exe().expect("this program");
    let mut child =
        Command::new(own).arg(SERVE).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::with_capacity(1 << 16, child.stdout.take().expect("a pipe"));
    let mut line = Vec::new();
    let times = (0..ROUNDS)
        .map(|at| {
            let start = Instant::now();
            writeln!(input, "{{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"tools/list\"}}", 1_000_001 + at)
                .expect("it reads");
            line.clear();
            output.read_until(b'\n', &mut line).expect("it answers");
            start.elapsed()
        })
        .collect();
    drop(input);
    child.wait().expect("it ends");
    times
}

/// The same by a session's looks, each of which says that nothing changed.
async fn looks() -> Vec<Duration> {
    let target = Target::Stdio {
        command: std::env::current_exe().expect("this program").display().to_string(),
        args: vec![SERVE.to_owned()],
        cwd: std::env::temp_dir(),
        env: BTreeMap::new(),
    };
    let mut session = Session::open(&target, &Options::default(), &Limits::default()).await.expect("a session");
    session.look().await;
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let Look::Unchanged { .. } = session.look().await else { panic!("nothing changed") };
        times.push(start.elapsed());
    }
    session.close().await;
    times
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1000.0
}

fn main() {
    if std::env::args().any(|word| word == SERVE) {
        return serve();
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let (ours, reference) = (median(runtime.block_on(looks())), median(bare()));
    let name = format!("{} kB, nothing changed: a poll against reading it", list().len() / 1000);
    println!("{name:58} {ours:9.3} ms / {reference:9.3} ms = {:6.2}   budget 1.5", ours / reference);
}
