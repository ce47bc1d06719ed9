//! A tool, field by field.

use super::{
    BY_THE_SDK, Evidence, Judgement, annotations, by_field, capitalized, field_kind, happened, schema, signature, text,
    vendor,
};
use crate::canon::Pointer;
use crate::drift::delta::Delta;
use crate::drift::types::Said;
use crate::drift::{Effect, Severity};
use crate::signature::SIGNATURE_MEMBER;
use serde_json::Value;

/// Judges the deltas between two definitions of a tool. `whole` are the definitions with every number as a number.
pub(super) fn judge(
    judgement: &mut Judgement,
    (old, new): (&Value, &Value),
    whole: (&Value, &Value),
    deltas: &[Delta],
    context: &Evidence,
) {
    for (name, inside) in by_field(deltas) {
        let root = Pointer::root().child(&name);
        let sides = (old.get(&name), new.get(&name));
        let exact = (whole.0.get(&name), whole.1.get(&name));
        match name.as_str() {
            // A key that is no clean name lets two names meet under one key.
            "name" => judgement.renamed(inside),
            "title" | "description" => text::judge_each(judgement, inside, &capitalized(&name)),
            "annotations" => annotations::judge(judgement, inside),
            "inputSchema" | "input_schema" => {
                judgement.input_schema = Some(schema::judge(judgement, &root, sides, exact, inside, context));
            }
            "outputSchema" => {
                judgement.output_schema = Some(schema::judge(judgement, &root, sides, exact, inside, context));
            }
            "execution" => {
                for delta in inside {
                    judge_execution(judgement, sides, delta, context);
                }
            }
            SIGNATURE_MEMBER => signature::judge(judgement, whole, context.keyring),
            _ => vendor::judge(judgement, &name, sides, inside),
        }
    }
}

/// `execution` says whether a call may or must run as a task; without it none may (MCP 2025-11-25).
fn judge_execution(
    judgement: &mut Judgement,
    sides: (Option<&Value>, Option<&Value>),
    delta: &Delta,
    context: &Evidence,
) {
    if context.upgraded.contains(&Pointer::root().child("execution")) {
        let reason = Said::new(format!("`execution` {}", happened(delta))).and(BY_THE_SDK);
        judgement.add(delta, field_kind(delta), Severity::Info, Effect::None, reason);
        return;
    }
    let support = |execution: Option<&Value>| match execution {
        None => Some("forbidden".to_owned()),
        Some(execution) => match execution.get("taskSupport") {
            None => Some("forbidden".to_owned()),
            Some(word) => word.as_str().map(str::to_owned),
        },
    };
    let (before, after) = (support(sides.0), support(sides.1));
    if before == after && before.is_some() {
        let reason = Said::new("`execution` changed").and("Calls run as before");
        judgement.add(delta, field_kind(delta), Severity::Info, Effect::None, reason);
        return;
    }
    let word = |support: Option<String>| support.unwrap_or_else(|| "not readable".to_owned());
    let reason = format!("Task support changed from {} to {}", word(before), word(after.clone()));
    let effect = if after.as_deref() == Some("required") { Effect::Breaking } else { Effect::None };
    judgement.add(delta, field_kind(delta), Severity::Moderate, effect, reason);
}
