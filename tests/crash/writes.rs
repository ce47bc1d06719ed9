//! Crashes and faults at every step of the store: it opens again with everything decided before, and no half state.

use crate::stores::{Ground, approve, at, change, entry, saw, tool};
use crate::strike::{ENDS, Strike, Striking, dead};
use pinwatch::pin::{Baseline, Decision, DecisionState};
use pinwatch::review;
use pinwatch::store::disk::{Disk, Fault, Step, Verdict};
use pinwatch::store::{Event, LogEntry, Phase, Sight, Snapshot, Store, StoreError, keep_key, known_key, new_key, utc};
use pinwatch::surface::{Kind, Launch, Observation, RawItem, Transport};
use std::collections::BTreeMap;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

fn keys(baseline: Option<&Baseline>) -> Vec<String> {
    let pins = baseline.iter().flat_map(|baseline| &baseline.pins);
    pins.map(|pin| pin.item.id.key.to_string()).collect()
}

fn pinned(store: &Store) -> Vec<String> {
    keys(store.load("files").expect("the baseline opens").as_ref())
}

/// What must hold after any end of a decision on `key`, taken or not. Gives whether it is in force.
fn holds(ground: &Ground, before: &[&str], key: &str) -> bool {
    ground.chain_holds();
    let store = ground.store();
    let found = pinned(&store);
    let in_force = found.iter().any(|name| name == key);
    let mut expected: Vec<_> = before.iter().copied().chain(in_force.then_some(key)).collect();
    expected.sort_unstable();
    assert_eq!(found, expected, "everything decided before is there, and nothing half");
    let now = store.load("files").unwrap();
    let here: Vec<_> = now
        .as_ref()
        .map(|now| store.decided_here(now).unwrap().into_iter().map(|(id, _)| id.key.to_string()).collect())
        .unwrap_or_default();
    assert_eq!(here, expected, "what is in force was decided here, settled or not");
    assert_eq!(store.seen("files", now.as_ref()).unwrap(), Sight::Unchanged, "my own decision is nobody else's");

    let settled = store.settle().expect("settling works");
    for change in &settled {
        let name = &change.records[0].entry.item.as_ref().unwrap().key;
        assert_eq!(change.applied, found.contains(&name.to_string()), "{settled:?}");
    }
    assert_eq!(store.settle().unwrap(), [], "settling is done once");
    let history = store.log().history().unwrap();
    assert!(history.records.iter().all(|record| record.phase != Phase::Intent));
    let told = history.records.iter().rfind(|record| record.entry.item.as_ref().is_some_and(|item| *item.key == *key));
    match told {
        Some(record) => assert_eq!(record.phase == Phase::Applied, in_force),
        None => assert!(!in_force, "nothing is in force that the log does not tell"),
    }
    assert_eq!(store.seen("files", now.as_ref()).unwrap(), Sight::Unchanged);

    approve(&store, "files", "zz-next").expect("the next decision goes through");
    ground.chain_holds();
    expected.push("zz-next");
    assert_eq!(pinned(&store), expected);
    let left: Vec<_> =
        ground.files().into_iter().filter(|file| file.extension().is_some_and(|end| end == "tmp")).collect();
    assert!(left.is_empty(), "nothing is left lying about: {left:?}");
    in_force
}

/// Does `act` on fresh ground with a strike at each step in turn. Gives the number of steps.
fn at_every_step<T>(
    strike: impl Fn(usize) -> Strike,
    prepare: impl Fn(&Ground),
    act: impl Fn(&Store) -> Result<T, StoreError>,
    check: impl FnMut(&Ground, Strike, Result<T, StoreError>),
) -> usize {
    let ground = || {
        let ground = Ground::new();
        prepare(&ground);
        ground
    };
    crate::strike::at_every_step(
        strike,
        ground,
        |ground, disk| act(&ground.store_on(disk, Duration::from_secs(2))),
        check,
    )
}

fn decide(store: &Store, key: &str) -> Result<(), StoreError> {
    approve(store, "files", key).map(|_| ())
}

fn first(ground: &Ground) {
    decide(&ground.store(), "a-first").unwrap();
}

