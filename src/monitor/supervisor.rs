//! Keeps one server's sessions: opens one when that is allowed, and again after a failure; hears commands, publishes.
//!
//! One task a server. Its state is a slot that is overwritten; it never waits for who reads it, and nothing it does can
//! delay another server.

mod chain;
mod faces;
mod locked;
mod scanner;
mod session;
mod sign_in;

use super::derived::Derived;
use super::event::{Command, Faces, Happening, HappeningKind, Phase, ServerLook};
use super::folder::Stamp;
use super::lock::lock_stamp;
use super::look::reviewed;
use super::opinion::{Missing, Scanner, SecondOpinion};
use super::rules::judge_server;
use super::sighted::Chain;
use super::turn::{Turn, Turns};
use crate::aside::aside;
use crate::config::{Resolved, ServerConfig};
use crate::decisions::{BaselineState, Desk, Gate, SignIns};
use crate::digest::Surface;
use crate::drift::{Policy, SplitView};
use crate::interop::mcptrust::{LockSays, Rules, Verdicts};
use crate::mcp::{Limits, Target};
use crate::oauth::SignedIn;
use crate::opinion::Question;
use crate::pin::Baseline;
use crate::review::{AcrossServers, Review, Sightings};
use crate::store::redact::Redactor;
use crate::surface::{ObservedAs, Reason, ServerId};
use std::future::Future;
use std::sync::Arc;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

/// Commands that wait for a supervisor; more are refused, so that a held key cannot pile them up.
const COMMANDS: usize = 16;

/// What one supervisor starts with.
#[derive(Clone, Debug)]
pub struct Supervised {
    pub config: ServerConfig,
    pub desk: Desk,
    /// Whether it may be started.
    pub gate: Gate,
    /// Who is signed in to it.
    pub sign_ins: SignIns,
    pub policy: Policy,
    /// Its rules over a server as a whole.
    pub checks: Arc<Rules>,
    /// The bounds in force.
    pub limits: Limits,
    /// Who is asked for a second opinion.
    pub scanner: Option<Scanner>,
    /// What it takes turns at with the others.
    pub turns: Turns,
    /// Masks what servers send back of the secrets that any of them was given; another one when an edited config gives more.
    pub redactor: watch::Receiver<Arc<Redactor>>,
}

/// A running supervisor.
#[derive(Debug)]
pub struct Handle {
    pub id: ServerId,
    commands: mpsc::Sender<Command>,
    pub slot: watch::Receiver<Arc<ServerLook>>,
    task: JoinHandle<()>,
}

impl Handle {
    /// Tells the supervisor something; false where it has ended or has too much to do already.
    pub fn tell(&self, command: Command) -> bool {
        self.commands.try_send(command).is_ok()
    }

    /// Tells it to end, and waits until its server has ended.
    pub async fn stop(self) {
        // A full queue is emptied soon: the supervisor hears commands at every wait.
        let _ = self.commands.send(Command::Stop).await;
        let _ = self.task.await;
    }
}

/// Starts a supervisor. What happens goes to `happenings`; what does not fit there is dropped and counted in the slot.
pub fn supervise(supervised: Supervised, happenings: mpsc::Sender<Happening>) -> Handle {
    let (commands, inbox) = mpsc::channel(COMMANDS);
    let look = ServerLook {
        id: Arc::clone(&supervised.config.id),
        launch: supervised.config.shared.clone(),
        origins: supervised.config.origins().cloned().collect(),
        asked: supervised.config.asked.iter().filter(|asked| !asked.answered).cloned().collect(),
        resolved: None,
        scanner: None,
        phase: Phase::Waiting,
        baseline: BaselineState::Verifying,
        digest_scope: supervised.config.digest_scope.clone(),
        policy: supervised.policy.clone(),
        verdicts: None,
        lock: None,
        surface: None,
        review: None,
        faces: None,
        agreed: false,
        last_good: None,
        look_time: None,
        stale: None,
        next_poll: None,
        pid: None,
        observed_as: None,
        notices: Vec::new(),
        stderr_tail: Vec::new(),
        dropped: 0,
    };
    let (slot_writer, slot) = watch::channel(Arc::new(look.clone()));
    let id = Arc::clone(&look.id);
    let agreed = supervised.scanner.as_ref().map(Scanner::agreed);
    let supervisor = Supervisor {
        setup: supervised,
        look,
        slot: slot_writer,
        inbox,
        happenings,
        failures: 0,
        paused: false,
        poll_asked: false,
        last_review: None,
        sightings: Sightings::default(),
        beside: Default::default(),
        started: false,
        sessions: Sessions::default(),
        turn: None,
        resolving: None,
        judging: None,
        judged: None,
        locking: None,
        locked: None,
        question: None,
        asking: None,
        second: Arc::default(),
        agreed,
        chain: Chain::default(),
        looking: None,
        with_faces: Derived::default(),
        account: Account::default(),
    };
    Handle { id, commands, slot, task: tokio::spawn(supervisor.run()) }
}

