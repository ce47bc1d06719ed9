//! `pinwatch rename`: a server has another id in the config; its pins and rejections go with it. Its snapshots stay where
//! they are: they are never changed.

use super::context::Context;
use super::{Global, Rename, out};
use crate::digest::DigestScope;
use crate::error::Exit;
use crate::pin::Baseline;
use crate::store::{ChangeError, Event, LogEntry};
use anyhow::bail;
use jiff::Timestamp;

/// Moves the baseline and says what it held.
pub fn run(global: &Global, rename: &Rename) -> anyhow::Result<Exit> {
    let context = Context::open(global, None)?;
    let (store, old, new) = (&context.desk.store, rename.old.as_str(), rename.new.as_str());
    if old == new {
        bail!("both are `{old}`");
    }
    let Some(baseline) = store.load(old)? else { bail!("{old} has no baseline in {}", store.root().path().display()) };
    if baseline.digest_scope != DigestScope::None {
        bail!("the digests of {old} cover its id: record {new} afresh, then `pinwatch forget {old}`");
    }
    let decided_here = store.decided_here(&baseline)?;
    let note = format!("renamed from {old}");
    let here = baseline.pins.iter().filter(|pin| decided_here.contains(&(pin.item.id.clone(), pin.binds_to())));
    // The decision stays who made it and when.
    let intents: Vec<_> = here
        .filter_map(|pin| {
            Some(LogEntry {
                at: pin.decision.at.parse().ok()?,
                event: Event::Record,
                item: Some(pin.item.id.clone()),
                from: None,
                to: Some(pin.binds_to()),
                by: pin.decision.by.clone(),
                note: note.clone(),
                policy: Some(context.desk.policy_digest.clone()),
            })
        })
        .collect();
    // What was written under the old id was agreed to then.
    let renamed = store.allowing_secrets().change(new, &intents, |known| match known {
        // An end between the two steps left both: the second is what is missing.
        Some(known) if known.pins == baseline.pins && known.rejections == baseline.rejections => Ok(known),
        Some(known) if !known.pins.is_empty() || !known.rejections.is_empty() => Err(()),
        _ => Ok(Baseline { server: new.to_owned(), ..baseline.clone() }),
    });
    match renamed {
        Ok(_) => {}
        Err(ChangeError::Refused(())) => bail!("{new} has a baseline already: nothing was moved"),
        Err(ChangeError::Store(error)) => return Err(error.into()),
    }
    store.remember(new, store.load(new)?.as_ref())?;
    let entry = context.desk.entry(Event::Forget, format!("renamed to {new}"), Timestamp::now());
    store.forget(old, &entry)?;
    out::line(&format!(
        "{new} has the {} pins and {} rejections of {old}",
        baseline.pins.len(),
        baseline.rejections.len()
    ));
    Ok(Exit::Fine)
}
