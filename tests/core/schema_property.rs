//! Random schemas, mutations and instances: a verdict is never contradicted by the validator, and verdicts fit together.
//!
//! `PINWATCH_SCHEMA_CASES` sets the number of cases a test (default: a few seconds' worth), `PINWATCH_SCHEMA_SEED` the first seed.

#![expect(clippy::print_stderr, reason = "a test tells how often nothing was decided")]

use fastrand::Rng;
use pinwatch::schema::{Accepts, Answer, Budget, Comparison, compare};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Runs `case` on so many seeds; the seed is in the panic's message.
fn for_each_seed(default: u64, mut case: impl FnMut(&mut Rng, u64)) {
    let first = setting("PINWATCH_SCHEMA_SEED", 1);
    for seed in first..first + setting("PINWATCH_SCHEMA_CASES", default) {
        case(&mut Rng::with_seed(seed), seed);
    }
}

const NAMES: [&str; 4] = ["a", "b", "ab", "kind"];
const PATTERNS: [&str; 7] = ["^a", "b$", "^[ab]+$", "^a$", "x", "^.{2,3}$", "^\\d+$"];

fn pick<'a, T>(rng: &mut Rng, list: &'a [T]) -> &'a T {
    &list[rng.usize(..list.len())]
}

fn number(rng: &mut Rng) -> Value {
    match rng.u8(..8) {
        0 => json!(0.5),
        1 => json!(1.5),
        2 => json!(2.0),
        3 => json!(-1),
        _ => json!(rng.i64(0..5)),
    }
}

fn scalar(rng: &mut Rng) -> Value {
    match rng.u8(..6) {
        0 => Value::Null,
        1 => json!(rng.bool()),
        2 | 3 => number(rng),
        _ => json!(pick(rng, &["", "a", "b", "ab", "x", "aab", "7"])),
    }
}

fn instance(rng: &mut Rng, depth: u8) -> Value {
    match rng.u8(..if depth == 0 { 5 } else { 10 }) {
        0..=4 => scalar(rng),
        5 | 6 => (0..rng.usize(..4)).map(|_| instance(rng, depth - 1)).collect(),
        _ => {
            let names = ["a", "b", "ab", "kind", "x", "", "zz"];
            Value::Object(
                (0..rng.usize(..4)).map(|_| ((*pick(rng, &names)).to_owned(), instance(rng, depth - 1))).collect(),
            )
        }
    }
}

/// What schemas are made of, those that matter most more than once. It is on purpose not the table of `schema/keyword.rs`: a
/// keyword that is missing or misread there is still written here, and the validator, which has a table of its own, finds it.
const KEYWORDS: [&str; 38] = [
    "type",
    "type",
    "type",
    "enum",
    "const",
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
    "items",
    "prefixItems",
    "contains",
    "minContains",
    "maxContains",
    "required",
    "required",
    "properties",
    "properties",
    "properties",
    "additionalProperties",
    "patternProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "dependentRequired",
    "dependentSchemas",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
];

/// A random schema of 2020-12. References lead to `#/$defs/D` and `#/$defs/E`.
fn schema(rng: &mut Rng, depth: u8, references: bool) -> Value {
    match rng.u8(..14) {
        0 => return json!(rng.bool()),
        1 => return json!({}),
        2 if references => return json!({ "$ref": pick(rng, &["#/$defs/D", "#/$defs/E"]) }),
        _ => {}
    }
    let mut members = Map::new();
    for _ in 0..rng.usize(1..4) {
        let keyword = *pick(rng, &KEYWORDS);
        let value = keyword_value(rng, keyword, depth, references);
        if let Some(value) = value {
            members.insert(keyword.to_owned(), value);
        }
        if keyword == "if" && members.contains_key("if") {
            members.insert("then".to_owned(), schema(rng, depth - 1, references));
            if rng.bool() {
                members.insert("else".to_owned(), schema(rng, depth - 1, references));
            }
        }
        if matches!(keyword, "minContains" | "maxContains") && depth > 0 && !members.contains_key("contains") {
            members.insert("contains".to_owned(), schema(rng, depth - 1, references));
        }
    }
    if depth > 0 && rng.u8(..12) == 0 {
        let keyword = *pick(rng, &["unevaluatedProperties", "unevaluatedItems"]);
        members.insert(keyword.to_owned(), schema(rng, 0, references));
    }
    Value::Object(members)
}

