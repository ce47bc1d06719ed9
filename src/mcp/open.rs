//! Comes to a session: starts a process or prepares an endpoint, finds out which era is spoken, and shakes hands.

use super::endpoint::Endpoint;
use super::era::{self, Outcome};
use super::fault::Fault;
use super::http::Http;
use super::http_sse::HttpSse;
use super::inbox::Inbox;
use super::limits::Limits;
use super::link::{Link, Stream, Wire};
use super::probe::{discover_first, probe};
use super::reason::Failure;
use super::revisions::Attempts;
use super::session::Session;
use super::stdio::Stdio;
use super::target::{Options, Target};
use crate::surface::{Era, Reason};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

impl Session {
    /// Starts or reaches the server and shakes hands, in at most the start time-out; a process that died or fell silent
    /// at a question it did not know is started once more.
    pub async fn open(target: &Target, options: &Options, limits: &Limits) -> Result<Self, Failure> {
        let limits = Arc::new(limits.clone());
        match target {
            Target::Stdio { command, args, cwd, env } => {
                let start = || Stdio::start(command, args, cwd, env, Arc::clone(&limits));
                open_stdio(start, options, &limits).await
            }
            Target::Http { url, headers, allow_plain } => {
                let mut http = Http::new(url, headers, *allow_plain, Arc::clone(&limits)).map_err(before)?;
                http.endpoint.introduce(&options.client);
                open_http(http, options, &limits).await
            }
            Target::Unusable(reason) | Target::Unwatched(reason) => Err(before(reason.clone())),
        }
    }
}

/// A failure before anything was heard.
fn before(reason: Reason) -> Failure {
    Failure { reason, stderr_tail: Vec::new(), notices: Vec::new(), challenge: None }
}

/// Finds the era of an endpoint and shakes hands; where it knows no POST, over the transport of revision 2024-11-05.
async fn open_http(http: Http, options: &Options, limits: &Arc<Limits>) -> Result<Session, Failure> {
    let deadline = Instant::now() + options.start_timeout;
    let endpoint = http.endpoint.clone();
    let mut link = Link { wire: Wire::Http(Box::new(http)), inbox: inbox(options, limits) };
    let mut attempts = Attempts::new(options.known_revision.as_deref());
    let opened = first_contact(&mut link, options, &mut attempts).await;
    let refused = match &opened {
        Ok(Outcome::OtherEra(_)) | Err(Fault::Rejected(_)) => true,
        Err(Fault::Refused(reason) | Fault::Unanswered(reason)) => reason.code == "http-status",
        _ => false,
    };
    if refused && let Some((link, opened)) = open_http_sse(endpoint, options, limits, deadline).await {
        return finish(link, opened, options, &Attempts::new(None)).await;
    }
    finish(link, opened, options, &attempts).await
}

/// The transport of revision 2024-11-05, where the endpoint offers it.
async fn open_http_sse(
    endpoint: Endpoint,
    options: &Options,
    limits: &Arc<Limits>,
    deadline: Instant,
) -> Option<(Link, Result<Outcome, Fault>)> {
    let left = || deadline.saturating_duration_since(Instant::now());
    let mut attempts = Attempts::new(options.known_revision.as_deref());
    let mut ended = None;
    loop {
        let patience = left().min(limits.probe);
        let Ok(stream) = HttpSse::open(endpoint.clone(), Arc::clone(limits), patience).await else { return ended };
        let wire = Wire::Stream(Stream::HttpSse(Box::new(stream)));
        let mut link = Link { wire, inbox: inbox(options, limits) };
        let opened = era::initialize(&mut link, left(), &mut attempts).await;
        // A status in place of an answer ends the stream for us; it may have been about the revision.
        let rejected = matches!(&opened, Err(Fault::Ended(reason)) if reason.code == "http-status");
        if !rejected || ended.is_some() || !attempts.start_again(false) {
            return Some((link, opened));
        }
        ended = Some((link, opened));
    }
}

fn inbox(options: &Options, limits: &Arc<Limits>) -> Inbox {
    let mut inbox = Inbox::new(Arc::clone(limits), options.ignore.clone());
    inbox.client = Arc::clone(&options.client);
    inbox
}

/// The known era first, or a probe.
async fn first_contact(link: &mut Link, options: &Options, attempts: &mut Attempts) -> Result<Outcome, Fault> {
    let patience = options.start_timeout;
    match options.known_era {
        Some(Era::Initialize) => initialize_first(link, patience, attempts).await,
        Some(Era::Discover) => discover_first(link, patience, patience, attempts).await,
        None => probe(link, patience, attempts).await,
    }
}