struct Supervisor {
    setup: Supervised,
    look: ServerLook,
    slot: watch::Sender<Arc<ServerLook>>,
    inbox: mpsc::Receiver<Command>,
    happenings: mpsc::Sender<Happening>,
    /// Failures in a row.
    failures: u32,
    paused: bool,
    /// A poll was asked for while a look was running.
    poll_asked: bool,
    /// The review of the last look that was read, for what became different.
    last_review: Option<Arc<Review>>,
    sightings: Sightings,
    /// What the tools of the other servers say of it, and the last review with that.
    beside: (AcrossServers, Derived),
    /// The server was started since the last look that was read.
    started: bool,
    /// What its sessions came to so far.
    sessions: Sessions,
    /// The turn in which the baseline was read, until the first look was taken in.
    turn: Option<Turn>,
    /// What the launch resolves to, being found: it may name large files, and no list waits for them.
    resolving: Option<JoinHandle<Resolved>>,
    /// The policy's rules being evaluated: an expression may take its time, and no list waits for that.
    judging: Option<JoinHandle<Option<Verdicts>>>,
    /// What they were last evaluated on.
    judged: Option<Judged>,
    /// What a lock in the project says being told: it may be large, and no list waits for it.
    locking: Option<JoinHandle<Option<Result<LockSays, String>>>>,
    /// The surface and the lock that it was last told of.
    locked: Option<(Arc<Surface>, Stamp)>,
    /// What another scanner is to be asked of what was last seen.
    question: Option<Arc<Question>>,
    /// The scanner running: no look and no key waits for it.
    asking: Option<JoinHandle<SecondOpinion>>,
    /// What it said last.
    second: Arc<SecondOpinion>,
    /// Hears when somebody agreed to run it.
    agreed: Option<watch::Receiver<u64>>,
    /// What the audit chain is told.
    chain: Chain,
    /// Looks at it as other clients, being made beside its own.
    looking: Option<JoinHandle<SplitView>>,
    /// The last review with what came of them.
    with_faces: Derived,
    account: Account,
}

/// As whom the server is looked at.
#[derive(Debug, Default)]
struct Account {
    /// What the session was opened with.
    signed_in: Option<SignedIn>,
    /// A sign-in that was not taken has been renewed since the last good look.
    renewed: bool,
}

/// What verdicts depend on: the very surface and baseline, and the lock in the project.
type Judged = (Arc<Surface>, Option<Arc<Baseline>>, Stamp);

/// What the sessions with a server came to so far.
#[derive(Debug, Default)]
struct Sessions {
    /// A list was read in one of them.
    worked: bool,
    /// Why one was lost in whose place another is being opened.
    lost: Option<Reason>,
    /// One was opened again at the last look, too.
    reopened: bool,
}

/// Why a wait ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Interrupt {
    /// A look is wanted now.
    Poll,
    /// The session is to be closed, and opened again when that is allowed.
    Restart,
    Stop,
}

impl Supervisor {
    async fn run(mut self) {
        if self.read_baseline().await.is_ok() {
            match self.setup.config.target.clone() {
                Target::Unusable(reason) => self.resting(&reason, Phase::Unusable).await,
                Target::Unwatched(reason) => self.resting(&reason, Phase::Unwatched(reason.clone())).await,
                Target::Stdio { .. } | Target::Http { .. } => self.sessions().await,
            }
        }
        self.stop_looking().await;
        self.tell_the_rest().await;
        self.look.next_poll = None;
        self.publish(Phase::Stopped);
    }

    /// Reads the baseline when it is its turn. Err: the end.
    async fn read_baseline(&mut self) -> Result<(), Interrupt> {
        let Turns { read_ahead, compute, .. } = self.setup.turns.clone();
        let turns = async { (Turn::take(&read_ahead).await, Turn::take(&compute).await) };
        let _computing = match self.during(turns, false).await {
            Ok((turn, computing)) => {
                self.turn = Some(turn);
                Some(computing)
            }
            Err(Interrupt::Stop) => return Err(Interrupt::Stop),
            // Whoever asks for this one does not have it wait.
            Err(Interrupt::Poll | Interrupt::Restart) => None,
        };
        let (desk, id) = (self.setup.desk.clone(), Arc::clone(&self.look.id));
        // Recomputing the digests of a large baseline takes time that the first frame does not have.
        let read = aside("reading it", move || desk.baseline(&id)).await;
        self.look.baseline = read.unwrap_or_else(BaselineState::Refused);
        Ok(())
    }

