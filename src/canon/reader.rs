//! The strict reader: one JSON text, plain or ambiguous, with stable codes for why.

use super::numeral::Numeral;
use super::pointer::Pointer;
use super::scan::{self, Span, Syntax};
use super::write::number_text;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};
use std::collections::BTreeSet;
use strum::IntoStaticStr;

/// A plain definition is at most this many levels deep.
pub const MAX_PLAIN_DEPTH: usize = 120;

/// Levels that a file of ours has around a definition.
const AROUND_A_DEFINITION: usize = 8;

/// Members that start so mean something to `serde_json` itself under some features.
const RESERVED_MEMBER: &str = "$serde_json::private::";

/// Why a definition is ambiguous: readers in the wild would not agree on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[serde(rename_all = "kebab-case")]
pub enum Code {
    /// A member occurs twice after unescaping.
    DuplicateMember,
    /// An escaped surrogate without its other half.
    LoneSurrogate,
    /// A number that a double cannot hold exactly.
    Number,
    /// A number beyond every double, or `NaN` or `Infinity`.
    NonFinite,
    /// Deeper than [`MAX_PLAIN_DEPTH`].
    Depth,
    /// Bytes that are no UTF-8.
    Encoding,
    /// A member that `serde_json` keeps for itself.
    ReservedMember,
}

word!(Code);

/// The codes of one definition; none means plain.
pub type Codes = BTreeSet<Code>;

impl Code {
    /// One sentence for a person.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::DuplicateMember => "a member occurs twice; parsers disagree on which one counts",
            Self::LoneSurrogate => "a string holds a lone surrogate; parsers drop it, replace it or reject the text",
            Self::Number => "a number that a double cannot hold; many parsers read another one",
            Self::NonFinite => "a number beyond the range of a double, or not a number; parsers disagree on it",
            Self::Depth => "nested deeper than 120 levels; many parsers reject it",
            Self::Encoding => "bytes that are not UTF-8; parsers replace or reject them",
            Self::ReservedMember => "a member name that a common JSON library reserves",
        }
    }
}

/// What the strict reader made of a text.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Empty for a plain text.
    pub codes: Codes,
    /// The text as most readers take it: numbers as doubles, the last of two equal members, U+FFFD for what is no text,
    /// and null for what lies too deep. Exact for a plain text.
    pub value: Value,
    /// Where a number stands that a double cannot hold, with its exact decimal.
    pub decimals: Vec<(Pointer, String)>,
}

/// Reads one JSON text of at most `max_depth` levels.
pub fn read(bytes: &[u8], max_depth: usize) -> Result<Reading, Syntax> {
    read_to(bytes, max_depth, MAX_PLAIN_DEPTH, Zero::Unsigned)
}

/// The same for a system that tells -0 from 0, as Go's `encoding/json` does.
pub fn read_signed_zero(bytes: &[u8], max_depth: usize) -> Result<Reading, Syntax> {
    read_to(bytes, max_depth, MAX_PLAIN_DEPTH, Zero::Signed)
}

/// What -0 is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Zero {
    Unsigned,
    Signed,
}

fn read_to(bytes: &[u8], max_depth: usize, plain_depth: usize, zero: Zero) -> Result<Reading, Syntax> {
    let span = scan::whole(bytes, max_depth)?;
    let mut reader = Reader { bytes, plain_depth, zero, codes: Codes::new(), decimals: Vec::new() };
    let (value, _) = reader.value(span.start, &Path::Root, 0)?;
    Ok(Reading { codes: reader.codes, value, decimals: reader.decimals })
}

/// Reads a text that must be plain, as our own files must: the value, or what is wrong with it.
pub fn read_plain(bytes: &[u8]) -> Result<Value, String> {
    let depth = MAX_PLAIN_DEPTH + AROUND_A_DEFINITION;
    let reading = read_to(bytes, depth, depth, Zero::Unsigned).map_err(|error| error.to_string())?;
    match reading.codes.first() {
        None => Ok(reading.value),
        Some(code) => Err(code.sentence().to_owned()),
    }
}

/// Where a value stands; a pointer is made of it only where one is kept.
enum Path<'a> {
    Root,
    Member(&'a Path<'a>, &'a str),
    Element(&'a Path<'a>, usize),
}

