//! `pinwatch guard --listen` between HTTP clients and a fixture server, as processes.

use crate::agreed::agree;
use crate::fixture::fixture_server;
use crate::project::{Project, drifted, two_tools};
use pinwatch::store::disk::Disk;
use pinwatch::store::{GuardSecret, Places};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// How long anything may take on a loaded machine.
const CEILING: Duration = Duration::from_mins(1);

/// A process that says on standard error where it listens.
struct Listening {
    child: Child,
    port: u16,
    said: Receiver<String>,
}

impl Listening {
    fn start(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let stderr = child.stderr.take().unwrap();
        let (send, said) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                let _ = send.send(line);
            }
        });
        let port = loop {
            let line = said.recv_timeout(CEILING).expect("it says where it listens");
            if let Some((_, address)) = line.split_once("listening on ") {
                let address = address.trim_start_matches("http://").trim_end_matches("/mcp");
                break address.rsplit_once(':').unwrap().1.parse().unwrap();
            }
        };
        Self { child, port, said }
    }

    /// Waits for a line that it tells.
    fn tells(&self, what: &str) -> String {
        loop {
            let line = self.said.recv_timeout(CEILING).unwrap_or_else(|_| panic!("{what} is not told"));
            if line.contains(what) {
                return line;
            }
        }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A server, a guard before it, and the secret.
struct Stage {
    project: Project,
    server: Listening,
    guard: Listening,
    secret: String,
}

fn places(project: &Project) -> Places {
    let home = |name: &str| project.home().join(name).join("pinwatch");
    Places { state: home("state"), config: home("config"), data: home("data") }
}

fn server(project: &Project, words: &[&str], port: u16) -> Listening {
    let mut command = Command::new(fixture_server());
    command.current_dir(project.path("")).args(["files.json", "--log", "files.log", "--script", "calls"]);
    command.args(["--http", &port.to_string()]).args(words);
    Listening::start(command)
}

fn guard(project: &Project, options: &[&str]) -> Listening {
    let root = project.path("").canonicalize().unwrap().display().to_string();
    let words = [&["guard", "files", "--root", &root, "--listen", "127.0.0.1:0"][..], options].concat();
    Listening::start(project.command(&words))
}

/// A project whose server was recorded, with a guard before it. The server behaves like this from then on.
fn stage(words: &[&str], config: &str, script: &str) -> Stage {
    let project = Project::new();
    project.write("calls", "");
    project.surface("files", &two_tools());
    let era: Vec<&str> = words.iter().copied().skip_while(|word| *word != "--era").take(2).collect();
    let plain = server(&project, &era, 0);
    let port = plain.port;
    project.write("pinwatch.toml", &format!("[servers.files]\nurl = \"http://127.0.0.1:{port}/mcp\"\n{config}"));
    project.expect(0, &["record", "--yes"]);
    agree(&project);
    drop(plain);
    project.write("calls", script);
    std::fs::write(project.path("files.log"), "").unwrap();
    let server = server(&project, words, port);
    let secret = GuardSecret::make(&Disk::default(), &places(&project)).unwrap().text().to_owned();
    let guard = guard(&project, &[]);
    Stage { project, server, guard, secret }
}

/// An answer over HTTP.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Answer {
    fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str()).unwrap_or_default()
    }

    /// Its messages, from JSON or from events.
    fn messages(&self) -> Vec<String> {
        let text = String::from_utf8(self.body.clone()).unwrap();
        if self.header("content-type").starts_with("text/event-stream") {
            return data(&text);
        }
        vec![text]
    }

    fn json(&self) -> Value {
        let last = self.messages().pop().unwrap_or_default();
        serde_json::from_str(&last).unwrap_or_else(|error| panic!("{error}: {last}"))
    }

    fn said(&self) -> String {
        self.json()["error"]["message"].as_str().unwrap_or_default().to_owned()
    }
}

/// The data of the events of a stream that is no empty one.
fn data(text: &str) -> Vec<String> {
    text.lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .filter(|data| !data.is_empty())
        .map(str::to_owned)
        .collect()
}

/// A request that was sent, and what comes back.
struct Open {
    reader: BufReader<TcpStream>,
    chunked: bool,
    /// Bytes of the body that are still to come, where that is said.
    left: Option<usize>,
    status: u16,
    headers: Vec<(String, String)>,
}

