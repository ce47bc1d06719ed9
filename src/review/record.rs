//! First contact: one explicit act that pins what was read whole, and lists apart what it may not pin unasked.

use super::decide::Refusal;
use crate::digest::{DigestScope, Item, Surface, SurfaceDigest};
use crate::drift::{self, Policy};
use crate::finding::{self, Around, Asking};
use crate::pin::{Anchor, Baseline, Decision, Pin};
use crate::signature::Keyring;
use crate::surface::{Completeness, ItemId, Kind, Reason};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// A baseline of first contact, and what is not in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// The baseline to write.
    pub baseline: Baseline,
    /// Items that stay new until they are named.
    pub apart: Vec<Apart>,
    /// Kinds that were not read whole: nothing of them is pinned.
    pub unread: Vec<(Kind, Reason)>,
}

/// An item that a record does not pin unasked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Apart {
    /// Which.
    pub id: ItemId,
    /// The digest to name it by.
    pub digest: SurfaceDigest,
    /// Why, as a sentence.
    pub reason: String,
}

/// Records the baseline of first contact. `named` are the items that are pinned although they would be listed apart, by
/// id and digest; `policy` says which rules of findings are in force. Rejections of `baseline` are kept; with a pin in it this is no first contact.
pub fn record(
    server: &str,
    baseline: Option<&Baseline>,
    surface: &Surface,
    scope: &DigestScope,
    named: &[(ItemId, SurfaceDigest)],
    decision: &Decision,
    policy: &Policy,
) -> Result<Recorded, Refusal> {
    let mut recorded = match baseline {
        Some(known) if !known.pins.is_empty() => return Err(Refusal::NotFirstContact),
        Some(known) => Baseline { observed_as: surface.observed_as.clone(), unwatched: None, ..known.clone() },
        None => Baseline::empty(server, scope.clone(), surface.observed_as.clone()),
    };
    recorded.anchor = drift::anchor_now(&Anchor::default(), &surface.identity);
    let mut namesakes: HashMap<&ItemId, BTreeSet<SurfaceDigest>> = HashMap::new();
    for item in &surface.items {
        namesakes.entry(&item.id).or_default().insert(item.digests.surface);
    }
    for (item, digest) in named {
        let digests = namesakes.get(item);
        if !digests.is_some_and(|digests| digests.contains(digest)) {
            let now = digests.and_then(|digests| digests.first().copied());
            return Err(Refusal::Moved { item: item.clone(), expected: *digest, now });
        }
    }
    let named: HashSet<(&ItemId, SurfaceDigest)> = named.iter().map(|(item, digest)| (item, *digest)).collect();
    let around = Around::of(surface.items.iter().map(AsRef::as_ref));
    let known = (Asking { around: &around, settings: &policy.findings }, &*policy.signatures);
    let mut apart = Vec::new();
    let mut seen = HashSet::new();
    let shared = Arc::new(decision.clone());
    for item in surface.items.iter().filter(|item| surface.is_complete(item.id.kind)) {
        let digest = item.digests.surface;
        if !seen.insert((&item.id, digest)) {
            continue;
        }
        let is_named = named.contains(&(&item.id, digest));
        let of_the_list = (!policy.admissions.admits(server, &item.id)).then(|| drift::not_admitted(&item.id));
        if let Some(reason) = of_the_list.filter(|_| !is_named) {
            apart.push(Apart { id: item.id.clone(), digest, reason });
            continue;
        }
        if let Some(reason) = why_apart(item, namesakes[&item.id].len() > 1, &recorded, known).filter(|_| !is_named) {
            apart.push(Apart { id: item.id.clone(), digest, reason });
            continue;
        }
        recorded.rejections.retain(|refused| refused.item.id != item.id || refused.item.digests.surface != digest);
        let pin = Pin { item: Arc::clone(item), varies: Vec::new(), decision: Arc::clone(&shared) };
        recorded.pins.push(Arc::new(pin));
    }
    recorded.sort();
    let words = &recorded.command_words() | &recorded.pinned_command_words();
    recorded.record_command_words(words);
    let unread = surface.completeness.iter().filter_map(|(kind, state)| match state {
        Completeness::Partial(reason) | Completeness::Failed(reason) => Some((*kind, reason.clone())),
        Completeness::Complete | Completeness::Ignored => None,
    });
    Ok(Recorded { baseline: recorded, apart, unread: unread.collect() })
}

/// Why an item is not pinned unasked at first contact.
fn why_apart(
    item: &Item,
    has_namesake: bool,
    baseline: &Baseline,
    (asking, keyring): (Asking<'_>, &Keyring),
) -> Option<String> {
    if baseline.rejection_of(&item.id, &item.digests.surface).is_some() {
        return Some("exactly this definition was rejected".to_owned());
    }
    if item.definition.exact().is_none() {
        let codes: Vec<_> = item.definition.codes.iter().map(|code| code.sentence()).collect();
        return Some(format!("parsers disagree on it: {}", codes.join("; ")));
    }
    if let Some(finding) = drift::critical(item, &finding::findings(item, asking), keyring) {
        return Some(finding);
    }
    has_namesake.then(|| "another definition has the same name; a client shows only one of them".to_owned())
}
