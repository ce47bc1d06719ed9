//! The calls that other systems' logs tell of: followed while somebody watches, and as rows of an item's history.

use crate::decisions::is_shown_as;
use crate::digest::SurfaceDigest;
use crate::evidence::{Standing, is_bad};
use crate::interop::call::{Call, Verdict};
use crate::monitor::{DEBOUNCE, Fleet, Folders, Now, ServerLook, WITHOUT_A_SIGN, stamp};
use crate::project::calls::CallLogs;
use crate::project::evidence::ledger;
use crate::surface::{ItemId, Kind};
use crate::text::shortened;
use crate::tui::{Msg, VersionId, VersionRow};
use jiff::Timestamp;
use notify::RecursiveMode;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::mpsc;

/// Between two signs that a log grew: a busy one is written to all the time, and a history is made anew for each.
const PAUSE: Duration = Duration::from_secs(1);
/// Rows of calls in a history, the latest.
const MOST_ROWS: usize = 200;
/// Callers that a row names, and characters of one.
const MOST_CALLERS: usize = 3;
const LONGEST_CALLER: usize = 60;

/// The logs as far as they were read.
pub(super) type Logs = Arc<Mutex<CallLogs>>;

/// Tells when a log of the config grew, until the screen is gone. Reads none.
pub(super) async fn follow(fleet: Arc<Fleet<Msg>>, messages: mpsc::Sender<Msg>) {
    let (sign, mut signs) = mpsc::channel(1);
    let mut folders = Folders::new(sign);
    let mut known = None;
    loop {
        let files = fleet.now().project.config.evidence.files.clone();
        let parents = files.iter().filter_map(|file| file.parent()).map(Path::to_owned);
        folders.renew(&parents.map(|folder| (folder, RecursiveMode::NonRecursive)).collect());
        let fresh: Vec<_> = files.iter().map(|file| (file.clone(), stamp(file))).collect();
        let grew = known.as_ref() != Some(&fresh);
        known = Some(fresh);
        if grew && !files.is_empty() {
            if messages.send(Msg::CallsLogged).await.is_err() {
                return;
            }
            tokio::time::sleep(PAUSE).await;
        }
        tokio::select! {
            _ = signs.recv() => tokio::time::sleep(DEBOUNCE).await,
            () = tokio::time::sleep(WITHOUT_A_SIGN) => {}
            () = messages.closed() => return,
        }
        while signs.try_recv().is_ok() {}
    }
}

/// The calls of an item, as rows beside its versions: of one definition, with one answer, one after another are one row.
/// Blocks on the disk.
pub(super) fn rows(
    now: &Now,
    look: &ServerLook,
    id: &ItemId,
    versions: &[VersionRow],
    logs: &Logs,
) -> Result<Vec<VersionRow>, String> {
    let evidence = &now.project.config.evidence;
    if id.kind != Kind::Tool || evidence.files.is_empty() {
        return Ok(Vec::new());
    }
    let mut logs = logs.lock().map_err(|_| "reading the logs of calls failed; please report this")?;
    logs.follow(&evidence.files);
    logs.read_on();
    let shown_now = look.surface.iter().flat_map(|surface| &surface.items).cloned().collect();
    let server = look.id.to_string();
    // What of the log of decisions is not used is told on the screen of events.
    let ledger = ledger(&now.project, [(server.clone(), shown_now)], &evidence.ids, &mut Vec::new());
    let ledger = ledger.map_err(|error| error.to_string())?;
    let is_ours = |name: &str| *name == *server || evidence.ids.iter().any(|(id, own)| id == name && *own == server);
    let mut calls: Vec<_> = logs
        .calls()
        .filter_map(|call| {
            let (standing, known) = ledger.standing(call);
            let is_meant = match known {
                Some(known) => is_shown_as(&known.item.id, id, &now.project.redactor),
                None => call.tool == *id.key && call.server.as_deref().is_some_and(is_ours),
            };
            is_meant.then(|| (call, standing, known.map(|known| known.item.digests.surface)))
        })
        .collect();
    calls.sort_by_key(|(call, ..)| call.at);
    let mut runs: Vec<Run<'_>> = Vec::new();
    for (call, standing, digest) in calls {
        let between = |since: Option<Timestamp>| versions.iter().any(|row| row.at > since && row.at <= call.at);
        match runs.last_mut() {
            Some(run) if run.is_of(call, &standing, digest) && !between(run.last) => run.take(call),
            _ => runs.push(Run::of(call, standing, digest)),
        }
    }
    let shown = runs.iter().rev().take(MOST_ROWS);
    let mut rows: Vec<_> = shown.map(|run| run.row(versions)).collect();
    for row in &mut rows {
        row.text = now.project.redactor.mask_log(&row.text);
    }
    Ok(rows)
}

/// What of the logs is not told. Not escaped.
pub(super) fn faults(logs: &Logs) -> Vec<String> {
    logs.lock().map_or_else(|_| Vec::new(), |logs| logs.faults())
}

/// Calls that are one row.
struct Run<'a> {
    standing: Standing,
    digest: Option<SurfaceDigest>,
    verdict: Verdict,
    is_bad: bool,
    many: usize,
    last: Option<Timestamp>,
    callers: BTreeSet<&'a str>,
}

impl<'a> Run<'a> {
    fn of(call: &'a Call, standing: Standing, digest: Option<SurfaceDigest>) -> Self {
        let is_bad = is_bad(call, &standing);
        let mut run =
            Self { standing, digest, verdict: call.verdict, is_bad, many: 0, last: None, callers: BTreeSet::new() };
        run.take(call);
        run
    }

    fn is_of(&self, call: &Call, standing: &Standing, digest: Option<SurfaceDigest>) -> bool {
        (self.verdict, self.digest) == (call.verdict, digest) && self.standing == *standing
    }

    fn take(&mut self, call: &'a Call) {
        self.many += 1;
        self.last = call.at;
        self.callers.extend(call.caller.as_deref());
    }

    fn row(&self, versions: &[VersionRow]) -> VersionRow {
        let what = match self.verdict {
            Verdict::Allowed => "called",
            Verdict::Denied => "denied",
            Verdict::Error => "failed",
        };
        let stood = match &self.standing {
            Standing::Approved(..) => "as approved".to_owned(),
            Standing::Rejected(..) => "REJECTED".to_owned(),
            Standing::Never => "NOT APPROVED".to_owned(),
            Standing::Unknown(why) => format!("unknown: {why}"),
            Standing::NotVisible => "not visible".to_owned(),
        };
        let mut text = stood;
        if self.many > 1 {
            let _ = write!(text, "  {}×", self.many);
        }
        for (at, caller) in self.callers.iter().take(MOST_CALLERS).enumerate() {
            text += if at == 0 { "  " } else { ", " };
            text += &shortened(caller, LONGEST_CALLER);
        }
        let more = self.callers.len().saturating_sub(MOST_CALLERS);
        if more > 0 {
            let _ = write!(text, " and {more} more");
        }
        let id = self.digest.map_or(VersionId::NotVisible, VersionId::Digest);
        let comparable = versions.iter().any(|row| row.comparable && row.id == id);
        let at = self.last.and_then(|at| Timestamp::from_second(at.as_second()).ok());
        VersionRow { id, at, what, text, comparable, is_alarm: self.is_bad }
    }
}
