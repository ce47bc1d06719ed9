//! Reports while somebody watches: numbers at each interval, events a moment after they happened. Where no collector is
//! configured nothing wakes.

use super::push::{BATCH, Line, Told, teller};
use super::queue::Queue;
use crate::config::{Collector, FoundBy};
use crate::finding::Severity;
use crate::interop::otlp::{Numbers, Record, Teller};
use crate::monitor::{Fleet, Happening, HappeningKind, News, Now, Phase, ServerLook};
use crate::store::redact::Redactor;
use crate::surface::{Reason, ServerId};
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

/// From the start to the first report: most servers have been looked at by then.
const FIRST: Duration = Duration::from_secs(5);
/// Events of one moment go together.
const GATHER: Duration = Duration::from_secs(1);
/// Time for one request.
const PATIENCE: Duration = Duration::from_secs(10);
/// The same for those at the end, which a person waits for.
const LAST_PATIENCE: Duration = Duration::from_secs(2);

/// How it stands with the collector.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Why the last report did not arrive; none while they do. Not escaped.
    pub fault: Option<String>,
    /// Events that were never told.
    pub lost: u64,
}

/// Who reports what a fleet sees.
pub struct Reporter<M> {
    fleet: Arc<Fleet<M>>,
    queue: Queue,
    begun: Timestamp,
    /// What the first reading of the config named: a typed server agreed to that, and to none that came later.
    first: Option<Arc<Collector>>,
    teller: OnceLock<Teller>,
    is_down: AtomicBool,
}