impl Open {
    fn send(port: u16, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Self {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("it listens");
        stream.set_read_timeout(Some(CEILING)).unwrap();
        let host = format!("127.0.0.1:{port}");
        let own = [("connection", "close"), ("content-length", &body.len().to_string()), ("host", &host)];
        let own = own.into_iter().filter(|(name, _)| headers.iter().all(|(other, _)| other != name));
        let lines: Vec<_> =
            own.chain(headers.iter().copied()).map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let head = format!("{method} {path} HTTP/1.1\r\n{}\r\n", lines.concat());
        stream.write_all(&[head.as_bytes(), body].concat()).unwrap();
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        reader.read_line(&mut line).expect("an answer");
        let status = line.split(' ').nth(1).unwrap_or_else(|| panic!("no answer: {line}")).parse().unwrap();
        let mut found = Vec::new();
        loop {
            line.clear();
            reader.read_line(&mut line).unwrap();
            let Some((name, value)) = line.trim_end().split_once(": ") else { break };
            found.push((name.to_ascii_lowercase(), value.to_owned()));
        }
        let chunked = found.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked");
        let length = found.iter().find(|(name, _)| name == "content-length");
        let left = length.map(|(_, length)| length.parse().unwrap());
        let left = if status == 204 { Some(0) } else { left };
        Self { reader, chunked, left, status, headers: found }
    }

    /// The next part of the body; none at its end, an error where it is cut.
    fn part(&mut self) -> std::io::Result<Vec<u8>> {
        if self.left == Some(0) {
            return Ok(Vec::new());
        }
        if !self.chunked {
            let mut part = vec![0; self.left.unwrap_or(64 << 10).min(64 << 10)];
            let length = self.reader.read(&mut part)?;
            part.truncate(length);
            self.left = self.left.map(|left| left - length);
            return Ok(part);
        }
        let mut line = String::new();
        if self.reader.read_line(&mut line)? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        let length = usize::from_str_radix(line.trim_end(), 16).expect("the length of a chunk");
        let mut part = vec![0; length + 2];
        self.reader.read_exact(&mut part)?;
        part.truncate(length);
        Ok(part)
    }

    /// Waits for an event that holds this.
    fn hears(&mut self, what: &str) -> String {
        let mut text = String::new();
        while !text.contains(what) || !text.ends_with("\n\n") {
            let part = self.part().unwrap_or_else(|error| panic!("{what} is not heard: {error}; {text}"));
            assert!(!part.is_empty(), "{what} is not heard: {text}");
            text += &String::from_utf8_lossy(&part);
        }
        text
    }

    fn answer(mut self) -> Answer {
        let mut body = Vec::new();
        loop {
            let part = self.part().expect("the body is whole");
            if part.is_empty() {
                break;
            }
            body.extend(part);
        }
        Answer { status: self.status, headers: self.headers, body }
    }
}

/// A client of a server, or of the guard before it.
#[derive(Clone)]
struct Client {
    port: u16,
    headers: Vec<(String, String)>,
    /// Whether it is of the discover era.
    meta: bool,
}

impl Client {
    fn of(stage: &Stage) -> Self {
        Self {
            port: stage.guard.port,
            headers: vec![("authorization".to_owned(), format!("Bearer {}", stage.secret))],
            meta: false,
        }
    }

    fn without(stage: &Stage) -> Self {
        Self { port: stage.server.port, headers: Vec::new(), meta: false }
    }

    fn modern(self) -> Self {
        let mut headers = self.headers;
        headers.push(("mcp-protocol-version".to_owned(), "2026-07-28".to_owned()));
        Self { headers, meta: true, ..self }
    }

    fn open(&self, method: &str, more: &[(&str, &str)], body: &str) -> Open {
        let mut headers: Vec<(&str, &str)> =
            vec![("content-type", "application/json"), ("accept", "application/json, text/event-stream")];
        headers.extend(self.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        headers.extend(more);
        Open::send(self.port, method, "/mcp", &headers, body.as_bytes())
    }

    fn request(&self, id: u64, method: &str, params: &Value) -> Open {
        let mut params = params.clone();
        if self.meta {
            params["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"}});
        }
        let text = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string();
        let named = [("mcp-method", method)];
        self.open("POST", if self.meta { &named } else { &[] }, &text)
    }

