//! Faults and kills at every step of keeping and withdrawing a consent: what was reported as kept is there, and nothing
//! that was not given.

use crate::house::House;
use crate::strike::{ENDS, Strike, Striking, at_every_step};
use pinwatch::config::consent::{Asked, Consent, Consents};
use pinwatch::store::StoreError;
use pinwatch::store::disk::{Disk, Fault, Step, Verdict};
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;

/// A project of two servers, of which `files` stands in one version or another.
fn write(house: &House, version: usize) {
    let files = format!("[servers.files]\ncommand = \"npx\"\nargs = [\"-y\", \"server@{version}\"]\n");
    house.write("pinwatch.toml", files + "[servers.other]\ncommand = \"npx\"\n");
}

/// What is asked about a server; none where it may be started.
fn asked(house: &House, consents: &Consents, server: &str) -> Option<Asked> {
    let config = house.load().unwrap();
    let server = config.servers.iter().find(|config| &*config.id == server).unwrap();
    match consents.check(server, &|name| house.environment.get(name).cloned()).unwrap() {
        Consent::Given => None,
        Consent::Needed(asked) => Some(asked),
    }
}

/// Agrees on this disk to what a server asks.
fn agree_on(disk: Disk, house: &House, server: &str) -> Result<(), StoreError> {
    // Asked on a sound disk, so that a strike meets the agreement alone.
    let asked = asked(house, &Consents::new(house.places()), server).expect("it asks");
    Consents::on(disk, house.places()).grant(&asked, "ana", "2026-11-27T20:31:00Z".parse().unwrap())
}

fn agree(house: &House, server: &str) {
    agree_on(Disk::default(), house, server).expect("it is kept");
}

fn is_given(house: &House, version: usize) -> bool {
    write(house, version);
    asked(house, &Consents::new(house.places()), "files").is_none()
}

/// Nothing was agreed to yet, and version 2 asks.
fn fresh() -> House {
    let house = House::new();
    write(&house, 2);
    house
}

/// Version 1 and the other server were agreed to; version 2 asks.
fn agreed_before() -> House {
    let house = House::new();
    write(&house, 1);
    for server in ["files", "other"] {
        agree(&house, server);
    }
    write(&house, 2);
    house
}

/// What must hold after any end of an agreement to version 2. Gives whether it is kept.
fn holds(house: &House, before: bool, strike: Strike) -> bool {
    let kept = is_given(house, 2);
    assert!(!is_given(house, 3), "{strike:?}: version 3 was never agreed to");
    assert_eq!(is_given(house, 1), before, "{strike:?}: what was agreed to before is there, and nothing else");
    let consents = Consents::new(house.places());
    assert_eq!(asked(house, &consents, "other").is_none(), before, "{strike:?}: the other server's is as it was");
    let elsewhere = House::new();
    write(&elsewhere, 2);
    assert!(asked(&elsewhere, &consents, "files").is_some(), "{strike:?}: another project's is its own");
    // The next agreement goes through, leaves nothing lying about, and drops nothing.
    write(house, 4);
    agree(house, "files");
    assert_eq!([1, 2, 3, 4].map(|version| is_given(house, version)), [before, kept, false, true], "{strike:?}");
    let mut left = Vec::new();
    for folder in [house.places().state, house.places().state.join("consents")] {
        left.extend(fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()));
    }
    assert!(left.iter().all(|name| !name.contains("tmp")), "{strike:?}: {left:?}");
    kept
}

/// Both grounds, and whether something was agreed to on them before.
const GROUNDS: [(fn() -> House, bool); 2] = [(fresh, false), (agreed_before, true)];

fn agree_to_files(house: &House, disk: Disk) -> Result<(), StoreError> {
    agree_on(disk, house, "files")
}

#[test]
fn crash_in_an_agreement_keeps_earlier_ones() {
    for strike in ENDS {
        for (ground, before) in GROUNDS {
            let (mut kept, mut not) = (0, 0);
            at_every_step(strike, ground, agree_to_files, |house, strike, result| {
                let there = holds(house, before, strike);
                assert!(there || result.is_err(), "{strike:?} said that it is kept");
                *(if there { &mut kept } else { &mut not }) += 1;
            });
            // Of names that are not flushed, none is kept before the last step.
            let least = if matches!(strike(0), Strike::CutLosingNames(_)) { 1 } else { 2 };
            assert!(kept >= least && not > 12, "{kept} kept, {not} not");
        }
    }
}

