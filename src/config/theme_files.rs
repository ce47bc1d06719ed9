//! Theme files: the embedded ones, and a user's own. A user's file of the same name wins.

use crate::text::{NotUtf8, utf8};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Why a theme has no text.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "what the fields are is said with the variant")]
pub enum ThemeFileError {
    /// Neither embedded nor in the user's folder: the name asked for, the names there are.
    #[error("no theme `{0}`; one of {1}")]
    NotFound(String, String),
    /// The file cannot be read, and why.
    #[error("theme {path}: {source}")]
    Unreadable { path: PathBuf, source: io::Error },
}

/// The embedded themes: name and text.
pub const EMBEDDED: [(&str, &str); 7] = [
    ("ansi", include_str!("../../themes/ansi.toml")),
    ("mono", include_str!("../../themes/mono.toml")),
    ("dark", include_str!("../../themes/dark.toml")),
    ("light", include_str!("../../themes/light.toml")),
    ("colour-blind", include_str!("../../themes/colour-blind.toml")),
    ("gruvbox", include_str!("../../themes/gruvbox.toml")),
    ("catppuccin", include_str!("../../themes/catppuccin.toml")),
];

/// The themes that can be asked for: name, and the user's file where it is one.
pub fn theme_files(folder: Option<&Path>) -> Vec<(String, Option<PathBuf>)> {
    let mut found: BTreeMap<String, Option<PathBuf>> =
        EMBEDDED.iter().map(|(name, _)| ((*name).to_owned(), None)).collect();
    for entry in folder.and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        if path.extension().is_some_and(|extension| extension == "toml") && is_name(&name) {
            found.insert(name, Some(path));
        }
    }
    found.into_iter().collect()
}

/// The text of a theme: of the user's file in `folder` first, then of the embedded one.
pub fn theme_file(name: &str, folder: Option<&Path>) -> Result<String, ThemeFileError> {
    if let Some(path) = folder.filter(|_| is_name(name)).map(|folder| folder.join(format!("{name}.toml"))) {
        let text = fs::read(&path).and_then(|bytes| {
            let fault = |problem: NotUtf8| io::Error::new(ErrorKind::InvalidData, problem);
            let text = std::str::from_utf8(utf8(&bytes).map_err(fault)?).map_err(|_| fault(NotUtf8::Unknown))?;
            Ok(text.to_owned())
        });
        match text {
            Ok(text) => return Ok(text),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(source) => return Err(ThemeFileError::Unreadable { path, source }),
        }
    }
    let embedded = EMBEDDED.iter().find(|(embedded, _)| *embedded == name);
    embedded.map(|(_, text)| (*text).to_owned()).ok_or_else(|| {
        let known: Vec<_> = theme_files(folder).into_iter().map(|(name, _)| name).collect();
        ThemeFileError::NotFound(name.to_owned(), known.join(", "))
    })
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}
