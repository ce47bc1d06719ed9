//! A definition in the person's own editor or pager: they have the terminal alone meanwhile, get a private copy that hides
//! nothing, and what they do to it changes nothing.

use super::project::{Project, two_tools};
use super::terminal::{Terminal, pinwatch_in};
use super::{eventually, recorded};
use portable_pty::CommandBuilder;
use std::os::unix::fs::PermissionsExt as _;

/// An editor that keeps what it was given, and a line that is typed into it, in `seen` and `typed`.
const EDITOR: &str = "#!/bin/sh
cp \"$2\" seen~; ls -l \"$2\" | cut -c1-10 > mode; ls -ld \"$(dirname \"$2\")\" | cut -c1-10 >> mode
echo \"$2\" > where; chmod u+w \"$2\"; echo 'a change' >> \"$2\"; mv seen~ seen
trap 'echo interrupted > trapped' INT
echo \"EDITING with $1\"
until read line; do :; done
echo \"$line\" > typed~; mv typed~ typed
exit ${3:-0}
";

fn with_editor(mut command: CommandBuilder) -> CommandBuilder {
    command.env("EDITOR", "./editor.sh --wait");
    command
}

fn poisoned() -> Project {
    let project = recorded();
    project.write("editor.sh", EDITOR);
    let script = project.path("editor.sh");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).expect("the mode changes");
    let mut surface = two_tools();
    surface["tools"][1]["description"] = "Read a file.\u{1b}[2J And more\u{200b}.".into();
    project.surface("files", &surface);
    project
}

#[test]
fn editor_gets_the_terminal_and_a_visible_copy() {
    let project = poisoned();
    let before = project.read("snapshots/files/baseline.json");
    let mut screen = Terminal::start(with_editor(pinwatch_in(&project, &["watch", "--yes"])), 120, 40);
    screen.until_shows("1 critical");
    screen.until_shows("▸▲ read_file");
    screen.press("open");
    screen.until_shows("q back");
    screen.press("read-outside");
    screen.until_shows("EDITING with --wait");
    assert!(!screen.look(vt100::Screen::alternate_screen));
    let seen = project.read("seen");
    assert!(seen.starts_with("pinwatch: a copy to read; edits here change nothing\n\n"), "{seen}");
    for part in [
        "<U+001B>[2J",
        "--- pinned definition as JSON",
        "--- definition as JSON",
        "\\u200b",
        "\"description\": \"Read a file.\"",
    ] {
        assert!(seen.contains(part), "{part}: {seen}");
    }
    // The one control is ours: it begins our own last page.
    let (text, last_page) = seen.split_once('\u{c}').expect("a page of our own");
    assert!(!text.contains(|c: char| (c.is_control() && c != '\n') || c == '\u{200b}'), "{seen}");
    assert!(last_page.starts_with("\npinwatch: the end of the copy") && last_page.lines().count() > 5, "{seen}");
    assert_eq!(project.read("mode"), "-r--------\ndrwx------\n");
    // ctrl-c is the editor's, and so are keys that would mean something here.
    screen.send("\u{3}");
    eventually("the interrupt in the editor", || project.path("trapped").exists());
    screen.send("qqq\r");
    eventually("the line in the editor", || project.path("typed").exists());
    assert_eq!(project.read("typed").trim(), "qqq");
    screen.until("the change again", |screen| {
        (screen.alternate_screen() && screen.contents().contains("q back")).then_some(())
    });
    assert!(!std::path::Path::new(project.read("where").trim()).exists(), "the copy is gone");
    assert_eq!(project.read("snapshots/files/baseline.json"), before);
    // Keys are ours again.
    screen.press("quit");
    screen.until_shows("▸▲ read_file");
    screen.press("quit 4");
    assert_eq!(screen.wait(), 0);
}

#[test]
fn an_editor_that_is_not_there_is_said() {
    let project = poisoned();
    let mut line = pinwatch_in(&project, &["watch", "--yes"]);
    line.env("VISUAL", "no-such-editor");
    let mut screen = Terminal::start(line, 120, 40);
    screen.until_shows("1 critical");
    screen.until_shows("▸▲ read_file");
    screen.press("read-outside");
    screen.until_shows("`no-such-editor` cannot be started");
    screen.press("quit 4");
    assert_eq!(screen.wait(), 0);
}

#[test]
fn show_goes_through_the_pager_or_the_editor() {
    let project = poisoned();
    project.write("pager.sh", "cat > paged~; mv paged~ paged; echo PAGED; read line < /dev/tty\n");
    let mut line = pinwatch_in(&project, &["show", "files", "tool/read_file", "--pager"]);
    line.env("PAGER", "sh pager.sh");
    let mut screen = Terminal::start(line, 80, 24);
    screen.until_shows("PAGED");
    screen.send("\r");
    assert_eq!(screen.wait(), 0);
    assert_eq!(project.read("paged"), project.expect(0, &["show", "files", "tool/read_file"]).out);
    let words = ["show", "files", "tool/read_file", "--editor"];
    let mut screen = Terminal::start(with_editor(pinwatch_in(&project, &words)), 80, 24);
    screen.until_shows("EDITING");
    screen.send("x\r");
    assert_eq!(screen.wait(), 0);
    assert!(project.read("seen").contains("a copy to read"));
    // Into a pipe there is no pager; an editor needs a terminal.
    let piped = project.expect(0, &["show", "files", "tool/read_file", "--pager"]).out;
    assert_eq!(project.read("paged"), piped);
    assert!(project.expect(2, &words).err.contains("--editor needs a terminal"));
}
