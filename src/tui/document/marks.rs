//! Where in a text on the screen the findings stand: byte ranges of what a member of a definition is written as.

use crate::canon::Pointer;
use crate::drift::{Finding, Severity};
use serde_json::Value;
use std::ops::Range;

/// The stretches of one text that findings are about, by their start.
#[derive(Clone, Debug, Default)]
pub struct Marks(Vec<(Range<usize>, Severity)>);

impl Marks {
    /// Of what stands at `path` in a definition and is written as `text`: a string as itself, all else as JSON.
    pub fn of(findings: &[Finding], path: &Pointer, text: &str, is_string: bool) -> Self {
        let mark = |finding: &Finding| {
            if !finding.path.is_within(path) {
                return None;
            }
            let tokens: Vec<_> = finding.path.tokens().skip(path.tokens().count()).collect();
            let range = match (is_string, tokens.as_slice()) {
                (true, []) => finding.start..finding.end,
                (true, _) => return None,
                (false, tokens) => {
                    let place = locate(text, tokens)?;
                    let written = text.get(place.clone())?;
                    place.start + written_at(written, finding.start)..place.start + written_at(written, finding.end)
                }
            };
            let range = text.floor_char_boundary(range.start)..text.ceil_char_boundary(range.end);
            (!range.is_empty()).then_some((range, finding.severity))
        };
        let mut marks: Vec<_> = findings.iter().filter_map(mark).collect();
        marks.sort_by_key(|(range, _)| range.start);
        Self(marks)
    }

    /// The worst severity at a byte, and where that ends or the next mark begins; none where nothing follows.
    pub fn at(&self, byte: usize) -> (Option<Severity>, Option<usize>) {
        let here = self.0.iter().filter(|(range, _)| range.contains(&byte));
        let worst = here.map(|(_, severity)| *severity).max();
        let edges = self.0.iter().flat_map(|(range, _)| [range.start, range.end]);
        (worst, edges.filter(|edge| *edge > byte).min())
    }

    /// The worst severity in a stretch.
    pub fn within(&self, stretch: &Range<usize>) -> Option<Severity> {
        let meets =
            |range: &Range<usize>| range.start < stretch.end.max(stretch.start + 1) && stretch.start < range.end;
        self.0.iter().filter(|(range, _)| meets(range)).map(|(_, severity)| *severity).max()
    }
}

/// Where in JSON text the string at a path stands, without its quotes; where no string stands there, the name of the
/// member. None where the text is not what our own writer makes.
fn locate(text: &str, path: &[String]) -> Option<Range<usize>> {
    let mut walk = Walk { text, at: 0 };
    let mut name = None;
    let mut path = path.iter();
    loop {
        walk.skip_blanks();
        let Some(token) = path.next() else {
            return if walk.here() == Some(b'"') { walk.string() } else { name };
        };
        match walk.here()? {
            b'{' => name = Some(walk.member(token)?),
            b'[' => walk.element(token.parse().ok()?)?,
            _ => return None,
        }
    }
}

/// The place in a JSON string as written of a byte of what it says.
fn written_at(written: &str, byte: usize) -> usize {
    let (mut at, mut said) = (0, 0);
    while said < byte && at < written.len() {
        let rest = &written[at..];
        let unit = |from: usize| rest.get(from..from + 4).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let (wide, length) = match rest.as_bytes() {
            [b'\\', b'u', ..] => match unit(2) {
                Some(0xD800..=0xDBFF) => (12, 4),
                Some(point) => (6, char::from_u32(point).map_or(3, char::len_utf8)),
                None => (2, 1),
            },
            [b'\\', ..] => (2, 1),
            _ => {
                let length = rest.chars().next().map_or(1, char::len_utf8);
                (length, length)
            }
        };
        at += wide;
        said += length;
    }
    at.min(written.len())
}

/// A place in well-formed JSON text.
struct Walk<'a> {
    text: &'a str,
    at: usize,
}

impl Walk<'_> {
    fn here(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while self.here().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    /// Over a string; what is between its quotes.
    fn string(&mut self) -> Option<Range<usize>> {
        let start = self.at + 1;
        let mut end = start;
        loop {
            match self.text.as_bytes().get(end)? {
                b'"' => break,
                b'\\' => end += 2,
                _ => end += 1,
            }
        }
        self.at = end + 1;
        Some(start..end)
    }

    /// Over a value.
    fn value(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            match self.here()? {
                b'"' => {
                    self.string()?;
                }
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' | b',' if depth == 0 => return Some(()),
                b'}' | b']' => {
                    depth -= 1;
                    self.at += 1;
                    if depth == 0 {
                        return Some(());
                    }
                }
                _ => self.at += 1,
            }
        }
    }

    /// To the value of a member; where its name stands.
    fn member(&mut self, token: &str) -> Option<Range<usize>> {
        self.at += 1;
        loop {
            self.skip_blanks();
            let quoted = self.at;
            let name = (self.here()? == b'"').then(|| self.string())??;
            let said: Value = serde_json::from_str(&self.text[quoted..self.at]).ok()?;
            self.skip_blanks();
            // The colon.
            self.at += 1;
            if said.as_str() == Some(token) {
                return Some(name);
            }
            self.skip_blanks();
            self.next()?;
        }
    }

    /// To an element of an array.
    fn element(&mut self, index: usize) -> Option<()> {
        self.at += 1;
        for _ in 0..index {
            self.skip_blanks();
            self.next()?;
        }
        Some(())
    }

    /// Over a value and the comma after it.
    fn next(&mut self) -> Option<()> {
        self.value()?;
        self.skip_blanks();
        (self.here()? == b',').then(|| self.at += 1)
    }
}

#[expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn string_is_found_by_path_in_any_spelling() {
        let text = "{\n  \"a\": [1, {\"x\\u00e9\": \"say \\\"ho\\\" \\ud83d\\ude00 now\"}],\n  \"b\": {}\n}";
        let path = |parts: &[&str]| parts.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>();
        let place = locate(text, &path(&["a", "1", "xé"])).unwrap();
        let written = &text[place];
        assert_eq!(written, "say \\\"ho\\\" \\ud83d\\ude00 now");
        // `say "ho" 😀 now`: the emoji ends at byte 13.
        assert_eq!(&written[written_at(written, 4)..written_at(written, 8)], "\\\"ho\\\"");
        assert_eq!(&written[written_at(written, 14)..], "now");
        assert_eq!(&text[locate(text, &path(&["b"])).unwrap()], "b");
        assert_eq!(locate(text, &path(&["c"])), None);
        assert_eq!(locate("{\"a\": ", &path(&["a", "b"])), None);
    }
}
