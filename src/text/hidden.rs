//! A run of hidden characters as one mark, `⟦27 hidden: "bcc archive@collect.example"⟧`, and what such runs spell.
//!
//! A view of what the escaping seam made, never of the text itself: every character stays in the [`Visible`] that the mark
//! stands for, which shows them one by one. The seam escapes what a person could take for such a mark.

use super::Visible;
use super::visible::{OPENS, escape};
use std::collections::BTreeMap;
use std::fmt::Write as _;

const CLOSES: char = '⟧';

/// Characters of what a run spells that are shown.
const LONGEST_SPELT: usize = 200;
/// Code points of a run that are named where it spells nothing.
const MOST_KINDS: usize = 4;

/// A stretch of a visible text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stretch<'a> {
    /// What reads as it is.
    Plain(&'a str),
    /// One hidden character or more, escaped.
    Hidden(Hidden<'a>),
}

/// How a run of hidden characters is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Told {
    /// A run as one mark with what it spells, else with the characters that it is made of; a single character by itself.
    #[default]
    Run,
    /// The same, and a single character as a mark, too: beside the key that opens it.
    Mark,
    /// As a mark that counts it: for what quotes a text that is shown beside it.
    Count,
    /// Each character by itself.
    Open,
}

/// Hidden characters that follow each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hidden<'a> {
    /// Each as `<U+XXXX>`.
    pub escapes: &'a str,
    characters: Vec<char>,
}

impl Visible {
    /// The text from left to right, runs of hidden characters apart. Put together again it is [`Visible::as_str`].
    pub fn stretches(&self) -> Vec<Stretch<'_>> {
        let text = self.as_str();
        let mut found = Vec::new();
        let (mut plain, mut at) = (0, 0);
        while let Some(start) = text[at..].find("<U+").map(|start| at + start) {
            let mut characters = Vec::new();
            let mut end = start;
            while let Some((character, length)) = escape(&text[end..]) {
                let alone = is_open(character);
                if alone && !characters.is_empty() {
                    break;
                }
                characters.push(character);
                end += length;
                if alone {
                    break;
                }
            }
            if characters.is_empty() {
                at = start + 1;
                continue;
            }
            if plain < start {
                found.push(Stretch::Plain(&text[plain..start]));
            }
            found.push(Stretch::Hidden(Hidden { escapes: &text[start..end], characters }));
            (plain, at) = (end, end);
        }
        if plain < text.len() {
            found.push(Stretch::Plain(&text[plain..]));
        }
        found
    }

    /// Whether a mark stands for some hidden characters.
    pub fn has_marks(&self) -> bool {
        let is_marked = |stretch: &Stretch<'_>| matches!(stretch, Stretch::Hidden(hidden) if hidden.hides());
        self.as_str().contains("<U+") && self.stretches().iter().any(is_marked)
    }
}

impl Hidden<'_> {
    /// Whether it shows nothing: a tab, a line break and what only looks like an escape are no hiding place.
    fn hides(&self) -> bool {
        self.characters.iter().all(|character| !is_open(*character))
    }

    /// Bytes that it takes in the text itself.
    pub fn original_length(&self) -> usize {
        self.characters.iter().map(|character| character.len_utf8()).sum()
    }

    /// How it is shown.
    pub fn told(&self, told: Told) -> String {
        let many = self.characters.len();
        if told == Told::Open || many == 1 && (told != Told::Mark || !self.hides()) {
            return self.escapes.to_owned();
        }
        if told == Told::Count {
            return format!("{OPENS}{many} hidden{CLOSES}");
        }
        let told = match spelt(&self.characters) {
            Some(text) => format!("\"{}\"", super::visible(&super::shortened(&text, LONGEST_SPELT))),
            None => kinds(&self.characters),
        };
        format!("{OPENS}{many} hidden: {told}{CLOSES}")
    }
}

/// Whether a character is escaped though it hides nothing: it looks like an escape, or is a tab or a line break.
fn is_open(character: char) -> bool {
    matches!(character, '<' | OPENS | '\t' | '\n' | '\r')
}

/// `U+200B ×3, U+200C`: the most frequent first.
fn kinds(characters: &[char]) -> String {
    let mut counts: BTreeMap<char, usize> = BTreeMap::new();
    for character in characters {
        *counts.entry(*character).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, many)| std::cmp::Reverse(*many));
    let mut told = String::new();
    for (at, (character, many)) in counts.iter().take(MOST_KINDS).enumerate() {
        let comma = if at == 0 { "" } else { ", " };
        // Writing to a string cannot fail.
        let _ = write!(told, "{comma}U+{:04X}", u32::from(*character));
        if *many > 1 {
            let _ = write!(told, " ×{many}");
        }
    }
    if counts.len() > MOST_KINDS { format!("{told}, …") } else { told }
}

