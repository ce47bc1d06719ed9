//! The table for HTTP servers. They are threads here, and write whatever bytes they like.

use super::project::{Project, done};
use super::stage::{READ, WRITE, check, cost, is_right, reasons, sees};
use super::terminal::{Terminal, pinwatch_in};
use super::text::{is_ours, is_seen};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// What is said to one request.
pub enum Reply {
    /// What an honest server says.
    Usual,
    /// These bytes, and the connection is closed.
    Raw(Vec<u8>),
    /// The bytes, then the others for ever, with a pause between them.
    Endless(Vec<u8>, Vec<u8>, Duration),
    /// Nothing, with the connection open.
    Nothing,
}

/// By the method that is asked for and the request's id, what is said.
type Say = dyn Fn(&str, &str) -> Reply + Send + Sync;

/// A server.
pub struct Row {
    pub name: &'static str,
    reply: Box<Say>,
    options: String,
    pub sees: &'static str,
}

const HASTY: &str = "request-timeout = \"1500ms\"\n";
const MUTE: &str = "start-timeout = \"1500ms\"\n";

pub fn row(name: &'static str, sees: &'static str, reply: impl Fn(&str, &str) -> Reply + Send + Sync + 'static) -> Row {
    Row { name, reply: Box::new(reply), options: String::new(), sees }
}

impl Row {
    pub fn with(self, options: impl Into<String>) -> Self {
        Self { options: options.into(), ..self }
    }
}

