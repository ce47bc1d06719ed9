//! The definition digest with its cluster, the manifest's and the signature's state, on every face without a terminal.

use super::project::{Project, drifted};
use serde_json::Value;

// Worked out with another program from the published projections.
const PINNED: &str = "sha256:a981e0ef8f67f524ac42c33723a760f8058346782400f69f5e794ec2b26dd909";
const NOW: &str = "sha256:58f63de0cf01748b5dc0b7a47b754ae8a1cb19edb22cd29c6d41af033f576f33";
const MANIFEST: &str = "sha256:89f70443d21564f8e813cc84a963cb16a2cdf178a5d48d5a3b1758783a2df548";
const PROFILE: &str = "sha256, jcs:mcp_tool_definition.v1, assay.mcp.tool-definition.snapshot.v1, mcp.tools/list";

fn drifting() -> Project {
    let project = Project::with_files();
    project.expect(0, &["record", "--yes"]);
    project.surface("files", &drifted());
    project
}

#[test]
fn each_report_has_definition_digest_and_scope() {
    let project = drifting();
    for format in ["text", "markdown", "junit"] {
        let report = project.expect(1, &["check", "--yes", "--format", format]).out;
        for part in [PINNED, NOW, &format!("{PROFILE}, digest scope none")] {
            assert!(report.contains(part), "{format}: {part} in {report}");
        }
    }
    let junit = project.expect(1, &["check", "--yes", "--format", "junit"]).out;
    assert!(junit.contains("<property name=\"digest_scope\" value=\"none\"/>"), "{junit}");
    let sarif = project.expect(1, &["check", "--yes", "--format", "sarif"]).out;
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    let run = &sarif["runs"][0];
    assert_eq!(run["properties"]["digestScopes"]["files"], "none");
    let drift = &run["results"][0]["properties"];
    assert_eq!(drift["definition"]["pinned"]["tool_definition_digest"], PINNED);
    assert_eq!(drift["definition"]["now"]["tool_definition_canonicalization"], "jcs:mcp_tool_definition.v1");
    assert_eq!(drift["signature"]["now"]["state"], "none");
}

/// A clean report has no digest, and says what its digests would cover all the same.
#[test]
fn every_clean_report_says_its_digest_scope() {
    for (scope, says) in [("none", "do not cover"), ("server", "cover")] {
        let project = Project::new();
        let entry = format!("digest-scope = \"{scope}\"\n{}", Project::entry("files", &[]));
        project.write("pinwatch.toml", &entry);
        project.surface("files", &super::project::two_tools());
        project.expect(0, &["record", "--yes"]);
        let line = format!("digest scope {scope}: definition digests {says} the server's id");
        for format in ["text", "markdown", "github"] {
            let report = project.expect(0, &["check", "--yes", "--format", format]).out;
            assert_eq!(report.matches(&line).count(), 1, "{format}: {report}");
        }
    }
}

#[test]
fn json_report_has_manifest_and_signature() {
    let project = drifting();
    let report = project.expect(1, &["check", "--yes", "--format", "json"]).out;
    let report: Value = serde_json::from_str(&report).unwrap();
    let server = &report["servers"][0];
    assert_eq!(server["manifest"]["pinned"], MANIFEST);
    assert_ne!(server["manifest"]["now"], MANIFEST);
    let drift = &server["drifts"][0];
    let fields = |side: &str| drift["digests"]["manifest"][side]["field_digests"].clone();
    assert_ne!(fields("pinned")["description"], fields("now")["description"]);
    assert_eq!(fields("pinned")["input_schema"], fields("now")["input_schema"]);
    assert_eq!(drift["signature"]["pinned"]["state"], "none");
}

#[test]
fn show_has_them_for_a_server_and_for_an_item() {
    let project = drifting();
    let server = project.expect(0, &["show", "files"]).out;
    for part in [format!("definition {PINNED}"), format!("{PROFILE}, digest scope none"), MANIFEST.to_owned()] {
        assert!(server.contains(&part), "{part} in {server}");
    }
    let item = project.expect(0, &["show", "files", "tool/read_file"]).out;
    assert!(item.contains("\nsignature none\nrisk level (MCPTrust's words): LOW\n"), "{item}");
    assert!(item.contains("\"tool_digest\": \"sha256:"), "{item}");
}

#[test]
fn diff_is_a_document_too() {
    let project = Project::with_files();
    let path =
        |out: &str| out.lines().find_map(|line| line.strip_prefix("files: snapshot ")).map(str::to_owned).unwrap();
    let first = path(&project.expect(0, &["record", "--yes"]).out);
    project.surface("files", &drifted());
    let second = path(&project.expect(0, &["record", "--yes"]).out);
    let text = project.expect(1, &["diff", &first, &second]).out;
    assert!(text.contains(PINNED) && text.contains(NOW), "{text}");
    let document = project.expect(1, &["diff", "--format", "json", &first, &second]).out;
    let document: Value = serde_json::from_str(&document).unwrap();
    assert_eq!(document["format"], "pinwatch.diff.v1");
    assert_eq!(document["digest_scope"], "none");
    let drift = &document["drifts"][0];
    assert_eq!((drift["type"].as_str(), drift["state"].as_str()), (Some("tool_changed"), None));
    assert_eq!(drift["digests"]["definition"]["now"]["tool_definition_digest"], NOW);
    let same = project.expect(0, &["diff", "--format", "json", &first, &first]).out;
    assert_eq!(serde_json::from_str::<Value>(&same).unwrap()["drifts"], serde_json::json!([]));
}

/// FORMATS.md, 3.4: substrings of name and description; two or more are HIGH.
#[test]
fn the_risk_level_stands_with_its_words() {
    let project = Project::with_files();
    let mut surface = super::project::two_tools();
    surface["tools"][1]["description"] = "Reads a file in a shell, with sudo.".into();
    project.surface("files", &surface);
    project.expect(0, &["record", "--yes"]);
    let server = project.expect(0, &["show", "files"]).out;
    assert_eq!(server.matches("  risk level (MCPTrust's words): ").count(), 2, "{server}");
    assert!(server.contains("  risk level (MCPTrust's words): HIGH: shell, sudo\n"), "{server}");
    project.surface("files", &drifted());
    let report = project.expect(1, &["check", "--yes", "--format", "json"]).out;
    let report: Value = serde_json::from_str(&report).unwrap();
    let drifts = report["servers"][0]["drifts"].as_array().unwrap();
    let drift = drifts.iter().find(|drift| drift["type"] == "tool_changed").unwrap();
    let levels = serde_json::json!({
        "pinned": {"level": "HIGH", "words": ["shell", "sudo"]},
        "now": {"level": "LOW", "words": []},
    });
    assert_eq!(drift["risk_level"], levels);
}