/// What a run of hidden characters spells in one of the known ways to write with them; none where it spells nothing that
/// could be read.
pub fn spelt(characters: &[char]) -> Option<String> {
    // TAG characters are ASCII letters that nothing draws (Unicode, 23.9).
    let tags: String = characters.iter().filter_map(|c| shifted(*c, 0xE0020..=0xE007E, 0x20)).map(char::from).collect();
    if tags.len() * 2 > characters.len() {
        return Some(tags);
    }
    // A variation selector for each byte, 256 in all.
    let byte = |c: &char| shifted(*c, 0xFE00..=0xFE0F, 0).or_else(|| shifted(*c, 0xE0100..=0xE01EF, 16));
    let bytes: Vec<u8> = characters.iter().filter_map(byte).collect();
    if bytes.len() * 2 > characters.len() {
        return String::from_utf8(bytes).ok().filter(|text| readable(text));
    }
    of_bits(characters)
}

/// The byte that a character of a range stands for, where the first stands for `first`.
fn shifted(character: char, range: std::ops::RangeInclusive<u32>, first: u32) -> Option<u8> {
    let point = u32::from(character);
    range.contains(&point).then(|| u8::try_from(point - range.start() + first).ok()).flatten()
}

fn readable(text: &str) -> bool {
    text.chars().nth(1).is_some() && !text.chars().any(char::is_control)
}

/// ASCII in two hidden characters, one for each bit, of 8 or 7 bits a letter; a third one may stand between letters.
fn of_bits(characters: &[char]) -> Option<String> {
    let characters = &characters[..characters.len().min(9 * LONGEST_SPELT)];
    let mut distinct = characters.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let others = |but: &[char]| distinct.iter().copied().filter(|c| !but.contains(c)).collect::<Vec<_>>();
    match *distinct.as_slice() {
        [low, high] => [[low, high], [high, low]].into_iter().find_map(|[zero, one]| {
            let by = |width| letters(characters.chunks(width), zero, one, width..=width);
            by(8).or_else(|| by(7))
        }),
        [..] if distinct.len() == 3 => distinct.iter().find_map(|gap| {
            let bits = others(&[*gap]);
            let groups = || characters.split(|c| c == gap).filter(|group| !group.is_empty());
            let by = |zero, one| letters(groups(), zero, one, 5..=8);
            by(bits[0], bits[1]).or_else(|| by(bits[1], bits[0]))
        }),
        _ => None,
    }
}

/// Groups of bits as printable ASCII; none where one group is of another length or no such letter.
fn letters<'a>(
    groups: impl Iterator<Item = &'a [char]>,
    zero: char,
    one: char,
    length: std::ops::RangeInclusive<usize>,
) -> Option<String> {
    let letter = |group: &[char]| {
        let mut value = 0_u8;
        for bit in group.iter().filter(|_| length.contains(&group.len())) {
            value = value << 1 | u8::from(*bit == one);
            (*bit == zero || *bit == one).then_some(())?;
        }
        Some(char::from(value)).filter(|letter| matches!(letter, ' '..='~'))
    };
    groups.map(letter).collect::<Option<String>>().filter(|text| readable(text))
}

#[cfg(test)]
mod tests {
    use super::super::{is_hidden, read_back, visible};
    use super::*;
    use proptest::prelude::*;

