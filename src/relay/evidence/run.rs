//! One run of a guard: what is written of each call, and what the audit log is told of that.

use super::book::{Book, Due, Record};
use super::stream::Stream;
use crate::audit::{About, Calls, Lines};
use crate::canon::{Code, line, read};
use crate::decisions::Desk;
use crate::digest::{DefinitionCluster, Sha256};
use crate::guard::{Decided, Ending};
use crate::interop::call::{Ground, LogFormat, Ruled};
use crate::interop::sealedproof::{self, Bound, Ended, bound};
use crate::interop::{assay, capiscio};
use crate::signature::SigningKey;
use crate::store::{signing_key, uuid};
use crate::text::{is_hidden, shortened};
use jiff::Timestamp;
use serde_json::Value;
use std::collections::HashMap;
use std::mem;
use std::path::PathBuf;
use std::sync::Arc;

/// Characters of a tool's name, and of a version, that a line holds.
const LONGEST: usize = 400;
/// Levels of nesting of arguments that are digested.
const DEEPEST: usize = 1_000;
/// Sentences that wait to be told.
const MOST_TOLD: usize = 100;

/// The evidence that is wanted of a guard.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// What is written where; each format once.
    pub files: Vec<(LogFormat, PathBuf)>,
    /// Whether a call passes only with its evidence.
    pub strict: bool,
    /// The run's id: 32 random hex digits.
    pub run: String,
}

/// A call that was decided on. One that passed is kept until it is over.
#[derive(Debug)]
struct Call {
    at: String,
    tool: String,
    span: String,
    passes: bool,
    ground: Ground,
    policy: Arc<str>,
    definition: Option<DefinitionCluster>,
    input: Bound,
}

impl Call {
    /// What the lines of every format say of it, in this run and before this server.
    fn ruled<'a>(&'a self, run: &'a str, server: &'a str) -> Ruled<'a> {
        let Self { at, tool, span, passes, ground, policy, definition, .. } = self;
        Ruled { at, server, tool, run, span, passes: *passes, ground: *ground, policy, definition: *definition }
    }
}

/// One run.
#[derive(Debug)]
pub(super) struct Run {
    id: Arc<str>,
    server: Arc<str>,
    strict: bool,
    desk: Desk,
    streams: Vec<Stream>,
    /// Why statements cannot be signed, where they cannot.
    key: Result<SigningKey, String>,
    key_file: Option<PathBuf>,
    version: Option<String>,
    number: u64,
    passed: u64,
    denied: u64,
    unwritten: u64,
    open: HashMap<u64, Call>,
    /// The digest of the last statement.
    previous: Option<Sha256>,
    told: Vec<String>,
    book: Book,
}

impl Run {
    pub fn new(wanted: &Wanted, server: &str, desk: Desk, key_file: Option<PathBuf>) -> Option<Self> {
        let streams: Vec<_> = wanted.files.iter().map(|(format, path)| Stream::new(*format, path.clone())).collect();
        if streams.is_empty() {
            return None;
        }
        let mut run = Self {
            id: wanted.run.as_str().into(),
            server: server.into(),
            strict: wanted.strict,
            desk,
            streams,
            key: Err(String::new()),
            key_file,
            version: None,
            number: 0,
            passed: 0,
            denied: 0,
            unwritten: 0,
            open: HashMap::new(),
            previous: None,
            told: Vec::new(),
            book: Book::default(),
        };
        run.read_key();
        let faults: Vec<_> = run.streams.iter_mut().filter_map(|stream| stream.ready().err()).collect();
        faults.into_iter().chain(run.key_fault()).for_each(|why| run.tell(&why));
        Some(run)
    }

    /// Whether statements are written, which tell how calls end.
    pub fn follows(&self) -> bool {
        self.streams.iter().any(|stream| stream.format == LogFormat::Sealedproof)
    }

    /// One key signs a run: it is read again only while there is none.
    fn read_key(&mut self) {
        if self.follows() && self.key.is_err() {
            self.key = match &self.key_file {
                Some(file) => signing_key(file).map_err(|error| error.to_string()),
                None => {
                    Err("no `signing-key` in [evidence] of pinwatch.toml: `pinwatch evidence keygen` makes one".into())
                }
            };
        }
    }

