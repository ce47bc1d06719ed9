//! Every command that is printed, pasted into a shell, does what it says: for any name of an item and any id of a server.

use super::fixture::fixture_server;
use super::project::{Done, Project, done};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Stdio};

/// What names are made of: what a shell, a terminal, a CI system, our own command line or our own escapes could take for
/// something else.
const PIECES: [&str; 36] = [
    "read",
    "_",
    "größe",
    " ",
    "\n",
    "\r",
    "\t",
    "\0",
    "\u{1b}[31m",
    "\u{200b}",
    "\u{202e}",
    "\u{e0041}",
    "'",
    "\"",
    "$HOME",
    "`x`",
    "\\",
    "!",
    "%",
    "-",
    "--yes",
    "/",
    "@",
    "@sha256:",
    "<U+200B>",
    "<U+",
    "<U+0041",
    ">",
    "##vso[a.b]",
    "##[x]",
    "::error::",
    "section_end:1:x",
    "#",
    "*",
    "~",
    "=",
];

fn name() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&PIECES[..]), 0..5).prop_map(|pieces| pieces.concat())
}

fn staged(id: &str) -> Project {
    let project = Project::new();
    let entry = format!("[servers.{}]\ncommand = {}\nargs = [\"s.json\"]\n", toml(id), json!(fixture_server()));
    project.write("ours.toml", &entry);
    project
}

/// A key of TOML, which knows the escapes of JSON; it takes no DEL as it is.
fn toml(text: &str) -> String {
    json!(text).to_string().replace('\u{7f}', "\\u007f")
}

fn shows(project: &Project, names: &[String]) {
    let mut tools: Vec<Value> = vec![json!({"name": "keep", "inputSchema": {"type": "object"}})];
    tools.extend(
        names.iter().map(|name| json!({"name": name, "description": "Adds.", "inputSchema": {"type": "object"}})),
    );
    project.surface("s", &json!({"capabilities": {"tools": {}}, "tools": tools}));
}

/// Naming the file agrees to start what is in it, and the printed commands name it, too.
fn run(project: &Project, words: &[&str]) -> Done {
    done(&mut project.command(&[words, &["--config", "ours.toml"]].concat()))
}

/// What a person who pastes a line gets. It is one line, and nothing in it is for a terminal or for a CI system.
fn paste(project: &Project, line: &str) -> Done {
    assert!(!line.contains(char::is_control) && !line.contains("##[") && !line.contains("##vso["), "{line:?}");
    let folder = Path::new(env!("CARGO_BIN_EXE_pinwatch")).parent().expect("a folder");
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", line]).current_dir(project.path("")).env_clear().envs(project.environment());
    let path = project.environment().into_iter().find(|(name, _)| *name == "PATH").map(|(_, path)| path);
    shell.env("PATH", format!("{}:{}", folder.display(), path.unwrap_or_default())).stdin(Stdio::null());
    done(&mut shell)
}

/// The commands that a text prints: behind a mark, to the end of the line.
fn commands(text: &str, mark: &str) -> Vec<String> {
    text.lines().filter_map(|line| Some(line.split_once(mark)?.1.to_owned())).collect()
}

/// Each command of this text, between back quotes.
fn quoted(text: &str, begins: &str) -> String {
    let at = text.find(begins).unwrap_or_else(|| panic!("{begins}: {text}"));
    // An id may hold a back quote of its own: the options end the command.
    let end = text[at..].find("--config ours.toml").unwrap_or_else(|| panic!("{text}"));
    text[at..at + end].to_owned() + "--config ours.toml"
}

