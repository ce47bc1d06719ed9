//! Reads a config file, bounded.

use super::error::{ConfigError, Fault, Place};
use super::find;
use std::fs;
use std::io::Read as _;
use std::path::Path;

/// No config file is larger.
const MAX_BYTES: u64 = 1 << 20;

/// A file of ours, without a byte order mark.
pub(super) fn read_text(cwd: &Path, file: &Path) -> Result<String, ConfigError> {
    let bytes = read_bytes(cwd, file)?;
    let no_text = |_| Fault::Malformed("it is no UTF-8".to_owned()).at(Place::whole(&find::shown(cwd, file)));
    let text = String::from_utf8(bytes).map_err(no_text)?;
    Ok(text.strip_prefix('\u{FEFF}').map(str::to_owned).unwrap_or(text))
}

/// A file of anyone's.
pub(super) fn read_bytes(cwd: &Path, file: &Path) -> Result<Vec<u8>, ConfigError> {
    let place = || Place::whole(&find::shown(cwd, file));
    let unreadable = |error| Fault::Unreadable(error).at(place());
    let mut bytes = Vec::new();
    fs::File::open(file).map_err(unreadable)?.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Fault::Malformed("larger than 1 MiB: no config".to_owned()).at(place()));
    }
    Ok(bytes)
}
