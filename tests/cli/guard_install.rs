//! `pinwatch guard install` and `uninstall` in the files of every kind of client.

use crate::agreed::agree;
use crate::fixture::fixture_server;
use crate::project::{Done, Project, two_tools};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

/// Client, file (below `home/` or `root/`), what it says, and the servers that can go behind a guard.
type Case = (&'static str, &'static str, &'static str, usize);

const CASES: [Case; 23] = [
    (
        "claude-code",
        "root/.mcp.json",
        "{\n  \"mcpServers\": {\n    \"files\": {\n      \"command\": \"npx\",\n      \"args\": [\n        \"-y\",\n        \"server-files\"\n      ],\n      \"env\": { \"TOKEN\": \"${TOKEN}\" }\n    }\n  }\n}\n",
        1,
    ),
    (
        "claude-code",
        "home/.claude.json",
        r#"{"numStartups": 12, "oauthAccount": {"id": 1e3}, "mcpServers": {"a": {"type":"stdio","command":"x","args":[],"env":{}}}, "projects": {"/elsewhere": {"mcpServers": {"b": {"command": "y"}}}}, "tail": [1, 2]}"#,
        1,
    ),
    (
        "claude-desktop",
        "home/config/Claude/claude_desktop_config.json",
        "{\"globalShortcut\":\"\",\"mcpServers\":{\"a\":{\"command\":\"x\",\"args\":[\"1\"]},\"b\":{\"command\":\"y\"}}}",
        2,
    ),
    (
        "cursor",
        "home/.cursor/mcp.json",
        "// mine\n{\n\t\"mcpServers\": { // all of them\n\t\t\"a\": {\n\t\t\t/* old: \"command\": \"z\" */\n\t\t\t\"args\": [\n\t\t\t\t// the folder\n\t\t\t\t\"--root\", \"${workspaceFolder}\", // here\n\t\t\t],\n\t\t\t\"command\": \"${userHome}/bin/serve\", // by hand\n\t\t},\n\t\t\"none\": { \"command\": \"one\" },\n\t},\n}\n",
        2,
    ),
    ("cursor", "home/config/Cursor/User/settings.json", r#"{"a.b": true, "mcp.servers": {"s": {"command": "c"}}}"#, 1),
    (
        "vscode",
        "root/.vscode/mcp.json",
        r#"{"inputs": [], "servers": {"a": {"type": "stdio", "command": "x", "args": ["é 🦀", "\u00e9"]}}}"#,
        1,
    ),
    ("vscode", "root/.vscode/settings.json", r#"{"mcp": {"servers": {"a": {"command": "x"}}}, "z": 1}"#, 1),
    ("windsurf", "home/.codeium/windsurf/mcp_config.json", r#"{"mcpServers": {"a": {"command": "x"}}}"#, 1),
    (
        "zed",
        "root/.zed/settings.json",
        "{\n  \"theme\": \"One\",\n  \"context_servers\": {\n    \"old\": {\"command\": {\"path\": \"p\", \"args\": [\"q\"], \"env\": {}}},\n    \"new\": {\"source\": \"custom\", \"command\": \"p\"}, // last\n  },\n}",
        2,
    ),
    ("roo", "root/.roo/mcp.json", r#"{"mcpServers": {"a": {"command": "x", "args": [ ]}}}"#, 1),
    ("gemini", "home/.gemini/settings.json", r#"{"x": 1, "mcpServers": {"a": {"command": "$HOME/x"}}}"#, 1),
    (
        "codex",
        "home/.codex/config.toml",
        "model = \"o\" # the model\n\n[mcp_servers.a]\ncommand = \"npx\" # a runner\nargs = [\"-y\", \"s\"]\n\n[mcp_servers.b]\n  command = 'one'\n\n[mcp_servers]\nc = { command = \"two\" }\nd.command = \"three\"\n\n[mcp_servers.e]\nargs = [\n  \"x\", # first\n  \"y\",\n]\ncommand = \"four\"",
        5,
    ),
    ("codex", "home/.codex/plugins/p/.mcp.json", r#"{"a": {"command": "x", "args": ["1"]}}"#, 1),
    (
        "opencode",
        "root/opencode.jsonc",
        "{\n  // local\n  \"mcp\": {\n    \"a\": {\"type\": \"local\", \"command\": [\"npx\", \"-y\", \"s\"], \"environment\": {\"K\": \"{env:K}\"}},\n    \"b\": {\"type\": \"local\", \"command\": [\n      \"bun\",\n    ]},\n  },\n}\n",
        2,
    ),
    (
        "goose",
        "home/config/goose/config.yaml",
        "# goose\nGOOSE_MODEL: g\nextensions:\n  a:\n    type: stdio\n    cmd: npx # a runner\n    args:\n      - -y\n      - 'server ü'\n    enabled: true\n  b:\n    args: [x, \"y\"]\n    cmd: \"two\"\n  c: {type: stdio, cmd: three}\n  developer:\n    type: builtin\n  d:\n    cmd: four\n    args: []\n  e:\n    cmd: 'fi ve'\n",
        5,
    ),
    (
        "continue",
        "root/.continue/mcpServers/own.yaml",
        "name: own\nversion: 0.0.1\nschema: v1\nmcpServers:\n- command: uvx\n  name: a\n- name: b\n  command: npx\n  args:\n  - -y\n  - s\n",
        2,
    ),
    ("continue", "home/.continue/config.json", r#"{"mcpServers": [{"name": "a", "command": "x", "args": ["1"]}]}"#, 1),
    ("amp", "home/config/amp/settings.json", r#"{"amp.mcpServers": {"a": {"command": "x", "args": ["1"]}}}"#, 1),
    (
        "vibe",
        "home/.vibe/config.toml",
        "[[mcp_servers]]\nname = \"a\"\ntransport = \"stdio\"\ncommand = \"x\"\n\n[[mcp_servers]]\nname = \"b\"\ncommand = \"y\"\nargs = [ \"1\" ]\n",
        2,
    ),
    ("grok", "home/.grok/config.toml", "[mcp_servers.\"a b\"]\ncommand = \"x\"\nargs = []\n", 1),
    ("kiro", "root/.kiro/settings/mcp.json", r#"{"mcpServers": {"a": {"command": "x", "args": ["${A}"]}}}"#, 1),
    ("amazon-q", "home/.aws/amazonq/default.json", r#"{"tools": ["*"], "mcpServers": {"a": {"command": "x"}}}"#, 1),
    (
        "lm-studio",
        "home/.lmstudio/mcp.json",
        "{\"mcpServers\": {\n\n\"a\": {\"command\":\"x\",\n\"args\":[\"1\",\n\"2\"]}}}",
        1,
    ),
];

/// Client, file below `home/`, and what it says of the server `t` with a URL.
const ADDRESSES: [(&str, &str, &str); 11] = [
    (
        "cursor",
        "home/.cursor/mcp.json",
        "// mine\n{\n\t\"mcpServers\": {\n\t\t\"a\": { \"command\": \"x\" },\n\t\t\"t\": { // the tracker\n\t\t\t\"url\": \"https://t.example/mcp?team=red\", // by hand\n\t\t\t\"headers\": {\n\t\t\t\t// ours\n\t\t\t\t\"X-Team\": \"red\",\n\t\t\t\t\"authorization\": \"Bearer ${env:T_TOKEN}\", // of the team\n\t\t\t},\n\t\t},\n\t},\n}\n",
    ),
    (
        "claude-code",
        "home/.claude.json",
        r#"{"n": 1e3, "mcpServers": {"t": {"type":"http","url":"https://t.example/mcp","headers":{"Authorization":"Bearer k9-Zq8-wLmT4xVb2sRc1"}}}}"#,
    ),
    (
        "windsurf",
        "home/.codeium/windsurf/mcp_config.json",
        r#"{"mcpServers": {"t": {"serverUrl": "https://t.example/mcp"}}}"#,
    ),
    (
        "gemini",
        "home/.gemini/settings.json",
        r#"{"mcpServers": {"t": {"httpUrl": "https://t.example/mcp", "headers": { }}}}"#,
    ),
    (
        "opencode",
        "home/config/opencode/opencode.json",
        "{\"mcp\": {\n  \"t\": {\n    \"type\": \"remote\",\n    \"url\": \"https://t.example/mcp\"\n  }\n}}\n",
    ),
    (
        "codex",
        "home/.codex/config.toml",
        "model = \"o\" # the model\n\n[mcp_servers.t]\nurl = 'https://t.example/mcp' # the tracker\nhttp_headers = { \"X-Team\" = \"red\" } # ours\nenv_http_headers = { Authorization = \"T_TOKEN\" }\n\n[mcp_servers.a]\ncommand = \"x\"\n",
    ),
    (
        "codex",
        "home/.codex/config.toml",
        "[mcp_servers.t]\nurl = \"https://t.example/mcp\"\n\n[mcp_servers.t.http_headers]\n# ours\n  X-Team = \"red\"\n  Authorization = \"Basic dXNlcjpodW50ZXIy\"\n",
    ),
    (
        "codex",
        "home/.codex/config.toml",
        "[mcp_servers]\nt.url = \"https://t.example/mcp\"\nt.http_headers.X-Team = \"red\"",
    ),
    ("codex", "home/.codex/config.toml", "[mcp_servers.t]\nurl = \"https://t.example/mcp\" # the tracker\n"),
    (
        "goose",
        "home/config/goose/config.yaml",
        "# goose\nextensions:\n  t:\n    type: streamable_http\n    uri: https://t.example/mcp # the tracker\n    headers:\n      X-Team: red\n      Authorization: \"Bearer k9-Zq8-wLmT4xVb2sRc1\"\n    enabled: true\n",
    ),
    (
        "continue",
        "home/.continue/config.yaml",
        "name: own\nversion: 0.0.1\nschema: v1\nmcpServers:\n- url: https://t.example/mcp\n  name: t\n",
    ),
];

/// Where the guards listen.
const LISTEN: [&str; 2] = ["--listen", "127.0.0.1:7171"];

/// The secret of this user's guards.
fn secret(project: &Project) -> Option<String> {
    fs::read_to_string(project.home().join("state/pinwatch/guard.secret")).ok()
}

fn put(project: &Project, file: &str, text: &str) -> PathBuf {
    let path = project.whole().join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    path
}

/// A project with a root of its own, and nothing in its config: every client's files are read.
fn rooted() -> Project {
    let project = Project::new();
    fs::create_dir(project.path(".git")).unwrap();
    project
}

fn run(project: &Project, code: i32, words: &[&str]) -> Done {
    let root = project.path("").canonicalize().unwrap().display().to_string();
    project.expect(code, &[&["guard"], words, &["--root", &root]].concat())
}

/// What discovery makes of every server: id, launch.
fn seen(project: &Project) -> Vec<String> {
    let root = project.path("").canonicalize().unwrap().display().to_string();
    let said = project.run(&["servers", "--root", &root]).out;
    let told = said.lines().filter(|line| line.starts_with("  launch") || !line.starts_with(' '));
    // Those that are not watched stand with their line, which moves.
    told.filter(|line| !line.starts_with("searched") && !line.ends_with("nothing to start"))
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_format_becomes_what_it_was() {
    for (client, file, text, many) in CASES {
        for (ends, mark) in [("\n", ""), ("\r\n", "\u{feff}")] {
            // Whether these are read with a mark is their parser's.
            let text = format!("{mark}{}", text.replace('\n', ends));
            let project = rooted();
            let path = put(&project, file, &text);
            let before = seen(&project);
            let shown = run(&project, 0, &["install", client]).out;
            assert_eq!(fs::read_to_string(&path).unwrap(), text, "{file}: it was written\n{shown}");
            assert_eq!(shown.matches("goes behind a guard").count(), many, "{file}: {shown}");
            assert!(shown.ends_with(&format!("to write it: pinwatch guard install {client} --write\n")), "{shown}");
            let written = run(&project, 0, &["install", client, "--write"]).out;
            assert!(written.contains("  written; what it said before is in "), "{written}");
            let guarded = fs::read_to_string(&path).unwrap();
            assert_eq!(guarded.matches("\"guard\"").count(), many, "{file}: {guarded}");
            assert_eq!(seen(&project), before, "{file}: {guarded}");
            // Not twice.
            let again = run(&project, 0, &["install", client, "--write"]).out;
            assert_eq!(again.matches("a guard stands before it already").count(), many, "{file}: {again}");
            assert_eq!(fs::read_to_string(&path).unwrap(), guarded);
            let back = run(&project, 0, &["uninstall", client, "--write"]).out;
            assert!(back.contains("written; it is what it was before, byte for byte"), "{file}: {back}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text, "{file}");
            let left: Vec<_> = fs::read_dir(project.home().join("state/pinwatch/guarded-files")).unwrap().collect();
            assert!(left.is_empty(), "{left:?}");
        }
    }
}

#[test]
fn a_file_that_was_changed_loses_its_guards_alone() {
    for (client, file, text, _) in CASES {
        let project = rooted();
        let path = put(&project, file, text);
        run(&project, 0, &["install", client, "--write"]);
        // A comment, or a blank line where there are none: the rest of the file is a person's.
        let end = match path.extension().unwrap().to_str().unwrap() {
            "toml" | "yaml" => "\n# added later\n",
            _ => "\n\n",
        };
        let guarded = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{guarded}{end}")).unwrap();
        let back = run(&project, 0, &["uninstall", client, "--write"]).out;
        assert!(!back.contains("byte for byte"), "{back}");
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("{text}{end}"), "{file}");
    }
}

#[test]
fn one_server_of_several_is_guarded_and_freed() {
    let project = rooted();
    let text =
        "{\"mcpServers\": {\n  \"a\": {\"command\": \"x\", \"args\": [\"1\"]},\n  \"b\": {\"command\": \"y\"}\n}}\n";
    let path = put(&project, "home/.cursor/mcp.json", text);
    let shown = run(&project, 0, &["install", "cursor", "b"]).out;
    let own = env!("CARGO_BIN_EXE_pinwatch");
    let (root, home) = (project.path("").canonicalize().unwrap(), project.home().canonicalize().unwrap());
    let shown = shown.replace(own, "/usr/bin/pinwatch").replace(&*root.to_string_lossy(), "/home/ana/project");
    insta::assert_snapshot!(shown.replace(&*home.to_string_lossy(), "/home/ana"), @r#"
    /home/ana/.cursor/mcp.json
      line 3, b: goes behind a guard
      -    3   "b": {"command": "y"}
      +    3   "b": {"command": "/usr/bin/pinwatch", "args": ["guard", "b", "--root", "/home/ana/project", "--", "y"]}
      note: `b` has no baseline yet, and its guard is closed until pinwatch record b --root /home/ana/project
    nothing was written; to write it: pinwatch guard install cursor b --write
    "#);
    run(&project, 0, &["install", "cursor", "b", "--write"]);
    run(&project, 0, &["install", "cursor", "a", "--write"]);
    let guarded: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let args = |name: &str| guarded["mcpServers"][name]["args"].as_array().unwrap().clone();
    assert_eq!(args("a")[4..], ["--", "x", "1"]);
    assert_eq!(args("b")[..2], ["guard", "b"]);
    assert!(guarded["mcpServers"]["a"]["command"].as_str().unwrap().ends_with("/pinwatch"));
    run(&project, 0, &["uninstall", "cursor", "a", "--write"]);
    let half = fs::read_to_string(&path).unwrap();
    assert!(half.contains(r#""a": {"command": "x", "args": ["1"]}"#) && half.contains("\"guard\""), "{half}");
    let back = run(&project, 0, &["uninstall", "cursor", "--write"]).out;
    assert!(back.contains("byte for byte"), "{back}");
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    // Neither a server nor a client that is not there is passed over.
    assert!(run(&project, 2, &["install", "cursor", "c"]).err.contains("cursor has no server `c` in any of:"));
    assert!(run(&project, 2, &["uninstall", "cursor"]).err.contains("cursor has no guard in any of:"));
    assert!(run(&project, 2, &["install", "cursr"]).err.contains("cursor"));
}

#[test]
fn an_entry_with_a_url_becomes_what_it_was() {
    for (client, file, text) in ADDRESSES {
        for (ends, mark) in [("\n", ""), ("\r\n", "\u{feff}")] {
            let text = format!("{mark}{}", text.replace('\n', ends));
            let project = rooted();
            let path = put(&project, file, &text);
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
            let before = seen(&project);
            let install = [&["install", client, "t"], &LISTEN[..]].concat();
            let shown = run(&project, 0, &install).out;
            assert_eq!((fs::read_to_string(&path).unwrap(), secret(&project)), (text.clone(), None), "{file}: {shown}");
            assert!(shown.contains("Bearer pwg_…") && !shown.contains("pwg_-"), "{file}: {shown}");
            assert!(!shown.contains("others may read this file"), "{shown}");
            let hint = format!("pinwatch guard install {client} t --listen 127.0.0.1:7171 --write\n");
            assert!(shown.ends_with(&hint), "{shown}");
            let written = run(&project, 0, &[&install[..], &["--write"]].concat()).out;
            let secret = secret(&project).unwrap();
            let guarded = fs::read_to_string(&path).unwrap();
            assert_eq!(guarded.matches(&format!("Bearer {secret}")).count(), 1, "{file}: {guarded}");
            assert_eq!(guarded.matches("http://127.0.0.1:7171/mcp").count(), 1, "{file}: {guarded}");
            assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
            let root = project.path("").canonicalize().unwrap().display().to_string();
            assert!(
                written.contains(&format!("pinwatch guard t --root {root} --listen 127.0.0.1:7171\n")),
                "{written}"
            );
            assert_eq!(seen(&project), before, "{file}: {guarded}");
            let again = run(&project, 0, &[&install[..], &["--write"]].concat()).out;
            assert!(again.contains("t: a guard stands before it already"), "{file}: {again}");
            let dry = run(&project, 0, &["uninstall", client]).out;
            let listed = project.run(&["servers", "--root", &root]);
            let back = run(&project, 0, &["uninstall", client, "--write"]).out;
            for out in [&shown, &written, &again, &dry, &back, &listed.out, &listed.err] {
                assert!(!out.contains(&secret[4..20]) && !out.contains("k9-Zq8"), "{file}: {out}");
            }
            assert!(back.contains("it is what it was before, byte for byte"), "{file}: {back}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text, "{file}");
        }
    }
}

#[test]
fn a_changed_file_with_a_url_loses_its_guard_alone() {
    for (client, file, text) in ADDRESSES {
        let project = rooted();
        let path = put(&project, file, text);
        run(&project, 0, &[&["install", client, "t", "--write"], &LISTEN[..]].concat());
        let end =
            if matches!(path.extension().unwrap().to_str().unwrap(), "toml" | "yaml") { "\n# later\n" } else { "\n\n" };
        fs::write(&path, fs::read_to_string(&path).unwrap() + end).unwrap();
        run(&project, 0, &["uninstall", client, "--write"]);
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("{text}{end}"), "{file}");
    }
    // A client that writes its whole file anew leaves nothing of how it was spaced.
    let (client, file, text) = ADDRESSES[1];
    let project = rooted();
    let path = put(&project, file, text);
    run(&project, 0, &[&["install", client, "t", "--write"], &LISTEN[..]].concat());
    let anew: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    fs::write(&path, serde_json::to_string_pretty(&anew).unwrap()).unwrap();
    run(&project, 0, &["uninstall", client, "--write"]);
    let back: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(back, serde_json::from_str::<Value>(text).unwrap());
}

#[test]
fn where_a_secret_cannot_stand_is_told() {
    let project = rooted();
    let url = r#"{"mcpServers": {"t": {"type": "http", "url": "https://t.example/mcp"}, "s": {"type": "sse", "url": "https://s.example/sse"}, "a": {"command": "x"}}}"#;
    let shared = put(&project, "root/.cursor/mcp.json", url);
    let install = |server| [&["install", "cursor", server, "--write"], &LISTEN[..]].concat();
    let said = run(&project, 2, &install("t")).out;
    assert!(said.contains("the project's file goes to others"), "{said}");
    assert_eq!(fs::read_to_string(&shared).unwrap(), url);
    fs::remove_file(&shared).unwrap();
    let own = put(&project, "home/.cursor/mcp.json", url);
    fs::set_permissions(&own, fs::Permissions::from_mode(0o644)).unwrap();
    assert!(run(&project, 2, &install("s")).out.contains("its `type` says HTTP+SSE"));
    assert!(run(&project, 2, &install("a")).out.contains("its guard needs no --listen"));
    let said = run(&project, 0, &install("t")).out;
    assert!(said.contains("others may read this file (mode 0644)"), "{said}");
    let token = "[mcp_servers.t]\nurl = \"https://t.example/mcp\"\nbearer_token_env_var = \"T\"\n";
    put(&project, "home/.codex/config.toml", token);
    let said = run(&project, 2, &[&["install", "codex", "t"], &LISTEN[..]].concat()).out;
    assert!(said.contains("its `bearer_token_env_var` would replace the guard's secret"), "{said}");
    // Where headers have no place that can be edited, what to write is said.
    put(&project, "home/.kimi/mcp.json", r#"{"mcpServers": {"t": {"url": "https://t.example/mcp", "headers": null}}}"#);
    let said = run(&project, 2, &[&["install", "kimi", "t"], &LISTEN[..]].concat()).out;
    assert!(said.contains("Pinwatch-Upstream: https://t.example/mcp") && said.contains("guard.secret"), "{said}");
    for words in [&["install", "cursor"][..], &["uninstall", "cursor", "t"]] {
        let done = run(&project, 2, &[words, &LISTEN[..]].concat());
        assert!(done.err.contains("--listen"), "{done:?}");
    }
}

#[test]
fn what_cannot_be_guarded_is_told() {
    let project = rooted();
    let text = "extensions:\n  web:\n    type: streamable_http\n    uri: https://h.example/mcp\n  built:\n    type: builtin\n  folded:\n    cmd: >-\n      npx\n    args: [-y]\n  alias:\n    cmd: &runner npx\n    args: [*runner]\n  bad:\n    cmd: 5\n";
    let path = put(&project, "home/config/goose/config.yaml", text);
    let said = run(&project, 2, &["install", "goose", "--write"]).out;
    assert!(said.contains("web: left as it is: it is reached over HTTP"), "{said}");
    assert!(
        said.contains("built: left as it is: pinwatch does not watch it: its client runs it inside itself"),
        "{said}"
    );
    assert!(
        said.contains("folded: left as it is: its entry is written in a way that cannot be changed in place"),
        "{said}"
    );
    for word in ["\"guard\"", "\"folded\"", "\"--\"", "\"npx\"", "\"-y\""] {
        assert!(said.contains(&format!("       args {word}")), "{word}: {said}");
    }
    assert!(said.contains("alias: left as it is: "), "{said}");
    assert!(said.contains("bad: left as it is: `cmd` must be a string"), "{said}");
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn a_secret_of_the_file_is_not_shown() {
    let project = rooted();
    let secret = "k9-Zq8-wLmT4xVb2sRc1";
    let text = format!(
        r#"{{"mcpServers": {{"a": {{"command": "x", "args": ["--token", "{secret}"], "env": {{"API_KEY": "{secret}2"}}}}}}, "account": {{"deep": "{}"}}}}"#,
        "unknown-to-us ".repeat(40)
    );
    let path = put(&project, "home/.claude.json", &text);
    let said = run(&project, 0, &["install", "claude-code", "--write"]).out;
    assert!(!said.contains(secret) && said.contains("<redacted "), "{said}");
    assert!(said.matches("unknown-to-us").count() < 10, "{said}");
    let kept = project.home().join("state/pinwatch/guarded-files");
    for file in fs::read_dir(kept).unwrap() {
        assert_eq!(file.unwrap().metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
    run(&project, 0, &["uninstall", "claude-code", "--write"]);
    assert_eq!(fs::read_to_string(path).unwrap(), text);
}

#[test]
fn mode_and_links_of_the_file_stay() {
    let project = rooted();
    let text = r#"{"mcpServers": {"a": {"command": "x"}}}"#;
    let real = put(&project, "home/dotfiles/mcp.json", text);
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    let link = project.home().join(".cursor/mcp.json");
    fs::create_dir_all(link.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    run(&project, 0, &["install", "cursor", "--write"]);
    assert!(link.symlink_metadata().unwrap().is_symlink());
    assert_eq!(real.metadata().unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::read_to_string(&real).unwrap().contains("guard"));
    // A project's link that leads out of it is not followed, as discovery follows none.
    fs::create_dir_all(project.path(".roo")).unwrap();
    std::os::unix::fs::symlink(&real, project.path(".roo/mcp.json")).unwrap();
    let said = run(&project, 2, &["install", "roo", "--write"]).out;
    assert!(said.contains("it is a link that leads out of the project"), "{said}");
}

#[test]
fn an_installed_guard_guards() {
    let project = rooted();
    project.write("calls", "");
    project.surface("files", &two_tools());
    let line = format!("exec '{}' files.json --log files.log --script calls", fixture_server().display());
    let entry = serde_json::json!({"mcpServers": {"files": {"command": "sh", "args": ["-c", line]}}});
    project.write(".mcp.json", &entry.to_string());
    let root = project.path("").canonicalize().unwrap().display().to_string();
    let said = run(&project, 0, &["install", "claude-code", "files"]).out;
    let record = format!("pinwatch record files --root {root}");
    assert!(
        said.contains(&format!("note: `files` has no baseline yet, and its guard is closed until {record}")),
        "{said}"
    );
    project.expect(0, &["record", "--yes", "--root", &root]);
    agree(&project);
    let said = run(&project, 0, &["install", "claude-code", "--write"]).out;
    assert!(!said.contains("no baseline yet") && said.contains("it is the project's file"), "{said}");
    project.expect(0, &["check", "--yes", "--root", &root]);
    let entry: Value = serde_json::from_str(&project.read(".mcp.json")).unwrap();
    let words: Vec<&str> =
        entry["mcpServers"]["files"]["args"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    // As a client starts it, wherever that happens to be.
    let mut client = project.command(&words);
    client.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut client = client.spawn().unwrap();
    let mut stdin = client.stdin.take().unwrap();
    std::io::Write::write_all(&mut stdin, b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}\n").unwrap();
    let mut answer = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(client.stdout.take().unwrap()), &mut answer).unwrap();
    assert!(answer.contains("\"result\""), "{answer}");
    drop(stdin);
    assert!(client.wait().unwrap().success());
}

#[test]
fn a_server_may_be_called_install() {
    let project = Project::new();
    let root = project.path("").canonicalize().unwrap().display().to_string();
    for name in ["install", "uninstall"] {
        let done = project.run(&["guard", name, "--root", &root, "--", "true"]);
        assert_eq!((done.code, done.out.as_str(), done.err.as_str()), (0, "", ""), "{name}");
    }
    for words in [
        &["guard", "install"][..],
        &["guard", "install", "--root", &root],
        &["guard", "install", "--write"],
        &["guard", "install", "cursor", "--", "true"],
        &["guard", "install", "cursor", "files", "--write", "--", "true"],
        &["guard", "files"],
        &["guard"],
        &["guard", "files", "install", "--", "true"],
    ] {
        let done = project.run(words);
        assert_eq!(done.code, 2, "{words:?}: {done:?}");
        assert!(done.err.contains("Usage: ") || done.err.contains("error: "), "{words:?}: {}", done.err);
    }
    let help = project.run(&["guard", "install", "--help"]).out;
    assert!(help.contains("--write") && !help.contains("COMMAND"), "{help}");
}
