//! From a schema's JSON to its formula, keyword by keyword and dialect by dialect.
//!
//! What is malformed, remote, dynamic or too deep becomes an unknown with its reason, never a guess.

use super::budget::Budget;
use super::decimal::Decimal;
use super::dialect::Dialect;
use super::node::{Arena, FALSE, Id, Node, TRUE, kinds};
use super::resolve::{Document, Located};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::rc::Rc;

mod expression;
mod unevaluated;

/// Reads one document into an arena.
pub(super) struct SchemaReader<'a, 'b> {
    arena: &'b mut Arena,
    document: &'b Document<'a>,
    budget: Budget,
    references: HashMap<(*const Value, usize), Reference>,
    pattern_chars: usize,
}

/// How far the target of a reference has been read.
#[derive(Clone, Copy)]
enum Reference {
    /// Being read; the slot if something inside leads back to it.
    Open(Option<usize>),
    Done(Id),
}

/// Reads a whole document.
pub(super) fn read(arena: &mut Arena, document: &Document<'_>, budget: Budget) -> Id {
    let mut reader = SchemaReader { arena, document, budget, references: HashMap::new(), pattern_chars: 0 };
    match document.root() {
        Some(root) => reader.target(root, 0),
        None => TRUE,
    }
}

impl<'a> SchemaReader<'a, '_> {
    /// A schema that a reference can lead to.
    fn target(&mut self, place: Located<'a>, depth: usize) -> Id {
        match self.references.get(&place.address()) {
            Some(Reference::Done(id)) => return *id,
            Some(Reference::Open(slot)) => {
                let slot = slot.unwrap_or_else(|| {
                    self.arena.slots.push(FALSE);
                    self.arena.slots.len() - 1
                });
                self.references.insert(place.address(), Reference::Open(Some(slot)));
                return self.arena.atom(Node::Ref(slot));
            }
            None => {}
        }
        self.references.insert(place.address(), Reference::Open(None));
        let id = self.schema(place, depth);
        if let Some(Reference::Open(Some(slot))) = self.references.get(&place.address())
            && let Some(target) = self.arena.slots.get_mut(*slot)
        {
            *target = id;
        }
        self.references.insert(place.address(), Reference::Done(id));
        id
    }

    /// A subschema of `from`.
    fn inner(&mut self, from: Located<'a>, schema: &'a Value, depth: usize) -> Id {
        let place = self.document.enter(from, schema);
        self.schema(place, depth + 1)
    }

    fn schema(&mut self, place: Located<'a>, depth: usize) -> Id {
        let members = match place.schema {
            Value::Bool(true) => return TRUE,
            Value::Bool(false) => return FALSE,
            Value::Object(members) => members,
            other => return self.malformed("a schema", other),
        };
        if depth > self.budget.depth || self.arena.len() > self.budget.size.saturating_mul(4) {
            return self.arena.unknown("the schema is nested deeper than is read");
        }
        if depth > 0
            && members.contains_key("$schema")
            && Dialect::declared(place.schema) != Ok(Some(self.document.dialect))
        {
            return self.arena.unknown("a part of the schema declares another `$schema`");
        }
        let old = self.document.dialect <= Dialect::Draft07;
        if let Some(reference) = members.get("$ref")
            && old
        {
            return self.reference(place, reference, depth);
        }
        let mut parts = Vec::new();
        if let Some(reference) = members.get("$ref") {
            parts.push(self.reference(place, reference, depth));
        }
        self.dynamic(place, members, depth, &mut parts);
        self.values(members, &mut parts);
        self.numbers(members, &mut parts);
        self.strings(members, &mut parts);
        self.arrays(place, members, depth, &mut parts);
        self.objects(place, members, depth, &mut parts);
        self.dependencies(place, members, depth, &mut parts);
        self.logic(place, members, depth, &mut parts);
        self.unevaluated(place, members, depth, &mut parts);
        self.arena.all(parts)
    }

    /// A keyword whose value is not what its dialect asks for: the same unknown only where it cannot mean two things.
    fn malformed(&mut self, keyword: &str, value: &Value) -> Id {
        self.arena.has_malformed = true;
        let text = value.to_string();
        let reason = format!("`{keyword}` is malformed in {}", self.document.dialect.word());
        if text.contains("$ref") || text.contains("Ref\"") {
            return self.arena.unknown(&reason);
        }
        let shown: String = text.chars().take(200).collect();
        if shown.len() < text.len() {
            return self.arena.unknown(&reason);
        }
        self.arena.opaque(&format!("{reason}: {shown}"))
    }

    fn reference(&mut self, place: Located<'a>, reference: &Value, depth: usize) -> Id {
        let Some(text) = reference.as_str() else { return self.malformed("$ref", reference) };
        match self.document.follow(place, text) {
            Ok(target) => self.target(target, depth + 1),
            // An absolute address names one document from wherever it is written.
            Err(reason) if text.contains("://") => self.arena.opaque(&reason),
            Err(reason) => self.arena.unknown(&reason),
        }
    }

    /// `$dynamicRef` and `$recursiveRef`: a plain reference where the document is one resource.
    fn dynamic(&mut self, place: Located<'a>, members: &'a Map<String, Value>, depth: usize, parts: &mut Vec<Id>) {
        let keyword = match self.document.dialect {
            Dialect::Draft202012 => "$dynamicRef",
            Dialect::Draft201909 => "$recursiveRef",
            _ => return,
        };
        let Some(reference) = members.get(keyword) else { return };
        parts.push(if self.document.is_dynamic() {
            self.arena.unknown(&format!("`{keyword}` may lead elsewhere at each use"))
        } else {
            self.reference(place, reference, depth)
        });
    }

    fn values(&mut self, members: &Map<String, Value>, parts: &mut Vec<Id>) {
        if let Some(value) = members.get("type") {
            parts.push(self.kinds(value));
        }
        if let Some(value) = members.get("enum") {
            parts.push(match value.as_array() {
                Some(values) => self.enumeration(values),
                None => self.malformed("enum", value),
            });
        }
        if let Some(value) = members.get("const")
            && self.document.dialect >= Dialect::Draft06
        {
            parts.push(self.enumeration(std::slice::from_ref(value)));
        }
    }

    fn enumeration(&mut self, values: &[Value]) -> Id {
        let ids = values.iter().map(|value| self.arena.value_id(value)).collect();
        self.arena.atom(Node::Enum(ids))
    }

    fn kinds(&mut self, value: &Value) -> Id {
        let one = std::slice::from_ref(value);
        let names = value.as_array().map_or(one, Vec::as_slice);
        let mut set = 0;
        for name in names {
            set |= match name.as_str() {
                Some("null") => kinds::NULL,
                Some("boolean") => kinds::BOOL,
                Some("integer") => kinds::WHOLE,
                Some("number") => kinds::NUMBER,
                Some("string") => kinds::STRING,
                Some("array") => kinds::ARRAY,
                Some("object") => kinds::OBJECT,
                _ => return self.malformed("type", value),
            };
        }
        let plain = self.arena.atom(Node::Kinds(set));
        if self.document.dialect != Dialect::Draft04 || set & kinds::NUMBER != kinds::WHOLE {
            return plain;
        }
        let written = self.arena.atom(Node::WrittenWhole);
        self.arena.all(vec![plain, written])
    }

    fn decimal(&mut self, members: &Map<String, Value>, keyword: &str, build: impl Fn(Decimal) -> Node) -> Option<Id> {
        let value = members.get(keyword)?;
        Some(match value.as_number().and_then(Decimal::of) {
            Some(decimal) => self.arena.atom(build(decimal)),
            None => self.malformed(keyword, value),
        })
    }

    fn numbers(&mut self, members: &Map<String, Value>, parts: &mut Vec<Id>) {
        let booleans = self.document.dialect == Dialect::Draft04;
        let flag = |keyword| booleans && members.get(keyword) == Some(&Value::Bool(true));
        let (above, below) = (flag("exclusiveMinimum"), flag("exclusiveMaximum"));
        parts.extend(self.decimal(members, "minimum", |bound| Node::Minimum(bound, above)));
        parts.extend(self.decimal(members, "maximum", |bound| Node::Maximum(bound, below)));
        if booleans {
            for keyword in ["exclusiveMinimum", "exclusiveMaximum"] {
                let malformed = members.get(keyword).filter(|value| !value.is_boolean());
                parts.extend(malformed.map(|value| self.malformed(keyword, value)));
            }
        } else {
            parts.extend(self.decimal(members, "exclusiveMinimum", |bound| Node::Minimum(bound, true)));
            parts.extend(self.decimal(members, "exclusiveMaximum", |bound| Node::Maximum(bound, true)));
        }
        if let Some(value) = members.get("multipleOf") {
            parts.push(match value.as_number().and_then(Decimal::of) {
                Some(step) if step > Decimal::ZERO => self.arena.atom(Node::MultipleOf(step)),
                _ => self.malformed("multipleOf", value),
            });
        }
    }

    /// A count: a whole number that is not negative; `2.0` is one.
    fn count(&mut self, members: &Map<String, Value>, keyword: &str, build: impl Fn(u64) -> Node) -> Option<Id> {
        let value = members.get(keyword)?;
        Some(match count_of(value) {
            Some(count) => self.arena.atom(build(count)),
            None => self.malformed(keyword, value),
        })
    }

    fn strings(&mut self, members: &Map<String, Value>, parts: &mut Vec<Id>) {
        parts.extend(self.count(members, "minLength", Node::MinLength));
        parts.extend(self.count(members, "maxLength", Node::MaxLength));
        if let Some(value) = members.get("pattern") {
            parts.push(match value.as_str() {
                Some(source) => self.matches(source),
                None => self.malformed("pattern", value),
            });
        }
    }

    fn arrays(&mut self, place: Located<'a>, members: &'a Map<String, Value>, depth: usize, parts: &mut Vec<Id>) {
        let dialect = self.document.dialect;
        let (first, rest) = match (members.get("items"), dialect) {
            (items, Dialect::Draft202012) => (members.get("prefixItems"), items.map(|items| ("items", items))),
            (Some(first @ Value::Array(_)), _) => {
                (Some(first), members.get("additionalItems").map(|rest| ("additionalItems", rest)))
            }
            (items, _) => (None, items.map(|items| ("items", items))),
        };
        let mut count = 0;
        if let Some(first) = first {
            match first.as_array() {
                Some(items) => {
                    count = items.len();
                    for (index, item) in items.iter().enumerate() {
                        let schema = self.inner(place, item, depth);
                        parts.push(self.arena.atom(Node::ItemAt(index, schema)));
                    }
                }
                None => parts.push(self.malformed("prefixItems", first)),
            }
        }
        match rest {
            Some((keyword, items @ Value::Array(_))) => parts.push(self.malformed(keyword, items)),
            Some((_, items)) => {
                let schema = self.inner(place, items, depth);
                parts.push(self.arena.atom(Node::ItemsFrom(count, schema)));
            }
            None => {}
        }
        parts.extend(self.count(members, "minItems", Node::MinItems));
        parts.extend(self.count(members, "maxItems", Node::MaxItems));
        match members.get("uniqueItems") {
            Some(Value::Bool(true)) => parts.push(self.arena.atom(Node::Unique)),
            Some(Value::Bool(false)) | None => {}
            Some(other) => parts.push(self.malformed("uniqueItems", other)),
        }
        if let Some(contains) = members.get("contains")
            && dialect >= Dialect::Draft06
        {
            let schema = self.inner(place, contains, depth);
            let none = Map::new();
            let counts = if dialect >= Dialect::Draft201909 { members } else { &none };
            let least = self.count(counts, "minContains", |count| Node::AtLeast(schema, count));
            parts.push(least.unwrap_or_else(|| self.arena.atom(Node::AtLeast(schema, 1))));
            parts.extend(self.count(counts, "maxContains", |count| Node::AtMost(schema, count)));
        }
    }

    fn objects(&mut self, place: Located<'a>, members: &'a Map<String, Value>, depth: usize, parts: &mut Vec<Id>) {
        let (mut names, mut patterns) = (Vec::new(), Vec::new());
        match members.get("properties") {
            Some(Value::Object(properties)) => {
                for (name, schema) in properties {
                    let name: Rc<str> = Rc::from(name.as_str());
                    let schema = self.inner(place, schema, depth);
                    parts.push(self.arena.atom(Node::Property(Rc::clone(&name), schema)));
                    names.push(name);
                }
            }
            Some(other) => parts.push(self.malformed("properties", other)),
            None => {}
        }
        let mut every_name = false;
        match members.get("patternProperties") {
            Some(Value::Object(properties)) => {
                for (source, schema) in properties {
                    let schema = self.inner(place, schema, depth);
                    match self.pattern(source) {
                        Ok(Some(pattern)) => {
                            parts.push(self.arena.atom(Node::Matching(pattern, schema)));
                            patterns.push(pattern);
                        }
                        Ok(None) => {
                            parts.push(self.arena.atom(Node::Others {
                                names: Rc::from([]),
                                patterns: Rc::from([]),
                                schema,
                            }));
                            every_name = true;
                        }
                        Err(unknown) => {
                            parts.push(unknown);
                            every_name = true;
                        }
                    }
                }
            }
            Some(other) => parts.push(self.malformed("patternProperties", other)),
            None => {}
        }
        if let Some(others) = members.get("additionalProperties") {
            let schema = self.inner(place, others, depth);
            if !every_name {
                parts.push(self.others(names, patterns, schema));
            }
        }
        if let Some(schema) = members.get("propertyNames")
            && self.document.dialect >= Dialect::Draft06
        {
            let schema = self.inner(place, schema, depth);
            parts.push(self.arena.atom(Node::Names(schema)));
        }
        parts.extend(self.count(members, "minProperties", Node::MinProperties));
        parts.extend(self.count(members, "maxProperties", Node::MaxProperties));
        if let Some(value) = members.get("required") {
            parts.push(self.required("required", value));
        }
    }

    /// What is asked of members outside `names` and `patterns`.
    fn others(&mut self, mut names: Vec<Rc<str>>, mut patterns: Vec<u32>, schema: Id) -> Id {
        names.sort_unstable();
        names.dedup();
        patterns.sort_unstable();
        patterns.dedup();
        self.arena.atom(Node::Others { names: Rc::from(names), patterns: Rc::from(patterns), schema })
    }

    fn required(&mut self, keyword: &str, value: &Value) -> Id {
        let names: Option<Vec<&str>> = value.as_array().and_then(|names| names.iter().map(Value::as_str).collect());
        match names {
            Some(names) => {
                let parts = names.into_iter().map(|name| self.arena.atom(Node::Required(Rc::from(name)))).collect();
                self.arena.all(parts)
            }
            None => self.malformed(keyword, value),
        }
    }

    /// An object that has the member.
    fn has(&mut self, name: &str) -> Id {
        let object = self.arena.atom(Node::Kinds(kinds::OBJECT));
        let required = self.arena.atom(Node::Required(Rc::from(name)));
        self.arena.all(vec![object, required])
    }

    /// `then` wherever `condition` holds.
    fn implies(&mut self, condition: Id, then: Id) -> Id {
        let not = self.arena.not(condition);
        self.arena.any(vec![not, then])
    }

    fn dependencies(&mut self, place: Located<'a>, members: &'a Map<String, Value>, depth: usize, parts: &mut Vec<Id>) {
        let new = self.document.dialect >= Dialect::Draft201909;
        for keyword in ["dependencies", "dependentRequired", "dependentSchemas"] {
            let Some(value) = members.get(keyword) else { continue };
            if new != (keyword != "dependencies") {
                // Validators differ on whether a later dialect still knows `dependencies`.
                if new && value.as_object().is_none_or(|entries| !entries.is_empty()) {
                    parts.push(self.malformed(keyword, value));
                }
                continue;
            }
            let Some(entries) = value.as_object() else {
                parts.push(self.malformed(keyword, value));
                continue;
            };
            for (name, wanted) in entries {
                let condition = self.has(name);
                let then = match (keyword, wanted) {
                    ("dependentRequired", names) | ("dependencies", names @ Value::Array(_)) => {
                        self.required(keyword, names)
                    }
                    (_, schema) => self.inner(place, schema, depth),
                };
                parts.push(self.implies(condition, then));
            }
        }
    }

    fn logic(&mut self, place: Located<'a>, members: &'a Map<String, Value>, depth: usize, parts: &mut Vec<Id>) {
        for keyword in ["allOf", "anyOf", "oneOf"] {
            let Some(value) = members.get(keyword) else { continue };
            let Some(branches) = value.as_array().filter(|branches| !branches.is_empty()) else {
                parts.push(self.malformed(keyword, value));
                continue;
            };
            let branches: Vec<Id> = branches.iter().map(|branch| self.inner(place, branch, depth)).collect();
            parts.push(match keyword {
                "allOf" => self.arena.all(branches),
                "anyOf" => self.arena.any(branches),
                _ => self.arena.one(branches),
            });
        }
        if let Some(schema) = members.get("not") {
            let schema = self.inner(place, schema, depth);
            parts.push(self.arena.not(schema));
        }
        if let Some(condition) = members.get("if")
            && self.document.dialect >= Dialect::Draft07
        {
            let condition = self.inner(place, condition, depth);
            if let Some(then) = members.get("then") {
                let then = self.inner(place, then, depth);
                parts.push(self.implies(condition, then));
            }
            if let Some(other) = members.get("else") {
                let other = self.inner(place, other, depth);
                parts.push(self.arena.any(vec![condition, other]));
            }
        }
    }
}

/// A count as JSON Schema writes one.
pub(super) fn count_of(value: &Value) -> Option<u64> {
    let decimal = value.as_number().and_then(Decimal::of)?;
    u64::try_from(decimal.to_whole()?).ok()
}
