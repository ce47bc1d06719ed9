//! Text that fights the terminal, in every place where a server can put text: on the screen, in every output, in every file.

use super::project::{Done, Project, two_tools};
use super::stage::say;
use super::terminal::{Terminal, pinwatch_in};
use serde_json::{Value, json};
use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A text with a mark, a title, colours, a clipboard, C1 controls, line ends, and what nobody sees.
const EVIL: &str = "\u{1b}]0;EVIL\u{7}\u{1b}[38;5;201m\u{9b}31m\u{1b}]52;c;RVZJTA==\u{7}\u{1b}Pq\u{1b}\\\r\n\u{8}\u{7f}\u{202e}\u{200b}\u{e0041}\u{ad}\u{feff}\u{2028}EVIL";

fn evil(places: &Cell<u32>) -> String {
    places.set(places.get() + 1);
    format!("M{}{EVIL}", places.get())
}

/// A surface with such a text wherever there is text.
pub fn surface() -> Value {
    let places = Cell::new(0);
    surface_of(&|| evil(&places))
}

/// A surface with some text wherever there is text.
pub fn surface_of(text: &dyn Fn() -> String) -> Value {
    let member = || json!({text(): text()});
    let tool = |name: String| {
        json!({
            "name": name, "title": text(), "description": text(), "_meta": member(), "icons": [{"src": text(), "mimeType": text()}],
            "annotations": {"title": text(), text(): text()}, text(): text(),
            "inputSchema": {"type": "object", "description": text(), "$comment": text(), "required": [text()], text(): text(), "properties": {
                text(): {"type": "string", "description": text(), "enum": [text()], "default": text(), "pattern": text(), "examples": [text()]},
                "path": {"type": text()}}},
        })
    };
    json!({
        "server_info": {"name": text(), "version": text(), "title": text(), text(): text()},
        "capabilities": {"tools": {"listChanged": true}, "prompts": {}, "resources": {}, "experimental": member()},
        "instructions": text(),
        "tools": [tool("read_file".to_owned()), tool(text()), {text(): text()}],
        "prompts": [{"name": text(), "title": text(), "description": text(), "arguments": [{"name": text(), "description": text()}]}],
        "resources": [{"uri": text(), "name": text(), "description": text(), "mimeType": text(), "annotations": {"audience": [text()]}}],
        "resource_templates": [{"uriTemplate": text(), "name": text(), "description": text()}],
    })
}

/// A recorded project whose servers have gone over to such texts: one in its surface, one in everything else.
pub fn staged() -> Project {
    let project = Project::new();
    project.surface("files", &two_tools());
    project.surface("errs", &two_tools());
    fs::write(project.path("words"), EVIL).expect("a file");
    let program = super::fixture::fixture_server().display().to_string();
    let script = format!("cat words >&2; exec '{program}' errs.json --script errs.script");
    let errs = format!("[servers.errs]\ncommand = \"sh\"\nargs = [\"-c\", {}]\n", json!(script));
    project.write("pinwatch.toml", &format!("{}{errs}", Project::entry("files", &[])));
    project.expect(0, &["record", "--yes"]);
    project.surface("files", &surface());
    let error = json!({"code": -32603, "message": EVIL, "data": {EVIL: EVIL}});
    let failed = |error: &Value| format!("{EVIL}\n{{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{error}}}\n");
    project.write("errs.script", &say("tools/list", failed(&error)));
    project
}

pub fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{e000}'..='\u{f8ff}' | '\u{fff9}'..='\u{fffb}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

/// The pieces of a terminal's stream: what is printed; anything that is no sequence of ours is an error.
fn printed(stream: &[u8]) -> Result<String, String> {
    let text = std::str::from_utf8(stream).map_err(|error| format!("no UTF-8: {error}"))?;
    let mut printed = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        printed.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let length = sequence(after)
            .ok_or_else(|| format!("no sequence of ours: {:?}", &after.chars().take(30).collect::<String>()))?;
        rest = &after[length..];
    }
    printed.push_str(rest);
    Ok(printed)
}

