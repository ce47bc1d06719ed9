//! `[trust]`: the trust root that servers' attestations are held to and the level that they need, and of one server the level
//! and the closed list of tools.

use super::error::ConfigError;
use super::find;
use super::read::read_regular;
use super::toml_source::{At, Section};
use crate::drift::Admissions;
use crate::interop::atsa;
use crate::text::{is_hidden, visible};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(super) const TRUST: [&str; 2] = ["root", "required"];
/// The keys of a server's own section.
pub(super) const OF_SERVER: [&str; 2] = ["clearance", "tools"];

/// Bytes of a trust root.
const MOST_BYTES: u64 = 1 << 20;
/// Tools of a closed list.
const MOST_TOOLS: usize = 2_000;

/// What a server's attestation is held to, and where that is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trust {
    /// The root and the level.
    pub held_to: atsa::Trust,
    /// The root's file, as a message names it.
    pub file: PathBuf,
}

impl Trust {
    /// What a person agrees to with a launch. Not escaped.
    pub fn sentence(&self) -> String {
        let keys: Vec<_> = self.held_to.root.keys.iter().map(|key| format!("`{}`", key.id)).collect();
        let needs = match &self.held_to.required {
            Some(level) => format!("it must be cleared for `{level}`"),
            None => "no level is required".to_owned(),
        };
        let keys = if keys.is_empty() { "no key".to_owned() } else { keys.join(", ") };
        format!("its attestation is held to the trust root {} (keys: {keys}); {needs}", self.file.display())
    }
}

/// The section of the config file at `file`: what servers are held to, and the root's own file.
pub(super) fn read(top: &Section<'_>, file: &Path, cwd: &Path) -> Result<Option<(Trust, PathBuf)>, ConfigError> {
    let Some(section) = top.section("trust")? else { return Ok(None) };
    section.only(&TRUST)?;
    let Some(root) = section.text("root")? else {
        return Err(section.incomplete("needs a `root`: the file of a trust root"));
    };
    let path = file.parent().unwrap_or(Path::new("")).join(&root.value);
    let shown = find::shown(cwd, &path);
    let fault = |text: String| section.bad_value("root", format!("{} {text}", visible(&shown.display().to_string())));
    let bytes = read_regular(&path, MOST_BYTES).map_err(fault)?;
    let read = atsa::TrustRoot::read(&bytes);
    let read = read.map_err(|refused| fault(format!("is not a trust root: {}", visible(&refused.to_string()))))?;
    let required = section.text("required")?.map(|word| level(&section, "required", &word, &read)).transpose()?;
    let held_to = atsa::Trust { root: Arc::new(read), required };
    Ok(Some((Trust { held_to, file: shown }, path)))
}

/// A level of the root, by its own name.
fn level(
    section: &Section<'_>,
    key: &'static str,
    word: &At<String>,
    root: &atsa::TrustRoot,
) -> Result<String, ConfigError> {
    if let Some(level) = root.level(&word.value) {
        return Ok(level.name.clone());
    }
    let known: Vec<_> = root.levels.iter().map(|level| level.name.as_str()).collect();
    Err(section.unknown(word.line, key, &word.value, &known))
}

/// What a server's own section demands of it.
pub(super) fn of_server(
    section: &Section<'_>,
    id: &str,
    trust: Option<&Trust>,
    admissions: &mut Admissions,
) -> Result<(), ConfigError> {
    if let Some(word) = section.text("clearance")? {
        let Some(trust) = trust else {
            return Err(section.bad_value("clearance", "needs [trust] root, which says what levels there are"));
        };
        let level = level(section, "clearance", &word, &trust.held_to.root)?;
        admissions.clearances.insert(id.to_owned(), level);
    }
    if let Some(names) = section.texts("tools")? {
        if names.len() > MOST_TOOLS {
            return Err(section.bad_value("tools", format!("a closed list has at most {MOST_TOOLS} tools")));
        }
        if names.iter().any(|name| name.value.contains(is_hidden)) {
            return Err(section.bad_value("tools", "the name must contain a visible character"));
        }
        let names: BTreeSet<String> = names.into_iter().map(|name| name.value).collect();
        admissions.tools.insert(id.to_owned(), names);
    }
    Ok(())
}
