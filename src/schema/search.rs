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
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

mod array;
mod number;
mod object;
mod string;

/// What a search ends in.
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
pub(super) type Known = HashMap<State, Found>;

/// One search.
pub(super) struct Search<'a> {
    pub(super) arena: &'a mut Arena,
    pub(super) patterns: &'a Patterns,
    pub(super) meter: &'a Meter,
    pub(super) budget: Budget,
    known: &'a mut Known,
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

/// What looking at one literal ends in.
enum Step {
    Open,
    Closed,
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

/// Members that are there, with the few values that each may have.
type Fixed = HashMap<Rc<str>, Vec<u32>>;

const SPENT: &str = "the comparison needs more steps than its budget has";

impl<'a> Search<'a> {
    pub(super) fn new(
        arena: &'a mut Arena,
        patterns: &'a Patterns,
        meter: &'a Meter,
        budget: Budget,
        known: &'a mut Known,
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

    /// Takes apart everything that leaves no choice; false where the branch closes.
    fn unfold(&mut self, branch: &mut Branch, kind: u8) -> bool {
        while let Some(literal) = branch.todo.pop() {
            let Err(at) = branch.seen.binary_search(&literal) else { continue };
            if branch.seen.binary_search(&literal.contrary()).is_ok() {
                return false;
            }
            if !self.meter.take(1) {
                branch.unknown = Some(Rc::from(SPENT));
                branch.todo.clear();
                branch.choices.clear();
                return true;
            }
            branch.seen.insert(at, literal);
            if matches!(self.take_apart(branch, literal, kind), Step::Closed) {
                return false;
            }
        }
        true
    }

    fn take_apart(&mut self, branch: &mut Branch, literal: Literal, kind: u8) -> Step {
        let Literal { node, holds } = literal;
        let closed_if = |closed: bool| if closed { Step::Closed } else { Step::Open };
        match self.arena.node(node) {
            Node::All(parts) if holds => branch.todo.extend(parts.iter().map(|part| Literal::yes(*part))),
            Node::Any(parts) if !holds => branch.todo.extend(parts.iter().map(|part| Literal::no(*part))),
            Node::All(parts) => {
                branch.choices.push(parts.iter().map(|part| vec![Literal::no(*part)]).collect());
            }
            Node::Any(parts) => {
                branch.choices.push(parts.iter().map(|part| vec![Literal::yes(*part)]).collect());
            }
            Node::One(parts) => {
                let parts = parts.clone();
                branch.choices.push(if holds { exactly_one(&parts) } else { none_or_two(&parts) });
            }
            Node::Not(part) => branch.todo.push(Literal { node: *part, holds: !holds }),
            Node::Ref(slot) => {
                if self.arena.ill_founded.get(*slot).copied().unwrap_or(true) {
                    branch.unknown = Some(Rc::from("a schema refers to itself for the very same value"));
                } else if let Some(target) = self.arena.slots.get(*slot) {
                    branch.todo.push(Literal { node: *target, holds });
                }
            }
            Node::Opaque(reason, _) => branch.unknown = Some(Rc::clone(reason)),
            Node::Kinds(set) => return closed_if((set & kind != 0) != holds),
            Node::Enum(values) => return self.take_enum(branch, literal, &values.clone(), kind),
            Node::AtLeast(schema, count) if !holds => {
                let (schema, count) = (*schema, *count);
                if kind != kinds::ARRAY {
                    return Step::Closed;
                }
                let most = self.arena.atom(Node::AtMost(schema, count - 1));
                branch.todo.push(Literal::yes(most));
            }
            Node::AtMost(schema, count) if !holds => {
                let (schema, count) = (*schema, *count);
                if kind != kinds::ARRAY {
                    return Step::Closed;
                }
                let least = self.arena.atom(Node::AtLeast(schema, count.saturating_add(1)));
                branch.todo.push(Literal::yes(least));
            }
            atom => {
                if speaks_about(atom) & kind == 0 {
                    return closed_if(!holds);
                }
                branch.atoms.push(literal);
            }
        }
        Step::Open
    }

    /// A positive `enum` decides a branch by evaluation later; a negative one on arrays and objects is taken apart into what
    /// differing from each of its values means.
    fn take_enum(&mut self, branch: &mut Branch, literal: Literal, values: &[u32], kind: u8) -> Step {
        let of_kind: Vec<u32> =
            values.iter().copied().filter(|value| kind_of(self.arena.value(*value)) & kind != 0).collect();
        if of_kind.is_empty() {
            return if literal.holds { Step::Closed } else { Step::Open };
        }
        if literal.holds || !matches!(kind, kinds::ARRAY | kinds::OBJECT) {
            branch.atoms.push(literal);
            return Step::Open;
        }
        for value in of_kind {
            let shape = self.shape_of(value);
            branch.todo.push(Literal::no(shape));
        }
        Step::Open
    }

    /// One array or object as a schema that accepts it alone.
    fn shape_of(&mut self, value: u32) -> Id {
        let mut parts = Vec::new();
        match self.arena.value(value).clone() {
            Value::Array(items) => {
                parts.push(self.arena.atom(Node::Kinds(kinds::ARRAY)));
                let length = u64::try_from(items.len()).unwrap_or(u64::MAX);
                parts.push(self.arena.atom(Node::MinItems(length)));
                parts.push(self.arena.atom(Node::MaxItems(length)));
                for (index, item) in items.iter().enumerate() {
                    let same = self.same(item);
                    parts.push(self.arena.atom(Node::ItemAt(index, same)));
                }
            }
            Value::Object(members) => {
                parts.push(self.arena.atom(Node::Kinds(kinds::OBJECT)));
                let mut names = Vec::new();
                for (name, member) in &members {
                    let name: Rc<str> = Rc::from(name.as_str());
                    let same = self.same(member);
                    parts.push(self.arena.atom(Node::Required(Rc::clone(&name))));
                    parts.push(self.arena.atom(Node::Property(Rc::clone(&name), same)));
                    names.push(name);
                }
                names.sort_unstable();
                let others =
                    Node::Others { names: Rc::from(names), patterns: Rc::from([]), schema: super::node::FALSE };
                parts.push(self.arena.atom(others));
            }
            other => parts.push(self.same(&other)),
        }
        self.arena.all(parts)
    }

    fn same(&mut self, value: &Value) -> Id {
        let id = self.arena.value_id(value);
        self.arena.atom(Node::Enum(vec![id]))
    }

    /// The choice to branch on next. Alternatives that are closed are dropped, single ones are taken at once (then there is
    /// something to do again and no choice is returned).
    fn choose(&mut self, branch: &mut Branch, kind: u8) -> Option<Rc<[Vec<Literal>]>> {
        let choices = std::mem::take(&mut branch.choices);
        if choices.is_empty() {
            return None;
        }
        self.meter.take(choices.iter().map(|choice| choice.len() as u64).sum::<u64>() / 4);
        let fixed = if kind == kinds::OBJECT { self.fixed_members(branch) } else { Fixed::new() };
        let mut open: Vec<Rc<[Vec<Literal>]>> = Vec::with_capacity(choices.len());
        for choice in choices {
            let mut left = Vec::with_capacity(choice.len());
            let mut satisfied = false;
            for alternative in choice.iter() {
                let standing = self.standing(branch, &fixed, alternative, kind);
                match standing {
                    Some(true) => {
                        satisfied = true;
                        break;
                    }
                    Some(false) => {}
                    None => left.push(alternative.clone()),
                }
            }
            if satisfied {
                continue;
            }
            if let [only] = &left[..] {
                branch.todo.extend_from_slice(only);
                continue;
            }
            // No alternative left closes the branch; it does so when it is branched on.
            open.push(Rc::from(left));
        }
        if !branch.todo.is_empty() {
            branch.choices = open;
            return None;
        }
        let smallest = (0..open.len()).min_by_key(|at| open[*at].len())?;
        let choice = open.swap_remove(smallest);
        branch.choices = open;
        Some(choice)
    }

    /// Whether an alternative already holds, or cannot hold, in a branch; none where neither shows at once.
    fn standing(&self, branch: &Branch, fixed: &Fixed, alternative: &[Literal], kind: u8) -> Option<bool> {
        let mut all = Some(true);
        for literal in alternative {
            match self.standing_of(branch, fixed, *literal, kind, 2) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => all = None,
            }
        }
        all
    }