fn keyword_value(rng: &mut Rng, keyword: &str, depth: u8, references: bool) -> Option<Value> {
    let types = ["null", "boolean", "integer", "number", "string", "array", "object", "object"];
    let names = |rng: &mut Rng| -> Value {
        let mut names: Vec<&str> = (0..rng.usize(1..3)).map(|_| *pick(rng, &NAMES)).collect();
        names.sort_unstable();
        names.dedup();
        json!(names)
    };
    let inner = |rng: &mut Rng| schema(rng, depth - 1, references);
    Some(match keyword {
        "type" if rng.u8(..3) == 0 => {
            let mut list = vec![*pick(rng, &types), *pick(rng, &types)];
            list.sort_unstable();
            list.dedup();
            json!(list)
        }
        "type" => json!(pick(rng, &types)),
        "enum" => {
            let mut values: Vec<Value> = Vec::new();
            for _ in 0..rng.usize(1..4) {
                let value = if rng.u8(..5) == 0 { instance(rng, 1) } else { scalar(rng) };
                if !values.contains(&value) {
                    values.push(value);
                }
            }
            json!(values)
        }
        "const" => instance(rng, 1),
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => number(rng),
        "multipleOf" => pick(rng, &[json!(1), json!(2), json!(3), json!(0.5), json!(1.5), json!(0.1)]).clone(),
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" | "minContains"
        | "maxContains" => json!(rng.u8(..4)),
        "pattern" => json!(pick(rng, &PATTERNS)),
        "uniqueItems" => json!(true),
        "required" => names(rng),
        "dependentRequired" => json!({ *pick(rng, &NAMES): names(rng) }),
        _ if depth == 0 => return None,
        "items" | "contains" | "additionalProperties" | "propertyNames" | "not" | "if" => inner(rng),
        "prefixItems" | "allOf" | "anyOf" | "oneOf" => (0..rng.usize(1..4)).map(|_| inner(rng)).collect(),
        "properties" => {
            Value::Object((0..rng.usize(1..3)).map(|_| ((*pick(rng, &NAMES)).to_owned(), inner(rng))).collect())
        }
        "patternProperties" => json!({ *pick(rng, &PATTERNS): inner(rng) }),
        _ => json!({ *pick(rng, &NAMES): inner(rng) }),
    })
}

/// A whole document.
fn document(rng: &mut Rng) -> Value {
    let references = rng.u8(..4) == 0;
    let mut root = schema(rng, 2, references);
    if references {
        let defs = json!({ "D": schema(rng, 1, true), "E": schema(rng, 1, false) });
        if !root.is_object() {
            root = json!({ "properties": { "a": { "$ref": "#/$defs/D" } } });
        }
        root.as_object_mut().unwrap().insert("$defs".to_owned(), defs);
    }
    root
}

/// Another schema that is close to the given one.
fn mutated(rng: &mut Rng, value: &Value) -> Value {
    match value {
        Value::Object(members) if !members.is_empty() => {
            let mut members = members.clone();
            let key = pick(rng, &members.keys().cloned().collect::<Vec<_>>()).clone();
            match rng.u8(..6) {
                0 => {
                    members.remove(&key);
                }
                1 => {
                    let keyword = *pick(rng, &KEYWORDS);
                    if let Some(value) = keyword_value(rng, keyword, 1, false) {
                        members.insert(keyword.to_owned(), value);
                    }
                }
                _ => {
                    let inner = mutated(rng, &members[&key]);
                    members.insert(key, inner);
                }
            }
            Value::Object(members)
        }
        Value::Array(items) if !items.is_empty() => {
            let mut items = items.clone();
            let at = rng.usize(..items.len());
            if items.len() > 1 && rng.bool() {
                items.remove(at);
            } else {
                items[at] = mutated(rng, &items[at]);
            }
            json!(items)
        }
        Value::Number(number) if number.is_u64() => json!(number.as_u64().unwrap() + 1),
        Value::Bool(flag) => json!(!flag),
        Value::String(text) if PATTERNS.contains(&text.as_str()) => json!(pick(rng, &PATTERNS)),
        other => other.clone(),
    }
}

