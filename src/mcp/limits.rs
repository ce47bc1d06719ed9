//! Every bound on what a server may make us keep, do or wait for, in one place.

use std::time::Duration;

/// What a server may cost at most. What is over a bound is a named state of that server alone.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Limits {
    /// Bytes of one message: a line of stdio, a JSON body, an event's joined data.
    pub message_bytes: usize,
    /// Bytes of one message on an HTTP server's stream of changes.
    pub event_bytes: usize,
    /// Bytes read of a body that comes with an error status.
    pub error_body_bytes: usize,
    /// Bytes that may wait for a server to read them.
    pub unread_bytes: usize,
    /// Bytes of other output that may come before the answer to one request.
    pub skipped_bytes: usize,
    /// Bytes of all pages of one list.
    pub list_bytes: usize,
    pub item_bytes: usize,
    /// Items of one list.
    pub items: usize,
    /// Pages of one list.
    pub pages: usize,
    pub cursor_bytes: usize,
    /// Levels of nesting of one item.
    pub depth: usize,
    /// Members of an envelope, a result or an error, and messages of a batch.
    pub members: usize,
    /// Lines kept of standard error, the last ones.
    pub stderr_lines: usize,
    /// Bytes kept of each of those lines, the first ones.
    pub stderr_line_bytes: usize,
    /// Bytes on standard error from which on it is a notice.
    pub stderr_noise_bytes: u64,
    /// Characters quoted of a server's text in a reason or a notice.
    pub quoted_chars: usize,
    /// Answers to the server's own requests that may wait to be sent.
    pub waiting_replies: usize,
    /// Changed-list notifications without a look between them from which on they are a notice.
    pub flood: u64,
    /// Messages that are read in a second while nothing is asked.
    pub idle_messages: u32,
    /// Lists that may time out in one look before the others are no longer asked for.
    pub silent_lists: u32,
    /// Time for one list, in request time-outs.
    pub list_timeouts: u32,
    /// Bytes of a document at a well-known address.
    pub document_bytes: usize,
    /// Time for one of them.
    pub document: Duration,
    /// Time that a person has in the browser to sign in.
    pub browser: Duration,
    /// Time that the first `server/discover` has before `initialize` is sent too.
    pub probe: Duration,
    /// Time that a server has to answer `initialize` after it had to be started anew.
    pub second_start: Duration,
    /// Quiet time after a changed-list notification before it is reported.
    pub debounce: Duration,
    /// Time from the first changed-list notification to its report at the latest.
    pub debounce_most: Duration,
    /// Time for a notification of ours to be sent over HTTP.
    pub tell: Duration,
    /// Time after which a document of who the server is may have been replaced, and is asked for again.
    pub document_age: Duration,
    /// Time that a process has to end after its standard input was closed.
    pub close_stdin: Duration,
    /// Time that a process group has to end after SIGTERM.
    pub close_term: Duration,
    /// Time for the end of the process to be seen after SIGKILL, and for an HTTP session's DELETE.
    pub close_last: Duration,
    /// Time in which what an ended process left in its pipes is still read.
    pub leftovers: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            message_bytes: 8 << 20,
            event_bytes: 256 << 10,
            error_body_bytes: 64 << 10,
            unread_bytes: 1 << 20,
            skipped_bytes: 32 << 20,
            list_bytes: 16 << 20,
            item_bytes: 1 << 20,
            items: 20_000,
            pages: 1_000,
            cursor_bytes: 16 << 10,
            depth: 1_000,
            members: 1_000,
            stderr_lines: 50,
            stderr_line_bytes: 1 << 10,
            stderr_noise_bytes: 1 << 20,
            quoted_chars: 200,
            waiting_replies: 64,
            flood: 100,
            idle_messages: 1_000,
            silent_lists: 2,
            list_timeouts: 4,
            document_bytes: 64 << 10,
            document: Duration::from_secs(5),
            document_age: Duration::from_mins(5),
            browser: Duration::from_mins(10),
            probe: Duration::from_secs(2),
            second_start: Duration::from_secs(10),
            debounce: Duration::from_millis(150),
            debounce_most: Duration::from_millis(600),
            tell: Duration::from_secs(5),
            close_stdin: Duration::from_secs(2),
            close_term: Duration::from_secs(1),
            close_last: Duration::from_secs(1),
            leftovers: Duration::from_millis(300),
        }
    }
}
