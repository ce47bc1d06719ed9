//! Which configuration a person gets from which files, and what a wrong one says.

use crate::house::{House, aside};
use crate::reviewed::reviewed;
use pinwatch::config::{AdHoc, AdHocLaunch, Config, FoundBy, Place, ServerConfig};
use pinwatch::digest::DigestScope;
use pinwatch::drift::Profile;
use pinwatch::mcp::Target;
use pinwatch::store::redact::Redactor;
use pinwatch::surface::{Kind, Transport};
use pinwatch::text::is_hidden;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

fn stdio(target: &Target) -> (&str, &[String], &Path, &BTreeMap<String, String>) {
    let Target::Stdio { command, args, cwd, env } = target else { unreachable!("a command was written") };
    (command, args, cwd, env)
}

fn ids(config: &Config) -> Vec<&str> {
    config.servers.iter().map(|server| &*server.id).collect()
}

#[test]
fn the_example_of_the_design_reads_as_it_says() {
    let house = House::with(
        r#"
include = [".mcp.json"]
decided-by = "bob"
digest-scope = "server"
[policy]
profile = "strict"
[poll]
interval = "20s"
[ui]
theme = "mono"
mouse = true
bell = false
title = false
keys = { approve = "A", quit = ["q", "ctrl-x"] }
[servers.files]
command = "npx"
args = ["-y", "@modelcontextprotocol/server-filesystem@2026.8.31", "."]
env = { LOG = "${LOG:-info}" }
start-timeout = "170s"
keep-open = false
ignore-kinds = ["resources", "resource-templates"]
[servers.remote]
url = "http://127.0.0.1:3001/mcp"
headers = { Authorization = "Bearer ${TOKEN}" }
poll-interval = "2m"
request-timeout = "500ms"
"#,
    );
    house.write(".mcp.json", r#"{"mcpServers": {"more": {"command": "uvx", "args": ["thing"]}}}"#);
    let config = house.load().unwrap();
    assert_eq!(config.root.path(), house.project());
    assert_eq!(config.decided_by, "bob");
    assert_eq!(config.policy.rules.profile, Profile::Strict);
    assert_eq!(config.poll.interval, Duration::from_secs(20));
    assert_eq!(
        (config.ui.theme.as_str(), config.ui.mouse, config.ui.bell, config.ui.title),
        ("mono", true, false, false)
    );
    assert_eq!(config.ui.keys["approve"], ["A"]);
    assert_eq!(config.ui.keys["quit"], ["q", "ctrl-x"]);
    assert!(config.problems.is_empty() && config.unwatched.is_empty());
    assert_eq!(ids(&config), ["files", "remote", "more"]);

    let [files, remote, more] = &config.servers[..] else { unreachable!("three") };
    let (command, args, cwd, env) = stdio(&files.target);
    assert_eq!((command, args.len(), cwd), ("npx", 3, house.project().as_path()));
    assert_eq!(env["LOG"], "info");
    assert_eq!(files.start_timeout, Duration::from_secs(170));
    assert_eq!(files.request_timeout, Duration::from_secs(30));
    assert_eq!(files.poll_interval, Duration::from_secs(20));
    assert!(!files.keep_open && remote.keep_open);
    assert_eq!(files.ignore_kinds, [Kind::Resource, Kind::ResourceTemplate].into());
    assert_eq!(files.digest_scope, DigestScope::Server("files".to_owned()));
    let Transport::Stdio { cwd, env, .. } = &files.shared.transport else { unreachable!("a command") };
    assert_eq!((cwd.as_str(), env.as_slice()), (".", &["LOG".to_owned()][..]));

    let Target::Http { url, headers, allow_plain } = &remote.target else { unreachable!("a URL") };
    assert_eq!((url.as_str(), *allow_plain), ("http://127.0.0.1:3001/mcp", false));
    assert_eq!(headers, &[("Authorization".to_owned(), "Bearer t0ken-value-1".to_owned())]);
    assert_eq!((remote.poll_interval, remote.request_timeout), (Duration::from_mins(2), Duration::from_millis(500)));
    assert_eq!(remote.start_timeout, Duration::from_secs(30));
    assert!(!Redactor::new(&remote.secrets).mask("got t0ken-value-1").contains("t0ken-value-1"));
    assert!(!format!("{config:?}").contains("t0ken-value-1"), "a secret in a debug text");

    assert_eq!(more.start_timeout, Duration::from_mins(3), "uvx may install first");
    assert!(config.servers.iter().all(|server| server.origin.found_by == FoundBy::Found));
    assert_eq!((files.origin.line, more.origin.line), (15, 1));
}

#[test]
fn a_config_that_says_nothing_has_the_defaults() {
    let config = House::with("").load().unwrap();
    assert!(config.servers.is_empty() && config.problems.is_empty());
    assert_eq!(config.decided_by, "ana");
    assert_eq!(config.poll.interval, Duration::from_secs(30));
    assert_eq!(
        (config.ui.theme.as_str(), config.ui.mouse, config.ui.bell, config.ui.title),
        ("ansi", false, true, true)
    );
    assert_eq!(config.policy.rules.profile, Profile::Balanced);
    // printf '{"format":"pinwatch.policy.v1","profile":"balanced"}' | sha256sum
    assert_eq!(config.policy.digest.to_string(), "9ca1b33700c3561d184c3143978ab874a4345a1f09d18bed2b09a5b4ab909819");
}

#[test]
fn bad_configs_say_where_and_what_would_be_right() {
    let server = |line: &str| format!("[servers.files]\ncommand = \"npx\"\n{line}\n");
    let http = |line: &str| format!("[servers.remote]\nurl = \"http://127.0.0.1/\"\n{line}\n");
    let cases = [
        "intervall = 3".to_owned(),
        "[pol]\ninterval = \"3s\"".to_owned(),
        "\n[poll]\nintervall = \"3s\"".to_owned(),
        "[poll]\ninterval = 3".to_owned(),
        "[poll]\ninterval = \"3\"".to_owned(),
        "[poll]\ninterval = \"0s\"".to_owned(),
        "poll = \"3s\"".to_owned(),
        "[poll".to_owned(),
        "a = 1\na = 2".to_owned(),
        "[servers.files]\ncommand = \"x\"\n[servers.files]\ncommand = \"y\"".to_owned(),
        "include = \".mcp.json\"".to_owned(),
        "include = [\n  \".mcp.json\",\n  7]".to_owned(),
        "include = [\"mcp.json\"]".to_owned(),
        "include = [\"vs-code\"]".to_owned(),
        "include = [\"notepad\"]".to_owned(),
        "decided-by = \" \"".to_owned(),
        "digest-scope = \"servers\"".to_owned(),
        "[policy]\nprofile = \"balance\"".to_owned(),
        "[policy]\nfail-on = \"moderate\"".to_owned(),
        "[[policy.override]]\ntype = \"tool_removd\"\nseverity = \"info\"".to_owned(),
        "[[policy.override]]\nrule = \"hidden-character\"\nseverity = \"info\"".to_owned(),
        "[[policy.override]]\nseverity = \"info\"".to_owned(),
        "[[policy.override]]\ntype = \"tool_removed\"\nseverity = \"low\"".to_owned(),
        "[[policy.override]]\ntype = \"tool_removed\"".to_owned(),
        "[[policy.override]]\ntype = \"tool_removed\"\nitem = \"tol/a\"\nseverity = \"info\"".to_owned(),
        "[policy]\noverride = 3".to_owned(),
        server("[[policy.override]]\ntype = \"tool_removed\"\nserver = \"fils\"\nseverity = \"info\""),
        server("[[policy.suppress]]\nserver = \"files\"\nitem = \"tool/a\"\ndigest = \"0f\"\nreason = \"x\""),
        format!("[[policy.suppress]]\nserver = \"files\"\nitem = \"tool/a\"\ndigest = \"sha256:{}\"", "0f".repeat(32)),
        "[ui]\ntheem = \"mono\"".to_owned(),
        "[ui]\nmouse = \"yes\"".to_owned(),
        "[ui.keys]\napprove = 7".to_owned(),
        "[servers]\nfiles = \"npx\"".to_owned(),
        "[servers.\"\"]\ncommand = \"npx\"".to_owned(),
        "[servers.files]\nargs = [\"a\"]".to_owned(),
        "[servers.\"my files\"]\ncomand = \"npx\"".to_owned(),
        server("start_timeout = \"3s\""),
        server("args = \"a b\""),
        server("args = [\"a\",\n 7]"),
        server("env = [\"A=b\"]"),
        server("env = { PORT = 3001 }"),
        server("env = { \"A=B\" = \"x\" }"),
        server("url = \"http://127.0.0.1/\""),
        server("headers = { A = \"b\" }"),
        server("allow-plain = true"),
        server("ignore-kinds = [\"resource\"]"),
        server("keep-open = \"no\""),
        server("args = [\"${UNSET}\"]"),
        server("args = [\"ok\", \"--key=${UNSET}\"]"),
        server("env = { KEY = \"${UNSET}\" }"),
        server("env = { KEY = \"${env:SET}\" }"),
        server("cwd = \"${SET\""),
        http("cwd = \".\""),
        http("headers = { Authorization = \"Bearer ${UNSET}\" }"),
        http("headers = { \"A b\" = \"c\" }"),
        http("headers = { A = \"a\\nB: c\" }"),
        http("headers = { A = \"a\", a = \"b\" }"),
        http("[servers.remote.sign-in]\nclient = \"a\""),
        http("[servers.remote.sign-in]\nclient-secret = \"${SET}\""),
        http("[servers.remote.sign-in]\nclient-id = \"a\"\ngrant = \"client-credentials\""),
        http("[servers.remote.sign-in]\ngrant = \"implicit\""),
        http("[servers.remote.sign-in]\nredirect-port = 0"),
        http("[servers.remote.sign-in]\nredirect-port = \"8765\""),
        http("[servers.remote.sign-in]\nscopes = [\"a\\u0007\"]"),
        http("[servers.remote.sign-in]\nauthorization-server = \"http://login.example/\""),
        http("[servers.remote.sign-in]\nclient-document = \"https://me@a.example/c\""),
        http("[servers.remote.sign-in]\nclient-id = \"${UNSET}\""),
        server("[servers.files.sign-in]\nclient-id = \"a\""),
        "[servers.files]\ncommand = \"\"".to_owned(),
        "decided-by = \"a\\u200Bna\"".to_owned(),
        server("args = [\"${env:TOKEN:-hunter2}\"]"),
        "[servers.\"\\u202e\"]\ncommand = 7".to_owned(),
    ];
    let mut said = String::new();
    for case in cases {
        let error = House::with(&case).load().expect_err(&case).to_string();
        assert!(!error.contains('\n'), "{error:?} is more than a line");
        writeln!(said, "{case}\n  => {error}\n").unwrap();
    }
    reviewed("config__bad_configs", &said);
}

#[test]
fn policy_changes_move_its_digest() {
    let digest = "0f".repeat(32);
    let one = |reason: &str| {
        House::with(&format!(
            "[servers.files]\ncommand = \"x\"\n[[policy.override]]\ntype = \"tool_removed\"\nserver = \"files\"\n\
             severity = \"critical\"\n[[policy.suppress]]\nserver = \"files\"\nitem = \"tool/a/b\"\n\
             digest = \"sha256:{digest}\"\nrule = \"asks-for-secrets\"\nreason = \"{reason}\"\n"
        ))
        .load()
        .unwrap()
        .policy
    };
    let policy = one("it manages keys");
    let exceptions = &policy.rules.exceptions;
    assert_eq!((exceptions.overrides.len(), exceptions.suppressions.len()), (1, 1));
    assert_eq!(*exceptions.suppressions[0].item.key, *"a/b");
    assert_eq!(policy.digest, one("it manages keys").digest);
    assert!(policy.digest != one("other words").digest && policy.digest != House::new().load().unwrap().policy.digest);
}

#[test]
fn a_wrong_address_is_a_state_of_that_server_alone() {
    for url in ["not a url", "ftp://host/", "http://", "/mcp"] {
        let config =
            House::with(&format!("[servers.a]\nurl = \"{url}\"\n[servers.b]\ncommand = \"x\"")).load().unwrap();
        assert_eq!(ids(&config), ["a", "b"]);
        assert!(unusable(&config)[0].starts_with("a: pinwatch.toml:2: url: "), "{url}: {:?}", unusable(&config));
        assert_eq!(unusable(&config).len(), 1, "{url}");
    }
}

/// Each server that cannot be used, and why.
fn unusable(config: &Config) -> Vec<String> {
    let why = |server: &ServerConfig| match &server.target {
        Target::Unusable(reason) => Some(format!("{}: {}", server.id, reason.text)),
        Target::Stdio { .. } | Target::Http { .. } | Target::Unwatched(_) => None,
    };
    config.servers.iter().filter_map(why).collect()
}

/// Reads a `.mcp.json` of the project.
fn client(text: impl AsRef<[u8]>) -> Config {
    let house = House::new();
    house.write(".mcp.json", text);
    house.load().unwrap()
}

#[test]
fn a_client_file_is_read_as_its_client_reads_it() {
    let config = client(
        r#"{
  "$schema": "x",
  "mcpServers": {
    "files": {"command": "npx", "args": ["-y", "x"], "env": {"KEY": "${TOKEN}"}, "cwd": "sub", "autoApprove": ["*"]},
    "typed": {"type": "stdio", "command": "${HOME}/bin/x", "args": ["$${SET}", "${NONE:-y}"]},
    "remote": {"type": "http", "url": "http://127.0.0.1:${PORT:-3001}/mcp", "headers": {"X-Key": "${TOKEN}"}},
    "stream": {"type": "streamable-http", "url": "https://h.example/"},
    "untyped": {"url": "https://h.example/"},
    "older": {"type": "sse", "url": "https://h.example/sse"},
    "off": {"type": "sse", "url": "https://h.example/", "disabled": true}
  }
}"#,
    );
    assert_eq!(config.problems, []);
    assert_eq!(ids(&config), ["files", "typed", "remote", "stream", "untyped", "older", "off"]);
    let (_, _, cwd, env) = stdio(&config.servers[0].target);
    assert!(cwd.ends_with("home/project/sub"));
    assert_eq!(env["KEY"], "t0ken-value-1");
    let (command, args, ..) = stdio(&config.servers[1].target);
    assert!(command.ends_with("home/bin/x") && !command.contains('$'));
    assert_eq!(args, ["$set", "y"]);
    let Target::Http { url, headers, .. } = &config.servers[2].target else { unreachable!("a URL") };
    assert_eq!((url.as_str(), headers[0].1.as_str()), ("http://127.0.0.1:3001/mcp", "t0ken-value-1"));
    assert_eq!(config.servers[0].origin.line, 4);
    assert_eq!(config.unwatched.len(), 0);
    assert_eq!(config.servers[6].ignored[0].key, "disabled");
}

