//! What a test needs and a machine may lack. A skip is written past the capture of libtest, so that a plain
//! `cargo test` shows it.

use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Says that a test was left out, and why.
pub fn skipped(test: &str, why: &str) {
    // A closed standard error is no reason to fail.
    let _ = writeln!(std::io::stderr(), "\nSKIPPED {test}: {why}");
}

/// The file or folder at `part` of the material that stands beside the repository; none, said by name, where it is absent.
pub fn shared(test: &str, part: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(part);
    if path.exists() {
        return Some(path);
    }
    skipped(test, &format!("../shared/{part} is absent"));
    None
}
