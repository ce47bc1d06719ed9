//! The budgets of the guard, whole processes against no guard: each round asks the bare server and the guarded ones in turn.
//! Run: `cargo bench --bench guard`. It needs nothing else; the server is this program itself.
//!
//! A budget is about what the guard adds: the quantile of the guarded less that of the bare, of the same run.

#![expect(clippy::print_stdout, reason = "a benchmark's result is what it prints")]
#![expect(clippy::expect_used, reason = "a benchmark stops where it cannot go on")]

use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const CALLS: usize = 4_000;
const LISTS: usize = 400;
const LONG: usize = 60;
const MANY: usize = 100_000;
/// Between the halves of a slow result.
const PAUSE: Duration = Duration::from_millis(100);

/// A list of 100 tools of about 2 kB.
fn tools() -> String {
    let tool = |index: usize| {
        json!({
            "name": format!("tool_{index}"),
            "description": format!("Reads record {index}. {}", "It returns the record as it was stored. ".repeat(42)),
            "inputSchema": {"type": "object", "properties": {"id": {"type": "string", "description": "The record"}}},
        })
    };
    json!((0..100).map(tool).collect::<Vec<_>>()).to_string()
}

/// The server: answers by the name of the tool.
fn serve() {
    let list = tools();
    let (mut out, mut line) = (std::io::stdout().lock(), String::new());
    let mut input = BufReader::new(std::io::stdin().lock());
    while {
        line.clear();
        input.read_line(&mut line).is_ok_and(|length| length > 0)
    } {
        let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
        let Some(id) = message.get("id") else { continue };
        let name = message["params"]["name"].as_str().unwrap_or_default();
        let say = |out: &mut dyn std::io::Write, result: &str| {
            let text = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}\n");
            out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_ok()
        };
        let text = |length: usize| json!({"content": [{"type": "text", "text": "x".repeat(length)}]}).to_string();
        let is_said = match (message["method"].as_str().unwrap_or_default(), name) {
            ("initialize", _) => say(
                &mut out,
                r#"{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"bench","version":"1"}}"#,
            ),
            ("tools/list", _) => say(&mut out, &format!("{{\"tools\":{list}}}")),
            ("tools/call", "tool_1") => say(&mut out, &text(1 << 20)),
            ("tools/call", "tool_2") => say(&mut out, &text(64 << 20)),
            ("tools/call", "tool_3") => {
                let whole = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{}}}\n", text(1 << 20));
                let (first, rest) = whole.as_bytes().split_at(whole.len() / 2);
                let said = out.write_all(first).and_then(|()| out.flush());
                sleep(PAUSE);
                said.and_then(|()| out.write_all(rest)).and_then(|()| out.flush()).is_ok()
            }
            ("tools/call", _) => say(&mut out, r#"{"content":[{"type":"text","text":"done"}]}"#),
            _ => {
                let text =
                    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":{{\"code\":-32601,\"message\":\"no\"}}}}\n");
                out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_ok()
            }
        };
        if !is_said {
            return;
        }
    }
}

/// A client of a server, or of a guard before it.
struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    next: u64,
}

impl Client {
    fn start(command: &mut Command) -> Self {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut client = Self { child, input, output, next: 1 };
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}});
        client.ask("initialize", &hello);
        client.input.write_all(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n").expect("it reads");
        client
    }

    /// The time until the answer began, until it was whole, and its length.
    fn ask(&mut self, method: &str, params: &Value) -> (Duration, Duration, usize) {
        let request = json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}).to_string() + "\n";
        self.next += 1;
        let start = Instant::now();
        self.input.write_all(request.as_bytes()).expect("it reads");
        assert!(!self.output.fill_buf().expect("it writes").is_empty(), "it ended");
        let first = start.elapsed();
        let mut line = Vec::new();
        self.output.read_until(b'\n', &mut line).expect("it writes");
        let whole = start.elapsed();
        assert!(
            !line.windows(8).take(200).any(|part| part == b"\"error\":"),
            "{}",
            String::from_utf8_lossy(&line[..line.len().min(500)])
        );
        (first, whole, line.len())
    }

    fn call(&mut self, name: &str) -> Duration {
        self.ask("tools/call", &json!({"name": name, "arguments": {"id": "r-17"}})).1
    }

    /// A figure of the process in kB.
    fn memory(&self, name: &str) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find(|line| line.starts_with(name));
        let digits = line.map(|line| line.chars().filter(char::is_ascii_digit).collect::<String>());
        digits.and_then(|digits| digits.parse().ok()).unwrap_or_default()
    }

    fn end(self) {
        let Self { mut child, input, mut output, .. } = self;
        drop(input);
        let _ = output.read_to_end(&mut Vec::new());
        let _ = child.wait();
    }
}

/// Three ways to one server: bare, guarded, guarded with all evidence.
struct Ways([Client; 3]);

const NAMES: [&str; 3] = ["bare", "guarded", "with evidence"];

