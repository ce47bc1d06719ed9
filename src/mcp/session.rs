//! One open connection to one server: it is looked at again and again, says when its lists changed, and is closed.

use super::era::{self, Handshake, Outcome};
use super::fault::Fault;
use super::link::Link;
use super::list::{List, ListReader, Page, Told};
use super::revisions::Attempts;
use super::stdio::Stdio;
use super::target::{Identify, Options};
use super::well_known::{self, ATTESTATION, PRINCIPAL};
use crate::oauth::Challenge;
use crate::surface::{Completeness, Era, Exhibit, Kind, Notice, Observation, ObservedAs, Presented, RawItem, Reason};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;
use tokio::time::{Instant, sleep_until, timeout_at};

/// An open connection. Dropped without [`Session::close`], it kills the process and all that it started at once.
pub struct Session {
    link: Link,
    handshake: Handshake,
    /// The pages of each list at the last look, where it was complete.
    pages: BTreeMap<Kind, Vec<Page>>,
    options: Options,
    /// Why nothing more will come.
    ended: Option<Reason>,
    /// Whether the last look reached its end, so that the caller knows what it saw.
    reported: bool,
    looks: u64,
    /// Whether a list was ever read in this session.
    worked: bool,
    /// Why the last look saw no list: each that was asked for was refused.
    refused: Option<Reason>,
    /// Why the last look shook hands again, and whether that came to a session.
    shaken: Option<(Reason, bool)>,
    idle: Idle,
    /// What the last look showed of who the server is.
    presented: Option<Presented>,
    /// When its documents were last asked for; none where they are to be.
    documents_at: Option<Instant>,
    /// Whether it turned us away at the last look.
    denied: bool,
}

/// How much was read in the current second while nothing was asked.
#[derive(Debug)]
struct Idle {
    since: Instant,
    messages: u32,
}

/// What a look saw.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "one a look, and moved once: a box would save nobody anything")]
pub enum Look {
    /// Every byte of every answer, around the request's id, is that of the last look. Nothing was parsed.
    Unchanged {
        /// What was odd so far.
        notices: Vec<Notice>,
    },
    /// What there is, whole or in part.
    Seen(Observation),
}

/// What happened between looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The server said that a list changed; however often it said so in a short time, this comes once.
    ListChanged,
    /// There will be no more.
    Ended(Reason),
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The rest is the server's own text, or how it is reached.
        f.debug_struct("Session").field("observed_as", &self.handshake.observed_as).finish_non_exhaustive()
    }
}

impl Session {
    pub(super) fn new(link: Link, handshake: Handshake, options: &Options) -> Self {
        let mut session = Self {
            link,
            handshake,
            pages: BTreeMap::new(),
            options: options.clone(),
            ended: None,
            reported: false,
            looks: 0,
            worked: false,
            refused: None,
            shaken: None,
            idle: Idle { since: Instant::now(), messages: 0 },
            presented: None,
            documents_at: None,
            denied: false,
        };
        session.listen();
        session
    }

    /// Asks to be told of changes, where that is wanted and there are any to be told of.
    fn listen(&mut self) {
        let ignored = |kind: &Kind| self.options.ignore.contains(kind);
        let kinds: BTreeSet<Kind> = self.handshake.promised.iter().copied().filter(|kind| !ignored(kind)).collect();
        if self.options.listen && !kinds.is_empty() {
            self.link.listen(&kinds);
        }
    }

    /// Looks at everything once. Never fails: what could not be read is in the observation, with the reason. If the
    /// future is dropped the session stays usable, and the next look is a full one.
    pub async fn look(&mut self) -> Look {
        if self.looks == 0 && !self.options.settle.is_zero() {
            self.settle(Instant::now() + self.options.settle).await;
        }
        self.looks += 1;
        let known = std::mem::replace(&mut self.reported, false);
        self.link.inbox.clear_changes();
        let mut look = Looking { same: known, heard: self.looks == 1, ..Looking::default() };
        self.shaken = None;
        let handshake = self.look_at_handshake(&mut look).await;
        self.look_at_lists(&mut look).await;
        if let Some(reason) = look.lost()
            && self.worked
            && self.reopen(&mut look, &reason).await
        {
            look.forget_lists();
            self.look_at_lists(&mut look).await;
        }
        self.worked |= look.lists.listed;
        self.denied = look.lists.denied;
        self.refused = look.lost().or(self.ended.clone().filter(|reason| reason.code == "http-status"));
        // Last, since a session that was lost is opened anew on the way.
        self.take_handshake(&handshake, &mut look);
        let presented = self.present(&look).await;
        look.same &= self.presented.as_ref() == Some(&presented);
        self.presented = Some(presented.clone());
        self.link.overhear();
        let changes = self.link.inbox.changes();
        if changes > 0 {
            self.link.inbox.notices.add_many("list-changed", changes, || {
                "the server said that its lists changed while they were read".to_owned()
            });
        }
        self.link.shrink();
        self.reported = true;
        let notices = self.notices();
        if look.same {
            return Look::Unchanged { notices };
        }
        match look.first_reason() {
            Some(reason) if !look.heard => Look::Seen(Observation::failed(&reason, notices)),
            _ => Look::Seen(Observation {
                observed_as: Some(self.handshake.observed_as.clone()),
                items: look.items,
                completeness: look.completeness,
                notices,
                presented,
            }),
        }
    }

