//! JSON-RPC messages: written with ids of one width, read in one pass by where their parts stand. No value is built.

use super::limits::Limits;
use crate::canon::Known;
use crate::canon::scan::{self, Span, Syntax};
use bytes::Bytes;

/// An id; always [`ID_DIGITS`] digits, so that two answers that say the same have the same length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Id(u32);

/// Seven digits stay exact even for a server that reads numbers as 32-bit floats.
const ID_DIGITS: usize = 7;
const FIRST_ID: u32 = 1_000_001;
const LAST_ID: u32 = 9_999_999;

impl Id {
    /// The first id of a session.
    pub const FIRST: Self = Self(FIRST_ID);

    /// The one after it. The width stays: after the last one the first follows, long answered.
    pub fn next(self) -> Self {
        Self(if self.0 == LAST_ID { FIRST_ID } else { self.0 + 1 })
    }

    /// Its digits.
    pub fn text(self) -> String {
        self.0.to_string()
    }

    /// Whether `raw`, the JSON text of an id, is this one; and if so whether it is in the form we sent.
    pub fn matches(self, raw: &[u8]) -> Option<Form> {
        let text = self.text();
        if raw == text.as_bytes() {
            return Some(Form::AsSent);
        }
        let inner = raw.strip_prefix(b"\"").and_then(|raw| raw.strip_suffix(b"\"")).unwrap_or(raw);
        let number = std::str::from_utf8(inner).ok()?.trim().parse::<f64>().ok()?;
        (number.to_bits() == f64::from(self.0).to_bits()).then_some(Form::Other)
    }

    /// Whether `raw` is one of the ids given out before `next`.
    pub fn was_sent(raw: &[u8], next: Self) -> bool {
        let number = std::str::from_utf8(raw).ok().and_then(|text| text.parse::<u32>().ok());
        number.is_some_and(|number| (FIRST_ID..next.0).contains(&number))
    }
}

/// How an id came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// The very digits.
    AsSent,
    /// As a string, or as another spelling of the number.
    Other,
}

/// Where the parts of one message stand.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub id: Option<Span>,
    pub method: Option<Span>,
    pub result: Option<Span>,
    pub error: Option<Span>,
    /// Whether it names a revision of JSON-RPC.
    pub is_json_rpc: bool,
    /// The entries of the list that was looked for inside the result.
    pub page: Page,
    /// A member that occurs twice where only one can count.
    pub twice: Option<&'static str>,
}

/// The list that is looked for in an answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted<'a> {
    /// The member of the result that holds it.
    pub member: &'a str,
    /// Its entries of last time: what stands there again need not be read.
    pub known: &'a [Bytes],
}

#[derive(Debug, Default)]
pub(super) struct Page {
    /// Each entry that is within the bounds, in order.
    pub entries: Vec<Span>,
    /// The cursor of the next page.
    pub cursor: Option<Span>,
    /// Whether the member was there and is an array.
    pub is_list: bool,
    /// Why entries were left out.
    pub left_out: Option<LeftOut>,
}

/// A bound that entries of a page are over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LeftOut {
    Depth,
    Size,
    Number,
}

/// Whether the key with its quotes at `span` says `name`.
pub(super) fn says(bytes: &[u8], span: &Span, name: &str) -> bool {
    let inner = &bytes[span.start + 1..span.end - 1];
    if inner.contains(&b'\\') { scan::unescape(bytes, span.clone()).0 == name } else { inner == name.as_bytes() }
}

impl Parts {
    /// Whether it answers something.
    pub fn is_response(&self) -> bool {
        self.method.is_none() && (self.result.is_some() || self.error.is_some())
    }

    /// Whether its id names no request: there is none, or it is null.
    pub fn is_nameless(&self, bytes: &[u8]) -> bool {
        self.id.as_ref().is_none_or(|id| &bytes[id.clone()] == b"null")
    }

