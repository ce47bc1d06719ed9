//! `pinwatch review` without a terminal: what waits for a decision, worst first, each with the command that decides it.

use super::look::{Looked, Opinions, finish, look_at};
use super::open;
use super::{Global, Servers, first_contact, out};
use crate::decisions::mask_review;
use crate::drift::{Group, Severity};
use crate::error::Exit;
use crate::report::{Again, member_lines};
use crate::review::{Review, Row, RowId};
use crate::surface::{Overall, Reason, ServerId};
use crate::text::visible;

/// What is decided in one act.
struct Pending {
    severity: Option<Severity>,
    /// The place among those of one severity: items before groups, which are what many share.
    order: (ServerId, bool, Option<RowId>),
    /// Printable lines, the first without its number.
    lines: Vec<String>,
}

/// Lists it.
pub async fn run(global: &Global, servers: &Servers) -> anyhow::Result<Exit> {
    let project = open::open_of_project(global, None, &servers.servers)?;
    let looked = look_at(&project, project.select_with_unwatched(&servers.servers)?, Opinions::Kept).await;
    let mut exit = if looked.is_empty() { Exit::Unknown } else { Exit::Fine };
    for problem in project.problems(&servers.servers) {
        out::complain(&format!("not usable: {problem}"));
        exit = Exit::Unknown;
    }
    let shown: Vec<_> = looked
        .iter()
        .map(|server| server.review.as_ref().map(|review| mask_review(review, &project.redactor)))
        .collect();
    let again = global.again(None, &project.redactor);
    let mut pending = Vec::new();
    for (server, review) in looked.iter().zip(&shown) {
        if let Some(reason) = server.unwatched() {
            exit = exit_of_unwatched(&again, server, &reason, exit);
            continue;
        }
        if let Overall::Failed(reason) | Overall::Partial(reason) = server.overall() {
            out::line(&format!("{}: {} ({})", server.config.id, reason.text, reason.code));
            exit = Exit::Unknown;
        }
        let Some(review) = review else { continue };
        if let Some(reason) = &review.unchecked {
            out::line(&format!("{}: {} ({})", server.config.id, reason.text, reason.code));
            exit = Exit::Unknown;
        }
        if review.first_contact {
            if !matches!(server.overall(), Overall::Failed(_)) {
                pending.push(of_first_contact(&again, review));
            }
            continue;
        }
        let of_a_group = |row: &Row| review.drift_of(row).is_some_and(|drift| drift.group.is_some());
        let rows = review.weighed().filter(|(row, _)| row.state.needs_decision() && !of_a_group(row));
        pending.extend(rows.map(|(row, severity)| of_row(&again, review, row, severity)));
        pending.extend(review.groups.iter().map(|group| of_group(&again, review, group)));
    }
    pending.sort_by(|a, b| b.severity.cmp(&a.severity).then_with(|| a.order.cmp(&b.order)));
    for (index, entry) in pending.iter().enumerate() {
        out::print(&format!("{} of {}  {}\n", index + 1, pending.len(), entry.lines.join("\n  ")));
    }
    if looked.is_empty() {
        out::line("no server matched");
    } else if pending.is_empty() && exit == Exit::Fine {
        out::line("nothing needs a decision");
    }
    finish(looked).await;
    Ok(exit)
}

/// Says that a server is not watched, and what decides on that.
fn exit_of_unwatched(again: &Again, server: &Looked, reason: &Reason, exit: Exit) -> Exit {
    let id = &server.config.id;
    out::line(&format!("{id}: not watched: {} ({})", reason.text, reason.code));
    let Some(baseline) = server.baseline.present() else { return exit };
    if baseline.accepts_unwatched(reason.code).is_some() {
        return exit;
    }
    out::print(&format!("  {}\n", again.unwatch(id)));
    Exit::Unknown
}

/// `critical  files tool/read_file  drifted: Tells the model to …`, then what else is said of it and the command.
fn of_row(again: &Again, review: &Review, row: &Row, severity: Option<Severity>) -> Pending {
    let headline = review.headline_of(row).unwrap_or_default();
    let item = row.id.item.text();
    let mut lines = vec![head(severity, &review.server, &format!("{item}  {}: {headline}", row.state.word()))];
    let drift = review.drift_of(row);
    let reasons = drift.into_iter().flat_map(|drift| &drift.reasons).filter(|reason| *reason != headline);
    lines.extend(reasons.map(|reason| visible(reason).to_string()));
    let is_settled = drift.is_none_or(|drift| drift.drift_type.is_settled_by_approval());
    let digest = row.decides_on().filter(|_| is_settled);
    lines.extend(digest.map(|digest| again.approve(&review.server, &row.id.item, &digest.to_string(), drift)));
    Pending { severity, order: (review.server.clone(), false, Some(row.id.clone())), lines }
}

/// The same of what one cause did to several items, with their names.
fn of_group(again: &Again, review: &Review, group: &Group) -> Pending {
    let many = format!(" {} items: {}", group.members.len(), group.causes.first().map_or("", String::as_str));
    let mut lines = vec![head(Some(group.severity), &review.server, &many)];
    lines.extend(group.causes.iter().skip(1).map(|cause| visible(cause).to_string()));
    lines.extend(member_lines(&review.drifts, group));
    lines.push(again.approve_group(&review.server, group));
    Pending { severity: Some(group.severity), order: (review.server.clone(), true, None), lines }
}

/// The same of a server that is recorded as a whole.
fn of_first_contact(again: &Again, review: &Review) -> Pending {
    let block = first_contact::block(again, review);
    let lines = [head(block.severity, &review.server, &block.head)].into_iter().chain(block.lines).collect();
    Pending { severity: block.severity, order: (review.server.clone(), true, None), lines }
}

fn head(severity: Option<Severity>, server: &str, what: &str) -> String {
    let severity = severity.map(|severity| format!("{severity:8}  ")).unwrap_or_default();
    format!("{severity}{} {}", visible(server), visible(what))
}
