//! What a change of a tool's input or output schema means. The one place that judges schemas: what they accept comes from
//! [`crate::schema`], with an instance that proves it; what is not decided says so.

use super::schema_place::{Declared, Place, declared, place};
use super::{Context, Judgement, happened, quoted, shortened, text};
use crate::canon::{Pointer, value_at};
use crate::drift::delta::{Delta, only_order};
use crate::drift::{ChangeKind, Effect, SchemaVerdict, Severity};
use crate::schema::{Accepts, Answer, Budget, ChangeDirection, Comparison, Direction, compare, effect};
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

/// Keywords whose loosening is told even where another keyword hides it: the next version may drop that one.
const LIFTABLE: [&str; 19] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "required",
    "enum",
    "const",
    "additionalProperties",
    "propertyNames",
    "patternProperties",
];

/// The schemas before and after, how they compare, and the words for them.
struct Schemas<'a> {
    root: &'a Pointer,
    before: Option<&'a Value>,
    after: Option<&'a Value>,
    input: bool,
    comparison: &'a Comparison,
    effect: Effect,
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

    /// What the whole change does to what is accepted, with an instance that shows it.
    fn consequence(&self) -> String {
        let shown = |witness: &Option<Value>| {
            witness.as_ref().map_or_else(String::new, |value| format!(", as {}", quoted(value)))
        };
        let (lost, gained) = (&self.comparison.witnesses.old_only, &self.comparison.witnesses.new_only);
        let what = if self.input { "input" } else { "output" };
        let undeclared = matches!(self.comparison.on_declared.refused, Answer::No);
        let refuses = if undeclared && self.input {
            format!("refuses only what no declared parameter says{}", shown(lost))
        } else {
            format!("refuses {what} that it accepted{}", shown(lost))
        };
        match &self.comparison.accepts {
            Accepts::Equal => format!("the same {what} is accepted"),
            Accepts::Wider => format!("accepts more {what}{}", shown(gained)),
            Accepts::Narrower => refuses,
            Accepts::Incomparable => format!("{refuses}; and accepts other {what}{}", shown(gained)),
            Accepts::Undecided { reason } => format!("not decided: {}", shortened(reason)),
        }
    }

    /// The severity of a change that is neither of text nor of a parameter as such.
    fn severity(&self, delta: &Delta) -> Severity {
        let own = self.own_direction(delta);
        let loosened = matches!(own, Some((keyword, ChangeDirection::Wider | ChangeDirection::Incomparable))
            if LIFTABLE.contains(&keyword));
        match self.comparison.accepts {
            Accepts::Equal if !loosened => Severity::Info,
            Accepts::Equal | Accepts::Undecided { .. } => Severity::Moderate,
            // Another keyword made the difference; a dialect, which does nothing by itself, can be all there is.
            _ if matches!(own, Some((_, ChangeDirection::Equal))) && self.has_cause() => Severity::Info,
            _ => Severity::Moderate,
        }
    }

    /// Whether a change of some keyword accounts for another language.
    fn has_cause(&self) -> bool {
        self.comparison.changes.iter().any(|change| change.direction != ChangeDirection::Equal)
    }

    /// The keyword that differs at the delta's place, and what that does there.
    fn own_direction(&self, delta: &Delta) -> Option<(&str, ChangeDirection)> {
        let path = delta.path.as_str().strip_prefix(self.root.as_str())?;
        let change = self.comparison.changes.iter().find(|change| change.pointer == path)?;
        Some((change.keyword.as_str(), change.direction))
    }
}

/// Judges the deltas inside the schema at `root`, a field of the definition. `sides` are the whole schemas; `exact` the same
/// with every number as a number, for comparing what they accept. A schema that is not there accepts everything.
pub(super) fn judge(
    judgement: &mut Judgement,
    root: &Pointer,
    sides: (Option<&Value>, Option<&Value>),
    exact: (Option<&Value>, Option<&Value>),
    deltas: &[Delta],
    context: &Context,
) -> SchemaVerdict {
    let input = root.as_str() != "/outputSchema";
    let everything = Value::Bool(true);
    let comparison = compare(exact.0.unwrap_or(&everything), exact.1.unwrap_or(&everything), &Budget::default());
    let direction = if input { Direction::Input } else { Direction::Output };
    let effect = match effect(&comparison, direction) {
        "none" => Effect::None,
        "compatible" => Effect::Compatible,
        "breaking" => Effect::Breaking,
        _ => Effect::Unknown,
    };
    let schemas = Schemas { root, before: sides.0, after: sides.1, input, comparison: &comparison, effect };
    for delta in deltas {
        judge_delta(judgement, &schemas, delta, context);
    }
    let names = |schema: Option<&Value>| schema.map(declared).unwrap_or_default();
    let (old, new) = (names(schemas.before), names(schemas.after));
    if input {
        let seen = deltas.iter().map(|delta| delta.path.as_str()).collect();
        judge_names(judgement, &schemas, (&old, &new), &seen, context);
    }
    verdict(comparison)
}

