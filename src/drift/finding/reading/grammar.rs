//! What a word does in its sentence, as far as its neighbours tell: whether a verb is an order, what is said of it, and
//! whether somebody else says it.

use super::super::lexicon::{Class, Mark};
use super::super::place::Place;
use super::{NEAR, Reading};

impl Reading<'_> {
    /// The word before an offset, without what is no letter.
    pub(in crate::drift::finding) fn word_before(&self, at: usize) -> &str {
        let before = self.folded[..at].trim_end_matches(|c: char| !(c.is_alphanumeric() || ends_clause(c)));
        let start = before.char_indices().rev().take(24).take_while(|(_, c)| c.is_alphanumeric() || *c == '\'').last();
        start.map_or("", |(start, _)| &before[start..])
    }

    /// Whether a verb is an order: it does not stand for what the tool itself does, and is not forbidden.
    pub(in crate::drift::finding) fn is_order(&self, at: usize) -> bool {
        let mark = &self.marks[at];
        let name = |other: &Mark| other.class == Class::Slot && other.start == mark.start && other.end == mark.end;
        let beside = at.saturating_sub(3)..(at + 4).min(self.marks.len());
        if self.before(at, Class::Not.set(), 16).is_some() || self.marks[beside].iter().any(name) {
            return false;
        }
        let before = self.behind(mark.start, 16);
        // `Before you change it`: when, not what.
        if before.ends_with("you ") && CONDITIONS.iter().any(|word| before.contains(word)) {
            return false;
        }
        let first = self.folded[..mark.start].trim_start().is_empty();
        if first {
            return matches!(self.place, Place::Value | Place::Asked);
        }
        let verb = self.between(mark.start, mark.end).split(' ').next().unwrap_or_default();
        // `Before changing it`, `may still change`: when, and what may be.
        if verb.ends_with("ing") && GERUNDS.contains(&self.word_before(mark.start)) || self.is_possible(mark.start) {
            return false;
        }
        let third = is_third_person(verb);
        let must = self.before(at, Class::Must.set(), 40).is_some();
        // `Changed in 0.9`: what was done.
        if !must && is_participle(verb) && self.word_before(mark.start).is_empty() {
            return false;
        }
        if mark.class == Class::Does || third {
            return self.before(at, Class::Agent.set(), 60).is_some();
        }
        if must {
            return true;
        }
        // An infinitive is an order where something asks for it: `it is good practice to read`.
        let asked = self
            .before(at, Class::Suggest.set(), 6)
            .is_some_and(|asked| asked < at && self.marks[asked].start + 3 < self.marks[asked].end);
        let before = self.word_before(mark.start);
        // `The company's mirror`.
        asked || !(DESCRIBES.contains(&before) || before.ends_with("'s"))
    }

    /// Whether a word stands within `reach` bytes before mark `at`, in the same sentence.
    pub(in crate::drift::finding) fn word_in(&self, at: usize, reach: usize, word: &str) -> bool {
        let before = self.behind(self.marks[at].start, reach);
        let sentence = before.rfind(". ").map_or(before, |end| &before[end..]);
        sentence.split(' ').any(|other| other == word)
    }

    /// Whether what may be a verb is a noun: `AWS access keys`, `access uses the kubeconfig`.
    pub(in crate::drift::finding) fn is_noun(&self, at: usize) -> bool {
        let mark = self.marks[at];
        let next = self.ahead(mark.end, 16);
        let next = next.trim_start().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        self.between(mark.start, mark.end) == "access"
            && (["to", "key", "token", "right", "control", "log", "level"].iter().any(|noun| next.starts_with(noun))
                || is_third_person(next) && next.len() > 2 && !["this", "its"].contains(&next))
    }

    /// Whether a mark is written in capitals.
    pub(in crate::drift::finding) fn is_shouted(&self, at: usize) -> bool {
        let (start, end) = self.span(self.marks[at].start..self.marks[at].end);
        self.original.get(start..end).is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_uppercase()))
    }

    /// Whether a mark is where something happened: `confirmed in this conversation`.
    pub(in crate::drift::finding) fn is_location(&self, at: usize) -> bool {
        let mark = &self.marks[at];
        let before = self.behind(mark.start, 24);
        let before =
            ["this ", "the ", "current "].iter().find_map(|which| before.strip_suffix(which)).unwrap_or(before);
        let words = self.between(mark.start, mark.end);
        let place = ["conversation", "session", "chat"].iter().any(|place| words.ends_with(place));
        let said = self.before(at, Class::Said.set().and(Class::Content).and(Class::Whole).and(Class::Which), 40);
        place && said.is_none() && ["in ", "during "].iter().any(|word| before.ends_with(word))
    }

    /// Whether a verb is said of what may happen: `may still change`.
    fn is_possible(&self, start: usize) -> bool {
        let before = self.behind(start, 24);
        let mut words = before.split_whitespace().rev();
        let adverb = words.next().is_some_and(|word| ADVERBS.contains(&word));
        adverb && words.next().is_some_and(|word| MODALS.contains(&word))
    }

    /// Whether a mark is where something goes: `written to .npmrc`, `write it to the key store`.
    pub(in crate::drift::finding) fn is_destination(&self, at: usize) -> bool {
        let before = self.behind(self.marks[at].start, 24);
        let articles = ["the", "a", "an", "your", "user's", "their", "`", "\""];
        let word = before.split_whitespace().rev().take(4).find(|word| !articles.contains(word));
        word.is_some_and(|word| matches!(word.trim_end_matches('`'), "to" | "into"))
    }

    /// Whether an offset lies between a quotation mark that opens and one that closes, both near. A mark behind a letter or
    /// a digit opens nothing (`15" wide`), and neither does a bracket: what stands in it is said by the text itself.
    pub(in crate::drift::finding) fn is_quoted(&self, at: usize) -> bool {
        let (before, behind) = (self.behind(at, NEAR), self.ahead(at, NEAR));
        QUOTES.iter().any(|(open, close)| {
            let opens = |index: &usize| {
                let next = before[index + open.len_utf8()..].chars().next();
                !before[..*index].ends_with(|c: char| c.is_ascii_alphanumeric())
                    && !next.is_some_and(char::is_whitespace)
            };
            let opened = before.rmatch_indices(*open).map(|(index, _)| index).find(opens);
            let closes = |text: &str| {
                text.match_indices(*close).any(|(index, _)| {
                    let rest = &text[index + close.len_utf8()..];
                    let letter = |text: &str| text.starts_with(|c: char| c.is_ascii_alphanumeric());
                    !text[..index].ends_with(char::is_whitespace) && index > 0 && !letter(rest)
                })
            };
            opened.is_some_and(|index| !closes(&before[index + open.len_utf8()..]) && closes(behind))
        })
    }

    /// Whether the text speaks of attacks, or quotes them, where a mark stands.
    pub(in crate::drift::finding) fn is_about_attacks(&self, at: usize) -> bool {
        let start = self.marks[at].start;
        let spoken = |mark: &&Mark| mark.class == Class::Detect;
        let behind = self.marks[..at].iter().rev().take_while(|mark| mark.start + NEAR >= start);
        if self.place == Place::Prose && behind.filter(spoken).count() > 0 && self.is_quoted(start) {
            return true;
        }
        let detect = self.before(at, Class::Detect.set(), 160);
        detect.is_some_and(|detect| {
            let between = self.between(self.marks[detect].end, self.marks[at].start);
            between.len() < 60 || between.contains(['"', '\''])
        })
    }

    /// Whether the sentence forbids what a mark names: `do not include the conversation`.
    pub(in crate::drift::finding) fn forbids(&self, at: usize) -> bool {
        self.before(at, Class::Not.set(), 40).is_some()
    }
}

