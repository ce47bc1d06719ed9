//! The reports of `check` for other programs: each well formed whatever a server says, several at once, files whole.

use super::needs::skipped;
use super::project::{Project, drifted, two_tools};
use serde_json::{Value, json};
use std::fs;

/// Text of a server that would like to be more than text, in each format.
const HOSTILE: &str = "Reads.</code></td></table>\n\n```\n</details>\n| a | b |\n<script>alert(1)</script> ]]> --> \
                       @maintainers #1 [x](https://evil.example) {0}\n::stop-commands::x\n##[error]no\n%0A::error::y\r& \u{1b}[2J\u{202e}\u{7}";

/// One changed, one new, one gone, all hostile.
fn hostile() -> Project {
    let project = Project::with_files();
    project.expect(0, &["record", "--yes"]);
    let mut surface = two_tools();
    surface["tools"][0] =
        json!({"name": "x`|</code>\n::error::z", "description": "Lists.", "inputSchema": {"type": "object"}});
    surface["tools"][1]["description"] = HOSTILE.into();
    project.surface("files", &surface);
    project
}

fn report(project: &Project, format: &str) -> String {
    let out = project.expect(1, &["check", "--yes", "--format", format]).out;
    let raw = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    assert!(!out.contains(raw), "{format}: {out:?}");
    out
}

/// toolport#84 (COMPLAINTS.md, row 5): the worst comes first, and one drift is one alert however often it is seen.
#[test]
fn sarif_names_a_drift_by_what_it_is() {
    let project = hostile();
    let sarif: Value = serde_json::from_str(&report(&project, "sarif")).expect("SARIF is JSON");
    let run = &sarif["runs"][0];
    let results = run["results"].as_array().expect("results");
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    let prints = |sarif: &Value| -> Vec<Value> {
        let results = sarif["runs"][0]["results"].as_array().expect("results");
        results.iter().map(|result| result["partialFingerprints"].clone()).collect()
    };
    for result in results {
        let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().expect("an index")).expect("small")];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(rule["help"]["text"].as_str().is_some_and(|help| help.contains("What to do")));
        let place = &result["locations"][0];
        assert_eq!(place["physicalLocation"]["artifactLocation"]["uri"], "snapshots/files/baseline.json");
        assert_eq!(place["logicalLocations"][0]["kind"], "tool");
        let text = result["message"]["text"].as_str().expect("a message");
        assert!(!text.contains("](") && !text.contains("{0}"), "{text}");
    }
    assert_eq!(results[0]["level"], "error");
    let ids: Vec<_> = results.iter().filter_map(|result| result["ruleId"].as_str()).collect();
    for id in ["tool_changed", "tool_added", "tool_removed", "terminal-escapes", "hidden-characters"] {
        assert!(ids.contains(&id), "{id}: {ids:?}");
    }
    let all = prints(&sarif);
    let distinct: std::collections::BTreeSet<_> = all.iter().map(Value::to_string).collect();
    assert_eq!(distinct.len(), all.len(), "no two are the same alert");

    // The line is the pin's.
    let changed = results.iter().find(|result| result["ruleId"] == "tool_changed").expect("it changed");
    let line = changed["locations"][0]["physicalLocation"]["region"]["startLine"].as_u64().expect("a line");
    let baseline = project.read("snapshots/files/baseline.json");
    let named = baseline.lines().nth(usize::try_from(line).expect("small") - 1).expect("the line is there");
    assert_eq!(named.trim(), "\"key\": \"read_file\",");

    // Again, in another order of the list and beside another drift: the same alerts. Another definition: another one.
    let mut surface: Value = serde_json::from_str(&project.read("files.json")).expect("the surface");
    surface["tools"].as_array_mut().expect("tools").reverse();
    project.surface("files", &surface);
    let again: Value = serde_json::from_str(&report(&project, "sarif")).expect("SARIF is JSON");
    assert_eq!(prints(&again), all);
    surface["tools"][0]["description"] = "Reads more.".into();
    project.surface("files", &surface);
    let other: Value = serde_json::from_str(&report(&project, "sarif")).expect("SARIF is JSON");
    let other = prints(&other);
    assert!(other.iter().any(|print| !all.contains(print)) && other.iter().any(|print| all.contains(print)));
}

