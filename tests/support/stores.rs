//! What the tests of the store share: a scratch project, this user's places, small decisions.

use jiff::Timestamp;
use pinwatch::audit::{About, Chain, Sighting, check};
use pinwatch::canon::Definition;
use pinwatch::digest::{DigestScope, Item, SurfaceDigest};
use pinwatch::drift::{DriftType, Severity};
use pinwatch::pin::{Baseline, Decision, DecisionState, Pin};
use pinwatch::review::{DriftId, Drifting};
use pinwatch::store::disk::Disk;
use pinwatch::store::redact::Redactor;
use pinwatch::store::{Event, LogEntry, Places, Root, Store, StoreError};
use pinwatch::surface::Kind;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A project folder and this user's places in a scratch folder.
pub struct Ground {
    folder: PathBuf,
    _kept: Option<tempfile::TempDir>,
}

impl Ground {
    pub fn new() -> Self {
        // In memory where that is at hand: a thousand flushes say nothing more on a disk.
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        fs::create_dir(folder.path().join("project")).unwrap();
        Self { folder: folder.path().to_owned(), _kept: Some(folder) }
    }

    /// Ground that another process made.
    pub fn at(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), _kept: None }
    }

    pub fn path(&self, below: &str) -> PathBuf {
        self.folder.join(below)
    }

    pub fn places(&self) -> Places {
        Places::below(&self.folder)
    }

    pub fn store(&self) -> Store {
        self.store_on(Disk::default(), Duration::from_secs(2))
    }

    /// For many at once on a slow machine: how long it waits is not what is tested.
    pub fn patient_store(&self) -> Store {
        self.store_on(Disk::default(), Duration::from_mins(1))
    }

    pub fn hasty_store(&self) -> Store {
        self.store_on(Disk::default(), Duration::from_millis(1))
    }

    pub fn store_on(&self, disk: Disk, wait: Duration) -> Store {
        Store::on(disk, wait, Root::at(&self.path("project")), self.places(), Redactor::default())
    }

    /// The same project as another user sees it.
    pub fn other_users_store(&self) -> Store {
        Store::new(Root::at(&self.path("project")), Places::below(&self.path("other")), Redactor::default())
    }

    pub fn write(&self, below: &str, text: &str) {
        let path = self.path(below);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The names in a folder, sorted.
    pub fn names(&self, below: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(below)).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Each whole line of the log is a record that holds, and follows the one before it.
    pub fn chain_holds(&self) {
        let text = fs::read(self.path("state/audit.jsonl")).unwrap_or_default();
        let mut chain = Chain::default();
        for line in text.split_inclusive(|byte| *byte == b'\n').filter_map(|line| line.strip_suffix(b"\n")) {
            let added = check(line).and_then(|record| chain.add(record));
            assert_eq!(added, Ok(()), "record {}: {}", chain.len() + 1, String::from_utf8_lossy(line));
        }
    }

    /// Every file below the scratch folder.
    pub fn files(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        collect(&self.folder, &mut found);
        found
    }
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// 2026-11-27T20:31:00Z and so many seconds.
pub fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second("2026-11-27T20:31:00Z".parse::<Timestamp>().unwrap().as_second() + seconds).unwrap()
}

/// A pin of a tool of this name.
pub fn tool(name: &str) -> Arc<Pin> {
    let json = format!(r#"{{"name":"{name}","description":"{name} things","inputSchema":{{"type":"object"}}}}"#);
    let definition = Definition::read(json.as_bytes(), 100).unwrap();
    let decision = Decision {
        state: DecisionState::Approved,
        by: "ana".into(),
        at: "2026-11-27T20:31:00Z".into(),
        note: "ok".into(),
    };
    let item = Arc::new(Item::stored(Kind::Tool, definition, &DigestScope::None));
    Arc::new(Pin { item, varies: Vec::new(), decision: decision.into() })
}

pub fn baseline(server: &str, pins: Vec<Arc<Pin>>) -> Baseline {
    Baseline { pins, ..Baseline::empty(server, DigestScope::None, None) }
}

pub fn entry(event: Event, pin: &Pin) -> LogEntry {
    LogEntry {
        at: at(0),
        event,
        item: Some(pin.item.id.clone()),
        from: None,
        to: Some(pin.binds_to()),
        by: "ana".into(),
        note: "ok".into(),
        policy: None,
    }
}

/// Decides where what is told in the log is known before.
pub fn change<E: From<StoreError>>(
    store: &Store,
    server: &str,
    told: &[LogEntry],
    change: impl FnOnce(Option<Baseline>) -> Result<Baseline, E>,
) -> Result<Baseline, E> {
    store.change(server, |before| Ok((change(before)?, told.to_vec())))
}

/// Approves one more tool of a server.
pub fn approve(store: &Store, server: &str, name: &str) -> Result<Baseline, StoreError> {
    let pin = tool(name);
    let entry = entry(Event::Approve, &pin);
    change(store, server, &[entry], |now| {
        let mut next = now.unwrap_or_else(|| baseline(server, Vec::new()));
        next.pins.push(pin);
        Ok(next)
    })
}

/// Tells the audit chain of a first look at a server, at which one new tool of this name drifts.
pub fn saw(store: &Store, server: &str, name: &str) -> Result<(), StoreError> {
    let id = DriftId { kind: Kind::Tool, key: name.into(), pinned: None, served: Some(SurfaceDigest::of(name)) };
    let mut drifting = Drifting::default();
    drifting.drifts.insert(id, (Severity::Moderate, DriftType::ToolAdded));
    let mut sighting = Sighting::default();
    sighting.look(Some(drifting), None, at(0));
    store.saw(&sighting, &About { server, root: "r", by: "ana", policy: "sha256:p", at: at(0) })
}