/// The length of one of the sequences that pinwatch writes, without its escape.
fn sequence(after: &str) -> Option<usize> {
    match after.as_bytes().first()? {
        b'[' => {
            let end = after[1..].find(|c: char| !matches!(c, '0'..='9' | ';' | '?'))? + 1;
            let (parameters, last) = (&after[1..end], after.as_bytes()[end]);
            let is_ours = match last {
                b'H' | b'J' | b'K' | b'm' => !parameters.contains('?'),
                b'h' | b'l' => parameters.strip_prefix('?').is_some_and(|modes| {
                    modes.split(';').all(|mode| {
                        ["25", "1000", "1002", "1003", "1004", "1006", "1015", "1049", "2004", "2026"].contains(&mode)
                    })
                }),
                b't' => ["22;2", "23;2"].contains(&parameters),
                _ => false,
            };
            is_ours.then_some(end + 1)
        }
        b']' => {
            let (end, stop) = [("\u{7}", 1), ("\u{1b}\\", 2)]
                .into_iter()
                .filter_map(|(stop, length)| Some((after.find(stop)?, length)))
                .min()?;
            let body = &after[1..end];
            let is_ours = match body.split_once(';')? {
                ("0" | "2", title) => !title.contains("EVIL") && !title.chars().any(is_unseen),
                ("52", text) => text.strip_prefix("c;").is_some_and(|text| {
                    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte))
                }),
                _ => false,
            };
            is_ours.then_some(end + stop)
        }
        _ => None,
    }
}

/// Nothing that was written is the server's doing.
pub fn is_ours(stream: &[u8]) {
    let printed = printed(stream).unwrap_or_else(|error| panic!("{error}"));
    let unseen: String = printed.chars().filter(|c| is_unseen(*c) && !matches!(c, '\r' | '\n' | '\u{7}')).collect();
    assert!(unseen.is_empty(), "{:?} was printed", unseen.chars().take(20).collect::<String>());
    // The bell rings once for each server with a new critical drift; the texts hold hundreds.
    assert!(printed.matches('\u{7}').count() <= 4, "the bell rings and rings");
    let raw = String::from_utf8_lossy(stream);
    for part in ["\u{1b}[38;5;201m", "\u{1b}]0;EVIL", "\u{1b}]52;c;RVZJTA=="] {
        assert!(!raw.contains(part), "{part:?} was written");
    }
}

/// The line between the panes stands in one column all the way down.
fn is_laid_out(screen: &vt100::Screen) -> bool {
    let (rows, columns) = screen.size();
    let cell = |row, column| screen.cell(row, column).map(|cell| cell.contents().to_owned()).unwrap_or_default();
    let Some(column) = (0..columns.get()).find(|column| cell(1, *column) == "┬") else { return false };
    (2..rows.get() - 1).all(|row| ["│", "├", "┤", "┼", "┴"].contains(&cell(row, column).as_str()))
}

/// Text of any sort, with more of what is hard than people write.
fn random(dice: &mut fastrand::Rng) -> String {
    let hard = [
        '\u{1b}',
        '\u{9b}',
        '\u{9d}',
        '\0',
        '\u{7}',
        '\u{8}',
        '\r',
        '\n',
        '\t',
        '\u{85}',
        '\u{ad}',
        '\u{61c}',
        '\u{200b}',
        '\u{200d}',
        '\u{202e}',
        '\u{2066}',
        '\u{2029}',
        '\u{feff}',
        '\u{fe0f}',
        '\u{e0041}',
        '\u{e0100}',
        '\u{fffd}',
        '\u{fffe}',
        '\u{e000}',
        '\u{115f}',
        '\u{3164}',
        '\u{2800}',
        '\u{301}',
        '\u{489}',
        'あ',
        '👩',
        '🏽',
        'ﷺ',
        'ا',
        'א',
        '<',
        '"',
        '\\',
        '/',
        '`',
        '|',
        ';',
        '%',
        '{',
        '$',
        '[',
        ']',
        '(',
        '0',
        'm',
        'P',
        '?',
        ' ',
    ];
    let length = if dice.u8(..8) == 0 { dice.usize(..400) } else { dice.usize(1..20) };
    (0..length).map(|_| if dice.bool() { hard[dice.usize(..hard.len())] } else { dice.char(..) }).collect()
}

