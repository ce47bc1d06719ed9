//! A comment for a pull request, in GitHub's Markdown: one line that says it all, one table, the diffs folded away.
//!
//! Whatever a server wrote stands inside `<code>` with every sign of Markdown and HTML as a character reference, or in a fence
//! longer than any run of backticks in it: it can end no cell, link nothing, and call nobody.

use super::told::{Entry, Sign};
use super::{BaselineWord, Outcome, Report, beside_lines, body_lines, member_lines};
use crate::drift::Severity;
use crate::interop::mcptrust::Verdicts;
use crate::review::ApprovalState;
use crate::text::visible;
use std::fmt::Write as _;

/// Bytes after which no further row or diff is added. GitHub takes comments of 65,536 characters.
const MOST: usize = 60_000;
/// Lines on what could not be told.
const TOLD: usize = 10;
/// Bytes of one row's reason.
const REASON: usize = 400;
/// Bytes of one diff.
const DIFF: usize = 12_000;

/// The report as Markdown. It starts with a mark by which a script finds its own comment again.
pub fn markdown(report: &Report) -> String {
    let mut text = String::from("<!-- pinwatch -->\n");
    head(&mut text, report);
    let entries = report.entries();
    let mut left = 0;
    if !entries.is_empty() {
        text.push_str("\n| severity | server | item | drift | callers | why |\n|---|---|---|---|---|---|\n");
        for entry in &entries {
            // Half of the room is the table's.
            if text.len() < MOST / 2 {
                row(&mut text, entry);
            } else {
                left += 1;
            }
        }
        if left > 0 {
            push(&mut text, &format!("\n{left} more rows are in the JSON report."));
        }
    }
    let mut without = 0;
    for entry in &entries {
        let details = details(entry);
        if text.len() + details.len() < MOST {
            text.push_str(&details);
        } else {
            without += 1;
        }
    }
    if without > 0 {
        push(&mut text, &format!("\n{without} diffs are left out here; `pinwatch check` shows them."));
    }
    let (profile, digest) = (report.profile, &report.policy_digest);
    let scope = report.digest_scope(code).map(|line| format!("; {line}")).unwrap_or_default();
    if let Some(judged) = report.judged() {
        push(&mut text, &format!("\n{}", printable_code(&judged)));
    }
    let digest = digest.get(..19).unwrap_or(digest);
    push(&mut text, &format!("\n<sub>pinwatch, policy {profile} <code>{digest}</code>{scope}</sub>"));
    text
}

/// Writing to a string cannot fail.
fn push(text: &mut String, line: &str) {
    let _ = writeln!(text, "{line}");
}

fn head(text: &mut String, report: &Report) {
    let (tally, severities, count) = (report.tally(), report.severities(), report.servers.len());
    let servers = if count == 1 { "1 server".to_owned() } else { format!("{count} servers") };
    push(
        text,
        &match report.outcome() {
            Outcome::Clean if report.unwatched().next().is_none() => {
                format!("**MCP servers: no drift** in {servers}: every definition equals its pin.")
            }
            Outcome::Clean => format!("**MCP servers: no drift** · {servers}: {}", report.summary()),
            Outcome::Drift => format!("**MCP servers: drift** `{tally}` · {severities} · {servers}"),
            Outcome::Policy => format!("**MCP servers: policy** · {servers}: {}", report.summary()),
            Outcome::Unknown => format!("**MCP servers: unknown** · {servers}: not everything could be checked"),
        },
    );
    let mut told = Vec::new();
    told.extend(report.elsewhere().map(|line| format!("- {line}")));
    for server in report.servers.iter().filter(|server| !server.is_elsewhere()) {
        let name = code(&server.id);
        if let Some(unwatched) = &server.unwatched {
            let accepted = unwatched.accepted.as_ref().map(|made| format!(" (accepted by {})", code(&made.by)));
            let why = code(cut(&unwatched.reason.text, REASON));
            told.push(format!("- {name} is not watched: {why}{}", accepted.unwrap_or_default()));
            continue;
        }
        for (what, said) in server.identity.lines(server.is_held_to_trust) {
            told.push(format!("- {name} {what}: {}", code(cut(&said, REASON))));
        }
        for (what, reason) in server.unknowns() {
            told.push(format!(
                "- {name} {what}: {}",
                code(&format!("{} ({})", cut(&reason.text, REASON), reason.code))
            ));
        }
        for verdict in server.policy.iter().flat_map(Verdicts::standing) {
            let (level, rule) = (verdict.level(), code(&verdict.rule));
            told.push(format!("- {name} policy {level}: {rule} {}", code(cut(&verdict.sentence(), REASON))));
        }
        match &server.baseline {
            BaselineWord::Present => {}
            BaselineWord::Absent => {
                let command = server.again.record(&server.id, "");
                told.push(format!("- {name} has no baseline; record one and commit it: {}", printable_code(&command)));
            }
            BaselineWord::Refused(why) => {
                told.push(format!("- the baseline of {name} is refused: {}", code(cut(why, REASON))));
            }
        }
    }
    told.extend(
        report.problems.iter().map(|problem| format!("- not usable: {}", printable_code(cut(problem, REASON)))),
    );
    if report.servers.is_empty() {
        told.push("- no server matched".to_owned());
    }
    if told.len() > TOLD {
        let more = format!("- and {} more; see `pinwatch check`", told.len() - TOLD);
        told.truncate(TOLD);
        told.push(more);
    }
    if !told.is_empty() {
        push(text, &format!("\n{}", told.join("\n")));
    }
}

