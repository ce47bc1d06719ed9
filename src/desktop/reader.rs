//! A text in the person's own editor or pager. They get a copy, private and read-only, that hides nothing: what is changed
//! there changes nothing here.

use std::io::{self, Write as _};
use std::process::Command;

/// The first line of every copy.
pub const HEADING: &str = "pinwatch: a copy to read; edits here change nothing";

/// What stands after the text, on a page of its own. Editors take orders from the first and the last five lines of a file
/// (modelines of vim) and from its last page (local variables of Emacs): none of these may be a server's.
const ENDING: &str = "\n\u{c}\npinwatch: the end of the copy. This page, and the empty lines at the top, keep what a server\n\
    wrote out of the lines where editors look for orders.\n\n\n\n";

/// Shows a printable text with a program and its arguments, and waits for its end. The terminal must be free.
pub fn read(words: &[String], text: &str) -> io::Result<()> {
    let Some((program, arguments)) = words.split_first() else {
        return Err(io::Error::other("no editor or pager is set: VISUAL, EDITOR or PAGER"));
    };
    // In a folder of its own, which nobody else can open: editors write backups beside a file.
    let folder = private(tempfile::Builder::new().prefix("pinwatch-"))?;
    let named = tempfile::Builder::new().prefix("pinwatch").suffix(".diff").rand_bytes(0).tempfile_in(folder.path());
    let mut file = named?;
    write!(file, "{HEADING}\n\n\n\n\n{text}{ENDING}")?;
    let path = file.into_temp_path();
    let mut permissions = path.metadata()?.permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&path, permissions)?;
    let ended = Command::new(program).args(arguments).arg(&path).status();
    let ended =
        ended.map_err(|error| io::Error::new(error.kind(), format!("`{program}` cannot be started: {error}")))?;
    if ended.success() { Ok(()) } else { Err(io::Error::other(format!("`{program}` ended with {ended}"))) }
}

#[cfg(unix)]
fn private(builder: &mut tempfile::Builder<'_, '_>) -> io::Result<tempfile::TempDir> {
    use std::os::unix::fs::PermissionsExt as _;
    builder.permissions(std::fs::Permissions::from_mode(0o700)).tempdir()
}

#[cfg(not(unix))]
fn private(builder: &mut tempfile::Builder<'_, '_>) -> io::Result<tempfile::TempDir> {
    builder.tempdir()
}
