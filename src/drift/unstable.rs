//! Definitions that differ from look to look: a set joined in another order, a clock or a folder in the text. One drift an
//! item, with its variants and the places at which they differ, which an approval may let vary.

use super::delta::deltas;
use super::judge::shortened;
use super::presence::bare;
use super::{Change, ChangeKind, Drift, DriftType, Effect, Severity, Side};
use crate::canon::Pointer;
use crate::digest::Item;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Places that are listed one by one.
const MOST: usize = 50;

/// Whether a drift is of a sort that is often another one at the next start, so that it is worth a second look.
pub fn looks_unstable(drift: &Drift) -> bool {
    let changed = matches!(
        drift.drift_type,
        DriftType::ToolChanged
            | DriftType::PromptChanged
            | DriftType::TemplateChanged
            | DriftType::ResourceChanged
            | DriftType::InstructionsChanged
    );
    changed
        && drift
            .changes
            .iter()
            .any(|change| matches!((&change.before, &change.after), (Some(a), Some(b)) if is_volatile(a, b)))
}

/// Whether two values are the same but for order, numbers, addresses of folders and what looks random.
fn is_volatile(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::String(a), Value::String(b)) => a != b && (sorted(a) == sorted(b) || masked(a) == masked(b)),
        (Value::Array(a), Value::Array(b)) => {
            let texts = |list: &[Value]| {
                let mut texts: Vec<_> = list.iter().map(Value::to_string).collect();
                texts.sort();
                texts
            };
            a != b && texts(a) == texts(b)
        }
        _ => false,
    }
}

fn sorted(text: &str) -> Vec<&str> {
    let mut words: Vec<_> =
        text.split(|c: char| c.is_whitespace() || ",;|".contains(c)).filter(|word| !word.is_empty()).collect();
    words.sort_unstable();
    words
}

/// The text with one sign for each word that holds a digit or leads to a folder.
fn masked(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| c.is_whitespace() || ",;()[]\"'`".contains(c)).filter(|word| !word.is_empty());
    let varies = |word: &str| {
        word.contains(|c: char| c.is_ascii_digit()) || word.starts_with(['/', '~']) || word.contains(":\\")
    };
    words.map(|word| if varies(word) { "#" } else { word }).collect()
}

/// The one drift of an item that was seen as `variants`, of which there are two at least. `own` is the drift of what is
/// served now, if it is one; `worst` the worst that a variant was.
pub fn unstable(
    own: Option<&Drift>,
    pinned: Option<&Arc<Item>>,
    variants: &[Arc<Item>],
    worst: Severity,
) -> Option<Drift> {
    let (first, now) = (variants.first()?, variants.last()?);
    let mut places: BTreeMap<Pointer, (Option<Value>, Option<Value>)> = BTreeMap::new();
    let old = first.definition.as_read();
    for other in &variants[1..] {
        let new = other.definition.as_read();
        for delta in deltas(&Pointer::root(), Some(&old), Some(&new)) {
            places.entry(delta.path).or_insert((delta.before.cloned(), delta.after.cloned()));
        }
    }
    let severity = worst.max(Severity::Moderate);
    let side = Side { pinned: pinned.cloned(), now: Some(Arc::clone(now)) };
    let mut drift = bare(DriftType::SurfaceUnstable, now.id.clone(), severity, Effect::Unknown, side);
    let shown: Vec<_> = places.keys().take(4).map(|path| format!("`{}`", shortened(path.as_str()))).collect();
    let more = places.len().saturating_sub(shown.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let many = variants.len();
    drift.reasons.push(format!(
        "{FROM_LOOK_TO_LOOK}: {many} definitions in turn, which differ at {}{more}. Approve it with those values left to vary",
        shown.join(", ")
    ));
    let change = |(path, (before, after)): (Pointer, (Option<Value>, Option<Value>))| Change {
        path,
        change: ChangeKind::FieldChanged,
        before,
        after,
        severity: Severity::Moderate,
        headline: FROM_LOOK_TO_LOOK.to_owned(),
        reason: FROM_LOOK_TO_LOOK.to_owned(),
    };
    drift.changes = places.into_iter().take(MOST).map(change).collect();
    if let Some(own) = own {
        drift.findings.clone_from(&own.findings);
        drift.capability_identity.clone_from(&own.capability_identity);
        drift.effect = own.effect;
        let beyond =
            own.changes.iter().filter(|change| drift.changes.iter().all(|other| !change.path.is_within(&other.path)));
        let beyond: Vec<_> = beyond.cloned().collect();
        drift.reasons.extend(
            own.reasons
                .iter()
                .filter(|reason| beyond.iter().any(|change| change.reason == **reason) || reason.starts_with("! "))
                .cloned(),
        );
        drift.changes.extend(beyond);
    }
    Some(drift)
}

/// The places whose values an approval of an unstable item may let vary.
pub fn varying_places(drift: &Drift) -> Vec<Pointer> {
    let both = |change: &&Change| change.before.is_some() && change.after.is_some() && !change.path.as_str().is_empty();
    let of = drift.changes.iter().filter(|_| drift.drift_type == DriftType::SurfaceUnstable);
    of.filter(|change| change.reason.starts_with(FROM_LOOK_TO_LOOK))
        .filter(both)
        .map(|change| change.path.clone())
        .collect()
}

/// What the change of an unstable place says.
const FROM_LOOK_TO_LOOK: &str = "Differs from look to look";

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_by_chance_differ_from_written_text() {
        for (a, b, volatile) in [
            (json!("a,b,c"), json!("c,a,b"), true),
            (json!("It is 12:30 in UTC"), json!("It is 12:31 in UTC"), true),
            (json!("Works in /home/ana/x"), json!("Works in /tmp/1f"), true),
            (json!(["a", "b"]), json!(["b", "a"]), true),
            (json!("Reads a note"), json!("Writes a note"), false),
            (json!("a"), json!("a"), false),
            (json!(1), json!(2), false),
        ] {
            assert_eq!(is_volatile(&a, &b), volatile, "{a} {b}");
        }
    }
}
