//! No server outlives pinwatch, whatever ends it, and none holds anything of it.

use super::eventually;
use super::fixture::fixture_server;
use super::project::Project;
use super::stage::{READ, WRITE, surface};
use super::terminal::{Terminal, pinwatch_in};
use serde_json::json;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};

/// Servers that would go on for ever: one that is silent, one that takes no SIGTERM and leaves its input unread, one with
/// a child in its group, one that has just been started.
fn with_stubborn_servers() -> Project {
    let project = Project::new();
    let mut config = String::new();
    for (id, deaf, behaves) in [
        ("silent", false, &["hang", "linger"][..]),
        ("deaf", true, &["hang-at-list", "linger", "keep-child"]),
        ("parent", false, &["hang-at-list", "linger", "keep-child"]),
        ("slow", true, &["slow", "linger"]),
    ] {
        project.write(&format!("{id}.json"), &surface(&format!("{READ},{WRITE}")));
        let entry = Project::entry(id, behaves);
        let program = json!(fixture_server()).to_string();
        let script = json!("trap '' TERM; exec \"$0\" \"$@\"");
        let deaf_start = |entry: String| {
            let entry = entry.replace(&format!("command = {program}"), "command = \"sh\"");
            entry.replace("args = [", &format!("args = [\"-c\", {script}, {program}, "))
        };
        config += &if deaf { deaf_start(entry) } else { entry };
    }
    project.write("pinwatch.toml", &config);
    project
}

/// The processes that work in the project's root and are no zombies, but for `not`.
fn working(project: &Project, not: u32) -> Vec<u32> {
    let root = fs::canonicalize(project.path("")).expect("the root");
    let listed = fs::read_dir("/proc").expect("/proc").flatten();
    let ids = listed.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    ids.filter(|id| *id != not && fs::read_link(format!("/proc/{id}/cwd")).is_ok_and(|cwd| cwd == root)).collect()
}

/// The watchdog of a running pinwatch.
fn watchdog(of: u32) -> Option<u32> {
    let children = fs::read_dir(format!("/proc/{of}/task")).ok()?.flatten();
    let ids = children.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    let ids: Vec<u32> =
        ids.flat_map(|ids| ids.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>()).collect();
    let is = |id: &u32| fs::read_to_string(format!("/proc/{id}/cmdline")).is_ok_and(|line| line.contains("watchdog"));
    ids.into_iter().find(is)
}

fn is_alive(id: u32) -> bool {
    fs::read_to_string(format!("/proc/{id}/stat"))
        .is_ok_and(|stat| !stat.rsplit(')').next().unwrap_or_default().starts_with(" Z"))
}

fn send(signal: &str, process: u32) {
    let sent = Command::new("kill").args([signal, &process.to_string()]).status().expect("kill runs");
    assert!(sent.success());
}

/// Waits until four servers and two children are there, and every server was said something: it is known by then.
fn every_server_works(project: &Project, pinwatch: u32) {
    let was_told =
        |id: &str| fs::read_to_string(project.path(&format!("{id}.log"))).is_ok_and(|log| log.contains("discover"));
    eventually("every server", || {
        working(project, pinwatch).len() >= 6 && ["silent", "deaf", "parent", "slow"].into_iter().all(was_told)
    });
}

/// Waits until every server works, ends pinwatch by `signal`, and waits until nothing is left.
fn ended_by(signal: &str, project: &Project, pinwatch: u32, bury: impl FnOnce()) {
    every_server_works(project, pinwatch);
    eventually("the watchdog", || watchdog(pinwatch).is_some());
    let watchdog = watchdog(pinwatch).expect("it was seen");
    send(signal, pinwatch);
    bury();
    eventually(&format!("the end of every server after {signal}"), || working(project, pinwatch).is_empty());
    eventually("the end of the watchdog", || !is_alive(watchdog));
}

/// Kills pinwatch, and waits until nothing is left.
fn ended_by_killing(project: &Project, pinwatch: u32, bury: impl FnOnce()) {
    send("-KILL", pinwatch);
    bury();
    eventually("the end of every server", || working(project, pinwatch).is_empty());
}