    /// One session after another.
    async fn sessions(&mut self) {
        while self.wait_until_allowed().await.is_ok() {
            if self.session().await == Some(Interrupt::Stop) {
                return;
            }
        }
    }

    /// Says why nothing can be looked at, until the end: only another config would help.
    async fn resting(&mut self, reason: &Reason, phase: Phase) {
        self.turn = None;
        self.unread(reason);
        self.publish(phase);
        while let Some(command) = self.inbox.recv().await {
            if self.hear(command) == Some(Interrupt::Stop) {
                return;
            }
        }
    }

    /// Waits for consent and for the end of a pause.
    async fn wait_until_allowed(&mut self) -> Result<(), Interrupt> {
        loop {
            let asked = match self.setup.gate.ask_aside(&self.setup.config).await {
                Ok(asked) => asked,
                Err(reason) => match self.fail(reason).await {
                    Some(interrupt) => return Err(interrupt),
                    None => continue,
                },
            };
            let phase = match &asked {
                _ if self.paused => Phase::Paused,
                Some(asked) => Phase::NeedsConsent(Arc::clone(&asked.request)),
                None => {
                    self.look.agreed = true;
                    return Ok(());
                }
            };
            self.turn = None;
            self.look.agreed = asked.is_none();
            self.look.next_poll = None;
            self.publish(phase);
            let Some(command) = self.inbox.recv().await else { return Err(Interrupt::Stop) };
            let agreed = matches!(command, Command::Consent);
            if self.hear(command) == Some(Interrupt::Stop) {
                return Err(Interrupt::Stop);
            }
            if let Some(asked) = asked.filter(|_| agreed) {
                match self.setup.gate.grant_aside(asked).await {
                    Ok(()) => self.happen(HappeningKind::Consented, "", "agreed; starting"),
                    Err(reason) => self.happen(HappeningKind::NotConsented, "", &reason.text),
                }
            }
        }
    }

    /// Does `work` while commands are heard. A poll ends it early only where `wakes` says so, else it comes after.
    async fn during<T>(&mut self, work: impl Future<Output = T>, wakes: bool) -> Result<T, Interrupt> {
        tokio::pin!(work);
        loop {
            tokio::select! {
                biased;
                command = self.inbox.recv() => {
                    let heard = command.map_or(Some(Interrupt::Stop), |command| self.hear(command));
                    match heard {
                        Some(Interrupt::Poll) if !wakes => self.poll_asked = true,
                        Some(interrupt) => return Err(interrupt),
                        None => {}
                    }
                }
                done = &mut work => return Ok(done),
                resolved = found(&mut self.resolving) => {
                    self.look.resolved = resolved.map(Arc::new);
                    self.publish(self.look.phase.clone());
                }
                verdicts = found(&mut self.judging) => {
                    self.look.verdicts = verdicts.flatten().map(Arc::new);
                    self.publish(self.look.phase.clone());
                }
                says = found(&mut self.locking) => {
                    self.look.lock = says.flatten().map(Arc::new);
                    self.publish(self.look.phase.clone());
                }
                second = found(&mut self.asking) => self.take_opinion(second),
                untold = found(&mut self.chain.telling) => self.take_untold(untold.flatten()),
                split = found(&mut self.looking) => self.take_faces(split),
                () = heard(&mut self.agreed) => {
                    if self.second.request().is_some() {
                        self.ask_scanner(None);
                    }
                }
            }
        }
    }

    fn hear(&mut self, command: Command) -> Option<Interrupt> {
        match command {
            Command::Poll => Some(Interrupt::Poll),
            Command::Restart => {
                self.failures = 0;
                Some(Interrupt::Restart)
            }
            Command::Pause(paused) => {
                let changed = self.paused != paused;
                self.paused = paused;
                changed.then_some(Interrupt::Restart)
            }
            // Heard where they are waited for; elsewhere there is nothing to agree to.
            Command::Consent | Command::SignIn(_) => None,
            Command::AgreeToScanner => {
                if let Some(Missing::NotAgreed(asked)) = &self.second.missing {
                    self.ask_scanner(Some(asked.as_ref().clone()));
                }
                None
            }
            Command::Account(signed_in) => self.take_account(signed_in.as_deref()),
            Command::LookAs(clients) => {
                self.look_as(clients);
                None
            }
            Command::Baseline(state) => {
                self.take_baseline(state);
                None
            }
            Command::Beside(others) => {
                if self.beside.0 != others {
                    self.beside = (others, Derived::default());
                    self.publish(self.look.phase.clone());
                }
                None
            }
            Command::Stop => Some(Interrupt::Stop),
        }
    }

    /// Compares what was last seen with a baseline that has changed.
    fn take_baseline(&mut self, state: BaselineState) {
        self.look.baseline = match &self.look.surface {
            Some(surface) => state.sharing(surface),
            None => state,
        };
        self.compare_again();
        self.publish(self.look.phase.clone());
    }

