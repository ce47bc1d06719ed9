//! What a launch resolves to on this machine, as far as it can be seen without a network and without running anything: the
//! version of its package in the runner's own cache, and the digests of the local files that it names. Information, no
//! verdict: a cache may hold what is not run, and what cannot be seen is said to be so.

use super::expand::Lookup;
use super::find;
use super::server::ServerConfig;
use crate::digest::Sha256;
use crate::mcp::Target;
use crate::surface::{Package, Spelling, only_runs_others};
use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// What one launch resolves to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resolved {
    /// Whether the launch names one exact version, in words; none where it names no package.
    pub pinning: Option<String>,
    /// Which version the runner has here, in words; none where the launch names no package.
    pub installed: Option<String>,
    /// Local files that the launch names, as it names them, with the SHA-256 of their content or why there is none.
    pub files: Vec<(String, String)>,
    /// Where the command was looked for and is not, in words; none where it is there.
    pub missing: Option<String>,
}

/// Folders of a cache that are looked at.
const MAX_FOLDERS: usize = 2_000;
/// No manifest of a package is larger.
const MAX_MANIFEST: u64 = 1 << 20;
/// A larger file is not read.
const MAX_FILE: u64 = 256 << 20;
/// Files of a launch that are read.
const MAX_FILES: usize = 8;

impl ServerConfig {
    /// What its launch resolves to now. Reads files; blocks.
    pub fn resolved(&self, environment: Lookup<'_>) -> Resolved {
        let Target::Stdio { command, args, cwd, env } = &self.target else { return Resolved::default() };
        let lookup = |name: &str| env.get(name).cloned().or_else(|| environment(name));
        let package = Package::of(command, args);
        let installed = package.as_ref().map(|package| installed(package, args, &lookup));
        let files = files(command, args, cwd, &lookup);
        let missing = missing(command, cwd, lookup("PATH").as_deref(), env.contains_key("PATH"));
        Resolved { pinning: self.shared.pinning(), installed, files, missing }
    }
}

impl Resolved {
    /// One sentence each. Not escaped.
    pub fn sentences(&self) -> Vec<String> {
        let pinning = self.pinning.iter().map(|pinning| format!("it names {pinning}"));
        let files = self.files.iter().map(|(name, digest)| format!("`{name}` is {digest}"));
        pinning.chain(self.installed.clone()).chain(files).chain(self.missing.clone()).collect()
    }
}

