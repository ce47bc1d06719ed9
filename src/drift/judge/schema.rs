//! What a change of a tool's input or output schema means. The one place that judges schemas; it does not yet know what
//! a schema accepts, so that every change but one of order or of text reads "not decided".

use super::schema_place::{Place, declared, place};
use super::{Context, Judgement, happened, quoted, text};
use crate::canon::{Pointer, value_at};
use crate::drift::delta::{Delta, only_order};
use crate::drift::{ChangeKind, Effect, SchemaVerdict, Severity};
use serde_json::Value;
use std::collections::BTreeSet;

/// Keywords that change no language: what stands there is text for a model.
const TEXTS: [&str; 12] = [
    "title",
    "description",
    "default",
    "examples",
    "example",
    "$comment",
    "deprecated",
    "readOnly",
    "writeOnly",
    "markdownDescription",
    "enumNames",
    "enumDescriptions",
];

const NOT_DECIDED: &str = "not decided: what the two schemas accept was not compared";

/// Judges the deltas inside the schema at `root`, a field of the definition. `before` and `after` are the whole schemas.
pub(super) fn judge(
    judgement: &mut Judgement,
    root: &Pointer,
    schemas: (Option<&Value>, Option<&Value>),
    deltas: &[&Delta],
    context: &Context,
) -> SchemaVerdict {
    let (before, after) = schemas;
    let input = root.as_str() != "/outputSchema";
    let names = |schema: Option<&Value>| schema.map(declared).unwrap_or_default();
    let (old, new) = (names(before), names(after));
    let mut equal = true;
    let mut seen = BTreeSet::new();
    for delta in deltas {
        seen.insert(delta.path.clone());
        equal &= judge_delta(judgement, root, delta, input, context);
    }
    let added: Vec<_> = new.iter().filter(|(path, _)| !old.contains_key(*path)).collect();
    let removed: Vec<_> = old.keys().filter(|path| !new.contains_key(*path)).collect();
    for (_, parameter) in added.iter().filter(|_| input) {
        // A parameter inside a schema that is new as a whole has no delta of its own.
        let path = Pointer::parse(&format!("{root}{}", parameter.path)).unwrap_or_default();
        if !seen.contains(&path)
            && let Some(word) = context.new_parameter_word(&parameter.name)
        {
            let value = after.and_then(|schema| value_at(schema, &parameter.path));
            let delta = Delta { path, before: None, after: value };
            let reason = runs_commands(&parameter.name, word);
            judgement.add(&delta, ChangeKind::PropertyAdded, Severity::Critical, Effect::Unknown, reason);
        }
    }
    if input && !old.is_empty() && new.is_empty() {
        let delta = Delta { path: root.clone(), before, after };
        let reason = format!("declares no parameter any more, it declared {}", old.len());
        judgement.add(&delta, ChangeKind::SchemaChanged, Severity::Critical, Effect::Unknown, reason);
    }
    let text = |paths: Vec<&Pointer>| paths.into_iter().map(ToString::to_string).collect();
    SchemaVerdict {
        accepts: if equal { "equal" } else { "undecided" },
        declares_added: text(added.iter().map(|(path, _)| *path).collect()),
        declares_removed: text(removed),
        old_only: None,
        new_only: None,
        undecided: if equal { String::new() } else { NOT_DECIDED.to_owned() },
    }
}

/// Judges one delta; whether both schemas accept the same as far as it goes.
fn judge_delta(judgement: &mut Judgement, root: &Pointer, delta: &Delta, input: bool, context: &Context) -> bool {
    let tokens: Vec<_> = delta.path.tokens().skip(root.tokens().count()).collect();
    let (place, parameter) = place(&tokens);
    let what = |noun: &str| match (&parameter, input) {
        (Some(name), true) => format!("the {noun} of parameter `{name}`"),
        (Some(name), false) => format!("the {noun} of output member `{name}`"),
        (None, true) => format!("the {noun} of the input schema"),
        (None, false) => format!("the {noun} of the output schema"),
    };
    match place {
        Place::Keyword(keyword) if TEXTS.contains(&keyword.as_str()) => {
            text::judge(judgement, delta, &what(&keyword));
            true
        }
        Place::Keyword(keyword) if ["enum", "required", "type"].contains(&keyword.as_str()) && only_order(delta) => {
            let reason = format!("the order of `{keyword}` changed: it accepts the same");
            judgement.add(delta, ChangeKind::OrderChanged, Severity::Info, Effect::None, reason);
            true
        }
        Place::Keyword(keyword) if keyword == "$schema" && context.upgraded.contains(&delta.path) => {
            let dialect = |value: Option<&Value>| value.map_or_else(|| "none".to_owned(), quoted);
            let (old, new) = (dialect(delta.before), dialect(delta.after));
            let reason = format!("the dialect went from {old} to {new}, on every tool: the protocol or the SDK did it");
            judgement.add(delta, ChangeKind::SchemaChanged, Severity::Info, Effect::Unknown, reason);
            false
        }
        Place::Parameter(name) if input && delta.before.is_none() => {
            let (severity, reason) = match context.new_parameter_word(&name) {
                Some(word) => (Severity::Critical, runs_commands(&name, word)),
                None => (Severity::Moderate, format!("declares one more parameter, `{name}`; {NOT_DECIDED}")),
            };
            judgement.add(delta, ChangeKind::PropertyAdded, severity, Effect::Unknown, reason);
            false
        }
        Place::Parameter(name) if delta.before.is_none() || delta.after.is_none() => {
            let noun = if input { "parameter" } else { "output member" };
            let (kind, happened) = match delta.before {
                None => (ChangeKind::PropertyAdded, "declares one more"),
                Some(_) => (ChangeKind::PropertyRemoved, "no longer declares the"),
            };
            let reason = format!("{happened} {noun} `{name}`; {NOT_DECIDED}");
            judgement.add(delta, kind, Severity::Moderate, Effect::Unknown, reason);
            false
        }
        Place::Keyword(noun) => {
            let reason = format!("{} {}; {NOT_DECIDED}", what(&format!("`{noun}`")), happened(delta));
            judgement.add(delta, ChangeKind::SchemaChanged, Severity::Moderate, Effect::Unknown, reason);
            false
        }
        Place::Schema | Place::Parameter(_) => {
            let reason = format!("{} {}; {NOT_DECIDED}", what("schema"), happened(delta));
            judgement.add(delta, ChangeKind::SchemaChanged, Severity::Moderate, Effect::Unknown, reason);
            false
        }
    }
}

fn runs_commands(name: &str, word: &str) -> String {
    format!(
        "declares one more parameter, `{name}`; no tool of this server named one that runs commands (`{word}`) before"
    )
}