pub fn response(status: &str, headers: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let head = format!("HTTP/1.1 {status}\r\n{headers}content-length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

/// The same response to whatever is asked.
pub fn always(name: &'static str, sees: &'static str, raw: impl AsRef<[u8]>) -> Row {
    let raw = raw.as_ref().to_vec();
    row(name, sees, move |_, _| Reply::Raw(raw.clone()))
}

/// The response to `tools/list` alone; `$ID` is the id.
fn at_list(name: &'static str, sees: &'static str, raw: impl AsRef<[u8]>) -> Row {
    let raw = String::from_utf8_lossy(raw.as_ref()).into_owned();
    row(name, sees, move |method, id| match method {
        "tools/list" => Reply::Raw(raw.replace("$ID", id).into_bytes()),
        _ => Reply::Usual,
    })
}

/// At the list: `begin`, then `part` for ever.
fn endless(name: &'static str, sees: &'static str, begin: &str, part: &str, pause: Duration) -> Row {
    let (begin, part) = (begin.as_bytes().to_vec(), part.as_bytes().to_vec());
    row(name, sees, move |method, _| match method {
        "tools/list" => Reply::Endless(begin.clone(), part.clone(), pause),
        _ => Reply::Usual,
    })
}

/// Beside others that show the same tools it is told that they do.
const WHOLE: &str = "complete | complete +name-collision";
pub const JSON: &str = "content-type: application/json\r\n";
const EVENTS: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";

fn refusals() -> Vec<Row> {
    let mut rows = Vec::new();
    for (name, status, sees) in [
        ("status-401", "401 Unauthorized", "failed unauthorized"),
        ("status-403", "403 Forbidden", "failed forbidden"),
        ("status-404", "404 Not Found", "failed http-status"),
        ("status-405", "405 Method Not Allowed", "failed http-status"),
        ("status-429", "429 Too Many Requests", "failed http-status"),
        ("status-500", "500 Internal Server Error", "failed http-status"),
        ("status-503", "503 Service Unavailable", "failed http-status"),
        ("status-999", "999 Whatever", "failed http-status"),
        ("status-204", "204 No Content", "failed http-status"),
    ] {
        rows.push(always(name, sees, response(status, "retry-after: 99999999\r\n", "<h1>no</h1>")));
    }
    for (name, status) in [("moved-301", "301"), ("moved-302", "302"), ("moved-307", "307"), ("moved-308", "308")] {
        let place = "location: http://127.0.0.1:9/\u{202e}elsewhere?token=hidden\r\n";
        rows.push(always(name, "failed redirect-refused", response(&format!("{status} Moved"), place, "")));
    }
    rows.push(always("moved-nowhere", "failed redirect-refused", response("302 Found", "", "")));
    rows.push(always(
        "asks-for-credentials",
        "failed unauthorized",
        response("401 Unauthorized", "www-authenticate: Bearer realm=\"\u{202e}\u{e0041}\"\r\n", ""),
    ));
    for (name, status, sees) in [
        ("401-at-list", "401 Unauthorized", "partial unauthorized"),
        ("429-at-list", "429 Too Many Requests", "partial http-status"),
        ("500-at-list", "500 Internal Server Error", "partial http-status"),
        ("302-at-list", "302 Found", "partial redirect-refused"),
        ("404-at-list", "404 Not Found", "partial http-status"),
    ] {
        rows.push(at_list(name, sees, response(status, "", "no")));
    }
    rows
}

fn contents() -> Vec<Row> {
    let list = format!("{{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{{\"tools\":[{READ},{WRITE}]}}}}");
    let other = list.replace("$ID", "9999");
    let bomb = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xed\xc1\x01\x0d\x00\x00\x00\xc2\xa0\xf7\x4f\x6d\x0e\x37\xa0";
    vec![
        row("honest", WHOLE, |_, _| Reply::Usual),
        always("web-page", "failed wrong-content-type", response("200 OK", "content-type: text/html\r\n", "<p>Hi</p>")),
        always("no-content-type", "failed wrong-content-type", response("200 OK", "", "{}")),
        always(
            "content-type-of-100-kb",
            "failed wrong-content-type",
            response("200 OK", &format!("content-type: {}\r\n", "x".repeat(100_000)), "{}"),
        ),
        always(
            "odd-content-type",
            "failed wrong-content-type",
            response("200 OK", "content-type: \u{202e}json\r\n", "{}"),
        ),
        at_list(
            "gzip-bomb",
            "partial compressed-answer",
            [&b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\n\r\n"[..], bomb]
                .concat(),
        ),
        at_list("gzip-undeclared", "partial unreadable-answer +stray-output", response("200 OK", JSON, bomb)),
        at_list("wrong-id", "partial unreadable-answer +unknown-id", response("200 OK", JSON, &other)),
        at_list("empty-body", "partial unreadable-answer", response("200 OK", JSON, "")),
        at_list("no-json", "partial unreadable-answer +stray-output", response("200 OK", JSON, "Service is starting")),
        at_list(
            "half-closed",
            "partial connection-lost",
            format!("HTTP/1.1 200 OK\r\n{JSON}content-length: 100000\r\n\r\n{{\"jsonrpc\""),
        ),
        at_list(
            "two-lengths",
            "partial connection-lost",
            format!("HTTP/1.1 200 OK\r\n{JSON}content-length: 5\r\ncontent-length: 7\r\n\r\n{{}}     "),
        ),
        at_list(
            "split-response",
            "partial wrong-content-type",
            [response("200 OK", "x: a\r\n", ""), response("200 OK", JSON, "{}")].concat(),
        ),
        at_list("events-cut", "partial closed-stream", format!("{EVENTS}: hello\n\ndata: {{\"jsonrpc\"")),
        at_list("events-empty", "partial closed-stream", EVENTS),
        at_list(
            "300-mb-announced",
            "partial answer-too-large",
            format!("HTTP/1.1 200 OK\r\n{JSON}content-length: 314572800\r\n\r\n{{"),
        ),
    ]
}

fn floods() -> Vec<Row> {
    let none = Duration::ZERO;
    let chunk = "x".repeat(64 << 10);
    let body = format!("HTTP/1.1 200 OK\r\n{JSON}\r\n{{\"jsonrpc\":\"2.0\",\"result\":{{\"tools\":[\"");
    let event = "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n";
    vec![
        endless("endless-body", "partial answer-too-large", &body, &chunk, none),
        endless("endless-event", "partial answer-too-large", &format!("{EVENTS}data: \""), &chunk, none),
        endless("endless-comments", "partial output-flood", EVENTS, &format!(": {chunk}\n"), none),
        endless(
            "endless-events",
            "partial output-flood +list-changed +list-changed-flood",
            EVENTS,
            &event.repeat(500),
            none,
        ),
        endless("comments-at-times", "partial request-timeout", EVENTS, ": still here\n\n", Duration::from_millis(50))
            .with(HASTY),
        endless("body-now-and-then", "partial request-timeout", &body, "x", Duration::from_millis(50)).with(HASTY),
        endless(
            "endless-headers",
            "partial connection-lost",
            "HTTP/1.1 200 OK\r\n",
            &format!("x-a: {chunk}\r\n"),
            none,
        ),
        endless(
            "endless-hints",
            "partial request-timeout",
            "",
            "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n",
            Duration::from_millis(1),
        )
        .with(HASTY),
        row("no-answer", "failed start-timeout", |_, _| Reply::Nothing).with(MUTE),
        row("no-answer-at-list", "partial request-timeout", |method, _| {
            if method == "tools/list" { Reply::Nothing } else { Reply::Usual }
        })
        .with(HASTY),
        always("closes-at-once", "failed connection-lost", ""),
        always("no-http", "failed connection-lost", "SSH-2.0-OpenSSH_9.6\r\n"),
        always("garbage", "failed connection-lost", [0_u8, 255, 27, 91, 50, 74, 10].repeat(100)),
    ]
}

/// Sessions that end by themselves, and what a server does with the stream on which it speaks unasked.
fn sessions() -> Vec<Row> {
    let lost =
        || response("404 Not Found", JSON, r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"no"}}"#);
    let entered = |id: &str| {
        let hello = String::from_utf8(usual("initialize", id)).expect("it is text");
        hello.replacen("\r\n", "\r\nmcp-session-id: s\r\n", 1).into_bytes()
    };
    let once = AtomicBool::new(false);
    let change = "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n";
    let mut rows = vec![
        row("session-lost-once", WHOLE, move |method, id| match method {
            "initialize" => Reply::Raw(entered(id)),
            "tools/list" if !once.swap(true, Ordering::SeqCst) => Reply::Raw(lost()),
            _ => Reply::Usual,
        }),
        row("session-lost-always", "partial http-status", move |method, id| match method {
            "initialize" => Reply::Raw(entered(id)),
            "tools/list" => Reply::Raw(lost()),
            _ => Reply::Usual,
        }),
        row("session-id-with-controls", "failed connection-lost", |method, id| match method {
            "initialize" => {
                let hello = String::from_utf8(usual(method, id)).expect("it is text");
                Reply::Raw(hello.replacen("\r\n", "\r\nmcp-session-id: a\u{1b}[2J\r\n", 1).into_bytes())
            }
            _ => Reply::Usual,
        }),
    ];
    let words = "Bad Request: Unsupported protocol version (supported: 2025-06-18, 2024-11-05)";
    let error = format!(r#"{{"jsonrpc":"2.0","id":null,"error":{{"code":-32000,"message":"{words}"}}}}"#);
    for (name, refusal, times) in [
        ("revision-refused-with-400", response("400 Bad Request", JSON, &error), 1),
        ("revision-refused-with-200", response("200 OK", JSON, &error), 1),
        ("revision-refused-in-words", response("400 Bad Request", "content-type: text/plain\r\n", words), 1),
        ("revision-refused-by-a-status", response("422 Unprocessable", "", ""), 1),
        // A closed connection is tried once more by itself.
        ("revision-refused-by-hanging-up", Vec::new(), 2),
    ] {
        let refused = AtomicUsize::new(0);
        rows.push(row(name, WHOLE, move |method, _| match method {
            "initialize" if refused.fetch_add(1, Ordering::SeqCst) < times => Reply::Raw(refusal.clone()),
            _ => Reply::Usual,
        }));
    }
    let chunk = "x".repeat(64 << 10);
    for (name, begin, part, pause) in [
        ("changes-without-end", EVENTS, change.repeat(100), Duration::ZERO),
        ("changes-now-and-then", EVENTS, change.to_owned(), Duration::from_millis(20)),
        ("changes-never-end-an-event", EVENTS, format!("data: {chunk}"), Duration::ZERO),
        ("changes-in-comments", EVENTS, format!(": {chunk}\n"), Duration::ZERO),
        ("changes-as-garbage", EVENTS, "data: \u{1b}]0;EVIL\u{7}\n\n".repeat(100), Duration::ZERO),
        ("changes-in-headers", "HTTP/1.1 200 OK\r\n", format!("x-a: {chunk}\r\n"), Duration::ZERO),
    ] {
        rows.push(row(name, WHOLE, move |method, _| match method {
            "GET" => Reply::Endless(begin.as_bytes().to_vec(), part.as_bytes().to_vec(), pause),
            _ => Reply::Usual,
        }));
    }
    for (name, raw) in [
        ("changes-cut", EVENTS.to_owned()),
        (
            "changes-moved",
            "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:9/\r\ncontent-length: 0\r\n\r\n".to_owned(),
        ),
        ("changes-refused", "HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n".to_owned()),
        ("changes-fail", "HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n".to_owned()),
    ] {
        rows.push(row(name, WHOLE, move |method, _| match method {
            "GET" => Reply::Raw(raw.clone().into_bytes()),
            _ => Reply::Usual,
        }));
    }
    rows
}

/// A request's path, method and id.
fn request(stream: &TcpStream) -> io::Result<Option<(String, String, String)>> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let verb = line.split(' ').next().unwrap_or_default().to_owned();
    let path = line.split(' ').nth(1).unwrap_or_default().trim_start_matches('/').to_owned();
    let mut length = 0;
    loop {
        line.clear();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let message: Value = serde_json::from_slice(&body).unwrap_or_default();
    let method = message["method"].as_str().map_or(verb, str::to_owned);
    Ok(Some((path, method, message["id"].to_string())))
}

fn usual(method: &str, id: &str) -> Vec<u8> {
    let result = match method {
        "initialize" => {
            r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"web","version":"1"}}"#
                .to_owned()
        }
        "tools/list" => format!("{{\"tools\":[{READ},{WRITE}]}}"),
        "GET" => return response("405 Method Not Allowed", "", ""),
        _ if id == "null" => return response("202 Accepted", "", ""),
        _ => {
            return response(
                "400 Bad Request",
                JSON,
                format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":{{\"code\":-32601,\"message\":\"no\"}}}}"),
            );
        }
    };
    response("200 OK", JSON, format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}"))
}

