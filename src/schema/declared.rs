//! The parameter names that a schema declares, at any depth, and the formula of "an instance of declared parameters only".
//!
//! A parameter is a name under `properties`, reached through `allOf`, `anyOf`, `oneOf`, `then`, `else`, dependencies, `$ref`,
//! items and map values. An object that declares no names is free, and so is everything in it.

use super::keyword::is_annotation;
use super::node::{Arena, FALSE, Id, Node, TRUE};
use super::resolve::{Document, Located};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// Names that are listed at most.
const MOST_NAMES: usize = 20_000;
/// Schemas that are looked at for them.
const MOST_VISITS: usize = 100_000;

/// All schemas that may apply to the same value as `places`.
fn closure<'a>(document: &Document<'a>, places: &[Located<'a>]) -> Vec<Located<'a>> {
    let mut seen = BTreeSet::new();
    let mut open = places.to_vec();
    let mut found = Vec::new();
    while let Some(place) = open.pop() {
        if !seen.insert(place.address()) {
            continue;
        }
        let Some(members) = place.schema.as_object() else { continue };
        // A bare reference is where it leads: sets that differ in it alone are one set.
        let bare = members.contains_key("$ref")
            && members.keys().all(|keyword| keyword.starts_with('$') || is_annotation(keyword));
        if !bare {
            found.push(place);
        }
        for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
            let target = members.get(keyword).and_then(Value::as_str);
            open.extend(target.and_then(|text| document.follow(place, text).ok()));
        }
        for keyword in ["allOf", "anyOf", "oneOf"] {
            let branches = members.get(keyword).and_then(Value::as_array).into_iter().flatten();
            open.extend(branches.map(|branch| document.enter(place, branch)));
        }
        for keyword in ["then", "else"] {
            open.extend(members.get(keyword).map(|branch| document.enter(place, branch)));
        }
        for keyword in ["dependentSchemas", "dependencies"] {
            let schemas =
                members.get(keyword).and_then(Value::as_object).into_iter().flat_map(|entries| entries.values());
            open.extend(schemas.filter(|schema| schema.is_object()).map(|schema| document.enter(place, schema)));
        }
    }
    found.sort_by_key(Located::address);
    found
}

/// What a set of schemas says about the parts of one value.
#[derive(Default)]
struct Parts<'a> {
    properties: BTreeMap<&'a str, Vec<Located<'a>>>,
    required: BTreeSet<&'a str>,
    patterns: BTreeMap<&'a str, Vec<Located<'a>>>,
    map: Vec<Located<'a>>,
    items: Vec<Located<'a>>,
}

