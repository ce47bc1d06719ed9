//! Walks JSON bytes without building anything: where a value ends, an object's members, an array's elements.
//!
//! The grammar is RFC 8259's, with three allowances that the strict reader turns into codes: string bytes need not be
//! UTF-8, escapes may be lone surrogates, and `NaN`, `Infinity`, `-Infinity` (which Python writes) are numbers.
//! Nothing here recurses, so depth costs one byte a level.

use std::ops::Range;

/// Where in the text a value, a key or an element stands.
pub type Span = Range<usize>;

/// Why bytes are no JSON that we read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Syntax {
    /// Something else was expected at this byte.
    #[error("byte {at}: expected {expected}")]
    Expected {
        /// Offset of the byte.
        at: usize,
        /// What would have been right.
        expected: &'static str,
    },
    /// Nested deeper than the limit.
    #[error("byte {at}: nested deeper than {limit} levels")]
    TooDeep {
        /// Offset of the level too many.
        at: usize,
        /// The limit in force.
        limit: usize,
    },
    /// More elements or members than the limit.
    #[error("byte {at}: more than {limit} entries")]
    TooMany {
        /// Offset of the entry too many.
        at: usize,
        /// The limit in force.
        limit: usize,
    },
}

fn expected<T>(at: usize, expected: &'static str) -> Result<T, Syntax> {
    Err(Syntax::Expected { at, expected })
}

/// The first byte at or after `at` that is no JSON white space.
pub fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while matches!(bytes.get(at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
        at += 1;
    }
    at
}

/// The end of the string that opens at `at`.
pub fn skip_string(bytes: &[u8], at: usize) -> Result<usize, Syntax> {
    if bytes.get(at) != Some(&b'"') {
        return expected(at, "a string");
    }
    let mut here = at + 1;
    loop {
        here = skip_plain(bytes, here)?;
        match bytes.get(here) {
            Some(b'"') => return Ok(here + 1),
            Some(_) => here = skip_escape(bytes, here)?,
            None => return expected(here, "the end of a string"),
        }
    }
}

/// The first quote or backslash of a string at or after `at`; the end of the text where there is none.
fn skip_plain(bytes: &[u8], at: usize) -> Result<usize, Syntax> {
    let (words, rest) = bytes[at..].as_chunks::<8>();
    let special = |word: &[u8; 8]| special(u64::from_le_bytes(*word));
    let within = words.iter().enumerate().find_map(|(index, word)| Some(8 * index + special(word)?));
    let end = within.or_else(|| Some(8 * words.len() + rest.iter().position(|byte| is_special(*byte))?));
    let end = end.map_or(bytes.len(), |end| at + end);
    match bytes.get(end) {
        Some(..0x20) => expected(end, "no control character in a string"),
        _ => Ok(end),
    }
}

fn is_special(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | ..0x20)
}

/// Which of eight bytes, the first being the lowest, is the first quote, backslash or control character. The top bit of
/// a byte of each difference tells that the byte borrowed; what it borrowed from lies above, so that the lowest is right.
fn special(word: u64) -> Option<usize> {
    const ONES: u64 = u64::MAX / 0xFF;
    let below = |word: u64, bound: u64| word.wrapping_sub(ONES * bound) & !word;
    let is = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
    let found = (below(word, 0x20) | is(b'"') | is(b'\\')) & (ONES << 7);
    (found != 0).then(|| found.trailing_zeros() as usize / 8)
}

/// The end of the escape at `at`.
fn skip_escape(bytes: &[u8], at: usize) -> Result<usize, Syntax> {
    match bytes.get(at + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
        Some(b'u') => {
            let digits = bytes.get(at + 2..at + 6);
            if digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)) {
                Ok(at + 6)
            } else {
                expected(at + 2, "four hex digits")
            }
        }
        _ => expected(at + 1, "an escape"),
    }
}

/// The end of the number at `at`.
fn skip_number(bytes: &[u8], at: usize) -> Result<usize, Syntax> {
    for word in [&b"NaN"[..], b"Infinity", b"-Infinity"] {
        if bytes[at..].starts_with(word) {
            return Ok(at + word.len());
        }
    }
    let digits = |mut here: usize| {
        let start = here;
        while bytes.get(here).is_some_and(u8::is_ascii_digit) {
            here += 1;
        }
        if here == start { expected(here, "a digit") } else { Ok(here) }
    };
    let mut here = at + usize::from(bytes[at] == b'-');
    here = if bytes.get(here) == Some(&b'0') { here + 1 } else { digits(here)? };
    if bytes.get(here) == Some(&b'.') {
        here = digits(here + 1)?;
    }
    if matches!(bytes.get(here), Some(b'e' | b'E')) {
        here += 1;
        here += usize::from(matches!(bytes.get(here), Some(b'+' | b'-')));
        here = digits(here)?;
    }
    Ok(here)
}