    /// What the server shows of who it is. Its documents are asked for last, so that a server which never answers for them
    /// keeps nobody from what it lists.
    async fn present(&mut self, look: &Looking) -> Presented {
        let mut presented = Presented { meta: self.handshake.meta.clone(), ..Presented::default() };
        let Some((disclosed, endpoint)) = self.link.disclosed() else { return presented };
        (presented.did_header, presented.badge_header) = (disclosed.did, disclosed.badge);
        let limits = &self.link.inbox.limits;
        let known = self.presented.as_ref().filter(|known| known.attestation != Exhibit::Unasked);
        let is_fresh = self.documents_at.is_some_and(|at| look.same && at.elapsed() < limits.document_age);
        let [again, principal_again] = match self.options.identify {
            Identify::Never | Identify::Once => [false; 2],
            Identify::Again { attestation, principal } => [attestation, principal],
        };
        match known {
            Some(known) if is_fresh || !(again || principal_again) => {
                presented.attestation = known.attestation.clone();
                presented.principal = known.principal.clone();
            }
            _ if self.options.identify == Identify::Never => {}
            _ if !look.heard || look.unreachable.is_some() || self.ended.is_some() => {}
            known => {
                let patience = self.options.request_timeout;
                let ask = async |path, known: Option<&Exhibit>| match known {
                    Some(known) => known.clone(),
                    None => well_known::ask(endpoint, path, limits, patience).await,
                };
                (presented.attestation, presented.principal) = tokio::join!(
                    ask(ATTESTATION, known.filter(|_| !again).map(|known| &known.attestation)),
                    ask(PRINCIPAL, known.filter(|_| !principal_again).map(|known| &known.principal)),
                );
                self.documents_at = Some(Instant::now());
            }
        }
        presented
    }

    /// Has the next look ask again who the server is.
    pub fn ask_who_it_is(&mut self) {
        self.documents_at = None;
    }

    /// In the discover era the server is asked again what it is; in the other the handshake has said it for the session.
    async fn look_at_handshake(&mut self, look: &mut Looking) -> Completeness {
        if self.handshake.observed_as.era != Era::Discover || self.looks == 1 {
            return Completeness::Complete;
        }
        match era::discover_again(&mut self.link, &self.handshake, self.options.request_timeout).await {
            Ok(None) => look.heard = true,
            Ok(Some(handshake)) => {
                self.handshake = handshake;
                look.heard = true;
                look.same = false;
            }
            Err(fault) => {
                self.note(&fault, look);
                return Completeness::Failed(fault.reason("server/discover"));
            }
        }
        Completeness::Complete
    }

    fn take_handshake(&self, state: &Completeness, look: &mut Looking) {
        let limit = self.link.inbox.limits.item_bytes;
        for kind in [Kind::Instructions, Kind::Capabilities, Kind::ServerInfo] {
            let item = self.handshake.items.iter().find(|item| item.kind == kind);
            let state = if self.options.ignore.contains(&kind) {
                Completeness::Ignored
            } else if *state != Completeness::Complete {
                state.clone()
            } else if item.is_some_and(|item| item.bytes.len() > limit) {
                let text = format!("the server's {kind} are larger than {limit} bytes");
                Completeness::Failed(Reason::new("item-too-large", text))
            } else {
                look.items.extend(item.cloned());
                Completeness::Complete
            };
            look.completeness.insert(kind, state);
        }
    }

    async fn look_at_lists(&mut self, look: &mut Looking) {
        for kind in Kind::LISTS {
            self.look_at_list(kind, look).await;
        }
    }