fn serve(mut stream: TcpStream, rows: &[Row]) -> io::Result<()> {
    while let Some((path, method, id)) = request(&stream)? {
        // What is asked for beside it, such as who signs people in, is not there.
        let Some(row) = rows.iter().find(|row| row.name == path) else {
            stream.write_all(&response("404 Not Found", "", ""))?;
            continue;
        };
        match (row.reply)(&method, &id) {
            Reply::Usual => stream.write_all(&usual(&method, &id))?,
            Reply::Raw(bytes) => {
                stream.write_all(&bytes)?;
                return stream.shutdown(Shutdown::Write);
            }
            Reply::Endless(begin, part, pause) => {
                stream.write_all(&begin)?;
                loop {
                    stream.write_all(&part)?;
                    thread::sleep(pause);
                }
            }
            // Until the client hangs up.
            Reply::Nothing => return stream.read(&mut [0]).map(drop),
        }
    }
    Ok(())
}

/// A project whose servers are the rows.
pub fn staged(rows: Vec<Row>) -> (Project, Arc<Vec<Row>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("its address");
    let mut config = String::new();
    for row in &rows {
        writeln!(config, "[servers.{0}]\nurl = \"http://{address}/{0}\"\n{1}", row.name, row.options)
            .expect("a String takes all");
    }
    let rows = Arc::new(rows);
    let served = Arc::clone(&rows);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let rows = Arc::clone(&served);
            // Who hangs up ends its own connection.
            thread::spawn(move || serve(stream, &rows));
        }
    });
    let project = Project::new();
    project.write("pinwatch.toml", &config);
    (project, rows)
}

