//! A baseline that is tied to something which nothing observes never reads clean.

use super::project::Project;

#[test]
fn baseline_with_an_anchor_is_unknown_everywhere() {
    let project = Project::with_files();
    project.expect(0, &["record", "--yes"]);
    let plain = project.read("snapshots/files/baseline.json");
    for member in ["auth_scope", "clearance_id", "signer_key_id"] {
        let tied = plain.replace(&format!("\"{member}\": null"), &format!("\"{member}\": \"x\""));
        assert_ne!(tied, plain);
        project.write("snapshots/files/baseline.json", &tied);
        for format in ["text", "json", "sarif", "junit", "markdown", "github"] {
            let check = project.expect(2, &["check", "--yes", "--format", format]);
            let said = format!("anchor not checked: the baseline is tied to {member}");
            let read = check.out.replace("&#58;", ":").replace("&#95;", "_");
            assert!(read.contains(&said), "{format}: {}", check.out);
            assert!(!check.out.contains("every definition equals its pin"), "{format}: {}", check.out);
        }
        let text = project.expect(2, &["check", "--yes"]).out;
        assert!(text.starts_with("files  UNKNOWN  5 approved"), "{text}");
        project.expect(1, &["check", "--yes", "--fail-on", "unknown"]);
        assert!(project.expect(2, &["review", "--yes"]).out.contains("anchor not checked"));
    }
    project.write("snapshots/files/baseline.json", &plain);
    project.expect(0, &["check", "--yes"]);
}
