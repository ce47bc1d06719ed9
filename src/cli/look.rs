//! Looking at several servers once, side by side: what `record`, `check`, `approve` and `review` share.

use super::out;
use crate::aside::aside;
use crate::audit::Sighting;
use crate::config::ServerConfig;
use crate::config::consent::ConsentRequest;
use crate::decisions::{BaselineState, Desk, Gate, SignIns};
use crate::digest::{DigestScope, Surface};
use crate::drift::{Policy, Shown, SplitView, looks_unstable};
use crate::mcp::Limits;
use crate::monitor::{
    Looking, Observed, Scanner, SecondOpinion, Turn, compare, identified, may_be_compared, observe_once, question,
    sighted, without_ignored,
};
use crate::project::Project;
use crate::review::{Review, across};
use crate::store::redact::Redactor;
use crate::surface::{ClientIdentity, Notice, Observation, Overall, Reason, ServerId};
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tokio::task::{JoinHandle, JoinSet};

/// Servers that are looked at in one moment; more wait.
const AT_ONCE: usize = 32;

/// What is done aside: a surface made to be slow to read must not keep the answers of other servers waiting until they are
/// late.
const LOOKING: &str = "looking at it";

#[derive(Debug)]
pub struct Looked {
    pub config: ServerConfig,
    pub baseline: BaselineState,
    pub observation: Observation,
    /// How long looking took; none where it was not begun.
    pub took: Option<Duration>,
    /// The same, read and digested.
    pub surface: Arc<Surface>,
    /// Against the baseline; none where that is refused.
    pub review: Option<Arc<Review>>,
    /// What other clients are shown, where that was asked.
    pub split: Option<SplitView>,
    /// The ends of its starts.
    endings: Vec<JoinHandle<()>>,
}

/// Waits until every server that was looked at has ended.
pub async fn finish(looked: Vec<Looked>) {
    for ending in looked.into_iter().flat_map(|server| server.endings) {
        // A closing that panicked has nothing left to wait for.
        let _ = ending.await;
    }
}

impl Looked {
    /// What was observed, read.
    fn of(config: ServerConfig, baseline: BaselineState, observed: Observed, under: &Under) -> Self {
        let Observed { observation, ending } = observed;
        let surface = Surface::read(&observation, None, &baseline.scope(&config.digest_scope), under.depth);
        let surface = identified(without_ignored(surface, &config.id, &under.policy), &config);
        let surface = Arc::new(surface);
        let endings = ending.into_iter().collect();
        Self { config, baseline, observation, took: None, surface, review: None, split: None, endings }
    }

    /// What another scanner says of it.
    async fn second_opinion(&self, under: &Under) -> SecondOpinion {
        if under.opinions == Opinions::NotAsked {
            return SecondOpinion::default();
        }
        let (surface, baseline) = (Arc::clone(&self.surface), self.baseline.present().cloned());
        let (id, policy, redactor) = (Arc::clone(&self.config.id), under.policy.clone(), Arc::clone(&under.redactor));
        let asked = aside(LOOKING, move || question(&id, &surface, baseline.as_deref(), &policy, &redactor)).await;
        match asked.ok().flatten() {
            None => SecondOpinion::default(),
            Some(question) => match &under.scanner {
                Some(scanner) => scanner.ask(&question, &under.redactor).await,
                None => SecondOpinion::failed(&question, NO_SCANNER.to_owned()),
            },
        }
    }

    /// The same, compared.
    fn compared(mut self, second: &SecondOpinion, under: &Under) -> Self {
        self.review = compare(&self.config.id, &self.surface, &self.baseline, &under.policy, &under.redactor, second);
        self
    }

    /// Takes in what another start showed: what differs from it is another one at each start.
    fn after(mut self, observed: Observed, second: &SecondOpinion, under: &Under) -> Self {
        self.endings.extend(observed.ending);
        let surface = Surface::read(&observed.observation, None, &self.scope(), under.depth);
        let surface = identified(without_ignored(surface, &self.config.id, &under.policy), &self.config);
        let again = compare(&self.config.id, &surface, &self.baseline, &under.policy, &under.redactor, second);
        if let (Some(review), Some(again)) = (&self.review, again) {
            self.review = Some(Arc::new(review.after_another_start(&again)));
        }
        self
    }

    /// The same with what other clients are shown.
    async fn shown_to(mut self, under: &Under, limits: &Limits, (gate, desk): (&Gate, Desk)) -> Self {
        if under.clients.is_empty() || !may_be_compared(&self.surface) {
            return self;
        }
        let looking = Looking {
            config: self.config.clone(),
            baseline: self.baseline.clone(),
            limits: limits.clone(),
            policy: under.policy.clone(),
            redactor: Arc::clone(&under.redactor),
            gate: gate.clone(),
            sign_ins: under.sign_ins.clone(),
        };
        let split = looking.split_view(&under.clients, Some(Arc::clone(&self.surface))).await;
        self.review = self.review.map(|review| Arc::new(review.with_split(&split)));
        if !under.is_at_ref {
            let (mut sighting, at) = (Sighting::default(), Timestamp::now());
            sighting.shown_to_others(&split, at);
            tell_chain(desk, Arc::clone(&self.config.id), sighting, at).await;
        }
        self.split = Some(split);
        self
    }

