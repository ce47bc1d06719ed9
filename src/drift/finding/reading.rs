//! A text as its reader takes it: one folded view that sees through case, spacing, line breaks, hidden characters, styled
//! letters and look-alikes, and maps every position back. Linear in the text.

use super::fold::{digit_letter, fold, is_twin, look_alike, tag};
use super::lexicon::{self, Class, Mark, Set};
use super::place::Place;
use crate::text::is_hidden;
use std::ops::Range;

/// Letters that stand alone with one separator between each two, from which on they are taken for one spaced-out word.
const SPACED: usize = 6;

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
    /// Where each folded byte comes from.
    spans: Vec<(u32, u32)>,
    /// Folded offsets at which a sentence ends.
    ends: Vec<usize>,
}

/// A character on its way, with where it came from.
#[derive(Clone, Copy)]
struct Piece {
    character: char,
    start: u32,
    end: u32,
}

impl<'a> Reading<'a> {
    pub(super) fn of(original: &'a str, place: Place) -> Self {
        let mut pieces = cleaned(original, place);
        join_spaced(&mut pieces);
        unmask(&mut pieces);
        let mut reading =
            Self { original, place, folded: String::new(), marks: Vec::new(), spans: Vec::new(), ends: Vec::new() };
        reading.write(&pieces);
        reading.marks = lexicon::marks(&reading.folded);
        let mut sentence = 0;
        for mark in &mut reading.marks {
            while reading.ends.get(sentence).is_some_and(|end| *end <= mark.start) {
                sentence += 1;
            }
            mark.sentence = sentence;
        }
        reading
    }

    fn write(&mut self, pieces: &[Piece]) {
        let mut letters = Vec::new();
        let mut breaks = 0;
        for (at, piece) in pieces.iter().enumerate() {
            letters.clear();
            if piece.character.is_whitespace() {
                breaks += usize::from(piece.character == '\n');
                // A paragraph ends a sentence, a line does not.
                if breaks == 2 {
                    self.ends.push(self.folded.len());
                }
                if self.folded.ends_with(' ') {
                    continue;
                }
                letters.push(' ');
            } else {
                breaks = 0;
                fold(piece.character, &mut letters);
            }
            for letter in &letters {
                self.folded.push(*letter);
                self.spans.extend(std::iter::repeat_n((piece.start, piece.end), letter.len_utf8()));
            }
            let last =
                pieces.get(at + 1).is_none_or(|next| next.character.is_whitespace() || !next.character.is_ascii());
            if matches!(piece.character, '。' | '！' | '？') || (matches!(piece.character, '.' | '!' | '?') && last)
            {
                self.ends.push(self.folded.len());
            }
        }
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

    /// The marks of one class, with their indices.
    pub(super) fn of_class(&self, set: Set) -> impl Iterator<Item = (usize, &Mark)> {
        self.marks.iter().enumerate().filter(move |(_, mark)| set.has(mark.class))
    }

    /// The folded text between two offsets; empty where they cross.
    pub(super) fn between(&self, start: usize, end: usize) -> &str {
        self.folded.get(start..end).unwrap_or_default()
    }

    /// The word before an offset, without what is no letter.
    pub(super) fn word_before(&self, at: usize) -> &str {
        let before = self.folded[..at].trim_end_matches(|c: char| !(c.is_alphanumeric() || ends_clause(c)));
        let start = before.char_indices().rev().take(24).take_while(|(_, c)| c.is_alphanumeric() || *c == '\'').last();
        start.map_or("", |(start, _)| &before[start..])
    }

    /// Whether a verb is an order: it does not stand for what the tool itself does, and is not forbidden.
    pub(super) fn is_order(&self, at: usize) -> bool {
        let mark = &self.marks[at];
        if self.before(at, Class::Not.set(), 16).is_some() {
            return false;
        }
        let first = self.folded[..mark.start].trim_start().is_empty();
        if first {
            return self.place == Place::Value;
        }
        if self.before(at, Class::Must.set(), 40).is_some() {
            return true;
        }
        !DESCRIBES.contains(&self.word_before(mark.start))
    }

    /// Whether the text speaks of attacks, or quotes them, where a mark stands.
    pub(super) fn is_about_attacks(&self, at: usize) -> bool {
        let detect = self.before(at, Class::Detect.set(), 160);
        detect.is_some_and(|detect| {
            let between = self.between(self.marks[detect].end, self.marks[at].start);
            between.len() < 60 || between.contains(['"', '\''])
        })
    }
}

/// Words before a verb that make it a description of what something does.
const DESCRIBES: [&str; 43] = [
    "are", "be", "been", "was", "were", "gets", "get", "to", "will", "can", "could", "may", "might", "would", "that",
    "which", "who", "it", "server", "tool", "tools", "we", "i", "they", "not", "cannot", "the", "a", "an", "of", "or",
    "for", "on", "by", "in", "from", "users", "only", "server's", "no", "s", "is", "this",
];

fn ends_clause(character: char) -> bool {
    matches!(character, '.' | '!' | '?' | ':' | ';' | ',' | '(' | '"' | '>' | ']')
}

/// The characters without those that show nothing; TAG characters as the ASCII that they stand for. Of a name, the words
/// apart.
fn cleaned(text: &str, place: Place) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::with_capacity(text.len());
    let mut previous = ' ';
    let mut rest = text.char_indices().peekable();
    while let Some((start, character)) = rest.next() {
        let end = rest.peek().map_or(text.len(), |(next, _)| *next);
        let (start, end) = (to_u32(start), to_u32(end));
        let next = rest.peek().map_or(' ', |(_, next)| *next);
        let edge = !previous.is_alphanumeric() || !next.is_alphanumeric();
        let shown = match character {
            _ if character.is_whitespace() => Some(if character == '\n' { '\n' } else { ' ' }),
            // Emphasis and code marks stand around words and change nothing.
            '*' | '`' => None,
            '_' if edge && place != Place::Name => None,
            '_' | '-' | '.' | '/' if place == Place::Name => Some(' '),
            _ if !character.is_ascii() && is_hidden(character) => tag(character),
            _ if character.is_control() => None,
            _ => Some(character),
        };
        if place == Place::Name && character.is_uppercase() && previous.is_lowercase() {
            pieces.push(Piece { character: ' ', start, end: start });
        }
        pieces.extend(shown.map(|character| Piece { character, start, end }));
        previous = character;
    }
    pieces
}

