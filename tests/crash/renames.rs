//! Another id for a server: everything goes along, digests that cover the id are the new id's, and wherever it is
//! interrupted the next one finishes it.

use crate::stores::{Ground, approve, at, entry, tool};
use crate::strike::{ENDS, Strike, Striking, at_every_step};
use pinwatch::canon::Definition;
use pinwatch::digest::{DigestScope, Item};
use pinwatch::pin::{Baseline, Decision, DecisionState, Pin, Rejection};
use pinwatch::store::disk::Disk;
use pinwatch::store::{Event, LogEntry, NotRenamed, Renamed, Sight, Snapshot, Store};
use pinwatch::surface::{Kind, Launch, Transport};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

/// The same moment for all that a rename tells.
fn told(event: Event, note: &str) -> LogEntry {
    LogEntry { item: None, to: None, note: note.into(), ..entry(event, &tool("any")) }
}

fn rename(store: &Store, old: &str, new: &str) -> Result<Renamed, NotRenamed> {
    store.rename(old, new, &told(Event::Rename, old), &told(Event::Forget, &format!("renamed to {new}")))
}

fn snapshot(server: &str, seconds: i64, label: &str) -> Snapshot {
    let launch = Launch { transport: Transport::Http { url: "https://a.example/mcp".into(), headers: Vec::new() } };
    Snapshot {
        server: server.into(),
        label: label.into(),
        at: at(seconds),
        launch,
        observed_as: None,
        completeness: BTreeMap::new(),
        items: Vec::new(),
        presented: BTreeMap::new(),
    }
}

const DEFINITIONS: [&str; 3] = [
    r#"{"name":"read_file","description":"Read a file","inputSchema":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}}"#,
    r#"{"name":"résumé","description":"  Ein Text mit ö ","inputSchema":{"type":"object"}}"#,
    r#"{"name":"limit","inputSchema":{"type":"object","properties":{"n":{"maximum":9223372036854775807}}}}"#,
];

/// Of those definitions under each id, by the published projection (name, trimmed description, input schema, server id)
/// and Python's SHA-256. The first ones are the format's own golden values, too (interop/FORMATS.md, 1.2).
const UNDER: [(&str, [&str; 3]); 2] = [
    (
        "server-a",
        [
            "sha256:fb7d4fea7beb18a380c67e4085fd1b740c23a91f53cce8e0a388e5558f3111ab",
            "sha256:b293102d994c3c3947af24ac9a939d5b7be161cabd11dd2b86cf71eed6d6e511",
            "sha256:1057786bd93d4df30202fc071b27fff87bc13585da3594fa56ad5fc91e70d02a",
        ],
    ),
    (
        "server-b",
        [
            "sha256:e4c903903680b7c2ee7cdac45df1fac167e0c6cf24c812dc4a2661379b409beb",
            "sha256:ad20ee52f9d34b8cbc291516dfc307e2840aa28743d8265fd3a630082a6ba354",
            "sha256:b11c25232e50c976b58a1de7a58dcf5409fdd9d9142f0da2166509bfc464ce16",
        ],
    ),
];

