//! A tool's own signature, where it changed: who signed the text, and whether that still can be told.

use super::{Judgement, field_kind};
use crate::canon::Pointer;
use crate::digest::Sha256;
use crate::drift::delta::Delta;
use crate::drift::types::Said;
use crate::drift::{Effect, Severity};
use crate::signature::{Keyring, SIGNATURE_MEMBER, Standing, ToolSignature};
use serde_json::Value;

/// Judges it as a whole: its members change with every signing. `tools` have every number as a number.
pub(super) fn judge(judgement: &mut Judgement, tools: (&Value, &Value), keyring: &Keyring) {
    let (was, is) = (ToolSignature::of(tools.0, keyring), ToolSignature::of(tools.1, keyring));
    let keys = (ToolSignature::key_of(tools.0), ToolSignature::key_of(tools.1));
    let sides = (tools.0.get(SIGNATURE_MEMBER), tools.1.get(SIGNATURE_MEMBER));
    // By the name that the project gave it, else by the beginning of its id: the whole of both stands in the change.
    let name = |key: Option<&str>| {
        let trusted = keyring.keys.iter().find(|trusted| Some(&*trusted.id) == key);
        let short = || key.and_then(Sha256::from_text).map(|id| id.short().to_string());
        trusted
            .map(|trusted| format!("`{}`", trusted.name))
            .or_else(short)
            .unwrap_or_else(|| "one without an id".into())
    };
    let (severity, headline, signature) = match (sides.0, sides.1) {
        (None, _) => (Severity::Info, "Signed now".to_owned(), &is),
        (_, None) => (Severity::Moderate, "No longer signed".to_owned(), &was),
        _ if keys.0 != keys.1 => {
            (Severity::Moderate, format!("Signed by another key: {}, not {}", name(keys.1), name(keys.0)), &is)
        }
        // What the holder of a key that is trusted changed is signed anew.
        _ if matches!(is.standing, Standing::Trusted(_)) => {
            (Severity::Info, "Signed anew by the same key".to_owned(), &is)
        }
        _ => (Severity::Moderate, "Signature changed".to_owned(), &is),
    };
    let sentence = signature.sentence();
    let said = match (sides.1, sentence.strip_prefix("Signature ")) {
        (None, Some(rest)) => Said::new(headline).and(&format!("The pinned signature {rest}")),
        _ => Said::new(headline).and(&sentence),
    };
    let delta = Delta { path: Pointer::root().child(SIGNATURE_MEMBER), before: sides.0, after: sides.1 };
    judgement.add(&delta, field_kind(&delta), severity, Effect::None, said);
}
