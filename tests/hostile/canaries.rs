//! A run with a secret in every place where one can stand: nothing of them is in what was shown or written.

use super::fixture::fixture_server;
use super::project::{Project, done, drifted, two_tools};
use super::terminal::{Terminal, pinwatch_in};
use super::web;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Where a secret stands, and the secret. Random letters, each another; two with characters that are escaped in JSON, in
/// URLs and in base64.
const CANARIES: [(&str, &str); 19] = [
    ("env value", "hq7Zr2LmX9vB4nT8kWc3YpD6"),
    ("env from a variable", "ghp_w1Qe5Rt9Yu3Io7Pa2Sd6Fg0Hj4Kl8Zx1Cv5B"),
    ("env from a default", "pT6mZ2qX8cV4bN0aS5dF9gH3"),
    ("env with odd characters", "a/B+c\"D%e=F g\\H7j1K2l3M"),
    ("argument with a name", "uJ3kL8wQ1zX6cR9vT4bY7nM2"),
    ("argument after its name", "oK5pL0wE3rT8yU2iA7sD4fG9"),
    ("argument from a variable", "xC1vB6nM4qW9eR3tY8uI2oP7"),
    ("argument with a known form", "sk-proj-Zx9Cv8Bn7Mq6We5Rt4Yu3Io2Pa1Sd0Fg"),
    ("header value", "dF7gH2jK9lZ4xC8vB1nM6qW3"),
    ("header from a variable", "tY5uI0oP8aS3dF6gH1jK9lZ4"),
    ("password of a URL", "eR2tY7uI4oP9aS1dF8gH5jK3"),
    ("query of a URL", "cV6bN1mQ8wE4rT9yU3iO7pA2"),
    ("a client's input", "zX8cV3bN7mL2kJ9hG4fD1sA6"),
    ("a client's env", "qA4wS9eD3rF8tG2yH7uJ1iK5"),
    ("a client's env file", "mN7bV2cX9zL4kJ8hG3fD6sP1"),
    ("typed on the command line", "yH6nB1vG7fC4dX9sZ2aQ5wE8"),
    ("typed argument", "kD4sW8xN2mC7vB1qL9zR6tY3"),
    ("password of a typed URL", "bG9hT3rV6cX1nM8zQ5wK2pJ7"),
    ("path of a URL from a variable", "vR5nX2cT8bM1zK6qW9jH4dP7"),
];

fn canary(place: &str) -> &'static str {
    CANARIES.iter().find(|(name, _)| *name == place).expect("a place").1
}

/// The secret as it is, and as JSON, URLs, forms and base64 would have it, whole or a good part of it.
fn forms(secret: &str) -> Vec<String> {
    let mut forms = vec![secret.to_owned(), secret.chars().rev().collect()];
    let json = json!(secret).to_string();
    forms.push(json[1..json.len() - 1].to_owned());
    let percent = |plain: fn(u8) -> bool| {
        secret.bytes().fold(String::new(), |mut out, byte| {
            if plain(byte) {
                out.push(char::from(byte));
            } else {
                write!(out, "%{byte:02X}").expect("a String takes all");
            }
            out
        })
    };
    forms.push(percent(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte)));
    forms.push(percent(|_| false));
    // Wherever it begins in what was encoded, one of the three has its middle in common with it.
    for before in ["", "x", "xx"] {
        let encoded =
            base64::Engine::encode(&base64::engine::general_purpose::STANDARD_NO_PAD, format!("{before}{secret}"));
        forms.push(encoded[4..encoded.len() - 4].to_owned());
    }
    forms.push(secret.bytes().fold(String::new(), |mut out, byte| {
        write!(out, "{byte:02x}").expect("a String takes all");
        out
    }));
    // A cut is no mask.
    forms.push(secret[..12].to_owned());
    forms.push(secret[secret.len() - 12..].to_owned());
    forms
}

fn search(what: &str, text: &str, found: &mut Vec<String>) {
    for (place, secret) in CANARIES {
        if let Some(form) = forms(secret).into_iter().find(|form| text.contains(form)) {
            found.push(format!("{what} holds the {place} as {form}"));
        }
    }
}

