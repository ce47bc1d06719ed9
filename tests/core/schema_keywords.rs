//! The verdict of every keyword, dialect and reference, worked out by hand from the specification.

use pinwatch::schema::{Budget, Comparison, Direction, compare, effect};
use serde_json::{Value, json};

fn compared(old: &Value, new: &Value) -> Comparison {
    compare(old, new, &Budget::default())
}

/// Each row: old, new, and the word; its mirror is checked too.
fn check(rows: &[(Value, Value, &str)]) {
    for (old, new, word) in rows {
        let found = compared(old, new);
        assert_eq!(found.accepts.word(), *word, "{old} -> {new}: {:?} {:?}", found.accepts, found.witnesses);
        let mirrored = match *word {
            "wider" => "narrower",
            "narrower" => "wider",
            same => same,
        };
        assert_eq!(compared(new, old).accepts.word(), mirrored, "{new} -> {old}");
        let (old_only, new_only) =
            (matches!(*word, "narrower" | "incomparable"), matches!(*word, "wider" | "incomparable"));
        if *word != "undecided" {
            assert_eq!(found.witnesses.old_only.is_some(), old_only, "{old} -> {new}");
            assert_eq!(found.witnesses.new_only.is_some(), new_only, "{old} -> {new}");
        }
    }
}

#[test]
fn types_enums_and_constants() {
    check(&[
        (json!({"type": "string"}), json!({"type": ["string", "null"]}), "wider"),
        (json!({"type": "integer"}), json!({"type": "number"}), "wider"),
        (json!({"type": "integer"}), json!({"type": "number", "multipleOf": 1}), "equal"),
        (json!({"type": ["integer", "number"]}), json!({"type": "number"}), "equal"),
        (json!({"type": "string"}), json!({"type": "integer"}), "incomparable"),
        (json!({}), json!({"type": ["null", "boolean", "number", "string", "array", "object"]}), "equal"),
        (json!({"enum": [1, "a"]}), json!({"enum": ["a", 1.0]}), "equal"),
        (json!({"enum": [1, "a"]}), json!({"enum": ["a"]}), "narrower"),
        (json!({"enum": [true, false]}), json!({"type": "boolean"}), "equal"),
        (json!({"const": null}), json!({"type": "null"}), "equal"),
        (json!({"const": {"a": [1]}}), json!({"enum": [{"a": [1.0]}]}), "equal"),
        (json!({"const": []}), json!({"type": "array", "maxItems": 0}), "equal"),
        (json!({"const": {}}), json!({"type": "object", "additionalProperties": false}), "equal"),
        (json!({"enum": [1, "x"], "type": "string"}), json!({"const": "x"}), "equal"),
        (json!({"const": 9_007_199_254_740_993_u64}), json!({"const": 9_007_199_254_740_992_u64}), "incomparable"),
    ]);
}

