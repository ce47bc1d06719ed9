//! Home: everything of all servers that needs the person, worst first.

use super::entries::{asked, waiting};
use super::entry::{Entry, matches};
use super::list::List;
use super::server::Server;
use super::session::Session;
use crate::drift::Severity;
use crate::monitor::ServerState;
use crate::surface::ServerId;
use std::collections::HashMap;
use std::sync::Arc;

/// One row of home.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HomeRow {
    /// The server.
    pub server: ServerId,
    /// What of it.
    pub what: Waiting,
    /// Put off this session.
    pub skipped: bool,
}

/// What waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// A decision on an item.
    Decision(Box<Entry>),
    /// Its baseline file is refused: nothing is compared until it is mended.
    Refused,
    /// Consent to the server's launch.
    Consent,
    /// Somebody to sign in.
    SignIn,
    /// An answer that a client's file asks for.
    Input,
    /// Whether it may stay unwatched.
    Unwatched,
    /// The record of its baseline: of these items, worst first.
    FirstContact(Arc<[Entry]>),
    /// Rules of the policy fail on it as a whole.
    Policy,
}

impl HomeRow {
    /// The entry that is decided on.
    pub fn entry(&self) -> Option<&Entry> {
        match &self.what {
            Waiting::Decision(entry) => Some(entry),
            _ => None,
        }
    }

    /// One word of a filter: part of the server's id, or what fits the entry.
    fn fits(&self, word: &str) -> bool {
        let words = match &self.what {
            Waiting::Decision(_) => "",
            Waiting::Refused => "refused",
            Waiting::Consent => "consent",
            Waiting::SignIn => "sign-in",
            Waiting::Input => "input",
            Waiting::Unwatched => "unwatched",
            Waiting::FirstContact(_) => "first contact new",
            Waiting::Policy => "policy",
        };
        let fits = |entry| matches(entry, word);
        self.what.worst().is_some_and(fits) || words.contains(word) || self.server.to_lowercase().contains(word)
    }

    /// Orders the worst first; what was put off comes last, servers that wait as a whole before that, but for a refused
    /// baseline, behind which nothing is compared, and for what is suspicious at first contact.
    fn worst_first(&self) -> impl Ord + use<> {
        let worst = self.what.worst().map(Entry::worst_first);
        let whole = if self.what == Waiting::Refused { 0 } else { 1 + u8::from(worst.is_none()) };
        (self.skipped, whole, worst)
    }
}

/// What the rows were made of: the servers' revision, how much was put off, the filter.
type HomeKey = (u64, usize, String);

/// What needs the person, and where they are in it.
#[derive(Clone, Debug, Default)]
pub struct HomeScreen {
    /// The rows that the filter lets through.
    pub rows: Vec<HomeRow>,
    /// How many there are without it.
    pub all: usize,
    /// Its selected row, where that waits no longer, is where it stood.
    pub list: List,
    /// Whether the person chose the row: until then it is the worst, whatever comes.
    pub chosen: bool,
    /// Whether the row of the selected server's rules is selected, and none of its entries.
    pub on_rules: bool,
    key: Option<HomeKey>,
    /// What waits on each server, at its revision.
    kept: HashMap<ServerId, (u64, Vec<Waiting>)>,
}

impl HomeScreen {
    /// Makes the rows anew where something moved; whether it did.
    pub fn renew(&mut self, servers: &[Server], revision: u64, session: &Session) -> bool {
        let put_off = session.skipped.len() + session.left_unwatched.len();
        let key = (revision, put_off, self.list.filter.text().to_owned());
        if self.key.as_ref() == Some(&key) {
            return false;
        }
        self.key = Some(key);
        self.kept.retain(|id, _| servers.iter().any(|server| server.look.id == *id));
        let mut rows = Vec::new();
        for server in servers {
            let id = &server.look.id;
            let (known, waiting) = self.kept.entry(id.clone()).or_insert((u64::MAX, Vec::new()));
            if *known != server.revision {
                (*known, *waiting) = (server.revision, waiting_on(server));
            }
            rows.extend(waiting.iter().map(|what| {
                let skipped = is_put_off(session, server, what);
                HomeRow { server: id.clone(), what: what.clone(), skipped }
            }));
        }
        self.all = rows.len();
        let words = self.list.words();
        rows.retain(|row| words.iter().all(|word| row.fits(word)));
        // Stable: what is equally bad stays in the order of the servers.
        rows.sort_by_key(HomeRow::worst_first);
        self.rows = rows;
        true
    }

    /// How many rows, filtered or not, are this bad.
    pub fn counted(&self, severity: Severity) -> usize {
        let waiting = self.kept.values().flat_map(|(_, waiting)| waiting);
        waiting.filter(|what| what.worst().is_some_and(|entry| entry.severity == Some(severity))).count()
    }

    /// The row at the selection's place.
    pub fn row(&self) -> Option<&HomeRow> {
        self.rows.get(self.list.at)
    }
}

fn is_put_off(session: &Session, server: &Server, what: &Waiting) -> bool {
    match what {
        Waiting::Unwatched => session.left_unwatched.contains(&server.look.id),
        Waiting::Decision(entry) => {
            let rows = server.rows_of(&entry.id);
            !rows.is_empty() && rows.iter().all(|row| session.is_skipped(&server.look.id, row))
        }
        _ => false,
    }
}

impl Waiting {
    /// What it is rated by: the entry that is decided on, the worst that a first record would take in.
    pub fn worst(&self) -> Option<&Entry> {
        match self {
            Self::Decision(entry) => Some(entry),
            Self::FirstContact(entries) => entries.first().filter(|entry| entry.severity.is_some()),
            _ => None,
        }
    }

    /// What a server waits for before it can be looked at, or compared.
    pub fn whole(server: &Server) -> Option<Self> {
        match server.look.state() {
            ServerState::Refused => Some(Self::Refused),
            ServerState::Input => Some(Self::Input),
            ServerState::Consent => Some(Self::Consent),
            ServerState::SignIn => Some(Self::SignIn),
            ServerState::Unwatched => Some(Self::Unwatched),
            _ => None,
        }
    }
}

fn waiting_on(server: &Server) -> Vec<Waiting> {
    let whole = Waiting::whole(server);
    // One that wants somebody to sign in keeps what was read before; at first contact it is recorded as a whole, or not yet.
    let is_read = server.look.review.is_some() && !server.look.is_first_contact();
    match &whole {
        Some(Waiting::SignIn) if is_read => {}
        Some(_) => return whole.into_iter().collect(),
        None if server.look.state() == ServerState::Off => return Vec::new(),
        None => {}
    }
    let mut rows = match &server.look.review {
        None => Vec::new(),
        Some(review) if review.first_contact && review.counts.new == 0 => Vec::new(),
        Some(review) if review.first_contact => vec![Waiting::FirstContact(waiting(server).into())],
        Some(_) => asked(server).into_iter().map(|entry| Waiting::Decision(Box::new(entry))).collect(),
    };
    // One row that is no decision: the rules are judged once it is read whole.
    let rules = || server.look.failing_rules().next().map(|_| Waiting::Policy);
    rows.extend(whole.or_else(rules));
    rows
}
