//! What a change of text means that a model reads. The one place that judges text; it knows no finding yet, so that
//! every change is moderate.

use super::{Judgement, happened};
use crate::drift::delta::Delta;
use crate::drift::{ChangeKind, Effect, Severity};

/// Judges one text. `what` names it in a sentence: "the description", "the title of parameter `id`".
pub(super) fn judge(judgement: &mut Judgement, delta: &Delta, what: &str) {
    let reason = match (delta.before, delta.after) {
        (_, None) => format!("{what} is gone: a model no longer reads it"),
        _ => format!("{what} {}: a model reads it", happened(delta)),
    };
    judgement.add(delta, ChangeKind::TextChanged, Severity::Moderate, Effect::None, reason);
}

/// Judges the server's instructions.
pub(super) fn judge_instructions(judgement: &mut Judgement, deltas: &[Delta]) {
    for delta in deltas {
        judge(judgement, delta, "the server's instructions to the model");
    }
}
