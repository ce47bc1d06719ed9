//! The live UI: a supervisor a server, a forwarder a slot, and the effects that the screen asks for.

use super::calls::{self, Logs};
use super::guards;
use super::reload::{self, Reading, Watched};
use super::setup::{Looks, background, setup};
use super::versions;
use crate::aside::aside;
use crate::canon::Pointer;
use crate::cli::{Global, audit, descriptors, out};
use crate::config::{AdHoc, Answer, Asked, ServerConfig};
use crate::decisions::{BaselineState, Basis, Carried, Desk};
use crate::desktop;
use crate::error::Exit;
use crate::monitor::{Command, Fleet, Happening, HappeningKind, MAX_LINES, News, Now, Phase, ServerLook, shown_pins};
use crate::otlp::{self, Queue, Reporter};
use crate::pin::DecisionState;
use crate::project::Project;
use crate::review::{Review, Subject};
use crate::store::Snapshot;
use crate::surface::{ItemId, ServerId};
use crate::text::visible;
use crate::tui::{self, Effect, Msg, Target, VersionId, VersionRow};
use jiff::Timestamp;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

/// Messages that wait for the screen.
const MESSAGES: usize = 256;
/// Event lines of all servers that wait for the screen.
const HAPPENINGS: usize = 256;

/// Watches until the person leaves. `follows`: the config is read again when it changes; its ad hoc server, and the
/// servers that were named.
pub(super) async fn run(
    project: Arc<Project>,
    global: &Global,
    servers: Vec<ServerConfig>,
    follows: Option<(Option<AdHoc>, Vec<String>)>,
) -> anyhow::Result<Exit> {
    if !tui::usable(std::env::var("TERM").ok().as_deref()) {
        return Err(tui::Error::NoTerminal.into());
    }
    let demo = follows.is_none();
    let too_few = descriptors::raise(servers.len());
    let (messages, inbox) = mpsc::channel(MESSAGES);
    let (happenings, happened) = mpsc::channel(HAPPENINGS);
    for problem in &project.config.problems {
        // There is room: no server has been heard of yet.
        let _ = happenings.try_send(Happening::not_usable(problem));
    }
    let fleet =
        Arc::new(Fleet::start(Now { project: Arc::clone(&project), servers }, happenings.clone(), messages.clone()));
    let looks = fleet.slots().iter().map(|(_, slot)| slot.borrow().as_ref().clone()).collect();
    let background = background(&project, global);
    let setup = setup(&project, global, background, looks, demo);
    let setup = match setup {
        Ok(setup) => setup,
        Err(error) => {
            fleet.stop().await;
            return Err(error);
        }
    };
    if let Some(text) = too_few {
        let _ = messages.try_send(Msg::Warning(text));
    }
    for warning in setup.theme.warnings().into_iter().take(1) {
        let _ = messages.try_send(Msg::Warning(format!("theme {}: {warning}", setup.theme.name)));
    }
    let mut tasks = JoinSet::new();
    let queue = Queue::default();
    let reporter = Arc::new(Reporter::new(Arc::clone(&fleet), queue.clone()));
    tasks.spawn(Arc::clone(&reporter).follow(messages.clone()));
    tasks.spawn(forward_happenings(happened, queue.clone(), messages.clone()));
    tasks.spawn(minutes(messages.clone()));
    tasks.spawn(chain(Arc::clone(&project), messages.clone()));
    tasks.spawn(Arc::clone(&fleet).follow());
    let mut answers = None;
    if let Some((ad_hoc, names)) = follows {
        let looks = Looks::of(&project, global);
        let reading = Reading {
            global: global.clone(),
            ad_hoc,
            names,
            looks,
            theme: setup.theme.clone(),
            background,
            problems: project.config.problems.clone(),
        };
        let (sender, answered) = mpsc::channel(1);
        answers = Some(sender);
        let watched = Watched::of(&project);
        tasks.spawn(guards::follow(Arc::clone(&fleet), messages.clone()));
        tasks.spawn(reload::follow(reading, watched, Arc::clone(&fleet), messages.clone(), answered));
    }
    let (effects, wanted) = mpsc::channel(MESSAGES);
    let tool = setup.clipboard.tool.clone();
    tasks.spawn(calls::follow(Arc::clone(&fleet), messages.clone()));
    let (fleet_of_carrier, logs) = (Arc::clone(&fleet), Logs::default());
    let carrier =
        Carrier { fleet: fleet_of_carrier, tool, messages, queue, answers, logs, faults: Vec::new(), made: Vec::new() };
    tasks.spawn(carrier.carry_out(wanted));
    let outcome = tui::run(setup, inbox, effects).await;
    tasks.shutdown().await;
    reporter.leave().await;
    fleet.stop().await;
    let outcome = outcome?;
    for line in outcome.lines {
        out::print(&format!("{}\n", visible(&line)));
    }
    if let Some(message) = outcome.message.filter(|_| !demo) {
        out::print(&format!("\nsuggested commit message for the baselines that changed:\n  {}\n", visible(&message)));
    }
    Ok(Exit::Fine)
}