#[test]
fn crash_in_a_decision_leaves_old_or_new() {
    for strike in ENDS {
        let (mut taken, mut not_taken) = (0, 0);
        let steps = at_every_step(
            strike,
            first,
            |store| decide(store, "new"),
            |ground, strike, result| {
                let in_force = holds(ground, &["a-first"], "new");
                assert!(in_force || result.is_err(), "{strike:?} said that it was decided");
                *(if in_force { &mut taken } else { &mut not_taken }) += 1;
            },
        );
        assert!(steps > 20 && taken > 3 && not_taken > 10, "{steps} steps, {taken} taken, {not_taken} not");
    }
}

#[test]
fn crash_in_the_first_decision_leaves_none_or_it() {
    for strike in ENDS {
        at_every_step(
            strike,
            |_| {},
            |store| decide(store, "new"),
            |ground, strike, result| {
                // Nothing may be there at all: only what follows is checked then.
                let in_force = holds(ground, &[], "new");
                assert!(in_force || result.is_err(), "{strike:?}");
            },
        );
    }
}

#[test]
fn a_sighting_that_is_struck_is_told_by_the_next() {
    let told = |ground: &Ground| {
        ground.chain_holds();
        let text = std::fs::read_to_string(ground.path("state/audit.jsonl")).unwrap();
        text.lines().filter(|line| line.contains("drift_detected")).count()
    };
    let once = |at| Strike::Once(at, io::ErrorKind::StorageFull);
    for strike in ENDS.into_iter().chain([once as fn(usize) -> Strike, Strike::Short]) {
        let mut twice = 0;
        let steps = at_every_step(
            strike,
            first,
            |store| saw(store, "files", "new"),
            |ground, strike, result| {
                // What was torn is cut off by whoever writes next.
                approve(&ground.store(), "files", "next").unwrap();
                let before = told(ground);
                assert!(before == 1 || result.is_err(), "{strike:?} said that it was told");
                saw(&ground.store(), "files", "new").unwrap();
                saw(&ground.store(), "files", "new").unwrap();
                assert!(told(ground) == 1 || before == 1 && result.is_err(), "{strike:?}");
                twice += told(ground) - 1;
                assert_eq!(pinned(&ground.store()), ["a-first", "next"]);
            },
        );
        assert!(steps > 15 && twice < steps / 2, "{steps} steps, {twice} told twice");
    }
}

#[test]
fn a_step_that_fails_is_an_error_and_no_decision() {
    use io::ErrorKind::{Other, PermissionDenied, StorageFull};
    for kind in [StorageFull, Other, PermissionDenied] {
        at_every_step(
            |at| Strike::Once(at, kind),
            first,
            |store| decide(store, "new"),
            |ground, strike, result| {
                let in_force = holds(ground, &["a-first"], "new");
                let expected = matches!(result, Ok(()) | Err(StoreError::NotFlushed { .. }));
                assert_eq!(in_force, expected, "{strike:?}: {result:?}");
            },
        );
    }
    at_every_step(
        Strike::Short,
        first,
        |store| decide(store, "new"),
        |ground, strike, result| {
            assert_eq!(holds(ground, &["a-first"], "new"), result.is_ok(), "{strike:?}");
        },
    );
}

#[test]
fn crash_in_forgetting_leaves_the_baseline_or_none() {
    let forget = LogEntry { item: None, to: None, ..entry(Event::Forget, &tool("a-first")) };
    for strike in ENDS {
        at_every_step(
            strike,
            first,
            |store| store.forget("files", &forget),
            |ground, strike, result| {
                let store = ground.store();
                let left = pinned(&store);
                assert!(left == ["a-first"] || left.is_empty(), "{strike:?}: {left:?}");
                assert!(left.is_empty() || result.is_err(), "{strike:?}");
                let settled = store.settle().unwrap();
                assert!(settled.iter().all(|change| change.applied == left.is_empty()), "{settled:?}");
                assert_eq!(
                    store.seen("files", store.load("files").unwrap().as_ref()).unwrap(),
                    Sight::Unchanged,
                    "{strike:?}"
                );
                decide(&store, "next").unwrap();
                assert_eq!(pinned(&store).len(), left.len() + 1);
            },
        );
    }
}

/// Accepts that the server is not watched, as `unwatch` does.
fn accept_unwatched(store: &Store) -> Result<(), StoreError> {
    let told = LogEntry { item: None, to: None, ..entry(Event::Unwatch, &tool("a-first")) };
    let decision =
        Decision { state: DecisionState::Approved, by: "ana".to_owned(), at: utc(told.at), note: String::new() };
    let accepted = store.change("files", |known| {
        let accepted = review::accept_unwatched(known.as_ref(), "switched-off", &decision);
        Ok((accepted.expect("it has a baseline"), vec![told]))
    });
    accepted.map(|_| ())
}

