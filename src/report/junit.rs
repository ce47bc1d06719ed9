//! JUnit XML, the form that most CI systems draw as a list of tests: a suite a server, a test an item. A test fails where the
//! drift makes the check fail; what could not be told is an error.

use super::told::Told;
use super::{BaselineWord, FailOn, Report, ServerReport, beside_lines, body_lines};
use crate::interop::mcptrust::Verdict;
use crate::review::{ApprovalState, Row};
use crate::text::{read_back, visible};
use std::fmt::Write as _;

/// The report as JUnit XML.
pub fn junit(report: &Report, fail_on: &FailOn) -> String {
    let mut suites: Vec<Suite> = report.servers.iter().map(|server| suite(server, fail_on)).collect();
    let mut files = Suite::new("config files");
    for problem in &report.problems {
        files.error(&read_back(problem), "not usable", "");
    }
    if report.servers.is_empty() && report.problems.is_empty() {
        files.error("servers", "no server matched", "");
    }
    suites.extend(Some(files).filter(|files| files.tests > 0));
    let sum = |count: fn(&Suite) -> usize| suites.iter().map(count).sum::<usize>();
    let (tests, failures) = (sum(|suite| suite.tests), sum(|suite| suite.failures));
    let (errors, skipped) = (sum(|suite| suite.errors), sum(|suite| suite.skipped));
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let counts = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\"");
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(text, "<testsuites name=\"pinwatch\" {counts}>");
    for suite in suites {
        let Suite { name, tests, failures, errors, skipped, body } = suite;
        let counts = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\"");
        let _ = writeln!(text, "  <testsuite name=\"{}\" {counts}>\n{body}  </testsuite>", escaped(&name));
    }
    text.push_str("</testsuites>\n");
    text
}

/// One server's tests.
struct Suite {
    name: String,
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
    body: String,
}

impl Suite {
    fn new(name: &str) -> Self {
        Self { name: name.to_owned(), tests: 0, failures: 0, errors: 0, skipped: 0, body: String::new() }
    }

    /// A test with what stands inside of it.
    fn test(&mut self, name: &str, inside: &str) {
        self.tests += 1;
        let (class, name) = (escaped(&self.name), escaped(name));
        let _ = if inside.is_empty() {
            writeln!(self.body, "    <testcase classname=\"{class}\" name=\"{name}\"/>")
        } else {
            writeln!(self.body, "    <testcase classname=\"{class}\" name=\"{name}\">\n{inside}    </testcase>")
        };
    }

    /// A test that says what could not be told, in a printable message.
    fn error(&mut self, name: &str, message: &str, code: &str) {
        self.errors += 1;
        let kind = if code.is_empty() { "unknown" } else { code };
        self.test(name, &format!("      <error type=\"{}\" message=\"{}\"/>\n", escaped(kind), content(message)));
    }
}

fn suite(server: &ServerReport, fail_on: &FailOn) -> Suite {
    const WHOLE: &str = "is read completely and has a baseline";
    let mut suite = Suite::new(&server.id);
    let scope = escaped(server.digest_scope);
    suite.body = format!("    <properties><property name=\"digest_scope\" value=\"{scope}\"/></properties>\n");
    if let Some(unwatched) = &server.unwatched {
        let name = "is watched";
        if server.is_undecided() || fail_on.counts_unwatched() && unwatched.accepted.is_none() {
            suite.error(name, &unwatched.reason.text, unwatched.reason.code);
        } else {
            suite.skipped += 1;
            suite.test(name, &format!("      <skipped message=\"{}\"/>\n", escaped(&unwatched.reason.text)));
        }
        return suite;
    }
    match (&server.baseline, server.unknowns().next().map(|(_, reason)| reason)) {
        (BaselineWord::Refused(why), _) => suite.error(WHOLE, visible(why).as_str(), "baseline-refused"),
        (_, Some(reason)) => suite.error(WHOLE, visible(&reason.text).as_str(), reason.code),
        (BaselineWord::Absent, None) => {
            let command = format!("there is no baseline: {}", server.again.record(&server.id, ""));
            suite.error(WHOLE, &command, "no-baseline");
        }
        (BaselineWord::Present, None) => suite.test(WHOLE, ""),
    }
    for verdict in server.policy.iter().flat_map(|policy| &policy.rules) {
        ruled(&mut suite, verdict);
    }
    if server.baseline == BaselineWord::Present {
        let rows = server.review.iter().flat_map(|review| &review.rows).filter(|row| row.drift.is_none());
        for row in rows {
            still(&mut suite, row);
        }
        for told in server.told() {
            drifted(&mut suite, &told, fail_on);
        }
    }
    suite
}

fn ruled(suite: &mut Suite, verdict: &Verdict) {
    let (name, said) = (format!("policy {}", verdict.rule), escaped(&verdict.sentence()));
    if verdict.fails() {
        suite.failures += 1;
        suite.test(&name, &format!("      <failure type=\"policy-rule\" message=\"{said}\"/>\n"));
    } else if verdict.level() == "pass" {
        suite.test(&name, "");
    } else {
        suite.test(&name, &format!("      <system-out>{}: {said}</system-out>\n", verdict.level()));
    }
}

fn still(suite: &mut Suite, row: &Row) {
    let copy = if row.id.copy == 0 { String::new() } else { format!(" ({})", row.id.copy + 1) };
    let name = format!("{}/{}{copy}", row.id.item.kind, row.id.item.key);
    if row.state == ApprovalState::Unknown {
        suite.skipped += 1;
        suite.test(&name, "      <skipped message=\"it could not be read\"/>\n");
    } else {
        suite.test(&name, "");
    }
}

fn drifted(suite: &mut Suite, told: &Told<'_>, fail_on: &FailOn) {
    let drift = told.drift;
    let name = format!("{} {}", told.item(), drift.drift_type);
    let beside = beside_lines(drift, told.server.digest_scope, &told.server.keyring);
    let lines = body_lines(drift).into_iter().chain(beside).chain(told.approval());
    let body: Vec<_> = lines.map(|line| content(&line)).collect();
    let body = body.join("\n");
    if fail_on.counts(drift) {
        suite.failures += 1;
        let message = format!("{}: {}", drift.severity, told.headline());
        let kind = escaped(drift.drift_type.word());
        // The message is printable already.
        suite.test(
            &name,
            &format!("      <failure type=\"{kind}\" message=\"{}\">{body}</failure>\n", content(&message)),
        );
    } else {
        suite.test(&name, &format!("      <system-out>{}\n{body}</system-out>\n", drift.severity));
    }
}

/// Text from anywhere, printable and then as XML.
fn escaped(text: &str) -> String {
    content(visible(text).as_str())
}

/// Printable text as XML: what XML 1.0 forbids is not printable.
fn content(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&apos;")
}
