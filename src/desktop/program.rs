//! Programs of this machine: where one is found, and which ones a person reads with.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// A variable of this process.
pub fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Where a program is on this process's search path.
pub fn on_path(program: &str) -> Option<PathBuf> {
    find(program, &std::env::var_os("PATH").unwrap_or_default(), Path::new("."))
}

/// Where a program is: a name on a search path, or a path as seen from a folder.
pub fn find(program: &str, path: &OsStr, folder: &Path) -> Option<PathBuf> {
    if program.contains('/') {
        return Some(folder.join(program)).filter(|found| is_program(found));
    }
    std::env::split_paths(path).map(|folder| folder.join(program)).find(|found| is_program(found))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    path.is_file() && rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

/// The person's pager with its arguments: `PAGER`, else less, else more. Set to nothing, there is none.
pub fn pager() -> Vec<String> {
    match variable("PAGER") {
        Some(pager) => words(&pager),
        None => words(if on_path("less").is_some() { "less" } else { "more" }),
    }
}

/// The person's editor with its arguments: `VISUAL`, else `EDITOR`, else the pager.
pub fn editor() -> Vec<String> {
    let set = ["VISUAL", "EDITOR"].into_iter().filter_map(variable).map(|editor| words(&editor));
    set.into_iter().find(|words| !words.is_empty()).unwrap_or_else(pager)
}

/// `code --wait` is a program and its argument, as for git and others.
fn words(command: &str) -> Vec<String> {
    command.split_whitespace().map(str::to_owned).collect()
}
