//! Many fixture servers in one project: recorded while they behave, then each given a script, and looked at again.

use super::fixture::fixture_server;
use super::peak::run_measured;
use super::project::Project;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::time::Instant;

/// The tools of every server while it behaves.
pub const READ: &str = r#"{"name":"read","description":"Read a file.","inputSchema":{"type":"object","properties":{"path":{"type":"string"}}}}"#;
pub const WRITE: &str = r#"{"name":"write","inputSchema":{"type":"object","properties":{"path":{"type":"string"}}}}"#;

/// What a server does, and what must be seen of it.
#[derive(Debug)]
pub struct Row {
    pub name: &'static str,
    /// Lines of its script while it is recorded.
    pub before: String,
    /// Lines of its script afterwards.
    pub script: String,
    /// Another surface than before.
    pub surface: Option<String>,
    /// How it is started: lines of its entry beside the launch.
    pub options: &'static str,
    /// Whether it was recorded before.
    pub recorded: bool,
    /// What a shell does before it becomes the server.
    pub shell: &'static str,
    /// The state, as [`sees`] writes it.
    pub sees: &'static str,
}

/// A row with a script.
pub fn row(name: &'static str, script: impl Into<String>, sees: &'static str) -> Row {
    Row {
        name,
        before: String::new(),
        script: script.into(),
        surface: None,
        options: "",
        recorded: true,
        shell: "",
        sees,
    }
}

impl Row {
    /// It never answers something: nothing is gained by waiting long.
    pub fn hasty(self) -> Self {
        Self { options: "request-timeout = \"1500ms\"\n", ..self }
    }

    /// It never finishes the handshake.
    pub fn mute(self) -> Self {
        Self { options: "start-timeout = \"1500ms\"\n", ..self }
    }

    /// It is met for the first time.
    pub fn fresh(self) -> Self {
        Self { recorded: false, ..self }
    }

    /// It does so from the start.
    pub fn always(self) -> Self {
        Self { before: self.script.clone(), ..self }
    }

    /// A shell does something first.
    pub fn after(self, shell: &'static str) -> Self {
        Self { shell, ..self }
    }

    pub fn showing(self, surface: String) -> Self {
        Self { surface: Some(surface), ..self }
    }
}

/// A line of a script that answers `method` with exact bytes.
pub fn say(method: &str, bytes: impl AsRef<[u8]>) -> String {
    let mut line = format!("say {method} ");
    for byte in bytes.as_ref() {
        match byte {
            b'\\' => line.push_str("\\\\"),
            b'\n' => line.push_str("\\n"),
            b' '..=b'~' => line.push(char::from(*byte)),
            other => write!(line, "\\x{other:02x}").expect("a String takes all"),
        }
    }
    line + "\n"
}

/// An answer to `tools/list` with these entries.
pub fn tools(entries: impl AsRef<[u8]>) -> String {
    say("tools/list", answer([b"{\"tools\":[", entries.as_ref(), b"]}"].concat()))
}

/// A whole answer with this result.
pub fn answer(result: impl AsRef<[u8]>) -> Vec<u8> {
    [b"{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":", result.as_ref(), b"}\n"].concat()
}

/// A surface with these tools.
pub fn surface(tools: &str) -> String {
    format!(
        r#"{{"server_info":{{"name":"files","version":"1.0"}},"capabilities":{{"tools":{{"listChanged":true}},"prompts":{{}}}},"tools":[{tools}],"prompts":[{{"name":"greet"}}]}}"#
    )
}

/// A project in which every row's server was recorded while it behaved, and now does what the row says.
pub fn staged(rows: &[Row]) -> Project {
    let project = Project::new();
    let config: String = rows.iter().map(entry).collect();
    project.write("pinwatch.toml", &config);
    for row in rows {
        project.write(&format!("{}.json", row.name), &surface(&format!("{READ},{WRITE}")));
        project.write(&format!("{}.script", row.name), &row.before);
    }
    let recorded = rows.iter().filter(|row| row.recorded).map(|row| row.name);
    let done = project.run(&["record", "--yes"].into_iter().chain(recorded).collect::<Vec<_>>());
    assert_eq!(done.code, 0, "they behave: {done:#?}");
    for row in rows {
        project.write(&format!("{}.script", row.name), &row.script);
        if let Some(surface) = &row.surface {
            project.write(&format!("{}.json", row.name), surface);
        }
    }
    project
}

