//! One session of a supervised server: opened, looked at again and again, and what a look brings.

use super::{Interrupt, Supervisor};
use crate::aside::aside;
use crate::decisions::{takes_sign_in, with_sign_in};
use crate::digest::Surface;
use crate::mcp::{Event, Look, Session, Target};
use crate::monitor::event::{Happening, HappeningKind, Phase};
use crate::monitor::look::{Compared, Received, identified, mask_notices, mask_reason, observed, options, tell};
use crate::monitor::schedule::{ListChanges, poll_wait, retry_wait};
use crate::monitor::turn::Turn;
use crate::oauth::Challenge;
use crate::review::{self, Review, Transition, TransitionKind};
use crate::surface::{Notice, Overall, Reason};
use jiff::Timestamp;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Why the wait between two looks ended.
enum Woke {
    Due,
    Ended(Reason),
}

impl Supervisor {
    /// One session from its start to its end.
    pub(super) async fn session(&mut self) -> Option<Interrupt> {
        self.publish(Phase::Starting);
        let sign_ins = self.setup.sign_ins.clone();
        let config = self.setup.config.clone();
        self.account.signed_in = match self.during(Box::pin(sign_ins.of(&config)), false).await {
            Err(interrupt) => return Some(interrupt),
            Ok(Err(reason)) => return self.fail(reason).await,
            Ok(Ok(signed_in)) => signed_in,
        };
        let target = with_sign_in(&config.target, self.account.signed_in.as_ref());
        let options = options(&self.setup.config, &self.look.baseline, self.known(), true);
        let limits = self.setup.limits.clone();
        let start = Arc::clone(&self.setup.turns.start);
        if self.resolving.is_none() {
            self.resolving = Some(self.setup.gate.resolve_aside(&self.setup.config));
        }
        let opening = async {
            let _turn = Turn::take(&start).await;
            Box::pin(Session::open(&target, &options, &limits)).await
        };
        let mut session = match self.during(opening, false).await {
            Err(interrupt) => return Some(interrupt),
            Ok(Err(failure)) => {
                self.look.pid = None;
                self.take_words(&failure.stderr_tail, failure.notices);
                return self.failed(failure.reason, failure.challenge).await;
            }
            Ok(Ok(session)) => session,
        };
        self.started = true;
        let ended = self.looks(&mut session).await;
        self.look.pid = None;
        let challenge = session.challenge().cloned();
        session.close().await;
        match ended {
            Ended::Interrupted(interrupt) => Some(interrupt),
            Ended::Failed(reason) => self.failed(reason, challenge).await,
            Ended::Lost(reason) => {
                self.sessions.lost = Some(reason);
                None
            }
            Ended::Refused(reason) => self.retry(reason).await,
            Ended::UntilNextPoll(wait) => {
                self.publish(Phase::Idle);
                self.pause(wait).await
            }
        }
    }

    /// Nothing was read. Where the server wants somebody to sign in, that comes before the next try.
    async fn failed(&mut self, reason: Reason, challenge: Option<Challenge>) -> Option<Interrupt> {
        match challenge.filter(|_| takes_sign_in(&self.setup.config)) {
            Some(challenge) => Box::pin(self.turned_away(&reason, &challenge)).await,
            None => self.fail(reason).await,
        }
    }

    /// Waits until the next session is due, or asked for.
    async fn pause(&mut self, wait: Duration) -> Option<Interrupt> {
        self.during(tokio::time::sleep(wait), true).await.err().filter(|interrupt| *interrupt == Interrupt::Stop)
    }

