//! A policy's presets and rules: what each report says of them, what fails the check, and what an expression cannot do.

use super::project::Project;
use serde_json::{Value, json};

/// A recorded project under a policy.
fn under(policy: &str) -> Project {
    let project = Project::with_files();
    project.expect(0, &["record", "--yes"]);
    project.write("pinwatch.toml", &format!("{policy}\n{}", Project::entry("files", &[])));
    project
}

fn told(project: &Project, code: i32) -> Value {
    let out = project.expect(code, &["check", "--yes", "--format", "json"]).out;
    let mut report: Value = serde_json::from_str(&out).expect("a report is JSON");
    report["servers"][0]["policy"].take()
}

fn results(policy: &Value) -> Vec<(&str, &str)> {
    let rules = policy["rules"].as_array().expect("rules are listed").iter();
    rules.map(|rule| (rule["rule"].as_str().unwrap_or(""), rule["result"].as_str().unwrap_or(""))).collect()
}

/// FORMATS.md, 3.5 and 7: what the lock does not hold is not visible; baseline warns of it, strict fails.
#[test]
fn presets_say_what_is_not_visible() {
    let baseline = told(&under("[policy]\npreset = \"mcptrust-baseline\""), 0);
    assert_eq!(baseline["passed"], true);
    assert_eq!(
        results(&baseline),
        [
            ("artifact_pinned", "not_visible"),
            ("provenance_present", "not_visible"),
            ("no_high_risk_tools", "passed"),
            ("no_critical_drift", "passed"),
        ]
    );
    let strict = under("[policy]\npreset = \"mcptrust-strict\"");
    assert_eq!(
        results(&told(&strict, 1))[..2],
        [("artifact_pinned_required", "not_visible"), ("provenance_required", "not_visible"),]
    );
    // A lock of another server says nothing of this one.
    let artifact = json!({"type": "npm", "integrity": "sha512-AA==",
        "provenance": {"method": "cosign_slsa", "verified": true}});
    let mut lock = json!({"lockFileVersion": "3.0", "meta": {"generator": "g", "updatedAt": "2026-01-01T00:00:00Z"},
        "server": {"name": "another", "artifact": artifact}, "prompts": {"definitions": {}},
        "resources": {"templates": []}, "tools": {}});
    strict.write("mcp-lock.json", &lock.to_string());
    assert_eq!(results(&told(&strict, 1))[0].1, "not_visible");
    let baseline = strict.baseline("files");
    let pins = baseline["pins"].as_array().expect("pins are listed");
    let info = pins.iter().find(|pin| pin["kind"] == "server_info").expect("the server has a name");
    lock["server"]["name"] = info["definition"]["name"].clone();
    strict.write("mcp-lock.json", &lock.to_string());
    assert_eq!(told(&strict, 0)["passed"], true);
    // An artifact without the hash of its content is not pinned to it.
    lock["server"]["artifact"]["integrity"] = "".into();
    strict.write("mcp-lock.json", &lock.to_string());
    let unpinned = told(&strict, 1);
    assert_eq!(results(&unpinned)[..2], [("artifact_pinned_required", "failed"), ("provenance_required", "passed")]);
}

/// The rules and sentences of repo-testdata/ci/check_fail_policy.json.
const FAILS: &str = r#"
[[policy.rule]]
name = "require_namespacing"
expr = "input.tools.all(t, t.name.startsWith('myapp_'))"
message = "tools must use myapp_ prefix"
"#;

#[test]
fn a_failed_rule_stands_in_every_report() {
    let project = under(FAILS);
    for (format, says) in [
        ("text", "policy fail   require_namespacing: tools must use myapp_ prefix"),
        ("json", "\"text\": \"tools must use myapp_ prefix\""),
        ("sarif", "policy rule require_namespacing: tools must use myapp_ prefix"),
        ("junit", "<failure type=\"policy-rule\" message=\"tools must use myapp_ prefix\"/>"),
        ("markdown", "policy fail: <code>require&#95;namespacing</code> <code>tools must use myapp&#95; prefix</code>"),
        (
            "github",
            "::error file=pinwatch.toml,line=1,title=policy rule require_namespacing of files::tools must use myapp_ prefix",
        ),
    ] {
        // No severity lets it pass.
        let out = project.expect(1, &["check", "--yes", "--format", format, "--fail-on", "never"]).out;
        assert!(out.contains(says), "{format}: {out}");
    }
    let out = project.expect(1, &["check", "--yes", "--format", "sarif"]).out;
    let run: Value = serde_json::from_str::<Value>(&out).expect("JSON")["runs"][0].take();
    let result = &run["results"][0];
    assert_eq!((&result["ruleId"], &result["level"]), (&json!("policy-rule/require_namespacing"), &json!("error")));
    assert_eq!(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "pinwatch.toml");
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]));
    let warn = under(&FAILS.replace("name =", "mode = \"warn\"\nname ="));
    let out = warn.expect(0, &["check", "--yes"]).out;
    assert!(out.contains("policy warn   require_namespacing"), "{out}");
}

