//! What is around the program: folders that go and come back, few descriptors, a tool for the clipboard, servers that are
//! started for each look.

use super::project::{Project, drifted};
use super::terminal::{Terminal, in_project, pinwatch_in};
use super::{eventually, recorded, watching};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

#[test]
fn server_not_kept_open_is_started_for_each_look() {
    let project = recorded();
    let often = "keep-open = false\npoll-interval = \"1s\"\n";
    project.write("pinwatch.toml", &format!("{}{often}", Project::entry("files", &[])));
    let mut screen = watching(&project, 120, 40);
    let ended = || project.read("files.log").matches("stdin ended").count();
    let before = ended();
    eventually("three more starts and ends", || ended() >= before + 3);
    screen.until_shows("✓ OK");
    // Between two looks it is not running, and not taken for one that died.
    assert!(!screen.contents().contains("STALE"), "{}", screen.contents());
    project.surface("files", &drifted());
    screen.until_shows("1 moderate");
    screen.press("quit 4");
    assert_eq!(screen.wait(), 0);
}

#[test]
fn too_few_descriptors_are_said_in_a_line() {
    let project = recorded();
    let script = format!("ulimit -n 70 && exec {} watch --yes", env!("CARGO_BIN_EXE_pinwatch"));
    let mut screen = Terminal::start(in_project("sh", &["-c", &script], &project), 120, 40);
    screen.until_shows("1 servers need about 72 open files and this system allows 70 (ulimit -n)");
    screen.until_shows("Nothing needs you.");
    screen.press("quit 4");
    assert_eq!(screen.wait(), 0);
}

#[test]
fn snapshots_folder_is_followed_when_it_returns() {
    let project = recorded();
    let mut screen = watching(&project, 120, 40);
    let (snapshots, away) = (project.path("snapshots"), project.path("away"));
    fs::rename(&snapshots, &away).expect("the folder can be moved");
    // Without a baseline nothing is approved.
    screen.until("nothing approved", |screen| (!screen.contents().contains("✓ OK")).then_some(()));
    screen.until_shows("NEW");
    fs::rename(&away, &snapshots).expect("the folder can be moved");
    screen.until_shows("✓ OK");
    // And it is followed still: what git brings is seen, and told.
    let path = snapshots.join("files/baseline.json");
    let text = fs::read_to_string(&path).expect("a baseline");
    fs::write(&path, text.replace("first record", "read by two")).expect("written");
    screen.press("events");
    screen.until_shows("changed from outside");
    screen.press("quit 4");
    assert_eq!(screen.wait(), 0);
}

#[test]
fn a_desktops_own_tool_gets_the_text_and_is_believed() {
    let project = recorded();
    let bin = project.path("bin");
    fs::create_dir_all(&bin).expect("a folder");
    let tool = bin.join("wl-copy");
    fs::write(&tool, "#!/bin/sh\ncat > copied.tmp && mv copied.tmp copied\n").expect("a script");
    fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).expect("a script");
    let mut command = pinwatch_in(&project, &["watch", "--yes"]);
    command.env("PATH", format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default()));
    command.env("WAYLAND_DISPLAY", "wayland-0");
    let mut screen = Terminal::start(command, 120, 40);
    screen.until_shows("Nothing needs you.");
    screen.press("pane-items, copy");
    screen.until_shows("╭ Copy");
    screen.press("down, open");
    eventually("the text is there", || project.path("copied").exists());
    let copied = project.read("copied");
    let known = project.baseline("files").to_string();
    assert!(copied.starts_with("sha256:") && known.contains(copied.trim()), "{copied}");
    screen.until_shows("copied");
    assert!(!String::from_utf8_lossy(&screen.written()).contains("\u{1b}]52"), "the terminal was asked, too");
    // One that fails is said to have, and the terminal is asked instead.
    fs::write(&tool, "#!/bin/sh\nexit 3\n").expect("a script");
    screen.press("copy, down, open");
    screen.until_shows("sent to");
    assert!(String::from_utf8_lossy(&screen.written()).contains("\u{1b}]52"));
    screen.press("quit 4");
    assert_eq!(screen.wait(), 0);
}
