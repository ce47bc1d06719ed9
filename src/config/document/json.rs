//! JSON, and JSON with comments: where the comments are is `jsonc-parser`'s word, what is left is read by our strict
//! scanner, which keeps members that are there twice and bytes that are no UTF-8 for their entry to answer for.

use super::{Inner, MAX_DEPTH, MAX_ENTRIES, Malformed, Member, Node};
use crate::canon::scan;
use jsonc_parser::tokens::Token;
use jsonc_parser::{Scanner, ScannerOptions};
use std::ops::Range;

/// Nothing of JSON5.
const OPTIONS: ScannerOptions = ScannerOptions {
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// The text with blanks for comments and for commas before an end: every byte stays where it was.
pub(super) fn without_comments(text: &str) -> Result<Vec<u8>, Malformed> {
    let mut bytes = text.as_bytes().to_vec();
    let mut scanner = Scanner::new(text, &OPTIONS);
    let mut comma = None;
    loop {
        let token = scanner
            .scan()
            .map_err(|error| Malformed::at(error.line_display(), format!("not valid JSON: {}", error.kind())))?;
        let Some(token) = token else { return Ok(bytes) };
        match token {
            Token::CommentLine(_) | Token::CommentBlock(_) => {
                blank(&mut bytes, scanner.token_start()..scanner.token_end());
            }
            Token::Comma => comma = Some(scanner.token_start()),
            Token::CloseBrace | Token::CloseBracket => {
                if let Some(at) = comma.take() {
                    blank(&mut bytes, at..at + 1);
                }
            }
            _ => comma = None,
        }
    }
}

fn blank(bytes: &mut [u8], range: Range<usize>) {
    for byte in bytes.get_mut(range).into_iter().flatten().filter(|byte| **byte != b'\n') {
        *byte = b' ';
    }
}

/// The text, where it is one JSON value.
pub(super) fn strict(text: Vec<u8>) -> Result<Vec<u8>, Malformed> {
    match scan::whole(&text, MAX_DEPTH) {
        Ok(_) => Ok(text),
        Err(fault) => Err(malformed(&text, &fault)),
    }
}

pub(super) fn top(text: &[u8]) -> Inner<'_> {
    Inner::Json { text, at: scan::skip_space(text, 0)..text.len() }
}

pub(super) fn members<'a>(text: &'a [u8], at: &Range<usize>) -> Result<Vec<Member<'a>>, Malformed> {
    if text.get(at.start) != Some(&b'{') {
        return Ok(Vec::new());
    }
    let members = scan::members(text, at.start, MAX_DEPTH, MAX_ENTRIES).map_err(|fault| malformed(text, &fault))?;
    let mut lines = Lines { text, at: 0, line: 1 };
    let member = |(key, value): (scan::Span, scan::Span)| {
        let line = lines.of(key.start);
        let name = scan::unescape(text, key.clone()).0;
        Member { name, line, key, value: Node(Inner::Json { text, at: value }) }
    };
    Ok(members.into_iter().map(member).collect())
}

pub(super) fn elements<'a>(text: &'a [u8], at: &Range<usize>) -> Result<Vec<Node<'a>>, Malformed> {
    if text.get(at.start) != Some(&b'[') {
        return Ok(Vec::new());
    }
    let elements = scan::elements(text, at.start, MAX_DEPTH, MAX_ENTRIES).map_err(|fault| malformed(text, &fault))?;
    Ok(elements.into_iter().map(|at| Node(Inner::Json { text, at })).collect())
}

/// The line of a byte, from 1.
pub(super) fn line(text: &[u8], at: usize) -> usize {
    Lines { text, at: 0, line: 1 }.of(at)
}

/// Lines of bytes that come in order.
struct Lines<'a> {
    text: &'a [u8],
    at: usize,
    line: usize,
}

impl Lines<'_> {
    fn of(&mut self, at: usize) -> usize {
        let passed = self.text.get(self.at..at).unwrap_or_default();
        self.line += memchr::memchr_iter(b'\n', passed).count();
        self.at = at;
        self.line
    }
}

fn malformed(text: &[u8], fault: &scan::Syntax) -> Malformed {
    let (scan::Syntax::Expected { at, .. } | scan::Syntax::TooDeep { at, .. } | scan::Syntax::TooMany { at, .. }) =
        fault;
    let said = match fault {
        scan::Syntax::Expected { expected, .. } => format!("not valid JSON: expected {expected}"),
        scan::Syntax::TooDeep { limit, .. } => format!("it is nested deeper than {limit} levels"),
        scan::Syntax::TooMany { limit, .. } => format!("it has more than {limit} entries"),
    };
    Malformed::at(line(text, *at), said)
}