/// Starts a process, finds its era and shakes hands; in another process where that is to be of use.
async fn open_stdio(
    start: impl Fn() -> Result<Stdio, Reason>,
    options: &Options,
    limits: &Arc<Limits>,
) -> Result<Session, Failure> {
    let mut attempts = Attempts::new(options.known_revision.as_deref());
    let mut heard = false;
    let mut starts = 0;
    loop {
        starts += 1;
        let wire = Wire::Stream(Stream::Stdio(Box::new(start().map_err(before)?)));
        let mut link = Link { wire, inbox: inbox(options, limits) };
        let opened = if starts == 1 {
            first_contact(&mut link, options, &mut attempts).await
        } else {
            era::initialize(&mut link, options.start_timeout.min(limits.second_start), &mut attempts).await
        };
        heard |= link.inbox.heard;
        let discovered = starts == 1 && options.known_era != Some(Era::Initialize);
        let again = match starts {
            STARTS => false,
            _ => start_again(&opened, &link, &mut attempts, Before { first: starts == 1, discovered, heard }),
        };
        if !again {
            return finish(link, opened, options, &attempts).await;
        }
        link.close().await;
    }
}

/// How often a process is started for one session: for what it was asked first, for `initialize` alone, for another
/// revision.
const STARTS: u32 = 3;

/// What is known of a process that did not come to a session.
#[derive(Clone, Copy, Debug)]
struct Before {
    first: bool,
    /// It was asked `server/discover` first.
    discovered: bool,
    /// It, or one before it, said something of the protocol.
    heard: bool,
}

/// Whether another process may take what this one did not.
fn start_again(opened: &Result<Outcome, Fault>, link: &Link, attempts: &mut Attempts, before: Before) -> bool {
    let Before { first, discovered, heard } = before;
    let ended = match opened {
        Err(Fault::Ended(reason)) => matches!(reason.code, "exited" | "closed-stdout"),
        // A process that never spoke after a question that it did not know gets another chance without it.
        Err(Fault::TimedOut(_)) => return discovered && !link.inbox.heard && attempts.start_again(true),
        // A refusal may have spoilt the process for the revisions that came after it.
        Ok(Outcome::OtherEra(_)) => return first && attempts.are_about_revisions() && attempts.start_again(false),
        _ => false,
    };
    if !ended {
        return false;
    }
    let asked = attempts.last().is_some();
    if asked {
        attempts.hear(link.stderr_tail().join("\n").as_bytes());
    }
    let about_revision = asked && attempts.are_about_revisions();
    if discovered && !about_revision {
        // It died of a question that it did not know, or of what came after it.
        return attempts.start_again(true);
    }
    // One that crashes whatever is asked is not started for each revision.
    (about_revision || (asked && heard) || attempts.knows_another()) && attempts.start_again(false)
}

/// The known era first; a server that was brought up to date since may refuse it.
async fn initialize_first(link: &mut Link, patience: Duration, attempts: &mut Attempts) -> Result<Outcome, Fault> {
    let deadline = Instant::now() + patience;
    let first = era::initialize(link, patience, attempts).await;
    let may_be_other = match &first {
        Ok(outcome) => matches!(outcome, Outcome::OtherEra(_)),
        Err(fault) => fault.may_be_other_era() && !matches!(fault, Fault::TimedOut(_)),
    };
    if !may_be_other {
        return first;
    }
    match era::discover(link, deadline.saturating_duration_since(Instant::now())).await {
        Ok(Outcome::OtherEra(_)) => first,
        Err(fault) if fault.may_be_other_era() => first,
        other => other,
    }
}

async fn finish(
    link: Link,
    opened: Result<Outcome, Fault>,
    options: &Options,
    attempts: &Attempts,
) -> Result<Session, Failure> {
    let reason = match opened {
        Ok(Outcome::Open(handshake)) => return Ok(Session::new(link, *handshake, options)),
        Ok(Outcome::Failed(reason) | Outcome::OtherEra(reason)) => reason,
        Err(fault) => fault.at_start(),
    };
    let reason = attempts.told(reason);
    let (stderr_tail, notices) = (link.stderr_tail(), link.notices());
    let challenge = link.challenge().cloned();
    link.close().await;
    Err(Failure { reason, stderr_tail, notices, challenge })
}