    /// Says beside a drift what the launch resolves to here: the same launch may run something else than before.
    fn with_resolved(mut self, gate: &Gate) -> Self {
        if let Some(review) = self.review.as_ref().filter(|review| !review.first_contact && !review.drifts.is_empty()) {
            let mut review = review.as_ref().clone();
            let sentences = gate.resolved(&self.config).sentences();
            review.notices.extend(sentences.into_iter().map(|text| Notice { code: "launch-resolves", count: 1, text }));
            self.review = Some(Arc::new(review));
        }
        self
    }

    /// Tells the audit chain what was seen.
    fn told(self, desk: &Desk, under: &Under) -> Self {
        if matches!(self.overall(), Overall::Failed(_)) || under.is_at_ref {
            return self;
        }
        let (mut sighting, at) = (Sighting::default(), Timestamp::now());
        let seen = (&*self.config.id, &*self.surface, self.review.as_deref());
        sighted(&mut sighting, seen, &under.policy, &under.redactor, at);
        tell(desk, &self.config.id, &sighting, at);
        self
    }

    /// The scope of the definition digest: what the baseline fixed, or what the first record will fix.
    pub fn scope(&self) -> DigestScope {
        self.baseline.scope(&self.config.digest_scope)
    }

    /// Why it is not watched; none where it was looked at, or should have been.
    pub fn unwatched(&self) -> Option<Reason> {
        let not_agreed = |overall: Overall| match overall {
            Overall::Failed(reason) if reason.code == STARTS_ANYWAY => Some(reason),
            Overall::Failed(_) | Overall::Partial(_) | Overall::Complete => None,
        };
        self.config.unwatched_reason().cloned().or_else(|| not_agreed(self.overall()))
    }

    /// The look in one word.
    pub fn overall(&self) -> Overall {
        self.surface.overall()
    }
}

/// What a look is read and compared under.
struct Under {
    depth: usize,
    policy: Policy,
    redactor: Arc<Redactor>,
    sign_ins: SignIns,
    opinions: Opinions,
    scanner: Option<Scanner>,
    /// What a ref judges is nothing that this project's baselines say.
    is_at_ref: bool,
    /// Which clients' faces are looked at, too.
    clients: Vec<Arc<ClientIdentity>>,
}

/// Whether another scanner is asked about what nobody approved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opinions {
    /// Not by this command.
    NotAsked,
    /// It is, and what it said to the same question before counts.
    Kept,
    /// It is asked each time.
    Anew,
}

/// Where the policy of a ref wants a scanner asked that the work tree does not start.
const NO_SCANNER: &str = "the work tree does not name the scanner that the policy asks for";

/// Tells the audit chain what was seen. Where that fails it is said, and nothing else comes of it.
fn tell(desk: &Desk, server: &str, sighting: &Sighting, at: Timestamp) {
    if let Err(error) = desk.saw(server, sighting, at) {
        out::note(&format!("{server}: the audit log could not be written: {error}"));
    }
}

/// The same, off the loop.
async fn tell_chain(desk: Desk, server: ServerId, sighting: Sighting, at: Timestamp) {
    // What panicked has printed its message.
    let _ = aside(LOOKING, move || tell(&desk, &server, &sighting, at)).await;
}

/// Looks at servers, in the order given. A drift that looks as if another start would show another one is looked at in
/// another start before it is told.
pub async fn look_at(project: &Project, servers: Vec<ServerConfig>, opinions: Opinions) -> Vec<Looked> {
    look_as(project, servers, opinions, Vec::new()).await
}

