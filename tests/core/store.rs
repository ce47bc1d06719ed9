//! The store: decisions survive, nothing is lost, nothing is written where it should not be.

use crate::stores::{Ground, approve, at, baseline, change, entry, tool};
use pinwatch::canon::Pointer;
use pinwatch::decisions::Undecided;
use pinwatch::pin::{Baseline, DecisionState};
use pinwatch::review::Refusal;
use pinwatch::store::disk::Disk;
use pinwatch::store::redact::{Redactor, Secrets};
use pinwatch::store::{
    Event, FoundBy, ListWord, LogEntry, Outside, Phase, Places, Root, Sight, Snapshot, Store, StoreError, keep_key,
    known_key, new_key,
};
use pinwatch::surface::{Completeness, Era, ItemId, Kind, Launch, Observation, ObservedAs, RawItem, Reason, Transport};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::sync::Arc;

fn keys(baseline: &Baseline) -> Vec<&str> {
    baseline.pins.iter().map(|pin| pin.item.id.key.as_ref()).collect()
}

fn refusal<T: std::fmt::Debug, E: std::fmt::Debug + std::fmt::Display>(result: Result<T, E>) -> String {
    result.expect_err("this is refused").to_string()
}

#[test]
fn decision_is_on_disk_and_in_the_log_when_taken() {
    let ground = Ground::new();
    let store = ground.store();
    assert_eq!(store.load("files").unwrap(), None);
    assert_eq!(store.servers().unwrap(), Vec::<String>::new());
    approve(&store, "files", "read").unwrap();
    approve(&store, "files", "list").unwrap();
    let loaded = ground.store().load("files").unwrap().unwrap();
    assert_eq!(keys(&loaded), ["list", "read"]);
    assert_eq!(store.servers().unwrap(), ["files"]);
    let history = store.log().history().unwrap();
    let told: Vec<_> = history.records.iter().map(|record| (record.entry.event, record.phase)).collect();
    assert_eq!(told, [(Event::Approve, Phase::Applied), (Event::Approve, Phase::Applied)]);
    assert_eq!(history.unreadable, 0);
    assert_eq!(store.settle().unwrap(), []);
    let left: Vec<_> = ground.names("project/snapshots/files");
    assert_eq!(left, ["baseline.json"]);
}

#[test]
fn the_log_has_the_members_of_the_design() {
    let ground = Ground::new();
    let pin = tool("read");
    let digest = pin.binds_to();
    let entry =
        LogEntry { note: "fine\u{202e}".into(), policy: Some("sha256:p".into()), ..entry(Event::Approve, &pin) };
    let change = |_| Ok::<_, StoreError>(baseline("files", vec![pin]));
    crate::stores::change(&ground.store(), "files", &[entry], change).unwrap();
    let text = fs::read_to_string(ground.path("state/audit.jsonl")).unwrap();
    assert!(text.contains(r"fine\u202e") && text.contains("fine<U+202E>"), "{text}");
    let records = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let lines: Vec<_> = records.map(|record| record["evidence"].clone()).collect();
    assert_eq!(lines.len(), 2);
    let expected = [
        ("format", "pinwatch.log.v1".into()),
        ("at", "2026-11-27T20:31:00Z".into()),
        ("event", "approve".into()),
        ("server", "files".into()),
        ("kind", "tool".into()),
        ("key", "read".into()),
        ("from", serde_json::Value::Null),
        ("to", digest.to_string().into()),
        ("by", "ana".into()),
        ("root", ground.path("project").canonicalize().unwrap().to_str().unwrap().into()),
        ("policy", "sha256:p".into()),
        ("phase", "intent".into()),
    ];
    for (member, value) in expected {
        assert_eq!(lines[0][member], value, "{member}");
    }
    assert_eq!((&lines[1]["phase"], &lines[1]["change"]), (&"applied".into(), &lines[0]["change"]));
}

#[test]
fn a_change_that_refuses_writes_nothing() {
    let ground = Ground::new();
    let result: Result<_, Undecided> =
        change(&ground.store(), "files", &[entry(Event::Approve, &tool("read"))], |_| Err(Refusal::NoBaseline.into()));
    assert!(matches!(result, Err(Undecided::Refused(Refusal::NoBaseline))));
    assert_eq!(ground.names("project"), Vec::<String>::new());
    assert!(!ground.path("state/audit.jsonl").exists());
}

