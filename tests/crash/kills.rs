//! Processes that decide on a disk with faults, several at once, and are killed at any moment: every decision that was
//! reported as made is counted, and there. The long form: `cargo test --test crash kills -- --ignored`.

use crate::stores::{Ground, approve, baseline, change, entry, saw, tool};
use pinwatch::pin::{Decision, DecisionState, Rejection};
use pinwatch::store::disk::{Disk, Fault, Step, Verdict};
use pinwatch::store::{Event, LogEntry, Phase, Sight, Store, StoreError};
use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// One step in so many fails.
const ONE_IN: usize = 120;
/// So many decisions a process tries to make, each of some thirty steps.
const TRIES: usize = 24;

/// A disk on which any step may fail, in any way, and on which the process may be killed at one.
struct Weather {
    chance: Mutex<fastrand::Rng>,
    steps: AtomicUsize,
    faults: AtomicUsize,
    cut: Mutex<bool>,
    kill_at: usize,
}

impl Weather {
    fn disk(seed: u64, kill_at: usize) -> (Disk, Arc<Self>) {
        let chance = Mutex::new(fastrand::Rng::with_seed(seed));
        let weather = Self { chance, kill_at, steps: 0.into(), faults: 0.into(), cut: Mutex::new(false) };
        let weather = Arc::new(weather);
        (Disk::with_fault(weather.clone()), weather)
    }

    fn fail(&self, which: usize) -> Verdict {
        self.faults.fetch_add(1, Ordering::SeqCst);
        let error = match which % 4 {
            0 => io::ErrorKind::StorageFull.into(),
            1 => io::ErrorKind::PermissionDenied.into(),
            2 => io::ErrorKind::ReadOnlyFilesystem.into(),
            _ => rustix::io::Errno::IO.into(),
        };
        Verdict::Fail(error)
    }
}

impl Fault for Weather {
    fn before(&self, step: Step, _path: &Path) -> Verdict {
        let now = self.steps.fetch_add(1, Ordering::SeqCst);
        let chance = || self.chance.lock().unwrap().usize(..);
        if now >= self.kill_at {
            if step == Step::Write && now == self.kill_at {
                return Verdict::Cut(chance() % 200);
            }
            rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL).unwrap();
        }
        if step == Step::WriteRest && std::mem::take(&mut *self.cut.lock().unwrap()) {
            return self.fail(0);
        }
        if chance() % ONE_IN != 0 {
            return Verdict::Go;
        }
        if step == Step::Write && chance() % 2 == 0 {
            *self.cut.lock().unwrap() = true;
            return Verdict::Cut(chance() % 400);
        }
        self.fail(chance())
    }
}

/// Rejects one tool of a server.
fn reject(store: &Store, name: &str) -> Result<(), StoreError> {
    let pin = tool(name);
    let entry = LogEntry { to: Some(pin.item.digests.surface), ..entry(Event::Reject, &pin) };
    let decision = Decision { state: DecisionState::Rejected, ..Decision::clone(&pin.decision) };
    let decided = change(store, "files", &[entry], |now| {
        let mut next = now.unwrap_or_else(|| baseline("files", Vec::new()));
        next.rejections.push(Rejection { item: Arc::clone(&pin.item), decision });
        Ok(next)
    });
    decided.map(|_| ())
}

/// One decision: every third name is rejected.
fn decide(store: &Store, name: &str, at: usize) -> Result<(), StoreError> {
    if at % 3 == 2 { reject(store, name) } else { approve(store, "files", name).map(|_| ()) }
}

// The processes are this binary again, told by the environment what to do.

const FOLDER: &str = "PINWATCH_TEST_FOLDER";
const NAME: &str = "PINWATCH_TEST_NAME";
const SEED: &str = "PINWATCH_TEST_SEED";
const KILL_AT: &str = "PINWATCH_TEST_KILL_AT";

fn spawn(ground: &Ground, name: &str, seed: u64, kill_at: usize) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "kills::child", "--ignored", "--nocapture"]).env(FOLDER, ground.path("")).env(NAME, name);
    command.env(SEED, seed.to_string()).env(KILL_AT, kill_at.to_string());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

/// Decides, and says on a line of its own what became of each: made or not, its name, and the faults so far.
#[test]
#[ignore = "the process that other tests start and kill"]
fn child() {
    // Whoever asks for all ignored tests has named no folder.
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let told = |name: &str| std::env::var(name).unwrap();
    let (disk, weather) = Weather::disk(told(SEED).parse().unwrap(), told(KILL_AT).parse().unwrap());
    let store = Ground::at(Path::new(&folder)).store_on(disk, Duration::from_mins(1));
    for at in 0..TRIES {
        let name = format!("{}-{at:02}", told(NAME));
        let made = matches!(decide(&store, &name, at), Ok(()) | Err(StoreError::NotFlushed { .. }));
        let word = if made { "made" } else { "not" };
        writeln!(io::stdout(), "SAID {word} {name} {}", weather.faults.load(Ordering::SeqCst)).unwrap();
        if at % 4 == 0 {
            // Looks write between the decisions, and may fail.
            let _ = saw(&store, "files", &name);
        }
    }
}