    fn ask(&self, id: u64, method: &str, params: &Value) -> Answer {
        self.request(id, method, params).answer()
    }

    fn call(&self, name: &str) -> Answer {
        self.ask(7, "tools/call", &json!({"name": name, "arguments": {}}))
    }

    /// Shakes hands; the client in its session.
    fn initialize(mut self) -> Self {
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
        let answer = self.ask(0, "initialize", &hello);
        assert_eq!(answer.status, 200, "{answer:?}");
        self.headers.push(("mcp-session-id".to_owned(), answer.header("mcp-session-id").to_owned()));
        let told = self.open("POST", &[], r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).answer();
        assert_eq!((told.status, told.body.len()), (202, 0));
        self
    }
}

/// What the script says to a call: a result over HTTP.
const CALLED: &str = r#"say tools/call HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n{"jsonrpc":"2.0", "id":$ID,"result":{"content":[ ]}}"#;

/// How often the server was asked for something.
fn asked(project: &Project, method: &str) -> usize {
    project.read("files.log").lines().filter(|line| *line == method).count()
}

fn names(answer: &Answer) -> Vec<Value> {
    answer.json()["result"]["tools"].as_array().unwrap().iter().map(|one| one["name"].clone()).collect()
}

#[test]
fn strangers_are_turned_away_at_the_door() {
    let stage = stage(&[], "", "");
    let port = stage.guard.port;
    let bearer = format!("Bearer {}", stage.secret);
    let own = [("content-type", "application/json"), ("authorization", bearer.as_str())];
    let body = br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let told = |method: &str, path: &str, headers: &[(&str, &str)]| {
        let answer = Open::send(port, method, path, headers, body).answer();
        assert!(!answer.headers.iter().any(|(name, _)| name.starts_with("access-control")), "{answer:?}");
        answer.status
    };
    let with = |more: &[(&'static str, &'static str)]| [&own[..], more].concat();
    // Names that somebody pointed here, pages of others, and who does not know the secret.
    assert_eq!(told("POST", "/mcp", &with(&[("host", "evil.example")])), 403);
    assert_eq!(told("POST", "/mcp", &with(&[("host", "127.0.0.1:1")])), 403);
    assert_eq!(told("POST", "/mcp", &with(&[("origin", "http://evil.example")])), 403);
    assert_eq!(told("POST", "/mcp", &with(&[("origin", "null")])), 403);
    assert_eq!(told("OPTIONS", "/mcp", &[("origin", "http://evil.example")]), 403);
    assert_eq!(told("POST", "/mcp", &own[..1]), 401);
    for wrong in ["Bearer x", &format!("Basic {}", stage.secret), &format!("{bearer}x"), &bearer[..bearer.len() - 1]] {
        assert_eq!(told("POST", "/mcp", &[own[0], ("authorization", wrong)]), 401, "{wrong}");
    }
    assert_eq!(told("GET", "/mcp", &own[..1]), 401);
    assert_eq!(told("DELETE", "/mcp", &own[..1]), 401);
    assert_eq!(told("GET", "/.well-known/oauth-protected-resource", &[]), 404);
    // Who knows it still has to speak the protocol.
    assert_eq!(told("PUT", "/mcp", &own), 405);
    assert_eq!(told("POST", "/mcp", &[("content-type", "text/plain"), own[1]]), 415);
    assert_eq!(stage.project.read("files.log"), "");
    let own_page = format!("http://localhost:{port}");
    assert_eq!(told("POST", "/mcp", &[own[0], own[1], ("origin", &own_page)]), 400, "it has no session yet");
    stage.guard.tells("turned away: this guard answers no page in a browser");
}

#[test]
fn only_loopback_addresses_are_listened_on() {
    let project = Project::new();
    for address in ["0.0.0.0:7171", "192.0.2.1:7171", "[::]:7171"] {
        let refused = project.expect(2, &["guard", "files", "--root", "/", "--listen", address]);
        assert!(refused.err.contains("a guard listens on loopback addresses only"), "{}", refused.err);
    }
    let refused = project.expect(2, &["guard", "files", "--root", "/", "--listen", "127.0.0.1"]);
    assert!(refused.err.contains("with its port, such as 127.0.0.1:7171"), "{}", refused.err);
    let refused = project.expect(2, &["guard", "files", "--root", "/", "--listen", "127.0.0.1:7171", "--", "x"]);
    assert!(refused.err.contains("cannot be used with"), "{}", refused.err);
}

