//! Finds the fixture server, which cargo builds as an example.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::SystemTime;

/// The fixture server's program. Built here where `cargo test --test NAME` has left it out or out of date.
pub fn fixture_server() -> PathBuf {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(find).clone()
}

fn find() -> PathBuf {
    let own = std::env::current_exe().expect("a test has a path");
    let profile = own.ancestors().nth(2).expect("target/PROFILE/deps/TEST");
    let program = profile.join("examples").join(format!("fixture_server{}", std::env::consts::EXE_SUFFIX));
    if modified(&program) < sources() {
        let mut build = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        build.args(["build", "--quiet", "--example", "fixture_server", "--target-dir"]);
        build.arg(profile.parent().expect("target/PROFILE")).current_dir(env!("CARGO_MANIFEST_DIR"));
        if profile.ends_with("release") {
            build.arg("--release");
        }
        assert!(build.status().expect("cargo runs").success(), "the fixture server does not build");
    }
    program
}

fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|data| data.modified()).ok()
}

/// When the fixture's sources were last changed.
fn sources() -> Option<SystemTime> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixture");
    let files = folder.read_dir().expect("the fixture's folder is readable").flatten();
    files.filter_map(|file| modified(&file.path())).max()
}