fn row(text: &mut String, entry: &Entry<'_>) {
    let (severity, effect, told, item, drift_type, why) = match entry {
        Entry::Drift(told) => {
            let drift = told.drift;
            let sign = match told.sign() {
                Sign::Added => "+",
                Sign::Changed => "~",
                Sign::Removed => "-",
            };
            let rejected = if told.state() == ApprovalState::Rejected { " (rejected before)" } else { "" };
            let item = format!("{} {}{rejected}", code(sign), code(&told.item()));
            (drift.severity, drift.effect, told, item, drift.drift_type, drift.headline().to_owned())
        }
        Entry::Group(told, group) => {
            let why = group.headline();
            (group.severity, group.effect, told, format!("{} items", group.members.len()), group.drift_type, why)
        }
    };
    let (server, why) = (code(&told.server.id), code(cut(&why, REASON)));
    push(text, &format!("| {} | {server} | {item} | {} | {effect} | {why} |", mark(severity), drift_type.word()));
}

/// The worst is seen at a glance, and read without colour.
fn mark(severity: Severity) -> String {
    match severity {
        Severity::Critical => "**critical**".to_owned(),
        other => other.to_string(),
    }
}

fn details(entry: &Entry<'_>) -> String {
    let (told, name, mut lines, command) = match entry {
        Entry::Drift(told) => {
            let mut lines = body_lines(told.drift);
            lines.extend(beside_lines(told.drift, told.server.digest_scope, &told.server.keyring));
            (told, told.item(), lines, told.approval())
        }
        Entry::Group(told, group) => {
            let causes = group.causes.iter().map(|cause| visible(cause).to_string());
            let lines = causes.chain(member_lines(&told.review.drifts, group)).collect();
            (told, group.id.clone(), lines, Some(told.server.again.approve_group(&told.server.id, group)))
        }
    };
    for line in &mut lines {
        // A diff's lines start with their sign, so that they are coloured.
        if let Some(diff) = line.strip_prefix("    ").filter(|diff| diff.starts_with(['+', '-', ' '])) {
            *line = diff.to_owned();
        }
    }
    let mut diff = lines.join("\n");
    if diff.len() > DIFF {
        diff = format!("{}\n(more: `pinwatch check`)", cut(&diff, DIFF));
    }
    let summary = format!("{} of {}", code(&name), code(&told.server.id));
    let mut text = format!("\n<details><summary>{summary}</summary>\n\n{}\n", fenced("diff", &diff));
    if let Some(command) = command {
        let _ = writeln!(text, "To approve this version:\n\n{}", fenced("sh", &command));
    }
    text.push_str("</details>\n");
    text
}

/// A block of printable lines, ended by nothing in it.
fn fenced(language: &str, content: &str) -> String {
    let longest = content.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{content}\n{fence}\n")
}

/// What starts or ends nothing in the middle of a line of Markdown, beside letters and digits.
const PLAIN: &str = " /,;?()='+-%";

/// Text from anywhere as code on one line.
fn code(text: &str) -> String {
    printable_code(visible(text).as_str())
}

/// Printable text as code on one line: what Markdown or HTML could take for a sign stands as a character reference.
fn printable_code(text: &str) -> String {
    let mut escaped = String::from("<code>");
    for character in text.chars() {
        if character.is_ascii_alphanumeric() || PLAIN.contains(character) || !character.is_ascii() {
            escaped.push(character);
        } else {
            let _ = write!(escaped, "&#{};", u32::from(character));
        }
    }
    escaped + "</code>"
}

/// At most so many bytes of a text.
fn cut(text: &str, most: usize) -> &str {
    if text.len() <= most { text } else { &text[..text.floor_char_boundary(most)] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out_of_code() {
        let hostile = "</code>|a](http://x)`<img src=x>@all #1 &amp;\n| b";
        let shown = code(hostile);
        let inside = shown.strip_prefix("<code>").and_then(|rest| rest.strip_suffix("</code>")).unwrap_or_default();
        assert!(inside.contains("&#93;(http&#58;//x)"), "{inside}");
        assert!(inside.chars().all(|c| c.is_ascii_alphanumeric() || " &#;/()+=".contains(c)), "{inside}");
        assert!(inside.contains("&#60;U+000A&#62;"), "{inside}");
        assert_eq!(fenced("diff", "a ``` b ````"), "`````diff\na ``` b ````\n`````\n");
        assert_eq!(fenced("sh", "x"), "```sh\nx\n```\n");
        assert_eq!(cut("aé", 2), "a");
    }
}
