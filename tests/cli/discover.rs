//! A home in which every known kind of client has its config file: all servers are found, with their origins, and
//! nothing runs before somebody agreed.

#![expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use super::project::{Done, Project};
use std::fs;
use std::path::Path;

/// A program that leaves a file behind when it runs, whatever it is given.
fn trap(project: &Project) -> String {
    let script = project.whole().join("trap.sh");
    fs::write(&script, "#!/bin/sh\ntouch \"${0%/*}/it-ran\"\n").unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    }
    script.display().to_string()
}

fn put(folder: &Path, name: &str, text: &str) {
    let file = folder.join(name);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

/// A home with the files of twenty clients, in every syntax, and a repository with six.
fn home() -> Project {
    let project = Project::new();
    let root = project.path("");
    let trap = trap(&project);
    let root_put = |name: &str, text: &str| put(&root, name, &text.replace("TRAP", &trap));
    fs::create_dir(root.join(".git")).unwrap();

    root_put(
        ".mcp.json",
        "\u{FEFF}{\"mcpServers\": {\n \"shared\": {\"command\": \"TRAP\", \"args\": [\"shared\"]},\n \"differs\": {\"command\": \"TRAP\", \"args\": [\"a\"]}}}",
    );
    root_put(
        ".vscode/mcp.json",
        r#"{
  // what the team uses
  "servers": {
    "shared": {"type": "stdio", "command": "TRAP", "args": ["shared"]},
    "differs": {"type": "stdio", "command": "TRAP", "args": ["b"]},
    "asks": {"type": "http", "url": "https://h.example/mcp", "headers": {"Authorization": "Bearer ${input:token}"}},
    "local": {"command": "TRAP", "args": ["${workspaceFolderBasename}"], "envFile": "${workspaceFolder}/.env"},
  },
  "inputs": [{"type": "promptString", "id": "token", "description": "Token of h.example", "password": true},],
}"#,
    );
    root_put(".env", "# local\nLEVEL=\"debug\"\n");
    root_put(".cursor/mcp.json", "");
    root_put(
        ".zed/settings.json",
        "{\"context_servers\": {\"zed-old\": {\"command\": {\"path\": \"TRAP\", \"args\": [\"zed\"]}}}}",
    );
    root_put(
        ".roo/mcp.json",
        "{\"mcpServers\": {\"roo\": {\"type\": \"streamable-http\", \"url\": \"https://roo.example/mcp\"}, \"broken\": {\"command\": 7}}}",
    );
    root_put(
        "opencode.json",
        "{\"mcp\": {\"oc\": {\"type\": \"local\", \"command\": [\"TRAP\", \"oc\"], \"environment\": {\"A\": \"{env:USER}\"}}, \"oc-off\": {\"type\": \"remote\", \"url\": \"https://x.example\", \"enabled\": false}}}",
    );

    home_files(&project, &trap);
    project
}

/// The files of the home.
fn home_files(project: &Project, trap: &str) {
    let (home, root) = (project.home(), project.path(""));
    let home_put = |name: &str, text: &str| put(&home, name, &text.replace("TRAP", trap));
    home_put(
        ".claude.json",
        &format!(
            r#"{{"numStartups": 3, "mcpServers": {{"claude-user": {{"type": "stdio", "command": "TRAP", "args": ["${{NONE:-fallback}}"]}}}},
 "projects": {{"{}": {{"mcpServers": {{"claude-local": {{"command": "TRAP", "args": ["local"]}}}}}},
  "/elsewhere": {{"mcpServers": {{"claude-elsewhere": {{"command": "TRAP"}}}}}}}}}}"#,
            root.display()
        ),
    );
    home_put(
        ".claude/plugins/cache/p/1.0/.mcp.json",
        "{\"plugged\": {\"command\": \"TRAP\", \"args\": [\"${CLAUDE_PLUGIN_ROOT}/x.js\"]}}",
    );
    home_put(
        "config/Claude/claude_desktop_config.json",
        "{\"globalShortcut\": \"\", \"mcpServers\": {\"desktop\": {\"command\": \"TRAP\", \"args\": [\"--header\", \"Authorization:${AUTH}\"], \"env\": {\"AUTH\": \"Bearer abc\"}}}}",
    );
    home_put(
        ".cursor/mcp.json",
        "{\"mcpServers\": {\"shared\": {\"command\": \"TRAP\", \"args\": [\"shared\"]}, \"cursor-remote\": {\"url\": \"https://c.example/mcp\", \"headers\": {\"X-Key\": \"${env:USER}\"}}}}",
    );
    home_put(
        "config/Code/User/settings.json",
        "{\"editor.tabSize\": 2, /* before mcp.json */ \"mcp.servers\": {\"code-old\": {\"command\": \"TRAP\", \"args\": [\"old\"]}},}",
    );
    home_put(
        "config/Code/User/profiles/abc/mcp.json",
        "{\"servers\": {\"code-profile\": {\"command\": \"TRAP\", \"args\": [\"profile\"]}}}",
    );
    home_put(
        ".codeium/windsurf/mcp_config.json",
        "{\"mcpServers\": {\"wind\": {\"serverUrl\": \"https://w.example/mcp\"}}}",
    );
    home_put(
        "config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
        "{\"mcpServers\": {\"cline\": {\"command\": \"TRAP\", \"args\": [\"cline\"], \"disabled\": false, \"autoApprove\": []}, \"cline-off\": {\"command\": \"TRAP\", \"disabled\": true}}}",
    );
    home_put(
        ".gemini/settings.json",
        "{\"theme\": \"x\", \"mcpServers\": {\"gem\": {\"httpUrl\": \"https://g.example/$USER\", \"trust\": true}}}",
    );
    home_put(
        ".gemini/antigravity/mcp_config.json",
        "{\"mcpServers\": {\"anti\": {\"serverUrl\": \"https://a.example/mcp\"}}}",
    );
    home_put(
        ".codex/config.toml",
        "model = \"x\"\n\n[mcp_servers.dex]\ncommand = \"TRAP\"\nargs = [\"dex\"]\nenv = { A = \"b\" }\n\n[mcp_servers.dex-remote]\nurl = \"https://d.example/mcp\"\nbearer_token_env_var = \"USER\"\nenv_http_headers = { X-Lang = \"LANG\" }\n\n[mcp_servers.dex-off]\ncommand = \"TRAP\"\nenabled = false\n",
    );
    home_put(
        "config/goose/config.yaml",
        "GOOSE_PROVIDER: x\nextensions:\n  developer:\n    type: builtin\n    enabled: true\n  gander:\n    type: stdio\n    cmd: TRAP\n    args: [gander]\n    envs:\n      LEVEL: debug\n    enabled: true\n  gosling:\n    type: streamable_http\n    uri: https://goose.example/mcp\n    enabled: true\n",
    );
    home_put(
        ".continue/config.yaml",
        "name: x\nmcpServers:\n  - name: cont\n    command: TRAP\n    args:\n      - cont\n    env:\n      KEY: ${{ secrets.USER }}\n  - name: cont-remote\n    type: streamable-http\n    url: https://cont.example/mcp\n",
    );
    home_put(".kiro/settings/mcp.json", "{\"mcpServers\": {\"kiro\": {\"command\": \"TRAP\", \"args\": [\"kiro\"]}}}");
    home_put(".aws/amazonq/mcp.json", "{\"mcpServers\": {\"q\": {\"command\": \"TRAP\", \"args\": [\"q\"]}}}");
    home_put(
        ".copilot/mcp-config.json",
        "{\"mcpServers\": {\"pilot\": {\"type\": \"local\", \"command\": \"TRAP\", \"args\": [\"pilot\"], \"tools\": [\"*\"]}}}",
    );
    home_put(
        "config/amp/settings.json",
        "{\"amp.url\": \"x\", \"amp.mcpServers\": {\"amped\": {\"command\": \"TRAP\", \"args\": [\"amp\"]}}}",
    );
    home_put(
        ".vibe/config.toml",
        "[[mcp_servers]]\nname = \"vibe\"\ntransport = \"http\"\nurl = \"https://v.example/mcp\"\n",
    );
    home_put(".lmstudio/mcp.json", "{not json");
}

