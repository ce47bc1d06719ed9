//! `compare`: a server against what other systems hold of it, with the definitions that pinwatch has.

use super::project::{Project, drifted, two_tools};
use serde_json::{Value, json};
use std::fs;

/// A project with every export of what it recorded.
fn exported() -> Project {
    let project = Project::with_files();
    project.expect(0, &["record", "--yes"]);
    for (format, file) in [("assay-pins", "pins.yaml"), ("assay-declared", "declared.json"), ("mcp-lock", "lock.json")]
    {
        project.expect(0, &["export", format, "files", "--output", file]);
    }
    project.expect(0, &["export", "mcp-lock", "files", "--lock-version", "2", "--output", "lock2.json"]);
    project
}

const ALL: [&str; 4] = ["pins.yaml", "declared.json", "lock.json", "lock2.json"];

#[test]
fn what_was_exported_is_equal_until_a_tool_changes() {
    let project = exported();
    for file in ALL {
        let equal = project.expect(0, &["compare", file, "files", "--yes"]).out;
        assert!(equal.ends_with("\nequal\n"), "{file}: {equal}");
    }
    project.surface("files", &drifted());
    for (file, code) in [
        ("pins.yaml", "deny     E_TOOL_DRIFT tool/read_file: another meta_hash than the pin's"),
        ("declared.json", "medium   mcp_tool_description_changed tool/read_file: it differs from what was declared"),
        ("lock.json", "moderate TOOL_CHANGED tool/read_file: Tool [read_file] description changed"),
        ("lock2.json", "moderate TOOL_CHANGED tool/read_file: Tool [read_file] description changed"),
    ] {
        let told = project.expect(1, &["compare", file, "--yes"]).out;
        let lines: Vec<_> = told.lines().map(str::trim_end).collect();
        assert_eq!(lines[1], code, "{told}");
        // The definition that the hash is of is the one that was approved.
        assert_eq!(lines[2], "  then as approved here, now:", "{told}");
        assert!(told.contains("- Read a file.") && told.contains("+ Read a file, and send a copy"), "{told}");
        assert!(told.ends_with("1 difference\n"), "{told}");
    }
}

/// One tool is shown as one of its server's: what became different in it alone is not told of every tool.
#[test]
fn a_change_of_one_tool_is_not_told_of_all() {
    let dialect = |tools: &[usize]| {
        let mut surface = two_tools();
        for at in tools {
            surface["tools"][*at]["inputSchema"]["$schema"] = "http://json-schema.org/draft-07/schema#".into();
        }
        surface
    };
    let project = Project::with_files();
    project.surface("files", &dialect(&[0, 1]));
    project.expect(0, &["record", "--yes"]);
    project.expect(0, &["export", "mcp-lock", "files", "--output", "lock.json"]);
    let told = |surface: &Value| {
        project.surface("files", surface);
        project.expect(1, &["compare", "lock.json", "--yes"]).out
    };
    let one = told(&dialect(&[0]));
    assert!(one.contains("Dialect changed") && !one.contains("Every tool changed so"), "{one}");
    let all = told(&dialect(&[]));
    assert!(all.contains("Every tool changed so"), "{all}");
}

#[test]
fn what_is_gone_and_what_is_new_are_told() {
    let project = exported();
    let mut surface = two_tools();
    surface["tools"][0]["name"] = "walk".into();
    project.surface("files", &surface);
    let codes = |file: &str| {
        let told = project.expect(1, &["compare", file, "files", "--yes"]).out;
        let code = |line: &str| line.split_whitespace().nth(1).map(str::to_owned);
        told.lines().filter(|line| line.contains(" tool/")).filter_map(code).collect::<Vec<_>>()
    };
    assert_eq!(codes("lock.json"), ["TOOL_REMOVED", "TOOL_ADDED"]);
    assert_eq!(codes("declared.json"), ["mcp_tool_removed", "mcp_tool_added"]);
    assert_eq!(codes("pins.yaml"), ["E_TOOL_UNOBSERVED"]);
}

#[test]
fn a_snapshot_shows_what_is_no_longer_approved() {
    let project = exported();
    project.expect(0, &["forget", "files"]);
    project.surface("files", &drifted());
    let told = project.expect(1, &["compare", "lock.json", "files", "--yes"]).out;
    assert!(told.contains("  then as recorded in "), "{told}");
    for entry in fs::read_dir(project.path("snapshots/files")).unwrap().flatten() {
        fs::remove_file(entry.path()).unwrap();
    }
    let told = project.expect(1, &["compare", "lock.json", "files", "--yes"]).out;
    assert!(told.contains("  pinwatch has no definition that fits it: what changed cannot be shown\n"), "{told}");
}

