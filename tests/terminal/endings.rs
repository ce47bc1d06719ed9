//! Every way out gives the terminal back and leaves no server behind.

use super::fixture::fixture_server;
use super::project::{Project, two_tools};
use super::start::pinwatch;
use super::terminal::{Terminal, in_project, pinwatch_in};
use super::{eventually, recorded};
use jiff::{Timestamp, tz::TimeZone};
use pinwatch::tui::{ASCII, Depth, Keymap, Msg, Setup, Theme};
use portable_pty::CommandBuilder;
use std::process::Command;
use std::time::Duration;
use tokio::sync::mpsc;

/// A project whose server tells its process id in `pid`, ignores that its input ends, and has a child.
fn with_a_stubborn_server() -> Project {
    let project = Project::new();
    project.surface("files", &two_tools());
    let program = fixture_server().display().to_string();
    let script =
        format!("echo $$ > pid~; mv pid~ pid; exec '{program}' files.json --behave linger --behave keep-child\n");
    project.write("server.sh", &script);
    project.write("pinwatch.toml", "[servers.files]\ncommand = \"sh\"\nargs = [\"server.sh\"]\n");
    project
}

/// Whether a process of this id, or one of its group, does more than wait to be buried.
fn is_running(group: &str) -> bool {
    let listed = Command::new("ps").args(["-A", "-o", "pgid=,stat="]).output().expect("ps runs");
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    listed.lines().any(|line| {
        let mut words = line.split_whitespace();
        words.next() == Some(group) && words.next().is_some_and(|state| !state.starts_with('Z'))
    })
}

fn signal(process: u32, name: &str) {
    let sent = Command::new("kill").args([&format!("-{name}"), &process.to_string()]).status().expect("kill runs");
    assert!(sent.success());
}

fn is_restored(screen: &Terminal) {
    screen.until("the terminal as it was", |screen| {
        (!screen.alternate_screen() && !screen.bracketed_paste() && !screen.hide_cursor()).then_some(())
    });
}

#[test]
fn quitting_restores_the_terminal_and_ends_servers() {
    for how in ["quit", "quit-now"] {
        let project = with_a_stubborn_server();
        let mut screen = pinwatch(&project, &["watch", "--yes"], 120, 40);
        screen.until_shows("as the baseline");
        assert!(screen.look(vt100::Screen::alternate_screen));
        let group = project.read("pid").trim().to_owned();
        assert!(is_running(&group));
        screen.press(how);
        assert_eq!(screen.wait(), 0);
        is_restored(&screen);
        eventually("the server's end", || !is_running(&group));
    }
}

#[test]
fn signals_restore_the_terminal_and_end_the_servers() {
    for name in ["TERM", "HUP"] {
        let project = with_a_stubborn_server();
        let mut screen = pinwatch(&project, &["watch", "--yes"], 120, 40);
        screen.until_shows("as the baseline");
        let group = project.read("pid").trim().to_owned();
        signal(screen.pid(), name);
        assert_eq!(screen.wait(), 0, "{name}");
        is_restored(&screen);
        eventually("the server's end", || !is_running(&group));
    }
}

#[test]
fn vanished_terminal_ends_program_and_servers() {
    for shell in [false, true] {
        let project = with_a_stubborn_server();
        // From a shell it is not the leader of its session.
        let script = "trap '' HUP; \"$0\" watch --yes; echo $? > code";
        let command = if shell { in_a_shell(&project, script) } else { pinwatch_in(&project, &["watch", "--yes"]) };
        let mut screen = Terminal::start(command, 120, 40);
        screen.until_shows("as the baseline");
        let group = project.read("pid").trim().to_owned();
        screen.hang_up("redraw");
        screen.wait();
        eventually("the server's end", || !is_running(&group));
        assert!(!shell || project.read("code").trim() != "", "the shell outlived it");
    }
}

/// A shell in the terminal that runs this script, with the binary as `$0`.
fn in_a_shell(project: &Project, script: &str) -> CommandBuilder {
    in_project("sh", &["-c", script, env!("CARGO_BIN_EXE_pinwatch")], project)
}

#[test]
fn control_z_suspends_and_fg_comes_back() {
    let project = recorded();
    let script = "set -m; \"$0\" watch --yes; echo now in the shell; read line; fg; echo ended with $?";
    let mut screen = Terminal::start(in_a_shell(&project, script), 80, 24);
    screen.until_shows("Nothing needs you");
    screen.press("suspend");
    screen.until_shows("now in the shell");
    is_restored(&screen);
    screen.send("\n");
    screen.until("the screen again", |screen| {
        (screen.alternate_screen() && screen.contents().contains("Nothing needs you")).then_some(())
    });
    screen.press("quit");
    screen.until_shows("ended with 0");
    is_restored(&screen);
}

/// The name of [`the_ui_with_a_panic_beside_it`] for the test harness.
const PANICKING: &str = "endings::the_ui_with_a_panic_beside_it";

#[test]
fn a_panic_restores_the_terminal_and_ends_with_101() {
    let own = std::env::current_exe().expect("a test has a path");
    let mut command = CommandBuilder::new(own);
    command.args(["--exact", PANICKING, "--ignored", "--nocapture"]);
    command.env("TERM", "xterm-256color");
    command.env("RUST_BACKTRACE", "0");
    command.env("PINWATCH_TEST_PANIC", "1");
    let mut screen = Terminal::start(command, 80, 24);
    assert_eq!(screen.wait(), 101, "{}", screen.contents());
    is_restored(&screen);
    let written = screen.written();
    let text = String::from_utf8_lossy(&written);
    let (taken, told) = (text.find("\u{1b}[?1049h"), text.find("made to panic"));
    let left = text.find("\u{1b}[?1049l");
    assert!(taken.is_some() && taken < left && left < told, "{text:?}");
}

/// Started by the test above, in a terminal of its own: a task beside the screen panics once the screen is up.
#[test]
#[ignore = "it is the child of a_panic_restores_the_terminal_and_ends_with_101"]
fn the_ui_with_a_panic_beside_it() {
    if std::env::var_os("PINWATCH_TEST_PANIC").is_none() {
        return;
    }
    let setup = Setup {
        demo: false,
        switches: pinwatch::tui::Switches::default(),
        reader: Vec::new(),
        clipboard: pinwatch::desktop::Clipboard { tool: None, between: pinwatch::desktop::Between::Nothing },
        theme: Theme::load("mono", None, Depth::None).expect("an embedded theme"),
        keymap: Keymap::default(),
        glyphs: ASCII,
        zone: TimeZone::UTC,
        now: Timestamp::now(),
        servers: Vec::new(),
        searched: Vec::new(),
    };
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    let ended = runtime.block_on(async {
        let (messages, inbox) = mpsc::channel(1);
        let (effects, _wanted) = mpsc::channel(1);
        tokio::spawn(async move {
            // The third can be sent only after the first was taken, which is after the first frame.
            for _ in 0..3 {
                messages.send(Msg::Minute(Timestamp::now())).await.expect("the screen is there");
            }
            panic!("made to panic");
        });
        tokio::time::timeout(Duration::from_secs(20), pinwatch::tui::run(setup, inbox, effects)).await
    });
    panic!("the screen outlived the panic: {ended:?}");
}