    async fn look_at_list(&mut self, kind: Kind, look: &mut Looking) {
        let Some((method, member)) = kind.list_method() else { return };
        let promised = self.handshake.promised.contains(&kind);
        let state = if self.options.ignore.contains(&kind) {
            Completeness::Ignored
        } else if !promised && kind != Kind::Tool {
            Completeness::Complete
        } else if let Some(reason) = self.ended.as_ref().or(look.unreachable.as_ref()) {
            Completeness::Failed(reason.clone())
        } else if look.timeouts >= self.link.inbox.limits.silent_lists {
            let text = format!("{method} was not asked for: the server was silent {} times before", look.timeouts);
            Completeness::Failed(Reason::new("request-timeout", text))
        } else {
            let mut read = self.read_list(kind, method, member).await;
            if let Some(Fault::SessionLost(reason)) = read.fault.clone()
                && self.reopen(look, &reason).await
            {
                read = self.read_list(kind, method, member).await;
            }
            self.take_list(kind, read, look)
        };
        look.same &= !matches!(state, Completeness::Failed(_) | Completeness::Partial(_));
        look.completeness.insert(kind, state);
    }

    async fn read_list(&mut self, kind: Kind, method: &'static str, member: &'static str) -> List {
        let last = self.pages.remove(&kind).unwrap_or_default();
        let promised = self.handshake.promised.contains(&kind);
        let patience = self.options.request_timeout;
        ListReader { kind, method, member, promised, last: &last, patience }.read(&mut self.link).await
    }

    /// Shakes hands once more with a server that forgot the session; once a look. In the discover era there is none.
    async fn reopen(&mut self, look: &mut Looking, lost: &Reason) -> bool {
        if self.handshake.observed_as.era == Era::Discover || std::mem::replace(&mut look.reopened, true) {
            return false;
        }
        look.same = false;
        self.worked |= look.lists.listed;
        let limits = &self.link.inbox.limits;
        let patience = match self.link.process() {
            Some(_) => self.options.start_timeout.min(limits.second_start),
            None => self.options.start_timeout,
        };
        let mut attempts = Attempts::once(&self.handshake.observed_as.protocol_version);
        let opened = era::initialize(&mut self.link, patience, &mut attempts).await;
        let is_open = match opened {
            Ok(Outcome::Open(handshake)) => {
                self.handshake = *handshake;
                self.listen();
                true
            }
            Err(Fault::Ended(reason)) => {
                self.ended = Some(reason);
                false
            }
            _ => false,
        };
        if self.worked {
            self.shaken = Some((lost.clone(), is_open));
        }
        if is_open && self.worked {
            self.link
                .inbox
                .notices
                .add("session-reopened", || format!("the server lost the session, which was reopened: {}", lost.text));
        }
        is_open
    }

    fn take_list(&mut self, kind: Kind, list: List, look: &mut Looking) -> Completeness {
        look.heard |= list.heard;
        look.same &= list.same;
        look.lists.listed |= list.told == Told::Entries;
        if let Completeness::Failed(reason) | Completeness::Partial(reason) = &list.completeness {
            if list.told == Told::Refusal {
                look.lists.refused.get_or_insert_with(|| reason.clone());
            } else {
                look.lists.spoilt = true;
            }
        }
        look.items.extend(list.entries.into_iter().map(|bytes| RawItem { kind, bytes }));
        if let Some(fault) = &list.fault {
            self.note(fault, look);
        }
        if list.completeness == Completeness::Complete {
            self.pages.insert(kind, list.pages);
        }
        list.completeness
    }

    fn note(&mut self, fault: &Fault, look: &mut Looking) {
        look.same = false;
        match fault {
            Fault::TimedOut(_) => look.timeouts += 1,
            Fault::Ended(reason) => self.ended = Some(reason.clone()),
            Fault::Unreachable(reason) => look.unreachable = Some(reason.clone()),
            Fault::Denied(_) => look.lists.denied = true,
            Fault::Refused(_) | Fault::Unanswered(_) | Fault::Rejected(_) | Fault::SessionLost(_) => {}
        }
    }

