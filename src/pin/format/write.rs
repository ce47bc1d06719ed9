//! The text of a baseline.

use super::FORMAT;
use crate::canon::{Code, Form, Pointer, indented};
use crate::digest::{DefinitionCluster, Item, surface_varying};
use crate::pin::{Anchor, Baseline, Decision, Rejection, Unwatched};
use crate::surface::{Kind, ObservedAs};
use crate::text::is_hidden;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;

/// What the file says beside its entries.
#[derive(Serialize, Deserialize)]
pub(super) struct Head {
    pub(super) format: String,
    pub(super) server: String,
    pub(super) digest_scope: String,
    pub(super) anchor: Anchor,
    pub(super) observed_as: Option<ObservedAs>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) unwatched: Option<Unwatched>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) command_words: Option<Vec<String>>,
}

/// A pin or a rejection, without the `definition` that most have.
#[derive(Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) kind: Kind,
    pub(super) key: Arc<str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) decimals: Option<Vec<Pointer>>,
    /// The received characters, or their bytes in base64: of what is ambiguous.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<Arc<str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bytes: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ambiguous: Option<Vec<Code>>,
    pub(super) digests: Value,
    pub(super) decision: Decision,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) varies: Vec<Pointer>,
}

/// The baseline's file text. Equal baselines give equal text; the order of pins is that of the baseline, which
/// [`Baseline::sort`] makes the file's.
pub fn write(baseline: &Baseline) -> String {
    let mut file = json!(Head {
        format: FORMAT.to_owned(),
        server: baseline.server.clone(),
        digest_scope: baseline.digest_scope.word().to_owned(),
        anchor: baseline.anchor.clone(),
        observed_as: baseline.observed_as.clone(),
        unwatched: baseline.unwatched.clone(),
        command_words: baseline
            .command_words
            .as_ref()
            .map(|words| words.iter().map(|word| (*word).to_owned()).collect()),
    });
    let pins = baseline.pins.iter().map(|pin| {
        whole(&pin.item, &Entry::of(&pin.item, digests(&pin.item, &pin.varies), &pin.decision, pin.varies.clone()))
    });
    let rejections = baseline.rejections.iter().map(|rejection| {
        let Rejection { item, decision } = rejection;
        whole(item, &Entry::of(item, rejection_digests(item), decision, Vec::new()))
    });
    file["pins"] = pins.collect();
    file["rejections"] = rejections.collect();
    indented(&file, &is_hidden)
}

/// An entry with the definition that it is of, where that stands as itself.
fn whole(item: &Item, entry: &Entry) -> Value {
    let mut entry = json!(entry);
    if let Some(exact) = item.definition.exact() {
        entry["definition"] = exact;
    }
    entry
}

impl Entry {
    pub(super) fn of(item: &Item, digests: Value, decision: &Decision, varies: Vec<Pointer>) -> Self {
        let (mut decimals, mut text, mut bytes, mut ambiguous) = (None, None, None, None);
        match &item.definition.form {
            Form::Plain(_) => {}
            Form::Decimal { decimals: pointers, .. } => decimals = Some(pointers.clone()),
            Form::Text(received) => text = Some(Arc::clone(received)),
            Form::Bytes(received) => bytes = Some(STANDARD.encode(received)),
        }
        if text.is_some() || bytes.is_some() {
            ambiguous = Some(item.definition.codes.iter().copied().collect());
        }
        let (kind, key, decision) = (item.id.kind, Arc::clone(&item.id.key), decision.clone());
        Self { kind, key, decimals, text, bytes, ambiguous, digests, decision, varies }
    }
}

/// The digests that stand beside a pin's definition. `varying` is there where values may vary: what the approval binds to.
pub(super) fn digests(item: &Item, varies: &[Pointer]) -> Value {
    let identity = item.digests.identity.map(|identity| {
        json!({"schema_hash": identity.schema_hash.to_string(), "meta_hash": identity.meta_hash.to_string()})
    });
    let mut digests = json!({
        "surface": item.digests.surface.to_string(),
        "identity": identity,
        "definition": item.digests.definition.map(DefinitionCluster::to_json),
    });
    if !varies.is_empty() {
        digests["varying"] = surface_varying(item.id.kind, &item.definition, varies).to_string().into();
    }
    digests
}

/// The digest that stands beside a rejected definition.
pub(super) fn rejection_digests(item: &Item) -> Value {
    json!({"surface": item.digests.surface.to_string()})
}