#[test]
fn crash_in_accepting_keeps_the_pins() {
    for strike in ENDS {
        let (mut taken, mut not_taken) = (0, 0);
        at_every_step(strike, first, accept_unwatched, |ground, strike, result| {
            let store = ground.store();
            let baseline = store.load("files").unwrap().expect("the baseline stays");
            let accepted = baseline.unwatched.is_some();
            assert_eq!(keys(Some(&baseline)), ["a-first"], "{strike:?}");
            assert!(accepted || result.is_err(), "{strike:?} said that it was accepted");
            assert_eq!(store.seen("files", Some(&baseline)).unwrap(), Sight::Unchanged, "{strike:?}");
            let settled = store.settle().unwrap();
            assert!(settled.iter().all(|change| change.applied == accepted), "{strike:?}: {settled:?}");
            let history = store.log().history().unwrap();
            let told = history.records.iter().rfind(|record| record.entry.event == Event::Unwatch);
            assert_eq!(told.is_some_and(|record| record.phase == Phase::Applied), accepted, "{strike:?}");
            decide(&store, "next").unwrap();
            assert_eq!(pinned(&store), ["a-first", "next"]);
            *(if accepted { &mut taken } else { &mut not_taken }) += 1;
        });
        assert!(taken > 3 && not_taken > 10, "{taken} taken, {not_taken} not");
    }
}