    /// Looks again and again in one open session.
    async fn looks(&mut self, session: &mut Session) -> Ended {
        let (mut changes, mut last_change) = (ListChanges::default(), None);
        let mut asked_anew = false;
        loop {
            self.look.pid = session.pid();
            self.look.observed_as = Some(session.observed_as().clone());
            self.publish(Phase::Listing);
            // Boxed: a look is short, and its state would be part of what each idle server holds.
            let begun = Instant::now();
            let look = match self.during(Box::pin(session.look()), false).await {
                Ok(look) => {
                    self.look.look_time = Some(begun.elapsed());
                    look
                }
                Err(interrupt) => return Ended::Interrupted(interrupt),
            };
            let aged = if matches!(look, Look::Unchanged { .. }) { self.aged() } else { None };
            match aged {
                // It may show another one by now: a publisher renews what is about to expire.
                Some(_) if !std::mem::replace(&mut asked_anew, true) => {
                    session.ask_who_it_is();
                    continue;
                }
                Some(aged) => self.take_aged(aged),
                None => asked_anew = false,
            }
            self.look.pid = session.pid();
            self.take_words(&session.stderr_tail(), session.notices());
            let refused = session.refused().cloned();
            if let Some(reason) = refused.clone().filter(|_| session.is_renewable() && session.challenge().is_none()) {
                return Ended::Lost(reason);
            }
            let before = (self.failures, self.look.stale.clone());
            let seen = self.seen(look).await;
            self.turn = None;
            if let Err(ended) = seen {
                return ended;
            }
            // What it shows without a sign-in was taken in; the rest is asked for with one.
            if session.challenge().is_some()
                && takes_sign_in(&self.setup.config)
                && let Some(reason) = self.look.stale.clone()
            {
                return Ended::Failed(reason);
            }
            if let Some(reason) = refused.filter(|_| self.sessions.worked) {
                // What else it says was taken in; of its lists nothing is known until another session tells.
                self.failures = before.0;
                let reason = mask_reason(&self.redactor(), &reason);
                if before.1.as_ref() != Some(&reason) {
                    self.happen(HappeningKind::Stale, "", &reason.text);
                }
                return Ended::Refused(reason);
            }
            self.take_reopened(session);
            let wait = poll_wait(self.setup.config.poll_interval, fastrand::f64());
            self.look.next_poll = Some(Timestamp::now().saturating_add(signed(wait)).unwrap_or(Timestamp::MAX));
            if !self.setup.config.keep_open {
                return Ended::UntilNextPoll(wait);
            }
            self.publish(Phase::Idle);
            if std::mem::take(&mut self.poll_asked) {
                continue;
            }
            let interval = self.setup.config.poll_interval;
            let woke = async {
                tokio::select! {
                    () = tokio::time::sleep(wait) => Woke::Due,
                    event = session.changed() => match event {
                        Event::ListChanged => {
                            let since = last_change.map(|last: Instant| last.elapsed());
                            let space = changes.wait(since, interval);
                            last_change = Some(Instant::now());
                            rest(session, space).await
                        }
                        Event::Ended(reason) => Woke::Ended(reason),
                    },
                }
            };
            match self.during(woke, true).await {
                Ok(Woke::Due) | Err(Interrupt::Poll) => {}
                Ok(Woke::Ended(reason)) => return Ended::Failed(reason),
                Err(interrupt) => return Ended::Interrupted(interrupt),
            }
        }
    }

    /// Takes in a look. Err: nothing could be read, or something else is wanted.
    async fn seen(&mut self, look: Look) -> Result<(), Ended> {
        let observation = match look {
            Look::Unchanged { .. } => {
                self.tell_chain(Timestamp::now());
                self.good();
                return Ok(());
            }
            Look::Seen(observation) => observation,
        };
        if let Overall::Failed(reason) = observation.overall() {
            return Err(Ended::Failed(reason));
        }
        let compute = Arc::clone(&self.setup.turns.compute);
        let _computing = self.during(Turn::take(&compute), false).await.map_err(Ended::Interrupted)?;
        let seen = Received {
            observation: observed(observation, &self.setup.config, &self.redactor(), self.account.signed_in.as_ref()),
            last: self.look.surface.clone(),
            config: self.setup.config.clone(),
            limits: self.setup.limits.clone(),
            policy: self.setup.policy.clone(),
            redactor: self.redactor(),
            second: Arc::clone(&self.second),
        };
        let baseline = self.look.baseline.clone();
        // Reading and comparing a large surface takes milliseconds of computing: not on the loop that reads the screen.
        let compared = aside("comparing the surface", move || seen.compare(baseline)).await;
        let failed = |text| Ended::Failed(Reason::internal(text));
        let Compared { surface, baseline, review, question } = compared.map_err(failed)?;
        let overall = surface.overall();
        self.look.surface = Some(surface);
        self.look.baseline = baseline;
        self.take_review(review);
        self.take_question(question);
        match overall {
            Overall::Complete => self.good(),
            Overall::Partial(reason) | Overall::Failed(reason) => {
                self.failures = 0;
                self.look.stale = Some(mask_reason(&self.redactor(), &reason));
            }
        }
        Ok(())
    }

    /// The last surface, where who its server is reads otherwise by now, only because time has passed: a key or an assertion
    /// has expired.
    fn aged(&self) -> Option<Arc<Surface>> {
        let surface = self.look.surface.as_ref().filter(|_| self.setup.config.trust.is_some())?;
        let now = identified(surface.as_ref().clone(), &self.setup.config);
        (now.identity != surface.identity).then(|| Arc::new(now))
    }

    fn take_aged(&mut self, surface: Arc<Surface>) {
        let (review, question) = self.reviewed(&surface);
        self.look.surface = Some(surface);
        self.take_review(review);
        self.take_question(question);
    }

    /// Says that a session was lost and opened again; of a server that forgets it at each look once.
    fn take_reopened(&mut self, session: &Session) {
        self.sessions.worked |= session.worked();
        let lost = session.reopened().cloned().or(self.sessions.lost.take());
        if let Some(lost) = lost.as_ref().filter(|_| !self.sessions.reopened) {
            let lost = mask_reason(&self.redactor(), lost);
            self.happen(HappeningKind::Notice, "", &format!("the session was lost and reopened: {}", lost.text));
        }
        self.sessions.reopened = lost.is_some();
    }

