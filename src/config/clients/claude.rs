//! What Claude Code's settings say of the servers of a project's `.mcp.json`: `disabledMcpjsonServers` keeps it from starting
//! one, `enabledMcpjsonServers` and `enableAllProjectMcpServers` let it start one without asking.
//!
//! The lists of all its files count together, and a rejection outweighs an approval. A file that cannot be read says
//! nothing: Claude Code goes on without it, too.

use super::Level;
use super::place::{self, System};
use crate::config::document::{Document, Form, Member, Syntax};
use crate::config::read::{MAX_USER_BYTES, read_regular};
use crate::config::{Listed, Lookup, Searched, find};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const DISABLED: &str = "disabledMcpjsonServers";
const ENABLED: &str = "enabledMcpjsonServers";
const ALL: &str = "enableAllProjectMcpServers";
const CLIENT: &str = "Claude Code";

/// Settings below a project's folder.
const OF_PROJECT: [&str; 2] = [".claude/settings.json", ".claude/settings.local.json"];
/// Settings of this user and of the machine.
const OF_USER: &str = "${CLAUDE_CONFIG_DIR:-~/.claude}/settings.json";
const OF_MACHINE: [(System, &str); 3] = [
    (System::Linux, "/etc/claude-code/managed-settings.json"),
    (System::Macos, "/Library/Application Support/ClaudeCode/managed-settings.json"),
    (System::Windows, "<program-files>/ClaudeCode/managed-settings.json"),
];
/// What a person answered in older versions, by project.
const STATE: &str = "${CLAUDE_CONFIG_DIR:-~}/.claude.json";

/// The lists of every settings file together.
pub(in crate::config) struct McpJsonLists {
    /// By the entry's name: the file that rejects it.
    rejected: BTreeMap<String, PathBuf>,
    /// By the entry's name: the file that approves it.
    approved: BTreeMap<String, PathBuf>,
    /// The file that approves every entry.
    all: Option<PathBuf>,
    /// The settings that were looked for, and what is wrong with each.
    files: Vec<(PathBuf, Level, Option<String>)>,
}

impl McpJsonLists {
    /// The lists that hold for a project's folder. `cwd` is where messages see files from.
    pub(in crate::config) fn of(project: &Path, cwd: &Path, environment: Lookup<'_>) -> Self {
        let (rejected, approved) = (BTreeMap::new(), BTreeMap::new());
        let mut lists = Self { rejected, approved, all: None, files: Vec::new() };
        let here = System::here();
        let machine = OF_MACHINE.iter().filter(|(system, _)| *system == here);
        let files = OF_PROJECT.iter().map(|path| (project.join(path), Level::Project));
        let user = place::paths(OF_USER, here, environment).into_iter().map(|path| (path, Level::User));
        let machine = machine.flat_map(|(_, path)| place::paths(path, here, environment));
        for (path, level) in files.chain(user).chain(machine.map(|path| (path, Level::System))) {
            let note = lists.read(&path, cwd, None).err();
            lists.files.push((path, level, note));
        }
        for path in place::paths(STATE, here, environment) {
            // It is read for its servers, too, which says what is wrong with it.
            let _ = lists.read(&path, cwd, Some(project));
        }
        lists
    }

    /// The list that keeps Claude Code from starting an entry.
    pub(in crate::config) fn rejects(&self, name: &str) -> Option<Listed> {
        let file = self.rejected.get(name)?.clone();
        Some(Listed { client: CLIENT, list: DISABLED, file })
    }

    /// Says that Claude Code starts an entry without asking. Not escaped.
    pub(in crate::config) fn approves(&self, name: &str) -> Option<String> {
        let named = self.approved.get(name).map(|file| (ENABLED, file));
        let (list, file) = named.or_else(|| Some((ALL, self.all.as_ref()?)))?;
        Some(format!("{CLIENT} starts it without asking: `{list}` in {}", file.display()))
    }

    /// The settings that were looked for.
    pub(in crate::config) fn searched(self) -> impl Iterator<Item = Searched> {
        self.files.into_iter().map(|(file, level, note)| {
            let servers = (note.is_none() && file.symlink_metadata().is_ok()).then_some(0);
            Searched { file, client: Some(CLIENT), level: Some(level), servers, note, entries: Vec::new() }
        })
    }

    /// Takes in a file, there or not; of a file of several projects what it says of `project`.
    fn read(&mut self, file: &Path, cwd: &Path, project: Option<&Path>) -> Result<(), String> {
        if file.symlink_metadata().is_err() {
            return Ok(());
        }
        let bytes = read_regular(file, MAX_USER_BYTES)?;
        let Some(document) = Document::read(&bytes, Syntax::Json).map_err(|fault| fault.text)? else { return Ok(()) };
        let mut settings = document.top().members().map_err(|fault| fault.text)?;
        if let Some(project) = project {
            let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
            let projects = last(&settings, "projects").map_or(Ok(Vec::new()), |projects| projects.value.members());
            let projects = projects.map_err(|fault| fault.text)?;
            let own = projects.iter().rfind(|member| real(Path::new(&member.name)) == real(project));
            settings = own.map_or(Ok(Vec::new()), |own| own.value.members()).map_err(|fault| fault.text)?;
        }
        let shown = find::shown(cwd, file);
        let names = |list: &str| -> Vec<String> {
            let list = last(&settings, list).filter(|list| list.value.form() == Form::List);
            let elements = list.and_then(|list| list.value.elements().ok()).unwrap_or_default();
            elements.iter().filter_map(|name| name.value().ok()?.as_str().map(str::to_owned)).collect()
        };
        self.rejected.extend(names(DISABLED).into_iter().map(|name| (name, shown.clone())));
        self.approved.extend(names(ENABLED).into_iter().map(|name| (name, shown.clone())));
        if last(&settings, ALL).is_some_and(|all| all.value.value() == Ok(Value::Bool(true))) {
            self.all = Some(shown);
        }
        Ok(())
    }
}

/// The member that counts of those with one name, as `JSON.parse` has it: the last one.
fn last<'a, 'b>(members: &'b [Member<'a>], name: &str) -> Option<&'b Member<'a>> {
    members.iter().rfind(|member| member.name == name)
}