#[test]
fn a_guard_without_its_secret_is_closed() {
    let stage = stage(&[], "", "");
    let client = Client::of(&stage);
    let path = GuardSecret::path(&places(&stage.project));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    let ask = || client.ask(1, "initialize", &json!({}));
    let closed = ask();
    assert_eq!(closed.status, 503);
    assert!(closed.said().contains("can be read by others (mode 644)"), "{}", closed.said());
    std::fs::remove_file(&path).unwrap();
    let closed = ask();
    assert_eq!(closed.status, 503);
    assert!(closed.said().ends_with("is gone: start the guard anew, which makes another secret for its clients"));
    // Another secret is another one.
    GuardSecret::make(&Disk::default(), &places(&stage.project)).unwrap();
    assert_eq!(ask().status, 401);
    assert_eq!(stage.project.read("files.log"), "");
}

/// Whether everything is the same with the guard and without it.
fn is_equal(stage: &Stage, modern: bool) {
    let clients = [Client::without(stage), Client::of(stage)]
        .map(|client| if modern { client.modern() } else { client.initialize() });
    let params = json!({"name": "read_file", "arguments": {"path": "\u{e9}\u{2027}"}});
    for (method, params) in [
        ("server/discover", json!({})),
        ("tools/list", json!({})),
        ("tools/call", params),
        ("prompts/list", json!({})),
        ("completion/complete", json!({"ref": {"type": "x"}})),
        ("no/such", json!({})),
    ] {
        let [without, with] = clients.each_ref().map(|client| client.ask(3, method, &params));
        assert_eq!(without.status, with.status, "{method}");
        assert_eq!(without.messages(), with.messages(), "{method}");
        let kind = |answer: &Answer| answer.header("content-type").split(';').next().unwrap().to_owned();
        assert_eq!(kind(&without), kind(&with), "{method}");
    }
}

#[test]
fn what_passes_over_http_is_equal_to_the_byte() {
    is_equal(&stage(&[], "", CALLED), false);
    is_equal(&stage(&["--era", "discover"], "", CALLED), true);
    is_equal(&stage(&["--behave", "event-stream"], "", ""), false);
    is_equal(&stage(&["--era", "discover", "--behave", "event-stream"], "", ""), true);
}

