//! Paths of config files and of launches: where a file is, how it is seen from elsewhere. By their text, or by what is there.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// The first of `folders` that has a regular file `name`.
pub(super) fn first_with(folders: &[PathBuf], name: &str) -> Option<PathBuf> {
    folders.iter().map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// The file that a command's name stands for: itself where it has a folder in it, else the first in `path`. Seen from `cwd`.
pub(super) fn program(command: &str, cwd: &Path, path: Option<&str>) -> Option<PathBuf> {
    if Path::new(command).components().nth(1).is_some() {
        return Some(cwd.join(command));
    }
    std::env::split_paths(path?).map(|folder| cwd.join(folder).join(command)).find(|file| file.is_file())
}

/// A file as named, in the canonical path of its folder: a link keeps the folder that it stands in.
pub(super) fn in_real_folder(file: &Path) -> PathBuf {
    let folder = file.parent().and_then(|folder| folder.canonicalize().ok());
    match (folder, file.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => file.to_owned(),
    }
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
