//! A text without its disguises: what shows nothing is left out, spaced-out words are joined, look-alikes and digits are
//! the letters that they stand for.

use super::super::fold::{digit_letter, is_twin, look_alike, tag};
use super::super::place::Place;
use crate::text::is_hidden;

/// Letters that stand alone with one separator between each two, from which on they are taken for one spaced-out word.
const SPACED: usize = 6;

/// A character on its way, with where it came from.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    pub(super) character: char,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// The characters without those that show nothing; TAG characters as the ASCII that they stand for. Of a name, the words
/// apart.
pub(super) fn cleaned(text: &str, place: Place) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::with_capacity(text.len());
    let mut previous = ' ';
    for (at, character) in text.char_indices() {
        let next = at + character.len_utf8();
        let (start, end) = (to_u32(at), to_u32(next));
        let edge = || !previous.is_alphanumeric() || !text[next..].starts_with(char::is_alphanumeric);
        let shown = match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' => Some(character),
            _ if character.is_whitespace() => Some(if character == '\n' { '\n' } else { ' ' }),
            // Emphasis and code marks stand around words and change nothing.
            '*' | '`' => None,
            '_' if place != Place::Name && edge() => None,
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
pub(super) fn join_spaced(pieces: &mut Vec<Piece>) {
    let single = |at: usize, pieces: &[Piece]| {
        let alone = |neighbour: Option<&Piece>| neighbour.is_none_or(|piece| !piece.character.is_alphanumeric());
        pieces.get(at).is_some_and(|piece| piece.character.is_alphabetic())
            && alone(at.checked_sub(1).and_then(|before| pieces.get(before)))
            && alone(pieces.get(at + 1))
    };
    // Most texts have too few letters that stand alone.
    if (0..pieces.len()).filter(|at| single(*at, pieces)).nth(SPACED - 1).is_none() {
        return;
    }
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
pub(super) fn unmask(pieces: &mut [Piece]) {
    let latin = |piece: &&Piece| piece.character.is_ascii_alphabetic();
    let other = |piece: &&Piece| !piece.character.is_ascii() && look_alike(piece.character).is_some();
    let foreign = pieces.iter().filter(other).count();
    if foreign == 0 && !pieces.iter().any(|piece| piece.character.is_ascii_digit()) {
        return;
    }
    let latin_text = pieces.iter().filter(latin).count() > 4 * foreign;
    for word in pieces.chunk_by_mut(|a, b| a.character.is_alphanumeric() && b.character.is_alphanumeric()) {
        let mixed = foreign > 0 && word.iter().any(|piece| piece.character.is_ascii_alphabetic());
        let twins = foreign > 0 && latin_text && word.len() > 1 && word.iter().all(|piece| is_twin(piece.character));
        let leet = is_leet(word);
        for at in 0..word.len() {
            let character = word[at].character;
            if mixed || twins {
                word[at].character = look_alike(character).unwrap_or(character);
            }
            if leet
                && word[at + 1..].iter().any(|piece| piece.character.is_alphabetic())
                && let Some(letter) = digit_letter(character)
            {
                word[at].character = letter;
            }
        }
    }
}

/// Whether the digits of a word may stand for letters: few, inside it, and no number of their own.
fn is_leet(word: &[Piece]) -> bool {
    let digits = word.iter().filter(|piece| piece.character.is_ascii_digit()).count();
    let letters = word.iter().filter(|piece| piece.character.is_alphabetic()).count();
    let run = word.chunk_by(|a, b| a.character.is_ascii_digit() == b.character.is_ascii_digit());
    let longest = run.filter(|part| part[0].character.is_ascii_digit()).map(<[Piece]>::len).max().unwrap_or_default();
    let begins = word.first().is_some_and(|piece| piece.character.is_ascii_digit());
    (1..=4).contains(&digits) && word.len() <= 20 && longest <= 2 && letters >= digits && (!begins || letters >= 4)
}