    fn standing_of(&self, branch: &Branch, fixed: &Fixed, literal: Literal, kind: u8, depth: usize) -> Option<bool> {
        if branch.seen.binary_search(&literal).is_ok() {
            return Some(true);
        }
        if branch.seen.binary_search(&literal.contrary()).is_ok() {
            return Some(false);
        }
        let node = self.arena.node(literal.node);
        let holds = match node {
            Node::Kinds(set) => Some(set & kind != 0),
            Node::All(parts) if parts.is_empty() => Some(true),
            Node::Any(parts) if parts.is_empty() => Some(false),
            Node::Enum(values) if values.iter().all(|value| kind_of(self.arena.value(*value)) & kind == 0) => {
                Some(false)
            }
            Node::Not(part) => self.standing_of(branch, fixed, Literal::no(*part), kind, depth),
            Node::All(parts) if depth > 0 => self.standing_of_all(branch, fixed, parts, true, kind, depth - 1),
            Node::Any(parts) if depth > 0 => {
                self.standing_of_all(branch, fixed, parts, false, kind, depth - 1).map(|none| !none)
            }
            Node::Property(name, schema) if kind == kinds::OBJECT => self.standing_of_member(fixed, name, *schema),
            atom if speaks_about(atom) & kind == 0 => Some(true),
            _ => None,
        }?;
        Some(holds == literal.holds)
    }