#[test]
fn a_long_result_over_http_passes_in_pieces() {
    let long = "x".repeat(3 << 20);
    let head = r"say tools/call HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: ";
    let message = format!(r#"{{"result":{{"content":[{{"type":"text","text":"{long}"}}]}},"jsonrpc":"2.0","id":$ID}}"#);
    let other = message.replace("$ID", "99");
    let script = format!(
        "{head}application/json\\r\\n\\r\\n{message}\n{head}text/event-stream\\r\\n\\r\\nid: 1\\ndata: {message}\\n\\n\n{head}application/json\\r\\n\\r\\n{other}\n{head}text/event-stream\\r\\n\\r\\ndata: {other}\\n\\n\n"
    );
    let stage = stage(&[], "", &script);
    let client = Client::of(&stage).initialize();
    let expected = message.replace("$ID", "7");
    for form in ["application/json", "text/event-stream"] {
        let answer = client.call("read_file");
        assert_eq!(answer.header("content-type"), form);
        assert!(answer.messages() == [expected.as_str()], "{form}");
    }
    // One that turns out to be the answer to something else comes to no end, whose id stood behind it all.
    for form in ["application/json", "text/event-stream"] {
        let mut open = client.request(7, "tools/call", &json!({"name": "read_file"}));
        let cut = loop {
            match open.part() {
                Ok(part) if part.is_empty() => break false,
                Ok(_) => {}
                Err(_) => break true,
            }
        };
        assert!(cut, "{form}");
    }
}

#[test]
fn a_rug_pull_over_http_reaches_no_server() {
    let stage = stage(&[], "", CALLED);
    let client = Client::of(&stage).initialize();
    let mut changes = client.open("GET", &[("accept", "text/event-stream")], "");
    assert_eq!(changes.status, 200);
    assert_eq!(names(&client.ask(1, "tools/list", &json!({}))), ["list_files", "read_file"]);
    assert!(client.call("read_file").json()["result"].is_object());
    stage.project.surface("files", &drifted());
    changes.hears("notifications/tools/list_changed");
    let refused = client.call("read_file");
    assert_eq!((refused.status, refused.json()["error"]["code"].clone()), (200, json!(-32090)));
    assert_eq!(refused.said(), "`read_file` changed since it was approved; review it in pinwatch");
    assert_eq!(names(&client.ask(2, "tools/list", &json!({}))), ["list_files"]);
    assert!(client.call("list_files").json()["result"].is_object());
    assert_eq!(asked(&stage.project, "tools/call"), 2);
    // Approved here, it passes in the same session, and the client hears of it.
    let report: Value =
        serde_json::from_str(&stage.project.expect(1, &["check", "--yes", "--format", "json"]).out).unwrap();
    let digest = report["servers"][0]["drifts"][0]["digests"]["surface"]["now"].as_str().unwrap().to_owned();
    stage.project.expect(0, &["approve", "files", "tool/read_file", "--expect", &digest, "--yes"]);
    changes.hears("notifications/tools/list_changed");
    assert!(client.call("read_file").json()["result"].is_object());
}

#[test]
fn a_rug_pull_without_sessions_reaches_no_server() {
    let stage = stage(&["--era", "discover"], "", CALLED);
    let client = Client::of(&stage).modern();
    assert!(client.call("read_file").json()["result"].is_object());
    let mut changes = client.request(9, "subscriptions/listen", &json!({"notifications": {"toolsListChanged": true}}));
    changes.hears("notifications/subscriptions/acknowledged");
    stage.project.surface("files", &drifted());
    changes.hears("notifications/tools/list_changed");
    let refused = client.call("read_file");
    assert_eq!(refused.said(), "`read_file` changed since it was approved; review it in pinwatch");
    assert_eq!(asked(&stage.project, "tools/call"), 1);
    assert!(!stage.project.read("files.log").contains("mcp-method is missing"));
    // Each client may use the same ids at the same time.
    let answers: Vec<_> = (0..8)
        .map(|_| {
            let client = client.clone();
            thread::spawn(move || client.call("list_files").json())
        })
        .collect();
    for answer in answers {
        assert!(answer.join().unwrap()["result"].is_object());
    }
}

#[test]
fn the_secret_of_the_guard_stays_with_it() {
    let stage = stage(&[], "headers = { Authorization = \"Bearer of-the-server\", X-Team = \"red\" }\n", CALLED);
    let client = Client::of(&stage).initialize();
    assert!(client.call("read_file").json()["result"].is_object());
    let log = stage.project.read("files.log");
    assert!(log.contains("authorization: Bearer of-the-server"), "{log}");
    assert!(log.contains("accept-encoding: identity"), "{log}");
    assert!(!log.contains(&stage.secret), "{log}");
}

#[test]
fn what_a_server_echoes_of_its_secret_is_masked() {
    let script = concat!(
        r#"say ping HTTP/1.1 401 No\r\nwww-authenticate: Bearer error="tok-of-the-server-1 is over"\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"#,
        "\n",
        r"say completion/complete HTTP/1.1 500 No\r\ncontent-type: text/plain\r\nconnection: close\r\ncontent-length: 33\r\n\r\nI do not know tok-of-the-server-1",
        "\n"
    );
    let stage = stage(&[], "headers = { Authorization = \"Bearer tok-of-the-server-1\" }\n", script);
    let client = Client::of(&stage).initialize();
    let turned = client.ask(1, "ping", &json!({}));
    assert!(
        turned.said().starts_with("the server gave no answer: the server requires credentials (401)"),
        "{turned:?}"
    );
    let failed = client.ask(2, "completion/complete", &json!({}));
    assert_eq!(failed.status, 500);
    for answer in [turned, failed] {
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        assert!(!text.contains("tok-of-the"), "{text}");
    }
}

#[test]
fn headers_that_say_another_thing_are_refused() {
    let stage = stage(&["--era", "discover"], "", CALLED);
    let client = Client::of(&stage).modern();
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    assert_eq!(
        client.open("POST", &[("mcp-method", "tools/call"), ("mcp-name", "send_mail")], call).answer().status,
        400
    );
    assert_eq!(client.open("POST", &[("mcp-method", "ping"), ("mcp-method", "tools/call")], call).answer().status, 400);
    assert_eq!(stage.project.read("files.log"), "");
}

#[test]
fn a_cut_stream_is_taken_up_again() {
    let script = concat!(
        r"say tools/call HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\nid: s-1\nretry: 10\ndata:\n\n",
        "\n",
        r#"say resume HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\nid: s-2\ndata: {"jsonrpc":"2.0","id":8,"result":{"not":"asked"}}\n\nevent: message\nid: s-3\ndata: {"jsonrpc":"2.0","id":7,\ndata: "result":{"content":[]}}\n\n"#,
        "\n"
    );
    let stage = stage(&[], "", script);
    let client = Client::of(&stage).initialize();
    let cut = client.call("read_file");
    assert_eq!(String::from_utf8_lossy(&cut.body), "id: s-1\nretry: 10\ndata: \n\n");
    let resumed = client.open("GET", &[("accept", "text/event-stream"), ("last-event-id", "s-1")], "").answer();
    // What nobody asked for keeps its place in the stream, and does not pass.
    assert_eq!(
        String::from_utf8_lossy(&resumed.body),
        "id: s-2\n\nid: s-3\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":7,\ndata: \"result\":{\"content\":[]}}\n\n"
            .replace("id: s-3\nevent: message", "event: message\nid: s-3")
    );
    assert!(stage.project.read("files.log").contains("last-event-id: s-1"));
}

#[test]
fn sessions_are_those_of_the_server() {
    let mut stage = stage(&[], "", CALLED);
    let client = Client::of(&stage).initialize();
    assert!(client.call("read_file").json()["result"].is_object());
    // A guard that starts anew takes a session up.
    drop(std::mem::replace(&mut stage.guard, guard(&stage.project, &[])));
    let client = Client { port: stage.guard.port, ..client };
    assert!(client.call("read_file").json()["result"].is_object());
    let [first, second] = [1, 2].map(|_| Client::of(&stage).initialize());
    assert_ne!(first.headers[1], second.headers[1]);
    assert_eq!(first.open("DELETE", &[], "").answer().status, 204);
    let gone = [first.ask(1, "ping", &json!({})), first.call("read_file")];
    assert_eq!(gone.each_ref().map(|gone| gone.status), [404, 404]);
    assert_eq!(gone[0].said(), "no such session");
    assert_eq!(gone[1].said(), "the server does not know this session any more");
    assert!(second.call("read_file").json()["result"].is_object());
    assert!(stage.project.read("files.log").contains("DELETE"));
}

#[test]
fn a_closed_guard_over_http_says_why() {
    let stage = stage(&[], "", CALLED);
    let client = Client::of(&stage).initialize();
    let baseline = stage.project.read("snapshots/files/baseline.json");
    stage.project.write("snapshots/files/baseline.json", &baseline.replace("Read a file.", "Read any file."));
    let before = stage.project.read("files.log");
    for method in ["tools/call", "ping", "initialize"] {
        let closed = client.ask(1, method, &json!({"name": "read_file"}));
        assert_eq!((closed.status, closed.json()["error"]["code"].clone()), (200, json!(-32090)));
        assert!(closed.said().starts_with("the guard is closed: "), "{}", closed.said());
    }
    assert_eq!(client.open("GET", &[], "").answer().status, 503);
    assert_eq!(stage.project.read("files.log"), before);
    stage.project.write("snapshots/files/baseline.json", &baseline);
    assert!(client.call("read_file").json()["result"].is_object());
    // Another URL is another server, which nobody agreed to.
    let config = stage.project.read("pinwatch.toml");
    stage.project.write("pinwatch.toml", &config.replace("/mcp", "/other"));
    assert!(client.call("read_file").said().contains("it changed since you agreed to start it"));
    stage.project.write("pinwatch.toml", "[servers.files]\ncommand = \"x\"\n");
    assert!(client.call("read_file").said().contains("`files` is started by a command"));
    stage.project.write("pinwatch.toml", "");
    assert!(client.call("read_file").said().contains("no server `files` with a URL is configured"));
}

#[test]
fn killing_a_listening_guard_ends_connections() {
    let mut stage = stage(&[], "", "");
    let client = Client::of(&stage).initialize();
    let mut changes = client.open("GET", &[("accept", "text/event-stream")], "");
    stage.guard.child.kill().unwrap();
    while changes.part().is_ok_and(|part| !part.is_empty()) {}
    stage.guard.child.wait().unwrap();
    assert!(TcpStream::connect(("127.0.0.1", stage.guard.port)).is_err());
}

#[test]
fn a_server_that_is_away_is_said_to_be() {
    let mut stage = stage(&[], "", "");
    let client = Client::of(&stage).initialize();
    stage.server.child.kill().unwrap();
    stage.server.child.wait().unwrap();
    let away = client.ask(4, "ping", &json!({}));
    assert_eq!(away.json()["id"], 4);
    assert!(away.said().starts_with("the server gave no answer: cannot connect"), "{}", away.said());
    assert!(client.call("read_file").said().starts_with("the server's list of tools could not be read: "));
    assert_eq!(client.open("POST", &[], r#"{"method":"notifications/x"}"#).answer().status, 502);
}

#[test]
fn no_hostile_server_over_http_gets_a_call() {
    for mode in [
        "hang-at-list",
        "crash-at-list",
        "huge",
        "endless-line",
        "deep",
        "endless-cursor",
        "same-cursor",
        "string-ids",
        "batch",
        "bom",
        "unreadable",
        "two-lists",
        "no-list",
        "error-at-list",
        "unknown-id",
        "unauthorized",
        "forbidden",
        "redirect",
        "web-page",
        "gzip",
        "status-500",
        "cut-stream",
        "event-stream",
        "forget-always",
    ] {
        let stage = stage(&["--behave", mode], "", "");
        stage.project.surface("files", &drifted());
        let guard = guard(&stage.project, &["--timeout", "1s"]);
        let client = Client { port: guard.port, ..Client::of(&stage) };
        let hello =
            json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        let opened = client.ask(0, "initialize", &hello);
        let session = opened.header("mcp-session-id").to_owned();
        let mut client = client;
        if !session.is_empty() {
            client.headers.push(("mcp-session-id".to_owned(), session));
        }
        let answer = client.call("read_file");
        let is_refused = answer.status >= 400 || answer.json()["error"].is_object();
        assert!(is_refused, "{mode}: {answer:?}");
        assert_eq!(asked(&stage.project, "tools/call"), 0, "{mode}");
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        assert!(!text.contains("hidden"), "{mode}: {text}");
    }
}

#[test]
fn a_client_of_a_listening_guard_is_looked_through() {
    let stage = stage(&[], "headers = { X-Team = \"red\" }\n", CALLED);
    let root = stage.project.path("").canonicalize().unwrap().display().to_string();
    let (own, port) = (stage.server.port, stage.guard.port);
    std::fs::remove_file(stage.project.path("pinwatch.toml")).unwrap();
    let entry = json!({"mcpServers": {"files": {"type": "http", "url": format!("http://127.0.0.1:{port}/mcp"), "headers": {
        "Authorization": format!("Bearer {}", stage.secret), "X-Team": "red",
        "Pinwatch-Upstream": format!("http://127.0.0.1:{own}/mcp")}}}});
    stage.project.write(".mcp.json", &entry.to_string());
    stage.project.expect(0, &["check", "--yes", "--root", &root]);
    let listed = stage.project.expect(0, &["servers", "--root", &root]).out;
    assert!(listed.contains(&format!("http://127.0.0.1:{own}/mcp")), "{listed}");
    assert!(!listed.contains(&stage.secret), "{listed}");
    let client = Client::of(&stage).initialize();
    assert!(client.call("read_file").json()["result"].is_object());
}

#[test]
fn each_call_over_http_leaves_its_evidence() {
    let mut stage = stage(&[], "", CALLED);
    stage.guard = guard(&stage.project, &["--evidence", "assay=calls.jsonl"]);
    let first = Client::of(&stage).initialize();
    let second = Client::of(&stage).initialize();
    for client in [&first, &second] {
        assert!(client.call("read_file").json()["result"].is_object());
        assert!(client.call("send_mail").json()["error"].is_object());
    }
    let written = stage.project.read("calls.jsonl");
    let tools: Vec<_> = written.lines().map(|line| line.contains("read_file")).collect();
    assert_eq!(tools, [true, false, true, false], "{written}");
}