fn validator(schema: &Value) -> Option<jsonschema::Validator> {
    jsonschema::options().with_draft(jsonschema::Draft::Draft202012).should_validate_formats(false).build(schema).ok()
}

/// Values that are likely to tell schemas apart: random ones, and the witnesses found.
fn instances(rng: &mut Rng, found: &Comparison) -> Vec<Value> {
    let mut values: Vec<Value> = (0..60).map(|_| instance(rng, 2)).collect();
    values.extend([json!({}), json!([]), json!(""), json!(0), json!(null)]);
    for answer in [&found.on_declared.refused, &found.on_declared.gained] {
        if let Answer::Yes(value) = answer {
            values.push(value.clone());
        }
    }
    values.extend(found.witnesses.old_only.clone());
    values.extend(found.witnesses.new_only.clone());
    let near: Vec<Value> = values.iter().rev().take(4).map(|value| mutated(rng, value)).collect();
    values.extend(near);
    values
}

/// Whether each side lies within the other, as far as is decided.
fn inclusions(found: &Comparison) -> (Option<bool>, Option<bool>) {
    let side =
        |witness: &Option<Value>, equal: bool| if witness.is_some() { Some(false) } else { equal.then_some(true) };
    let decided = !matches!(found.accepts, Accepts::Undecided { .. });
    (side(&found.witnesses.old_only, decided), side(&found.witnesses.new_only, decided))
}

fn check(rng: &mut Rng, seed: u64, old: &Value, new: &Value) -> Comparison {
    let found = compare(old, new, &Budget::default());
    let told = || {
        format!(
            "seed {seed}\nold {old}\nnew {new}\n{:?}\n{:?}\n{:?}",
            found.accepts, found.witnesses, found.on_declared
        )
    };
    if let (Some(old_validator), Some(new_validator)) = (validator(old), validator(new)) {
        let (old_in_new, new_in_old) = inclusions(&found);
        for value in instances(rng, &found) {
            let (by_old, by_new) = (old_validator.is_valid(&value), new_validator.is_valid(&value));
            assert!(!(old_in_new == Some(true) && by_old && !by_new), "{value} refutes old within new\n{}", told());
            assert!(!(new_in_old == Some(true) && by_new && !by_old), "{value} refutes new within old\n{}", told());
        }
        for (witness, accepts, refuses) in [
            (&found.witnesses.old_only, &old_validator, &new_validator),
            (&found.witnesses.new_only, &new_validator, &old_validator),
        ] {
            if let Some(witness) = witness {
                assert!(accepts.is_valid(witness) && !refuses.is_valid(witness), "{witness} is no witness\n{}", told());
            }
        }
    }
    check_declared(rng, old, new, &found, &told);
    if let Accepts::Undecided { reason } = &found.accepts {
        assert!(!reason.contains("in another way"), "{}", told());
    }
    found
}

/// Whether an instance consists of declared names only. Names are told by their pointers; an object without any is free.
fn is_declared(value: &Value, at: &str, names: &BTreeSet<String>) -> bool {
    match value {
        Value::Array(items) => items.iter().all(|item| is_declared(item, &format!("{at}/*"), names)),
        Value::Object(members) => {
            let own = |name: &String| {
                name.strip_prefix(at)
                    .is_some_and(|rest| rest.starts_with('/') && !rest[1..].contains('/') && rest != "/*")
            };
            let free = !names.iter().any(own);
            members.iter().all(|(name, member)| {
                let place = format!("{at}/{name}");
                free || (names.contains(&place) && is_declared(member, &place, names))
            })
        }
        _ => true,
    }
}

