//! The text of a baseline.

use super::FORMAT;
use crate::canon::{Definition, Form, Pointer, indented};
use crate::digest::{Item, surface_varying};
use crate::pin::{Baseline, Decision, Pin, Rejection};
use crate::text::is_hidden;
use base64::Engine as _;
use serde_json::{Map, Value, json};

/// The baseline's file text. Equal baselines give equal text; the order of pins is that of the baseline, which
/// [`Baseline::sort`] makes the file's.
pub fn write(baseline: &Baseline) -> String {
    let scope = baseline.digest_scope.word();
    let mut file = json!({
        "format": FORMAT,
        "server": baseline.server,
        "digest_scope": scope,
        "anchor": {
            "clearance_id": baseline.anchor.clearance_id,
            "signer_key_id": baseline.anchor.signer_key_id,
            "auth_scope": baseline.anchor.auth_scope,
        },
        "observed_as": baseline.observed_as,
        "pins": baseline.pins.iter().map(|entry| pin(entry)).collect::<Vec<_>>(),
        "rejections": baseline.rejections.iter().map(rejection).collect::<Vec<_>>(),
    });
    if let Some(unwatched) = &baseline.unwatched {
        file["unwatched"] = json!({"reason": unwatched.reason, "decision": decision(&unwatched.decision)});
    }
    if let Some(words) = &baseline.command_words {
        file["command_words"] = json!(words);
    }
    indented(&file, &is_hidden)
}

fn decision(decision: &Decision) -> Value {
    json!({"state": decision.state.word(), "by": decision.by, "at": decision.at, "note": decision.note})
}

fn pin(pin: &Pin) -> Value {
    let mut entry = entry(&pin.item, &pin.decision);
    entry.insert("digests".into(), digests(&pin.item, &pin.varies));
    if !pin.varies.is_empty() {
        entry.insert("varies".into(), json!(pin.varies));
    }
    entry.into()
}

fn rejection(rejection: &Rejection) -> Value {
    let mut entry = entry(&rejection.item, &rejection.decision);
    entry.insert("digests".into(), rejection_digests(&rejection.item));
    entry.into()
}

/// What a pin and a rejection share.
fn entry(item: &Item, decision: &Decision) -> Map<String, Value> {
    let mut entry = definition(&item.definition);
    entry.insert("kind".into(), item.id.kind.word().into());
    entry.insert("key".into(), item.id.key.as_ref().into());
    entry.insert("decision".into(), self::decision(decision));
    entry
}

/// The members that hold the definition: in full, or with its exact decimals, or the received characters or bytes.
fn definition(definition: &Definition) -> Map<String, Value> {
    let mut members = Map::new();
    let exact = definition.exact().unwrap_or_default();
    match &definition.form {
        Form::Plain(_) => {
            members.insert("definition".into(), exact);
        }
        Form::Decimal { decimals, .. } => {
            members.insert("definition".into(), exact);
            members.insert("decimals".into(), json!(decimals));
        }
        Form::Text(text) => {
            members.insert("text".into(), text.as_ref().into());
            members.insert("ambiguous".into(), codes(definition));
        }
        Form::Bytes(bytes) => {
            members.insert("bytes".into(), base64::engine::general_purpose::STANDARD.encode(bytes).into());
            members.insert("ambiguous".into(), codes(definition));
        }
    }
    members
}

pub(super) fn codes(definition: &Definition) -> Value {
    definition.codes.iter().map(|code| code.word()).collect()
}

/// The digests that stand beside a pin's definition. `varying` is there where values may vary: what the approval binds to.
pub(super) fn digests(item: &Item, varies: &[Pointer]) -> Value {
    let identity = item.digests.identity.map(|identity| {
        json!({"schema_hash": identity.schema_hash.to_string(), "meta_hash": identity.meta_hash.to_string()})
    });
    let mut digests = json!({
        "surface": item.digests.surface.to_string(),
        "identity": identity,
        "definition": item.digests.definition.map(crate::digest::DefinitionCluster::to_json),
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
