//! Sequences that a terminal obeys: colours, cursor moves, links, the clipboard.

use crate::finding::names::TERMINAL_ESCAPES;
use crate::finding::severity::Severity;
use crate::finding::signal::Signal;

/// Looks for it: one signal an escape.
pub(in super::super) fn find(text: &str, found: &mut Vec<Signal>) {
    for (start, opener) in text.match_indices(['\u{1B}', '\u{9B}']) {
        let rest = &text[start + opener.len()..];
        let (length, why) = match rest.chars().next() {
            Some(']') => (1, "a command to the terminal: a link, a title, the clipboard"),
            Some('[') => (parameters(rest, 1), "colours or cursor moves"),
            Some('P' | 'X' | '^' | '_') => (1, "a string for the terminal itself"),
            _ if opener == "\u{9B}" => (parameters(rest, 0), "colours or cursor moves"),
            Some(next) => (next.len_utf8(), "a command to the terminal"),
            None => (0, "a command to the terminal"),
        };
        let end = start + opener.len() + length;
        let says = format!("Contains an escape sequence for the terminal: {why}");
        found.push(Signal::new(TERMINAL_ESCAPES, Severity::Critical, start..end, says));
    }
}

/// The bytes of a control sequence after `from`: parameters, then one final character (ECMA-48, 5.4).
fn parameters(rest: &str, from: usize) -> usize {
    let body = &rest[from..];
    let end = body.find(|c: char| !matches!(c, '0'..='?' | ' '..='/')).unwrap_or(body.len());
    let last = body[end..].chars().next().filter(|c| ('@'..='~').contains(c)).map_or(0, char::len_utf8);
    from + end + last
}
