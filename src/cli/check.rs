//! `pinwatch check`: compare servers with their baselines. Takes no lock and writes nothing but the report.

use super::context::Context;
use super::look::{Looked, finish, look_at};
use super::{Check, Format, Global, out};
use crate::error::Exit;
use crate::monitor::{BaselineState, mask_review};
use crate::report::{BaselineWord, Report, ServerReport, json, text};
use crate::store::redact::Redactor;
use anyhow::Context as _;
use std::fs;
use std::sync::Arc;

/// Looks, compares, reports.
pub async fn run(global: &Global, check: &Check) -> anyhow::Result<Exit> {
    let context = Context::open(global, check.targets.ad_hoc().as_ref())?;
    let looked = look_at(&context, context.select(&check.targets.servers)?).await;
    let report = Report {
        profile: context.config.policy.rules.profile.word(),
        policy_digest: context.desk.policy_digest.clone(),
        problems: context.problems(&check.targets.servers),
        servers: looked.iter().map(|looked| server(looked, &context.redactor)).collect(),
    };
    let rendered = match check.format {
        Format::Text => text(&report),
        Format::Json => json(&report),
    };
    match &check.output {
        None => out::print(&rendered),
        Some(path) => {
            fs::write(path, rendered).with_context(|| format!("{} cannot be written", path.display()))?;
            out::note(&format!("{}: the report is in {}", report.outcome().word(), path.display()));
        }
    }
    finish(looked).await;
    Ok(match report.exit_code(check.fail_on.severity()) {
        0 => Exit::Fine,
        1 => Exit::Drift,
        _ => Exit::Unknown,
    })
}

/// One server's part.
fn server(looked: &Looked, redactor: &Redactor) -> ServerReport {
    let mut notices = looked.surface.notices.clone();
    if let Some(review) = &looked.review {
        notices.extend(review.notices.iter().filter(|notice| !looked.surface.notices.contains(notice)).cloned());
    }
    ServerReport {
        id: Arc::clone(&looked.config.id),
        baseline: match &looked.baseline {
            BaselineState::Present(_) => BaselineWord::Present,
            BaselineState::Verifying | BaselineState::Absent => BaselineWord::Absent,
            BaselineState::Refused(why) => BaselineWord::Refused(why.clone()),
        },
        overall: looked.overall(),
        notices,
        review: looked.review.as_ref().map(|review| mask_review(review, redactor)),
    }
}