    /// Takes in what the server said beside its answers.
    fn take_words(&mut self, stderr_tail: &[String], notices: Vec<Notice>) {
        let redactor = self.redactor();
        self.look.stderr_tail = stderr_tail.iter().map(|line| redactor.mask_log(line)).collect();
        self.look.notices = mask_notices(&redactor, notices);
    }

    /// Publishes a review and says what became different.
    fn take_review(&mut self, review: Option<Arc<Review>>) {
        let started = std::mem::take(&mut self.started);
        if let Some(review) = &review {
            let first_contact = review.first_contact && self.last_review.is_none();
            let is_one_of_many = |transition: &Transition| first_contact && transition.kind == TransitionKind::New;
            let (new, told): (Vec<_>, Vec<_>) =
                self.sightings.next(review, started).into_iter().partition(is_one_of_many);
            // What a first contact brings is one thing to look at: lines of its own would push out the others'.
            if !new.is_empty() {
                let text = format!("first contact: {} items, none of them approved", new.len());
                let severity = new.iter().filter_map(|one| one.severity).max();
                self.tell(Happening { severity, ..Happening::of_server(&self.look.id, HappeningKind::New, "", &text) });
            }
            for happening in tell(&self.look.id, &told, &self.redactor()) {
                self.tell(happening);
            }
        }
        self.saw(review.as_deref());
        let review = review.map(|review| self.with_unstable(review));
        if let Some(review) = &review {
            self.last_review = Some(Arc::clone(review));
        }
        self.look.review = review;
    }

    /// A review that shows what is another one from look to look as such.
    pub(super) fn with_unstable(&self, review: Arc<Review>) -> Arc<Review> {
        let unstable = self.sightings.unstable(&review);
        if unstable.is_empty() { review } else { Arc::new(review.with_unstable(unstable)) }
    }

    /// The last look was complete.
    fn good(&mut self) {
        self.failures = 0;
        self.account.renewed = false;
        self.look.last_good = Some(Timestamp::now());
        if self.look.stale.take().is_some() {
            if let Some(review) = &self.last_review {
                self.look.review = Some(Arc::clone(review));
            }
            self.happen(HappeningKind::Recovered, "", "answers again");
        }
    }

    /// A try failed: what was approved reads unknown, and the next try comes later.
    pub(super) async fn fail(&mut self, reason: Reason) -> Option<Interrupt> {
        let reason = self.unread(&reason);
        self.retry(reason).await
    }

    /// Waits for the next try, longer after each failure.
    async fn retry(&mut self, reason: Reason) -> Option<Interrupt> {
        self.failures = self.failures.saturating_add(1);
        self.tell_chain(Timestamp::now());
        let wait = retry_wait(self.failures, fastrand::f64());
        let at = Timestamp::now().saturating_add(signed(wait)).unwrap_or(Timestamp::MAX);
        self.look.next_poll = Some(at);
        self.publish(Phase::Retrying { at, failures: self.failures, reason });
        self.pause(wait).await
    }

    /// Nothing could be read: what was approved is out of sight. Gives the reason as it may be shown.
    pub(super) fn unread(&mut self, reason: &Reason) -> Reason {
        let reason = mask_reason(&self.redactor(), reason);
        // What it waits for a person with is no failure.
        if self.look.stale.as_ref() != Some(&reason) && self.look.asked.is_empty() {
            let unwatched = matches!(self.setup.config.target, Target::Unwatched(_));
            let kind = if unwatched { HappeningKind::Unwatched } else { HappeningKind::Stale };
            self.happen(kind, "", &reason.text);
        }
        self.look.stale = Some(reason.clone());
        self.look.review = match (&self.last_review, self.look.baseline.present()) {
            (Some(review), _) => Some(Arc::new(review.out_of_sight())),
            (None, Some(baseline)) => {
                let id = Arc::clone(&self.look.id);
                Some(Arc::new(review::unread(id, Some(baseline), &reason, &self.setup.policy)))
            }
            (None, None) => None,
        };
        reason
    }
}

/// Waits before a look that is due; what the server says meanwhile is heard, and its end seen.
async fn rest(session: &mut Session, space: Duration) -> Woke {
    let ended = async {
        loop {
            if let Event::Ended(reason) = session.changed().await {
                return reason;
            }
        }
    };
    tokio::time::timeout(space, ended).await.map_or(Woke::Due, Woke::Ended)
}

enum Ended {
    Interrupted(Interrupt),
    Failed(Reason),
    /// The session worked and is known no more: another one is opened at once.
    Lost(Reason),
    /// A new session, too, is refused every list.
    Refused(Reason),
    UntilNextPoll(Duration),
}

fn signed(wait: Duration) -> jiff::SignedDuration {
    jiff::SignedDuration::try_from(wait).unwrap_or(jiff::SignedDuration::MAX)
}