#[test]
fn one_bad_entry_of_a_client_file_hides_nothing_else() {
    let text = r#"{"mcpServers": {
  "good": {"command": "x"},
  "nothing": {},
  "number": 7,
  "args": {"command": "x", "args": "a b"},
  "arg": {"command": "x", "args": [7]},
  "env": {"command": "x", "env": {"PORT": 3001}},
  "unset": {"command": "x", "args": ["${UNSET}"]},
  "header": {"type": "http", "url": "http://127.0.0.1/", "headers": {"Authorization": "Bearer ${UNSET}"}},
  "cursor": {"command": "x", "args": ["${env:TOKEN}"]},
  "socket": {"type": "ws", "url": "ws://127.0.0.1/"},
  "odd\u202e": {"type": "ws\u202e", "url": "ws://127.0.0.1/"},
  "no url": {"type": "http", "command": "x"},
  "bad url": {"type": "http", "url": "h.example"},
  "twice": {"command": "x"},
  "member": {"command": "x", "command": "y"},
  "twice": {"command": "y"},
  "": {"command": "x"},
  "empty": {"command": " "},
  "last": {"command": "x"}
}}"#;
    let config = client(text);
    let (problems, unusable) = (config.problems.iter().map(ToString::to_string), unusable(&config));
    let usable: Vec<_> = ids(&config)
        .into_iter()
        .filter(|id| !unusable.iter().any(|said| said.starts_with(&format!("{id}: "))))
        .collect();
    assert_eq!(usable, ["good", "last"]);
    reviewed("config__bad_entries", &problems.chain(unusable).collect::<Vec<_>>().join("\n"));
}

