//! Why a server could not be observed: stable codes and the sentences that go with them.

use crate::canon::scan::Syntax;
use crate::digest::Sha256;
use crate::oauth::Challenge;
use crate::surface::{Notice, Reason};
use std::time::Duration;

/// The code of a revision that we do not speak.
pub(super) const STRANGE_REVISION: &str = "unsupported-protocol";

/// Why no session came about.
///
/// The codes, here and in an observation; each is stable:
///
/// - starting: `command-not-found`, `start-failed`, `start-timeout`, `exited`, `closed-stdout`, `unsupported-protocol`
/// - reaching: `bad-url`, `bad-header`, `plain-http-credentials`, `connect-failed`, `connection-lost`, `tls-failed`,
///   `unauthorized`, `forbidden`, `redirect-refused`, `compressed-answer`, `wrong-content-type`, `http-status`,
///   `closed-stream`
/// - answers: `request-timeout`, `answer-too-large`, `output-flood`, `not-read`, `unreadable-answer`, `error-answer`
/// - lists: `not-a-list`, `list-too-large`, `too-many-pages`, `cursor-loop`, `item-too-deep`, `item-too-large`
///
/// The codes of notices: `stray-output`, `stderr-noise`, `bom`, `id-form`, `duplicate-answer`, `late-answer`,
/// `unknown-id`, `server-request`, `dropped-reply`, `empty-cursor`, `empty-cursor-again`,
/// `session-reopened`, `list-changed` (while the lists were read),
/// `list-changed-flood`, `no-change-stream`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The code and the sentence.
    pub reason: Reason,
    /// The last lines of standard error, neither redacted nor escaped.
    pub stderr_tail: Vec<String>,
    /// What was odd before it failed.
    pub notices: Vec<Notice>,
    /// What it asks for where it wants a bearer token.
    pub challenge: Option<Challenge>,
}

/// At most `limit` characters of a server's text.
pub(super) fn quote(text: &[u8], limit: usize) -> String {
    // Four bytes a character at most; one more shows whether the rest is cut.
    let text = String::from_utf8_lossy(&text[..text.len().min(4 * limit + 4)]);
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into_owned(),
    }
}

/// An answer that is no JSON-RPC as far as it must be read. The digest lets two people compare what they got.
pub(super) fn unreadable(bytes: &[u8], why: impl std::fmt::Display) -> Reason {
    let text = format!("the answer cannot be read: {why} ({} bytes, sha256 {})", bytes.len(), Sha256::of(bytes));
    Reason::new("unreadable-answer", text)
}

/// See [`unreadable`].
pub(super) fn syntax(bytes: &[u8], error: &Syntax) -> Reason {
    unreadable(bytes, error)
}

/// No answer to `method` in time.
pub(super) fn timed_out(method: &str, after: Duration) -> Reason {
    Reason::new("request-timeout", format!("no answer to {method} within {}", seconds(after)))
}

/// A message over the bound.
pub(super) fn too_large(limit: usize) -> Reason {
    Reason::new("answer-too-large", format!("a message is larger than {limit} bytes, or never ends"))
}

/// A time span for a sentence.
pub(super) fn seconds(span: Duration) -> String {
    let tenths = (span.as_millis() + 50) / 100;
    match (tenths / 10, tenths % 10) {
        (0, _) => format!("{} ms", span.as_millis()),
        (whole, 0) => format!("{whole} s"),
        (whole, tenth) => format!("{whole}.{tenth} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_reads_as_it_was_configured() {
        let spans = [
            (7999, "8 s"),
            (8000, "8 s"),
            (1500, "1.5 s"),
            (180_000, "180 s"),
            (949, "949 ms"),
            (999, "1 s"),
            (0, "0 ms"),
        ];
        for (millis, text) in spans {
            assert_eq!(seconds(Duration::from_millis(millis)), text);
        }
    }
}
