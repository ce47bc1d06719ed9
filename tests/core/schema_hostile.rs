//! No schema makes the comparison panic, hang or overflow the stack; past a bound it says "not decided".

use crate::work::work;
use pinwatch::schema::{Accepts, Budget, Comparison, compare};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// A ceiling of work that only a hang or an explosion passes, on a slow machine in a debug build.
const CEILING: Duration = Duration::from_secs(20);

fn bounded(what: &str, old: &Value, new: &Value) -> Comparison {
    let (took, (found, back)) = work(|| (compare(old, new, &Budget::default()), compare(new, old, &Budget::default())));
    assert!(took < CEILING, "{what} took {took:?}");
    let mirrored = matches!(
        (found.accepts.word(), back.accepts.word()),
        ("wider", "narrower") | ("narrower", "wider") | ("undecided", _) | (_, "undecided")
    ) || found.accepts == back.accepts;
    assert!(mirrored, "{what}: {:?} and {:?}", found.accepts, back.accepts);
    found
}

fn is_undecided(found: &Comparison) -> bool {
    matches!(found.accepts, Accepts::Undecided { .. })
}

fn nested(depth: usize, wrap: impl Fn(Value) -> Value, inner: Value) -> Value {
    (0..depth).fold(inner, |schema, _| wrap(schema))
}

#[test]
fn deep_schemas_are_not_followed_to_the_end() {
    for (what, wrap) in [
        ("not", (|inner| json!({ "not": inner })) as fn(Value) -> Value),
        ("items", |inner| json!({ "items": inner })),
        ("properties", |inner| json!({ "properties": { "a": inner }, "required": ["a"] })),
        ("anyOf", |inner| json!({ "anyOf": [inner, { "type": "null" }] })),
        ("unevaluatedProperties", |inner| json!({ "allOf": [inner], "unevaluatedProperties": false })),
    ] {
        for depth in [10, 30, 200, 900] {
            let (old, new) = (nested(depth, wrap, json!({"minimum": 1})), nested(depth, wrap, json!({"minimum": 2})));
            let found = bounded(&format!("{what} {depth}"), &old, &new);
            assert!(depth < 200 || is_undecided(&found), "{what} {depth}");
        }
    }
    let value = |leaf: u8| json!({ "const": nested(900, |inner| json!([inner]), json!(leaf)) });
    assert!(is_undecided(&bounded("a deep constant", &value(1), &value(2))));
}

#[test]
fn wide_schemas_end() {
    let object = |count: usize, kind: &str| {
        let members: Map<String, Value> = (0..count).map(|at| (format!("p{at}"), json!({ "type": kind }))).collect();
        let required: Vec<String> = members.keys().cloned().collect();
        json!({ "type": "object", "properties": members, "required": required })
    };
    bounded("many members", &object(300, "string"), &object(300, "null"));
    bounded("many more members", &object(3_000, "string"), &object(3_000, "integer"));
    let branches = |keyword: &str, count: usize, extra: &Value| {
        let branch = |at: usize| json!({ "type": "object", "properties": { "k": { "const": at }, "v": extra }, "required": ["k", format!("r{at}")] });
        json!({ keyword: (0..count).map(branch).collect::<Vec<_>>() })
    };
    for keyword in ["oneOf", "anyOf", "allOf"] {
        for count in [8, 40, 200] {
            let what = format!("{keyword} of {count}");
            bounded(
                &what,
                &branches(keyword, count, &json!(true)),
                &branches(keyword, count, &json!({"type": "null"})),
            );
        }
    }
    // Overlapping branches without a discriminator: exactly one of many is a product.
    let overlapping = |count: usize, step: u64| json!({ "oneOf": (0..count).map(|at| json!({ "minimum": at, "multipleOf": at as u64 + step })).collect::<Vec<_>>() });
    bounded("overlapping numbers", &overlapping(20, 1), &overlapping(20, 2));
    let cubes = |count: usize, kind: &str| {
        let choice = |at: usize| json!({ "anyOf": [{ "required": [format!("a{at}")] }, { "properties": { format!("b{at}"): { "type": kind } } }] });
        json!({ "type": "object", "allOf": (0..count).map(choice).collect::<Vec<_>>() })
    };
    bounded("a cube of choices", &cubes(40, "null"), &cubes(40, "string"));
    bounded("a cube against its contrary", &cubes(40, "null"), &json!({ "not": cubes(40, "null") }));
    let values = |from: usize| json!({ "enum": (from..from + 5_000).collect::<Vec<_>>() });
    bounded("long lists", &values(0), &values(1));
    let conditions = |count: usize, flag: bool| json!({ "allOf": (0..count).map(|at| json!({ "if": { "required": [format!("p{at}")] }, "then": { "properties": { format!("q{at}"): flag } } })).collect::<Vec<_>>(), "unevaluatedProperties": false });
    assert!(is_undecided(&bounded("many conditions", &conditions(30, true), &conditions(30, false))));
}

