//! `x-assay-sig` from first contact to drift, and `verify-signature` with Assay's exit codes.

use super::project::Project;
use super::signing::{key_id, signed, spki};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

fn tool() -> Value {
    json!({"name": "read_file", "description": "Read a file.", "inputSchema": {"type": "object"}})
}

fn serve(project: &Project, tool: &Value) {
    project.surface("files", &json!({"server_info": {"name": "files", "version": "1"}, "tools": [tool]}));
}

/// What `assay` section stands before the servers.
fn trusting(project: &Project, assay: &str) {
    project.write("pinwatch.toml", &format!("{assay}{}", Project::entry("files", &[])));
}

fn trusted(seed: u8) -> String {
    format!("[assay.trusted-keys]\nbuild = \"{}\"\n", STANDARD.encode(spki(seed)))
}

#[test]
fn one_that_does_not_hold_is_never_pinned_unasked() {
    let project = Project::with_files();
    let mut changed = signed(&tool(), 7);
    changed["description"] = "Read any file.".into();
    serve(&project, &changed);
    let record = project.expect(1, &["record", "--yes"]);
    let says = "files: tool/read_file stays new: Signature does not hold: its digest is of another text";
    assert!(record.out.contains(says), "{record:?}");
    let check = project.expect(1, &["check", "--yes", "--fail-on", "signature-does-not-hold"]);
    assert!(check.out.contains("does not hold"), "{check:?}");
    // Named, it is pinned, as every critical finding can be.
    let named =
        record.out.split("--accept ").nth(1).and_then(|rest| rest.split('\n').next()).unwrap().trim().to_owned();
    project.expect(0, &["forget", "files"]);
    project.expect(0, &["record", "--yes", "--accept", named.trim_matches('\'')]);
}

#[test]
fn lost_or_foreign_signature_is_drift() {
    let project = Project::with_files();
    trusting(&project, &trusted(7));
    serve(&project, &signed(&tool(), 7));
    project.expect(0, &["record", "--yes"]);
    let reasons = |served: &Value| {
        serve(&project, served);
        let report: Value = serde_json::from_str(&project.run(&["check", "--yes", "--format", "json"]).out).unwrap();
        let drift = &report["servers"][0]["drifts"][0];
        let change =
            drift["changes"].as_array().unwrap().iter().find(|change| change["path"] == "/x-assay-sig").cloned();
        let change = change.unwrap_or_default();
        format!("{} {}", change["severity"].as_str().unwrap_or_default(), change["reason"].as_str().unwrap_or_default())
    };
    assert_eq!(
        reasons(&tool()),
        "moderate No longer signed. The pinned signature holds: the holder of your key `build` signed this text"
    );
    assert_eq!(
        reasons(&signed(&tool(), 9)),
        format!(
            "moderate Signed by another key: {}, not `build`. Signature holds by the key that it brings along, which \
             nobody named: {}",
            &key_id(9)[7..15],
            key_id(9)
        )
    );
    let mut titled = tool();
    titled["title"] = "Read".into();
    assert_eq!(
        reasons(&signed(&titled, 7)),
        "info Signed anew by the same key. Signature holds: the holder of your key `build` signed this text"
    );
    let mut moved = signed(&tool(), 7);
    moved["title"] = "Read".into();
    serve(&project, &moved);
    let check = project.expect(1, &["check", "--yes", "--fail-on", "signature-does-not-hold"]).out;
    assert!(check.contains("critical") && check.contains("Signature does not hold"), "{check}");
}

