//! Real servers, replayed: every recording of ../shared/corpus is served over stdio, recorded and checked by the built
//! binary, and the next version of a package is a drift in a report of the promised shape.

use crate::needs::shared;
use crate::project::Project;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The packages of the corpus with the files of their versions, in order; none where the corpus is absent.
fn corpus(test: &str) -> Option<Vec<(String, Vec<PathBuf>)>> {
    let folder = shared(test, "corpus")?;
    let manifest = fs::read(folder.join("manifest.json")).expect("the manifest");
    let manifest: Value = serde_json::from_slice(&manifest).expect("the manifest is JSON");
    let word = |value: &Value| value.as_str().expect("a text").to_owned();
    let list = |value: &Value| value.as_array().expect("a list").clone();
    let versions = |package: &Value| {
        list(&package["versions"]).iter().map(|version| folder.join(word(&version["file"]))).collect()
    };
    Some(list(&manifest["packages"]).iter().map(|package| (word(&package["package"]), versions(package))).collect())
}

/// Serves a recording as `id` from now on.
fn serve(project: &Project, id: &str, recording: &Path) {
    project.write(&format!("{id}.json"), &fs::read_to_string(recording).expect("a recording is UTF-8"));
}

/// The servers of `check`'s report by id.
fn check(project: &Project, code: i32) -> BTreeMap<String, Value> {
    let words = ["check", "--config", "pinwatch.toml", "--timeout", "120s", "--format", "json"];
    let done = project.run(&words);
    let report: Value = serde_json::from_str(&done.out).expect("the report is JSON");
    let servers = report["servers"].as_array().expect("servers").clone();
    let id = |server: &Value| server["id"].as_str().expect("an id").to_owned();
    assert_eq!(done.code, code, "{:?} {}", words_of_trouble(&servers), done.err);
    servers.into_iter().map(|server| (id(&server), server)).collect()
}

/// What is not clean, in short.
fn words_of_trouble(servers: &[Value]) -> Vec<String> {
    let trouble = servers
        .iter()
        .filter(|server| server["observation"] != "complete" || server["drifts"] != Value::Array(Vec::new()));
    trouble
        .map(|server| {
            format!(
                "{} {} {} {}",
                server["id"],
                server["observation"],
                server["reason"],
                server["drifts"].as_array().map_or(0, Vec::len)
            )
        })
        .collect()
}

#[test]
fn every_recording_is_recorded_and_then_clean() {
    let Some(packages) = corpus("every_recording_is_recorded_and_then_clean") else { return };
    let project = Project::new();
    let mut entries = String::new();
    let mut count = 0;
    for (package, versions) in packages.iter().enumerate() {
        for (version, recording) in versions.1.iter().enumerate() {
            let id = format!("p{package}v{version}");
            serve(&project, &id, recording);
            entries += &Project::entry(&id, &[]);
            count += 1;
        }
    }
    assert!(count >= 200, "{count} recordings");
    project.write("pinwatch.toml", &entries);
    let record = project.run(&["record", "--config", "pinwatch.toml", "--timeout", "120s"]);
    let apart =
        |id: &str| record.out.lines().any(|line| line.starts_with(&format!("{id}: ")) && line.contains("stays new"));
    let any = record.out.contains("stays new");
    assert_eq!(record.code, i32::from(any), "{}\n{}", record.out, record.err);
    let servers = check(&project, i32::from(any));
    assert_eq!(servers.len(), count);
    for (id, server) in &servers {
        assert_eq!(server["observation"], "complete", "{id}: {}", server["reason"]);
        assert_eq!(server["baseline"], "present", "{id}");
        let drifts = server["drifts"].as_array().expect("drifts");
        assert_eq!(!drifts.is_empty(), apart(id), "{id}: {}", server["drifts"]);
        // As many pins as items, and what the recording lists is what was pinned.
        let recording: Value = serde_json::from_str(&project.read(&format!("{id}.json"))).expect("a recording is JSON");
        let baseline = project.baseline(id);
        for (list, kind) in [
            ("tools", "tool"),
            ("prompts", "prompt"),
            ("resources", "resource"),
            ("resource_templates", "resource_template"),
        ] {
            let listed = recording[list].as_array().map_or(0, Vec::len);
            let pins = baseline["pins"].as_array().expect("pins").iter().filter(|pin| pin["kind"] == kind).count();
            assert!(pins == listed || apart(id), "{id}: {pins} of {listed} {list} are pinned");
        }
    }
}

