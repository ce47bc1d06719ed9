//! A text as its reader takes it: one folded view that sees through case, spacing, line breaks, hidden characters, styled
//! letters and look-alikes, and maps every position back. Linear in the text.

mod clean;
mod derived;
mod grammar;
mod named;

use super::fold::fold;
use super::lexicon::{self, Mark, Set};
use super::place::Place;
use clean::{Piece, cleaned, join_spaced, unmask};
use std::ops::Range;

/// One text, folded, with the words that rules look for.
pub(super) struct Reading<'a> {
    /// The text as it is.
    pub(super) original: &'a str,
    /// What kind of text it is.
    pub(super) place: Place,
    /// The text as it is read.
    pub(super) folded: String,
    /// The words and phrases found, by their start.
    pub(super) marks: Vec<Mark>,
    /// The classes of the marks.
    pub(super) present: Set,
    /// Where each folded byte comes from.
    spans: Vec<(u32, u32)>,
    /// Folded offsets at which a sentence ends.
    ends: Vec<usize>,
    /// Folded offsets at which an entry of a list, or a line that begins like a sentence, starts.
    lines: Vec<usize>,
    /// Folded offsets at which a block of code begins or ends.
    fences: Vec<usize>,
}

impl<'a> Reading<'a> {
    pub(super) fn of(original: &'a str, place: Place) -> Self {
        let mut pieces = cleaned(original, place);
        join_spaced(&mut pieces);
        unmask(&mut pieces);
        let mut reading = Self {
            original,
            place,
            folded: String::with_capacity(pieces.len()),
            marks: Vec::new(),
            present: Set::NONE,
            spans: Vec::with_capacity(pieces.len()),
            ends: Vec::new(),
            lines: Vec::new(),
            fences: Vec::new(),
        };
        reading.write(&pieces);
        reading.marks = lexicon::marks(&reading.folded);
        reading.name();
        let mut sentence = 0;
        for mark in &mut reading.marks {
            while reading.ends.get(sentence).is_some_and(|end| *end <= mark.start) {
                sentence += 1;
            }
            mark.sentence = sentence;
        }
        reading.derive();
        reading.present = reading.marks.iter().fold(Set::NONE, |present, mark| present.and(mark.class));
        reading
    }

    fn write(&mut self, pieces: &[Piece]) {
        let mut letters = Vec::new();
        let mut breaks = 0;
        for (at, piece) in pieces.iter().enumerate() {
            letters.clear();
            if piece.character.is_whitespace() {
                breaks += usize::from(piece.character == '\n');
                if piece.character == '\n' && begins_line(&pieces[at + 1..]) {
                    self.lines.push(self.folded.len());
                }
                // A paragraph ends a sentence, a line does not.
                if breaks == 2 {
                    self.ends.push(self.folded.len());
                }
                if self.folded.ends_with(' ') {
                    continue;
                }
                letters.push(' ');
            } else if piece.character.is_ascii() {
                breaks = 0;
                self.folded.push(piece.character.to_ascii_lowercase());
                self.spans.push((piece.start, piece.end));
            } else {
                breaks = 0;
                fold(piece.character, &mut letters);
            }
            for letter in &letters {
                self.folded.push(*letter);
                self.spans.extend(std::iter::repeat_n((piece.start, piece.end), letter.len_utf8()));
            }
            let last =
                || pieces.get(at + 1).is_none_or(|next| next.character.is_whitespace() || !next.character.is_ascii());
            let short = piece.character == '.' && SHORT.iter().any(|short| self.folded.ends_with(short));
            if short {
                continue;
            }
            if matches!(piece.character, '。' | '！' | '？') || (matches!(piece.character, '.' | '!' | '?') && last())
            {
                self.ends.push(self.folded.len());
            }
        }
    }

    /// Whether a line that stands for itself starts between two offsets.
    pub(super) fn has_line_between(&self, start: usize, end: usize) -> bool {
        let next = self.lines.partition_point(|line| *line < start);
        self.lines.get(next).is_some_and(|line| *line < end)
    }

    /// Whether an offset lies in a fenced block of code, which shows how something is called.
    pub(super) fn is_in_fence(&self, at: usize) -> bool {
        self.fences.partition_point(|fence| *fence <= at) % 2 == 1
    }

    /// The bytes of the original that a stretch of the folded text comes from; on character boundaries.
    pub(super) fn span(&self, range: Range<usize>) -> (usize, usize) {
        let start = self.spans.get(range.start).map_or(self.original.len(), |span| span.0 as usize);
        let end = range.end.checked_sub(1).and_then(|last| self.spans.get(last)).map_or(start, |span| span.1 as usize);
        (start, end.max(start))
    }