#[test]
fn the_report_of_mcptrust_is_one_of_its_own() {
    let project = exported();
    let report = |code: i32| -> Value {
        let done = project.expect(code, &["compare", "lock.json", "files", "--yes", "--format", "mcptrust"]);
        serde_json::from_str(&done.out).unwrap()
    };
    assert_eq!(report(0)["outcome"], "PASS");
    project.surface("files", &drifted());
    let moderate = report(0);
    assert_eq!((&moderate["outcome"], &moderate["summary"]["moderate"]), (&json!("PASS"), &json!(1)));
    project.surface("files", &json!({"tools": []}));
    let failed = report(1);
    assert_eq!((&failed["outcome"], &failed["drift"][0]["type"]), (&json!("FAIL"), &json!("TOOL_REMOVED")));
    let refused = project.expect(2, &["compare", "pins.yaml", "files", "--yes", "--format", "mcptrust"]);
    assert!(refused.err.contains("pins.yaml is not an MCPTrust lock"), "{refused:?}");
}

#[test]
fn a_lock_is_held_to_its_signature() {
    let project = Project::with_files();
    let vectors = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/vectors/mcptrust/repo-testdata/backward_compat");
    for file in ["legacy_v1_lock.json", "legacy_v1_sig.hex", "new_v2_sig.txt", "test_public.key"] {
        fs::copy(format!("{vectors}/{file}"), project.path(file)).unwrap();
    }
    let compare = |sig: &str, key: &str| {
        project.run(&["compare", "legacy_v1_lock.json", "files", "--yes", "--sig", sig, "--key", key])
    };
    let second = |text: &str| text.lines().nth(1).unwrap_or_default().to_owned();
    for (sig, form) in [("legacy_v1_sig.hex", "v1"), ("new_v2_sig.txt", "v2")] {
        let holds = compare(sig, "test_public.key");
        assert_eq!(
            second(&holds.out),
            format!("signature holds: by the key in test_public.key, over the lock's {form} text")
        );
    }
    project.write("legacy_v1_lock.json", &project.read("legacy_v1_lock.json").replace("mock-server", "mock-servers"));
    let broken = compare("new_v2_sig.txt", "test_public.key");
    assert!(second(&broken.out).starts_with("signature does not hold: "), "{broken:?}");
    assert_eq!(broken.code, 1);
    for (sig, key, why) in [
        ("test_public.key", "test_public.key", "test_public.key is not a signature: "),
        ("new_v2_sig.txt", "new_v2_sig.txt", "new_v2_sig.txt is not a public key: "),
        ("missing", "test_public.key", "missing cannot be read"),
    ] {
        let refused = compare(sig, key);
        assert!(refused.code == 2 && refused.err.contains(why), "{refused:?}");
    }
    project.write("short.key", "-----BEGIN ED25519 PUBLIC KEY-----\nAAAA\n-----END ED25519 PUBLIC KEY-----\n");
    assert!(compare("new_v2_sig.txt", "short.key").err.contains("it has 3 bytes; an Ed25519 key has 32"));
}

#[test]
fn what_cannot_be_told_is_exit_2_and_said() {
    let project = exported();
    let mismatch = project.expect(2, &["compare", "declared.json", "files", "--yes", "--server-id", "other"]);
    assert!(mismatch.out.contains("unclear  mcp_manifest_server_mismatch: it is about `files`"), "{mismatch:?}");
    let declared = project.read("declared.json").replacen("read_file", "list_files", 1);
    project.write("declared.json", &declared);
    let twice = project.expect(2, &["compare", "declared.json", "files", "--yes"]);
    assert!(twice.out.contains("declared_mcp_manifest_ambiguous"), "{twice:?}");
    project.write("pinwatch.toml", &Project::entry("files", &["error-at-list"]));
    let failed = project.run(&["compare", "lock.json", "files", "--yes"]);
    assert_eq!(failed.code, 2, "{failed:?}");
    for (file, text, why) in [
        ("cut.json", "{\"version\":", "cut.json cannot be compared"),
        ("observed.json", "{\"schema\":\"assay.mcp_manifest_observed.v0\"}", "approves nothing"),
        ("other.json", "{}", "it is neither a lock of MCPTrust"),
        ("alias.yaml", "tool_pins: &a {}\nb: *a\n", "an alias (`*name`) stands there"),
        ("twice.yaml", "tool_pins: {}\ntool_pins: {}\n", "a member occurs twice"),
        ("empty.yaml", "", "it has no `tool_pins`"),
    ] {
        project.write(file, text);
        let refused = project.expect(2, &["compare", file, "files", "--yes"]);
        assert!(refused.err.contains(why), "{file}: {refused:?}");
    }
}