impl From<News> for Msg {
    fn from(news: News) -> Self {
        match news {
            News::Server(look) => Self::Server(look),
            News::Removed(server) => Self::Removed(server),
            News::DecidedElsewhere { server, pins } => Self::DecidedElsewhere { server, pins },
        }
    }
}

impl From<Option<otlp::Standing>> for Msg {
    fn from(standing: Option<otlp::Standing>) -> Self {
        Self::Collector(standing)
    }
}

async fn forward_happenings(mut happened: mpsc::Receiver<Happening>, queue: Queue, messages: mpsc::Sender<Msg>) {
    while let Some(happening) = happened.recv().await {
        queue.push(&happening);
        if messages.send(Msg::Happened(happening)).await.is_err() {
            return;
        }
    }
}

/// Tells whether the log of decisions holds: at the start, and each minute in which it grew.
async fn chain(project: Arc<Project>, messages: mpsc::Sender<Msg>) {
    let mut known = None;
    loop {
        let path = project.desk.store.log().path();
        let length = tokio::fs::metadata(&path).await.map_or(0, |found| found.len());
        if length > 0 && known != Some(length) {
            known = Some(length);
            let project = Arc::clone(&project);
            let held = aside("checking the log", move || audit::held(&project)).await.flatten();
            let said = held.map(|held| match held.chain.last() {
                Some(last) => (held.chain.len(), last.to_string()[..4].to_owned()),
                None => (0, String::new()),
            });
            if messages.send(Msg::Chain(said)).await.is_err() {
                return;
            }
        }
        let past = u64::try_from(Timestamp::now().as_second().rem_euclid(60)).unwrap_or_default();
        tokio::time::sleep(Duration::from_secs(60 - past.min(59))).await;
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
    fleet: Arc<Fleet<Msg>>,
    /// The desktop's tool for its clipboard.
    tool: Option<Vec<&'static str>>,
    messages: mpsc::Sender<Msg>,
    /// What a collector is told.
    queue: Queue,
    /// To who reads the config: what a person answered.
    answers: Option<mpsc::Sender<(Asked, Answer)>>,
    /// Logs of calls, and what of them was not told.
    logs: Logs,
    faults: Vec<String>,
    /// Decisions that can be taken back, the last one last.
    made: Vec<(ServerId, Carried, Vec<ItemId>)>,
}

impl Carrier {
    async fn carry_out(mut self, mut wanted: mpsc::Receiver<Effect>) {
        while let Some(effect) = wanted.recv().await {
            let answer = match effect {
                Effect::Decide { server, verdict, targets, note, varies } => {
                    let result = self.decide(&server, verdict, targets, (note, varies)).await;
                    Some(Msg::Decided { server, result })
                }
                Effect::AcceptUnwatched { server, reason } => {
                    let result = self.accept_unwatched(&server, reason).await;
                    Some(Msg::Decided { server, result })
                }
                Effect::Undo { number, server } => {
                    let result = self.undo(number, &server).await;
                    Some(Msg::Undone { server, result })
                }
                Effect::RecordBaseline { server, targets } => {
                    let result = self.record(&server, targets).await;
                    Some(Msg::Recorded { server, baseline: true, result })
                }
                Effect::RecordSnapshot(server) => {
                    let result = self.snapshot(&server).await;
                    Some(Msg::Recorded { server, baseline: false, result })
                }
                Effect::Tell(server, command) => self.tell(&server, command),
                Effect::Versions { server, item } => {
                    let result = self.versions(&server, item.clone()).await;
                    Some(Msg::Versions { server, item, result })
                }
                Effect::Compare { server, item, before, after } => {
                    let result = self.compare(&server, item, before.clone(), after.clone()).await;
                    Some(Msg::Compared { server, versions: [before, after], result })
                }
                Effect::Answer { asked, answer } => {
                    // Where the config is not followed there are no clients' files either.
                    if let Some(answers) = &self.answers {
                        let _ = answers.send((asked, answer)).await;
                    }
                    None
                }
                Effect::AskConsent(server) => self.ask_consent(&server).await,
                Effect::Copy { what, text } => {
                    let result = desktop::copy(self.tool.as_deref(), &text).await;
                    Some(Msg::Copied { what, text, result })
                }
                // The loop of the screen does these itself.
                Effect::Quit
                | Effect::Suspend
                | Effect::ReadOutside(_)
                | Effect::SendToClipboard(_)
                | Effect::Redraw
                | Effect::Mouse(_)
                | Effect::Bell
                | Effect::Title(_) => None,
            };
            if let Some(answer) = answer
                && self.messages.send(answer).await.is_err()
            {
                return;
            }
        }
    }

    fn tell(&self, server: &ServerId, command: Command) -> Option<Msg> {
        let heard = self.fleet.tell(server, command);
        (!heard).then(|| Msg::Warning(format!("{server} is busy: try again")))
    }

    async fn versions(&mut self, server: &ServerId, item: Option<ItemId>) -> Result<Vec<VersionRow>, String> {
        let (now, look, logs) = (self.fleet.now(), self.look(server)?, Arc::clone(&self.logs));
        let found = aside("reading the versions", move || match item {
            Some(item) => versions::history(&now, &look, &item, &logs),
            None => versions::snapshots(&now, &look),
        });
        let found = found.await.flatten();
        let faults = calls::faults(&self.logs);
        for fault in faults.iter().filter(|fault| !self.faults.contains(fault)) {
            let _ = self.messages.send(Msg::Warning(fault.clone())).await;
        }
        self.faults = faults;
        found
    }

    async fn compare(
        &self,
        server: &ServerId,
        item: Option<ItemId>,
        before: VersionId,
        after: VersionId,
    ) -> Result<Arc<Review>, String> {
        let (now, look) = (self.fleet.now(), self.look(server)?);
        let compared = aside("comparing", move || versions::compare(&now, &look, item.as_ref(), &before, &after));
        compared.await.flatten()
    }

    /// Forgets what was agreed to, and starts the server again, which asks.
    async fn ask_consent(&self, server: &ServerId) -> Option<Msg> {
        let now = self.fleet.now();
        let config = self.config(server)?;
        let gate = now.project.gate.clone();
        let asked = aside("asking", move || {
            gate.withdraw(&config).and_then(|()| gate.ask(&config)).map_err(|reason| reason.text)
        });
        match asked.await.flatten() {
            Err(why) => Some(Msg::Warning(format!("{server}: {why}"))),
            Ok(None) => Some(Msg::Warning(format!("{server} was agreed to on the command line: nothing is asked"))),
            Ok(Some(_)) => self.tell(server, Command::Restart),
        }
    }

    fn look(&self, server: &ServerId) -> Result<Arc<ServerLook>, String> {
        self.fleet.look(server).ok_or_else(|| format!("{server} is not watched"))
    }

    fn config(&self, server: &ServerId) -> Option<ServerConfig> {
        self.fleet.now().servers.iter().find(|config| config.id == *server).cloned()
    }

    fn desk(&self) -> Desk {
        self.fleet.now().project.desk.clone()
    }

    async fn decide(
        &mut self,
        server: &ServerId,
        verdict: DecisionState,
        targets: Vec<Target>,
        (note, varies): (String, Vec<Pointer>),
    ) -> Result<Vec<String>, String> {
        let look = self.look(server)?;
        let review = look.review.clone().ok_or("it has not been read yet: nothing was decided")?;
        let subjects = subjects(&review, &targets, &varies)?;
        let (desk, id, scope) = (self.desk(), Arc::clone(server), look.baseline.scope(&look.digest_scope));
        let config = self.config(server);
        let surface = look.surface.clone().ok_or("it has not been read yet: nothing was decided")?;
        let decided = aside("deciding", move || {
            let seen = Basis { server: &id, surface: &surface, scope: &scope };
            let decided = desk.decide(&seen, verdict, &subjects, &note, Timestamp::now());
            let decided = decided.map_err(|error| error.to_string())?;
            if let Some(config) = &config {
                desk.remember_origins(config);
            }
            Ok(decided)
        });
        let decided = decided.await.flatten()?;
        self.publish(server, Arc::clone(&decided.after)).await;
        let confirmed = decided.confirmed.clone();
        self.made.push((Arc::clone(server), decided, targets.iter().map(|(id, _)| id.item.clone()).collect()));
        let kind = match verdict {
            DecisionState::Approved => HappeningKind::Approved,
            DecisionState::Rejected => HappeningKind::Rejected,
        };
        let (mut lines, mut told) = (Vec::with_capacity(targets.len()), Vec::new());
        for (id, digest) in targets {
            let item = id.item.text();
            // By the digest that the screen shows; what is gone has none but the pin's, to which the decision is bound.
            let now = review.row_shown(&id, digest).and_then(|row| row.now.as_ref());
            let short = now.map_or_else(|| digest.short(), |item| item.digests.short());
            let is_confirmed = confirmed.iter().any(|(confirmed, _)| *confirmed == id.item);
            let word = if is_confirmed { "confirmed" } else { verdict.word() };
            let removal = if now.is_none() { "the removal of " } else { "" };
            lines.push(format!("{word} {removal}{item} of {server} {short}"));
            told.push((item, format!("{removal}{short} by {}", self.desk().by)));
        }
        self.happen_each(server, kind, told).await;
        Ok(lines)
    }

    /// Accepts that a server is not watched.
    async fn accept_unwatched(&mut self, server: &ServerId, reason: &'static str) -> Result<Vec<String>, String> {
        let look = self.look(server)?;
        if !matches!(&look.phase, Phase::Unwatched(now) if now.code == reason) {
            return Err("the reason why it is not watched has changed".to_owned());
        }
        let (desk, id) = (self.desk(), Arc::clone(server));
        let accepted = aside("deciding", move || desk.accept_unwatched(&id, reason, "", Timestamp::now()));
        let accepted = accepted.await?.map_err(|error| error.to_string())?;
        self.publish(server, Arc::clone(&accepted.after)).await;
        self.made.push((Arc::clone(server), accepted, Vec::new()));
        let line = format!("accepted that {server} is not watched; its pins stay");
        self.happen(server, HappeningKind::Approved, String::new(), format!("not watched, by {}", self.desk().by))
            .await;
        Ok(vec![line])
    }

    /// Takes the last decision back, where it is the one that was asked about.
    async fn undo(&mut self, number: usize, server: &ServerId) -> Result<Vec<String>, String> {
        let Some((_, carried, items)) = self.made.last().filter(|(other, ..)| other == server) else {
            return Err("another decision was made since".to_owned());
        };
        if self.made.len() != number {
            return Err("another decision was made since".to_owned());
        }
        let (desk, carried, decided) = (self.desk(), carried.clone(), items.clone());
        let surface = self.look(server).ok().and_then(|look| look.surface.clone());
        let undone = aside("undoing it", move || {
            let items = surface.as_ref().map_or(&[][..], |surface| &surface.items);
            desk.undo(&carried, items, Timestamp::now())
        });
        let undone = undone.await?.map_err(|error| error.to_string())?;
        self.made.pop();
        self.publish(server, undone).await;
        if decided.is_empty() {
            self.happen(server, HappeningKind::Undone, String::new(), format!("by {}", self.desk().by)).await;
            return Ok(vec![format!("undid: {server} may stay unwatched")]);
        }
        let told = decided.iter().map(|item| (item.text(), format!("by {}", self.desk().by))).collect();
        self.happen_each(server, HappeningKind::Undone, told).await;
        Ok(decided.iter().map(|item| format!("undid the decision on {} of {server}", item.text())).collect())
    }

    async fn record(&self, server: &ServerId, targets: Vec<Target>) -> Result<Vec<String>, String> {
        let look = self.look(server)?;
        let surface = look.surface.clone().ok_or("it has not been read yet: nothing was recorded")?;
        let review = look.review.clone().ok_or("it has not been compared yet: nothing was recorded")?;
        let (desk, id, scope) = (self.desk(), Arc::clone(server), look.baseline.scope(&look.digest_scope));
        let config = self.config(server);
        let shown: BTreeSet<_> = targets.into_iter().map(|(row, digest)| (row.item, digest)).collect();
        let kept = aside("recording it", move || {
            let seen = Basis { server: &id, surface: &surface, scope: &scope };
            let kept = desk.record(&seen, &review, &[], Some(&shown), Timestamp::now());
            let kept = kept.map_err(|error| error.to_string())?;
            if let Some(config) = &config {
                desk.remember_origins(config);
            }
            Ok(kept)
        });
        let kept = kept.await.flatten()?;
        let line = format!("recorded the baseline of {server}: {} items", kept.baseline.pins.len());
        self.publish(server, kept.baseline).await;
        self.happen(server, HappeningKind::Recorded, String::new(), line.clone()).await;
        Ok(vec![line])
    }

    async fn snapshot(&self, server: &ServerId) -> Result<Vec<String>, String> {
        let look = self.look(server)?;
        let surface = look.surface.clone().ok_or("it has not been read yet: nothing was recorded")?;
        let desk = self.desk();
        let path = aside("recording it", move || {
            desk.snapshot(&Snapshot::of(&look.id, "", Timestamp::now(), &look.launch, &surface.observation()))
        });
        let path = path.await?.map_err(|error| error.to_string())?;
        let line = format!("recorded a snapshot of {server} in {}", path.display());
        self.happen(server, HappeningKind::Recorded, String::new(), line.clone()).await;
        Ok(vec![line])
    }

    /// Hands a new baseline to the server's supervisor, and what of it is not decided here to the screen.
    async fn publish(&self, server: &ServerId, baseline: Arc<crate::pin::Baseline>) {
        let now = self.fleet.now();
        let pins = shown_pins(now.project.desk.store.decided_elsewhere(&baseline), &now.project.redactor);
        // Where the supervisor is busy, the watch on the folder tells it.
        self.tell(server, Command::Baseline(BaselineState::Present(baseline)));
        let _ = self.messages.send(Msg::DecidedElsewhere { server: Arc::clone(server), pins }).await;
    }

    /// The event of each item of one decision, with its text; of many it is one. The decision log keeps each.
    async fn happen_each(&self, server: &ServerId, kind: HappeningKind, told: Vec<(String, String)>) {
        if told.len() > MAX_LINES {
            let names: Vec<_> = told.iter().map(|(item, _)| item).collect();
            let words = format!("{} items by {}", told.len(), self.desk().by);
            let happening = Happening::of_many(server, kind, &words, &names);
            self.queue.push(&happening);
            let _ = self.messages.send(Msg::Happened(happening)).await;
            return;
        }
        for (item, text) in told {
            self.happen(server, kind, item, text).await;
        }
    }

    async fn happen(&self, server: &ServerId, kind: HappeningKind, item: String, text: String) {
        let happening = Happening { item, text, ..Happening::of_server(server, kind, "", "") };
        self.queue.push(&happening);
        let _ = self.messages.send(Msg::Happened(happening)).await;
    }
}

/// What is decided on: the rows that were shown, each by the digest that was on the screen. Where a server has moved on since,
/// that digest is not the one served, and the desk refuses.
fn subjects(review: &Review, targets: &[Target], varies: &[Pointer]) -> Result<Vec<Subject>, String> {
    let subject = |(id, shown): &Target| {
        let row = review.row_shown(id, *shown).ok_or("it is no longer served: nothing was decided")?;
        Ok(Subject::of(row, *shown).letting_vary(review.varying_at(row, varies)))
    };
    targets.iter().map(subject).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::{DigestScope, Surface};
    use crate::drift::Policy;
    use crate::review::review;
    use crate::store::redact::Redactor;
    use crate::store::{Places, Root, Store};
    use crate::surface::{Completeness, Kind, Observation, RawItem};

    fn serving(description: &str) -> Surface {
        let text = format!(r#"{{"name":"t","description":"{description}"}}"#);
        let observation = Observation {
            observed_as: None,
            items: vec![RawItem { kind: Kind::Tool, bytes: text.into() }],
            completeness: Kind::ALL.into_iter().map(|kind| (kind, Completeness::Complete)).collect(),
            notices: Vec::new(),
            presented: crate::surface::Presented::default(),
        };
        Surface::read(&observation, None, &DigestScope::None, 100)
    }

    #[test]
    fn a_digest_that_is_no_longer_served_decides_nothing() -> anyhow::Result<()> {
        let folder = tempfile::tempdir()?;
        let project = folder.path().join("project");
        std::fs::create_dir(&project)?;
        let store = Store::new(Root::at(&project), Places::below(folder.path()), Redactor::default());
        let desk = Desk { store, by: "ana".into(), policy_digest: "sha256:0".into(), rules: Policy::default() };
        let recorded = serving("Reads.");
        let seen = Basis { server: "s", surface: &recorded, scope: &DigestScope::None };
        let first = review("s".into(), None, &recorded, &desk.rules);
        desk.record(&seen, &first, &[], None, Timestamp::UNIX_EPOCH)?;
        let before = desk.store.load("s")?;

        let look = |description: &str| review("s".into(), before.as_ref(), &serving(description), &Policy::default());
        let (shown, served) = (look("Reads more."), look("Reads all, and sends it."));
        let row = shown.rows.iter().find(|row| row.now.is_some()).ok_or_else(|| anyhow::anyhow!("a row"))?;
        let stale = row.decides_on().ok_or_else(|| anyhow::anyhow!("a digest"))?;
        let targets = [(row.id.clone(), stale)];
        for verdict in [DecisionState::Approved, DecisionState::Rejected] {
            let decide = |review: &Review| {
                let subjects = subjects(review, &targets, &[]).map_err(anyhow::Error::msg)?;
                desk.decide(&seen, verdict, &subjects, "", Timestamp::UNIX_EPOCH).map_err(anyhow::Error::from)
            };
            let said = decide(&served).map_or_else(|refused| refused.to_string(), |_| "decided".to_owned());
            assert!(
                said.starts_with(&format!(
                    "tool/t is no longer what was shown ({} now)",
                    served.rows[0].decides_on().map(|digest| digest.to_string()).unwrap_or_default()
                )),
                "{said}"
            );
            assert_eq!(desk.store.load("s")?, before, "{verdict:?}");
        }
        // What is still served is decided on.
        let subjects = subjects(&shown, &targets, &[]).map_err(anyhow::Error::msg)?;
        let decided = desk.decide(&seen, DecisionState::Approved, &subjects, "", Timestamp::UNIX_EPOCH)?;
        assert_eq!(decided.after.pins[0].item.digests.surface, stale);
        Ok(())
    }
}
