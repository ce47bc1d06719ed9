//! What official clients refuse: told at first contact, and a break of every caller where a change brings it. Which
//! definitions those are stands in tests/data/client-verdicts; here it is told, rated and counted.

use super::project::Project;
use serde_json::{Value, json};

fn shows(tool: &Value) -> Value {
    json!({"capabilities": {"tools": {}}, "server_info": {"name": "x", "version": "1"}, "tools": [tool]})
}

fn lamp(schema: &Value) -> Value {
    json!({"name": "lamp", "description": "Looks up a lamp.", "inputSchema": schema})
}

fn serving(tool: &Value, options: &[&str]) -> Project {
    let project = Project::new();
    project.surface("lamps", &shows(tool));
    let entry = Project::entry("lamps", &[]);
    let mut words = vec![String::new()];
    words.extend(options.iter().map(|option| json!(option).to_string()));
    project.write("pinwatch.toml", &entry.replace("\"]\n", &format!("\"{}]\n", words.join(", "))));
    project
}

/// The drift of the one server, and the exit codes of `check` and of `check --fail-on breaking`.
fn drift(project: &Project) -> (Value, i32, i32) {
    let check = project.run(&["check", "--yes", "--format", "json"]);
    let report: Value = serde_json::from_str(&check.out).expect("a report");
    let breaking = project.run(&["check", "--yes", "--fail-on", "breaking"]).code;
    (report["servers"][0]["drifts"][0].clone(), check.code, breaking)
}

fn rules(drift: &Value) -> Vec<(&str, bool)> {
    let findings = drift["findings"].as_array().expect("findings").iter();
    findings.map(|found| (found["rule"].as_str().expect("a rule"), found["added"] == true)).collect()
}

#[test]
fn a_root_that_clients_refuse_breaks_every_caller() {
    let good = json!({"type": "object", "properties": {"state": {"enum": ["on", "off"], "type": "string"}}});
    let project = serving(&lamp(&good), &[]);
    project.expect(0, &["record", "--yes"]);
    let mut without_type = good.clone();
    without_type.as_object_mut().expect("an object").remove("type");
    let mut nullable = good.clone();
    nullable["type"] = json!(["object", "null"]);
    let mut untitled = lamp(&good);
    untitled["description"] = Value::Null;
    let mut hints = lamp(&good);
    hints["annotations"] = json!({"readOnlyHint": "always"});
    let mut output = lamp(&good);
    output["outputSchema"] = json!({"type": "array"});
    for (case, tool) in [
        ("no type", lamp(&without_type)),
        ("a list of types", lamp(&nullable)),
        ("true", lamp(&json!(true))),
        ("a reference", lamp(&json!({"$ref": "#/$defs/A", "$defs": {"A": good}}))),
        ("alternatives", lamp(&json!({"anyOf": [good]}))),
        ("no schema", json!({"name": "lamp", "description": "Looks up a lamp."})),
        ("no text", untitled),
        ("a hint", hints),
        ("an output", output),
    ] {
        project.surface("lamps", &shows(&tool));
        let (drift, code, breaking) = drift(&project);
        assert_eq!((code, breaking), (1, 1), "{case}: {drift}");
        assert_eq!(drift["effect"], "breaking", "{case}");
        assert!(rules(&drift).contains(&("refused-by-clients", true)), "{case}: {drift}");
        assert_ne!(drift["severity"], "info", "{case}");
        let reason = drift["reasons"][0].as_str().expect("a reason");
        assert!(
            reason.starts_with("! clients refuse the whole list: ") && reason.contains("TypeScript SDK 1"),
            "{reason}"
        );
        assert_eq!(project.run(&["check", "--yes", "--fail-on", "refused-by-clients"]).code, 1, "{case}");
    }
}

#[test]
fn new_item_that_clients_refuse_breaks_all_calls() {
    let project = serving(&lamp(&json!({"type": "object"})), &[]);
    project.expect(0, &["record", "--yes"]);
    let mut shown = shows(&lamp(&json!({"type": "object"})));
    shown["prompts"] = json!([{"name": "p", "arguments": {"a": 1}}]);
    shown["capabilities"]["prompts"] = json!({});
    project.surface("lamps", &shown);
    let check = project.expect(1, &["check", "--yes", "--fail-on", "breaking"]);
    assert!(check.out.contains("prompt_added  prompt/p  effect breaking"), "{}", check.out);
}

#[test]
fn what_was_refused_already_breaks_nothing_anew() {
    let tool = lamp(&json!({"properties": {"a": {"type": "string"}}}));
    let project = serving(&tool, &[]);
    let before = project.expect(2, &["check", "--yes"]);
    assert!(
        before.out.contains("notice refused-by-clients ×1: tool/lamp: clients refuse the whole list"),
        "{}",
        before.out
    );
    let record = project.expect(0, &["record", "--yes"]);
    assert!(record.out.contains("`/inputSchema/type` is missing"), "{}", record.out);
    assert_eq!(project.run(&["check", "--yes"]).code, 0);

    // Still refused: the finding is no news.
    let mut told = tool.clone();
    told["description"] = json!("Looks up a lamp in the list of parts.");
    project.surface("lamps", &shows(&told));
    let (still, code, breaking) = drift(&project);
    assert_eq!((still["effect"].as_str(), code, breaking), (Some("none"), 1, 0));
    assert_eq!(rules(&still), [("refused-by-clients", false)]);

    // Mended.
    project.surface("lamps", &shows(&lamp(&json!({"type": "object", "properties": {"a": {"type": "string"}}}))));
    let (mended, _, breaking) = drift(&project);
    assert_eq!((mended["effect"].as_str(), breaking, rules(&mended)), (Some("none"), 0, vec![]));
}

#[test]
fn protocol_decides_which_output_schemas_pass() {
    let mut tool = lamp(&json!({"type": "object"}));
    for (era, refused) in [("initialize", true), ("discover", false)] {
        tool["outputSchema"] = json!({"type": "object"});
        let project = serving(&tool, &["--era", era]);
        project.expect(0, &["record", "--yes"]);
        tool["outputSchema"] = json!({"type": "array"});
        project.surface("lamps", &shows(&tool));
        let (drift, ..) = drift(&project);
        assert_eq!(rules(&drift).contains(&("refused-by-clients", true)), refused, "{era}: {drift}");
    }
}

#[test]
fn broken_reference_is_told_at_first_contact() {
    let schema =
        json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}, "default": {"$ref": "#/nowhere"}});
    let project = serving(&lamp(&schema), &[]);
    let record = project.expect(0, &["record", "--yes"]);
    assert!(record.out.contains("`$ref` leads nowhere: `#/$defs/A` does not exist"), "{}", record.out);
    assert!(!record.out.contains("#/nowhere"), "{}", record.out);
    assert!(project.expect(0, &["explain", "dangling-reference"]).out.contains("leads nowhere"));
}
