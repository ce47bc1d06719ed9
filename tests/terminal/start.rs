//! Starting the binary in a terminal: consent, first contact, and where there is no terminal to draw on.

use super::fixture::fixture_server;
use super::project::{Project, done, drifted, two_tools};
use super::terminal::{Terminal, pinwatch_in};
use super::{eventually, recorded};
use serde_json::json;

/// The binary in a terminal.
pub fn pinwatch(project: &Project, words: &[&str], columns: u16, rows: u16) -> Terminal {
    Terminal::start(pinwatch_in(project, words), columns, rows)
}

#[test]
fn found_servers_start_only_after_consent() {
    for client in [false, true] {
        let project = Project::with_files();
        if client {
            let args = json!(["files.json", "--log", "files.log"]);
            std::fs::remove_file(project.path("pinwatch.toml")).expect("the config");
            let text = json!({"mcpServers": {"files": {"command": fixture_server(), "args": args}}});
            project.write(".mcp.json", &text.to_string());
        }
        let mut screen = pinwatch(&project, &[], 120, 40);
        screen.until_shows("CONSENT");
        // Neither the enter that opens the question nor one more of it agrees.
        screen.press("open");
        screen.until_shows("Start files?");
        for part in ["files.json", "--log", "files.log", "fixture_server", "root"] {
            screen.until_shows(part);
        }
        screen.press("open");
        screen.until("the question gone", |screen| (!screen.contents().contains("Start files?")).then_some(()));
        screen.press("open");
        screen.until_shows("Start files?");
        assert!(!project.was_started("files"));
        screen.press("confirm");
        screen.until_shows("1 not recorded");
        assert!(project.was_started("files"));
        screen.press("quit 4");
        assert_eq!(screen.wait(), 0);
        // It is remembered for this launch, and for no other.
        project.expect(2, &["check"]);
        std::fs::remove_file(project.path("files.log")).expect("the log");
        project.surface("files", &two_tools());
        let screen = pinwatch(&project, &[], 120, 40);
        screen.until_shows("1 not recorded");
        drop(screen);
    }
}

#[test]
fn consent_that_cannot_be_kept_starts_nothing() {
    let project = Project::with_files();
    let consents = project.home().join("state/pinwatch/consents");
    std::fs::create_dir_all(consents.parent().expect("a folder")).expect("a folder");
    std::fs::write(&consents, "something else").expect("a file in the way");
    let mut screen = pinwatch(&project, &[], 120, 40);
    let agree = |screen: &mut Terminal| {
        screen.until_shows("CONSENT");
        screen.press("open");
        screen.until_shows("Start files?");
        screen.press("confirm");
    };
    agree(&mut screen);
    screen.until_shows("files: not started, the consent was not saved: cannot");
    assert!(!project.was_started("files"));
    std::fs::remove_file(&consents).expect("the way is free");
    agree(&mut screen);
    screen.until_shows("Agreed; starting files");
    screen.until_shows("1 not recorded");
}

#[test]
fn first_contact_is_recorded_by_one_act() {
    let project = Project::with_files();
    let mut screen = pinwatch(&project, &["watch", "--yes"], 120, 40);
    screen.until_shows("5 new, none recorded: B records them");
    screen.press("record-baseline");
    screen.until_shows("Record the baseline of files?");
    screen.press("open");
    screen.until("the question gone", |screen| (!screen.contents().contains("Record the baseline of")).then_some(()));
    assert!(!project.path("snapshots/files/baseline.json").exists());
    screen.press("record-baseline");
    screen.until_shows("y record the baseline");
    screen.press("confirm");
    screen.until_shows("recorded the baseline of files: 5 items");
    screen.until_shows("Nothing needs you.");
    assert_eq!(project.baseline("files")["pins"].as_array().map(Vec::len), Some(5));
    assert_eq!(project.baseline("files")["pins"][0]["decision"]["by"], "ana");
    screen.press("record-snapshot");
    screen.until_shows("snapshot of files in");
    screen.press("quit 4");
    assert_eq!(screen.wait(), 0);
    // What was written is said where the person is left.
    screen.until_shows("recorded the baseline of files: 5 items");
    screen.until_shows("recorded a snapshot of files in");
    screen.until_shows("Record the baseline of files");
    project.expect(0, &["check", "--yes"]);
}

#[test]
fn a_lock_stands_beside_a_first_record() {
    let project = recorded();
    project.expect(0, &["export", "mcp-lock", "files", "--output", "mcp-lock.json"]);
    project.expect(0, &["forget", "files"]);
    project.surface("files", &drifted());
    let mut screen = pinwatch(&project, &["watch", "--yes"], 120, 40);
    screen.until_shows("5 new, none recorded: B records them");
    screen.press("record-baseline");
    screen.until_shows("mcp-lock.json here  ✓ 1 as locked  ≠ 1 different  – 3 not in it");
    screen.until_shows(" ≠    read_file");
    // Of another server it says nothing, and what cannot be read is named.
    project.write("mcp-lock.json", "{}");
    screen.press("quit, poll");
    screen.press("record-baseline");
    screen.until_shows("mcp-lock.json is refused: it has neither `lockFileVersion` nor `version`");
    screen.press("quit 4");
    assert_eq!(screen.wait(), 0);
}