fn staged() -> Project {
    let project = Project::new();
    let program = json!(fixture_server()).to_string();
    // It quotes the token that it was given in an error, in its log and on standard error, as servers do.
    let script = json!("echo \"starting with $API_TOKEN and $PASSWORD\" >&2; shift 6; exec \"$0\" \"$@\"");
    let args = format!(
        "[\"-c\", {script}, {program}, \"--api-key={}\", \"--token\", \"{}\", \"--secret=${{ARG_SECRET}}\", \"{}\", \"x\", \"y\", \"files.json\"]",
        canary("argument with a name"),
        canary("argument after its name"),
        canary("argument with a known form"),
    );
    let env = format!(
        "env = {{ API_TOKEN = \"{}\", PASSWORD = {}, GITHUB_TOKEN = \"${{GITHUB_TOKEN}}\", DB_PASSWORD = \"${{NOT_SET:-{}}}\" }}",
        canary("env value"),
        json!(canary("env with odd characters")),
        canary("env from a default"),
    );
    let remote = format!(
        "[servers.remote]\nurl = \"http://me:{}@127.0.0.1:9/mcp?api_key={}\"\nheaders = {{ Authorization = \"Bearer ${{HEADER_TOKEN}}\", X-Key = \"{}\" }}\n",
        canary("password of a URL"),
        canary("query of a URL"),
        canary("header value"),
    );
    let path = "[servers.path]\nurl = \"http://127.0.0.1:9/${PATH_TOKEN}/mcp\"\n";
    project.write(
        "pinwatch.toml",
        &format!(
            "include = [\".mcp.json\", \"vscode\"]\n[servers.files]\ncommand = \"sh\"\nargs = {args}\n{env}\n{remote}{path}"
        ),
    );
    project.write("secrets.env", &format!("CLIENT_SECRET={}\n", canary("a client's env file")));
    project.write(".mcp.json", &json!({"mcpServers": {"client": {"command": fixture_server(), "args": ["client.json", "--behave", "error-at-list"], "env": {"API_TOKEN": canary("a client's env")}}}}).to_string());
    fs::create_dir(project.path(".vscode")).expect("a folder");
    project.write(".vscode/mcp.json", &json!({"servers": {"code": {"type": "stdio", "command": fixture_server(), "args": ["code.json"], "env": {"API_TOKEN": canary("a client's input")}, "envFile": "${workspaceFolder}/secrets.env"}}}).to_string());
    for id in ["files", "client", "code"] {
        project.surface(id, &two_tools());
    }
    project
}

/// What the server shows with secrets in it.
fn leaking() -> Value {
    let mut surface = drifted();
    surface["instructions"] = format!("Ask with {}.", canary("env value")).into();
    surface["tools"][1]["description"] =
        format!("Reads with {} and {}.", canary("env from a variable"), canary("env with odd characters")).into();
    surface["tools"][1]["inputSchema"]["properties"]["path"]["default"] = canary("argument with a name").into();
    surface["tools"][0]["inputSchema"]["properties"][canary("env from a default")] = json!({"type": "string"});
    let named = json!({"name": canary("env value"), "inputSchema": {"type": "object"}});
    surface["tools"].as_array_mut().expect("tools").push(named);
    surface
}