/// Against the schema of the standard, where the machine has it: CI does.
#[test]
fn sarif_is_valid() {
    let Some(schema) = std::env::var_os("PINWATCH_SARIF_SCHEMA") else {
        return skipped("sarif_is_valid", "PINWATCH_SARIF_SCHEMA names no schema file");
    };
    // Its own pattern for languages is no regular expression of every dialect: one bracket too many.
    let schema = fs::read_to_string(schema).expect("the schema").replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}$");
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let unread = Project::with_files();
    unread.write("pinwatch.toml", &format!("include = [\".mcp.json\"]\n{}", unread.read("pinwatch.toml")));
    let cut = Project::with_files();
    cut.surface("files", &many(252, 100, ""));
    cut.expect(0, &["record", "--yes"]);
    cut.surface("files", &many(252, 100, "\u{200b}"));
    let texts = [
        report(&hostile(), "sarif"),
        unread.expect(2, &["check", "--yes", "--format", "sarif"]).out,
        cut.expect(1, &["check", "--yes", "--format", "sarif"]).out,
    ];
    assert!(texts[2].contains("results-left-out"));
    for text in texts {
        let mut sarif: Value = serde_json::from_str(&text).expect("SARIF is JSON");
        // Of many that are alike the last ones do: the validator takes its time.
        let results = sarif["runs"][0]["results"].as_array_mut().expect("results");
        results.drain(..results.len().saturating_sub(100));
        let errors: Vec<_> = validator.iter_errors(&sarif).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:#?}");
    }
    assert!(!validator.is_valid(&json!({"version": "2.1.0"})), "the schema refuses something");
}

#[test]
fn sarif_says_that_a_run_was_no_success() {
    let project = Project::with_files();
    let sarif = project.expect(2, &["check", "--yes", "--format", "sarif"]).out;
    let sarif: Value = serde_json::from_str(&sarif).expect("SARIF is JSON");
    let invocation = &sarif["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    assert_eq!(invocation["toolExecutionNotifications"][0]["descriptor"]["id"], "no-baseline");
    project.expect(0, &["record", "--yes"]);
    let sarif = project.expect(0, &["check", "--yes", "--format", "sarif"]).out;
    let sarif: Value = serde_json::from_str(&sarif).expect("SARIF is JSON");
    assert_eq!(sarif["runs"][0]["invocations"][0]["executionSuccessful"], true);
    assert_eq!(sarif["runs"][0]["results"], json!([]));
}

/// A reader of XML that knows elements, attributes, text and references, and nothing else.
fn elements(xml: &str) -> Vec<(String, usize)> {
    let mut open: Vec<String> = Vec::new();
    let mut found = Vec::new();
    let mut rest = xml.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").expect("a declaration");
    while let Some(start) = rest.find('<') {
        let (text, tail) = rest.split_at(start);
        assert!(!text.contains("]]>"), "{text}");
        for reference in text.split('&').skip(1) {
            let name = reference.split(';').next().expect("a name");
            let is_number = name.strip_prefix('#').is_some_and(|digits| digits.parse::<u8>().is_ok());
            assert!(is_number || ["amp", "lt", "gt", "quot", "apos"].contains(&name), "&{name};");
        }
        let end = tail.find('>').expect("a tag ends");
        let tag = &tail[1..end];
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
        } else {
            let name = tag.split(' ').next().expect("a name").trim_end_matches('/').to_owned();
            found.push((name.clone(), open.len()));
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
        rest = &tail[end + 1..];
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "{open:?} {rest}");
    found
}

#[test]
fn junit_fails_exactly_what_fails_the_check() {
    let project = hostile();
    let xml = report(&project, "junit");
    let found = elements(&xml);
    let count = |name: &str| found.iter().filter(|(found, _)| found == name).count();
    assert_eq!((count("testsuites"), count("testsuite"), count("error")), (1, 1, 0), "{xml}");
    assert!(xml.contains("failures=\"2\"") && count("failure") == 2, "{xml}");
    // What does not fail the check fails no test: the tool that went, and the keyword level, are info.
    assert_eq!(count("system-out"), 2);
    let calm = project.expect(0, &["check", "--yes", "--format", "junit", "--fail-on", "never"]).out;
    assert!(calm.contains("failures=\"0\"") && !calm.contains("<failure"), "{calm}");
    let xml = Project::with_files().expect(2, &["check", "--yes", "--format", "junit"]).out;
    assert!(xml.contains("errors=\"1\"") && xml.contains("type=\"no-baseline\""), "{xml}");
    elements(&xml);
}

#[test]
fn no_server_can_write_into_the_markdown_comment() {
    let project = hostile();
    let text = report(&project, "markdown");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("<!-- pinwatch -->"));
    assert_eq!(lines.next(), Some("**MCP servers: drift** `+1 ~1 -1` · 1 critical, 1 moderate, 2 info · 1 server"));
    // Outside of fences: only our own tags, one table of the same width, nothing that calls or links.
    let mut fence: Option<String> = None;
    let mut rows = 0;
    let mut open = 0;
    for line in text.lines() {
        let ticks: String = line.chars().take_while(|c| *c == '`').collect();
        match &fence {
            Some(own) if *own == line => fence = None,
            Some(own) => assert!(ticks.len() < own.len(), "{line}"),
            None if ticks.len() >= 3 => fence = Some(ticks),
            None => {
                let bare = line.replace("<code>", "").replace("</code>", "").replace("<sub>", "").replace("</sub>", "");
                let bare = bare.replace("<details><summary>", "").replace("</summary>", "");
                if line.starts_with("<details>") {
                    open += 1;
                }
                if line == "</details>" {
                    open -= 1;
                } else if !line.starts_with("<!--") {
                    assert!(!bare.contains(['<', '>', '@', '[', '\\']), "{line}");
                }
                if line.starts_with('|') {
                    rows += 1;
                    assert_eq!(line.matches('|').count(), 7, "{line}");
                }
            }
        }
    }
    assert_eq!((fence, rows, open), (None, 2 + 4, 0), "{text}");
    assert!(text.contains("\n- Read a file.\n") && text.contains("\n+ Reads."), "{text}");
    assert!(text.contains("pinwatch approve files"), "{text}");
}

