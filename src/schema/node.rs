//! A schema as a formula: atoms that speak about one type each, and `All`, `Any`, `One`, `Not` over them.
//!
//! Nodes are interned, so two schemas that say the same in the same way are one id, in whichever document they stand.
//! Each atom is vacuous for values of other types, as in JSON Schema itself.

use super::decimal::Decimal;
use serde_json::Value;
use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

/// A node's place in the arena.
pub(super) type Id = u32;

/// The kinds of JSON values as bits; numbers with and without a fraction are two kinds.
pub(super) mod kinds {
    pub(in crate::schema) const NULL: u8 = 1;
    pub(in crate::schema) const BOOL: u8 = 2;
    pub(in crate::schema) const WHOLE: u8 = 4;
    pub(in crate::schema) const FRACTION: u8 = 8;
    pub(in crate::schema) const STRING: u8 = 16;
    pub(in crate::schema) const ARRAY: u8 = 32;
    pub(in crate::schema) const OBJECT: u8 = 64;
    pub(in crate::schema) const NUMBER: u8 = WHOLE | FRACTION;
    pub(in crate::schema) const EVERY: u8 = 127;
    /// In the order in which a witness is looked for.
    pub(in crate::schema) const EACH: [u8; 7] = [STRING, WHOLE, BOOL, NULL, OBJECT, ARRAY, FRACTION];
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    /// Every one holds; none: everything is accepted.
    All(Vec<Id>),
    /// At least one holds; none: nothing is accepted.
    Any(Vec<Id>),
    /// Exactly one holds.
    One(Vec<Id>),
    /// It does not hold.
    Not(Id),
    /// A cyclic reference: what the slot names.
    Ref(usize),
    /// What is not known, and why. Equal text and number are the same unknown.
    Opaque(Rc<str>, usize),
    Kinds(u8),
    /// One of these interned values.
    Enum(Vec<u32>),
    /// Draft-04's integer: written without a fraction or an exponent.
    WrittenWhole,
    /// At least this; above it where the flag is set.
    Minimum(Decimal, bool),
    /// At most this; below it where the flag is set.
    Maximum(Decimal, bool),
    MultipleOf(Decimal),
    /// At least so many characters.
    MinLength(u64),
    /// At most so many characters.
    MaxLength(u64),
    /// Matches the interned pattern.
    Pattern(u32),
    /// At least so many items.
    MinItems(u64),
    /// At most so many items.
    MaxItems(u64),
    /// No two items are equal.
    Unique,
    /// The item at an index, where there is one.
    ItemAt(usize, Id),
    /// Every item from an index on.
    ItemsFrom(usize, Id),
    /// At least so many items hold it.
    AtLeast(Id, u64),
    /// At most so many items hold it.
    AtMost(Id, u64),
    /// The member is there.
    Required(Rc<str>),
    /// The member's value, where it is there.
    Property(Rc<str>, Id),
    /// The value of each member whose name matches the pattern.
    Matching(u32, Id),
    /// The value of each member that has none of the names and matches none of the patterns.
    Others {
        names: Rc<[Rc<str>]>,
        patterns: Rc<[u32]>,
        schema: Id,
    },
    /// Each member's name.
    Names(Id),
    /// At least so many members.
    MinProperties(u64),
    /// At most so many members.
    MaxProperties(u64),
}

impl Node {
    /// The nodes that it consists of; none for a cyclic reference.
    fn parts(&self) -> &[Id] {
        match self {
            Self::All(parts) | Self::Any(parts) | Self::One(parts) => parts,
            Self::Not(part)
            | Self::ItemAt(_, part)
            | Self::ItemsFrom(_, part)
            | Self::AtLeast(part, _)
            | Self::AtMost(part, _)
            | Self::Property(_, part)
            | Self::Matching(_, part)
            | Self::Others { schema: part, .. }
            | Self::Names(part) => std::slice::from_ref(part),
            _ => &[],
        }
    }
}

/// All nodes, values and patterns of one comparison.
#[derive(Debug)]
pub(super) struct Arena {
    nodes: Vec<Node>,
    index: HashMap<Node, Id>,
    /// What each cyclic reference names.
    pub(super) slots: Vec<Id>,
    /// Which slots come back to themselves at the same value.
    pub(super) ill_founded: Vec<bool>,
    /// Whether any node is an unknown.
    pub(super) has_unknown: bool,
    /// Whether any keyword has a value that its dialect does not ask for.
    pub(super) has_malformed: bool,
    values: Vec<Value>,
    value_index: HashMap<String, u32>,
    /// The patterns' sources.
    pub(super) patterns: Vec<Rc<str>>,
    pattern_index: HashMap<Rc<str>, u32>,
}

