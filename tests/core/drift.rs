//! What each difference means: the mutations of one surface, and small cases written for this.

use crate::data;
use crate::surfaces::{decision, recorded};
use pinwatch::canon::Pointer;
use pinwatch::digest::Surface;
use pinwatch::drift::{ChangeKind, Drift, DriftType, Effect, Policy, Profile, Severity, compare};
use pinwatch::pin::{Baseline, DecisionState};
use pinwatch::report::{FailOn, FailWord};
use pinwatch::review::{ApprovalState, Subject, approve, reject, review, undo};
use pinwatch::surface::Kind;
use serde_json::{Value, json};
use std::fs;
use std::sync::Arc;

fn surface_of(document: &[u8]) -> Surface {
    crate::surfaces::surface(&crate::surfaces::observation(document))
}

fn drifts(baseline: &Baseline, surface: &Surface, policy: &Policy) -> Vec<Drift> {
    compare(baseline, surface, policy).drifts
}

#[test]
fn every_mutation_is_what_it_should_be() {
    let expected = fs::read_to_string(data("mutations/EXPECTED.json")).unwrap();
    let read = |name: &str| fs::read(data(&format!("mutations/{name}.json"))).unwrap();
    let expected: Value = serde_json::from_str(&expected).unwrap();
    let baseline = recorded(&surface_of(&read("base")));
    for (name, row) in expected["expected"].as_object().unwrap() {
        let found = drifts(&baseline, &surface_of(&read(name)), &Policy::default());
        let severity = |member: &str| row[member].as_str().unwrap().parse::<Severity>().unwrap();
        let Some(kind) = row["type"].as_str() else {
            assert!(found.is_empty(), "{name}: {found:#?}");
            continue;
        };
        assert!(found.iter().any(|drift| drift.drift_type.word() == kind), "{name}: {found:#?}");
        let worst = found.iter().map(|drift| drift.severity).max().expect("a drift");
        let effect = found.iter().find(|drift| drift.drift_type.word() == kind).expect("one").effect;
        let in_range = (severity("lowest")..=severity("highest")).contains(&worst);
        let effect_fits = row["effect"].as_str().is_none_or(|expected| expected == effect.word());
        assert!(in_range && effect_fits, "{name}: {worst}, {effect}\n{found:#?}");
    }
    assert_eq!(expected["expected"].as_object().unwrap().len(), 31);
}

#[test]
fn the_capability_identity_profile_is_that_table() {
    let read = |name: &str| surface_of(&fs::read(data(&format!("mutations/{name}.json"))).unwrap());
    let baseline = recorded(&read("base"));
    let worst = |name: &str, profile| {
        let found = drifts(&baseline, &read(name), &Policy::from(profile));
        found.iter().map(|drift| drift.severity).max()
    };
    // interop/FORMATS.md 3.2, first column; "safe" qualifies a change only, so that such a drift is info.
    for (name, table, strict) in [
        ("tool_add", Severity::Critical, Severity::Critical),
        ("tool_rm", Severity::Info, Severity::Info),
        ("desc_benign", Severity::Info, Severity::Moderate),
        ("p_type", Severity::Critical, Severity::Critical),
        ("tool_rename", Severity::Critical, Severity::Critical),
        ("prompt_desc", Severity::Info, Severity::Moderate),
        ("ann_flip", Severity::Info, Severity::Critical),
        ("order_required", Severity::Critical, Severity::Critical),
        ("version", Severity::Info, Severity::Info),
    ] {
        assert_eq!(worst(name, Profile::CapabilityIdentity), Some(table), "{name}");
        assert_eq!(worst(name, Profile::Strict), Some(strict), "{name}");
    }
}

/// The one drift between two documents of one item, beside MCPTrust's keyword level.
fn only(before: &str, after: &str) -> Drift {
    let baseline = recorded(&surface_of(before.as_bytes()));
    let mut found = drifts(&baseline, &surface_of(after.as_bytes()), &Policy::default());
    found.retain(|drift| drift.drift_type != DriftType::RiskLevelChanged);
    assert_eq!(found.len(), 1, "{before} -> {after}: {found:#?}");
    found.remove(0)
}