/// A word in a string is no question about what cannot be seen.
#[test]
fn a_rule_that_asks_about_served_tools_alone_holds() {
    let rule = |expr: &str| format!("[[policy.rule]]\nname = \"r\"\nexpr = \"{expr}\"\n");
    let says = under(&rule("input.tools.all(t, t.name != 'artifact' && t.name != 'drift')"));
    assert_eq!(results(&told(&says, 0)), [("r", "passed")]);
    assert_eq!(results(&told(&under(&rule("!has(input.artifact)")), 1)), [("r", "not_visible")]);
}

#[test]
fn a_suppression_is_bound_to_the_input() {
    let project = under(FAILS);
    let digest = told(&project, 1)["digest"].as_str().expect("a digest").to_owned();
    let suppress = format!(
        "{FAILS}[[policy.suppress]]\nserver = \"files\"\npolicy-rule = \"require_namespacing\"\ndigest = \"{digest}\"\n\
         reason = \"older than the rule\"\n"
    );
    project.write("pinwatch.toml", &format!("{suppress}\n{}", Project::entry("files", &[])));
    let let_be = told(&project, 0);
    assert_eq!(let_be["rules"][0]["suppressed"], "older than the rule");
    project.surface("files", &super::project::drifted());
    assert_eq!(told(&project, 1)["rules"][0]["suppressed"], Value::Null);
}

/// A list of twenty, thirteen deep: 20^13 steps; and a text doubled until it fills any memory.
#[test]
fn an_expression_cannot_hold_the_check() {
    let list = "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]";
    let bomb = (0..13).fold("true".to_owned(), |inside, at| format!("{list}.all(x{at}, {inside})"));
    let grown =
        (0..40).fold("input.tools[0].name".to_owned(), |inside, at| format!("[{inside}].map(y{at}, y{at} + y{at})[0]"));
    let deep = format!("{}true{}", "(".repeat(1_500), ")".repeat(1_500));
    let policy = [("slow", bomb), ("large", format!("{grown} == ''")), ("deep", deep), ("after", "true".to_owned())]
        .map(|(name, expr)| format!("[[policy.rule]]\nname = \"{name}\"\nmode = \"warn\"\nexpr = \"{expr}\"\n"));
    let project = under(&policy.concat());
    let told = told(&project, 1);
    let results = results(&told);
    assert_eq!(results, [("slow", "error"), ("large", "error"), ("deep", "error"), ("after", "passed")], "{told}");
    let text = |at: usize| told["rules"][at]["text"].as_str().unwrap_or_default();
    assert_eq!(text(0), "not evaluated: it was ended after 2 s");
    // On a busy machine its time may end before it has grown so far.
    let bounds = ["it needs more than 512 MiB of memory", "it was ended after 2 s"];
    assert!(bounds.map(|bound| format!("not evaluated: {bound}")).contains(&text(1).to_owned()), "{told}");
    // The parser's own bound, which our stack is large enough for.
    assert!(text(2).contains("Recursion limit of 96 exceeded"), "{told}");
}

#[test]
fn a_rule_that_cannot_be_read_is_refused() {
    for (rule, says) in [
        ("name = \"a\"\n", "needs an `expr`"),
        ("name = \"a\"\nexpr = \"true\"\nmode = \"loud\"\n", "loud"),
        ("name = \"a\"\nexpr = \"true\"\nexpression = \"true\"\n", "expression"),
        ("name = \"a\"\nexpr = \"true\"\n[[policy.rule]]\nname = \"a\"\nexpr = \"true\"\n", "two rules have this name"),
    ] {
        let project = under(&format!("[[policy.rule]]\n{rule}"));
        let done = project.expect(2, &["check", "--yes"]);
        assert!(done.err.contains(says), "{done:#?}");
    }
}
