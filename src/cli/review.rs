//! `pinwatch review` without a terminal: what waits for a decision, worst first, each with the command that decides it.

use super::look::{Looked, Opinions, finish, look_at};
use super::open;
use super::{Global, Servers, out};
use crate::decisions::mask_review;
use crate::drift::{Group, Severity};
use crate::error::Exit;
use crate::report::{Again, group_line, member_lines};
use crate::review::{Review, Row, RowId};
use crate::surface::{Overall, Reason, ServerId};
use crate::text::visible;

struct Pending<'a> {
    again: &'a Again,
    server: &'a ServerId,
    review: &'a Review,
    what: What<'a>,
    severity: Option<Severity>,
}

/// What is decided in one act.
#[derive(Clone, Copy)]
enum What<'a> {
    Row(&'a Row),
    Group(&'a Group),
}

impl What<'_> {
    /// Items before groups of one severity: a group is what many share.
    fn order(&self) -> (bool, &str, Option<&RowId>) {
        match self {
            Self::Row(row) => (false, "", Some(&row.id)),
            Self::Group(group) => (true, &group.id, None),
        }
    }
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
        let of_a_group = |row: &&Row| review.drift_of(row).is_some_and(|drift| drift.group.is_some());
        let rows = review.rows.iter().filter(|row| row.state.needs_decision() && !of_a_group(row));
        let rows = rows.map(|row| (What::Row(row), review.drift_of(row).map(|drift| drift.severity)));
        let groups = review.groups.iter().map(|group| (What::Group(group), Some(group.severity)));
        let server = &server.config.id;
        pending.extend(rows.chain(groups).map(|(what, severity)| Pending {
            again: &again,
            server,
            review,
            what,
            severity,
        }));
    }
    pending.sort_by(|a, b| {
        b.severity.cmp(&a.severity).then_with(|| (a.server, a.what.order()).cmp(&(b.server, b.what.order())))
    });
    for (index, entry) in pending.iter().enumerate() {
        out::print(&describe(index + 1, pending.len(), entry));
    }
    if pending.is_empty() && exit == Exit::Fine {
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

fn describe(number: usize, count: usize, entry: &Pending<'_>) -> String {
    let place = format!("{number} of {count}  {}", visible(entry.server));
    let lines = match entry.what {
        What::Row(row) => row_lines(&place, entry, row),
        What::Group(group) => {
            let head = format!("{place} {}", group_line(group));
            let causes = group.causes.iter().map(|cause| visible(cause).to_string());
            let names = member_lines(&entry.review.drifts, group);
            let command = entry.again.approve_group(entry.server, group);
            let rest = causes.chain(names).chain([command]).map(|line| format!("  {line}"));
            std::iter::once(head).chain(rest).collect()
        }
    };
    lines.join("\n") + "\n"
}

fn row_lines(place: &str, entry: &Pending<'_>, row: &Row) -> Vec<String> {
    let item = row.id.item.text();
    let severity = entry.severity.map(|severity| format!(" {severity}")).unwrap_or_default();
    let head = format!("{place} {}  {}{severity}", visible(&item), row.state.word());
    let drift = entry.review.drift_of(row);
    let reasons = drift.into_iter().flat_map(|drift| &drift.reasons).map(|reason| format!("  {}", visible(reason)));
    let decide = row
        .decides_on()
        .filter(|_| drift.is_none_or(|drift| drift.drift_type.is_settled_by_approval()))
        .map(|digest| format!("  {}", entry.again.approve(entry.server, &row.id.item, &digest.to_string(), drift)));
    std::iter::once(head).chain(reasons).chain(decide).collect()
}
