//! `pinwatch rename`: a server has another id in the config; its pins, rejections and snapshots go with it.

use super::open;
use super::{Global, Rename, out};
use crate::error::{Exit, Printable};
use crate::store::{Event, NotRenamed};
use crate::text::{count, visible};
use anyhow::bail;
use jiff::Timestamp;

/// Moves them and says what there was. Where a rename was interrupted, the rest of it is done.
pub fn run(global: &Global, rename: &Rename) -> anyhow::Result<Exit> {
    let project = open::open(global, None)?;
    let (store, old, new) = (&project.desk.store, rename.old.as_str(), rename.new.as_str());
    if old == new {
        bail!("both are `{old}`");
    }
    let again = global.again(None, &project.redactor);
    let at = Timestamp::now();
    // The history of the new id goes on where that of the old one ends: this line says where.
    let renaming = project.desk.entry(Event::Rename, old, at);
    let forgetting = project.desk.entry(Event::Forget, format!("renamed to {new}"), at);
    let renamed = match store.rename(old, new, &renaming, &forgetting) {
        Ok(renamed) => renamed,
        Err(NotRenamed::Nothing) => {
            bail!("{old} has no baseline and no snapshots in {}", store.root().path().display())
        }
        Err(NotRenamed::Taken) => bail!(Printable(format!(
            "{} has a baseline already, of other pins: nothing was moved. Drop one of the two first, by `{}` or `{}`; the same rename then takes along what is left of {}",
            visible(new),
            again.forget(old),
            again.forget(new),
            visible(old),
        ))),
        Err(NotRenamed::Store(error)) => return Err(error.into()),
    };
    let (pins, rejections) = (count(renamed.pins, "pin"), count(renamed.rejections, "rejection"));
    out::line(&format!("{new} has the {pins}, {rejections} and {} of {old}", count(renamed.snapshots, "snapshot")));
    Ok(Exit::Fine)
}