#[test]
fn cycles_end() {
    let pair = |one: Value, two: Value| bounded("a cycle", &one, &two);
    let defs = |a: Value, b: Value| json!({ "$ref": "#/$defs/a", "$defs": { "a": a, "b": b } });
    let (to_a, to_b) = (json!({ "$ref": "#/$defs/a" }), json!({ "$ref": "#/$defs/b" }));
    pair(defs(to_b.clone(), to_a.clone()), json!(true));
    pair(json!({ "$ref": "#" }), json!({ "not": { "$ref": "#" } }));
    pair(defs(json!({ "not": to_a }), json!(true)), defs(json!({ "not": to_b }), json!(true)));
    pair(
        defs(json!({ "properties": { "x": to_b, "y": to_a } }), json!({ "items": to_a })),
        defs(json!({ "properties": { "x": to_b, "y": to_b } }), json!({ "items": to_a })),
    );
    // A tree that branches at each level, against the same with one more choice.
    let tree = |leaf: Value| json!({ "anyOf": [leaf, { "type": "object", "properties": { "l": { "$ref": "#" }, "r": { "$ref": "#" } }, "required": ["l", "r"] }] });
    let found = pair(tree(json!({ "type": "null" })), tree(json!({ "type": ["null", "string"] })));
    assert_eq!(found.accepts.word(), "wider");
    let chain: Map<String, Value> =
        (0..2_000).map(|at| (format!("d{at}"), json!({ "$ref": format!("#/$defs/d{}", at + 1) }))).collect();
    pair(json!({ "$ref": "#/$defs/d0", "$defs": chain }), json!(true));
    let fan: Map<String, Value> = (0..60)
        .map(|at| {
            let next = json!({ "$ref": format!("#/$defs/d{}", (at + 1) % 60) });
            (
                format!("d{at}"),
                json!({ "properties": { "a": next, "b": next }, "anyOf": [{ "required": ["a"] }, { "items": next }] }),
            )
        })
        .collect();
    let mut other = fan.clone();
    other.insert("d30".to_owned(), json!({ "type": "object" }));
    pair(json!({ "$ref": "#/$defs/d0", "$defs": fan }), json!({ "$ref": "#/$defs/d0", "$defs": other }));
}

#[test]
fn regular_expressions_end() {
    let patterns = [
        "^(a+)+$",
        "^(a|aa)+$",
        "(x+x+)+y",
        "^(([a-z])+.)+[A-Z]([a-z])+$",
        "(?=(a+)+$)a",
        "^(?:(?:(?:a{1,50}){1,50}){1,50}){1,50}$",
        "(((((a?){20}){20}){20}){20}){20}",
        "[\\s\\S]{1,1000}x[\\s\\S]{1000}",
        "(.*)*\\1",
        "^(?!.*(a|b){3,}c)[abc]{5,}$",
        "(",
        "\\",
        "^\\p{L}+$",
    ];
    for one in patterns {
        for other in [patterns[0], "^[ab]{40}$", one] {
            bounded(one, &json!({ "pattern": one }), &json!({ "pattern": other, "minLength": 30 }));
            let members = |pattern: &str| json!({ "type": "object", "patternProperties": { pattern: { "type": "null" } }, "minProperties": 2 });
            bounded(one, &members(one), &members(other));
        }
    }
    let long = |end: &str| json!({ "pattern": format!("{}{end}", "a?".repeat(50_000)) });
    assert!(is_undecided(&bounded("a long pattern", &long("b"), &long("c"))));
    let many = |count: usize| json!({ "type": "object", "patternProperties": (0..count).map(|at| (format!("^x{at}[a-z]*"), json!({ "minimum": at }))).collect::<Map<_, _>>() });
    bounded("many patterns", &many(200), &many(201));
}

#[test]
fn broken_values_are_no_schemas() {
    for broken in [
        json!(null),
        json!(5),
        json!("string"),
        json!([{ "type": "string" }]),
        json!({ "type": 5 }),
        json!({ "type": ["string", "string", 1] }),
        json!({ "properties": [] }),
        json!({ "properties": { "a": 1 } }),
        json!({ "required": "a" }),
        json!({ "required": [1] }),
        json!({ "enum": "a" }),
        json!({ "minLength": -1 }),
        json!({ "minLength": 1.5 }),
        json!({ "multipleOf": 0 }),
        json!({ "anyOf": [] }),
        json!({ "items": 5 }),
        json!({ "$ref": 5 }),
        json!({ "$schema": 5 }),
        json!({ "$id": "::::" , "$ref": "a b" }),
        json!({ "minItems": 1e300, "maxItems": u64::MAX, "minLength": u64::MAX }),
        json!({ "minimum": -1e308, "maximum": 1e308, "multipleOf": 1e-308 }),
    ] {
        for other in [json!({}), json!({ "type": "object" }), json!(false)] {
            bounded("broken", &broken, &other);
        }
        assert_eq!(bounded("itself", &broken, &broken).accepts, Accepts::Equal);
    }
}
