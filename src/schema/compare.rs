//! How two schemas compare: the two questions of inclusion, the declared parameters, and the changes in words.

use super::annotation::{self, AnnotationChange};
use super::budget::{Budget, Meter};
use super::change::{self, Direction, SchemaChange};
use super::declared;
use super::dialect::Dialect;
use super::evaluate::{Evaluator, Literal};
use super::guess;
use super::node::{Arena, Id, Node, key_of, kinds};
use super::pattern::Patterns;
use super::read;
use super::resolve::Document;
use super::search::{Found, Memo, Search};
use crate::text::shortened;
use serde_json::Value;
use std::collections::BTreeSet;
use strum::IntoStaticStr;

/// How the instances that two schemas accept compare; the new one seen from the old one.
#[derive(Clone, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Accepts {
    /// The same instances.
    Equal,
    /// All of before, and more.
    Wider,
    /// Only some of before.
    Narrower,
    /// Some of before are refused, and others are accepted.
    Incomparable,
    /// It is not decided.
    Undecided {
        /// Why, in words; may quote the schema.
        reason: String,
    },
}

word!(ref Accepts);

/// Parameter names, as pointers of names: `/exec`, `/options/lang`, `/files/*/path`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declares {
    /// Only the new schema declares these.
    pub added: Vec<String>,
    /// Only the old schema declared these.
    pub removed: Vec<String>,
    /// How many names the old schema declared.
    pub before: usize,
    /// How many names the new schema declares.
    pub after: usize,
}

/// Instances on which the two schemas disagree, each evaluated on both.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Witnesses {
    /// Only the old schema accepts it.
    pub old_only: Option<Value>,
    /// Only the new schema accepts it.
    pub new_only: Option<Value>,
}

/// The answer to "is there an instance that …".
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// There is: this one, evaluated on both schemas.
    Yes(Value),
    /// There is none.
    No,
    /// It is not decided, and why.
    Unknown(String),
}

/// What the change does to instances that consist of declared parameters only.
#[derive(Clone, Debug, PartialEq)]
pub struct OnDeclared {
    /// Is there an instance of the old schema's parameters that only the old schema accepts?
    pub refused: Answer,
    /// Is there an instance of the new schema's parameters that only the new schema accepts?
    pub gained: Answer,
}

/// How two schemas compare.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The instances they accept.
    pub accepts: Accepts,
    /// The parameters they declare.
    pub declares: Declares,
    /// Instances on which they disagree.
    pub witnesses: Witnesses,
    /// What differs in what is asserted, one entry a keyword.
    pub changes: Vec<SchemaChange>,
    /// What differs in text and hints that no validator reads.
    pub annotations: Vec<AnnotationChange>,
    /// The same for callers that send declared parameters only.
    pub on_declared: OnDeclared,
    /// An instance of declared parameters only that the old schema accepted and the new one refuses.
    pub refuses_declared: Option<Value>,
    /// The dialects they are read in, where they differ.
    pub dialect_changed: Option<(Dialect, Dialect)>,
}

/// What a change does to callers that send and read declared parameters only: `none`, `compatible`, `breaking` or `unknown`.
pub fn effect(comparison: &Comparison, direction: Direction) -> &'static str {
    let OnDeclared { refused, gained } = &comparison.on_declared;
    let (harms, helps) = match direction {
        Direction::Input => (refused, gained),
        Direction::Output => (gained, refused),
    };
    let Declares { added, removed, .. } = &comparison.declares;
    match (harms, helps) {
        (Answer::Yes(_), _) => "breaking",
        (Answer::Unknown(_), _) => "unknown",
        (Answer::No, Answer::No) if added.is_empty() && removed.is_empty() => "none",
        (Answer::No, _) => "compatible",
    }
}

