//! The live UI: a supervisor a server, a forwarder a slot, and the effects that the screen asks for.

use super::baselines;
use super::setup::setup;
use crate::cli::{Context, Global, out};
use crate::config::ServerConfig;
use crate::digest::DigestScope;
use crate::error::Exit;
use crate::monitor::{
    BaselineState, Command, Desk, Handle, Happening, HappeningKind, Seen, ServerLook, Supervised, mask_review,
    supervise,
};
use crate::pin::DecisionState;
use crate::review::Subject;
use crate::store::Snapshot;
use crate::store::redact::Redactor;
use crate::surface::{ItemId, ServerId};
use crate::text::visible;
use crate::tui::{self, Effect, Msg, Target};
use jiff::Timestamp;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;

/// Messages that wait for the screen.
const MESSAGES: usize = 256;
/// Servers that start in one moment.
const STARTS: usize = 8;
/// Event lines of all servers that wait for the screen.
const HAPPENINGS: usize = 256;

/// Watches until the person leaves.
pub(super) async fn run(
    context: &Context,
    global: &Global,
    servers: Vec<ServerConfig>,
    demo: bool,
) -> anyhow::Result<Exit> {
    if !tui::usable(std::env::var("TERM").ok().as_deref()) {
        return Err(tui::Error::NoTerminal.into());
    }
    let (messages, inbox) = mpsc::channel(MESSAGES);
    let (happenings, happened) = mpsc::channel(HAPPENINGS);
    let permits = Arc::new(Semaphore::new(STARTS));
    let handles: Vec<Handle> = servers
        .iter()
        .map(|config| {
            let supervised = Supervised {
                config: config.clone(),
                desk: context.desk.clone(),
                gate: context.gate.clone(),
                policy: context.config.policy.rules,
                limits: context.limits.clone(),
                permits: Arc::clone(&permits),
                redactor: Arc::clone(&context.redactor),
            };
            supervise(supervised, happenings.clone())
        })
        .collect();
    for problem in &context.config.problems {
        // There is room: no server has been heard of yet.
        let _ = happenings.try_send(Happening::notice(Timestamp::now(), format!("not usable: {problem}")));
    }
    let setup = setup(context, global, &handles, demo)?;
    let handles = Arc::new(handles);
    let mut tasks = JoinSet::new();
    for handle in handles.iter() {
        tasks.spawn(forward(handle.slot.clone(), Arc::clone(&context.redactor), messages.clone()));
    }
    tasks.spawn(forward_happenings(happened, messages.clone()));
    tasks.spawn(minutes(messages.clone()));
    tasks.spawn(baselines::follow(context.desk.clone(), Arc::clone(&handles), happenings, messages.clone()));
    let (effects, wanted) = mpsc::channel(MESSAGES);
    let carrier = Carrier { desk: context.desk.clone(), servers, handles: Arc::clone(&handles), messages };
    tasks.spawn(carrier.carry_out(wanted));
    let outcome = tui::run(setup, inbox, effects).await;
    tasks.shutdown().await;
    stop(handles).await;
    let outcome = outcome?;
    for line in outcome.lines {
        out::print(&format!("{}\n", visible(&line)));
    }
    Ok(Exit::Fine)
}

/// Ends every server, side by side: each in its own bounded time.
async fn stop(handles: Arc<Vec<Handle>>) {
    // The tasks that shared the handles have ended.
    let Some(handles) = Arc::into_inner(handles) else { return };
    let mut ending = JoinSet::new();
    for handle in handles {
        ending.spawn(handle.stop());
    }
    ending.join_all().await;
}

