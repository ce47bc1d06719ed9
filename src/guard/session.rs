//! One client and one server with a guard between them: what waits, what was asked, and what may pass now.
//!
//! A use of an item passes only once the server's list was asked for after the last change that was heard of, and within
//! the poll interval; until then it is held, while everything else goes on. Answers that nobody asked for do not pass: a
//! client could take one for the answer to what it is about to ask.

mod decide;
mod evidence;
mod exchange;
mod from_client;
mod from_server;
mod lists;
mod pieces;

use super::ask::Ask;
use super::cut::array;
use super::envelope::{Envelope, messages};
use super::id::Id;
use super::listing::{Listing, Remembered};
use super::{Approvals, Refusal, Witness};
use crate::canon::scan::{self, Span};
use crate::surface::{ItemId, Kind};
use bytes::Bytes;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

/// Messages of one batch.
const BATCH: usize = 1_000;

/// What a session may cost, and for how long what it knows counts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Bounds {
    /// How old the list may be by which something passes.
    pub interval: Duration,
    /// Time for one page of a list.
    pub patience: Duration,
    /// Levels of nesting of one definition.
    pub depth: usize,
    pub pages: usize,
    pub items: usize,
    pub list_bytes: usize,
    /// Requests of the client that may wait for an answer.
    pub pending: usize,
}

/// What is to be told of what passed or did not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// Who the client says that it is. Not escaped.
    Met(String),
    /// A request was answered in the server's place.
    Blocked(Refusal),
    /// It passed, and would not if the guard blocked.
    Warned(Refusal),
    /// It was cut out of an answer.
    Hidden(Refusal),
    /// It passed unseen, as the config says.
    Ignored(ItemId),
    /// A message did not pass, by the code of why.
    Dropped(&'static str),
}

/// What a message travels in. Over pipes one carries them all; over HTTP each request of the client is one of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Exchange {
    /// That of no request of the client: the guard's own lists, and word of changes.
    #[default]
    Unasked,
    /// The one of this number.
    Of(u64),
}

/// A line to be sent, without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Line {
    pub exchange: Exchange,
    pub text: Bytes,
}

impl Line {
    /// A line of this text.
    pub fn new(exchange: Exchange, text: impl Into<Bytes>) -> Self {
        Self { exchange, text: text.into() }
    }
}

/// What comes of a message: lines to be sent, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Output {
    pub to_client: Vec<Line>,
    pub to_server: Vec<Line>,
    pub told: Vec<Told>,
}

/// A request of the client that waits for its answer: its id, and the exchange where ids count within one.
type Key = (Exchange, Id);

/// A request of the client that was passed on.
#[derive(Debug)]
struct Pending {
    ask: Ask,
    exchange: Exchange,
    /// Its id as it was spelt.
    raw: Bytes,
    at: Duration,
    /// The changes that were heard of before it, by list.
    changes: [u64; 4],
    /// Which call of a tool it is, where a witness was told so.
    call: Option<u64>,
}

/// A request of the client that waits until the lists are known.
#[derive(Debug)]
struct Held {
    message: Bytes,
    /// None of a notification.
    id: Option<Key>,
    request: Pending,
    call: Option<Call>,
}

/// A call of a tool that is not decided yet.
#[derive(Debug)]
struct Call {
    tool: String,
    arguments: Option<Span>,
}

/// One client and one server.
#[derive(Debug)]
pub struct Session {
    bounds: Bounds,
    /// What the ids of the guard's own requests begin with.
    token: String,
    approvals: Result<Arc<Approvals>, Arc<str>>,
    lists: HashMap<Kind, Listing>,
    remembered: Remembered,
    /// What is being said travels in this.
    exchange: Exchange,
    /// Whether ids are those of one exchange alone.
    apart: bool,
    pending: HashMap<Key, Pending>,
    held: Vec<Held>,
    own: HashMap<Id, Kind>,
    asked: u64,
    /// What the client calls itself.
    client: Option<String>,
    /// What requests of the discover era say of the client.
    meta: Option<Vec<u8>>,
    /// The lists that the client asked for.
    listed: BTreeSet<Kind>,
    witness: Option<Box<dyn Witness>>,
    /// Calls that the witness was told of.
    calls: u64,
}

impl Session {
    /// Nothing has passed yet. `token` is something that no client's id begins with; `approvals` are why it is closed,
    /// where it is.
    pub fn new(token: String, bounds: Bounds, approvals: Result<Arc<Approvals>, Arc<str>>) -> Self {
        Self {
            bounds,
            token,
            approvals,
            lists: Kind::LISTS.into_iter().map(|kind| (kind, Listing::default())).collect(),
            remembered: Remembered::default(),
            exchange: Exchange::default(),
            apart: false,
            pending: HashMap::new(),
            held: Vec::new(),
            own: HashMap::new(),
            asked: 0,
            client: None,
            meta: None,
            listed: BTreeSet::new(),
            witness: None,
            calls: 0,
        }
    }

    /// The same where each request stands by itself: clients that know nothing of each other share it, and use the same ids.
    #[must_use]
    pub fn apart(self) -> Self {
        Self { apart: true, ..self }
    }

