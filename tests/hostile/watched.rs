//! The table once more, on the screen: a person who watches every one of these servers sees which are as approved, which have
//! drifted and which cannot be read, while keys and the good one's polls come through.

use super::project::{Project, two_tools};
use super::stage::staged;
use super::table::rows;
use super::terminal::{CEILING, Terminal, pinwatch_in};
use super::web;
use serde_json::json;
use std::time::Instant;

/// Servers that take minutes to compare without optimisation.
const LEFT_OUT: [&str; 2] = ["100000-tools", "40000-properties"];

/// What the row of a server may say, by what a look at it sees.
fn words(sees: &str) -> &'static [&'static str] {
    let drifts = sees.contains("; ");
    match sees.split(' ').next().unwrap_or_default() {
        _ if drifts => &["DRIFT ", "NEW ", "GONE "],
        // Nothing of them reads as approved.
        "failed" | "partial" => &["FAILED", "stale ", "NEEDS SIGN-IN", "SIGN-IN"],
        _ => &["OK"],
    }
}

/// The row of a server on the screen, after its name.
fn shown<'a>(screen: &'a str, name: &str) -> Option<&'a str> {
    let name = format!(" {name} ");
    screen.lines().find_map(|line| line.split_once(['│', '├'])?.0.split_once(&name).map(|(_, state)| state))
}

fn is_right((name, sees): (&str, &str), screen: &str) -> bool {
    let Some(state) = shown(screen, name) else { return false };
    sees.split(" | ").any(|sees| words(sees).iter().any(|word| state.contains(word)))
}

#[test]
fn misbehaviour_is_on_screen_and_blocks_nobody() {
    let mut rows = rows();
    rows.retain(|row| !LEFT_OUT.contains(&row.name) && row.recorded);
    // As many as a screen shows.
    for rows in rows.chunks(40) {
        watch(&staged(rows), &rows.iter().map(|row| (row.name, row.sees)).collect::<Vec<_>>());
    }
}

#[test]
fn http_misbehaviour_is_seen_and_blocks_nobody() {
    // Nobody recorded them: what was read whole is new there.
    let (project, rows) = web::staged(web::rows());
    let seen = |row: &web::Row| if row.sees.starts_with("complete") { "complete; new" } else { row.sees };
    watch(&project, &rows.iter().map(|row| (row.name, seen(row))).collect::<Vec<_>>());
}

/// Watches the servers of a project, of which each is to be seen as it is, beside a good one.
fn watch(project: &Project, rows: &[(&str, &str)]) {
    let others = project.read("pinwatch.toml");
    project.surface("good", &two_tools());
    project.write("pinwatch.toml", &Project::entry("good", &[]));
    project.expect(0, &["record", "--yes"]);
    // It is started last.
    project.write("pinwatch.toml", &format!("{others}{}poll-interval = \"1s\"\n", Project::entry("good", &[])));
    let mut screen = super::on_servers(Terminal::start(pinwatch_in(project, &["watch", "--yes"]), 160, 120));
    let until_good = |screen: &Terminal, word: &str| {
        screen.until(&format!("{word} at the good one"), |screen| {
            shown(&screen.contents(), "good")?.contains(word).then_some(())
        });
    };
    until_good(&screen, "OK");
    let mut surface = two_tools();
    let (started, mut rounds) = (Instant::now(), 0);
    loop {
        let contents = screen.contents();
        let wrong: Vec<_> = rows.iter().filter(|row| !is_right(**row, &contents)).map(|(name, _)| *name).collect();
        if wrong.is_empty() && rounds > 2 {
            break;
        }
        assert!(started.elapsed() < CEILING * 2, "{wrong:?} are not told:\n{contents}");
        // Meanwhile the good one goes on, and so does whoever types.
        rounds += 1;
        let tools = surface["tools"].as_array_mut().expect("tools");
        tools.push(json!({"name": format!("more_{rounds}"), "inputSchema": {"type": "object"}}));
        project.surface("good", &surface);
        until_good(&screen, &format!("NEW {rounds}"));
        for (action, is_open) in [("help", true), ("quit", false)] {
            screen.press(action);
            screen.until("help or none", |screen| (screen.contents().contains("─ Help") == is_open).then_some(()));
        }
    }
    screen.press("quit-now");
    assert_eq!(screen.wait(), 0);
}
