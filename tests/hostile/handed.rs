//! Text that fights the terminal, as it reaches the programs that a person reads and pastes with: the editor, the desktop's
//! clipboard, the pager, and the terminal's own clipboard.

use super::eventually;
use super::project::Project;
use super::terminal::{Terminal, pinwatch_in};
use super::text::{copied, is_unseen, staged, surface};
use portable_pty::CommandBuilder;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::thread;
use std::time::{Duration, Instant};

/// Keeps what it is given, a file each time: of an editor its last argument, else what it reads.
const KEEPER: &str = "#!/bin/sh
name=$(basename \"$0\")
[ \"$name\" = editor ] && cat \"$1\" > new.$$ || cat > new.$$
mv new.$$ \"$name.$(ls | grep -c \"^$name[.]\")\"
";

/// A project that fights, with an editor, a clipboard and a pager that keep what they are given.
fn scene() -> Project {
    let project = staged();
    fs::create_dir(project.path("bin")).expect("a folder");
    for name in ["editor", "xclip", "pager"] {
        let path = project.path("bin").join(name);
        fs::write(&path, KEEPER).expect("a program");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("the mode changes");
    }
    project
}

fn pinwatch(project: &Project, words: &[&str]) -> CommandBuilder {
    let mut command = pinwatch_in(project, words);
    let path = std::env::var("PATH").unwrap_or_default();
    command.env("PATH", format!("{}:{path}", project.path("bin").display()));
    command.env("VISUAL", "editor");
    command.env("PAGER", "pager");
    command
}

/// What a program was given so far, in order.
fn given(project: &Project, program: &str) -> Vec<String> {
    let name = |at: usize| project.path(&format!("{program}.{at}"));
    let bytes = (0..).map(name).map_while(|path| fs::read(path).ok());
    bytes.map(|bytes| String::from_utf8(bytes).expect("it is given text")).collect()
}

/// Presses keys by their words, and waits until so much was handed over as `count` says, or the screen says that there is nothing.
fn hand(screen: &mut Terminal, words: &str, count: &dyn Fn(&Terminal) -> usize) {
    let before = count(screen);
    let last = words.rsplit_once(", ").map_or(words, |(first, last)| {
        screen.takes(first);
        last
    });
    // What it hands to another program may take over the terminal.
    screen.press(last);
    let nothing = |screen: &Terminal| screen.contents().contains("there is nothing here to");
    eventually("something is handed over", || count(screen) > before || nothing(screen));
    screen.until("the screen again", |screen| screen.alternate_screen().then_some(()));
    screen.takes("redraw");
}

/// Goes to each item of each server, and lets `act` do what it does there, until every text was `given`. A list whose states
/// change is ordered anew, so that one walk may pass by an item; what is missing after three is missing.
fn at_each_item(screen: &mut Terminal, mut act: impl FnMut(&mut Terminal), given: impl Fn(&Terminal) -> Vec<String>) {
    let all = marks(&surface().to_string());
    for walk in 0..6 {
        if walk % 2 == 0 && all.is_subset(&marks(&given(screen).concat())) {
            return;
        }
        // A menu that closed while its keys came may have left another screen, from which no walk goes on.
        screen.takes("pane-items, top");
        loop {
            act(screen);
            let selected =
                |screen: &Terminal| screen.contents().lines().find(|line| line.contains("│▸")).map(str::to_owned);
            let before = selected(screen);
            // A key that comes while another program gives the terminal back is lost: the end is where a second one moves
            // nothing either. A frame that was on its way counts as the one asked for, so that the row may move a bit later.
            let moved = (0..2).any(|_| {
                screen.takes("down");
                let until = Instant::now() + Duration::from_secs(1);
                while selected(screen) == before && Instant::now() < until {
                    thread::sleep(Duration::from_millis(10));
                }
                selected(screen) != before
            });
            if !moved {
                break;
            }
        }
        screen.takes("next-server");
    }
}

/// Each entry of the copy menu, by what leads to it.
const CHOICES: [&str; 7] = [
    "copy, open",
    "copy, down, open",
    "copy, down 2, open",
    "copy, down 3, open",
    "copy, down 4, open",
    "copy, down 5, open",
    "copy, down 6, open",
];

fn watching(line: CommandBuilder) -> Terminal {
    let screen = Terminal::start(line, 120, 40);
    for part in ["errs", "1 FAILED", "No longer served", "read_file", "<U+001B>"] {
        screen.until_shows(part);
    }
    screen
}

/// The marks of the texts that are in this one.
fn marks(text: &str) -> BTreeSet<u32> {
    let numbers = text.split('M').skip(1).filter_map(|rest| {
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    });
    numbers.collect()
}

/// These texts hide nothing, and all that the server wrote is in them.
fn hold_all_and_hide_nothing(program: &str, texts: &[String]) {
    for text in texts {
        let unseen: String = text.chars().filter(|c| is_unseen(*c) && *c != '\n').take(20).collect();
        assert!(unseen.is_empty(), "{program} was given {unseen:?} in {text}");
    }
    let whole = texts.concat();
    let (all, given) = (marks(&surface().to_string()), marks(&whole));
    let missing: Vec<_> = all.difference(&given).collect();
    assert!(!all.is_empty() && missing.is_empty(), "{program} was never given the texts {missing:?}");
    for hidden in ["1b", "9b", "0d", "08", "7f", "202e", "200b", "ad", "feff", "2028"] {
        let shown = [format!("\\u{hidden:0>4}"), format!("<U+{:0>4}>", hidden.to_uppercase())];
        // What JSON has a short escape for is written so.
        let json = match hidden {
            "0d" => "\\r",
            "08" => "\\b",
            _ => &shown[0],
        };
        assert!(whole.contains(json) && whole.contains(&shown[1]), "{hidden} is not spelled out for {program}");
    }
    assert!(whole.contains("\\udb40\\udc41") && whole.contains("<U+E0041>"), "{program}");
}

/// The part of an editor's copy that is a server's: no line where an editor looks for orders.
fn servers_part(copy: &str) -> String {
    let (text, last_page) = copy.split_once("\n\u{c}\n").expect("a page of our own");
    for ours in [last_page.lines().collect::<Vec<_>>(), copy.lines().take(5).collect()] {
        assert!(ours.len() >= 5 && ours.iter().all(|line| !line.contains("EVIL")), "{ours:?}");
    }
    text.to_owned()
}

#[test]
fn editor_and_clipboard_get_all_with_nothing_hidden() {
    let project = scene();
    let mut line = pinwatch(&project, &["watch", "--yes"]);
    line.env("DISPLAY", ":0");
    let mut screen = watching(line);
    let count = |program: &'static str| {
        let project = &project;
        move |_: &Terminal| given(project, program).len()
    };
    at_each_item(
        &mut screen,
        |screen| {
            hand(screen, "read-outside", &count("editor"));
            for words in CHOICES {
                hand(screen, words, &count("xclip"));
            }
        },
        |_| given(&project, "xclip"),
    );
    // From the change and from the digests, too.
    screen.takes("top");
    hand(&mut screen, "open, bottom, read-outside", &count("editor"));
    hand(&mut screen, "digests, read-outside", &count("editor"));
    let copies: Vec<_> = given(&project, "editor").iter().map(|copy| servers_part(copy)).collect();
    hold_all_and_hide_nothing("the editor", &copies);
    hold_all_and_hide_nothing("the clipboard", &given(&project, "xclip"));
}

#[test]
fn terminal_clipboard_gets_all_with_nothing_hidden() {
    let project = scene();
    let mut screen = watching(pinwatch(&project, &["watch", "--yes"]));
    let count = |screen: &Terminal| copied(&screen.written()).len();
    at_each_item(
        &mut screen,
        |screen| {
            for words in CHOICES {
                hand(screen, words, &count);
            }
        },
        |screen| copied(&screen.written()),
    );
    hold_all_and_hide_nothing("the terminal", &copied(&screen.written()));
    assert!(given(&project, "xclip").is_empty());
}

#[test]
fn pager_and_editor_get_nothing_hidden() {
    let project = scene();
    let report = project.expect(1, &["check", "--yes", "--format", "json"]).out;
    let report: Value = serde_json::from_str(&report).expect("the report is JSON");
    let drifts = report["servers"].as_array().into_iter().flatten().filter_map(|server| server["drifts"].as_array());
    let changed = drifts.flatten().find(|drift| drift["key"] == "read_file").expect("it drifted");
    let digest = changed["digests"]["surface"]["now"].as_str().expect("a digest");
    project.expect(0, &["approve", "--yes", "files", "tool/read_file", "--expect", digest]);
    for (words, program) in [("--pager", "pager"), ("--editor", "editor")] {
        let mut screen = Terminal::start(pinwatch(&project, &["show", "files", "tool/read_file", words]), 80, 24);
        assert_eq!(screen.wait(), 0);
        let given = given(&project, program);
        let [text] = given.as_slice() else { panic!("{program} was given {given:?}") };
        let text = if program == "editor" { servers_part(text) } else { text.clone() };
        let unseen: String = text.chars().filter(|c| is_unseen(*c) && *c != '\n').take(20).collect();
        assert!(unseen.is_empty() && text.contains("EVIL"), "{program} was given {unseen:?} in {text}");
    }
}
