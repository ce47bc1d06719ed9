//! What a change of a tool's input or output schema means. The one place that judges schemas; it does not yet know what
//! a schema accepts, so that every change but one of order or of text reads "not decided".

use super::schema_place::{Declared, Place, declared, place};
use super::{Context, Judgement, happened, quoted, shortened, text};
use crate::canon::{Pointer, value_at};
use crate::drift::delta::{Delta, only_order};
use crate::drift::{ChangeKind, Effect, SchemaVerdict, Severity};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};

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

/// Keywords whose array is a set.
const SETS: [&str; 3] = ["enum", "required", "type"];

const NOT_DECIDED: &str = "not decided: what the two schemas accept was not compared";

/// The schemas before and after, and the words for them.
struct Schemas<'a> {
    root: &'a Pointer,
    before: Option<&'a Value>,
    after: Option<&'a Value>,
    input: bool,
}

impl Schemas<'_> {
    /// `the default of parameter `id``, `the title of the output schema`.
    fn name(&self, noun: &str, parameter: Option<&str>) -> String {
        let whose = match (parameter, self.input) {
            (Some(name), true) => format!("parameter `{}`", shortened(name)),
            (Some(name), false) => format!("output member `{}`", shortened(name)),
            (None, true) => "the input schema".to_owned(),
            (None, false) => "the output schema".to_owned(),
        };
        if noun.is_empty() { whose } else { format!("the {noun} of {whose}") }
    }
}

/// Judges the deltas inside the schema at `root`, a field of the definition. `sides` are the whole schemas.
pub(super) fn judge(
    judgement: &mut Judgement,
    root: &Pointer,
    sides: (Option<&Value>, Option<&Value>),
    deltas: &[Delta],
    context: &Context,
) -> SchemaVerdict {
    let input = root.as_str() != "/outputSchema";
    let schemas = Schemas { root, before: sides.0, after: sides.1, input };
    let mut equal = true;
    for delta in deltas {
        equal &= judge_delta(judgement, &schemas, delta, context);
    }
    let names = |schema: Option<&Value>| schema.map(declared).unwrap_or_default();
    let (old, new) = (names(schemas.before), names(schemas.after));
    if input {
        let seen = deltas.iter().map(|delta| delta.path.as_str()).collect();
        judge_names(judgement, &schemas, (&old, &new), &seen, context);
    }
    let lacking = |from: &BTreeMap<Pointer, Declared>, other: &BTreeMap<Pointer, Declared>| {
        from.keys().filter(|path| !other.contains_key(*path)).map(ToString::to_string).collect()
    };
    SchemaVerdict {
        accepts: if equal { "equal" } else { "undecided" },
        declares_added: lacking(&new, &old),
        declares_removed: lacking(&old, &new),
        old_only: None,
        new_only: None,
        undecided: if equal { String::new() } else { NOT_DECIDED.to_owned() },
    }
}

/// What the declared names say beyond the deltas: a parameter inside something that is new as a whole has no delta of
/// its own, and no parameter left at all is no sum of small changes.
fn judge_names(
    judgement: &mut Judgement,
    schemas: &Schemas,
    names: (&BTreeMap<Pointer, Declared>, &BTreeMap<Pointer, Declared>),
    seen: &HashSet<&str>,
    context: &Context,
) {
    let (old, new) = names;
    for (_, parameter) in new.iter().filter(|(path, _)| !old.contains_key(*path)) {
        let path = Pointer::parse(&format!("{}{}", schemas.root, parameter.path)).unwrap_or_default();
        if !seen.contains(path.as_str()) && context.is_new_command(&parameter.name) {
            let after = schemas.after.and_then(|schema| value_at(schema, &parameter.path));
            let delta = Delta { path, before: None, after };
            let reason = runs_commands(&parameter.name);
            judgement.add(&delta, ChangeKind::PropertyAdded, Severity::Critical, Effect::Unknown, reason);
        }
    }
    if !old.is_empty() && new.is_empty() {
        let delta = Delta { path: schemas.root.clone(), before: schemas.before, after: schemas.after };
        let reason = format!("declares no parameter any more; it declared {}", old.len());
        judgement.add(&delta, ChangeKind::SchemaChanged, Severity::Critical, Effect::Unknown, reason);
    }
}