#[test]
fn failed_step_names_the_file_and_agrees_to_nothing() {
    use io::ErrorKind::{Other, PermissionDenied, ReadOnlyFilesystem, StorageFull};
    type Strikes = fn(usize) -> Strike;
    let strikes: [Strikes; 5] = [
        |at| Strike::Once(at, StorageFull),
        |at| Strike::Once(at, Other),
        |at| Strike::Once(at, PermissionDenied),
        |at| Strike::Once(at, ReadOnlyFilesystem),
        Strike::Short,
    ];
    for (ground, before) in GROUNDS {
        for strike in strikes {
            at_every_step(strike, ground, agree_to_files, |house, strike, result| {
                let there = holds(house, before, strike);
                let said = matches!(result, Ok(()) | Err(StoreError::NotFlushed { .. }));
                assert_eq!(there, said, "{strike:?}: {result:?}");
                if let Err(error) = result {
                    let folder = house.project().join("../..").canonicalize().unwrap();
                    assert!(error.to_string().contains(folder.to_str().unwrap()), "{strike:?}: {error}");
                }
            });
        }
    }
}

#[test]
fn read_only_state_keeps_earlier_agreements() {
    struct ReadOnly;
    impl Fault for ReadOnly {
        fn before(&self, step: Step, _path: &Path) -> Verdict {
            if step.writes() { Verdict::Fail(io::ErrorKind::ReadOnlyFilesystem.into()) } else { Verdict::Go }
        }
    }
    let house = agreed_before();
    let disk = Disk::with_fault(Arc::new(ReadOnly));
    let said = agree_to_files(&house, disk.clone()).unwrap_err().to_string();
    assert!(said.contains("is read-only for this user"), "{said}");
    write(&house, 1);
    assert!(asked(&house, &Consents::on(disk, house.places()), "files").is_none(), "looking needs no writing");
    assert!(!holds(&house, true, Strike::Never));
}

#[test]
fn lookup_fault_never_reads_as_an_agreement() {
    for (ground, version) in [(fresh as fn() -> House, 2), (agreed_before, 1), (agreed_before, 2)] {
        let looked = at_every_step(
            |at| Strike::Once(at, io::ErrorKind::Other),
            || {
                let house = ground();
                write(&house, version);
                house
            },
            |house, disk| {
                let config = house.load().unwrap();
                Consents::on(disk, house.places()).check(&config.servers[0], &|_| None)
            },
            |_, strike, result| {
                let given = matches!(result, Ok(Consent::Given));
                assert!(!given || version == 1, "{strike:?}: {result:?}");
            },
        );
        assert!(looked > 0);
    }
}

#[test]
fn crash_in_a_withdrawal_touches_no_other_consent() {
    let withdraw = |house: &House, disk: Disk| {
        let config = house.load().unwrap();
        let server = config.servers.iter().find(|config| &*config.id == "files").unwrap();
        Consents::on(disk, house.places()).withdraw(server)
    };
    for strike in ENDS.into_iter().chain([(|at| Strike::Once(at, io::ErrorKind::Other)) as fn(usize) -> Strike]) {
        let mut stands = 0;
        at_every_step(strike, agreed_before, withdraw, |house, strike, result| {
            let left = is_given(house, 1);
            assert!(!left || result.is_err(), "{strike:?} said that it is withdrawn");
            assert!(!is_given(house, 2), "{strike:?}");
            assert!(asked(house, &Consents::new(house.places()), "other").is_none(), "{strike:?}");
            stands += usize::from(left);
        });
        assert!(stands > 2, "{stands}");
    }
}

