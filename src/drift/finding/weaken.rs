//! What guards is to be taken away, or left open, from what the model builds or runs. How to do so where it is asked for is
//! honest, and so is a warning of it.

use super::frame::{Frame, MOVES, any, asked};
use super::lexicon::{Class, Set};
use super::sentence::Sentence;
use super::signal::{Rule, Strength};

/// The rule.
pub(super) static RULE: Rule = Rule { name: "weakens-protection", title: "weakens what protects" };

/// What takes it away.
const TAKES: Set = Class::Destroy.set().and(Class::Skip).and(Class::Withhold);
/// What makes it more than an option of one call.
const EACH: Set = Class::Must
    .set()
    .and(Class::Anyway)
    .and(Class::Standing)
    .and(Class::Also)
    .and(Class::Agent)
    .and(Class::Defy)
    .and(Class::Before);

/// Why a frame leaves something open.
const OPENS: &str = "by something that lays open";

/// What its sentences hold.
pub(super) static FRAMES: &[Frame] = &[
    any(&[Class::Shield.set(), TAKES, Class::Pretext.set()], Strength::Strong, "with comfort as its reason"),
    asked(&[Class::Shield.set(), TAKES, EACH], Strength::Strong, "whatever it is for"),
    any(&[Class::Shield.set(), TAKES, Class::Must.set().and(Class::Standing)], Strength::Strong, "whatever it is for"),
    any(&[Class::Opening.set(), Class::Pretext.set()], Strength::Strong, "with comfort as its reason"),
    any(&[Class::Opening.set(), Class::Shield.set(), TAKES], Strength::Strong, OPENS),
    any(&[Class::Opening.set(), EACH, MOVES.and(Class::Call).and(Class::Must)], Strength::Strong, OPENS),
    asked(&[Class::Opening.set(), MOVES.and(Class::Call).and(Class::Tamper)], Strength::Some, OPENS),
];

/// What makes it a warning, or an option.
const CARE: [&str; 9] = [
    "not recommended",
    "development only",
    "for testing",
    "insecure",
    "avoid",
    "unless",
    "optional",
    "refused",
    "rejected",
];

/// How a sentence with such a frame is judged.
pub(super) fn judge(sentence: &Sentence, frame: &Frame) -> Strength {
    let whole = sentence.reading.sentence(sentence.reading.marks[sentence.marks.start].start);
    if CARE.iter().any(|word| whole.contains(word)) { Strength::Weak } else { frame.strength }
}