#[test]
fn where_it_is_required_an_unsigned_tool_stays_new() {
    let project = Project::with_files();
    trusting(&project, &format!("[assay]\nrequire-signed = true\n{}", trusted(7)));
    let stays = |served: &Value| {
        serve(&project, served);
        let record = project.expect(1, &["record", "--yes"]).out;
        project.expect(0, &["forget", "files"]);
        record.lines().find_map(|line| line.split_once(" stays new: ")).unwrap().1.to_owned()
    };
    let required = "pinwatch.toml requires a signature of a trusted key. ";
    assert_eq!(stays(&tool()), format!("{required}It is not signed"));
    assert!(
        stays(&signed(&tool(), 9)).starts_with(&format!("{required}Signature holds by the key that it brings along"))
    );
    serve(&project, &signed(&tool(), 7));
    project.expect(0, &["record", "--yes"]);
    project.expect(0, &["check", "--yes"]);
}

#[test]
fn senseless_section_is_refused_with_its_place() {
    let project = Project::with_files();
    let key = STANDARD.encode(spki(7));
    for (section, why) in [
        ("[assay]\nrequire-signed = true\n".to_owned(), "needs `trusted-keys`: no key could have signed"),
        ("[assay.trusted-keys]\nbuild = \"AAAA\"\n".to_owned(), "the key `build`: it has 3 bytes"),
        ("[assay.trusted-keys]\nbuild = \"sha256:12\"\n".to_owned(), "the key `build`: it is not base64"),
        (format!("[assay.trusted-keys]\na = \"{key}\"\nb = \"{}\"\n", key_id(7)), "`a` and `b` are one key"),
        ("[assay]\nrequire-signd = true\n".to_owned(), "did you mean `require-signed`?"),
    ] {
        trusting(&project, &section);
        let refused = project.expect(2, &["check", "--yes"]);
        assert!(refused.err.contains(why) && refused.err.contains("pinwatch.toml:"), "{section}: {refused:?}");
    }
}

#[test]
fn verify_signature_ends_as_assay_does() {
    let project = Project::with_files();
    let whole = signed(&tool(), 7);
    let with = |member: &str, value: Value| {
        let mut tool = whole.clone();
        tool["x-assay-sig"][member] = value;
        tool
    };
    let mut changed = whole.clone();
    changed["title"] = "x".into();
    project.write(
        "build.pub",
        &format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n", STANDARD.encode(spki(7))),
    );
    for (served, code, said) in [
        (whole.clone(), 0, "read_file: holds: the holder of your key `build.pub` signed this text"),
        (with("version", json!(2)), 1, "read_file: malformed: its `version` is not 1"),
        (tool(), 2, "read_file: none"),
        (signed(&tool(), 9), 3, "read_file: holds by the key that it brings along, which nobody named:"),
        (changed, 4, "read_file: does not hold: its digest is of another text"),
        (json!({"tools": [whole, tool()]}), 2, "read_file: holds:"),
    ] {
        project.write("tool.json", &served.to_string());
        let done = project.expect(code, &["verify-signature", "tool.json", "--key", "build.pub"]);
        assert!(done.out.starts_with(said), "{code}: {done:?}");
    }
    let mut away = signed(&tool(), 9);
    away["x-assay-sig"].as_object_mut().unwrap().remove("public_key");
    project.write("tool.json", &away.to_string());
    let unknown = project.expect(3, &["verify-signature", "tool.json"]);
    assert!(unknown.out.starts_with("read_file: not checked: its key is neither in it nor in"), "{unknown:?}");
    for (text, why) in [
        ("", "tool.json cannot be read"),
        ("[]", "tool.json holds no tool"),
        ("1", "tool.json is not a tool"),
        (r#"{"name":"a","name":"b"}"#, "tool.json has more than one reading"),
    ] {
        project.write("tool.json", text);
        let refused = project.expect(1, &["verify-signature", "tool.json"]);
        assert!(refused.err.contains(why) && refused.out.is_empty(), "{refused:?}");
    }
    assert!(project.expect(1, &["verify-signature", "missing"]).err.contains("missing cannot be read"));
    project.write("tool.json", &whole_text());
    assert!(
        project.expect(1, &["verify-signature", "tool.json", "--key", "tool.json"]).err.contains("is not a public key")
    );
}

fn whole_text() -> String {
    signed(&tool(), 7).to_string()
}
