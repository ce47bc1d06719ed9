//! Nothing found by itself runs, and nothing that a project or a server names leads out of the root.

use super::project::{Project, two_tools};
use super::terminal::{Terminal, pinwatch_in};
use serde_json::json;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

fn below(folder: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() && !path.is_symlink() {
            found.extend(below(&path));
        }
        found.insert(path);
    }
    found
}

#[test]
fn a_hostile_clone_runs_nothing_and_changes_nothing() {
    let project = Project::new();
    let touch = |name: &str| json!(["-c", format!("touch {}", project.whole().join(name).display())]);
    let entry = |name: &str| json!({"command": "sh", "args": touch(name), "env": {"LD_PRELOAD": "./evil.so", "BASH_ENV": "./evil.sh"}});
    for folder in [".vscode", ".cursor", ".git", ".claude", ".gemini", ".zed", ".amazonq", "snapshots"] {
        fs::create_dir(project.path(folder)).expect("a folder");
    }
    project.write(
        "pinwatch.toml",
        &format!(
            "include = [\".mcp.json\", \"vscode\", \"cursor\"]\n[servers.a]\ncommand = \"sh\"\nargs = {}\n",
            touch("pwned-toml")
        ),
    );
    project.write(".mcp.json", &json!({"mcpServers": {"b": entry("pwned-mcp")}}).to_string());
    project.write(".vscode/mcp.json", &json!({"servers": {"c": entry("pwned-vscode")}}).to_string());
    project.write(".cursor/mcp.json", &json!({"mcpServers": {"d": entry("pwned-cursor")}}).to_string());
    project.write(".env", "LD_PRELOAD=./evil.so\nPINWATCH_YES=1\n");
    let before = below(project.whole());
    for words in [
        &["check"][..],
        &["servers"],
        &["review"],
        &["record"],
        &["doctor"],
        &["check", "a", "b"],
        &[
            "approve",
            "a",
            "tool/x",
            "--expect",
            "sha256:0000000000000000000000000000000000000000000000000000000000000000",
        ],
    ] {
        let ran = project.run(words);
        assert!((0..3).contains(&ran.code), "{words:?}: {ran:?}");
        if words[0] != "servers" && words[0] != "doctor" {
            assert_eq!(ran.code, 2, "{words:?}: {ran:?}");
        }
        let more: Vec<_> = below(project.whole())
            .difference(&before)
            .filter(|path| !path.starts_with(project.home()))
            .cloned()
            .collect();
        assert!(more.is_empty(), "{words:?} made {more:?}");
    }
}

#[test]
fn no_id_label_or_name_leads_out_of_the_root() {
    let project = Project::new();
    let ids = [
        "../out", "a/b", "..", ".", "con", "%2e%2e", "Files", "files", "FILES", "x.", "nul.txt", "-rf", "~", "a\\b",
        "ä",
    ];
    let mut surface = two_tools();
    surface["tools"][0]["name"] = "../../../out".into();
    surface["tools"][1]["name"] = "/tmp/out".into();
    project.surface("files", &surface);
    let before = below(project.whole());
    let mut recorded = 0;
    for id in ids {
        let entry = Project::entry("files", &[]).replace("[servers.files]", &format!("[servers.{}]", json!(id)));
        project.write("pinwatch.toml", &entry);
        let ran = project.run(&["record", "--yes", "--label", "../../out"]);
        // An id that is refused is refused by name.
        assert!(ran.code == 0 || ran.err.contains("pinwatch.toml"), "{id}: {ran:?}");
        recorded += usize::from(ran.code == 0);
    }
    fs::remove_file(project.path("pinwatch.toml")).expect("it is there");
    let after = below(project.whole());
    let made: Vec<_> = after.difference(&before).filter(|path| !path.starts_with(project.home())).collect();
    let snapshots = project.path("snapshots");
    let stray: Vec<_> =
        made.iter().filter(|path| !path.starts_with(&snapshots) && !path.ends_with("files.log")).collect();
    assert!(stray.is_empty(), "{stray:?}");
    let folders: Vec<_> = fs::read_dir(&snapshots)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let folded: BTreeSet<_> = folders.iter().map(|name| name.to_lowercase()).collect();
    assert_eq!(folded.len(), folders.len(), "they meet on a disk that does not tell case: {folders:?}");
    for folder in &folders {
        for path in below(&snapshots.join(folder)) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            assert!(
                name == "baseline.json"
                    || name.trim_end_matches(".json").bytes().all(|byte| b"0123456789TZ-".contains(&byte)),
                "{name}"
            );
        }
    }
    assert_eq!(folders.len(), recorded, "each has its own: {folders:?}");
    assert!(recorded >= 10, "{recorded} ids are ids");
}

