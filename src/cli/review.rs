//! `pinwatch review` without a terminal: what waits for a decision, worst first, each with the command that decides it.

use super::context::Context;
use super::look::{finish, look_at};
use super::{Global, Servers, out};
use crate::drift::Severity;
use crate::error::Exit;
use crate::monitor::mask_review;
use crate::report::shell_word;
use crate::review::{Review, Row};
use crate::surface::{Overall, ServerId};
use crate::text::visible;

struct Pending<'a> {
    server: &'a ServerId,
    review: &'a Review,
    row: &'a Row,
    severity: Option<Severity>,
}

/// Lists it.
pub async fn run(global: &Global, servers: &Servers) -> anyhow::Result<Exit> {
    let context = Context::open(global, None)?;
    let looked = look_at(&context, context.select(&servers.servers)?).await;
    let mut exit = if looked.is_empty() { Exit::Unknown } else { Exit::Fine };
    let shown: Vec<_> = looked
        .iter()
        .map(|server| server.review.as_ref().map(|review| mask_review(review, &context.redactor)))
        .collect();
    let mut pending = Vec::new();
    for (server, review) in looked.iter().zip(&shown) {
        if let Overall::Failed(reason) | Overall::Partial(reason) = server.overall() {
            out::line(&format!("{}: {} ({})", server.config.id, reason.text, reason.code));
            exit = Exit::Unknown;
        }
        let Some(review) = review else { continue };
        let rows = review.rows.iter().filter(|row| row.state.needs_decision());
        pending.extend(rows.map(|row| Pending {
            server: &server.config.id,
            review,
            row,
            severity: review.drift_of(row).map(|drift| drift.severity),
        }));
    }
    pending.sort_by(|a, b| b.severity.cmp(&a.severity).then_with(|| (a.server, &a.row.id).cmp(&(b.server, &b.row.id))));
    for (index, entry) in pending.iter().enumerate() {
        out::print(&describe(index + 1, pending.len(), entry));
    }
    if pending.is_empty() && exit == Exit::Fine {
        out::line("nothing waits for a decision");
    }
    finish(looked).await;
    Ok(exit)
}

fn describe(number: usize, count: usize, entry: &Pending<'_>) -> String {
    let item = format!("{}/{}", entry.row.id.item.kind, entry.row.id.item.key);
    let severity = entry.severity.map(|severity| format!(" {severity}")).unwrap_or_default();
    let state = entry.row.state.word();
    let head = format!("{number} of {count}  {} {}  {state}{severity}", visible(entry.server), visible(&item));
    let drift = entry.review.drift_of(entry.row);
    let reasons = drift.into_iter().flat_map(|drift| &drift.reasons).map(|reason| format!("  {}", visible(reason)));
    let (server, item) = (shell_word(entry.server), shell_word(&item));
    let decide = entry.row.decides_on().map(|digest| format!("  pinwatch approve {server} {item} --expect {digest}"));
    let lines: Vec<String> = std::iter::once(head).chain(reasons).chain(decide).collect();
    lines.join("\n") + "\n"
}
