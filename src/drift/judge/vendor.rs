//! Icons, `_meta` and fields that no revision of MCP defines: info, unless what they point to moves.

use super::url::origins;
use super::{Judgement, field, field_kind, happened};
use crate::drift::delta::Delta;
use crate::drift::{Effect, Severity};
use serde_json::Value;

/// Judges one delta inside such a field, given the definition before and after.
pub(super) fn judge(judgement: &mut Judgement, old: &Value, new: &Value, delta: &Delta) {
    let name = field(&delta.path);
    let all = |side: &Value| side.get(&name).map(origins).unwrap_or_default();
    let (before, after) = (all(old), all(new));
    let pointed = !before.is_empty() || delta.before.is_some();
    let here = delta.after.map(origins).unwrap_or_default();
    let moved: Vec<_> = after.difference(&before).filter(|origin| pointed && here.contains(*origin)).cloned().collect();
    let (severity, reason) = if moved.is_empty() {
        let path: Vec<_> = delta.path.tokens().collect();
        (Severity::Info, format!("`{}` {}", path.join("."), happened(delta)))
    } else {
        (Severity::Moderate, format!("`{name}` points elsewhere: {}", moved.join(", ")))
    };
    judgement.add(delta, field_kind(delta), severity, Effect::None, reason);
}