/// The comparison as reports show it.
fn verdict(comparison: Comparison) -> SchemaVerdict {
    SchemaVerdict {
        accepts: comparison.accepts.word(),
        declares_added: comparison.declares.added,
        declares_removed: comparison.declares.removed,
        old_only: comparison.witnesses.old_only,
        new_only: comparison.witnesses.new_only,
        undecided: match comparison.accepts {
            Accepts::Undecided { reason } => format!("not decided: {reason}"),
            _ => String::new(),
        },
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
            judgement.add(&delta, ChangeKind::PropertyAdded, Severity::Critical, schemas.effect, reason);
        }
    }
    if !old.is_empty() && new.is_empty() {
        let delta = Delta { path: schemas.root.clone(), before: schemas.before, after: schemas.after };
        let reason = format!("declares no parameter any more; it declared {}", old.len());
        judgement.add(&delta, ChangeKind::SchemaChanged, Severity::Critical, schemas.effect, reason);
    }
}

/// Judges one delta.
fn judge_delta(judgement: &mut Judgement, schemas: &Schemas, delta: &Delta, context: &Context) {
    let tokens: Vec<_> = delta.path.tokens().skip(schemas.root.tokens().count()).collect();
    let (place, parameter) = place(&tokens);
    let parameter = parameter.as_deref();
    match &place {
        Place::Keyword(keyword) if TEXTS.contains(&keyword.as_str()) => {
            text::judge(judgement, delta, &schemas.name(keyword, parameter));
        }
        Place::Keyword(keyword) if SETS.contains(&keyword.as_str()) && only_order(delta) => {
            let reason = format!("the order of `{keyword}` changed: it accepts the same");
            judgement.add(delta, ChangeKind::OrderChanged, Severity::Info, Effect::None, reason);
        }
        Place::Keyword(keyword) if keyword == "$schema" && context.is_upgraded(&delta.path) => {
            let dialect = |value: Option<&Value>| value.map_or_else(|| "none".to_owned(), quoted);
            let (old, new) = (dialect(delta.before), dialect(delta.after));
            let reason = format!("the dialect went from {old} to {new}, on every tool: the protocol or the SDK did it");
            // An upgrade is no leave to accept other input.
            let (severity, reason) = match schemas.comparison.accepts {
                Accepts::Equal | Accepts::Undecided { .. } => (Severity::Info, reason),
                _ => (schemas.severity(delta), format!("{reason}; {}", schemas.consequence())),
            };
            judgement.add(delta, ChangeKind::SchemaChanged, severity, schemas.effect, reason);
        }
        Place::Parameter(name) if delta.before.is_none() || delta.after.is_none() => {
            judge_parameter(judgement, schemas, delta, name, context);
        }
        Place::Keyword(keyword) if keyword == "format" && schemas.own_direction(delta).is_some() => {
            let what = schemas.name("`format`", parameter);
            let reason =
                format!("{what} {}; a hint by the specification, and a rule to servers that check it", happened(delta));
            judgement.add(delta, ChangeKind::SchemaChanged, schemas.severity(delta), schemas.effect, reason);
        }
        Place::Keyword(keyword) => {
            let what = schemas.name(&format!("`{}`", shortened(keyword)), parameter);
            let reason = format!("{what} {}; {}", members(delta), schemas.consequence());
            judgement.add(delta, ChangeKind::SchemaChanged, schemas.severity(delta), schemas.effect, reason);
        }
        Place::Schema | Place::Parameter(_) => {
            let what = match place {
                Place::Parameter(_) => schemas.name("schema", parameter),
                _ if tokens.is_empty() => schemas.name("", None),
                _ => format!("a schema inside {}", schemas.name("", parameter)),
            };
            let reason = format!("{what} {}; {}", happened(delta), schemas.consequence());
            judgement.add(delta, ChangeKind::SchemaChanged, schemas.severity(delta), schemas.effect, reason);
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
            let reason = format!("declares one more {noun}, `{shown}`; {}", schemas.consequence());
            (ChangeKind::PropertyAdded, Severity::Moderate, reason)
        }
        Some(_) => {
            let reason = format!("no longer declares the {noun} `{shown}`; {}", schemas.consequence());
            (ChangeKind::PropertyRemoved, Severity::Moderate, reason)
        }
    };
    judgement.add(delta, kind, severity, schemas.effect, reason);
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