fn parts<'a>(document: &Document<'a>, places: &[Located<'a>]) -> Parts<'a> {
    let mut parts = Parts::default();
    for place in places {
        let members = |keyword: &str| place.schema.get(keyword).and_then(Value::as_object).into_iter().flatten();
        for (name, schema) in members("properties") {
            parts.properties.entry(name).or_default().push(document.enter(*place, schema));
        }
        for (source, schema) in members("patternProperties") {
            parts.patterns.entry(source).or_default().push(document.enter(*place, schema));
        }
        let required = place.schema.get("required").and_then(Value::as_array);
        parts.required.extend(required.into_iter().flatten().filter_map(Value::as_str));
        for keyword in ["additionalProperties", "unevaluatedProperties"] {
            // `true` and `{}` let names through without declaring any; a schema with content declares a map.
            let map = place.schema.get(keyword).filter(|map| map.as_object().is_some_and(|map| !map.is_empty()));
            parts.map.extend(map.map(|schema| document.enter(*place, schema)));
        }
        for keyword in ["items", "prefixItems", "additionalItems", "unevaluatedItems", "contains"] {
            match place.schema.get(keyword) {
                Some(Value::Array(items)) => {
                    parts.items.extend(items.iter().map(|item| document.enter(*place, item)));
                }
                Some(item) => parts.items.push(document.enter(*place, item)),
                None => {}
            }
        }
    }
    parts
}

/// Pointers of all declared names: `/exec`, `/options/lang`, `/files/*/path` through items and map values.
pub(super) fn names(document: &Document<'_>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let Some(root) = document.root() else { return names };
    let mut visits = 0;
    // A set of schemas met again inside itself declares nothing new.
    let mut open: Vec<(Vec<Located<'_>>, String, Rc<Path>)> = vec![(vec![root], String::new(), Rc::new(Path::Start))];
    while let Some((places, pointer, path)) = open.pop() {
        visits += 1;
        if visits > MOST_VISITS || names.len() > MOST_NAMES {
            break;
        }
        let places = closure(document, &places);
        let addresses: Vec<_> = places.iter().map(Located::address).collect();
        if path.contains(&addresses) {
            continue;
        }
        let parts = parts(document, &places);
        let path = Rc::new(Path::Step(addresses, path));
        for (name, inner) in parts.properties {
            let inner_pointer = format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"));
            names.insert(inner_pointer.clone());
            open.push((inner, inner_pointer, Rc::clone(&path)));
        }
        for inner in parts.patterns.into_values().chain([parts.map, parts.items]).filter(|inner| !inner.is_empty()) {
            open.push((inner, format!("{pointer}/*"), Rc::clone(&path)));
        }
    }
    names
}

/// The sets of schemas that led somewhere.
enum Path {
    Start,
    Step(Vec<(*const Value, usize)>, Rc<Path>),
}

impl Path {
    fn contains(&self, addresses: &[(*const Value, usize)]) -> bool {
        let mut at = self;
        while let Self::Step(here, before) = at {
            if here == addresses {
                return true;
            }
            at = before;
        }
        false
    }
}

/// The formula of "no member that is not declared".
pub(super) fn only_declared(arena: &mut Arena, document: &Document<'_>) -> Id {
    let Some(root) = document.root() else { return TRUE };
    Declared { arena, document, known: HashMap::new() }.of(&[root], 0)
}

struct Declared<'a, 'b> {
    arena: &'b mut Arena,
    document: &'b Document<'a>,
    known: HashMap<Vec<(*const Value, usize)>, Progress>,
}

#[derive(Clone, Copy)]
enum Progress {
    Open(Option<usize>),
    Done(Id),
}

impl<'a> Declared<'a, '_> {
    fn of(&mut self, places: &[Located<'a>], depth: usize) -> Id {
        if depth > 64 {
            return self.arena.unknown("parameters are nested deeper than is read");
        }
        let places = closure(self.document, places);
        let addresses: Vec<_> = places.iter().map(Located::address).collect();
        match self.known.get(&addresses) {
            Some(Progress::Done(id)) => return *id,
            Some(Progress::Open(slot)) => {
                let slot = slot.unwrap_or_else(|| {
                    self.arena.slots.push(FALSE);
                    self.arena.slots.len() - 1
                });
                self.known.insert(addresses, Progress::Open(Some(slot)));
                return self.arena.atom(Node::Ref(slot));
            }
            None => {}
        }
        self.known.insert(addresses.clone(), Progress::Open(None));
        let id = self.formula(&places, depth);
        if let Some(Progress::Open(Some(slot))) = self.known.get(&addresses)
            && let Some(target) = self.arena.slots.get_mut(*slot)
        {
            *target = id;
        }
        self.known.insert(addresses, Progress::Done(id));
        id
    }

    fn formula(&mut self, places: &[Located<'a>], depth: usize) -> Id {
        let parts = parts(self.document, places);
        let mut formula = Vec::new();
        let names: BTreeSet<Rc<str>> =
            parts.properties.keys().chain(&parts.required).map(|name| Rc::from(*name)).collect();
        let closed = !parts.properties.is_empty();
        for (name, inner) in &parts.properties {
            let inner = self.of(inner, depth + 1);
            formula.push(self.arena.atom(Node::Property(Rc::from(*name), inner)));
        }
        let mut patterns = Vec::new();
        for (source, inner) in &parts.patterns {
            let inner = self.of(inner, depth + 1);
            let pattern = self.arena.pattern_id(source);
            patterns.push(pattern);
            formula.push(self.arena.atom(Node::Matching(pattern, inner)));
        }
        patterns.sort_unstable();
        let others = if !parts.map.is_empty() {
            self.of(&parts.map, depth + 1)
        } else if closed {
            FALSE
        } else {
            TRUE
        };
        let names: Vec<Rc<str>> = names.into_iter().collect();
        formula.push(self.arena.atom(Node::Others {
            names: Rc::from(names),
            patterns: Rc::from(patterns),
            schema: others,
        }));
        if !parts.items.is_empty() {
            let inner = self.of(&parts.items, depth + 1);
            formula.push(self.arena.atom(Node::ItemsFrom(0, inner)));
        }
        self.arena.all(formula)
    }
}
