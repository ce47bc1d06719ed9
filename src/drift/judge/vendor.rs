//! Icons, `_meta` and fields that no revision of MCP defines: info, unless what they point to moves.

use super::url::origins;
use super::{Judgement, field_kind, happened, shortened};
use crate::drift::delta::Delta;
use crate::drift::{Effect, Severity};
use serde_json::Value;

/// Judges the deltas inside the field `name`, given that field before and after.
pub(super) fn judge(judgement: &mut Judgement, name: &str, sides: (Option<&Value>, Option<&Value>), deltas: &[Delta]) {
    let pointed = sides.0.map(origins).unwrap_or_default();
    for delta in deltas {
        // A URL in a field that had none is new, not moved, unless it takes the place of something.
        let replaces = !pointed.is_empty() || delta.before.is_some();
        let now = delta.after.map(origins).unwrap_or_default();
        let moved: Vec<_> = now.difference(&pointed).filter(|_| replaces).map(|origin| shortened(origin)).collect();
        let (severity, reason) = if moved.is_empty() {
            let path: Vec<_> = delta.path.tokens().collect();
            (Severity::Info, format!("`{}` {}", shortened(&path.join(".")), happened(delta)))
        } else {
            (Severity::Moderate, format!("`{}` now points to {}", shortened(name), moved.join(", ")))
        };
        judgement.add(delta, field_kind(delta), severity, Effect::None, reason);
    }
}