/// The end of the scalar at `at`.
fn skip_scalar(bytes: &[u8], at: usize) -> Result<usize, Syntax> {
    let word = |word: &[u8]| {
        if bytes[at..].starts_with(word) { Ok(at + word.len()) } else { expected(at, "a value") }
    };
    match bytes.get(at) {
        Some(b'"') => skip_string(bytes, at),
        Some(b't') => word(b"true"),
        Some(b'f') => word(b"false"),
        Some(b'n') => word(b"null"),
        Some(b'-' | b'0'..=b'9' | b'N' | b'I') => skip_number(bytes, at),
        _ => expected(at, "a value"),
    }
}

/// The end of the value that starts at `at`, at most `limit` levels deep.
pub fn skip_value(bytes: &[u8], at: usize, limit: usize) -> Result<usize, Syntax> {
    let mut open: Vec<u8> = Vec::new();
    let mut here = at;
    loop {
        // A value starts here.
        match bytes.get(here) {
            Some(&bracket @ (b'{' | b'[')) => {
                if open.len() == limit {
                    return Err(Syntax::TooDeep { at: here, limit });
                }
                let close = if bracket == b'{' { b'}' } else { b']' };
                here = skip_space(bytes, here + 1);
                if bytes.get(here) == Some(&close) {
                    here += 1;
                } else {
                    open.push(close);
                    if close == b'}' {
                        here = skip_key(bytes, here)?;
                    }
                    continue;
                }
            }
            _ => here = skip_scalar(bytes, here)?,
        }
        // A value ended here: go on in what holds it.
        loop {
            let Some(&close) = open.last() else { return Ok(here) };
            here = skip_space(bytes, here);
            match bytes.get(here) {
                Some(b',') => {
                    here = skip_space(bytes, here + 1);
                    if close == b'}' {
                        here = skip_key(bytes, here)?;
                    }
                    break;
                }
                Some(byte) if *byte == close => {
                    open.pop();
                    here += 1;
                }
                _ => return expected(here, if close == b'}' { "`,` or `}`" } else { "`,` or `]`" }),
            }
        }
    }
}

/// From a member's key to the start of its value.
fn skip_key(bytes: &[u8], at: usize) -> Result<usize, Syntax> {
    skip_colon(bytes, skip_string(bytes, at)?)
}

fn skip_colon(bytes: &[u8], at: usize) -> Result<usize, Syntax> {
    let end = skip_space(bytes, at);
    if bytes.get(end) == Some(&b':') { Ok(skip_space(bytes, end + 1)) } else { expected(end, "`:`") }
}

/// The one value that `bytes` are, without the white space around it.
pub fn whole(bytes: &[u8], depth: usize) -> Result<Span, Syntax> {
    let start = skip_space(bytes, 0);
    let end = skip_value(bytes, start, depth)?;
    let rest = skip_space(bytes, end);
    if rest == bytes.len() { Ok(start..end) } else { expected(rest, "the end of the text") }
}

/// Walks the members of the object that starts at `at`, in order. `visit` is given the key with its quotes and where the
/// value starts, and returns where the value ends, so that it can look inside on the way. Returns the object's end.
pub fn walk_members(
    bytes: &[u8],
    at: usize,
    mut visit: impl FnMut(Span, usize) -> Result<usize, Syntax>,
) -> Result<usize, Syntax> {
    if bytes.get(at) != Some(&b'{') {
        return expected(at, "an object");
    }
    walk(bytes, at, b'}', |here| {
        let end = skip_string(bytes, here)?;
        visit(here..end, skip_colon(bytes, end)?)
    })
}

/// Walks the elements of the array that starts at `at`, as [`walk_members`] does an object's members.
pub fn walk_elements(
    bytes: &[u8],
    at: usize,
    visit: impl FnMut(usize) -> Result<usize, Syntax>,
) -> Result<usize, Syntax> {
    if bytes.get(at) != Some(&b'[') {
        return expected(at, "an array");
    }
    walk(bytes, at, b']', visit)
}

/// Walks what stands between the bracket at `at` and the one that closes it. `visit` is given where each part starts.
fn walk(
    bytes: &[u8],
    at: usize,
    close: u8,
    mut visit: impl FnMut(usize) -> Result<usize, Syntax>,
) -> Result<usize, Syntax> {
    let mut here = skip_space(bytes, at + 1);
    if bytes.get(here) == Some(&close) {
        return Ok(here + 1);
    }
    loop {
        here = skip_space(bytes, visit(here)?);
        match bytes.get(here) {
            Some(b',') => here = skip_space(bytes, here + 1),
            Some(byte) if *byte == close => return Ok(here + 1),
            _ => return expected(here, if close == b'}' { "`,` or `}`" } else { "`,` or `]`" }),
        }
    }
}

