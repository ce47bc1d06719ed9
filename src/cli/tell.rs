//! Tells a collector what a command saw, once and at its end. Whatever comes of that changes neither the report nor the exit
//! code.

use super::look::Looked;
use super::out;
use crate::finding::Severity;
use crate::interop::otlp::{Numbers, Record, Teller};
use crate::otlp::{Line, Report, teller};
use crate::project::Project;
use crate::surface::Overall;
use jiff::Timestamp;
use std::time::Duration;

/// Drifts that are told one by one; of more, the worst.
const MOST: usize = 1_000;
/// Time for one request.
const PATIENCE: Duration = Duration::from_secs(5);

/// What is told, made while the looks are there.
pub struct Telling {
    teller: Teller,
    begun: Timestamp,
}

impl Telling {
    /// Of a project as its files are, before anything judges it otherwise; none where nobody is to be told.
    pub fn of(project: &Project) -> Option<Self> {
        project.config.collector.as_ref()?;
        Some(Self { teller: teller(project), begun: Timestamp::now() })
    }

    /// Tells it, and says on standard error where that failed.
    pub async fn tell(self, project: &Project, looked: &[Looked]) {
        let Some(collector) = &project.config.collector else { return };
        let may_be_told = |one: &&Looked| !collector.is_shared || matches!(project.gate.ask(&one.config), Ok(None));
        let told: Vec<_> =
            looked.iter().filter(|one| one.config.unwatched_reason().is_none()).filter(may_be_told).collect();
        let mut records: Vec<_> = told.iter().flat_map(|one| records(project, one)).collect();
        records.sort_by_key(|record| std::cmp::Reverse(record.severity));
        let lost = records.len().saturating_sub(MOST);
        records.truncate(MOST);
        let numbers = told.iter().map(|one| numbers(project, one)).collect();
        let report = Report { numbers, records, lost: lost as u64 };
        let line = Line { collector, teller: &self.teller, begun: self.begun, patience: PATIENCE };
        if let Err(reason) = line.push(&report).await {
            let lost = report.records.len() + lost;
            out::note(&format!("the collector {} was not told: {} ({lost} events lost)", collector.shown, reason.text));
        }
    }
}

fn numbers(project: &Project, looked: &Looked) -> Numbers {
    let name = project.redactor.mask(&looked.config.id);
    match looked.overall() {
        Overall::Failed(_) => Numbers::down(&name),
        Overall::Partial(_) | Overall::Complete => Numbers::of(&name, looked.took, looked.review.as_deref()),
    }
}

/// One event a drift, and one for a server that could not be read.
fn records(project: &Project, looked: &Looked) -> Vec<Record> {
    let at = Timestamp::now();
    let record = |event: &str, severity: Option<Severity>, item: String, text: &str| Record {
        at,
        server: project.redactor.mask(&looked.config.id).into_owned(),
        event: event.to_owned(),
        severity,
        warns: true,
        item,
        text: project.redactor.mask_log(text),
    };
    if let Overall::Failed(reason) = looked.overall() {
        return vec![record("stale", None, String::new(), &reason.text)];
    }
    let drifts = looked.review.iter().flat_map(|review| &review.drifts);
    let told = drifts.map(|drift| record("drift", Some(drift.severity), project.name(&drift.id), drift.headline()));
    told.collect()
}