    fn key_fault(&self) -> Option<String> {
        self.key.as_ref().err().filter(|_| self.follows()).cloned()
    }

    pub fn renew(&mut self, desk: Desk) {
        self.desk = desk;
    }

    pub fn told(&mut self) -> Vec<String> {
        mem::take(&mut self.told)
    }

    fn tell(&mut self, why: &str) {
        if self.told.len() < MOST_TOLD {
            let why = self.desk.store.redactor().mask_log(why);
            self.told.push(format!("evidence cannot be written: {why}"));
        }
    }

    fn lost(&mut self, why: &str) {
        self.unwritten += 1;
        self.book.wrote();
        self.tell(why);
    }

    pub fn introduced(&mut self, version: &str) {
        let version = self.masked(version);
        self.version = Some(version).filter(|version| !version.trim().is_empty());
    }

    /// A name as a line holds it: whatever it is, it is no secret that was passed to a server, and not long.
    fn masked(&self, text: &str) -> String {
        shortened(&self.desk.store.redactor().mask_log(text), LONGEST)
    }

    /// Why a call may not pass for want of evidence.
    fn unready(&mut self, input: &Bound) -> Option<String> {
        self.read_key();
        if let Some(code) = input.fault.filter(|_| self.follows()) {
            return Some(format!("its arguments have no canonical form ({code})"));
        }
        let log = self.book.refused().map(str::to_owned);
        let fault = log.or_else(|| self.key_fault());
        fault.or_else(|| self.streams.iter_mut().find_map(|stream| stream.ready().err()))
    }

    /// Writes down a call; its number in the run.
    pub fn decided(&mut self, decided: &Decided<'_>) -> Result<u64, Arc<str>> {
        self.number += 1;
        let number = self.number;
        let arguments = decided.arguments.unwrap_or(b"{}");
        let mut call = Call {
            at: now(),
            tool: self.masked(decided.tool),
            span: format!("{number:016x}"),
            passes: decided.ruling.passes(),
            ground: decided.ruling.ground(),
            policy: Arc::clone(&self.desk.policy_digest),
            definition: decided.definition,
            input: bound(arguments),
        };
        let params = self.streams.iter().any(|stream| stream.format == LogFormat::Capiscio);
        let params = params.then(|| params_hash(arguments)).flatten();
        let needs = self.strict && call.passes;
        let mut fault = if needs { self.unready(&call.input) } else { None };
        if fault.is_none() {
            let faults = self.write(&call, params.as_deref());
            fault = faults.first().cloned().filter(|_| needs);
            if fault.is_none() {
                for why in &faults {
                    self.lost(why);
                }
            }
        }
        if fault.is_some() {
            // What was written of it as one that passes is followed by this, of the same call.
            call = Call { passes: false, ground: Ground::NoEvidence, ..call };
            for why in self.write(&call, params.as_deref()) {
                self.lost(&why);
            }
        }
        self.book.wrote();
        if call.passes {
            self.passed += 1;
        } else {
            self.denied += 1;
        }
        if let Some(fault) = fault {
            return Err(self.desk.store.redactor().mask_log(&fault).into());
        }
        if call.passes && self.follows() {
            self.open.insert(number, call);
        }
        Ok(number)
    }

    /// Writes a line of a call to each file; what could not be written. A statement of one that passes comes later.
    fn write(&mut self, call: &Call, params: Option<&str>) -> Vec<String> {
        let (id, server) = (Arc::clone(&self.id), Arc::clone(&self.server));
        let ruled = call.ruled(&id, &server);
        let mut faults = Vec::new();
        for at in 0..self.streams.len() {
            let made = uuid().map_err(|error| error.to_string());
            let event = match self.streams[at].format {
                LogFormat::Assay => made.map(|uuid| assay::event(&ruled, &uuid)),
                LogFormat::Capiscio => made.map(|uuid| capiscio::event(&ruled, params, &uuid)),
                LogFormat::Sealedproof if ruled.passes => continue,
                LogFormat::Sealedproof => self.sealed(call, (Ended::Denied, &call.at, None)),
            };
            let done = event.and_then(|event| self.streams[at].put(&line(&event, &is_hidden)));
            faults.extend(done.err());
        }
        faults
    }

