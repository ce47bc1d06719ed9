//! Files as editors of Windows save them: a byte order mark is read, another encoding is refused by its name.

use super::fixture::fixture_server;
use super::project::{Project, drifted};
use serde_json::json;
use std::fs;

/// A text as UTF-16, with or without its mark.
fn utf16(text: &str, little: bool, mark: bool) -> Vec<u8> {
    let bytes = |unit: u16| if little { unit.to_le_bytes() } else { unit.to_be_bytes() };
    let mark = if mark { "\u{FEFF}" } else { "" };
    format!("{mark}{text}").encode_utf16().flat_map(bytes).collect()
}

#[test]
fn a_byte_order_mark_is_read_in_every_file() {
    let project = Project::with_files();
    let config = project.read("pinwatch.toml");
    project.write("pinwatch.toml", &format!("\u{FEFF}{config}"));
    let recorded = project.expect(0, &["record", "--yes"]).out;
    let first = recorded.lines().find_map(|line| line.strip_prefix("files: snapshot ")).expect("a snapshot").to_owned();
    let marked = format!("\u{FEFF}{}", project.read("snapshots/files/baseline.json"));
    project.write("snapshots/files/baseline.json", &marked);
    assert!(project.expect(0, &["check", "--yes"]).out.contains("files  OK"));
    // A drift points at the pin's line, and a decision writes the file as any other.
    project.surface("files", &drifted());
    let json = project.expect(1, &["check", "--yes", "--format", "json"]).out;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let digest = json["servers"][0]["drifts"][0]["digests"]["surface"]["now"].as_str().expect("a digest");
    project.expect(0, &["approve", "--yes", "files", "tool/read_file", "--expect", digest]);
    assert!(project.read("snapshots/files/baseline.json").starts_with('{'));
    let second = project.expect(0, &["record", "--yes"]).out;
    let second = second.lines().find_map(|line| line.strip_prefix("files: snapshot ")).expect("a snapshot").to_owned();
    fs::write(&first, format!("\u{FEFF}{}", fs::read_to_string(&first).expect("a file"))).expect("a file");
    assert!(project.expect(1, &["diff", &first, &second]).out.contains("tool/read_file"));
    // A client's file, plain and with comments.
    for (file, member) in [(".mcp.json", "mcpServers"), (".vscode/mcp.json", "servers")] {
        let project = Project::new();
        let text = json!({member: {"files": {"command": fixture_server(), "args": ["files.json"]}}}).to_string();
        fs::create_dir(project.path(".vscode")).expect("a folder");
        fs::write(project.path(file), format!("\u{FEFF}{text}")).expect("a file");
        assert!(project.expect(0, &["servers"]).out.contains("launch"), "{file}");
    }
}

#[test]
fn another_encoding_is_refused_by_its_name() {
    const SAID: &str = "it is UTF-16; save it as UTF-8";
    let text = json!({"mcpServers": {"files": {"command": fixture_server(), "args": ["files.json"]}}}).to_string();
    for (little, mark) in [(true, true), (true, false), (false, true), (false, false)] {
        for (file, text) in [
            (".mcp.json", text.as_str()),
            (".vscode/mcp.json", &text.replace("mcpServers", "servers")),
            (".codex/config.toml", "[mcp_servers.files]\ncommand = \"x\"\n"),
            ("pinwatch.toml", "[servers.files]\ncommand = \"x\"\n"),
        ] {
            let project = Project::new();
            let path = project.path(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, utf16(text, little, mark)).expect("a file");
            let done = project.expect(2, &["check"]);
            assert!((done.out.clone() + &done.err).contains(SAID), "{file} {little} {mark}: {done:?}");
            assert!(!(done.out + &done.err).contains("byte 0"), "{file}");
        }
        // A baseline is still ours: it is refused, and nothing is written over it.
        let project = Project::with_files();
        project.expect(0, &["record", "--yes"]);
        let baseline = project.path("snapshots/files/baseline.json");
        let bytes = utf16(&project.read("snapshots/files/baseline.json"), little, mark);
        fs::write(&baseline, &bytes).expect("a file");
        let done = project.expect(2, &["check", "--yes"]);
        assert!(done.out.contains("files  REFUSED") && done.out.contains(SAID), "{done:?}");
        let done = project.expect(2, &["record", "--yes"]);
        assert!(done.err.contains(SAID), "{done:?}");
        assert_eq!(fs::read(&baseline).expect("a file"), bytes);
    }
}
