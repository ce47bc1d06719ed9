//! Whether some value satisfies a set of literals: a tableau that ends in an instance, in a proof that there is none, or in a
//! reason why it is not known.
//!
//! "Old is included in new" is asked as "no value satisfies old and not new". Rules are sound: `Nothing` is only said where
//! every branch is closed. A state met again inside itself is closed too, since values are finite and every step to a state
//! goes from a value to a part of it.

use super::budget::{Budget, Meter};
use super::evaluate::{Evaluator, Literal, speaks_about};
use super::node::{Arena, Id, Node, TRUE, kind_of, kinds};
use super::pattern::Patterns;
use serde_json::Value;
use std::collections::HashMap;
use std::rc::Rc;

mod array;
mod branch;
mod number;
mod object;
mod string;

#[derive(Clone, Debug)]
pub(super) enum Found {
    /// This value satisfies all literals.
    Instance(Value),
    /// No value does.
    Nothing,
    /// It is not known, and why.
    Unknown(Rc<str>),
}

/// A state: literals, sorted, and the kinds of value that are looked for.
type State = (Vec<Literal>, u8);

/// What is known of states, for all searches on one arena.
pub(super) type Memo = HashMap<State, Found>;

pub(super) struct Search<'a> {
    pub(super) arena: &'a mut Arena,
    pub(super) patterns: &'a Patterns,
    pub(super) meter: &'a Meter,
    pub(super) budget: Budget,
    known: &'a mut Memo,
    /// States being decided, with their place on the path.
    open: HashMap<State, usize>,
    /// The lowest place that the current decision leans on.
    leans_on: usize,
}

/// A set of literals being taken apart for one kind of value.
#[derive(Clone, Default)]
struct Branch {
    /// Still to look at.
    todo: Vec<Literal>,
    /// Looked at, sorted.
    seen: Vec<Literal>,
    /// Atoms that speak about this kind.
    atoms: Vec<Literal>,
    /// Alternatives of which at least one must be taken.
    choices: Vec<Rc<[Vec<Literal>]>>,
    /// Why this branch cannot end in an instance that is certain.
    unknown: Option<Rc<str>>,
}

/// Where a branch forks, and which way is next.
struct Fork {
    branch: Branch,
    choice: Rc<[Vec<Literal>]>,
    next: usize,
}

/// What following a branch ends in.
enum Followed {
    Fork(Rc<[Vec<Literal>]>),
    End(Found),
}

/// Nodes in which the reason for an open end is looked for.
const MOST_SEARCHED: usize = 200;

const SPENT: &str = "the comparison needs more steps than its budget has";

impl<'a> Search<'a> {
    pub(super) fn new(
        arena: &'a mut Arena,
        patterns: &'a Patterns,
        meter: &'a Meter,
        budget: Budget,
        known: &'a mut Memo,
    ) -> Self {
        Self { arena, patterns, meter, budget, known, open: HashMap::new(), leans_on: usize::MAX }
    }