/// Compares two schemas.
pub fn compare(old: &Value, new: &Value, budget: &Budget) -> Comparison {
    let mut comparison = Comparison {
        accepts: Accepts::Equal,
        declares: Declares::default(),
        witnesses: Witnesses::default(),
        changes: Vec::new(),
        annotations: Vec::new(),
        on_declared: OnDeclared { refused: Answer::No, gained: Answer::No },
        refuses_declared: None,
        dialect_changed: None,
    };
    if !(fits(old, budget) && fits(new, budget)) {
        return undecided(comparison, "the schema is larger or deeper than is compared");
    }
    comparison.annotations = annotation::changes(old, new);
    let (old_dialect, new_dialect) = match (guess::dialect(old, *budget), guess::dialect(new, *budget)) {
        (Ok(old), Ok(new)) => (old, new),
        (Err(name), _) | (_, Err(name)) => {
            comparison.changes = change::changes(old, new);
            if key_of(old) == key_of(new) {
                return comparison;
            }
            let shown = shortened(&name, 120);
            return undecided(comparison, &format!("`$schema` names no dialect that is known here: {shown}"));
        }
    };
    comparison.dialect_changed = (old_dialect != new_dialect).then_some((old_dialect, new_dialect));
    comparison.changes = change::changes(old, new);
    let (old_document, new_document) = (Document::new(old, old_dialect), Document::new(new, new_dialect));
    comparison.declares = declares(&old_document, &new_document);
    if key_of(old) == key_of(new) || (old_dialect == new_dialect && annotation::only_annotations_differ(old, new)) {
        return comparison;
    }
    Case::new([&old_document, &new_document], *budget).decide(comparison)
}

fn undecided(mut comparison: Comparison, reason: &str) -> Comparison {
    comparison.accepts = Accepts::Undecided { reason: reason.to_owned() };
    comparison.on_declared =
        OnDeclared { refused: Answer::Unknown(reason.to_owned()), gained: Answer::Unknown(reason.to_owned()) };
    comparison
}

/// Whether a schema is within the bounds that the recursive readers rely on.
fn fits(schema: &Value, budget: &Budget) -> bool {
    let mut open = vec![(schema, 0_usize)];
    let mut size = 0_usize;
    while let Some((value, depth)) = open.pop() {
        size += 1;
        if size > budget.size || depth > budget.depth {
            return false;
        }
        match value {
            Value::Array(items) => open.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(members) => open.extend(members.values().map(|member| (member, depth + 1))),
            _ => {}
        }
    }
    true
}

fn declares(old: &Document<'_>, new: &Document<'_>) -> Declares {
    let (old, new): (BTreeSet<String>, BTreeSet<String>) = (declared::names(old), declared::names(new));
    Declares {
        added: new.difference(&old).cloned().collect(),
        removed: old.difference(&new).cloned().collect(),
        before: old.len(),
        after: new.len(),
    }
}

/// Two schemas in one arena.
struct Case {
    arena: Arena,
    patterns: Patterns,
    meter: Meter,
    budget: Budget,
    roots: [Id; 2],
    declared: [Id; 2],
    known: Memo,
}

