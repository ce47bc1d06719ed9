//! `pinwatch merge-driver`: git hands it two people's versions of a baseline, and takes the outcome from the second file.

use super::{MergeDriver, out, output};
use crate::error::Exit;
use crate::pin::format::{parse, write};
use crate::pin::{Baseline, Conflict, merge};
use crate::text::{marked, visible};
use anyhow::{Context as _, bail};
use std::fs;
use std::path::Path;

/// Merges into the file of ours. Exit 1 where both sides decided otherwise on one item: those places are marked, and the
/// file is refused until someone has chosen.
pub fn run(driver: &MergeDriver) -> anyhow::Result<Exit> {
    let name = driver.path.as_deref().unwrap_or(&driver.ours);
    let name = visible(&name.display().to_string()).to_string();
    let ours = read(&driver.ours)?;
    let theirs = read(&driver.theirs)?;
    let base = read(&driver.base)?;
    let (Some(ours), Some(theirs)) = (ours, theirs) else { bail!("{name}: one side is empty: nothing was merged") };
    let merged = merge(base.as_ref(), &ours, &theirs).with_context(|| format!("{name} was not merged"))?;
    let text = write(&merged.ours);
    if merged.conflicts.is_empty() {
        // What would be refused at the next start is not written.
        parse(text.as_bytes()).with_context(|| format!("{name} was not merged"))?;
        output::write(&driver.ours, &text)?;
        return Ok(Exit::Fine);
    }
    output::write(&driver.ours, &marked(&text, &write(&merged.theirs)))?;
    for conflict in &merged.conflicts {
        out::note(&match conflict {
            Conflict::Item { item, ours, theirs } => {
                format!("{name}: both decided on {}/{}: ours {ours}; theirs {theirs}", item.kind, item.key)
            }
            Conflict::Member(member) => format!("{name}: both changed `{member}`"),
        });
    }
    out::note(&format!(
        "{name}: choose between the marked places, or take one side whole (git checkout --ours, --theirs); everything else is \
         merged. Until then the file is refused"
    ));
    Ok(Exit::Drift)
}

/// A version of the baseline; none for the empty file that git hands over where there is no version.
fn read(path: &Path) -> anyhow::Result<Option<Baseline>> {
    let text = fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
    if text.is_empty() {
        return Ok(None);
    }
    parse(&text).map(Some).with_context(|| format!("{} is not a baseline that can be merged", path.display()))
}
