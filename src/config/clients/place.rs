//! From a client's path as its documentation writes it to the paths of this machine.
//!
//! A path starts with `~/`, a folder in `<…>`, a variable `${NAME}` or `${NAME:-otherwise}`, or `/`; a part `*` is any
//! name, `**` any few folders. The system, the home and the variables are passed in: nothing here asks what runs.

use crate::config::Lookup;
use std::fs;
use std::path::{Path, PathBuf};

/// The systems whose paths are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::config) enum System {
    Linux,
    Macos,
    Windows,
}

impl System {
    /// The one that this program was built for.
    pub(in crate::config) fn here() -> Self {
        if cfg!(windows) {
            Self::Windows
        } else if cfg!(target_os = "macos") {
            Self::Macos
        } else {
            Self::Linux
        }
    }
}

/// Folders that `**` goes down, and files and folders that a pattern looks at.
const MAX_LEVELS: usize = 6;
const MAX_LOOKED_AT: usize = 5_000;

/// Folders of VS Code and of what holds its extensions, below the system's folder of configs.
const CODE: [&str; 2] = ["<config>/Code", "<config>/Code - Insiders"];

/// The paths that a template stands for; none where a variable that it needs is not set.
pub(super) fn paths(template: &str, system: System, environment: Lookup<'_>) -> Vec<PathBuf> {
    let Some((start, rest)) = start(template) else { return vec![PathBuf::from(template)] };
    let join = |base: &str| paths(&format!("{base}{rest}"), system, environment);
    let absolute = |name: &str| environment(name).filter(|value| is_absolute(value));
    let home = || absolute("HOME").or_else(|| absolute("USERPROFILE"));
    match start {
        "~" => home().iter().map(|home| PathBuf::from(format!("{home}{rest}"))).collect(),
        "<config>" => match system {
            System::Linux => join("${XDG_CONFIG_HOME:-~/.config}"),
            System::Macos => join("~/Library/Application Support"),
            System::Windows => join("${APPDATA:-~/AppData/Roaming}"),
        },
        "<dot-config>" => match system {
            System::Linux => join("${XDG_CONFIG_HOME:-~/.config}"),
            System::Macos | System::Windows => join("~/.config"),
        },
        "<local>" => join("${LOCALAPPDATA:-~/AppData/Local}"),
        "<program-data>" => join("${ProgramData:-C:/ProgramData}"),
        "<program-files>" => join("${ProgramFiles:-C:/Program Files}"),
        "<code>" => {
            let portable = absolute("VSCODE_PORTABLE").map(|folder| PathBuf::from(format!("{folder}/user-data{rest}")));
            let server = join("~/.vscode-server/data");
            CODE.into_iter().flat_map(join).chain(portable).chain(server).collect()
        }
        "<code-or-cursor>" => ["<code>", "<config>/Cursor"].into_iter().flat_map(join).collect(),
        variable => {
            let inside = variable.trim_start_matches("${").trim_end_matches('}');
            let (name, otherwise) =
                inside.split_once(":-").map_or((inside, None), |(name, otherwise)| (name, Some(otherwise)));
            match absolute(name) {
                Some(value) => vec![PathBuf::from(format!("{value}{rest}"))],
                None => otherwise.map(join).unwrap_or_default(),
            }
        }
    }
}

/// The part of a template that is to be replaced, and the rest.
fn start(template: &str) -> Option<(&str, &str)> {
    let end = match template.as_bytes() {
        [b'~', b'/', ..] => 1,
        [b'<', ..] => template.find('>')? + 1,
        [b'$', b'{', ..] => template.find('}')? + 1,
        _ => return None,
    };
    Some(template.split_at(end))
}

/// On any system: the tables of one are looked at on another in tests.
fn is_absolute(path: &str) -> bool {
    let drive = path.as_bytes().get(..3).is_some_and(|start| start[0].is_ascii_alphabetic() && &start[1..2] == b":");
    path.starts_with('/') || drive
}

/// The files that a path with `*` in it names, sorted; the path itself where it has none.
pub(super) fn matching(path: &Path) -> Vec<PathBuf> {
    let mut budget = MAX_LOOKED_AT;
    let mut found = vec![PathBuf::new()];
    for part in path.components() {
        let name = part.as_os_str().to_str().unwrap_or_default();
        found = match name {
            "**" => found.into_iter().flat_map(|folder| below(folder, MAX_LEVELS, &mut budget)).collect(),
            _ if name.contains('*') => {
                found.into_iter().flat_map(|folder| children(&folder, name, &mut budget)).collect()
            }
            _ => found.into_iter().map(|folder| folder.join(part)).collect(),
        };
    }
    found
}

/// A folder and those below it, links not followed.
fn below(folder: PathBuf, levels: usize, budget: &mut usize) -> Vec<PathBuf> {
    let mut found = Vec::new();
    if levels > 0 {
        for child in children(&folder, "*", budget) {
            if child.symlink_metadata().is_ok_and(|data| data.is_dir()) {
                found.extend(below(child, levels - 1, budget));
            }
        }
    }
    found.insert(0, folder);
    found
}

/// What stands in a folder under a name with one `*` in it, sorted.
fn children(folder: &Path, pattern: &str, budget: &mut usize) -> Vec<PathBuf> {
    let (before, after) = pattern.split_once('*').unwrap_or((pattern, ""));
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if *budget == 0 {
            break;
        }
        *budget -= 1;
        let name = entry.file_name();
        let fits =
            |name: &str| name.len() >= before.len() + after.len() && name.starts_with(before) && name.ends_with(after);
        if name.to_str().is_some_and(fits) {
            found.push(folder.join(name));
        }
    }
    found.sort();
    found
}