    /// What is said next travels in this exchange.
    pub fn within(&mut self, exchange: Exchange) -> &mut Self {
        self.exchange = exchange;
        self
    }

    /// The same, with somebody who takes down what becomes of each call of a tool.
    #[must_use]
    pub fn witnessed(mut self, witness: Option<Box<dyn Witness>>) -> Self {
        self.witness = witness;
        self
    }

    /// Takes a line of the client; `now` is the time since the session began.
    pub fn client_said(&mut self, line: &Bytes, now: Duration) -> Output {
        let mut out = Output::default();
        let passed = self.each(line, &mut out, |session, message, out| session.of_client(message, now, out));
        out.to_server.extend(passed.map(|text| Line::new(self.exchange, text)));
        self.read_on(now, &mut out);
        out
    }

    /// Takes a line of the server.
    pub fn server_said(&mut self, line: &Bytes, now: Duration) -> Output {
        let mut out = Output::default();
        let passed = self.each(line, &mut out, |session, message, out| session.of_server(message, now, out));
        // What a list released follows what was said before it.
        out.to_client.extend(passed.map(|text| Line::new(self.exchange, text)));
        self.read_on(now, &mut out);
        out
    }

    /// What was approved is another now, or the guard is closed or opened. The client hears that its lists changed.
    pub fn take(&mut self, approvals: Result<Arc<Approvals>, Arc<str>>, now: Duration) -> Output {
        let mut out = Output::default();
        if approvals != self.approvals {
            self.approvals = approvals;
            for kind in self.listed.clone() {
                self.tell_changed(kind, &mut out);
            }
            self.release(&mut out);
            self.read_on(now, &mut out);
        }
        out
    }

    /// Gives up readings that took too long.
    pub fn tick(&mut self, now: Duration) -> Output {
        let mut out = Output::default();
        let patience = self.bounds.patience;
        for kind in Kind::LISTS {
            let asked = self.listing(kind).reading.as_ref().map(|reading| reading.asked);
            if asked.is_some_and(|asked| asked + patience <= now) {
                self.fail(kind, &format!("no answer within {} s", patience.as_secs()), &mut out);
            }
        }
        self.read_on(now, &mut out);
        out
    }

    /// When a reading is to be given up.
    pub fn due(&self) -> Option<Duration> {
        let readings = self.lists.values().filter_map(|list| list.reading.as_ref());
        readings.map(|reading| reading.asked + self.bounds.patience).min()
    }

    /// Has each message of a line judged, and gives what passes of it: the very line, where all of it does.
    fn each(
        &mut self,
        line: &Bytes,
        out: &mut Output,
        mut judge: impl FnMut(&mut Self, &Bytes, &mut Output) -> Option<Bytes>,
    ) -> Option<Bytes> {
        let start = scan::skip_space(line, 0);
        if *line.get(start)? != b'[' {
            return judge(self, line, out);
        }
        let is_whole = scan::whole(line, usize::MAX).is_ok();
        let elements = scan::elements(line, start, usize::MAX, BATCH).ok().filter(|_| is_whole);
        let Some(elements) = elements else {
            out.told.push(Told::Dropped("unreadable"));
            return None;
        };
        let (mut passed, mut is_untouched) = (Vec::new(), true);
        for element in elements {
            let message = line.slice(element);
            let text = judge(self, &message, out);
            is_untouched &= text.as_ref() == Some(&message);
            passed.extend(text);
        }
        if is_untouched {
            return Some(line.clone());
        }
        let parts: Vec<&[u8]> = passed.iter().map(AsRef::as_ref).collect();
        (!parts.is_empty()).then(|| array(&parts).into())
    }

    fn key(&self, id: Id) -> Key {
        (if self.apart { self.exchange } else { Exchange::Unasked }, id)
    }

    fn listing(&self, kind: Kind) -> &Listing {
        static NONE: std::sync::LazyLock<Listing> = std::sync::LazyLock::new(Listing::default);
        self.lists.get(&kind).unwrap_or(&NONE)
    }

    fn listing_mut(&mut self, kind: Kind) -> &mut Listing {
        self.lists.entry(kind).or_default()
    }

    /// The changes that were heard of so far.
    fn changes(&self) -> [u64; 4] {
        Kind::LISTS.map(|kind| self.listing(kind).changes)
    }
}

/// What the requests of a line are answered with while nothing is started, because of `why`. Without line ends.
pub fn closed_answers(line: &[u8], why: &Arc<str>) -> Vec<Bytes> {
    let answer = |message: &[u8]| {
        let envelope = Envelope::read(message).ok()?;
        let id = envelope.id.filter(|_| envelope.method.is_some())?;
        Some(Refusal::Closed(Arc::clone(why)).answer(&message[id]).into())
    };
    messages(line, BATCH).into_iter().filter_map(|at| answer(&line[at])).collect()
}

/// The place of a list among those of [`Session::changes`].
fn place(kind: Kind) -> usize {
    Kind::LISTS.iter().position(|listed| *listed == kind).unwrap_or_default()
}

/// The text of a span.
fn slice(message: &Bytes, span: Option<&Span>) -> Bytes {
    span.map_or_else(|| Bytes::from_static(b"null"), |span| message.slice(span.clone()))
}