/// Where no instance of declared parameters is lost, none is.
fn check_declared(rng: &mut Rng, old: &Value, new: &Value, found: &Comparison, told: &dyn Fn() -> String) {
    let text = old.to_string();
    // Maps and patterns declare names that no list has.
    let listed = !["patternProperties", "additionalProperties", "unevaluatedProperties", "$ref"]
        .iter()
        .any(|word| text.contains(word));
    if !listed || found.on_declared.refused != Answer::No {
        return;
    }
    let names: BTreeSet<String> = compare(&json!(true), old, &Budget::default()).declares.added.into_iter().collect();
    let (Some(old), Some(new)) = (validator(old), validator(new)) else { return };
    for value in instances(rng, found) {
        let lost = value.is_object() && old.is_valid(&value) && !new.is_valid(&value);
        assert!(!(lost && is_declared(&value, "", &names)), "{value} is declared and lost\n{}", told());
    }
}

/// The same schema in draft-07's words; none where draft-07 has no word for something in it.
fn in_draft_07(schema: &Value) -> Option<Value> {
    let Some(members) = schema.as_object() else { return Some(schema.clone()) };
    let mut new = Map::new();
    for (keyword, value) in members {
        let list =
            |value: &Value| value.as_array()?.iter().map(in_draft_07).collect::<Option<Vec<_>>>().map(Value::Array);
        let names = |value: &Value| {
            let inner = |(name, schema): (&String, &Value)| Some((name.clone(), in_draft_07(schema)?));
            value.as_object()?.iter().map(inner).collect::<Option<Map<_, _>>>().map(Value::Object)
        };
        let (keyword, value) = match keyword.as_str() {
            "unevaluatedProperties" | "unevaluatedItems" | "minContains" | "maxContains" => return None,
            "prefixItems" => ("items", list(value)?),
            "items" if members.contains_key("prefixItems") => ("additionalItems", in_draft_07(value)?),
            "dependentRequired" if members.contains_key("dependentSchemas") => return None,
            "dependentRequired" => ("dependencies", value.clone()),
            "dependentSchemas" => ("dependencies", names(value)?),
            "$defs" => ("definitions", names(value)?),
            "properties" | "patternProperties" => (keyword.as_str(), names(value)?),
            "allOf" | "anyOf" | "oneOf" => (keyword.as_str(), list(value)?),
            "items" | "additionalProperties" | "propertyNames" | "contains" | "not" | "if" | "then" | "else" => {
                (keyword.as_str(), in_draft_07(value)?)
            }
            "$ref" if members.len() > 1 => return None,
            "$ref" => ("$ref", json!(value.as_str()?.replace("$defs", "definitions"))),
            other => (other, value.clone()),
        };
        new.insert(keyword.to_owned(), value);
    }
    Some(Value::Object(new))
}

#[test]
fn the_same_in_another_dialect_is_equal() {
    for_each_seed(300, another_dialect);
}

fn another_dialect(rng: &mut Rng, seed: u64) {
    let new = document(rng);
    let Some(mut old) = in_draft_07(&new).filter(Value::is_object) else { return };
    old["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    let found = compare(&old, &new, &Budget::default());
    let word = found.accepts.word();
    assert!(word == "equal" || word == "undecided", "seed {seed}: {word}\n{old}\n{new}\n{:?}", found.witnesses);
}

fn mirrored(accepts: &Accepts) -> &'static str {
    match accepts {
        Accepts::Wider => "narrower",
        Accepts::Narrower => "wider",
        other => other.word(),
    }
}

#[test]
fn verdicts_hold_and_mirror_each_other() {
    let mut told = Told::default();
    for_each_seed(300, |rng, seed| mirror(rng, seed, &mut told));
    eprintln!("{:?}\n{:#?}", told.words, told.reasons);
}

/// How often which verdict was given, and why none was.
#[derive(Default)]
struct Told {
    words: BTreeMap<&'static str, u64>,
    reasons: BTreeMap<String, u64>,
}