fn to_u32(offset: usize) -> u32 {
    // Limits on items are far below; a longer text would point to its end.
    u32::try_from(offset).unwrap_or(u32::MAX)
}

/// `i g n o r e` as `ignore`: single letters with one separator each, many in a row.
fn join_spaced(pieces: &mut Vec<Piece>) {
    let single = |at: usize, pieces: &[Piece]| {
        let alone = |neighbour: Option<&Piece>| neighbour.is_none_or(|piece| !piece.character.is_alphanumeric());
        pieces.get(at).is_some_and(|piece| piece.character.is_alphabetic())
            && alone(at.checked_sub(1).and_then(|before| pieces.get(before)))
            && alone(pieces.get(at + 1))
    };
    let mut kept = Vec::with_capacity(pieces.len());
    let mut at = 0;
    while at < pieces.len() {
        let mut end = at;
        let mut letters = 0;
        while single(end, pieces) {
            letters += 1;
            end += 2;
            // A wider gap parts words.
            while letters > 0 && pieces.get(end).is_some_and(|piece| piece.character == ' ') && !single(end, pieces) {
                end += 1;
            }
        }
        if letters >= SPACED {
            let mut gap = 0;
            for piece in &pieces[at..end.min(pieces.len())] {
                if piece.character.is_alphabetic() {
                    if gap > 1 {
                        kept.push(Piece { character: ' ', start: piece.start, end: piece.start });
                    }
                    kept.push(*piece);
                    gap = 0;
                } else {
                    gap += 1;
                }
            }
            kept.push(Piece {
                character: ' ',
                start: kept.last().map_or(0, |last: &Piece| last.end),
                end: kept.last().map_or(0, |last: &Piece| last.end),
            });
            at = end;
        } else {
            let next = end.max(at + 1).min(pieces.len());
            kept.extend_from_slice(&pieces[at..next]);
            at = next;
        }
    }
    *pieces = kept;
}

/// Look-alikes of Latin letters in words that mix them with Latin ones, or that consist of twins in a Latin text; digits
/// between letters.
fn unmask(pieces: &mut [Piece]) {
    let latin = |piece: &&Piece| piece.character.is_ascii_alphabetic();
    let other = |piece: &&Piece| piece.character.is_alphabetic() && look_alike(piece.character).is_some();
    let foreign = pieces.iter().filter(other).count();
    if foreign == 0 && !pieces.iter().any(|piece| piece.character.is_ascii_digit()) {
        return;
    }
    let latin_text = pieces.iter().filter(latin).count() > 4 * foreign;
    for word in pieces.chunk_by_mut(|a, b| a.character.is_alphanumeric() && b.character.is_alphanumeric()) {
        let mixed = foreign > 0 && word.iter().any(|piece| piece.character.is_ascii_alphabetic());
        let twins = foreign > 0 && latin_text && word.len() > 1 && word.iter().all(|piece| is_twin(piece.character));
        for at in 0..word.len() {
            let character = word[at].character;
            if mixed || twins {
                word[at].character = look_alike(character).unwrap_or(character);
            }
            let between = at > 0 && word[at - 1].character.is_alphabetic();
            let between = between && word.get(at + 1).is_some_and(|next| next.character.is_alphabetic());
            if between && let Some(letter) = digit_letter(character) {
                word[at].character = letter;
            }
        }
    }
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