/// Judges one delta; whether both schemas accept the same as far as it goes.
fn judge_delta(judgement: &mut Judgement, schemas: &Schemas, delta: &Delta, context: &Context) -> bool {
    let tokens: Vec<_> = delta.path.tokens().skip(schemas.root.tokens().count()).collect();
    let (place, parameter) = place(&tokens);
    let parameter = parameter.as_deref();
    match &place {
        Place::Keyword(keyword) if TEXTS.contains(&keyword.as_str()) => {
            text::judge(judgement, delta, &schemas.name(keyword, parameter));
            true
        }
        Place::Keyword(keyword) if SETS.contains(&keyword.as_str()) && only_order(delta) => {
            let reason = format!("the order of `{keyword}` changed: it accepts the same");
            judgement.add(delta, ChangeKind::OrderChanged, Severity::Info, Effect::None, reason);
            true
        }
        Place::Keyword(keyword) if keyword == "$schema" && context.is_upgraded(&delta.path) => {
            let dialect = |value: Option<&Value>| value.map_or_else(|| "none".to_owned(), quoted);
            let (old, new) = (dialect(delta.before), dialect(delta.after));
            let reason = format!("the dialect went from {old} to {new}, on every tool: the protocol or the SDK did it");
            judgement.add(delta, ChangeKind::SchemaChanged, Severity::Info, Effect::Unknown, reason);
            false
        }
        Place::Parameter(name) if delta.before.is_none() || delta.after.is_none() => {
            judge_parameter(judgement, schemas, delta, name, context);
            false
        }
        Place::Keyword(keyword) => {
            let what = schemas.name(&format!("`{}`", shortened(keyword)), parameter);
            let reason = format!("{what} {}; {NOT_DECIDED}", members(delta));
            judgement.add(delta, ChangeKind::SchemaChanged, Severity::Moderate, Effect::Unknown, reason);
            false
        }
        Place::Schema | Place::Parameter(_) => {
            let what = match place {
                Place::Parameter(_) => schemas.name("schema", parameter),
                _ if tokens.is_empty() => schemas.name("", None),
                _ => format!("a schema inside {}", schemas.name("", parameter)),
            };
            let reason = format!("{what} {}; {NOT_DECIDED}", happened(delta));
            judgement.add(delta, ChangeKind::SchemaChanged, Severity::Moderate, Effect::Unknown, reason);
            false
        }
    }
}

/// A parameter or output member that is new or gone.
fn judge_parameter(judgement: &mut Judgement, schemas: &Schemas, delta: &Delta, name: &str, context: &Context) {
    let noun = if schemas.input { "parameter" } else { "output member" };
    let shown = shortened(name);
    let (kind, severity, reason) = match delta.before {
        None if schemas.input && context.is_new_command(name) => {
            (ChangeKind::PropertyAdded, Severity::Critical, runs_commands(name))
        }
        None => {
            let reason = format!("declares one more {noun}, `{shown}`; {NOT_DECIDED}");
            (ChangeKind::PropertyAdded, Severity::Moderate, reason)
        }
        Some(_) => {
            let reason = format!("no longer declares the {noun} `{shown}`; {NOT_DECIDED}");
            (ChangeKind::PropertyRemoved, Severity::Moderate, reason)
        }
    };
    judgement.add(delta, kind, severity, Effect::Unknown, reason);
}

fn runs_commands(name: &str) -> String {
    let name = shortened(name);
    format!("declares one more parameter, `{name}`; no tool of this server named one that runs commands before")
}

/// `gains `x`, loses `y`` for a set, else what happened.
fn members(delta: &Delta) -> String {
    let (Some(Value::Array(old)), Some(Value::Array(new))) = (delta.before, delta.after) else {
        return happened(delta).to_owned();
    };
    let lacking = |from: &[Value], other: &[Value]| {
        let known: HashSet<String> = other.iter().map(Value::to_string).collect();
        let new: Vec<&Value> = from.iter().filter(|value| !known.contains(&value.to_string())).collect();
        let more = new.len().saturating_sub(5);
        let mut shown: Vec<String> = new.into_iter().take(5).map(quoted).collect();
        if more > 0 {
            shown.push(format!("{more} more"));
        }
        shown.join(", ")
    };
    match (lacking(new, old), lacking(old, new)) {
        (gains, loses) if gains.is_empty() && loses.is_empty() => happened(delta).to_owned(),
        (gains, loses) if loses.is_empty() => format!("gains {gains}"),
        (gains, loses) if gains.is_empty() => format!("loses {loses}"),
        (gains, loses) => format!("gains {gains}, loses {loses}"),
    }
}
