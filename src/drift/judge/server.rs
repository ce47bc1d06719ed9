//! The server's own words about itself: capabilities and server info.

use super::{Judgement, field, field_kind, happened, quoted, shortened};
use crate::drift::delta::Delta;
use crate::drift::{Effect, Severity};
use serde_json::Value;

/// Capabilities that promise a kind of list.
const LISTS: [&str; 3] = ["tools", "prompts", "resources"];

/// Judges the deltas between two `capabilities`.
pub(super) fn judge_capabilities(judgement: &mut Judgement, deltas: &[Delta]) {
    for delta in deltas {
        let name = field(&delta.path);
        let depth = delta.path.tokens().count();
        let (severity, reason) = if depth == 0 {
            (Severity::Moderate, "Capabilities are not an object, or were not".to_owned())
        } else if depth == 1 && delta.before.is_none() && LISTS.contains(&name.as_str()) {
            (Severity::Moderate, format!("The server now lists {name}"))
        } else {
            // `tools.listChanged` is not `tools`.
            let name = delta.path.tokens().collect::<Vec<_>>().join(".");
            (Severity::Info, format!("Capability `{}` {}", shortened(&name), happened(delta)))
        };
        judgement.add(delta, field_kind(delta), severity, Effect::None, reason);
    }
}

/// Judges the deltas between two `serverInfo`.
pub(super) fn judge_info(judgement: &mut Judgement, deltas: &[Delta]) {
    let shown = |value: Option<&Value>| value.map_or_else(|| "nothing".to_owned(), quoted);
    for delta in deltas {
        let name = field(&delta.path);
        let severity = if name.is_empty() || name == "name" { Severity::Moderate } else { Severity::Info };
        let (before, after) = (shown(delta.before), shown(delta.after));
        let name = if name.is_empty() { "info".to_owned() } else { shortened(&name) };
        let reason = format!("Server {name} changed from {before} to {after}");
        judgement.add(delta, field_kind(delta), severity, Effect::None, reason);
    }
}