/// The members of a drift that DESIGN.md names.
const DRIFT: [&str; 15] = [
    "type",
    "kind",
    "key",
    "state",
    "severity",
    "effect",
    "group",
    "capability_identity",
    "changes",
    "schemas",
    "findings",
    "digests",
    "reasons",
    "signature",
    "risk_level",
];

fn has(value: &Value, names: &[&str]) {
    let members = value.as_object().unwrap_or_else(|| panic!("no object: {value}"));
    let mut found: Vec<_> = members.keys().map(String::as_str).collect();
    let mut names = names.to_vec();
    found.sort_unstable();
    names.sort_unstable();
    assert_eq!(found, names);
}

#[test]
fn the_next_version_is_a_drift_in_the_promised_form() {
    let Some(packages) = corpus("the_next_version_is_a_drift_in_the_promised_form") else { return };
    let project = Project::new();
    // Of each package the first pair of versions whose tools differ.
    let tools = |path: &PathBuf| {
        let recording: Value = serde_json::from_slice(&fs::read(path).expect("a recording")).expect("JSON");
        recording["tools"].clone()
    };
    let pairs: Vec<_> = packages
        .iter()
        .filter_map(|(_, versions)| versions.windows(2).find(|pair| tools(&pair[0]) != tools(&pair[1])))
        .take(8)
        .collect();
    assert_eq!(pairs.len(), 8);
    let id = |at: usize| format!("p{at}");
    let mut entries = String::new();
    for (at, pair) in pairs.iter().enumerate() {
        serve(&project, &id(at), &pair[0]);
        entries += &Project::entry(&id(at), &[]);
    }
    project.write("pinwatch.toml", &entries);
    project.expect(0, &["record", "--config", "pinwatch.toml", "--timeout", "120s"]);
    for (at, pair) in pairs.iter().enumerate() {
        serve(&project, &id(at), &pair[1]);
    }
    let servers = check(&project, 1);
    assert_eq!(servers.len(), 8);
    for server in servers.values() {
        let members = [
            "id",
            "baseline",
            "digest_scope",
            "observation",
            "reason",
            "unwatched",
            "shown_to",
            "identity",
            "notices",
            "counts",
            "groups",
            "manifest",
            "policy",
            "drifts",
        ];
        has(server, &members);
        let drifts = server["drifts"].as_array().expect("drifts");
        assert!(!drifts.is_empty(), "{}", server["id"]);
        for drift in drifts {
            has(drift, &DRIFT);
            has(&drift["digests"], &["surface", "identity", "definition", "manifest"]);
            assert!(["info", "moderate", "critical"].contains(&drift["severity"].as_str().expect("a word")), "{drift}");
            assert!(["none", "compatible", "breaking", "unknown"].contains(&drift["effect"].as_str().expect("a word")));
            assert!(!drift["reasons"].as_array().expect("reasons").is_empty(), "{drift}");
            for change in drift["changes"].as_array().expect("changes") {
                has(change, &["path", "change", "before", "after", "severity", "reason"]);
            }
            let (pinned, now) = (&drift["digests"]["surface"]["pinned"], &drift["digests"]["surface"]["now"]);
            assert!(pinned != now || pinned.is_null(), "{drift}");
        }
    }
    for (at, pair) in pairs.iter().enumerate() {
        serve(&project, &id(at), &pair[0]);
    }
    assert!(check(&project, 0).values().all(|server| server["drifts"] == Value::Array(Vec::new())));
}
