//! A baseline that is tied to something never reads clean where that is not there, or where nothing observes it.

use super::project::Project;

/// What a report of a format says, read as a person does.
fn told(project: &Project, code: i32, format: &str) -> String {
    let check = project.expect(code, &["check", "--yes", "--format", format]);
    assert!(!check.out.contains("every definition equals its pin"), "{format}: {}", check.out);
    check.out.replace("&#58;", ":").replace("&#95;", "_")
}

const FORMATS: [&str; 6] = ["text", "json", "sarif", "junit", "markdown", "github"];

#[test]
fn a_baseline_with_an_anchor_never_reads_clean() {
    let project = Project::with_files();
    project.expect(0, &["record", "--yes"]);
    let plain = project.read("snapshots/files/baseline.json");
    let tied = |member: &str| {
        let tied = plain.replace(&format!("\"{member}\": null"), &format!("\"{member}\": \"x\""));
        assert_ne!(tied, plain);
        project.write("snapshots/files/baseline.json", &tied);
    };
    // A process is not signed in to.
    tied("auth_scope");
    for format in FORMATS {
        let read = told(&project, 2, format);
        assert!(read.contains("anchor not checked: the baseline is tied to auth_scope"), "{format}: {read}");
    }
    let text = project.expect(2, &["check", "--yes"]).out;
    assert!(text.starts_with("files  UNKNOWN  5 approved"), "{text}");
    project.expect(1, &["check", "--yes", "--fail-on", "unknown"]);
    assert!(project.expect(2, &["review", "--yes"]).out.contains("anchor not checked"));
    // It is observed that they are gone.
    for member in ["clearance_id", "signer_key_id"] {
        tied(member);
        for format in FORMATS {
            let read = told(&project, 1, format);
            assert!(read.contains("anchor"), "{format}: {read}");
        }
        let text = project.expect(1, &["check", "--yes", "--fail-on", "anchor_changed"]).out;
        assert!(text.starts_with("files  DRIFT  1 drifted, 5 approved"), "{text}");
        assert!(project.run(&["review", "--yes"]).out.contains("server_info/anchor"));
    }
    project.write("snapshots/files/baseline.json", &plain);
    project.expect(0, &["check", "--yes"]);
}
