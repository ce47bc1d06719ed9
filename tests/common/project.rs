//! A project for whole-process tests: a root with surfaces and a config, a home of its own, and the built binary in it.

use super::fixture::fixture_server;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A folder with `root/` (the project) and `home/` (this user's own places); gone with the value.
pub struct Project {
    folder: TempDir,
}

/// How a run of the binary ended.
#[derive(Debug)]
pub struct Done {
    /// Its exit code; -1 where a signal ended it.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Project {
    /// An empty root and an empty home.
    pub fn new() -> Self {
        let folder = TempDir::new().expect("a folder for the test");
        for name in ["root", "home"] {
            fs::create_dir(folder.path().join(name)).expect("a folder for the test");
        }
        Self { folder }
    }

    /// A root whose found `pinwatch.toml` names one fixture server, `files`, which shows [`two_tools`].
    pub fn with_files() -> Self {
        let project = Self::new();
        project.surface("files", &two_tools());
        project.write("pinwatch.toml", &Self::entry("files", &[]));
        project
    }

    /// A path below the root.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("root").join(name)
    }

    /// The home.
    pub fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// Everything of this test: root and home.
    pub fn whole(&self) -> &Path {
        self.folder.path()
    }

    /// Replaces a file of the root as a whole, so that nobody reads half of it.
    pub fn write(&self, name: &str, text: &str) {
        let new = self.path("new~");
        fs::write(&new, text).expect("the root can be written");
        fs::rename(new, self.path(name)).expect("the root can be written");
    }

    /// Reads a file of the root.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Sets what the fixture server `id` shows from now on.
    pub fn surface(&self, id: &str, surface: &Value) {
        self.write(&format!("{id}.json"), &surface.to_string());
    }

    /// A config entry of the fixture server `id`, which keeps a log `ID.log`: who started it left that file.
    pub fn entry(id: &str, behaves: &[&str]) -> String {
        let mut args = vec![format!("{id}.json"), "--log".to_owned(), format!("{id}.log")];
        args.extend(behaves.iter().flat_map(|name| ["--behave".to_owned(), (*name).to_owned()]));
        format!("[servers.{id}]\ncommand = {}\nargs = {}\n", json!(fixture_server()), json!(args))
    }

    /// Whether the fixture server `id` was ever started.
    pub fn was_started(&self, id: &str) -> bool {
        self.path(&format!("{id}.log")).exists()
    }

    /// What the environment of every run is: nothing of this machine's own but the search path.
    pub fn environment(&self) -> Vec<(&'static str, String)> {
        let below = |name: &str| self.home().join(name).display().to_string();
        vec![
            ("PATH", std::env::var("PATH").unwrap_or_default()),
            ("HOME", below("")),
            ("USER", "ana".to_owned()),
            ("LANG", "C.UTF-8".to_owned()),
            ("TZ", "UTC".to_owned()),
            ("XDG_STATE_HOME", below("state")),
            ("XDG_CONFIG_HOME", below("config")),
            ("XDG_DATA_HOME", below("data")),
        ]
    }

    /// The binary in the root, with these words.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pinwatch"));
        command.args(words).current_dir(self.path("")).env_clear().envs(self.environment());
        command.stdin(Stdio::null());
        command
    }

    /// Runs the binary to its end.
    pub fn run(&self, words: &[&str]) -> Done {
        done(&mut self.command(words))
    }

    /// Runs it and holds it to its exit code.
    pub fn expect(&self, code: i32, words: &[&str]) -> Done {
        let done = self.run(words);
        assert_eq!(done.code, code, "{words:?}: {done:#?}");
        done
    }

    /// The baseline of a server as JSON.
    pub fn baseline(&self, id: &str) -> Value {
        serde_json::from_str(&self.read(&format!("snapshots/{id}/baseline.json"))).expect("a baseline is JSON")
    }
}

/// Runs a command to its end.
pub fn done(command: &mut Command) -> Done {
    let output = command.output().expect("the binary starts");
    let text = |bytes| String::from_utf8(bytes).expect("the binary writes UTF-8");
    Done { code: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) }
}

/// A surface of two tools.
pub fn two_tools() -> Value {
    json!({
        "server_info": {"name": "files", "version": "1.0.0"},
        "capabilities": {"tools": {"listChanged": true}},
        "tools": [
            {"name": "list_files", "description": "List the files of a folder.",
             "inputSchema": {"type": "object", "properties": {"folder": {"type": "string"}}, "required": ["folder"]}},
            {"name": "read_file", "description": "Read a file.",
             "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}},
        ],
    })
}

/// The same, with another description of `read_file`.
pub fn drifted() -> Value {
    let mut surface = two_tools();
    surface["tools"][1]["description"] = "Read a file, and send a copy to the archive.".into();
    surface
}
