//! One way to ask a server, whatever carries it: requests with their deadline, notifications, and what goes wrong.

use super::disclosed::Disclosed;
use super::endpoint::Endpoint;
use super::fault::Fault;
use super::http::Http;
use super::http_sse::HttpSse;
use super::inbox::{Answer, Inbox, Pending, Taken};
use super::listen::Heard;
use super::message::{self, Id, Kept, Wanted};
use super::revisions::DISCOVER_REVISION;
use super::stdio::Stdio;
use crate::oauth::Challenge;
use crate::surface::{ClientIdentity, Era, Kind, Notice, Reason};
use bytes::Bytes;
use serde_json::json;
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// Who asks, in the discover era with every request.
fn meta(client: &ClientIdentity) -> String {
    let ClientIdentity { name, version, capabilities, .. } = client;
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": DISCOVER_REVISION,
        "io.modelcontextprotocol/clientCapabilities": capabilities,
        "io.modelcontextprotocol/clientInfo": {"name": name, "version": version},
    });
    format!(r#""_meta":{meta}"#)
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Ask<'a> {
    pub method: &'static str,
    /// The text of the parameters' members, without the braces.
    pub members: &'a [u8],
    /// The list whose entries are told apart.
    pub list: Option<Wanted<'a>>,
    /// The answer of last time.
    pub last: Option<&'a Kept>,
}

impl Ask<'_> {
    /// A request without parameters of its own.
    pub fn plain(method: &'static str) -> Self {
        Self { method, members: b"", list: None, last: None }
    }
}

/// What carries the messages.
#[derive(Debug)]
pub(super) enum Wire {
    /// Messages come one after another on one stream, whatever they answer.
    Stream(Stream),
    /// Each request has its own answer.
    Http(Box<Http>),
}

/// A wire on which messages come one after another.
#[derive(Debug)]
pub(super) enum Stream {
    Stdio(Box<Stdio>),
    HttpSse(Box<HttpSse>),
}

impl Stream {
    /// Queues a message; it goes out while [`Self::next`] waits.
    pub fn send(&mut self, message: Vec<u8>) {
        match self {
            Self::Stdio(stdio) => stdio.send(&message),
            Self::HttpSse(http) => http.send(message),
        }
    }

    /// The next message; an error when there will be none. Cancel-safe.
    async fn next(&mut self) -> Result<Bytes, Reason> {
        match self {
            Self::Stdio(stdio) => stdio.next().await,
            Self::HttpSse(http) => http.next().await,
        }
    }

    /// Queues the answers to the server's own requests, unless it does not take those it already has.
    fn flush(&mut self, inbox: &mut Inbox) {
        let behind = match self {
            Self::Stdio(stdio) => stdio.is_behind(),
            Self::HttpSse(http) => http.is_behind(),
        };
        if !behind {
            inbox.replies.drain(..).for_each(|reply| self.send(reply));
        }
    }