    /// For evaluating nodes.
    pub(super) fn evaluator(&self) -> Evaluator<'_> {
        Evaluator { arena: self.arena, patterns: self.patterns, meter: self.meter }
    }

    /// A value of one of `kinds` that satisfies all of `literals`.
    pub(super) fn find(&mut self, literals: &[Literal], wanted: u8) -> Found {
        let mut literals = literals.to_vec();
        literals.retain(|literal| *literal != Literal::yes(TRUE));
        literals.sort_unstable();
        literals.dedup();
        if literals.windows(2).any(|pair| pair[0].node == pair[1].node) {
            return Found::Nothing;
        }
        let wanted = self.narrowed(&literals, wanted);
        if wanted == 0 {
            return Found::Nothing;
        }
        let state = (literals, wanted);
        if let Some(known) = self.known.get(&state) {
            return known.clone();
        }
        if let Some(place) = self.open.get(&state) {
            self.leans_on = self.leans_on.min(*place);
            return Found::Nothing;
        }
        let place = self.open.len();
        if place > self.budget.depth / 2 {
            return Found::Unknown(Rc::from("an instance would be nested deeper than is built"));
        }
        if !self.meter.take(5) {
            return Found::Unknown(Rc::from(SPENT));
        }
        self.open.insert(state.clone(), place);
        let outer = std::mem::replace(&mut self.leans_on, usize::MAX);
        let found = self.find_by_kind(&state.0, wanted);
        self.open.remove(&state);
        let leans_on = self.leans_on;
        self.leans_on = if leans_on < place { outer.min(leans_on) } else { outer };
        // What ran out of steps says nothing about the state.
        let lasting = leans_on >= place && !self.meter.is_spent();
        if lasting || matches!(found, Found::Instance(_)) {
            self.known.insert(state, found.clone());
        }
        found
    }

    /// The kinds that the literals leave, as far as that shows at once.
    fn narrowed(&self, literals: &[Literal], mut wanted: u8) -> u8 {
        for literal in literals {
            wanted &= self.kinds_of(literal.node, literal.holds, 3);
        }
        wanted
    }

    fn kinds_of(&self, id: Id, holds: bool, depth: usize) -> u8 {
        match self.arena.node(id) {
            Node::Kinds(set) => {
                if holds {
                    *set
                } else {
                    kinds::EVERY & !*set
                }
            }
            Node::Enum(values) if holds => values.iter().fold(0, |set, value| set | kind_of(self.arena.value(*value))),
            Node::All(parts) if holds && depth > 0 => {
                parts.iter().fold(kinds::EVERY, |set, part| set & self.kinds_of(*part, true, depth - 1))
            }
            Node::Any(parts) if !holds && depth > 0 => {
                parts.iter().fold(kinds::EVERY, |set, part| set & self.kinds_of(*part, false, depth - 1))
            }
            Node::Any(parts) | Node::One(parts) if holds && depth > 0 => {
                parts.iter().fold(0, |set, part| set | self.kinds_of(*part, true, depth - 1))
            }
            Node::All(parts) if !holds && depth > 0 => {
                parts.iter().fold(0, |set, part| set | self.kinds_of(*part, false, depth - 1))
            }
            Node::Not(part) if depth > 0 => self.kinds_of(*part, !holds, depth - 1),
            node if !holds => speaks_about(node),
            _ => kinds::EVERY,
        }
    }

    fn find_by_kind(&mut self, literals: &[Literal], wanted: u8) -> Found {
        let mut unknown = None;
        for kind in kinds::EACH {
            if wanted & kind == 0 {
                continue;
            }
            match self.find_of_kind(literals, kind) {
                found @ Found::Instance(_) => return found,
                Found::Nothing => {}
                Found::Unknown(reason) => {
                    unknown.get_or_insert(reason);
                }
            }
        }
        unknown.map_or(Found::Nothing, Found::Unknown)
    }

    fn find_of_kind(&mut self, literals: &[Literal], kind: u8) -> Found {
        let mut unknown = None;
        let mut branch = Branch { todo: literals.to_vec(), ..Branch::default() };
        let mut forks: Vec<Fork> = Vec::new();
        loop {
            match self.follow(&mut branch, kind) {
                Followed::Fork(choice) => forks.push(Fork { branch: branch.clone(), choice, next: 0 }),
                Followed::End(found @ Found::Instance(_)) => return found,
                Followed::End(Found::Unknown(reason)) => {
                    unknown.get_or_insert(reason);
                }
                Followed::End(Found::Nothing) => {}
            }
            if self.meter.is_spent() {
                return Found::Unknown(Rc::from(SPENT));
            }
            loop {
                let Some(fork) = forks.last_mut() else { return unknown.map_or(Found::Nothing, Found::Unknown) };
                let Some(alternative) = fork.choice.get(fork.next) else {
                    forks.pop();
                    continue;
                };
                fork.next += 1;
                branch = fork.branch.clone();
                branch.todo.extend_from_slice(alternative);
                break;
            }
        }
    }

    /// Takes a branch apart until it forks or ends.
    fn follow(&mut self, branch: &mut Branch, kind: u8) -> Followed {
        loop {
            // A branch costs what it holds, since it is copied.
            self.meter.take(1 + (branch.seen.len() + branch.atoms.len()) as u64 / 8);
            if !self.unfold(branch, kind) {
                return Followed::End(Found::Nothing);
            }
            if let Some(choice) = self.choose(branch, kind) {
                return Followed::Fork(choice);
            }
            if branch.todo.is_empty() {
                self.meter.take(branch.atoms.len() as u64 / 2);
                return Followed::End(self.leaf(branch, kind));
            }
        }
    }

    /// A branch without choices: only atoms about one kind are left.
    fn leaf(&mut self, branch: &Branch, kind: u8) -> Found {
        let found = self.solve(&branch.atoms, kind);
        match (&branch.unknown, found) {
            (Some(reason), Found::Instance(_) | Found::Unknown(_)) => Found::Unknown(Rc::clone(reason)),
            (_, found) => found,
        }
    }

    fn solve(&mut self, atoms: &[Literal], kind: u8) -> Found {
        let listed = atoms.iter().filter(|atom| atom.holds).find_map(|atom| match self.arena.node(atom.node) {
            Node::Enum(values) => Some(values.clone()),
            _ => None,
        });
        if let Some(values) = listed {
            let values: Vec<Value> = values.iter().map(|value| self.arena.value(*value).clone()).collect();
            return self.among(&values, atoms, kind);
        }
        match kind {
            kinds::NULL => self.among(&[Value::Null], atoms, kind),
            kinds::BOOL => self.among(&[Value::Bool(true), Value::Bool(false)], atoms, kind),
            kinds::WHOLE => self.whole_number(atoms),
            kinds::FRACTION => self.fraction(atoms),
            kinds::STRING => self.string(atoms),
            kinds::ARRAY => self.array(atoms),
            _ => self.object(atoms),
        }
    }

    /// One of a complete list of values.
    fn among(&mut self, values: &[Value], atoms: &[Literal], kind: u8) -> Found {
        let mut unknown = false;
        for value in values.iter().filter(|value| kind_of(value) & kind != 0) {
            match self.evaluator().satisfies(atoms, value) {
                Some(true) => return Found::Instance(value.clone()),
                Some(false) => {}
                None => unknown = true,
            }
        }
        if unknown { Found::Unknown(self.why(atoms)) } else { Found::Nothing }
    }

    /// The first of some candidates that is known to satisfy the atoms.
    fn first_of(&self, candidates: impl IntoIterator<Item = Value>, atoms: &[Literal]) -> Option<Value> {
        candidates.into_iter().find(|candidate| self.evaluator().satisfies(atoms, candidate) == Some(true))
    }

    /// A reason in words for a leaf that stays open.
    fn why(&self, atoms: &[Literal]) -> Rc<str> {
        if self.meter.is_spent() {
            return Rc::from(SPENT);
        }
        if self.arena.ill_founded.contains(&true) {
            return Rc::from("a schema refers to itself for the very same value");
        }
        // What the walk costs, where there is something to be found.
        self.meter.take(if self.arena.has_unknown { MOST_SEARCHED as u64 / 10 } else { 0 });
        if let Some(reason) = self.arena.unknown_within(atoms.iter().map(|atom| atom.node), MOST_SEARCHED) {
            return reason;
        }
        let patterns = atoms
            .iter()
            .filter(|atom| matches!(self.arena.node(atom.node), Node::Pattern(_) | Node::Matching(..)))
            .count();
        Rc::from(match patterns {
            0 => "neither an instance nor a proof was found for a combination of constraints",
            1 => "neither an instance nor a proof was found for a regular expression beside other constraints",
            _ => "one regular expression stands against another",
        })
    }
}
