//! What CI systems obey, in every place where a server or a config can put text, over every command and every format.

use super::project::{Done, Project, done, two_tools};
use super::stage::say;
use super::terminal::{Terminal, pinwatch_in};
use super::text::surface_of;
use serde_json::{Value, json};
use std::cell::Cell;
use std::fs;

/// Every marker that is known, in the middle of a line and at the start of one.
const MARKS: &str = "##vso[task.setvariable variable=A]b ##VSO[x.y] ##[error]c ##teamcity[d 'e'] ##octopus[f] \
                     section_start:1:g\r\u{1b}[0Kh section_end:1:g\r\u{1b}[0K travis_fold:start:i \
                     \n::error::j\n  ::stop-commands::k\n--- l\n+++ m\n~~~ n\n^^^ +++\n##vso[o.p]q";

/// Beginnings that count in the first column, or after blanks.
const STARTS: [&str; 8] =
    ["::error::r", " ::stop-commands::s", "--- t", "+++ u", "~~~ v", "^^^ +++", "##[group]w", "##vso[x.y]z"];

const VARIABLES: [&str; 5] = ["TF_BUILD", "TEAMCITY_VERSION", "GITLAB_CI", "BUILDKITE", "GITHUB_ACTIONS"];

/// A marker that a CI system would take: the rules of the agents, not ours.
fn obeyed(text: &str) -> Option<&str> {
    let anywhere = [
        "##[",
        "##vso[",
        "##teamcity[",
        "##octopus[",
        "section_start:",
        "section_end:",
        "travis_fold:",
        "travis_time:",
    ];
    text.lines().find(|line| {
        let small = line.to_lowercase();
        let is_ours = ["::error ", "::warning ", "::notice "].iter().any(|ours| line.starts_with(ours));
        anywhere.iter().any(|mark| small.contains(mark))
            || (line.trim_start().starts_with("::") && !is_ours)
            || ["---", "+++", "~~~", "^^^"].iter().any(|mark| line.starts_with(mark))
            || line.contains(['\r', '\u{1b}'])
    })
}

/// An id, as hostile as a pull request makes it.
const ID: &str = "::error::id ##vso[a.b]##[c]";
const OTHER: &str = "--- ##teamcity[id]";

/// A recorded project in which every text has become markers.
fn staged() -> Project {
    let project = Project::new();
    let places = Cell::new(0);
    let program = super::fixture::fixture_server().display().to_string();
    fs::write(project.path("words"), MARKS).expect("a file");
    let errs = format!("cat words >&2; exec '{program}' e.json --script e.script");
    let dies = "cat words >&2; cat words; exit 3";
    let entry = |id: &str, launch: &str| format!("[servers.{}]\n{launch}\n", json!(id));
    let config = [
        entry(ID, &format!("command = {}\nargs = [\"s.json\"]", json!(program))),
        entry(OTHER, &format!("command = \"sh\"\nargs = [\"-c\", {}]", json!(errs))),
        entry("##vso[dies]", &format!("command = \"sh\"\nargs = [\"-c\", {}]", json!(dies))),
        entry("::url::", "url = \"http://127.0.0.1:9/##vso[u.v]\""),
        entry("+++ none", "command = \"./##vso[no.such]\"\nargs = [\"::error::x\"]"),
    ];
    project.write("pinwatch.toml", &format!("include = [\".mcp.json\"]\n{}", config.concat()));
    let client = json!({"mcpServers": {"##[client]": {"command": "##vso[x.y]", "disabled": true}, "::x::": {"type": "##vso[k.l]"}}});
    project.write(".mcp.json", &client.to_string());
    project.surface("s", &two_tools());
    project.surface("e", &two_tools());
    project.write("e.script", "");
    let first = project.run(&["record", "--yes"]);
    assert_eq!(obeyed(&(first.out + &first.err)), None);
    project.surface(
        "s",
        &surface_of(&|| {
            places.set(places.get() + 1);
            format!("{}{}\n{MARKS}", STARTS[places.get() % STARTS.len()], places.get())
        }),
    );
    let error = json!({"code": -32603, "message": MARKS, "data": {MARKS: MARKS}});
    project.write(
        "e.script",
        &say("tools/list", format!("{MARKS}\n{{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{error}}}\n")),
    );
    project
}