#[test]
fn no_secret_is_shown_or_written_anywhere() {
    let project = staged();
    let environment = [
        ("GITHUB_TOKEN", "env from a variable"),
        ("ARG_SECRET", "argument from a variable"),
        ("HEADER_TOKEN", "header from a variable"),
        ("PATH_TOKEN", "path of a URL from a variable"),
    ];
    let mut found = Vec::new();
    let run = |words: &[&str], found: &mut Vec<String>| {
        let mut command = project.command(words);
        for (name, place) in environment {
            command.env(name, canary(place));
        }
        let ran = done(&mut command);
        assert!((0..3).contains(&ran.code), "{words:?}: {ran:?}");
        search(&format!("{words:?}"), &format!("{}{}", ran.out, ran.err), found);
        ran
    };
    run(&["servers"], &mut found);
    run(&["check"], &mut found);
    run(&["doctor"], &mut found);
    let recorded = run(&["record", "--yes"], &mut found);
    assert!(recorded.out.contains("files"), "{recorded:?}");
    project.surface("files", &leaking());
    project.surface("code", &leaking());
    let mut approvals = Vec::new();
    for format in ["text", "json", "sarif", "junit", "markdown", "github"] {
        let ran = run(&["check", "--yes", "--format", format], &mut found);
        if format == "json" {
            let report: Value = serde_json::from_str(&ran.out).expect("it is JSON");
            for drift in report["servers"]
                .as_array()
                .into_iter()
                .flatten()
                .flat_map(|server| server["drifts"].as_array().into_iter().flatten())
            {
                let digest = drift["digests"]["surface"]["now"].as_str().unwrap_or_default().to_owned();
                approvals.push((
                    format!(
                        "{}/{}",
                        drift["kind"].as_str().unwrap_or_default(),
                        drift["key"].as_str().unwrap_or_default()
                    ),
                    digest,
                ));
            }
        }
    }
    // What holds a secret was seen, and is shown with something in its place.
    assert!(approvals.iter().any(|(item, _)| item == "tool/read_file"), "{approvals:?}");
    let text = run(&["check", "--yes"], &mut found).out;
    for name in ["GITHUB_TOKEN", "PASSWORD"] {
        assert!(text.contains(&format!("<redacted {name}>")), "{name}: {text}");
    }
    run(&["review", "--yes"], &mut found);
    run(&["record", "--yes", "--label", canary("env value")], &mut found);
    for (item, digest) in &approvals {
        run(&["approve", "--yes", "files", item, "--expect", digest, "--note", canary("env value")], &mut found);
        run(&["show", "files", item], &mut found);
    }
    for id in ["files", "remote", "client", "code", "path"] {
        run(&["show", id], &mut found);
    }
    let header = format!("Authorization: Bearer {}", canary("typed on the command line"));
    let url = format!("http://me:{}@127.0.0.1:9/", canary("password of a typed URL"));
    let typed = ["check", "--name", "typed", "--format", "json"];
    run(&[&typed[..], &["--url", &url, "--header", &header]].concat(), &mut found);
    let argument = format!("--token={}", canary("typed argument"));
    for program in ["sh", "no-such-program"] {
        run(&[&typed[..], &["--", program, "-c", "echo $0 >&2; exit 3", &argument]].concat(), &mut found);
    }
    run(&["check", "--yes", "--format", "json", "--output", "report.json"], &mut found);
    search("the report's file", &project.read("report.json"), &mut found);
    // On the screen: lists, changes, details, events, consent, what is copied.
    for yes in [true, false] {
        let words: &[&str] = if yes { &["watch", "--yes"] } else { &["watch"] };
        let mut command = pinwatch_in(&project, words);
        for (name, place) in environment {
            command.env(name, canary(place));
        }
        let mut screen = Terminal::start(command, 160, 50);
        screen.until_shows("files");
        screen.takes("details, bottom, back, down, details, bottom, back, up, open, back");
        screen.takes("next-undecided, open, json, bottom, copy, bottom, open, back 2");
        screen.takes("pane-servers, next-server, open, back, next-server, events, back");
        screen.press("quit-now");
        screen.wait();
        // Cells are written where they changed; a row stands whole in one of the frames.
        search(&format!("{words:?}"), &String::from_utf8_lossy(&screen.written()), &mut found);
    }
    written(&project.path("snapshots"), &mut found);
    written(&project.home(), &mut found);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Servers that send back what they were called with, each in another place.
fn echoing() -> Vec<web::Row> {
    let secrets = [canary("header value"), canary("header from a variable"), canary("query of a URL")].join(" ");
    let path = secrets.replace(' ', "/");
    let header = |status: &str, header: &str| web::response(status, &format!("{header}\r\n"), "{}");
    let hello = json!({
        "protocolVersion": "2025-11-25", "capabilities": {"tools": {}, "experimental": {&secrets: {}}},
        "serverInfo": {"name": secrets, "version": secrets}, "instructions": secrets,
    });
    let schema = json!({"type": "object", "properties": {&secrets: {"default": secrets}}});
    let tool = json!({"name": secrets, "description": secrets, "inputSchema": schema});
    let tools = json!({"tools": [tool], "nextCursor": secrets});
    let error = json!({"code": -32603, "message": secrets, "data": {&secrets: secrets}});
    let answer = |id: &str, member: &str, value: &Value| {
        let id: Value = serde_json::from_str(id).unwrap_or_default();
        web::Reply::Raw(web::response(
            "200 OK",
            web::JSON,
            json!({"jsonrpc": "2.0", "id": id, member: value}).to_string(),
        ))
    };
    let rows = vec![
        web::always("realm", "", header("401 No", &format!("www-authenticate: Bearer realm=\"{secrets}\""))),
        web::always("place", "", header("302 Found", &format!("location: http://127.0.0.1:9/{path}/x"))),
        web::always("kind", "", header("200 OK", &format!("content-type: {path}"))),
        web::always("page", "", web::response("500 No", "content-type: text/plain\r\n", &secrets)),
        web::row("shows", "", move |method, id| match method {
            "initialize" => answer(id, "result", &hello),
            "tools/list" => answer(id, "result", &tools),
            _ => web::Reply::Usual,
        }),
        web::row("fails", "", move |method, id| match method {
            "tools/list" => answer(id, "error", &error),
            _ => web::Reply::Usual,
        }),
    ];
    let headers = format!(
        "headers = {{ Authorization = \"Bearer {}\", X-Key = \"${{HEADER_TOKEN}}\", X-Api-Key = \"{}\" }}\n",
        canary("header value"),
        canary("query of a URL"),
    );
    rows.into_iter().map(|row| row.with(headers.as_str())).collect()
}

#[test]
fn no_secret_echoed_over_http_is_shown_or_written() {
    let (project, rows) = web::staged(echoing());
    let mut found = Vec::new();
    let variable = ("HEADER_TOKEN", canary("header from a variable"));
    let mut said = String::new();
    let commands: [&[&str]; 9] = [
        &["check", "--yes"],
        &["check", "--yes", "--format", "json"],
        &["check", "--yes", "--format", "sarif"],
        &["check", "--yes", "--format", "junit"],
        &["check", "--yes", "--format", "markdown"],
        &["check", "--yes", "--format", "github"],
        &["record", "--yes"],
        &["review", "--yes"],
        &["servers"],
    ];
    for words in commands {
        let ran = done(project.command(words).env(variable.0, variable.1));
        assert!((0..3).contains(&ran.code), "{words:?}: {ran:?}");
        search(&format!("{words:?}"), &format!("{}{}", ran.out, ran.err), &mut found);
        said.extend([ran.out, ran.err]);
    }
    assert!(said.contains("<redacted HEADER_TOKEN>") || said.contains("<redacted X-Key>"), "{said}");
    let mut command = pinwatch_in(&project, &["watch", "--yes"]);
    command.env(variable.0, variable.1);
    let mut screen = Terminal::start(command, 160, 50);
    for row in rows.iter() {
        screen.until_shows(row.name);
    }
    screen.takes("pane-servers");
    let passed_by =
        super::until_none(&mut screen, rows.len() * 5, rows.iter().map(|row| row.name), |screen, wanted| {
            screen.takes("details");
            wanted.retain(|name| !screen.contents().contains(&format!("─ Server {name} ")));
            screen.takes("bottom, back, open, bottom, back, events, back, next-server");
        });
    assert_eq!(passed_by, Vec::<&str>::new(), "never opened");
    screen.press("quit-now");
    screen.wait();
    search("the screen", &String::from_utf8_lossy(&screen.written()), &mut found);
    written(&project.path("snapshots"), &mut found);
    written(&project.home(), &mut found);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

fn written(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            written(&path, found);
        } else {
            let bytes = fs::read(&path).expect("a file of the test");
            search(&path.display().to_string(), &String::from_utf8_lossy(&bytes), found);
        }
    }
}
