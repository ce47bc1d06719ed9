//! The surface digest: every field of an item, under a projection whose name is in the preimage.
//!
//! The preimages are RFC 8785 texts: their members stand in order and the definition's text is canonical already.

use super::sha::{Sha256, SurfaceDigest};
use crate::canon::{Definition, Form, Pointer, jcs};
use crate::surface::Kind;
use base64::Engine as _;
use serde_json::{Value, json};

/// The digest that a decision binds to.
pub fn surface(kind: Kind, definition: &Definition) -> SurfaceDigest {
    let preimage = match &definition.form {
        Form::Plain(text) => {
            let text = text.text();
            format!(r#"{{"definition":{text},"kind":"{kind}","projection":"pinwatch.surface.v1"}}"#)
        }
        Form::Decimal { text, decimals } => format!(
            r#"{{"decimals":{},"definition":{text},"kind":"{kind}","projection":"pinwatch.surface-decimal.v1"}}"#,
            jcs(&json!(decimals)),
        ),
        Form::Text(text) => {
            jcs(&json!({"projection": "pinwatch.surface-text.v1", "kind": kind.word(), "text": text.as_ref()}))
        }
        Form::Bytes(bytes) => jcs(&json!({
            "projection": "pinwatch.surface-bytes.v1",
            "kind": kind.word(),
            "bytes": base64::engine::general_purpose::STANDARD.encode(bytes),
        })),
    };
    SurfaceDigest(Sha256::of(preimage))
}

/// The digest of a pin that lets the values at `varies` differ: they stand as null, and the pointers are in the
/// preimage. Of a definition that cannot be compared in parts it is the plain surface digest.
pub fn surface_varying(kind: Kind, definition: &Definition, varies: &[Pointer]) -> SurfaceDigest {
    let exact = definition.exact().filter(|_| !varies.is_empty());
    let Some(mut value) = exact else { return surface(kind, definition) };
    for pointer in varies {
        if let Some(place) = value.pointer_mut(pointer.as_str()) {
            *place = Value::Null;
        }
    }
    let decimals = match &definition.form {
        Form::Decimal { decimals, .. } => decimals.as_slice(),
        Form::Plain(_) | Form::Text(_) | Form::Bytes(_) => &[],
    };
    SurfaceDigest(Sha256::of(jcs(&json!({
        "projection": "pinwatch.surface-varying.v1",
        "kind": kind.word(),
        "definition": value,
        "decimals": decimals.iter().filter(|pointer| !varies.iter().any(|varying| pointer.is_within(varying))).collect::<Vec<_>>(),
        "varies": varies,
    }))))
}