pub fn rows() -> Vec<Row> {
    [refusals(), contents(), floods(), sessions()].into_iter().flatten().collect()
}

#[test]
fn http_misbehaviour_is_a_state_of_one_server() {
    let (project, rows) = staged(rows());
    let (report, peak) = check(&project, &[]);
    let found: BTreeMap<_, _> =
        report.iter().map(|server| (server["id"].as_str().unwrap_or_default(), sees(server))).collect();
    let wrong: Vec<_> = rows
        .iter()
        .filter_map(|row| {
            let sees = found.get(row.name).map_or("not reported", String::as_str);
            (!is_right(row.sees, sees)).then(|| format!("{}: {sees}, not {}", row.name, row.sees))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let text = report.iter().map(Value::to_string).collect::<String>();
    assert!(!text.contains("hidden"), "what stands in a redirect's query may be a secret");
    assert!(reasons(&report).all(|reason| reason.chars().count() < 1_000), "a reason is a line");
    assert!(peak < 256 << 10, "{peak} kB");
}

/// The table with what each costs: `cargo test --test hostile -- --ignored --nocapture cost`.
#[test]
#[ignore = "it looks at one server after another, and says what each costs"]
fn the_cost_of_every_misbehaviour_over_http() {
    let (project, rows) = staged(rows());
    for row in rows.iter() {
        cost(&project, row.name, row.sees);
    }
    let (project, _) = secured();
    for (name, _, sees) in SECURED {
        cost(&project, name, sees);
    }
}

#[test]
fn what_stands_in_headers_hides_nothing() {
    let told =
        ["moved-302", "asks-for-credentials", "odd-content-type", "error-that-fights", "session-id-with-controls"];
    let mut rows = rows();
    rows.push(row("error-that-fights", "", |method, id| match method {
        "tools/list" => {
            let message = r#""\u001b]0;EVIL\u0007\u202e\u009b\udb40\udc41\u200b""#;
            let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-1,"message":{message}}}}}"#);
            Reply::Raw(response("500 No", JSON, body))
        }
        _ => Reply::Usual,
    }));
    rows.retain(|row| told.contains(&row.name));
    let (project, rows) = staged(rows);
    assert_eq!(rows.len(), told.len());
    for format in ["text", "json", "sarif", "junit", "markdown", "github"] {
        let ran = project.run(&["check", "--yes", "--format", format]);
        is_seen(format, &(ran.out.clone() + &ran.err));
        let shown = |codes: [&str; 2]| codes.iter().any(|code| ran.out.contains(code));
        assert!(shown(["U+202E", "\\u202e"]) && shown(["U+200B", "\\u200b"]), "{format}: {ran:?}");
    }
    let mut screen = super::on_servers(Terminal::start(pinwatch_in(&project, &["watch", "--yes"]), 160, 40));
    for name in told {
        screen.until_shows(name);
    }
    screen.until("every one of them", |screen| {
        let ended = ["FAILED", "NEEDS SIGN-IN"].map(|state| screen.contents().matches(state).count());
        (ended.iter().sum::<usize>() >= told.len()).then_some(())
    });
    // A list whose states change is ordered anew, so that one walk may pass by a server: what is missing after five is. Opening
    // the one that asks for a sign-in would begin that.
    let hidden = ["<U+202E>", "<U+E0041>", "<U+001B>", "<U+009B>", "<U+200B>"];
    let missing = |screen: &Terminal| {
        let written = screen.written();
        let shown = String::from_utf8_lossy(&written);
        hidden.iter().copied().filter(|hidden| !shown.contains(hidden)).collect::<Vec<_>>()
    };
    for _ in 0..5 {
        screen.takes("top");
        for _ in 0..told.len() {
            screen.takes("events, back, details, bottom, back, down");
        }
        if missing(&screen).is_empty() {
            break;
        }
    }
    screen.press("quit-now");
    screen.wait();
    is_ours(&screen.written());
    assert_eq!(missing(&screen), Vec::<&str>::new(), "never shown");
}

