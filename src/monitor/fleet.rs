//! The supervisors that run, and what they run on: one a configured server, started and ended as the config changes. What
//! concerns several of them is found here: tools that meet across servers, baseline files that change.

mod baselines;
mod neighbours;
mod sign_ins;

pub use baselines::shown_pins;

use super::derived::Derived;
use super::supervisor::{Handle, Supervised, supervise};
use super::{Command, Happening, Phase, Scanner, ServerLook, Turns};
use crate::config::ServerConfig;
use crate::decisions::mask_review;
use crate::held::held;
use crate::project::Project;
use crate::store::Decided;
use crate::store::redact::Redactor;
use crate::surface::ServerId;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use tokio::sync::{Notify, mpsc, watch};
use tokio::task::JoinSet;

/// What a fleet tells the screen. Copies for eyes: what they show is masked.
#[derive(Debug)]
pub enum News {
    /// The last state of a server.
    Server(Box<ServerLook>),
    /// A server that is no longer configured, and has ended.
    Removed(ServerId),
    /// Pins of a server that were not decided on this machine.
    DecidedElsewhere {
        /// Whose.
        server: ServerId,
        /// Under the names that they are shown by.
        pins: BTreeSet<Decided>,
    },
}

/// What is configured at this moment.
#[derive(Clone, Debug)]
pub struct Now {
    /// Where decisions are made, and under which policy.
    pub project: Arc<Project>,
    /// The servers that are to be watched.
    pub servers: Vec<ServerConfig>,
}

/// Every supervisor.
pub struct Fleet<M> {
    happenings: mpsc::Sender<Happening>,
    messages: mpsc::Sender<M>,
    /// Told when a review moved.
    moved: Arc<Notify>,
    /// What masks the secrets of all servers that were ever configured in this run.
    redactor: watch::Sender<Arc<Redactor>>,
    turns: Turns,
    /// What was configured at the start: the command line agreed to that.
    first: Vec<ServerConfig>,
    /// The scanner of the project, one for all servers.
    scanner: Mutex<Option<Scanner>>,
    now: watch::Sender<Arc<Now>>,
    running: Mutex<Vec<Handle>>,
}