    /// Reads the message at `at`; inside its result, the entries of `list` are told apart. Returns where the message
    /// ends, too.
    pub fn read(bytes: &[u8], at: usize, list: Option<Wanted<'_>>, limits: &Limits) -> Result<(Self, usize), Syntax> {
        let mut parts = Self::default();
        let mut count = 0;
        let end = scan::walk_members(bytes, at, |key, value| {
            count += 1;
            if count > limits.members {
                return Err(Syntax::TooMany { at: value, limit: limits.members });
            }
            parts.is_json_rpc |= says(bytes, &key, "jsonrpc");
            let known = ["id", "method", "result", "error"].into_iter().find(|name| says(bytes, &key, name));
            let is_result = known == Some("result") && bytes[value] == b'{';
            let end = match list.filter(|_| is_result) {
                Some(list) => parts.read_page(bytes, value, list, limits)?,
                None => scan::skip_value(bytes, value, usize::MAX)?,
            };
            let slot = match known {
                Some("id") => &mut parts.id,
                Some("method") => &mut parts.method,
                Some("result") => &mut parts.result,
                Some("error") => &mut parts.error,
                _ => return Ok(end),
            };
            if slot.replace(value..end).is_some() {
                parts.twice = known;
            }
            Ok(end)
        })?;
        Ok((parts, end))
    }

    fn read_page(&mut self, bytes: &[u8], at: usize, list: Wanted<'_>, limits: &Limits) -> Result<usize, Syntax> {
        let mut count = 0;
        let Self { page, twice, .. } = self;
        scan::walk_members(bytes, at, |key, value| {
            count += 1;
            if count > limits.members {
                return Err(Syntax::TooMany { at: value, limit: limits.members });
            }
            if says(bytes, &key, list.member) {
                if std::mem::replace(&mut page.is_list, true) {
                    *twice = Some("the list");
                }
                if bytes[value] == b'[' {
                    return page.read_entries(bytes, value, Known::new(list.known), limits);
                }
                page.is_list = false;
            }
            let end = scan::skip_value(bytes, value, usize::MAX)?;
            if says(bytes, &key, "nextCursor")
                && &bytes[value..end] != b"null"
                && page.cursor.replace(value..end).is_some()
            {
                *twice = Some("nextCursor");
            }
            Ok(end)
        })
    }
}

impl Page {
    fn read_entries(
        &mut self,
        bytes: &[u8],
        at: usize,
        mut known: Known<'_>,
        limits: &Limits,
    ) -> Result<usize, Syntax> {
        scan::walk_elements(bytes, at, |start| {
            let read = || scan::skip_value(bytes, start, limits.depth);
            let end = match known.end(bytes, start).map_or_else(read, Ok) {
                Err(Syntax::TooDeep { .. }) => {
                    self.left_out = Some(LeftOut::Depth);
                    return scan::skip_value(bytes, start, usize::MAX);
                }
                other => other?,
            };
            if end - start > limits.item_bytes {
                self.left_out = Some(LeftOut::Size);
            } else if self.entries.len() == limits.items {
                self.left_out = Some(LeftOut::Number);
            } else {
                self.entries.push(start..end);
            }
            Ok(end)
        })
    }
}

/// An answer kept to be compared with the next one: the same bytes around another id say the same.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    bytes: Bytes,
    id: Span,
}

impl Kept {
    /// Keeps an answer whose id came back as sent; another form might change its width or place.
    pub fn new(bytes: Bytes, id: Span) -> Option<Self> {
        (id.len() == ID_DIGITS).then_some(Self { bytes, id })
    }

    /// Whether `other` is this answer with `id` in place of its id.
    pub fn is_same(&self, other: &[u8], id: Id) -> bool {
        other.len() == self.bytes.len()
            && other[self.id.clone()] == *id.text().as_bytes()
            && other[..self.id.start] == self.bytes[..self.id.start]
            && other[self.id.end..] == self.bytes[self.id.end..]
    }

    /// Bytes of the answer.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }
}

/// The text of a request, or of a notification where there is no `id`. `params` is the JSON text of an object, or empty.
pub(super) fn write(id: Option<Id>, method: &str, params: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(80 + params.len());
    text.extend_from_slice(b"{\"jsonrpc\":\"2.0\"");
    if let Some(id) = id {
        text.extend_from_slice(b",\"id\":");
        text.extend_from_slice(id.text().as_bytes());
    }
    text.extend_from_slice(b",\"method\":\"");
    text.extend_from_slice(method.as_bytes());
    text.push(b'"');
    if !params.is_empty() {
        text.extend_from_slice(b",\"params\":");
        text.extend_from_slice(params);
    }
    text.push(b'}');
    text
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]
mod tests {
    use super::*;

