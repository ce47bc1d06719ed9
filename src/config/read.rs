//! Reads a config file, bounded. What is not a regular file is not opened: a pipe would hold the program up.

use super::error::{ConfigError, Fault, Place};
use super::find;
use crate::text::{NotUtf8, utf8};
use std::fs;
use std::io::Read as _;
use std::path::Path;

/// No config of a project is larger, nor one of ours.
pub(super) const MAX_PROJECT_BYTES: u64 = 1 << 20;
/// No client's own file is larger; some keep more than servers there.
pub(super) const MAX_USER_BYTES: u64 = 16 << 20;

/// A file of ours, without a byte order mark.
pub(super) fn read_text(cwd: &Path, file: &Path) -> Result<String, ConfigError> {
    let place = || Place::whole(&find::shown(cwd, file));
    let bytes = read_bytes(file, MAX_PROJECT_BYTES).map_err(|fault| fault.at(place()))?;
    let fault = |problem: NotUtf8| Fault::Malformed(problem.to_string()).at(place());
    let text = std::str::from_utf8(utf8(&bytes).map_err(fault)?).map_err(|_| fault(NotUtf8::Unknown))?;
    Ok(text.to_owned())
}

/// The bytes of a regular file, or what is wrong with it, without its name.
pub(super) fn read_regular(file: &Path, limit: u64) -> Result<Vec<u8>, String> {
    let regular = fs::metadata(file).map(|data| data.is_file());
    match regular {
        Ok(true) => read_bytes(file, limit).map_err(|fault| fault.to_string()),
        Ok(false) => Err("is not a regular file".to_owned()),
        Err(error) => Err(format!("cannot be read: {error}")),
    }
}

fn read_bytes(file: &Path, limit: u64) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::new();
    let read = fs::File::open(file).and_then(|file| file.take(limit + 1).read_to_end(&mut bytes));
    read.map_err(Fault::Unreadable)?;
    if bytes.len() as u64 > limit {
        return Err(Fault::Malformed(format!("larger than {} MiB: no config", limit >> 20)));
    }
    Ok(bytes)
}