/// A tool `t` with more members, as a document.
fn tool(members: &str) -> String {
    let comma = if members.is_empty() { "" } else { "," };
    format!(r#"{{"tools": [{{"name": "t"{comma}{members}}}]}}"#)
}

fn paths(drift: &Drift) -> Vec<&str> {
    drift.changes.iter().map(|change| change.path.as_str()).collect()
}

#[test]
fn annotations_are_read_through_their_defaults() {
    let annotations = |members: &str| tool(&format!(r#""annotations": {{{members}}}"#));
    for (before, after, severity) in [
        // Spelling out a default.
        ("", r#""readOnlyHint": false, "destructiveHint": true"#, Severity::Info),
        // Tightening.
        ("", r#""readOnlyHint": true"#, Severity::Info),
        (r#""openWorldHint": true"#, r#""openWorldHint": false"#, Severity::Info),
        // Losing a promise.
        (r#""readOnlyHint": true"#, "", Severity::Critical),
        (r#""destructiveHint": false"#, r#""destructiveHint": true"#, Severity::Critical),
        (r#""destructiveHint": false"#, r#""destructiveHint": null"#, Severity::Critical),
        (r#""idempotentHint": true"#, "", Severity::Moderate),
        (r#""openWorldHint": false"#, "", Severity::Moderate),
        // No boolean promises nothing that can be relied on.
        (r#""readOnlyHint": true"#, r#""readOnlyHint": "true""#, Severity::Critical),
        // The title among them is text.
        (r#""title": "A""#, r#""title": "B""#, Severity::Moderate),
        ("", r#""vendorHint": 1"#, Severity::Info),
    ] {
        let drift = only(&annotations(before), &annotations(after));
        assert_eq!((drift.drift_type, drift.severity), (DriftType::ToolChanged, severity), "{before} -> {after}");
    }
    let gone = only(&annotations(r#""readOnlyHint": true"#), &tool(""));
    assert_eq!((gone.severity, paths(&gone)), (Severity::Critical, vec!["/annotations/readOnlyHint"]));
    let none = only(&tool(""), &annotations(""));
    assert_eq!(none.severity, Severity::Info);
    assert_eq!(only(&tool(""), &tool(r#""annotations": []"#)).severity, Severity::Critical);
}

#[test]
fn each_field_of_a_tool_is_judged_by_its_own_rule() {
    for (before, after, severity) in [
        (r#""title": "A""#, "", Severity::Moderate),
        (
            r#""icons": [{"src": "https://a.example/1.png"}]"#,
            r#""icons": [{"src": "https://a.example/2.png"}]"#,
            Severity::Info,
        ),
        (
            r#""icons": [{"src": "https://a.example/1.png"}]"#,
            r#""icons": [{"src": "http://a.example/1.png"}]"#,
            Severity::Moderate,
        ),
        ("", r#""icons": [{"src": "https://a.example/1.png"}]"#, Severity::Info),
        (r#""_meta": {"ui": "ui://a/x"}"#, r#""_meta": {"ui": "ui://b/x"}"#, Severity::Moderate),
        (r#""_meta": {"at": "x"}"#, r#""_meta": {"at": "https://b.example"}"#, Severity::Moderate),
        (r#""x-vendor": 1"#, r#""x-vendor": 2"#, Severity::Info),
        (r#""x-assay-sig": {"signature": "a"}"#, r#""x-assay-sig": {"signature": "b"}"#, Severity::Moderate),
        (r#""x-assay-sig": {"signature": "a"}"#, "", Severity::Moderate),
        ("", r#""x-assay-sig": {"signature": "a"}"#, Severity::Info),
        (r#""outputSchema": {"type": "object"}"#, "", Severity::Moderate),
        (
            r#""outputSchema": {"properties": {"a": {}}}"#,
            r#""outputSchema": {"properties": {"exec": {}}}"#,
            Severity::Moderate,
        ),
    ] {
        assert_eq!(only(&tool(before), &tool(after)).severity, severity, "{before} -> {after}");
    }
}

#[test]
fn schema_changes_have_paths_and_acceptance() {
    let schema = |schema: &str| tool(&format!(r#""inputSchema": {schema}"#));
    let before =
        schema(r#"{"type": "object", "properties": {"a": {"type": "string", "enum": ["x", "y"]}}, "required": ["a"]}"#);
    for (after, severity, effect, accepts, expected) in [
        (
            r#"{"type": "object", "properties": {"a": {"type": "string", "enum": ["y", "x"]}}, "required": ["a"]}"#,
            Severity::Info,
            Effect::None,
            "equal",
            vec!["/inputSchema/properties/a/enum"],
        ),
        (
            r#"{"type": "object", "properties": {"a": {"type": "string", "enum": ["x", "y"], "description": "d"}}, "required": ["a"]}"#,
            Severity::Moderate,
            Effect::None,
            "equal",
            vec!["/inputSchema/properties/a/description"],
        ),
        (
            r#"{"type": "object", "properties": {"a": {"type": "string", "enum": ["x", "y"]}, "b": {"type": "string"}}, "required": ["a"]}"#,
            Severity::Moderate,
            Effect::Compatible,
            "narrower",
            vec!["/inputSchema/properties/b"],
        ),
        (
            r#"{"type": "object", "properties": {"a": {"type": "string", "enum": ["x", "y"]}, "shellCommand": {"type": "string"}}, "required": ["a"]}"#,
            Severity::Critical,
            Effect::Compatible,
            "narrower",
            vec!["/inputSchema/properties/shellCommand"],
        ),
        (
            r#"{"type": "object", "properties": {"a": {"type": "string", "enum": ["x", "y"]}, "o": {"properties": {"exec": {}}}}, "required": ["a"]}"#,
            Severity::Critical,
            Effect::Compatible,
            "equal",
            vec!["/inputSchema/properties/o/properties/exec", "/inputSchema/properties/o"],
        ),
        (
            r#"{"type": "object", "$schema": "https://json-schema.org/draft/2020-12/schema"}"#,
            Severity::Critical,
            Effect::Compatible,
            "wider",
            vec!["/inputSchema", "/inputSchema/$schema", "/inputSchema/properties", "/inputSchema/required"],
        ),
        (
            r#"{"type": "object", "properties": {"a": {"type": "string", "enum": ["x"]}}, "required": ["a"]}"#,
            Severity::Moderate,
            Effect::Breaking,
            "narrower",
            vec!["/inputSchema/properties/a/enum"],
        ),
        (
            r#"{"type": "object", "properties": {"a": {"type": "string", "enum": ["x", "y"]}}, "required": ["a"], "additionalProperties": true}"#,
            Severity::Info,
            Effect::None,
            "equal",
            vec!["/inputSchema/additionalProperties"],
        ),
        (
            r#"{"type": "object", "properties": {"a": {"$ref": "https://example.com/a.json"}}, "required": ["a"]}"#,
            Severity::Moderate,
            Effect::Unknown,
            "undecided",
            vec!["/inputSchema/properties/a/$ref", "/inputSchema/properties/a/enum", "/inputSchema/properties/a/type"],
        ),
    ] {
        let drift = only(&before, &schema(after));
        // A dialect that appears on the only tool is the protocol's doing, and info beside the rest.
        let mut found = paths(&drift);
        let mut expected = expected;
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!((drift.severity, drift.effect, found), (severity, effect, expected), "{after}");
        let verdict = drift.input_schema.as_ref().expect("a verdict");
        assert_eq!(verdict.accepts, accepts, "{after}");
        assert_eq!(verdict.undecided.contains("not decided"), accepts == "undecided", "{after}");
    }
    let exec = only(
        &before,
        &schema(
            r#"{"type": "object", "properties": {"a": {"type": "string", "enum": ["x", "y"]}, "exec": {}}, "required": ["a"]}"#,
        ),
    );
    assert_eq!(
        exec.reasons,
        [
            "New parameter `exec`; its name suggests that it runs commands. Nothing approved before it had such a name (`exec`)"
        ]
    );
    assert_eq!(exec.input_schema.expect("a verdict").declares_added, ["/exec"]);
}

#[test]
fn a_schema_change_quotes_an_instance_that_shows_it() {
    let schema = |members: &str| tool(&format!(r#""inputSchema": {{"type": "object", "properties": {{{members}}}}}"#));
    let drift = only(&schema(r#""a": {"maxLength": 3}"#), &schema(r#""a": {"maxLength": 5}"#));
    let verdict = drift.input_schema.as_ref().expect("a verdict").clone();
    assert_eq!(verdict.shown_by(), [("accepted only now", r#"{"a":"aaaa"}"#.to_owned())]);
    assert_eq!((verdict.old_only, verdict.new_only), (None, Some(json!({"a": "aaaa"}))));
    assert_eq!(drift.reasons, ["`maxLength` of `a` changed from `3` to `5`. More input is accepted"]);
    // A bound lifted behind another keyword accepts the same today.
    let hidden =
        only(&schema(r#""a": {"enum": ["x"], "maxLength": 3}"#), &schema(r#""a": {"enum": ["x"], "maxLength": 5}"#));
    assert_eq!((hidden.severity, hidden.effect), (Severity::Moderate, Effect::None));
    assert_eq!(hidden.input_schema.expect("a verdict").accepts, "equal");
    // Numbers beyond a double are compared as the numbers they are.
    let limit = |limit: &str| schema(&format!(r#""a": {{"maximum": {limit}}}"#));
    let drift = only(&limit("9223372036854775807"), &limit("9223372036854775806"));
    assert_eq!(drift.input_schema.expect("a verdict").accepts, "narrower");
}

/// What a schema accepts follows of all that differs: removing a parameter of an open object alone rejects nothing.
#[test]
fn no_change_is_said_to_do_what_all_do() {
    let schema = |members: &str| tool(&format!(r#""inputSchema": {{"type": "object", "properties": {{{members}}}}}"#));
    let reasons = |before: &str, after: &str| -> Vec<String> {
        let changes = only(&schema(before), &schema(after)).changes.into_iter();
        changes.map(|change| change.reason).collect()
    };
    let one = reasons(r#""a": {"type": "string"}"#, r#""a": {"type": "array"}"#);
    let said = "`type` of `a` changed from `\"string\"` to `\"array\"`. Some input that was accepted is now rejected, and other input is accepted";
    assert_eq!(one, [said]);
    let several = reasons(r#""a": {"type": "string"}, "b": {}"#, r#""a": {"type": "array"}"#);
    assert_eq!(several, ["`type` of `a` changed from `\"string\"` to `\"array\"`", "Removed parameter `b`"]);
}

/// What a list says of each drift: what happened, as a person would say it, and no severity.
#[test]
fn a_headline_is_what_happened_in_one_line() {
    let schema = |members: &str| tool(&format!(r#""inputSchema": {{"type": "object", "properties": {{{members}}}}}"#));
    let input = |members: &str| schema(&format!(r#""path": {{"type": "string"{members}}}"#));
    let required = |more: &str| tool(&format!(r#""inputSchema": {{"properties": {{"id": {{}}}}{more}}}"#));
    let says = |text: &str| tool(&format!(r#""description": "{text}""#));
    let output = r#""outputSchema": {"type": "object", "required": ["a"]}"#;
    for (before, after, headline) in [
        (input(r#", "pattern": "^[a-z]+$""#), input(""), r#"`path` lost its `pattern`: "" is now accepted"#),
        (input(""), input(r#", "maxLength": 3"#), r#"`maxLength` of `path` is now `3`: "aaaa" is now rejected"#),
        (required(""), required(r#", "required": ["id"]"#), "Now requires `id`"),
        (required(r#", "additionalProperties": false"#), required(""), "Unknown parameters are now allowed"),
        (schema(r#""a": {}, "b": {}"#), schema(r#""a": {}"#), "Removed parameter `b`"),
        (input(""), schema(""), "Declares no parameters anymore (was 1)"),
        (schema(""), input(""), "New parameter `path`"),
        (says("Reads a note."), says("Reads a file."), "Description reworded"),
        (tool(""), tool(r#""title": "T""#), "Title added"),
        (tool(""), tool(output), "Output is now checked against a schema"),
        (
            tool(r#""annotations": {"readOnlyHint": true}"#),
            tool(r#""annotations": {"readOnlyHint": false}"#),
            "`readOnlyHint` changed from true to false",
        ),
    ] {
        assert_eq!(only(&before, &after).headline(), headline, "{after}");
    }
    let list = |names: &[&str]| {
        let tools = names.iter().map(|name| json!({"name": name, "inputSchema": {"type": "object"}}));
        json!({"tools": tools.collect::<Vec<_>>()}).to_string()
    };
    for (before, after, headline) in [
        (&["a"][..], &["a", "b"][..], "New tool"),
        (&["a"], &["a", "run_b"], "New tool; its name suggests that it runs commands"),
        (&["a", "b"], &["a"], "No longer served"),
        (&["a", "copy"], &["a", "copy_file"], "Renamed from copy"),
        (&["a", "copy"], &["a", "exec_copy"], "Renamed from copy; its new name suggests that it runs commands"),
    ] {
        assert_eq!(only(&list(before), &list(after)).headline(), headline, "{after:?}");
    }
    // The worst finding that the change brought comes before the change.
    let poisoned = only(&says("Reads a note."), &says("Reads a note.\\u200b\\u200b\\u200b"));
    assert_eq!(poisoned.headline(), poisoned.findings[0].text);
}

#[test]
fn capability_word_counts_only_as_the_first() {
    let with = |tools: &str| format!(r#"{{"tools": [{tools}]}}"#);
    let baseline =
        recorded(&surface_of(with(r#"{"name": "a", "inputSchema": {"properties": {"shell": {}}}}"#).as_bytes()));
    let now =
        with(r#"{"name": "a", "inputSchema": {"properties": {"shell": {}}}}, {"name": "bash"}, {"name": "executor"}"#);
    let found = drifts(&baseline, &surface_of(now.as_bytes()), &Policy::default());
    assert!(found.iter().all(|drift| drift.severity == Severity::Moderate), "{found:#?}");
}

#[test]
fn arguments_of_a_prompt_are_judged_like_parameters() {
    let prompt = |arguments: &str| format!(r#"{{"prompts": [{{"name": "p", "arguments": [{arguments}]}}]}}"#);
    for (before, after, severity, effect, path) in [
        (
            r#"{"name": "a"}"#,
            r#"{"name": "b", "required": true}, {"name": "a"}"#,
            Severity::Moderate,
            Effect::Breaking,
            "/arguments/0",
        ),
        (r#"{"name": "a"}"#, r#"{"name": "a"}, {"name": "b"}"#, Severity::Moderate, Effect::Compatible, "/arguments/1"),
        (
            r#"{"name": "a"}"#,
            r#"{"name": "a", "required": true}"#,
            Severity::Moderate,
            Effect::Breaking,
            "/arguments/0/required",
        ),
        (
            r#"{"name": "a"}"#,
            r#"{"name": "a", "required": false}"#,
            Severity::Info,
            Effect::None,
            "/arguments/0/required",
        ),
        (
            r#"{"name": "a"}, {"name": "b"}"#,
            r#"{"name": "b"}, {"name": "a"}"#,
            Severity::Info,
            Effect::None,
            "/arguments",
        ),
    ] {
        let drift = only(&prompt(before), &prompt(after));
        assert_eq!(
            (drift.severity, drift.effect, paths(&drift)),
            (severity, effect, vec![path]),
            "{before} -> {after}"
        );
    }
}

#[test]
fn the_other_kinds_are_judged_by_the_table() {
    for (before, after, kind, severity) in [
        (
            r#"{"resources": [{"uri": "a:b", "name": "x"}]}"#,
            r#"{"resources": [{"uri": "a:b", "name": "y"}]}"#,
            DriftType::ResourceChanged,
            Severity::Info,
        ),
        (
            r#"{"resourceTemplates": [{"uriTemplate": "a:{b}", "description": "x"}]}"#,
            r#"{"resourceTemplates": [{"uriTemplate": "a:{b}", "description": "y"}]}"#,
            DriftType::TemplateChanged,
            Severity::Moderate,
        ),
        (
            r#"{"resourceTemplates": [{"uriTemplate": "file:///n/{id}"}]}"#,
            r#"{"resourceTemplates": [{"uriTemplate": "file:///n/{id}"}, {"uriTemplate": "file:///{+path}"}]}"#,
            DriftType::TemplateAdded,
            Severity::Moderate,
        ),
        (
            r#"{"initialize": {"serverInfo": {"name": "a", "version": "1"}}}"#,
            r#"{"initialize": {"serverInfo": {"name": "b", "version": "1"}}}"#,
            DriftType::ServerChanged,
            Severity::Moderate,
        ),
        (
            r#"{"initialize": {"capabilities": {"tools": {}}}}"#,
            r#"{"initialize": {"capabilities": {"tools": {"listChanged": true}, "logging": {}}}}"#,
            DriftType::CapabilitiesChanged,
            Severity::Info,
        ),
        (
            r#"{"initialize": {"capabilities": {"tools": {}}}}"#,
            r#"{"initialize": {"capabilities": {"tools": {}, "prompts": {}}}}"#,
            DriftType::CapabilitiesChanged,
            Severity::Moderate,
        ),
        (
            r#"{"launch": {"command": "npx", "args": ["a@1", "."], "cwd": ".", "env": []}}"#,
            r#"{"launch": {"command": "npx", "args": ["a@2", "."], "cwd": ".", "env": []}}"#,
            DriftType::LaunchChanged,
            Severity::Info,
        ),
        (
            r#"{"launch": {"command": "npx", "args": ["a@1"], "cwd": ".", "env": []}}"#,
            r#"{"launch": {"command": "npx", "args": ["a@1"], "cwd": ".", "env": ["TOKEN"]}}"#,
            DriftType::LaunchChanged,
            Severity::Moderate,
        ),
        (
            r#"{"launch": {"url": "https://a.example/mcp", "headers": []}}"#,
            r#"{"launch": {"url": "https://b.example/mcp", "headers": []}}"#,
            DriftType::LaunchChanged,
            Severity::Critical,
        ),
        (
            r#"{"launch": {"url": "https://a.example/mcp", "headers": ["Authorization"]}}"#,
            r#"{"launch": {"url": "https://a.example/mcp", "headers": ["Authorization", "X-Forward-To"]}}"#,
            DriftType::LaunchChanged,
            Severity::Moderate,
        ),
        (
            r#"{"initialize": {"instructions": "Be kind."}}"#,
            r#"{"initialize": {}}"#,
            DriftType::InstructionsChanged,
            Severity::Moderate,
        ),
    ] {
        let drift = only(before, after);
        assert_eq!((drift.drift_type, drift.severity), (kind, severity), "{before} -> {after}");
    }
}

/// MCP 2025-11-25: a plain call of a tool whose task support is `required` is refused; what may be a task need not be one.
#[test]
fn a_tool_that_must_run_as_a_task_breaks_callers() {
    let tools = |execution: &str| format!(r#"{{"tools": [{{"name": "t"{execution}}}, {{"name": "u"}}]}}"#);
    let support = |word: &str| tools(&format!(r#", "execution": {{"taskSupport": "{word}"}}"#));
    for (before, after, effect) in [
        (tools(""), support("required"), Effect::Breaking),
        (support("optional"), support("required"), Effect::Breaking),
        (tools(""), support("optional"), Effect::None),
        (support("required"), support("optional"), Effect::None),
    ] {
        let drift = only(&before, &after);
        assert_eq!((drift.effect, drift.severity), (effect, Severity::Moderate), "{before} -> {after}");
    }
}

#[test]
fn fail_on_rule_counts_only_what_a_drift_brings() {
    let fails = FailOn::new(vec![FailWord::parse("hidden-characters").unwrap()]).unwrap();
    let hidden = r#""description": "Reads\u200b a note.", "title": "#;
    let approved = only(&tool(&format!(r#"{hidden}"A""#)), &tool(&format!(r#"{hidden}"B""#)));
    assert!(approved.findings.iter().any(|finding| finding.rule == "hidden-characters" && !finding.added));
    assert!(!fails.counts(&approved), "{:#?}", approved.findings);
    let brought = only(&tool(r#""description": "Reads a note.", "title": "A""#), &tool(&format!(r#"{hidden}"A""#)));
    assert!(fails.counts(&brought), "{:#?}", brought.findings);
}

#[test]
fn capability_identities_equal_the_published_table() {
    let list = |drift: &Drift| {
        let rows = drift.capability_identity.iter();
        rows.map(|row| format!("{} {}", row.drift_type, row.severity)).collect::<Vec<_>>()
    };
    let before = tool(r#""title": "A", "description": "x", "inputSchema": {"type": "object"}"#);
    for (after, expected) in [
        (r#""title": "A", "description": "y", "inputSchema": {"type": "object"}"#, vec!["tool_changed safe"]),
        (r#""title": "A", "description": "x", "inputSchema": {}"#, vec!["tool_changed critical"]),
        (r#""title": "A", "description": "y", "inputSchema": {}"#, vec!["tool_changed critical", "tool_changed safe"]),
        (r#""title": "B", "description": "x", "inputSchema": {"type": "object"}"#, vec![]),
    ] {
        assert_eq!(list(&only(&before, &tool(after))), expected, "{after}");
    }
    let renamed = only(&before, &before.replace(r#""name": "t""#, r#""name": "u""#));
    assert_eq!(renamed.drift_type, DriftType::ToolRenamed);
    assert_eq!(list(&renamed), ["tool_added critical", "tool_removed info"]);
}

#[test]
fn values_that_may_vary_are_not_compared() {
    let schema = |default: &str, limit: u32| {
        tool(&format!(r#""inputSchema": {{"properties": {{"a": {{"default": {default}, "maxLength": {limit}}}}}}}"#))
    };
    let mut baseline = recorded(&surface_of(schema(r#""x,y""#, 5).as_bytes()));
    Arc::make_mut(&mut baseline.pins[0]).varies = vec![Pointer::parse("/inputSchema/properties/a/default").unwrap()];
    let found = |document: &str| drifts(&baseline, &surface_of(document.as_bytes()), &Policy::default());
    assert!(found(&schema(r#""y,x""#, 5)).is_empty());
    let moved = found(&schema(r#""y,x""#, 6));
    assert_eq!(paths(&moved[0]), ["/inputSchema/properties/a/maxLength"]);
    // A value that is gone is no value that varies.
    let gone = found(&tool(r#""inputSchema": {"properties": {"a": {"maxLength": 5}}}"#));
    assert_eq!(paths(&gone[0]), ["/inputSchema/properties/a/default"]);
}

#[test]
fn what_is_not_listed_one_by_one_still_counts() {
    let schema = |text: &str| {
        let properties: Vec<_> = (0..500).map(|at| format!(r#""p{at}": {{"description": "{text}"}}"#)).collect();
        format!(r#""inputSchema": {{"properties": {{{}}}}}"#, properties.join(","))
    };
    let before = tool(&format!(r#"{}, "annotations": {{"readOnlyHint": true}}"#, schema("x")));
    let drift = only(&before, &tool(&schema("y")));
    assert_eq!(drift.severity, Severity::Critical);
    assert_eq!(drift.changes.len(), 201);
    assert_eq!(drift.changes[0].path.as_str(), "/annotations/readOnlyHint");
    let rest = drift.changes.last().unwrap();
    assert_eq!(rest.change, ChangeKind::More);
    assert_eq!(rest.reason, "301 more changes, none worse than moderate");
}

#[test]
fn an_empty_text_and_none_are_the_same_to_a_model() {
    let tool = |members: Value| {
        let mut tool = json!({"name": "t", "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}}});
        tool.as_object_mut().unwrap().extend(members.as_object().cloned().unwrap_or_default());
        json!({"tools": [tool]})
    };
    let parameter = |members: Value| tool(json!({"inputSchema": {"type": "object", "properties": {"a": members}}}));
    let prompt = |argument: Value| json!({"prompts": [{"name": "p", "arguments": [argument]}]});
    let template =
        |text: Value| json!({"resourceTemplates": [{"name": "n", "uriTemplate": "memo://{a}", "title": text}]});
    let both = |before: &Value, after: &Value| {
        let baseline = recorded(&surface_of(before.to_string().as_bytes()));
        drifts(&baseline, &surface_of(after.to_string().as_bytes()), &Policy::default())
    };
    let said = |text: &str| json!({"tools": [], "initialize": {"instructions": text}});
    for (before, after) in [
        (tool(json!({"description": ""})), tool(json!({}))),
        (tool(json!({})), tool(json!({"title": " \n"}))),
        (tool(json!({"annotations": {"title": ""}})), tool(json!({"annotations": {}}))),
        (parameter(json!({"type": "string", "description": ""})), parameter(json!({"type": "string"}))),
        (prompt(json!({"name": "a"})), prompt(json!({"name": "a", "description": ""}))),
        (template(json!("")), template(json!("\u{a0}"))),
        (said(""), json!({"tools": []})),
        (json!({"tools": []}), said("")),
    ] {
        let drifts = both(&before, &after);
        let found: Vec<_> = drifts.iter().map(|drift| (drift.severity, drift.effect)).collect();
        assert_eq!(found, [(Severity::Info, Effect::None)], "{before} -> {after}");
    }
    // A text that goes, or comes, is one all the same; and a default is a value, not a text.
    for (before, after) in [
        (tool(json!({"description": "Reads."})), tool(json!({"description": ""}))),
        (tool(json!({"description": "Reads."})), tool(json!({}))),
        (tool(json!({"description": " "})), tool(json!({"description": "Reads."}))),
        (parameter(json!({"type": "string", "default": ""})), parameter(json!({"type": "string"}))),
        (said("Be kind."), said("")),
    ] {
        let drifts = both(&before, &after);
        assert_eq!(drifts.iter().map(|drift| drift.severity).max(), Some(Severity::Moderate), "{before} -> {after}");
    }
}

#[test]
fn a_template_under_another_pattern_is_one_change() {
    let templates = |all: &[(&str, &str, &str)]| {
        let one = |(name, pattern, text): &(&str, &str, &str)| json!({"name": name, "uriTemplate": pattern, "description": text});
        let surface = json!({"resourceTemplates": all.iter().map(one).collect::<Vec<_>>()}).to_string();
        surface_of(surface.as_bytes())
    };
    let (old, other) = (("notes", "file:///{path}", "Reads."), ("logs", "log://{day}", "Logs."));
    let baseline = recorded(&templates(&[old, other]));
    for (now, severity) in [
        // The same name; all but the pattern; and the one that is gone beside the one that is new.
        (("notes", "file:///{+path}", "Reads."), Severity::Critical),
        (("notes", "file:///{+path}", "Reads a file."), Severity::Critical),
        (("files", "file:///{+path}", "Reads files."), Severity::Critical),
        (("notes", "file:///notes/{path}", "Reads."), Severity::Moderate),
    ] {
        for profile in [Profile::Balanced, Profile::Strict, Profile::CapabilityIdentity] {
            let found = drifts(&baseline, &templates(&[now, other]), &Policy::from(profile));
            let [drift] = found.as_slice() else { panic!("{profile}: {found:#?}") };
            let expected = if profile == Profile::CapabilityIdentity { Severity::Info } else { severity };
            assert_eq!((drift.drift_type, drift.severity), (DriftType::TemplateChanged, expected), "{profile} {now:?}");
            let pattern =
                drift.changes.iter().find(|change| change.path.as_str() == "/uriTemplate").expect("the pattern");
            assert_eq!((&pattern.before, &pattern.after), (&Some(json!(old.1)), &Some(json!(now.1))));
            let rows: Vec<_> = drift.capability_identity.iter().map(|row| (row.drift_type, row.severity)).collect();
            assert_eq!(rows, [("template_changed", Severity::Safe)]);
        }
    }
    // Two that could be it: none is guessed.
    let two = [("a", "file:///x/{path}", ""), ("b", "file:///y/{path}", ""), other];
    let types: Vec<_> =
        drifts(&baseline, &templates(&two), &Policy::default()).iter().map(|drift| drift.drift_type).collect();
    assert_eq!(types, [DriftType::TemplateAdded, DriftType::TemplateAdded, DriftType::TemplateRemoved]);
}

#[test]
fn a_decision_on_a_pattern_moves_its_pin() {
    let template = |pattern: &str| {
        surface_of(json!({"resourceTemplates": [{"name": "n", "uriTemplate": pattern}]}).to_string().as_bytes())
    };
    let baseline = recorded(&template("memo://{id}"));
    let now = template("memo://{+id}");
    let shown = |baseline: &Baseline| review("mut".into(), Some(baseline), &now, &Policy::default());
    let keys = |baseline: &Baseline| {
        let pins = baseline.pins_of_kind(Kind::ResourceTemplate);
        pins.map(|pin| pin.item.id.key.to_string()).collect::<Vec<_>>()
    };
    let found = shown(&baseline);
    assert_eq!(found.rows.iter().map(|row| row.state).collect::<Vec<_>>(), [ApprovalState::Drifted]);
    let subject = || [Subject::of(&found.rows[0], found.rows[0].decides_on().unwrap())];
    let approved = approve(Some(&baseline), &baseline, &[], &subject(), &decision(DecisionState::Approved)).unwrap();
    assert_eq!((keys(&approved), shown(&approved).drifts), (vec!["memo://{+id}".to_owned()], vec![]));
    assert_eq!(undo(&approved, &baseline, &approved, &[]).unwrap(), baseline);
    let rejected = reject(Some(&baseline), &baseline, &subject(), &decision(DecisionState::Rejected)).unwrap();
    assert_eq!(keys(&rejected), ["memo://{id}"]);
    assert_eq!(shown(&rejected).rows.iter().map(|row| row.state).collect::<Vec<_>>(), [ApprovalState::Rejected]);
    assert_eq!(undo(&rejected, &baseline, &rejected, &[]).unwrap(), baseline);
}

#[test]
fn thousands_of_a_kind_are_compared() {
    let list = |entry: &dyn Fn(usize) -> String| {
        let entries: Vec<_> = (0..5_000).map(entry).collect();
        surface_of(format!(r#"{{"tools": [{}]}}"#, entries.join(",")).as_bytes())
    };
    let policy = Policy::default();
    let same_body = |letter: char| list(&move |at| format!(r#"{{"name": "{letter}{at}"}}"#));
    let renamed = compare(&recorded(&same_body('a')), &same_body('b'), &policy);
    assert!(renamed.drifts.iter().all(|drift| drift.drift_type == DriftType::ToolRenamed));
    let copies = list(&|at| format!(r#"{{"name": "a", "title": "{at}"}}"#));
    let collisions = compare(&recorded(&surface_of(tool("").as_bytes())), &copies, &policy);
    assert_eq!(collisions.drifts.len(), 5_001);
    assert!(compare(&recorded(&copies), &copies, &policy).drifts.is_empty());

    let fields = |value: usize| {
        let fields: Vec<_> = (0..5_000).map(|at| format!(r#""x-{at}": "https://{value}.example""#)).collect();
        tool(&fields.join(","))
    };
    assert_eq!(only(&fields(1), &fields(2)).changes.len(), 201);
    let parameters = |word: &str| {
        let parameters: Vec<_> = (0..5_000).map(|at| format!(r#""{word}_{at}": {{}}"#)).collect();
        tool(&format!(r#""inputSchema": {{"properties": {{{}}}}}"#, parameters.join(",")))
    };
    assert_eq!(only(&parameters("get"), &parameters("exec")).severity, Severity::Critical);
    let long = |end: char| format!(r#"{{"tools": [{{"name": "{}{end}"}}]}}"#, "x".repeat(1_000_000));
    assert_eq!(only(&long('a'), &long('b')).drift_type, DriftType::ToolRenamed);
}

#[test]
fn pin_is_shared_only_where_equal_to_served() {
    let document = br#"{"tools": [{"name": "a", "title": "A"}, {"name": "b", "n": 9007199254740993}, {"name": "c"}]}"#;
    let baseline = recorded(&surface_of(document));
    // The same definitions, spelt in another way, and `c` is another one.
    let now = br#"{"tools": [{"title": "\u0041", "name": "a"}, {"n": 9007199254740993, "name": "b"}, {"name": "c", "x": 1}]}"#;
    let now = surface_of(now);
    let shared = baseline.sharing(&now).expect("two equal ones");
    let is_shared: Vec<_> =
        now.items.iter().zip(&shared.pins).map(|(item, pin)| Arc::ptr_eq(item, &pin.item)).collect();
    assert_eq!(is_shared, [true, true, false]);
    assert_eq!(shared, baseline);
    let texts = |baseline: &Baseline| {
        baseline.pins.iter().map(|pin| pin.item.definition.characters().into_owned()).collect::<Vec<_>>()
    };
    assert_eq!(texts(&shared), texts(&baseline));
    assert_eq!(shared.sharing(&now), None);
}
