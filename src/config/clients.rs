//! Other clients' config files, read and never written: which client keeps its servers where ([`table`]), how that file
//! is made ([`shapes`]), and the two readers of a path ([`place`]) and of a shape ([`shape`]).

mod claude;
mod found;
mod input;
mod place;
mod shape;
mod shapes;
mod spots;
mod switch;
mod table;

pub(super) use claude::McpJsonLists;
pub(super) use found::{ClientFile, Found};
pub(super) use input::Input;
pub(super) use place::System;
pub(super) use spots::{NamedSpot, Spot, Spots};
pub(super) use switch::is_honoured;
pub(super) use table::{CLIENTS, FILES};

use super::Lookup;
use super::document::Syntax;
use super::read::{MAX_PROJECT_BYTES, MAX_USER_BYTES};
use shape::Shape;
use std::path::{Path, PathBuf};
use strum::IntoStaticStr;

/// A client whose files `include` can name.
#[derive(Debug)]
pub(super) struct Client {
    /// The word of `include`, and what stands after the `@` of an id.
    pub(super) word: &'static str,
    /// Its name for people.
    pub(super) name: &'static str,
}

/// One place where a client keeps servers.
#[derive(Clone, Copy, Debug)]
pub(super) struct File {
    /// The word of the client.
    client: &'static str,
    pub(super) level: Level,
    path: &'static str,
    shape: &'static Shape,
    systems: &'static [System],
}

/// Whose file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Level {
    /// A project's: found by walking up, and as untrusted as the project.
    Project,
    /// This user's own.
    User,
    /// The machine's: an administrator wrote it.
    System,
}

word!(Level);

/// The project file that is read under this name wherever a client is not named: Claude Code's, which others read too.
pub(super) const MCP_JSON: &str = ".mcp.json";

/// The word of the client with this name for people.
pub(super) fn word_of(name: &str) -> Option<&'static str> {
    CLIENTS.iter().find(|client| client.name == name).map(|client| client.word)
}

impl Client {
    /// The client that a word of `include` names. The name of a project's file is one, too.
    pub(super) fn named(word: &str) -> Option<&'static Self> {
        let word = if word == MCP_JSON { "claude-code" } else { word };
        CLIENTS.iter().find(|client| client.word == word)
    }

    /// Its files, in the order in which they are read.
    pub(super) fn files(&'static self) -> impl Iterator<Item = &'static File> {
        FILES.iter().filter(|file| file.client == self.word)
    }

    /// Every word that `include` knows.
    pub(super) fn words() -> Vec<&'static str> {
        std::iter::once(MCP_JSON).chain(CLIENTS.iter().map(|client| client.word)).collect()
    }
}

impl File {
    /// The paths to try on this system. Of a project's file those of the nearest folder of the walk that has it, else of
    /// the first one; a pattern that nothing fits stands for itself.
    pub(super) fn paths(&self, walk: &[PathBuf], system: System, environment: Lookup<'_>) -> Vec<PathBuf> {
        if !self.systems.contains(&system) {
            return Vec::new();
        }
        let matching = |pattern: PathBuf| {
            let mut found: Vec<_> = place::matching(&pattern);
            if self.path.contains('*') {
                found.retain(|file| file.is_file());
            }
            if found.is_empty() { vec![pattern] } else { found }
        };
        if self.level != Level::Project {
            return place::paths(self.path, system, environment).into_iter().flat_map(matching).collect();
        }
        let folders: Vec<_> = walk.iter().map(|folder| matching(folder.join(self.path))).collect();
        let nearest = folders.iter().position(|paths| paths.iter().any(|path| path.symlink_metadata().is_ok()));
        folders.into_iter().nth(nearest.unwrap_or_default()).unwrap_or_default()
    }

