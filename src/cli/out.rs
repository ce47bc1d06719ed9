//! Standard output and standard error: the one place that prints.

use crate::text::visible;
use std::io::{self, IsTerminal as _, Write as _};

/// Prints text that is safe to print. A reader that went away (`| head`) ends nothing.
pub fn print(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes());
    let _ = out.flush();
}

/// Prints one line, escaped.
pub fn line(text: &str) {
    print(&format!("{}\n", visible(text)));
}

/// Prints one line to standard error, escaped.
pub fn note(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", visible(text));
}

/// Prints lines to standard error that are escaped already.
pub fn complain(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Whether a person watches standard error, so that progress is worth a line.
pub fn is_watched() -> bool {
    io::stderr().is_terminal() && std::env::var_os("CI").is_none()
}
