//! Where in a definition as it is written the findings stand: byte ranges of the text of one of its members.

use crate::canon::Pointer;
use crate::finding::{Finding, Severity};
use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, ParseOptions, ast, parse_to_ast};
use std::cell::LazyCell;
use std::ops::Range;

/// The findings to be read: of one rule in one text, not also those that lie inside another.
pub(crate) fn to_read(all: &[Finding]) -> Vec<&Finding> {
    let inside = |one: &Finding, other: &Finding| {
        let wider = (other.start..other.end).len() > (one.start..one.end).len();
        (&one.rule, &one.path) == (&other.rule, &other.path)
            && wider
            && other.start <= one.start
            && one.end <= other.end
    };
    all.iter().filter(|one| !all.iter().any(|other| inside(one, other))).collect()
}

/// The stretches of one text that findings are about, by their start.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marks(Vec<(Range<usize>, Severity)>);

impl Marks {
    /// Of what stands at `path` in a definition and is written as `text`: a string as itself, all else as JSON.
    pub fn of(findings: &[Finding], path: &Pointer, text: &str, is_string: bool) -> Self {
        let json =
            LazyCell::new(|| parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default()).ok()?.value);
        let mark = |finding: &Finding| {
            if !finding.path.is_within(path) {
                return None;
            }
            let tokens: Vec<_> = finding.path.tokens().skip(path.tokens().count()).collect();
            let range = match (is_string, tokens.as_slice()) {
                (true, []) => finding.start..finding.end,
                (true, _) => return None,
                (false, tokens) => {
                    let place = locate(json.as_ref()?, tokens)?;
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

/// Where the string at a path stands, without its quotes; where no string stands there, the name of the member.
fn locate(json: &ast::Value<'_>, path: &[String]) -> Option<Range<usize>> {
    let (mut value, mut named) = (json, None);
    for token in path {
        value = match value {
            ast::Value::Object(object) => {
                let member = object.properties.iter().find(|member| member.name.as_str() == token)?;
                named = Some(member.name.range());
                &member.value
            }
            ast::Value::Array(array) => array.elements.get(token.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    let place = if let ast::Value::StringLit(text) = value { Some(text.range) } else { named };
    place.map(|place| place.start + 1..place.end - 1)
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

#[expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn string_is_found_by_path_in_any_spelling() {
        let text = "{\n  \"a\": [1, {\"x\\u00e9\": \"say \\\"ho\\\" \\ud83d\\ude00 now\"}],\n  \"b\": {}\n}";
        let path = |parts: &[&str]| parts.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>();
        let parsed = |text| parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default()).unwrap().value;
        let json = parsed(text).unwrap();
        let place = locate(&json, &path(&["a", "1", "xé"])).unwrap();
        let written = &text[place];
        assert_eq!(written, "say \\\"ho\\\" \\ud83d\\ude00 now");
        // `say "ho" 😀 now`: the emoji ends at byte 13.
        assert_eq!(&written[written_at(written, 4)..written_at(written, 8)], "\\\"ho\\\"");
        assert_eq!(&written[written_at(written, 14)..], "now");
        assert_eq!(&text[locate(&json, &path(&["b"])).unwrap()], "b");
        assert_eq!(locate(&json, &path(&["c"])), None);
        assert_eq!(locate(&json, &path(&["b", "x"])), None);
    }
}