    #[test]
    fn ids_keep_their_width_for_ever() {
        assert_eq!(Id::FIRST.text().len(), ID_DIGITS);
        assert_eq!(Id(LAST_ID).text().len(), ID_DIGITS);
        assert_eq!(Id(LAST_ID).next(), Id::FIRST);
        assert_eq!(Id(1_000_009).next().text(), "1000010");
    }

    #[test]
    fn ids_match_in_the_forms_servers_send_back() {
        let id = Id(1_000_010);
        assert_eq!(id.matches(b"1000010"), Some(Form::AsSent));
        for other in ["\"1000010\"", "1000010.0", "1.00001e6", "\"1000010.0\""] {
            assert_eq!(id.matches(other.as_bytes()), Some(Form::Other), "{other}");
        }
        for wrong in ["1000011", "null", "\"\"", "", "\"", "1000010.5", "[1000010]", "\"id\"", "NaN"] {
            assert_eq!(id.matches(wrong.as_bytes()), None, "{wrong}");
        }
    }

    #[test]
    fn same_bytes_are_the_same_answer_without_parsing() {
        // No JSON at all: only bytes can tell.
        let text = |id: &str, rest: &str| format!("<<{id}|{rest}");
        let kept = Kept::new(text("1000001", "tools").into(), 2..9).unwrap();
        assert!(kept.is_same(text("1000002", "tools").as_bytes(), Id(1_000_002)));
        assert!(!kept.is_same(text("1000003", "tools").as_bytes(), Id(1_000_002)), "another id");
        assert!(!kept.is_same(text("1000002", "toolz").as_bytes(), Id(1_000_002)), "another text");
        assert!(!kept.is_same(text("1000002", "tools ").as_bytes(), Id(1_000_002)), "another length");
        assert!(!kept.is_same(format!("<>{}", "1000002|tools").as_bytes(), Id(1_000_002)), "another start");
        assert!(Kept::new(Bytes::from_static(b"\"1000001\""), 0..9).is_none(), "an id in another form");
    }

    fn parts(text: &str, limits: &Limits) -> Result<Parts, Syntax> {
        Parts::read(text.as_bytes(), 0, Some(Wanted { member: "tools", known: &[] }), limits).map(|(parts, end)| {
            assert_eq!(end, text.len());
            parts
        })
    }

    #[test]
    fn one_pass_splits_a_page_in_any_order() {
        let text = r#"{"r\u0065sult":{"nextCursor":"a\"b","x":[],"tools":[{"a":1} , 2,"]"]},"id":7,"jsonrpc":"2.0"}"#;
        let parts = parts(text, &Limits::default()).unwrap();
        let entries: Vec<&str> = parts.page.entries.iter().map(|span| &text[span.clone()]).collect();
        assert_eq!(entries, [r#"{"a":1}"#, "2", r#""]""#]);
        assert_eq!(&text[parts.page.cursor.unwrap()], r#""a\"b""#);
        assert_eq!(&text[parts.id.unwrap()], "7");
        assert!(parts.page.is_list && parts.page.left_out.is_none() && parts.twice.is_none());
    }

    #[test]
    fn what_readers_would_not_agree_on_is_said() {
        for text in [
            r#"{"id":1,"id":2,"result":{"tools":[]}}"#,
            r#"{"id":1,"result":{"tools":[]},"result":{"tools":[]}}"#,
            r#"{"id":1,"result":{"tools":[],"t\u006fols":[]}}"#,
            r#"{"id":1,"result":{"tools":[],"nextCursor":"a","nextCursor":"b"}}"#,
        ] {
            assert!(parts(text, &Limits::default()).unwrap().twice.is_some(), "{text}");
        }
    }

    #[test]
    fn only_entries_over_a_bound_are_left_out() {
        let text = r#"{"result":{"tools":[[[[1]]],"short","a long one",1,2]}}"#;
        let limits = Limits { depth: 2, item_bytes: 8, items: 2, ..Limits::default() };
        let page = parts(text, &limits).unwrap().page;
        assert_eq!(page.entries.iter().map(|span| &text[span.clone()]).collect::<Vec<_>>(), ["\"short\"", "1"]);
        assert_eq!(page.left_out, Some(LeftOut::Number));
        let limits = Limits { members: 1, ..Limits::default() };
        assert!(parts(r#"{"id":1,"result":{}}"#, &limits).is_err());
    }
}
