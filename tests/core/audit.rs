//! The audit chain: the contract's own vectors, and what becomes of a chain of ours that somebody changes.

use crate::data;
use crate::stores::{Ground, approve, at, entry, tool};
use pinwatch::audit::{
    Chain, DECIDED, Draft, DriftStatus, Fault, Head, NotCanonical, Outcome, Quarantine, RecordSeverity, SEEN, check,
    preimage, sealed, spelled,
};
use pinwatch::digest::Sha256;
use pinwatch::store::disk::Disk;
use pinwatch::store::redact::Redactor;
use pinwatch::store::{Event, LogEntry, Phase, Places, Root, Store};
use serde_json::{Value, json};
use std::fs;
use std::thread;
use std::time::Duration;

fn vectors() -> Value {
    serde_json::from_slice(&fs::read(data("vectors/audit-record/records.json")).unwrap()).unwrap()
}

fn hash(text: &str) -> String {
    Sha256::of(text).to_string()
}

/// The first line that does not hold, from 1, and why.
fn broken<T: AsRef<[u8]>>(lines: &[T]) -> Option<(usize, Fault)> {
    let mut chain = Chain::default();
    lines.iter().enumerate().find_map(|(at, line)| {
        let added = check(line.as_ref()).and_then(|record| chain.add(record));
        added.err().map(|fault| (at + 1, fault))
    })
}

#[test]
fn the_contracts_records_have_its_hashes() {
    let vectors = vectors();
    let kats = [
        "d494769c1ae442ea88dd190068747abf63c0568a3b856f85791b1a50a99d48b4",
        "f733fed9cc757165f810b778e4baba1f51a45504988e937707aaab4361b2f064",
    ];
    let mut told = Vec::new();
    for (name, record) in vectors["records"].as_object().unwrap() {
        let text = preimage(record).unwrap();
        assert_eq!(text, vectors["preimages"][name].as_str().unwrap(), "{name}");
        assert_eq!(hash(&text), record["event_hash"].as_str().unwrap(), "{name}");
        check(record.to_string().as_bytes()).unwrap();
        told.push(hash(&text));
    }
    assert_eq!(told.len(), 5);
    assert!(kats.iter().all(|kat| told.contains(&(*kat).to_owned())));
    let astral = &vectors["astral_literal"];
    assert_eq!(hash(astral["preimage"].as_str().unwrap()), astral["sha256"].as_str().unwrap());
    let mut locked = vectors["records"]["rec1"].clone();
    locked["extensions"]["caller-governance"]["purpose_declared"] = "export 🔒 locked".into();
    assert_eq!(preimage(&locked).unwrap(), astral["preimage"].as_str().unwrap());
}

#[test]
fn the_contracts_chains_hold_with_their_head() {
    let vectors = vectors();
    let chain = |names: &Value| -> Vec<String> {
        names.as_array().unwrap().iter().map(|name| vectors["records"][name.as_str().unwrap()].to_string()).collect()
    };
    for good in vectors["good_chains"].as_array().unwrap() {
        assert_eq!(broken(&chain(good)), None);
    }
    assert_eq!(broken(&chain(&vectors["bad_chain_delete_head"])), Some((1, Fault::Headless)));
}

#[test]
fn what_the_contract_refuses_is_refused() {
    let vectors = vectors();
    let with = |changes: &Value| {
        let mut record = vectors["records"]["rec2"].clone();
        for (name, value) in changes.as_object().unwrap() {
            // The file spells what it means in the letters of a source text.
            let value = match value.as_str() {
                Some(text) => text.replace("\\n", "\n").replace("\\x85", "\u{85}").into(),
                None => value.clone(),
            };
            record["extensions"]["caller-governance"][name] = value;
        }
        record
    };
    let mut refused = Vec::new();
    for negative in vectors["negatives"].as_array().unwrap() {
        let changed = with(&negative["extension_override"]);
        // A lone surrogate is no text in Rust: it is refused where it is read.
        let line = changed.to_string().replace("\\\\ud83d", "\\ud83d");
        assert!(matches!(check(line.as_bytes()), Err(Fault::NotCanonical(_) | Fault::Unreadable(_))), "{line}");
        refused.push(check(line.as_bytes()).unwrap_err());
    }
    assert_eq!(refused[..2], [Fault::NotCanonical(NotCanonical::Control), Fault::NotCanonical(NotCanonical::Control)]);
    assert!(matches!(refused[2], Fault::Unreadable(_)), "{refused:?}");
    assert_eq!(refused[3], Fault::NotCanonical(NotCanonical::Number));
    // Of two spellings of one text there is one canonical form.
    let [one, other] = [0, 1].map(|at| with(&json!({"purpose_declared": vectors["normalization_equal"][at]})));
    assert_eq!(preimage(&one).unwrap(), preimage(&other).unwrap());
    assert_eq!(preimage(&with(&json!({"purpose_declared": "cafe\u{301} audit"}))).unwrap(), preimage(&one).unwrap());
    let long = with(&json!({"purpose_declared": "x".repeat(8193)}));
    assert_eq!(preimage(&long), Err(NotCanonical::Long));
}

