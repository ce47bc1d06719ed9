//! Files that a command was asked to write: whole, or not at all.

use anyhow::Context as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;

/// Writes a file beside its place and moves it there, so that nobody reads half of it. What is not a regular file (a pipe, a
/// device) is written to as it is; a link stays one.
pub fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    try_write(path, text).with_context(|| format!("{} cannot be written", path.display()))
}

/// The same for what may not take the place of another file unless `force` says so. A pipe or a device is no place that is
/// taken.
pub fn write_new(path: &Path, text: &str, force: bool) -> anyhow::Result<()> {
    let kind = fs::symlink_metadata(path).map(|found| found.file_type()).ok();
    let is_taken = kind.is_some_and(|kind| kind.is_file() || kind.is_symlink());
    if is_taken && !force && path.metadata().map_or(true, |found| found.is_file()) {
        anyhow::bail!("{} already exists; nothing was written (--force overwrites it)", path.display());
    }
    write(path, text)
}

fn try_write(path: &Path, text: &str) -> std::io::Result<()> {
    let there = path.canonicalize().ok();
    if there.as_ref().is_some_and(|there| !there.is_file()) {
        return fs::write(path, text);
    }
    let path = there.as_deref().unwrap_or(path);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    as_any_file(&mut builder);
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// With the permissions that any new file of this user has: the system takes off what its umask says.
#[cfg(unix)]
fn as_any_file(builder: &mut tempfile::Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt as _;
    builder.permissions(fs::Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn as_any_file(_builder: &mut tempfile::Builder<'_, '_>) {}