#[test]
fn the_terminal_is_never_the_servers() {
    let project = staged();
    let mut screen = super::on_servers(Terminal::start(pinwatch_in(&project, &["watch", "--yes"]), 120, 40));
    screen.until_shows("errs");
    screen.until_shows("read_file");
    screen.until_shows("<U+001B>");
    assert!(screen.look(is_laid_out), "{}", screen.contents());
    // Through every screen and dialog; escape leaves each of them.
    let walks = [
        "down 4",
        "open, json, wrap, side-by-side, more-context, next-change 2, bottom, back 2",
        "next-undecided, open, json 2, wrap, next-change 2, bottom, digests, bottom, back",
        "approve, back, reject, note 'note', back 3",
        "next-undecided, open, history, open, back 3",
        "events, down, open, back 2",
        "details, bottom, back",
        "next-server, details, bottom, back, previous-server",
        "snapshots, open, back 2",
        "home, down 2, mark, approve-marked, back 3",
        "filter 'M', down, back 2",
        "search 'EVIL', back 3",
        "copy, open, back",
        "next-undecided, copy, down 2, open, back",
        "next-undecided, open, copy, bottom, open, back 2",
        "help, bottom, back",
        "pane-servers, freeze, sort, sort-reverse, redraw, freeze",
    ];
    let hidden = [
        "<U+001B>",
        "<U+009B>",
        "<U+000D>",
        "<U+0008>",
        "<U+007F>",
        "<U+202E>",
        "<U+200B>",
        "<U+E0041>",
        "<U+00AD>",
        "<U+FEFF>",
        "<U+2028>",
    ];
    let missing = super::until_none(&mut screen, 5, hidden.into_iter(), |screen, wanted| {
        for walk in walks {
            screen.takes(walk);
        }
        let written = screen.written();
        let shown = String::from_utf8_lossy(&written);
        wanted.retain(|hidden| !shown.contains(*hidden));
    });
    assert_eq!(missing, Vec::<&str>::new(), "never shown");
    screen.resize(60, 20);
    screen.settled(Duration::from_millis(100));
    screen.press("quit-now");
    screen.wait();
    let written = screen.written();
    is_ours(&written);
    let copied = copied(&written);
    assert!(!copied.is_empty(), "something was copied");
    for text in copied {
        assert!(!text.chars().any(|c| is_unseen(c) && c != '\n'), "{text:?} was copied");
    }
}

/// `PINWATCH_TEST_SEED` is another text.
#[test]
fn random_text_hides_nothing_and_keeps_the_layout() {
    let seed = std::env::var("PINWATCH_TEST_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let dice = std::cell::RefCell::new(fastrand::Rng::with_seed(seed));
    let text = || random(&mut dice.borrow_mut());
    let project = staged();
    project.surface("files", &surface_of(&text));
    let error = json!({"code": -32603, "message": text(), "data": {text(): text()}});
    let failed = format!("{}\n{{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{error}}}\n", text());
    project.write("errs.script", &say("tools/list", failed));
    fs::write(project.path("words"), text()).expect("a file");
    for format in ["text", "json", "sarif", "junit", "markdown", "github"] {
        let Done { out, err, code } = project.run(&["check", "--yes", "--format", format]);
        assert!((0..3).contains(&code), "{seed} {format}: {err}");
        is_seen(&format!("{seed} {format}"), &(out + &err));
    }
    let mut screen = super::on_servers(Terminal::start(pinwatch_in(&project, &["watch", "--yes"]), 120, 40));
    for part in ["errs", "1 FAILED", "read_file"] {
        screen.until_shows(part);
    }
    let walk = "next-undecided, down, down, down, next-undecided, down, down, pane-items, bottom, pane-servers, down, down, \
                pane-items, bottom, pane-servers, down, pane-servers, down";
    for step in walk.split(", ") {
        screen.takes(step);
        assert!(screen.look(is_laid_out), "{seed}: {}", screen.contents());
    }
    screen.takes("details, bottom, back, events, back, home, open, bottom, back 2");
    screen.press("quit-now");
    screen.wait();
    is_ours(&screen.written());
}

#[test]
fn nothing_hides_on_the_terminal_afterwards() {
    let project = staged();
    let mut screen = Terminal::start(pinwatch_in(&project, &["watch", "--yes"]), 120, 40);
    for part in ["errs", "1 FAILED", "No longer served", "read_file", "<U+001B>"] {
        screen.until_shows(part);
    }
    // A few decisions on items whose names fight, with a note that fights.
    let mut decided = 0;
    for _ in 0..8 {
        screen.takes("next-undecided, open, bottom, approve");
        if !screen.contents().contains("Approve ") {
            screen.takes("back");
            continue;
        }
        screen.press("note");
        screen.send(&format!("\u{1b}[200~note {}\u{1b}[201~", EVIL.replace('\u{1b}', "")));
        screen.takes("key 'tab', bottom, confirm");
        // The word stands in rows and heads, too, before a day or a name.
        screen.until("what was approved", |screen| {
            let contents = screen.contents();
            let what = |rest: &str| rest.starts_with(|c: char| c.is_ascii_lowercase()) && !rest.starts_with("by ");
            contents.split("approved ").skip(1).any(what).then_some(())
        });
        decided += 1;
        screen.takes("back");
    }
    assert!(decided > 1, "{}", screen.contents());
    screen.press("quit-now");
    assert_eq!(screen.wait(), 0);
    let written = screen.written();
    is_ours(&written);
    let whole = String::from_utf8_lossy(&written);
    let after = whole.rsplit("\u{1b}[?1049l").next().unwrap_or_default();
    assert_eq!(after.matches("approved ").count(), decided, "{after}");
    assert!(after.contains("<U+001B>") && after.contains("suggested commit message"), "{after}");
    is_seen("the baseline", &project.read("snapshots/files/baseline.json"));
}

/// What a terminal was told to copy.
pub fn copied(stream: &[u8]) -> Vec<String> {
    let stream = String::from_utf8_lossy(stream);
    let payloads = stream.split("\u{1b}]52;c;").skip(1).filter_map(|rest| rest.split('\u{7}').next());
    payloads.map(decoded).collect()
}

fn decoded(base64: &str) -> String {
    let value = |byte: u8| {
        b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".iter().position(|other| *other == byte)
    };
    let mut bits = 0_usize;
    let mut bytes = Vec::new();
    for (at, value) in base64.bytes().map_while(value).enumerate() {
        bits = bits << 6 | value;
        if at % 4 != 0 {
            bytes.push(u8::try_from(bits >> (6 - 2 * (at % 4)) & 0xff).expect("a byte"));
        }
    }
    String::from_utf8(bytes).expect("text was copied")
}

/// Nothing that a program or a person reads holds what nobody sees.
pub fn is_seen(what: &str, text: &str) {
    let unseen: String = text.chars().filter(|c| is_unseen(*c) && *c != '\n').take(20).collect();
    assert!(unseen.is_empty(), "{what} holds {unseen:?}");
}

fn below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of the test").flatten() {
        if entry.path().is_dir() { below(&entry.path(), found) } else { found.push(entry.path()) }
    }
}