impl Path<'_> {
    fn pointer(&self) -> Pointer {
        match self {
            Self::Root => Pointer::root(),
            Self::Member(parent, name) => parent.pointer().child(name),
            Self::Element(parent, index) => parent.pointer().child(index),
        }
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    plain_depth: usize,
    zero: Zero,
    codes: Codes,
    decimals: Vec<(Pointer, String)>,
}

impl Reader<'_> {
    /// The value at `at` and its end. `level` is the number of brackets around it.
    fn value(&mut self, at: usize, place: &Path<'_>, level: usize) -> Result<(Value, usize), Syntax> {
        let opens = matches!(self.bytes.get(at), Some(b'{' | b'['));
        if opens && level == self.plain_depth {
            self.codes.insert(Code::Depth);
            return Ok((Value::Null, scan::skip_value(self.bytes, at, usize::MAX)?));
        }
        match self.bytes.get(at) {
            Some(b'{') => self.object(at, place, level),
            Some(b'[') => self.array(at, place, level),
            Some(b'"') => {
                let end = scan::skip_string(self.bytes, at)?;
                Ok((Value::String(self.string(at..end)), end))
            }
            _ => {
                let end = scan::skip_value(self.bytes, at, 0)?;
                let value = match &self.bytes[at..end] {
                    b"true" => Value::Bool(true),
                    b"false" => Value::Bool(false),
                    b"null" => Value::Null,
                    number => self.number(number, place),
                };
                Ok((value, end))
            }
        }
    }

    fn string(&mut self, span: Span) -> String {
        let (text, unclean) = scan::unescape(self.bytes, span);
        if unclean.encoding {
            self.codes.insert(Code::Encoding);
        }
        if unclean.lone_surrogate {
            self.codes.insert(Code::LoneSurrogate);
        }
        text
    }

    fn object(&mut self, at: usize, place: &Path<'_>, level: usize) -> Result<(Value, usize), Syntax> {
        let mut map = Map::new();
        let end = scan::walk_members(self.bytes, at, |key, start| {
            let key = self.string(key);
            if key.starts_with(RESERVED_MEMBER) {
                self.codes.insert(Code::ReservedMember);
            }
            let (value, end) = self.value(start, &Path::Member(place, &key), level + 1)?;
            if map.insert(key, value).is_some() {
                self.codes.insert(Code::DuplicateMember);
            }
            Ok(end)
        })?;
        Ok((Value::Object(map), end))
    }

    fn array(&mut self, at: usize, place: &Path<'_>, level: usize) -> Result<(Value, usize), Syntax> {
        let mut list = Vec::new();
        let end = scan::walk_elements(self.bytes, at, |start| {
            let (value, end) = self.value(start, &Path::Element(place, list.len()), level + 1)?;
            list.push(value);
            Ok(end)
        })?;
        Ok((Value::Array(list), end))
    }

    /// The double of a number's text, with a code where it is not the number.
    fn number(&mut self, text: &[u8], place: &Path<'_>) -> Value {
        let text = std::str::from_utf8(text).unwrap_or_default();
        let parsed = number(text).filter(|number| number.as_f64().is_some_and(f64::is_finite));
        let (Some(number), Some(exact)) = (parsed, Numeral::parse(text)) else {
            self.codes.insert(Code::NonFinite);
            return Value::Null;
        };
        if Numeral::parse(&number_text(&number)).as_ref() != Some(&exact) {
            self.codes.insert(Code::Number);
            self.decimals.push((place.pointer(), exact.to_string()));
        }
        let is_zero = number.as_f64() == Some(0.0);
        if self.zero == Zero::Signed && is_zero && text.starts_with('-') {
            return Number::from_f64(-0.0).map_or(Value::Null, Value::Number);
        }
        Value::Number(number)
    }
}

/// A JSON number's text as an integer where it is one of at most 64 bits, else as a double.
pub(super) fn number(text: &str) -> Option<Number> {
    if let Ok(integer) = text.parse::<i64>()
        && integer != 0
    {
        return Some(integer.into());
    }
    if let Ok(integer) = text.parse::<u64>() {
        return Some(integer.into());
    }
    if text == "NaN" || text.ends_with("Infinity") {
        return None;
    }
    let double: f64 = text.parse().ok()?;
    // -0 equals 0, and RFC 8785 writes both as 0.
    Number::from_f64(if double == 0.0 { 0.0 } else { double })
}
