//! Objects: which members must be there, what their values and names must hold, and which members some atoms want to exist.

use super::{Found, Search};
use crate::schema::evaluate::Literal;
use crate::schema::node::{Node, kinds};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Patterns over names whose combinations are told apart.
const MOST_PATTERNS: usize = 4;
/// Members that are written out.
const MOST_MEMBERS: usize = 64;
/// Placements of wanted members that are tried.
const MOST_PLACEMENTS: usize = 48;

type Name = Rc<str>;

/// Names and patterns that a rule about "other" members leaves out.
#[derive(Clone)]
struct Others {
    names: Rc<[Name]>,
    patterns: Rc<[u32]>,
}

/// A member that some atom wants to exist.
#[derive(Clone)]
struct Wanted {
    others: Option<Others>,
    pattern: Option<u32>,
    /// What its name must hold.
    name: Option<Literal>,
    /// What its value must hold.
    value: Option<Literal>,
}

#[derive(Default)]
struct Objects {
    least: u64,
    most: u64,
    required: BTreeSet<Name>,
    absent: BTreeSet<Name>,
    members: BTreeMap<Name, Vec<Literal>>,
    matching: Vec<(u32, Literal)>,
    others: Vec<(Others, Literal)>,
    names: Vec<Literal>,
    wanted: Vec<Wanted>,
    /// Every name that some atom mentions.
    mentioned: BTreeSet<Name>,
    patterns: Vec<u32>,
}

/// Names outside the mentioned ones, told apart by which patterns they match.
struct Class {
    matched: BTreeSet<u32>,
    /// What a name of this class must hold.
    name: Vec<Literal>,
    /// What a value under such a name must hold.
    value: Vec<Literal>,
}

/// A place for a wanted member.
#[derive(Clone)]
enum Spot {
    Named(Name),
    InClass(usize),
}