/// Hands a server's last state on whenever it moved. What is overwritten in between is not missed: it was older.
async fn forward(
    mut slot: tokio::sync::watch::Receiver<Arc<ServerLook>>,
    redactor: Arc<Redactor>,
    messages: mpsc::Sender<Msg>,
) {
    slot.mark_changed();
    while slot.changed().await.is_ok() {
        let mut look = ServerLook::clone(&slot.borrow_and_update());
        // The screen gets a copy for eyes; decisions are made on the slot.
        look.review = look.review.map(|review| mask_review(&review, &redactor));
        if messages.send(Msg::Server(Box::new(look))).await.is_err() {
            return;
        }
    }
}

async fn forward_happenings(mut happened: mpsc::Receiver<Happening>, messages: mpsc::Sender<Msg>) {
    while let Some(happening) = happened.recv().await {
        if messages.send(Msg::Happened(happening)).await.is_err() {
            return;
        }
    }
}

/// Tells each full minute, so that ages move on; nothing wakes in between.
async fn minutes(messages: mpsc::Sender<Msg>) {
    loop {
        let past = u64::try_from(Timestamp::now().as_second().rem_euclid(60)).unwrap_or_default();
        tokio::time::sleep(Duration::from_secs(60 - past.min(59))).await;
        if messages.send(Msg::Minute(Timestamp::now())).await.is_err() {
            return;
        }
    }
}

/// Carries out what the screen asks for, one thing after another.
struct Carrier {
    desk: Desk,
    servers: Vec<ServerConfig>,
    handles: Arc<Vec<Handle>>,
    messages: mpsc::Sender<Msg>,
}

impl Carrier {
    async fn carry_out(self, mut wanted: mpsc::Receiver<Effect>) {
        while let Some(effect) = wanted.recv().await {
            let answer = match effect {
                Effect::Decide { server, verdict, targets, note } => {
                    let result = self.decide(&server, verdict, targets, note).await;
                    Some(Msg::Decided { server, result })
                }
                Effect::RecordBaseline { server, targets } => {
                    let result = self.record(&server, targets).await;
                    Some(Msg::Recorded { server, result })
                }
                Effect::RecordSnapshot { server } => {
                    let result = self.snapshot(&server).await;
                    Some(Msg::Recorded { server, result })
                }
                Effect::Poll(server) => self.tell(&server, Command::Poll),
                Effect::Consent { server, agreed } => {
                    let command = if agreed { Command::Consent } else { Command::Pause(true) };
                    self.tell(&server, command)
                }
                // The loop of the screen does these itself.
                Effect::Quit | Effect::Suspend | Effect::Redraw => None,
            };
            if let Some(answer) = answer
                && self.messages.send(answer).await.is_err()
            {
                return;
            }
        }
    }

    fn handle(&self, server: &ServerId) -> Option<&Handle> {
        self.handles.iter().find(|handle| handle.id == *server)
    }

    fn tell(&self, server: &ServerId, command: Command) -> Option<Msg> {
        let heard = self.handle(server).is_some_and(|handle| handle.tell(command));
        (!heard).then(|| Msg::Notice(format!("{server} is busy: try again")))
    }

    fn look(&self, server: &ServerId) -> Result<Arc<ServerLook>, String> {
        self.handle(server).map(|handle| handle.slot.borrow().clone()).ok_or_else(|| format!("{server} is not watched"))
    }

    fn scope(&self, look: &ServerLook) -> DigestScope {
        match &look.baseline {
            BaselineState::Present(baseline) => baseline.digest_scope.clone(),
            BaselineState::Verifying | BaselineState::Absent | BaselineState::Refused(_) => {
                let config = self.servers.iter().find(|config| config.id == look.id);
                config.map(|config| config.digest_scope.clone()).unwrap_or_default()
            }
        }
    }