fn snapshot() -> Snapshot {
    let observation = Observation {
        observed_as: None,
        items: vec![RawItem { kind: Kind::Tool, bytes: br#"{"name":"read"}"#[..].into() }],
        completeness: BTreeMap::new(),
        notices: Vec::new(),
        presented: pinwatch::surface::Presented::default(),
    };
    let launch = Launch { transport: Transport::Http { url: "https://a.example/mcp".into(), headers: Vec::new() } };
    Snapshot::of("files", "", at(0), &launch, &observation)
}

#[test]
fn crash_in_recording_leaves_only_whole_snapshots() {
    for strike in ENDS {
        let before = |ground: &Ground| {
            ground.store().record_snapshot(&snapshot()).unwrap();
        };
        at_every_step(
            strike,
            before,
            |store| store.record_snapshot(&snapshot()),
            |ground, strike, result| {
                let store = ground.store();
                let whole = |path: &Path| store.load_snapshot(path).expect("a snapshot is whole") == snapshot();
                let there = store.snapshots("files").unwrap();
                assert!(there.iter().all(|entry| whole(&entry.path)), "{strike:?}");
                assert!(there.len() == 2 || (there.len() == 1 && result.is_err()), "{strike:?}");
                store.record_snapshot(&snapshot()).unwrap();
                let names = ground.names("project/snapshots/files");
                assert_eq!(names.len(), there.len() + 1, "nothing is left lying about: {names:?}");
            },
        );
    }
}

#[test]
fn crash_in_key_creation_leaves_whole_key_or_none() {
    for strike in ENDS {
        for at in 0..20 {
            let ground = Ground::new();
            let (disk, fault) = Striking::disk_of(strike(at), &ground);
            let made = keep_key(&disk, &ground.places(), &new_key().unwrap());
            fault.end();
            let left = known_key(&Disk::default(), &ground.places()).expect("it is whole");
            assert!(made.is_err() || left == Some(made.unwrap()));
            let key = keep_key(&Disk::default(), &ground.places(), &new_key().unwrap()).expect("a key is had after");
            assert!(left.is_none_or(|left| left == key));
            let names = ground.names("state");
            assert_eq!(names, ["machine.key"], "nothing is left lying about");
        }
    }
}

#[test]
fn a_root_that_is_read_only_is_named() {
    struct ReadOnly;
    impl Fault for ReadOnly {
        fn before(&self, step: Step, path: &Path) -> Verdict {
            let in_project = path.components().any(|part| part.as_os_str() == "project");
            if step.writes() && in_project {
                Verdict::Fail(io::ErrorKind::ReadOnlyFilesystem.into())
            } else {
                Verdict::Go
            }
        }
    }
    let ground = Ground::new();
    first(&ground);
    let store = ground.store_on(Disk::with_fault(Arc::new(ReadOnly)), Duration::from_secs(2));
    assert_eq!(pinned(&store), ["a-first"]);
    for said in [decide(&store, "new").unwrap_err(), store.record_snapshot(&snapshot()).unwrap_err()] {
        let said = said.to_string();
        assert!(said.contains("project/snapshots/files") && said.contains("is read-only for this user"), "{said}");
    }
    assert!(!holds(&ground, &["a-first"], "new"));
}

#[test]
fn moved_root_is_named_and_not_recreated() {
    let ground = Ground::new();
    first(&ground);
    let store = ground.store();
    std::fs::rename(ground.path("project"), ground.path("elsewhere")).unwrap();
    for said in [decide(&store, "new").unwrap_err(), store.record_snapshot(&snapshot()).unwrap_err()] {
        assert!(said.to_string().contains("there is no folder"), "{said}");
    }
    assert!(!ground.path("project").exists());
    std::fs::rename(ground.path("elsewhere"), ground.path("project")).unwrap();
    assert!(!holds(&ground, &["a-first"], "new"));
}

#[test]
fn a_clock_that_goes_backwards_loses_nothing() {
    let ground = Ground::new();
    let store = ground.store();
    for (name, hours) in [("a", 0), ("b", -48), ("c", -24)] {
        let at = at(hours * 3600);
        let mut pin = tool(name);
        Arc::make_mut(&mut Arc::make_mut(&mut pin).decision).at = at.to_string();
        let entry = LogEntry { at, ..entry(Event::Approve, &pin) };
        let decided = change(&store, "files", &[entry], |now| {
            let mut next = now.unwrap_or_else(|| crate::stores::baseline("files", Vec::new()));
            next.pins.push(pin);
            Ok::<_, StoreError>(next)
        });
        decided.unwrap();
        store.record_snapshot(&Snapshot { at, ..snapshot() }).unwrap();
    }
    assert_eq!(pinned(&store), ["a", "b", "c"]);
    let now = store.load("files").unwrap();
    assert_eq!(store.decided_here(now.as_ref().unwrap()).unwrap().len(), 3);
    assert_eq!(store.seen("files", now.as_ref()).unwrap(), Sight::Unchanged);
    assert_eq!(store.snapshots("files").unwrap().len(), 3);
    // The log stays in the order in which it was written.
    let told: Vec<_> = store
        .log()
        .history()
        .unwrap()
        .records
        .iter()
        .filter_map(|record| record.entry.item.clone())
        .map(|id| id.key.to_string())
        .collect();
    assert_eq!(told, ["a", "b", "c"]);
}

#[test]
fn crash_in_pruning_deletes_only_the_oldest() {
    let days = [0, 1, 2, 3].map(|day| at(day * 86400));
    let before = |ground: &Ground| {
        first(ground);
        for at in days {
            ground.store().record_snapshot(&Snapshot { at, ..snapshot() }).unwrap();
        }
    };
    for strike in ENDS {
        at_every_step(
            strike,
            before,
            |store| store.prune("files", 1),
            |ground, strike, result| {
                let store = ground.store();
                let left = store.snapshots("files").unwrap();
                let kept: Vec<_> = left.iter().map(|entry| store.load_snapshot(&entry.path).unwrap().at).collect();
                assert!(days.ends_with(&kept) && !kept.is_empty(), "{strike:?}: {kept:?}");
                assert!(kept.len() == 1 || result.is_err(), "{strike:?}");
                assert_eq!(pinned(&store), ["a-first"]);
            },
        );
    }
}

#[test]
fn crash_noting_an_outside_change_retells_or_drops() {
    let before = |ground: &Ground| {
        let text = pinwatch::pin::format::write(&crate::stores::baseline("files", vec![tool("theirs")]));
        ground.write("project/snapshots/files/baseline.json", &text);
    };
    for strike in ENDS {
        at_every_step(
            strike,
            before,
            |store| store.remember("files", store.load("files")?.as_ref()),
            |ground, strike, result| {
                let store = ground.store();
                let now = store.load("files").unwrap();
                let sight = store.seen("files", now.as_ref()).unwrap();
                assert!(matches!(sight, Sight::First(_)) || sight == Sight::Unchanged, "{strike:?}: {sight:?}");
                assert!(result.is_err() || sight == Sight::Unchanged, "{strike:?}");
                store.remember("files", now.as_ref()).unwrap();
                assert_eq!(store.seen("files", now.as_ref()).unwrap(), Sight::Unchanged);
            },
        );
    }
}

#[test]
fn looking_writes_nothing() {
    struct NoWrites;
    impl Fault for NoWrites {
        fn before(&self, step: Step, _path: &Path) -> Verdict {
            if step.writes() || step == Step::Lock { dead() } else { Verdict::Go }
        }
    }
    let ground = Ground::new();
    let look = |store: &Store| {
        let now = store.load("files").unwrap();
        store.seen("files", now.as_ref()).unwrap();
        now.as_ref().map(|now| store.decided_here(now).unwrap());
        store.snapshots("files").unwrap();
        store.servers().unwrap();
        store.log().history().unwrap();
    };
    let store = || ground.store_on(Disk::with_fault(Arc::new(NoWrites)), Duration::from_secs(2));
    look(&store());
    first(&ground);
    look(&store());
}

// What follows are real processes: this binary again, told by the environment what to do.

const FOLDER: &str = "PINWATCH_TEST_FOLDER";
const KILL_AT: &str = "PINWATCH_TEST_KILL_AT";
const KEYS: &str = "PINWATCH_TEST_KEYS";

/// Runs [`child`] in a process of its own.
fn spawn(ground: &Ground, keys: &[String], kill_at: Option<usize>) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "writes::child", "--ignored", "--nocapture"])
        .env(FOLDER, ground.path(""))
        .env(KEYS, keys.join(","));
    if let Some(at) = kill_at {
        command.env(KILL_AT, at.to_string());
    }
    command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

