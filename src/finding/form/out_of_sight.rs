//! Text that stands where nobody looks: behind a run of blanks, in a comment, in an element that is not shown.

use crate::finding::names::OUT_OF_SIGHT;
use crate::finding::severity::Severity;
use crate::finding::signal::Signal;
use crate::finding::texts::TextKind;
use aho_corasick::AhoCorasick;
use memchr::memmem;
use std::sync::LazyLock;

/// Blanks in a row beyond which no table or indentation goes.
const BLANKS: usize = 80;
/// Line breaks in a row that push what follows off a screen.
const BREAKS: usize = 16;
/// Blanks or breaks for which no honest reason is known.
const MANY_BLANKS: usize = 240;

/// What comments of tools begin with.
const MARKERS: [&str; 9] = ["prettier", "markdownlint", "eslint", "toc", "begin", "end", "start", "stop", "badge"];

/// What opens a stretch that is not shown, what closes it, and where it stands.
const HIDES: [(&str, &str, &str); 9] = [
    ("<!--", "-->", "in a comment that no page shows"),
    ("[//]:", "\n", "in a comment that no page shows"),
    ("[comment]:", "\n", "in a comment that no page shows"),
    ("display:none", ">", "in an element that is not shown"),
    ("display: none", ">", "in an element that is not shown"),
    ("visibility:hidden", ">", "in an element that is not shown"),
    ("font-size:0", ">", "in letters of no size"),
    ("color:white", ">", "in white on white"),
    ("color:#fff", ">", "in white on white"),
];
/// What opens one: most texts have none.
static OPENERS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| AhoCorasick::new(HIDES.map(|(open, ..)| open)).ok());

/// Looks for it. Whether what is out of sight says anything is for the other rules.
pub(in super::super) fn find(text: &str, kind: TextKind, found: &mut Vec<Signal>) {
    if kind == TextKind::Data {
        return;
    }
    blanks(text, found);
    if OPENERS.as_ref().is_none_or(|openers| openers.is_match(text)) {
        for (open, close, why) in HIDES {
            enclosed(text, (open, close), why, found);
        }
    }
}

fn blanks(text: &str, found: &mut Vec<Signal>) {
    let mut from = 0;
    while let Some(start) = text[from..].find(char::is_whitespace).map(|at| at + from) {
        let length = text[start..].find(|c: char| !c.is_whitespace()).unwrap_or(text.len() - start);
        let end = start + length;
        from = end.max(start + 1);
        if length < BREAKS.min(BLANKS) {
            continue;
        }
        let run = &text[start..end];
        let breaks = run.bytes().filter(|byte| *byte == b'\n').count();
        let widest = run.split('\n').map(|line| line.chars().count()).max().unwrap_or_default();
        let follows = end < text.len() && start > 0;
        if follows && (widest >= BLANKS || breaks >= BREAKS) {
            let severity =
                if widest >= MANY_BLANKS || breaks >= 2 * BREAKS { Severity::Critical } else { Severity::Moderate };
            let what = if breaks >= BREAKS { format!("{breaks} line breaks") } else { format!("{widest} blanks") };
            let says = format!("Has text where nobody looks: behind {what}");
            found.push(Signal::new(OUT_OF_SIGHT, severity, start..end, says));
        }
    }
}

/// What stands between an opening and a closing mark; to the end where it is not closed.
fn enclosed(text: &str, (open, close): (&str, &str), why: &str, found: &mut Vec<Signal>) {
    let mut from = 0;
    while let Some(start) = memmem::find(&text.as_bytes()[from..], open.as_bytes()).map(|at| at + from) {
        let inside = start + open.len();
        let end = memmem::find(&text.as_bytes()[inside..], close.as_bytes()).map_or(text.len(), |at| inside + at);
        let body = text[inside..end].trim_start_matches(['-', ' ', '\n']).to_ascii_lowercase();
        let marker = body.len() < 40 && MARKERS.iter().any(|marker| body.starts_with(marker));
        if !marker && !body.is_empty() {
            let end = (end + close.len()).min(text.len());
            let says = format!("Has text where nobody looks: {why}");
            found.push(Signal::new(OUT_OF_SIGHT, Severity::Moderate, start..end, says));
        }
        from = end;
    }
}