#[test]
fn booleans_empty_and_uninhabited_schemas() {
    check(&[
        (json!(true), json!({}), "equal"),
        (json!(false), json!({"not": {}}), "equal"),
        (json!(false), json!({"type": "string"}), "wider"),
        (json!(false), json!({"type": "integer", "minimum": 2, "maximum": 1}), "equal"),
        (json!(false), json!({"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 2}), "equal"),
        (json!(false), json!({"type": "number", "exclusiveMinimum": 1, "exclusiveMaximum": 2}), "wider"),
        (json!(false), json!({"type": "string", "minLength": 3, "maxLength": 2}), "equal"),
        (json!(false), json!({"type": "object", "required": ["a"], "properties": {"a": false}}), "equal"),
        (json!(false), json!({"type": "object", "minProperties": 1, "additionalProperties": false}), "equal"),
        (json!(false), json!({"type": "object", "minProperties": 1, "propertyNames": false}), "equal"),
        (json!(false), json!({"type": "array", "minItems": 1, "items": false}), "equal"),
        (json!(false), json!({"type": "array", "contains": {"type": "string"}, "items": {"type": "null"}}), "equal"),
        (json!(false), json!({"type": "string", "enum": [1, 2]}), "equal"),
        // Under an object that cannot be, everything is the same.
        (
            json!({"properties": {"a": {"not": {}, "minimum": 1}}, "required": ["a"]}),
            json!({"properties": {"a": false}, "required": ["a"]}),
            "equal",
        ),
    ]);
}

#[test]
fn numbers() {
    check(&[
        (json!({"minimum": 1}), json!({"minimum": 2}), "narrower"),
        (json!({"minimum": 1}), json!({"exclusiveMinimum": 1}), "narrower"),
        (json!({"type": "integer", "minimum": 1}), json!({"type": "integer", "exclusiveMinimum": 0}), "equal"),
        (json!({"type": "integer", "maximum": 1.5}), json!({"type": "integer", "maximum": 1}), "equal"),
        (json!({"maximum": 5}), json!({}), "wider"),
        (json!({"minimum": 0, "maximum": 2}), json!({"minimum": 1, "maximum": 3}), "incomparable"),
        (json!({"multipleOf": 2}), json!({"multipleOf": 4}), "narrower"),
        (json!({"multipleOf": 2}), json!({"multipleOf": 3}), "incomparable"),
        (json!({"multipleOf": 6}), json!({"allOf": [{"multipleOf": 2}, {"multipleOf": 3}]}), "equal"),
        (json!({"multipleOf": 0.5}), json!({"multipleOf": 0.25}), "wider"),
        (
            json!({"multipleOf": 1}),
            json!({"type": ["null", "boolean", "string", "array", "object", "integer"]}),
            "equal",
        ),
        (json!({"type": "integer", "minimum": 1, "maximum": 3}), json!({"enum": [1, 2, 3]}), "equal"),
        (json!({"type": "integer", "maximum": 9_007_199_254_740_991_i64}), json!({"type": "integer"}), "wider"),
        (json!({"anyOf": [{"maximum": 3}, {"minimum": 2}]}), json!({}), "equal"),
    ]);
}

#[test]
fn strings_and_patterns() {
    check(&[
        (json!({"minLength": 1}), json!({"minLength": 2}), "narrower"),
        (json!({"maxLength": 1}), json!({"maxLength": 2.0}), "wider"),
        (json!({"pattern": "^a"}), json!({}), "wider"),
        (json!({"pattern": "^[a-z]+$"}), json!({"pattern": "^[a-z0-9]+$"}), "wider"),
        (json!({"pattern": "^\\d+$"}), json!({"pattern": "^[0-9]{1,}$"}), "equal"),
        (json!({"pattern": "^a"}), json!({"pattern": "b$"}), "incomparable"),
        (json!({"pattern": "^.{2,3}$"}), json!({"pattern": "^.{2,4}$"}), "wider"),
        (json!({"pattern": "^[\\s\\S]{2,3}$"}), json!({"minLength": 2, "maxLength": 3}), "equal"),
        (json!({"pattern": "^(a|b)$"}), json!({"pattern": "^[ab]$"}), "equal"),
        (json!({"type": "string", "pattern": "^(a|b)$"}), json!({"enum": ["b", "a"]}), "equal"),
        (json!({"pattern": "^a{3}$"}), json!({"pattern": "^a{3}$", "minLength": 2}), "equal"),
        (json!({"pattern": ""}), json!({}), "equal"),
        (json!({"pattern": "^(?=.{1,5}$)[a-z]+$"}), json!({"pattern": "^[a-z]{1,5}$"}), "equal"),
        (json!({"pattern": "^(?!x)a"}), json!({"pattern": "^(?!x)a", "minLength": 3}), "narrower"),
    ]);
    let changed = compared(&json!({"format": "email"}), &json!({"format": "uuid"}));
    assert_eq!(changed.accepts.word(), "equal", "a format is an annotation, and a class of change of its own");
    assert_eq!(changed.changes[0].kind.word(), "format");
}

#[test]
fn arrays() {
    check(&[
        (json!({"minItems": 1}), json!({"minItems": 2}), "narrower"),
        (json!({"maxItems": 1}), json!({"maxItems": 2}), "wider"),
        (json!({"items": {"type": "string"}}), json!({"items": {"type": ["string", "null"]}}), "wider"),
        (json!({"items": false}), json!({"maxItems": 0}), "equal"),
        (json!({"uniqueItems": true}), json!({"uniqueItems": false}), "wider"),
        (json!({"uniqueItems": true, "maxItems": 1}), json!({"maxItems": 1}), "equal"),
        (json!({"prefixItems": [{"type": "string"}]}), json!({"prefixItems": [{"type": "null"}]}), "incomparable"),
        (
            json!({"prefixItems": [{"type": "string"}], "items": false}),
            json!({"prefixItems": [{"type": "string"}]}),
            "wider",
        ),
        (json!({"prefixItems": [true, false]}), json!({"maxItems": 1}), "equal"),
        (json!({"contains": {"type": "string"}}), json!({"contains": {"type": ["string", "null"]}}), "wider"),
        (json!({"contains": true}), json!({"minItems": 1}), "equal"),
        (json!({"contains": {"const": 1}, "minContains": 0}), json!({}), "equal"),
        (json!({"contains": {"const": 1}}), json!({"contains": {"const": 1}, "minContains": 2}), "narrower"),
        (
            json!({"contains": {"const": 1}, "maxContains": 1}),
            json!({"contains": {"const": 1}, "maxContains": 2}),
            "wider",
        ),
        (
            json!({"contains": {"const": 1}, "minContains": 2, "maxItems": 1}),
            json!({"not": {"type": "array"}}),
            "equal",
        ),
        (
            json!({"not": {"contains": {"not": {"type": "null"}}}}),
            json!({"type": "array", "items": {"type": "null"}}),
            "equal",
        ),
    ]);
}

#[test]
fn objects() {
    let open = json!({"properties": {"a": {"type": "string"}}});
    check(&[
        (json!({"required": ["a"]}), json!({"required": ["b", "a"]}), "narrower"),
        (json!({"required": ["a", "b"]}), json!({"required": ["b", "a"]}), "equal"),
        (open.clone(), json!({"properties": {"a": {"type": "string"}, "b": {"type": "string"}}}), "narrower"),
        (open.clone(), json!({"properties": {"a": {"type": "string"}, "b": {}}}), "equal"),
        (
            json!({"properties": {"a": true}, "additionalProperties": false}),
            json!({"properties": {"a": true, "b": true}, "additionalProperties": false}),
            "wider",
        ),
        (json!({"additionalProperties": false}), json!({"maxProperties": 0}), "equal"),
        (json!({"additionalProperties": {"type": "string"}}), json!({"additionalProperties": true}), "wider"),
        (json!({"minProperties": 1}), json!({"minProperties": 2}), "narrower"),
        (json!({"required": ["a"], "minProperties": 1}), json!({"required": ["a"]}), "equal"),
        (json!({"patternProperties": {"^a": {"type": "string"}}}), json!({}), "wider"),
        (
            json!({"patternProperties": {"^a$": {"type": "string"}}}),
            json!({"properties": {"a": {"type": "string"}}}),
            "equal",
        ),
        (
            json!({"patternProperties": {"^a": {"type": "string"}}}),
            json!({"patternProperties": {"^ab": {"type": "string"}}}),
            "wider",
        ),
        (json!({"propertyNames": {"enum": ["a"]}}), json!({"propertyNames": {"enum": ["a", "b"]}}), "wider"),
        (
            json!({"propertyNames": {"enum": ["a"]}}),
            json!({"properties": {"a": true}, "additionalProperties": false}),
            "equal",
        ),
        (json!({"propertyNames": {"maxLength": 2}}), json!({"propertyNames": {"pattern": "^[\\s\\S]{0,2}$"}}), "equal"),
        (json!({"dependentRequired": {"a": ["b"]}}), json!({}), "wider"),
        (json!({"dependentRequired": {"a": ["b"]}, "required": ["b"]}), json!({"required": ["b"]}), "equal"),
        (json!({"dependentRequired": {"a": ["b"]}}), json!({"dependentSchemas": {"a": {"required": ["b"]}}}), "equal"),
        (json!({"properties": {"a": false}}), json!({"not": {"type": "object", "required": ["a"]}}), "equal"),
    ]);
}

#[test]
fn unevaluated_members_and_items() {
    let closed = |members: Value| {
        let mut schema = members;
        schema["unevaluatedProperties"] = json!(false);
        schema
    };
    check(&[
        (
            closed(json!({"properties": {"a": true}})),
            json!({"properties": {"a": true}, "additionalProperties": false}),
            "equal",
        ),
        (
            closed(json!({"allOf": [{"properties": {"a": true}}], "properties": {"b": true}})),
            json!({"properties": {"a": true, "b": true}, "additionalProperties": false}),
            "equal",
        ),
        (
            closed(json!({"anyOf": [{"required": ["a"], "properties": {"a": true}}, true]})),
            json!({"properties": {"a": true}, "additionalProperties": false}),
            "equal",
        ),
        (
            closed(json!({"if": {"required": ["a"]}, "then": {"properties": {"a": true, "b": true}}})),
            json!({"properties": {"a": true, "b": true}, "additionalProperties": false, "dependentRequired": {"b": ["a"]}}),
            "equal",
        ),
        (
            closed(json!({"$ref": "#/$defs/x", "$defs": {"x": {"properties": {"a": true}}}})),
            json!({"properties": {"a": true}, "additionalProperties": false}),
            "equal",
        ),
        (closed(json!({"properties": {"a": true}})), json!({"properties": {"a": true}}), "wider"),
        (json!({"prefixItems": [true], "unevaluatedItems": false}), json!({"maxItems": 1}), "equal"),
        (
            json!({"contains": {"type": "string"}, "unevaluatedItems": {"type": "null"}}),
            json!({"contains": {"type": "string"}, "items": {"type": ["string", "null"]}}),
            "equal",
        ),
    ]);
}

#[test]
fn combinations() {
    check(&[
        (json!({"anyOf": [{"type": "string"}, {"type": "null"}]}), json!({"type": ["null", "string"]}), "equal"),
        (json!({"oneOf": [{"type": "string"}, {"type": "null"}]}), json!({"type": ["null", "string"]}), "equal"),
        (
            json!({"oneOf": [{"type": "integer"}, {"type": "number"}]}),
            json!({"type": "number", "not": {"multipleOf": 1}}),
            "equal",
        ),
        (
            json!({"oneOf": [{"minimum": 1}, {"minimum": 2}]}),
            json!({"minimum": 1, "exclusiveMaximum": 2, "type": "number"}),
            "equal",
        ),
        (json!({"oneOf": [true, true]}), json!(false), "equal"),
        (json!({"allOf": [{"minimum": 1}, {"maximum": 2}]}), json!({"minimum": 1, "maximum": 2}), "equal"),
        (json!({"not": {"type": "string"}}), json!({"not": {"type": ["string", "null"]}}), "narrower"),
        (json!({"not": {"not": {"minimum": 1}}}), json!({"minimum": 1}), "equal"),
        (
            json!({"if": {"type": "string"}, "then": {"minLength": 1}, "else": {"type": "null"}}),
            json!({"anyOf": [{"type": "string", "minLength": 1}, {"type": "null"}]}),
            "equal",
        ),
        (json!({"then": false}), json!(true), "equal"),
        (
            json!({"oneOf": [
                {"properties": {"kind": {"const": "a"}, "x": {"type": "string"}}, "required": ["kind"]},
                {"properties": {"kind": {"const": "b"}}, "required": ["kind"]},
            ]}),
            json!({"anyOf": [
                {"properties": {"kind": {"const": "b"}}, "required": ["kind"]},
                {"properties": {"kind": {"const": "a"}, "x": {"type": "string"}}, "required": ["kind"]},
            ]}),
            "wider",
        ),
    ]);
}

#[test]
fn references_anchors_and_cycles() {
    let list = |item: Value| json!({"$ref": "#/$defs/l", "$defs": {"l": {"properties": {"next": {"$ref": "#/$defs/l"}, "v": item}}}});
    check(&[
        (json!({"$ref": "#/$defs/a", "$defs": {"a": {"minimum": 1}}}), json!({"minimum": 1}), "equal"),
        (json!({"$ref": "#x", "$defs": {"a": {"$anchor": "x", "minimum": 1}}}), json!({"minimum": 1}), "equal"),
        (json!({"$ref": "#/$defs/a~1b%25", "$defs": {"a/b%": {"minimum": 1}}}), json!({"minimum": 1}), "equal"),
        (
            json!({"$id": "https://example.com/a", "$ref": "b", "$defs": {"b": {"$id": "b", "minimum": 1}}}),
            json!({"minimum": 1}),
            "equal",
        ),
        (list(json!({"type": "string"})), list(json!({"type": ["string", "null"]})), "wider"),
        // The same recursion, unrolled once.
        (
            list(json!({"type": "string"})),
            json!({
                "properties": {"v": {"type": "string"}, "next": {"$ref": "#/$defs/l"}},
                "$defs": {"l": {"properties": {"v": {"type": "string"}, "next": {"$ref": "#/$defs/l"}}}},
            }),
            "equal",
        ),
        // Only an endless value would do.
        (json!({"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]}), json!(false), "equal"),
        (
            json!({"$dynamicRef": "#n", "$defs": {"n": {"$dynamicAnchor": "n", "minimum": 1}}}),
            json!({"minimum": 1}),
            "equal",
        ),
        (
            json!({"$ref": "#/$defs/a", "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}, {"minimum": 1}]}}}),
            json!({"minimum": 1}),
            "undecided",
        ),
        (json!({"$ref": "https://example.com/x"}), json!({"$ref": "https://example.com/y"}), "undecided"),
        (json!({"$ref": "#/$defs/none"}), json!({"minimum": 1}), "undecided"),
        // What another document says does not matter here.
        (
            json!({"properties": {"a": {"$ref": "https://example.com/x"}}}),
            json!({"properties": {"a": {"$ref": "https://example.com/x"}}, "required": ["b"]}),
            "narrower",
        ),
    ]);
}

#[test]
fn dialects() {
    let of = |dialect: &str, members: Value| {
        let mut schema = members;
        schema["$schema"] = json!(dialect);
        schema
    };
    let (four, seven) = ("http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-07/schema#");
    let (nine, twelve) =
        ("https://json-schema.org/draft/2019-09/schema", "https://json-schema.org/draft/2020-12/schema");
    let plain = json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]});
    let found = compared(&of(seven, plain.clone()), &of(twelve, plain.clone()));
    assert_eq!(found.accepts.word(), "equal");
    let (old, new) = found.dialect_changed.map_or(("", ""), |(old, new)| (old.word(), new.word()));
    assert_eq!((old, new), ("draft-07", "2020-12"));
    check(&[
        (
            of(seven, json!({"items": [{"type": "null"}], "additionalItems": false})),
            of(twelve, json!({"prefixItems": [{"type": "null"}], "items": false})),
            "equal",
        ),
        (
            of(seven, json!({"dependencies": {"a": ["b"]}})),
            of(twelve, json!({"dependentRequired": {"a": ["b"]}})),
            "equal",
        ),
        (
            of(seven, json!({"dependencies": {"a": {"required": ["b"]}}})),
            of(nine, json!({"dependentRequired": {"a": ["b"]}})),
            "equal",
        ),
        (of(four, json!({"minimum": 1, "exclusiveMinimum": true})), of(seven, json!({"exclusiveMinimum": 1})), "equal"),
        // Beside a reference, draft-07 reads nothing.
        (
            of(seven, json!({"$ref": "#/definitions/a", "minimum": 5, "definitions": {"a": {"minimum": 1}}})),
            of(twelve, json!({"$ref": "#/definitions/a", "minimum": 5, "definitions": {"a": {"minimum": 1}}})),
            "narrower",
        ),
        // Draft-07 knows neither.
        (of(seven, json!({"dependentRequired": {"a": ["b"]}, "unevaluatedProperties": false})), json!(true), "equal"),
        (of(seven, json!({"contains": {"const": 1}, "minContains": 0})), json!({"contains": {"const": 1}}), "equal"),
        // Without `$schema`, a shape that only an older dialect has is read as that one.
        (json!({"items": [{"type": "null"}]}), json!({"prefixItems": [{"type": "null"}]}), "equal"),
        (json!({"minimum": 1, "exclusiveMinimum": true}), json!({"exclusiveMinimum": 1}), "equal"),
        (of("https://example.com/mine", json!({})), json!({"type": "string"}), "undecided"),
        (json!({"type": "strin"}), json!({"type": "string"}), "undecided"),
    ]);
}

#[test]
fn a_caller_of_declared_parameters_is_told_apart() {
    let old = json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]});
    let with = |name: &str, value: Value| {
        let mut schema = old.clone();
        schema["properties"][name] = value;
        schema
    };
    let rows = [
        // The attacker's move: the language narrows, no caller notices.
        (with("exec", json!({"type": "string"})), "narrower", "compatible", "compatible"),
        (with("path", json!({"type": "integer"})), "incomparable", "breaking", "breaking"),
        (with("path", json!({"type": ["string", "null"]})), "wider", "compatible", "breaking"),
        (with("path", json!({"type": "string", "maxLength": 5})), "narrower", "breaking", "compatible"),
    ];
    for (new, accepts, input, output) in rows {
        let found = compared(&old, &new);
        let effects = (effect(&found, Direction::Input), effect(&found, Direction::Output));
        assert_eq!((found.accepts.word(), effects.0, effects.1), (accepts, input, output), "{new}");
        assert_eq!(found.refuses_declared.is_some(), input == "breaking", "{new}");
    }
    let mut closed = old.clone();
    closed["additionalProperties"] = json!(false);
    let found = compared(&old, &closed);
    assert_eq!((found.accepts.word(), effect(&found, Direction::Input)), ("narrower", "none"));
}

#[test]
fn declared_names_are_found_at_any_depth() {
    let old = json!({"properties": {"opts": {"properties": {"lang": true}}}});
    let new = json!({
        "properties": {
            "opts": {"properties": {"lang": true, "depth": true}},
            "files": {"items": {"$ref": "#/$defs/file"}},
            "any": {"anyOf": [{"properties": {"a/b": true}}]},
        },
        "$defs": {"file": {"properties": {"path": true, "parent": {"$ref": "#/$defs/file"}}}, "unused": {"properties": {"x": true}}},
    });
    let added = compared(&old, &new).declares.added;
    assert_eq!(added, ["/any", "/any/a~1b", "/files", "/files/*/parent", "/files/*/path", "/opts/depth"]);
    assert_eq!(compared(&new, &old).declares.removed, added);
}

#[test]
fn annotations_stand_apart_with_their_text() {
    let old = json!({"type": "object", "properties": {"a": {"type": "string", "description": "x", "maxLength": 5}}});
    let new = json!({"type": "object", "title": "T", "properties": {"a": {"type": "string", "maxLength": 9}}, "required": ["a"]});
    let found = compared(&old, &new);
    let annotations: Vec<_> = found.annotations.iter().map(|change| change.pointer.as_str()).collect();
    assert_eq!(annotations, ["/properties/a/description", "/title"]);
    let changes: Vec<_> = found
        .changes
        .iter()
        .map(|change| {
            let sentence = change.sentence(Direction::Input);
            (change.pointer.as_str(), change.kind.word(), change.direction.word(), sentence)
        })
        .collect();
    assert_eq!(
        changes,
        [
            ("/properties/a/maxLength", "changed", "wider", "`maxLength` of `a` changed from `5` to `9`".to_owned()),
            ("/required", "added", "narrower", "Now requires `a`".to_owned()),
        ]
    );
    let text = compared(
        &json!({"description": "a", "$ref": "#/$defs/none"}),
        &json!({"description": "b", "$ref": "#/$defs/none"}),
    );
    assert_eq!(text.accepts.word(), "equal", "only text differs");
}

#[test]
fn witnesses_are_small() {
    let old = json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"items": {"type": "integer"}}}, "required": ["a"]});
    let new = json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"items": {"type": "null"}}}, "required": ["a"]});
    let found = compared(&old, &new);
    assert_eq!(found.witnesses.old_only, Some(json!({"a": "a", "b": [0]})));
    assert_eq!(found.witnesses.new_only, Some(json!({"a": "a", "b": [null]})));
}