/// Quotation marks as they are folded, those that open and those that close.
const QUOTES: [(char, char); 4] = [('"', '"'), ('\'', '\''), ('「', '」'), ('『', '』')];
/// What makes `you` and a verb a condition.
const CONDITIONS: [&str; 7] =
    ["before you ", "when you ", "if you ", "after you ", "once you ", "whenever you ", "until you "];

/// What makes a gerund a time or a manner.
const GERUNDS: [&str; 7] = ["before", "after", "when", "while", "without", "of", "than"];

/// What stands between a modal and its verb.
const ADVERBS: [&str; 8] = ["still", "also", "only", "then", "always", "sometimes", "often", "later"];

/// What makes a verb a possibility.
const MODALS: [&str; 6] = ["may", "can", "might", "could", "will", "would"];

/// Words before a verb that make it a description of what something does.
const DESCRIBES: [&str; 50] = [
    "each", "every", "any", "such", "has", "have", "had", "are", "be", "been", "was", "were", "gets", "get", "to",
    "will", "can", "could", "may", "might", "would", "that", "which", "who", "it", "server", "tool", "tools", "we",
    "i", "they", "not", "cannot", "the", "a", "an", "of", "or", "for", "on", "by", "in", "from", "users", "only",
    "server's", "no", "s", "is", "this",
];

/// `Adds`, `reads`: an English verb that says what somebody does.
fn is_third_person(word: &str) -> bool {
    word.ends_with('s') && !word.ends_with("ss") && word.is_ascii()
}

/// `Changed`, `masked`: an English verb form that says what was done.
fn is_participle(word: &str) -> bool {
    word.ends_with("ed") && word.len() > 4 && !["embed", "exceed", "proceed", "speed"].contains(&word)
}

fn ends_clause(character: char) -> bool {
    matches!(character, '.' | '!' | '?' | ':' | ';' | ',' | '(' | '"' | '>' | ']')
}
