//! Text that stands where nobody looks: behind a run of blanks, in a comment or a fold, at the end of a very long line.

use super::place::Place;
use super::signal::{Rule, Signal, Strength};
use aho_corasick::AhoCorasick;
use memchr::memmem;
use std::sync::LazyLock;

/// The rule.
pub(super) static RULE: Rule = Rule { name: "out-of-sight", title: "text out of sight" };

/// Blanks in a row beyond which no table or indentation goes.
const BLANKS: usize = 80;
/// Line breaks in a row that push what follows off a screen.
const BREAKS: usize = 16;
/// Blanks or breaks for which no honest reason is known.
const MANY_BLANKS: usize = 240;
/// Characters of a line that a screen still shows wrapped.
const LONG: usize = 4_000;

/// What comments of tools begin with.
const MARKERS: [&str; 9] = ["prettier", "markdownlint", "eslint", "toc", "begin", "end", "start", "stop", "badge"];

/// What opens a stretch that is not shown, what closes it, and where it stands.
const HIDES: [(&str, &str, &str); 10] = [
    ("<!--", "-->", "in a comment that no page shows"),
    ("[//]:", "\n", "in a comment that no page shows"),
    ("[comment]:", "\n", "in a comment that no page shows"),
    ("<details", "</details>", "in a fold that is closed"),
    ("display:none", ">", "in an element that is not shown"),
    ("display: none", ">", "in an element that is not shown"),
    ("visibility:hidden", ">", "in an element that is not shown"),
    ("font-size:0", ">", "in letters of no size"),
    ("color:white", ">", "in white on white"),
    ("color:#fff", ">", "in white on white"),
];
/// What opens one: most texts have none.
static OPENERS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| AhoCorasick::new(HIDES.map(|(open, ..)| open)).ok());

/// Looks for it. Whether what is out of sight says anything is for the other rules; together they add up.
pub(super) fn find(text: &str, place: Place, found: &mut Vec<Signal>) {
    if place == Place::Data {
        return;
    }
    blanks(text, found);
    if OPENERS.as_ref().is_none_or(|openers| openers.is_match(text)) {
        for (open, close, why) in HIDES {
            enclosed(text, (open, close), why, found);
        }
    }
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if line.len() > LONG {
            let why = format!("at the end of a line of {} characters", line.chars().count());
            let from = (start + LONG..start + line.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(start);
            found.push(Signal { rule: &RULE, strength: Strength::Weak, start: from, end: start + line.len(), why });
        }
        start += line.len();
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
            let strength =
                if widest >= MANY_BLANKS || breaks >= 2 * BREAKS { Strength::Sure } else { Strength::Strong };
            let what = if breaks >= BREAKS { format!("{breaks} line breaks") } else { format!("{widest} blanks") };
            found.push(Signal { rule: &RULE, strength, start, end, why: format!("behind {what}") });
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
            let strength = if why.contains("fold") { Strength::Weak } else { Strength::Some };
            let end = (end + close.len()).min(text.len());
            found.push(Signal { rule: &RULE, strength, start, end, why: why.to_owned() });
        }
        from = end;
    }
}
