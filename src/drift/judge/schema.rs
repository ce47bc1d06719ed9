//! What a change of a tool's input or output schema means. The one place that judges schemas: what they accept comes from
//! [`crate::schema`], with an instance that proves it; what is not decided says so.

use super::schema_place::{Place, place};
use super::{Context, Judgement, happened, shortened, text};
use crate::canon::{Pointer, value_at};
use crate::drift::delta::{Delta, only_order};
use crate::drift::{ChangeKind, Effect, KeywordChange, SchemaVerdict, Severity};
use crate::schema::{
    Accepts, Answer, Budget, ChangeDirection, Comparison, Direction, Parameter, SchemaChange, SchemaChangeKind,
    compare, effect, parameters,
};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

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

/// Differences inside one change that are told one by one.
const MOST_TOLD: usize = 3;

/// Keywords that differ which a verdict lists one by one.
const MOST_LISTED: usize = 200;

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

    /// What the whole change does to what is accepted.
    fn consequence(&self) -> String {
        let what = if self.input { "input" } else { "output" };
        let refused = if self.spares_declared() {
            "no input of declared parameters alone is refused".to_owned()
        } else {
            format!("{what} is refused that was accepted")
        };
        match &self.comparison.accepts {
            Accepts::Equal => format!("the same {what} is accepted"),
            Accepts::Wider => format!("more {what} is accepted"),
            Accepts::Narrower => refused,
            Accepts::Incomparable => format!("{refused}, and other {what} is accepted"),
            Accepts::Undecided { reason } => format!("not decided: {}", shortened(reason)),
        }
    }

    /// Whether what is refused now has members that nobody declared: callers that send declared parameters lose nothing.
    fn spares_declared(&self) -> bool {
        self.input && matches!(self.comparison.on_declared.refused, Answer::No)
    }

    /// The change as the comparison words it: the keyword's own sentence, or those of all that differs inside it. Where the
    /// comparison sees no difference in meaning (alternatives in another order), that it changed.
    fn sentence(&self, delta: &Delta, otherwise: impl FnOnce() -> String) -> String {
        let Some(path) = delta.path.as_str().strip_prefix(self.root.as_str()) else { return otherwise() };
        let within = |path: &str, root: &str| {
            path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let changes = || self.comparison.changes.iter();
        let inside: Vec<_> = changes().filter(|change| within(&change.pointer, path)).collect();
        // A value that is compared as a whole is told as a whole.
        let around = changes().filter(|change| !change.pointer.is_empty() && within(path, &change.pointer));
        let told = if inside.is_empty() { around.collect() } else { inside };
        let mut sentences: Vec<_> =
            told.iter().take(MOST_TOLD).map(|change| change.sentence(self.direction())).collect();
        if told.len() > MOST_TOLD {
            sentences.push(format!("and {} more", told.len() - MOST_TOLD));
        }
        if sentences.is_empty() { otherwise() } else { sentences.join(", ") }
    }

    /// That a name is declared, or no longer. The comparison does not list one inside something that is new as a whole.
    fn declared(&self, delta: &Delta) -> String {
        let pointer = delta.path.as_str().strip_prefix(self.root.as_str()).unwrap_or_default().to_owned();
        let kind = if delta.before.is_none() { SchemaChangeKind::Added } else { SchemaChangeKind::Removed };
        let direction = ChangeDirection::Undecided;
        let keyword = "properties".to_owned();
        SchemaChange { pointer, keyword, kind, before: None, after: None, direction }.sentence(self.direction())
    }

    fn direction(&self) -> Direction {
        if self.input { Direction::Input } else { Direction::Output }
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
    let mut schemas =
        Schemas { root, before: sides.0, after: sides.1, input, comparison: &comparison, effect: Effect::Unknown };
    schemas.effect = match effect(&comparison, schemas.direction()) {
        "none" => Effect::None,
        "compatible" => Effect::Compatible,
        "breaking" => Effect::Breaking,
        _ => Effect::Unknown,
    };
    for delta in deltas {
        judge_delta(judgement, &schemas, delta, context);
    }
    let names = |schema: Option<&Value>| schema.map(parameters).unwrap_or_default();
    let (old, new) = (names(schemas.before), names(schemas.after));
    if input {
        let seen = deltas.iter().map(|delta| delta.path.as_str()).collect();
        judge_names(judgement, &schemas, (&old, &new), &seen, context);
    }
    verdict(&schemas)
}

/// The comparison as every face shows it.
fn verdict(schemas: &Schemas) -> SchemaVerdict {
    let Comparison { accepts, declares, witnesses, changes, dialect_changed, .. } = schemas.comparison;
    let undecided = match accepts {
        Accepts::Undecided { reason } => format!("not decided: {reason}"),
        _ => String::new(),
    };
    let mut words = match accepts {
        Accepts::Equal => "equal: exactly what it accepted before".to_owned(),
        Accepts::Wider => "wider: all that it accepted before, and more".to_owned(),
        Accepts::Narrower => "narrower: less than before, and nothing new".to_owned(),
        Accepts::Incomparable => "incomparable: not all that it accepted before, and something new".to_owned(),
        Accepts::Undecided { .. } => undecided.clone(),
    };
    if schemas.spares_declared() && matches!(accepts, Accepts::Narrower | Accepts::Incomparable) {
        words.push_str("; whoever sends declared parameters alone is not refused");
    }
    if let Some((before, after)) = dialect_changed {
        let _ = write!(words, "; read as {}, before as {}", after.word(), before.word());
    }
    let keywords = changes.iter().take(MOST_LISTED).map(|change| KeywordChange {
        path: Pointer::parse(&format!("{}{}", schemas.root, change.pointer)).unwrap_or_default(),
        keyword: change.keyword.clone(),
        change: change.kind.word(),
        direction: change.direction.word(),
        sentence: change.sentence(schemas.direction()),
    });
    SchemaVerdict {
        root: schemas.root.clone(),
        accepts: accepts.word(),
        words,
        declares_added: declares.added.clone(),
        declares_removed: declares.removed.clone(),
        old_only: witnesses.old_only.clone(),
        new_only: witnesses.new_only.clone(),
        undecided,
        keywords: keywords.collect(),
    }
}

/// What the declared names say beyond the deltas: a parameter inside something that is new as a whole has no delta of
/// its own, and no parameter left at all is no sum of small changes.
fn judge_names(
    judgement: &mut Judgement,
    schemas: &Schemas,
    names: (&BTreeMap<Pointer, Parameter>, &BTreeMap<Pointer, Parameter>),
    seen: &HashSet<&str>,
    context: &Context,
) {
    let (old, new) = names;
    for (_, parameter) in new.iter().filter(|(path, _)| !old.contains_key(*path)) {
        let path = Pointer::parse(&format!("{}{}", schemas.root, parameter.path)).unwrap_or_default();
        if !seen.contains(path.as_str()) && context.is_new_command(&parameter.name) {
            let after = schemas.after.and_then(|schema| value_at(schema, &parameter.path));
            let delta = Delta { path, before: None, after };
            let reason = runs_commands(schemas, &delta);
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
            let what = schemas.name(&format!("order of `{keyword}`"), parameter);
            let sentence = schemas.sentence(delta, || format!("the {what} changed"));
            let reason = format!("{sentence}; the same is accepted");
            judgement.add(delta, ChangeKind::OrderChanged, Severity::Info, Effect::None, reason);
        }
        Place::Keyword(keyword) if keyword == "$schema" && context.is_upgraded(&delta.path) => {
            let sentence = schemas.sentence(delta, || format!("the dialect {}", happened(delta)));
            let reason = format!("{sentence}, on every tool: the protocol or the SDK did it");
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
            let reason = schemas.sentence(delta, String::new);
            judgement.add(delta, ChangeKind::SchemaChanged, schemas.severity(delta), schemas.effect, reason);
        }
        Place::Keyword(_) | Place::Schema | Place::Parameter(_) => {
            let what = match &place {
                Place::Keyword(keyword) => schemas.name(&format!("`{}`", shortened(keyword)), parameter),
                Place::Parameter(_) => schemas.name("schema", parameter),
                Place::Schema if tokens.is_empty() => schemas.name("", None),
                Place::Schema => format!("a schema inside {}", schemas.name("", parameter)),
            };
            let changed = || format!("{what} {}", happened(delta));
            // A schema that is not there at all is no schema that accepts everything, to a reader.
            let sentence = if tokens.is_empty() { changed() } else { schemas.sentence(delta, changed) };
            let reason = format!("{sentence}; {}", schemas.consequence());
            judgement.add(delta, ChangeKind::SchemaChanged, schemas.severity(delta), schemas.effect, reason);
        }
    }
}

/// A parameter or output member that is new or gone.
fn judge_parameter(judgement: &mut Judgement, schemas: &Schemas, delta: &Delta, name: &str, context: &Context) {
    if delta.before.is_none() && schemas.input && context.is_new_command(name) {
        let reason = runs_commands(schemas, delta);
        judgement.add(delta, ChangeKind::PropertyAdded, Severity::Critical, schemas.effect, reason);
        return;
    }
    let kind = if delta.before.is_none() { ChangeKind::PropertyAdded } else { ChangeKind::PropertyRemoved };
    let reason = format!("{}; {}", schemas.declared(delta), schemas.consequence());
    judgement.add(delta, kind, Severity::Moderate, schemas.effect, reason);
}

fn runs_commands(schemas: &Schemas, delta: &Delta) -> String {
    format!("{}; no tool of this server named one that runs commands before", schemas.declared(delta))
}