/// The members of the object that starts at `at`: the key with its quotes, and the value. At most `limit`.
pub fn members(bytes: &[u8], at: usize, depth: usize, limit: usize) -> Result<Vec<(Span, Span)>, Syntax> {
    let mut found = Vec::new();
    walk_members(bytes, at, |key, value| {
        if found.len() == limit {
            return Err(Syntax::TooMany { at: key.start, limit });
        }
        let end = skip_value(bytes, value, depth)?;
        found.push((key, value..end));
        Ok(end)
    })?;
    Ok(found)
}

/// The elements of the array that starts at `at`. At most `limit`.
pub fn elements(bytes: &[u8], at: usize, depth: usize, limit: usize) -> Result<Vec<Span>, Syntax> {
    let mut found = Vec::new();
    walk_elements(bytes, at, |here| {
        if found.len() == limit {
            return Err(Syntax::TooMany { at: here, limit });
        }
        let end = skip_value(bytes, here, depth)?;
        found.push(here..end);
        Ok(end)
    })?;
    Ok(found)
}

/// What the string with its quotes at `span` says, and whether it said it cleanly: bytes that are no UTF-8 and lone
/// surrogates come out as U+FFFD and are reported.
pub fn unescape(bytes: &[u8], span: Span) -> (String, Unclean) {
    let inner = &bytes[span.start + 1..span.end - 1];
    let mut unclean = Unclean::default();
    if !inner.contains(&b'\\') {
        return (utf8(inner, &mut unclean).into_owned(), unclean);
    }
    let mut text = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(escape) = rest.iter().position(|byte| *byte == b'\\') {
        text.push_str(&utf8(&rest[..escape], &mut unclean));
        let (character, length) = match rest[escape + 1] {
            b'u' => {
                let (character, length) = unicode_escape(&rest[escape..]);
                unclean.lone_surrogate |= character.is_none();
                (character.unwrap_or(char::REPLACEMENT_CHARACTER), length)
            }
            b'b' => ('\u{8}', 2),
            b'f' => ('\u{c}', 2),
            b'n' => ('\n', 2),
            b'r' => ('\r', 2),
            b't' => ('\t', 2),
            other => (char::from(other), 2),
        };
        text.push(character);
        rest = &rest[escape + length..];
    }
    text.push_str(&utf8(rest, &mut unclean));
    (text, unclean)
}

/// What a string held that no Unicode text can say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unclean {
    /// Bytes that are no UTF-8.
    pub encoding: bool,
    /// An escaped surrogate without its other half.
    pub lone_surrogate: bool,
}

fn utf8<'a>(bytes: &'a [u8], unclean: &mut Unclean) -> std::borrow::Cow<'a, str> {
    let text = String::from_utf8_lossy(bytes);
    unclean.encoding |= matches!(text, std::borrow::Cow::Owned(_));
    text
}

/// The character of the `\uXXXX` (or the surrogate pair) that `text` starts with, and the length of what was read.
fn unicode_escape(text: &[u8]) -> (Option<char>, usize) {
    let unit = |at: usize| {
        let prefix = text.get(at..at + 2)? == b"\\u";
        let digits = text.get(at + 2..at + 6).filter(|_| prefix)?;
        u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    let Some(first) = unit(0) else { return (None, 6) };
    if (0xD800..0xDC00).contains(&first)
        && let Some(second) = unit(6).filter(|second| (0xDC00..0xE000).contains(second))
    {
        let point = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
        return (char::from_u32(point), 12);
    }
    (char::from_u32(first), 6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_special_byte_is_found_at_any_position() {
        // Neighbours of what is looked for, by one bit or by one, before and behind it.
        for around in [b'a', b' ', b'!', b'#', b'[', b']', 0x7F, 0x80, 0xA2, 0xDC, 0xFF] {
            for special in [b'"', b'\\', 0, 0x1F, b'\n'] {
                for (before, behind) in (0..20).flat_map(|before| (0..12).map(move |behind| (before, behind))) {
                    let mut bytes = vec![around; before];
                    bytes.push(special);
                    // The one behind it may be any.
                    bytes.extend((0..behind).map(|at| if at == 0 { 0 } else { around }));
                    let found = skip_plain(&bytes, 0);
                    if special < 0x20 {
                        assert!(matches!(found, Err(Syntax::Expected { at, .. }) if at == before), "{bytes:?}");
                    } else {
                        assert_eq!(found, Ok(before), "{bytes:?}");
                    }
                }
            }
            assert_eq!(skip_plain(&[around; 19], 3), Ok(19));
        }
    }
}
