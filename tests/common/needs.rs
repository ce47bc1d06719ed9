//! What a test needs and a machine may lack. A skip is written past the capture of libtest, so that a plain `cargo test`
//! shows it, and noted down, so that `tests/what_was_skipped.rs` counts it at the end.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Says that a test was left out, and why. Where everything is there, as in CI, `PINWATCH_SKIPS=never` makes it a failure.
pub fn skipped(test: &str, why: &str) {
    assert!(std::env::var("PINWATCH_SKIPS").as_deref() != Ok("never"), "{test} may not be skipped: {why}");
    // A closed standard error, or a folder that is gone, is no reason to fail.
    let _ = writeln!(std::io::stderr(), "\nSKIPPED {test}: {why}");
    let note = OpenOptions::new().create(true).append(true).open(notes());
    let _ = note.and_then(|mut note| note.write_all(format!("{test}\t{why}\n").as_bytes()));
}

/// The file that the tests of one run of cargo note their skips in: cargo is the parent of each test's process.
pub fn notes() -> PathBuf {
    let run = rustix::process::getppid().map_or(0, |parent| parent.as_raw_nonzero().get());
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("skipped-{run}"))
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