#[test]
fn markdown_fits_a_comment_and_counts_the_rest() {
    let project = Project::with_files();
    project.expect(0, &["record", "--yes"]);
    let mut surface = two_tools();
    let tools = surface["tools"].as_array_mut().expect("tools");
    for number in 0..400 {
        let text = format!("Tool {number}. {}", "Sends what it is given to the archive of the team. ".repeat(20));
        // No two alike, so that each is a row.
        let name = format!("{}_{number}", ["get", "put", "list"][number % 3]);
        tools.push(json!({"name": name, "description": text, "inputSchema": {"type": "object"}}));
    }
    project.surface("files", &surface);
    let text = report(&project, "markdown");
    assert!(text.len() < 65_536, "{}", text.len());
    assert!(text.lines().nth(1).is_some_and(|line| line.contains("`+400 ~0 -0`")), "{text}");
}

#[test]
fn github_obeys_our_commands_and_no_server() {
    let project = hostile();
    let run = |words: &[&str]| {
        let output = project.command(words).env("GITHUB_ACTIONS", "true").output().expect("the binary starts");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let text = run(&["check", "--yes", "--format", "github"]);
    let (commands, rest): (Vec<_>, Vec<_>) = text.lines().partition(|line| line.starts_with("::"));
    let scope = "pinwatch: digest scope none: definition digests do not cover the server's id";
    assert_eq!(rest, [scope, "pinwatch: drift +1 ~1 -1"]);
    assert_eq!(commands.len(), 4, "{text}");
    for command in &commands {
        assert!(["::error ", "::warning ", "::notice "].iter().any(|level| command.starts_with(level)), "{command}");
        assert!(command.contains("file=snapshots/files/baseline.json,line="), "{command}");
        // What ends the properties is ours.
        let (properties, _) = command[2..].split_once("::").expect("a message");
        assert_eq!(properties.matches(',').count(), 2, "{command}");
        assert_eq!(properties.matches(':').count(), 0, "{command}");
    }
    assert!(commands[0].starts_with("::error "), "the worst is first: {text}");
    for words in [&["check", "--yes"][..], &["review", "--yes"], &["check", "--yes", "--format", "json"]] {
        let text = run(words);
        assert!(text.contains("read_file"), "{words:?}: {text}");
        assert!(
            !text.contains("##[") && !text.lines().any(|line| line.trim_start().starts_with("::")),
            "{words:?}: {text}"
        );
    }
}

#[test]
fn several_reports_of_one_look_are_whole_files() {
    let project = Project::with_files();
    project.expect(0, &["record", "--yes"]);
    project.surface("files", &drifted());
    project.write("old.sarif", "keep me until the new one is whole");
    let words = ["check", "--yes", "--format", "text", "--format", "sarif=old.sarif", "--format", "markdown=pr.md"];
    let done = project.expect(1, &words);
    assert!(done.out.contains("files  DRIFT"), "{}", done.out);
    assert!(
        done.err.contains("the report is in old.sarif") && done.err.contains("the report is in pr.md"),
        "{}",
        done.err
    );
    let _: Value = serde_json::from_str(&project.read("old.sarif")).expect("SARIF is JSON");
    assert!(project.read("pr.md").contains("| moderate |"));
    let left: Vec<_> =
        fs::read_dir(project.path("")).expect("the root").flatten().map(|entry| entry.file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().starts_with(".tmp")), "{left:?}");
    // All to files: nothing on standard output. With --output, the one without a file goes there.
    assert_eq!(project.expect(1, &["check", "--yes", "--format", "json=a.json"]).out, "");
    project.expect(1, &["check", "--yes", "--format", "sarif=b.sarif", "--output", "b.txt"]);
    assert!(project.read("b.txt").contains("files  DRIFT"));
    for (words, said) in [
        (&["--format", "json", "--format", "sarif"][..], "two reports have no file"),
        (&["--format", "json=a", "--format", "sarif=a"], "two reports go to a"),
        (&["--fail-on", "never,unknown"], "cannot be combined"),
    ] {
        let done = project.expect(2, &[&["check", "--yes"], words].concat());
        assert!(done.err.contains(said), "{}", done.err);
    }
}