/// The same, and then under the names of `clients`.
pub async fn look_as(
    project: &Project,
    servers: Vec<ServerConfig>,
    opinions: Opinions,
    clients: Vec<Arc<ClientIdentity>>,
) -> Vec<Looked> {
    let count = servers.len();
    let permits = Arc::new(Semaphore::new(AT_ONCE));
    let mut running = JoinSet::new();
    let under = Arc::new(Under {
        depth: project.limits.depth,
        policy: project.config.policy.rules.clone(),
        redactor: Arc::clone(&project.redactor),
        sign_ins: project.sign_ins.clone(),
        opinions,
        scanner: Scanner::of(project, opinions == Opinions::Kept),
        is_at_ref: project.is_at_ref,
        clients,
    });
    let mut waited_for: BTreeMap<usize, ServerConfig> = servers.into_iter().enumerate().collect();
    for (index, config) in waited_for.clone() {
        let (permits, limits, under) = (Arc::clone(&permits), project.limits.clone(), Arc::clone(&under));
        let (gate, desk) = (project.gate.clone(), project.desk.clone());
        let look = async move {
            let baseline = desk.baseline(&config.id);
            let begun = Instant::now();
            let observed = match gate.ask(&config) {
                Ok(None) => observe_once(&config, &baseline, &limits, &under.redactor, &under.sign_ins).await,
                Ok(Some(asked)) => unseen(&consent_needed(&config, &asked.request)),
                Err(reason) => unseen(&reason),
            };
            let took = Some(begun.elapsed());
            let first = Arc::clone(&under);
            let looked =
                aside(LOOKING, move || Looked { took, ..Looked::of(config, baseline, observed, &first) }).await?;
            let second = Arc::new(looked.second_opinion(&under).await);
            let (said, first) = (Arc::clone(&second), Arc::clone(&under));
            let mut looked = aside(LOOKING, move || looked.compared(&said, &first)).await?;
            if looked.review.as_ref().is_some_and(|review| review.drifts.iter().any(looks_unstable)) {
                let (config, baseline) = (&looked.config, &looked.baseline);
                let observed = observe_once(config, baseline, &limits, &under.redactor, &under.sign_ins).await;
                let again = Arc::clone(&under);
                looked = aside(LOOKING, move || looked.after(observed, &second, &again)).await?;
            }
            let (saw, desk_of_faces) = (Arc::clone(&under), desk.clone());
            let looked = aside(LOOKING, move || looked.told(&desk, &saw)).await?;
            let looked = Box::pin(looked.shown_to(&under, &limits, (&gate, desk_of_faces))).await;
            let looked = aside(LOOKING, move || looked.with_resolved(&gate)).await?;
            Ok::<_, String>((index, looked))
        };
        running.spawn(async move {
            let _turn = Turn::take(&permits).await;
            Box::pin(look).await
        });
    }
    let mut looked: Vec<(usize, Looked)> = Vec::with_capacity(count);
    while let Some(done) = running.join_next().await {
        // What panicked has printed its message, and is left over.
        let Ok(Ok(done)) = done else { continue };
        waited_for.remove(&done.0);
        if out::is_watched() && count > 1 {
            out::note(&format!("[{}/{count}] {} {}", looked.len() + 1, done.1.config.id, done.1.overall().word()));
        }
        looked.push(done);
    }
    for (index, config) in waited_for {
        let observed = unseen(&Reason::internal("looking at it failed; please report this"));
        let baseline = project.baseline(&config.id);
        let unseen = Looked::of(config, baseline, observed, &under).compared(&SecondOpinion::default(), &under);
        looked.push((index, unseen));
    }
    looked.sort_by_key(|(index, _)| *index);
    let mut looked: Vec<_> = looked.into_iter().map(|(_, looked)| looked).collect();
    look_across(&mut looked, &project.config.policy.rules);
    looked
}

/// Tells where a tool that nobody pinned meets a tool of another server, and where the tools stand that texts name.
fn look_across(looked: &mut [Looked], policy: &Policy) {
    let servers = looked.iter().map(|one| {
        let shown = Shown { server: &one.config.id, items: &one.surface.items };
        (shown, one.review.as_deref())
    });
    for (at, others) in across(&servers.collect::<Vec<_>>(), policy) {
        let one = &mut looked[at];
        one.review = one.review.as_ref().map(|review| Arc::new(review.beside(&others)));
    }
}

fn unseen(reason: &Reason) -> Observed {
    Observed { observation: Observation::failed(reason, Vec::new()), ending: None }
}

/// The code of an entry that says off, that its client starts all the same, and that nobody agreed to start.
pub(super) const STARTS_ANYWAY: &str = "starts-anyway";

fn consent_needed(config: &ServerConfig, request: &ConsentRequest) -> Reason {
    if !request.off.is_empty() {
        let text = format!(
            "{}; consent is needed to start it for a look: agree in `pinwatch watch`, or with --yes --yes-disabled",
            request.off.join("; ")
        );
        return Reason::new(STARTS_ANYWAY, text);
    }
    let file = config.origin.file.as_deref().map(|file| file.display().to_string()).unwrap_or_default();
    let line = config.shared.line();
    let why = match request.changed.as_slice() {
        [] => format!("consent is needed to start `{line}`, from {file}"),
        changed => format!("`{line}`, from {file}, changed since you agreed: {}", changed.join("; ")),
    };
    let way_out = "review it with `pinwatch servers`, then agree in `pinwatch watch` or with --yes";
    Reason::new("consent-needed", format!("{why}; {way_out}"))
}
