//! The command line says what it can do, each command with an example, and reads what the examples show.

use crate::project::Project;
use crate::reviewed::reviewed;
use clap::{CommandFactory as _, Parser as _};
use pinwatch::cli::{Cli, Color, Command, Format, Wanted};
use pinwatch::config::AdHocLaunch;
use pinwatch::drift::{DriftType, Severity};
use pinwatch::report::FailWord;
use std::time::Duration;

fn parse(line: &[&str]) -> Result<Cli, String> {
    Cli::try_parse_from(std::iter::once(&"pinwatch").chain(line)).map_err(|error| error.to_string())
}

#[test]
fn every_help_is_as_reviewed() {
    let mut cli = Cli::command().term_width(100);
    reviewed("cli_help__help", &cli.render_help().to_string());
    cli.build();
    let names: Vec<_> = cli.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    assert!(names.len() > 10);
    for name in names {
        let command = cli.find_subcommand_mut(&name).unwrap();
        if command.is_hide_set() {
            continue;
        }
        let help = command.clone().term_width(100).render_help().to_string();
        assert!(help.contains("Example"), "{name} has no example");
        reviewed(&format!("cli_help__help_{name}"), &help);
    }
}

#[test]
fn the_types_are_consistent() {
    Cli::command().debug_assert();
}

#[test]
fn no_command_means_watch_with_common_options() {
    assert!(parse(&[]).unwrap().command.is_none());
    for line in [["--timeout", "2m", "check", "--yes"], ["check", "--timeout", "2m", "--yes"]] {
        let global = parse(&line).unwrap().global;
        assert_eq!(global.timeout, Some(Duration::from_mins(2)));
        assert!(global.yes);
        assert_eq!(global.color, Color::Auto);
    }
    let global = parse(&["servers", "--color", "256", "--config", "a.toml", "--root", "r"]).unwrap().global;
    assert_eq!(global.color, Color::Palette);
    assert_eq!(global.config.unwrap().to_str(), Some("a.toml"));
    assert!(parse(&["check", "--timeout", "2"]).err().unwrap().contains("30s"));
}

