//! The README and the topics of `pinwatch help` are true where a machine can tell: the key table is the keymap's, every command
//! shown is one, the config keys are the parser's, and the hook holds back a commit.

use crate::agreed::{agree, path};
use crate::project::{Project, done, drifted};
use clap::{CommandFactory as _, Parser as _};
use pinwatch::cli::help::TOPICS;
use pinwatch::cli::{Cli, Command};
use pinwatch::config::keys;
use pinwatch::tui::{Context, Keymap};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

fn readme() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).expect("the README")
}

/// The README and every topic that it links to.
fn pages() -> String {
    TOPICS.iter().fold(readme(), |all, (_, page)| format!("{all}\n{page}"))
}

/// The fenced blocks of a language.
fn blocks(language: &str) -> Vec<String> {
    let pages = pages();
    let parts = pages.split("\n```").skip(1).step_by(2);
    let found =
        parts.filter_map(|block| block.strip_prefix(language)?.strip_prefix('\n').map(|text| format!("{text}\n")));
    found.collect()
}

/// A line of a shell as words: quotes are taken off, comments and what is redirected left out.
fn words(line: &str) -> Vec<String> {
    let line = line.split(" #").next().unwrap_or_default().split(" > ").next().unwrap_or_default();
    line.split_whitespace().map(|word| word.trim_matches('\'').to_owned()).collect()
}

fn parses(line: &str) {
    let parsed = Cli::try_parse_from(words(line));
    assert!(parsed.is_ok(), "{line}: {}", parsed.err().map(|error| error.to_string()).unwrap_or_default());
}

#[test]
fn the_front_page_is_short_and_links_each_topic() {
    let readme = readme();
    assert!(readme.lines().count() <= 120, "{} lines", readme.lines().count());
    let project = Project::new();
    let overview = project.expect(0, &["help"]).out;
    let commands: Vec<_> = Cli::command().get_subcommands().map(|command| command.get_name().to_owned()).collect();
    for (name, page) in TOPICS {
        assert!(readme.contains(&format!("](src/cli/help/{name}.md)")), "README.md does not link to {name}");
        // `help guard` is the topic, which leads to the help of the command.
        let leads = page.contains(&format!("`pinwatch {name} --help`"));
        assert!(leads || !commands.iter().any(|command| command == name), "{name} is a command, too");
        let title = page.lines().next().and_then(|line| line.strip_prefix("# ")).expect("a heading");
        let mut rows = overview.lines().filter(|line| line.starts_with(&format!("  {name} ")));
        assert!(rows.any(|row| row.ends_with(title) && row.chars().count() <= 80), "{name} has no row");
        let printed = project.expect(0, &["help", name]).out;
        assert!(printed.starts_with(&title.to_uppercase()) && printed.lines().count() > 20, "{printed}");
        let long: Vec<_> = printed.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(long.is_empty(), "{name}: {long:#?}");
    }
    let files = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli/help")).expect("the topics");
    let files =
        files.filter(|file| file.as_ref().is_ok_and(|file| file.path().extension().is_some_and(|end| end == "md")));
    assert_eq!(files.count(), TOPICS.len(), "each file is a topic");
}

#[test]
fn the_key_table_is_the_keymap() {
    let keymap = Keymap::with(&BTreeMap::new()).expect("the default keys");
    let mut table = "| where | key | action | does |\n|---|---|---|---|\n".to_owned();
    for row in keymap.rows(Context::ALL) {
        let keys: Vec<_> = row.keys.iter().map(|key| format!("`{key}`")).collect();
        let _ = writeln!(table, "| {} | {} | `{}` | {} |", row.context.word(), keys.join(" "), row.action, row.help);
    }
    assert!(pages().contains(&table), "put this into src/cli/help/keys.md:\n{table}");
}

#[test]
fn parser_takes_each_command_of_a_code_block() {
    let mut commands = 0;
    for block in blocks("sh") {
        for line in block.replace("\\\n", " ").lines().map(|line| line.trim().trim_start_matches("exec ")) {
            if line.starts_with("pinwatch") {
                parses(line);
                commands += 1;
            }
        }
    }
    assert!(commands > 8, "the README shows how it is used");
}

#[test]
fn every_command_is_described() {
    let pages = pages();
    for command in Cli::command().get_subcommands().filter(|command| !command.is_hide_set()) {
        let name = command.get_name();
        let shown = [format!("pinwatch {name}"), format!("`{name}`"), format!("-- {name}")];
        assert!(shown.iter().any(|shown| pages.contains(shown)), "no page tells of `{name}`");
    }
}

#[test]
fn config_table_has_exactly_the_parser_keys() {
    let pages = pages();
    let (_, table) = pages.split_once("| key | default | meaning |\n|---|---|---|\n").expect("the table of keys");
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    let named: Vec<_> = rows.map(|row| row.split('`').nth(1).expect("a key").to_owned()).collect();
    let (written, known): (BTreeSet<_>, BTreeSet<_>) = (named.iter().cloned().collect(), keys().into_iter().collect());
    assert_eq!(written, known);
    assert_eq!(named.len(), known.len(), "each once");
    // The parser itself: a key that it knows is refused for its value at most, any other for its name.
    let house = crate::house::House::new();
    let refused = |key: &str| {
        let (section, name) = key.rsplit_once(' ').map_or(("", key), |(section, name)| (section, name));
        house.write("pinwatch.toml", format!("{section}\n{} = [[1.5]]\n", name.replace("ACTION", "approve")));
        house.load().expect_err("no key takes that").to_string()
    };
    for key in &known {
        assert!(!refused(key).contains("did you mean") && !refused(key).contains("no key"), "{key}: {}", refused(key));
    }
    assert!(refused("[ui] themes").contains("theme"), "{}", refused("[ui] themes"));
}