#[test]
fn a_changed_chain_of_enclawed_is_named() {
    let text = fs::read_to_string(data("vectors/enclawed/audit-chain.jsonl")).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!((lines.len(), broken(&lines)), (4, None));
    let changed: Vec<_> = lines.iter().map(|line| line.replace("b.example", "c.example")).collect();
    assert_eq!(broken(&changed), Some((2, Fault::Edited)));
    assert_eq!(broken(&[lines[0], lines[2]]), Some((2, Fault::Follows)));
    assert_eq!(broken(&lines[1..]), Some((1, Fault::Headless)));
}

/// A chain of ours: three decisions, each a record and a mark.
fn ours() -> (Ground, Vec<String>) {
    let ground = Ground::new();
    for name in ["read", "write", "list"] {
        approve(&ground.store(), "files", name).unwrap();
    }
    let text = fs::read_to_string(ground.path("state/audit.jsonl")).unwrap();
    (ground, text.lines().map(str::to_owned).collect())
}

#[test]
fn each_change_of_a_chain_names_the_first_bad_record() {
    let (_ground, lines) = ours();
    assert_eq!((lines.len(), broken(&lines)), (6, None));
    let edited = |at: usize, from: &str, to: &str| {
        let mut lines = lines.clone();
        assert!(lines[at].contains(from), "{}", lines[at]);
        lines[at] = lines[at].replacen(from, to, 1);
        broken(&lines)
    };
    // What the contract hashes, and what only the evidence holds.
    assert_eq!(edited(2, r#""principal_id":"ana""#, r#""principal_id":"bob""#), Some((3, Fault::Edited)));
    assert_eq!(edited(2, r#""by":"ana""#, r#""by":"bob""#), Some((3, Fault::EvidenceEdited)));
    assert_eq!(edited(2, r#""note":"ok""#, r#""note":"no""#), Some((3, Fault::EvidenceEdited)));
    assert_eq!(edited(2, r#""outcome":"allowed""#, r#""outcome":"denied""#), Some((3, Fault::Edited)));
    assert_eq!(edited(2, r#""evidence":"#, r#""evidenc":"#), Some((3, Fault::NoEvidence)));
    assert!(matches!(edited(2, "{", "["), Some((3, Fault::Unreadable(_)))));
    let without = |gone: usize| {
        let mut lines = lines.clone();
        lines.remove(gone);
        broken(&lines)
    };
    assert_eq!(without(0), Some((1, Fault::Headless)));
    assert_eq!(without(3), Some((4, Fault::Follows)));
    let mut moved = lines.clone();
    moved.swap(2, 3);
    assert_eq!(broken(&moved), Some((3, Fault::Follows)));
    let mut moved = lines.clone();
    let record = moved.remove(1);
    moved.insert(4, record);
    assert_eq!(broken(&moved), Some((2, Fault::Follows)));
    let twice: Vec<_> = lines.iter().chain([&lines[3]]).collect();
    assert_eq!(broken(&twice), Some((7, Fault::Moved(3))));
    let (_other, another) = ours();
    let joined: Vec<_> = lines.iter().chain(&another).collect();
    assert_eq!(broken(&joined), Some((7, Fault::Begins)));
}

/// A chain whose every hash was computed anew after a change: what an attacker who knows the format writes.
fn recomputed(lines: &[String], change: impl Fn(&mut Value)) -> Vec<String> {
    let mut previous = Value::Null;
    let mut anew = Vec::new();
    for line in lines {
        let mut record: Value = serde_json::from_str(line).unwrap();
        change(&mut record);
        let evidence = pinwatch::audit::evidence_hash(&record["evidence"]);
        record["extensions"]["runtime-security"]["evidence_hash"] = format!("sha256:{evidence}").into();
        record["previous_hash"] = previous;
        previous = hash(&preimage(&record).unwrap()).into();
        record["event_hash"] = previous.clone();
        anew.push(record.to_string());
    }
    anew
}

fn chain(lines: &[String]) -> Chain {
    let mut chain = Chain::default();
    for line in lines {
        chain.add(check(line.as_bytes()).unwrap()).unwrap();
    }
    chain
}

#[test]
fn a_chain_computed_anew_fails_its_head() {
    let (_ground, lines) = ours();
    let head = Head { machine: "m".into(), record: 4, hash: *chain(&lines[..4]).last().unwrap() };
    assert_eq!(Head::read(head.to_json().to_string().as_bytes()), Some(head.clone()));
    let heads = [head];
    assert_eq!(chain(&lines).holds(&heads), Ok(()));
    let forged = recomputed(&lines, |record| {
        if record["evidence"]["by"] == "ana" {
            record["evidence"]["by"] = "mallory".into();
        }
    });
    assert_eq!(broken(&forged), None, "the chain alone proves order, not honesty");
    let said = |lines: &[String]| chain(lines).holds(&heads).unwrap_err().to_string();
    assert_eq!(said(&forged), "it is not the one that was committed: the log was computed anew up to record 4");
    assert_eq!(said(&lines[..3]), "it was cut off: a committed head names it, and the log ends at record 3");
    let shorter = recomputed(&lines[..2], |_| {});
    assert_eq!(said(&shorter), "it was cut off: a committed head names it, and the log ends at record 2");
    let inserted: Vec<_> = [&lines[..1], &lines[..]].concat();
    let anew = recomputed(&inserted, |_| {});
    assert_eq!(said(&anew), "it is not the one that was committed: the log was computed anew up to record 4");
}

#[test]
fn no_name_makes_a_record_impossible() {
    let hostile = [
        "",
        " ",
        "\u{85}\0\u{1b}[31m",
        "\u{202e}\u{e0041}",
        "a\nb",
        "\u{fdd0}",
        "e\u{301}\u{feff}",
        "\"\\",
        "⟦12 hidden⟧",
        "<U+0000>",
    ];
    let long = "\u{1f600}\u{7}".repeat(9000);
    for name in hostile.into_iter().chain([long.as_str()]) {
        let draft = Draft {
            at: at(0),
            principal_id: name.into(),
            event_type: "item_approved",
            tool_name: Some(name.into()),
            outcome: Outcome::Allowed,
            purpose: format!("approved {} of {}: {}", spelled(name), spelled(name), spelled(name)),
            drift_status: DriftStatus::Confirmed,
            severity: RecordSeverity::Info,
            quarantine: Quarantine::Release,
            policy: Some(name.into()),
            admission: None,
            evidence: Ok(json!({"key": name})),
        };
        let (record, hash) = sealed(&draft, "e", None).unwrap();
        let read = check(record.to_string().as_bytes()).unwrap();
        assert_eq!((read.hash, read.previous), (hash, None), "{name:?}");
        assert!(preimage(&record).unwrap().len() < 8192);
    }
    assert!(spelled(&long).ends_with(&format!("… sha256:{}", hash(&long))));
}

#[test]
fn each_event_type_is_declared_once() {
    let mut names: Vec<_> = DECIDED.iter().chain(&SEEN).map(|(name, _)| *name).collect();
    let documented = include_str!("../../src/cli/help/interop.md");
    assert!(names.iter().all(|name| documented.contains(&format!("`{name}`"))));
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), DECIDED.len() + SEEN.len());
    let ground = Ground::new();
    for event in [
        Event::Approve,
        Event::Reject,
        Event::Undo,
        Event::Record,
        Event::Forget,
        Event::Rename,
        Event::Snapshot,
        Event::Consent,
        Event::Unwatch,
    ] {
        ground.store().log().append("files", "root", &[entry(event, &tool("read"))]).unwrap();
    }
    let text = fs::read_to_string(ground.path("state/audit.jsonl")).unwrap();
    for line in text.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        assert!(names.contains(&record["event_type"].as_str().unwrap()), "{line}");
        let security = &record["extensions"]["runtime-security"];
        assert!(record["outcome"] != "allowed" || security["quarantine_decision"] != "quarantine", "{line}");
        assert_eq!(record["occurred_at"], "2026-11-27T20:31:00.000Z");
    }
    assert_eq!(ground.store().log().history().unwrap().records.len(), 9);
}

/// What a pinwatch before the chain wrote: one decision with its mark, and one without.
const BEFORE: &str = concat!(
    r#"{"at":"2026-11-01T00:00:00Z","by":"ana","change":"1","event":"record","format":"pinwatch.log.v1","from":null,"#,
    r#""key":"read","kind":"tool","note":"first record","phase":"intent","policy":"sha256:p","result":"r","root":"/r","#,
    r#""server":"files","to":null}"#,
    "\n",
    r#"{"at":"2026-11-01T00:00:00Z","change":"1","format":"pinwatch.log.v1","phase":"applied"}"#,
    "\n"
);

#[test]
fn the_log_before_the_chain_begins_it() {
    let ground = Ground::new();
    ground.write("state/decisions.jsonl", BEFORE);
    let store = ground.store();
    assert_eq!(store.log().history().unwrap().records.len(), 1);
    approve(&store, "files", "write").unwrap();
    assert_eq!(fs::read_to_string(ground.path("state/decisions.jsonl")).unwrap(), BEFORE);
    let text = fs::read_to_string(ground.path("state/audit.jsonl")).unwrap();
    let lines: Vec<_> = text.lines().collect();
    let first: Value = serde_json::from_str(lines[0]).unwrap();
    assert_eq!((&first["previous_hash"], &first["event_type"]), (&Value::Null, &"log_continued".into()));
    let evidence = format!("sha256:{}", hash(BEFORE));
    assert_eq!(first["extensions"]["runtime-security"]["evidence_hash"], evidence.as_str());
    assert_eq!((lines.len(), broken(&lines)), (3, None));
    for store in [store, ground.store()] {
        let history = store.log().history().unwrap();
        let told: Vec<_> = history.records.iter().map(|record| (record.entry.event, record.phase)).collect();
        assert_eq!(told, [(Event::Record, Phase::Applied), (Event::Approve, Phase::Applied)]);
        assert_eq!(history.unreadable, 0);
    }
}

#[test]
fn the_chain_goes_on_after_a_torn_line() {
    let (ground, lines) = ours();
    let path = ground.path("state/audit.jsonl");
    let whole = lines.join("\n") + "\n";
    for torn in ["{\"evid", "\0\0\0", "x"] {
        fs::write(&path, format!("{whole}{torn}")).unwrap();
        approve(&ground.store(), "files", &format!("after-{}", torn.len())).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with(&whole));
        let lines: Vec<_> = text.lines().collect();
        assert_eq!((lines.len(), broken(&lines)), (8, None), "{torn:?}");
    }
    // Of a first line that was cut nothing is left.
    fs::write(&path, "{\"evid").unwrap();
    approve(&ground.store(), "files", "last").unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!((text.lines().count(), broken(&text.lines().collect::<Vec<_>>())), (2, None));
}

#[test]
fn a_damaged_line_stops_no_decision() {
    let (ground, mut lines) = ours();
    lines[5] = "what?".into();
    fs::write(ground.path("state/audit.jsonl"), lines.join("\n") + "\n").unwrap();
    approve(&ground.store(), "files", "after").unwrap();
    let text = fs::read_to_string(ground.path("state/audit.jsonl")).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert!(matches!(broken(&lines), Some((6, Fault::Unreadable(_)))));
    // What follows goes on from the last record that could be read.
    let rest: Vec<_> = lines.iter().filter(|line| **line != "what?").collect();
    assert_eq!(broken(&rest), None);
}

#[test]
fn a_line_longer_than_a_step_back_is_found() {
    let ground = Ground::new();
    let long = LogEntry { note: "\u{7}".repeat(200_000).into(), at: at(1), ..entry(Event::Approve, &tool("read")) };
    for _ in 0..3 {
        ground.store().log().append("files", "root", std::slice::from_ref(&long)).unwrap();
    }
    let text = fs::read_to_string(ground.path("state/audit.jsonl")).unwrap();
    assert!(text.len() > 3_000_000, "{}", text.len());
    assert_eq!(broken(&text.lines().collect::<Vec<_>>()), None);
}

#[test]
fn writers_of_one_process_wait_for_their_turn() {
    let folder = tempfile::tempdir().expect("a folder");
    let (root, places) = (Root::at(folder.path()), Places::below(folder.path()));
    let store = Store::on(Disk::default(), Duration::ZERO, root, places, Redactor::default());
    let approved = entry(Event::Approve, &tool("read"));
    thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                store.log().append("files", "root", std::slice::from_ref(&approved)).expect("its turn comes");
            });
        }
    });
    let verified = store.log().verify().expect("the log is read");
    assert!(verified.broken.is_none() && verified.chain.len() == 16, "{verified:?}");
}
