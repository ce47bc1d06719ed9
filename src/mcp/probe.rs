//! Finds out which era a server speaks that nobody has looked at before, without harm to one that knows only the other.

use super::era::{
    DISCOVER, INITIALIZE, INITIALIZE_REVISIONS, Outcome, discover, initialize, initialize_params, read_discover,
    read_initialize,
};
use super::inbox::{Answer, Pending};
use super::link::{Ask, Fault, Link, Wire};
use crate::surface::Era;
use std::time::Duration;
use tokio::time::Instant;

/// Finds out what a server speaks that nobody has looked at before.
pub(super) async fn probe(link: &mut Link, patience: Duration) -> Result<Outcome, Fault> {
    match &link.wire {
        Wire::Stream(_) => probe_stream(link, patience).await,
        Wire::Http(_) => probe_endpoint(link, patience).await,
    }
}

/// `server/discover` first, and `initialize` where the answer, or none in half of the time, could be the other era's.
async fn probe_endpoint(link: &mut Link, patience: Duration) -> Result<Outcome, Fault> {
    let deadline = Instant::now() + patience;
    match discover(link, patience / 2).await {
        Ok(Outcome::OtherEra(_)) => {}
        Err(fault) if fault.may_be_other_era() => {}
        other => return other,
    }
    initialize(link, deadline.saturating_duration_since(Instant::now())).await
}

/// `server/discover` first; after a short silence `initialize` as well, since the process may be slow to start or may
/// drop what it does not know.
async fn probe_stream(link: &mut Link, patience: Duration) -> Result<Outcome, Fault> {
    let start = Instant::now();
    let deadline = start + patience;
    let short = start + link.inbox.limits.probe.min(patience / 2);
    link.begin(Era::Discover);
    let discover = post(link, Ask::plain(DISCOVER));
    let other_era = match wait_for(link, &[discover], short).await {
        Ok(Some((_, answer))) => match read_discover(link, &answer) {
            Ok(Outcome::OtherEra(_)) | Err(Fault::Refused(_)) => true,
            other => return other,
        },
        Ok(None) => false,
        Err(Fault::Refused(_)) => true,
        Err(fault) => return Err(fault),
    };
    if other_era {
        return initialize(link, deadline.saturating_duration_since(Instant::now())).await;
    }
    link.begin(Era::Initialize);
    let members = initialize_params(INITIALIZE_REVISIONS[0]);
    let initialize = post(link, Ask { members: members.as_bytes(), ..Ask::plain(INITIALIZE) });
    let mut pending = vec![initialize, discover];
    loop {
        match wait_for(link, &pending, deadline).await? {
            None => return Err(Fault::TimedOut(patience)),
            Some((0, answer)) => {
                link.inbox.expect_late(discover.id);
                return Ok(match read_initialize(link, &answer).await? {
                    Ok(handshake) => Outcome::Open(Box::new(handshake)),
                    Err(refusal) => Outcome::Failed(refusal.reason(INITIALIZE)),
                });
            }
            Some((_, answer)) => match read_discover(link, &answer) {
                Ok(Outcome::OtherEra(_)) | Err(Fault::Refused(_)) => pending.truncate(1),
                other => {
                    link.begin(Era::Discover);
                    link.inbox.expect_late(initialize.id);
                    return other;
                }
            },
        }
    }
}

/// Sends a request on a stream without waiting for the answer.
fn post(link: &mut Link, ask: Ask<'_>) -> Pending<'static> {
    let (id, text) = link.request(&ask);
    if let Wire::Stream(stream) = &mut link.wire {
        stream.send(text);
    }
    Pending { id, list: None, last: None }
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
