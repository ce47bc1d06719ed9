//! The built binary in a pseudo-terminal: what a person sees and does there, and how it gives the terminal back.

#![expect(clippy::expect_used, clippy::panic, reason = "a test stops where it cannot go on")]

#[path = "../support/agreed.rs"]
mod agreed;
#[path = "../support/attest.rs"]
mod attest;
#[path = "../support/collector.rs"]
#[expect(dead_code, reason = "these tests use a collector that is up or down")]
mod collector;
#[path = "../common/fixture.rs"]
mod fixture;
#[path = "../common/project.rs"]
mod project;
#[path = "../support/signed.rs"]
#[expect(dead_code, reason = "these tests follow the specification")]
mod signed;
#[path = "../support/spoken.rs"]
mod spoken;
#[path = "../common/terminal.rs"]
mod terminal;

mod around;
mod collected;
mod decide;
mod endings;
mod guarded;
mod identity;
mod live;
mod outside;
mod picture;
mod reload;
mod shape;
mod sign_in;
mod start;
mod svg;

use project::Project;
use terminal::{CEILING, Terminal};

/// Waits until something that is no screen has come true.
fn eventually(what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = std::time::Instant::now() + CEILING;
    while !condition() {
        assert!(std::time::Instant::now() < deadline, "never came: {what}");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

/// A project whose server `files` was recorded.
fn recorded() -> Project {
    let project = Project::with_files();
    project.expect(0, &["record", "--yes"]);
    project
}

/// The items of the server over [`recorded`], with everything read and equal to its pin.
fn watching(project: &Project, columns: u16, rows: u16) -> Terminal {
    let mut screen = start::pinwatch(project, &["watch", "--yes"], columns, rows);
    screen.until_shows("Nothing needs you.");
    screen.press("pane-items");
    screen.until_shows("list_files");
    screen.until_shows("✓ OK");
    screen
}

/// The selected item: the row with the mark in the items pane of a wide screen.
fn selected(screen: &vt100::Screen) -> Option<String> {
    let contents = screen.contents();
    contents.lines().find_map(|line| line.split_once("│▸").map(|(_, row)| row.trim().to_owned()))
}
