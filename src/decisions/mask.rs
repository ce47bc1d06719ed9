//! What is shown of items that hold a secret which was passed to a server. Only copies for eyes are masked: decisions are
//! made on what was received, and a definition is never rewritten.

use crate::canon::{Definition, Pointer};
use crate::digest::Item;
use crate::drift::Drift;
use crate::identity::ServerIdentity;
use crate::pin::Pin;
use crate::review::{Refusal, Review, Row};
use crate::store::redact::Redactor;
use crate::surface::ItemId;
use serde_json::Value;
use std::sync::Arc;

/// A review to be shown; the very same where it holds no secret.
pub fn mask_review(review: &Arc<Review>, redactor: &Redactor) -> Arc<Review> {
    let holds = |item: &Item| redactor.find(item.definition.characters().as_bytes()).is_some();
    let row_holds = |row: &Row| row.now.iter().any(|item| holds(item)) || row.pin.iter().any(|pin| holds(&pin.item));
    let identity = mask_identity(&review.identity, redactor);
    if redactor.is_empty() || identity == review.identity && !review.rows.iter().any(row_holds) {
        return Arc::clone(review);
    }
    let mut shown = Review { identity, ..review.as_ref().clone() };
    for row in &mut shown.rows {
        mask_id(&mut row.id.item, redactor);
        row.now = row.now.as_ref().map(|item| mask_item(item, redactor));
        if let Some(doubt) = &mut row.doubt {
            doubt.why = redactor.mask_log(&doubt.why);
        }
        row.pin =
            row.pin.as_ref().map(|pin| Arc::new(Pin { item: mask_item(&pin.item, redactor), ..pin.as_ref().clone() }));
    }
    for drift in &mut shown.drifts {
        mask_drift(drift, redactor);
    }
    for notice in &mut shown.notices {
        notice.text = redactor.mask(&notice.text).into_owned();
    }
    for cause in shown.groups.iter_mut().flat_map(|group| &mut group.causes) {
        *cause = redactor.mask(cause).into_owned();
    }
    Arc::new(shown)
}

/// Who a server is, to be shown.
pub fn mask_identity(identity: &ServerIdentity, redactor: &Redactor) -> ServerIdentity {
    let mut shown = identity.clone();
    if !redactor.is_empty() {
        shown.texts_mut().into_iter().for_each(|text| *text = redactor.mask(text).into_owned());
    }
    shown
}

/// Masks a drift that is to be shown.
pub fn mask_drift(drift: &mut Drift, redactor: &Redactor) {
    let mask = |text: &mut String| *text = redactor.mask(text).into_owned();
    mask_id(&mut drift.id, redactor);
    for change in &mut drift.changes {
        for value in [&mut change.before, &mut change.after].into_iter().flatten() {
            mask_value(value, redactor);
        }
        [&mut change.headline, &mut change.reason].into_iter().for_each(mask);
        mask_path(&mut change.path, redactor);
    }
    for verdict in [&mut drift.input_schema, &mut drift.output_schema].into_iter().flatten() {
        for value in [&mut verdict.old_only, &mut verdict.new_only].into_iter().flatten() {
            mask_value(value, redactor);
        }
        [&mut verdict.words, &mut verdict.undecided].into_iter().for_each(mask);
        verdict.declares_added.iter_mut().chain(&mut verdict.declares_removed).for_each(mask);
        for change in &mut verdict.keywords {
            [&mut change.keyword, &mut change.sentence].into_iter().for_each(mask);
            mask_path(&mut change.path, redactor);
        }
    }
    for finding in &mut drift.findings {
        mask(&mut finding.text);
        mask_path(&mut finding.path, redactor);
    }
    drift.reasons.iter_mut().for_each(mask);
    for side in [&mut drift.side.pinned, &mut drift.side.now] {
        *side = side.as_ref().map(|item| mask_item(item, redactor));
    }
}

/// An item to be shown, under the digests of what it really is; the very same where it holds no secret.
pub fn mask_item(item: &Arc<Item>, redactor: &Redactor) -> Arc<Item> {
    if redactor.find(item.definition.characters().as_bytes()).is_none() {
        return Arc::clone(item);
    }
    let mut value = item.definition.as_read();
    mask_value(&mut value, redactor);
    let definition = Definition { codes: item.definition.codes.clone(), ..Definition::from_plain(&value) };
    // The bytes received hold it too, and so may its name.
    let mut id = item.id.clone();
    mask_id(&mut id, redactor);
    Arc::new(item.shown_as(id, definition))
}

/// Masks the name of what is to be shown. What was masked so is found again by its digest.
pub fn mask_id(id: &mut ItemId, redactor: &Redactor) {
    if let std::borrow::Cow::Owned(masked) = redactor.mask(&id.key) {
        id.key = masked.into();
    }
}

/// Whether an item is the one that is shown as `shown`: under its name, or with a mask in it.
pub fn is_shown_as(id: &ItemId, shown: &ItemId, redactor: &Redactor) -> bool {
    id == shown || (id.kind == shown.kind && *redactor.mask(&id.key) == *shown.key)
}

/// Masks the names in a refusal that is to be shown.
pub(super) fn mask_refusal(mut refusal: Refusal, redactor: &Redactor) -> Refusal {
    match &mut refusal {
        Refusal::Moved { item, .. }
        | Refusal::BaselineMoved(item)
        | Refusal::OneByOne(item)
        | Refusal::NotByApproval(item)
        | Refusal::NothingToReject(item) => mask_id(item, redactor),
        Refusal::NoValue { item, pointer } => {
            mask_id(item, redactor);
            mask_path(pointer, redactor);
        }
        Refusal::NotFirstContact | Refusal::AcceptedElsewhere | Refusal::NoBaseline => {}
    }
    refusal
}

/// A name may hold a secret as well as a value may.
fn mask_path(path: &mut Pointer, redactor: &Redactor) {
    *path = Pointer::parse(&redactor.mask(path.as_str())).unwrap_or_default();
}

fn mask_value(value: &mut Value, redactor: &Redactor) {
    match value {
        Value::String(text) => *text = redactor.mask(text).into_owned(),
        Value::Array(list) => list.iter_mut().for_each(|value| mask_value(value, redactor)),
        Value::Object(map) => {
            let members = std::mem::take(map).into_iter();
            map.extend(members.map(|(name, mut value)| {
                mask_value(&mut value, redactor);
                (redactor.mask(&name).into_owned(), value)
            }));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