/// A baseline whose digests cover the id: three pins and a rejection.
fn scoped(server: &str) -> Baseline {
    let scope = DigestScope::Server(server.to_owned());
    let decision =
        Decision { by: "ana".into(), at: at(0).to_string(), note: "ok".into(), state: DecisionState::Approved };
    let item = |text: &str| Arc::new(Item::stored(Kind::Tool, Definition::read(text.as_bytes(), 100).unwrap(), &scope));
    let mut baseline = Baseline::empty(server, scope.clone(), None);
    for text in DEFINITIONS {
        let pin = Pin { item: item(text), varies: Vec::new(), decision: Arc::new(decision.clone()) };
        baseline.pins.push(Arc::new(pin));
    }
    let decision = Decision { state: DecisionState::Rejected, ..decision };
    baseline.rejections.push(Rejection { item: item(r#"{"name":"exec","inputSchema":{"type":"object"}}"#), decision });
    baseline.sort();
    baseline
}

#[test]
fn digests_that_cover_the_id_become_the_new_ids() {
    let ground = Ground::new();
    let path = |server: &str| format!("project/snapshots/{server}/baseline.json");
    let read = |server: &str| fs::read_to_string(ground.path(&path(server))).unwrap();
    ground.write(&path("server-a"), &pinwatch::pin::format::write(&scoped("server-a")));
    let store = ground.store();
    let before = store.load("server-a").unwrap().unwrap();
    let [(_, old), (_, new)] = UNDER;
    assert!(old.iter().all(|digest| read("server-a").contains(digest)), "{}", read("server-a"));
    assert_eq!(rename(&store, "server-a", "server-b").unwrap(), Renamed { pins: 3, rejections: 1, snapshots: 0 });
    let text = read("server-b");
    assert!(new.iter().all(|digest| text.contains(digest)), "{text}");
    assert!(!old.iter().any(|digest| text.contains(digest)), "{text}");
    assert!(!ground.path("project/snapshots/server-a").exists());
    // It opens, where each digest is computed again; what decisions bind to is what it was.
    let after = store.load("server-b").unwrap().unwrap();
    let bound = |baseline: &Baseline| {
        let pins = baseline.pins.iter().map(|pin| (pin.binds_to(), Decision::clone(&pin.decision)));
        let rejections = baseline.rejections.iter().map(|one| (one.item.digests.surface, one.decision.clone()));
        pins.chain(rejections).collect::<Vec<_>>()
    };
    assert_eq!(bound(&after), bound(&before));
    assert_eq!(after, scoped("server-b"));
}

#[test]
fn wrong_digest_is_refused_and_nothing_moves() {
    let ground = Ground::new();
    let [(_, old), _] = UNDER;
    let text = pinwatch::pin::format::write(&scoped("server-a")).replace(old[1], old[0]);
    ground.write("project/snapshots/server-a/baseline.json", &text);
    ground.store().record_snapshot(&snapshot("server-a", 0, "")).unwrap();
    let said = rename(&ground.store(), "server-a", "server-b").unwrap_err().to_string();
    assert!(said.contains("tool/résumé"), "{said}");
    assert!(!ground.path("project/snapshots/server-b").exists());
    assert_eq!(ground.names("project/snapshots/server-a").len(), 2);
    assert_eq!(fs::read_to_string(ground.path("project/snapshots/server-a/baseline.json")).unwrap(), text);
}

/// Everything of `files`: decisions of this machine, and two snapshots of one second and one of another; `docs` has a
/// snapshot of that second, too.
fn prepared() -> Ground {
    let ground = Ground::new();
    let store = ground.store();
    for name in ["one", "two"] {
        approve(&store, "files", name).unwrap();
    }
    for (seconds, label) in [(0, "first"), (0, "second"), (9, "third")] {
        store.record_snapshot(&snapshot("files", seconds, label)).unwrap();
    }
    store.record_snapshot(&snapshot("docs", 0, "its own")).unwrap();
    ground.write("project/snapshots/files/notes.txt", "another program's");
    ground
}

/// The bytes of every snapshot, whatever it is called.
fn recorded(ground: &Ground) -> BTreeSet<Vec<u8>> {
    let files = ground.files().into_iter().filter(|path| path.to_string_lossy().ends_with("Z.json"));
    let numbered = ground.files().into_iter().filter(|path| path.to_string_lossy().contains("Z-"));
    files.chain(numbered).map(|path| fs::read(path).unwrap()).collect()
}

fn keys(baseline: Option<&Baseline>) -> Vec<String> {
    baseline.iter().flat_map(|baseline| &baseline.pins).map(|pin| pin.item.id.key.to_string()).collect()
}

/// All of it stands under the new id, and nothing under the old one.
fn is_whole(ground: &Ground, snapshots: &BTreeSet<Vec<u8>>, strike: Strike) {
    let store = ground.store();
    let now = store.load("docs").expect("it opens").expect("it is there");
    assert_eq!(keys(Some(&now)), ["one", "two"], "{strike:?}");
    assert_eq!(store.decided_here(&now).unwrap().len(), 2, "{strike:?}: who decided is known");
    assert_eq!(store.seen("docs", Some(&now)).unwrap(), Sight::Unchanged, "{strike:?}");
    assert_eq!(store.load("files").unwrap(), None, "{strike:?}");
    let labels: Vec<_> = store
        .snapshots("docs")
        .unwrap()
        .iter()
        .map(|entry| {
            let snapshot = store.load_snapshot(&entry.path).unwrap();
            assert_eq!(store.server_of(&entry.path, &snapshot), "docs");
            (snapshot.server, snapshot.label)
        })
        .collect();
    let as_recorded = |server: &str, label: &str| (server.to_owned(), label.to_owned());
    let expected = [("docs", "its own"), ("files", "first"), ("files", "second"), ("files", "third")];
    assert_eq!(labels, expected.map(|(server, label)| as_recorded(server, label)), "{strike:?}");
    assert_eq!(recorded(ground), *snapshots, "{strike:?}: no snapshot was changed");
    assert_eq!(ground.names("project/snapshots/files"), ["notes.txt"], "{strike:?}: what is another program's stays");
    let left: Vec<_> = ground.files().into_iter().filter(|file| file.to_string_lossy().ends_with(".tmp")).collect();
    assert!(left.is_empty(), "{strike:?}: {left:?}");
    // The next decision goes on from there, and the history with it.
    approve(&store, "docs", "zz-next").unwrap();
    let history = store.log().history().unwrap();
    let names: Vec<_> = history
        .of(&store.root().name(), "docs")
        .filter_map(|record| Some(record.entry.item.as_ref()?.key.to_string()))
        .collect();
    assert_eq!(names, ["one", "two", "zz-next"], "{strike:?}");
}

/// What must hold after a rename that may have stopped anywhere: nothing is lost, and the next one does the rest.
fn finishes(ground: &Ground, snapshots: &BTreeSet<Vec<u8>>, strike: Strike, result: Option<bool>) {
    let store = ground.store();
    let (old, new) = (keys(store.load("files").unwrap().as_ref()), keys(store.load("docs").unwrap().as_ref()));
    let whole = |keys: &[String]| keys == ["one", "two"];
    assert!(whole(&old) || whole(&new), "{strike:?}: {old:?} and {new:?}");
    assert!((old.is_empty() || whole(&old)) && (new.is_empty() || whole(&new)), "{strike:?}: no half of it");
    assert_eq!(recorded(ground), *snapshots, "{strike:?}: every snapshot is somewhere");
    match rename(&store, "files", "docs") {
        Ok(_) => assert_ne!(result, Some(true), "{strike:?} said that it is done"),
        // Only what is done already.
        Err(NotRenamed::Nothing) => assert!(old.is_empty() && whole(&new), "{strike:?}"),
        Err(other) => unreachable!("{strike:?}: {other}"),
    }
    is_whole(ground, snapshots, strike);
}

fn on(disk: Disk, ground: &Ground) -> Result<Renamed, NotRenamed> {
    rename(&ground.store_on(disk, Duration::from_secs(2)), "files", "docs")
}

#[test]
fn everything_goes_along_and_snapshots_as_they_are() {
    let ground = prepared();
    let snapshots = recorded(&ground);
    assert_eq!(snapshots.len(), 4);
    assert_eq!(on(Disk::default(), &ground).unwrap(), Renamed { pins: 2, rejections: 0, snapshots: 3 });
    is_whole(&ground, &snapshots, Strike::Never);
    assert!(matches!(on(Disk::default(), &ground), Err(NotRenamed::Nothing)));
}

#[test]
fn interrupted_rename_is_finished_by_the_next() {
    for strike in ENDS {
        let steps = at_every_step(
            strike,
            prepared,
            |ground, disk| (recorded(ground), on(disk, ground)),
            |ground, strike, (snapshots, result)| finishes(ground, &snapshots, strike, Some(result.is_ok())),
        );
        assert!(steps > 60, "{steps} steps");
    }
}

#[test]
fn failed_rename_is_finished_by_the_next() {
    use io::ErrorKind::{PermissionDenied, StorageFull};
    type Strikes = fn(usize) -> Strike;
    let strikes: [Strikes; 3] =
        [|at| Strike::Once(at, StorageFull), |at| Strike::Once(at, PermissionDenied), Strike::Short];
    for strike in strikes {
        at_every_step(
            strike,
            prepared,
            |ground, disk| (recorded(ground), on(disk, ground)),
            |ground, strike, (snapshots, result)| {
                if let Err(error) = &result {
                    let is_named = error.to_string().contains(&*ground.path("").to_string_lossy());
                    assert!(matches!(error, NotRenamed::Store(_)) && is_named, "{strike:?}: {error}");
                }
                finishes(ground, &snapshots, strike, Some(result.is_ok()));
            },
        );
    }
}

// A real process: this binary again, told by the environment what to do.

const FOLDER: &str = "PINWATCH_TEST_FOLDER";
const KILL_AT: &str = "PINWATCH_TEST_KILL_AT";

#[test]
#[ignore = "the process that other tests start and kill"]
fn child() {
    // Whoever asks for all ignored tests has named no folder.
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let (disk, _) = Striking::disk(Strike::Kill(std::env::var(KILL_AT).unwrap().parse().unwrap()));
    on(disk, &Ground::at(Path::new(&folder))).unwrap();
}

#[test]
fn killed_rename_is_finished_by_the_next_process() {
    let mut at = 0;
    loop {
        let ground = prepared();
        let snapshots = recorded(&ground);
        let mut child = Command::new(std::env::current_exe().unwrap());
        child
            .args(["--exact", "renames::child", "--ignored"])
            .env(FOLDER, ground.path(""))
            .env(KILL_AT, at.to_string());
        let ended = child.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
        finishes(&ground, &snapshots, Strike::Kill(at), Some(ended.success()));
        if ended.success() {
            break;
        }
        at += 1;
    }
    assert!(at > 60, "{at} steps were killed at");
}

#[test]
fn what_changed_from_outside_is_told_of_the_new_id() {
    let ground = Ground::new();
    let store = ground.store();
    approve(&store, "files", "mine").unwrap();
    let mut theirs = store.load("files").unwrap().unwrap();
    theirs.pins.push(tool("theirs"));
    theirs.sort();
    ground.write("project/snapshots/files/baseline.json", &pinwatch::pin::format::write(&theirs));
    rename(&store, "files", "docs").unwrap();
    let now = store.load("docs").unwrap();
    let Sight::Outside(outside) = store.seen("docs", now.as_ref()).unwrap() else { unreachable!("it was never told") };
    let names: Vec<_> = outside.approved.iter().map(|(id, _)| id.key.as_ref()).collect();
    assert_eq!((names, outside.dropped.len()), (vec!["theirs"], 0));

    // A baseline that was never seen has its first sight before it, under any id.
    let other = ground.other_users_store();
    rename(&other, "docs", "third").unwrap();
    let now = other.load("third").unwrap();
    assert!(matches!(other.seen("third", now.as_ref()).unwrap(), Sight::First(found) if found.len() == 2));
}

#[test]
fn id_with_other_pins_is_left_with_its_history() {
    let ground = Ground::new();
    let store = ground.store();
    approve(&store, "files", "one").unwrap();
    approve(&store, "docs", "two").unwrap();
    assert!(matches!(rename(&store, "files", "docs"), Err(NotRenamed::Taken)));
    assert_eq!(
        (keys(store.load("files").unwrap().as_ref()), keys(store.load("docs").unwrap().as_ref())),
        (vec!["one".into()], vec!["two".into()])
    );
    rename(&store, "docs", "third").unwrap();
    // The id is another server's from now on.
    approve(&store, "docs", "three").unwrap();
    let history = store.log().history().unwrap();
    let of = |server: &str| {
        let records = history.of(&store.root().name(), server);
        records.filter_map(|record| Some(record.entry.item.as_ref()?.key.to_string())).collect::<Vec<_>>()
    };
    assert_eq!(of("third"), ["two"]);
    assert_eq!(of("files"), ["one"]);
    // There and back again is one history.
    rename(&store, "third", "fourth").unwrap();
    rename(&store, "fourth", "third").unwrap();
    let history = store.log().history().unwrap();
    assert_eq!(history.of(&store.root().name(), "third").filter(|record| record.entry.item.is_some()).count(), 1);
    let now = store.load("third").unwrap().unwrap();
    assert_eq!(store.decided_here(&now).unwrap().len(), 1);
}

#[test]
fn two_that_rename_against_each_other_end() {
    let ground = prepared();
    std::thread::scope(|scope| {
        let one = scope.spawn(|| rename(&ground.patient_store(), "files", "docs"));
        let other = scope.spawn(|| rename(&ground.patient_store(), "docs", "files"));
        let _ = (one.join().unwrap(), other.join().unwrap());
    });
    let store = ground.store();
    let both = [store.load("files").unwrap(), store.load("docs").unwrap()];
    assert_eq!(both.iter().map(Option::as_ref).flat_map(keys).collect::<Vec<_>>(), ["one", "two"]);
}
