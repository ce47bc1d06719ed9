//! Finds out which era a server speaks that nobody has looked at before, without harm to one that knows only the other.

use super::era::{
    DISCOVER, INITIALIZE, Outcome, discover, initialize, initialize_params, read_discover, read_initialize,
};
use super::fault::Fault;
use super::inbox::{Answer, Pending};
use super::link::{Ask, Link, Wire};
use super::reason::STRANGE_REVISION;
use super::revisions::{Attempts, INITIALIZE_REVISIONS};
use crate::surface::{Era, Reason};
use std::time::Duration;
use tokio::time::Instant;

/// Finds out what a server speaks that nobody has looked at before.
pub(super) async fn probe(link: &mut Link, patience: Duration, attempts: &mut Attempts) -> Result<Outcome, Fault> {
    match &link.wire {
        Wire::Stream(_) => probe_stream(link, patience, attempts).await,
        // No answer in half of the time could be the other era's silence.
        Wire::Http(_) => discover_first(link, patience / 2, patience, attempts).await,
    }
}

/// `server/discover` for `short`, and `initialize` where the answer, or none, could be that of a server that knows only
/// the other era; within `patience`.
pub(super) async fn discover_first(
    link: &mut Link,
    short: Duration,
    patience: Duration,
    attempts: &mut Attempts,
) -> Result<Outcome, Fault> {
    let deadline = Instant::now() + patience;
    let fault = match discover(link, short).await {
        Ok(Outcome::OtherEra(reason)) => {
            note(reason, attempts);
            None
        }
        Err(fault) if fault.may_be_other_era() => Some(fault),
        other => return other,
    };
    let left = deadline.saturating_duration_since(Instant::now());
    match fault {
        Some(fault) if left.is_zero() => Err(fault),
        _ => initialize(link, left, attempts).await,
    }
}

/// `server/discover` first; after a short silence `initialize` as well, since the process may be slow to start or may
/// drop what it does not know.
async fn probe_stream(link: &mut Link, patience: Duration, attempts: &mut Attempts) -> Result<Outcome, Fault> {
    let start = Instant::now();
    let deadline = start + patience;
    let short = start + link.inbox.limits.probe.min(patience / 2);
    link.begin(Era::Discover);
    let discover = post(link, Ask::plain(DISCOVER));
    let answered = match wait_for(link, &[discover], short).await {
        Ok(None) => false,
        Ok(Some((_, answer))) => match read_discover(link, &answer) {
            Ok(Outcome::OtherEra(reason)) => {
                note(reason, attempts);
                true
            }
            Err(Fault::Refused(_)) => true,
            other => return other,
        },
        Err(Fault::Refused(_)) => true,
        Err(fault) => return Err(fault),
    };
    if answered {
        return initialize(link, deadline.saturating_duration_since(Instant::now()), attempts).await;
    }
    ask_both(link, discover, deadline, patience, attempts).await
}

/// A server of the discover era that speaks none of its revisions that we do says which; that others are refused later
/// on tells less.
fn note(reason: Reason, attempts: &mut Attempts) {
    let words = reason.text.clone();
    if reason.code == STRANGE_REVISION {
        attempts.refused(Some(DISCOVER), reason, words.as_bytes());
    } else {
        attempts.name(words.as_bytes());
    }
}

/// Waits for the answers to both first requests, or the one that comes. A server that takes both speaks the era of the
/// later one from then on.
async fn ask_both(
    link: &mut Link,
    discover: Pending<'static>,
    deadline: Instant,
    patience: Duration,
    attempts: &mut Attempts,
) -> Result<Outcome, Fault> {
    link.begin(Era::Initialize);
    let members = initialize_params(attempts.next().unwrap_or(INITIALIZE_REVISIONS[0]), &link.inbox.client);
    let second = post(link, Ask { members: members.as_bytes(), ..Ask::plain(INITIALIZE) });
    let mut pending = vec![second, discover];
    let mut discovered = None;
    loop {
        let failed = match wait_for(link, &pending, deadline).await {
            Ok(None) => Err(Fault::TimedOut(patience)),
            Ok(Some((0, answer))) => {
                link.inbox.expect_late(discover.id);
                match read_initialize(link, &answer).await {
                    Ok(Ok(handshake)) => return Ok(Outcome::Open(Box::new(handshake))),
                    Ok(Err(refusal)) => {
                        let reason = refusal.reason(INITIALIZE);
                        attempts.refused(None, reason.clone(), &refusal.words);
                        if discovered.is_none() && !refusal.is_method_not_found() {
                            return initialize(link, deadline.saturating_duration_since(Instant::now()), attempts)
                                .await;
                        }
                        Ok(Outcome::OtherEra(reason))
                    }
                    Err(fault) => Err(fault),
                }
            }
            Ok(Some((_, answer))) => {
                pending.truncate(1);
                discovered = read_discover(link, &answer).ok().filter(|found| !matches!(found, Outcome::OtherEra(_)));
                continue;
            }
            Err(fault) => Err(fault),
        };
        let Some(found) = discovered else { return failed };
        link.begin(Era::Discover);
        link.inbox.expect_late(second.id);
        return Ok(found);
    }
}

/// Sends a request on a stream without waiting for the answer.
fn post(link: &mut Link, ask: Ask<'_>) -> Pending<'static> {
    let (id, text) = link.request(&ask);
    if let Wire::Stream(stream) = &mut link.wire {
        stream.send(text);
    }
    Pending { id, list: None, last: None, alone: false }
}

/// What is answered first on a stream.
async fn wait_for(
    link: &mut Link,
    pending: &[Pending<'_>],
    deadline: Instant,
) -> Result<Option<(usize, Answer)>, Fault> {
    match &mut link.wire {
        Wire::Stream(stream) => stream.wait(&mut link.inbox, pending, deadline).await,
        Wire::Http(_) => Ok(None),
    }
}