#[cfg(unix)]
#[test]
fn report_is_readable_by_others_and_keeps_links() {
    use std::os::unix::fs::PermissionsExt as _;
    let project = Project::with_files();
    project.write("real.json", "");
    std::os::unix::fs::symlink("real.json", project.path("link.json")).expect("a link");
    project.expect(2, &["check", "--yes", "--format", "json=link.json", "--format", "text=new.txt"]);
    assert!(project.path("link.json").is_symlink());
    assert!(project.read("real.json").contains("pinwatch.report.v1"));
    let mode = fs::metadata(project.path("new.txt")).expect("a file").permissions().mode();
    assert_eq!(mode & 0o600, 0o600);
    fs::write(project.path("plain"), "").expect("a file");
    assert_eq!(
        mode,
        fs::metadata(project.path("plain")).expect("a file").permissions().mode(),
        "as any file of this user"
    );
    // A device is written to, not replaced.
    project.expect(2, &["check", "--yes", "--output", "/dev/null"]);
    assert!(!fs::metadata("/dev/null").expect("it is there").is_file());
}

#[test]
fn fail_on_names_severity_type_rule_or_effect() {
    let project = Project::with_files();
    project.expect(0, &["record", "--yes"]);
    let mut less = two_tools();
    less["tools"].as_array_mut().expect("tools").remove(0);
    project.surface("files", &less);
    for (words, code) in [
        ("moderate", 0),
        ("critical,tool_removed", 1),
        ("tool_added", 0),
        ("breaking", 1),
        ("unknown", 0),
        ("hidden-characters", 0),
        ("info", 1),
    ] {
        project.expect(code, &["check", "--yes", "--fail-on", words]);
    }
    let mut hidden = two_tools();
    hidden["tools"][0]["description"] = "List the files\u{200b} of a folder.".into();
    project.surface("files", &hidden);
    project.expect(1, &["check", "--yes", "--fail-on", "hidden-characters"]);
    project.expect(0, &["check", "--yes", "--fail-on", "tool_removed"]);
    // What could not be told is 2, and 1 where that is asked for.
    let project = Project::with_files();
    project.expect(2, &["check", "--yes", "--fail-on", "critical"]);
    project.expect(1, &["check", "--yes", "--fail-on", "critical,unknown"]);
}

