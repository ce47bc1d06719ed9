//! What clients' files become: shapes, variables, questions, several files of one server. Rows are those of
//! COMPLAINTS.md that this answers.

use crate::house::{House, aside};
use crate::reviewed::reviewed;
use pinwatch::config::{Answer, Config, ServerConfig, template};
use pinwatch::mcp::Target;
use pinwatch::store::redact::Redactor;
use std::fs;

fn server<'a>(config: &'a Config, id: &str) -> &'a ServerConfig {
    config.servers.iter().find(|server| *server.id == *id).unwrap()
}

/// Why a server cannot be used.
fn unusable(server: &ServerConfig) -> (&str, &str) {
    let Target::Unusable(reason) = &server.target else { unreachable!("{} can be used", server.id) };
    (reason.code, &reason.text)
}

fn headers(server: &ServerConfig) -> &[(String, String)] {
    let Target::Http { headers, .. } = &server.target else { unreachable!("{} is no URL", server.id) };
    headers
}

#[test]
fn row_12_same_server_in_two_clients_is_one() {
    let house = House::new();
    house.write(
        ".mcp.json",
        r#"{"mcpServers": {"one": {"command": "x", "env": {"KEY": "${TOKEN}"}}, "two": {"command": "x"}}}"#,
    );
    house.write(".cursor/mcp.json", r#"{"mcpServers": {"one": {"command": "x", "env": {"KEY": "${env:TOKEN}"}}, "two": {"command": "x", "args": ["--all"]}}}"#);
    let config = house.load().unwrap();
    let ids: Vec<_> = config.servers.iter().map(|server| &*server.id).collect();
    assert_eq!(ids, ["one", "two", "two@cursor"]);
    let clients: Vec<_> = server(&config, "one").origins().filter_map(|origin| origin.client).collect();
    assert_eq!(clients, ["Claude Code", "Cursor"]);
}

#[test]
fn farther_file_with_same_launch_is_an_origin() {
    let house = House::new();
    house.write(".mcp.json", r#"{"mcpServers": {"one": {"command": "x"}, "two": {"command": "x"}}}"#);
    house.write("../.claude.json", r#"{"mcpServers": {"one": {"command": "x"}, "two": {"command": "y"}}}"#);
    let config = house.load().unwrap();
    let origins = |id: &str| server(&config, id).origins().count();
    assert_eq!((config.servers.len(), origins("one"), origins("two")), (2, 2, 1));
    // It is told apart from the one that is watched.
    assert_eq!(aside(&config), [("two@claude-code", "shadowed", ".mcp.json:1 has a server of this id")]);
}

#[test]
fn rows_13_and_14_no_variable_value_is_kept() {
    let house = House::new();
    let text = r#"{"mcpServers": {"a": {"command": "x", "args": ["--token", "${TOKEN}"]}, "b": {"url": "https://h.example/?key=${TOKEN}"}}}"#;
    house.write(".mcp.json", text);
    let config = house.load().unwrap();
    for id in ["a", "b"] {
        let kept = server(&config, id).shared.to_json();
        assert!(kept.contains("${TOKEN}") && !kept.contains("t0ken-value-1"), "{kept}");
    }
    assert!(!template(&config).contains("t0ken-value-1"));
}

#[test]
fn row_34_unset_variable_is_named_and_never_sent() {
    let house = House::new();
    house.write(
        ".mcp.json",
        r#"{"mcpServers": {"claude": {"url": "https://h.example", "headers": {"Authorization": "Bearer ${UNSET}"}}}}"#,
    );
    house.write(
        ".vscode/mcp.json",
        r#"{"servers": {"code": {"url": "https://h.example/2", "headers": {"Authorization": "Bearer ${env:UNSET}"}},
        "foreign": {"url": "https://h.example/3", "headers": {"Authorization": "Bearer ${TOKEN}"}}}}"#,
    );
    house.write(".gemini/settings.json", r#"{"mcpServers": {"gemini": {"httpUrl": "https://h.example/4", "headers": {"Authorization": "Bearer $UNSET"}}}}"#);
    house.write("opencode.json", r#"{"mcp": {"opencode": {"type": "remote", "url": "https://h.example/5", "headers": {"Authorization": "Bearer {env:UNSET}"}}}}"#);
    house.write(
        ".codex/config.toml",
        "[mcp_servers.codex]\nurl = \"https://h.example/6\"\nbearer_token_env_var = \"UNSET\"\n",
    );
    let config = house.load().unwrap();
    for id in ["claude", "code", "foreign", "gemini", "opencode", "codex"] {
        let (code, text) = unusable(server(&config, id));
        assert_eq!(code, "not-usable", "{id}");
        assert!(text.contains("headers.Authorization: "), "{id}: {text}");
    }
}

#[test]
fn row_35_input_reference_is_never_passed_as_is() {
    let mut house = House::new();
    let file = house.write(
        ".vscode/mcp.json",
        r#"{"inputs": [{"type": "promptString", "id": "key", "description": "The key", "password": true},
            {"type": "pickString", "id": "where", "options": ["eu", "us"]}],
        "servers": {"asks": {"command": "x", "args": ["--key", "${input:key}", "--where=${input:where}"]},
            "unknown": {"command": "x", "env": {"A": "${input:nobody}"}}}}"#,
    );
    let config = house.load().unwrap();
    let (code, text) = unusable(server(&config, "asks"));
    assert_eq!(code, "needs-input");
    assert!(text.contains("needs input `key` (The key)"), "{text}");
    assert_eq!(unusable(server(&config, "unknown")).0, "needs-input");
    let asked: Vec<_> = server(&config, "asks").asked.iter().map(|asked| (asked.id.as_str(), asked.answered)).collect();
    assert_eq!(asked, [("key", false), ("where", false)]);

    house.answers.keep(&file, "key", Answer("a-long-answer-1".to_owned()));
    house.answers.keep(&file, "where", Answer("eu".to_owned()));
    let config = house.load().unwrap();
    let asks = server(&config, "asks");
    let Target::Stdio { args, .. } = &asks.target else { unreachable!("it is answered") };
    assert_eq!(args, &["--key", "a-long-answer-1", "--where=eu"]);
    assert!(asks.asked.iter().all(|asked| asked.answered));
    assert!(!asks.shared.to_json().contains("a-long-answer-1"));
    assert!(!Redactor::new(&asks.secrets).mask("it said a-long-answer-1").contains("a-long-answer-1"));
}

#[test]
fn row_37_each_file_tried_is_told_with_its_fate() {
    let house = House::new();
    house.write("../.claude.json", r#"{"mcpServers": {"mine": {"command": "x"}}, "projects": {"/other": {"mcpServers": {"theirs": {"command": "x"}}}}}"#);
    house.write(".cursor/mcp.json", "{\"mcpServers\": [}");
    let config = house.load().unwrap();
    let told = |ending: &str| config.searched.iter().find(|searched| searched.file.ends_with(ending)).unwrap();
    let claude = told("home/.claude.json");
    let fates: Vec<_> = claude.entries.iter().map(|(name, _, fate)| format!("{name}: {fate}")).collect();
    assert_eq!(fates, ["mine: taken as `mine`", "theirs: not taken: it is for the project /other"]);
    assert!(told(".cursor/mcp.json").note.as_ref().unwrap().starts_with("not valid JSON"));
    assert_eq!(told("home/.codex/config.toml").found(), "not there");
    assert_eq!(config.problems.len(), 1);
}

#[test]
fn disabled_or_built_in_servers_are_only_told() {
    let house = House::new();
    house.write(
        "../.config/goose/config.yaml",
        "extensions:\n  dev: {type: builtin}\n  off: {type: stdio, cmd: x, enabled: false}\n",
    );
    house.write(".zed/settings.json", "{\"context_servers\": {\"extension\": {\"settings\": {}}, \"off-too\": {\"command\": \"x\", \"enabled\": false}}}");
    let config = house.load().unwrap();
    assert!(config.servers.is_empty());
    let off = |client| format!("its entry is switched off by `enabled`, which {client} honours");
    let (zed, goose) = (off("Zed"), off("goose"));
    let inside = "its client runs it inside itself, so there is nothing to start";
    assert_eq!(
        aside(&config),
        [
            ("extension", "inside-client", inside),
            ("off-too", "switched-off", zed.as_str()),
            ("dev", "inside-client", inside),
            ("off", "switched-off", goose.as_str()),
        ]
    );
}

/// What each client does with `disabled: true` and with `enabled: false`, as its documentation, its source or a trial says;
/// worked out from those, not from the table in the code. Everything else must not switch off.
#[test]
fn only_a_client_known_to_honour_a_key_is_believed() {
    let file = |members: &str| format!(r#"{{"mcpServers": {{"s": {{"command": "x", {members}}}}}}}"#);
    for (path, disabled, enabled) in [
        (".mcp.json", false, false),
        ("../.claude.json", false, false),
        (".cursor/mcp.json", false, false),
        (".windsurf/mcp.json", false, false),
        (".roo/mcp.json", true, false),
        (".gemini/settings.json", false, false),
        (".kiro/settings/mcp.json", true, false),
        (".amazonq/mcp.json", true, false),
        (".junie/mcp/mcp.json", false, false),
        ("../.copilot/mcp-config.json", false, false),
        ("../.lmstudio/mcp.json", false, false),
        ("../.factory/mcp.json", true, false),
    ] {
        for (members, honoured) in [
            (r#""disabled": true"#, disabled),
            (r#""enabled": false"#, enabled),
            (r#""disabled": true, "enabled": true"#, disabled),
            // No reader is known to take these for `true`.
            (r#""disabled": "true""#, false),
            (r#""disabled": 1"#, false),
        ] {
            let house = House::new();
            house.write(path, file(members));
            let config = house.load().unwrap();
            let (watched, off) = (config.servers.len(), config.unwatched.len());
            assert_eq!((watched, off), if honoured { (0, 1) } else { (1, 0) }, "{path} {members}");
            if !honoured {
                // It is not started as a matter of course: the key is named when a person is asked.
                let ignored = &server(&config, "s").ignored;
                assert_eq!(ignored.len(), 1, "{path} {members}");
                assert!(members.contains(ignored[0].key), "{path} {members}");
            }
        }
        for members in [r#""disabled": false"#, r#""enabled": true"#, r#""disabled": null"#] {
            let house = House::new();
            house.write(path, file(members));
            let config = house.load().unwrap();
            assert!(server(&config, "s").ignored.is_empty(), "{path} {members}");
        }
    }
}

#[test]
fn enabled_entry_outweighs_a_disabled_one() {
    let house = House::new();
    house.write(
        ".mcp.json",
        r#"{"mcpServers": {"s": {"command": "x", "disabled": true}, "t": {"command": "y", "disabled": true}}}"#,
    );
    house.write(
        ".cursor/mcp.json",
        r#"{"mcpServers": {"s": {"command": "x"}, "t": {"command": "y", "disabled": true}}}"#,
    );
    let config = house.load().unwrap();
    assert_eq!(server(&config, "s").ignored, []);
    let clients: Vec<_> = server(&config, "t").ignored.iter().map(|ignored| ignored.client).collect();
    assert_eq!(clients, ["Claude Code", "Cursor"]);
}

#[test]
fn claude_code_lists_disable_mcp_json_servers() {
    let servers = r#"{"mcpServers": {"a": {"command": "x"}, "b": {"command": "y"}, "c": {"command": "z"}}}"#;
    for settings in [".claude/settings.json", ".claude/settings.local.json", "../.claude/settings.json"] {
        let house = House::new();
        house.write(".mcp.json", servers);
        house.write("../.claude.json", r#"{"mcpServers": {"b": {"command": "user"}}}"#);
        house.write(settings, r#"{"disabledMcpjsonServers": ["b", 7, "none"], "enabledMcpjsonServers": ["b", "c"]}"#);
        let config = house.load().unwrap();
        // A rejection outweighs an approval, and is about the project's entry alone: the user's has the name then.
        assert_eq!(server(&config, "b").shared.line(), "user", "{settings}");
        assert_eq!(aside(&config)[0].0, "b@claude-code", "{settings}");
        assert!(aside(&config)[0].2.contains("`disabledMcpjsonServers` in "), "{settings}");
        assert_eq!(server(&config, "a").notes, Vec::<String>::new());
        assert!(
            server(&config, "c").notes[0].starts_with("Claude Code starts it without asking: `enabledMcpjsonServers`")
        );
    }
    let house = House::new();
    house.write(".mcp.json", servers);
    let project = house.project().display().to_string();
    house.write("../.claude.json", format!(r#"{{"projects": {{"{project}": {{"disabledMcpjsonServers": ["a"]}}, "/other": {{"disabledMcpjsonServers": ["b"]}}}}}}"#));
    house.write(".claude/settings.json", r#"{"enableAllProjectMcpServers": true, "disabledMcpjsonServers": "c"}"#);
    let config = house.load().unwrap();
    assert_eq!(aside(&config).iter().map(|(id, ..)| *id).collect::<Vec<_>>(), ["a"]);
    assert!(server(&config, "b").notes[0].contains("`enableAllProjectMcpServers` in .claude/settings.json"));
    // Settings that cannot be read say nothing, and Claude Code goes on without them.
    house.write(".claude/settings.json", r#"{"disabledMcpjsonServers": ["b"]"#);
    assert_eq!(house.load().unwrap().servers.len(), 2);
}

#[cfg(unix)]
#[test]
fn project_files_follow_no_links_or_pipes() {
    let house = House::new();
    let secret = house.write("../elsewhere.json", r#"{"mcpServers": {"stolen": {"command": "x"}}}"#);
    std::os::unix::fs::symlink(&secret, house.project().join(".mcp.json")).unwrap();
    fs::create_dir_all(house.project().join(".cursor/mcp.json")).unwrap();
    house.write(".vscode/mcp.json", vec![b' '; 2 << 20]);
    house.write(".roo/mcp.json", format!("{{\"mcpServers\": {}{}}}", "[".repeat(5_000), "]".repeat(5_000)));
    house.write(".codex/config.toml", format!("a = {}{}", "[".repeat(5_000), "]".repeat(5_000)));
    house.write(".continue/config.yaml", format!("a: {}{}", "[".repeat(5_000), "]".repeat(5_000)));
    // One's own files may be links: dotfiles often are.
    let kept = house.write("../dotfiles/cursor.json", r#"{"mcpServers": {"mine": {"command": "x"}}}"#);
    fs::create_dir_all(house.project().join("../.cursor")).unwrap();
    std::os::unix::fs::symlink(kept, house.project().join("../.cursor/mcp.json")).unwrap();
    let config = house.load().unwrap();
    let ids: Vec<_> = config.servers.iter().map(|server| &*server.id).collect();
    assert_eq!(ids, ["mine"]);
    let said: Vec<_> = config.problems.iter().map(ToString::to_string).collect();
    for part in [
        ".mcp.json: it is a link that leads out of the project",
        ".cursor/mcp.json: is not a regular file",
        ".vscode/mcp.json: larger than 1 MiB",
        ".roo/mcp.json:1: it is nested deeper than 64 levels",
        ".codex/config.toml:1: it is no TOML",
        ".continue/config.yaml:1: it is no YAML: recursion limit",
    ] {
        assert!(said.iter().any(|line| line.contains(part)), "{part}: {said:#?}");
    }
}

#[test]
fn yaml_alias_spoils_only_its_entry() {
    let house = House::new();
    let text = "base: &base [a]\nmcpServers:\n  - {name: a, command: x, args: *base}\n  - {name: b, command: x}\n";
    house.write(".continue/config.yaml", text);
    let config = house.load().unwrap();
    assert!(unusable(&config.servers[0]).1.contains("alias") && &*config.servers[1].id == "b");
    let Target::Stdio { command, .. } = &config.servers[1].target else { unreachable!("a command") };
    assert_eq!(command, "x");
    assert!(config.servers[0].asked.is_empty() && config.servers.len() == 2);
}

#[test]
fn codex_tokens_and_windsurf_server_url_are_read() {
    let house = House::new();
    house.write(".codex/config.toml", "[mcp_servers.a]\nurl = \"https://h.example\"\nbearer_token_env_var = \"TOKEN\"\nenv_http_headers = { X-Set = \"SET\" }\n[mcp_servers.b]\ncommand = \"x\"\nenv_vars = [\"SET\"]\n");
    house.write(".windsurf/mcp.json", r#"{"mcpServers": {"w": {"serverUrl": "https://w.example/mcp"}}}"#);
    let config = house.load().unwrap();
    let sent = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(headers(server(&config, "a")), [sent("Authorization", "Bearer t0ken-value-1"), sent("X-Set", "set")]);
    let Target::Stdio { env, .. } = &server(&config, "b").target else { unreachable!("a command") };
    assert_eq!(env["SET"], "set");
    let Target::Http { url, .. } = &server(&config, "w").target else { unreachable!("a URL") };
    assert_eq!(url, "https://w.example/mcp");
}

#[test]
fn launch_is_resolved_as_far_as_can_be_seen() {
    let house = House::new();
    house.write("../.npm/_npx/0a/package.json", r#"{"_npx": {"packages": ["b@latest"]}}"#);
    house.write("../.npm/_npx/0a/node_modules/b/package.json", r#"{"version": "2.1.0"}"#);
    house.write("../.npm/_npx/1b/node_modules/b/package.json", r#"{"version": "1.0.0"}"#);
    house.write(
        "../.cache/uv/archive-v0/x/lib/python3.13/site-packages/mcp_server_git-2026.8.31.dist-info/METADATA",
        "",
    );
    // printf hello | sha256sum
    house.write("server.js", "hello");
    let entry =
        |name: &str, command: &str, args: &str| format!("\"{name}\": {{\"command\": \"{command}\", \"args\": {args}}}");
    let text = [
        entry("npx", "npx", r#"["-y", "b@latest"]"#),
        entry("several", "npx", r#"["b"]"#),
        entry("uvx", "uvx", r#"["mcp-server-git"]"#),
        entry("docker", "docker", r#"["run", "-i", "a/b:1"]"#),
        entry("node", "node", r#"["server.js"]"#),
    ];
    house.write(".mcp.json", format!("{{\"mcpServers\": {{{}}}}}", text.join(", ")));
    let config = house.load().unwrap();
    let environment = |name: &str| house.environment.get(name).cloned();
    let said = |id: &str| server(&config, id).resolved(&environment).sentences().join("; ");
    assert!(
        said("npx").contains("as `latest`, which is not an exact version")
            && said("npx").contains("has version 2.1.0 here")
    );
    assert!(said("several").contains("the versions 1.0.0, 2.1.0 here; which one runs is not visible"));
    assert!(said("uvx").contains("uv has version 2026.8.31 here"));
    assert!(said("docker").contains("not visible"));
    assert_eq!(said("node"), "`server.js` is sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
}

#[test]
fn init_output_reads_back_as_the_same_servers() {
    let house = House::new();
    house.write(".mcp.json", r#"{"mcpServers": {
        "plain": {"command": "npx", "args": ["-y", "b@1.0.0", "."], "env": {"LOG": "${LOG:-info}", "API_KEY": "sk-hunter2hunter2hunter2"}},
        "remote": {"type": "http", "url": "https://h.example/mcp", "headers": {"Authorization": "Bearer ${TOKEN}", "X-Key": "abc"}},
        "unset": {"command": "x", "args": ["${UNSET}"]},
        "quoted \" \\ \u202e name": {"command": "x", "args": ["a\nb", "\"", "\\"]}}}"#);
    house.write(".vscode/mcp.json", r#"{"servers": {"asks": {"command": "x", "args": ["${input:key}"]}, "here": {"command": "${workspaceFolder}/run", "args": ["${HOME}"]}},
        "inputs": [{"id": "key", "type": "promptString"}]}"#);
    let found = house.load().unwrap();
    let text = template(&found);
    for secret in ["hunter2", "t0ken-value-1", "\"abc\""] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
    for part in [
        "API_KEY = \"${API_KEY}\"",
        "X-Key = \"${X_KEY}\"",
        "# left as a comment: ",
        "# include = [\"claude-code\", \"vscode\"]",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    house.write("pinwatch.toml", &text);
    let read = house.load().unwrap();
    assert!(read.problems.is_empty(), "{:?}", read.problems);
    let ids: Vec<_> = read.servers.iter().map(|server| &*server.id).collect();
    assert_eq!(ids, ["plain", "remote", "quoted \" \\ \u{202e} name", "here"], "{text}");
    assert_eq!(server(&read, "plain").shared.line(), server(&found, "plain").shared.line());
    assert_eq!(headers(server(&read, "remote")), &headers(server(&found, "remote"))[..1]);
    let args = |config: &Config, id: &str| match &server(config, id).target {
        Target::Stdio { command, args, .. } => (command.clone(), args.clone()),
        _ => unreachable!("a command"),
    };
    assert_eq!(args(&read, ids[2]).1, args(&found, ids[2]).1);
    assert_eq!(args(&read, "here").1, ["${HOME}"]);
    reviewed("clients__init", &text.replace(house.project().to_str().unwrap(), "PROJECT"));
}