#[test]
fn no_link_in_a_root_leads_out_of_it() {
    for level in ["snapshots", "snapshots/files", "snapshots/files/baseline.json"] {
        let project = Project::with_files();
        let elsewhere = project.whole().join("elsewhere");
        fs::create_dir_all(elsewhere.join("files")).expect("a folder");
        fs::write(elsewhere.join("baseline.json"), "theirs").expect("a file");
        let link = project.path(level);
        fs::create_dir_all(link.parent().expect("a parent")).expect("a folder");
        let to = if level.ends_with("json") { elsewhere.join("baseline.json") } else { elsewhere.clone() };
        symlink(to, &link).expect("a link");
        let before = below(&elsewhere);
        for words in
            [&["record", "--yes"][..], &["forget", "files"], &["prune", "files", "--keep", "0"], &["check", "--yes"]]
        {
            let ran = project.run(words);
            assert!(ran.code != 0 || words[0] == "prune", "{level} {words:?}: {ran:?}");
            assert_eq!(below(&elsewhere), before, "{level} {words:?}");
            assert_eq!(
                fs::read_to_string(elsewhere.join("baseline.json")).expect("it stays"),
                "theirs",
                "{level} {words:?}"
            );
        }
        assert!(link.is_symlink(), "{level} stays a link");
    }
}

/// A project whose server is a script of its own, which a person has agreed to on the screen.
fn agreed() -> Project {
    let project = Project::new();
    project.surface("files", &two_tools());
    let program = super::fixture::fixture_server().display().to_string();
    project.write("server.sh", &format!("exec '{program}' files.json --log files.log\n"));
    project.write(
        "pinwatch.toml",
        "[servers.files]\ncommand = \"sh\"\nargs = [\"server.sh\"]\nenv = { LOG = \"${LOG:-info}\", BASH_ENV = \"${BOOT:-/dev/null}\" }\n",
    );
    let mut screen = Terminal::start(pinwatch_in(&project, &[]), 120, 40);
    screen.until_shows("CONSENT");
    screen.press("open");
    screen.until_shows("Start files?");
    screen.press("confirm");
    screen.until_shows("as the baseline");
    screen.press("quit 2");
    screen.wait();
    fs::remove_file(project.path("files.log")).expect("it was started");
    project
}

#[test]
fn server_sees_only_its_own_environment() {
    let project = Project::new();
    let program = super::fixture::fixture_server().display().to_string();
    let entry = |id: &str, own: &str| {
        let script = json!(format!("env > {id}.env; exec '{program}' {id}.json"));
        format!("[servers.{id}]\ncommand = \"sh\"\nargs = [\"-c\", {script}]\nenv = {{ {own} }}\n")
    };
    for id in ["one", "other"] {
        project.surface(id, &two_tools());
    }
    project.write(
        "pinwatch.toml",
        &(entry("one", "ONE_TOKEN = \"${GIVEN}\"") + &entry("other", "OTHER_TOKEN = \"its-own\"")),
    );
    let ours = [
        ("GIVEN", "given"),
        ("AWS_SECRET_ACCESS_KEY", "ours"),
        ("SSH_AUTH_SOCK", "ours"),
        ("LD_LIBRARY_PATH", "/ours"),
        ("PINWATCH_X", "ours"),
    ];
    let environment = |id: &str| project.read(&format!("{id}.env"));
    let check = |who: &str| {
        for (id, own) in [("one", "ONE_TOKEN=given"), ("other", "OTHER_TOKEN=its-own")] {
            let seen = environment(id);
            assert!(seen.lines().any(|line| line == own), "{who} {id}: {seen}");
            let strange = seen.lines().filter(|line| {
                line.contains("ours") || line.contains("TOKEN") && *line != own || line.starts_with("GIVEN")
            });
            assert_eq!(strange.collect::<Vec<_>>(), [""; 0], "{who} {id}");
            fs::remove_file(project.path(&format!("{id}.env"))).expect("it is there");
        }
    };
    let mut command = project.command(&["check", "--yes"]);
    assert_eq!(super::project::done(command.envs(ours)).code, 2, "they have no baseline");
    check("check");
    let mut command = pinwatch_in(&project, &["watch", "--yes"]);
    for (name, value) in ours {
        command.env(name, value);
    }
    let mut screen = super::on_servers(Terminal::start(command, 120, 40));
    screen.until("both", |screen| (screen.contents().matches(" NEW").count() >= 2).then_some(()));
    screen.press("quit 2");
    screen.wait();
    check("watch");
}

