//! A tool, field by field.

use super::{Context, Judgement, annotations, field, field_kind, happened, schema, text, vendor};
use crate::canon::Pointer;
use crate::drift::delta::Delta;
use crate::drift::{ChangeKind, Effect, Severity};
use serde_json::Value;

/// Judges the deltas between two definitions of a tool.
pub(super) fn judge(judgement: &mut Judgement, old: &Value, new: &Value, deltas: &[Delta], context: &Context) {
    let mut fields: Vec<String> = deltas.iter().map(|delta| field(&delta.path)).collect();
    fields.dedup();
    for name in fields {
        let root = Pointer::root().child(&name);
        let inside: Vec<_> = deltas.iter().filter(|delta| field(&delta.path) == name).collect();
        let sides = (old.get(&name), new.get(&name));
        match name.as_str() {
            "annotations" => annotations::judge(judgement, sides.0, sides.1),
            "inputSchema" | "input_schema" => {
                judgement.input_schema = Some(schema::judge(judgement, &root, sides, &inside, context));
            }
            "outputSchema" => {
                judgement.output_schema = Some(schema::judge(judgement, &root, sides, &inside, context));
            }
            _ => inside.iter().for_each(|delta| judge_field(judgement, &name, old, new, delta, context)),
        }
    }
}

fn judge_field(judgement: &mut Judgement, name: &str, old: &Value, new: &Value, delta: &Delta, context: &Context) {
    match name {
        // A key that is no clean name lets two names meet under one key.
        "name" => {
            let reason = "the name changed: callers ask for it by name".to_owned();
            judgement.add(delta, ChangeKind::Renamed, Severity::Moderate, Effect::Breaking, reason);
        }
        "title" | "description" => text::judge(judgement, delta, &format!("the {name}")),
        "execution" => judge_execution(judgement, old, new, delta, context),
        "x-assay-sig" => {
            let severity =
                if delta.before.is_none() && old.get(name).is_none() { Severity::Info } else { Severity::Moderate };
            let reason = format!("the signature `x-assay-sig` {}; pinwatch does not check it", happened(delta));
            judgement.add(delta, field_kind(delta), severity, Effect::None, reason);
        }
        _ => vendor::judge(judgement, old, new, delta),
    }
}

/// `execution` says whether a call may or must run as a task; without it none may (MCP 2025-11-25).
fn judge_execution(judgement: &mut Judgement, old: &Value, new: &Value, delta: &Delta, context: &Context) {
    if context.upgraded.contains(&Pointer::root().child("execution")) {
        let reason = format!("`execution` {} on every tool: the protocol or the SDK did it", happened(delta));
        judgement.add(delta, field_kind(delta), Severity::Info, Effect::None, reason);
        return;
    }
    let support = |tool: &Value| match tool.get("execution") {
        None => Some("forbidden".to_owned()),
        Some(execution) => match execution.get("taskSupport") {
            None => Some("forbidden".to_owned()),
            Some(word) => word.as_str().map(str::to_owned),
        },
    };
    let (before, after) = (support(old), support(new));
    if before == after && before.is_some() {
        let reason = "`execution` changed: calls run as they did".to_owned();
        judgement.add(delta, field_kind(delta), Severity::Info, Effect::None, reason);
        return;
    }
    let word = |support: Option<String>| support.unwrap_or_else(|| "something unreadable".to_owned());
    let reason = format!("task support was {} and is {}", word(before), word(after.clone()));
    let effect = if after.as_deref() == Some("required") { Effect::Breaking } else { Effect::None };
    judgement.add(delta, field_kind(delta), Severity::Moderate, effect, reason);
}
