//! A long watch over many servers that fail at random: memory, descriptors, threads and processes stay as they are.

use super::project::Project;
use super::terminal::{Terminal, pinwatch_in};
use serde_json::json;
use std::fs;
use std::io::Write as _;
use std::thread;
use std::time::{Duration, Instant};

/// What a process holds.
#[derive(Clone, Copy, Debug, Default)]
struct Held {
    kilobytes: u64,
    descriptors: usize,
    threads: usize,
    children: usize,
}

impl Held {
    fn of(process: u32) -> Self {
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let number = |name: &str| {
            let line = status.lines().find(|line| line.starts_with(name)).unwrap_or_default();
            line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).unwrap_or(0)
        };
        let tasks = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
        let children = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
        Self {
            kilobytes: number("VmRSS:"),
            descriptors: fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten().count(),
            threads: usize::try_from(number("Threads:")).unwrap_or(0),
            children: children.map(|ids| ids.split_whitespace().count()).sum(),
        }
    }

    fn most(self, other: Self) -> Self {
        Self {
            kilobytes: self.kilobytes.max(other.kilobytes),
            descriptors: self.descriptors.max(other.descriptors),
            threads: self.threads.max(other.threads),
            children: self.children.max(other.children),
        }
    }
}

/// Watches `servers` for `span`; gives the most that was held in the second and in the last quarter of it.
fn watch(servers: usize, span: Duration) -> [Held; 2] {
    let project = Project::new();
    let tool = |at: usize| json!({"name": format!("tool_{at}"), "description": "Does something with a path. ".repeat(20), "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}}});
    let surface = json!({"server_info": {"name": "files", "version": "1"}, "capabilities": {"tools": {"listChanged": true}}, "tools": (0..50).map(tool).collect::<Vec<_>>()});
    let mut config = String::new();
    for at in 0..servers {
        let id = format!("s{at}");
        project.surface(&id, &surface);
        let args = json!([format!("{id}.json"), "--script", format!("{id}.script")]);
        let command = json!(super::fixture::fixture_server());
        let entry = format!("[servers.{id}]\ncommand = {command}\nargs = {args}\n");
        config.extend([&entry, "poll-interval = \"1s\"\nrequest-timeout = \"3s\"\n"]);
    }
    project.write("pinwatch.toml", &config);
    let recorded = project.run(&["record", "--yes"]);
    assert_eq!(recorded.code, 0, "{recorded:?}");
    for at in 0..servers {
        project.write(&format!("s{at}.script"), "behave moody\n");
    }
    let mut screen = Terminal::start(pinwatch_in(&project, &["watch", "--yes"]), 120, 40);
    screen.until_shows("servers");
    let (process, start) = (screen.pid(), Instant::now());
    let mut most = [Held::default(); 4];
    let mut told = 0;
    while start.elapsed() < span {
        let quarter = usize::try_from(start.elapsed().as_millis() * 4 / span.as_millis()).unwrap_or(3).min(3);
        let now = Held::of(process);
        assert!(now.threads > 0, "it runs");
        most[quarter] = most[quarter].most(now);
        if start.elapsed().as_secs() / 30 > told {
            told += 1;
            writeln!(std::io::stderr(), "{:4} s  {now:?}", start.elapsed().as_secs()).expect("it is told");
        }
        // A person looks about meanwhile.
        screen.press("down");
        thread::sleep(Duration::from_millis(100));
    }
    screen.press("help");
    screen.until_shows("─ Help");
    screen.press("quit-now");
    assert_eq!(screen.wait(), 0);
    screen
        .until("the terminal as it was", |screen| (!screen.alternate_screen() && !screen.hide_cursor()).then_some(()));
    super::eventually("the end of every server", || {
        let root = fs::canonicalize(project.path("")).expect("the root");
        let listed = fs::read_dir("/proc").expect("/proc").flatten();
        listed.filter_map(|entry| fs::read_link(entry.path().join("cwd")).ok()).all(|cwd| cwd != root)
    });
    // Servers that never stand still are told of ever less often: of an hour three dozen short records each at most.
    let chain = fs::read_to_string(project.home().join("state/pinwatch/audit.jsonl")).expect("the audit log");
    let seen = chain.lines().filter(|line| line.contains("pinwatch.sighting.v1"));
    let (records, bytes) = seen.fold((0, 0), |(records, bytes), line| (records + 1, bytes + line.len()));
    writeln!(std::io::stderr(), "{records} records of what was seen, {bytes} bytes").expect("it is told");
    // A few servers may be in no mood to change anything within seconds.
    assert!((records > 0 || servers < 100) && bytes < servers * 64 * 1024, "{records} records, {bytes} bytes");
    project.expect(0, &["audit", "verify"]);
    [most[1], most[3]]
}

/// The last quarter holds no more than the second did, but for what comes and goes.
fn is_flat([early, late]: [Held; 2], servers: usize) {
    assert!(late.kilobytes < early.kilobytes + early.kilobytes / 5 + 4096, "memory grew: {early:?} {late:?}");
    // A server that is up holds four, and more of them may be up at once later on.
    let up = early.descriptors.max(4 * (servers + 1));
    assert!(late.descriptors <= up + 24, "descriptors grew: {early:?} {late:?}");
    assert!(late.threads <= early.threads + 4, "threads grew: {early:?} {late:?}");
    // One process a server, one that ends while the next begins, and the watchdog.
    assert!(late.children <= 2 * servers + 1, "processes grew: {early:?} {late:?}");
}

#[test]
fn memory_is_flat_over_seconds_of_moody_servers() {
    is_flat(watch(8, Duration::from_secs(12)), 8);
}

/// `PINWATCH_TEST_MINUTES=60 cargo test --test hostile -- --ignored --nocapture moody_servers` for an hour.
#[test]
#[ignore = "it takes ten minutes"]
fn memory_is_flat_over_minutes_of_200_moody_servers() {
    let number = |name: &str, usual: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    let servers = usize::try_from(number("PINWATCH_TEST_SERVERS", 200)).expect("a number");
    let held = watch(servers, Duration::from_secs(60 * number("PINWATCH_TEST_MINUTES", 10)));
    writeln!(std::io::stderr(), "second and last quarter: {held:?}").expect("it is told");
    is_flat(held, servers);
}
