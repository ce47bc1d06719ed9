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
fn declared_names_are_parameters_of_an_input_and_members_of_an_output() {
    let one = json!({"properties": {"a": {}}});
    let two = json!({"properties": {"a": {}, "b": {"type": "string"}}});
    check(&[
        (one.clone(), two.clone(), &["declares one more parameter, `b`"]),
        (two.clone(), one.clone(), &["no longer declares the parameter `b`"]),
        (
            json!({"properties": {"a": true}}),
            json!({"properties": {"a": false}}),
            &["the parameter `a` was `true` and is `false`"],
        ),
        (json!({}), one.clone(), &["declares one more parameter, `a`"]),
        (within_a(&one), within_a(&two), &["declares one more parameter, `a.b`"]),
        (within_a(&json!({"items": one})), within_a(&json!({"items": two})), &["declares one more parameter, `a.*.b`"]),
        (json!({"anyOf": [one]}), json!({"anyOf": [two]}), &["declares one more parameter, `b` under `anyOf/0`"]),
        (
            json!({"$defs": {"D": one}}),
            json!({"$defs": {"D": two}}),
            &["declares one more parameter, `b` in the shared definition `D`"],
        ),
        // A name may be that of a keyword, or look like an index.
        (
            json!({"properties": {"properties": {"properties": {}}}}),
            json!({"properties": {"properties": {"properties": {"0": {}}}}}),
            &["declares one more parameter, `properties.0`"],
        ),
    ]);
    check_in(
        Direction::Output,
        &[
            (one.clone(), two.clone(), &["declares one more output member, `b`"]),
            (two, one, &["no longer declares the output member `b`"]),
            (
                json!({"properties": {"a": true}}),
                json!({"properties": {"a": {"type": "null"}}}),
                &[r#"the output member `a` was `true` and is `{"type":"null"}`"#],
            ),
        ],
    );
}

#[test]
fn required_names_and_closed_objects_are_told_by_what_a_caller_must_do() {
    let required = |names: Value| json!({"required": names});
    check(&[
        (json!({}), required(json!(["a"])), &["`a` must be given now"]),
        (required(json!(["a"])), json!({}), &["`a` need not be given any more"]),
        (required(json!(["a"])), required(json!(["b", "c"])), &["`b`, `c` must be given now and `a` need not"]),
        (
            required(json!(["a", "b"])),
            required(json!(["b", "a"])),
            &["the values of `required` of the whole stand in another order"],
        ),
        (json!({}), required(json!([])), &["`required` of the whole is written in another way"]),
        (within_a(&json!({})), within_a(&required(json!(["x"]))), &["`x` must be given now in `a`"]),
        (json!({}), json!({"additionalProperties": false}), &["names that are not declared are refused now"]),
        (
            json!({"additionalProperties": false}),
            json!({"additionalProperties": {}}),
            &["names that are not declared are accepted now"],
        ),
        (
            within_a(&json!({"unevaluatedProperties": true})),
            within_a(&json!({"unevaluatedProperties": false})),
            &["names that are not declared are refused now in `a`"],
        ),
        (
            json!({"allOf": [{"additionalProperties": true}]}),
            json!({"allOf": [{"additionalProperties": false}]}),
            &["names that are not declared are refused now under `allOf/0`"],
        ),
        (
            json!({"additionalProperties": true}),
            json!({"additionalProperties": {"type": "null"}}),
            &[r#"`additionalProperties` of the whole was `true` and is `{"type":"null"}`"#],
        ),
    ]);
}

#[test]
fn values_and_types_are_told_by_what_comes_and_goes() {
    let of = |values: Value| within_a(&json!({"enum": values}));
    check(&[
        (of(json!(["x"])), of(json!(["x", "y"])), &[r#"`enum` of `a` gains `"y"`"#]),
        (of(json!(["x", 1])), of(json!(["x"])), &["`enum` of `a` loses `1`"]),
        (of(json!(["x"])), of(json!([null])), &[r#"`enum` of `a` gains `null`, loses `"x"`"#]),
        (of(json!(["x", "y"])), of(json!(["y", "x"])), &["the values of `enum` of `a` stand in another order"]),
        (
            of(json!([0])),
            of(json!([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])),
            &["`enum` of `a` gains `1`, `2`, `3`, `4`, `5`, `6`, `7`, `8`, 1 more"],
        ),
        (within_a(&json!({})), of(json!(["x"])), &[r#"`enum` of `a` is new: `["x"]`"#]),
        (
            json!({"type": ["null", "object"]}),
            json!({"type": ["object", "array"]}),
            &[r#"`type` of the whole gains `"array"`, loses `"null"`"#],
        ),
        (
            json!({"type": "null"}),
            json!({"type": "object"}),
            &[r#"`type` of the whole was `"null"` and is `"object"`"#],
        ),
        // The same set, and yet no other order.
        (
            json!({"type": "null"}),
            json!({"type": ["null"]}),
            &[r#"`type` of the whole was `"null"` and is `["null"]`"#],
        ),
        (
            json!({"type": ["integer", "number"]}),
            json!({"type": ["number"]}),
            &[r#"`type` of the whole loses `"integer"`"#],
        ),
        (of(json!([1, 2])), of(json!([1.0, 2])), &["`enum` of `a` is written in another way"]),
        (of(json!([1, 1])), of(json!([1])), &["`enum` of `a` is written in another way"]),
    ]);
}

#[test]
fn every_other_keyword_is_told_by_its_value_and_its_place() {
    let limit = |value: u8| json!({"maxLength": value});
    check(&[
        (limit(3), limit(5), &["`maxLength` of the whole was `3` and is `5`"]),
        (within_a(&json!({})), within_a(&limit(5)), &["`maxLength` of `a` is new: `5`"]),
        (within_a(&limit(5)), within_a(&json!({})), &["`maxLength` of `a` is gone: it was `5`"]),
        (json!({"items": limit(3)}), json!({"items": limit(5)}), &["`maxLength` of `*` was `3` and is `5`"]),
        (
            json!({"oneOf": [limit(3)]}),
            json!({"oneOf": [limit(5)]}),
            &["`maxLength` under `oneOf/0` was `3` and is `5`"],
        ),
        (
            within_a(&json!({"if": {"const": 1}, "then": limit(3)})),
            within_a(&json!({"if": {"const": 1}, "then": limit(5)})),
            &["`maxLength` of `a` under `then` was `3` and is `5`"],
        ),
        (
            json!({"$defs": {"D": {"properties": {"p": limit(3)}}}}),
            json!({"$defs": {"D": {"properties": {"p": limit(5)}}}}),
            &["`maxLength` of `p` in the shared definition `D` was `3` and is `5`"],
        ),
        (
            json!({"$defs": {"D": limit(3)}}),
            json!({"$defs": {"D": limit(5)}}),
            &["`maxLength` of the shared definition `D` was `3` and is `5`"],
        ),
        (json!({}), json!({"$defs": {"D": {}}}), &["the shared definition `D` is new"]),
        (json!({"definitions": {"D": {}}}), json!({}), &["the shared definition `D` is gone"]),
        (
            within_a(&json!({"anyOf": [limit(3)]})),
            within_a(&json!({"anyOf": [limit(3), limit(5)]})),
            &[r#"`anyOf/1` of `a` is new: `{"maxLength":5}`"#],
        ),
        (json!({"allOf": [{}, limit(3)]}), json!({"allOf": [{}]}), &[r#"`allOf/1` is gone: it was `{"maxLength":3}`"#]),
        (
            json!({}),
            json!({"patternProperties": {"^x": limit(3)}}),
            &[r#"`patternProperties/^x` is new: `{"maxLength":3}`"#],
        ),
        (
            json!({"dependentRequired": {"a": ["b"]}}),
            json!({}),
            &[r#"`dependentRequired` of the whole is gone: it was `{"a":["b"]}`"#],
        ),
        (json!({"not": limit(3)}), json!({}), &[r#"`not` of the whole is gone: it was `{"maxLength":3}`"#]),
        (
            within_a(&json!({"format": "date"})),
            within_a(&json!({})),
            &[
                r#"`format` of `a` was `"date"` and is absent: a hint by the specification, and a rule to those who check it"#,
            ],
        ),
        (
            json!({"$schema": "http://json-schema.org/draft-07/schema#"}),
            json!({"$schema": "https://json-schema.org/draft/2020-12/schema"}),
            &[
                r#"the dialect was `"http://json-schema.org/draft-07/schema#"` and is `"https://json-schema.org/draft/2020-12/schema"`"#,
            ],
        ),
        (json!(true), json!(false), &["the whole was `true` and is `false`"]),
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
    assert_eq!(told, format!("`const` of `{name}…` was `\"x\"` and is `\"{value}…`"));
}

/// Where a boolean stands for a schema, the change is of the keyword that holds it: never of a name or an index.
#[test]
fn a_boolean_schema_that_changed_names_the_keyword_that_holds_it() {
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
    assert_eq!(words, ["equal: exactly what it accepted before; read as 2020-12, before as draft-07"]);
}