/// What the processes of a run said and suffered, and what is there.
#[derive(Debug, Default)]
struct Figures {
    kills: usize,
    faults: usize,
    reported: usize,
    refused: usize,
    /// In force, and killed before it could say so.
    unheard: usize,
    lost: Vec<String>,
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kills, faults, reported, refused, unheard, lost } = self;
        let lost = lost.len();
        write!(
            f,
            "kills {kills}, faults {faults}, decisions reported as made {reported}, reported as not made {refused}, \
             made and killed before the report {unheard}, lost {lost}"
        )
    }
}

/// What one process says up to `most` lines: names of decisions that are made, and of those that are not.
#[derive(Default)]
struct Said {
    made: BTreeSet<String>,
    not: BTreeSet<String>,
    faults: usize,
}

impl Said {
    fn hear(&mut self, child: &mut Child, most: usize) {
        // One byte at a time: what is not asked for stays in the pipe.
        let lines = BufReader::with_capacity(1, child.stdout.as_mut().unwrap()).lines();
        // The test harness writes on the same stream, sometimes before it on the line.
        let said = lines.filter_map(|line| Some(line.ok()?.split_once("SAID ")?.1.to_owned()));
        for line in said.take(most) {
            let [word, name, faults] = line.split(' ').collect::<Vec<_>>()[..] else { continue };
            let names = if word == "made" { &mut self.made } else { &mut self.not };
            names.insert(name.to_owned());
            self.faults = faults.parse().unwrap();
        }
    }
}

/// Everything that is decided on a ground, approved or rejected; its store is held to what always holds.
fn standing(ground: &Ground) -> BTreeSet<String> {
    let store = ground.patient_store();
    let now = store.load("files").expect("the baseline opens");
    let Some(now) = now else { return BTreeSet::new() };
    let pinned = now.pins.iter().map(|pin| pin.item.id.key.to_string());
    let found = pinned.chain(now.rejections.iter().map(|entry| entry.item.id.key.to_string())).collect();
    assert_eq!(store.decided_here(&now).unwrap().len(), now.pins.len(), "what is in force was decided here");
    assert_eq!(store.seen("files", Some(&now)).unwrap(), Sight::Unchanged, "my own decision is nobody else's");
    store.settle().expect("settling works");
    let history = store.log().history().unwrap();
    assert!(history.records.iter().all(|record| record.phase != Phase::Intent), "nothing is left open");
    ground.chain_holds();
    found
}

/// Kills at least so many processes, of two and of five at once, and counts.
fn run(kills: usize, seed: u64) -> Figures {
    let mut chance = fastrand::Rng::with_seed(seed);
    let mut figures = Figures::default();
    while figures.kills < kills {
        let ground = Ground::new();
        let (mut made, mut not) = (BTreeSet::new(), BTreeSet::new());
        for round in 0..4 {
            let many = if chance.bool() { 2 } else { 5 };
            // Half of the rounds are ended from outside, half at a step of each process's own.
            let by_itself = chance.bool();
            let mut processes: Vec<_> = (0..many)
                .map(|who| {
                    let kill_at = if by_itself { chance.usize(5..600) } else { usize::MAX };
                    let child = spawn(&ground, &format!("{round}{who}"), chance.u64(..), kill_at);
                    (child, Said::default())
                })
                .collect();
            if !by_itself {
                let (first, said) = &mut processes[0];
                said.hear(first, chance.usize(1..TRIES / 2));
                for (child, _) in &mut processes {
                    child.kill().unwrap();
                }
            }
            for (mut child, mut said) in processes {
                said.hear(&mut child, usize::MAX);
                figures.kills += usize::from(!child.wait().unwrap().success());
                figures.faults += said.faults;
                made.extend(said.made);
                not.extend(said.not);
            }
            let found = standing(&ground);
            figures.lost.extend(made.difference(&found).cloned());
            let forged: Vec<_> = not.intersection(&found).collect();
            assert!(forged.is_empty(), "reported as not made, and there: {forged:?}");
        }
        figures.reported += made.len();
        figures.refused += not.len();
        figures.unheard += standing(&ground).difference(&made).count();
        approve(&ground.patient_store(), "files", "zz-next").expect("the next decision goes through");
        let left: Vec<_> = ground.files().into_iter().filter(|file| file.to_string_lossy().ends_with(".tmp")).collect();
        assert!(left.is_empty(), "nothing is left lying about: {left:?}");
    }
    // Past the harness, which keeps what a test prints to itself.
    io::stderr().write_all(format!("FIGURES {figures}\n").as_bytes()).unwrap();
    figures
}

fn holds(figures: &Figures, kills: usize) {
    assert_eq!(figures.lost, [] as [String; 0], "{figures}");
    assert!(figures.kills >= kills && figures.faults > kills && figures.reported > 2 * kills, "{figures}");
    assert!(figures.unheard <= figures.kills, "a kill takes one report at most: {figures}");
}

#[test]
fn reported_decisions_outlive_kills_and_faults() {
    holds(&run(40, 1), 40);
}

#[test]
#[ignore = "the long form of the one above: a thousand kills take minutes"]
fn reported_decisions_outlive_a_thousand_kills() {
    holds(&run(1000, 2), 1000);
}