    /// Compares what was last seen once more: what it is compared with, or what is known of it, is another.
    fn compare_again(&mut self) {
        let Some(surface) = self.look.surface.clone() else { return };
        let (review, question) = self.reviewed(&surface);
        // A decision is its own event; what it made of the rows is not told twice.
        if let Some(review) = &review {
            self.sightings.decided(review);
        }
        self.saw(review.as_deref());
        let review = review.map(|review| self.with_unstable(review));
        self.last_review.clone_from(&review);
        self.look.review = match review {
            Some(review) if self.look.stale.is_some() && self.failures > 0 => Some(Arc::new(review.out_of_sight())),
            review => review,
        };
        self.take_question(question);
    }

    /// What a surface comes to beside the baseline, and what another scanner is to be asked of it.
    fn reviewed(&self, surface: &Surface) -> (Option<Arc<Review>>, Option<Question>) {
        let redactor = self.redactor();
        let seen = (&self.look.id, surface, &self.look.baseline);
        tokio::task::block_in_place(|| reviewed(seen, &self.setup.policy, &redactor, &self.second))
    }

    fn redactor(&self) -> Arc<Redactor> {
        Arc::clone(&self.setup.redactor.borrow())
    }

    /// How the server was last seen.
    fn known(&self) -> Option<&ObservedAs> {
        self.look.observed_as.as_ref().or(self.look.baseline.observed_as())
    }

    /// Evaluates the policy's rules where what they depend on is another than the last time. Idle stays idle.
    fn judge(&mut self) {
        let Some(surface) = self.look.surface.clone().filter(|_| !self.setup.checks.rules.is_empty()) else { return };
        let folder = self.setup.desk.store.root().path().to_owned();
        let (baseline, stamp) = (self.look.baseline.present().cloned(), lock_stamp(&folder));
        let is_same = |(seen, pinned, lock): &Judged| {
            let same_pins = match (pinned, &baseline) {
                (Some(one), Some(other)) => Arc::ptr_eq(one, other),
                (one, other) => one.is_none() && other.is_none(),
            };
            Arc::ptr_eq(seen, &surface) && same_pins && *lock == stamp
        };
        if self.judged.as_ref().is_some_and(is_same) {
            return;
        }
        self.judged = Some((Arc::clone(&surface), baseline.clone(), stamp));
        if let Some(overtaken) = self.judging.take() {
            overtaken.abort();
        }
        let (checks, policy) = (Arc::clone(&self.setup.checks), self.setup.policy.clone());
        let (config, redactor) = (self.setup.config.clone(), self.redactor());
        let turns = Arc::clone(&self.setup.turns.rules);
        self.judging = Some(tokio::spawn(async move {
            // For as long as it takes, which is bounded: so many children are there at once. The semaphore is never closed.
            let _turn = turns.acquire_owned().await;
            let seen = (&*surface, baseline.as_deref());
            judge_server((&checks, &policy), (&folder, &config), seen, &redactor).await
        }));
    }

    fn publish(&mut self, phase: Phase) {
        self.judge();
        self.ask_lock();
        self.look.phase = phase;
        let mut look = self.look.clone();
        if let Some(Faces::Told(_, split)) = &look.faces {
            look.review =
                look.review.map(|review| self.with_faces.of(review, |review| Arc::new(review.with_split(split))));
        }
        let (others, shown) = &mut self.beside;
        if !others.is_empty() {
            look.review = look.review.map(|review| shown.of(review, |review| Arc::new(review.beside(others))));
        }
        let look = Arc::new(look);
        self.slot.send_if_modified(|slot| {
            let changed = **slot != *look;
            *slot = look;
            changed
        });
    }

    fn happen(&mut self, kind: HappeningKind, item: &str, text: &str) {
        let item = self.redactor().mask(item).into_owned();
        self.tell(Happening::of_server(&self.look.id, kind, &item, text));
    }

    /// Sends a line of the event log, masked by who made it.
    fn tell(&mut self, happening: Happening) {
        if self.happenings.try_send(happening).is_err() {
            self.look.dropped += 1;
        }
    }
}

/// Waits for what is being found, for ever where nothing is; none where it could not be told.
async fn found<T>(task: &mut Option<JoinHandle<T>>) -> Option<T> {
    let Some(finding) = task else { return std::future::pending().await };
    let found = finding.await.ok();
    *task = None;
    found
}

/// Waits until somebody agreed to run the scanner, for ever where there is none.
async fn heard(agreed: &mut Option<watch::Receiver<u64>>) {
    let told = match agreed {
        Some(agreed) => agreed.changed().await.is_ok(),
        None => false,
    };
    if !told {
        std::future::pending::<()>().await;
    }
}
