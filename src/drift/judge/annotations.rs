//! A tool's annotations, read through the protocol's defaults: what a client that trusts them would do differently.

use super::{Judgement, field_kind, happened, quoted, shortened, text};
use crate::drift::delta::{Delta, deltas};
use crate::drift::types::Said;
use crate::drift::{ChangeKind, Effect, Severity};
use serde_json::Value;

/// A hint: its name, its default, the value that promises less, and how bad losing the promise is.
/// (MCP 2025-03-26, schema, ToolAnnotations.)
const HINTS: [(&str, bool, bool, Severity); 4] = [
    ("readOnlyHint", false, false, Severity::Critical),
    ("destructiveHint", true, true, Severity::Critical),
    ("idempotentHint", false, false, Severity::Moderate),
    ("openWorldHint", true, true, Severity::Moderate),
];

/// Judges the deltas inside `annotations`, or the one of the field as a whole.
pub(super) fn judge(judgement: &mut Judgement, deltas: &[Delta]) {
    for delta in deltas {
        match delta.path.tokens().nth(1) {
            Some(name) => judge_member(judgement, delta, &name),
            None => judge_whole(judgement, delta),
        }
    }
}

/// The field came, went, or is no object on one side.
fn judge_whole(judgement: &mut Judgement, delta: &Delta) {
    let empty = Value::Object(serde_json::Map::new());
    let (old, new) = (delta.before.unwrap_or(&empty), delta.after.unwrap_or(&empty));
    if !old.is_object() || !new.is_object() {
        let reason = Said::new("`annotations` is not an object, or was not");
        let reason = reason.and("Clients assume the defaults or reject the tool");
        judgement.add(delta, field_kind(delta), Severity::Critical, Effect::Unknown, reason);
        return;
    }
    let inside = deltas(&delta.path, Some(old), Some(new));
    if inside.is_empty() {
        let reason = Said::new(format!("Empty `annotations` {}", happened(delta))).and("The defaults apply, as before");
        judgement.add(delta, ChangeKind::AnnotationChanged, Severity::Info, Effect::None, reason);
    }
    judge(judgement, &inside);
}

fn judge_member(judgement: &mut Judgement, delta: &Delta, name: &str) {
    match HINTS.iter().find(|(hint, ..)| *hint == name) {
        Some(hint) => judge_hint(judgement, delta, hint),
        None if name == "title" => text::judge(judgement, delta, "Title in the annotations"),
        None => {
            let reason = format!("Annotation `{}` {}", shortened(name), happened(delta));
            judgement.add(delta, ChangeKind::AnnotationChanged, Severity::Info, Effect::None, reason);
        }
    }
}

fn judge_hint(judgement: &mut Judgement, delta: &Delta, hint: &(&str, bool, bool, Severity)) {
    let (name, default, promises_less, severity) = *hint;
    let readable = |value: Option<&Value>| value.is_none_or(Value::is_boolean);
    let holds = |value: Option<&Value>| value.map_or(default, |value| value.as_bool().unwrap_or(promises_less));
    let (old, new) = (holds(delta.before), holds(delta.after));
    let shown = |value: Option<&Value>, holds: bool| match value {
        None => format!("{holds} (the default)"),
        Some(value) if value.is_boolean() => holds.to_string(),
        Some(value) => format!("{}, not a boolean", quoted(value)),
    };
    let said = Said::new(match (delta.before, delta.after) {
        (None, Some(Value::Bool(now))) if *now == default => format!("`{name}` added: {now}, which is the default"),
        (Some(Value::Bool(was)), None) if *was == default => format!("`{name}` removed: {was} is the default"),
        (before, after) => format!("`{name}` changed from {} to {}", shown(before, old), shown(after, new)),
    });
    let (severity, reason) = if !readable(delta.after) {
        (severity.max(Severity::Moderate), said.and("Clients disagree on what that promises"))
    } else if old == new {
        (Severity::Info, said.and("It promises the same"))
    } else if new == promises_less {
        (severity, said.and("It promises less than was approved"))
    } else {
        (Severity::Info, said.and("It promises more, which nothing proves"))
    };
    judgement.add(delta, ChangeKind::AnnotationChanged, severity, Effect::None, reason);
}
