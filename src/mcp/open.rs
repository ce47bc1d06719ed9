//! Comes to a session: starts a process or prepares an endpoint, finds out which era is spoken, and shakes hands.

use super::era::{self, Outcome};
use super::http::Http;
use super::http_sse::HttpSse;
use super::inbox::Inbox;
use super::limits::Limits;
use super::link::{Fault, Link, Stream, Wire};
use super::probe::{discover_first, probe};
use super::reason::Failure;
use super::session::Session;
use super::stdio::Stdio;
use super::target::{Options, Target};
use crate::surface::{Era, Reason};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// See [`Session::open`].
pub(super) async fn open(target: &Target, options: &Options, limits: &Arc<Limits>) -> Result<Session, Failure> {
    match target {
        Target::Stdio { command, args, cwd, env } => {
            let start = || Stdio::start(command, args, cwd, env, Arc::clone(limits));
            open_stdio(start, options, limits).await
        }
        Target::Http { url, headers, allow_plain } => {
            let http = Http::new(url, headers, *allow_plain, Arc::clone(limits)).map_err(before)?;
            open_http(http, options, limits).await
        }
        Target::Unusable(reason) | Target::Unwatched(reason) => Err(before(reason.clone())),
    }
}

/// A failure before anything was heard.
fn before(reason: Reason) -> Failure {
    Failure { reason, stderr_tail: Vec::new(), notices: Vec::new() }
}

/// Finds the era of an endpoint and shakes hands; where it knows no POST, over the transport of revision 2024-11-05.
async fn open_http(http: Http, options: &Options, limits: &Arc<Limits>) -> Result<Session, Failure> {
    let deadline = Instant::now() + options.start_timeout;
    let endpoint = http.endpoint.clone();
    let inbox = || Inbox::new(Arc::clone(limits), options.ignore.clone());
    let mut link = Link { wire: Wire::Http(Box::new(http)), inbox: inbox() };
    let opened = match options.known_era {
        Some(Era::Initialize) => initialize_first(&mut link, options.start_timeout).await,
        Some(Era::Discover) => discover_first(&mut link, options.start_timeout, options.start_timeout).await,
        None => probe(&mut link, options.start_timeout).await,
    };
    let refused = match &opened {
        Ok(Outcome::OtherEra(_)) => true,
        Err(Fault::Refused(reason)) => reason.code == "http-status",
        _ => false,
    };
    let left = || deadline.saturating_duration_since(Instant::now());
    let patience = left().min(limits.probe);
    if refused && let Ok(stream) = HttpSse::open(endpoint, Arc::clone(limits), patience).await {
        let mut old = Link { wire: Wire::Stream(Stream::HttpSse(Box::new(stream))), inbox: inbox() };
        let opened = era::initialize(&mut old, left()).await;
        return finish(old, opened, options).await;
    }
    finish(link, opened, options).await
}

/// Starts a process, finds its era and shakes hands.
async fn open_stdio(
    start: impl Fn() -> Result<Stdio, Reason>,
    options: &Options,
    limits: &Arc<Limits>,
) -> Result<Session, Failure> {
    let link = |stdio| Link {
        wire: Wire::Stream(Stream::Stdio(Box::new(stdio))),
        inbox: Inbox::new(Arc::clone(limits), options.ignore.clone()),
    };
    let mut first = link(start().map_err(before)?);
    let opened = match options.known_era {
        Some(Era::Initialize) => initialize_first(&mut first, options.start_timeout).await,
        Some(Era::Discover) => discover_first(&mut first, options.start_timeout, options.start_timeout).await,
        None => probe(&mut first, options.start_timeout).await,
    };
    // A process that died of a question it did not know, or never spoke after it, gets another chance without it.
    let silenced = match &opened {
        Err(Fault::Ended(reason)) => matches!(reason.code, "exited" | "closed-stdout"),
        Err(Fault::TimedOut(_)) => !first.inbox.heard,
        _ => false,
    };
    if options.known_era == Some(Era::Initialize) || !silenced {
        return finish(first, opened, options).await;
    }
    first.close().await;
    let mut second = link(start().map_err(before)?);
    let patience = options.start_timeout.min(limits.second_start);
    let opened = era::initialize(&mut second, patience).await;
    finish(second, opened, options).await
}

/// The known era first; a server that was brought up to date since may refuse it.
async fn initialize_first(link: &mut Link, patience: Duration) -> Result<Outcome, Fault> {
    let deadline = Instant::now() + patience;
    let first = era::initialize(link, patience).await;
    if !matches!(first, Ok(Outcome::OtherEra(_)) | Err(Fault::Refused(_))) {
        return first;
    }
    match era::discover(link, deadline.saturating_duration_since(Instant::now())).await {
        Ok(Outcome::OtherEra(_)) => first,
        Err(fault) if fault.may_be_other_era() => first,
        other => other,
    }
}

async fn finish(link: Link, opened: Result<Outcome, Fault>, options: &Options) -> Result<Session, Failure> {
    let reason = match opened {
        Ok(Outcome::Open(handshake)) => return Ok(Session::new(link, *handshake, options)),
        Ok(Outcome::Failed(reason) | Outcome::OtherEra(reason)) => reason,
        Err(fault) => fault.at_start(),
    };
    let (stderr_tail, notices) = (link.stderr_tail(), link.notices());
    link.close().await;
    Err(Failure { reason, stderr_tail, notices })
}