/// Accepts everything.
pub(super) const TRUE: Id = 0;
/// Accepts nothing.
pub(super) const FALSE: Id = 1;

impl Arena {
    /// An arena with the two constants.
    pub(super) fn new() -> Self {
        let mut arena = Self {
            nodes: Vec::new(),
            index: HashMap::new(),
            slots: Vec::new(),
            ill_founded: Vec::new(),
            has_unknown: false,
            has_malformed: false,
            values: Vec::new(),
            value_index: HashMap::new(),
            patterns: Vec::new(),
            pattern_index: HashMap::new(),
        };
        arena.intern(Node::All(Vec::new()));
        arena.intern(Node::Any(Vec::new()));
        arena
    }

    pub(super) fn node(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    fn intern(&mut self, node: Node) -> Id {
        if let Some(id) = self.index.get(&node) {
            return *id;
        }
        let id = Id::try_from(self.nodes.len()).unwrap_or(FALSE);
        self.nodes.push(node.clone());
        self.index.insert(node, id);
        id
    }

    /// An atom; one that says nothing becomes `TRUE`.
    pub(super) fn atom(&mut self, node: Node) -> Id {
        match node {
            Node::Kinds(kinds::EVERY)
            | Node::MinLength(0)
            | Node::MinItems(0)
            | Node::MinProperties(0)
            | Node::ItemAt(_, TRUE)
            | Node::ItemsFrom(_, TRUE)
            | Node::AtLeast(_, 0)
            | Node::Property(_, TRUE)
            | Node::Matching(_, TRUE)
            | Node::Others { schema: TRUE, .. }
            | Node::Names(TRUE) => TRUE,
            Node::Kinds(0) => FALSE,
            Node::AtMost(schema, 0) => {
                let not = self.not(schema);
                self.atom(Node::ItemsFrom(0, not))
            }
            Node::AtLeast(TRUE, count) => self.intern(Node::MinItems(count)),
            Node::AtMost(TRUE, count) => self.intern(Node::MaxItems(count)),
            Node::ItemsFrom(from, FALSE) => self.intern(Node::MaxItems(from as u64)),
            Node::ItemAt(at, FALSE) => self.intern(Node::MaxItems(at as u64)),
            Node::Enum(mut values) => {
                values.sort_unstable();
                values.dedup();
                if values.is_empty() { FALSE } else { self.intern(Node::Enum(values)) }
            }
            other => self.intern(other),
        }
    }

    /// Every one of `parts`.
    pub(super) fn all(&mut self, parts: Vec<Id>) -> Id {
        match self.flat(parts, |node| if let Node::All(inner) = node { Some(inner) } else { None }) {
            flat if flat.contains(&FALSE) => FALSE,
            flat if flat.len() == 1 => flat[0],
            flat => self.intern(Node::All(flat)),
        }
    }

    /// At least one of `parts`.
    pub(super) fn any(&mut self, parts: Vec<Id>) -> Id {
        match self.flat(parts, |node| if let Node::Any(inner) = node { Some(inner) } else { None }) {
            flat if flat.contains(&TRUE) => TRUE,
            flat if flat.len() == 1 => flat[0],
            flat => self.intern(Node::Any(flat)),
        }
    }

    /// The parts, each once, with those of what is of the same kind in its place.
    fn flat(&self, parts: Vec<Id>, inner: impl Fn(&Node) -> Option<&Vec<Id>>) -> Vec<Id> {
        let open = |part: Id| inner(self.node(part)).map_or_else(|| vec![part], Clone::clone);
        let mut flat: Vec<Id> = parts.into_iter().flat_map(open).collect();
        flat.sort_unstable();
        flat.dedup();
        flat
    }

    /// Exactly one of `parts`; the order and the number of equal ones matter only as a count.
    pub(super) fn one(&mut self, mut parts: Vec<Id>) -> Id {
        parts.retain(|part| *part != FALSE);
        parts.sort_unstable();
        match parts[..] {
            [] => FALSE,
            [one] => one,
            _ => self.intern(Node::One(parts)),
        }
    }

    /// Not `part`.
    pub(super) fn not(&mut self, part: Id) -> Id {
        match self.node(part) {
            Node::Not(inner) => *inner,
            Node::Kinds(set) => {
                let rest = kinds::EVERY & !set;
                self.atom(Node::Kinds(rest))
            }
            _ if part == TRUE => FALSE,
            _ if part == FALSE => TRUE,
            _ => self.intern(Node::Not(part)),
        }
    }

    /// An unknown that is the same wherever the same text stands.
    pub(super) fn opaque(&mut self, reason: &str) -> Id {
        self.has_unknown = true;
        self.intern(Node::Opaque(Rc::from(reason), 0))
    }

    /// Why something within one of `ids` is not known; none where all of it is, or where it is not among the next `most` nodes.
    pub(super) fn unknown_within(&self, ids: impl IntoIterator<Item = Id>, most: usize) -> Option<Rc<str>> {
        if !self.has_unknown {
            return None;
        }
        let mut open: VecDeque<Id> = ids.into_iter().collect();
        let mut seen: HashSet<Id> = open.iter().copied().collect();
        while let Some(id) = open.pop_front().filter(|_| seen.len() < most) {
            let target = match self.node(id) {
                Node::Opaque(reason, _) => return Some(Rc::clone(reason)),
                Node::Ref(slot) => self.slots.get(*slot),
                _ => None,
            };
            open.extend(self.node(id).parts().iter().chain(target).filter(|part| seen.insert(**part)));
        }
        None
    }

    /// An unknown that equals no other.
    pub(super) fn unknown(&mut self, reason: &str) -> Id {
        self.has_unknown = true;
        let number = self.nodes.len();
        self.intern(Node::Opaque(Rc::from(reason), number))
    }

    /// The id of a value; equal values (1 and 1.0, members in any order) have one.
    pub(super) fn value_id(&mut self, value: &Value) -> u32 {
        let key = key_of(value);
        if let Some(id) = self.value_index.get(&key) {
            return *id;
        }
        let id = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
        self.values.push(value.clone());
        self.value_index.insert(key, id);
        id
    }

    /// A known value's id.
    pub(super) fn find_value(&self, value: &Value) -> Option<u32> {
        self.value_index.get(&key_of(value)).copied()
    }

    pub(super) fn value(&self, id: u32) -> &Value {
        self.values.get(id as usize).unwrap_or(&Value::Null)
    }

    pub(super) fn pattern_id(&mut self, source: &str) -> u32 {
        if let Some(id) = self.pattern_index.get(source) {
            return *id;
        }
        let id = u32::try_from(self.patterns.len()).unwrap_or(u32::MAX);
        let source: Rc<str> = Rc::from(source);
        self.patterns.push(Rc::clone(&source));
        self.pattern_index.insert(source, id);
        id
    }
}

/// The kind of a value, one bit. A number that is no decimal of ours counts as both number kinds.
pub(super) fn kind_of(value: &Value) -> u8 {
    match value {
        Value::Null => kinds::NULL,
        Value::Bool(_) => kinds::BOOL,
        Value::Number(number) => match Decimal::of(number) {
            Some(decimal) if decimal.is_whole() => kinds::WHOLE,
            Some(_) => kinds::FRACTION,
            None => kinds::NUMBER,
        },
        Value::String(_) => kinds::STRING,
        Value::Array(_) => kinds::ARRAY,
        Value::Object(_) => kinds::OBJECT,
    }
}

/// A text that two values share exactly where JSON Schema calls them equal.
pub(super) fn key_of(value: &Value) -> String {
    let mut key = String::new();
    write_key(value, &mut key);
    key
}

fn write_key(value: &Value, key: &mut String) {
    match value {
        Value::Number(number) => match Decimal::of(number) {
            Some(decimal) => key.push_str(&decimal.key()),
            None => key.push_str(&number.to_string()),
        },
        Value::Array(items) => {
            key.push('[');
            for item in items {
                write_key(item, key);
                key.push(',');
            }
            key.push(']');
        }
        Value::Object(members) => {
            let mut names: Vec<_> = members.keys().collect();
            names.sort_unstable();
            key.push('{');
            for name in names {
                key.push_str(&Value::from(name.as_str()).to_string());
                key.push(':');
                members.get(name).into_iter().for_each(|member| write_key(member, key));
                key.push(',');
            }
            key.push('}');
        }
        other => key.push_str(&other.to_string()),
    }
}
