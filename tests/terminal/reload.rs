//! Files that change while somebody watches: the config, a theme.

use super::project::{Project, two_tools};
use super::{eventually, recorded, watching};

#[test]
fn edited_config_touches_only_its_servers() {
    let project = recorded();
    let mut screen = watching(&project, 120, 40);
    let before = project.read("files.log");
    project.surface("notes", &two_tools());
    project.write("pinwatch.toml", &[Project::entry("files", &[]), Project::entry("notes", &[])].concat());
    screen.until_shows("2 servers");
    screen.until_shows("1 server added");
    // `--yes` was said to what the file named then.
    screen.until_shows("CONSENT");
    assert!(!project.was_started("notes"));
    screen.press("next-server, open");
    screen.until_shows("Start notes?");
    screen.press("confirm");
    eventually("notes was started", || project.was_started("notes"));
    assert!(project.read("files.log").starts_with(&before), "files goes on in its own session");
    project.write("pinwatch.toml", &Project::entry("files", &[]));
    screen.until_shows("1 server removed");
    screen.until_shows("1 server ");
    eventually("the end of notes", || project.read("notes.log").contains("stdin ended"));
    project.write("pinwatch.toml", "[servers.files]\ncomand = \"x\"\n");
    screen.until_shows("the running servers are unchanged");
    screen.until_shows("✓ OK");
}

#[test]
fn new_secret_is_masked_in_running_servers() {
    let project = recorded();
    let screen = watching(&project, 120, 40);
    let secret = "hunter2-8f3a91c04d7e";
    let mut tools = two_tools();
    tools["tools"][0]["description"] = format!("Lists files for {secret}.").into();
    project.surface("files", &tools);
    screen.until_shows("1 moderate");
    screen.until_shows(secret);
    project.surface("notes", &two_tools());
    let env = format!("env = {{ API_TOKEN = \"{secret}\" }}\n");
    project.write("pinwatch.toml", &[Project::entry("files", &[]), Project::entry("notes", &[]), env].concat());
    screen.until_shows("2 servers");
    screen.until("the secret masked", |screen| (!screen.contents().contains("hunter2")).then_some(()));
    screen.until_shows("1 moderate");
    // It was passed once: what sends it back later is masked as well.
    project.write("pinwatch.toml", &Project::entry("files", &[]));
    screen.until_shows("1 server ");
    tools["tools"][0]["description"] = format!("Lists the files for {secret}.").into();
    project.surface("files", &tools);
    screen.until_shows("Lists the files for <redacted API_TOKEN>.");
    assert!(!screen.contents().contains("hunter2"), "{}", screen.contents());
}

#[test]
fn edited_settings_apply_at_once_or_are_told() {
    let project = recorded();
    let mut screen = watching(&project, 120, 40);
    let switches = "[ui]\nmouse = true\n";
    project.write("pinwatch.toml", &format!("{switches}{}", Project::entry("files", &[])));
    screen.until_shows("mouse  live");
    // Another edit does not turn back what a key turned.
    screen.press("mouse");
    screen.until("the mouse off", |screen| (!screen.contents().contains("mouse  live")).then_some(()));
    let include = format!("include = [\".mcp.json\"]\n{switches}");
    project.write(".mcp.json", "{\"mcpServers\": 3}");
    project.write("pinwatch.toml", &format!("{include}{}", Project::entry("files", &[])));
    screen.takes("events");
    screen.until_shows("not usable");
    assert!(!screen.contents().contains("mouse  live"), "{}", screen.contents());
}

#[test]
fn an_edited_theme_shows_at_once() {
    let project = recorded();
    project.write("pinwatch.toml", &format!("[ui]\ntheme = \"mine\"\n{}", Project::entry("files", &[])));
    let themes = project.home().join("config/pinwatch/themes");
    std::fs::create_dir_all(&themes).expect("a folder");
    let write = |ink: &str| {
        let text = format!("inherits = \"dark\"\n[palette]\nink = \"{ink}\"\n");
        std::fs::write(themes.join("mine.toml"), text).expect("written");
    };
    write("#eeeeee");
    let screen = watching(&project, 120, 40);
    let drawn = |color: vt100::Color| {
        move |screen: &vt100::Screen| {
            let (rows, columns) = screen.size();
            let mut cells = (0..rows.get()).flat_map(|row| (0..columns.get()).map(move |column| (row, column)));
            cells
                .any(|(row, column)| screen.cell(row, column).is_some_and(|cell| cell.fgcolor() == color))
                .then_some(())
        }
    };
    // Of 256 colours: the cube's nearest to each.
    screen.until("the first ink", drawn(vt100::Color::Idx(255)));
    write("#ffff00");
    screen.until("the other ink", drawn(vt100::Color::Idx(226)));
    // Another folder in the place of this one is followed as well: what git and backups do.
    std::fs::rename(&themes, project.path("away")).expect("moved");
    std::fs::create_dir(&themes).expect("a folder");
    write("#00ff00");
    screen.until("the ink in another folder", drawn(vt100::Color::Idx(46)));
    write("#00ffff");
    screen.until("another ink there", drawn(vt100::Color::Idx(51)));
}