impl Search<'_> {
    fn objects(&self, atoms: &[Literal]) -> Objects {
        let mut objects = Objects { most: u64::MAX, ..Objects::default() };
        for atom in atoms {
            match (self.arena.node(atom.node).clone(), atom.holds) {
                (Node::MinProperties(count), true) => objects.least = objects.least.max(count),
                (Node::MinProperties(count), false) => objects.most = objects.most.min(count.saturating_sub(1)),
                (Node::MaxProperties(count), true) => objects.most = objects.most.min(count),
                (Node::MaxProperties(count), false) => objects.least = objects.least.max(count.saturating_add(1)),
                (Node::Required(name), true) => {
                    objects.required.insert(name);
                }
                (Node::Required(name), false) => {
                    objects.absent.insert(name);
                }
                (Node::Property(name, schema), holds) => {
                    if !holds {
                        objects.required.insert(Rc::clone(&name));
                    }
                    objects.members.entry(name).or_default().push(Literal { node: schema, holds });
                }
                (Node::Matching(pattern, schema), true) => objects.matching.push((pattern, Literal::yes(schema))),
                (Node::Matching(pattern, schema), false) => {
                    objects.patterns.push(pattern);
                    objects.wanted.push(Wanted {
                        others: None,
                        pattern: Some(pattern),
                        name: None,
                        value: Some(Literal::no(schema)),
                    });
                }
                (Node::Others { names, patterns, schema }, holds) => {
                    objects.mentioned.extend(names.iter().cloned());
                    objects.patterns.extend(patterns.iter());
                    let others = Others { names, patterns };
                    if holds {
                        objects.others.push((others, Literal::yes(schema)));
                    } else {
                        let value = Some(Literal::no(schema));
                        objects.wanted.push(Wanted { others: Some(others), pattern: None, name: None, value });
                    }
                }
                (Node::Names(schema), true) => objects.names.push(Literal::yes(schema)),
                (Node::Names(schema), false) => {
                    let name = Some(Literal::no(schema));
                    objects.wanted.push(Wanted { others: None, pattern: None, name, value: None });
                }
                _ => {}
            }
        }
        objects.patterns.extend(objects.matching.iter().map(|(pattern, _)| *pattern));
        objects.patterns.sort_unstable();
        objects.patterns.dedup();
        objects.mentioned.extend(objects.required.iter().cloned());
        objects.mentioned.extend(objects.absent.iter().cloned());
        objects.mentioned.extend(objects.members.keys().cloned());
        objects
    }

    pub(super) fn object(&mut self, atoms: &[Literal]) -> Found {
        let objects = self.objects(atoms);
        let count = objects.required.len() as u64;
        let least_members = count.max(u64::from(!objects.wanted.is_empty())).max(objects.least);
        if least_members > objects.most {
            return Found::Nothing;
        }
        let mut unknown: Option<Rc<str>> = None;
        for name in &objects.required {
            if objects.absent.contains(name) || self.name_fits(&objects, name) == Some(false) {
                return Found::Nothing;
            }
            match self.find(&self.member_literals(&objects, name), kinds::EVERY) {
                Found::Nothing => return Found::Nothing,
                Found::Unknown(reason) => unknown = Some(reason),
                Found::Instance(_) => {}
            }
        }
        if objects.patterns.len() > MOST_PATTERNS {
            return Found::Unknown("an object with more patterns over names than are told apart".into());
        }
        let classes = self.classes(&objects);
        let mut options = Vec::new();
        for wanted in &objects.wanted {
            match self.options(&objects, &classes, wanted) {
                (places, false) if places.is_empty() => return Found::Nothing,
                (places, _) => options.push(places),
            }
        }
        if let Some(found) = self.too_few_names(&objects, &classes) {
            return found;
        }
        if let Some(reason) = unknown {
            return Found::Unknown(reason);
        }
        let placed = self.place(&objects, &classes, &options, atoms);
        placed.map_or_else(|| Found::Unknown(self.why(atoms)), Found::Instance)
    }

    /// Whether a name is allowed as a name.
    fn name_fits(&self, objects: &Objects, name: &str) -> Option<bool> {
        self.evaluator().satisfies(&objects.names, &Value::from(name))
    }

    /// Whether a name is among the "other" ones.
    fn is_other(&self, others: &Others, name: &str) -> Option<bool> {
        self.evaluator().is_other(&others.names, &others.patterns, name)
    }

    /// What the value under a name must surely hold.
    fn member_literals(&self, objects: &Objects, name: &str) -> Vec<Literal> {
        let mut literals = objects.members.get(name).cloned().unwrap_or_default();
        for (pattern, literal) in &objects.matching {
            if self.patterns.matches(self.arena, *pattern, name) == Some(true) {
                literals.push(*literal);
            }
        }
        for (others, literal) in &objects.others {
            if self.is_other(others, name) == Some(true) {
                literals.push(*literal);
            }
        }
        literals
    }

    fn classes(&mut self, objects: &Objects) -> Vec<Class> {
        let mentioned: Vec<u32> =
            objects.mentioned.iter().map(|name| self.arena.value_id(&Value::from(&**name))).collect();
        let mentioned = self.arena.atom(Node::Enum(mentioned));
        let mut classes = Vec::new();
        for mask in 0..1_usize << objects.patterns.len() {
            let (mut matched, mut name) = (BTreeSet::new(), objects.names.clone());
            for (at, pattern) in objects.patterns.iter().enumerate() {
                let node = self.arena.atom(Node::Pattern(*pattern));
                let holds = mask >> at & 1 == 1;
                if holds {
                    matched.insert(*pattern);
                }
                name.push(Literal { node, holds });
            }
            name.push(Literal::no(mentioned));
            let mut value: Vec<Literal> = Vec::new();
            value.extend(objects.matching.iter().filter(|(one, _)| matched.contains(one)).map(|(_, literal)| *literal));
            let others =
                objects.others.iter().filter(|(others, _)| !others.patterns.iter().any(|one| matched.contains(one)));
            value.extend(others.map(|(_, literal)| *literal));
            classes.push(Class { matched, name, value });
        }
        classes
    }

    /// A name of a class that is none of `used`.
    fn name_in(&mut self, class: &Class, used: &BTreeSet<Name>, more: Option<Literal>) -> Found {
        let mut literals = class.name.clone();
        literals.extend(more);
        if !used.is_empty() {
            let used = used.iter().map(|name| self.arena.value_id(&Value::from(&**name))).collect();
            literals.push(Literal::no(self.arena.atom(Node::Enum(used))));
        }
        self.find(&literals, kinds::STRING)
    }

    /// Where a wanted member could stand, and whether some place is neither possible nor impossible.
    fn options(&mut self, objects: &Objects, classes: &[Class], wanted: &Wanted) -> (Vec<Spot>, bool) {
        let (mut places, mut unknown) = (Vec::new(), false);
        let only_required = objects.most == objects.required.len() as u64;
        let mut named: Vec<Name> = objects.required.iter().cloned().collect();
        if !only_required {
            named.extend(objects.mentioned.iter().filter(|name| !objects.required.contains(*name)).cloned());
        }
        for name in named {
            if objects.absent.contains(&name) {
                continue;
            }
            let text = Value::from(&*name);
            let answers = [
                self.name_fits(objects, &name),
                wanted.others.as_ref().map_or(Some(true), |others| self.is_other(others, &name)),
                wanted.pattern.map_or(Some(true), |pattern| self.patterns.matches(self.arena, pattern, &name)),
                wanted.name.map_or(Some(true), |literal| self.evaluator().satisfies(&[literal], &text)),
            ];
            if answers.contains(&Some(false)) {
                continue;
            }
            let mut literals = self.member_literals(objects, &name);
            literals.extend(wanted.value);
            match self.find(&literals, kinds::EVERY) {
                Found::Nothing => {}
                Found::Instance(_) if !answers.contains(&None) => places.push(Spot::Named(name)),
                _ => unknown = true,
            }
        }
        if only_required {
            return (places, unknown);
        }
        for (at, class) in classes.iter().enumerate() {
            let fits = wanted.pattern.is_none_or(|pattern| class.matched.contains(&pattern))
                && wanted
                    .others
                    .as_ref()
                    .is_none_or(|others| !others.patterns.iter().any(|one| class.matched.contains(one)));
            if !fits {
                continue;
            }
            let mut literals = class.value.clone();
            literals.extend(wanted.value);
            match self.find(&literals, kinds::EVERY) {
                Found::Nothing => continue,
                Found::Instance(_) => {}
                Found::Unknown(_) => unknown = true,
            }
            match self.name_in(class, &BTreeSet::new(), wanted.name) {
                Found::Nothing => {}
                Found::Instance(_) => places.push(Spot::InClass(at)),
                Found::Unknown(_) => unknown = true,
            }
        }
        (places, unknown)
    }

    /// Whether there are too few names for the least number of members; none where there are enough.
    fn too_few_names(&mut self, objects: &Objects, classes: &[Class]) -> Option<Found> {
        let least = usize::try_from(objects.least).unwrap_or(usize::MAX);
        if least <= objects.required.len() {
            return None;
        }
        if least > MOST_MEMBERS {
            return Some(Found::Unknown("an object with more members than are written out".into()));
        }
        let (mut possible, mut unknown) = (0, false);
        for name in &objects.mentioned {
            if objects.absent.contains(name) || self.name_fits(objects, name) == Some(false) {
                continue;
            }
            match self.find(&self.member_literals(objects, name), kinds::EVERY) {
                Found::Nothing => {}
                Found::Instance(_) => possible += 1,
                Found::Unknown(_) => unknown = true,
            }
        }
        for class in classes {
            match self.find(&class.value, kinds::EVERY) {
                Found::Nothing => continue,
                Found::Instance(_) => {}
                Found::Unknown(_) => unknown = true,
            }
            let mut used = BTreeSet::new();
            while possible + used.len() < least {
                match self.name_in(class, &used, None) {
                    Found::Nothing => break,
                    Found::Instance(Value::String(name)) => {
                        used.insert(Rc::from(name));
                    }
                    _ => {
                        unknown = true;
                        break;
                    }
                }
            }
            possible += used.len();
        }
        (possible < least && !unknown).then_some(Found::Nothing)
    }

    /// Puts the wanted members in their places, adds members up to the least number, and checks the object.
    fn place(
        &mut self,
        objects: &Objects,
        classes: &[Class],
        options: &[Vec<Spot>],
        atoms: &[Literal],
    ) -> Option<Value> {
        let combinations: usize = options.iter().map(Vec::len).fold(1, usize::saturating_mul);
        for at in 0..combinations.min(MOST_PLACEMENTS) {
            let mut rest = at;
            let mut chosen: BTreeMap<Name, Vec<Literal>> =
                objects.required.iter().map(|name| (Rc::clone(name), Vec::new())).collect();
            let mut used: BTreeSet<Name> = objects.required.clone();
            let mut failed = false;
            for (places, wanted) in options.iter().zip(&objects.wanted) {
                let option = &places[rest % places.len().max(1)];
                rest /= places.len().max(1);
                let name = match option {
                    Spot::Named(name) => Some(Rc::clone(name)),
                    Spot::InClass(class) => match self.name_in(&classes[*class], &used, wanted.name) {
                        Found::Instance(Value::String(name)) => Some(Rc::from(name)),
                        _ => None,
                    },
                };
                let Some(name) = name else {
                    failed = true;
                    break;
                };
                used.insert(Rc::clone(&name));
                chosen.entry(name).or_default().extend(wanted.value);
            }
            if failed || chosen.len() as u64 > objects.most {
                continue;
            }
            if let Some(value) = self.complete(objects, classes, chosen, used, atoms) {
                return Some(value);
            }
        }
        None
    }

    fn complete(
        &mut self,
        objects: &Objects,
        classes: &[Class],
        mut chosen: BTreeMap<Name, Vec<Literal>>,
        mut used: BTreeSet<Name>,
        atoms: &[Literal],
    ) -> Option<Value> {
        let least = usize::try_from(objects.least).ok()?;
        let mut spare = objects.mentioned.iter().filter(|name| !objects.absent.contains(*name));
        while chosen.len() < least {
            if let Some(name) = spare.next() {
                let fits = !used.contains(name)
                    && self.name_fits(objects, name) == Some(true)
                    && matches!(self.find(&self.member_literals(objects, name), kinds::EVERY), Found::Instance(_));
                if fits {
                    used.insert(Rc::clone(name));
                    chosen.insert(Rc::clone(name), Vec::new());
                }
                continue;
            }
            let mut added = false;
            for class in classes {
                if !matches!(self.find(&class.value, kinds::EVERY), Found::Instance(_)) {
                    continue;
                }
                if let Found::Instance(Value::String(name)) = self.name_in(class, &used, None) {
                    let name: Name = Rc::from(name);
                    used.insert(Rc::clone(&name));
                    chosen.insert(name, Vec::new());
                    added = true;
                    break;
                }
            }
            if !added {
                return None;
            }
        }
        let mut members = Map::new();
        for (name, more) in chosen {
            let mut literals = self.member_literals(objects, &name);
            literals.extend(more);
            match self.find(&literals, kinds::EVERY) {
                Found::Instance(value) => members.insert(name.to_string(), value),
                _ => return None,
            };
        }
        let value = Value::Object(members);
        (self.evaluator().satisfies(atoms, &value) == Some(true)).then_some(value)
    }
}