#[test]
fn five_that_agree_at_once_keep_all_of_it() {
    for _ in 0..20 {
        let house = House::new();
        let consents = Consents::new(house.places());
        let questions = (1..=5).map(|version| {
            write(&house, version);
            asked(&house, &consents, "files").unwrap()
        });
        let questions: Vec<_> = questions.collect();
        thread::scope(|scope| {
            for asked in &questions {
                let consents = Consents::new(house.places());
                scope.spawn(move || consents.grant(asked, "ana", "2026-11-27T20:31:00Z".parse().unwrap()).unwrap());
            }
        });
        assert_eq!([1, 2, 3, 4, 5, 6].map(|version| is_given(&house, version)), [true, true, true, true, true, false]);
    }
}

#[test]
fn agreement_during_key_creation_is_told_unkept() {
    let house = fresh();
    let [one, other] = [(); 2].map(|()| Consents::new(house.places()));
    let asked_one = asked(&house, &one, "files").unwrap();
    let asked_other = asked(&house, &other, "other").unwrap();
    let at = "2026-11-27T20:31:00Z".parse().unwrap();
    one.grant(&asked_one, "ana", at).unwrap();
    let said = other.grant(&asked_other, "ana", at).unwrap_err().to_string();
    assert!(said.ends_with("machine.key has changed since: nothing was written"), "{said}");
    // Asked again, it is kept: by this very process.
    let again = asked(&house, &other, "other").unwrap();
    other.grant(&again, "ana", at).unwrap();
    assert!(is_given(&house, 2) && asked(&house, &Consents::new(house.places()), "other").is_none());
}

#[test]
fn long_launches_push_out_the_oldest_consents() {
    let house = House::new();
    let long = |version: usize, length: usize| {
        // Each of these characters is written as six.
        let padding = "\u{200b}".repeat(length / 6);
        house.write(
            "pinwatch.toml",
            format!("[servers.files]\ncommand = \"npx\"\nargs = [\"{padding}\", \"{version}\"]\n"),
        );
    };
    let is_given = |version: usize, length: usize| {
        long(version, length);
        asked(&house, &Consents::new(house.places()), "files").is_none()
    };
    for version in 1..=4 {
        long(version, 300_000);
        agree(&house, "files");
        assert!(is_given(version, 300_000), "what was reported as kept is there");
    }
    assert_eq!([1, 2, 3, 4].map(|version| is_given(version, 300_000)), [false, true, true, true]);
    long(5, 1_100_000);
    let said = agree_to_files(&house, Disk::default()).unwrap_err().to_string();
    assert!(said.contains("is larger than 1048576 bytes"), "{said}");
    assert_eq!([2, 3, 4].map(|version| is_given(version, 300_000)), [true; 3]);
}

// What follows are real processes: this binary again, told by the environment what to do.

const FOLDER: &str = "PINWATCH_TEST_FOLDER";
const KILL_AT: &str = "PINWATCH_TEST_KILL_AT";

/// Agrees in the house that it is told of, and says so on a line of its own.
#[test]
#[ignore = "the process that other tests start and kill"]
fn child() {
    // Whoever asks for all ignored tests has named no folder.
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let house = House::at(Path::new(&folder));
    let (disk, _) = Striking::disk(Strike::Kill(std::env::var(KILL_AT).unwrap().parse().unwrap()));
    agree_to_files(&house, disk).unwrap();
    writeln!(io::stdout(), "agreed").unwrap();
}

#[test]
fn kill_in_an_agreement_leaves_old_or_new() {
    for (ground, before) in GROUNDS {
        let mut at = 0;
        loop {
            let house = ground();
            let mut child = Command::new(std::env::current_exe().unwrap());
            child
                .args(["--exact", "consents::child", "--ignored", "--nocapture"])
                .env(FOLDER, house.project().join("../.."))
                .env(KILL_AT, at.to_string());
            let ran = child.stdin(Stdio::null()).output().unwrap();
            let said = String::from_utf8_lossy(&ran.stdout).contains("agreed");
            let kept = holds(&house, before, Strike::Kill(at));
            assert!(kept || !said, "killed at step {at}");
            if ran.status.success() {
                assert!(kept && said && at > 12, "{at} steps");
                break;
            }
            at += 1;
        }
    }
}
