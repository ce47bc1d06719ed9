//! Two people decide on two branches, and a real git merges them: by itself where it can, with the driver where it cannot.

use super::needs::skipped;
use super::project::{Done, Project, done, two_tools};
use serde_json::{Value, json};
use std::process::Command;

const BASELINE: &str = "snapshots/files/baseline.json";

/// A repository with a recorded baseline, on branch `main`.
struct Repository {
    project: Project,
}

impl Repository {
    /// None, said by name, where there is no git.
    fn new(test: &str) -> Option<Self> {
        if Command::new("git").arg("--version").output().is_err() {
            skipped(test, "git is absent");
            return None;
        }
        let project = Project::with_files();
        let mut surface = two_tools();
        surface["tools"].as_array_mut().expect("tools").push(json!({"name": "zip", "inputSchema": {"type": "object"}}));
        project.surface("files", &surface);
        let repository = Self { project };
        repository.git(0, &["init", "-q", "-b", "main"]);
        repository.project.expect(0, &["record", "--yes"]);
        repository.commit("record");
        Some(repository)
    }

    fn git(&self, code: i32, words: &[&str]) -> Done {
        let mut command = Command::new("git");
        let identity = ["-c", "user.name=ana", "-c", "user.email=ana@example.com", "-c", "commit.gpgsign=false"];
        command.args(identity).args(words).current_dir(self.project.path("")).env_clear();
        // The driver is called by its plain name.
        let binary = std::path::Path::new(env!("CARGO_BIN_EXE_pinwatch")).parent().expect("a folder");
        let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default());
        let done = done(command.envs(self.project.environment()).env("PATH", path).env("GIT_CONFIG_NOSYSTEM", "1"));
        assert_eq!(done.code, code, "{words:?}: {done:#?}");
        done
    }

    fn commit(&self, message: &str) {
        self.git(0, &["add", "-A", "snapshots"]);
        if self.project.path(".gitattributes").exists() {
            self.git(0, &["add", ".gitattributes"]);
        }
        self.git(0, &["commit", "-q", "-m", message]);
    }

    fn with_driver(self) -> Self {
        self.git(0, &["config", "merge.pinwatch.driver", "pinwatch merge-driver %O %A %B %P"]);
        self.project.write(".gitattributes", "snapshots/*/baseline.json merge=pinwatch\n");
        self.commit("merge baselines by what they say");
        self
    }

    /// On a branch of its own off `main`: what the server shows there, and the decisions, each `approve` or `reject` and an item.
    fn branch(&self, name: &str, surface: &Value, decisions: &[(&str, &str)]) {
        self.git(0, &["checkout", "-q", "-b", name, "main"]);
        self.project.surface("files", surface);
        let report: Value =
            serde_json::from_str(&self.project.run(&["check", "--yes", "--format", "json"]).out).expect("a report");
        for (verdict, item) in decisions {
            let drifts = report["servers"][0]["drifts"].as_array().expect("drifts");
            let drift = drifts.iter().find(|drift| {
                format!("{}/{}", drift["kind"].as_str().unwrap_or_default(), drift["key"].as_str().unwrap_or_default())
                    == **item
            });
            let digests = &drift.unwrap_or_else(|| panic!("{item} drifted: {report:#}"))["digests"]["surface"];
            let digest = digests["now"].as_str().or(digests["pinned"].as_str()).expect("a digest");
            self.project.expect(0, &[*verdict, "--yes", "files", item, "--expect", digest, "--note", name]);
        }
        self.commit(name);
    }

    fn merge(&self, code: i32) -> Done {
        self.git(0, &["checkout", "-q", "ana"]);
        self.git(code, &["merge", "-q", "-m", "merge", "ben"])
    }

    /// The descriptions that are pinned, by tool, and the names of what is rejected.
    fn holds(&self) -> (Vec<(String, String)>, Vec<String>) {
        // The tool reads it: it is whole, and every digest is right.
        self.project.expect(0, &["show", "files"]);
        let baseline = self.project.baseline("files");
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let tools = |list: &str| -> Vec<Value> {
            let entries = baseline[list].as_array().expect("a list").iter();
            entries.filter(|entry| entry["kind"] == "tool").cloned().collect()
        };
        let pins =
            tools("pins").iter().map(|pin| (text(&pin["key"]), text(&pin["definition"]["description"]))).collect();
        (pins, tools("rejections").iter().map(|entry| text(&entry["key"])).collect())
    }
}

/// The surface of the repository with some descriptions changed.
fn saying(changes: &[(usize, &str)]) -> Value {
    let mut surface = two_tools();
    surface["tools"].as_array_mut().expect("tools").push(json!({"name": "zip", "inputSchema": {"type": "object"}}));
    for (tool, text) in changes {
        surface["tools"][tool]["description"] = (*text).into();
    }
    surface
}

fn pinned(list: &str, read: &str, zip: &str) -> Vec<(String, String)> {
    [("list_files", list), ("read_file", read), ("zip", zip)].map(|(name, text)| (name.into(), text.into())).into()
}

#[test]
fn decisions_on_different_items_merge_by_themselves() {
    let Some(repository) = Repository::new("decisions_on_different_items_merge_by_themselves") else { return };
    repository.branch("ana", &saying(&[(0, "Lists.")]), &[("approve", "tool/list_files")]);
    repository.branch("ben", &saying(&[(2, "Zips.")]), &[("approve", "tool/zip")]);
    repository.merge(0);
    assert_eq!(repository.holds(), (pinned("Lists.", "Read a file.", "Zips."), vec![]));
    repository.project.surface("files", &saying(&[(0, "Lists."), (2, "Zips.")]));
    repository.project.expect(0, &["check", "--yes"]);
}

