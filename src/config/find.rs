//! Where things are looked for: the walk from the current folder up, the root, the person's own folders.

use super::expand::Lookup;
use std::fs;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

/// What marks the root of a repository.
const REPOSITORY: [&str; 3] = [".git", ".jj", ".hg"];

/// The current folder and those above it, up to the repository's root. Outside a repository the walk ends at the home
/// folder, and where the current folder is not in it at the current folder: what others put above does not count.
pub(super) fn walk(cwd: &Path, environment: Lookup<'_>) -> Vec<PathBuf> {
    let above: Vec<&Path> = cwd.ancestors().collect();
    let repository = above.iter().position(|folder| REPOSITORY.iter().any(|mark| folder.join(mark).exists()));
    let home = || {
        let home = environment("HOME").map(PathBuf::from)?;
        above.iter().position(|folder| **folder == home)
    };
    let last = repository.or_else(home).unwrap_or(0);
    above.into_iter().take(last + 1).map(Path::to_owned).collect()
}

/// The first of `folders` that has a regular file `name`.
pub(super) fn first_with(folders: &[PathBuf], name: &str) -> Option<PathBuf> {
    folders.iter().map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// Whether `folder` is a root by itself: it has our config or a baseline of ours.
pub(super) fn is_root(folder: &Path) -> bool {
    folder.join(super::PROJECT_FILE).is_file() || has_baseline(folder)
}

fn has_baseline(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder.join("snapshots")) else { return false };
    entries.flatten().any(|entry| {
        // `format` stands within the first few lines: members are sorted, and what comes before it is short.
        let mut head = Vec::new();
        let read =
            fs::File::open(entry.path().join("baseline.json")).and_then(|file| file.take(4096).read_to_end(&mut head));
        read.is_ok() && String::from_utf8_lossy(&head).contains("\"pinwatch.baseline.v")
    })
}

/// A folder of the XDG base directory specification; a relative path in the variable is ignored, as it says.
pub(super) fn xdg(environment: Lookup<'_>, variable: &str, below_home: &str) -> Option<PathBuf> {
    let named = environment(variable).map(PathBuf::from).filter(|folder| folder.is_absolute());
    named.or_else(|| environment("HOME").map(|home| PathBuf::from(home).join(below_home)))
}

/// A path without `.` and `..`, by its text alone.
pub(super) fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}

/// `path` as seen from `folder`, with `/` between its parts and `.` for the folder itself; none where it lies outside.
pub(super) fn inside(folder: &Path, path: &Path) -> Option<String> {
    let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| normal(path));
    let tail = |folder: &Path, path: &Path| path.strip_prefix(folder).map(Path::to_owned).ok();
    let tail = tail(&normal(folder), &normal(path)).or_else(|| tail(&real(folder), &real(path)))?;
    let parts: Vec<_> = tail.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    Some(if parts.is_empty() { ".".to_owned() } else { parts.join("/") })
}

/// `path` as a message names it: from the current folder where it lies inside.
pub(super) fn shown(cwd: &Path, path: &Path) -> PathBuf {
    path.strip_prefix(cwd).map_or_else(|_| path.to_owned(), Path::to_owned)
}