#[test]
fn a_decision_sees_what_stands_on_the_disk_now() {
    let ground = Ground::new();
    let (ours, theirs) = (ground.store(), ground.store());
    approve(&ours, "files", "read").unwrap();
    approve(&theirs, "files", "write").unwrap();
    let mut found = None;
    let change = |now: Option<Baseline>| {
        found = now.clone();
        now.ok_or(StoreError::Raced("nothing there".into()))
    };
    crate::stores::change(&ours, "files", &[], change).unwrap();
    assert_eq!(keys(&found.unwrap()), ["read", "write"]);
}

#[test]
fn a_refused_baseline_is_never_overwritten() {
    for (text, says) in [
        (r#"{"format":"pinwatch.baseline.v2"}"#, "newer than this pinwatch"),
        (r#"{"format":"pinwatch.baseline.v1"}"#, "missing field `server`"),
        ("pinwatch.baseline.v1 <<", "cannot be read"),
        (r#"{"format":"other"}"#, "not a pinwatch baseline"),
    ] {
        let ground = Ground::new();
        ground.write("project/snapshots/files/baseline.json", text);
        let said = refusal(ground.store().load("files"));
        assert!(said.contains(says) && said.contains("snapshots/files/baseline.json"), "{said}");
        let said = refusal(approve(&ground.store(), "files", "read"));
        assert!(said.contains(says), "{said}");
        assert_eq!(fs::read_to_string(ground.path("project/snapshots/files/baseline.json")).unwrap(), text);
        assert!(!ground.path("state/audit.jsonl").exists());
    }
}

#[test]
fn a_baseline_in_another_servers_folder_is_refused() {
    let ground = Ground::new();
    approve(&ground.store(), "files", "read").unwrap();
    fs::create_dir(ground.path("project/snapshots/mail")).unwrap();
    let (from, to) = ("project/snapshots/files/baseline.json", "project/snapshots/mail/baseline.json");
    fs::copy(ground.path(from), ground.path(to)).unwrap();
    let said = refusal(ground.store().load("mail"));
    assert!(said.contains("it is the baseline of `files`, in the folder of `mail`"), "{said}");
}

#[test]
fn no_link_inside_a_root_is_followed() {
    let ground = Ground::new();
    let outside = ground.path("outside");
    fs::create_dir_all(outside.join("files")).unwrap();
    fs::write(outside.join("files/baseline.json"), "untouched").unwrap();
    for (link, target) in [
        ("project/snapshots", outside.clone()),
        ("project/snapshots/files", outside.join("files")),
        ("project/snapshots/files/baseline.json", outside.join("files/baseline.json")),
    ] {
        let _ = fs::remove_dir_all(ground.path("project"));
        fs::create_dir_all(ground.path(link).parent().unwrap()).unwrap();
        symlink(&target, ground.path(link)).unwrap();
        let store = Store::new(Root::at(&ground.path("project")), ground.places(), Redactor::default());
        assert!(refusal(store.load("files")).contains("is a symbolic link"), "{link}");
        assert!(refusal(approve(&store, "files", "read")).contains("is a symbolic link"), "{link}");
        let snapshot = snapshot("files");
        if link != "project/snapshots/files/baseline.json" {
            assert!(refusal(store.record_snapshot(&snapshot)).contains("is a symbolic link"), "{link}");
        }
    }
    assert_eq!(fs::read_to_string(outside.join("files/baseline.json")).unwrap(), "untouched");
    assert_eq!(ground.names("outside/files"), ["baseline.json"]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_fifo_in_the_place_of_a_baseline_does_not_hang() {
    let ground = Ground::new();
    fs::create_dir_all(ground.path("project/snapshots/files")).unwrap();
    let path = ground.path("project/snapshots/files/baseline.json");
    rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    assert!(refusal(ground.store().load("files")).contains("is not a regular file"));
}

#[test]
fn no_server_id_leaves_the_root() {
    let ground = Ground::new();
    for id in ["../../etc", "a/b", ".", "CON", "é ✓", "Files"] {
        approve(&ground.store(), id, "read").unwrap();
        assert_eq!(keys(&ground.store().load(id).unwrap().unwrap()), ["read"]);
    }
    approve(&ground.store(), "files", "other").unwrap();
    let mut ids = ["../../etc", "a/b", ".", "CON", "é ✓", "Files", "files"];
    ids.sort_unstable();
    assert_eq!(ground.store().servers().unwrap(), ids);
    assert_eq!(ground.names("project"), ["snapshots"]);
    assert!(refusal(approve(&ground.store(), "", "read")).contains("cannot be empty"));
    approve(&ground.store(), &"x".repeat(240), "read").unwrap();
    assert!(refusal(approve(&ground.store(), &"x".repeat(241), "read")).contains("too long"));
}

#[test]
fn two_at_once_lose_nothing() {
    let ground = Ground::new();
    let names: Vec<String> = (0..4).flat_map(|who| (0..5).map(move |at| format!("{who}-{at}"))).collect();
    std::thread::scope(|scope| {
        for mine in names.chunks(5) {
            let store = ground.patient_store();
            scope.spawn(move || {
                for name in mine {
                    approve(&store, "files", name).unwrap();
                }
            });
        }
    });
    assert_eq!(keys(&ground.store().load("files").unwrap().unwrap()), names);
    let history = ground.store().log().history().unwrap();
    assert_eq!(history.records.len(), names.len());
    assert!(history.records.iter().all(|record| record.phase == Phase::Applied));
}

#[test]
fn held_lock_is_an_error_that_names_the_holder() {
    let ground = Ground::new();
    let hasty = ground.hasty_store();
    let inside = |_| {
        let said = refusal(approve(&hasty, "files", "read"));
        assert!(said.contains(&format!("is locked by process {}", std::process::id())), "{said}");
        approve(&hasty, "mail", "read").unwrap();
        Ok::<_, StoreError>(baseline("files", vec![tool("write")]))
    };
    change(&ground.store(), "files", &[], inside).unwrap();
    approve(&hasty, "files", "read").unwrap();
}

#[test]
fn outside_change_during_a_decision_is_noticed() {
    let ground = Ground::new();
    approve(&ground.store(), "files", "read").unwrap();
    let path = ground.path("project/snapshots/files/baseline.json");
    let checkout = pinwatch::pin::format::write(&baseline("files", vec![tool("from-git")]));
    let store = ground.store();
    let pin = tool("mine");
    let change = |now: Option<Baseline>| {
        fs::write(&path, &checkout).unwrap();
        let mut next = now.unwrap();
        next.pins.push(pin.clone());
        Ok::<_, StoreError>(next)
    };
    let said = refusal(crate::stores::change(&store, "files", &[entry(Event::Approve, &pin)], change));
    assert!(said.contains("has changed since"), "{said}");
    assert_eq!(fs::read_to_string(&path).unwrap(), checkout);
    let history = store.log().history().unwrap();
    assert_eq!(history.records.last().unwrap().phase, Phase::Void);
    assert_eq!(ground.names("project/snapshots/files"), ["baseline.json"]);
}

#[test]
fn other_programs_files_in_snapshots_are_left_alone() {
    let ground = Ground::new();
    for (path, text) in [
        ("project/snapshots/app__tests__view.snap", "insta"),
        ("project/snapshots/ui/baseline.json", r#"{"format":"percy"}"#),
        ("project/snapshots/Files/baseline.json", r#"{"format":"pinwatch.baseline.v1"}"#),
        ("project/snapshots/files/notes.json", "{}"),
        ("project/snapshots/files/20261127T203100Z-1.json", "{}"),
        ("project/snapshots/files/20261399T203100Z.json", "{}"),
        ("project/snapshots/files/.other.json.tmp", "x"),
    ] {
        ground.write(path, text);
    }
    let store = ground.store();
    assert_eq!(store.servers().unwrap(), Vec::<String>::new());
    approve(&store, "files", "read").unwrap();
    assert_eq!(store.servers().unwrap(), ["files"]);
    assert_eq!(store.snapshots("files").unwrap(), []);
    assert_eq!(ground.names("project/snapshots/files").len(), 5);
}

fn snapshot(server: &str) -> Snapshot {
    let raw = |kind, bytes: &'static [u8]| RawItem { kind, bytes: bytes.into() };
    let observation = Observation {
        observed_as: Some(ObservedAs {
            era: Era::Discover,
            protocol_version: "2026-07-28".into(),
            client_capabilities: serde_json::Map::new(),
        }),
        items: vec![
            raw(Kind::Tool, b"{ \"name\":\"b\",\"n\":1.0e0 }"),
            raw(Kind::Tool, b"{\"name\":\"\xff\"}"),
            raw(Kind::Tool, b"{\"name\":\"a\",\"name\":\"c\",\"d\":\"\\ud800\"}"),
            raw(Kind::Instructions, "\"hidden \u{e0041}\u{202e}\"".as_bytes()),
        ],
        completeness: BTreeMap::from([
            (Kind::Tool, Completeness::Partial(Reason::new("too-many", "more than 10 pages"))),
            (Kind::Instructions, Completeness::Complete),
            (Kind::Resource, Completeness::Ignored),
        ]),
        notices: Vec::new(),
        presented: pinwatch::surface::Presented::default(),
    };
    let launch = Launch {
        transport: Transport::Stdio {
            command: "npx".into(),
            args: vec!["-y".into(), "server@1".into()],
            cwd: ".".into(),
            env: vec!["LOG".into()],
        },
    };
    Snapshot::of(server, "before the bump", at(0), &launch, &observation)
}

#[test]
fn a_snapshot_gives_back_every_byte() {
    let ground = Ground::new();
    let store = ground.store();
    let written = snapshot("files");
    let path = store.record_snapshot(&written).unwrap();
    assert!(path.ends_with("snapshots/files/20261127T203100Z.json"), "{path:?}");
    let read = store.load_snapshot(&path).unwrap();
    assert_eq!(read, written);
    let keys: Vec<_> = read.items.iter().map(|item| item.key.as_str()).collect();
    assert_eq!((keys[0], keys[2], keys[3]), ("b", "c", ""));
    assert!(keys[1].starts_with('#') && keys[1].len() == 17);
    let observation = read.observation();
    assert_eq!(&observation.items[1].bytes[..], b"{\"name\":\"\xff\"}");
    let reason = observation.overall().reason().unwrap().text.clone();
    assert_eq!(reason, "more than 10 pages (too-many)");
    assert_eq!(read.completeness[&Kind::Resource].state, ListWord::Ignored);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.chars().all(|c| c == '\n' || !pinwatch::text::is_hidden(c)));
}

#[test]
fn snapshots_of_one_second_never_overwrite() {
    let ground = Ground::new();
    let store = ground.store();
    ground.write("project/snapshots/files/20261127T203100Z-2.json/in the way", "");
    let names: Vec<_> =
        (0..3).map(|_| store.record_snapshot(&snapshot("files")).unwrap().file_name().unwrap().to_owned()).collect();
    assert_eq!(names, ["20261127T203100Z.json", "20261127T203100Z-3.json", "20261127T203100Z-4.json"]);
    let listed: Vec<_> = store.snapshots("files").unwrap().iter().map(|entry| entry.number).collect();
    assert_eq!(listed, [1, 3, 4]);
}

#[test]
fn a_damaged_snapshot_is_refused_with_its_place() {
    let ground = Ground::new();
    let store = ground.store();
    let path = store.record_snapshot(&snapshot("files")).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    for (from, to, says) in [
        ("\"key\": \"b\"", "\"key\": \"x\"", "/items/0/key: expected \"b\""),
        ("pinwatch.snapshot.v1", "pinwatch.snapshot.v2", "/format: format `pinwatch.snapshot.v2`"),
        ("\"label\"", "\"labels\": 1, \"label\"", "/labels: it does not belong here; did you mean `label`?"),
        (
            "\"partial\"",
            "\"half\"",
            "/completeness/tool/state: unknown variant `half`, expected one of `complete`, `partial`",
        ),
    ] {
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
        let said = refusal(store.load_snapshot(&path));
        assert!(said.contains(says), "{said}");
    }
    assert!(refusal(store.load_snapshot(Path::new("/nowhere/x.json"))).contains("/nowhere/x.json"));
}

fn knowing(store: &Store) -> Store {
    let mut secrets = Secrets::default();
    secrets.variable("API_TOKEN", "hunter2-hunter2");
    store.with_redactor(Redactor::new(&secrets))
}

#[test]
fn definition_with_a_secret_needs_an_override() {
    let ground = Ground::new();
    let store = knowing(&ground.store());
    let said = refusal(approve(&store, "files", "hunter2-hunter2"));
    assert!(
        said.contains("the value of `API_TOKEN`") && said.contains("only `pinwatch record --accept` writes tool/"),
        "{said}"
    );
    assert!(!ground.path("project/snapshots/files/baseline.json").exists());
    approve(&store.allowing_secrets(), "files", "hunter2-hunter2").unwrap();
    // What stands there already is not asked about again.
    approve(&store, "files", "read").unwrap();

    let mut snapshot = snapshot("files");
    snapshot.items[0].bytes = (&br#"{"name":"b","d":"hunter2\u002dhunter2"}"#[..]).into();
    let said = refusal(store.record_snapshot(&snapshot));
    assert!(said.contains(" writes tool/b: ") && said.contains("`API_TOKEN`"), "{said}");
    store.allowing_secrets().record_snapshot(&snapshot).unwrap();
}

#[test]
fn notes_and_labels_are_masked_before_writing() {
    let ground = Ground::new();
    let store = knowing(&ground.store());
    let mut pin = tool("read");
    Arc::make_mut(&mut Arc::make_mut(&mut pin).decision).note = "token hunter2-hunter2 works".into();
    let entry = LogEntry { note: pin.decision.note.as_str().into(), ..entry(Event::Approve, &pin) };
    let after = change(&store, "files", &[entry], |_| Ok::<_, StoreError>(baseline("files", vec![pin]))).unwrap();
    assert_eq!(after.pins[0].decision.note, "token <redacted API_TOKEN> works");
    let mut snapshot = snapshot("files");
    snapshot.label = "hunter2-hunter2".into();
    store.record_snapshot(&snapshot).unwrap();
    for file in ground.files() {
        let text = fs::read(&file).unwrap();
        assert!(!text.windows(15).any(|window| window == b"hunter2-hunter2"), "{}", file.display());
    }
}

#[test]
fn a_pin_is_decided_here_by_this_machines_log_only() {
    let ground = Ground::new();
    let store = ground.store();
    approve(&store, "files", "read").unwrap();
    let mut after = approve(&store, "files", "list").unwrap();
    let here = |baseline: &Baseline| -> Vec<String> {
        store.decided_here(baseline).unwrap().into_iter().map(|(id, _)| id.key.to_string()).collect()
    };
    assert_eq!(here(&after), ["list", "read"]);
    after.pins.push(tool("by-commit"));
    assert_eq!(here(&after), ["list", "read"]);
    // Someone lets a pinned text vary: what was approved here was not that.
    let read = after.pins.iter_mut().find(|pin| *pin.item.id.key == *"read").unwrap();
    Arc::make_mut(read).varies = vec![Pointer::parse("/description").unwrap()];
    assert_eq!(here(&after), ["list"]);
    let mut other = baseline("mail", vec![tool("read")]);
    assert!(here(&other).is_empty());
    other.server = "files".into();
    assert_eq!(here(&other), ["read"]);
    let elsewhere = Store::new(Root::at(&ground.path("elsewhere")), ground.places(), Redactor::default());
    assert!(elsewhere.decided_here(&other).unwrap().is_empty());
}

#[test]
fn undone_or_other_decision_is_not_ours() {
    let ground = Ground::new();
    let store = ground.store();
    let after = approve(&store, "files", "read").unwrap();
    let here = |baseline: &Baseline| store.decided_here(baseline).unwrap().len();
    let mut edited = after.clone();
    Arc::make_mut(&mut Arc::make_mut(&mut edited.pins[0]).decision).by = "mallory".into();
    assert_eq!((here(&after), here(&edited)), (1, 0));
    let read = tool("read");
    let undo = LogEntry { from: Some(read.binds_to()), to: None, ..entry(Event::Undo, &read) };
    change(&store, "files", &[undo], |_| Ok::<_, StoreError>(baseline("files", Vec::new()))).unwrap();
    assert_eq!(here(&after), 0, "what comes back from outside was not decided here");
}

#[test]
fn a_file_that_goes_back_was_not_decided_here() {
    let ground = Ground::new();
    let store = ground.store();
    let before = approve(&store, "files", "read").unwrap();
    let here = |baseline: &Baseline| store.decided_here(baseline).unwrap().len();
    let (old, new) = (tool("read"), tool("other"));
    let step = |event, from: &Arc<pinwatch::pin::Pin>, to: &Arc<pinwatch::pin::Pin>| LogEntry {
        from: Some(from.binds_to()),
        to: Some(to.binds_to()),
        ..entry(event, &old)
    };
    let write = |step, now: &Baseline| change(&store, "files", &[step], |_| Ok::<_, StoreError>(now.clone())).unwrap();
    write(step(Event::Approve, &old, &new), &baseline("files", vec![new.clone()]));
    assert_eq!(here(&before), 0, "another definition was approved in its place");
    write(step(Event::Undo, &new, &old), &before);
    assert_eq!(here(&before), 1, "taken back here");
}

#[test]
fn the_log_is_read_on_from_where_it_was_read_to() {
    let ground = Ground::new();
    let (reader, writer) = (ground.store(), ground.store());
    for (at, name) in ["a", "b", "c"].iter().enumerate() {
        approve(&writer, "files", name).unwrap();
        let history = reader.log().history().unwrap();
        assert_eq!(history.records.len(), at + 1);
        assert!(history.records.iter().all(|record| record.phase == Phase::Applied));
    }
    let path = ground.path("state/audit.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    // Another log in the same place, longer than what was read.
    fs::write(&path, format!("{}{text}", text.replace("approve", "reject"))).unwrap();
    assert_eq!(reader.log().history().unwrap().records.len(), 6);
    fs::write(&path, "").unwrap();
    assert_eq!(reader.log().history().unwrap().records.len(), 0);
}

#[test]
fn what_is_told_may_be_worked_out_with_the_change() {
    let ground = Ground::new();
    let store = ground.store();
    let pins = ["a", "b"].map(tool);
    let told: Vec<_> = pins.iter().map(|pin| entry(Event::Record, pin)).collect();
    store.change("files", |_| Ok::<_, StoreError>((baseline("files", pins.to_vec()), told))).unwrap();
    let history = store.log().history().unwrap();
    let keys: Vec<_> = history.records.iter().map(|record| record.entry.item.as_ref().unwrap().key.as_ref()).collect();
    assert_eq!(keys, ["a", "b"]);
    assert_eq!(history.records[0].change, history.records[1].change);
}

#[test]
fn first_sight_and_outside_changes_are_told() {
    let ground = Ground::new();
    let (mine, theirs) = (ground.store(), ground.other_users_store());
    let sight = || mine.seen("files", mine.load("files").unwrap().as_ref()).unwrap();
    let names = |list: &[(ItemId, _)]| list.iter().map(|(id, _)| id.key.to_string()).collect::<Vec<_>>();
    assert_eq!(sight(), Sight::Unchanged);
    approve(&theirs, "files", "read").unwrap();
    let Sight::First(approved) = sight() else { unreachable!("it is the first sight") };
    assert_eq!(names(&approved), ["read"]);
    let remember = || mine.remember("files", mine.load("files").unwrap().as_ref()).unwrap();
    remember();
    assert_eq!(sight(), Sight::Unchanged);

    approve(&mine, "files", "mine").unwrap();
    assert_eq!(sight(), Sight::Unchanged);

    approve(&theirs, "files", "exec").unwrap();
    // My own decision does not make me have seen theirs.
    approve(&mine, "files", "also-mine").unwrap();
    let Sight::Outside(outside) = sight() else { unreachable!("it was changed from outside") };
    assert_eq!(names(&outside.approved), ["exec"]);
    assert_eq!((outside.dropped.len(), outside.rejected.len(), outside.unrejected.len()), (0, 0, 0));
    remember();

    let reject = |now: Option<Baseline>| {
        let mut next = now.unwrap();
        let pin = next.pins.remove(0);
        let mut decision = pin.decision.as_ref().clone();
        decision.state = DecisionState::Rejected;
        next.rejections.push(pinwatch::pin::Rejection { item: Arc::clone(&pin.item), decision });
        Ok::<_, StoreError>(next)
    };
    change(&theirs, "files", &[], reject).unwrap();
    let Sight::Outside(outside) = sight() else { unreachable!("it was changed from outside") };
    assert_eq!(
        (names(&outside.dropped), names(&outside.rejected)),
        (vec!["also-mine".to_owned()], vec!["also-mine".to_owned()])
    );

    remember();
    fs::remove_file(ground.path("project/snapshots/files/baseline.json")).unwrap();
    let Sight::Outside(outside) = sight() else { unreachable!("it was removed from outside") };
    assert_eq!(names(&outside.dropped), ["exec", "mine", "read"]);
}

#[test]
fn a_note_edited_from_outside_is_a_change_too() {
    let ground = Ground::new();
    let store = ground.store();
    let mut after = approve(&store, "files", "read").unwrap();
    Arc::make_mut(&mut Arc::make_mut(&mut after.pins[0]).decision).by = "mallory".into();
    ground.write("project/snapshots/files/baseline.json", &pinwatch::pin::format::write(&after));
    assert_eq!(store.seen("files", Some(&after)).unwrap(), Sight::Outside(Outside::default()));
    store.remember("files", Some(&after)).unwrap();
    assert_eq!(store.seen("files", Some(&after)).unwrap(), Sight::Unchanged);
}

#[test]
fn look_overtaken_by_a_decision_is_dropped() {
    let ground = Ground::new();
    let store = ground.store();
    let before = approve(&store, "files", "read").unwrap();
    approve(&store, "files", "list").unwrap();
    assert_eq!(store.seen("files", Some(&before)).unwrap(), Sight::Unchanged);
    store.remember("files", Some(&before)).unwrap();
    let now = store.load("files").unwrap();
    assert_eq!(store.seen("files", now.as_ref()).unwrap(), Sight::Unchanged);
}

#[test]
fn forgetting_keeps_the_snapshots() {
    let ground = Ground::new();
    let store = ground.store();
    approve(&store, "files", "read").unwrap();
    store.record_snapshot(&snapshot("files")).unwrap();
    let forget = LogEntry { item: None, to: None, ..entry(Event::Forget, &tool("read")) };
    store.forget("files", &forget).unwrap();
    assert_eq!(store.load("files").unwrap(), None);
    assert_eq!(store.snapshots("files").unwrap().len(), 1);
    let history = store.log().history().unwrap();
    let last = history.records.last().unwrap();
    assert_eq!((last.entry.event, last.phase), (Event::Forget, Phase::Applied));
    store.forget("files", &forget).unwrap();
    ground.write("project/snapshots/files/baseline.json", "pinwatch.baseline.v1 damaged");
    store.forget("files", &forget).unwrap();
    for text in [r#"{"format":"pinwatch.baseline.v3"}"#, "{}"] {
        ground.write("project/snapshots/files/baseline.json", text);
        assert!(store.forget("files", &forget).is_err());
        assert!(ground.path("project/snapshots/files/baseline.json").exists());
    }
}

#[test]
fn the_log_is_read_past_torn_and_foreign_lines() {
    let ground = Ground::new();
    approve(&ground.store(), "files", "read").unwrap();
    let path = ground.path("state/audit.jsonl");
    let mut text = fs::read_to_string(&path).unwrap();
    text.push_str("{\"format\":\"pinwatch.log.v9\"}\n\u{0}\u{0}\u{0}\n");
    fs::write(&path, text.clone() + "{\"evidence\":{\"at\":\"20").unwrap();
    let store = ground.store();
    approve(&store, "files", "list").unwrap();
    let history = store.log().history().unwrap();
    // What was cut off half-way was reported as written to nobody, and is gone.
    assert_eq!((history.records.len(), history.unreadable), (2, 2));
    assert!(fs::read_to_string(&path).unwrap().starts_with(&text));
}

#[test]
fn the_root_is_the_nearest_that_is_ours() {
    let ground = Ground::new();
    let find = |from: &str| {
        let root = Root::find(&ground.path(from), None, &ground.places()).unwrap();
        let path = root.path().strip_prefix(ground.path("").canonicalize().unwrap()).unwrap().to_owned();
        (path.to_str().unwrap().to_owned(), root.found_by())
    };
    for folder in ["work/repo/.git", "work/repo/a/b/c", "loose/deep/er"] {
        fs::create_dir_all(ground.path(folder)).unwrap();
    }
    assert_eq!(find("work/repo/a/b/c"), ("data".to_owned(), FoundBy::Nothing));
    ground.write("work/pinwatch.toml", "");
    assert_eq!(find("work/repo/a/b/c"), ("data".to_owned(), FoundBy::Nothing), "above the repository");
    ground.write("work/repo/pinwatch.toml", "");
    assert_eq!(find("work/repo/a/b/c"), ("work/repo".to_owned(), FoundBy::Config));
    ground.write("work/repo/a/snapshots/ui/baseline.json", "{}");
    assert_eq!(find("work/repo/a/b/c"), ("work/repo".to_owned(), FoundBy::Config), "another program's snapshots");
    ground.write("work/repo/a/snapshots/files/baseline.json", r#"{"format": "pinwatch.baseline.v1"}"#);
    assert_eq!(find("work/repo/a/b/c"), ("work/repo/a".to_owned(), FoundBy::Baseline));

    ground.write("loose/pinwatch.toml", "");
    assert_eq!(find("loose/deep/er"), ("loose".to_owned(), FoundBy::Config));
    // Anyone may have put it there.
    fs::set_permissions(ground.path("loose"), fs::Permissions::from_mode(0o1777)).unwrap();
    assert_eq!(find("loose/deep/er"), ("data".to_owned(), FoundBy::Nothing));
    assert_eq!(find("loose"), ("loose".to_owned(), FoundBy::Config), "the person stands in it");

    let given = Root::find(&ground.path("work"), Some(Path::new("repo")), &ground.places()).unwrap();
    assert_eq!(given.path(), ground.path("work/repo").canonicalize().unwrap());
    let missing = Root::find(&ground.path("work"), Some(Path::new("nowhere")), &ground.places());
    assert!(refusal(missing).contains("there is no folder"));
}

#[test]
fn the_places_are_those_of_the_xdg_specification() {
    let places = |variables: &[(&str, &str)]| {
        Places::from_env(|name| {
            variables.iter().find(|(variable, _)| *variable == name).map(|(_, value)| (*value).into())
        })
    };
    let at_home = places(&[("HOME", "/home/ana")]).unwrap();
    assert_eq!(at_home.state, Path::new("/home/ana/.local/state/pinwatch"));
    assert_eq!(at_home.config, Path::new("/home/ana/.config/pinwatch"));
    assert_eq!(at_home.data, Path::new("/home/ana/.local/share/pinwatch"));
    let moved = places(&[("HOME", "/home/ana"), ("XDG_STATE_HOME", "/var/ana"), ("XDG_DATA_HOME", "rel")]).unwrap();
    assert_eq!(moved.state, Path::new("/var/ana/pinwatch"));
    assert_eq!(moved.data, Path::new("/home/ana/.local/share/pinwatch"));
    assert!(matches!(places(&[("HOME", "")]), Err(StoreError::NoHome)));
}

#[test]
fn the_machine_key_is_this_users_alone_and_stays() {
    let ground = Ground::new();
    let known = || known_key(&Disk::default(), &ground.places());
    let keep = || keep_key(&Disk::default(), &ground.places(), &new_key().unwrap()).unwrap();
    assert_eq!(known().unwrap(), None);
    let key = keep();
    assert_ne!(key, [0; 32]);
    assert_eq!((known().unwrap(), keep()), (Some(key), key));
    let path = ground.path("state/machine.key");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::metadata(ground.path("state")).unwrap().permissions().mode() & 0o777, 0o700);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    assert!(refusal(known()).contains("can be read by others (mode 644)"));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    fs::write(&path, "short").unwrap();
    assert!(refusal(known()).contains("32 bytes: remove the file"));
}

#[test]
fn own_files_are_private_and_keep_baseline_modes() {
    let ground = Ground::new();
    approve(&ground.store(), "files", "read").unwrap();
    let mode = |path: &str| fs::metadata(ground.path(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("state/audit.jsonl"), mode("state/locks"), mode("state/seen")), (0o600, 0o700, 0o700));
    let path = ground.path("project/snapshots/files/baseline.json");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    approve(&ground.store(), "files", "list").unwrap();
    assert_eq!(mode("project/snapshots/files/baseline.json"), 0o640);
}

#[test]
fn a_file_without_an_end_is_refused() {
    let ground = Ground::new();
    fs::create_dir_all(ground.path("project/snapshots/files")).unwrap();
    let file = fs::File::create(ground.path("project/snapshots/files/baseline.json")).unwrap();
    file.set_len(300 * 1024 * 1024).unwrap();
    assert!(refusal(ground.store().load("files")).contains("is larger than 268435456 bytes"));
}
