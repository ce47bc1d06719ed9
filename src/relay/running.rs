//! What a guard says of itself while it runs, for the screen and for `pinwatch servers`: written by a thread of its own, at
//! most once a second, so that no request waits for the disk.

use crate::guard::{Refusal, Told};
use crate::held::held;
use crate::store::redact::Redactor;
use crate::store::{GuardedItem, Places, Presence, RunningGuard, RunningGuards, utc};
use crate::surface::ItemId;
use crate::text::shortened;
use jiff::Timestamp;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Between two writes.
const PAUSE: Duration = Duration::from_secs(1);
/// Items that are kept; more are counted.
const MOST_ITEMS: usize = 200;
/// Characters of a name and of a reason.
const LONGEST: usize = 300;

/// What a guard says of itself. Cheap to clone: all clones say the same.
#[derive(Clone)]
pub struct Running(Arc<Shared>);

struct Shared {
    said: Mutex<Said>,
    moved: Condvar,
    writer: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Default)]
struct Said {
    guard: RunningGuard,
    redactor: Redactor,
    is_new: bool,
    is_over: bool,
}

opaque!(Running);

impl Running {
    /// A guard before this server begins. Where its file cannot be written it guards all the same.
    pub fn start(places: &Places, server: &str, root: &str) -> Self {
        let guard = RunningGuard {
            pid: std::process::id(),
            server: server.to_owned(),
            root: root.to_owned(),
            since: utc(Timestamp::now()),
            ..RunningGuard::default()
        };
        let said = Said { guard, is_new: true, ..Said::default() };
        let shared = Arc::new(Shared { said: said.into(), moved: Condvar::new(), writer: Mutex::default() });
        if let Ok(presence) = RunningGuards::new(places).enter() {
            let own = Arc::clone(&shared);
            let writer = thread::Builder::new().name("status".to_owned()).spawn(move || own.write(&presence));
            *held(&shared.writer) = writer.ok();
        }
        Self(shared)
    }

    /// Takes in what passed, or did not.
    pub(super) fn told(&self, told: &Told) {
        self.0.change(|said| match told {
            Told::Met(client) => {
                said.guard.client = Some(said.redactor.mask(&shortened(client, LONGEST)).into_owned());
            }
            Told::Blocked(refusal) => {
                said.guard.blocked += 1;
                said.count(item_of(refusal), |item| item.blocked += 1);
            }
            Told::Warned(refusal) => said.count(item_of(refusal), |item| item.warned += 1),
            Told::Hidden(refusal) => said.count(item_of(refusal), |item| item.hidden += 1),
            Told::Ignored(id) => said.count(Some((id, "ignored")), |item| item.ignored += 1),
            Told::Dropped(_) => {}
        });
    }

    /// Whether the guard is closed, and why.
    pub(super) fn closed(&self, why: Option<&str>) {
        self.0.change(|said| {
            said.guard.closed = why.map(|why| said.redactor.mask(&shortened(why, LONGEST)).into_owned());
        });
    }

    /// What is masked from now on.
    pub(super) fn learn(&self, redactor: &Redactor) {
        held(&self.0.said).redactor = redactor.clone();
    }

    /// The guard is over. Waits until its file is gone.
    pub fn finish(&self) {
        self.0.change(|said| said.is_over = true);
        let writer = held(&self.0.writer).take();
        // A thread that panicked has told so.
        let _ = writer.map(JoinHandle::join);
    }
}

/// The item that a refusal is about, and how it stands.
fn item_of(refusal: &Refusal) -> Option<(&ItemId, &'static str)> {
    match refusal {
        Refusal::Item(id, verdict) => Some((id, verdict.word())),
        Refusal::NotListed(id) => Some((id, "not_listed")),
        _ => None,
    }
}

impl Said {
    fn count(&mut self, item: Option<(&ItemId, &str)>, add: impl FnOnce(&mut GuardedItem)) {
        let Some((id, state)) = item else { return };
        let key = self.redactor.mask(&shortened(&id.key, LONGEST)).into_owned();
        let items = &mut self.guard.items;
        let known = items.iter().position(|item| item.kind == id.kind && *item.key == *key);
        if known.is_none() && items.len() >= MOST_ITEMS {
            self.guard.more += 1;
            return;
        }
        let at = known.unwrap_or_else(|| {
            let (blocked, hidden, warned, ignored) = Default::default();
            let key = key.as_str().into();
            let (state, last) = (String::new(), String::new());
            items.push(GuardedItem { kind: id.kind, key, state, blocked, hidden, warned, ignored, last });
            items.len() - 1
        });
        if let Some(item) = items.get_mut(at) {
            state.clone_into(&mut item.state);
            item.last = utc(Timestamp::now());
            add(item);
        }
    }
}

impl Shared {
    fn change(&self, change: impl FnOnce(&mut Said)) {
        let mut said = held(&self.said);
        change(&mut said);
        said.is_new = true;
        self.moved.notify_one();
    }

    /// Writes what is said as long as the guard runs. Nothing wakes it where nothing is new.
    fn write(&self, presence: &Presence) {
        let mut said = held(&self.said);
        while !said.is_over {
            if !std::mem::take(&mut said.is_new) {
                said = self.moved.wait(said).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let guard = said.guard.clone();
            drop(said);
            // The next one says it again.
            let _ = presence.say(&guard);
            said = held(&self.said);
            let rest = self.moved.wait_timeout_while(said, PAUSE, |said| !said.is_over);
            said = rest.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