/// What is said on a port that should be a secure one, and what is seen of it.
const SECURED: [(&str, &[u8], &str); 6] = [
    ("plain", b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n", "failed tls-failed"),
    ("garbage", &[0x16, 3, 1, 0xff, 0xff, 27, 91, 50, 74], "failed tls-failed"),
    ("alert", &[0x15, 3, 3, 0, 2, 2, 40], "failed tls-failed"),
    ("closes", b"", "failed tls-failed"),
    ("endless", &[0x16, 3, 3, 0x40, 0], "failed tls-failed"),
    ("hangs", b"hangs", "failed start-timeout"),
];

/// Servers on such ports, and what each of them heard.
fn secured() -> (Project, Vec<Receiver<Vec<u8>>>) {
    let project = Project::new();
    let mut config = String::new();
    let mut heard = Vec::new();
    for (name, says, _) in SECURED {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("its address").port();
        writeln!(config, "[servers.{name}]\nurl = \"https://localhost:{port}/\"\nheaders = {{ Authorization = \"Bearer hunter2\" }}\n{MUTE}")
            .expect("a String takes all");
        let (send, received) = mpsc::channel();
        heard.push(received);
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let send = send.clone();
                thread::spawn(move || {
                    let mut hello = vec![0; 4096];
                    let length = stream.read(&mut hello).unwrap_or(0);
                    hello.truncate(length);
                    let _ = send.send(hello);
                    while name == "endless" && stream.write_all(says).is_ok() {}
                    if name == "hangs" {
                        let _ = stream.read(&mut [0]);
                    } else {
                        let _ = stream.write_all(says);
                    }
                });
            }
        });
    }
    project.write("pinwatch.toml", &config);
    (project, heard)
}

