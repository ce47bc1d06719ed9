//! One sentence of a text as frames see it: which classes stand in it, whom it asks, what it names.

use super::frame::ACTS;
use super::lexicon::{Class, Set};
use super::place::Place;
use super::reading::Reading;
use std::cell::OnceCell;
use std::ops::Range;

/// One sentence: its marks, and the classes that count.
pub(super) struct Sentence<'a, 'b> {
    pub(super) reading: &'a Reading<'b>,
    pub(super) marks: Range<usize>,
    pub(super) roles: Set,
    /// From its first mark to its last.
    pub(super) text: &'a str,
    asked: OnceCell<bool>,
}

impl<'a, 'b> Sentence<'a, 'b> {
    /// The sentence of these marks.
    pub(super) fn of(reading: &'a Reading<'b>, marks: Range<usize>) -> Self {
        let all = reading.marks[marks.clone()].iter().fold(Set::NONE, |roles, mark| roles.and(mark.class));
        let end = reading.marks[marks.clone()].iter().map(|mark| mark.end).max().unwrap_or_default();
        let text = reading.between(reading.marks[marks.start].start, end);
        let mut sentence = Self { reading, marks, roles: all, text, asked: OnceCell::new() };
        if all.meets(Class::Not.set()) {
            let counts = |at: &usize| !FORBIDS.has(reading.marks[*at].class) || !sentence.is_forbidden(*at);
            let counted = sentence.marks.clone().filter(counts);
            sentence.roles = counted.fold(Set::NONE, |roles, at| roles.and(reading.marks[at].class));
        }
        sentence
    }

    /// Whether an act is forbidden. `To avoid conflicts, first discard …` has its negation in another clause, and `do not
    /// wait and send it` forbids to wait; `must not call it or send anything` forbids both.
    pub(super) fn is_forbidden(&self, at: usize) -> bool {
        let Some(not) = self.reading.before(at, Class::Not.set(), FORBIDDEN) else { return false };
        let (not, act) = (self.reading.marks[not], self.reading.marks[at]);
        let between = self.reading.between(not.end, act.start);
        let far = between.len() > 24;
        let order = ["do not", "don't", "never", "must not", "mustn't", "may not", "shall not", "should not"];
        let forbids = order.iter().any(|order| self.reading.between(not.start, not.end).contains(order))
            || PROHIBITIONS.contains(&self.reading.word_before(not.start));
        !between.contains([',', ';', ':']) && (!far || forbids && !BREAKS.iter().any(|word| between.contains(word)))
    }

    /// Whether it says what the tool itself does, as a description begins, or is an example.
    pub(super) fn is_plain(&self) -> bool {
        let first = &self.reading.marks[self.marks.start];
        let own = self.reading.place == Place::Prose && first.sentence == 0 && !self.is_asked();
        // A command line is an example of one.
        let command = self.reading.place == Place::Value
            && self
                .marks
                .clone()
                .map(|at| &self.reading.marks[at])
                .any(|mark| mark.class == Class::Fetch && mark.start == first.start);
        own || command || self.reading.is_in_fence(first.start)
    }

    /// Whether the sentence asks the reader for something.
    pub(super) fn is_asked(&self) -> bool {
        let order = |at: usize| ACTS.has(self.reading.marks[at].class) && self.reading.is_order(at);
        let agent = self.roles.meets(Class::Must.set().and(Class::Agent));
        *self.asked.get_or_init(|| agent || self.marks.clone().any(order))
    }

    /// The stretch from the first to the last mark of the given classes.
    pub(super) fn span(&self, needs: &[Set]) -> Range<usize> {
        let marks = self.marks.clone().map(|at| &self.reading.marks[at]);
        let marks = marks.filter(|mark| needs.iter().any(|need| need.has(mark.class)));
        let (start, end) = marks.fold((usize::MAX, 0), |(start, end), mark| (start.min(mark.start), end.max(mark.end)));
        start.min(end)..end
    }

    /// Whether the sentence speaks of attacks, or finds them.
    pub(super) fn is_about_attacks(&self) -> bool {
        self.marks.clone().any(|at| ACTS.has(self.reading.marks[at].class) && self.reading.is_about_attacks(at))
    }

    /// Whether every mark of a set stands in quotes, in a text about attacks.
    pub(super) fn quotes(&self, set: Set) -> bool {
        let reading = self.reading;
        let mut marks = self.marks.clone().filter(|at| set.has(reading.marks[*at].class));
        reading.present.meets(Class::Detect.set())
            && marks.all(|at| reading.is_quoted(reading.marks[at].start) && reading.is_about_attacks(at))
    }