/// How many items were decided on by printed words.
fn holds(id: &str, names: &[String]) -> usize {
    let mut decided = 0;
    let project = staged(id);
    // First contact: the report says how to record, and what stands apart is accepted by the printed words.
    shows(&project, &names[..names.len() / 2]);
    let first = run(&project, &["check"]);
    let record = commands(&first.out, "record one first: ");
    assert_eq!(record.len(), 1, "{first:?}");
    let recorded = paste(&project, &record[0]);
    assert!(recorded.code <= 1, "{record:?} {recorded:?}");
    for accept in commands(&recorded.out, "pin it with: ") {
        let accepted = paste(&project, &accept);
        assert_eq!(accepted.code, 0, "{accept} {accepted:?}");
        decided += 1;
    }
    // Then one tool after another, by what `review` and `check` print.
    for many in names.len() / 2..=names.len() {
        shows(&project, &names[..many]);
        let (verb, mark) = if many % 2 == 0 { ("review", "  pinwatch ") } else { ("check", "approve: pinwatch ") };
        let said = run(&project, &[verb]);
        for approve in commands(&said.out, mark) {
            let approved = paste(&project, &format!("pinwatch {approve}"));
            assert_eq!(approved.code, 0, "{approve} {approved:?}");
            decided += 1;
        }
        let clean = run(&project, &["check"]);
        assert_eq!(clean.code, 0, "{verb} {said:?} {clean:?}");
    }
    // An item that is not there, and a server that is in the config no more.
    let word = commands(&first.out, "pinwatch record ").remove(0);
    let shown = paste(&project, &format!("pinwatch show {}", word.replace(" --config", " tool/none --config")));
    assert_eq!(shown.code, 2, "{shown:?}");
    assert_eq!(paste(&project, &quoted(&shown.err, "pinwatch show ")).code, 0, "{shown:?}");
    project.write("ours.toml", "");
    let servers = run(&project, &["servers"]);
    let rename = quoted(&servers.out, "pinwatch rename ").replace(" ID --config", " other --config");
    assert_eq!(paste(&project, &rename).code, 0, "{rename}");
    assert_eq!(paste(&project, "pinwatch forget other --config ours.toml").code, 0);
    decided
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, failure_persistence: None, max_shrink_iters: 20, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_works_as_printed(
        id in name().prop_filter("an id has a character, and a folder's name has a bound", |id| !id.is_empty() && id.len() < 60),
        names in prop::collection::btree_set(name(), 4..6),
    ) {
        holds(&id, &names.into_iter().collect::<Vec<_>>());
    }
}

/// The ones that are known to be hard, whatever the dice say.
#[test]
fn names_that_nobody_can_type_are_decided_as_printed() {
    let names = [
        "",
        "a\0b",
        "a\u{1b}[31mb",
        "del\u{200b}ete",
        "a<U+200B>b",
        "a\u{200b}b",
        "it's",
        "-rf",
        "##vso[a.b]c",
        "%0A!",
    ];
    let decided = holds("--yes ##[x]\u{200b}<U+0041>'", &names.map(str::to_owned));
    assert!(decided >= names.len() / 2, "{decided}");
}

/// A server that is in no file is reached again by the words that named it.
#[test]
fn a_server_that_was_typed_is_decided_on_as_printed() {
    let project = Project::new();
    let program = fixture_server().display().to_string();
    let root = project.path("it's a root").display().to_string();
    std::fs::create_dir(&root).expect("a folder");
    let check = ["check", "--root", &root, "--name", "ty ped", "--", &program, "s.json"];
    shows(&project, &["a".to_owned()]);
    let record = commands(&project.expect(2, &check).out, "record one first: ").remove(0);
    assert_eq!(paste(&project, &record).code, 0, "{record}");
    shows(&project, &["a".to_owned(), "b\u{200b}".to_owned()]);
    for approve in commands(&project.expect(1, &check).out, "approve: ") {
        assert_eq!(paste(&project, &approve).code, 0, "{approve}");
    }
    project.expect(0, &check);
    // What a second record says of it, too.
    let recorded = paste(&project, &record);
    let begins = recorded.out.find("`pinwatch check ").expect("how to see it") + 1;
    let ends = recorded.out.find("` lists what differs").expect("how to see it");
    assert_eq!(paste(&project, &recorded.out[begins..ends]).code, 0, "{recorded:?}");
}