    async fn decide(
        &self,
        server: &ServerId,
        verdict: DecisionState,
        targets: Vec<Target>,
        note: String,
    ) -> Result<Vec<String>, String> {
        let look = self.look(server)?;
        let review = look.review.clone().ok_or("nothing was read of it yet: nothing was decided")?;
        let mut subjects = Vec::with_capacity(targets.len());
        for (id, shown) in &targets {
            let row = review.row(id).ok_or("it is no longer served: nothing was decided")?;
            subjects.push(Subject::of(row, *shown));
        }
        let (desk, id, scope) = (self.desk.clone(), Arc::clone(server), self.scope(&look));
        let decided = aside(move || {
            let observed_as = look.surface.as_ref().and_then(|surface| surface.observed_as.as_ref());
            let seen = Seen { server: &id, observed_as, scope: &scope };
            desk.decide(&seen, verdict, &subjects, &note, Timestamp::now()).map_err(|error| error.to_string())
        })
        .await?;
        self.publish(server, decided).await;
        let kind = match verdict {
            DecisionState::Approved => HappeningKind::Approved,
            DecisionState::Rejected => HappeningKind::Rejected,
        };
        let mut lines = Vec::with_capacity(targets.len());
        for (id, digest) in targets {
            let item = name(&id.item);
            lines.push(format!("{} {item} of {server} {}", verdict.word(), digest.short()));
            self.happen(server, kind, item, format!("{} by {}", digest.short(), self.desk.by)).await;
        }
        Ok(lines)
    }

    async fn record(&self, server: &ServerId, targets: Vec<Target>) -> Result<Vec<String>, String> {
        let look = self.look(server)?;
        let surface = look.surface.clone().ok_or("nothing was read of it yet: nothing was recorded")?;
        let (desk, id, scope) = (self.desk.clone(), Arc::clone(server), self.scope(&look));
        let shown: BTreeSet<_> = targets.into_iter().map(|(row, digest)| (row.item, digest)).collect();
        let kept = aside(move || {
            let seen = Seen { server: &id, observed_as: surface.observed_as.as_ref(), scope: &scope };
            let kept = desk.record(&seen, &surface, &[], Some(&shown), Timestamp::now());
            kept.map_err(|error| error.to_string())
        })
        .await?;
        let line = format!("baseline of {server}: {} items", kept.baseline.pins.len());
        self.publish(server, kept.baseline).await;
        self.happen(server, HappeningKind::Recorded, String::new(), line.clone()).await;
        Ok(vec![line])
    }

    async fn snapshot(&self, server: &ServerId) -> Result<Vec<String>, String> {
        let look = self.look(server)?;
        let surface = look.surface.clone().ok_or("nothing was read of it yet: nothing was recorded")?;
        let desk = self.desk.clone();
        let path = aside(move || {
            let snapshot = Snapshot::of(&look.id, "", Timestamp::now(), &look.launch, &surface.observation());
            desk.snapshot(&snapshot).map_err(|error| error.to_string())
        })
        .await?;
        let line = format!("snapshot of {server} in {}", path.display());
        self.happen(server, HappeningKind::Recorded, String::new(), line.clone()).await;
        Ok(vec![line])
    }

    /// Hands a new baseline to the server's supervisor, and what is decided here to the screen.
    async fn publish(&self, server: &ServerId, baseline: Arc<crate::pin::Baseline>) {
        let pins = self.desk.store.decided_here(&baseline).unwrap_or_default();
        // Where the supervisor is busy, the watch on the folder tells it.
        self.tell(server, Command::Baseline(BaselineState::Present(baseline)));
        let _ = self.messages.send(Msg::DecidedHere { server: Arc::clone(server), pins }).await;
    }

    async fn happen(&self, server: &ServerId, kind: HappeningKind, item: String, text: String) {
        let happening = Happening { at: Timestamp::now(), server: Arc::clone(server), kind, item, text };
        let _ = self.messages.send(Msg::Happened(happening)).await;
    }
}

fn name(item: &ItemId) -> String {
    format!("{}/{}", item.kind, item.key)
}

/// Work that blocks on the disk, off the loop.
async fn aside<T: Send + 'static>(work: impl FnOnce() -> Result<T, String> + Send + 'static) -> Result<T, String> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err("it failed; please report this".to_owned()))
}
