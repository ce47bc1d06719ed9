//! Which configuration a person gets from which files, and what a wrong one says.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test stops where it cannot go on")]

use pinwatch::config::{self, Config, ConfigError, FoundBy, Request};
use pinwatch::digest::DigestScope;
use pinwatch::mcp::Target;
use pinwatch::store::redact::Redactor;
use pinwatch::surface::{Kind, Transport};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A home with a repository `home/project`, and an environment that knows no other folder.
struct House {
    folder: tempfile::TempDir,
    environment: BTreeMap<String, String>,
}

impl House {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("home").to_str().unwrap().to_owned();
        fs::create_dir_all(folder.path().join("home/project/.git")).unwrap();
        let environment = [("HOME", home.as_str()), ("USER", "ana"), ("TOKEN", "t0ken-value-1"), ("SET", "set")];
        let environment = environment.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        Self { folder, environment }
    }

    /// A house whose project has this `pinwatch.toml`.
    fn with(toml: &str) -> Self {
        let house = Self::new();
        house.write("pinwatch.toml", toml);
        house
    }

    fn project(&self) -> PathBuf {
        self.folder.path().join("home/project")
    }

    /// Writes a file, named from the project's folder.
    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let file = self.project().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        file
    }

    fn load(&self) -> Result<Config, ConfigError> {
        self.ask(|_| {})
    }

    fn ask(&self, change: impl FnOnce(&mut Request<'_>)) -> Result<Config, ConfigError> {
        let cwd = self.project();
        let environment = |name: &str| self.environment.get(name).cloned();
        let mut request =
            Request { cwd: &cwd, config: None, root: None, timeout: None, ad_hoc: None, environment: &environment };
        change(&mut request);
        config::load(&request)
    }
}

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
    assert_eq!(config.root, house.project());
    assert_eq!(config.decided_by, "bob");
    assert_eq!(config.policy.profile, "strict");
    assert_eq!(config.poll.interval, Duration::from_secs(20));
    assert_eq!(
        (config.ui.theme.as_str(), config.ui.mouse, config.ui.bell, config.ui.title),
        ("mono", true, false, false)
    );
    assert_eq!(config.ui.keys["approve"], ["A"]);
    assert_eq!(config.ui.keys["quit"], ["q", "ctrl-x"]);
    assert!(config.problems.is_empty() && config.set_aside.is_empty());
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
    assert_eq!(config.policy.profile, "balanced");
    // printf '{"format":"pinwatch.policy.v1","profile":"balanced"}' | sha256sum
    assert_eq!(config.policy.digest.to_string(), "9ca1b33700c3561d184c3143978ab874a4345a1f09d18bed2b09a5b4ab909819");
}

#[test]
fn each_bad_config_says_where_and_what_would_be_right() {
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
        "include = [\"vscode\"]".to_owned(),
        "decided-by = \" \"".to_owned(),
        "digest-scope = \"servers\"".to_owned(),
        "[policy]\nprofile = \"balance\"".to_owned(),
        "[policy]\nfail-on = \"moderate\"".to_owned(),
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
        "[servers.files]\ncommand = \"\"".to_owned(),
        "[servers.\"\\u202e\"]\ncommand = 7".to_owned(),
    ];
    let mut said = String::new();
    for case in cases {
        let error = House::with(&case).load().expect_err(&case).to_string();
        assert!(!error.contains('\n'), "{error:?} is more than a line");
        writeln!(said, "{case}\n  => {error}\n").unwrap();
    }
    insta::assert_snapshot!("bad_configs", said);
}

#[test]
fn a_wrong_address_is_a_state_of_that_server_alone() {
    for url in ["not a url", "ftp://host/", "http://", "/mcp"] {
        let config =
            House::with(&format!("[servers.a]\nurl = \"{url}\"\n[servers.b]\ncommand = \"x\"")).load().unwrap();
        assert_eq!(ids(&config), ["b"]);
        assert_eq!(config.problems[0].server.as_deref(), Some("a"), "{url}");
    }
}