#[test]
fn a_bad_client_file_is_a_problem_and_not_the_end() {
    let mut said = String::new();
    for text in [
        "{\"mcpServers\": {\n\"a\": {\"command\": \"x\",}\n}}",
        "// comment\n{}",
        "{}",
        "[]",
        "{\"mcpServers\": []}",
        "{\"mcpServers\": {}, \"mcpServers\": {\"a\": {\"command\": \"x\"}}}",
        "{\"mcpServers\": {}} x",
    ] {
        let config = client(text);
        assert!(config.servers.is_empty());
        assert_eq!(config.problems.len(), 1, "{text}");
        writeln!(said, "{text}\n  => {}\n", config.problems[0]).unwrap();
    }
    reviewed("config__bad_client_files", &said);
    let deep = format!("{{\"mcpServers\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(client(deep).problems[0].text.contains("64 levels"));
    assert!(client(vec![b' '; 2 << 20]).problems[0].text.contains("1 MiB"));
    assert_eq!(unusable(&client(b"{\"mcpServers\": {\"a\": {\"command\": \"\xFF\"}}}")).len(), 1);
}

#[test]
fn empty_file_and_byte_order_mark_are_fine() {
    for text in ["", " \n", "\u{FEFF}", "{\"mcpServers\": {}}"] {
        let config = client(text);
        assert!(config.servers.is_empty() && config.problems.is_empty(), "{text:?}");
        let searched = config.searched.iter().find(|searched| searched.file.ends_with("project/.mcp.json"));
        assert_eq!(searched.unwrap().servers, Some(0));
    }
    assert_eq!(ids(&client("\u{FEFF}{\"mcpServers\": {\"a\": {\"command\": \"x\"}}}")), ["a"]);
    assert_eq!(House::with("\u{FEFF}decided-by = \"bob\"").load().unwrap().decided_by, "bob");
}

#[test]
fn the_nearest_config_up_to_the_repository_counts() {
    let house = House::new();
    house.write("../pinwatch.toml", "decided-by = \"outside\"");
    house.write("../.mcp.json", "{\"mcpServers\": {\"outside\": {\"command\": \"x\"}}}");
    let config = house.load_as("a/b", |_| {}).unwrap();
    assert_eq!((config.decided_by.as_str(), config.servers.len()), ("ana", 0), "the walk left the repository");
    assert!(config.searched.iter().all(|searched| searched.servers.is_none()));

    house.write(".mcp.json", "{\"mcpServers\": {\"json\": {\"command\": \"x\"}}}");
    assert_eq!(ids(&house.load_as("a/b", |_| {}).unwrap()), ["json"]);
    house.write("pinwatch.toml", "[servers.toml]\ncommand = \"x\"");
    let config = house.load_as("a/b", |_| {}).unwrap();
    assert_eq!(ids(&config), ["toml"], "where there is a pinwatch.toml, only it decides what is read");
    assert!(config.servers[0].project().ends_with("home/project"));
    house.write("a/pinwatch.toml", "[servers.near]\ncommand = \"x\"");
    let config = house.load_as("a/b", |_| {}).unwrap();
    assert_eq!(ids(&config), ["near"]);
    assert_eq!(config.root.path(), house.project().join("a"));
}

#[cfg(unix)]
#[test]
fn outside_a_repository_writable_files_are_ignored() {
    use std::os::unix::fs::PermissionsExt as _;
    let house = House::new();
    fs::remove_dir(house.project().join(".git")).unwrap();
    house.write("../pinwatch.toml", "decided-by = \"home\"");
    assert_eq!(house.load().unwrap().decided_by, "home");
    fs::set_permissions(house.project().join(".."), fs::Permissions::from_mode(0o777)).unwrap();
    assert_eq!(house.load().unwrap().decided_by, "ana");
}

#[test]
fn a_root_is_found_by_its_baselines_too() {
    let house = House::new();
    assert_eq!(house.load_as("a", |_| {}).unwrap().root.path(), house.places().data);
    house.write("snapshots/x/baseline.json", "{\n \"anchor\": {},\n \"format\": \"pinwatch.baseline.v1\"}");
    assert_eq!(house.load_as("a", |_| {}).unwrap().root.path(), house.project());
}

#[test]
fn the_root_can_be_named() {
    let house = House::with("[servers.here]\ncommand = \"x\"");
    let missing = house.load_as("", |request| request.root = Some(Path::new("other"))).unwrap_err().to_string();
    assert!(missing.starts_with("command line: there is no folder "), "{missing}");
    fs::create_dir(house.project().join("other")).unwrap();
    let config = house.load_as("", |request| request.root = Some(Path::new("other/.."))).unwrap();
    assert_eq!(config.root.path(), house.project());
    let config = house.load_as("", |request| request.root = Some(Path::new("other"))).unwrap();
    assert_eq!((config.root.path(), ids(&config)), (house.project().join("other").as_path(), vec!["here"]));
    let Transport::Stdio { cwd, .. } = &config.servers[0].shared.transport else { unreachable!("a command") };
    assert_eq!(cwd, "(outside the root)", "no absolute path is shared");
    house.write("other/pinwatch.toml", "[servers.there]\ncommand = \"x\"");
    let config = house.load_as("", |request| request.root = Some(Path::new("other"))).unwrap();
    assert_eq!(ids(&config), ["there"], "the root's own config comes first");
    assert_eq!(config.servers[0].origin.found_by, FoundBy::Found, "naming a root agrees to nothing");
}

#[test]
fn a_named_config_counts_alone() {
    let house = House::with("[servers.found]\ncommand = \"x\"");
    house.write("ci/check.toml", "[servers.named]\ncommand = \"./run\"");
    let config = house.load_as("", |request| request.config = Some(Path::new("ci/check.toml"))).unwrap();
    assert_eq!(ids(&config), ["named"]);
    assert_eq!(config.root.path(), house.project().join("ci"));
    assert_eq!(config.servers[0].origin.found_by, FoundBy::Named);
    let (command, _, cwd, _) = stdio(&config.servers[0].target);
    assert_eq!(cwd, house.project().join("ci"));
    assert_eq!(Path::new(command), house.project().join("ci/./run"));

    let above = house.load_as("ci/deep", |request| request.config = Some(Path::new("../check.toml"))).unwrap();
    assert_eq!(above.root.path(), house.project().join("ci"));

    let missing = house.load_as("", |request| request.config = Some(Path::new("none.toml"))).unwrap_err().to_string();
    assert!(missing.starts_with("none.toml: cannot be read: "), "{missing}");
    let missing = house.load_as("", |request| request.config = Some(Path::new("none.json"))).unwrap_err().to_string();
    assert!(missing.starts_with("none.json: cannot be read: "), "{missing}");
    let folder = house.load_as("", |request| request.config = Some(Path::new("ci"))).unwrap_err().to_string();
    assert!(folder.starts_with("ci: cannot be read: "), "{folder}");
    house.write("bin.toml", b"\xFF");
    let binary = house.load_as("", |request| request.config = Some(Path::new("bin.toml"))).unwrap_err().to_string();
    assert_eq!(binary, "bin.toml: it is no UTF-8");
}

#[test]
fn the_persons_own_file_is_about_the_person() {
    let house = House::new();
    house.write("../../own/config/config.toml", "decided-by = \"me\"\n[ui]\ntheme = \"mono\"\nkeys = { quit = \"Q\" }");
    house
        .write("pinwatch.toml", "decided-by = \"team\"\n[ui]\ntheme = \"ansi\"\nbell = false\nkeys = { help = \"H\" }");
    let config = house.load().unwrap();
    assert_eq!((config.decided_by.as_str(), config.ui.theme.as_str(), config.ui.bell), ("me", "mono", false));
    assert_eq!(config.ui.keys.keys().collect::<Vec<_>>(), ["help", "quit"]);
    assert!(matches!(&config.ui.theme_place, Some(Place::File { line: Some(3), .. })));
    let named = house.load_as("", |request| request.config = Some(Path::new("pinwatch.toml"))).unwrap();
    assert_eq!((named.decided_by.as_str(), named.ui.theme.as_str()), ("team", "ansi"), "a named file says more");

    let own = house.write("../../own/config/config.toml", "[servers.x]\ncommand = \"x\"");
    let error = house.load().unwrap_err().to_string();
    assert!(
        error.ends_with("config.toml:1: `servers`: belongs in a project's pinwatch.toml, not in your own config"),
        "{error}"
    );
    fs::write(&own, "[ui]\nthem = \"x\"").unwrap();
    assert!(house.load().unwrap_err().to_string().contains(":2: unknown key `them` in [ui]; did you mean `theme`?"));
}

#[test]
fn typed_server_stands_alone_under_the_policy() {
    let house = House::with("[policy]\nprofile = \"strict\"\n[servers.broken]\ncommand = \"${UNSET}\"");
    let typed = ["sh", "-c", "echo ${TOKEN} $${SET}"].map(str::to_owned).to_vec();
    let ad_hoc = AdHoc { name: "typed".to_owned(), launch: AdHocLaunch::Command(typed) };
    let config = house.load_typed("sub", &ad_hoc).unwrap();
    assert_eq!((ids(&config), config.policy.rules.profile), (vec!["typed"], Profile::Strict));
    let (command, args, cwd, _) = stdio(&config.servers[0].target);
    assert_eq!((command, args[1].as_str()), ("sh", "echo ${TOKEN} $${SET}"), "the shell has expanded it");
    assert_eq!(cwd, house.project().join("sub"));
    assert_eq!((config.servers[0].origin.file.clone(), config.servers[0].origin.found_by), (None, FoundBy::AdHoc));
    assert!(config.servers[0].variables().is_empty());

    let headers = vec![("Authorization".to_owned(), "Bearer ${TOKEN}".to_owned())];
    let launch = AdHocLaunch::Url { url: "http://127.0.0.1:1/${SET}".to_owned(), headers };
    let ad_hoc = AdHoc { name: "typed".to_owned(), launch };
    let config = house.load_typed("", &ad_hoc).unwrap();
    let Target::Http { url, headers, .. } = &config.servers[0].target else { unreachable!("a URL") };
    assert_eq!((url.as_str(), headers[0].1.as_str()), ("http://127.0.0.1:1/set", "Bearer t0ken-value-1"));

    let unset = AdHoc {
        name: "typed".to_owned(),
        launch: AdHocLaunch::Url {
            url: "http://h/".to_owned(),
            headers: vec![("A".to_owned(), "${UNSET}".to_owned())],
        },
    };
    let error = house.load_typed("", &unset).unwrap_err().to_string();
    assert!(error.starts_with("command line: server `typed`: headers.A: "), "{error}");
}

#[test]
fn the_first_file_that_names_a_server_wins() {
    let house = House::with(
        "include = [\".mcp.json\"]\n[servers.a]\ncommand = \"own\"\n[servers.b]\ncommand = \"x\"\ndisabled = true",
    );
    house.write(".mcp.json", "{\"mcpServers\": {\n\"a\": {\"command\": \"other\"},\n\"b\": {\"command\": \"other\"}}}");
    let config = house.load().unwrap();
    assert_eq!(ids(&config), ["a"]);
    assert_eq!(stdio(&config.servers[0].target).0, "own");
    assert_eq!(
        aside(&config),
        [
            ("b", "switched-off", "its entry is switched off by `disabled`"),
            ("a@claude-code", "shadowed", "pinwatch.toml:2 has a server of this id"),
            ("b@claude-code", "shadowed", "pinwatch.toml:4 has a server of this id"),
        ]
    );
}

#[test]
fn an_included_file_that_is_not_there_is_said() {
    let config = House::with("include = [\".mcp.json\"]\n[servers.a]\ncommand = \"x\"").load().unwrap();
    assert_eq!(ids(&config), ["a"]);
    assert_eq!(
        config.problems[0].to_string(),
        "pinwatch.toml:1: `include` names `.mcp.json`, and there is no such file here or above"
    );
}

#[test]
fn a_disabled_server_needs_no_variables() {
    let config = House::with("[servers.a]\ncommand = \"${UNSET}\"\ndisabled = true").load().unwrap();
    assert!(config.servers.is_empty());
    assert_eq!(config.unwatched.len(), 1);
}

#[test]
fn an_installer_gets_time_for_a_cold_install() {
    let timeout = |command: &str, line: &str| {
        House::with(&format!("[servers.a]\ncommand = '{command}'\n{line}")).load().unwrap().servers[0].start_timeout
    };
    for command in ["npx", "uvx", "docker", "pnpm", "bunx", "podman", "yarn", "/usr/local/bin/npx", "npx.cmd"] {
        assert_eq!(timeout(command, ""), Duration::from_mins(3), "{command}");
    }
    for command in ["node", "npxx", "/opt/npx/server", "./docker-server"] {
        assert_eq!(timeout(command, ""), Duration::from_secs(30), "{command}");
    }
    assert_eq!(timeout("npx", "start-timeout = \"5s\""), Duration::from_secs(5));
    let house = House::with("[servers.a]\ncommand = \"npx\"\nstart-timeout = \"5s\"\nrequest-timeout = \"6s\"");
    let typed = house.load_as("", |request| request.timeout = Some(Duration::from_secs(7))).unwrap();
    assert_eq!(
        (typed.servers[0].start_timeout, typed.servers[0].request_timeout),
        (Duration::from_secs(7), Duration::from_secs(7)),
        "what is typed wins"
    );
}

#[test]
fn shared_launch_has_no_secret_or_local_path() {
    let house = House::with(
        r#"
[servers.a]
command = "${HOME}/bin/x"
args = ["--token", "hunter2", "${TOKEN}", "--dir", "."]
cwd = "./sub/../deep"
env = { B = "b", A = "hunter2" }
[servers.b]
command = "x"
cwd = "${HOME}"
[servers.c]
url = "https://u:hunter2@h.example/p?token=hunter2&q=${SET}"
headers = { X-B = "hunter2", Accept = "x" }
"#,
    );
    let launches: Vec<_> = house.load().unwrap().servers.iter().map(|server| server.shared.to_json()).collect();
    assert_eq!(
        launches,
        [
            r#"{"command":"${HOME}/bin/x","args":["--token","<redacted token>","${TOKEN}","--dir","."],"cwd":"deep","env":["A","B"]}"#,
            r#"{"command":"x","args":[],"cwd":"${HOME}","env":[]}"#,
            r#"{"url":"https://h.example/p?token=<redacted token>&q=${SET}","headers":["accept","x-b"]}"#,
        ]
    );
}

#[test]
fn a_default_in_a_wrong_reference_is_not_repeated() {
    let error = House::with("[servers.a]\ncommand = \"${env:TOKEN:-hunter2}\"").load().unwrap_err().to_string();
    assert!(!error.contains("hunter2"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Found files are hostile: whatever they hold, there is an answer, and it is printable on one line.
    #[test]
    fn no_file_is_too_strange(pieces in prop::collection::vec(0..PIECES.len(), 0..24), noise in any::<Vec<u8>>()) {
        let house = House::new();
        let text: String = pieces.iter().map(|piece| PIECES[*piece]).collect();
        for bytes in [text.as_bytes(), &noise, &[text.as_bytes(), &noise].concat()] {
            for name in ["pinwatch.toml", ".mcp.json"] {
                house.write(name, bytes);
                let said = match house.load() {
                    Ok(config) => config.problems.iter().map(ToString::to_string).collect(),
                    Err(error) => vec![error.to_string()],
                };
                for line in said {
                    prop_assert!(!line.contains(is_hidden), "{line:?}");
                }
                fs::remove_file(house.project().join(name)).unwrap();
            }
        }
    }
}

/// What config files are made of, and what they should not be made of.
const PIECES: [&str; 26] = [
    "{",
    "}",
    "[",
    "]",
    "\"",
    ":",
    ",",
    "=",
    "\n",
    "servers",
    ".a",
    "\"mcpServers\"",
    "\"a\"",
    "command",
    "\"command\"",
    "\"x\"",
    "args",
    "url",
    "\"url\"",
    "\"${SET}\"",
    "${",
    "\u{202E}",
    "\0",
    "\\u0000",
    "true",
    "7",
];