    /// The project that a file of it, at this path, is for: the folder that the path is seen from.
    pub(super) fn project_of<'a>(&self, file: &'a Path) -> Option<&'a Path> {
        file.ancestors().nth(Path::new(self.path).components().count())
    }

    /// Whether it is a plugin's, of which the client keeps a copy.
    pub(super) fn is_plugin(&self) -> bool {
        self.path.contains("plugin")
    }

    /// What its entries call the list of arguments.
    pub(super) fn args(&self) -> &'static str {
        self.shape.fields.args
    }

    /// What its entries call the headers of a request.
    pub(super) fn headers(&self) -> &'static str {
        self.shape.fields.headers.first().copied().unwrap_or("headers")
    }

    /// What its text is written in.
    pub(super) fn syntax(&self) -> Syntax {
        self.shape.syntax
    }

    /// Where a path of it leads, and the most that is read of it. What a project's link leads to is not the project's: it
    /// could be any file of this user.
    pub(super) fn real(&self, path: &Path, walk: &[PathBuf]) -> Result<(PathBuf, u64), String> {
        let real = path.canonicalize().map_err(|error| format!("cannot be read: {error}"))?;
        if self.level != Level::Project {
            return Ok((real, MAX_USER_BYTES));
        }
        if !walk.last().is_some_and(|top| real.starts_with(top)) {
            return Err("it is a link that leads out of the project: not read".to_owned());
        }
        Ok((real, MAX_PROJECT_BYTES))
    }

    /// The client whose file it is.
    pub(super) fn client(&self) -> Option<&'static Client> {
        Client::named(self.client)
    }

    /// Whether it is the project's file that goes by its own name.
    pub(super) fn is_mcp_json(&self) -> bool {
        self.path == MCP_JSON
    }

    /// Reads the file's text; `shown` is its name in messages.
    pub(super) fn read(&self, shown: &Path, file: &Path, text: &[u8]) -> ClientFile {
        shape::read(self.shape, shown, file, text)
    }
}

/// The shape of a file that is named on the command line: that of the client whose files are called so.
pub(super) fn named_file(file: &Path) -> &'static File {
    let fits = |candidate: &&File| Path::new(candidate.path).components().count() > 1 && file.ends_with(candidate.path);
    FILES.iter().filter(|file| file.level == Level::Project).find(fits).unwrap_or(&FILES[0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    /// Where every client's files are on one system, for a user with these variables.
    fn listed(system: System, environment: Lookup<'_>) -> String {
        let mut said = String::new();
        for client in &CLIENTS {
            let _ = writeln!(said, "{} ({})", client.word, client.name);
            for file in client.files() {
                for path in file.paths(&[PathBuf::from("project")], system, environment) {
                    let _ = writeln!(said, "  {} {}", file.level.word(), path.display());
                }
            }
        }
        said
    }

    #[test]
    fn the_paths_of_each_system_are_its_own() {
        let linux = |name: &str| (name == "HOME").then(|| "/home/nobody-here".to_owned());
        let macos = |name: &str| (name == "HOME").then(|| "/Users/nobody-here".to_owned());
        let windows = |name: &str| match name {
            "USERPROFILE" => Some("C:/Users/ana".to_owned()),
            "APPDATA" => Some("C:/Users/ana/AppData/Roaming".to_owned()),
            _ => None,
        };
        insta::with_settings!({ snapshot_path => "../../tests/snapshots", prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!("clients_linux", listed(System::Linux, &linux));
            insta::assert_snapshot!("clients_macos", listed(System::Macos, &macos));
            insta::assert_snapshot!("clients_windows", listed(System::Windows, &windows));
        });
    }

    #[test]
    fn a_variable_of_the_client_moves_its_files() {
        let environment = |name: &str| match name {
            "HOME" => Some("/home/ana"),
            "XDG_CONFIG_HOME" => Some("/conf"),
            "CODEX_HOME" => Some("/codex"),
            "CLAUDE_CONFIG_DIR" => Some("/claude"),
            "COPILOT_HOME" => Some("/copilot"),
            "OPENCODE_CONFIG" => Some("/one.json"),
            "VSCODE_PORTABLE" => Some("/portable"),
            "CLINE_DIR" => Some("relative/counts/as/unset"),
            _ => None,
        };
        let listed = listed(System::Linux, &|name| environment(name).map(str::to_owned));
        for path in [
            "/conf/zed/settings.json",
            "/codex/config.toml",
            "/claude/.claude.json",
            "/copilot/mcp-config.json",
            "/one.json",
            "/portable/user-data/User/mcp.json",
            "/home/ana/.cline/data/settings/cline_mcp_settings.json",
        ] {
            assert!(listed.lines().any(|line| line.trim_start().ends_with(&format!(" {path}"))), "{path}: {listed}");
        }
    }
}
