//! One report on its way: numbers, then events, each bounded in size and all of it in time.

use crate::config::Collector;
use crate::interop::otlp::{Numbers, Record, Teller, logs, metrics, not_taken};
use crate::mcp::{Posted, post};
use crate::project::Project;
use crate::surface::Reason;
use jiff::Timestamp;
use std::time::Duration;

/// Events of one request.
pub(super) const BATCH: usize = 200;

/// What is told at once.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Of each server.
    pub numbers: Vec<Numbers>,
    /// What happened.
    pub records: Vec<Record>,
    /// Events that were never told.
    pub lost: u64,
}

/// Who tells of a project. Blocks on the disk.
pub fn teller(project: &Project) -> Teller {
    let folder = project.desk.store.root().path().file_name().unwrap_or_default();
    Teller { machine: project.gate.machine().ok().flatten(), project: folder.to_string_lossy().into_owned() }
}

/// A collector and who tells it. `begun` is since when what is told was counted; each request has `patience`.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Line<'a> {
    pub collector: &'a Collector,
    pub teller: &'a Teller,
    pub begun: Timestamp,
    pub patience: Duration,
}

/// What became of events.
pub(super) enum Told {
    /// They were taken but for so many.
    Taken(u64),
    Refused(Reason),
    Later(Reason),
}

impl Line<'_> {
    /// Tells all of a report. The error is the first thing that went wrong; then the rest is not sent.
    pub async fn push(self, report: &Report) -> Result<(), Reason> {
        self.numbers(&report.numbers, report.lost).await?;
        for records in report.records.chunks(BATCH) {
            match self.records(records).await {
                Told::Taken(0) => {}
                Told::Taken(lost) => {
                    return Err(Reason::new("not-taken", format!("the collector did not take {lost} of the events")));
                }
                Told::Refused(reason) | Told::Later(reason) => return Err(reason),
            }
        }
        Ok(())
    }

    /// Tells the numbers of servers, and how many events were never told.
    pub(super) async fn numbers(self, numbers: &[Numbers], lost: u64) -> Result<(), Reason> {
        let target = self.collector.target.as_ref().map_err(Clone::clone)?;
        let body = metrics(self.teller, numbers, lost, self.begun, Timestamp::now());
        match post(&target.of("metrics"), &target.headers, body, self.patience).await {
            Posted::Taken(answer) if not_taken(&answer) > 0 => {
                Err(Reason::new("not-taken", "the collector did not take some of the numbers"))
            }
            Posted::Taken(_) => Ok(()),
            Posted::Refused(reason) | Posted::Later(reason) => Err(reason),
        }
    }

    pub(super) async fn records(self, records: &[Record]) -> Told {
        let target = match &self.collector.target {
            Ok(target) => target,
            Err(reason) => return Told::Later(reason.clone()),
        };
        let body = logs(self.teller, records, Timestamp::now());
        match post(&target.of("logs"), &target.headers, body, self.patience).await {
            Posted::Taken(answer) => Told::Taken(not_taken(&answer).min(records.len() as u64)),
            Posted::Refused(reason) => Told::Refused(reason),
            Posted::Later(reason) => Told::Later(reason),
        }
    }
}
