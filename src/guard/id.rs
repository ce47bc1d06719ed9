//! Ids of requests. Clients take `"5"` for 5, so a guard does, too.

use super::envelope;
use crate::canon::scan::Span;

/// An id as it is compared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Id {
    /// The bits of a number, however it is spelt.
    Number(u64),
    Text(String),
}

impl Id {
    /// The id at `span`; none of what names no request.
    pub fn read(bytes: &[u8], span: Option<&Span>) -> Option<Self> {
        let raw = &bytes[span?.clone()];
        let text = match raw.first()? {
            b'"' => envelope::text(bytes, span)?,
            b'-' | b'0'..=b'9' => std::str::from_utf8(raw).ok()?.to_owned(),
            _ => return None,
        };
        // `inf` and `nan` are numbers to Rust, and no number of JSON.
        let is_number = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
        let number = text.parse::<f64>().ok().filter(|_| is_number);
        // Of -0 and 0 the bits differ.
        Some(number.map_or(Self::Text(text), |number| Self::Number((number + 0.0).to_bits())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> Option<Id> {
        Id::read(text.as_bytes(), Some(&(0..text.len())))
    }

    #[test]
    fn one_id_in_any_spelling_is_one() {
        for other in ["5", "5.0", "\"5\"", "50e-1", "\"\\u0035\""] {
            assert_eq!(id(other), id("5"), "{other}");
        }
        assert_eq!(id("-0"), id("0"));
        for other in ["6", "\"a\"", "\"\"", "\"inf\"", "\"5 \""] {
            assert_ne!(id(other), id("5"), "{other}");
        }
        for nothing in ["null", "{}", "true"] {
            assert_eq!(id(nothing), None, "{nothing}");
        }
    }
}
