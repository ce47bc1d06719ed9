//! Files of other systems that a command was given: read whole, and only up to a bound.

use anyhow::{Context as _, bail};
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// The most bytes of one.
const MOST: u64 = 16 << 20;

/// A file's bytes.
pub fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let name = path.display();
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MOST + 1).read_to_end(&mut bytes));
    read.with_context(|| format!("{name} cannot be read"))?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > MOST) {
        bail!("{name} is larger than 16 MiB");
    }
    Ok(bytes)
}
