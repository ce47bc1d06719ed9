//! A guard that starts nothing: each request is answered with why.

use crate::canon::scan;
use crate::guard::closed_answer;
use bytes::Bytes;
use std::sync::Arc;

/// The answers to a line of the client, without line ends.
pub(super) fn answers(line: &Bytes, why: &Arc<str>) -> Vec<Bytes> {
    let start = scan::skip_space(line, 0);
    let elements = match line.get(start) {
        Some(b'[') => scan::elements(line, start, usize::MAX, 1_000).unwrap_or_default(),
        Some(_) => std::iter::once(start..line.len()).collect(),
        None => Vec::new(),
    };
    elements.into_iter().filter_map(|span| closed_answer(&line.slice(span), why)).collect()
}