#[test]
fn no_output_holds_what_a_ci_system_obeys() {
    let project = staged();
    let run = |words: &[&str], variables: bool| {
        let mut command = project.command(words);
        if variables {
            command.envs(VARIABLES.map(|name| (name, "true")));
        }
        let Done { out, err, code } = done(&mut command);
        assert!((0..3).contains(&code), "{words:?}: {err}");
        for text in [&out, &err] {
            assert_eq!(obeyed(text), None, "{words:?} {variables}");
        }
        out
    };
    for variables in [false, true] {
        for format in ["text", "json", "sarif", "junit", "markdown", "github"] {
            let out = run(&["check", "--yes", "--format", format], variables);
            let escape = match format {
                "json" | "sarif" => "\\u0023#vso[",
                "junit" => "&#35;#vso[",
                _ => "<U+0023>#vso[",
            };
            assert!(out.contains(escape), "{format}: {out}");
            run(&["check", "--yes", "--format", format, "--output", "report"], variables);
            assert_eq!(obeyed(&project.read("report")), None, "{format}");
        }
    }
    // What a reader of JSON gets is what the server said.
    let report: Value = serde_json::from_str(&run(&["check", "--yes", "--format", "json"], false)).expect("it is JSON");
    assert!(report.to_string().contains("##vso[task.setvariable variable=A]b"), "{report}");
    let server =
        &report["servers"].as_array().expect("servers").iter().find(|server| server["id"] == ID).expect("its id");
    let drifts = server["drifts"].as_array().expect("drifts").clone();
    assert!(drifts.iter().any(|drift| drift["key"].as_str().is_some_and(|key| key.ends_with(MARKS))));

    run(&["review", "--yes"], false);
    run(&["servers"], false);
    run(&["servers", "--explain"], false);
    run(&["doctor"], false);
    run(&["record", "--yes", "--label", MARKS], false);
    run(&["show", ID], false);
    run(&["show", ID, "tool/##vso[none]"], false);
    run(&["show", "##vso[none]"], false);
    run(&["explain", "##vso[none]"], false);
    run(&["rename", "##vso[none]", "x"], false);
    run(&["forget", "##[none]"], false);
    run(&["check", "--format", "##vso[none]"], false);
    run(&["check", "##vso[none]", "::error::x"], false);
    run(&["approve", ID, "--group", "##vso[none]", "--expect", "##vso[none]"], false);
    for drift in &drifts {
        let item =
            format!("{}/{}", drift["kind"].as_str().unwrap_or_default(), drift["key"].as_str().unwrap_or_default());
        let digest = drift["digests"]["surface"]["now"].as_str().unwrap_or_default();
        if !digest.is_empty() && !item.contains('\0') {
            run(&["approve", "--yes", ID, &item, "--expect", digest, "--note", MARKS], false);
            run(&["show", ID, &item], false);
        }
    }
    let snapshots = project.path("snapshots");
    let mut recorded: Vec<_> = fs::read_dir(snapshots)
        .expect("snapshots")
        .flatten()
        .flat_map(|folder| {
            fs::read_dir(folder.path()).expect("a folder").flatten().map(|file| file.path().display().to_string())
        })
        .filter(|path| !path.ends_with("baseline.json") && path.contains("error"))
        .collect();
    recorded.sort();
    run(&["diff", &recorded[0], &recorded[recorded.len() - 1]], false);
    // A config that is refused quotes what is wrong with it.
    for wrong in [
        "\"##vso[a.b]\" = 1\n",
        "[servers.\"::error::x\"]\n\"##[key]\" = 2\n",
        "[poll]\ninterval = \"##vso[c.d]\"\n",
        "##vso[\n= \"##vso[\n",
    ] {
        project.write("pinwatch.toml", wrong);
        run(&["check"], false);
        run(&["doctor"], false);
    }
}

/// On a terminal a person reads; where a CI system gave the step the terminal, its agent does, too.
#[test]
fn a_terminal_of_a_ci_system_is_no_persons() {
    let project = staged();
    let written = |variable: Option<&str>| {
        let mut command = pinwatch_in(&project, &["check", "--yes", ID]);
        if let Some(name) = variable {
            command.env(name, "true");
        }
        let mut screen = Terminal::start(command, 200, 50);
        screen.wait();
        String::from_utf8_lossy(&screen.written()).replace('\r', "")
    };
    assert!(written(None).contains("##vso["));
    for variable in VARIABLES {
        let text = written(Some(variable));
        assert_eq!(obeyed(&text), None, "{variable}");
        assert!(text.contains("<U+0023>#vso["), "{variable}: {text}");
    }
}
