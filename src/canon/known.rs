//! Lists that are read again: which element of last time one of now is, and where a value that stands again ends.

use bytes::Bytes;

/// Elements of last time that one of now is compared with.
const AHEAD: usize = 8;

/// How far a walk over the list of now has come in the list of last time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Aligned {
    /// The element behind the last that was met.
    next: usize,
    /// Elements of now since then that were not met.
    missed: usize,
}

impl Aligned {
    /// The element of last time, of `count`, that is the next one of now: the one that is due, or a little behind it.
    pub fn find(&mut self, count: usize, is_same: impl Fn(usize) -> bool) -> Option<usize> {
        let ahead = (self.missed + 2).min(AHEAD);
        self.missed += 1;
        let met = (self.next..count.min(self.next + ahead)).find(|at| is_same(*at))?;
        *self = Self { next: met + 1, missed: 0 };
        Some(met)
    }
}

/// The elements of an array of last time, in their order, while the array of now is walked.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    values: &'a [Bytes],
    aligned: Aligned,
}

impl<'a> Known<'a> {
    /// Each of `values` is the text of one JSON value, without white space around it.
    pub fn new(values: &'a [Bytes]) -> Self {
        Self { values, aligned: Aligned::default() }
    }

    /// The end of the value at `at`, where one of last time stands there byte for byte. An object closes itself, so that
    /// no longer value can begin with it.
    pub fn end(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        let (values, rest) = (self.values, &bytes[at..]);
        let is_same = |index: usize| values[index].starts_with(b"{") && rest.starts_with(&values[index]);
        self.aligned.find(values.len(), is_same).map(|index| at + values[index].len())
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