impl Ways {
    fn start(root: &Path) -> Self {
        let own = std::env::current_exe().expect("this program");
        let pinwatch = |words: &[&str]| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_pinwatch"));
            command.args(words).current_dir(root);
            for (name, folder) in
                [("XDG_STATE_HOME", "state"), ("XDG_CONFIG_HOME", "config"), ("XDG_DATA_HOME", "data")]
            {
                command.env(name, root.with_extension("home").join(folder));
            }
            command
        };
        let (own, root) = (own.display().to_string(), root.display().to_string());
        let done = pinwatch(&["evidence", "keygen"]).output().expect("it runs");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&[done.stderr, done.stdout].concat()));
        let done =
            pinwatch(&["record", "--root", &root, "--name", "bench", "--", &own, "serve"]).output().expect("it runs");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&[done.stderr, done.stdout].concat()));
        let evidence = [
            "--evidence",
            "assay=assay.jsonl",
            "--evidence",
            "capiscio=capiscio.jsonl",
            "--evidence",
            "sealedproof=sealedproof.jsonl",
            "--strict-evidence",
        ];
        let guard = |options: &[&str]| {
            pinwatch(&[&["guard", "bench", "--root", &root][..], options, &["--", &own, "serve"]].concat())
        };
        Self([
            Client::start(Command::new(&own).arg("serve")),
            Client::start(&mut guard(&[])),
            Client::start(&mut guard(&evidence)),
        ])
    }

    /// The times of each way, each round all of them in turn.
    fn rounds(&mut self, count: usize, mut ask: impl FnMut(&mut Client) -> Duration) -> [Vec<Duration>; 3] {
        let mut times = [const { Vec::new() }; 3];
        for round in 0..count {
            for at in 0..3 {
                let way = (round + at) % 3;
                times[way].push(ask(&mut self.0[way]));
            }
        }
        times.each_mut().into_iter().for_each(|times| times.sort());
        times
    }
}

fn quantile(times: &[Duration], part: f64) -> f64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a place in a list"
    )]
    let at = ((times.len() as f64 * part) as usize).min(times.len() - 1);
    times[at].as_secs_f64() * 1000.0
}

/// What each guarded way adds to the bare one.
fn report(name: &str, times: &[Vec<Duration>; 3], budget: &str) {
    for way in 1..3 {
        let figures = [0.5, 0.99].map(|part| {
            let (ours, bare) = (quantile(&times[way], part), quantile(&times[0], part));
            format!("{ours:8.3} / {bare:8.3} ms = {:5.2}, adds {:7.3} ms", ours / bare, ours - bare)
        });
        println!("{name}, {:13}  median {}  p99 {}   budget {budget}", NAMES[way], figures[0], figures[1]);
    }
}

fn main() {
    if std::env::args().any(|word| word == "serve") {
        serve();
        return;
    }
    let root = lay();
    let mut ways = Ways::start(&root);
    ways.rounds(200, |client| client.call("tool_0"));
    let calls = ways.rounds(CALLS, |client| client.call("tool_0"));
    report("call", &calls, "p99 adds 1 ms");
    let lists = ways.rounds(LISTS, |client| client.ask("tools/list", &json!({})).1);
    report("list of 100 tools", &lists, "p99 adds 5 ms");
    let long = ways.rounds(LONG, |client| client.call("tool_1"));
    report("result of 1 MB", &long, "-");
    let firsts = ways.rounds(5, |client| client.ask("tools/call", &json!({"name": "tool_3"})).0);
    for (name, times) in NAMES.iter().zip(&firsts) {
        let first = quantile(times, 0.99);
        println!(
            "first byte of a slow result of 1 MB, {:13} {first:8.3} ms   budget {} ms, its second half",
            name,
            PAUSE.as_millis()
        );
    }
    for (name, way) in NAMES.iter().zip(&mut ways.0).skip(1) {
        let before = way.memory("VmHWM");
        let (_, _, length) = way.ask("tools/call", &json!({"name": "tool_2"}));
        let after = way.memory("VmHWM");
        println!(
            "peak memory over a result of {} MB, {:13} {before} kB before, {after} kB after   budget + 8 MB",
            length >> 20,
            name
        );
    }
    for (name, way) in NAMES.iter().zip(&mut ways.0) {
        let before = way.memory("VmRSS");
        let start = Instant::now();
        for _ in 0..MANY {
            way.call("tool_0");
        }
        let taken = start.elapsed();
        println!(
            "memory over {MANY} calls, {:13} {before} kB before, {} kB after, {:.0} calls/s   budget flat",
            name,
            way.memory("VmRSS"),
            f64::from(u32::try_from(MANY).unwrap_or_default()) / taken.as_secs_f64()
        );
    }
    ways.0.into_iter().for_each(Client::end);
    let lines = |name: &str| fs::read_to_string(root.join(name)).unwrap_or_default().lines().count();
    println!("lines of evidence: {} {} {}", lines("assay.jsonl"), lines("capiscio.jsonl"), lines("sealedproof.jsonl"));
    for folder in [root.with_extension("home"), root] {
        // A scratch folder that stays behind harms nobody.
        let _ = fs::remove_dir_all(folder);
    }
}

fn lay() -> PathBuf {
    let root = std::env::temp_dir().join(format!("pinwatch-bench-guard-{}", std::process::id()));
    fs::create_dir_all(&root).expect("a scratch folder");
    fs::write(root.join("pinwatch.toml"), "[evidence]\nsigning-key = \"evidence.key\"\n").expect("a scratch file");
    root
}
