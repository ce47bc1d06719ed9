//! What a change of a tool's input or output schema means. The one place that judges schemas: what they accept comes from
//! [`crate::schema`], with an instance that proves it; what is not decided says so.

use super::schema_place::{SchemaPlace, place};
use super::{BY_THE_SDK, Evidence, Judgement, capitalized, happened, shortened, text};
use crate::canon::{Pointer, value_at};
use crate::drift::delta::{Delta, only_order};
use crate::drift::presence::{no_other, suggests_commands};
use crate::drift::types::Said;
use crate::drift::{ChangeKind, Effect, KeywordChange, SchemaVerdict, Severity};
use crate::pin::command_parameter;
use crate::schema::{
    Accepts, Answer, Budget, ChangeDirection, Comparison, Direction, Parameter, SchemaChange, SchemaChangeKind,
    Witnesses, compare, effect, is_bound, is_set, parameters,
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

/// Differences inside one change that are told one by one.
const MOST_TOLD: usize = 3;

/// Characters of a value that a headline shows.
const LONGEST_SHOWN: usize = 40;

/// Keywords that differ which a verdict lists one by one.
const MOST_LISTED: usize = 200;

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
    /// `Default of parameter `id``, `Title of the output schema`; without a noun `Input schema`.
    fn name(&self, noun: &str, parameter: Option<&str>) -> String {
        let whose = match (parameter, self.input) {
            (Some(name), true) => format!("parameter `{}`", shortened(name)),
            (Some(name), false) => format!("output member `{}`", shortened(name)),
            (None, true) => "input schema".to_owned(),
            (None, false) => "output schema".to_owned(),
        };
        let article = if parameter.is_some() { "" } else { "the " };
        if noun.is_empty() { capitalized(&whose) } else { format!("{} of {article}{whose}", capitalized(noun)) }
    }

    /// What the whole change does to what is accepted.
    fn consequence(&self) -> String {
        let what = if self.input { "input" } else { "output" };
        let refused = || format!("Some {what} that was accepted is now rejected");
        match &self.comparison.accepts {
            Accepts::Equal => format!("The same {what} is accepted"),
            Accepts::Wider => format!("More {what} is accepted"),
            Accepts::Narrower if self.spares_declared() => {
                "Accepts less; calls that send declared parameters only still work".to_owned()
            }
            Accepts::Narrower => refused(),
            Accepts::Incomparable if self.spares_declared() => {
                "Accepts other input; calls that send declared parameters only still work".to_owned()
            }
            Accepts::Incomparable => format!("{}, and other {what} is accepted", refused()),
            Accepts::Undecided { reason } => format!("Not decided: {}", shortened(reason)),
        }
    }

    /// A change with what all of them do to what is accepted, where it is the only one. What one of several does is not known.
    fn with_consequence(&self, said: Said) -> Said {
        if self.comparison.changes.len() > 1 { said } else { said.and(&self.consequence()) }
    }

    /// Whether what is refused now has members that nobody declared: callers that send declared parameters lose nothing.
    fn spares_declared(&self) -> bool {
        self.input && matches!(self.comparison.on_declared.refused, Answer::No)
    }

    /// The change as the comparison words it: the keyword's own sentence, or those of all that differs inside it. Where the
    /// comparison sees no difference in meaning (alternatives in another order), that it changed.
    fn said(&self, delta: &Delta, otherwise: impl FnOnce() -> String) -> Said {
        let Some(path) = delta.path.as_str().strip_prefix(self.root.as_str()) else { return otherwise().into() };
        let within = |path: &str, root: &str| {
            path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let changes = || self.comparison.changes.iter();
        let inside: Vec<_> = changes().filter(|change| within(&change.pointer, path)).collect();
        // A value that is compared as a whole is told as a whole.
        let around = changes().filter(|change| !change.pointer.is_empty() && within(path, &change.pointer));
        let told = if inside.is_empty() { around.collect() } else { inside };
        let joined = |word: &dyn Fn(&SchemaChange) -> String| {
            let mut words: Vec<_> = told.iter().copied().take(MOST_TOLD).map(word).collect();
            if told.len() > MOST_TOLD {
                words.push(format!("and {} more", told.len() - MOST_TOLD));
            }
            words.join("; ")
        };
        if told.is_empty() {
            return otherwise().into();
        }
        let headline = joined(&|change| change.headline(self.direction()));
        let shown = told.first().filter(|_| self.comparison.changes.len() == 1).and_then(|only| self.shown_by(only));
        let headline = shown.map_or_else(|| headline.clone(), |shown| format!("{headline}: {shown}"));
        Said { headline, reason: joined(&|change| change.sentence(self.direction())) }
    }

    /// The value of the parameter that alone changed which only one of the schemas accepts: `"/" is now accepted`.
    fn shown_by(&self, only: &SchemaChange) -> Option<String> {
        let name = only.pointer.strip_prefix("/properties/")?.split('/').next()?.replace("~1", "/").replace("~0", "~");
        let of = |instance: &Option<Value>| {
            let value = instance.as_ref().filter(|_| self.input)?.get(&name)?.to_string();
            (value.chars().count() <= LONGEST_SHOWN).then_some(value)
        };
        let Witnesses { old_only, new_only } = &self.comparison.witnesses;
        match (of(new_only), of(old_only)) {
            (Some(value), None) => Some(format!("{value} is now accepted")),
            (None, Some(value)) => Some(format!("{value} is now rejected")),
            _ => None,
        }
    }

    /// That a name is declared, or no longer. The comparison does not list one inside something that is new as a whole.
    fn declared(&self, delta: &Delta) -> Said {
        let pointer = delta.path.as_str().strip_prefix(self.root.as_str()).unwrap_or_default().to_owned();
        let kind = if delta.before.is_none() { SchemaChangeKind::Added } else { SchemaChangeKind::Removed };
        let direction = ChangeDirection::Undecided;
        let keyword = "properties".to_owned();
        SchemaChange { pointer, keyword, kind, before: None, after: None, direction }.sentence(self.direction()).into()
    }

    fn direction(&self) -> Direction {
        if self.input { Direction::Input } else { Direction::Output }
    }

    /// The severity of a change that is neither of text nor of a parameter as such.
    fn severity(&self, delta: &Delta) -> Severity {
        let own = self.own_direction(delta);
        let loosened = matches!(own, Some((keyword, ChangeDirection::Wider | ChangeDirection::Incomparable))
            if is_bound(keyword));
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
    context: &Evidence,
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
        Accepts::Equal => "the same as before".to_owned(),
        Accepts::Wider => "all that it did before, and more".to_owned(),
        Accepts::Narrower => "less than before, and nothing new".to_owned(),
        Accepts::Incomparable => "not all that it did before, and something new".to_owned(),
        Accepts::Undecided { .. } => undecided.clone(),
    };
    if schemas.spares_declared() && matches!(accepts, Accepts::Narrower | Accepts::Incomparable) {
        words.push_str("; calls that send declared parameters only still work");
    }
    if let Some((before, after)) = dialect_changed {
        let _ = write!(words, "; read as {} (was {})", after.word(), before.word());
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
        effect: schemas.effect,
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
    context: &Evidence,
) {
    let (old, new) = names;
    for (_, parameter) in new.iter().filter(|(path, _)| !old.contains_key(*path)) {
        let path = Pointer::parse(&format!("{}{}", schemas.root, parameter.path)).unwrap_or_default();
        if !seen.contains(path.as_str()) && context.is_new_command(&parameter.name) {
            let after = schemas.after.and_then(|schema| value_at(schema, &parameter.path));
            let delta = Delta { path, before: None, after };
            let reason = runs_commands(schemas, &delta, &parameter.name);
            judgement.add(&delta, ChangeKind::PropertyAdded, Severity::Critical, schemas.effect, reason);
        }
    }
    if !old.is_empty() && new.is_empty() {
        let delta = Delta { path: schemas.root.clone(), before: schemas.before, after: schemas.after };
        let reason = format!("Declares no parameters anymore (was {})", old.len());
        judgement.add(&delta, ChangeKind::SchemaChanged, Severity::Critical, schemas.effect, reason);
    }
}

fn judge_delta(judgement: &mut Judgement, schemas: &Schemas, delta: &Delta, context: &Evidence) {
    let tokens: Vec<_> = delta.path.tokens().skip(schemas.root.tokens().count()).collect();
    let (place, parameter) = place(&tokens);
    let parameter = parameter.as_deref();
    match &place {
        SchemaPlace::Keyword(keyword) if TEXTS.contains(&keyword.as_str()) => {
            text::judge(judgement, delta, &schemas.name(keyword, parameter));
        }
        SchemaPlace::Keyword(keyword) if is_set(keyword) && only_order(delta) => {
            let what = schemas.name(&format!("order of `{keyword}`"), parameter);
            let reason = schemas.said(delta, || format!("{what} changed")).and("The same is accepted");
            judgement.add(delta, ChangeKind::OrderChanged, Severity::Info, Effect::None, reason);
        }
        SchemaPlace::Keyword(keyword) if keyword == "$schema" && context.is_upgraded(&delta.path) => {
            let said = schemas.said(delta, || format!("Dialect {}", happened(delta)));
            let reason = said.and(BY_THE_SDK);
            // An upgrade is no leave to accept other input.
            let (severity, reason) = match schemas.comparison.accepts {
                Accepts::Equal | Accepts::Undecided { .. } => (Severity::Info, reason),
                _ => (schemas.severity(delta), reason.and(&schemas.consequence())),
            };
            judgement.add(delta, ChangeKind::SchemaChanged, severity, schemas.effect, reason);
        }
        SchemaPlace::Parameter(name) if delta.before.is_none() || delta.after.is_none() => {
            judge_parameter(judgement, schemas, delta, name, context);
        }
        SchemaPlace::Keyword(keyword) if keyword == "format" && schemas.own_direction(delta).is_some() => {
            let reason = schemas.said(delta, String::new);
            judgement.add(delta, ChangeKind::SchemaChanged, schemas.severity(delta), schemas.effect, reason);
        }
        SchemaPlace::Keyword(_) | SchemaPlace::Schema | SchemaPlace::Parameter(_) => {
            let what = match &place {
                SchemaPlace::Keyword(keyword) => schemas.name(&format!("`{}`", shortened(keyword)), parameter),
                SchemaPlace::Parameter(_) => schemas.name("schema", parameter),
                SchemaPlace::Schema if tokens.is_empty() => schemas.name("", None),
                SchemaPlace::Schema => schemas.name("inner schema", parameter),
            };
            let changed = || format!("{what} {}", happened(delta));
            // A schema that is not there at all is no schema that accepts everything, to a reader.
            let said = match (tokens.is_empty(), schemas.input, delta.before, delta.after) {
                (true, false, None, _) => "Output is now checked against a schema".into(),
                (true, false, _, None) => "Output is no longer checked against a schema".into(),
                (true, ..) => changed().into(),
                (false, ..) => schemas.said(delta, changed),
            };
            let reason = schemas.with_consequence(said);
            judgement.add(delta, ChangeKind::SchemaChanged, schemas.severity(delta), schemas.effect, reason);
        }
    }
}

/// A parameter or output member that is new or gone.
fn judge_parameter(judgement: &mut Judgement, schemas: &Schemas, delta: &Delta, name: &str, context: &Evidence) {
    if delta.before.is_none() && schemas.input && context.is_new_command(name) {
        let reason = runs_commands(schemas, delta, name);
        judgement.add(delta, ChangeKind::PropertyAdded, Severity::Critical, schemas.effect, reason);
        return;
    }
    let kind = if delta.before.is_none() { ChangeKind::PropertyAdded } else { ChangeKind::PropertyRemoved };
    let reason = schemas.with_consequence(schemas.declared(delta));
    judgement.add(delta, kind, Severity::Moderate, schemas.effect, reason);
}

fn runs_commands(schemas: &Schemas, delta: &Delta, name: &str) -> Said {
    let headline = format!("{}; {}", schemas.declared(delta).headline, suggests_commands("its name"));
    Said::new(headline).and(&no_other(command_parameter(name).unwrap_or(name)))
}
