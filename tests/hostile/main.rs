//! What servers do wrong, on the real binary: each behaviour with the state that a person must see, and what it costs.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test stops where it cannot go on")]

#[path = "../common/fixture.rs"]
mod fixture;
#[path = "../common/project.rs"]
mod project;

#[path = "../support/house.rs"]
#[expect(dead_code, reason = "these tests use a part of it")]
mod house;
#[path = "../common/terminal.rs"]
#[expect(dead_code, reason = "these tests use a part of it")]
mod terminal;

mod canaries;
mod escape;
mod faults;
mod handed;
mod live;
mod long;
mod markers;
mod orphans;
mod pages;
mod peak;
mod readers;
mod stage;
mod table;
mod text;
mod watched;
mod web;

use std::time::{Duration, Instant};

/// Waits until something has come true.
fn eventually(what: &str, condition: impl Fn() -> bool) {
    let deadline = Instant::now() + terminal::CEILING * 2;
    while !condition() {
        assert!(Instant::now() < deadline, "never came: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// From home to the servers.
fn on_servers(mut screen: terminal::Terminal) -> terminal::Terminal {
    screen.until_shows("pinwatch");
    screen.press("pane-servers");
    screen
}

/// Lets `step` go on through a list until nothing is wanted any more, so many `times` at most, and gives what is wanted
/// still. A list whose states change is ordered anew between two keys, so that one walk may pass by a row.
fn until_none<'a>(
    screen: &mut terminal::Terminal,
    times: usize,
    wanted: impl Iterator<Item = &'a str>,
    mut step: impl FnMut(&mut terminal::Terminal, &mut Vec<&'a str>),
) -> Vec<&'a str> {
    let mut wanted: Vec<_> = wanted.collect();
    for _ in 0..times {
        if wanted.is_empty() {
            break;
        }
        step(screen, &mut wanted);
    }
    wanted
}
