//! What a supervisor publishes and what it is told.

use crate::config::consent::ConsentRequest;
use crate::config::{Asked, Origin, Problem, Resolved};
use crate::decisions::BaselineState;
use crate::digest::{DigestScope, Surface};
use crate::drift::{Policy, Severity, SplitView};
use crate::interop::mcptrust::{LockSays, Verdicts};
use crate::monitor::signing_in::SigningIn;
use crate::oauth::SignedIn;
use crate::review::{AcrossServers, Review};
use crate::surface::{ClientIdentity, ItemId, Launch, Notice, ObservedAs, Reason, ServerId};
use crate::text::shortened;
use jiff::Timestamp;
use std::sync::Arc;
use std::time::Duration;
use strum::IntoStaticStr;

/// What a server's connection is doing.
#[derive(Clone, Debug, PartialEq)]
pub enum Phase {
    /// Not started yet: its turn has not come.
    Waiting,
    /// It would run a command or open a URL that nobody has agreed to here.
    NeedsConsent(Arc<ConsentRequest>),
    /// It wants somebody to sign in.
    NeedsSignIn(Arc<SigningIn>),
    /// The process starts, or the handshake runs.
    Starting,
    /// A list is being read.
    Listing,
    /// The last look was good and the session is open, or closed on purpose until the next poll.
    Idle,
    /// The last try failed; the next one is at `at`.
    Retrying {
        /// When.
        at: Timestamp,
        /// Failures in a row.
        failures: u32,
        /// Why the last one failed.
        reason: Reason,
    },
    /// What is configured cannot be used; `stale` says why. Another try would change nothing.
    Unusable,
    /// It is not watched, on purpose or because no file names it any more: why.
    Unwatched(Reason),
    /// The person paused it.
    Paused,
    /// It ended because pinwatch is ending.
    Stopped,
}

/// The last state of one server: everything the UI shows of it.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct ServerLook {
    pub id: ServerId,
    /// The masked launch.
    pub launch: Launch,
    /// Who names it, the first one first.
    pub origins: Vec<Origin>,
    /// What its files ask a person for before it can be started; nothing once all is answered.
    pub asked: Vec<Asked>,
    /// What its launch resolves to here, as of its last start.
    pub resolved: Option<Arc<Resolved>>,
    /// What is to be agreed to before another scanner is asked about it; none where that is not what is missing.
    pub scanner: Option<Arc<ConsentRequest>>,
    /// What the connection does.
    pub phase: Phase,
    pub baseline: BaselineState,
    /// The scope of definition digests that the config asks for.
    pub digest_scope: DigestScope,
    /// How drifts and findings are rated.
    pub policy: Policy,
    /// What came of the policy's rules over the server as a whole; none where there are none, or until they are told.
    pub verdicts: Option<Arc<Verdicts>>,
    /// At first contact, what an MCPTrust lock in the project says of what is served, or why it says nothing; none where
    /// there is none of this server.
    pub lock: Option<Arc<Result<LockSays, String>>>,
    /// The last surface read, whole or in part; kept while the server is down.
    pub surface: Option<Arc<Surface>>,
    /// That surface against the baseline.
    pub review: Option<Arc<Review>>,
    /// What other clients are shown, where a person asked that.
    pub faces: Option<Faces>,
    /// Whether its launch may run, as was found at its last start.
    pub agreed: bool,
    /// When the last good look ended.
    pub last_good: Option<Timestamp>,
    /// How long that took.
    pub look_time: Option<Duration>,
    /// Why what is shown may be stale; none while it is fresh.
    pub stale: Option<Reason>,
    /// When the next poll is due.
    pub next_poll: Option<Timestamp>,
    /// Process id of a command.
    pub pid: Option<u32>,
    pub observed_as: Option<ObservedAs>,
    /// What was odd, counted.
    pub notices: Vec<Notice>,
    /// The last lines of standard error, redacted, not yet escaped.
    pub stderr_tail: Vec<String>,
    /// Looks and log lines of this server that were dropped.
    pub dropped: u64,
}

/// What other clients than pinwatch are shown by a server.
#[derive(Clone, Debug, PartialEq)]
pub enum Faces {
    /// It is being looked at as these.
    Running(Vec<Arc<ClientIdentity>>),
    /// What came of it, at that time.
    Told(Timestamp, Arc<SplitView>),
}

