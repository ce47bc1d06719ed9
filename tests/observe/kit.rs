//! Servers for the tests, and short words for what came of a look.

use super::fixture::fixture_server;
use pinwatch::mcp::{Event, Limits, Look, Options, Session, Target};
use pinwatch::surface::{Completeness, Kind, Notice, Observation};
use std::collections::BTreeMap;
use std::fs;
use std::future::Future;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The ceiling of every wait.
pub const CEILING: Duration = Duration::from_secs(20);

/// A surface with two tools and a prompt.
pub const PLAIN: &str = r#"{"server_info": {"name":"files","version":"1.0"}, "capabilities": {"tools":{"listChanged":true},"prompts":{}},
"instructions": "Read first.", "tools": [{"name":"read","inputSchema":{"type":"object"}},{"name":"write","inputSchema":{"type":"object"}}],
"prompts": [{"name":"greet"}]}"#;

/// A folder with a surface file and a log.
#[derive(Debug)]
pub struct Bench {
    folder: TempDir,
}

impl Bench {
    /// A surface file with this text.
    pub fn new(surface: impl AsRef<[u8]>) -> Self {
        let bench = Self { folder: TempDir::new().expect("a folder for the test") };
        bench.rewrite(surface);
        bench
    }

    /// Replaces the surface as a whole.
    pub fn rewrite(&self, surface: impl AsRef<[u8]>) {
        let new = self.folder.path().join("new");
        fs::write(&new, surface).expect("the surface is written");
        fs::rename(new, self.file()).expect("the surface is replaced");
    }

    pub fn file(&self) -> PathBuf {
        self.folder.path().join("surface.json")
    }

    /// What the server received and did, a line each.
    pub fn log(&self) -> Vec<String> {
        let text = fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// The words of the command line, `--behave` for each plain word of `how`, the rest as it stands.
    pub fn words(&self, how: &str) -> Vec<String> {
        let mut words = vec![self.file().display().to_string(), "--log".to_owned()];
        words.push(self.folder.path().join("log").display().to_string());
        let mut how = how.split_whitespace();
        while let Some(word) = how.next() {
            if word.starts_with("--") {
                words.extend([word.to_owned(), how.next().expect("a value").to_owned()]);
            } else {
                words.extend(["--behave".to_owned(), word.to_owned()]);
            }
        }
        words
    }

    /// Writes a script of the server's, as `script.rs` of the fixture reads it; the words that name it.
    pub fn script(&self, lines: impl AsRef<[u8]>) -> String {
        let path = self.folder.path().join("script");
        fs::write(&path, lines).expect("the script is written");
        format!("--script {}", path.display())
    }

    /// The server as a process.
    pub fn stdio(&self, how: &str) -> Target {
        command(&fixture_server().display().to_string(), self.words(how))
    }

    /// The server as a process that SIGTERM does not end: what a shell ignores its successor ignores.
    pub fn deaf(&self, how: &str) -> Target {
        let script = "trap '' TERM; exec \"$0\" \"$@\"".to_owned();
        let start = ["-c".to_owned(), script, fixture_server().display().to_string()];
        command("sh", start.into_iter().chain(self.words(how)).collect())
    }

    /// The server over HTTP, running.
    pub fn http(&self, how: &str) -> Endpoint {
        let mut child = Command::new(fixture_server())
            .args(self.words(how))
            .args(["--http", "0"])
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the fixture starts");
        let mut line = String::new();
        let stderr = child.stderr.take().expect("a pipe");
        BufReader::new(stderr).read_line(&mut line).expect("the fixture says where it listens");
        let address = line.trim().rsplit(' ').next().expect("an address").to_owned();
        Endpoint { child, url: format!("http://{address}/mcp") }
    }
}

/// A running HTTP server; killed when dropped.
#[derive(Debug)]
pub struct Endpoint {
    child: Child,
    pub url: String,
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Endpoint {
    pub fn target(&self) -> Target {
        Target::Http { url: self.url.clone(), headers: Vec::new(), allow_plain: false }
    }
}

pub fn command(command: &str, args: Vec<String>) -> Target {
    Target::Stdio { command: command.to_owned(), args, cwd: PathBuf::from("."), env: BTreeMap::new() }
}

/// Time-outs that only a hang reaches.
pub fn options() -> Options {
    Options { start_timeout: CEILING, request_timeout: CEILING, ..Options::default() }
}

/// Time-outs for a server that is known to hang after its start.
pub fn hasty() -> Options {
    Options { request_timeout: Duration::from_millis(400), ..options() }
}

/// A future that must end under the ceiling.
pub async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(CEILING * 2, future).await.expect("it ends in time")
}

pub async fn open(target: &Target, options: &Options) -> Session {
    let opened = soon(Session::open(target, options, &Limits::default())).await;
    opened.unwrap_or_else(|failure| panic!("no session: {failure:?}"))
}

/// The code of the reason why there is no session.
pub async fn refused(target: &Target, options: &Options) -> (String, String) {
    match soon(Session::open(target, options, &Limits::default())).await {
        Ok(session) => panic!("a session came about: {session:?}"),
        Err(failure) => (failure.reason.code.to_owned(), failure.reason.text),
    }
}

/// A look that must see something.
pub async fn see(session: &mut Session) -> Observation {
    match soon(session.look()).await {
        Look::Seen(observation) => observation,
        Look::Unchanged { notices } => panic!("nothing was seen: {notices:?}"),
    }
}

/// A look; none where it saw nothing new.
pub async fn see_or_same(session: &mut Session) -> Option<Observation> {
    match soon(session.look()).await {
        Look::Seen(observation) => Some(observation),
        Look::Unchanged { .. } => None,
    }
}

/// A look that must see nothing new.
pub async fn see_nothing(session: &mut Session) -> Vec<Notice> {
    match soon(session.look()).await {
        Look::Unchanged { notices } => notices,
        Look::Seen(observation) => panic!("something was seen: {observation:?}"),
    }
}

/// The whole of one server: open, one look, close.
pub async fn observe(target: &Target, options: &Options) -> Observation {
    let mut session = open(target, options).await;
    let observation = see(&mut session).await;
    soon(session.close()).await;
    observation
}

pub async fn changed(session: &mut Session) -> Event {
    soon(session.changed()).await
}

/// The items of a kind as text.
pub fn texts(observation: &Observation, kind: Kind) -> Vec<String> {
    let items = observation.items.iter().filter(|item| item.kind == kind);
    items.map(|item| String::from_utf8_lossy(&item.bytes).into_owned()).collect()
}

/// `complete`, `ignored`, `partial CODE` or `failed CODE`.
pub fn state(observation: &Observation, kind: Kind) -> String {
    match observation.completeness.get(&kind).expect("every kind has a state") {
        Completeness::Complete => "complete".to_owned(),
        Completeness::Ignored => "ignored".to_owned(),
        Completeness::Partial(reason) => format!("partial {}", reason.code),
        Completeness::Failed(reason) => format!("failed {}", reason.code),
    }
}

/// How often a notice was counted.
pub fn count(notices: &[Notice], code: &str) -> u64 {
    notices.iter().filter(|notice| notice.code == code).map(|notice| notice.count).sum()
}

/// Waits until `met`, with a ceiling.
pub async fn until(what: &str, met: impl Fn() -> bool) {
    let start = Instant::now();
    while !met() {
        assert!(start.elapsed() < CEILING, "{what} does not come about");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Whether a process is there and no zombie.
pub fn runs(pid: u32) -> bool {
    let Ok(status) = fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("stat")) else {
        return false;
    };
    !status.rsplit(')').next().unwrap_or_default().trim_start().starts_with('Z')
}