    /// Resolves when a list changed or the session ended, and not before. Cancel-safe. After [`Event::Ended`] it resolves
    /// at once.
    pub async fn changed(&mut self) -> Event {
        loop {
            if let Some(reason) = &self.ended {
                return Event::Ended(reason.clone());
            }
            let due = self.link.inbox.change_due();
            if due.is_some_and(|due| due <= Instant::now()) {
                self.link.inbox.clear_changes();
                return Event::ListChanged;
            }
            match due {
                Some(due) => {
                    // The time is the debounce's: when it is over, the loop sees that it is due.
                    let _ = timeout_at(due, self.hear()).await;
                }
                None => self.hear().await,
            }
        }
    }

    /// Takes in what comes until `deadline`.
    async fn settle(&mut self, deadline: Instant) {
        while self.ended.is_none() && timeout_at(deadline, self.hear()).await.is_ok() {}
    }

    /// Takes in one message, not faster than the limit for an idle session. Cancel-safe.
    async fn hear(&mut self) {
        let second = self.idle.since + Duration::from_secs(1);
        if Instant::now() >= second {
            self.idle = Idle { since: Instant::now(), messages: 0 };
        } else if self.idle.messages >= self.link.inbox.limits.idle_messages {
            // It waits in the pipe, and the flooder with it.
            sleep_until(second).await;
            return;
        }
        match self.link.hear().await {
            Ok(()) => self.idle.messages += 1,
            Err(reason) => self.ended = Some(reason),
        }
    }

    /// The process id of a command, while it runs.
    pub fn pid(&self) -> Option<u32> {
        self.link.process().and_then(Stdio::pid)
    }

    /// Whether a list was ever read in this session.
    pub fn worked(&self) -> bool {
        self.worked
    }

    /// Why the last look saw no list: each that was asked for was refused.
    pub fn refused(&self) -> Option<&Reason> {
        self.refused.as_ref()
    }

    /// What the server asks for where it turned us away at the last look and wants a bearer token.
    pub fn challenge(&self) -> Option<&Challenge> {
        self.link.challenge().filter(|_| self.denied)
    }

    /// Why the session was opened again in the last look.
    pub fn reopened(&self) -> Option<&Reason> {
        self.shaken.as_ref().filter(|(_, is_open)| *is_open).map(|(lost, _)| lost)
    }

    /// Whether another session may take what this one no longer does: another process, or a handshake that was not tried
    /// in the last look.
    pub fn is_renewable(&self) -> bool {
        self.worked && (self.link.process().is_some() || self.shaken.is_none())
    }

    /// The handshake.
    pub fn observed_as(&self) -> &ObservedAs {
        &self.handshake.observed_as
    }

    /// The last lines of standard error, oldest first, neither redacted nor escaped.
    pub fn stderr_tail(&self) -> Vec<String> {
        self.link.stderr_tail()
    }

    /// What was odd so far, each kind of oddity once with its count.
    pub fn notices(&self) -> Vec<Notice> {
        self.link.notices()
    }

    /// Ends the session as the server expects it: standard input closed, then SIGTERM, then SIGKILL to the process group.
    /// Takes the sum of the closing [`Limits`] at most.
    pub async fn close(self) {
        self.link.close().await;
    }
}

/// What a look has come to so far.
#[derive(Debug, Default)]
struct Looking {
    items: Vec<RawItem>,
    completeness: BTreeMap<Kind, Completeness>,
    /// Nothing differs from the last look yet.
    same: bool,
    /// The server was heard during this look.
    heard: bool,
    /// Requests that timed out.
    timeouts: u32,
    /// Why the server cannot be reached.
    unreachable: Option<Reason>,
    /// The session was lost and a new one asked for.
    reopened: bool,
    lists: Lists,
}

/// What became of the lists that were asked for.
#[derive(Debug, Default)]
struct Lists {
    /// Some list was read.
    listed: bool,
    /// Why the first list was refused that was.
    refused: Option<Reason>,
    /// A list could not be read for another reason than a refusal.
    spoilt: bool,
    /// The server turned us away.
    denied: bool,
}

impl Looking {
    /// Why the server does not seem to know the session: each list that was asked for was refused.
    fn lost(&self) -> Option<Reason> {
        self.lists.refused.clone().filter(|_| !self.lists.listed && !self.lists.spoilt)
    }

    /// The lists are asked for once more.
    fn forget_lists(&mut self) {
        self.items.clear();
        self.completeness.clear();
        self.lists = Lists::default();
    }

    fn first_reason(&self) -> Option<Reason> {
        self.completeness.values().find_map(|state| match state {
            Completeness::Failed(reason) | Completeness::Partial(reason) => Some(reason.clone()),
            Completeness::Complete | Completeness::Ignored => None,
        })
    }
}