/// Approves the keys it is given, one decision each, and says so on a line of its own after each.
#[test]
#[ignore = "the process that other tests start and kill"]
fn child() {
    // Whoever asks for all ignored tests has named no folder.
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let ground = Ground::at(Path::new(&folder));
    let strike = std::env::var(KILL_AT).map_or(Strike::Never, |at| Strike::Kill(at.parse().unwrap()));
    let store = ground.store_on(Striking::disk(strike).0, Duration::from_mins(1));
    for key in std::env::var(KEYS).unwrap().split(',') {
        decide(&store, key).unwrap();
        writeln!(io::stdout(), "decided {key}").unwrap();
    }
}

/// The keys that a child says it decided, up to `most`.
fn said(child: &mut Child, most: usize) -> Vec<String> {
    // One byte at a time: what is not asked for stays in the pipe.
    let lines = BufReader::with_capacity(1, child.stdout.as_mut().unwrap()).lines();
    // The test harness writes on the same stream, sometimes before it on the line.
    let key = |line: io::Result<String>| Some(line.ok()?.split_once("decided ")?.1.to_owned());
    lines.filter_map(key).take(most).collect()
}

#[test]
fn kill_at_any_step_leaves_old_or_new() {
    let mut killed = 0;
    loop {
        let ground = Ground::new();
        first(&ground);
        let mut child = spawn(&ground, &["new".to_owned()], Some(killed));
        let said = said(&mut child, 1);
        let ended = child.wait().unwrap();
        let in_force = holds(&ground, &["a-first"], "new");
        assert!(in_force || said.is_empty());
        if ended.success() {
            assert!(in_force);
            break;
        }
        killed += 1;
    }
    assert!(killed > 20, "{killed} steps were killed at");
}

#[test]
fn processes_that_decide_at_once_lose_nothing() {
    let ground = Ground::new();
    let names = |who: &str| (0..8).map(|at| format!("{who}{at}")).collect::<Vec<_>>();
    let mut children: Vec<_> = ["a", "b", "c"].map(|who| spawn(&ground, &names(who), None)).into();
    for child in &mut children {
        assert_eq!(said(child, usize::MAX).len(), 8);
        assert!(child.wait().unwrap().success());
    }
    let expected: Vec<_> = ["a", "b", "c"].into_iter().flat_map(names).collect();
    assert_eq!(pinned(&ground.store()), expected);
    assert_eq!(ground.store().log().history().unwrap().unreadable, 0);
}

#[test]
fn a_killed_process_gives_its_lock_back() {
    let ground = Ground::new();
    first(&ground);
    let mut child = spawn(&ground, &["new".to_owned()], Some(15));
    assert!(!child.wait().unwrap().success());
    decide(&ground.hasty_store(), "zz-after").unwrap();
}
