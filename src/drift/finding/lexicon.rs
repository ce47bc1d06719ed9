//! The words that rules look for, by what they do, in the languages that a poisoned text is likely to be written in. All
//! are found in one pass over the folded text.

mod acts;
mod class;
mod inflect;
mod pretext;
mod scan;
mod sources;
mod words;

pub(super) use class::{Class, Set};

use super::fold::fold;
use aho_corasick::{AhoCorasick, MatchKind};
use std::collections::HashSet;
use std::sync::LazyLock;

/// A word found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) class: Class,
    /// Folded offset.
    pub(super) start: usize,
    /// Folded offset.
    pub(super) end: usize,
    /// The number of its sentence.
    pub(super) sentence: usize,
}

/// An entry: its class, and whether a word may go on before or after it.
struct Entry {
    class: Class,
    bound_before: bool,
    bound_after: bool,
}

struct Lexicon {
    automaton: Option<AhoCorasick>,
    entries: Vec<Entry>,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let mut entries = Vec::new();
    let mut patterns = Vec::new();
    let mut known = HashSet::new();
    for (class, phrases) in words::WORDS.iter().chain(acts::WORDS).chain(sources::WORDS).chain(pretext::WORDS) {
        let phrases = phrases.split('|').map(str::trim).filter(|phrase| !phrase.is_empty());
        for phrase in phrases.flat_map(inflect::forms) {
            let stem = phrase.ends_with('*');
            let mut folded = Vec::new();
            phrase.trim_end_matches('*').chars().for_each(|character| fold(character, &mut folded));
            let pattern: String = folded.iter().collect();
            // Two lines of a class may name one word.
            if !known.insert((*class, stem, pattern.clone())) {
                continue;
            }
            let (first, last) = (folded.first().copied(), folded.last().copied());
            entries.push(Entry {
                class: *class,
                bound_before: first.is_some_and(|c| is_spaced(c) && !takes_prefixes(c)),
                bound_after: !stem && last.is_some_and(|c| is_spaced(c) && !takes_prefixes(c)),
            });
            patterns.push(pattern);
        }
    }
    let automaton = AhoCorasick::builder().match_kind(MatchKind::Standard).build(&patterns).ok();
    Lexicon { automaton, entries }
});

/// Whether a letter's language writes particles and endings together with the word: Arabic, Hebrew, the Indic ones.
fn takes_prefixes(character: char) -> bool {
    matches!(character, '\u{590}'..='\u{6FF}' | '\u{900}'..='\u{DFF}')
}

/// Whether a character belongs to a word of a script that parts words by spaces.
fn is_spaced(character: char) -> bool {
    let spaceless = matches!(
        character,
        '\u{E00}'..='\u{EFF}' | '\u{1000}'..='\u{11FF}' | '\u{1780}'..='\u{17FF}' | '\u{2E80}'..='\u{D7FF}'
            | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}'
    );
    (character.is_alphanumeric() || character == '_') && !spaceless
}

/// Every word of the lexicon in a folded text, by its start, with what no list can hold.
pub(super) fn marks(folded: &str) -> Vec<Mark> {
    let mut found = words(folded);
    scan::marks(folded, &mut found);
    // `Masked by a password manager`: who does it is no source.
    let agent = |mark: &Mark| {
        mark.class == Class::SecretFile
            && ["by ", "by a ", "by the "].iter().any(|by| folded[..mark.start].ends_with(by))
    };
    found.retain(|mark| !agent(mark));
    found.sort_by_key(|mark| (mark.start, mark.end));
    found
}

/// The words of the lists alone.
pub(super) fn words(folded: &str) -> Vec<Mark> {
    let mut found = Vec::new();
    if let Some(automaton) = &LEXICON.automaton {
        for hit in automaton.find_overlapping_iter(folded) {
            let entry = &LEXICON.entries[hit.pattern().as_usize()];
            let before = folded[..hit.start()].chars().next_back();
            let after = folded[hit.end()..].chars().next();
            let parted = (!entry.bound_before || !before.is_some_and(is_spaced))
                && (!entry.bound_after || !after.is_some_and(is_spaced));
            if parted {
                found.push(Mark { class: entry.class, start: hit.start(), end: hit.end(), sentence: 0 });
            }
        }
    }
    found
}