    /// The signed statement of a call that is over.
    fn sealed(&mut self, call: &Call, end: (Ended, &str, Option<&Bound>)) -> Result<Value, String> {
        let ruled = call.ruled(&self.id, &self.server);
        let statement = sealedproof::statement(&ruled, self.version.as_deref(), &call.input, end, self.previous);
        let key = self.key.as_ref().map_err(Clone::clone)?;
        let (statement, digest) = sealedproof::signed(statement, key).map_err(|fault| fault.to_string())?;
        // One that is lost is missed by the next.
        self.previous = Some(digest);
        Ok(statement)
    }

    /// A call that passed is over.
    pub fn ended(&mut self, number: u64, ending: Ending<'_>) {
        let Some(call) = self.open.remove(&number) else { return };
        let (ended, output) = match ending {
            Ending::Answered { is_error, text } => (of_answer(is_error), Some(bound(text))),
            Ending::Long { is_error, digest: Some(digest) } => (of_answer(is_error), Some(Bound::raw(digest))),
            Ending::Long { .. } | Ending::Unreadable => (Ended::Unreadable, None),
            Ending::CalledOff => (Ended::Cancelled, None),
            Ending::Unanswered => (Ended::Unanswered, None),
        };
        let statement = self.sealed(&call, (ended, &now(), output.as_ref()));
        let made = statement.map(|statement| line(&statement, &is_hidden));
        let strict = self.strict;
        let sealed = self.streams.iter_mut().find(|stream| stream.format == LogFormat::Sealedproof);
        let Some(stream) = sealed else { return };
        let done = made.and_then(|line| stream.put_or_keep(line, strict));
        self.book.wrote();
        match done {
            Ok(None) => {}
            // The next call waits for it.
            Ok(Some(why)) => self.tell(&why),
            Err(why) => self.lost(&why),
        }
    }

    /// Nothing more is decided.
    pub fn close(&mut self) {
        let mut open: Vec<u64> = self.open.keys().copied().collect();
        open.sort_unstable();
        for number in open {
            self.ended(number, Ending::Unanswered);
        }
        let waiting: Vec<_> = self.streams.iter_mut().filter_map(Stream::give_up).collect();
        for (why, many) in waiting {
            for _ in 0..many {
                self.lost(&why);
            }
        }
        self.book.close();
    }

    /// Whether the keeper is to be woken.
    pub fn wakes(&self) -> bool {
        self.book.wakes(self.number)
    }

    /// When the audit log is to get its next record.
    pub fn due(&self) -> Due {
        self.book.due(self.number)
    }

    /// Whether the audit log took the record.
    pub fn recorded(&mut self, done: Result<(), String>) {
        if let Err(why) = &done {
            self.tell(why);
        }
        self.book.recorded(done.err());
    }

    /// What the audit log is to be told now.
    pub fn record(&mut self) -> Record {
        self.book.begin(self.number);
        let lines = self.streams.iter().map(|stream| Lines {
            format: stream.format.word().to_owned(),
            file: self.masked(&stream.path().display().to_string()),
            count: stream.count(),
            digest: stream.digest(),
        });
        let calls = Calls {
            run: self.id.to_string(),
            passed: self.passed,
            denied: self.denied,
            unwritten: self.unwritten,
            key: self.key.as_ref().ok().filter(|_| self.follows()).map(|key| key.public().id()),
            lines: lines.collect(),
        };
        let root = self.desk.store.root().name();
        let about = About {
            server: &self.server,
            root: &root,
            by: &self.desk.by,
            policy: &self.desk.policy_digest,
            at: Timestamp::now(),
        };
        let files = self.streams.iter().filter_map(Stream::handle).collect();
        Record::new(calls.draft(&about), files, self.desk.clone())
    }
}

fn of_answer(is_error: bool) -> Ended {
    if is_error { Ended::Error } else { Ended::Result }
}

/// RFC 3339 with milliseconds.
fn now() -> String {
    Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()
}

/// The `params_hash` of arguments; none where they have no canonical form.
fn params_hash(arguments: &[u8]) -> Option<String> {
    let reading = read(arguments, DEEPEST).ok()?;
    let is_plain = reading.codes.iter().all(|code| *code == Code::Number);
    is_plain.then(|| capiscio::params_hash(&reading.value))
}