#[test]
fn row_35_input_is_answered_on_screen_and_not_kept() {
    let project = Project::new();
    project.surface("files", &two_tools());
    let entry = serde_json::json!({
        "servers": {"files": {"command": super::fixture::fixture_server(), "args": ["files.json", "--log", "files.log"],
            "env": {"FILES_TOKEN": "${input:token}"}}},
        "inputs": [{"type": "promptString", "id": "token", "description": "Token of files", "password": true}],
    });
    std::fs::create_dir(project.path(".vscode")).expect("the root can be written");
    project.write(".vscode/mcp.json", &entry.to_string());
    let done = project.expect(2, &["check", "--yes"]);
    assert!(done.out.contains("needs input `token`"), "{done:?}");
    assert!(!project.was_started("files"));

    let mut screen = super::start::pinwatch(&project, &[], 120, 40);
    screen.until_shows("asks for an answer");
    // It waits for a person, and has not failed.
    screen.press("events");
    screen.until_shows("Events  ");
    assert!(screen.look(|screen| !screen.contents().contains("STALE")), "a server that asks has not failed");
    screen.press("quit, open");
    screen.until_shows("Token of files");
    screen.press("type 'an-answer-nobody-sees'");
    screen.until_shows("*********************");
    // Enter drops nothing and confirms nothing; it says what does.
    screen.press("key 'enter'");
    screen.until_shows("y to use this answer");
    screen.press("confirm");
    screen.until_shows("CONSENT");
    screen.press("open");
    screen.until_shows("Start files?");
    assert!(!project.was_started("files"), "the launch is asked about, too");
    screen.press("confirm");
    screen.until_shows("as the baseline");
    assert!(project.was_started("files"));
    assert!(screen.look(|screen| !screen.contents().contains("nobody-sees")));
    let written = String::from_utf8_lossy(&screen.written()).into_owned();
    assert!(!written.contains("config changed") && !written.contains("restarted"), "no file was edited");
    screen.press("quit 4");
    assert_eq!(screen.wait(), 0);
    for file in walk(project.whole()) {
        let bytes = std::fs::read(&file).unwrap_or_default();
        assert!(!bytes.windows(11).any(|part| part == b"nobody-sees"), "{} holds the answer", file.display());
    }
}

/// Every file below a folder.
fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder can be read").flatten().map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

/// An entry that goes while it is watched, by being deleted or switched off, is a row with its last pins and an event; the
/// person's word on it is in the baseline.
#[test]
fn an_entry_that_goes_away_is_an_event_and_a_row() {
    let project = recorded();
    let mut screen = watching(&project, 120, 40);
    project.write("pinwatch.toml", "");
    screen.until_shows("1 UNWATCHED");
    screen.until_shows("no file that is read here names it");
    // Its pins are there, and none of them reads approved.
    screen.until_shows("? UNKNOWN  list_files");
    screen.press("approve");
    screen.until_shows("Leave files unwatched?");
    screen.press("confirm");
    screen.until_shows("accepted that files is not watched");
    screen.until("nothing to decide", |screen| (!screen.contents().contains("1 UNWATCHED")).then_some(()));
    assert_eq!(project.baseline("files")["unwatched"]["reason"], "not-configured");
    project.write("pinwatch.toml", &(Project::entry("files", &[]) + "disabled = true\n"));
    screen.until_shows("its entry is switched off by `disabled`");
    screen.until_shows("1 UNWATCHED");
    project.write("pinwatch.toml", &Project::entry("files", &[]));
    // The launch that was agreed to at the start.
    screen.until_shows("✓ OK");
    // One that comes switched off was never watched: it is added.
    let off = Project::entry("notes", &[]) + "disabled = true\n";
    project.write("pinwatch.toml", &(Project::entry("files", &[]) + &off));
    screen.until_shows("config changed: 1 server added");
    screen.until_shows("not watched");
    assert!(!project.was_started("notes"));
}
