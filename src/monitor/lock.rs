//! MCPTrust's lock where it lies in the project's root: read for the policy's rules, and beside a first record.

use super::folder::{Stamp, stamp};
use crate::config::ServerConfig;
use crate::digest::Surface;
use crate::interop::mcptrust::{LockSays, Locked, as_read};
use crate::store::redact::Redactor;
use crate::surface::Kind;
use serde_json::Value;
use std::io::{self, Read as _};
use std::path::Path;

/// The file's name.
pub const LOCK: &str = "mcp-lock.json";
/// The most that is read of it: one byte over what its reader takes.
const MOST_OF_LOCK: u64 = (16 << 20) + 1;

/// The lock in a folder, where it is this server's: by the name that the server gives itself, or by its command, which is
/// all that versions 1 and 2 have. Or why it could not be read.
pub(super) fn lock_of(folder: &Path, config: &ServerConfig, surface: &Surface) -> Result<Option<Locked>, String> {
    let path = folder.join(LOCK);
    let mut bytes = Vec::new();
    match std::fs::symlink_metadata(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        // A pipe would keep who reads it waiting; what a link names may lie outside the project.
        Ok(about) if !about.is_file() => return Err(format!("{LOCK} is not a regular file")),
        Ok(_) | Err(_) => {}
    }
    let read = std::fs::File::open(&path).and_then(|file| file.take(MOST_OF_LOCK).read_to_end(&mut bytes));
    read.map_err(|error| format!("{LOCK} cannot be read: {error}"))?;
    let lock = Locked::read(&bytes).map_err(|refused| format!("{LOCK} is refused: {refused}"))?;
    let its = match (&lock.server, &lock.command) {
        (Some(server), _) => name(surface).as_ref() == Some(server),
        (None, Some(command)) => *command == config.shared.line(),
        (None, None) => false,
    };
    Ok(its.then_some(lock))
}

/// What tells one state of the lock from another.
pub(super) fn lock_stamp(folder: &Path) -> Stamp {
    stamp(&folder.join(LOCK))
}

/// What the lock in a folder says of what a server shows, or why it says nothing; none where none is of this server.
pub(super) fn says(
    folder: &Path,
    config: &ServerConfig,
    surface: &Surface,
    redactor: &Redactor,
) -> Option<Result<LockSays, String>> {
    let lock = lock_of(folder, config, surface).map_err(|why| redactor.mask(&why).into_owned());
    Some(lock.transpose()?.map(|lock| lock.says(surface)))
}

/// What a server calls itself.
pub(super) fn name(surface: &Surface) -> Option<String> {
    let info = surface.of_kind(Kind::ServerInfo).next()?;
    as_read(info).get("name").and_then(Value::as_str).map(str::to_owned)
}