    fn standing_of_all(
        &self,
        branch: &Branch,
        fixed: &Fixed,
        parts: &[Id],
        holds: bool,
        kind: u8,
        depth: usize,
    ) -> Option<bool> {
        let mut all = Some(true);
        for part in parts {
            match self.standing_of(branch, fixed, Literal { node: *part, holds }, kind, depth) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => all = None,
            }
        }
        all
    }

    /// A member that is there with one of a few values decides what is said about its value: discriminated unions.
    fn standing_of_member(&self, fixed: &Fixed, name: &str, schema: Id) -> Option<bool> {
        let values = fixed.get(name)?;
        let mut answers = values.iter().map(|value| self.evaluator().holds(schema, self.arena.value(*value)));
        let first = answers.next()??;
        answers.all(|answer| answer == Some(first)).then_some(first)
    }

    fn fixed_members(&self, branch: &Branch) -> Fixed {
        let atoms = branch.atoms.iter().filter(|atom| atom.holds).map(|atom| self.arena.node(atom.node));
        let there: HashSet<&Rc<str>> = atoms
            .clone()
            .filter_map(|atom| match atom {
                Node::Required(name) => Some(name),
                _ => None,
            })
            .collect();
        atoms
            .filter_map(|atom| match atom {
                Node::Property(name, given) if there.contains(name) => {
                    Some((Rc::clone(name), self.values_of(*given, 2)?))
                }
                _ => None,
            })
            .collect()
    }

    /// The few values that a schema allows at most.
    fn values_of(&self, id: Id, depth: usize) -> Option<Vec<u32>> {
        match self.arena.node(id) {
            Node::Enum(values) if values.len() <= 8 => Some(values.clone()),
            Node::All(parts) if depth > 0 => parts.iter().find_map(|part| self.values_of(*part, depth - 1)),
            _ => None,
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

fn exactly_one(parts: &[Id]) -> Rc<[Vec<Literal>]> {
    let each = (0..parts.len()).map(|held| {
        let literal = |(at, part): (usize, &Id)| Literal { node: *part, holds: at == held };
        parts.iter().enumerate().map(literal).collect()
    });
    each.collect()
}

fn none_or_two(parts: &[Id]) -> Rc<[Vec<Literal>]> {
    let mut alternatives = vec![parts.iter().map(|part| Literal::no(*part)).collect::<Vec<_>>()];
    for (at, first) in parts.iter().enumerate() {
        for second in &parts[at + 1..] {
            alternatives.push(vec![Literal::yes(*first), Literal::yes(*second)]);
        }
    }
    alternatives.into()
}
