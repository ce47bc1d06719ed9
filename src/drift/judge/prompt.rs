//! A prompt: its texts and its arguments, judged like a tool's.

use super::{Judgement, by_field, capitalized, field_kind, happened, shortened, text, vendor};
use crate::drift::delta::{Delta, only_order};
use crate::drift::types::Said;
use crate::drift::{ChangeKind, Effect, Severity};
use serde_json::Value;

/// Judges the deltas between two definitions of a prompt.
pub(super) fn judge(judgement: &mut Judgement, old: &Value, new: &Value, deltas: &[Delta]) {
    for (name, inside) in by_field(deltas) {
        match name.as_str() {
            "title" | "description" => text::judge_each(judgement, inside, &capitalized(&name)),
            "name" => judgement.renamed(inside),
            "arguments" => {
                for delta in inside {
                    judge_argument(judgement, old, new, delta);
                }
            }
            _ => vendor::judge(judgement, &name, (old.get(&name), new.get(&name)), inside),
        }
    }
}

/// One delta among the arguments. The place is that of now, but for an argument that is gone.
fn judge_argument(judgement: &mut Judgement, old: &Value, new: &Value, delta: &Delta) {
    let tokens: Vec<_> = delta.path.tokens().collect();
    let side = if delta.after.is_none() && tokens.len() == 2 { old } else { new };
    let argument = tokens.get(1).and_then(|index| side.pointer(&format!("/arguments/{index}")));
    let name = argument.and_then(|argument| argument.get("name")).and_then(Value::as_str).unwrap_or("?");
    let name = shortened(name);
    let required = |value: Option<&Value>| value.is_some_and(|value| *value == Value::Bool(true));
    let (kind, severity, effect, reason): (_, _, _, Said) = match tokens.get(2).map(String::as_str) {
        None if tokens.len() == 1 && only_order(delta) => {
            let reason = Said::new("Arguments reordered").and("They are passed by name");
            (ChangeKind::OrderChanged, Severity::Info, Effect::None, reason)
        }
        None if tokens.len() == 1 => {
            let reason = format!("Arguments {} as a whole", happened(delta)).into();
            (field_kind(delta), Severity::Moderate, Effect::Unknown, reason)
        }
        None if delta.before.is_none() => {
            let must = required(argument.and_then(|argument| argument.get("required")));
            let effect = if must { Effect::Breaking } else { Effect::Compatible };
            let which = if must { "required" } else { "optional" };
            (ChangeKind::PropertyAdded, Severity::Moderate, effect, format!("New {which} argument `{name}`").into())
        }
        None => {
            let reason = format!("Argument `{name}` {}", happened(delta)).into();
            (ChangeKind::PropertyRemoved, Severity::Moderate, Effect::Unknown, reason)
        }
        Some(member @ ("title" | "description" | "name")) => {
            return text::judge(judgement, delta, &format!("{} of argument `{name}`", capitalized(member)));
        }
        Some("required") => match (required(delta.before), required(delta.after)) {
            (false, true) => {
                let reason = format!("Argument `{name}` is now required").into();
                (ChangeKind::FieldChanged, Severity::Moderate, Effect::Breaking, reason)
            }
            (true, false) => {
                let reason = format!("Argument `{name}` is no longer required").into();
                (ChangeKind::FieldChanged, Severity::Moderate, Effect::Compatible, reason)
            }
            _ => {
                let reason = format!("Argument `{name}` writes `required` differently").into();
                (ChangeKind::FieldChanged, Severity::Info, Effect::None, reason)
            }
        },
        Some(member) => {
            let reason = format!("`{member}` of argument `{name}` {}", happened(delta)).into();
            (field_kind(delta), Severity::Info, Effect::None, reason)
        }
    };
    judgement.add(delta, kind, severity, effect, reason);
}
