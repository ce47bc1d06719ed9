//! Base64 that says something when it is decoded. Images, keys and digests decode to no text.

use super::runs::long_runs;
use crate::finding::names::ENCODED_TEXT;
use crate::finding::severity::Severity;
use crate::finding::signal::Signal;
use crate::text::shortened;
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

/// Characters of base64 that can hold a few words.
const SHORTEST: usize = 24;
/// Characters looked at of one run.
const LONGEST: usize = 4_096;

/// Looks for it; gives what was decoded, with where it stood.
pub(in super::super) fn find(text: &str, found: &mut Vec<Signal>) -> Vec<(usize, usize, String)> {
    let mut decoded = Vec::new();
    for (start, run) in long_runs(text, SHORTEST, is_base64) {
        let body = run.trim_end_matches('=');
        if body.len() >= SHORTEST
            && let Some(said) = decode(&body[..body.len().min(LONGEST)])
        {
            let shown = shortened(&said, 60);
            let end = start + body.len();
            let says = format!("Contains encoded text that says \"{shown}\"");
            found.push(Signal::new(ENCODED_TEXT, Severity::Moderate, start..end, says));
            decoded.push((start, end, said));
        }
    }
    decoded
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_' | b'=')
}

/// The text, where it is one: printable, with words.
fn decode(run: &str) -> Option<String> {
    // Four characters are three bytes: what is over is cut.
    let run = &run[..run.len() - usize::from(run.len() % 4 == 1)];
    let bytes = STANDARD_NO_PAD.decode(run).or_else(|_| URL_SAFE_NO_PAD.decode(run)).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let printable = text.chars().all(|c| !c.is_control() || c == '\n');
    let letters = text.chars().filter(|c| c.is_alphabetic() || *c == ' ').count();
    let words = text.split_whitespace().count();
    (printable && words >= 3 && letters * 4 >= text.chars().count() * 3).then_some(text)
}
