//! The demo: scripted servers inside the binary that drift while one watches, over real standard streams.
//!
//! The surfaces are data (`demo/surfaces/*.json`), the script says what changes when. Nothing here decides anything:
//! the same monitor, store and screen that watch a person's servers watch these.

mod script;
mod server;

pub use script::{NAMES, START_VARIABLE};
pub use server::serve;

use std::fs;
use std::io;
use std::path::Path;

/// The demo's config. The baselines were recorded with it: `pinwatch record` in a folder that holds this file.
const CONFIG: &str = include_str!("demo/pinwatch.toml");

/// The demo servers' baselines, as `pinwatch record` wrote them.
const BASELINES: [(&str, &str); 4] = [
    ("files", include_str!("../snapshots/files/baseline.json")),
    ("mailer", include_str!("../snapshots/mailer/baseline.json")),
    ("notes", include_str!("../snapshots/notes/baseline.json")),
    ("weather", include_str!("../snapshots/weather/baseline.json")),
];

/// Lays the demo's root in an empty folder: the config, and the baselines as if they had been recorded there before.
pub fn lay(root: &Path) -> io::Result<()> {
    fs::write(root.join("pinwatch.toml"), CONFIG)?;
    for (name, text) in BASELINES {
        let folder = root.join("snapshots").join(name);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("baseline.json"), text)?;
    }
    Ok(())
}
