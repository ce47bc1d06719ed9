//! The first part of a value where a text that quotes it was cut. Knows no values, and not what may be masked.

use memchr::memmem;
use std::ops::Range;

/// What stands where a text was cut ([`crate::text::shortened`]).
const CUT: &str = "…";

/// The places where `text` was cut.
pub(super) fn cuts(text: &[u8]) -> Vec<usize> {
    memmem::find_iter(text, CUT).collect()
}

/// Before each of `cuts`, the longest part that `pattern` starts with and that `fits`. One walk through the text (Knuth,
/// Morris and Pratt's): a server's text may be full of such places.
pub(super) fn parts_before(
    cuts: &[usize],
    text: &[u8],
    pattern: &[u8],
    fits: impl Fn(&Range<usize>) -> bool,
) -> Vec<Range<usize>> {
    // By length: the next shorter part that both starts and ends the first so many bytes of the pattern.
    let mut shorter = vec![0; pattern.len() + 1];
    for at in 1..pattern.len() {
        shorter[at + 1] = step(&shorter, pattern, shorter[at], pattern[at]);
    }
    let (mut found, mut length, mut done) = (Vec::new(), 0, 0);
    for cut in cuts {
        length = text[done..*cut].iter().fold(length, |length, byte| step(&shorter, pattern, length, *byte));
        done = *cut;
        let mut part = length;
        while part > 0 && !fits(&(cut - part..*cut)) {
            part = shorter[part];
        }
        if part > 0 {
            found.push(cut - part..*cut);
        }
    }
    found
}

/// How much of the pattern ends one byte further.
fn step(shorter: &[usize], pattern: &[u8], mut length: usize, byte: u8) -> usize {
    while length > 0 && pattern.get(length) != Some(&byte) {
        length = shorter[length];
    }
    length + usize::from(pattern.get(length) == Some(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_part_that_fits_stands_before_each_cut() {
        let parts = |text: &str, pattern: &str, least: usize| -> Vec<String> {
            let found =
                parts_before(&cuts(text.as_bytes()), text.as_bytes(), pattern.as_bytes(), |part| part.len() >= least);
            found.into_iter().map(|range| text[range].to_owned()).collect()
        };
        assert_eq!(parts("xaba… abab… ab", "ababc", 1), ["aba", "abab"]);
        assert_eq!(parts("ababab…", "ababc", 1), ["abab"]);
        assert_eq!(parts("ababc…c…", "ababc", 1), ["ababc"]);
        assert_eq!(parts("aba…", "ababc", 4), Vec::<String>::new());
        assert_eq!(parts("……a…", "a", 1), ["a"]);
        assert_eq!(parts("aaaa…", "aa", 1), ["aa"]);
    }
}
