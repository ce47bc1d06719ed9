//! Takes in whatever a server sends and says what it was: the answer waited for, a request of its own, word of a changed
//! list, or noise. The same for every transport; counts the noise and never fails.

use super::limits::Limits;
use super::message::{Form, Id, Kept, Parts, Wanted};
use super::notices::Notices;
use super::reason::{quote, syntax, unreadable};
use crate::canon::scan::{self, Span};
use crate::surface::{ClientIdentity, Era, Kind, Reason};
use bytes::Bytes;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use tokio::time::Instant;

#[derive(Clone, Copy, Debug)]
pub(super) struct Pending<'a> {
    pub id: Id,
    /// The list whose entries are told apart.
    pub list: Option<Wanted<'a>>,
    /// The answer to the same request last time.
    pub last: Option<&'a Kept>,
    /// Whether what is read is the answer to this request and to no other message.
    pub alone: bool,
}

#[derive(Debug)]
pub(super) enum Taken {
    /// The answer to the pending request at this index.
    Answer(usize, Answer),
    /// Its answer, and it cannot be read.
    Unreadable(Reason),
    /// Nothing that was waited for.
    Other,
}

#[derive(Debug)]
pub(super) enum Answer {
    /// The very bytes of last time around the id.
    Same,
    /// Anything else, as where its parts stand.
    Read(Box<Message>),
}

#[derive(Debug)]
pub(super) struct Message {
    /// The whole text.
    pub bytes: Bytes,
    pub parts: Parts,
    /// Whether the id came back in the form we sent.
    pub form: Form,
}

/// What a session has heard, apart from answers.
#[derive(Debug)]
pub(super) struct Inbox {
    pub notices: Notices,
    pub limits: Arc<Limits>,
    /// Answers to the server's own requests, to be sent.
    pub replies: VecDeque<Vec<u8>>,
    /// The era decides which requests a server may make.
    pub era: Option<Era>,
    /// Who we say to be, which decides what a server may ask for.
    pub client: Arc<ClientIdentity>,
    /// Kinds whose changes are of no interest.
    pub ignore: BTreeSet<Kind>,
    /// The next id; an answer to a later one is to nothing we asked.
    pub next_id: Id,
    /// Whether anything of the protocol was heard.
    pub heard: bool,
    /// Ids that were waited for in vain, and whether their answer is a matter of course.
    late: VecDeque<(Id, bool)>,
    /// How many messages were sent whose answer nobody waits for, as far as none came: notifications, which have none,
    /// and requests that were given up. An answer without an id is held to be to one of them.
    unclaimed: u32,
    /// Whether such an answer came while a request was pending, which it may have been meant for.
    doubt: bool,
    changes: Changes,
}

/// Word of changed lists since the last look began.
#[derive(Debug, Default)]
struct Changes {
    count: u64,
    first: Option<Instant>,
    last: Option<Instant>,
}

