//! Where this very program is, to start it again.

use std::io;
use std::path::PathBuf;

/// On Linux the running program, even where its file was replaced meanwhile.
pub fn own_program() -> io::Result<PathBuf> {
    let running = PathBuf::from("/proc/self/exe");
    if running.exists() { Ok(running) } else { std::env::current_exe() }
}