#[test]
fn check_reads_its_options() {
    let check = |line: &[&str]| match parse(&[&["check"], line].concat())?.command {
        Some(Command::Check(check)) => Ok::<_, String>(check),
        _ => unreachable!("check is check"),
    };
    let both = check(&["a", "b", "--fail-on", "never", "--format", "json", "--format", "sarif=a=b.sarif"]).unwrap();
    assert_eq!(both.targets.servers, ["a", "b"]);
    assert_eq!(both.fail_on, [FailWord::Never]);
    let file = Some("a=b.sarif".into());
    assert_eq!(both.format, [Wanted { format: Format::Json, file: None }, Wanted { format: Format::Sarif, file }]);
    assert!(both.targets.ad_hoc().is_none());
    assert_eq!(check(&[]).unwrap().fail_on, [FailWord::Severity(Severity::Moderate)]);
    let many = check(&["--fail-on", "critical,tool_removed", "--fail-on", "unknown"]).unwrap().fail_on;
    let expected = [FailWord::Severity(Severity::Critical), FailWord::Type(DriftType::ToolRemoved), FailWord::Unknown];
    assert_eq!(many, expected);
    for (line, said) in [
        (["--fail-on", "critical,loud"], "`loud`"),
        (["--fail-on", "tool-removed"], "did you mean `tool_removed`"),
        (["--format", "xml"], "one of text, json, sarif, junit, markdown, github"),
        (["--format", "sarif="], "a file is missing"),
    ] {
        let error = check(&line).err().unwrap();
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn a_server_can_be_typed() {
    let line = ["check", "--name", "files", "--", "npx", "-y", "server", "--yes"];
    let Some(Command::Check(check)) = parse(&line).unwrap().command else { unreachable!("check is check") };
    let ad_hoc = check.targets.ad_hoc().unwrap();
    assert_eq!(ad_hoc.name, "files");
    let AdHocLaunch::Command(argv) = ad_hoc.launch else { unreachable!("it is a command") };
    assert_eq!(argv, ["npx", "-y", "server", "--yes"]);

    let line = ["watch", "--name", "r", "--url", "http://127.0.0.1:1/mcp", "--header", "Authorization: Bearer ${T}:x"];
    let Some(Command::Watch(watch)) = parse(&line).unwrap().command else { unreachable!("watch is watch") };
    let AdHocLaunch::Url { url, headers } = watch.targets.ad_hoc().unwrap().launch else { unreachable!("it is a URL") };
    assert_eq!(url, "http://127.0.0.1:1/mcp");
    assert_eq!(headers, [("Authorization".to_owned(), "Bearer ${T}:x".to_owned())]);
}

#[test]
fn half_a_typed_server_is_refused() {
    for line in [
        &["check", "--name", "files"][..],
        &["check", "--", "npx"],
        &["check", "--url", "http://h/"],
        &["check", "--header", "A: b"],
        &["check", "files", "--name", "x", "--", "npx"],
        &["check", "--name", "x", "--url", "http://h/", "--", "npx"],
        &["check", "--name", "x", "--url", "http://h/", "--header", "no colon"],
    ] {
        assert!(parse(line).is_err(), "{line:?}");
    }
}

#[test]
fn a_decision_names_what_was_read() {
    let digest = format!("sha256:{}", "0f".repeat(32));
    let line = ["approve", "files", "tool/a/b", "--expect", &digest, "--note", "n"];
    let Some(Command::Approve(decide)) = parse(&line).unwrap().command else { unreachable!("approve is approve") };
    assert_eq!(decide.item.as_ref().map(|item| item.key.as_ref()), Some("a/b"));
    assert_eq!(decide.expect.to_string(), digest);
    assert!(parse(&["approve", "files", "tool/a"]).is_err(), "a decision without a digest");
    assert!(parse(&["approve", "files", "tol/a", "--expect", &digest]).err().unwrap().contains("one of tool"));
    assert!(parse(&["approve", "files", "tool/a", "--expect", "0f0f"]).is_err());

    let accept = format!("tool/a@b@{digest}");
    let Some(Command::Record(record)) = parse(&["record", "--accept", &accept]).unwrap().command else {
        unreachable!("record is record")
    };
    assert_eq!(*record.accept[0].item.key, *"a@b");
    assert_eq!(record.accept[0].digest.to_string(), digest);
}

#[test]
fn keys_are_explained_as_they_are_bound() {
    let project = Project::new();
    project.write("pinwatch.toml", "[ui.keys]\napprove = [\"ctrl-y\"]\n");
    let done = project.expect(0, &["watch", "--explain-keys"]);
    let row = done.out.lines().find(|row| row.contains(" approve ")).expect("the action, by its name in the config");
    assert!(row.starts_with("  ctrl-y "), "{row}");
}

#[test]
fn help_shows_a_command_or_names_the_nearest_word() {
    let project = Project::new();
    let help = |line: &[&str]| project.expect(0, line).out;
    assert_eq!(help(&["help", "check"]), help(&["check", "--help"]));
    assert_eq!(help(&["help", "rules", "test"]), help(&["rules", "test", "--help"]));
    assert!(help(&["help"]).starts_with(&help(&["-h"])));
    for (words, nearest) in [
        (&["help", "polcy"][..], "policy"),
        (&["help", "chek"], "check"),
        (&["help", "rules", "tst"], "test"),
        // Hidden: nobody types it.
        (&["help", "demo-server"], "demo"),
    ] {
        let said = project.expect(2, words).err;
        assert!(said.contains(&format!("did you mean `{nearest}`?")), "{said}");
    }
    assert!(project.expect(2, &["help", "keys", "ci"]).err.contains("`keys` is a topic"));
}
