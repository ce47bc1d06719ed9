//! One way to ask a server, whatever carries it: requests with their deadline, notifications, and what goes wrong.

use super::inbox::{Answer, Inbox, Pending, Taken};
use super::message::{self, Id, Kept};
use super::reason::{seconds, timed_out};
use super::stdio::Stdio;
use crate::surface::{Era, Notice, Reason};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// Why a request has no answer.
#[derive(Clone, Debug)]
pub(super) enum Fault {
    /// None came in time.
    TimedOut(Duration),
    /// None will come to any request.
    Ended(Reason),
    /// None to this one, but the session goes on.
    Refused(Reason),
}

impl Fault {
    /// The reason for the request of `method`.
    pub fn reason(self, method: &str) -> Reason {
        match self {
            Self::TimedOut(after) => timed_out(method, after),
            Self::Ended(reason) | Self::Refused(reason) => reason,
        }
    }

    /// The reason where the handshake fails.
    pub fn at_start(self) -> Reason {
        match self {
            Self::TimedOut(after) => Reason::new(
                "start-timeout",
                format!("the server did not finish the handshake within {}", seconds(after)),
            ),
            Self::Ended(reason) | Self::Refused(reason) => reason,
        }
    }
}

/// One request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ask<'a> {
    pub method: &'static str,
    /// The text of the parameters' members, without the braces.
    pub members: &'a [u8],
    /// The member of the result whose entries are told apart.
    pub list: Option<&'a str>,
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
    Stdio(Box<Stdio>),
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
        let id = self.send(&ask);
        let pending = [Pending { id, list: ask.list, last: ask.last }];
        if let Some((_, answer)) = self.wait(&pending, Instant::now() + patience).await? {
            return Ok(answer);
        }
        self.give_up(id, ask.method);
        Err(Fault::TimedOut(patience))
    }

    /// Sends a request without waiting.
    pub fn send(&mut self, ask: &Ask<'_>) -> Id {
        let id = self.inbox.id();
        let text = message::write(Some(id), ask.method, &self.params(ask.members));
        match &mut self.wire {
            Wire::Stdio(stdio) => {
                stdio.expect(ask.last.map_or(0, Kept::len));
                stdio.send(&text);
            }
        }
        id
    }

    /// Sends a notification.
    pub fn tell(&mut self, method: &'static str, members: &[u8]) {
        let text = message::write(None, method, &self.params(members));
        match &mut self.wire {
            Wire::Stdio(stdio) => stdio.send(&text),
        }
    }

    /// Gives back what long answers needed.
    pub fn shrink(&mut self) {
        match &mut self.wire {
            Wire::Stdio(stdio) => stdio.shrink(),
        }
    }

    /// The last lines of a process's standard error.
    pub fn stderr_tail(&self) -> Vec<String> {
        match &self.wire {
            Wire::Stdio(stdio) => stdio.stderr().tail(),
        }
    }

    /// What was odd so far.
    pub fn notices(&self) -> Vec<Notice> {
        let mut notices = self.inbox.notices.all();
        let Wire::Stdio(stdio) = &self.wire;
        let total = stdio.stderr().total();
        if total > self.inbox.limits.stderr_noise_bytes {
            let text = format!(
                "the server writes much to standard error; the last {} lines are kept",
                self.inbox.limits.stderr_lines
            );
            notices.push(Notice { code: "stderr-noise", count: total, text });
        }
        notices
    }

    /// Ends the connection.
    pub async fn close(self) {
        match self.wire {
            Wire::Stdio(stdio) => stdio.close().await,
        }
    }

    /// In the discover era every request says who asks (revision 2026-07-28, `_meta`).
    fn params(&self, members: &[u8]) -> Vec<u8> {
        let mut text = Vec::new();
        if self.inbox.era == Some(Era::Discover) {
            text.extend_from_slice(super::era::META.as_bytes());
        }
        if !members.is_empty() {
            if !text.is_empty() {
                text.push(b',');
            }
            text.extend_from_slice(members);
        }
        if text.is_empty() { text } else { [b"{", text.as_slice(), b"}"].concat() }
    }

    /// Stops waiting for `id`, and tells the server so.
    pub fn give_up(&mut self, id: Id, method: &str) {
        self.inbox.give_up(id);
        // Revision 2024-11-05 and later: `initialize` must not be cancelled.
        if method != "initialize" {
            let members = format!("\"requestId\":{},\"reason\":\"time-out\"", id.text());
            self.tell("notifications/cancelled", members.as_bytes());
        }
    }

    /// The first answer to one of `pending`, with its index; none if the deadline comes first.
    pub async fn wait(&mut self, pending: &[Pending<'_>], deadline: Instant) -> Result<Option<(usize, Answer)>, Fault> {
        let mut skipped = 0;
        loop {
            let Wire::Stdio(stdio) = &mut self.wire;
            flush(stdio, &mut self.inbox);
            // A flood is always ready: the clock is asked as well as the timer.
            if Instant::now() >= deadline {
                return Ok(None);
            }
            let line = match timeout_at(deadline, stdio.next()).await {
                Err(_) => return Ok(None),
                Ok(line) => line.map_err(Fault::Ended)?,
            };
            let length = line.len();
            match self.inbox.take(line, pending) {
                Taken::Answer(index, answer) => return Ok(Some((index, answer))),
                Taken::Unreadable(reason) => return Err(Fault::Refused(reason)),
                Taken::Other => skipped += length,
            }
            if skipped > self.inbox.limits.skipped_bytes {
                let text = format!("more than {} bytes came instead of an answer", self.inbox.limits.skipped_bytes);
                return Err(Fault::Ended(Reason::new("output-flood", text)));
            }
        }
    }
}

/// Queues the answers to the server's own requests, unless it does not read those it already has.
pub(super) fn flush(stdio: &mut Stdio, inbox: &mut Inbox) {
    if !stdio.is_sending() {
        for reply in inbox.replies.drain(..) {
            stdio.send(&reply);
        }
    }
}