    /// The words of its marks of a class.
    pub(super) fn words_of(&self, class: Class) -> impl Iterator<Item = &str> {
        let marks = self.reading.marks[self.marks.clone()].iter().filter(move |mark| mark.class == class);
        marks.map(|mark| self.reading.between(mark.start, mark.end))
    }

    /// The names in code marks.
    pub(super) fn slots(&self) -> impl Iterator<Item = &str> {
        self.words_of(Class::Slot)
    }

    /// The names in code marks that something goes into: `in `note``, `the field `note``.
    pub(super) fn filled_slots(&self) -> impl Iterator<Item = &str> {
        let reading = self.reading;
        let slots = self.marks.clone().filter(|at| reading.marks[*at].class == Class::Slot);
        let filled = slots.filter(|at| {
            let mark = &reading.marks[*at];
            let before = reading.word_before(mark.start);
            // A language that the list does not know, or one that puts the word behind.
            let behind =
                !reading.ahead(mark.end, 2).is_ascii() || reading.after(*at, Class::Parameter.set(), 2).is_some();
            INTO.contains(&before) || ALSO_INTO.contains(&before) || !before.is_ascii() || behind
        });
        filled.map(|at| reading.between(reading.marks[at].start, reading.marks[at].end))
    }

    /// Whether a proper name stands in it: a capital inside the sentence. German nouns have one, too.
    pub(super) fn names_somebody(&self) -> bool {
        // The name may be its last word: it ends where the next one's marks begin, or a little behind its own.
        let start = self.reading.marks[self.marks.start].start;
        let last = start + self.text.len();
        let next = self.reading.marks.get(self.marks.end).map_or(self.reading.folded.len(), |mark| mark.start);
        let rest = self.reading.between(last, next);
        let rest = rest.find(['.', '!', '?', '。']).unwrap_or(rest.len()).min(48);
        let (start, end) = self.reading.span(start..last + rest);
        let words = self.reading.original.get(start..end).unwrap_or_default().split(' ');
        let pairs = words.clone().zip(words.skip(1));
        // Scripts without capitals put names in quotes.
        let quoted = |class| self.words_of(class).any(|name| !name.is_ascii());
        let capital = pairs.into_iter().any(|(before, word)| {
            let inside = before.ends_with(|c: char| c.is_alphanumeric() || c == ',');
            let tail = word.chars().skip(1).filter(|c| c.is_lowercase()).count();
            inside && word.trim_start_matches(['"', '«', '“', '„', '\'']).starts_with(char::is_uppercase) && tail >= 2
        });
        capital || quoted(Class::Slot) || quoted(Class::Quoted)
    }

    /// Whether a condition in it is that the user asks for this.
    pub(super) fn is_on_request(&self) -> bool {
        self.roles.meets(Class::When.set()) && REQUESTS.iter().any(|request| self.text.contains(request))
    }
}

/// What a prohibition takes back.
const FORBIDS: Set = ACTS
    .and(Class::Exposed)
    .and(Class::Opening)
    .and(Class::AsConsent)
    .and(Class::Secret)
    .and(Class::SecretFile)
    .and(Class::ConfigFile)
    .and(Class::Trove)
    .and(Class::Person)
    .and(Class::Context);
/// Bytes that a prohibition reaches.
const FORBIDDEN: usize = 90;
/// What makes `not` a prohibition.
const PROHIBITIONS: [&str; 7] = ["must", "may", "shall", "should", "do", "agents", "can"];
/// What ends one.
const BREAKS: [&str; 7] = [" and ", " but ", " then ", " instead", " until ", " without ", " unless "];

/// What stands between a thing and the parameter that it goes into.
pub(super) const INTO: [&str; 22] = [
    "in",
    "into",
    "as",
    "through",
    "via",
    "under",
    "to",
    "inside",
    "with",
    "als",
    "im",
    "dans",
    "comme",
    "en",
    "como",
    "em",
    "come",
    "в",
    "durch",
    "field",
    "parameter",
    "argument",
];

/// What stands there, too, and says something only beside the other roles of a frame.
const ALSO_INTO: [&str; 23] = [
    "within",
    "feld",
    "champ",
    "campo",
    "nel",
    "no",
    "ao",
    "w",
    "polu",
    "поле",
    "параметр",
    "lewat",
    "vào",
    "số",
    "of",
    "veld",
    "by",
    "faltet",
    "feltet",
    "parametern",
    "parametru",
    "do",
    "pole",
];

/// What a user does who wants something.
const REQUESTS: [&str; 14] = [
    "user asks",
    "user wants",
    "user requests",
    "user says",
    "user confirm",
    "user chooses",
    "user names",
    "user has asked",
    "user agrees",
    "asked to",
    "requested by",
    "nutzer will",
    "utilisateur demande",
    "usuario pide",
];
