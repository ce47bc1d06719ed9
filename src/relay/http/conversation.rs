//! One session of a client with the server, or all the requests of one kind of client that stand by themselves: who waits for
//! what, and what passes now. The judging is [`Session`]'s; here lines find the exchange that they belong to.

use crate::guard::{Approvals, Exchange, Line, Output, Session, Told};
use crate::held::held;
use bytes::Bytes;
use hyper::header::{HeaderMap, HeaderValue};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Which conversation a request belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    /// The session of this id.
    Session(HeaderValue),
    /// Requests that stand by themselves, by what they say of who asks: the protocol's version, and the capabilities that
    /// the server's lists may depend on.
    Alone(Option<HeaderValue>, Option<Vec<u8>>),
}

/// What comes for an exchange.
#[derive(Debug)]
pub(super) enum Come {
    ToServer(Bytes),
    ToClient(Bytes),
}

/// What is left to do once lines found their exchanges.
#[derive(Debug, Default)]
pub(super) struct Rest {
    /// Requests of the guard's own.
    pub own: Vec<Bytes>,
    pub told: Vec<Told>,
}

#[derive(Debug)]
struct Inner {
    session: Session,
    exchanges: HashMap<u64, UnboundedSender<Come>>,
    last: u64,
    /// The stream for what nobody asked for.
    unasked: Option<u64>,
    /// What requests of the guard's own carry.
    headers: HeaderMap,
    used: Instant,
    /// The server does not know the session any more.
    lost: bool,
}

#[derive(Debug)]
pub(super) struct Conversation {
    begun: Instant,
    inner: Mutex<Inner>,
}

impl Conversation {
    pub fn new(session: Session) -> Arc<Self> {
        let begun = Instant::now();
        let inner = Inner {
            session,
            exchanges: HashMap::new(),
            last: 0,
            unasked: None,
            headers: HeaderMap::new(),
            used: begun,
            lost: false,
        };
        Arc::new(Self { begun, inner: Mutex::new(inner) })
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        held(&self.inner)
    }

    /// Has the session judge something; what comes of it goes to the exchanges that wait.
    pub fn say(&self, judge: impl FnOnce(&mut Session, Duration) -> Output) -> Rest {
        let mut inner = self.inner();
        let output = judge(&mut inner.session, self.begun.elapsed());
        let mut rest = Rest { told: output.told, own: Vec::new() };
        for Line { exchange, text } in output.to_server {
            match exchange {
                Exchange::Unasked => rest.own.push(text),
                Exchange::Of(number) => inner.hand(number, Come::ToServer(text)),
            }
        }
        for Line { exchange, text } in output.to_client {
            let number = match exchange {
                Exchange::Unasked => inner.unasked,
                Exchange::Of(number) => Some(number),
            };
            // What was said to nobody in particular is lost where nobody listens, as it would be without a guard.
            if let Some(number) = number {
                inner.hand(number, Come::ToClient(text));
            }
        }
        rest
    }

    /// Looks at the session.
    pub fn look<T>(&self, look: impl FnOnce(&mut Session) -> T) -> T {
        look(&mut self.inner().session)
    }

    /// What was approved is another now.
    pub fn take(&self, approvals: &Result<Arc<Approvals>, Arc<str>>) -> Rest {
        self.say(|session, now| session.take(approvals.clone(), now))
    }

    /// An exchange begins, whose requests carry these headers. `listens`: what nobody asked for goes there.
    pub fn begin(self: &Arc<Self>, headers: &HeaderMap, listens: bool) -> Visit {
        let (send, come) = unbounded_channel();
        let mut inner = self.inner();
        inner.last += 1;
        let number = inner.last;
        inner.exchanges.insert(number, send);
        inner.headers.clone_from(headers);
        inner.used = Instant::now();
        if listens {
            inner.unasked = Some(number);
        }
        Visit { conversation: Arc::clone(self), number, come, is_resumable: false }
    }

    /// What requests of the guard's own carry.
    pub fn headers(&self) -> HeaderMap {
        self.inner().headers.clone()
    }

    /// The server does not know the session any more.
    pub fn lose(&self) {
        self.inner().lost = true;
    }

    pub fn is_lost(&self) -> bool {
        self.inner().lost
    }

    /// When it was last used; none while somebody waits for something.
    pub fn idle_since(&self) -> Option<Instant> {
        let inner = self.inner();
        inner.exchanges.is_empty().then_some(inner.used)
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        self.inner().session.close();
    }
}

impl Inner {
    fn hand(&self, number: u64, come: Come) {
        if let Some(exchange) = self.exchanges.get(&number) {
            // Who left meanwhile waits for nothing.
            let _ = exchange.send(come);
        }
    }
}

/// An exchange, as long as somebody waits for it.
#[derive(Debug)]
pub(super) struct Visit {
    pub conversation: Arc<Conversation>,
    number: u64,
    come: UnboundedReceiver<Come>,
    /// Whether what is still to come may come in another exchange.
    pub is_resumable: bool,
}

impl Visit {
    pub fn exchange(&self) -> Exchange {
        Exchange::Of(self.number)
    }

    /// What comes next. Cancel-safe.
    pub async fn next(&mut self) -> Option<Come> {
        self.come.recv().await
    }

    /// What is there for the client.
    pub fn for_client(&mut self) -> Vec<Bytes> {
        let mut lines = Vec::new();
        while let Ok(come) = self.come.try_recv() {
            if let Come::ToClient(line) = come {
                lines.push(line);
            }
        }
        lines
    }

    /// Waits until everything that was said is judged: what of it goes to the server, and what to the client.
    pub async fn judged(&mut self) -> (Vec<Bytes>, Vec<Bytes>) {
        let (mut to_server, mut to_client) = (Vec::new(), Vec::new());
        let mut take = |come| match come {
            Come::ToServer(line) => to_server.push(line),
            Come::ToClient(line) => to_client.push(line),
        };
        let exchange = self.exchange();
        loop {
            let is_judged = !self.conversation.look(|session| session.holds(exchange));
            while let Ok(come) = self.come.try_recv() {
                take(come);
            }
            if is_judged {
                break;
            }
            let Some(come) = self.come.recv().await else { break };
            take(come);
        }
        (to_server, to_client)
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        let mut inner = self.conversation.inner();
        inner.exchanges.remove(&self.number);
        if inner.unasked == Some(self.number) {
            inner.unasked = None;
        }
        inner.used = Instant::now();
        inner.session.left(Exchange::Of(self.number), self.is_resumable);
    }
}