fn checking(project: &Project) -> Child {
    project.command(&["check", "--yes"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts")
}

#[test]
fn no_server_outlives_a_check_that_is_killed() {
    for signal in ["-KILL", "-INT", "-TERM", "-ABRT"] {
        let project = with_stubborn_servers();
        let mut check = checking(&project);
        let id = check.id();
        ended_by(signal, &project, id, || {
            check.wait().expect("it ends");
        });
    }
}

#[test]
fn no_server_outlives_a_screen_that_is_killed() {
    let project = with_stubborn_servers();
    let mut screen = Terminal::start(pinwatch_in(&project, &["watch", "--yes"]), 80, 24);
    let id = screen.pid();
    ended_by("-KILL", &project, id, || {
        screen.wait();
    });
}

#[test]
fn killed_watchdog_is_replaced_at_the_next_word() {
    let project = with_stubborn_servers();
    let mut screen = Terminal::start(pinwatch_in(&project, &["watch", "--yes"]), 80, 24);
    let id = screen.pid();
    every_server_works(&project, id);
    eventually("the watchdog", || watchdog(id).is_some());
    let first = watchdog(id).expect("it was seen");
    send("-KILL", first);
    eventually("its end", || !is_alive(first));
    // Where a server is taken out of the config it has to be told something.
    let config = project.read("pinwatch.toml");
    let left: Vec<_> = config.split_inclusive("[servers.").collect();
    project.write("pinwatch.toml", left[..4].concat().trim_end_matches("[servers."));
    eventually("another watchdog", || watchdog(id).is_some_and(|other| other != first));
    ended_by_killing(&project, id, || {
        screen.wait();
    });
}

#[test]
fn silent_parent_makes_the_watchdog_end_servers() {
    let project = Project::new();
    let start = |script: &str| {
        let mut server = Command::new("sh");
        server.args(["-c", script]).stdin(Stdio::null()).stdout(Stdio::null()).process_group(0);
        server.spawn().expect("a shell")
    };
    // One takes no SIGTERM, and neither does its child.
    let mut servers = [start("sleep 600"), start("trap '' TERM; sleep 600 & wait; sleep 600")];
    let mut other = start("exec sleep 600");
    let ids: Vec<String> = servers.iter().map(|server| server.id().to_string()).collect();
    let words: Vec<&str> = ["--watchdog-of-servers"].into_iter().chain(ids.iter().map(String::as_str)).collect();
    // Its parent is killed before it says anything: there is nothing to read.
    let status = project.command(&words).stdin(Stdio::null()).status().expect("it starts");
    assert!(status.success());
    for server in &mut servers {
        assert!(!server.wait().expect("it ends").success());
    }
    assert!(other.try_wait().expect("it is asked").is_none(), "another's process is left alone");
    other.kill().expect("it is killed");
    other.wait().expect("it ends");
}

#[test]
fn a_check_that_ends_by_itself_leaves_no_watchdog() {
    let project = Project::new();
    project.write("slow.json", &surface(READ));
    project.write("pinwatch.toml", &Project::entry("slow", &["slow", "slow"]));
    let mut check = checking(&project);
    eventually("the watchdog", || watchdog(check.id()).is_some());
    let watchdog = watchdog(check.id()).expect("it was seen");
    check.wait().expect("it ends");
    eventually("the end of the watchdog", || !is_alive(watchdog));
}

#[test]
fn servers_hold_nothing_of_ours() {
    let project = Project::new();
    let mut config = String::new();
    for at in 0..12 {
        let id = format!("s{at}");
        project.write(&format!("{id}.json"), &surface(READ));
        let script = json!(format!("ls -l /proc/$$/fd > {id}.fds; exec \"$0\" \"$@\""));
        let args = format!("[\"-c\", {script}, {}, \"{id}.json\"]", json!(fixture_server()));
        config.extend(["[servers.", &id, "]\ncommand = \"sh\"\nargs = ", &args, "\n"]);
    }
    project.write("pinwatch.toml", &config);
    // What this test was itself given goes on to whatever it starts.
    let mut bare = Command::new("sh");
    bare.args(["-c", "ls -l /proc/$$/fd > bare.fds; :"]).current_dir(project.path(""));
    let ran = bare.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).status().expect("a shell");
    assert!(ran.success());
    let held = |id: &str| {
        let listed = project.read(&format!("{id}.fds"));
        let held = listed.lines().filter_map(|line| line.split_once(" -> ")?.0.rsplit(' ').next());
        held.map(str::to_owned).collect::<BTreeSet<_>>()
    };
    let bare = held("bare");
    let check_all = |who: &str| {
        for at in 0..12 {
            let id = format!("s{at}");
            assert!(held(&id).is_subset(&bare), "{who}: {}", project.read(&format!("{id}.fds")));
            fs::remove_file(project.path(&format!("{id}.fds"))).expect("it was there");
        }
    };
    project.run(&["check", "--yes"]);
    check_all("check");
    let mut screen = Terminal::start(pinwatch_in(&project, &["watch", "--yes"]), 80, 24);
    screen.until_shows("as the baseline");
    eventually("every server", || {
        (0..12).all(|at| {
            fs::read_to_string(project.path(&format!("s{at}.fds"))).is_ok_and(|text| text.lines().count() >= 4)
        })
    });
    check_all("watch");
    screen.press("quit 2");
    screen.wait();
}
