//! `[evidence]`: logs of calls that other systems and guards write, what those call the servers, and the key of the guards.

use super::error::ConfigError;
use super::toml_source::Section;
use std::path::{Path, PathBuf};

pub(super) const EVIDENCE: [&str; 3] = ["files", "server-ids", "signing-key"];

/// Logs of a project: each is read while somebody watches.
const MOST_FILES: usize = 20;

/// What the section says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The logs. They may not be there yet.
    pub files: Vec<PathBuf>,
    /// What a log calls a server, and the server.
    pub ids: Vec<(String, String)>,
    /// The key that guards sign statements with. It may not be there yet.
    pub signing_key: Option<PathBuf>,
}

/// The section of the config file at `file`, from whose folder its paths go.
pub(super) fn read(top: &Section<'_>, file: &Path) -> Result<Evidence, ConfigError> {
    let Some(section) = top.section("evidence")? else { return Ok(Evidence::default()) };
    section.only(&EVIDENCE)?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let files = section.texts("files")?.unwrap_or_default();
    if files.len() > MOST_FILES {
        return Err(section.bad_value("files", format!("more than {MOST_FILES} files")));
    }
    let ids = section.pairs("server-ids")?.unwrap_or_default();
    Ok(Evidence {
        files: files.into_iter().map(|file| folder.join(file.value)).collect(),
        signing_key: section.text("signing-key")?.map(|file| folder.join(file.value)),
        ids: ids.into_iter().map(|(id, server)| (id, server.value)).collect(),
    })
}