/// Where a command is looked for and is not. A PATH that the entry sets is a value of its environment, which is not shown.
fn missing(command: &str, cwd: &Path, path: Option<&str>, is_set: bool) -> Option<String> {
    if find::program(command, cwd, path).is_some() {
        return None;
    }
    if is_set {
        return Some("the command is not on the PATH that its entry sets".to_owned());
    }
    // Without a PATH there is no folder to name.
    let path = path?;
    let mut folders: Vec<String> = Vec::new();
    for folder in std::env::split_paths(path) {
        let folder = folder.display().to_string();
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    Some(format!("the command is in no folder of PATH: {}", folders.join(", ")))
}

/// Which version of a package the runner's cache holds.
fn installed(package: &Package, args: &[String], lookup: Lookup<'_>) -> String {
    let written = args.get(package.at).map(String::as_str).unwrap_or_default();
    let (found, whose) = match package.spelling {
        Spelling::Npm => (npx_versions(&package.name, written, lookup), "the cache of npx"),
        Spelling::Python => (uv_versions(&package.name, lookup), "uv"),
        Spelling::Image => {
            return "which image that is now is not visible without asking the container engine".to_owned();
        }
    };
    let found: Vec<_> = found.into_iter().collect();
    match found.as_slice() {
        [] => format!("which version is installed is not visible: {whose} has none here"),
        [one] => format!("{whose} has version {one} here"),
        several => format!("{whose} has the versions {} here; which one runs is not visible", several.join(", ")),
    }
}

/// The versions of a package in npx's cache: those installed for exactly this text, else every one.
fn npx_versions(name: &str, written: &str, lookup: Lookup<'_>) -> BTreeSet<String> {
    let cache = ["npm_config_cache", "NPM_CONFIG_CACHE"].into_iter().find_map(lookup).map(PathBuf::from);
    let home = home(lookup).map(|home| home.join(".npm"));
    let local = || lookup("LOCALAPPDATA").map(|local| PathBuf::from(local).join("npm-cache"));
    let Some(cache) = cache.or(home).filter(|cache| cache.is_dir()).or_else(local) else { return BTreeSet::new() };
    let (mut asked, mut all) = (BTreeSet::new(), BTreeSet::new());
    for folder in folders(&cache.join("_npx")) {
        let Some(version) = manifest(&folder.join("node_modules").join(name).join("package.json"))
            .and_then(|manifest| manifest.get("version")?.as_str().map(str::to_owned))
        else {
            continue;
        };
        let exactly = manifest(&folder.join("package.json")).is_some_and(|manifest| {
            let packages = manifest.get("_npx").and_then(|npx| npx.get("packages")?.as_array());
            packages.is_some_and(|packages| packages.iter().any(|package| package == written))
        });
        if exactly {
            asked.insert(version.clone());
        }
        all.insert(version);
    }
    if asked.is_empty() { all } else { asked }
}

fn manifest(file: &Path) -> Option<serde_json::Value> {
    serde_json::from_slice(&super::read::read_regular(file, MAX_MANIFEST).ok()?).ok()
}

/// The versions of a Python package in uv's tools, else in its cache.
fn uv_versions(name: &str, lookup: Lookup<'_>) -> BTreeSet<String> {
    let place = |variable: &str, below_home: &str| {
        lookup(variable).map(PathBuf::from).or_else(|| home(lookup).map(|home| home.join(below_home)))
    };
    // Extras are no part of the name.
    let name = plain(name.split('[').next().unwrap_or_default());
    let tools = place("UV_TOOL_DIR", ".local/share/uv/tools").map(|tools| tools.join(name.replace('_', "-")));
    let in_tools = tools.map(|tool| in_environment(&tool, &name)).unwrap_or_default();
    if !in_tools.is_empty() {
        return in_tools;
    }
    let cache = place("UV_CACHE_DIR", ".cache/uv").map(|cache| cache.join("archive-v0"));
    let archives = cache.map(|cache| folders(&cache)).unwrap_or_default();
    let environments: BTreeSet<_> = archives.iter().flat_map(|archive| in_environment(archive, &name)).collect();
    if environments.is_empty() {
        archives.iter().flat_map(|archive| in_packages(archive, &name)).collect()
    } else {
        environments
    }
}

/// The versions of a package in a virtual environment.
fn in_environment(environment: &Path, name: &str) -> BTreeSet<String> {
    let packages = folders(&environment.join("lib")).into_iter().map(|python| python.join("site-packages"));
    packages.flat_map(|packages| in_packages(&packages, name)).collect()
}

/// The versions of a package by the `NAME-VERSION.dist-info` beside it (PyPA's specification of recorded installs).
fn in_packages(packages: &Path, name: &str) -> BTreeSet<String> {
    let version = |folder: PathBuf| {
        let base = folder.file_name()?.to_str()?.strip_suffix(".dist-info")?;
        let (found, version) = base.split_once('-')?;
        (plain(found) == name).then(|| version.to_owned())
    };
    folders(packages).into_iter().filter_map(version).collect()
}

/// A package's name as it is told apart: lower case, runs of `-`, `_` and `.` as one (PyPA's name normalisation).
fn plain(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '-' | '_' | '.' if plain.ends_with('_') => {}
            '-' | '_' | '.' => plain.push('_'),
            c => plain.push(c.to_ascii_lowercase()),
        }
    }
    plain
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().take(MAX_FOLDERS);
    let mut found: Vec<_> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    found.sort();
    found
}

fn home(lookup: Lookup<'_>) -> Option<PathBuf> {
    lookup("HOME").or_else(|| lookup("USERPROFILE")).map(PathBuf::from)
}

/// The local files that a command line names: the program, unless it only runs others, and each argument that is one.
fn files(command: &str, args: &[String], cwd: &Path, lookup: Lookup<'_>) -> Vec<(String, String)> {
    let path = lookup("PATH");
    let program = Some(command).filter(|command| !only_runs_others(command));
    let program = program.and_then(|command| find::program(command, cwd, path.as_deref()));
    let named = args.iter().map(|arg| (arg.clone(), cwd.join(arg)));
    let named = program.map(|path| (command.to_owned(), path)).into_iter().chain(named);
    let files = named.filter(|(name, path)| !name.is_empty() && path.is_file()).take(MAX_FILES);
    files.map(|(name, path)| (find::inside(cwd, &path).unwrap_or(name), content(&path))).collect()
}

fn content(path: &Path) -> String {
    let length = path.metadata().map_or(0, |data| data.len());
    if length > MAX_FILE {
        return format!("not hashed: larger than {} MiB", MAX_FILE >> 20);
    }
    let mut hasher = Sha256::hasher();
    match fs::File::open(path).and_then(|file| std::io::copy(&mut file.take(MAX_FILE), &mut hasher)) {
        Ok(_) => format!("sha256:{}", hasher.done()),
        Err(error) => format!("not readable: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn python_package_names_compare_as_on_pypi() {
        for (name, same) in [("MCP-Server", "mcp_server"), ("mcp.server", "mcp_server"), ("a__b-._c", "a_b_c")] {
            assert_eq!(plain(name), same);
        }
    }
}