#[test]
fn consent_is_only_for_exactly_what_was_seen() {
    let project = agreed();
    let starts = |what: &str, expected: bool| {
        let _ = fs::remove_file(project.path("files.log"));
        let ran = project.run(&["check"]);
        assert_eq!(project.was_started("files"), expected, "{what}: {ran:?}");
        assert_eq!(ran.out.contains("consent-needed"), !expected, "{what}: {ran:?}");
    };
    starts("as agreed", true);
    // What a variable of the environment puts into it is part of what was agreed to where it decides what runs.
    for (name, value, expected) in [("LOG", "debug", true), ("BOOT", "./evil.sh", false)] {
        let _ = fs::remove_file(project.path("files.log"));
        let ran = super::project::done(project.command(&["check"]).env(name, value));
        assert_eq!(project.was_started("files"), expected, "{name}: {ran:?}");
    }
    let script = project.read("server.sh");
    project.write("server.sh", &format!("touch pwned\n{script}"));
    starts("another script", false);
    project.write("server.sh", &script);
    starts("the script again", true);
    let config = project.read("pinwatch.toml");
    for (what, edit) in [
        ("another argument", config.replace("\"server.sh\"]", "\"server.sh\", \"-x\"]")),
        ("a loader variable", config.replace("env = {", "env = { LD_PRELOAD = \"./evil.so\",")),
        ("a search path", config.replace("env = {", "env = { PATH = \"./bin\",")),
        ("another folder", config.clone() + "cwd = \"snapshots\"\n"),
        ("another name", config.replace("[servers.files]", "[servers.other]")),
    ] {
        project.write("pinwatch.toml", &edit);
        starts(what, false);
    }
    project.write("pinwatch.toml", &config);
    starts("the config again", true);
    // The very same project at another place.
    let copy = project.whole().join("copy");
    fs::create_dir(&copy).expect("a folder");
    for name in ["pinwatch.toml", "server.sh", "files.json"] {
        fs::copy(project.path(name), copy.join(name)).expect("a copy");
    }
    let mut elsewhere = project.command(&["check"]);
    let ran = super::project::done(elsewhere.current_dir(&copy));
    assert!(ran.out.contains("consent-needed") && !copy.join("files.log").exists(), "{ran:?}");
    // What is kept is sealed by this machine's key: an edited record is none.
    let consents = project.home().join("state/pinwatch/consents");
    let kept: Vec<_> = below(&consents).into_iter().collect();
    assert_eq!(kept.len(), 1, "{kept:?}");
    let record = fs::read_to_string(&kept[0]).expect("a record");
    project.write("server.sh", &format!("touch pwned\n{script}"));
    for from in [b'0', b'a', b'f'] {
        let forged: String = record.chars().map(|c| if c == char::from(from) { '1' } else { c }).collect();
        fs::write(&kept[0], forged).expect("it can be written");
        starts("a forged record", false);
    }
    assert!(!project.path("pwned").exists());
}
