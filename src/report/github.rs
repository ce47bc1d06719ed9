//! Workflow commands of GitHub Actions: an annotation a drift, at the pin in the baseline's file. GitHub shows the first ten
//! of each level of a step and leaves the others out without a word: so the worst ten are told, and one counts the rest.
//!
//! A line of a step's output that starts with `::` is obeyed: nothing of a server may become one.

use super::told::{Entry, Told, severity_words};
use super::{BaselineWord, Report, ServerReport};
use crate::drift::{Group, Severity};
use crate::interop::mcptrust::Verdicts;
use crate::text::{count, visible};
use std::fmt::Write as _;
use strum::IntoStaticStr;

/// Annotations that are told one by one.
const MOST: usize = 10;

/// The report as workflow commands, and two lines for the log.
pub fn github(report: &Report) -> String {
    let drifts = report.entries().into_iter().map(|entry| match entry {
        Entry::Group(told, group) => of_group(&told, group),
        Entry::Drift(told) => of_drift(&told),
    });
    let problems = report.problems.iter().map(|problem| untold(Level::Error, None, "not usable", problem));
    let mut all: Vec<_> = drifts
        .chain(report.servers.iter().flat_map(|server| of_server(server, &report.policy_file)))
        .chain(problems)
        .collect();
    all.sort_by_key(|annotation| annotation.level);
    // One alone is told in the place of its count.
    let rest = if all.len() > MOST + 1 { all.split_off(MOST) } else { Vec::new() };
    let mut text: String = all.into_iter().map(|annotation| annotation.line).collect();
    if let Some(worst) = rest.first() {
        let severities: Vec<_> = rest.iter().flat_map(|annotation| annotation.severities.iter().copied()).collect();
        let untold = rest.iter().filter(|annotation| annotation.severities.is_empty()).count();
        let drifts = (!severities.is_empty()).then(|| format!("drifts: {}", severity_words(&severities)));
        let untold = (untold > 0).then(|| format!("servers and files that could not be checked: {untold}"));
        let said: Vec<_> = drifts.into_iter().chain(untold).collect();
        let title = format!("pinwatch found {} more", severities.len().max(rest.len()));
        let said = format!("{}\n`pinwatch check --format json` has all of them", said.join("; "));
        text.push_str(&command(worst.level, None, &title, &said));
    }
    // Writing to a string cannot fail.
    if let Some(scope) = report.digest_scope(|name| visible(name).to_string()) {
        let _ = writeln!(text, "pinwatch: {scope}");
    }
    let _ = writeln!(text, "pinwatch: {} {}", report.outcome().word(), report.tally());
    text
}

/// How GitHub marks an annotation, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
enum Level {
    Error,
    Warning,
    Notice,
}

word!(Level);

impl Level {
    fn of(severity: Severity) -> Self {
        match severity {
            Severity::Critical => Self::Error,
            Severity::Moderate => Self::Warning,
            Severity::Info | Severity::Safe => Self::Notice,
        }
    }
}

/// One workflow command.
struct Annotation {
    level: Level,
    /// The drifts that it tells of; none where something could not be told.
    severities: Vec<Severity>,
    line: String,
}

fn of_group(told: &Told<'_>, group: &Group) -> Annotation {
    let many = count(group.members.len(), "item");
    let title = format!("{} of {many} items in {}", group.drift_type, visible(&told.server.id));
    let causes: Vec<_> = group.causes.iter().map(|cause| visible(cause).to_string()).collect();
    let members = group.members.iter().filter_map(|member| told.review.drifts.get(*member));
    let level = Level::of(group.severity);
    let line = command(level, Some((&told.server.file, 1)), &title, &causes.join("\n"));
    Annotation { level, severities: members.map(|drift| drift.severity).collect(), line }
}

fn of_drift(told: &Told<'_>) -> Annotation {
    let drift = told.drift;
    let title = format!("{} {} of {}", drift.drift_type, visible(&told.item()), visible(&told.server.id));
    let said: Vec<_> = drift.reasons.iter().map(|reason| visible(reason).to_string()).chain(told.approval()).collect();
    let level = Level::of(drift.severity);
    let line = command(level, Some((&told.server.file, told.line())), &title, &said.join("\n"));
    Annotation { level, severities: vec![drift.severity], line }
}

fn untold(level: Level, at: Option<(&str, usize)>, title: &str, said: &str) -> Annotation {
    Annotation { level, severities: Vec::new(), line: command(level, at, title, said) }
}

/// What could not be told of a server.
fn of_server(server: &ServerReport, policy_file: &str) -> Vec<Annotation> {
    let name = visible(&server.id);
    if let Some(unwatched) = &server.unwatched {
        let level = if server.is_undecided() { Level::Error } else { Level::Notice };
        let at = (server.baseline != BaselineWord::Absent).then_some((server.file.as_str(), 1));
        let said = format!("{} ({})", visible(&unwatched.reason.text), unwatched.reason.code);
        return vec![untold(level, at, &format!("{name} is not watched"), &said)];
    }
    let unread = server.unknowns().map(|(what, reason)| {
        let said = format!("{} ({})", visible(&reason.text), reason.code);
        untold(Level::Error, None, &format!("{name} {what}"), &said)
    });
    let baseline = match &server.baseline {
        BaselineWord::Present => None,
        BaselineWord::Absent => {
            let said = format!("record one and commit it: {}", server.again.record(&server.id, ""));
            Some(untold(Level::Error, None, &format!("{name} has no baseline"), &said))
        }
        BaselineWord::Refused(why) => {
            let title = format!("the baseline of {name} is refused");
            Some(untold(Level::Error, Some((&server.file, 1)), &title, visible(why).as_str()))
        }
    };
    let rules = server.policy.iter().flat_map(Verdicts::standing).map(|verdict| {
        let level = if verdict.fails() { Level::Error } else { Level::Warning };
        let title = format!("policy rule {} of {name}", visible(&verdict.rule));
        let at = (!policy_file.is_empty()).then_some((policy_file, 1));
        untold(level, at, &title, visible(&verdict.sentence()).as_str())
    });
    unread.chain(rules).chain(baseline).collect()
}

/// `::error file=…,line=…,title=…::message`.
fn command(level: Level, at: Option<(&str, usize)>, title: &str, message: &str) -> String {
    let place = at.map(|(file, line)| format!("file={},line={line},", property(file))).unwrap_or_default();
    format!("::{} {place}title={}::{}\n", level.word(), property(title), data(message))
}

/// A command's message (actions/toolkit, `escapeData`).
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A command's property (actions/toolkit, `escapeProperty`).
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_ends_where_it_should() {
        let text = command(Level::Error, Some(("a,b:c.json", 3)), "x,y=::z", "100%\r\n::stop-commands::x");
        let expected = "::error file=a%2Cb%3Ac.json,line=3,title=x%2Cy=%3A%3Az::100%25%0D%0A::stop-commands::x\n";
        assert_eq!(text, expected);
    }
}
