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

/// Tells all of a report; each request has `patience`. The error is the first thing that went wrong; then the rest is not sent.
pub async fn push(
    collector: &Collector,
    teller: &Teller,
    report: &Report,
    begun: Timestamp,
    patience: Duration,
) -> Result<(), Reason> {
    tell_numbers(collector, teller, report, begun, patience).await?;
    for records in report.records.chunks(BATCH) {
        match tell_records(collector, teller, records, patience).await {
            Told::Taken(0) => {}
            Told::Taken(lost) => {
                return Err(Reason::new("not-taken", format!("the collector did not take {lost} of the events")));
            }
            Told::Refused(reason) | Told::Later(reason) => return Err(reason),
        }
    }
    Ok(())
}

/// What became of events.
pub(super) enum Told {
    /// They were taken but for so many.
    Taken(u64),
    Refused(Reason),
    Later(Reason),
}

pub(super) async fn tell_numbers(
    collector: &Collector,
    teller: &Teller,
    report: &Report,
    begun: Timestamp,
    patience: Duration,
) -> Result<(), Reason> {
    let target = collector.target.as_ref().map_err(Clone::clone)?;
    let body = metrics(teller, &report.numbers, report.lost, begun, Timestamp::now());
    match post(&target.of("metrics"), &target.headers, body, patience).await {
        Posted::Taken(answer) if not_taken(&answer) > 0 => {
            Err(Reason::new("not-taken", "the collector did not take some of the numbers"))
        }
        Posted::Taken(_) => Ok(()),
        Posted::Refused(reason) | Posted::Later(reason) => Err(reason),
    }
}

pub(super) async fn tell_records(
    collector: &Collector,
    teller: &Teller,
    records: &[Record],
    patience: Duration,
) -> Told {
    let target = match &collector.target {
        Ok(target) => target,
        Err(reason) => return Told::Later(reason.clone()),
    };
    match post(&target.of("logs"), &target.headers, logs(teller, records, Timestamp::now()), patience).await {
        Posted::Taken(answer) => Told::Taken(not_taken(&answer).min(records.len() as u64)),
        Posted::Refused(reason) => Told::Refused(reason),
        Posted::Later(reason) => Told::Later(reason),
    }
}