#[test]
fn where_nothing_is_configured_it_says_how_to_begin() {
    let project = Project::new();
    let mut screen = pinwatch(&project, &[], 80, 24);
    screen.until_shows("No server is configured.");
    for part in ["pinwatch.toml", ".mcp.json", "pinwatch demo"] {
        screen.until_shows(part);
    }
    screen.press("quit 4");
    assert_eq!(screen.wait(), 0);
}

#[test]
fn without_a_terminal_it_names_the_commands_to_use() {
    let project = recorded();
    for words in [&[][..], &["watch"], &["demo"]] {
        let piped = project.run(words);
        assert_eq!(piped.code, 2, "{piped:?}");
        for command in ["pinwatch check", "pinwatch record", "pinwatch review"] {
            assert!(piped.err.contains(command), "{piped:?}");
        }
        assert_eq!(piped.out, "");
    }
    let mut dumb = pinwatch_in(&project, &["watch", "--yes"]);
    dumb.env("TERM", "dumb");
    let mut screen = Terminal::start(dumb, 80, 24);
    assert_eq!(screen.wait(), 2);
    screen.until_shows("pinwatch check");
    assert!(!screen.written().contains(&0x1b), "{}", screen.contents());
}

#[test]
fn wrong_key_or_theme_is_an_error_at_the_start() {
    let project = Project::with_files();
    let entry = Project::entry("files", &[]);
    for (text, parts) in [
        ("[ui.keys]\naprove = [\"x\"]\n", ["pinwatch.toml:2", "`aprove`", "`approve`"]),
        ("[ui.keys]\napprove = [\"r\"]\n", ["pinwatch.toml", "`approve`", "`reject`"]),
        ("[ui]\ntheme = \"monno\"\n", ["pinwatch.toml:2", "`monno`", "theme"]),
    ] {
        project.write("pinwatch.toml", &format!("{text}{entry}"));
        let mut screen = pinwatch(&project, &["watch", "--yes"], 120, 24);
        assert_eq!(screen.wait(), 2, "{}", screen.contents());
        for part in parts {
            screen.until_shows(part);
        }
        assert!(!screen.look(vt100::Screen::alternate_screen));
    }
}

#[test]
fn auto_takes_the_theme_that_fits_the_background() {
    let project = Project::with_files();
    let background = |theme: &str, answer: &str| {
        project.write("pinwatch.toml", &format!("[ui]\ntheme = \"{theme}\"\n{}", Project::entry("files", &[])));
        let mut screen = pinwatch(&project, &["watch", "--yes"], 120, 40);
        screen.send(answer);
        screen.until_shows("as the baseline");
        let shown = screen.look(|screen| screen.cell(0, 1).map(vt100::Cell::bgcolor));
        screen.press("quit 4");
        assert_eq!(screen.wait(), 0);
        shown.expect("a cell")
    };
    let [light, dark] = ["light", "dark"].map(|theme| background(theme, ""));
    assert_ne!(light, dark);
    for (ink, paper, expected) in [("0000", "ffff", light), ("ffff", "0000", dark)] {
        // The answers lie there before they are asked for: within 100 ms nobody can be sure to be asked and to answer.
        let color = |number: u8, part: &str| format!("\u{1b}]{number};rgb:{part}/{part}/{part}\u{1b}\\");
        let answer = format!("{}{}\u{1b}[?1;2c", color(10, ink), color(11, paper));
        assert_eq!(background("auto", &answer), expected);
    }
}

#[test]
fn a_typed_server_needs_no_config() {
    let project = Project::new();
    project.surface("files", &two_tools());
    let program = fixture_server().display().to_string();
    let words = ["watch", "--root", ".", "--name", "files", "--", &program, "files.json", "--log", "files.log"];
    let mut screen = pinwatch(&project, &words, 120, 40);
    screen.until_shows("as the baseline");
    screen.press("quit 4");
    assert_eq!(screen.wait(), 0);
    eventually("the server's end", || project.read("files.log").contains("stdin ended"));
    assert_eq!(done(&mut project.command(&["servers"])).code, 2);
}

/// Neither keeps the others from being watched, or the program from ending.
#[test]
fn unusable_entries_are_on_screen_with_the_reason() {
    let project = Project::with_files();
    let far = "[servers.far]\nurl = \"http://127.0.0.1:1:2/mcp\"\n";
    project.write("pinwatch.toml", &format!("include = [\".mcp.json\"]\n{}{far}", project.read("pinwatch.toml")));
    let mut screen = pinwatch(&project, &["watch", "--yes"], 160, 40);
    screen.until_shows("1 not recorded");
    screen.until_shows("1 FAILED");
    screen.until_shows("is not a URL");
    screen.press("pane-servers, down, pane-items");
    screen.until_shows("Not usable: edit its entry");
    screen.press("quit 4");
    assert_eq!(screen.wait(), 0);
}