#[test]
fn explain_knows_what_reports_name() {
    let project = Project::new();
    let list = project.expect(0, &["explain"]).out;
    assert!(list.contains("tool_renamed") && list.contains("hidden-characters"), "{list}");
    let one = project.expect(0, &["explain", "tool_renamed"]).out;
    assert!(one.starts_with("tool_renamed (drift type): ") && one.contains("\nWhat to do: "), "{one}");
    assert!(project.expect(2, &["explain", "tool_rename"]).err.contains("did you mean `tool_renamed`"));
}

/// So many tools, each with so many parameters whose texts end in `end`.
fn many(tools: usize, parameters: usize, end: &str) -> Value {
    let mut surface = two_tools();
    let all = surface["tools"].as_array_mut().expect("tools");
    for number in 0..tools {
        let parameters: serde_json::Map<_, _> = (0..parameters)
            .map(|at| (format!("p{at}"), json!({"type": "string", "description": format!("Part {at}.{end}")})))
            .collect();
        // No two alike, so that each is a row.
        let name = format!("{}_{number}", ["get", "put", "list"][number % 3]);
        let text =
            format!("Tool {number}.{}", if end.is_empty() { String::new() } else { format!(" Adds {number} more.") });
        all.push(
            json!({"name": name, "description": text, "inputSchema": {"type": "object", "properties": parameters}}),
        );
    }
    surface
}

#[test]
fn github_gets_the_worst_ten_and_counts_the_rest() {
    let project = Project::with_files();
    project.surface("files", &many(40, 1, ""));
    project.expect(0, &["record", "--yes"]);
    project.surface("files", &many(40, 1, " Of all."));
    let json: Value =
        serde_json::from_str(&project.expect(1, &["check", "--yes", "--format", "json"]).out).expect("JSON");
    let drifts = json["servers"][0]["drifts"].as_array().expect("drifts").len();
    let text = project.expect(1, &["check", "--yes", "--format", "github"]).out;
    let commands: Vec<_> = text.lines().filter(|line| line.starts_with("::")).collect();
    let groups = json["servers"][0]["groups"].as_array().expect("groups").len();
    assert_eq!((drifts, groups, commands.len()), (40, 0, 11), "{text}");
    assert!(commands[10].starts_with("::warning title=pinwatch found 30 more::drifts: 30 moderate"), "{text}");
    // Servers that could not be told are counted, too, and come before what is less than an error.
    let gone: Vec<_> = (0..12).map(|number| format!("[servers.gone{number}]\ncommand = \"no-such\"\n")).collect();
    project.write("pinwatch.toml", &(project.read("pinwatch.toml") + &gone.concat()));
    let text = project.expect(1, &["check", "--yes", "--format", "github"]).out;
    let commands: Vec<_> = text.lines().filter(|line| line.starts_with("::")).collect();
    assert_eq!(commands.len(), 11, "{text}");
    assert!(commands.iter().all(|line| line.starts_with("::error ")), "{text}");
    assert!(commands[10].contains("moderate; servers and files that could not be checked: "), "{text}");
}

/// GitHub takes 25,000 results and shows none of a file with more.
#[test]
fn sarif_has_no_more_results_than_are_taken() {
    let project = Project::with_files();
    project.surface("files", &many(252, 100, ""));
    project.expect(0, &["record", "--yes"]);
    project.surface("files", &many(252, 100, "\u{200b}"));
    let sarif: Value =
        serde_json::from_str(&project.expect(1, &["check", "--yes", "--format", "sarif"]).out).expect("JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    let rank = |result: &Value| ["error", "warning", "note", "none"].iter().position(|level| result["level"] == *level);
    assert_eq!(results.len(), 25_000);
    assert!(results[..24_999].is_sorted_by_key(rank), "the worst come first");
    let last = &results[24_999];
    assert_eq!(last["ruleId"], "results-left-out");
    assert_eq!(
        last["ruleId"],
        sarif["runs"][0]["tool"]["driver"]["rules"]
            [usize::try_from(last["ruleIndex"].as_u64().expect("an index")).expect("small")]["id"]
    );
    let said = last["message"]["text"].as_str().expect("a message");
    // 252 drifts and a hundred findings of each; 24,999 of them are told.
    assert!(said.starts_with("453 results were left out") && said.contains("453 critical"), "{said}");
}