impl<M: From<News> + Send + 'static> Fleet<M> {
    /// Starts a supervisor a server. What they say goes to the screen through `messages`.
    pub fn start(now: Now, happenings: mpsc::Sender<Happening>, messages: mpsc::Sender<M>) -> Self {
        let fleet = Self {
            happenings,
            messages,
            moved: Arc::default(),
            redactor: watch::Sender::new(Arc::clone(&now.project.redactor)),
            turns: Turns::default(),
            first: now.servers.clone(),
            scanner: Mutex::new(Scanner::of(&now.project, true)),
            now: watch::Sender::new(Arc::new(now)),
            running: Mutex::default(),
        };
        for server in &fleet.now().servers {
            fleet.add(server);
        }
        fleet
    }

    /// Follows what concerns several servers and the files of their baselines; never ends before the screen is gone.
    pub async fn follow(self: Arc<Self>) {
        tokio::join!(neighbours::follow(&self), baselines::follow(&self), sign_ins::follow(&self));
    }

    /// What is configured.
    pub fn now(&self) -> Arc<Now> {
        Arc::clone(&self.now.borrow())
    }

    /// Hears of each later reading of the config.
    pub fn changes(&self) -> watch::Receiver<Arc<Now>> {
        self.now.subscribe()
    }

    /// Every slot, in the order of the start.
    pub fn slots(&self) -> Vec<(ServerId, watch::Receiver<Arc<ServerLook>>)> {
        held(&self.running).iter().map(|handle| (Arc::clone(&handle.id), handle.slot.clone())).collect()
    }

    /// The last state of each server.
    pub fn looks(&self) -> Vec<Arc<ServerLook>> {
        held(&self.running).iter().map(|handle| handle.slot.borrow().clone()).collect()
    }

    /// The last state of a server.
    pub fn look(&self, id: &ServerId) -> Option<Arc<ServerLook>> {
        held(&self.running).iter().find(|handle| handle.id == *id).map(|handle| handle.slot.borrow().clone())
    }

    /// Tells a supervisor something; false where it has ended or has too much to do already.
    pub fn tell(&self, id: &ServerId, command: Command) -> bool {
        held(&self.running).iter().find(|handle| handle.id == *id).is_some_and(|handle| handle.tell(command))
    }

    /// Takes another reading of the config: starts, ends or starts again what it touches. Says how many were added,
    /// removed, started again, and are not watched any more.
    pub async fn take(&self, now: Now) -> [usize; 4] {
        let before = self.now();
        self.now.send_replace(Arc::new(now.clone()));
        // Before a server that gets a new secret starts: another one may send it back.
        self.redactor.send_replace(Arc::clone(&now.project.redactor));
        let scans_anew = self.take_scanner(&now.project);
        let everything = scans_anew
            || before.project.config.policy != now.project.config.policy
            || before.project.desk.by != now.project.desk.by;
        let same = |server: &ServerConfig| !everything && before.servers.iter().any(|known| known.is_same(server));
        let mut counts = [0; 4];
        let mut ending = JoinSet::new();
        let mut gone = Vec::new();
        for known in &before.servers {
            let stays = now.servers.iter().find(|server| server.id == known.id);
            if stays.is_some_and(&same) {
                continue;
            }
            if let Some(handle) = self.remove(&known.id) {
                ending.spawn(handle.stop());
            }
            if stays.is_none() {
                counts[1] += 1;
                gone.push(Arc::clone(&known.id));
            }
        }
        // A server that starts again does not meet its own predecessor, and one that is gone says nothing more.
        ending.join_all().await;
        for id in gone {
            let _ = self.messages.send(News::Removed(id).into()).await;
        }
        for server in now.servers.iter().filter(|server| !same(server)) {
            let known = before.servers.iter().any(|known| known.id == server.id);
            counts[match (known, server.unwatched_reason()) {
                (false, _) => 0,
                (true, None) => 2,
                (true, Some(_)) => 3,
            }] += 1;
            self.add(server);
        }
        counts
    }

    /// Ends every server, side by side: each in its own bounded time.
    pub async fn stop(&self) {
        let mut ending = JoinSet::new();
        for handle in std::mem::take(&mut *held(&self.running)) {
            ending.spawn(handle.stop());
        }
        ending.join_all().await;
    }

    /// Takes the scanner of another reading of the config; whether it is another one.
    fn take_scanner(&self, project: &Project) -> bool {
        let (now, mut known) = (Scanner::of(project, true), held(&self.scanner));
        let same = match (&*known, &now) {
            (Some(known), Some(now)) => known.is_same(now),
            (known, now) => known.is_none() && now.is_none(),
        };
        if !same {
            *known = now.map(Scanner::for_later);
        }
        !same
    }

    fn add(&self, server: &ServerConfig) {
        let project = &self.now().project;
        let is_first = self.first.iter().any(|first| first.is_same(server));
        let supervised = Supervised {
            config: server.clone(),
            desk: project.desk.clone(),
            gate: if is_first { project.gate.clone() } else { project.gate.for_later() },
            sign_ins: project.sign_ins.clone(),
            policy: project.config.policy.rules.clone(),
            checks: Arc::clone(&project.config.policy.checks),
            limits: project.limits.clone(),
            scanner: held(&self.scanner).clone(),
            turns: self.turns.clone(),
            redactor: self.redactor.subscribe(),
        };
        let handle = supervise(supervised, self.happenings.clone());
        let forward = Forward {
            redactor: self.redactor.subscribe(),
            messages: self.messages.clone(),
            moved: Arc::clone(&self.moved),
        };
        tokio::spawn(forward.run(handle.slot.clone()));
        held(&self.running).push(handle);
    }

    fn remove(&self, id: &ServerId) -> Option<Handle> {
        let mut running = held(&self.running);
        let at = running.iter().position(|handle| handle.id == *id)?;
        Some(running.remove(at))
    }
}

/// Hands a server's states on.
struct Forward<M> {
    redactor: watch::Receiver<Arc<Redactor>>,
    messages: mpsc::Sender<M>,
    moved: Arc<Notify>,
}

impl<M: From<News>> Forward<M> {
    /// Hands the last state on whenever it moved, until the server is stopped or the screen is gone. What is overwritten in
    /// between is not missed: it was older.
    async fn run(mut self, mut slot: watch::Receiver<Arc<ServerLook>>) {
        let mut shown = Derived::default();
        slot.mark_changed();
        loop {
            tokio::select! {
                moved = slot.changed() => match moved {
                    Ok(()) => {}
                    Err(_) => break,
                },
                // What is shown is masked anew.
                Ok(()) = self.redactor.changed() => shown = Derived::default(),
            }
            let mut look = ServerLook::clone(&slot.borrow_and_update());
            // Its end is told as what it is: the program's, or the server's removal.
            if look.phase == Phase::Stopped {
                break;
            }
            // The screen gets a copy for eyes; decisions are made on the slot.
            let redactor = self.redactor.borrow().clone();
            look.review = look.review.map(|review| {
                shown.of(review, |review| {
                    self.moved.notify_one();
                    mask_review(review, &redactor)
                })
            });
            if self.messages.send(News::Server(Box::new(look)).into()).await.is_err() {
                return;
            }
        }
        self.moved.notify_one();
    }
}
