//! What a person reads of a changed schema: one sentence a keyword that differs, in words that were written down before the code.

use pinwatch::drift::{Drift, Policy, compare as compare_surfaces};
use pinwatch::schema::{Budget, Direction, SchemaChange, compare};
use serde_json::{Value, json};

fn changes(old: &Value, new: &Value) -> Vec<SchemaChange> {
    compare(old, new, &Budget::default()).changes
}

/// Each row: old, new, and the sentences for an input schema.
fn check(rows: &[(Value, Value, &[&str])]) {
    check_in(Direction::Input, rows);
}

fn check_in(direction: Direction, rows: &[(Value, Value, &[&str])]) {
    for (old, new, sentences) in rows {
        let told: Vec<String> = changes(old, new).iter().map(|change| change.sentence(direction)).collect();
        assert_eq!(told, *sentences, "{old} -> {new}");
    }
}

/// `schema` as that of the parameter `a`.
fn within_a(schema: &Value) -> Value {
    json!({"properties": {"a": schema}})
}

#[test]
fn inputs_have_parameters_and_outputs_members() {
    let one = json!({"properties": {"a": {}}});
    let two = json!({"properties": {"a": {}, "b": {"type": "string"}}});
    check(&[
        (one.clone(), two.clone(), &["New parameter `b`"]),
        (two.clone(), one.clone(), &["Removed parameter `b`"]),
        (
            json!({"properties": {"a": true}}),
            json!({"properties": {"a": false}}),
            &["The parameter `a` changed from `true` to `false`"],
        ),
        (json!({}), one.clone(), &["New parameter `a`"]),
        (within_a(&one), within_a(&two), &["New parameter `a.b`"]),
        (within_a(&json!({"items": one})), within_a(&json!({"items": two})), &["New parameter `a.*.b`"]),
        (json!({"anyOf": [one]}), json!({"anyOf": [two]}), &["New parameter `b` under `anyOf/0`"]),
        (
            json!({"$defs": {"D": one}}),
            json!({"$defs": {"D": two}}),
            &["New parameter `b` in the shared definition `D`"],
        ),
        // A name may be that of a keyword, or look like an index.
        (
            json!({"properties": {"properties": {"properties": {}}}}),
            json!({"properties": {"properties": {"properties": {"0": {}}}}}),
            &["New parameter `properties.0`"],
        ),
    ]);
    check_in(
        Direction::Output,
        &[
            (one.clone(), two.clone(), &["New output member `b`"]),
            (two, one, &["Removed output member `b`"]),
            (
                json!({"properties": {"a": true}}),
                json!({"properties": {"a": {"type": "null"}}}),
                &[r#"The output member `a` changed from `true` to `{"type":"null"}`"#],
            ),
        ],
    );
}

#[test]
fn required_names_are_told_as_what_callers_must_do() {
    let required = |names: Value| json!({"required": names});
    check(&[
        (json!({}), required(json!(["a"])), &["Now requires `a`"]),
        (required(json!(["a"])), json!({}), &["No longer requires `a`"]),
        (required(json!(["a"])), required(json!(["b", "c"])), &["Now requires `b`, `c` and no longer `a`"]),
        (required(json!(["a", "b"])), required(json!(["b", "a"])), &["`required` of the schema reordered"]),
        (json!({}), required(json!([])), &["`required` of the schema is written differently"]),
        (within_a(&json!({})), within_a(&required(json!(["x"]))), &["Now requires `x` in `a`"]),
        (json!({}), json!({"additionalProperties": false}), &["Unknown parameters are now rejected"]),
        (
            json!({"additionalProperties": false}),
            json!({"additionalProperties": {}}),
            &["Unknown parameters are now allowed"],
        ),
        (
            within_a(&json!({"unevaluatedProperties": true})),
            within_a(&json!({"unevaluatedProperties": false})),
            &["Unknown parameters are now rejected in `a`"],
        ),
        (
            json!({"allOf": [{"additionalProperties": true}]}),
            json!({"allOf": [{"additionalProperties": false}]}),
            &["Unknown parameters are now rejected under `allOf/0`"],
        ),
        (
            json!({"additionalProperties": true}),
            json!({"additionalProperties": {"type": "null"}}),
            &[r#"`additionalProperties` of the schema changed from `true` to `{"type":"null"}`"#],
        ),
    ]);
}

#[test]
fn values_and_types_are_told_by_what_comes_and_goes() {
    let of = |values: Value| within_a(&json!({"enum": values}));
    check(&[
        (of(json!(["x"])), of(json!(["x", "y"])), &[r#"`enum` of `a` gained `"y"`"#]),
        (of(json!(["x", 1])), of(json!(["x"])), &["`enum` of `a` lost `1`"]),
        (of(json!(["x"])), of(json!([null])), &[r#"`enum` of `a` gained `null`, lost `"x"`"#]),
        (of(json!(["x", "y"])), of(json!(["y", "x"])), &["`enum` of `a` reordered"]),
        (
            of(json!([0])),
            of(json!([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])),
            &["`enum` of `a` gained `1`, `2`, `3`, `4`, `5`, `6`, `7`, `8`, 1 more"],
        ),
        (within_a(&json!({})), of(json!(["x"])), &[r#"`enum` of `a` is now `["x"]` (was absent)"#]),
        (
            json!({"type": ["null", "object"]}),
            json!({"type": ["object", "array"]}),
            &[r#"`type` of the schema gained `"array"`, lost `"null"`"#],
        ),
        (
            json!({"type": "null"}),
            json!({"type": "object"}),
            &[r#"`type` of the schema changed from `"null"` to `"object"`"#],
        ),
        // The same set, and yet no other order.
        (
            json!({"type": "null"}),
            json!({"type": ["null"]}),
            &[r#"`type` of the schema changed from `"null"` to `["null"]`"#],
        ),
        (
            json!({"type": ["integer", "number"]}),
            json!({"type": ["number"]}),
            &[r#"`type` of the schema lost `"integer"`"#],
        ),
        (of(json!([1, 2])), of(json!([1.0, 2])), &["`enum` of `a` is written differently"]),
        (of(json!([1, 1])), of(json!([1])), &["`enum` of `a` is written differently"]),
    ]);
}

#[test]
fn other_keywords_are_told_by_value_and_place() {
    let limit = |value: u8| json!({"maxLength": value});
    check(&[
        (limit(3), limit(5), &["`maxLength` of the schema changed from `3` to `5`"]),
        (within_a(&json!({})), within_a(&limit(5)), &["`maxLength` of `a` is now `5` (was absent)"]),
        (within_a(&limit(5)), within_a(&json!({})), &["`a` lost its `maxLength` (was `5`)"]),
        (json!({"items": limit(3)}), json!({"items": limit(5)}), &["`maxLength` of `*` changed from `3` to `5`"]),
        (
            json!({"oneOf": [limit(3)]}),
            json!({"oneOf": [limit(5)]}),
            &["`maxLength` under `oneOf/0` changed from `3` to `5`"],
        ),
        (
            within_a(&json!({"if": {"const": 1}, "then": limit(3)})),
            within_a(&json!({"if": {"const": 1}, "then": limit(5)})),
            &["`maxLength` of `a` under `then` changed from `3` to `5`"],
        ),
        (
            json!({"$defs": {"D": {"properties": {"p": limit(3)}}}}),
            json!({"$defs": {"D": {"properties": {"p": limit(5)}}}}),
            &["`maxLength` of `p` in the shared definition `D` changed from `3` to `5`"],
        ),
        (
            json!({"$defs": {"D": limit(3)}}),
            json!({"$defs": {"D": limit(5)}}),
            &["`maxLength` of the shared definition `D` changed from `3` to `5`"],
        ),
        (json!({}), json!({"$defs": {"D": {}}}), &["New shared definition `D`"]),
        (json!({"definitions": {"D": {}}}), json!({}), &["Removed the shared definition `D`"]),
        (
            within_a(&json!({"anyOf": [limit(3)]})),
            within_a(&json!({"anyOf": [limit(3), limit(5)]})),
            &[r#"`anyOf/1` of `a` added: `{"maxLength":5}`"#],
        ),
        (json!({"allOf": [{}, limit(3)]}), json!({"allOf": [{}]}), &[r#"`allOf/1` removed (was `{"maxLength":3}`)"#]),
        (
            json!({}),
            json!({"patternProperties": {"^x": limit(3)}}),
            &[r#"`patternProperties/^x` added: `{"maxLength":3}`"#],
        ),
        (
            json!({"dependentRequired": {"a": ["b"]}}),
            json!({}),
            &[r#"The schema lost its `dependentRequired` (was `{"a":["b"]}`)"#],
        ),
        (json!({"not": limit(3)}), json!({}), &[r#"The schema lost its `not` (was `{"maxLength":3}`)"#]),
        (
            within_a(&json!({"format": "date"})),
            within_a(&json!({})),
            &[r#"`format` of `a` changed from `"date"` to absent; only some clients check it"#],
        ),
        (
            json!({"$schema": "http://json-schema.org/draft-07/schema#"}),
            json!({"$schema": "https://json-schema.org/draft/2020-12/schema"}),
            &[
                r#"Dialect changed from `"http://json-schema.org/draft-07/schema#"` to `"https://json-schema.org/draft/2020-12/schema"`"#,
            ],
        ),
        (json!(true), json!(false), &["The schema changed from `true` to `false`"]),
    ]);
}

#[test]
fn long_names_and_values_are_cut_where_that_shows() {
    let (name, value) = ("n".repeat(90), "v".repeat(90));
    let old = json!({"properties": {&name: {"const": "x"}}});
    let new = json!({"properties": {&name: {"const": value}}});
    let told = changes(&old, &new)[0].sentence(Direction::Input);
    // A quoted text starts with its quotation mark.
    let (name, value) = ("n".repeat(80), "v".repeat(79));
    assert_eq!(told, format!("`const` of `{name}…` changed from `\"x\"` to `\"{value}…`"));
}

/// Where a boolean stands for a schema, the change is of the keyword that holds it: never of a name or an index.
#[test]
fn changed_boolean_schema_names_its_keyword() {
    let draft_07 = "http://json-schema.org/draft-07/schema#";
    for (around, pointer, keyword) in [
        (json!({"properties": {"type": "here"}}), "/properties/type", "properties"),
        (json!({"patternProperties": {"^a/b": "here"}}), "/patternProperties/^a~1b", "patternProperties"),
        (json!({"$defs": {"D": "here"}}), "/$defs/D", "$defs"),
        (json!({"definitions": {"items": "here"}}), "/definitions/items", "definitions"),
        (json!({"dependentSchemas": {"a": "here"}}), "/dependentSchemas/a", "dependentSchemas"),
        (json!({"$schema": draft_07, "dependencies": {"a": "here"}}), "/dependencies/a", "dependencies"),
        (json!({"prefixItems": [{}, "here"]}), "/prefixItems/1", "prefixItems"),
        (json!({"$schema": draft_07, "items": ["here"]}), "/items/0", "items"),
        (json!({"anyOf": ["here", {"type": "null"}]}), "/anyOf/0", "anyOf"),
        (json!({"items": "here"}), "/items", "items"),
        (json!({"additionalProperties": "here"}), "/additionalProperties", "additionalProperties"),
        (json!({"not": "here"}), "/not", "not"),
        (json!({"properties": {"0": {"items": "here"}}}), "/properties/0/items", "items"),
        (json!("here"), "", ""),
    ] {
        let with = |flag: &str| -> Value { around.to_string().replace("\"here\"", flag).parse().unwrap_or_default() };
        let found = changes(&with("true"), &with("false"));
        let told: Vec<_> = found.iter().map(|change| (change.pointer.as_str(), change.keyword.as_str())).collect();
        assert_eq!(told, [(pointer, keyword)], "{around}");
    }
}

/// Draft-07's array under `items` is 2020-12's `prefixItems`: nothing else is accepted, and the verdict says how it was read.
#[test]
fn a_verdict_of_another_dialect_names_both() {
    let tool = |schema: Value| {
        let document = json!({"tools": [{"name": "t", "inputSchema": {"type": "object"}, "outputSchema": schema}]});
        crate::surfaces::surface(&crate::surfaces::observation(document.to_string().as_bytes()))
    };
    let pair = json!([{"type": "string"}, {"type": "integer"}]);
    let schema = |dialect: &str, keyword: &str| json!({"$schema": dialect, "type": "object", "properties": {"pair": {"type": "array", keyword: pair}}});
    let old = tool(schema("http://json-schema.org/draft-07/schema#", "items"));
    let new = tool(schema("https://json-schema.org/draft/2020-12/schema", "prefixItems"));
    let drifts = compare_surfaces(&crate::surfaces::recorded(&old), &new, &Policy::default()).drifts;
    let words: Vec<_> = drifts.iter().flat_map(Drift::verdicts).map(|verdict| verdict.words.as_str()).collect();
    assert_eq!(words, ["the same as before; read as 2020-12 (was draft-07)"]);
}
