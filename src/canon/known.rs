//! Values that were read before: where one stands again, byte for byte, its end is known without reading it.

use bytes::Bytes;

/// Values that are looked for in turn from one that was met.
const AHEAD: usize = 8;

/// The elements of an array of last time, in their order, while the array of now is walked.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    values: &'a [Bytes],
    /// The one behind the last that was met.
    next: usize,
    /// Elements since then that were not known.
    missed: usize,
}

impl<'a> Known<'a> {
    /// Each of `values` is the text of one JSON value, without white space around it.
    pub fn new(values: &'a [Bytes]) -> Self {
        Self { values, next: 0, missed: 0 }
    }

    /// The end of the value at `at`, where it is the one of last time that is due, or one behind it. An object closes
    /// itself, so that no longer value can begin with it.
    pub fn end(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        let rest = &bytes[at..];
        let due = self.values.iter().enumerate().skip(self.next).take((self.missed + 2).min(AHEAD));
        let met = due.filter(|(_, value)| value.starts_with(b"{")).find(|(_, value)| rest.starts_with(value));
        self.missed += 1;
        let (index, value) = met?;
        (self.next, self.missed) = (index + 1, 0);
        Some(at + value.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of the elements of `now` are known from `last`; every one is a letter for an object.
    fn met(last: &str, now: &str) -> String {
        let object = |letter: char| format!(r#"{{"name":"{letter}"}}"#);
        let values: Vec<Bytes> = last.chars().map(|letter| object(letter).into()).collect();
        let mut known = Known::new(&values);
        let text: String = now.chars().map(|letter| object(letter) + ",").collect();
        let mut at = 0;
        now.chars()
            .map(|letter| {
                let end = known.end(text.as_bytes(), at);
                at += object(letter).len();
                assert!(end.is_none_or(|end| end == at), "{last} {now}");
                at += 1;
                if end.is_some() { '+' } else { '-' }
            })
            .collect()
    }

    #[test]
    fn what_stands_where_it_stood_is_known() {
        for (last, now, expected) in [
            ("", "ab", "--"),
            ("abc", "abc", "+++"),
            ("abc", "axc", "+-+"),
            ("abcd", "axxd", "+--+"),
            ("abc", "xabc", "-+++"),
            ("abc", "bc", "++"),
            ("abcd", "ad", "+-"),
            ("abc", "aabc", "+-++"),
        ] {
            assert_eq!(met(last, now), expected, "{last} {now}");
        }
    }

    #[test]
    fn only_what_closes_itself_is_known() {
        let values = [Bytes::from("12"), Bytes::from("{\"a\":1}")];
        let mut known = Known::new(&values);
        assert_eq!(known.end(b"123", 0), None);
        assert_eq!(known.end(b"{\"a\":1", 0), None);
        assert_eq!(known.end(b"{\"a\":1}x", 0), Some(7));
    }
}