fn mirror(rng: &mut Rng, seed: u64, told: &mut Told) {
    let old = document(rng);
    let new = match rng.u8(..4) {
        0 => document(rng),
        1 => {
            let once = mutated(rng, &old);
            mutated(rng, &once)
        }
        _ => mutated(rng, &old),
    };
    let found = check(rng, seed, &old, &new);
    *told.words.entry(found.accepts.word()).or_default() += 1;
    if let Accepts::Undecided { reason } = &found.accepts {
        // A schema that no validator reads either says nothing about the rules.
        if validator(&old).is_some() && validator(&new).is_some() {
            let short: String = reason.chars().take(90).collect();
            *told.reasons.entry(short).or_default() += 1;
        }
    }
    let back = compare(&new, &old, &Budget::default());
    let fits = back.accepts.word() == mirrored(&found.accepts)
        || [&back.accepts, &found.accepts].iter().any(|accepts| matches!(accepts, Accepts::Undecided { .. }));
    assert!(fits, "seed {seed}\nold {old}\nnew {new}\n{:?}\n{:?}", found.accepts, back.accepts);
}

/// The long random run: `cargo test --release --test schema_property -- --ignored --nocapture`. `PINWATCH_SCHEMA_SECONDS` sets
/// how long (default 600), `PINWATCH_SCHEMA_SEED` where it starts.
#[test]
#[ignore = "takes ten minutes"]
fn a_long_run_contradicts_nothing() {
    let end = Instant::now() + Duration::from_secs(setting("PINWATCH_SCHEMA_SECONDS", 600));
    let mut told = Told::default();
    let mut seed = setting("PINWATCH_SCHEMA_SEED", 1_000_000);
    let mut slowest = (Duration::ZERO, 0);
    while Instant::now() < end {
        let start = Instant::now();
        mirror(&mut Rng::with_seed(seed), seed, &mut told);
        slowest = slowest.max((start.elapsed(), seed));
        known_direction(&mut Rng::with_seed(seed), seed);
        transitive(&mut Rng::with_seed(seed), seed);
        another_dialect(&mut Rng::with_seed(seed), seed);
        seed += 1;
    }
    eprintln!("up to seed {seed}, slowest {slowest:?}\n{:?}\n{:#?}", told.words, told.reasons);
}

#[test]
fn mutations_of_a_known_direction_give_it_or_nothing() {
    for_each_seed(80, known_direction);
}

fn known_direction(rng: &mut Rng, seed: u64) {
    let (one, other) = (schema(rng, 2, false), schema(rng, 2, false));
    let cases = [
        (json!({ "anyOf": [one, other] }), &["equal", "wider"]),
        (json!({ "allOf": [one, other] }), &["equal", "narrower"]),
        (json!({ "not": { "not": one } }), &["equal", "equal"]),
        (json!({ "allOf": [one, true], "description": "x" }), &["equal", "equal"]),
        (json!({ "anyOf": [one, { "allOf": [one, other] }] }), &["equal", "equal"]),
        (json!({ "if": other, "then": one, "else": one }), &["equal", "equal"]),
        (json!({ "$ref": "#/$defs/one", "$defs": { "one": one } }), &["equal", "equal"]),
    ];
    for (new, words) in cases {
        let found = check(rng, seed, &one, &new);
        let word = found.accepts.word();
        assert!(word == "undecided" || words.contains(&word), "seed {seed}: {word}\nold {one}\nnew {new}");
    }
}

#[test]
fn inclusion_is_transitive() {
    for_each_seed(100, transitive);
}

fn transitive(rng: &mut Rng, seed: u64) {
    let first = document(rng);
    let second = mutated(rng, &first);
    let third = mutated(rng, &second);
    let steps = [(&first, &second), (&second, &third), (&first, &third)];
    let [one, two, both] = steps.map(|(old, new)| inclusions(&compare(old, new, &Budget::default())));
    let holds =
        |a: Option<bool>, b: Option<bool>, c: Option<bool>| !(a == Some(true) && b == Some(true) && c == Some(false));
    assert!(holds(one.0, two.0, both.0) && holds(one.1, two.1, both.1), "seed {seed}\n{first}\n{second}\n{third}");
}