    /// The first mark of a class in `set` that starts within `reach` bytes after mark `at` ends, in the same sentence.
    pub(super) fn after(&self, at: usize, set: Set, reach: usize) -> Option<usize> {
        let from = &self.marks[at];
        let inside = |mark: &&Mark| mark.start <= from.end + reach && mark.sentence == from.sentence;
        let rest = self.marks.iter().skip(at + 1).take_while(inside);
        let found = rest.enumerate().find(|(_, mark)| mark.start >= from.end && set.has(mark.class));
        found.map(|(offset, _)| at + 1 + offset)
    }

    /// The last mark of a class in `set` that ends within `reach` bytes before mark `at` starts, in the same sentence.
    pub(super) fn before(&self, at: usize, set: Set, reach: usize) -> Option<usize> {
        let from = &self.marks[at];
        // No entry of the lexicon is longer than the margin.
        let inside = |mark: &&Mark| mark.start + reach + 64 >= from.start && mark.sentence == from.sentence;
        let rest = self.marks[..at].iter().rev().take_while(inside);
        let fits = |mark: &Mark| mark.end <= from.start && mark.end + reach >= from.start && set.has(mark.class);
        rest.enumerate().find(|(_, mark)| fits(mark)).map(|(offset, _)| at - 1 - offset)
    }

    /// The last order of a class in `set` that ends within `reach` bytes before mark `at`; else the last such verb.
    pub(super) fn verb_before(&self, at: usize, set: Set, reach: usize) -> Option<usize> {
        let start = self.marks[at].start;
        let mut nearest = None;
        let mut from = at;
        while let Some(verb) = self.before(from, set, start.saturating_sub(self.marks[from].start) + reach) {
            if self.marks[verb].end + reach < start {
                break;
            }
            if self.is_order(verb) {
                return Some(verb);
            }
            nearest = nearest.or(Some(verb));
            from = verb;
        }
        nearest
    }

    /// A mark of a class in `set` within `reach` bytes on either side, in the same sentence: an order if there is one.
    pub(super) fn order_around(&self, at: usize, set: Set, reach: usize) -> Option<usize> {
        let from = &self.marks[at];
        let fits = |other: &usize| {
            let mark = &self.marks[*other];
            let apart = mark.end <= from.start || mark.start >= from.end;
            set.has(mark.class) && mark.sentence == from.sentence && apart
        };
        let ahead = (at + 1..self.marks.len()).take_while(|other| self.marks[*other].start <= from.end + reach);
        let behind = (0..at).rev().take_while(|other| self.marks[*other].start + reach >= from.start);
        let near: Vec<usize> = ahead.chain(behind).filter(fits).take(12).collect();
        near.iter().copied().find(|other| self.is_order(*other)).or_else(|| near.first().copied())
    }

    /// A mark of a class in `set` on either side, the nearer side first.
    pub(super) fn around(&self, at: usize, set: Set, reach: usize) -> Option<usize> {
        self.after(at, set, reach).or_else(|| self.before(at, set, reach))
    }

    /// The first order of a class in `set` within `reach` bytes after mark `at`, in whatever sentence, that is about what
    /// was just named: `pass it`, `supply both`.
    pub(super) fn order_about_it(&self, at: usize, set: Set, reach: usize) -> bool {
        let end = self.marks[at].end;
        let ahead = self.marks.iter().enumerate().skip(at + 1).take_while(|(_, mark)| mark.start <= end + reach);
        let mut orders = ahead.filter(|(next, mark)| set.has(mark.class) && mark.start >= end && self.is_order(*next));
        orders.any(|(_, mark)| {
            let object = self.folded[mark.end..].trim_start();
            ["it ", "it,", "it.", "them", "both", "its ", "this ", "that ", "whatever", "what "]
                .iter()
                .any(|it| object.starts_with(it))
        })
    }

    /// Whether a mark of a class in `set` stands within `reach` bytes on either side, in whatever sentence.
    pub(super) fn near(&self, at: usize, set: Set, reach: usize) -> bool {
        let from = &self.marks[at];
        let behind = self.marks[..at].iter().rev().take_while(|mark| mark.start + reach + 64 >= from.start);
        let ahead = self.marks.iter().skip(at + 1).take_while(|mark| mark.start <= from.end + reach);
        behind.chain(ahead).any(|mark| set.has(mark.class))
    }

    /// Whether a mark of a class in `set` starts within `reach` bytes after mark `at`, in whatever sentence.
    pub(super) fn after_anywhere(&self, at: usize, set: Set, reach: usize) -> bool {
        let end = self.marks[at].end;
        let ahead = self.marks.iter().skip(at + 1).take_while(|mark| mark.start <= end + reach);
        ahead.filter(|mark| mark.start >= end).any(|mark| set.has(mark.class))
    }

