//! What a sentence asks, whatever its words, order and voice: the roles that stand in it together. `The key is handed over
//! in `mood`` and `put the key into `mood`` are one frame. Each role alone is honest.

use super::lexicon::{Class, Mark, Set};
use super::place::Place;
use super::reading::Reading;
use super::sentence::Sentence;
use super::signal::{Rule, Signal, Strength};
use super::{
    answer, conceal, consent, context, destroy, overrule, plant, secret, send, shadow, supply, weaken, withhold,
};

/// What is done with something. A forbidden act is none.
pub(super) const MOVES: Set = Class::Move.set().and(Class::Pass).and(Class::Send).and(Class::Set).and(Class::Encode);
/// What an order can be, and a negation forbids.
pub(super) const ACTS: Set = MOVES
    .and(Class::Call)
    .and(Class::Does)
    .and(Class::Append)
    .and(Class::Read)
    .and(Class::Destroy)
    .and(Class::Promote)
    .and(Class::Voice)
    .and(Class::Tamper);
/// Whatever happens, each time.
pub(super) const WIDE: Set = Class::Any.set().and(Class::Anyway).and(Class::Standing).and(Class::Defy);

/// Roles that say something together.
pub(super) struct Frame {
    /// One mark of each.
    pub(super) needs: &'static [Set],
    /// Whether the sentence has to ask the reader for something.
    asked: bool,
    pub(super) strength: Strength,
    pub(super) why: &'static str,
}

/// A frame of any sentence, whoever acts in it.
pub(super) const fn any(needs: &'static [Set], strength: Strength, why: &'static str) -> Frame {
    Frame { needs, asked: false, strength, why }
}

/// A frame of sentences that ask the reader for something: an order, a must, an agent as who acts.
pub(super) const fn asked(needs: &'static [Set], strength: Strength, why: &'static str) -> Frame {
    Frame { needs, asked: true, strength, why }
}

/// A frame that says something only where it is beside what the tool is for.
pub(super) const fn hint(needs: &'static [Set], why: &'static str) -> Frame {
    Frame { needs, asked: false, strength: Strength::Hint, why }
}

/// A rule that has frames.
struct Framed {
    rule: &'static Rule,
    frames: &'static [Frame],
    /// Weak where the sentence is honest.
    judge: fn(&Sentence, &Frame) -> Strength,
}

impl Framed {
    /// The strongest frame that fits a sentence, by the rule's judgement.
    fn strongest(&self, sentence: &Sentence) -> Option<Signal> {
        let fitting = self.frames.iter().filter(|frame| frame.fits(sentence));
        let judged = fitting.map(|frame| (frame, (self.judge)(sentence, frame)));
        let (frame, strength) = judged.reduce(|best, next| if next.1 > best.1 { next } else { best })?;
        // What attacks are like is not what is destroyed.
        let quoted = self.rule.name != destroy::RULE.name && sentence.is_about_attacks();
        let quoted = quoted || sentence.quotes(frame.needs[0]);
        let shown = &frame.needs[..frame.needs.len().min(3)];
        // What is judged weak is honest here.
        (strength != Strength::Weak && !quoted)
            .then(|| Signal::folded(self.rule, strength, sentence.reading, sentence.span(shown), frame.why))
    }
}

impl Frame {
    /// Whether every role is there.
    fn fits(&self, sentence: &Sentence) -> bool {
        self.needs.iter().all(|need| sentence.roles.meets(*need)) && (!self.asked || sentence.is_asked())
    }
}

const fn framed(rule: &'static Rule, frames: &'static [Frame], judge: fn(&Sentence, &Frame) -> Strength) -> Framed {
    Framed { rule, frames, judge }
}

static RULES: [Framed; 12] = [
    framed(&answer::RULE, answer::FRAMES, answer::judge),
    framed(&consent::RULE, consent::FRAMES, consent::judge),
    framed(&context::RULE, context::FRAMES, context::judge),
    framed(&destroy::RULE, destroy::FRAMES, destroy::judge),
    framed(&overrule::RULE, overrule::FRAMES, overrule::judge),
    framed(&plant::RULE, plant::FRAMES, plant::judge),
    framed(&secret::RULE, secret::FRAMES, secret::judge),
    framed(&send::RULE, send::FRAMES, send::judge),
    framed(&shadow::RULE, shadow::FRAMES, shadow::judge),
    framed(&supply::RULE, supply::FRAMES, supply::judge),
    framed(&weaken::RULE, weaken::FRAMES, weaken::judge),
    framed(&conceal::RULE, withhold::FRAMES, withhold::judge),
];

/// Where a description says what its tool does: to the end of its first sentence, as bytes of the text. 0 where that
/// sentence asks for something.
pub(super) fn opening(reading: &Reading) -> usize {
    let marks = reading.marks.iter().take_while(|mark| mark.sentence == 0).count();
    let plain = reading.place == Place::Prose && marks > 0 && Sentence::of(reading, 0..marks).is_plain();
    if plain { reading.span(0..reading.marks[marks - 1].end).1 } else { 0 }
}

/// Looks for the frames of every rule that has some.
pub(super) fn find(reading: &Reading, found: &mut Vec<Signal>) {
    if reading.place == Place::Name {
        return;
    }
    let mut first = 0;
    let same = |a: &Mark, b: &Mark| a.sentence == b.sentence && !reading.has_line_between(a.start, b.start);
    for marks in reading.marks.chunk_by(same) {
        let sentence = Sentence::of(reading, first..first + marks.len());
        first += marks.len();
        if !sentence.is_plain() {
            found.extend(RULES.iter().filter_map(|rule| rule.strongest(&sentence)));
        }
    }
}