fn entry(row: &Row) -> String {
    let args = [format!("{}.json", row.name), "--script".to_owned(), format!("{}.script", row.name)];
    let server = json!(fixture_server());
    let (command, args) = match row.shell {
        "" => (server, json!(args)),
        first => (json!("sh"), json!(["-c", format!("{first}; exec {server} {}", args.join(" "))])),
    };
    format!("[servers.{}]\ncommand = {command}\nargs = {args}\n{}\n", row.name, row.options)
}

/// Looks at servers; none means all. The report by server, and the peak of memory in kB.
pub fn check(project: &Project, servers: &[&str]) -> (Vec<Value>, u64) {
    let words = [&["check", "--yes", "--format", "json"], servers].concat();
    let (done, peak) = run_measured(&mut project.command(&words));
    let report: Value = serde_json::from_str(&done.out).unwrap_or_else(|error| panic!("{error}: {done:#?}"));
    (report["servers"].as_array().expect("servers").clone(), peak)
}

/// What a person sees of a server: `OBSERVATION [CODE]`, `+NOTICE` each, and `TYPE KEY SEVERITY` of the first drifts.
pub fn sees(server: &Value) -> String {
    let word = |value: &Value| value.as_str().unwrap_or("?").to_owned();
    let mut seen = vec![word(&server["observation"])];
    seen.extend(server["reason"]["code"].as_str().map(|code| format!(" {code}")));
    let notices = server["notices"].as_array().into_iter().flatten();
    // What the launch resolves to is told of servers that behave, too.
    let codes = notices.map(|notice| word(&notice["code"])).filter(|code| code != "launch-resolves");
    let codes: BTreeSet<_> = codes.collect();
    seen.extend(codes.into_iter().map(|code| format!(" +{code}")));
    let drifts = server["drifts"].as_array().into_iter().flatten();
    let drifts: Vec<_> = drifts
        .map(|drift| format!("; {} {} {}", word(&drift["type"]), short(&word(&drift["key"])), word(&drift["severity"])))
        .collect();
    seen.extend(drifts.iter().take(4).cloned());
    seen.extend(drifts.len().checked_sub(5).map(|more| format!("; and {}", more + 1)));
    seen.concat()
}

/// What is said of servers: why one was not observed whole, and what was odd.
pub fn reasons(report: &[Value]) -> impl Iterator<Item = &str> {
    report.iter().flat_map(|server| {
        let notices = server["notices"].as_array().into_iter().flatten();
        [&server["reason"]["text"]].into_iter().chain(notices.map(|notice| &notice["text"])).filter_map(Value::as_str)
    })
}

/// Where the right state depends on the speed of the machine, both stand with a bar between them.
pub fn is_right(right: &str, sees: &str) -> bool {
    right.split(" | ").any(|right| right == sees)
}

/// Prints a line of the table, in Markdown: the behaviour, what is seen, the exit status of the look, its highest memory in
/// MB, and how long it took in ms.
pub fn cost(project: &Project, name: &str, right: &str) {
    let start = Instant::now();
    let words = ["check", "--yes", "--format", "json", name];
    let (done, peak) = run_measured(&mut project.command(&words));
    let report: Value = serde_json::from_str(&done.out).unwrap_or_else(|error| panic!("{error}: {done:#?}"));
    let sees = sees(&report["servers"][0]);
    let mark = if is_right(right, &sees) { "" } else { " WRONG" };
    let (code, took) = (done.code, start.elapsed().as_millis());
    let megabytes = format!("{}.{}", peak >> 10, (peak & 1023) * 10 / 1024);
    let line = format!("| {name} | {}{mark} | {code} | {megabytes} | {took} |\n", sees.replace('|', "\\|"));
    std::io::stdout().write_all(line.as_bytes()).expect("a line is written");
}

/// A key as ASCII, cut where it is long, without a number that is another one each time.
fn short(key: &str) -> String {
    let mut out = String::new();
    for c in key.chars() {
        match c {
            ' '..='~' => out.push(c),
            other => out.extend(other.escape_default()),
        }
    }
    if out.chars().filter(char::is_ascii_digit).count() > 16 && !out.starts_with('#') {
        out.retain(|c| !c.is_ascii_digit());
    }
    if out.len() > 24 { format!("{}…", &out[..16]) } else { out }
}
