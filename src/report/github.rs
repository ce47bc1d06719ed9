//! Workflow commands of GitHub Actions: one annotation a drift, at the pin in the baseline's file. GitHub shows the first ten
//! of each level, so that the worst come first.
//!
//! A line of a step's output that starts with `::` is obeyed: nothing of a server may become one.

use super::told::{Entry, Told};
use super::{BaselineWord, Report};
use crate::drift::Severity;
use crate::text::visible;
use std::fmt::Write as _;

/// The report as workflow commands, and one line for the log.
pub fn github(report: &Report) -> String {
    let mut text = String::new();
    for entry in report.entries() {
        match entry {
            Entry::Group(told, group) => {
                let many = group.members.len();
                let title = format!("{} of {many} items as one in {}", group.drift_type, visible(&told.server.id));
                let causes: Vec<_> = group.causes.iter().map(|cause| visible(cause).to_string()).collect();
                command(&mut text, level(group.severity), Some((&told.server.file, 1)), &title, &causes.join("\n"));
            }
            Entry::Drift(told) => drift(&mut text, &told),
        }
    }
    for server in &report.servers {
        let name = visible(&server.id);
        if let Some(unwatched) = &server.unwatched {
            let level = if server.is_undecided() { "error" } else { "notice" };
            let at = (server.baseline != BaselineWord::Absent).then_some((server.file.as_str(), 1));
            let said = format!("{} ({})", visible(&unwatched.reason.text), unwatched.reason.code);
            command(&mut text, level, at, &format!("{name} is not watched"), &said);
            continue;
        }
        if let Some(reason) = server.overall.reason() {
            let said = format!("{} ({})", visible(&reason.text), reason.code);
            command(&mut text, "error", None, &format!("{name} could not be read whole"), &said);
        }
        match &server.baseline {
            BaselineWord::Present => {}
            BaselineWord::Absent => {
                let said = format!("record one and commit it: {}", server.again.record(&server.id, ""));
                command(&mut text, "error", None, &format!("{name} has no baseline"), &said);
            }
            BaselineWord::Refused(why) => {
                let title = format!("the baseline of {name} is refused");
                command(&mut text, "error", Some((&server.file, 1)), &title, visible(why).as_str());
            }
        }
    }
    for problem in &report.problems {
        command(&mut text, "error", None, "not usable", problem);
    }
    // Writing to a string cannot fail.
    let _ = writeln!(text, "pinwatch: {} {}", report.outcome().word(), report.tally());
    text
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical => "error",
        Severity::Moderate => "warning",
        Severity::Info | Severity::Safe => "notice",
    }
}

fn drift(text: &mut String, told: &Told<'_>) {
    let drift = told.drift;
    let title = format!("{} {} of {}", drift.drift_type, visible(&told.item()), visible(&told.server.id));
    let said: Vec<_> = drift.reasons.iter().map(|reason| visible(reason).to_string()).chain(told.approval()).collect();
    command(text, level(drift.severity), Some((&told.server.file, told.line())), &title, &said.join("\n"));
}

/// `::error file=…,line=…,title=…::message`.
fn command(text: &mut String, level: &str, at: Option<(&str, usize)>, title: &str, message: &str) {
    let place = at.map(|(file, line)| format!("file={},line={line},", property(file))).unwrap_or_default();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "::{level} {place}title={}::{}", property(title), data(message));
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
        let mut text = String::new();
        command(&mut text, "error", Some(("a,b:c.json", 3)), "x,y=::z", "100%\r\n::stop-commands::x");
        let expected = "::error file=a%2Cb%3Ac.json,line=3,title=x%2Cy=%3A%3Az::100%25%0D%0A::stop-commands::x\n";
        assert_eq!(text, expected);
    }
}
