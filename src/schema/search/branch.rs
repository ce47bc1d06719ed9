//! One branch of the tableau: literals taken apart until only choices and atoms are left, and choices that decide themselves.

use super::{Branch, SPENT, Search};
use crate::schema::evaluate::{Literal, every, speaks_about};
use crate::schema::node::{FALSE, Id, Node, kind_of, kinds};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Members that are there, with the few values that each may have.
type Fixed = HashMap<Rc<str>, Vec<u32>>;

impl Search<'_> {
    /// Takes apart everything that leaves no choice; false where the branch closes.
    pub(super) fn unfold(&mut self, branch: &mut Branch, kind: u8) -> bool {
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
            if !self.take_apart(branch, literal, kind) {
                return false;
            }
        }
        true
    }

    /// Takes one literal apart; false where the branch closes by it.
    fn take_apart(&mut self, branch: &mut Branch, literal: Literal, kind: u8) -> bool {
        let Literal { node, holds } = literal;
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
            Node::Kinds(set) => return (set & kind != 0) == holds,
            Node::Enum(values) => return self.take_enum(branch, literal, &values.clone(), kind),
            Node::AtLeast(schema, count) if !holds => {
                let (schema, count) = (*schema, *count);
                if kind != kinds::ARRAY {
                    return false;
                }
                let most = self.arena.atom(Node::AtMost(schema, count - 1));
                branch.todo.push(Literal::yes(most));
            }
            Node::AtMost(schema, count) if !holds => {
                let (schema, count) = (*schema, *count);
                if kind != kinds::ARRAY {
                    return false;
                }
                let least = self.arena.atom(Node::AtLeast(schema, count.saturating_add(1)));
                branch.todo.push(Literal::yes(least));
            }
            atom => {
                if speaks_about(atom) & kind == 0 {
                    return holds;
                }
                branch.atoms.push(literal);
            }
        }
        true
    }

    /// A positive `enum` decides a branch by evaluation later; a negative one on arrays and objects is taken apart into what
    /// differing from each of its values means.
    fn take_enum(&mut self, branch: &mut Branch, literal: Literal, values: &[u32], kind: u8) -> bool {
        let of_kind: Vec<u32> =
            values.iter().copied().filter(|value| kind_of(self.arena.value(*value)) & kind != 0).collect();
        if of_kind.is_empty() {
            return !literal.holds;
        }
        if literal.holds || !matches!(kind, kinds::ARRAY | kinds::OBJECT) {
            branch.atoms.push(literal);
            return true;
        }
        for value in of_kind {
            let shape = self.shape_of(value);
            branch.todo.push(Literal::no(shape));
        }
        true
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
                let others = Node::Others { names: Rc::from(names), patterns: Rc::from([]), schema: FALSE };
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
    pub(super) fn choose(&mut self, branch: &mut Branch, kind: u8) -> Option<Rc<[Vec<Literal>]>> {
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
        every(alternative.iter().map(|literal| self.standing_of(branch, fixed, *literal, kind, 2)))
    }

    fn standing_of(&self, branch: &Branch, fixed: &Fixed, literal: Literal, kind: u8, depth: usize) -> Option<bool> {
        if branch.seen.binary_search(&literal).is_ok() {
            return Some(true);
        }
        if branch.seen.binary_search(&literal.contrary()).is_ok() {
            return Some(false);
        }
        let all = |parts: &[Id], holds: bool| {
            let literals = parts.iter().map(|part| Literal { node: *part, holds });
            every(literals.map(|literal| self.standing_of(branch, fixed, literal, kind, depth - 1)))
        };
        let holds = match self.arena.node(literal.node) {
            Node::Kinds(set) => Some(set & kind != 0),
            Node::All(parts) if parts.is_empty() => Some(true),
            Node::Any(parts) if parts.is_empty() => Some(false),
            Node::Enum(values) if values.iter().all(|value| kind_of(self.arena.value(*value)) & kind == 0) => {
                Some(false)
            }
            Node::Not(part) => self.standing_of(branch, fixed, Literal::no(*part), kind, depth),
            Node::All(parts) if depth > 0 => all(parts, true),
            Node::Any(parts) if depth > 0 => all(parts, false).map(|none| !none),
            Node::Property(name, schema) if kind == kinds::OBJECT => self.standing_of_member(fixed, name, *schema),
            atom if speaks_about(atom) & kind == 0 => Some(true),
            _ => None,
        }?;
        Some(holds == literal.holds)
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