/// What an event is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "UPPERCASE")]
#[expect(missing_docs, reason = "the names say it")]
pub enum HappeningKind {
    #[strum(to_string = "DRIFT")]
    Drifted,
    New,
    Gone,
    Returned,
    Changed,
    Approved,
    Rejected,
    Undone,
    /// A guard let something not pass, or is closed.
    Blocked,
    Stale,
    Recovered,
    #[strum(to_string = "BASELINE")]
    BaselineSeen,
    #[strum(to_string = "BASELINE")]
    BaselineChanged,
    Recorded,
    #[strum(to_string = "CONSENT")]
    Consented,
    #[strum(to_string = "CONSENT")]
    NotConsented,
    #[strum(to_string = "SIGN-IN")]
    SignedIn,
    #[strum(to_string = "SIGN-IN")]
    SignInRefused,
    Unwatched,
    Notice,
}

word!(HappeningKind);

/// Characters that an event keeps of an item's name and of a text: a server may name its items anew at each look, and some
/// thousand events are kept.
const MAX_TEXT: usize = 1_000;

/// Characters of an event about many items, which names them.
const MAX_LIST: usize = 4_000;

/// Items of one look, or of one decision, that get a line each where the same happened to them; more are one line.
pub const MAX_LINES: usize = 3;

/// One line of the event log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Happening {
    pub at: Timestamp,
    pub server: ServerId,
    pub kind: HappeningKind,
    /// The item, as KIND/KEY, shortened where a server's name is very long; empty for the server as a whole. Not escaped.
    pub item: String,
    /// How bad it is, where something drifted.
    pub severity: Option<Severity>,
    /// One line. Not escaped.
    pub text: String,
}

impl Happening {
    /// What a server did at this moment; its own words no longer than an event keeps them.
    pub fn of_server(server: &ServerId, kind: HappeningKind, item: &str, text: &str) -> Self {
        let [item, text] = [item, text].map(|words| shortened(words, MAX_TEXT));
        Self { at: Timestamp::now(), server: Arc::clone(server), kind, item, severity: None, text }
    }

    /// The same that happened to many items, in one line: `76 tools: no longer served: a, b, …`. `words` come first, since
    /// of a long list the end is cut.
    pub fn of_many(server: &ServerId, kind: HappeningKind, words: &str, names: &[impl AsRef<str>]) -> Self {
        let names: Vec<_> = names.iter().map(AsRef::as_ref).collect();
        let text = shortened(&format!("{words}: {}", names.join(", ")), MAX_LIST);
        Self { text, ..Self::of_server(server, kind, "", "") }
    }

    /// Whether it is about this item.
    pub fn is_about(&self, item: &ItemId) -> bool {
        let whole = item.text();
        self.item == whole || self.item == shortened(&whole, MAX_TEXT)
    }

    /// Something about no server in particular.
    pub fn notice(at: Timestamp, text: String) -> Self {
        let (server, item) = (ServerId::from(""), String::new());
        Self { at, server, kind: HappeningKind::Notice, item, severity: None, text }
    }

    /// What of the config could not be used.
    pub fn not_usable(problem: &Problem) -> Self {
        Self::notice(Timestamp::now(), format!("not usable: {problem}"))
    }
}

/// What a supervisor is told.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Look now.
    Poll,
    /// Close the session and open a new one.
    Restart,
    /// Stop looking, or go on.
    Pause(bool),
    /// The person agreed to the launch.
    Consent,
    /// The person signs in: begins to, or agrees to the hosts, as it was shown.
    SignIn(Arc<SigningIn>),
    /// What is kept of a sign-in is this now; none where somebody signed out.
    Account(Option<Box<SignedIn>>),
    /// The person agreed to run the scanner, as it was shown.
    AgreeToScanner,
    /// See what these clients are shown.
    LookAs(Vec<Arc<ClientIdentity>>),
    /// The baseline file has changed.
    Baseline(BaselineState),
    /// What the tools of the other servers say of this one.
    Beside(AcrossServers),
    /// End.
    Stop,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::Kind;

    #[test]
    fn event_cuts_a_huge_name_and_keeps_its_item() {
        let long = "n".repeat(1 << 20);
        let event = Happening::of_server(&"s".into(), HappeningKind::New, &format!("tool/{long}"), &long);
        assert!(event.item.len() + event.text.len() < 4_000);
        assert!(event.is_about(&ItemId::new(Kind::Tool, long.as_str())));
        assert!(!event.is_about(&ItemId::new(Kind::Tool, "n")));
        assert!(!event.is_about(&ItemId::new(Kind::Prompt, long)));
    }
}
