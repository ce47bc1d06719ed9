//! Something is to be deleted or switched off by way of another tool. What a tool itself deletes, and which tool deletes
//! what, is honest.

use super::frame::{Frame, Mood, Sentence, WIDE};
use super::lexicon::{Class, Set};
use super::signal::{Rule, Signal, Strength};

/// The rule.
pub(super) static RULE: Rule = Rule { name: "orders-destruction", title: "orders destruction" };

const BY: Set = Class::Instrument.set().and(Class::OtherTool);
const TIMES: Set = WIDE.and(Class::Before).and(Class::When).and(Class::Also);

static FRAMES: [Frame; 4] = [
    Frame {
        needs: &[Class::Destroy.set(), BY, Class::Guard.set()],
        mood: Mood::Any,
        strength: Strength::Sure,
        why: "of what keeps from harm, by another tool",
    },
    Frame {
        needs: &[Class::Destroy.set(), BY, Class::Any.set(), Class::Before.set().and(Class::When).and(Class::Also)],
        mood: Mood::Asked,
        strength: Strength::Sure,
        why: "of all that there is, by another tool",
    },
    Frame {
        needs: &[Class::Destroy.set(), BY, TIMES],
        mood: Mood::Any,
        strength: Strength::Strong,
        why: "by another tool, beside what the user asked for",
    },
    Frame {
        needs: &[Class::Destroy.set(), Class::Guard.set(), TIMES],
        mood: Mood::Asked,
        strength: Strength::Some,
        why: "of what keeps from harm",
    },
];

/// Looks for it.
pub(super) fn frames(sentence: &Sentence, found: &mut Vec<Signal>) {
    let Some(frame) = sentence.frame(&FRAMES) else { return };
    let honest = sentence.is_on_request() || !destroys(sentence);
    let strength = if honest { Strength::Weak } else { frame.strength };
    found.push(Signal::folded(&RULE, strength, sentence.reading, sentence.span(&frame.needs[..2]), frame.why));
}

/// Whether something in it is destroyed, and not only spoken of: `to remove a branch, use delete_branch` says which tool
/// does what, `a cleared flag` what is.
fn destroys(sentence: &Sentence) -> bool {
    let reading = sentence.reading;
    let mut marks = sentence.marks.clone().filter(|at| reading.marks[*at].class == Class::Destroy);
    marks.any(|at| {
        let mark = reading.marks[at];
        let spaceless = !reading.between(mark.start, mark.end).is_ascii();
        let word = reading.word_before(mark.start);
        let passive = PASSIVE.contains(&word) && reading.after(at, BY, 80).is_some();
        // `Use the shell tool to switch it off`: a tool for anything.
        let lent = word == "to" && reading.before(at, Class::OtherTool.set(), 24).is_some();
        spaceless || passive || lent || (!SPOKEN.contains(&word) && reading.is_order(at))
    })
}

/// What comes before a participle that says what happens.
const PASSIVE: [&str; 8] = ["is", "are", "be", "gets", "get", "was", "were", "being"];
/// What comes before a verb that is no order.
const SPOKEN: [&str; 12] =
    ["to", "zum", "zu", "pour", "para", "per", "before", "after", "when", "while", "if", "already"];