#[test]
fn every_config_shown_is_read() {
    let shown = blocks("toml");
    assert!(shown.len() >= 2);
    for text in shown {
        let house = crate::house::House::new();
        // What it speaks of beside itself.
        house.write(".mcp.json", "{\"mcpServers\": {}}");
        let root = "tests/data/vectors/atsa/omcp-v1.0-string/_trust-root.json";
        let root = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(root)).expect("a trust root");
        house.write("root.json", root);
        let named = if text.contains("server = \"keys\"") { "[servers.keys]\ncommand = \"keys\"\n" } else { "" };
        house.write("pinwatch.toml", format!("{text}\n{named}"));
        let loaded = house.load();
        assert!(loaded.is_ok(), "{text}: {}", loaded.err().map(|error| error.to_string()).unwrap_or_default());
    }
}

#[test]
fn the_workflow_runs_what_there_is() {
    let [workflow] = &blocks("yaml")[..] else { panic!("one workflow") };
    // A line that is deeper and no key goes on with the one before, as YAML folds it.
    let workflow = workflow.replace("\n          --", " --");
    let runs: Vec<_> =
        workflow.lines().filter_map(|line| line.trim().trim_start_matches("- ").strip_prefix("run: ")).collect();
    let ours: Vec<_> = runs.iter().filter(|run| run.starts_with("pinwatch ")).collect();
    let [check] = ours[..] else { panic!("{runs:?}") };
    parses(check);
    let Some(Command::Check(check)) = Cli::try_parse_from(words(check)).expect("it parses").command else {
        panic!("{check}")
    };
    // What the later steps read is what this one writes.
    for file in check.format.iter().filter_map(|wanted| wanted.file.as_ref()) {
        assert_eq!(
            workflow.matches(&file.display().to_string()).count(),
            if file.ends_with("comment.md") { 3 } else { 2 }
        );
    }
    assert!(workflow.contains("pull-requests: write") && workflow.contains("security-events: write"));
    assert!(!workflow.contains("pull_request_target") && !workflow.contains('\t'));
}

/// pinwatch is published nowhere yet. An address that somebody else can register would be worse than none.
#[test]
fn no_address_of_a_repository_is_made_up() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let manifest = fs::read_to_string(manifest).expect("the manifest");
    assert!(!manifest.lines().any(|line| line.starts_with("repository") || line.starts_with("homepage")));
    let readme = pages();
    assert!(readme.lines().filter(|line| line.contains("cargo install")).all(|line| line.contains("--path ")));
    assert!(!readme.contains("github.com/pinwatch"));
}

#[test]
fn hook_holds_back_a_commit_while_a_server_drifts() {
    if std::process::Command::new("git").arg("--version").output().is_err() {
        return crate::needs::skipped("hook_holds_back_a_commit_while_a_server_drifts", "git is absent");
    }
    let hook = blocks("sh").into_iter().find(|block| block.starts_with("#!/bin/sh\n")).expect("a hook");
    let project = Project::with_files();
    let git = |words: &[&str]| {
        let mut command = std::process::Command::new("git");
        command.args(["-c", "user.name=ana", "-c", "user.email=ana@example.com", "-c", "commit.gpgsign=false"]);
        command.args(words).current_dir(project.path("")).env_clear().envs(project.environment());
        done(command.env("PATH", path()).env("GIT_CONFIG_NOSYSTEM", "1"))
    };
    assert_eq!(git(&["init", "-q"]).code, 0);
    // What it shows is no file that its launch names: that would be part of what was agreed to.
    let script = format!("exec '{}' files.json --log files.log", crate::fixture::fixture_server().display());
    project.write("pinwatch.toml", &format!("[servers.files]\ncommand = \"sh\"\nargs = [\"-c\", \"{script}\"]\n"));
    project.expect(0, &["record", "--yes"]);
    project.write(".git/hooks/pre-commit", &hook);
    fs::set_permissions(project.path(".git/hooks/pre-commit"), fs::Permissions::from_mode(0o755)).unwrap();
    git(&["add", "snapshots"]);
    // Nobody agreed to start the server: it is not started, and nothing is committed.
    fs::remove_file(project.path("files.log")).expect("the log of the record");
    let asked = git(&["commit", "-q", "-m", "record"]);
    assert!(asked.code == 1 && (asked.out + &asked.err).contains("consent is needed to start"));
    assert!(!project.was_started("files"));
    agree(&project);
    let clean = git(&["commit", "-q", "-m", "record"]);
    assert_eq!(clean.code, 0, "{clean:#?}");
    project.surface("files", &drifted());
    project.write("other.txt", "a change of something else");
    git(&["add", "other.txt"]);
    let held = git(&["commit", "-q", "-m", "other"]);
    assert!(held.code == 1 && (held.out.clone() + &held.err).contains("files  DRIFT"), "{held:#?}");
    assert_eq!(git(&["log", "--format=%s"]).out, "record\n");
}
