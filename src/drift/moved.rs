//! What went from one place to another: to another kind, or to another address. Nobody pinned it where it is now, so both
//! ends stay the drifts that they are, and each says where the other is.

use super::judge::shortened;
use super::{ChangeKind, Drift};
use crate::digest::Item;
use crate::surface::Kind;
use serde_json::Value;
use std::collections::HashMap;

/// Adds to what is new and what is gone where it came from, and where it went. Only what is alike with one thing alone is
/// told.
pub(super) fn tell(drifts: &mut [Drift]) {
    let mut places: HashMap<String, (Vec<usize>, Vec<usize>)> = HashMap::new();
    for (index, drift) in drifts.iter().enumerate() {
        let [change] = drift.changes.as_slice() else { continue };
        let (item, gone) = match change.change {
            ChangeKind::ItemRemoved => (drift.side.pinned.as_deref(), true),
            ChangeKind::ItemAdded => (drift.side.now.as_deref(), false),
            _ => continue,
        };
        let Some(body) = item.and_then(body) else { continue };
        let place = places.entry(body).or_default();
        if gone { place.0.push(index) } else { place.1.push(index) }
    }
    for (from, to) in places.into_values() {
        let ([from], [to]) = (from.as_slice(), to.as_slice()) else { continue };
        let name = |index: usize| {
            let id = &drifts[index].id;
            format!("the {} `{}`", id.kind.word().replace('_', " "), shortened(&id.key))
        };
        let (was, is) = (name(*from), name(*to));
        say(&mut drifts[*from], &format!("moved to {is}"));
        say(&mut drifts[*to], &format!("moved from {was}"));
    }
}

fn say(drift: &mut Drift, text: &str) {
    for change in &mut drift.changes {
        let more = change.reason.strip_prefix(&change.headline).unwrap_or_default().to_owned();
        change.headline = format!("{}; {text}", change.headline);
        change.reason = format!("{}{more}", change.headline);
        drift.reasons.pop();
        drift.reasons.push(change.reason.clone());
    }
}

/// What stays when something moves: its name and its text. None where too little is said to tell it from another.
fn body(item: &Item) -> Option<String> {
    let value = item.definition.exact()?;
    let text = |member: &str| value.get(member).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    let named = !matches!(item.id.kind, Kind::Instructions | Kind::Capabilities | Kind::ServerInfo | Kind::Launch);
    Some(format!("{}\n{}", text("name").filter(|_| named)?, text("description")?))
}