#[test]
fn insecure_connection_is_named_and_told_nothing() {
    let (project, heard) = secured();
    let (report, _) = check(&project, &[]);
    let found: Vec<_> =
        report.iter().map(|server| (server["id"].as_str().unwrap_or_default().to_owned(), sees(server))).collect();
    let right: Vec<_> = SECURED.map(|(name, _, right)| (name.to_owned(), right.to_owned())).into();
    assert_eq!(found, right);
    assert!(reasons(&report).all(|reason| reason.chars().count() < 1_000), "a reason is a line");
    for hello in heard.iter().flat_map(Receiver::try_iter) {
        assert!(hello.starts_with(&[0x16]) && !String::from_utf8_lossy(&hello).contains("hunter2"), "{hello:?}");
    }
}

#[test]
fn unsigned_certificate_is_no_secure_connection() {
    let signed = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    let key = rustls::pki_types::PrivatePkcs8KeyDer::from(signed.signing_key.serialize_der());
    let _ = rustls::crypto::ring::default_provider().install_default();
    let config = rustls::ServerConfig::builder().with_no_client_auth();
    let config = Arc::new(config.with_single_cert(vec![signed.cert.der().clone()], key.into()).expect("a server"));
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("its address").port();
    let heard = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&heard);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let connection = rustls::ServerConnection::new(Arc::clone(&config)).expect("a connection");
            let mut stream = rustls::StreamOwned::new(connection, stream);
            told.fetch_or(matches!(stream.read(&mut [0; 64]), Ok(1..)), Ordering::SeqCst);
        }
    });
    let entry = format!(
        "[servers.tls]\nurl = \"https://localhost:{port}/\"\nheaders = {{ Authorization = \"Bearer hunter2\" }}\n"
    );
    let project = Project::new();
    project.write("pinwatch.toml", &entry);
    let (report, _) = check(&project, &[]);
    assert_eq!(sees(&report[0]), "failed tls-failed", "{report:?}");
    assert!(!heard.load(Ordering::SeqCst), "nothing was sent over it");
}

#[test]
fn config_header_that_would_be_two_is_not_sent() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("its address");
    listener.set_nonblocking(true).expect("it can be asked");
    let run = |headers: &str| {
        let project = Project::new();
        let text = format!("[servers.x]\nurl = \"http://{address}/\"\nheaders = {{ {headers} }}\n");
        project.write("pinwatch.toml", &text);
        done(project.command(&["check", "--yes"]).env("EVIL", "hunter2\r\nx-evil: 1"))
    };
    for header in [
        r#""X-Key" = "hunter2\r\nx-evil: 1""#,
        r#""X-Key" = "hunter2\u0000""#,
        r#""X-Key: a\r\nx-evil" = "hunter2""#,
        r#""" = "hunter2""#,
        r#""X-Key" = "${EVIL}""#,
        r#""X-Key" = "Bearer ${EVIL}""#,
    ] {
        let ran = run(header);
        let said = ran.out + &ran.err;
        assert_eq!(ran.code, 2, "{header}: {said}");
        assert!(said.contains("header") && !said.contains("hunter2"), "{header}: {said}");
    }
    assert!(listener.accept().is_err(), "nobody called");
}
