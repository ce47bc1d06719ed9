//! The parts of one message, read strictly: what two parsers could read as two things is no message to a guard.

use crate::canon::scan::{self, Span, Syntax};

/// Why bytes are no message that a guard passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unfit {
    /// It is no JSON.
    #[error("it is not JSON: {0}")]
    Syntax(#[from] Syntax),
    /// A member stands there twice, or once more in other letters, which some parsers take for it.
    #[error("`{0}` occurs twice, or in other letters, and parsers disagree on which one counts")]
    Ambiguous(&'static str),
}

/// Where the parts of one message stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Envelope {
    pub id: Option<Span>,
    pub method: Option<Span>,
    pub params: Option<Span>,
    pub result: Option<Span>,
    pub error: Option<Span>,
}

impl Envelope {
    /// The members that count.
    pub const NAMES: [&'static str; 5] = ["id", "method", "params", "result", "error"];

    /// Reads the object that `bytes` are.
    pub fn read(bytes: &[u8]) -> Result<Self, Unfit> {
        let whole = scan::whole(bytes, usize::MAX)?;
        let [id, method, params, result, error] = members(bytes, whole.start, Self::NAMES)?;
        Ok(Self { id, method, params, result, error })
    }

    /// What the method is called; none where it is no string.
    pub fn method(&self, bytes: &[u8]) -> Option<String> {
        text(bytes, self.method.as_ref())
    }
}

/// What the string at `span` says; none where there is no string, or one that no Unicode text can say.
pub(super) fn text(bytes: &[u8], span: Option<&Span>) -> Option<String> {
    let span = span.filter(|span| bytes[span.start] == b'"')?;
    let (text, unclean) = scan::unescape(bytes, span.clone());
    (unclean == scan::Unclean::default()).then_some(text)
}

/// The members of these names of the object at `at`.
pub(super) fn members<const N: usize>(
    bytes: &[u8],
    at: usize,
    names: [&'static str; N],
) -> Result<[Option<Span>; N], Unfit> {
    let mut found = [const { None::<Span> }; N];
    let mut ambiguous = None;
    scan::walk_members(bytes, at, |key, value| {
        let end = scan::skip_value(bytes, value, usize::MAX)?;
        let (key, _) = scan::unescape(bytes, key);
        if let Some(place) = names.iter().position(|name| folded(&key) == *name.to_ascii_lowercase()) {
            let is_other = key != names[place];
            if found[place].replace(value..end).is_some() || is_other {
                ambiguous = Some(names[place]);
            }
        }
        Ok(end)
    })?;
    ambiguous.map_or(Ok(found), |name| Err(Unfit::Ambiguous(name)))
}

/// Where the messages of a line stand: the one that it is, or those of a batch, of which there are at most `most`.
pub(super) fn messages(line: &[u8], most: usize) -> Vec<Span> {
    let start = scan::skip_space(line, 0);
    match line.get(start) {
        Some(b'[') => scan::elements(line, start, usize::MAX, most).unwrap_or_default(),
        Some(_) => std::iter::once(start..line.len()).collect(),
        None => Vec::new(),
    }
}

/// A key as parsers that pass over case read it. Go's folds two letters more than ASCII has (`strings.EqualFold`).
pub(super) fn folded(key: &str) -> String {
    let fold = |letter| match letter {
        '\u{17f}' => 's',
        '\u{212a}' => 'k',
        letter => letter.to_ascii_lowercase(),
    };
    key.chars().map(fold).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_found_in_any_order() {
        let text = br#" {"result":{"id":7},"jsonrpc":"2.0","\u0069d": "a" } "#;
        let read = Envelope::read(text).unwrap_or_default();
        assert_eq!(read.id.map(|span| &text[span]), Some(&br#""a""#[..]));
        assert_eq!(read.result.map(|span| &text[span]), Some(&br#"{"id":7}"#[..]));
        assert_eq!(read.method, None);
    }

    #[test]
    fn what_parsers_disagree_on_is_no_message() {
        for text in [
            r#"{"id":1,"id":2}"#,
            r#"{"id":1,"ID":2}"#,
            r#"{"Result":{}}"#,
            r#"{"re\u017fult":{}}"#,
            r#"{"result":{},"\u0072esult":{}}"#,
            r#"{"id":1}{"id":2}"#,
            r#"{"id":1"#,
            "[]",
            "",
        ] {
            assert!(Envelope::read(text.as_bytes()).is_err(), "{text}");
        }
    }
}