    /// What follows an offset, at most so many characters of it.
    pub(super) fn ahead(&self, from: usize, most: usize) -> &str {
        let rest = self.folded.get(from..).unwrap_or_default();
        &rest[..rest.char_indices().nth(most).map_or(rest.len(), |(end, _)| end)]
    }

    /// Whether another mark of `set` stands near, with other words than mark `at` and not over it.
    pub(super) fn others(&self, at: usize, set: Set, reach: usize) -> bool {
        let from = &self.marks[at];
        let words = self.between(from.start, from.end);
        let other = |mark: &&Mark| set.has(mark.class) && (mark.start >= from.end || mark.end <= from.start);
        let behind = self.marks[..at].iter().rev().take_while(|mark| mark.start + reach >= from.start);
        let ahead = self.marks.iter().skip(at + 1).take_while(|mark| mark.start <= from.end + reach);
        behind.chain(ahead).filter(other).any(|mark| self.between(mark.start, mark.end) != words)
    }

    /// The marks of one class, with their indices.
    pub(super) fn of_class(&self, set: Set) -> impl Iterator<Item = (usize, &Mark)> {
        // Most texts have no mark of most classes.
        let marks = if self.present.meets(set) { &self.marks[..] } else { &[] };
        marks.iter().enumerate().filter(move |(_, mark)| set.has(mark.class))
    }

    /// The folded text between two offsets; empty where they cross.
    pub(super) fn between(&self, start: usize, end: usize) -> &str {
        self.folded.get(start..end).unwrap_or_default()
    }

    /// What stands before an offset, at most so many characters of it.
    pub(super) fn behind(&self, to: usize, most: usize) -> &str {
        let before = self.folded.get(..to).unwrap_or_default();
        &before[before.char_indices().rev().take(most).last().map_or(to, |(start, _)| start)..]
    }

    /// The marks next to one, and itself.
    pub(super) fn beside(&self, at: usize) -> impl Iterator<Item = &Mark> {
        self.marks[at.saturating_sub(BESIDE)..(at + BESIDE).min(self.marks.len())].iter()
    }

    /// The sentence around an offset, of a long one what is near.
    pub(super) fn sentence(&self, at: usize) -> &str {
        let next = self.ends.partition_point(|end| *end <= at);
        let start = next.checked_sub(1).map_or(0, |last| self.ends[last]);
        let end = self.ends.get(next).copied().unwrap_or(self.folded.len());
        let start = start.max(at - self.behind(at, NEAR).len());
        self.between(start, end.min(at + self.ahead(at, NEAR).len()))
    }
}

/// Abbreviations that end no sentence.
const SHORT: [&str; 4] = ["e.g.", "i.e.", "z.b.", "incl."];
/// Marks on each side that may cover the same words.
const BESIDE: usize = 8;
/// Characters around an offset that are looked at.
const NEAR: usize = 320;

/// Whether a line begins as an entry of a list or a sentence does, and not in the middle of one.
fn begins_line(rest: &[Piece]) -> bool {
    let first = rest.iter().map(|piece| piece.character).find(|c| *c != ' ');
    first.is_none_or(|c| {
        matches!(c, '-' | '\n' | '\u{2022}' | '#' | '{' | '}' | '"') || c.is_numeric() || c.is_uppercase()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_through_its_disguises() {
        for (text, folded) in [
            ("Do  NOT\n tell\u{A0}the user", "do not tell the user"),
            ("ig\u{200B}nore", "ignore"),
            ("ignоrе", "ignore"),
            ("i g n o r e  a l l", "ignore all "),
            ("pr3vious", "previous"),
            ("1nstruct10ns", "instructions"),
            ("0x8ba1f109551bd432803012645ac136ddd64dba72", "0x8ba1f109551bd432803012645ac136ddd64dba72"),
            ("sha1 utf8 2fa", "sha1 utf8 2fa"),
            ("**Never** `cat`", "never cat"),
            ("\u{E0072}\u{E0075}n", "run"),
            ("ключ доступа", "ключ доступа"),
            ("a b c", "a b c"),
            ("id_rsa", "id_rsa"),
        ] {
            assert_eq!(Reading::of(text, Place::Prose).folded, folded, "{text}");
        }
        assert_eq!(Reading::of("contentOf_ssh-id_rsa", Place::Name).folded, "content of ssh id rsa");
    }

    #[test]
    fn positions_lead_back() {
        let text = "Нi: ig\u{200B}nоre  this";
        let reading = Reading::of(text, Place::Prose);
        let at = reading.folded.find("ignore").unwrap_or_default();
        let (start, end) = reading.span(at..at + "ignore".len());
        assert_eq!(&text[start..end], "ig\u{200B}nоre");
    }
}