impl<M: From<News> + From<Option<Standing>> + Send + 'static> Reporter<M> {
    /// Reports what is in `queue` and what the fleet's servers are like.
    pub fn new(fleet: Arc<Fleet<M>>, queue: Queue) -> Self {
        let first = fleet.now().project.config.collector.clone();
        queue.open(first.is_some());
        let (teller, is_down) = (OnceLock::new(), AtomicBool::new(false));
        Self { fleet, queue, begun: Timestamp::now(), first, teller, is_down }
    }

    /// Reports until the screen is gone.
    pub async fn follow(self: Arc<Self>, messages: mpsc::Sender<M>) {
        let mut changes = self.fleet.changes();
        let mut known: Option<Arc<Collector>> = None;
        let (mut due, mut gathered) = (Instant::now() + FIRST, None::<Instant>);
        let mut told = None;
        loop {
            let now = Arc::clone(&changes.borrow_and_update());
            let collector = now.project.config.collector.clone();
            self.queue.open(collector.is_some());
            if collector != known {
                let first = collector.as_ref().map_or(FIRST, |collector| collector.interval.min(FIRST));
                (due, gathered) = (Instant::now() + first, None);
                self.is_down.store(false, Ordering::Relaxed);
                known.clone_from(&collector);
            }
            let Some(collector) = collector else {
                self.say(&messages, &mut told, None).await;
                if changes.changed().await.is_err() {
                    return;
                }
                continue;
            };
            let is_down = self.is_down.load(Ordering::Relaxed);
            let done = tokio::select! {
                () = sleep_until(due) => {
                    due = Instant::now() + collector.interval;
                    gathered = None;
                    self.report(&now, &collector).await
                }
                () = wait_until(gathered) => {
                    gathered = None;
                    self.tell_events(&now, &collector, PATIENCE).await
                }
                // What happens while it is down waits for the next report.
                () = self.queue.grew(), if gathered.is_none() && !is_down => {
                    gathered = Some(Instant::now() + GATHER);
                    continue;
                }
                more = changes.changed() => match more {
                    Ok(()) => continue,
                    Err(_) => return,
                },
                () = messages.closed() => return,
            };
            self.is_down.store(done.is_err(), Ordering::Relaxed);
            let standing = Standing { fault: done.err().map(|reason| reason.text), lost: self.queue.lost() };
            self.say(&messages, &mut told, Some(standing)).await;
        }
    }

    /// Tells what is left when the person leaves, where that is quickly done.
    pub async fn leave(&self) {
        let now = self.fleet.now();
        if let Some(collector) = &now.project.config.collector
            && !self.is_down.load(Ordering::Relaxed)
        {
            let _ = self.tell_events(&now, collector, LAST_PATIENCE).await;
        }
    }

    /// Says how it stands, where that is new.
    async fn say(&self, messages: &mpsc::Sender<M>, told: &mut Option<Standing>, standing: Option<Standing>) {
        if *told != standing {
            told.clone_from(&standing);
            let _ = messages.send(standing.into()).await;
        }
    }

    async fn report(&self, now: &Arc<Now>, collector: &Collector) -> Result<(), Reason> {
        let teller = self.teller(now).await;
        let redactor = &now.project.redactor;
        let looks = self.fleet.looks();
        let told = looks.iter().filter(|look| self.is_told(now, look, collector));
        let numbers: Vec<_> = told.filter_map(|look| numbers(look, redactor)).collect();
        let line = Line { collector, teller: &teller, begun: self.begun, patience: PATIENCE };
        line.numbers(&numbers, self.queue.lost()).await?;
        self.tell_events(now, collector, PATIENCE).await
    }

    /// Tells the events that wait, a batch after the other.
    async fn tell_events(&self, now: &Arc<Now>, collector: &Collector, patience: Duration) -> Result<(), Reason> {
        let teller = self.teller(now).await;
        let line = Line { collector, teller: &teller, begun: self.begun, patience };
        loop {
            let (happenings, end) = self.queue.first(BATCH);
            if happenings.is_empty() {
                return Ok(());
            }
            let looks: BTreeMap<ServerId, Arc<ServerLook>> =
                self.fleet.looks().into_iter().map(|look| (Arc::clone(&look.id), look)).collect();
            let told = |happening: &Happening| {
                let look = looks.get(&happening.server).filter(|look| self.is_told(now, look, collector));
                look.map(|_| record(happening, &now.project.redactor))
            };
            let records: Vec<_> = happenings.iter().filter_map(told).collect();
            if records.is_empty() {
                self.queue.done(end, 0);
                continue;
            }
            match line.records(&records).await {
                Told::Taken(lost) => {
                    self.queue.done(end, lost);
                    if lost > 0 {
                        return Err(Reason::new("not-taken", "the collector did not take some of the events"));
                    }
                }
                Told::Refused(reason) => {
                    self.queue.done(end, records.len() as u64);
                    return Err(reason);
                }
                Told::Later(reason) => return Err(reason),
            }
        }
    }

    /// Whether a collector may be told of a server: whose launch may run, with this collector.
    fn is_told(&self, now: &Now, look: &ServerLook, collector: &Collector) -> bool {
        if !collector.is_shared {
            return true;
        }
        let Some(server) = now.servers.iter().find(|server| server.id == look.id) else { return false };
        let is_first = self.first.as_ref().is_some_and(|first| first.is_same_as(collector));
        look.agreed && (is_first || server.origin.found_by != FoundBy::AdHoc)
    }

    async fn teller(&self, now: &Arc<Now>) -> Teller {
        if let Some(known) = self.teller.get() {
            return known.clone();
        }
        let now = Arc::clone(now);
        let teller = tokio::task::spawn_blocking(move || teller(&now.project)).await.unwrap_or_default();
        self.teller.get_or_init(|| teller).clone()
    }
}

async fn wait_until(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at).await,
        None => std::future::pending().await,
    }
}

/// The numbers of a server; none of one that is not looked at.
fn numbers(look: &ServerLook, redactor: &Redactor) -> Option<Numbers> {
    let name = redactor.mask(&look.id);
    match look.phase {
        Phase::Waiting | Phase::NeedsConsent(_) | Phase::Unwatched(_) | Phase::Paused | Phase::Stopped => None,
        _ if look.stale.is_some() => Some(Numbers::down(&name)),
        _ if look.last_good.is_none() => None,
        _ => Some(Numbers::of(&name, look.look_time, look.review.as_deref())),
    }
}

fn record(happening: &Happening, redactor: &Redactor) -> Record {
    use HappeningKind as Is;
    let of_drift = matches!(happening.kind, Is::Drifted | Is::New | Is::Gone | Is::Changed);
    Record {
        at: happening.at,
        server: redactor.mask(&happening.server).into_owned(),
        event: happening.kind.word().to_lowercase(),
        severity: happening.severity.or(of_drift.then_some(Severity::Info)),
        warns: matches!(
            happening.kind,
            Is::Stale | Is::NotConsented | Is::SignInRefused | Is::Unwatched | Is::BaselineChanged
        ),
        item: redactor.mask(&happening.item).into_owned(),
        text: redactor.mask_log(&happening.text),
    }
}