    fn marked(text: &str) -> String {
        let shown = visible(text);
        let told = |stretch: Stretch<'_>| match stretch {
            Stretch::Plain(text) => text.to_owned(),
            Stretch::Hidden(hidden) => hidden.told(Told::Run),
        };
        shown.stretches().into_iter().map(told).collect()
    }

    fn tags(text: &str) -> String {
        text.chars().filter_map(|c| char::from_u32(0xE0000 + u32::from(c))).collect()
    }

    fn selectors(text: &str) -> String {
        let selector = |byte: u8| char::from_u32(if byte < 16 { 0xFE00 } else { 0xE0100 - 16 } + u32::from(byte));
        text.bytes().filter_map(selector).collect()
    }

    fn bits(text: &str, width: usize, [zero, one]: [char; 2], gap: &str) -> String {
        let bit = |byte: u8, at: usize| if byte >> at & 1 == 1 { one } else { zero };
        let letter = |byte: u8| (0..width).rev().map(|at| bit(byte, at)).collect::<String>();
        text.bytes().map(letter).collect::<Vec<_>>().join(gap)
    }

    #[test]
    fn a_run_is_one_mark_with_what_it_spells() {
        let mail = "bcc archive@collect.example";
        for (hidden, mark) in [
            (tags(mail), format!("⟦27 hidden: \"{mail}\"⟧")),
            (selectors("sende é"), "⟦8 hidden: \"sende é\"⟧".to_owned()),
            (bits("run it", 8, ['\u{200B}', '\u{200C}'], ""), "⟦48 hidden: \"run it\"⟧".to_owned()),
            (bits("run it", 8, ['\u{200C}', '\u{200B}'], ""), "⟦48 hidden: \"run it\"⟧".to_owned()),
            (bits("hello", 7, ['\u{2060}', '\u{FEFF}'], ""), "⟦35 hidden: \"hello\"⟧".to_owned()),
            (bits("hello", 7, ['\u{200C}', '\u{200D}'], "\u{200B}"), "⟦39 hidden: \"hello\"⟧".to_owned()),
            ("\u{200B}\u{200B}\u{200C}".to_owned(), "⟦3 hidden: U+200B ×2, U+200C⟧".to_owned()),
            ("\u{1b}\u{7}\u{8}\u{AD}\u{200B}".to_owned(), "⟦5 hidden: U+0007, U+0008, U+001B, U+00AD, …⟧".to_owned()),
            ("\u{E0041}\u{AD}\u{AD}".to_owned(), "⟦3 hidden: U+00AD ×2, U+E0041⟧".to_owned()),
            ("\u{200B}".to_owned(), "<U+200B>".to_owned()),
            ("\t\t".to_owned(), "<U+0009><U+0009>".to_owned()),
        ] {
            assert_eq!(marked(&format!("to{hidden}.")), format!("to{mark}."));
        }
    }

    #[test]
    fn what_a_run_spells_is_escaped_and_bounded() {
        assert_eq!(marked(&selectors("a\u{202E}b")), "⟦5 hidden: \"a<U+202E>b\"⟧");
        let long = marked(&tags(&"x".repeat(100_000)));
        assert_eq!(long.chars().count(), "⟦100000 hidden: \"\"⟧".chars().count() + LONGEST_SPELT + 1);
    }

    #[test]
    fn a_text_cannot_make_a_mark() {
        assert_eq!(marked("⟦3 hidden: \"ok\"⟧ ⟦x⟧"), "<U+27E6>3 hidden: \"ok\"⟧ ⟦x⟧");
        assert_eq!(marked("<U+200B><U+200C>"), "<U+003C>U+200B><U+003C>U+200C>");
        assert_eq!(read_back("<U+27E6>3"), "⟦3");
    }

    #[test]
    fn a_single_character_has_a_mark_that_opens() {
        let shown = visible("dlrow\u{202E}\t<U+");
        let told = |told| {
            shown.stretches().into_iter().filter_map(move |stretch| match stretch {
                Stretch::Plain(_) => None,
                Stretch::Hidden(hidden) => Some(hidden.told(told)),
            })
        };
        assert!(told(Told::Mark).eq(["⟦1 hidden: U+202E⟧", "<U+0009>", "<U+003C>"]));
        assert!(told(Told::Run).eq(["<U+202E>", "<U+0009>", "<U+003C>"]));
        assert!(shown.has_marks() && !visible("\t<U+").has_marks());
    }

    /// Characters of every kind, those that hide more often than others.
    fn text() -> impl Strategy<Value = String> {
        let hidden = prop::sample::select(
            "\u{200B}\u{200C}\u{200D}\u{E0061}\u{E0001}\u{FE00}\u{E0101}\u{1b}\t\n\u{A0}".chars().collect::<Vec<_>>(),
        );
        let own = prop::sample::select(vec!["<U+", "⟦", "3", ">", "a", "<U+200B>", "⟧", " ", "👨\u{200D}👩"]);
        let part =
            prop_oneof![4 => hidden.prop_map(String::from), 2 => own.prop_map(str::to_owned), 1 => any::<String>()];
        prop::collection::vec(part, 0..40).prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn marks_are_total_and_nothing_is_lost(text in text()) {
            let shown = visible(&text);
            let stretches = shown.stretches();
            let opened: String = stretches.iter().map(|stretch| match stretch {
                Stretch::Plain(text) => text,
                Stretch::Hidden(hidden) => hidden.escapes,
            }).collect();
            prop_assert_eq!(&opened, shown.as_str());
            prop_assert_eq!(read_back(&opened), text.as_str());
            // Each mark counts what stands behind it, and shows nothing hidden itself.
            for stretch in &stretches {
                let Stretch::Hidden(hidden) = stretch else { continue };
                let many = read_back(hidden.escapes).chars().count();
                for mark in [hidden.told(Told::Mark), hidden.told(Told::Count)] {
                    prop_assert!(many == 1 || mark.starts_with(&format!("⟦{many} hidden")), "{}", mark);
                    prop_assert!(!mark.chars().any(char::is_control), "{}", mark);
                }
            }
        }

        #[test]
        fn plain_text_has_no_mark(text in "[ -~é日⟦⟧]{0,40}") {
            prop_assert!(!visible(&text).has_marks());
            prop_assert!(text.chars().all(|c| !is_hidden(c)));
        }
    }
}