#[test]
fn no_output_and_no_file_holds_what_nobody_sees() {
    let project = staged();
    let run = |words: &[&str]| {
        let Done { out, err, code } = project.run(words);
        assert!((0..3).contains(&code), "{words:?}: {err}");
        is_seen(&format!("{words:?}"), &out);
        is_seen(&format!("{words:?}"), &err);
        out
    };
    for format in ["text", "json", "sarif", "junit", "markdown", "github"] {
        let out = run(&["check", "--yes", "--format", format]);
        assert!(out.contains("M1") || out.contains("M2"), "{format} says nothing of it: {out}");
        if ["json", "sarif"].contains(&format) {
            serde_json::from_str::<Value>(&out).expect("it is JSON");
        }
    }
    let report: Value = serde_json::from_str(&run(&["check", "--yes", "--format", "json"])).expect("it is JSON");
    run(&["review", "--yes"]);
    run(&["servers"]);
    run(&["show", "files"]);
    run(&["record", "--yes", "--label", EVIL]);
    // Everything is approved, so that every text comes to stand in a file.
    for drift in report["servers"]
        .as_array()
        .into_iter()
        .flatten()
        .flat_map(|server| server["drifts"].as_array().into_iter().flatten())
    {
        let item =
            format!("{}/{}", drift["kind"].as_str().unwrap_or_default(), drift["key"].as_str().unwrap_or_default());
        let digest = drift["digests"]["surface"]["now"].as_str().unwrap_or_default();
        // No argument of a program can hold a NUL, and a few drifts have no digest.
        if !digest.is_empty() {
            run(&["approve", "--yes", "files", &item, "--expect", digest, "--note", EVIL]);
            run(&["show", "files", &item]);
        }
    }
    let mut snapshots = Vec::new();
    below(&project.path("snapshots/files"), &mut snapshots);
    snapshots.retain(|path| path.extension().is_some_and(|end| end == "json") && !path.ends_with("baseline.json"));
    snapshots.sort();
    let names: Vec<_> = snapshots.iter().map(|path| path.display().to_string()).collect();
    assert!(names.len() >= 2, "{names:?}");
    run(&["diff", &names[0], &names[1]]);
    assert!(project.read("snapshots/files/baseline.json").contains("EVIL"));
    let mut files = Vec::new();
    below(&project.path("snapshots"), &mut files);
    below(&project.home(), &mut files);
    for path in files {
        let bytes = fs::read(&path).expect("a file of the test");
        if let Ok(text) = String::from_utf8(bytes) {
            is_seen(&path.display().to_string(), &text);
        }
    }
}