/// What a run said, without this test's own folder, and without what is not there.
fn said(project: &Project, done: &Done) -> String {
    done.out
        .replace(&project.whole().canonicalize().unwrap().display().to_string(), "TEST")
        .replace(&project.whole().display().to_string(), "TEST")
}

fn snapshot(name: &str, text: &str) {
    insta::with_settings!({ snapshot_path => "../snapshots", prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(name, text);
    });
}

#[test]
fn all_servers_of_all_clients_are_found_not_run() {
    let project = home();
    let done = project.expect(0, &["servers"]);
    snapshot("discover_servers", &said(&project, &done));
    let done = project.expect(0, &["servers", "--explain"]);
    snapshot("discover_explained", &said(&project, &done));
    for words in [&["record"][..], &["check"], &["review"]] {
        let done = project.expect(2, words);
        assert!((done.out + &done.err).contains("consent"), "{words:?}");
    }
    assert!(!project.whole().join("it-ran").exists(), "a launch ran that nobody agreed to");
    project.run(&["record", "--yes", "shared"]);
    assert!(project.whole().join("it-ran").exists(), "the trap is one");
}

#[test]
fn check_looks_outside_only_without_own_servers() {
    let project = home();
    let done = project.expect(2, &["check"]);
    assert!(done.out.contains("shared") && !done.out.contains("claude-user"), "{}", done.out);
    let named = project.expect(2, &["check", "claude-user"]);
    assert!(named.out.contains("claude-user"), "{}", named.out);
    for name in [".mcp.json", ".vscode", ".cursor", ".zed", ".roo", "opencode.json"] {
        let path = project.path(name);
        let gone = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        gone.unwrap();
    }
    let done = project.expect(2, &["check"]);
    assert!(done.out.contains("claude-user") && done.out.contains("gander"), "{}", done.out);
}

#[test]
fn pinwatch_toml_alone_says_what_is_watched() {
    let project = home();
    project.write("pinwatch.toml", "[servers.own]\ncommand = \"x\"\n");
    assert!(!project.expect(0, &["servers"]).out.contains("claude-user"));
    project.write("pinwatch.toml", "include = [\"codex\", \"vscode\"]\n[servers.own]\ncommand = \"x\"\n");
    let out = project.expect(0, &["servers"]).out;
    for id in ["own", "dex", "dex-remote", "code-old", "code-profile", "asks"] {
        assert!(out.lines().any(|line| line == id), "{id}: {out}");
    }
    assert!(!out.contains("claude-user") && !out.contains("gander"), "{out}");
}

#[test]
fn init_writes_what_was_found_once() {
    let project = home();
    let done = project.expect(0, &["init"]);
    assert!(done.out.contains("pinwatch.toml"), "{}", done.out);
    let written = project.read("pinwatch.toml");
    let servers = project.expect(0, &["servers"]).out;
    for id in ["shared", "dex", "gander", "differs@vscode"] {
        assert!(servers.lines().any(|line| line == id), "{id}: {servers}");
    }
    let again = project.expect(2, &["init"]);
    assert!(again.err.contains("already exists and is not overwritten"), "{}", again.err);
    assert_eq!(project.read("pinwatch.toml"), written);
    assert!(!project.whole().join("it-ran").exists());
}
