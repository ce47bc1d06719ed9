//! `diff` of two snapshots: the words first, then an instance that shows them, then the lines that differ.

use crate::project::{Project, two_tools};
use serde_json::json;

#[test]
fn a_changed_schema_is_told_before_it_is_shown() {
    let project = Project::with_files();
    let recorded = |out: &str| out.lines().find_map(|line| line.strip_prefix("files: snapshot ")).map(str::to_owned);
    let schema = |limit: u8| {
        let mut tools = two_tools();
        tools["tools"][1]["inputSchema"] = json!({"type": "object", "properties": {"path": {"type": "string", "maxLength": limit}}, "required": ["path"]});
        tools
    };
    project.surface("files", &schema(3));
    let first = recorded(&project.expect(0, &["record", "--yes"]).out).expect("a path");
    project.surface("files", &schema(5));
    let second = recorded(&project.expect(0, &["record", "--yes"]).out).expect("a path");
    let told = project.expect(1, &["diff", &first, &second]).out;
    let block = told.split_once("  input schema\n").expect("a block").1;
    let lines: Vec<&str> = block.lines().map(str::trim_end).collect();
    assert_eq!(
        lines[..6],
        [
            "    accepts              all that it did before, and more",
            "    moderate schema_changed /inputSchema/properties/path/maxLength: `maxLength` of `path` changed from `3` to `5`. More input is accepted",
            r#"    accepted only now    {"path":"aaaa"}"#,
            "    /inputSchema/properties/path/maxLength",
            "      - 3",
            "      + 5",
        ],
        "{told}"
    );
    // The same block, in what CI prints.
    let check = project.expect(1, &["check", "--yes"]).out;
    assert!(check.contains(r#"accepted only now    {"path":"aaaa"}"#), "{check}");
}