    /// The first answer to one of `pending`, with its index; none if the deadline comes first.
    pub async fn wait(
        &mut self,
        inbox: &mut Inbox,
        pending: &[Pending<'_>],
        deadline: Instant,
    ) -> Result<Option<(usize, Answer)>, Fault> {
        self.wait_on(inbox, pending, deadline, &mut 0).await
    }

    /// See [`Self::wait`]; `skipped` counts the bytes that came instead of an answer, over several waits for one.
    async fn wait_on(
        &mut self,
        inbox: &mut Inbox,
        pending: &[Pending<'_>],
        deadline: Instant,
        skipped: &mut usize,
    ) -> Result<Option<(usize, Answer)>, Fault> {
        loop {
            self.flush(inbox);
            // A flood is always ready: the clock is asked as well as the timer.
            if Instant::now() >= deadline {
                return Ok(None);
            }
            let message = match timeout_at(deadline, self.next()).await {
                Err(_) => return Ok(None),
                Ok(message) => message.map_err(Fault::Ended)?,
            };
            let length = message.len();
            match inbox.take(message, pending) {
                Taken::Answer(index, answer) => return Ok(Some((index, answer))),
                Taken::Unreadable(reason) => return Err(Fault::Refused(reason)),
                Taken::Other => *skipped += length,
            }
            if *skipped > inbox.limits.skipped_bytes {
                let text = format!("more than {} bytes came instead of an answer", inbox.limits.skipped_bytes);
                return Err(Fault::Ended(Reason::new("output-flood", text)));
            }
        }
    }
}

/// A connection and what was heard on it.
#[derive(Debug)]
pub(super) struct Link {
    pub wire: Wire,
    pub inbox: Inbox,
}

impl Link {
    /// Asks, and waits at most `patience` for the answer.
    pub async fn ask(&mut self, ask: Ask<'_>, patience: Duration) -> Result<Answer, Fault> {
        let (id, text) = self.request(&ask);
        let pending = Pending { id, list: ask.list, last: ask.last, alone: true };
        let stream = match &mut self.wire {
            Wire::Http(http) => return http.ask(ask.method, text, pending, &mut self.inbox, patience).await,
            Wire::Stream(stream) => stream,
        };
        if let Stream::Stdio(stdio) = stream {
            if stdio.is_unread() {
                // Who guesses what is asked can answer without reading it, for as long as it likes.
                let text = "the process does not read its requests".to_owned();
                return Err(Fault::Ended(Reason::new("not-read", text)));
            }
            stdio.expect(ask.last.map_or(0, Kept::len));
        }
        stream.send(text);
        let pending = Pending { alone: false, ..pending };
        if let Some(answer) = self.wait_asking_again(&ask, pending, Instant::now() + patience).await? {
            return Ok(answer);
        }
        // `initialize` must not be cancelled (all revisions, cancellation).
        if ask.method != "initialize" {
            let members = format!("\"requestId\":{},\"reason\":\"time-out\"", id.text());
            self.tell("notifications/cancelled", members.as_bytes()).await;
        }
        Err(Fault::TimedOut(patience))
    }

    /// Waits for the answer on a stream. An answer without an id that was held to be to a notification may have been to
    /// this request: where nothing more comes for a while it is asked again, and what is answered so once more than was
    /// sent beside it is the answer.
    async fn wait_asking_again(
        &mut self,
        ask: &Ask<'_>,
        first: Pending<'_>,
        deadline: Instant,
    ) -> Result<Option<Answer>, Fault> {
        let (mut pending, mut skipped) = (vec![first], 0);
        self.inbox.take_doubt();
        let found = loop {
            let pause = Instant::now() + self.inbox.limits.probe;
            let Wire::Stream(stream) = &mut self.wire else { return Ok(None) };
            let answered = stream.wait_on(&mut self.inbox, &pending, deadline.min(pause), &mut skipped).await;
            match answered {
                Ok(None) if Instant::now() >= deadline => break Ok(None),
                Ok(None) => {}
                other => break other,
            }
            if self.inbox.take_doubt() && ask.method != "initialize" {
                let (id, text) = self.request(ask);
                if let Wire::Stream(stream) = &mut self.wire {
                    stream.send(text);
                }
                pending.push(Pending { id, ..first });
            }
        };
        let found = found?;
        for (index, request) in pending.iter().enumerate() {
            match &found {
                Some((answered, _)) if *answered == index => {}
                Some(_) => self.inbox.expect_late(request.id),
                None => self.inbox.give_up(request.id),
            }
        }
        Ok(found.map(|(_, answer)| answer))
    }

    /// The id and the text of a request.
    pub fn request(&mut self, ask: &Ask<'_>) -> (Id, Vec<u8>) {
        let id = self.inbox.id();
        (id, message::write(Some(id), ask.method, &self.params(ask.members)))
    }

    /// Sends a notification. Over stdio it is queued only.
    pub async fn tell(&mut self, method: &'static str, members: &[u8]) {
        let text = message::write(None, method, &self.params(members));
        match &mut self.wire {
            Wire::Stream(stream) => {
                self.inbox.will_not_be_claimed();
                stream.send(text);
            }
            Wire::Http(http) => http.tell(method, text, self.inbox.era).await,
        }
    }

    /// A handshake of `era` begins.
    pub fn begin(&mut self, era: Era) {
        self.inbox.era = Some(era);
        if let Wire::Http(http) = &mut self.wire {
            http.forget();
        }
    }

    /// A handshake of the initialize era has agreed on `version`.
    pub fn agree(&mut self, version: &str) {
        if let Wire::Http(http) = &mut self.wire {
            http.endpoint.agree(version);
        }
    }

    /// Asks to be told when one of the lists in `kinds` changed.
    pub fn listen(&mut self, kinds: &BTreeSet<Kind>) {
        let discover = self.inbox.era == Some(Era::Discover);
        let (id, text) = self.request(&Ask { members: &subscription(kinds), ..Ask::plain(SUBSCRIBE) });
        match &mut self.wire {
            Wire::Http(http) => {
                let endpoint = http.endpoint.clone();
                http.listen(move || {
                    if discover {
                        endpoint.post(Some(SUBSCRIBE), text.clone(), Some(Era::Discover))
                    } else {
                        endpoint.listen()
                    }
                });
            }
            // In the initialize era a server speaks unasked on its stream.
            Wire::Stream(stream) if discover => {
                self.inbox.expect_late(id);
                stream.send(text);
            }
            Wire::Stream(_) => {}
        }
    }

    /// Takes in one message that comes unasked; an error when there will be none. Cancel-safe.
    pub async fn hear(&mut self) -> Result<(), Reason> {
        match &mut self.wire {
            Wire::Stream(stream) => {
                stream.flush(&mut self.inbox);
                let message = stream.next().await?;
                self.inbox.take(message, &[]);
            }
            Wire::Http(http) => {
                let heard = http.hear().await;
                self.take_heard(heard);
            }
        }
        Ok(())
    }

    /// Takes in what an HTTP server has said unasked up to now.
    pub fn overhear(&mut self) {
        while let Wire::Http(http) = &mut self.wire
            && let Some(heard) = http.overhear()
        {
            self.take_heard(heard);
        }
    }

    fn take_heard(&mut self, heard: Heard) {
        match heard {
            Heard::Message(data) => {
                self.inbox.take(data, &[]);
            }
            Heard::Over(Some(text)) => self.inbox.notices.add("no-change-stream", || text),
            Heard::Over(None) => {}
        }
        if let Wire::Http(http) = &mut self.wire {
            http.reply(&mut self.inbox);
        }
    }

    /// What its answers' headers said of who the server is, and where it is asked more; none of a process.
    pub fn disclosed(&self) -> Option<(Disclosed, &Endpoint)> {
        match &self.wire {
            Wire::Stream(Stream::Stdio(_)) => None,
            Wire::Stream(Stream::HttpSse(http)) => Some((http.disclosed(), http.endpoint())),
            Wire::Http(http) => Some((http.disclosed.clone(), &http.endpoint)),
        }
    }

    /// What an HTTP server asked for when it last turned us away.
    pub fn challenge(&self) -> Option<&Challenge> {
        match &self.wire {
            Wire::Stream(_) => None,
            Wire::Http(http) => http.challenge.as_ref(),
        }
    }

    pub fn process(&self) -> Option<&Stdio> {
        match &self.wire {
            Wire::Stream(Stream::Stdio(stdio)) => Some(stdio),
            Wire::Stream(Stream::HttpSse(_)) | Wire::Http(_) => None,
        }
    }

    /// Gives back what long answers needed.
    pub fn shrink(&mut self) {
        if let Wire::Stream(Stream::Stdio(stdio)) = &mut self.wire {
            stdio.shrink();
        }
    }

    /// The last lines of a process's standard error.
    pub fn stderr_tail(&self) -> Vec<String> {
        self.process().map(|stdio| stdio.stderr().tail()).unwrap_or_default()
    }

    /// What was odd so far.
    pub fn notices(&self) -> Vec<Notice> {
        let mut notices = self.inbox.notices.all();
        let limits = &self.inbox.limits;
        let total = self.process().map_or(0, |stdio| stdio.stderr().total());
        if total > limits.stderr_noise_bytes {
            let text = format!("stderr is noisy: {total} bytes; the last {} lines are kept", limits.stderr_lines);
            notices.push(Notice { code: "stderr-noise", count: 1, text });
        }
        notices
    }

    /// Ends the connection.
    pub async fn close(self) {
        match self.wire {
            Wire::Stream(Stream::Stdio(stdio)) => stdio.close().await,
            // Its session ends with the stream.
            Wire::Stream(Stream::HttpSse(_)) => {}
            Wire::Http(http) => http.close().await,
        }
    }

    /// In the discover era every request says who asks (revision 2026-07-28, `_meta`).
    fn params(&self, members: &[u8]) -> Vec<u8> {
        let mut text = Vec::new();
        if self.inbox.era == Some(Era::Discover) {
            text.extend_from_slice(meta(&self.inbox.client).as_bytes());
        }
        if !members.is_empty() {
            if !text.is_empty() {
                text.push(b',');
            }
            text.extend_from_slice(members);
        }
        if text.is_empty() { text } else { [b"{", text.as_slice(), b"}"].concat() }
    }
}

/// The request that opens a subscription (revision 2026-07-28).
const SUBSCRIBE: &str = "subscriptions/listen";

/// The parameters that subscribe to changes of the lists in `kinds`.
fn subscription(kinds: &BTreeSet<Kind>) -> Vec<u8> {
    let members = [(Kind::Tool, "tools"), (Kind::Prompt, "prompts"), (Kind::Resource, "resources")];
    let members: Vec<_> = members
        .into_iter()
        .filter(|(kind, _)| kinds.contains(kind))
        .map(|(_, name)| format!("\"{name}ListChanged\":true"))
        .collect();
    format!("\"notifications\":{{{}}}", members.join(",")).into_bytes()
}