impl Case {
    fn new(documents: [&Document<'_>; 2], budget: Budget) -> Self {
        let mut arena = Arena::new();
        let roots = documents.map(|document| read::read(&mut arena, document, budget));
        let declared = documents.map(|document| declared::only_declared(&mut arena, document));
        mark_ill_founded(&mut arena);
        Self {
            arena,
            patterns: Patterns::default(),
            meter: Meter::new(budget.steps),
            budget,
            roots,
            declared,
            known: Memo::default(),
        }
    }

    fn decide(mut self, mut comparison: Comparison) -> Comparison {
        if self.roots[0] == self.roots[1] {
            return comparison;
        }
        let lost = self.only(0);
        let gained = self.only(1);
        comparison.accepts = match (&lost, &gained) {
            (Answer::No, Answer::No) => Accepts::Equal,
            (Answer::No, Answer::Yes(_)) => Accepts::Wider,
            (Answer::Yes(_), Answer::No) => Accepts::Narrower,
            (Answer::Yes(_), Answer::Yes(_)) => Accepts::Incomparable,
            (Answer::Unknown(reason), _) | (_, Answer::Unknown(reason)) => {
                Accepts::Undecided { reason: reason.clone() }
            }
        };
        // Where no instance at all is lost, none of declared parameters is.
        let refused = if lost == Answer::No { Answer::No } else { self.only_declared(0) };
        let gained_declared = if gained == Answer::No { Answer::No } else { self.only_declared(1) };
        // An instance of declared parameters is the better witness where there is one.
        let witness = |all: &Answer, declared: &Answer| match (all, declared) {
            (_, Answer::Yes(instance)) | (Answer::Yes(instance), _) => Some(instance.clone()),
            _ => None,
        };
        comparison.refuses_declared = match &refused {
            Answer::Yes(instance) => Some(instance.clone()),
            _ => None,
        };
        comparison.witnesses =
            Witnesses { old_only: witness(&lost, &refused), new_only: witness(&gained, &gained_declared) };
        comparison.on_declared = OnDeclared { refused, gained: gained_declared };
        comparison
    }

    /// Is there an instance that only the schema of `side` accepts? An object, if there is one: parameters make an object.
    fn only(&mut self, side: usize) -> Answer {
        match self.only_of(side, None, kinds::OBJECT) {
            found @ Answer::Yes(_) => found,
            Answer::No => self.only_of(side, None, kinds::EVERY & !kinds::OBJECT),
            Answer::Unknown(reason) => match self.only_of(side, None, kinds::EVERY & !kinds::OBJECT) {
                found @ Answer::Yes(_) => found,
                _ => Answer::Unknown(reason),
            },
        }
    }

    /// The same among objects of the parameters that the schema of `side` declares.
    fn only_declared(&mut self, side: usize) -> Answer {
        self.only_of(side, Some(self.declared[side]), kinds::OBJECT)
    }

    fn only_of(&mut self, side: usize, also: Option<Id>, wanted: u8) -> Answer {
        let other = 1 - side;
        self.meter = Meter::new(self.budget.steps / 4);
        let mut literals = vec![Literal::yes(self.roots[side]), Literal::no(self.roots[other])];
        literals.extend(also.map(Literal::yes));
        let mut search = Search::new(&mut self.arena, &self.patterns, &self.meter, self.budget, &mut self.known);
        match search.find(&literals, wanted) {
            Found::Nothing => Answer::No,
            Found::Unknown(reason) => Answer::Unknown(reason.to_string()),
            Found::Instance(instance) => self.confirmed(instance, &literals),
        }
    }

    /// A witness satisfies the whole formula of both schemas, however the search took it apart. That the formula says what the
    /// schema says is held against another validator by `tests/core/validator.rs` and `tests/core/schema_property.rs`.
    fn confirmed(&mut self, instance: Value, literals: &[Literal]) -> Answer {
        self.meter = Meter::new(self.budget.steps / 4);
        let evaluator = Evaluator { arena: &self.arena, patterns: &self.patterns, meter: &self.meter };
        if evaluator.satisfies(literals, &instance) == Some(true) {
            Answer::Yes(instance)
        } else {
            Answer::Unknown("an instance was found that could not be evaluated again".to_owned())
        }
    }
}

/// Finds the references that lead back to themselves without a step into the value; what they mean is left undefined by
/// JSON Schema.
fn mark_ill_founded(arena: &mut Arena) {
    let marks = (0..arena.slots.len()).map(|slot| leads_back(arena, slot)).collect();
    arena.ill_founded = marks;
}

fn leads_back(arena: &Arena, slot: usize) -> bool {
    let mut open: Vec<Id> = arena.slots.get(slot).copied().into_iter().collect();
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        match arena.node(id) {
            Node::All(parts) | Node::Any(parts) | Node::One(parts) => open.extend(parts),
            Node::Not(part) => open.push(*part),
            Node::Ref(other) if *other == slot => return true,
            Node::Ref(other) => open.extend(arena.slots.get(*other)),
            _ => {}
        }
    }
    false
}