/// The answer to a request of the server, and what is told of it. Where its capability is declared, it is that of a user who
/// shares and allows nothing.
fn answered(method: &str, client: &ClientIdentity) -> (&'static str, &'static str) {
    match method {
        "roots/list" if client.declares("roots") => (r#""result":{"roots":[]}"#, "told that there are none"),
        "elicitation/create" if client.declares("elicitation") => (r#""result":{"action":"decline"}"#, "declined"),
        "sampling/createMessage" if client.declares("sampling") => {
            (r#""error":{"code":-1,"message":"User rejected sampling request"}"#, "declined")
        }
        _ => (r#""error":{"code":-32601,"message":"Method not found"}"#, "which pinwatch does not offer; refused"),
    }
}

impl Inbox {
    /// Nothing heard yet.
    pub fn new(limits: Arc<Limits>, ignore: BTreeSet<Kind>) -> Self {
        Self {
            notices: Notices::default(),
            limits,
            replies: VecDeque::new(),
            era: None,
            client: ClientIdentity::own(),
            ignore,
            next_id: Id::FIRST,
            heard: false,
            late: VecDeque::new(),
            unclaimed: 0,
            doubt: false,
            changes: Changes::default(),
        }
    }

    pub fn id(&mut self) -> Id {
        let id = self.next_id;
        self.next_id = id.next();
        id
    }

    /// Remembers that `id` is no longer waited for: its answer may still come and is then no fault.
    pub fn give_up(&mut self, id: Id) {
        self.will_not_be_claimed();
        self.late.push_back((id, false));
        if self.late.len() > 16 {
            self.late.pop_front();
        }
    }

    /// Remembers that the answer to `id` will come and is of no interest.
    pub fn expect_late(&mut self, id: Id) {
        self.will_not_be_claimed();
        self.late.push_back((id, true));
        if self.late.len() > 16 {
            self.late.pop_front();
        }
    }

    /// A message is sent whose answer nobody will wait for.
    pub fn will_not_be_claimed(&mut self) {
        self.unclaimed = self.unclaimed.saturating_add(1);
    }

    /// Whether an answer without an id was held to be to nobody while a request was pending; forgets it.
    pub fn take_doubt(&mut self) -> bool {
        std::mem::take(&mut self.doubt)
    }

    /// Takes one message, or what stands where one should.
    pub fn take(&mut self, bytes: Bytes, pending: &[Pending<'_>]) -> Taken {
        let mut bytes = bytes;
        if bytes.starts_with(b"\xEF\xBB\xBF") {
            self.notices.add("bom", || "a message starts with a byte order mark".to_owned());
            bytes = bytes.slice(3..);
        }
        let same = |request: &Pending<'_>| request.last.is_some_and(|last| last.is_same(&bytes, request.id));
        if let Some(index) = pending.iter().position(same) {
            return Taken::Answer(index, Answer::Same);
        }
        let start = scan::skip_space(&bytes, 0);
        match bytes.get(start) {
            None => Taken::Other,
            Some(b'[') => self.take_batch(&bytes, start, pending),
            Some(_) => self.take_one(&bytes, pending),
        }
    }

    /// Revisions up to 2025-03-26 allowed several messages in one array.
    fn take_batch(&mut self, bytes: &Bytes, start: usize, pending: &[Pending<'_>]) -> Taken {
        let limit = self.limits.members;
        let Ok(elements) = scan::elements(bytes, start, usize::MAX, limit) else { return self.stray(bytes) };
        let mut found = Taken::Other;
        for element in elements {
            let taken = self.take_one(&bytes.slice(element), pending);
            if matches!(found, Taken::Other) {
                found = taken;
            }
        }
        found
    }

    fn take_one(&mut self, bytes: &Bytes, pending: &[Pending<'_>]) -> Taken {
        let start = scan::skip_space(bytes, 0);
        if bytes.get(start) != Some(&b'{') {
            return self.stray(bytes);
        }
        // The list is told apart on the way, before the id is known; with two requests pending none is for a list.
        let list = pending.first().and_then(|request| request.list);
        let parts = match Parts::read(bytes, start, list, &self.limits) {
            Ok((parts, end)) if scan::skip_space(bytes, end) == bytes.len() => parts,
            Ok((_, end)) => {
                let error = scan::Syntax::Expected { at: end, expected: "the end of the message" };
                return self.not_a_message(bytes, pending, &error);
            }
            Err(error) => return self.not_a_message(bytes, pending, &error),
        };
        self.heard |= parts.id.is_some() || parts.method.is_some();
        match (&parts.method, &parts.id) {
            (Some(method), id) => {
                self.take_call(bytes, method, id.as_ref());
                Taken::Other
            }
            (None, _) if parts.is_response() && !parts.is_nameless(bytes) => self.take_answer(bytes, parts, pending),
            (None, id) if parts.is_response() => {
                // A line of a log may have an error, too; what answers one request alone is no log.
                let alone = pending.iter().any(|request| request.alone);
                if parts.is_json_rpc || id.is_some() || alone {
                    self.take_nameless(bytes, parts, pending)
                } else {
                    self.stray(bytes)
                }
            }
            _ => self.stray(bytes),
        }
    }

    /// An answer without an id, or with a null one: to a request that could not be read (JSON-RPC 2.0, 5), or to a
    /// notification, which has no answer (4.1). Only an error can be the former, and while more was sent than awaited
    /// it is held to be the latter.
    fn take_nameless(&mut self, bytes: &Bytes, parts: Parts, pending: &[Pending<'_>]) -> Taken {
        self.heard = true;
        // The request that was sent first is the one that a server reads first.
        let oldest = pending.iter().enumerate().min_by_key(|(_, request)| request.id);
        if let Some((index, request)) = oldest
            && parts.error.is_some()
            && (request.alone || self.unclaimed == 0)
        {
            return read_answer(bytes, parts, index, Form::Other);
        }
        self.unclaimed = self.unclaimed.saturating_sub(1);
        self.doubt |= oldest.is_some() && parts.error.is_some();
        self.notices.add("unknown-id", || {
            let said = quote(bytes, self.limits.quoted_chars);
            format!("an answer without a request, most likely to a notification: {said}")
        });
        Taken::Other
    }

    fn take_answer(&mut self, bytes: &Bytes, parts: Parts, pending: &[Pending<'_>]) -> Taken {
        let Some(id) = parts.id.clone() else { return Taken::Other };
        let raw = &bytes[id];
        let found = pending.iter().enumerate().find_map(|(index, request)| Some((index, request.id.matches(raw)?)));
        let Some((index, form)) = found else {
            self.unasked(raw);
            return Taken::Other;
        };
        if form == Form::Other {
            self.notices.add("id-form", || {
                format!("an answer's id is {}, not the number we sent", quote(raw, self.limits.quoted_chars))
            });
        }
        read_answer(bytes, parts, index, form)
    }

    /// An answer that nothing waits for.
    fn unasked(&mut self, raw: &[u8]) {
        let code = match self.late.iter().position(|(id, _)| id.matches(raw).is_some()) {
            Some(at) => {
                self.unclaimed = self.unclaimed.saturating_sub(1);
                if self.late.remove(at).is_some_and(|(_, expected)| expected) {
                    return;
                }
                "late-answer"
            }
            None if Id::was_sent(raw, self.next_id) => "duplicate-answer",
            None => "unknown-id",
        };
        self.notices.add(code, || {
            let what = match code {
                "late-answer" => "an answer came after its time-out",
                "duplicate-answer" => "a request was answered more than once",
                _ => "an answer to a request that was not sent",
            };
            format!("{what}, id {}", quote(raw, self.limits.quoted_chars))
        });
    }

    /// A request or a notification of the server.
    fn take_call(&mut self, bytes: &Bytes, method: &Span, id: Option<&Span>) {
        let text = &bytes[method.clone()];
        let name = if text.starts_with(b"\"") { scan::unescape(bytes, method.clone()).0 } else { String::new() };
        match id {
            Some(id) => self.take_request(&name, &bytes[id.clone()]),
            None => self.take_notification(&name),
        }
    }

    fn take_request(&mut self, method: &str, id: &[u8]) {
        let ping = method == "ping" && self.era != Some(Era::Discover);
        let (answer, told) = if ping { (r#""result":{}"#, "") } else { answered(method, &self.client) };
        if !ping {
            self.notices.add("server-request", || {
                let method = quote(method.as_bytes(), self.limits.quoted_chars);
                format!("the server asked for {method}, {told}")
            });
        }
        if self.replies.len() >= self.limits.waiting_replies || id.len() > self.limits.cursor_bytes {
            self.notices.add("dropped-reply", || "more requests of the server than are answered".to_owned());
            return;
        }
        self.replies.push_back([b"{\"jsonrpc\":\"2.0\",\"id\":", id, b",", answer.as_bytes(), b"}"].concat());
    }

    fn take_notification(&mut self, method: &str) {
        let kinds: &[Kind] = match method {
            "notifications/tools/list_changed" => &[Kind::Tool],
            "notifications/prompts/list_changed" => &[Kind::Prompt],
            "notifications/resources/list_changed" => &[Kind::Resource, Kind::ResourceTemplate],
            _ => return,
        };
        if kinds.iter().any(|kind| !self.ignore.contains(kind)) {
            self.note_change();
        }
    }

    /// A list changed.
    pub fn note_change(&mut self) {
        let now = Instant::now();
        self.changes.count += 1;
        self.changes.first.get_or_insert(now);
        self.changes.last = Some(now);
        if self.changes.count >= self.limits.flood {
            let count = if self.changes.count == self.limits.flood { self.limits.flood } else { 1 };
            self.notices.add_many("list-changed-flood", count, || {
                "the server keeps announcing list changes; one look answers many of them".to_owned()
            });
        }
    }

    /// When word of a changed list is due to be reported.
    pub fn change_due(&self) -> Option<Instant> {
        let Changes { first: Some(first), last: Some(last), .. } = self.changes else { return None };
        Some((last + self.limits.debounce).min(first + self.limits.debounce_most))
    }

    /// Forgets the changes so far: a look begins, or they were reported. Returns how many.
    pub fn clear_changes(&mut self) -> u64 {
        std::mem::take(&mut self.changes).count
    }

    /// How many changes were heard of since the look began.
    pub fn changes(&self) -> u64 {
        self.changes.count
    }

    fn not_a_message(&mut self, bytes: &Bytes, pending: &[Pending<'_>], error: &scan::Syntax) -> Taken {
        let meant = |request: &Pending<'_>| holds(bytes, request.id.text().as_bytes());
        let envelope = holds(bytes, b"\"jsonrpc\"") || holds(bytes, b"\"result\"");
        if !pending.is_empty() && (envelope || pending.iter().any(meant)) {
            return Taken::Unreadable(syntax(bytes, error));
        }
        self.stray(bytes)
    }

    /// Something that is no message of the protocol.
    fn stray(&mut self, bytes: &Bytes) -> Taken {
        self.notices.add("stray-output", || {
            format!("output that is not a protocol message: {}", quote(bytes, self.limits.quoted_chars))
        });
        Taken::Other
    }
}

/// The answer to the pending request at `index`.
fn read_answer(bytes: &Bytes, parts: Parts, index: usize, form: Form) -> Taken {
    if let Some(name) = parts.twice {
        return Taken::Unreadable(unreadable(
            bytes,
            format_args!("{name} occurs twice, and parsers disagree on which one counts"),
        ));
    }
    if parts.result.is_some() && parts.error.is_some() {
        return Taken::Unreadable(unreadable(bytes, "it is a result and an error at once"));
    }
    Taken::Answer(index, Answer::Read(Box::new(Message { bytes: bytes.clone(), parts, form })))
}

fn holds(bytes: &[u8], part: &[u8]) -> bool {
    memchr::memmem::find(bytes, part).is_some()
}