/// Neighbours, additions at one place, the same decision twice, a rejection beside an approval: a merge by lines stops at
/// each of these, the driver at none.
#[test]
fn the_driver_merges_what_does_not_contradict() {
    let Some(repository) = Repository::new("the_driver_merges_what_does_not_contradict") else { return };
    let repository = repository.with_driver();
    let with = |mut surface: Value, name: &str, text: &str| {
        let tool = json!({"name": name, "description": text, "inputSchema": {"type": "object"}});
        surface["tools"].as_array_mut().expect("tools").push(tool);
        surface
    };
    let ana = with(saying(&[(0, "Lists."), (2, "Zips.")]), "add_one", "Adds one.");
    repository.branch(
        "ana",
        &ana,
        &[("approve", "tool/list_files"), ("approve", "tool/zip"), ("approve", "tool/add_one")],
    );
    let ben = with(saying(&[(1, "Reads."), (2, "Zips.")]), "add_two", "Adds two.");
    repository.branch(
        "ben",
        &ben,
        &[("approve", "tool/read_file"), ("approve", "tool/zip"), ("reject", "tool/add_two")],
    );
    repository.merge(0);
    let (pins, rejections) = repository.holds();
    let mut expected = pinned("Lists.", "Reads.", "Zips.");
    expected.insert(0, ("add_one".into(), "Adds one.".into()));
    assert_eq!((pins, rejections), (expected, vec!["add_two".to_owned()]));
    // Both approved `zip` as it is: the first to do so stays on record.
    let zip = repository.project.baseline("files")["pins"]
        .as_array()
        .expect("pins")
        .iter()
        .find(|pin| pin["key"] == "zip")
        .cloned();
    assert!(["ana", "ben"].map(Value::from).contains(&zip.expect("zip")["decision"]["note"]));
}

#[test]
fn what_both_decided_otherwise_is_left_to_a_person() {
    for (case, ana, ben) in [
        ("two definitions", ("approve", "Reads for ana."), ("approve", "Reads for ben.")),
        ("approved and refused", ("approve", "Reads."), ("reject", "Reads.")),
    ] {
        let Some(repository) = Repository::new("what_both_decided_otherwise_is_left_to_a_person") else { return };
        let repository = repository.with_driver();
        repository.branch(
            "ana",
            &saying(&[(1, ana.1), (0, "Lists.")]),
            &[(ana.0, "tool/read_file"), ("approve", "tool/list_files")],
        );
        repository.branch(
            "ben",
            &saying(&[(1, ben.1), (2, "Zips.")]),
            &[(ben.0, "tool/read_file"), ("approve", "tool/zip")],
        );
        let merge = repository.merge(1);
        let said = merge.out + &merge.err;
        assert!(said.contains(&format!("{BASELINE}: both decided on tool/read_file: ours approved")), "{case}: {said}");
        // Nobody takes it for decided.
        let text = repository.project.read(BASELINE);
        assert!(text.contains("<<<<<<< ours") && text.contains(">>>>>>> theirs"), "{case}: {text}");
        let check = repository.project.expect(2, &["check", "--yes"]);
        assert!(check.out.contains("an unresolved merge conflict"), "{case}: {}", check.out);
        // Choosing ours between the markers leaves everything else of both.
        let mut inside = 0;
        let chosen = text.lines().filter(|line| {
            match line.get(..7) {
                Some("<<<<<<<") => inside = 1,
                Some("=======") => inside = 2,
                Some(">>>>>>>") => inside = 0,
                _ => return inside < 2,
            }
            false
        });
        let chosen: Vec<_> = chosen.collect();
        repository.project.write(BASELINE, &(chosen.join("\n") + "\n"));
        assert_eq!(repository.holds().0, pinned("Lists.", ana.1, "Zips."), "{case}");
    }
}

#[test]
fn the_driver_touches_nothing_that_it_cannot_read() {
    let project = Project::with_files();
    project.expect(0, &["record", "--yes"]);
    let good = project.read(BASELINE);
    let driver = |base: &str, ours: &str, theirs: &str| {
        for (name, text) in [("base", base), ("ours", ours), ("theirs", theirs)] {
            project.write(name, text);
        }
        let done = project.run(&["merge-driver", "base", "ours", "theirs", "snapshots/x/baseline.json"]);
        (done.code, done.err, project.read("ours"))
    };
    let other = good.replacen("\"server\": \"files\"", "\"server\": \"mail\"", 1);
    let damaged = good.replace("Read a file.", "Read any file.");
    for (base, ours, theirs, said) in [
        (&good, &good, &damaged, "theirs is not a baseline that can be merged"),
        (&damaged, &good, &good, "base is not a baseline"),
        (&good, &good, &other, "of two servers"),
        (&good, &good, &String::new(), "one side is empty"),
    ] {
        let (code, err, left) = driver(base, ours, theirs);
        assert_eq!((code, &left), (2, ours));
        assert!(err.contains(said), "{err}");
    }
    // Both added the file, alike: there is no common version.
    assert_eq!(driver("", &good, &good), (0, String::new(), good));
}
