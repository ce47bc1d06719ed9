//! The document of its `check --format json`, for programs that read that.

use super::compare::Difference;
use super::lock::Locked;
use crate::interop::document::pretty;
use serde::Serialize;
use strum::IntoStaticStr;

/// From which severity on its outcome is FAIL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[expect(missing_docs, reason = "its system's words")]
pub enum FailOn {
    #[default]
    Critical,
    Moderate,
    Info,
}

word!(FailOn);

/// The document of a comparison. `file` is the lock's name.
pub fn report(locked: &Locked, file: &str, server: &str, differences: &[Difference], fail_on: FailOn) -> String {
    #[derive(Serialize)]
    struct Summary {
        critical: usize,
        moderate: usize,
        info: usize,
        total: usize,
    }
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Document<'a> {
        lockfile_version: &'a str,
        server: &'a str,
        lockfile: &'a str,
        summary: Summary,
        drift: &'a [Difference],
        fail_on: &'a str,
        outcome: &'a str,
    }
    let count = |severity: &str| differences.iter().filter(|difference| difference.severity == severity).count();
    let summary = Summary {
        critical: count("critical"),
        moderate: count("moderate"),
        info: count("info"),
        total: differences.len(),
    };
    let fails = match fail_on {
        FailOn::Critical => summary.critical > 0,
        FailOn::Moderate => summary.critical + summary.moderate > 0,
        FailOn::Info => summary.total > 0,
    };
    let mut text = pretty(&Document {
        lockfile_version: locked.version.word(),
        server,
        lockfile: file,
        summary,
        drift: differences,
        fail_on: fail_on.word(),
        outcome: if fails { "FAIL" } else { "PASS" },
    });
    text.push('\n');
    text
}
